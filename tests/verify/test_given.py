"""Hypotheses as terms: what they say of cases worked by hand, in the engine and the checker."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from graphs.activations import LINEAR, RELU, TANH, leaky_relu
from graphs.dyadic import DYADICS, InexactError
from graphs.rationals import RATIONALS
from tests.verify.drawn_cases import case_of, net_of
from tests.verify.language.both import MALFORMED, NOTHING, of_checker
from tests.verify.test_hypotheses import TABLE
from verify.cases.case import Case
from verify.cases.sliding import with_slopes
from verify.core.entries import constant_entries
from verify.papers.registry import find
from verify.statements import network_hypotheses as given
from verify.statements.stated import Given

ONE = [([1], 1, 1)]
CHAIN = case_of(net_of("x>h h>o", {"h": RELU}), {"x>h": 1, "h>o": 2}, ONE)
KINK = CHAIN.with_weights([Fraction(0), Fraction(2)])  # z_h = 0
ASLEEP = KINK.choosing(slopes_at_0=[["h", 1, "0"]])
SKIP = case_of(net_of("x>h h>o x>o"), {"x>h": 1, "h>o": 1, "x>o": 1}, ONE)
BIASED = case_of(net_of("x>o b>o", constants={"b": 3}), {"x>o": 1, "b>o": 1}, ONE)
FROZEN = case_of(net_of("x>h h>o", fixed={("x", "h"): 2}), {"h>o": 1}, ONE)
TIED = net_of("x>h h>o", parameters={("x", "h"): "w", ("h", "o"): "w"})
SINKS = net_of("x>h x>o")
TWO = [([1], 1, 3), (["-1"], "-1", 1)]
# x = 1 and x = -1 at h: no in-weight makes it negative on both
BOTH_WAYS = case_of(net_of("x>h h>o", {"h": RELU}), {"x>h": 0, "h>o": 2}, TWO).choosing(
    slopes_at_0=[["h", 1, "0"], ["h", 2, "0"]]
)
# z_u = 0 on the first example, and moves by 3 - 6 s, see test_sliding
SLIDES = case_of(
    net_of("x1>u x2>u x1>v x2>v u>o v>o", {"u": RELU, "v": RELU}),
    {"x1>u": 4, "x2>u": -3, "x1>v": 1, "x2>v": 1, "u>o": 1, "v>o": 1},
    [(["3/5", "4/5"], 1, 12), ([1, 0], 1, -10)],
    slopes_at_0=[["u", 1, "1/2"]],
)
LINE = case_of(net_of("x>o"), {"x>o": 1}, TWO)
WORKED = [
    (given.FEEDFORWARD, CHAIN, True),
    (given.FEEDFORWARD, replace(CHAIN, network=replace(CHAIN.network, outputs=(1,))), False),
    (given.FEEDFORWARD, case_of(SINKS, {"x>h": 1, "x>o": 1}, ONE), False),
    (given.HOMOGENEOUS, CHAIN, True),
    (given.RELU_OR_LINEAR, CHAIN, True),
    (
        given.RELU_OR_LINEAR,
        replace(CHAIN, network=CHAIN.network.with_activations({"h": leaky_relu("1/2")})),
        False,
    ),
    (given.BIAS_FREE, CHAIN, True),
    (given.BIAS_FREE, BIASED, False),
    (given.OWN_PARAMETERS, CHAIN, True),
    (given.OWN_PARAMETERS, FROZEN, True),
    (given.OWN_PARAMETERS, case_of(TIED, {"w": 2}, ONE), False),
    (given.ALL_LEARNABLE, CHAIN, True),
    (given.ALL_LEARNABLE, FROZEN, False),
    (given.FULLY_CONNECTED, CHAIN, True),
    (given.FULLY_CONNECTED, SKIP, False),
    (given.STABLE_SIGNS, CHAIN, True),
    (given.STABLE_SIGNS, CHAIN.with_weights([Fraction(1), Fraction(0)]), False),
    (given.STABLE_SIGNS, KINK, False),
    (given.STABLE_SIGNS, ASLEEP, True),
    (given.FLOW_SELECTION, CHAIN, True),
    (given.FLOW_SELECTION, KINK, False),
    (given.FLOW_SELECTION, ASLEEP, True),
    (given.FLOW_SELECTION, BOTH_WAYS, False),
    (given.FLOW_SELECTION, SLIDES, True),
    (given.FLOW_SELECTION, SLIDES.choosing(slopes_at_0=[["u", 1, "1/3"]]), False),
    (given.NONZERO_WEIGHTS, CHAIN, True),
    (given.NONZERO_WEIGHTS, KINK, False),
    (given.DIFFERENTIABLE, CHAIN, True),
    (given.DIFFERENTIABLE, KINK, False),
    (given.DIFFERENTIABLE, ASLEEP, False),
    (
        given.DIFFERENTIABLE,
        replace(KINK, network=KINK.network.with_activations({"h": LINEAR})),
        True,
    ),
    (given.DATA, CHAIN, True),
    (given.DATA, BIASED, True),  # what is held is no coordinate
    (given.DATA, case_of(net_of("x>o"), {"x>o": 1}, [(["5/4"], 1, 1)]), False),
    (given.DATA, case_of(net_of("x>o"), {"x>o": 1}, [([1], 2, 1)]), False),
    (given.LABELS, case_of(net_of("x>o"), {"x>o": 1}, [([2], -1, 1)]), True),
    (given.LABELS, case_of(net_of("x>o"), {"x>o": 1}, [([1], 0, 1)]), False),
    # both margins are 1
    (given.DIFFERENTIABLE_LOSS, LINE, False),
    (given.DIFFERENTIABLE_LOSS, replace(LINE, slopes=(Fraction(1),) * 2), True),
    (given.DIFFERENTIABLE_LOSS, LINE.with_weights([Fraction(2)]), False),
]
GIVEN = {id(one): one for one in vars(given).values() if isinstance(one, Given)}
TERMS = {one.name: one for one in GIVEN.values() if one is not given.ACTIVITIES_CONSTANT}


def said(one: Given, case: Case) -> set[Any]:
    """What the term says, by the engine in two arithmetics and by the checker."""
    claim = replace_hypotheses(one)
    answers: set[Any] = set()
    for arithmetic in (RATIONALS, DYADICS):
        try:
            scene = type(case).scene([case], arithmetic)
            entries = constant_entries(scene, [(0, {}, Fraction(0))])
            answers.add(bool(claim.test(scene, entries)[0]))
        except InexactError:  # of numbers that float64 does not have
            assert arithmetic is DYADICS
    slopes = with_slopes(case).choice.get("slopes_at_0", [])
    [found] = of_checker(one.holds, [replace(case, choice={"slopes_at_0": slopes})], {})
    assert found != MALFORMED
    answers.add(found is not NOTHING and bool(found))
    return answers


def replace_hypotheses(one: Given) -> Any:
    """The hypothesis that a claim makes of it."""
    from verify.language.building import Each, edges, w
    from verify.papers.lj22.sources import both
    from verify.statements.stated import stated

    says = Each(edges(), lambda e: w(e) == w(e))
    return stated("lj22.gflow", both(""), "", "", says, (one,)).hypotheses[0]


@pytest.mark.parametrize(("one", "case", "expected"), WORKED)
def test_by_hand(one: Given, case: Case, expected: bool) -> None:
    assert said(one, case) == {expected}


def test_each_is_worked_by_hand() -> None:
    assert {one.name for one, _, _ in WORKED} == TERMS.keys()


def test_the_checker_says_the_same_of_other_cases() -> None:
    compared = 0
    for hypothesis, case, expected in TABLE:
        if hypothesis.name in TERMS and "dormant" not in case.choice:  # it has slopes instead
            assert said(TERMS[hypothesis.name], case) == {expected}, hypothesis.name
            compared += 1
    assert compared > 15


def test_a_smooth_activation_has_no_two_slopes() -> None:
    smooth = replace(CHAIN, network=CHAIN.network.with_activations({"h": TANH}))
    scene = type(smooth).scene([CHAIN, smooth], RATIONALS)
    entries = constant_entries(scene, [(0, {}, Fraction(0)), (1, {}, Fraction(0))])
    [homogeneous] = [h for h in find("lj22.gflow").hypotheses if h.name.startswith("positively")]
    assert list(homogeneous.test(scene, entries)) == [True, False]
    repaired = homogeneous.repair(smooth, Random(1))
    assert repaired.network.homogeneous


def test_a_loss_with_a_name_is_one_loss() -> None:
    [one] = [h for h in find("lj22.gflow").hypotheses if h.name.startswith("differentiable loss")]
    assert one.break_ is None
    named = replace(LINE, loss="logistic", slopes=())
    scene = type(named).scene([named], RATIONALS)
    assert list(one.test(scene, constant_entries(scene, [(0, {}, Fraction(0))]))) == [True]
