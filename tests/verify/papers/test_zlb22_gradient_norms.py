"""Proposition 4.4 and PL* at the start: means in closed form, by hand and against draws."""

from fractions import Fraction
from math import gamma as gamma_float
from math import pi, sqrt

import numpy as np
import pytest

from graphs.algebraic import exact_value
from graphs.rationals import RATIONALS
from tests.verify.arrays import worth_in
from verify.cases.tensors import Tensors, tensor
from verify.checker import ACCEPTED, REJECTED, check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.registry import find
from verify.papers.zlb22 import chain_gradients, gradient_order
from verify.papers.zlb22.chain_gradients import MEAN_SQUARE, C, L, moment_bound, r
from verify.papers.zlb22.gaussian_moments import square_moment
from verify.papers.zlb22.gradient_norms import BOUND, MEAN_NORM

SMOKE = Context(budget_named("smoke"), 0, "cpu")


def numbers(whole, **fractions):
    """An instance of numbers and integers."""
    arrays = {name: tensor((), value) for name, value in fractions.items()}
    arrays |= {name: tensor((), value, integer=True) for name, value in whole.items()}
    return Tensors(arrays)


def small(dimension, count, a, b):
    return numbers({"d0": dimension, "n": count}, a=a, b=b)


def chain(depth, dimension, r, moment, weights=1, inputs=1):
    return numbers({"L": depth, "d0": dimension}, r=r, C=moment, t=weights, q=inputs)


def mean_norm(*case):
    return float(worth_in(MEAN_NORM, small(*case)))


def mean_square(*case, **more):
    return worth_in(MEAN_SQUARE, chain(*case, **more))


def bound(*case):
    return worth_in(moment_bound(C, r, L), chain(*case))


# moments ------------------------------------------------------------------------------------------
def length(dimension, power):
    return worth_in(square_moment(dimension, Fraction(power) / 2), chain(1, 1, 1, 1))


def test_moments_of_lengths():
    assert [length(1, p) for p in (0, 2, 4, 6)] == [1, 1, 3, 15]
    assert length(3, 4) == 15
    assert float(length(1, 1)) == pytest.approx(sqrt(2 / pi))
    assert float(length(2, 1)) == pytest.approx(sqrt(pi / 2))
    expected = 2**-0.25 * gamma_float(0.25) / sqrt(pi)
    assert float(length(1, Fraction(-1, 2))) == pytest.approx(expected)
    assert length(1, -1) is None


# as printed ---------------------------------------------------------------------------------------
def test_one_hidden_neuron():
    # b E|x| (1/2) E sqrt(u^2 + v^2) = b sqrt(2/pi) (1/2) sqrt(pi/2) = b/2, and b for |z|
    assert mean_norm(1, 1, 0, 3) == pytest.approx(1.5)
    assert mean_norm(1, 1, -3, 3) == pytest.approx(3)
    assert float(worth_in(BOUND, small(1, 1, 0, 1))) == pytest.approx(0.5)
    claim = find("zlb22.prop4.4")
    (scene,) = [Tensors.scene([small(1, 1, 1, 2)], RATIONALS)]  # not closed
    assert len(claim.measure(scene).values) == 0


@pytest.mark.parametrize(("count", "dimension", "a"), [(1, 1, 0), (3, 2, 0), (2, 3, 1)])
def test_against_draws(count, dimension, a):
    random = np.random.default_rng(3)
    size = 200_000
    x = random.standard_normal((size, dimension))
    rho = np.linalg.norm(x, axis=1) / sqrt(dimension)
    g, v = random.standard_normal((2, size, count))
    slope = np.where(g > 0, 1.0, float(a))
    drawn = rho * np.sqrt((slope**2 * (g**2 + v**2)).sum(1) / count)
    expected = mean_norm(dimension, count, a, 1)
    assert abs(drawn.mean() - expected) < 5 * drawn.std() / sqrt(size)


def test_it_is_refuted_with_hidden_neurons_that_are_not_0():
    found = pointwise(find("zlb22.prop4.4"), SMOKE)
    assert found.outcome is Outcome.REFUTES
    assert check(found.certificate).code == ACCEPTED
    arrays = found.certificate["case"]["arrays"]
    zero = {name: {**arrays[name], "entries": "0"} for name in "ab"}
    case = {**found.certificate["case"], "arrays": arrays | zero}
    assert check({**found.certificate, "case": case}).code == REJECTED


