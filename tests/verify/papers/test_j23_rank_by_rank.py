"""Minima rank by rank: by hand, and what the engine says."""

from fractions import Fraction
from math import log

import numpy as np
import pytest

from tests.verify.costs.cases import arrays, needed, refutes, seen, stands, values
from verify.core.budgets import budget_named
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.j23.rank_by_rank import LOCAL, REARRANGED

F = Fraction
CI = Context(budget_named("ci"), 2, "cpu")
FAMILY = dict.fromkeys(("C", "R0", "R1"), ("f",))


def family(errors, ranks, firsts, weight=1, depth=2):
    named = {"C": errors, "R0": ranks, "R1": firsts, "lambda": weight, "L": depth}
    return arrays(FAMILY, ("L",), **named)


def target(rows, weight=1, depth=1):
    return arrays({"Y": ("m", "n")}, ("L",), Y=rows, **{"lambda": weight}, L=depth)


# by hand ------------------------------------------------------------------------------------------
def test_the_two_minima_are_one():
    assert values(REARRANGED, family([5, 1, 0], [0, 1, 1], [0, 2, -1])) == [0]
    assert values(REARRANGED, family([5, 1], [0, 9], [0, 2], weight=F(1, 100), depth=7)) == [0]


def test_a_rank_between_integers_is_not_looked_at():
    # at 1/2: 0 + 2 * 1/2 = 1 against 5 of rank 0
    ((_, value, admitted),) = seen(REARRANGED, family([5, 0], [0, F(1, 2)], [0, 0]))
    assert value == 1 - 5
    assert not admitted
    assert seen(REARRANGED, family([5], [F(1, 2)], [0])) == []
    ((_, value, admitted),) = seen(REARRANGED, family([5, 0], [0, -1], [0, 0]))
    assert (value, admitted) == (-2 - 5, False)


def first(case):
    """The gain at the first e where it is below 0."""
    return next((value for value in values(LOCAL, case) if value < 0), None)


def test_the_first_entry_that_gains():
    assert first(target([[0]])) == pytest.approx(1 / 4 + 1 - 2 * log(2))
    # e = 1/2: 1 + 1/4 + 1 - 2 log 2 > 0; e = 1/4: 1/2 + 1/16 + 1 - 4 log 2
    assert first(target([[-1, 7]])) == pytest.approx(1 / 2 + 1 / 16 + 1 - 4 * log(2))
    assert first(target([[0]], weight=0)) is None
    assert first(target([[0]], depth=1000)) is None


@pytest.mark.parametrize("seed", range(6))
def test_0_is_no_local_minimum(seed):
    """What the entry says is seen of |A - Y|_F^2 + lambda L Rank A + 2 lambda log |A|_+ itself."""
    generator = np.random.default_rng(seed)
    y = generator.integers(-3, 4, size=(2, 2))
    depth, weight = int(generator.integers(1, 6)), F(int(generator.integers(1, 20)), 10)
    gain = first(target(y.tolist(), weight, depth))
    sizes = 0.5 ** np.arange(1, 65)
    changes, bounds = [], []
    for e in sizes:
        near = y.astype(float)
        near[0, 0] -= e * (np.sign(y[0, 0]) or 1)
        rest = float(weight) * (depth + 2 * log(e))
        changes.append((near**2).sum() - (y**2).sum() + rest)
        bounds.append(2 * abs(int(y[0, 0])) * e + e * e + rest)
    here = next(k for k, bound in enumerate(bounds) if bound < 0)
    assert gain == pytest.approx(bounds[here])
    assert all(change <= gain for change in changes[here:])


# the engine ---------------------------------------------------------------------------------------
def test_inner_minima_are_refuted():
    assert refutes(pointwise(LOCAL, CI))


def test_the_rearrangement_stands():
    assert stands(pointwise(REARRANGED, CI), 40)


def test_integer_ranks_are_needed():
    assert needed(necessity(REARRANGED, CI)) == {"integer ranks"}
