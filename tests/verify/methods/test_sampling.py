"""Sampling: it decides as the mean lies, shares its error among settings, and refutes nothing."""

from dataclasses import replace

import numpy as np
import pytest

from verify.claim import Claim, Kind, Source
from verify.evidence import Outcome
from verify.fingerprint import claim_fingerprint
from verify.methods.context import Context
from verify.methods.sampling import ERROR, decided, look, sampling
from verify.negation import negation
from verify.registry import find
from verify.runs.budgets import budget_named
from verify.runs.tasks import tasks_for
from verify.sampling import FIRST, Arm, Relation, Sampled
from verify.verdict import Verdict, decide

SMOKE = Context(budget_named("smoke"), 0, "cpu")


def normal(mean: float, spread: float = 1.0) -> Arm:
    return Arm(f"mean {mean}", lambda count, generator: generator.normal(mean, spread, count))


def claim_of(*arms: Arm, relation: Relation = Relation.AT_LEAST, resolution: float = 0.1, most=64):
    sampled = Sampled("the mean", lambda scale: arms, relation, resolution, (most, most, most))
    source = Source("dkbhl20", "final", "nowhere")
    return Claim("dkbhl20.thm14.x", Kind.EXPECTATION, source, "a mean", "$E$", sampled=sampled)


def outcome(claim: Claim) -> Outcome:
    return sampling(claim, SMOKE).outcome


def test_it_supports_what_lies_above_and_leaves_open_what_lies_below_or_near():
    assert outcome(claim_of(normal(3), normal(5))) is Outcome.SUPPORTS
    assert outcome(claim_of(normal(3), normal(-3))) is Outcome.INCONCLUSIVE
    assert outcome(claim_of(normal(3), normal(0))) is Outcome.INCONCLUSIVE
    against = sampling(claim_of(normal(3), normal(-3)), SMOKE)
    assert "is not at least 0 in 1 of 2 settings (mean -3" in against.summary
    near = sampling(claim_of(normal(3), normal(0)), SMOKE)
    assert "1 of 2 settings are not decided (mean 0" in near.summary


def test_a_mean_of_0_is_told_to_its_resolution():
    zero = {"relation": Relation.ZERO, "most": 256}
    assert outcome(claim_of(normal(0, 0.1), **zero)) is Outcome.SUPPORTS
    assert outcome(claim_of(normal(0, 10), **zero)) is Outcome.INCONCLUSIVE
    assert outcome(claim_of(normal(0.5, 0.1), **zero)) is Outcome.INCONCLUSIVE
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
    assert ERROR == 0.01


def test_what_is_no_number_decides_nothing():
    for bad in (np.nan, np.inf):
        arm = Arm("bad", lambda count, generator, bad=bad: np.full(count, bad))
        assert outcome(claim_of(arm)) is Outcome.INCONCLUSIVE


def test_an_interval_around_0_may_lie_on_either_side():
    sampled = claim_of(relation=Relation.ZERO).sampled
    assert decided(sampled, -0.05, 0.02) is True
    assert decided(sampled, -0.05, 0.2) is None
    assert decided(sampled, 0.01, 0.02) is False
    assert decided(sampled, -0.02, -0.01) is False


def test_it_is_a_task_of_such_claims_alone_and_nothing_refutes_them():
    claim = claim_of(normal(1))
    assert [task.method for task in tasks_for(claim, "ci", 0, "cpu")] == ["sampling"]
    assert negation(claim).startswith("Nothing refutes it")
    assert sampling(find("lj22.lemma2a"), SMOKE) is None
    assert decide(claim, []).verdict is Verdict.UNCHECKED
    assert decide(claim, [sampling(claim_of(normal(3)), SMOKE)]).verdict is Verdict.SUPPORTED


def test_the_fingerprint_knows_what_is_sampled():
    claim = claim_of(normal(1))
    other = replace(claim, sampled=replace(claim.sampled, quantity="another mean"))
    finer = replace(claim, sampled=replace(claim.sampled, resolution=0.01))
    assert len({claim_fingerprint(each) for each in (claim, other, finer)}) == 3


def test_the_same_seed_draws_the_same():
    claim = claim_of(normal(0))
    first, again = sampling(claim, SMOKE), sampling(claim, SMOKE)
    assert first.figures == again.figures
    assert sampling(claim, replace(SMOKE, seed=1)).figures != first.figures
