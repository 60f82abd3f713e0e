"""Sampling: it decides as the mean lies, shares its error among settings, and refutes nothing; it
contradicts by an interval that is seldom wrong."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from verify.core.budgets import budget_named
from verify.core.claim import Claim, Kind, Source
from verify.core.evidence import Outcome
from verify.core.negation import negation
from verify.core.verdict import Verdict, decide
from verify.kinds.statistics.sampling import FIRST, Arm, Relation, Sampled
from verify.methods.context import Context
from verify.methods.sampling import (
    AGAINST,
    ERROR,
    contradicted,
    interval,
    look,
    sampling,
    supported,
)
from verify.papers.registry import find
from verify.runs.fingerprint import claim_fingerprint
from verify.runs.tasks import tasks_for

SMOKE = Context(budget_named("smoke"), 0, "cpu")


def normal(mean: float, spread: float = 1.0) -> Arm:
    return Arm(f"mean {mean}", lambda count, generator: generator.normal(mean, spread, count))


def claim_of(*arms: Arm, relation: Relation = Relation.AT_LEAST, resolution: float = 0.1, most=64):
    sampled = Sampled("the mean", lambda scale: arms, relation, resolution, (most, most, most))
    source = Source("dkbhl20", "final", "nowhere")
    return Claim("dkbhl20.thm14.x", Kind.EXPECTATION, source, "a mean", "$E$", sampled=sampled)


def outcome(claim: Claim) -> Outcome:
    return sampling(claim, SMOKE).outcome


def test_it_supports_what_lies_above_and_contradicts_what_lies_below():
    assert outcome(claim_of(normal(3), normal(5))) is Outcome.SUPPORTS
    assert outcome(claim_of(normal(3), normal(-3))) is Outcome.CONTRADICTS
    assert outcome(claim_of(normal(3), normal(0))) is Outcome.INCONCLUSIVE
    against = sampling(claim_of(normal(3), normal(-3)), SMOKE)
    assert "is not at least 0 in 1 of 2 settings (mean -3" in against.summary
    near = sampling(claim_of(normal(3), normal(0)), SMOKE)
    assert "1 of 2 settings are not decided (mean 0" in near.summary


def test_a_mean_of_0_is_told_to_its_resolution():
    zero = {"relation": Relation.ZERO, "most": 256}
    assert outcome(claim_of(normal(0, 0.1), **zero)) is Outcome.SUPPORTS
    assert outcome(claim_of(normal(0, 10), **zero)) is Outcome.INCONCLUSIVE
    assert outcome(claim_of(normal(0.05, 0.01), **zero)) is Outcome.INCONCLUSIVE  # within it
    assert outcome(claim_of(normal(0.5, 0.1), **zero)) is Outcome.CONTRADICTS
    assert outcome(claim_of(normal(-0.5, 0.1), **zero)) is Outcome.CONTRADICTS
    with pytest.raises(ValueError, match="resolution is missing"):
        claim_of(normal(0), relation=Relation.ZERO, resolution=0.0)


def test_it_stops_as_soon_as_it_knows_and_draws_no_more_than_allowed():
    generator = np.random.default_rng(0)
    sampled = claim_of().sampled
    assert look(sampled, normal(30), generator, 64, 1).count == FIRST
    assert look(sampled, normal(0), generator, 50, 1).count == 50
    assert look(sampled, normal(1), generator, 4096, 1).holds is True


@pytest.mark.parametrize(("mean", "wrong"), [(0.3, False), (-0.3, True)])
def test_it_is_seldom_wrong_on_either_side(mean, wrong):
    # 400 runs of one setting each: the error is 1 %, 12 or more have probability below 0.001
    sampled = claim_of(most=512).sampled
    seen = [
        look(sampled, normal(mean), np.random.default_rng([7, seed]), 512, 1).holds
        for seed in range(400)
    ]
    assert sum(holds is wrong for holds in seen) < 12
    assert sum(holds is not None for holds in seen) > 300  # and mostly decides


def test_settings_share_the_error():
    values = np.random.default_rng(1).normal(1, 1, FIRST)
    drawn = Arm("drawn", lambda count, generator: values[:count])
    sampled = claim_of(most=FIRST).sampled
    alone = look(sampled, drawn, np.random.default_rng(0), FIRST, 1)
    shared = look(sampled, drawn, np.random.default_rng(0), FIRST, 20)
    assert shared.low < alone.low < alone.high < shared.high
    assert (ERROR, AGAINST) == (0.01, 0.001)


def test_what_is_no_number_decides_nothing():
    for bad in (np.nan, np.inf):
        arm = Arm("bad", lambda count, generator, bad=bad: np.full(count, bad))
        assert outcome(claim_of(arm)) is Outcome.INCONCLUSIVE


@pytest.mark.parametrize(
    ("low", "high", "supports", "contradicts"),
    [
        (-0.05, 0.02, True, False),
        (-0.05, 0.2, False, False),
        (0.01, 0.02, False, False),  # not 0, and not further from it than the resolution
        (0.11, 0.2, False, True),
        (-0.2, -0.11, False, True),
    ],
)
def test_an_interval_around_0_may_lie_on_either_side(low, high, supports, contradicts):
    sampled = claim_of(relation=Relation.ZERO).sampled
    assert supported(sampled, low, high) is supports
    assert contradicted(sampled, low, high) is contradicts


@pytest.mark.parametrize("mean", [0.0, 0.05])
def test_what_is_true_is_contradicted_as_seldom_as_it_says(mean):
    # the worst true means: 0 for "at least 0"; an error of 1/10 in place of 1/1000, so that 400
    # runs tell: 40 are expected at most, 66 have probability below 1e-4
    sampled = claim_of(most=256).sampled
    against = 0
    for seed in range(400):
        generator = np.random.default_rng([11, seed])
        values = generator.normal(mean, 1, 256)
        looks = [interval(sampled, values[:count], 100 * AGAINST) for count in (8, 16, 64, 256)]
        against += any(contradicted(sampled, *look) for look in looks)
    assert against < 66


@pytest.mark.parametrize("share", [0.02, 0.5])
def test_bounded_draws_are_contradicted_as_seldom_whatever_their_law(share):
    # draws of 0 and 1 of this mean, said to have it at least: skewed ones too
    sampled = replace(claim_of(most=256).sampled, bounds=(-share, 1 - share))

    @cache
    def against(count, ones):  # in whatever order they were drawn
        values = np.repeat([1 - share, -share], [ones, count - ones])
        return contradicted(sampled, *interval(sampled, values, 100 * AGAINST))

    wrong = 0
    for seed in range(400):
        drawn = np.random.default_rng([12, seed]).random(256) < share
        wrong += any(against(count, int(drawn[:count].sum())) for count in (8, 16, 64, 256))
    assert wrong < 66


def test_equal_values_contradict_only_between_bounds():
    below = Arm("below", lambda count, generator: np.full(count, -0.5))
    assert outcome(claim_of(below)) is Outcome.INCONCLUSIVE
    bounded = claim_of(below)
    bounded = replace(bounded, sampled=replace(bounded.sampled, bounds=(-0.5, 0.5)))
    assert outcome(bounded) is Outcome.CONTRADICTS


def test_what_stands_for_a_limit_is_left_open():
    claim = claim_of(normal(-3))
    open_one = replace(claim, sampled=replace(claim.sampled, stands_for="a limit"))
    found = sampling(open_one, SMOKE)
    assert found.outcome is Outcome.INCONCLUSIVE
    assert found.summary.endswith("which stands for a limit.")
    assert "probability of 0.001" in sampling(claim, SMOKE).summary


def test_it_is_a_task_of_such_claims_alone_and_nothing_refutes_them():
    claim = claim_of(normal(1))
    assert [task.method for task in tasks_for(claim, "ci", 0, "cpu")] == ["sampling"]
    assert negation(claim).startswith("Nothing refutes it")
    assert sampling(find("lj22.lemma2a"), SMOKE) is None
    assert decide(claim, []).verdict is Verdict.NOT_RUN
    assert decide(claim, [sampling(claim_of(normal(3)), SMOKE)]).verdict is Verdict.SUPPORTED


def test_the_fingerprint_knows_what_is_sampled():
    claim = claim_of(normal(1))
    other = replace(claim, sampled=replace(claim.sampled, quantity="another mean"))
    finer = replace(claim, sampled=replace(claim.sampled, resolution=0.01))
    bounded = replace(claim, sampled=replace(claim.sampled, bounds=(-9.0, 9.0)))
    stands = replace(claim, sampled=replace(claim.sampled, stands_for="a limit"))
    assert len({claim_fingerprint(each) for each in (claim, other, finer, bounded, stands)}) == 5


def test_the_same_seed_draws_the_same():
    claim = claim_of(normal(0))
    first, again = sampling(claim, SMOKE), sampling(claim, SMOKE)
    assert first.figures == again.figures
    assert sampling(claim, replace(SMOKE, seed=1)).figures != first.figures
