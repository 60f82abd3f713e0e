"""The block of a layer's own neurons: by hand, and what the engine says."""

from fractions import Fraction

import pytest

from graphs.activations import ABS, LINEAR
from graphs.arithmetic import as_fraction
from graphs.network import network
from graphs.rationals import RATIONALS
from verify.cases.case import Case
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.building import Each
from verify.language.statements import Statement
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.registry import find
from verify.papers.zlb22.lemma_b1 import NEURONS, OWN_BLOCK, block, own_product

CI = Context(budget_named("ci"), 2, "cpu")
ONE = Fraction(1)
NET = network(
    [("a", "c"), ("b", "c"), ("a", "d"), ("c", "o"), ("d", "o")],
    inputs=["a", "b"],
    outputs=["o"],
    activations={"c": ABS, "d": LINEAR},
)


def sides(x, says=OWN_BLOCK):
    """c = |a - 2 b|, d = 3 a, o = c - d."""
    weights = dict(zip(NET.parameter_names, (1, -2, 3, 1, -1), strict=True))
    assert list(weights) == ["w[a->c]", "w[b->c]", "w[a->d]", "w[c->o]", "w[d->o]"]
    numbers = tuple(map(Fraction, weights.values()))
    case = Case(NET, numbers, (tuple(map(Fraction, x)),), (ONE,), slopes=(ONE,))
    found = Statement("asked", says).measure(Case.scene([case], RATIONALS))
    pairs = zip(found.left, found.values, strict=True)
    labels = [tuple(found.label(k)["at"][:2]) for k in range(len(found))]
    return dict(
        zip(labels, [(as_fraction(one), as_fraction(gap)) for one, gap in pairs], strict=True)
    )


def test_gradients_by_hand():
    # slope -1: (4 + 9)/2; 3 reads 2 alone; o reads 4 and 6
    assert sides((2, 3)) == {
        ("c", "c"): (Fraction(4 + 9, 2), 0),
        ("c", "d"): (0, 0),
        ("d", "c"): (0, 0),
        ("d", "d"): (4, 0),
        ("o", "o"): (Fraction(16 + 36, 2), 0),
    }


def test_weights_of_other_neurons_count():
    """c and d move with weights of their own layer, o with those of its own: not with all."""
    says = Each(NEURONS, lambda v: Each(NEURONS, lambda u: own_product(v, u, 1) == block(v, u, 1)))
    assert any(gap for _, gap in sides((2, 3), says).values())


def test_it_is_argued():
    claim = find("zlb22.lemB.1.own")
    assert schema(claim, CI).outcome is Outcome.ARGUES
    found = pointwise(claim, CI)
    assert found.outcome is Outcome.SUPPORTS
    assert found.instances > 10


@pytest.mark.parametrize("zeros", [(0, 3), (0, 0)])
def test_inputs_that_are_0(zeros):
    assert {gap for _, gap in sides(zeros).values()} == {0}
