"""Certificates about kernels that look right and show nothing are rejected."""

from fractions import Fraction
from math import log

import pytest

from tests.verify.checker.networks import certificate, record
from verify.checker.restated import ACCEPT, REJECT, check

F = Fraction
AXES = {"Oin": ["i", "n"], "Oout": ["o", "m"], "X": ["N", "n"], "C": ["q", "n"]}
SHAPES = {
    "network": {"A": ["m", "n"]},
    "hull": {"A": ["q", "n"]},
    "means": {"B": ["p", "n"]},
}


def case(shapes="network", integers=("L", "l"), **arrays):
    axes = AXES | SHAPES[shapes]
    made = {
        name: record(axes.get(name, []), value, integer=name in integers)
        for name, value in arrays.items()
    }
    return {"format": "tensors", "arrays": made, "choice": {}}


def code(claim, made, entry, value, without=""):
    return check(certificate(f"j23.thm3.3{claim}", made, entry, value, without)).code


def near(number):
    """An enclosure around a real number."""
    return [str(F(number) - F(1, 10**9)), str(F(number) + F(1, 10**9))]


def hull(points, linear, slope=0, **depth):
    return case("hull", X=points, A=linear, a=slope, **depth)


UNIT = [[1, 0], [0, 1]]
TRIANGLE = [[0, 0], [1, 0], [0, 1]]


# first corrections --------------------------------------------------------------------------------
def test_the_diagonal_refutes():
    assert code("@B", hull([[0, 0], [1, 1]], [[1, 0]]), {}, near(-log(2))) == ACCEPT


@pytest.mark.parametrize("value", [-log(2), 2 * log(2), 0.5, 1e-3])
def test_another_correction_is_no_evidence(value):
    assert code("@B", hull([[0], [1]], [[1]]), {}, near(value)) == REJECT


def test_both_sides_of_0_are_not_completely_positive():
    assert code("@B", hull([[-1], [1]], [[1]]), {}, near(log(2))) == REJECT
    made = hull([[-1], [1]], [[1]])
    waived = "inputs completely positive"
    assert code("@B", made, {}, near(log(2)), waived) == REJECT  # the outputs are not either


def test_the_slope_is_inside():
    for slope in (1, -1, 5):
        made = hull([[0, 0], [1, 1]], [[1, 0]], slope)
        assert code("@B", made, {}, near(-log(2))) == REJECT


def test_the_domain_has_the_dimensions_of_the_matrix():
    # on the line along (1, 1) the unit matrix costs log 2 less than nothing in the first order
    for points in ([[0, 0], [1, 1]], [[1, 1]]):
        for value in (-log(2), log(2), 2.0):
            assert code("@B", hull(points, UNIT), {}, near(value)) == REJECT


def test_true_corrections_refute_nothing():
    for value in (1e-6, -1e-6, log(2)):
        assert code("@B", hull(TRIANGLE, UNIT), {}, near(value)) == REJECT
        assert code("@B", hull([[0], [1]], [[3]]), {}, near(value)) != ACCEPT


def test_without_a_network_nothing_is_known():
    points = [[0, 0, 0], [1, 0, 0], [-1, 1, 0], [0, 0, 1]]
    made = hull(points, [[1, 0, 0], [0, 1, 0]])
    for value in (1.0, -1.0):
        assert code("@B", made, {}, near(value)) != ACCEPT


def test_the_repaired_theorem_is_not_refuted():
    made = hull([[0], [1]], [[2]], L=2)
    for part, right in (("below", 2 - log(4)), ("above", log(4) - 0.875)):
        for value in (right, -right, -1.0):
            assert code("@B.fix", made, {"part": part}, near(value)) == REJECT


def test_the_repaired_theorem_needs_the_directions():
    made, low = hull([[0, 0], [1, 1]], [[1, 0]], L=1), {"part": "below"}
    waived = "directions contain Im A^T"
    # at depth 1 the diagonal has (x_1 + x_2)/2 for x_1, of norm 1/2 instead of 1
    assert code("@B.fix", made, low, "-1/2", waived) == ACCEPT
    assert code("@B.fix", made, low, "-1/2") == REJECT
    assert code("@B.fix", made, low, "-1/3", waived) == REJECT
    assert code("@B.fix", made, low, "-1/2", "dimension k") == REJECT
    assert code("@B.fix", hull([[0], [1]], [[1]], L=1), low, "-1/2", waived) == REJECT
    assert code("@B.fix", made, {"part": "above"}, "-1/2", waived) != ACCEPT
    assert code("@B.fix", hull([[0], [1]], [[1]], L=0), low, "-1", waived) == REJECT


# kernels ------------------------------------------------------------------------------------------
def test_mixtures_have_the_entries_that_they_have():
    made = case(A=[[2]], Oin=[[1]], Oout=[[-1]], X=[[3]], a=0, L=1, l=0)
    waived = "positive outputs"
    assert code(".cp.b", made, {"point": 0, "entry": 0}, "-6", waived) == ACCEPT
    assert code(".cp.b", made, {"point": 0, "entry": 1}, "-6", waived) == REJECT
    assert code(".cp.b", made, {"point": 0, "entry": 0}, "-6") == REJECT
    assert code(".cp.b", made, {"part": "kernel"}, "-6", waived) == REJECT
    assert code(".cp.b", made, {"part": "kernel", "point": 0}, "-6", waived) == REJECT
    for layer in (-1, 2):
        made["arrays"]["l"] = record([], layer, integer=True)
        assert code(".cp.b", made, {"point": 0, "entry": 0}, "-6", waived) == REJECT


def test_equations_of_embeddings_hold_where_they_do():
    made = case(A=[[2]], Oin=[[2]], Oout=[[1]], X=[[3]], a=0)
    assert code(".cp.a", made, {"part": "K_in"}, "9", "embedding Oin") == ACCEPT
    assert code(".cp.a", made, {"part": "K_out"}, "9", "embedding Oin") == REJECT
    assert code(".cp.a", made, {"part": "K_in"}, "9", "embedding Oout") == REJECT
    assert code(".cp.a", made, {"part": "K"}, "9", "embedding Oin") == REJECT
