"""Ranks of affine functions on domains with lines, symmetries, and what the engine says of them."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from tests.verify.language.values import case, worth
from verify.cases.tensors import Tensors, tensor
from verify.checker.restated import check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.kinds.deep.networks import deep
from verify.language.building import rank, row
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.papers.j23 import symmetric_ranks as symmetric
from verify.papers.j23.bijections import bijection_bounds
from verify.papers.j23.domains import Domain, first_order, through_rank
from verify.papers.registry import find
from verify.search.judging import judge_exactly

CONTEXT = Context(replace(budget_named("smoke"), draws=60), 2, "cpu")
REFUTED = (
    "bnrank.conjecture@B",
    "sandwich.upper",
    "sandwich.order",
    "rankprops.3@A",
    "rankprops.bij",
)
STANDING = (
    "bnrank.conjecture@B.fix",
    "sandwich.lower",
    "sandwich.upper.fix",
    "sandwich.order.fix",
    "rankprops.1@B",
    "rankprops.2",
    "rankprops.3@A.fix",
    "rankprops.bij.fix",
    "symrank@B",
    "appE.rank",
)


@pytest.mark.parametrize("name", REFUTED)
def test_what_is_wrong_as_printed_is_refuted(name):
    found = pointwise(find(f"j23.{name}"), CONTEXT)
    assert found.outcome is Outcome.REFUTES
    assert check(found.certificate).code == 0


@pytest.mark.parametrize("name", STANDING)
def test_what_is_right_stands(name):
    found = pointwise(find(f"j23.{name}"), CONTEXT)
    assert found.outcome is Outcome.SUPPORTS
    assert found.figures["met all hypotheses"] >= 8


# R^(0) --------------------------------------------------------------------------------------------
def domain(points, lines, slope=0):
    return Domain(RATIONALS.array(points), RATIONALS.array(lines), RATIONALS.array([slope])[0])


@pytest.mark.parametrize(
    ("points", "lines", "slope", "bounds"),
    [
        ([[0], [1]], [[0]], 0, (1, 1)),
        ([[3]], [[0]], 0, (0, 0)),
        ([[0]], [[1]], 0, (2, 2)),
        ([[0]], [[1]], Fraction(-1, 2), (2, 2)),
        ([[0]], [[1]], Fraction(1, 2), (1, 2)),
    ],
)
def test_the_identity_of_one_dimension(points, lines, slope, bounds):
    found = first_order(RATIONALS.array([[1]]), domain(points, lines, slope))
    assert (found.lower, found.upper) == bounds


@pytest.mark.parametrize("slope", [0.0, -0.3, -0.9])
def test_a_layer_enlarges_the_area_between_two_ends_by_half_its_norm_at_most(slope):
    """U' <= U |W|^2 / 2 where the ends have no obtuse angle, with equality for the identity."""
    generator = np.random.default_rng(3)
    most = 0.0

    def area(u, v):
        return np.sqrt(max((u @ u) * (v @ v) - (u @ v) ** 2, 0))

    for _ in range(4000):
        n, m = generator.integers(2, 5, size=2)
        u, v = np.abs(generator.normal(size=(2, n))) ** generator.integers(1, 4)
        weight = generator.normal(size=(m, n))
        if generator.random() < 0.3 and m >= 2:
            weight = np.zeros((m, n))
            weight[0], weight[1] = u - v * (u @ v) / (v @ v), v - u * (u @ v) / (u @ u)
        p, q = (np.where(z < 0, slope * z, z) for z in (weight @ u, weight @ v))
        most = max(most, area(p, q) / (area(u, v) * (weight**2).sum() / 2))
    assert 0.9 < most <= 1 + 1e-9


@pytest.mark.parametrize("depth", [2, 3, 6])
def test_the_identity_of_the_line_has_a_network_of_norm_twice_the_depth(depth):
    ends, middle = [[[1], [-1]], [[1, -1]]], [[1, 0], [0, 1]]
    points = [[-7], [Fraction(-1, 3)], [0], [5]]
    net = deep([ends[0], *[middle] * (depth - 2), ends[1]], points=points)
    assert net.exact.parameter_square[0] == 2 * depth
    assert (net.exact.outputs[0] == net.matrix("X")).all()


def test_the_network_through_the_rank_costs_its_rank_a_layer():
    on = domain([[0, 0], [1, 0], [0, 1]], [[0, 0]])
    linear, shift = RATIONALS.array([[1, 1], [2, 2]]), RATIONALS.array([1, -1])
    assert through_rank(linear, shift, on, 5) - through_rank(linear, shift, on, 2) == 3
    flat = through_rank(linear * 0, shift, on, 9)
    assert as_fraction(flat) == 2


def bijection(points, a, p, s):
    arrays = {"X": tensor(("N", "n"), points), "Y": tensor(("M", "n"), [[0] * len(points[0])])}
    arrays |= {"a": tensor((), 0), "A": tensor(("q", "n"), a)}
    return Tensors({**arrays, "p": tensor(("n",), p), "s": tensor(("q",), s)})


def test_a_fold_or_a_flat_domain_loses_rank():
    square = [[0, 0], [1, 0], [0, 1], [1, 1]]
    whole = bijection(square, [[1, 0], [0, 1]], [2, 3], [1, 1])
    assert [(b.lower, b.upper) for b in bijection_bounds(whole)] == [(2, 2), (2, 2)]
    edge = bijection([[1, 0], [1, 1]], [[1, 0], [0, 1]], [2, 3], [1, 1])
    assert bijection_bounds(edge)[0].upper == 1
    folded = bijection([[-1, -1], [-2, -1], [-1, -2]], [[1, 0], [0, 1]], [0, 1], [1, 1])
    assert bijection_bounds(folded)[1].upper == 1


def test_symmetric_functions_by_hand():
    arrays = {
        "C": [[1, 1], [1, -1]],
        "S": [[1, 0, 0], [0, 1, 0]],
        "V": [[0], [0], [1]],
        "D": [[0, 0, 0], [0, 0, 0]],
        "X": [[1, 2, 3]],
    }
    claim = find("j23.symrank@B")
    assert not judge_exactly(claim, case(**arrays, kind=1)).violations
    curved = case(**arrays, kind=2)
    assert not judge_exactly(claim, curved).admitted  # no piecewise linear factors at all
    (violation,) = judge_exactly(replace(claim, hypotheses=()), curved).violations
    assert violation.value == -((2 * 5) ** 2 + (2 * -3) ** 2)


def test_the_rank_of_the_data_by_hand():
    arrays = {"U": [[1, 0], [0, 1], [1, 1]], "V": [[1, 0, 0], [0, 1, 0]], "b": [0, 0, 0]}
    there = case(**arrays, Z=[[1, 1], [-1, 1]])
    found = [worth(rank(symmetric.jacobian(row(symmetric.Z, n))), there) for n in (1, 2)]
    assert found == [2, 1]
    assert worth(symmetric.MOST, there) == 2
    assert not worth(symmetric.RANK_2.holds, case(**arrays, Z=[[-1, 1]]))
