"""Contrasts: what slopes say where one hypothesis is dropped, on quantities of known exponents."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from verify.cases.hypotheses import Hypothesis, by_case
from verify.core.budgets import budget_named
from verify.core.claim import Claim, Kind, Source
from verify.core.evidence import Need, Outcome, evidence_from_json
from verify.core.verdict import Verdict, decide
from verify.kinds.statistics.contrasts import needs_of
from verify.kinds.statistics.exponents import Contrast, Exponents, Family, Predicted
from verify.methods.context import Context
from verify.methods.exponents import contrasted, exponents
from verify.runs.fingerprint import claim_fingerprint

SMOKE = Context(budget_named("smoke"))
WIDTHS = (8, 16, 32, 64)
SAID = Predicted("v", Fraction(-1, 2), above=Fraction(-1, 4))  # the border is at -3/8
NAMES = ("first", "second", "third")
HYPOTHESES = tuple(Hypothesis(name, f"${name}$", by_case(bool)) for name in NAMES)


def family(exponent, name="family", noise=0.02, quantity="v"):
    def values(width, seeds, generator):
        return {quantity: width**exponent * np.exp(noise * generator.normal(0, 1, seeds))}

    return Family(name, (WIDTHS[:3], WIDTHS[:3], WIDTHS), values)


def contrast(exponent, hypothesis="first", how="it is broken", **more):
    return Contrast(family(exponent, f"{hypothesis} {how}", **more), hypothesis, how)


def claim_of(*contrasts, exponent=-0.5, said=(SAID,)):
    measured = Exponents(lambda scale: (family(exponent),), said)
    if contrasts:
        measured = replace(measured, contrasts=lambda scale: contrasts)
    source = Source("zlb22", "final", "nowhere")
    return Claim(
        "zlb22.thm3.6.x", Kind.RATE, source, "", "$v$ falls", HYPOTHESES, exponents=measured
    )


def needs(*contrasts, **more):
    return exponents(claim_of(*contrasts, **more), SMOKE).needs


# what is said ------------------------------------------------------------------------------------
def test_needed_not_seen_and_not_told():
    found = needs(
        contrast(0.0, "second"), contrast(-0.5, "first"), contrast(-0.375, "third", noise=0.3)
    )
    assert [(need.hypothesis, need.needed) for need in found] == [
        ("second", True),
        ("first", False),
        ("third", False),
    ]
    assert all(need.measured and need.case is None for need in found)
    needed, within, open_ = (need.text for need in found)
    assert needed.startswith("it is broken (v has the slope 0.0")
    assert "beyond a border; widths 8, 16, 32, 16 seeds)" in needed
    assert within.startswith("none found: it is broken (v has the slope -0.5")
    assert "on the predicted side still" in within
    assert open_.startswith("not told: ")
    assert "not told from a border" in open_


def test_one_family_beyond_a_border_is_enough_and_all_are_told():
    (need,) = needs(contrast(-0.5, how="mildly", noise=0.0), contrast(0.25, how="badly", noise=0.0))
    assert need.needed
    assert "mildly (v has the slope -0.500 (-0.500 to -0.500), on" in need.text
    assert "badly (v has the slope 0.250" in need.text
    (need,) = needs(contrast(-0.5, how="mildly"), contrast(-0.375, how="at it", noise=0.3))
    assert not need.needed
    assert need.text.startswith("not told: ")


def test_what_falls_beyond_a_lower_border_is_told_too():
    exact = Predicted("v", Fraction(-1, 2), above=Fraction(0), below=Fraction(-1))
    (need,) = needs(contrast(-1.0), said=(exact,))
    assert need.needed


def test_a_value_without_a_logarithm_tells_nothing():
    broken = replace(contrast(0.0).family, values=lambda m, s, g: {"v": np.zeros(s)})
    (need,) = needs(Contrast(broken, "first", "zero"))
    assert not need.needed
    assert need.text.startswith("not told: ")


# what it leaves alone ----------------------------------------------------------------------------
@pytest.mark.parametrize("exponent", [-0.5, 0.0])
def test_the_claim_is_measured_and_judged_as_without(exponent):
    alone = exponents(claim_of(exponent=exponent), SMOKE)
    both = claim_of(contrast(0.0), contrast(-0.5, "second"), exponent=exponent)
    found = exponents(both, SMOKE)
    assert found.outcome is alone.outcome
    assert found.figures == alone.figures
    assert found.instances == alone.instances
    assert found.summary.startswith(alone.summary)
    assert found.scope == alone.scope
    assert decide(both, [found]).verdict is decide(both, [alone]).verdict
    assert not alone.needs
    supported = Verdict.SUPPORTED if exponent else Verdict.OPEN
    assert decide(both, [found]).verdict is supported


def test_it_is_shown_in_the_summary_and_a_plot_of_its_own():
    found = exponents(claim_of(contrast(0.0), contrast(-0.5, "second")), SMOKE)
    assert found.outcome is Outcome.SUPPORTS
    assert found.summary.endswith(
        "Dropped one at a time, on 2 families whose intervals hold together with probability 99%: "
        "1 of 2 hypotheses is seen to be needed, by a slope beyond a border."
    )
    own, dropped = found.plots
    assert own.title == "values along the widths"
    assert dropped.title == "values along the widths, a hypothesis dropped"
    assert [curve.name for curve in dropped.curves][:2] == [
        "first it is broken: v",
        "second it is broken: v",
    ]
    assert evidence_from_json(found.to_json()) == found


# how much is drawn, how often it is wrong --------------------------------------------------------
def test_no_width_is_added_and_it_stops_beyond_a_border():
    ((_, told),) = contrasted(claim_of(contrast(0.0)), SMOKE)
    assert told[0].widths == WIDTHS[:3]
    assert len(told[0].logs) == 16


def test_contrasts_share_an_error_of_their_own():
    one = contrasted(claim_of(contrast(0.0)), SMOKE)[0][1][0]
    two = contrasted(claim_of(contrast(0.0), contrast(0.0, "second")), SMOKE)[0][1][0]
    assert one.error == 0.01
    assert two.error == 0.005
    assert two.high - two.low > one.high - one.low


def test_at_the_border_it_is_seldom_told():
    claim = claim_of(contrast(-0.375, noise=0.3))
    seen = [contrasted(claim, replace(SMOKE, seed=n))[0][1][0].holds for n in range(200)]
    assert sum(holds is not None for holds in seen) < 8


# what makes no sense -----------------------------------------------------------------------------
def test_a_hypothesis_that_the_claim_has_not_is_refused():
    with pytest.raises(ValueError, match="no hypothesis 'fourth' to drop"):
        exponents(claim_of(contrast(0.0, "fourth")), SMOKE)


def test_a_family_that_measures_something_else_is_refused():
    with pytest.raises(ValueError, match="measures nothing that is predicted"):
        exponents(claim_of(contrast(0.0, quantity="u")), SMOKE)


def test_without_contrasts_nothing_is_said():
    assert needs_of([]) == ()
    found = exponents(claim_of(), SMOKE)
    assert found.needs == ()
    assert len(found.plots) == 1


def test_older_records_have_needs_by_cases():
    assert not Need("first", True, "a case").measured


def test_the_fingerprint_knows_the_contrasts():
    plain, other = claim_of(contrast(0.0)), claim_of(contrast(0.0))
    silent = claim_of()
    assert claim_fingerprint(plain) == claim_fingerprint(other) != claim_fingerprint(silent)
