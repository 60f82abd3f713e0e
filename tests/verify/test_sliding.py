"""Flows that slide along a kink: the slope that they select, by hand and by its definition."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.activations import RELU, leaky_relu
from graphs.exact import preactivations
from graphs.families import fully_connected
from tests.verify.drawn_cases import case_of, exact_scene, fractions, net_of, value_of, values_of
from verify.cases.case import Case
from verify.cases.pool import Pool
from verify.cases.sliding import into_a_slide, slide_of
from verify.methods.clarke import rates
from verify.papers.registry import find
from verify.search.certificates import answer, certificate_of
from verify.search.drawing import repair
from verify.search.judging import judge_exactly

NET = net_of("x1>u x2>u x1>v x2>v u>o v>o", {"u": RELU, "v": RELU})
WEIGHTS = {"x1>u": 4, "x2>u": -3, "x1>v": 1, "x2>v": 1, "u>o": 1, "v>o": 1}
# z_u = 0 and z_v = 7/5 on the first example, 4 and 1 on the second; kappa = 6 and -5
EXAMPLES = [(["3/5", "4/5"], 1, 12), ([1, 0], 1, -10)]
CASE = case_of(NET, WEIGHTS, EXAMPLES, selection="sliding")
LAW = find("lj22.lemma2b@A")


def certified(claim, case):
    """How many entries of a statement are false; the checker accepts each."""
    violations = judge_exactly(claim, case).violations
    for violation in violations:
        assert answer(certificate_of(claim, violation))["exit"] == 0
    return len(violations)


def test_the_slope_by_hand():
    # the weights of u move by 5 (1, 0) - 6 s (3/5, 4/5), so z_u by 3 - 6 s: 3 and -3 on the sides
    slide = slide_of(CASE)
    assert (slide.vertex, slide.example, slide.slope) == (NET.index["u"], 0, Fraction(1, 2))
    # u moves by (16/5, -12/5), orthogonal to the first example, and v by (7/5, -24/5)
    velocity = fractions(exact_scene(CASE).velocity)
    assert velocity[:4] == [Fraction(n, 5) for n in (16, -12, 7, -24)]


def test_the_law_for_pairs_fails_where_one_slides():
    # in: 4/5 + 100/5; out: u>o moves by 20 and v>o by -17/5
    assert value_of(LAW, CASE, at=["u", "v"]) == Fraction(104, 5) - Fraction(83, 5)
    assert values_of(find("lj22.lemma2b@A.fix"), CASE) == []
    assert set(values_of(find("lj22.lemma2a"), CASE)) == {0}
    assert certified(LAW, CASE) == 2  # also as v and u
    # without the choice it is a kink of which nothing is known
    assert values_of(LAW, replace(CASE, choice={})) == []


@pytest.mark.parametrize(
    "slopes", [(1, -10), (12, 10), (-12, -10), (12, 0)], ids=["crosses", "off", "repelled", "rests"]
)
def test_where_a_flow_does_not_slide(slopes):
    """Both rates positive; both negative; pushed away on both sides; at rest below."""
    case = replace(CASE, slopes=tuple(map(Fraction, slopes)))
    assert slide_of(case) is None
    assert values_of(LAW, case) == []
    assert certified(LAW, case) == 0


def test_one_kink_alone_and_own_parameters():
    twice = case_of(NET, {**WEIGHTS, "x1>v": 4, "x2>v": -3}, EXAMPLES, selection="sliding")
    assert slide_of(twice) is None
    assert certified(LAW, twice) == 0
    tied = net_of(
        "x1>u x2>u x1>v x2>v u>o v>o",
        {"u": RELU, "v": RELU},
        parameters={("u", "o"): "w", ("v", "o"): "w"},
    )
    assert slide_of(case_of(tied, {**WEIGHTS, "w": 1}, EXAMPLES, selection="sliding")) is None


@st.composite
def slides(draw: st.DrawFn) -> Case:
    """Cases moved to a slide, where one is found."""
    random = draw(st.randoms(use_true_random=False))
    kind = draw(st.sampled_from([RELU, RELU, leaky_relu("1/3")]))
    net = fully_connected(draw(st.sampled_from([[2, 2, 1], [2, 2, 2, 1], [1, 2, 2, 1]])), kind)
    case = Pool().fill(net, random, n=draw(st.integers(1, 3)), loss="prescribed", family="")
    return repair(LAW, case.choosing(selection="sliding"), random)


@settings(max_examples=30)
@given(slides())
def test_the_preactivation_does_not_move_and_both_branches_push(case):
    slide = slide_of(case)
    assert (slide is not None) is (case.choice.get("selection") == "sliding")
    if slide is None:
        return
    left, right = case.network.activations[slide.vertex].slopes
    assert left < slide.slope < right
    x = case.inputs[slide.example]
    velocity = fractions(exact_scene(case).velocity)
    changes = []
    for step in (Fraction(1, 10**9), Fraction(2, 10**9)):
        moved = [w + step * v for w, v in zip(case.weights, velocity, strict=True)]
        changes.append(preactivations(case.network, moved, x)[slide.vertex] / step)
    # z is a polynomial in the step without constant and linear term
    assert abs(changes[0]) * 10**6 < 1 + max(map(abs, velocity)) ** 3
    assert abs(changes[1]) <= abs(changes[0]) * 3


@settings(max_examples=25)
@given(slides())
def test_the_vertex_law_holds_and_the_checker_agrees(case):
    assert set(values_of(find("lj22.lemma2a"), case)) <= {0}
    certified(LAW, case)


def test_a_slide_is_left_alone_unless_it_was_chosen():
    plain = replace(CASE, choice={})
    assert into_a_slide(plain, Random(0)) is plain
    linear = case_of(net_of("x>h h>o"), {"x>h": 1, "h>o": 1}, [([1], 1, 1)], selection="sliding")
    assert "selection" not in into_a_slide(linear, Random(0)).choice
    assert rates(LAW, plain, Random(0)) != []  # limits of gradients are looked at all the same


def test_a_certificate_names_a_slide_only_where_the_flow_slides():
    assert CASE.plain().choice == CASE.choice
    crossing = replace(CASE, slopes=(Fraction(1), Fraction(-10)))
    assert "selection" not in crossing.plain().choice
