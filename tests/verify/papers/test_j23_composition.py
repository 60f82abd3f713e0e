"""The cost of a composition: by hand, and what the engine says."""

from fractions import Fraction
from math import log, sqrt
from random import Random

import pytest

from graphs.arithmetic import rational
from tests.verify.costs.cases import FREE, needed, on_hull, refutes, seen, stands, values
from verify.core.budgets import budget_named
from verify.kinds.costs.affine import Bounds
from verify.kinds.deep.networks import deep, number
from verify.methods.context import Context
from verify.methods.corners import corners
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.j23 import composition
from verify.papers.j23.composition import functions, summed
from verify.papers.j23.rows import certain_difference, certain_slack
from verify.search.drawing import repair
from verify.search.judging import judge_exactly

F = Fraction
CI = Context(budget_named("ci"), 2, "cpu")
CLAIMS = {claim.id.removeprefix("j23.thm3.1"): claim for claim in composition.CLAIMS}
ONE = ([[1]], [0])
FOLD, UNIT = [[-1], [1]], [[0], [1]]


def two(points, f, g, **depths):
    return on_hull(points, f, g, FREE, **depths)


# by hand ------------------------------------------------------------------------------------------
def test_functions_of_a_case():
    case = two([[1], [2]], ([[3]], [1]), ([[2]], [5]))
    f, g, whole = functions(case)
    assert f.points.tolist() == [[7], [9]]
    assert (whole.linear[0, 0], whole.shift[0]) == (6, 16)
    assert (whole.values == [[22], [28]]).all()
    assert (g.values == [[7], [9]]).all()


def test_the_identity_after_itself():
    claim = CLAIMS[".ineq@B"]
    folded = two(FOLD, ONE, ONE, L1=1, L2=1)
    assert values(claim, folded) == pytest.approx([2 - 2 * sqrt(2)])
    assert values(claim, two(UNIT, ONE, ONE, L1=2, L2=3)) == [0]
    assert values(claim, two(UNIT, ONE, ONE, L1=0, L2=3)) == []
    assert values(claim, two(FOLD, ONE, ONE, L1=2, L2=2)) == []  # not decided


def test_f_acts_on_the_image_of_g():
    on_image = two([[0]], ([[2]], [0]), ([[0]], [F(1, 2)]), L1=2, L2=2)
    assert values(CLAIMS[".ineq@B"], on_image) == []  # f is between 0 and 1 there


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
    found = seen(claim, deep([[[1]], [[2]]], points=[[-1], [1]], slope=F(1, 4), **cut))
    assert [value for _, value, _ in found] == [F(-1, 4) * 2 + 2, 0]
    assert not any(admitted for _, _, admitted in found)
    raised = deep([[[1]], [[2]]], [[1], [0]], points=[[-1], [1]], **cut)
    assert values(claim, raised) == [0, 0]
    three = deep([[[1]], [[-1]], [[2]]], points=[[3]], cut=number(2, integer=True))
    assert [value for _, value, _ in seen(claim, three)] == [6]  # 0 for -6


def test_bounds():
    def pair(low, high):
        return Bounds(rational(low), None if high is None else rational(high))

    assert summed(pair(1, 2), pair(3, 5)) == pair(4, 7)
    assert summed(pair(1, None), pair(3, 5)) == pair(4, None)
    assert certain_slack(pair(5, 9), pair(1, 3)) == [2]
    assert certain_slack(pair(0, 1), pair(3, None)) == [-2]
    assert certain_slack(pair(0, 4), pair(3, 5)) == []
    assert certain_slack(pair(0, None), pair(3, None)) == []
    assert certain_difference(pair(2, 5), rational(1)) == [1]
    assert certain_difference(pair(0, 1), rational(3)) == [-2]
    assert certain_difference(pair(3, 3), rational(3)) == [0]
    assert certain_difference(pair(2, 4), rational(3)) == []
    assert certain_difference(pair(3, None), rational(3)) == []


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
    assert needed(necessity(CLAIMS[name], CI)) == {hypothesis}


@pytest.mark.parametrize("seed", range(12))
def test_repairs_make_g_positive(seed):
    claim, random = CLAIMS[".ineq@B.fix"], Random(seed)
    judged = judge_exactly(claim, repair(claim, claim.pool.draw(random), random))
    assert judged.admitted
    assert not judged.violations


def test_a_slip_in_the_composition_would_be_noticed(monkeypatch):
    claim = CLAIMS["@B"]
    plain = composition.composed

    def doubled(outer, inner):
        whole = plain(outer, inner)
        return type(whole)(whole.points, whole.linear * 2, whole.shift, whole.slope)

    monkeypatch.setattr(composition, "composed", doubled)
    assert judge_exactly(claim, two(UNIT, ([[2]], [0]), ([[3]], [0]))).violations
    raised = deep([[[1]], [[2]]], points=[[1]], cut=number(1, integer=True))
    assert not judge_exactly(CLAIMS[".ineq@B.fix"], raised).violations
    monkeypatch.setattr(composition, "_without_activation", lambda scene, cut: scene.pre(1))
    assert judge_exactly(CLAIMS[".ineq@B.fix"], raised).violations
