"""Lemma K.2 and Proposition I.1 of zlb22: by hand, and what the engine says."""

from fractions import Fraction
from math import erfc, exp, log, sqrt
from random import Random

import pytest

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from verify.deep import tensor_of
from verify.evidence import Outcome
from verify.methods.context import Context
from verify.methods.corners import corners
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.zlb22 import neuron_sizes, parameter_counts
from verify.real_arrays import RealTensors
from verify.registry import find
from verify.runs.budgets import budget_named
from verify.tensors import Tensor

CI = Context(budget_named("ci"), 2, "cpu")


def number(value):
    return Tensor((), (), (Fraction(value),))


def entries(measure, case):
    found = measure(RealTensors.scene([case], RATIONALS))
    labels = [
        tuple(tuple(x) if isinstance(x, list) else x for x in found.label(k).values())
        for k in range(len(found))
    ]
    return dict(zip(labels, map(as_fraction, found.values), strict=True))


# Lemma K.2 ----------------------------------------------------------------------------------------
def family(growths, numbers):
    return RealTensors({"r": tensor_of(("L",), growths), "a": tensor_of(("L",), numbers)})


def sizes(case):
    return entries(neuron_sizes.size_slack, case)


def test_squares_in_the_first_layer_are_too_large():
    assert sizes(family([2, 1], [0, 0])) == {
        (1, "power"): 0,
        (1, "logarithm"): 1 - 2,
        (2, "power"): 0,
        (2, "logarithm"): 2 - 1,
    }


def test_very_many_neurons_are_too_large():
    # exp(m^(1/2)) neurons of linear growth: m^(1/4)
    assert sizes(family([1], [Fraction(1, 2)])) == {(1, "power"): Fraction(-1, 4)}


@pytest.mark.parametrize(
    ("numbers", "fits"), [([0, 0], True), ([0, 1], True), ([1, 1], True), ([1, 0], False)]
)
def test_no_neuron_is_left_unread(numbers, fits):
    # exp(m) neurons before polynomially many of in-degree m: most of them would be outputs
    case = family([1, 1], numbers)
    scene = RealTensors.scene([case], RATIONALS)
    found = neuron_sizes.NUMBERS.test(scene, neuron_sizes.size_slack(scene))
    assert found.all() == fits
    mended = neuron_sizes.NUMBERS.repair(case, Random(0))
    assert list(mended.arrays["a"].entries) == (numbers if fits else [1, 1])


def test_bounded_neurons_stay_small():
    assert sizes(family([0], [1])) == {(1, "power"): 0, (1, "logarithm"): 1}


@pytest.mark.parametrize("multiple", [1, 10])
def test_the_order_of_one_neuron(multiple):
    """P(z^2 > K log m) = m^(-K/2) in order, which exp(-C log^2 m) undercuts for large m; and
    P(z^2 > K log^2 m) does not exceed it for K = 2 C."""
    m, rate = 10.0**40, 0.5
    level = exp(-rate * log(m) ** 2)
    assert erfc(sqrt(multiple * log(m) / 2)) > level
    assert erfc(sqrt(2 * rate * log(m) ** 2 / 2)) <= level


def test_what_is_too_large_refutes():
    found = pointwise(find("zlb22.lemK.2.lipschitz@A"), CI)
    assert found.outcome is Outcome.REFUTES
    assert found.checker["exit"] == 0


def test_what_is_left_holds_on_the_families():
    claim = find("zlb22.lemK.2.lipschitz@B")
    assert pointwise(claim, CI).outcome is Outcome.SUPPORTS
    needs = {need.hypothesis: need for need in necessity(claim, CI).needs}
    assert needs["polynomially many neurons"].certificate is not None


# Proposition I.1 ----------------------------------------------------------------------------------
def rates(c, a, g=0):
    return RealTensors({"c": tensor_of(("L",), c), "a": tensor_of(("L",), a), "g": number(g)})


def test_one_wide_output_is_enough():
    found = entries(parameter_counts.polynomial_slack, rates((0, 1, 0), (0, 0, 1)))
    pairs = {pair: [] for pair, _ in found}
    for (pair, _), value in found.items():
        pairs[pair].append(value)
    assert pairs == {
        (1, 1): [0, 3],  # 3 layers times the largest power, minus the powers of these layers
        (1, 2): [0, 3 - 1],
        (2, 2): [0, 3 - 1],
        (1, 3): [-1],
        (2, 3): [-1],
        (3, 3): [-1],
    }


def test_growing_depth_is_not_polynomial():
    found = entries(parameter_counts.polynomial_slack, rates((0, 1), (0, 0), Fraction(1, 2)))
    assert set(found.values()) == {Fraction(-1, 2)}


@pytest.mark.parametrize("name", ["@A"])
def test_counts_are_proved(name):
    claim = find(f"zlb22.propI.1{name}")
    assert schema(claim, CI).outcome is Outcome.ARGUES
    assert pointwise(claim, CI).outcome is Outcome.SUPPORTS


def test_exponentially_many_outputs_are_a_witness():
    family = rates((0, 1), (0, 0))
    few, many = (family.changing(o=number(o)) for o in (0, Fraction(1, 2)))
    assert set(entries(parameter_counts.exponentially_many, few).values()) == {0}
    assert set(entries(parameter_counts.exponentially_many, many).values()) == {Fraction(1, 2)}
    found = corners(find("zlb22.propI.1.many"), CI)
    assert found.outcome is Outcome.PROVES
    assert found.checker["exit"] == 0


def test_a_fixed_depth_is_needed():
    needs = {need.hypothesis: need for need in necessity(find("zlb22.propI.1@A"), CI).needs}
    assert needs["L fixed"].certificate is not None
    assert needs["Assumption 3.5"].certificate is not None


def test_the_largest_neuron_is_measured_where_nothing_is_against_the_lemma():
    measured = find("zlb22.lemK.2.lipschitz@B").exponents
    assert {said.quantity for said in measured.predicted} == {"largest neuron, logarithms included"}
    assert not any("quadratic" in family.name for family in measured.families(1))
    assert find("zlb22.lemK.2.lipschitz@A").exponents is None
