"""Jagged paths for a pair by hand, in both versions."""

from fractions import Fraction
from random import Random

from hypothesis import assume, given, settings

from graphs.activations import RELU
from tests.verify.drawn_cases import case_of, drawn_cases, kinked, net_of, value_of, values_of
from verify.cases.transformations import twin
from verify.papers.lj22.jagged import CLAIMS
from verify.papers.registry import find

FORK = net_of("x>u x>v u>o v>o", {"u": RELU, "v": RELU})
PAIR = {"pair": ["u", "v"]}
WEIGHTS = {"x>u": 2, "x>v": 3, "u>o": 5, "v>o": 7}
# both on, kappa = 1, x = 1: velocities xu -5, xv -7, uo -2, vo -3
BOTH_ON = case_of(FORK, WEIGHTS, [([1], 1, 1)])
# u on, v off: xu -5, uo -2, the others 0
ONE_ON = case_of(FORK, {**WEIGHTS, "x>v": -3}, [([1], 1, 1)])
# u sleeps: its in-weight is 0 and stays 0
DORMANT = case_of(
    FORK,
    {**WEIGHTS, "x>u": 0},
    [([1], 1, 1)],
    selection="dormant",
    dormant=["u"],
    direction={"w[x->u]": "-1"},
)


def test_the_sides_by_hand():
    # in: 2 (-7) + (-5) 3 = -29; the terms are w_xv w_uo + w_xu w_vo = 15 + 14
    assert value_of(find("lj22.eq46-49.46@B"), BOTH_ON, **PAIR) == -29 + 29
    # out: 5 (-3) + (-2) 7 = -29; the terms are w_xu w_vo + w_xv w_uo
    assert value_of(find("lj22.eq46-49.49@B"), BOTH_ON, **PAIR) == -29 + 29
    # one on: in (-5)(-3) = 15 against w_xv w_uo = -15; out (-2) 7 against w_xu w_vo = 14
    assert value_of(find("lj22.eq46-49.46@B"), ONE_ON, **PAIR) == 15 - 15
    assert value_of(find("lj22.eq46-49.49@B"), ONE_ON, **PAIR) == -14 + 14


def test_sides_are_identified_where_patterns_agree_and_it_is_differentiable():
    same = find("lj22.eq46-49.same")
    assert value_of(same, BOTH_ON, **PAIR) == 0
    assert values_of(same, ONE_ON) == []  # unequal patterns
    # 0 counts as active; u sleeps, v is on: in-side w_xu w_vo 1 = 0, out-side w_xv w_uo 1 = 15
    assert value_of(same, DORMANT, **PAIR) == 0 - 15
    assert values_of(find("lj22.eq46-49.same.fix"), DORMANT) == []


def test_the_sides_with_signs_by_hand():
    mixed = case_of(FORK, {**WEIGHTS, "v>o": -7}, [([1], 1, 1)])
    # velocities xu -5, xv 7, uo -2, vo -3. (40) left: 2 * 7 + (-5) 3 = -1; the two jagged terms
    # by the tree of Lemma 1: |w_xv w_uo| 1 + |w_xu w_vo| 1 = 29; by that of Lemma 5: 15 - 14
    assert value_of(find("lj22v1.eq40-43.40@A"), mixed, **PAIR) == -1 - 29
    assert value_of(find("lj22v1.eq40-43.40@A.fix"), mixed, **PAIR) == -1 + (15 - 14)
    # (41): -(5 (-3) + (-2)(-7)) = 1; Lemma 5, reading B: 14 at the path through u, -15
    assert value_of(find("lj22v1.eq40-43.42@B.fix"), mixed, **PAIR) == 1 + (14 - 15)
    assert value_of(find("lj22v1.eq40-43.43"), mixed, **PAIR) == 1 - (-1)


def test_the_vertex_law_is_the_pair_law_on_the_diagonal():
    assert value_of(find("lj22v1.rem-uv"), BOTH_ON, vertex="u") == 0


TRUE = ("46@B", "49@B", "40@A.fix", "42@B.fix", "same.fix")


@settings(max_examples=20)
@given(drawn_cases(zero=False))
def test_what_holds(case):
    case = twin(case, Random(0))
    assume(not kinked(case))
    for claim in CLAIMS:
        if claim.id.endswith((*TRUE, "rem-uv")):
            assert set(values_of(claim, case)) <= {0}, claim.id


def test_without_the_pair_nothing_is_said():
    case = case_of(net_of("x>h h>o"), {"x>h": 2, "h>o": Fraction(1, 3)}, [([1], 1, 1)])
    for claim in CLAIMS:
        if "rem-uv" not in claim.id:
            assert values_of(claim, case) == []
