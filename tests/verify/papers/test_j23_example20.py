"""Example 20: by hand, what the engine says, and the rates of its closed forms."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from verify.cases.tensors import Tensors, tensor
from verify.checker import check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.evaluation import Evaluation
from verify.language.lowering import lowered
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.rates import rates
from verify.papers.j23 import example20, example20_rates
from verify.papers.registry import find
from verify.search.judging import judge_exactly

CONTEXT = Context(replace(budget_named("smoke"), draws=60), 2, "cpu")
REFUTED = (
    "weights.alpha3@B",
    "weights.f@B",
    "norm.line2",
)
STANDING = (
    "weights.alpha1@B",
    "weights.alpha2@B",
    "weights.alpha3@B.fix",
    "weights.f@B.fix",
    "norm.line1",
    "norm.line2.fix",
    "jac@B",
    "lip",
    "lip.networks",
    "network.fix",
    "gamma.orders",
    "gamma.decay",
)


def numbers(**values):
    return Tensors({k: tensor((), v, integer=k == "L") for k, v in values.items()})


def value(term, case):
    column = Evaluation(Tensors.scene([case], RATIONALS)).column(lowered(term, {}))
    (found,) = np.asarray(column.values).reshape(-1)
    return as_fraction(found)


def test_a_network_of_depth_six_by_hand():
    case = numbers(t=2, a=0, x1=3, x2=1, x3=5, L=6)
    third = {2: Fraction(5, 16), 3: Fraction(5, 16), 4: Fraction(7, 16)}
    for layer, entry in third.items():
        above = example20.alpha(layer)
        assert [value(above[i], case) for i in (1, 2, 3)] == [12, 4, entry]
    assert value(example20.alpha(3)[4], case) == 2
    assert [value(example20.output()[i], case) for i in (1, 2, 3)] == [3, 1, 7]
    small, sums = Fraction(1, 16), 2 * (8 + Fraction(1, 16)) + 2 * (Fraction(1, 2) + 16)
    assert value(example20.theta, case) == sums + 6 + 2 * small + small**2


@pytest.mark.parametrize("name", REFUTED)
def test_what_is_wrong_as_printed_is_refuted(name):
    found = pointwise(find(f"j23.ex20.{name}"), CONTEXT)
    assert found.outcome is Outcome.REFUTES
    assert check(found.certificate).code == 0


@pytest.mark.parametrize("name", STANDING)
def test_what_is_right_stands(name):
    claim = find(f"j23.ex20.{name}")
    found = pointwise(claim, CONTEXT)
    assert found.outcome is Outcome.SUPPORTS
    assert found.figures["met all hypotheses"] >= 8


def test_the_second_line_is_right_at_depth_four_alone():
    claim = find("j23.ex20.norm.line2")
    broken = {
        depth: bool(judge_exactly(claim, numbers(t=2, L=depth)).violations)
        for depth in (2, 4, 6, 8)
    }
    assert broken == {2: True, 4: False, 6: True, 8: True}


@pytest.mark.parametrize("depth", [2, 4, 10])
def test_the_closed_form_is_the_norm_of_the_network(depth):
    square = float(value(example20.theta, numbers(t=Fraction(5, 4), L=depth)))
    gamma = -np.log(np.log(1.25)) / np.log(depth)
    found = example20_rates.excess(depth, gamma, 2.0, 1.0)
    assert found == pytest.approx(square - 3 * depth, rel=1e-9)


def test_rates_are_found_and_another_exponent_is_not():
    claim = find("j23.ex20.gamma.limit")
    assert rates(claim, CONTEXT).outcome is Outcome.SUPPORTS
    wrong = replace(claim.rate.claimed[0], low=Fraction(-1, 2), high=Fraction(-1, 2))
    claim = replace(claim, rate=replace(claim.rate, claimed=(wrong, *claim.rate.claimed[1:])))
    assert rates(claim, CONTEXT).outcome is Outcome.INCONCLUSIVE


def test_the_excess_falls_for_every_slope():
    assert rates(find("j23.ex20@B"), CONTEXT).outcome is Outcome.SUPPORTS


def test_the_excess_is_that_of_a_network():
    depth, slope = 6, Fraction(1, 3)
    t = float(np.exp(float(depth) ** -0.75))
    m, share = depth // 2 - 1, float(1 / (1 - slope**2))
    into = np.array([*np.eye(3), [t**-m, -(t**-m), 0], [-(t**-m), t**-m, 0]])
    out = np.eye(3, 5)
    out[2, 3:] = share * t ** (-2 * m) * np.array([1, float(slope)])
    weights = [np.diag([t, t, t**-2])] * m + [into, out] + [np.diag([1 / t, 1 / t, t**2])] * m
    for x in np.random.default_rng(1).random((20, 3)):
        alpha = x
        for number, weight in enumerate(weights, start=1):
            z = weight @ alpha
            alpha = z if number == depth else np.where(z < 0, float(slope) * z, z)
        assert np.allclose(alpha, [x[0], x[1], x[2] + max(x[0] - x[1], 0)])
    square = sum(np.square(weight).sum() for weight in weights)
    found = example20_rates.excess_of(depth, float(slope))
    assert found == pytest.approx(square - 3 * depth)
