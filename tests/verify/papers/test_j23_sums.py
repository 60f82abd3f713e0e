"""The cost of a sum: by hand, and what the engine says."""

from fractions import Fraction
from math import log
from random import Random

import pytest

from tests.verify.costs.cases import needed, on_hull, refutes, seen, stands, values
from tests.verify.language.values import worth
from tests.verify.papers.looking import looking
from verify.kinds.deep.layered import as_network
from verify.kinds.deep.networks import deep
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.j23 import sums
from verify.search.drawing import repair
from verify.search.judging import judge_exactly

F = Fraction
CI = looking("ci", 2)
CLAIMS = {claim.id.removeprefix("j23.thm3.2"): claim for claim in sums.CLAIMS}
UNIT, ORIGIN = [[0], [1]], [[0]]
QUADRANT = [[0, 0], [1, 0], [0, 1]]


def constant(value):
    return ([[0]], [value])


# by hand ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("depth", [1, 2, 9])
def test_constants_add_with_their_squares(depth):
    half = constant(F(1, 2))
    found = values(CLAIMS[".ineq@A"], on_hull(ORIGIN, half, half, L=depth))
    assert found == [F(-1, 2)]  # 1/4 + 1/4 - 1
    opposite = on_hull(ORIGIN, half, constant(F(-1, 2)), L=depth)
    assert values(CLAIMS[".ineq@A"], opposite) == [F(1, 2)]
    assert values(CLAIMS[".ineq@A"], on_hull(ORIGIN, half, half, L=0)) == []
    assert judge_exactly(CLAIMS[".ineq@A"], on_hull([[1]], half, half, L=5)).violations == ()


def test_at_depth_1_weights_add_as_well():
    one = ([[1]], [0])
    assert values(CLAIMS[".ineq@A"], on_hull(UNIT, one, one, L=1)) == [-2]  # 1 + 1 - 4
    assert values(CLAIMS[".ineq@A"], on_hull(UNIT, one, one, L=2)) == [0]  # 2 + 2 - 4


def test_first_corrections():
    half = constant(F(1, 2))
    assert values(CLAIMS[""], on_hull(ORIGIN, half, half)) == [F(-1, 2)]
    assert values(CLAIMS[".fix"], on_hull(ORIGIN, half, half)) == [0]
    f, g = ([[3, 0], [0, 0]], [0, 0]), ([[0, 0], [0, 2]], [0, 0])
    assert values(CLAIMS[""], on_hull(QUADRANT, f, g)) == pytest.approx([0], abs=1e-8)
    # 2 log 5 + 2 log 5 against the determinant 4 * 4 - 3 * 3 = 7 of the sum
    f, g = ([[4, 0], [3, 0]], [0, 0]), ([[0, 3], [0, 4]], [0, 0])
    found = values(CLAIMS[""], on_hull(QUADRANT, f, g))
    assert found == pytest.approx([2 * log(25) - log(49)], abs=1e-8)


def test_ranks_that_do_not_add_are_another_case():
    one = ([[1]], [0])
    for name in ("", ".fix"):
        ((_, value, admitted),) = seen(CLAIMS[name], on_hull(UNIT, one, one))
        assert value == pytest.approx(-log(4))
        assert not admitted


def test_what_no_network_shows_is_not_judged():
    unknown, identity = ([[1, 1], [-1, -1]], [0, 0]), ([[1, 0], [0, 1]], [0, 0])
    assert seen(CLAIMS[""], on_hull([[-1, -1], [1, 1]], unknown, identity)) == []


def names(some, case):
    return [case.network.names[v] for v in worth(some, case)]


def test_halves_of_a_network():
    net = as_network(deep([[[1]] * 3, [[1, 0, 0], [0, 1, 0]], [[1, 1]]], points=[[1]]))
    found = [[names(sums.half(m, second=second), net) for second in (0, 1)] for m in range(4)]
    assert found == [
        [["x1"], ["x1"]],
        [["h1.1"], ["h1.2", "h1.3"]],
        [["h2.1"], ["h2.2"]],
        [["o1"], ["o1"]],
    ]


def test_networks_side_by_side():
    claim = CLAIMS[".ineq@A.fix"]
    apart = deep(
        [[[1], [-2]], [[1, 0], [0, 3]], [[1, 5]]],
        [[0, 1], [0, 0], [7]],
        points=[[1], [-1]],
        slope=F(1, 2),
    )
    assert values(claim, as_network(apart)) == [0, 0]
    joined = deep([[[1], [-2]], [[1, 0], [4, 3]], [[1, 5]]], points=[[1], [-1]])
    found = seen(claim, as_network(joined))
    assert [value for _, value, _ in found] == [5 * 4, 0]
    assert not any(admitted for _, _, admitted in found)
    assert seen(claim, as_network(deep([[[1]]], points=[[1]]))) == []
    assert seen(claim, as_network(deep([[[1]], [[1]]], points=[[1]]))) == []


# the engine ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [".ineq@A", ""])
def test_what_is_wrong_as_printed_is_refuted(name):
    assert refutes(pointwise(CLAIMS[name], CI))


@pytest.mark.parametrize("name", [".ineq@A.fix", ".fix"])
def test_what_is_right_stands(name):
    assert stands(pointwise(CLAIMS[name], CI))


@pytest.mark.parametrize(
    ("name", "hypothesis"), [(".ineq@A.fix", "side by side"), (".fix", "ranks add")]
)
def test_what_can_be_broken_is_needed_and_certified(name, hypothesis):
    assert needed(necessity(CLAIMS[name], CI)) - {"fully connected"} == {hypothesis}


def test_repairs_reach_ranks_that_add_and_are_not_0():
    claim, reached = CLAIMS[".fix"], 0
    for seed in range(60):
        random = Random(seed)
        case = repair(claim, claim.pool.draw(random), random)
        judged = judge_exactly(claim, case)
        assert not judged.violations
        reached += bool(judged.admitted) and all(any(case.arrays[name].entries) for name in "FG")
    assert reached >= 5


@pytest.mark.parametrize("seed", range(12))
def test_repairs_take_halves_apart(seed):
    claim, random = CLAIMS[".ineq@A.fix"], Random(seed)
    case = repair(claim, claim.pool.draw(random), random)
    assert all(admitted for _, _, admitted in seen(claim, case))
    assert not judge_exactly(claim, case).violations
