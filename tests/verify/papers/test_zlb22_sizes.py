"""Lemma K.2 and Proposition I.1 of zlb22: by hand, and what the engine says."""

from math import erfc, exp, log, sqrt
from random import Random

import pytest

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from tests.verify.arrays import entries_of
from verify.cases.tensors import Tensors, tensor
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.statements import Statement
from verify.methods.context import Context
from verify.methods.corners import corners
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.registry import find
from verify.papers.zlb22 import lemma_k2, proposition_i1

CI = Context(budget_named("ci"), 2, "cpu")
SIZES = Statement("sizes", lemma_k2.SIZE)
COUNTS = Statement("counts", proposition_i1.POLYNOMIALLY_MANY)


def family(**arrays):
    made = {}
    for name, value in arrays.items():
        axes = ("L",) if isinstance(value, list) else ()
        made[name] = tensor(axes, value)
    return Tensors(made)


def values(name, case):
    return [as_fraction(value) for _, value in entries_of(find(name), case)]


# Lemma K.2 ----------------------------------------------------------------------------------------
LARGE, SMALL = "zlb22.lemK.2.lipschitz@A", "zlb22.lemK.2.lipschitz@B"


def size(growths, numbers):
    """Where the size of a neuron is said, and what is left."""
    found = SIZES.truths(Tensors.scene([family(r=growths, a=numbers)], RATIONALS))
    return {tuple(found.label(k)["at"]): bool(found.values[k]) for k in range(len(found))}


@pytest.mark.parametrize(
    ("growths", "numbers", "wrong"),
    [
        ([2, 1], [0, 0], {(1, 0): False, (1, 1): True, (2, 0): False, (2, 1): False}),
        ([1], ["1/2"], {(1, 0): True}),  # exp(m^(1/2)) neurons of linear growth: m^(1/4)
        ([0], [1], {(1, 0): False, (1, 1): False}),  # bounded neurons
    ],
)
def test_sizes_by_hand(growths, numbers, wrong):
    assert size(growths, numbers) == wrong


@pytest.mark.parametrize(
    ("numbers", "fits"), [([0, 0], True), ([0, 1], True), ([1, 1], True), ([1, 0], False)]
)
def test_no_neuron_is_left_unread(numbers, fits):
    # exp(m) neurons before polynomially many of in-degree m: most of them would be outputs
    case, claim = family(r=[1, 1], a=numbers), find(LARGE)
    name = lemma_k2.NUMBERS.name
    assert claim.terms.hypothesis(name)(Tensors.scene([case], RATIONALS)).all() == fits
    mended = lemma_k2.NUMBERS.repair(case, Random(0))
    assert list(mended.arrays["a"].entries) == (numbers if fits else [1, 1])


@pytest.mark.parametrize("multiple", [1, 10])
def test_the_order_of_one_neuron(multiple):
    """P(z^2 > K log m) = m^(-K/2) in order, which exp(-C log^2 m) undercuts for large m; and
    P(z^2 > K log^2 m) does not exceed it for K = 2 C."""
    m, rate = 10.0**40, 0.5
    level = exp(-rate * log(m) ** 2)
    assert erfc(sqrt(multiple * log(m) / 2)) > level
    assert erfc(sqrt(2 * rate * log(m) ** 2 / 2)) <= level


def test_what_is_too_large_refutes():
    found = pointwise(find(LARGE), CI)
    assert found.outcome is Outcome.REFUTES
    assert found.checker["exit"] == 0


def test_what_is_left_holds_on_the_families():
    claim = find(SMALL)
    assert pointwise(claim, CI).outcome is Outcome.SUPPORTS
    needs = {need.hypothesis: need for need in necessity(claim, CI).needs}
    assert needs["polynomially many neurons"].certificate is not None


# Proposition I.1 ----------------------------------------------------------------------------------
def polynomial(**arrays):
    """The pairs of layers at which it is false."""
    scene = Tensors.scene([family(**{"g": 0, **arrays})], RATIONALS)
    found = COUNTS.truths(scene)
    return {tuple(found.label(k)["at"][:2]) for k in range(len(found)) if found.values[k]}


@pytest.mark.parametrize(
    ("arrays", "wrong"),
    [
        ({"c": [0, 1, 2], "a": [0, 0, 0]}, set()),
        # one wide output is enough
        ({"c": [0, 1, 0], "a": [0, 0, 1]}, {(1, 3), (2, 3), (3, 3)}),
        # growing depth is not polynomial
        ({"c": [0, 1], "a": [0, 0], "g": "1/2"}, {(1, 1), (1, 2), (2, 2)}),
    ],
)
def test_polynomial_numbers_of_weights_by_hand(arrays, wrong):
    assert polynomial(**arrays) == wrong


@pytest.mark.parametrize("name", ["@A"])
def test_counts_are_proved(name):
    claim = find(f"zlb22.propI.1{name}")
    assert schema(claim, CI).outcome is Outcome.ARGUES
    assert pointwise(claim, CI).outcome is Outcome.SUPPORTS


def test_exponentially_many_outputs_are_a_witness():
    for outputs, expected in ((0, 0), ("1/2", 1)):
        made = family(c=[0, 1], a=[0, 0], g=0, o=outputs)
        assert values("zlb22.propI.1.many", made) == [expected]
    found = corners(find("zlb22.propI.1.many"), CI)
    assert found.outcome is Outcome.PROVES
    assert found.checker["exit"] == 0


def test_a_fixed_depth_is_needed():
    needs = {need.hypothesis: need for need in necessity(find("zlb22.propI.1@A"), CI).needs}
    assert needs["L fixed"].certificate is not None
    assert needs["Assumption 3.5"].certificate is not None


def test_the_largest_neuron_is_measured_where_nothing_is_against_the_lemma():
    measured = find(SMALL).exponents
    assert {said.quantity for said in measured.predicted} == {"largest neuron, logarithms included"}
    assert not any("quadratic" in family.name for family in measured.families(1))
    assert find(LARGE).exponents is None
