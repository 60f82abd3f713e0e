"""Blocks of different width: ranks behind joints, averages in blocks."""

from dataclasses import replace

import numpy as np
import pytest

from tests.verify.arrays import value_at
from verify.cases.tensors import Tensors, tensor
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.kinds.statistics.sampling import FIRST
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.sampling import look
from verify.methods.schema import schema
from verify.papers.dkbhl20 import varying_width
from verify.papers.registry import find

CI = Context(budget_named("ci"), 2, "cpu")


@pytest.mark.parametrize(
    ("rows", "matrix", "whatever", "narrower"),
    [
        (((1, 0), (0, 1)), ((1, 0), (0, 1), (1, 1)), -1, 0),
        (((1, 0), (0, 1)), ((1, 1),), 0, 0),
        (((1, 1), (1, 1)), ((1, 0), (0, 1)), -1, -1),
    ],
)
def test_ranks_behind_a_joint_by_hand(rows, matrix, whatever, narrower):
    case = Tensors({"H": tensor(("d", "N"), rows), "V": tensor(("e", "d"), matrix)})
    for end, slack in (("", whatever), (".fix", narrower)):
        claim = replace(find(f"dkbhl20.varwidth@A{end}"), hypotheses=())
        assert value_at(claim, case) == slack


def test_growing_widths_refute_the_full_rank_and_the_repair_is_proved():
    found = pointwise(find("dkbhl20.varwidth@A"), CI)
    assert found.outcome is Outcome.REFUTES
    assert found.checker["exit"] == 0
    claim = find("dkbhl20.varwidth@A.fix")
    assert schema(claim, CI).outcome is Outcome.ARGUES
    assert pointwise(claim, CI).outcome is Outcome.SUPPORTS
    needed = necessity(claim, CI)
    assert needed.figures["certified"] == needed.figures["needed"] == 2


def test_a_narrow_block_bounds_the_rank_of_later_ones():
    blocks = varying_width.blocks_of((8, 2, 6), 3, 1.0, 3, np.random.default_rng(0))
    ranks = [np.linalg.matrix_rank(seen.states.numpy()).tolist() for seen in blocks]
    assert ranks == [[8] * 3, [2] * 3, [2] * 3]
    assert [seen.states.shape for seen in blocks] == [(3, 8, 8), (3, 2, 8), (3, 6, 8)]


def test_the_value_by_its_definition():
    (seen,) = varying_width.blocks_of((4,), 100, 1.0, 3, np.random.default_rng(0))
    rest = 1 - seen.mean("squares") / seen.mean("cube")
    found = varying_width.above_root_of_block(seen, 4)
    assert found == pytest.approx(seen.mean("r") - np.sqrt(4 * rest))


def test_blocks_are_above_the_bound_and_a_wrong_bound_would_be_noticed():
    sampled = find("dkbhl20.varwidth@B").sampled
    (arm,) = sampled.arms(0)
    assert look(sampled, arm, np.random.default_rng(0), 2 * FIRST, 1).holds is True
    shifted = replace(arm, draw=lambda count, generator: arm.draw(count, generator) - 5)
    assert look(sampled, shifted, np.random.default_rng(0), FIRST, 1).holds is False
