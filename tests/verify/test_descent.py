"""Gradient descent of scenes: against plain iteration, and the same in every arithmetic."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import assume, given, settings

from graphs.activations import RELU, TANH
from graphs.errors import NotRationalError
from numerics.enclosures import Balls
from tests.verify.as_hypothesis import as_hypothesis
from tests.verify.drawn_cases import case_of, drawn_cases, exact_scene, fractions, net_of
from verify.cases.descent import (
    derivative,
    loss_of,
    polynomial,
    rate_of,
    rates_of,
    slope_rows,
    told,
)
from verify.cases.pool import Pool
from verify.cases.prescribing import follow, gradient_of, prescribe
from verify.cases.scenes import scene_of
from verify.cases.smaller import changes, fewer_examples, size
from verify.cases.step_changes import chosen_numbers, fewer_steps
from verify.cases.step_choices import choose_steps
from verify.cases.transformations import with_one_loss
from verify.core.entries import constant_entries
from verify.statements.descent_hypotheses import ONE_LOSS


def stepped(case):
    return choose_steps(case, Random(str(case.weights)))


@given(drawn_cases())
@settings(max_examples=40, deadline=None)
def test_descents_are_plain_iterations(case):
    case = stepped(case)
    descent = exact_scene(case).descent
    rows, rates = slope_rows(case), rates_of(case)
    assert len(descent.rates) == len(rates) == int(descent.counts[0])
    weights = case.weights
    for step, rate in enumerate(rates):
        edges = case.network.edge_weights(weights)
        assert fractions(descent.at(step).weights) == list(edges)
        here = replace(case, weights=weights, slopes=tuple(rows[step]))
        gradient = gradient_of(here)
        own = case.network.parameter_of
        found = fractions(descent.at(step).risk_gradient)
        assert found == [gradient[p] if p >= 0 else 0 for p in own]
        weights = tuple(w - rate * d for w, d in zip(weights, gradient, strict=True))
    assert fractions(end_of(descent)) == list(case.network.edge_weights(weights))
    visited = follow(case, lambda step, _: rows[step], lambda step, _: rates[step], len(rates))
    assert visited[-1][0].weights == weights


@given(drawn_cases(n=2), drawn_cases(n=2))
@settings(max_examples=25, deadline=None)
def test_a_batch_is_its_cases_and_shorter_descents_rest(one, other):
    cases = [stepped(one), stepped(other)]
    together = exact_scene(*cases).descent
    offset = 0
    for number, case in enumerate(cases):
        alone = exact_scene(case).descent
        count = case.network.edge_count
        assert fractions(end_of(together))[offset : offset + count] == fractions(end_of(alone))
        assert together.counts[number] == len(rates_of(case))
        offset += count


@given(drawn_cases(zero=False))
@settings(max_examples=25, deadline=None)
def test_balls_enclose_the_exact_descent(case):
    case = stepped(case)
    exact, balls = exact_scene(case).descent, scene_of([case], Balls()).descent
    for step in range(len(balls.rates)):
        assume(not balls.at(step).evaluation.kinks.any())
    middle, radius = end_of(balls).to_numpy()
    for value, m, r in zip(fractions(end_of(exact)), middle, radius, strict=True):
        assert abs(value - Fraction(float(m))) <= Fraction(float(r))


def end_of(descent):
    """w(t + 1)."""
    return descent.at(len(descent.rates)).weights


def test_named_losses_are_prescribed_at_every_step():
    case = case_of(net_of("x>o"), {"x>o": 0}, [([1], 1, 1), ([1], 1, 1)], eta=["1/4", "1/4"])
    case = replace(case, loss="squared", slopes=())
    fixed = prescribe(case)
    # l' = 2 (z - 1): -2 at 0; the weight is 1/2 then, where it is -1; then 3/4
    assert fixed.slopes == (-2, -2)
    assert fixed.choice["slopes"] == [["-1", "-1"]]
    assert fractions(end_of(exact_scene(fixed).descent)) == [Fraction(3, 4)]
    assert fractions(end_of(exact_scene(case).descent)) == [Fraction(3, 4)]
    logistic = prescribe(replace(case, loss="logistic"))
    assert logistic.slopes == (Fraction(-1, 2),) * 2
    assert len(logistic.choice["slopes"]) == 1


def test_polynomials_and_step_sizes_from_constants():
    case = case_of(net_of("x>o"), {"x>o": 1}, [([1], -1, 4)], loss=["1", "0", "2"], eta=["2"])
    assert (rate_of(Fraction(0)), rate_of(Fraction(3))) == (1, Fraction(1, 3))
    assert rates_of(case) == [2]
    assert polynomial(loss_of(case), Fraction(3)) == 19
    assert derivative(loss_of(case)) == [0, 4]


def test_networks_without_exact_values_are_refused():
    net = net_of("x>h h>o", {"h": TANH})
    case = case_of(net, {"x>h": 1, "h>o": 1}, [([1], 1, 1)], eta=["1"])
    with pytest.raises(NotRationalError):
        follow(case, lambda *_: [Fraction(1)], lambda *_: Fraction(1), 1)


def test_smaller_descents_keep_what_belongs_together():
    case = case_of(
        net_of("x>h h>o", {"h": RELU}),
        {"x>h": 1, "h>o": 2},
        [([1], 1, 1), ([-1], 1, 3)],
        eta=["1/2", "1/4", "1"],
        slopes=[["1", "2"], ["3", "4"]],
    )
    [shorter] = fewer_steps(case)
    assert shorter.choice == {"eta": ["1/2", "1/4"], "slopes": [["1", "2"]]}
    first, second = fewer_examples(case)
    assert first.choice["slopes"] == [["2"], ["4"]]
    assert second.choice["slopes"] == [["1"], ["3"]]
    assert size(shorter) < size(case)
    assert chosen_numbers(case)["slopes 1"] == (3, 4)
    plain = [c.choice for c in changes(case)]
    assert any(choice["eta"] == ["1", "1/4", "1"] for choice in plain)
    assert any(choice.get("slopes") == [["1", "2"], ["3", "1"]] for choice in plain)
    assert chosen_numbers(case_of(net_of("x>o"), {"x>o": 1}, [([1], 1, 1)], a="1/2")) == {}


def test_a_step_without_slopes_ends_what_is_told():
    case = case_of(net_of("x>o"), {"x>o": 1}, [([1], 1, 1)], eta=["1", "1", "1"])
    for slopes, steps in (([], 1), ([["1"]], 2), ([[], ["1"]], 1), ([["1"], ["1"]], 3)):
        assert told(case.choosing(slopes=slopes)) == steps
    assert told(replace(case, loss="squared", slopes=())) == 3


def test_one_loss_for_all_steps():
    # nothing moves with step size 0: equal margins at both steps
    case = case_of(net_of("x>o", {}), {"x>o": 1}, [([1], 1, 1)], eta=["0", "0"])
    one = as_hypothesis(ONE_LOSS, Pool())
    for slopes, expected in (([["1"]], True), ([["2"]], False), ([], False), ([["1", "1"]], False)):
        found = exact_scene(case.choosing(slopes=slopes))
        entries = constant_entries(found, [(0, {}, 0)])
        assert one.test(found, entries).tolist() == [expected], slopes
    assert with_one_loss(case.choosing(slopes=[["2"]])).choice["slopes"] == [["1"]]
