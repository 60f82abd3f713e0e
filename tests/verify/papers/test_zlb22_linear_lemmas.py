"""Lemmas B.1 and B.2 on families of linear networks: by hand, against matrices that are drawn, and
by the checker's own paths."""

from dataclasses import replace

import pytest

from graphs.rationals import RATIONALS
from tests.verify.papers.zlb22_groups import layered, worth
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.papers.registry import find
from verify.papers.zlb22.group_notation import OUTPUT
from verify.papers.zlb22.group_orders import NORM_FROM_ABOVE, block_norm, readers
from verify.papers.zlb22.group_shapes import Shape
from verify.papers.zlb22.profile import profile

QUICK = Context(replace(budget_named("ci"), draws=96))
NAMES = ("lemB.1.linear", "lemB.2.linear")


def slacks(name, shape):
    case = profile(shape)
    found = find(f"zlb22.{name}").measure(type(case).scene([case], RATIONALS))
    return [int(value) for value in found.values]


@pytest.mark.parametrize(
    ("shape", "jacobians", "blocks"),
    [
        # |dS/dw1|^2 = M^2/M, |dS/dw2|^2 = 1 for sizes M, M^2; the least in-degrees M and M^2
        (layered(1, 2), [0, 0], [0, 0]),
        # sizes M^2, M: |W2|^2 = 1 and the least in-degree M, of M: both bounds are reached
        (layered(2, 1), [0, 0], [0, 0]),
        # sizes M, 1, M: all through one; the last block has M
        (layered(1, 0, 1), [0, 0, 0], [0, 0, 0]),
        # the output reads M^2 neurons of the first layer and a layer of M, which read M of their
        # own: from the M of the first layer |B|^2 = 1, where M^2 over M is allowed
        (Shape(((), (0,), (0,), (2,), (1, 3)), (0, 2, 1, 1, 0)), [1, 1, 0], [1, 1, 0]),
    ],
)
def test_slacks_by_hand(shape, jacobians, blocks):
    assert slacks("lemB.1.linear", shape) == jacobians
    assert slacks("lemB.2.linear", shape) == blocks


def test_blocks_by_hand():
    # M, M^2: (w1, w2) has |u| |a| / in = 1/M, (w1, w3) and (w2, w3) as |dS/dw|^2/M^2
    shape = layered(1, 2)
    for g, blocks in ((2, {3: -1, 4: -1}), (3, {4: -2})):
        groups = worth(readers(g, OUTPUT), shape)
        found = [worth(block_norm(g, k), shape) for k in groups]
        assert dict(zip(groups, found, strict=True)) == blocks
    assert worth(NORM_FROM_ABOVE, shape) == -1


@pytest.mark.parametrize("name", NAMES)
def test_they_stand(name):
    claim = find(f"zlb22.{name}")
    found = pointwise(claim, QUICK)
    assert (found.outcome, found.instances > 80) == (Outcome.SUPPORTS, True)
