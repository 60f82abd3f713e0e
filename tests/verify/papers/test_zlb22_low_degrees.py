"""Proposition 4.4 and PL* at the start for degrees below 1: by hand, against draws, and the
verdicts that follow."""

from dataclasses import replace
from fractions import Fraction
from math import gamma, pi, sqrt

import numpy as np
import pytest

from tests.verify.arrays import worth_in
from verify.cases.tensors import Tensors, tensor
from verify.checker import ACCEPTED, check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.registry import find
from verify.papers.zlb22.chain_gradients import MEAN_SQUARE
from verify.papers.zlb22.low_degrees import LOW_BOUND

QUICK = Context(replace(budget_named("smoke"), draws=48), 0, "cpu")


def numbers(whole=(), **fractions):
    arrays = {name: tensor((), value) for name, value in fractions.items()}
    arrays |= {name: tensor((), value, integer=True) for name, value in dict(whole).items()}
    return Tensors(arrays)


def chain(depth, dimension, r, moment):
    return numbers({"L": depth, "d0": dimension}, r=r, C=moment, t=1, q=1)


def low_bound(case):
    return worth_in(LOW_BOUND, case)


def moment(power):
    """E |g|^power."""
    return 2 ** (power / 2) * gamma((power + 1) / 2) / sqrt(pi)


# in the mean --------------------------------------------------------------------------------------
def test_bounds_by_hand():
    assert low_bound(chain(1, 3, Fraction(1, 2), 5)) == 1
    assert low_bound(chain(2, 1, 1, Fraction(1, 2))) == Fraction(1, 2)  # as in the proposition
    assert low_bound(chain(3, 1, 1, Fraction(1, 2))) == Fraction(1, 4)
    r = 0.75
    first = moment(2 * r)  # k = 1: C E |g|^(2r), which is C_sigma of a path of one neuron
    second = moment(2 * r**2) * 2 ** (r - 1) * moment(2 * r) ** -r * moment(2 * r**2)
    found = float(low_bound(chain(3, 1, Fraction(3, 4), 1)))
    assert found == pytest.approx(min(1, first, second), rel=1e-12)


def test_the_bound_holds_where_that_of_the_proposition_fails():
    case = chain(30, 1, Fraction(47, 48), 1)  # C = 1: the proposition says at least 1
    value, bound = float(worth_in(MEAN_SQUARE, case)), float(low_bound(case))
    assert bound < value < 1


@pytest.mark.parametrize("width", [1, 4, 32])
def test_networks_with_one_side_are_above_the_bound_at_every_width(width):
    # two hidden layers, sigma(z) = s max(z, 0)^r with C = 1; the part of the last layer's weights
    random, r, seeds = np.random.default_rng(3), 0.75, 20000
    s = sqrt(2 / moment(2 * r))
    x = random.standard_normal((seeds, 1))
    for _ in range(2):
        weights = random.standard_normal((seeds, width, x.shape[1]))
        z = np.einsum("svu,su->sv", weights, x) / sqrt(x.shape[1])
        x = s * np.maximum(z, 0) ** r
    squares = (x**2).mean(axis=1)
    bound = float(low_bound(chain(3, 1, Fraction(3, 4), 1)))
    spread = squares.std() / sqrt(seeds)
    assert squares.mean() > bound - 4 * spread
    if width == 1:  # k = L - 1 on a chain, where nothing is lost: the least of all here
        assert squares.mean() == pytest.approx(bound, abs=5 * spread)


# verdicts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["prop4.4.low.fix", "pl.w0.low@A"])
def test_standing(name):
    claim = find(f"zlb22.{name}")
    assert pointwise(claim, QUICK).outcome is Outcome.SUPPORTS
    assert schema(claim, QUICK).outcome is Outcome.ARGUES


def test_standard_weights_are_needed():
    found = necessity(find("zlb22.prop4.4.low.fix"), Context(budget_named("ci"), 0, "cpu"))
    needed = {need.hypothesis: need.certificate for need in found.needs if need.needed}
    assert check(needed["standard normal weights"]).code == ACCEPTED
