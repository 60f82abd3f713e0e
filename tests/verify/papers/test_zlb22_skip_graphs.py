"""Skip connections as edges: values and layers by hand, and sources that are too late."""

from fractions import Fraction
from random import Random

import pytest

from graphs.arithmetic import RATIONALS, as_fraction
from tests.verify.dag_cases import SQUARE, chain, dag
from verify.certificates import answer, necessity_certificate
from verify.evidence import Outcome
from verify.judging import judge_exactly
from verify.methods.context import Context
from verify.methods.schema import schema
from verify.papers.zlb22.skip_graphs import (
    EARLIER,
    skips_of,
    unfolded,
    with_skips,
)
from verify.registry import find
from verify.runs.budgets import budget_named
from verify.tensors import tensor
from verify.weakened import without

SMOKE = Context(budget_named("smoke"), 0, "cpu")
IDS = ["zlb22.thmD.1.graph@A", "zlb22.thmD.1.graph@B"]
PARENTS = ((), (0,), (1,), (2,))
WEIGHTS = {(1, 0): Fraction(2), (2, 1): Fraction(3), (3, 2): Fraction(5)}


def skipping(case, skips):
    count = case.lengths["n"]
    rows = [[int(skips.get(v) == u) for u in range(count)] for v in range(count)]
    return case.changing(S=tensor(("n", "n"), rows))


def entries(name, case):
    claim = find(name)
    found = claim.measure(type(case).scene([case], RATIONALS))
    return {
        tuple(found.label(k).values()): as_fraction(value) for k, value in enumerate(found.values)
    }


def squares(v, z):
    return z if v in (0, 3) or v > 3 else z * z


def test_values_by_hand():
    """x = 1: z_1 = 2, f_1 = 4, z_2 = 12 and the skip from 1: 16 or 14; f_2 its square; five times
    that."""
    skips = (None, None, 1, None)
    x = [Fraction(1), *[Fraction(0)] * 3]
    for pre, z in ((False, 12 + 4), (True, 12 + 2)):
        values = with_skips(PARENTS, skips, WEIGHTS, squares, x, zero=Fraction(0), pre=pre)
        assert values == [1, 4, z * z, 5 * z * z]


def test_the_graph_by_hand():
    skips = (None, None, 1, 1)
    made = unfolded(PARENTS, skips, WEIGHTS, Fraction(1), pre=False)
    assert made.parents == ((), (0,), (1,), (1, 2))
    assert made.weights == WEIGHTS | {(2, 1): 3 + 1, (3, 1): 1}
    made = unfolded(PARENTS, skips, WEIGHTS, Fraction(1), pre=True)
    assert made.parents == ((), (0,), (1, 4), (2, 4), (0,))  # 4 is the copy of 1
    assert made.origin == (0, 1, 2, 3, 1)
    assert made.weights == WEIGHTS | {(4, 0): 2, (2, 4): 1, (3, 4): 1}


def test_a_copy_takes_the_skip_of_its_original():
    """The pre-activation of 2 holds its own skip term, so the copy of 2 reads that of 1."""
    made = unfolded(PARENTS, (None, None, 1, 2), WEIGHTS, Fraction(1), pre=True)
    assert made.parents == ((), (0,), (1, 4), (2, 5), (0,), (1, 4))
    assert made.origin == (0, 1, 2, 3, 1, 2)


@pytest.mark.parametrize("name", IDS)
def test_a_skip_from_the_same_layer_moves_layers(name):
    case = dag({(1, 0): 1, (2, 0): 1, (3, 1): 1, (3, 2): 1}, {1: SQUARE}, [2, 0, 0, 0])
    same = skipping(case, {2: 1})
    found = entries(name, same)
    assert {label: value for label, value in found.items() if value} == {
        (2, "layer"): 1,
        (3, "layer"): 1,
    }
    claim = find(name)
    violations = judge_exactly(without(claim, EARLIER), same).violations
    for violation in violations:
        assert answer(necessity_certificate(claim, EARLIER.name, violation))["exit"] == 0
    assert len(violations) == 2
    assert not judge_exactly(claim, same).admitted
    earlier = skipping(case, {2: 0})
    assert set(entries(name, earlier).values()) == {0}


def test_inputs_take_no_skips_and_the_first_mark_counts():
    case = skipping(chain([1, 1, 1]), {0: 0})
    assert skips_of(case) == [None] * 4
    rows = [[0] * 4, [0] * 4, [1, 1, 0, 0], [0, 0, 0, 1]]
    assert skips_of(case.changing(S=tensor(("n", "n"), rows))) == [None, None, 0, None]


@pytest.mark.parametrize("name", IDS)
def test_proved_on_small_graphs(name):
    found = schema(find(name), SMOKE)
    assert found.outcome is Outcome.PROVES_ON_SCOPE
    assert any("4 vertices" in line for line in found.scope)


@pytest.mark.parametrize("name", IDS)
def test_a_weight_other_than_1_is_noticed(name, monkeypatch):
    from verify.papers.zlb22 import skip_graphs

    monkeypatch.setattr(skip_graphs, "ONE", Fraction(2))
    random = Random(0)
    claim = find(name)
    cases = [claim.pool.draw(random) for _ in range(20)]
    assert any(judge_exactly(claim, case).violations for case in cases)
