"""Ranks of affine functions on domains with lines, symmetries, and what the engine says of them."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tests.verify.deep_networks import parameter_square
from tests.verify.language.values import case, worth
from tests.verify.papers.looking import looking
from verify.checker import check
from verify.core.evidence import Outcome
from verify.kinds.deep.networks import deep
from verify.language.building import rank, row
from verify.methods.pointwise import pointwise
from verify.papers.j23 import bijections
from verify.papers.j23 import symmetric_ranks as symmetric
from verify.papers.j23.domains import F, at_least, at_most, through_rank
from verify.papers.registry import find
from verify.search.judging import judge_exactly

CONTEXT = looking("smoke", 2, draws=60)
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
def domain(points, lines, slope=0, **arrays):
    return case(X=points, Y=lines, a=Fraction(slope), **arrays)


@pytest.mark.parametrize(
    ("points", "lines", "slope", "bounds"),
    [
        ([[0], [1]], [[0]], 0, (1, 1)),
        ([[3]], [[0]], 0, (0, 0)),
        ([[0]], [[1]], 0, (2, 2)),
        ([[0]], [[1]], Fraction(-1, 2), (2, 2)),
        ([[0]], [[1]], Fraction(1, 2), (1, 2)),
        ([[0]], [[1]], -1, (1, 2)),  # nothing is known of such a slope
    ],
)
def test_the_identity_of_one_dimension(points, lines, slope, bounds):
    there = domain(points, lines, slope, F=[[1]])
    assert (worth(at_least(F), there), worth(at_most(F), there)) == bounds


def test_beyond_the_slopes_no_order_is_known():
    claim = find("j23.bnrank.conjecture@B")
    line = {"points": [[0]], "lines": [[1]], "F": [[1]]}
    assert judge_exactly(claim, domain(slope=Fraction(-1, 2), **line)).violations
    for slope in (-2, -1, 1, 2):
        there = domain(slope=slope, **line)
        assert not judge_exactly(claim, there).admitted
        assert not judge_exactly(replace(claim, hypotheses=()), there).violations


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
    assert parameter_square(net) == 2 * depth
    assert (net.exact.outputs == net.matrix("X")).all()


def test_the_network_through_the_rank_costs_its_rank_a_layer():
    triangle = [[0, 0], [1, 0], [0, 1]]
    there = domain(triangle, [[0, 0]], F=[[1, 1], [2, 2]], d=[1, -1])
    # x -> (1, 2)^T (1, 1) x + (1, -1)
    assert worth(through_rank(2), there) == 5 + 2 + 2
    assert worth(through_rank(5), there) == 9 + 3
    shifted = domain([[-1, 0], [1, 0], [-1, 1]], [[0, 0]], F=[[1, 1], [2, 2]], d=[1, -1])
    # the least value, -1, is taken back: (1, -1) - (1, 2)
    assert worth(through_rank(2), shifted) == 5 + 2 + 1 + 9
    flat = domain(triangle, [[0, 0]], F=[[0, 0], [0, 0]], d=[1, -1])
    assert worth(through_rank(9), flat) == 2


def bijection(points, linear, p, s, lines=None):
    lines = lines or [[0] * len(points[0])]
    return domain(points, lines, A=linear, p=p, s=s)


def ranks(there):
    return worth(bijections.AT_LEAST, there), worth(bijections.AT_MOST, there)


def test_a_fold_or_a_flat_domain_loses_rank():
    identity = [[1, 0], [0, 1]]
    square = [[0, 0], [1, 0], [0, 1], [1, 1]]
    assert ranks(bijection(square, identity, [2, 3], [1, 1])) == (2, 2)
    assert ranks(bijection([[1, 0], [1, 1]], identity, [2, 3], [1, 1])) == (1, 1)
    folded = bijection([[-1, -1], [-2, -1], [-1, -2]], identity, [0, 1], [1, 1])
    assert ranks(folded) == (0, 1)  # at all points inside A psi has a coordinate 0


def test_the_ends_of_a_line_cost_two():
    assert ranks(bijection([[0]], [[1]], [2], [3], lines=[[1]])) == (2, 1)
    assert ranks(bijection([[0]], [[0]], [2], [3], lines=[[1]])) == (0, 0)


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
