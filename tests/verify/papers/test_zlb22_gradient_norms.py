"""Proposition 4.4 and PL* at the start: means in closed form, by hand and against draws."""

from fractions import Fraction
from math import gamma as gamma_float
from math import pi, sqrt

import numpy as np
import pytest

from graphs.algebraic import exact_value
from graphs.rationals import RATIONALS
from graphs.reals import Real
from verify.cases.real_arrays import RealTensors
from verify.cases.tensors import tensor
from verify.checker.restated import ACCEPT, REJECT, check, gamma_function
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.registry import find
from verify.papers.zlb22 import chain_gradients, gradient_order
from verify.papers.zlb22.chain_gradients import mean_square, moment_bound
from verify.papers.zlb22.gradient_norms import mean_norm, printed_bound
from verify.papers.zlb22.half_line import gamma, least, length_moment

SMOKE = Context(budget_named("smoke"), 0, "cpu")


def numbers(whole, **fractions):
    """An instance of numbers and integers."""
    arrays = {name: tensor((), value) for name, value in fractions.items()}
    arrays |= {name: tensor((), value, integer=True) for name, value in whole.items()}
    return RealTensors(arrays)


def small(depth, dimension, count, a, b):
    return numbers({"L": depth, "d0": dimension, "n": count}, a=a, b=b)


def chain(depth, dimension, r, moment, weights=1, inputs=1):
    return numbers({"L": depth, "d0": dimension}, r=r, C=moment, t=weights, q=inputs)


# moments ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("x", ["1/2", "1/3", "7/2", "5", "1/100", "41/3"])
def test_gamma_on_both_sides(x):
    expected = gamma_float(float(Fraction(x)))
    assert float(gamma(Fraction(x))) == pytest.approx(expected, rel=1e-14)
    found = gamma_function(Fraction(x), 80)
    assert float(found.low) == pytest.approx(expected, rel=1e-13)
    assert 0 <= found.high - found.low < Fraction(1, 2**60)
    ball = gamma(Fraction(x))
    if isinstance(ball, Real):  # the enclosures meet
        assert ball > found.low - Fraction(1, 2**90)
        assert ball < found.high + Fraction(1, 2**90)
    else:
        assert found.low <= ball <= found.high


def test_gamma_of_integers_is_a_factorial():
    assert [gamma(k) for k in (1, 2, 3, 6)] == [1, 1, 2, 120]
    with pytest.raises(ValueError, match="above 0"):
        gamma(Fraction(0))


def test_moments_of_lengths():
    assert [length_moment(1, p) for p in (0, 2, 4, 6)] == [1, 1, 3, 15]
    assert length_moment(3, 4) == 15
    assert float(length_moment(1, 1)) == pytest.approx(sqrt(2 / pi))
    assert float(length_moment(2, 1)) == pytest.approx(sqrt(pi / 2))
    assert float(length_moment(1, Fraction(-1, 2))) == pytest.approx(
        2**-0.25 * gamma_float(0.25) / sqrt(pi)
    )


def test_the_least_of_rationals_and_reals():
    assert least(Fraction(2), Fraction(1)) == 1
    assert float(least(Fraction(2), length_moment(1, 1))) == pytest.approx(sqrt(2 / pi))


# as printed ---------------------------------------------------------------------------------------
def test_no_hidden_layer():
    # E |x| / sqrt(d0): 0.798 in one dimension, sqrt(pi)/2 in two
    assert float(mean_norm(small(1, 1, 1, 0, 1))) == pytest.approx(sqrt(2 / pi))
    assert float(mean_norm(small(1, 2, 1, 0, 1))) == pytest.approx(sqrt(pi) / 2)
    assert printed_bound(small(1, 1, 1, 0, 5)) == 1


def test_one_hidden_neuron():
    # b E|x| (1/2) E sqrt(u^2 + v^2) = b sqrt(2/pi) (1/2) sqrt(pi/2) = b/2, and b for |z|
    assert float(mean_norm(small(2, 1, 1, 0, 3))) == pytest.approx(1.5)
    assert float(mean_norm(small(2, 1, 1, -3, 3))) == pytest.approx(3)
    assert float(printed_bound(small(2, 1, 1, 0, 1))) == pytest.approx(0.5)
    assert mean_norm(small(2, 1, 1, 1, 2)) is None  # not closed
    assert mean_norm(small(3, 1, 1, 0, 1)) is None


@pytest.mark.parametrize(("count", "dimension", "a"), [(1, 1, 0), (3, 2, 0), (2, 3, 1)])
def test_against_draws(count, dimension, a):
    random = np.random.default_rng(3)
    size = 200_000
    x = random.standard_normal((size, dimension))
    rho = np.linalg.norm(x, axis=1) / sqrt(dimension)
    g, v = random.standard_normal((2, size, count))
    slope = np.where(g > 0, 1.0, float(a))
    drawn = rho * np.sqrt((slope**2 * (g**2 + v**2)).sum(1) / count)
    expected = float(mean_norm(small(2, dimension, count, a, 1)))
    assert abs(drawn.mean() - expected) < 5 * drawn.std() / sqrt(size)


