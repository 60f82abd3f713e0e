"""Experiments: they support, contradict by an interval, or leave open."""

from dataclasses import replace

import pytest

from verify.core.budgets import budget_named
from verify.core.claim import Claim, Kind, Source
from verify.core.evidence import Outcome
from verify.core.experiment import Measured, Setting
from verify.methods.context import Context
from verify.methods.experiment import experiment
from verify.papers.registry import find

SMOKE = Context(budget_named("smoke"), 0, "cpu")


def claim_of(found: Measured) -> Claim:
    def run(setting: Setting) -> Measured:
        return replace(found, figures={"scale": setting.scale})

    source = Source("dkbhl20", "final", "nowhere")
    return Claim("dkbhl20.alg1.a.x", Kind.EXPERIMENT, source, "", "", experiment=run)


@pytest.mark.parametrize(
    ("agrees", "excluded", "outcome"),
    [
        (True, False, Outcome.SUPPORTS),
        (False, False, Outcome.INCONCLUSIVE),
        (False, True, Outcome.CONTRADICTS),
    ],
)
def test_the_outcome_is_what_was_measured(agrees, excluded, outcome):
    found = experiment(claim_of(Measured(agrees, "said.", ("here",), excluded=excluded)), SMOKE)
    assert found.outcome is outcome
    assert (found.summary, found.scope) == ("said.", ("here",))
    assert found.figures["scale"] == 0


def test_nothing_is_as_said_and_excluded():
    with pytest.raises(ValueError, match="both as said and excluded"):
        Measured(True, "said.", (), excluded=True)


def test_a_claim_without_one_has_none():
    assert experiment(find("dkbhl20.lem1a"), SMOKE) is None
