"""Rates: slopes of exact powers, intervals that cover, and fits that support or leave open."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.core.budgets import budget_named
from verify.core.claim import Claim, Kind, Source
from verify.core.evidence import Outcome, evidence_from_json
from verify.core.negation import negation
from verify.core.verdict import Verdict, decide
from verify.kinds.statistics.rate import Claimed, Fit, Rate
from verify.methods.context import Context
from verify.methods.rates import fitted, rates
from verify.papers.registry import find
from verify.runs.tasks import tasks_for

SMOKE = Context(budget_named("smoke"))
LADDER = (4, 8, 16, 32)


def roots(size, count, generator):
    """3 sqrt(n), up to a few per cent."""
    return {"v": 3 * size**0.5 * np.exp(generator.normal(0, 0.02, count))}


def claim_of(said, samples=roots, ladder=LADDER, seeds=6):
    rate = Rate("n", (ladder,) * 3, (seeds,) * 3, samples, (said,), ("noise",))
    source = Source("j23", "final", "nowhere")
    return Claim("j23.rates", Kind.RATE, source, "a rate", "$v$ is of order $n^{1/2}$", rate=rate)


def said(low, high, **more):
    return Claimed("v", low and Fraction(low), high and Fraction(high), **more)


@given(st.fractions(-3, 3), st.floats(0.1, 10), st.integers(2, 5))
def test_the_exponent_of_a_power_is_found(exponent, factor, seeds):
    sizes = np.array(LADDER, dtype=float)
    values = np.log(np.outer(factor * sizes ** float(exponent), np.ones(seeds)))
    found = fitted(sizes, values, said("0", "0"))
    assert found.slope == pytest.approx(float(exponent), abs=1e-9)
    assert found.low == pytest.approx(found.high, abs=1e-9)


def test_growth_is_the_logarithm_of_the_factor():
    sizes = np.array([1.0, 2.0, 3.0, 5.0])
    values = np.log(np.outer(7 * 3.0**sizes, np.ones(2)))
    found = fitted(sizes, values, said("0", "0", fit=Fit.EXPONENTIAL))
    assert found.slope == pytest.approx(np.log(3))


def test_a_correction_that_falls_is_not_taken_for_a_slope():
    sizes = np.array([10.0, 20.0, 40.0, 80.0, 160.0])
    values = np.log(np.outer(sizes**-0.5 * np.exp(2 / sizes**0.5), np.ones(2)))
    plain = fitted(sizes, values, said("0", "0"))
    mended = fitted(sizes, values, said("0", "0", correction=Fraction(1, 2)))
    assert abs(plain.slope + 0.5) > 0.05
    assert mended.slope == pytest.approx(-0.5)


def test_intervals_cover_as_often_as_they_say():
    generator = np.random.default_rng(1)
    sizes = np.array(LADDER, dtype=float)
    hits = 0
    for _ in range(400):
        values = generator.normal(0, 0.5, (4, 5)) + np.log(sizes)[:, None]
        found = fitted(sizes, values, said("1", "1"))
        hits += found.low <= 1 <= found.high
    assert 386 <= hits <= 400


@pytest.mark.parametrize(
    ("range_", "outcome"),
    [
        (said("1/2", "1/2", allowance=Fraction(1, 10)), Outcome.SUPPORTS),
        (said("1/4", None), Outcome.SUPPORTS),
        (said(None, "1"), Outcome.SUPPORTS),
        (said("0", "1"), Outcome.SUPPORTS),
        (said("1/2", "1/2"), Outcome.INCONCLUSIVE),  # an interval is no point
        (said("3/4", None), Outcome.INCONCLUSIVE),
        (said(None, "1/4"), Outcome.INCONCLUSIVE),
    ],
)
def test_it_supports_where_the_interval_lies_in_the_range_and_never_refutes(range_, outcome):
    claim = claim_of(range_)
    found = rates(claim, SMOKE)
    assert found.outcome is outcome
    assert found.instances == 24
    assert ("claimed is" in found.summary) is (outcome is Outcome.INCONCLUSIVE)
    verdict = decide(claim, [found]).verdict
    assert verdict is (Verdict.SUPPORTED if outcome is Outcome.SUPPORTS else Verdict.OPEN)
    assert evidence_from_json(found.to_json()) == found


@pytest.mark.parametrize("bad", [0.0, -1.0, float("nan"), float("inf")])
def test_a_value_without_a_logarithm_leaves_it_open(bad):
    claim = claim_of(said("0", None), lambda n, count, generator: {"v": np.full(count, bad)})
    found = rates(claim, SMOKE)
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "not positive" in found.summary


def test_the_same_seed_gives_the_same_fit_and_another_one_another():
    claim = claim_of(said("0", None))
    first, again = rates(claim, SMOKE), rates(claim, SMOKE)
    assert first.figures == again.figures
    other = rates(claim, replace(SMOKE, seed=1))
    assert other.figures["v, exponent"] != first.figures["v, exponent"]


def test_there_is_a_plot_with_a_curve_for_each_quantity():
    (plot,) = rates(claim_of(said("0", None)), SMOKE).plots
    assert plot.x_log
    assert plot.y_log
    assert [curve.name for curve in plot.curves] == ["v"]
    assert plot.curves[0].x == tuple(map(float, LADDER))


def test_it_is_a_task_of_such_claims_alone_and_nothing_refutes_them():
    claim = claim_of(said("0", None))
    assert [task.method for task in tasks_for(claim, "ci", 0, "cpu")] == ["rates"]
    assert negation(claim).startswith("Nothing refutes it")
    assert rates(find("lj22.lemma2a"), SMOKE) is None
    assert decide(claim, []).verdict is Verdict.NOT_RUN


@pytest.mark.parametrize("ladder", [(1, 2), (1, 1, 2), (3, 2, 1)])
def test_a_ladder_rises(ladder):
    with pytest.raises(ValueError, match="increasing"):
        claim_of(said("0", None), ladder=ladder)


def test_one_seed_has_no_interval_and_nothing_is_no_claim():
    with pytest.raises(ValueError, match="two seeds"):
        claim_of(said("0", None), seeds=1)
    with pytest.raises(ValueError, match="nothing is claimed"):
        said(None, None)


def test_logarithms_may_be_of_numbers_too_large_for_floats():
    claim = claim_of(said("2", "2", allowance=Fraction(1, 100)))
    rate = replace(
        claim.rate,
        samples=lambda n, count, generator: {"v": np.full(count, 2 * np.log(n) + 10**6)},
        logarithms=True,
    )
    found = rates(replace(claim, rate=rate), SMOKE)
    assert found.outcome is Outcome.SUPPORTS
    assert not found.plots[0].y_log