# the repair ---------------------------------------------------------------------------------------
def test_chains_by_hand():
    # z^2 scaled to C = 3: f = w2 (u x)^2, E (u x)^4 = 9, E (2 w u x^2)^2 = 4 E u^2 E x^4 = 12
    assert mean_square(2, 1, 2, 3) == 21
    assert bound(2, 1, 2, 3) == 1
    # the identity: every one of the L parts is C^(L-1)
    assert mean_square(4, 3, 1, "1/2") == Fraction(4, 8)
    assert bound(4, 3, 1, "1/2") == Fraction(1, 16)
    assert bound(1, 3, 1, "1/2") == 1
    # weights of variance t: w2^2 x^2 and u^2 x^2
    assert mean_square(2, 1, 1, 1, weights="1/4") == Fraction(1, 2)
    assert mean_square(1, 2, 1, 1, inputs="1/4") == Fraction(1, 4)
    assert mean_square(3, 1, "1/2", 1) is None  # E |w|^(2 r^2 - 2) is infinite


@pytest.mark.parametrize(("depth", "r"), [(2, 1.0), (3, 1.5), (2, 0.9)])
def test_chains_against_draws(depth, r):
    random = np.random.default_rng(1)
    size = 400_000
    x = random.standard_normal((size, 2))
    u = random.standard_normal((size, 2))
    z = (u * x).sum(1) / sqrt(2)
    signal, slope = np.abs(z) ** r, r * np.abs(z) ** (r - 1)  # |z|^r, by z up to a sign
    parts = [slope**2 * (x**2).sum(1) / 2]  # squares, by layer
    for _ in range(depth - 2):
        w = random.standard_normal(size)
        z = w * signal
        inner = r * np.abs(z) ** (r - 1)
        parts = [part * (inner * w) ** 2 for part in parts] + [(inner * signal) ** 2]
        signal = np.abs(z) ** r
    w = random.standard_normal(size)
    total = sum(part * w**2 for part in parts) + signal**2
    degree = Fraction(r).limit_denominator(100)
    moment, exact = length(1, 2 * degree), mean_square(depth, 2, degree, 1)
    scale = float(moment) ** -sum(r**k for k in range(depth - 1))
    batches = (scale * total).reshape(20, -1).mean(1)
    assert abs(batches.mean() - float(exact)) < 5 * batches.std() / sqrt(20)


def test_a_degree_below_1_fails_on_a_deep_chain():
    assert mean_square(30, 1, "44/45", 1) < Fraction(9, 10) < bound(30, 1, "44/45", 1)
    assert mean_square(20, 1, "44/45", 1) > bound(20, 1, "44/45", 1)


def test_what_the_repair_needs():
    found = necessity(find("zlb22.prop4.4.fix"), SMOKE)
    needed = {need.hypothesis: need for need in found.needs if need.needed}
    assert {"degree at least 1", "standard normal weights"} <= set(needed)
    for need in needed.values():
        assert check(need.certificate).code == ACCEPTED


@pytest.mark.parametrize("proof", [chain_gradients.by_the_last_layer, gradient_order.by_means])
def test_the_arguments_hold(proof):
    assert proof().holds
    assert len(proof().steps) >= 3


# at the start -------------------------------------------------------------------------------------
def test_mass_near_zero():
    claim = find("zlb22.pl.w0@B")
    case = numbers({"L": 2, "d0": 2}, a=0, b=2)  # C = 2, M = 4, kappa = 1: -1/16
    (found,) = claim.measure(Tensors.scene([case], RATIONALS)).values
    assert exact_value(found) == Fraction(-1, 16)
    refuted = pointwise(claim, SMOKE)
    assert refuted.outcome is Outcome.REFUTES
    assert check(refuted.certificate).code == ACCEPTED


def test_the_bound_near_zero_is_one():
    # P(K < c) for f = v relu(u x) of one hidden layer, against the bound at a small c
    random = np.random.default_rng(0)
    size, count, c = 40_000, 8, 0.01
    x = random.standard_normal((size, 2))
    rho = (x**2).sum(1) / 2
    g, v = random.standard_normal((2, size, count))
    kernel = rho * ((g > 0) * (g**2 + v**2)).sum(1) * 4 / count  # b = 2
    assert (kernel < c).mean() > c / 16 * 0.9
