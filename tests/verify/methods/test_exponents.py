"""Exponents: told apart from their rivals, seldom wrongly, and open where they cannot be told."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import log

import numpy as np
import pytest

from verify.core.budgets import budget_named
from verify.core.claim import Claim, Kind, Source
from verify.core.evidence import Outcome, evidence_from_json
from verify.core.negation import negation
from verify.core.verdict import Verdict, decide
from verify.kinds.statistics.exponents import FIRST, Exponents, Family, Predicted, vanishing
from verify.kinds.statistics.slopes import (
    Ladder,
    advice,
    logarithm,
    look,
    seeds_needed,
    slopes_of,
    width_needed,
)
from verify.methods.context import Context
from verify.methods.exponents import (
    ERROR,
    ERROR_CONTRADICTING,
    error_of,
    exponents,
    settled,
)
from verify.papers.registry import find
from verify.runs.fingerprint import claim_fingerprint
from verify.runs.tasks import tasks_for

SMOKE = Context(budget_named("smoke"))
LADDERS = ((8, 16, 32), (8, 16, 32, 64), (8, 16, 32, 64, 128))
HALF, QUARTER = Fraction(-1, 2), Fraction(-1, 4)
ABOVE = Predicted("v", HALF, above=QUARTER)  # the border is at -3/8
ALONG = Predicted("v", HALF, above=QUARTER, below=Fraction(-3, 4), along=True)  # and at -5/8


def power(exponent, logs=0.0, noise=0.05, law="normal"):
    """Values 3 m^exponent log^logs m with noise."""

    def values(width, seeds, generator):
        if law == "normal":
            draws = generator.normal(0, 1, seeds)
        elif law == "heavy":  # Student with 3 degrees: finite variance, no fourth moment
            draws = generator.standard_t(3, seeds)
        else:  # the logarithm of an exponential: a long tail downwards
            draws = np.log(generator.exponential(1, seeds))
        return {"v": 3 * width**exponent * log(width) ** logs * np.exp(noise * draws)}

    return values


def family(values, ladders=LADDERS, shared=""):
    return Family("powers", ladders, values, shared)


def claim_of(values, said=ABOVE, most=32, name="zlb22.thm3.6.x", shared="", **more):
    one = family(values, shared=shared, **more)
    measured = Exponents(lambda scale: (one,), (said,), (most,) * 3, ("noise",))
    source = Source("zlb22", "final", "nowhere")
    return Claim(name, Kind.RATE, source, "a rate", "$v$ falls", exponents=measured)


def outcome(values, said=ABOVE, most=32):
    return exponents(claim_of(values, said, most), SMOKE).outcome


# what decides ------------------------------------------------------------------------------------
def test_it_supports_on_the_predicted_side_and_leaves_the_other_open():
    assert outcome(power(-0.5)) is Outcome.SUPPORTS
    assert outcome(power(-2.0)) is Outcome.SUPPORTS  # one-sided from above
    against = exponents(claim_of(power(-0.25)), SMOKE)
    assert against.outcome is Outcome.INCONCLUSIVE
    assert "1 of 1 slopes are beyond a border (powers: v: -0.2" in against.summary
    assert "a factor (log m)^0." in against.summary
    near = exponents(claim_of(power(-0.375)), SMOKE)
    assert near.outcome is Outcome.INCONCLUSIVE
    assert "not told from a border" in near.summary


def test_an_exact_order_has_two_borders():
    both = Predicted("v", HALF, above=Fraction(0), below=Fraction(-1))
    assert both.borders == (Fraction(-3, 4), Fraction(-1, 4))
    assert outcome(power(-0.5), both) is Outcome.SUPPORTS
    assert outcome(power(-1.0), both) is Outcome.INCONCLUSIVE
    assert outcome(power(0.0), both) is Outcome.INCONCLUSIVE
    below = Predicted("v", Fraction(0), below=HALF)
    assert outcome(power(1.0), below) is Outcome.SUPPORTS
    assert outcome(power(-0.5), below) is Outcome.INCONCLUSIVE


def test_what_tends_to_0_is_told_from_what_does_not():
    assert vanishing("v").borders == (None, Fraction(-1, 16))
    assert outcome(power(-1 / 6), vanishing("v")) is Outcome.SUPPORTS
    assert outcome(power(0.0), vanishing("v")) is Outcome.INCONCLUSIVE
    assert "tends to 0" in vanishing("v").text()


def test_slopes_are_those_of_powers():
    widths = np.array([3.0, 10.0, 20.0])
    logs = np.log(np.stack([5 * widths**-0.5, widths**2]))
    assert slopes_of(widths, logs) == pytest.approx([-0.5, 2])


# how often it is wrong ---------------------------------------------------------------------------
LAWS = [("normal", 0.3), ("heavy", 0.15), ("exponential", 0.25)]


@pytest.mark.parametrize(("law", "noise"), LAWS)
@pytest.mark.parametrize("exponent", [-0.5, -0.25])
def test_it_is_seldom_wrong_on_either_side(law, noise, exponent):
    # 300 runs each at an error of 1 %: 10 or more wrong ones have probability below 0.001
    measured = claim_of(power(exponent, 0, noise, law), most=64).exponents
    seen = []
    for number in range(300):
        told = settled(measured, ladder_of(measured, number), 2, ERROR)
        seen.append(told[0].holds)
    wrong = exponent == -0.25
    assert sum(holds is wrong for holds in seen) < 10
    assert sum(holds is not wrong and holds is not None for holds in seen) > 200


@pytest.mark.parametrize(("law", "noise"), LAWS)
def test_at_the_border_itself_it_stays_open(law, noise):
    # a mean slope at the border is decided with at most the probability of error on both sides
    measured = claim_of(power(-0.375, 0, noise, law), most=32).exponents
    seen = [settled(measured, ladder_of(measured, n), 2, ERROR)[0].holds for n in range(300)]
    assert sum(holds is not None for holds in seen) < 10


# what contradicts ---------------------------------------------------------------------------------
@pytest.mark.parametrize("exponent", [-1.0, -0.25, 0.0])
def test_an_order_along_the_widths_is_contradicted_beyond_either_border(exponent):
    found = exponents(claim_of(power(exponent), ALONG), SMOKE)
    assert found.outcome is Outcome.CONTRADICTS
    assert "1 of 1 slopes are beyond a border (powers: v: " in found.summary
    assert "at all numbers of seeds, with probability 99.9%" in found.summary
    assert found.certificate is None
    assert negation(claim_of(power(exponent), ALONG)).startswith("It would be contradicted by")


def test_the_order_itself_is_supported_and_the_border_left_open():
    assert outcome(power(-0.5), ALONG) is Outcome.SUPPORTS
    assert outcome(power(-0.625, 0, 0.3), ALONG) is Outcome.INCONCLUSIVE


def test_bounds_from_one_side_and_limits_are_never_contradicted():
    for said in (ABOVE, vanishing("v"), replace(ALONG, along=False)):
        assert outcome(power(3.0, 0, 0.01), said) is Outcome.INCONCLUSIVE
    with pytest.raises(ValueError, match="a bound from one side"):
        replace(ABOVE, along=True)


def test_no_width_is_added_where_the_widths_at_hand_contradict():
    found = exponents(claim_of(power(-1.0, 0, 0.01), ALONG), SMOKE)
    assert found.scope[0] == "powers: widths 8, 16, 32, 16 seeds each"


@pytest.mark.parametrize(("law", "noise"), LAWS)
def test_what_holds_is_hardly_ever_contradicted(law, noise):
    # the worst case, a mean slope at the border; 400 runs at an error of 1/1000 for both sides
    # together: 5 or more wrong ones have probability below 0.0001
    measured = claim_of(power(-0.625, 0, noise, law), ALONG, most=128).exponents
    seen = [
        settled(measured, ladder_of(measured, n, 1), 1, ERROR_CONTRADICTING)[0].holds
        for n in range(400)
    ]
    assert sum(holds is False for holds in seen) < 5
    far = claim_of(power(-1.0, 0, noise, law), ALONG, most=128).exponents
    assert settled(far, ladder_of(far, 0, 1), 1, ERROR_CONTRADICTING)[0].holds is False


def test_a_prediction_that_may_be_contradicted_asks_for_a_smaller_error():
    both = Exponents(lambda scale: (), (ABOVE, replace(ALONG, quantity="w")))
    assert error_of(both) == ERROR_CONTRADICTING < error_of(claim_of(power(0)).exponents) == ERROR


def ladder_of(measured, number, scale=2):
    (one,) = measured.families(scale)

    def draw(width, before, count):
        return one.values(width, count, np.random.default_rng([number, width, before]))

    return Ladder(one, list(one.ladders[scale]), draw)


def test_where_a_width_may_be_added_each_ladder_has_half_of_the_error(monkeypatch):
    asked = set()

    def seen(ladder, said, error):
        asked.add(error)
        return look(ladder, said, error)

    monkeypatch.setattr("verify.methods.exponents.look", seen)
    measured = claim_of(power(-0.5, 0, 0.01)).exponents
    for wider, error in ((True, ERROR / 2), (False, ERROR)):
        asked.clear()
        settled(measured, ladder_of(measured, 1), 1, ERROR, wider=wider)
        assert asked == {error}


def test_a_logarithm_bends_the_slope_and_is_named():
    # m^(-1/2) log m has slope -0.21 along 8..128: the wrong side of the border at -3/8
    found = exponents(claim_of(power(-0.5, 1.0)), SMOKE)
    assert found.outcome is Outcome.INCONCLUSIVE
    measured = claim_of(power(-0.5, 1.0, 0.0)).exponents
    one = settled(measured, ladder_of(measured, 0), 2, ERROR)[0]
    assert logarithm(one) == pytest.approx(1.0)
    width = width_needed(one)
    scaled = [w * width / one.widths[-1] for w in one.widths]
    logs = np.array([[log(w**-0.5 * log(w)) for w in scaled]])
    halved = np.array([[log((w / 2) ** -0.5 * log(w / 2)) for w in scaled]])
    assert slopes_of(scaled, logs)[0] < -0.375 < slopes_of(np.array(scaled) / 2, halved)[0]
    assert f"beside m^(-1/2) would have this slope, and a ladder up to width {width:.0f}" in (
        advice(one)
    )


def test_a_slow_power_passes_for_a_logarithm_and_is_not_supported():
    # what no ladder tells apart stays open: m^(-1/4) is m^(-1/2) times some log^k along the widths
    found = exponents(claim_of(power(-0.25, 0, 0.01)), SMOKE)
    assert found.outcome is Outcome.INCONCLUSIVE


# how much is drawn -------------------------------------------------------------------------------
def test_it_stops_as_soon_as_it_knows():
    clear = claim_of(power(-0.5, 0, 0.01), most=64)
    assert "powers: widths 8, 16, 32, 16 seeds each" in exponents(clear, SMOKE).scope
    assert exponents(clear, SMOKE).instances == 3 * FIRST


def test_more_seeds_are_drawn_where_they_would_decide():
    found = exponents(claim_of(power(-0.5, 0, 0.2), most=128), SMOKE)
    assert found.outcome is Outcome.SUPPORTS
    assert found.instances > 3 * FIRST
    assert "widths 8, 16, 32," in found.scope[0]


def test_a_width_is_added_where_seeds_would_not_decide():
    found = exponents(claim_of(power(-0.375, 0, 0.2), most=16), SMOKE)
    assert "widths 8, 16, 32, 64, 16 seeds" in found.scope[0]
    # beyond the border along the first widths, and within it along one more
    bent = exponents(claim_of(lambda m, s, g: {"v": np.full(s, 1 / m + 1e-9 * m)}), SMOKE)
    assert bent.outcome is Outcome.SUPPORTS

    def late(width, seeds, generator):
        return {"v": np.full(seeds, width**-0.36 if width < 40 else width**-0.5)}

    turned = exponents(claim_of(late), SMOKE)
    assert turned.outcome is Outcome.SUPPORTS
    assert "widths 8, 16, 32, 64, 16 seeds" in turned.scope[0]


def test_how_many_seeds_are_needed_is_said():
    measured = claim_of(power(-0.42, 0, 0.3), most=16).exponents
    ladder = ladder_of(measured, 3)
    one = settled(measured, ladder, 2, ERROR)[0]
    assert one.holds is None
    needed = seeds_needed(one)
    assert 16 < needed < 4096
    assert f"about {needed} seeds" in advice(one)
    ladder.more_seeds(int(4 * needed))
    assert look(ladder, ABOVE, ERROR).holds is True


# what is drawn together --------------------------------------------------------------------------
def noisy(calls, width, seeds, generator):
    calls.append((width, seeds))
    return {"v": width**-0.5 * np.exp(generator.normal(0, 0.02, seeds))}


def test_claims_that_share_a_family_share_what_is_drawn(tmp_path):
    calls = []
    context = replace(SMOKE, kept=tmp_path)
    values = partial(noisy, calls)
    first = exponents(claim_of(values, shared="noisy"), context)
    drawn = len(calls)
    again = exponents(claim_of(values, name="zlb22.eq10.x", shared="noisy"), context)
    assert len(calls) == drawn
    assert first.figures == again.figures
    assert exponents(claim_of(values), context).figures != first.figures  # not shared
    assert len(calls) == 2 * drawn
    assert exponents(claim_of(values, shared="noisy"), SMOKE).figures == first.figures


def test_the_same_seed_gives_the_same_and_another_one_another():
    claim = claim_of(power(-0.5))
    assert exponents(claim, SMOKE).figures == exponents(claim, SMOKE).figures
    assert exponents(claim, replace(SMOKE, seed=1)).figures != exponents(claim, SMOKE).figures


def test_families_and_quantities_share_the_error_and_all_must_hold():
    def two(width, seeds, generator):
        return {
            "v": power(-0.5)(width, seeds, generator)["v"],
            "w": power(0.0)(width, seeds, generator)["v"],
        }

    said = (ABOVE, Predicted("w", Fraction(0), above=Fraction(1, 2), below=HALF))
    measured = Exponents(lambda scale: (family(two), replace(family(two), name="again")), said)
    claim = replace(claim_of(two), exponents=measured)
    found = exponents(claim, SMOKE)
    assert found.outcome is Outcome.SUPPORTS
    assert found.summary.startswith("all 4 slopes lie on the predicted side (at most -1/2 against")
    both = replace(measured, predicted=(ABOVE, replace(said[1], quantity="v")))
    assert exponents(replace(claim, exponents=both), SMOKE).outcome is Outcome.INCONCLUSIVE
    missing = replace(measured, predicted=(*said, replace(ABOVE, quantity="u")))
    with pytest.raises(ValueError, match="no family measures 'u'"):
        exponents(replace(claim, exponents=missing), SMOKE)


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf])
def test_a_value_without_a_logarithm_leaves_it_open(bad):
    found = exponents(claim_of(lambda m, s, g: {"v": np.full(s, bad)}), SMOKE)
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "powers: v is not positive" in found.summary
    assert not found.plots


# how it is shown and registered ------------------------------------------------------------------
def test_figures_and_plot_tell_slopes_ends_and_what_is_predicted():
    found = exponents(claim_of(power(-0.5, 0, 0.0)), SMOKE)
    assert found.figures["powers: v, slope"].startswith("-0.500 (-0.500 to -0.500); last two")
    ends = found.figures["powers: v over m^(-1/2), first to last width"]
    assert ends.startswith("3 to 3, 1.44 to 0.866 over log m")
    (plot,) = found.plots
    assert [curve.name for curve in plot.curves] == ["powers: v", "predicted, m^(-1/2)"]
    assert plot.curves[0].y == pytest.approx(plot.curves[1].y)
    assert evidence_from_json(found.to_json()) == found


def test_it_is_a_task_of_such_claims_alone_and_nothing_refutes_them():
    claim = claim_of(power(-0.5))
    assert [task.method for task in tasks_for(claim, "ci", 0, "cpu")] == ["exponents"]
    assert negation(claim).startswith("Nothing refutes it")
    assert exponents(find("lj22.lemma2a"), SMOKE) is None
    assert decide(claim, []).verdict is Verdict.NOT_RUN
    assert decide(claim, [exponents(claim, SMOKE)]).verdict is Verdict.SUPPORTED
    open_ = exponents(claim_of(power(0.0)), SMOKE)
    assert decide(claim, [open_]).verdict is Verdict.OPEN


def test_the_fingerprint_knows_what_is_predicted_and_measured():
    claim = claim_of(power(-0.5))
    others = [
        replace(claim, exponents=replace(claim.exponents, predicted=(vanishing("v"),))),
        replace(claim, exponents=replace(claim.exponents, most=(8, 8, 8))),
        replace(claim, exponents=replace(claim.exponents, families=lambda scale: ())),
    ]
    assert len({claim_fingerprint(each) for each in (claim, *others)}) == 4


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: family(power(0), ((8, 16), *LADDERS[1:])), "three increasing widths"),
        (lambda: family(power(0), ((1, 8, 16), *LADDERS[1:])), "three increasing widths"),
        (lambda: Predicted("v", HALF), "nothing competes"),
        (lambda: Predicted("v", HALF, above=Fraction(-1)), "not above"),
        (lambda: Predicted("v", HALF, below=Fraction(0)), "not below"),
        (lambda: Exponents(lambda scale: (), ()), "nothing is predicted"),
        (lambda: Exponents(lambda scale: (), (ABOVE,), (4, 8, 8)), "at least 8 seeds"),
    ],
)
def test_what_makes_no_sense_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
