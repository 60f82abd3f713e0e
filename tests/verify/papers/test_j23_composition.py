"""The cost of a composition: by hand, and what the engine says."""

from fractions import Fraction
from math import log, sqrt
from random import Random

import pytest

from tests.verify.costs.cases import FREE, needed, on_hull, refutes, seen, stands, values
from tests.verify.language.values import worth
from tests.verify.papers.looking import looking
from verify.kinds.deep.layered import as_network
from verify.kinds.deep.networks import deep, number
from verify.methods.corners import corners
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.j23 import composition
from verify.search.drawing import repair
from verify.search.judging import judge_exactly

F = Fraction
CI = looking("ci", 2)
CLAIMS = {claim.id.removeprefix("j23.thm3.1"): claim for claim in composition.CLAIMS}
ONE = ([[1]], [0])
FOLD, UNIT = [[-1], [1]], [[0], [1]]


def two(points, f, g, **depths):
    return on_hull(points, f, g, FREE, **depths)


# by hand ------------------------------------------------------------------------------------------
def violated(name, case):
    return bool(judge_exactly(CLAIMS[name], case).violations)


def test_functions_of_a_case():
    case = two([[1], [2]], ([[3]], [1]), ([[2]], [5]))
    f, whole = composition.f, composition.f_after_g
    assert [worth(f.points[n, 1], case) for n in (1, 2)] == [7, 9]
    assert (worth(whole.linear[1, 1], case), worth(whole.shift[1], case)) == (6, 16)
    assert [worth(whole.values[n, 1], case) for n in (1, 2)] == [22, 28]


def test_the_identity_after_itself():
    folded = two(FOLD, ONE, ONE, L1=1, L2=1)
    assert values(CLAIMS[".ineq@B"], folded) == pytest.approx([2 - 2 * sqrt(2)])
    assert values(CLAIMS[".ineq@B"], two(UNIT, ONE, ONE, L1=2, L2=3)) == [0]
    assert not violated(".ineq@B", two(FOLD, ONE, ONE, L1=2, L2=2))
    # -1 and 2 are no opposite points: the bound that is known is that of the Jacobian, 2
    assert not violated(".ineq@B", two([[-1], [2]], ONE, ONE, L1=1, L2=1))


def test_a_network_has_a_layer():
    claim = CLAIMS[".ineq@B"]
    for depths in ((0, 1), (1, 0), (-1, 3)):
        case = two(FOLD, ONE, ONE, L1=depths[0], L2=depths[1])
        assert not judge_exactly(claim, case).admitted


def test_f_acts_on_the_image_of_g():
    on_image = two([[0]], ([[2]], [0]), ([[0]], [F(1, 2)]), L1=2, L2=2)
    # f is between 0 and 1 there, and 1 at f after g: nothing is known to be wrong
    assert values(CLAIMS[".ineq@B"], on_image) == [F(1, 4)]


def test_first_corrections():
    assert values(CLAIMS["@B"], two(UNIT, ([[2]], [0]), ([[3]], [0]))) == pytest.approx([0])
    segment = two([[0, 0], [1, 1]], ([[1, 0], [0, 0]], [0, 0]), ([[1, 0], [0, 0]], [0, 0]))
    # R1 = -log 2 of g and of f after g, 0 of f on the image
    assert values(CLAIMS["@B"], segment) == pytest.approx([0])


def test_ranks_that_differ_are_another_case():
    lost = two(UNIT, ([[0]], [0]), ([[F(1, 4)]], [0]))
    ((_, value, admitted),) = seen(CLAIMS["@B"], lost)
    assert value == pytest.approx(-log(16))
    assert not admitted


def test_layers_follow_one_another_where_g_is_positive():
    claim = CLAIMS[".ineq@B.fix"]
    cut = {"cut": number(1, integer=True)}
    bent = as_network(deep([[[1]], [[2]]], points=[[-1], [1]], slope=F(1, 4), **cut))
    found = seen(claim, bent)
    assert [value for _, value, _ in found] == [F(-1, 4) * 2 + 2, 0]
    assert not any(admitted for _, _, admitted in found)
    raised = as_network(deep([[[1]], [[2]]], [[1], [0]], points=[[-1], [1]], **cut))
    assert values(claim, raised) == [0, 0]
    three = deep([[[1]], [[-1]], [[2]]], points=[[3]], cut=number(2, integer=True))
    assert [value for _, value, _ in seen(claim, as_network(three))] == [6]  # 0 for -6
    outside = deep([[[1]], [[2]]], [[1], [0]], points=[[1]], cut=number(2, integer=True))
    assert values(claim, as_network(outside)) == []


# the engine ---------------------------------------------------------------------------------------
def test_the_fold_is_a_corner():
    assert refutes(corners(CLAIMS[".ineq@B"], CI))


@pytest.mark.parametrize("name", [".ineq@B.fix", "@B"])
def test_what_is_right_stands(name):
    assert stands(pointwise(CLAIMS[name], CI))


@pytest.mark.parametrize(
    ("name", "hypothesis"), [(".ineq@B.fix", "g is positive"), ("@B", "equal ranks")]
)
def test_what_can_be_broken_is_needed_and_certified(name, hypothesis):
    assert needed(necessity(CLAIMS[name], CI)) - {"fully connected"} == {hypothesis}


@pytest.mark.parametrize("seed", range(12))
def test_repairs_make_g_positive(seed):
    claim, random = CLAIMS[".ineq@B.fix"], Random(seed)
    judged = judge_exactly(claim, repair(claim, claim.pool.draw(random), random))
    assert judged.admitted
    assert not judged.violations