def test_it_is_refuted_with_hidden_neurons_that_are_not_0():
    found = pointwise(find("zlb22.prop4.4"), SMOKE)
    assert found.outcome is Outcome.REFUTES
    assert check(found.certificate).code == ACCEPT
    moved = dict(found.certificate, value=["-1/1000", "-1/1001"])
    assert check(moved).code == REJECT
    arrays = found.certificate["case"]["arrays"]
    for name, value in (("L", "1"), ("b", "0")):  # no activation, and C_sigma = 0
        other = {**arrays, name: {**arrays[name], "entries": value}}
        other |= {} if name == "L" else {"a": {**arrays["a"], "entries": "0"}}
        case = {**found.certificate["case"], "arrays": other}
        said = check({**found.certificate, "case": case, "value": ["-1/4", "-1/5"]})
        assert said.code == REJECT
        assert {"L": "no hidden layer", "b": "is 0"}[name] in said.message


# the repair ---------------------------------------------------------------------------------------
def test_chains_by_hand():
    # z^2 scaled to C = 3: f = w2 (u x)^2, E (u x)^4 = 9, E (2 w u x^2)^2 = 4 E u^2 E x^4 = 12
    assert mean_square(chain(2, 1, 2, 3)) == 21
    assert moment_bound(chain(2, 1, 2, 3)) == 1
    # the identity: every one of the L parts is C^(L-1)
    assert mean_square(chain(4, 3, 1, "1/2")) == Fraction(4, 8)
    assert moment_bound(chain(4, 3, 1, "1/2")) == Fraction(1, 16)
    assert moment_bound(chain(1, 3, 1, "1/2")) == 1
    # weights of variance t: w2^2 x^2 and u^2 x^2
    assert mean_square(chain(2, 1, 1, 1, weights="1/4")) == Fraction(1, 2)
    assert mean_square(chain(1, 2, 1, 1, inputs="1/4")) == Fraction(1, 4)
    assert mean_square(chain(3, 1, "1/2", 1)) is None  # E |w|^(2 r^2 - 2) is infinite


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
    moment = length_moment(1, Fraction(2 * r).limit_denominator(100))
    exact = mean_square(RealTensors(chain(depth, 2, Fraction(r).limit_denominator(100), 1).arrays))
    scale = float(moment) ** -sum(r**k for k in range(depth - 1))
    batches = (scale * total).reshape(20, -1).mean(1)
    assert abs(batches.mean() - float(exact)) < 5 * batches.std() / sqrt(20)


def test_a_degree_below_1_fails_on_a_deep_chain():
    case = chain(30, 1, "44/45", 1)
    assert mean_square(case) < Fraction(9, 10) < moment_bound(case)
    assert mean_square(chain(20, 1, "44/45", 1)) > moment_bound(chain(20, 1, "44/45", 1))


def test_what_the_repair_needs():
    found = necessity(find("zlb22.prop4.4.fix"), SMOKE)
    needed = {need.hypothesis: need for need in found.needs if need.needed}
    assert {"degree at least 1", "standard normal weights"} <= set(needed)
    for need in needed.values():
        assert check(need.certificate).code == ACCEPT


@pytest.mark.parametrize("proof", [chain_gradients.by_the_last_layer, gradient_order.by_means])
def test_the_arguments_hold(proof):
    assert proof().holds
    assert len(proof().steps) >= 3


# at the start -------------------------------------------------------------------------------------
def test_mass_near_zero():
    claim = find("zlb22.pl.w0@B")
    case = numbers({"L": 2, "d0": 2}, a=0, b=2)  # C = 2, M = 4, kappa = 1: -1/16
    (found,) = claim.measure(RealTensors.scene([case], RATIONALS)).values
    assert exact_value(found) == Fraction(-1, 16)
    refuted = pointwise(claim, SMOKE)
    assert refuted.outcome is Outcome.REFUTES
    assert check(refuted.certificate).code == ACCEPT


def test_the_bound_near_zero_is_one():
    # P(K < c) for f = v relu(u x) of one hidden layer, against the bound at a small c
    random = np.random.default_rng(0)
    size, count, c = 40_000, 8, 0.01
    x = random.standard_normal((size, 2))
    rho = (x**2).sum(1) / 2
    g, v = random.standard_normal((2, size, count))
    kernel = rho * ((g > 0) * (g**2 + v**2)).sum(1) * 4 / count  # b = 2
    assert (kernel < c).mean() > c / 16 * 0.9
