"""The integrated form of Theorem 1, by hand: neurons that stay active, that sleep, that are not."""

from dataclasses import replace

import pytest

from graphs.activations import RELU, leaky_relu
from tests.verify.drawn_cases import seen, value_of, values_of
from tests.verify.structured_cases import case_of_plan, dense
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.expanded import expanded
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.lj22.integrated import CLAIMS
from verify.papers.registry import find

SMOKE = Context(budget_named("smoke"))
PRINTED = [claim for claim in CLAIMS if claim.repairs is None]
REPAIRED = [claim for claim in CLAIMS if claim.repairs is not None]
LEAKY = leaky_relu("1/2")


def layers(u, v, kinds=(RELU, RELU), **choice):
    """x -> u, v -> o with in-weights u, v, out-weights 3, 5; x = 1, kappa = 1."""
    weights = {"x1>h1.1": u, "x1>h1.2": v, "h1.1>h2.1": 3, "h1.2>h2.1": 5}
    case = case_of_plan(1, [dense(2), dense(1)], weights, [1], "1", **choice)
    names = dict(zip(("h1.1", "h1.2"), kinds, strict=True))
    return replace(case, network=case.network.with_activations(names))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_two_neurons_that_stay_active(claim):
    assert values_of(claim, layers(1, 2)) == [0, 0, 0, 0]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_of_a_neuron_that_is_not_active_nothing_is_said(claim):
    assert seen(claim, layers(1, -2)) == [({"at": [0, "h1.1", "h1.1"]}, 0, True)]
    inactive = layers(1, -2).choosing(I=["h1.2"])
    assert [admitted for _, _, admitted in seen(claim, inactive)] == [False]


def test_leaky_neurons_are_never_active():
    for claim in CLAIMS:
        assert len(values_of(claim, layers(1, 2, (LEAKY, RELU)))) == 1


@pytest.mark.parametrize("claim", PRINTED, ids=lambda claim: claim.id)
def test_a_sleeping_neuron_is_active_throughout_and_refutes_it(claim):
    asleep = {"selection": "dormant", "dormant": ["h1.1"], "direction": {"w[x1->h1.1]": "-1"}}
    case = layers(0, 1, **asleep)
    # velocities: in 0, -5; out 0, -1: 3 * -1 on the way out, 0 * -5 on the way in
    assert value_of(claim, case, at=[0, "h1.2", "h1.1"]) == -3
    assert values_of(find(f"{claim.id}.fix"), case) == []
    assert pointwise(claim, SMOKE).outcome is Outcome.REFUTES


@pytest.mark.parametrize("claim", REPAIRED, ids=lambda claim: claim.id)
def test_the_repaired_one_is_proved_and_no_other(claim):
    assert schema(claim, SMOKE).outcome is Outcome.ARGUES
    assert expanded(claim, SMOKE).outcome is Outcome.ARGUES_ON_SCOPE
    printed = find(claim.repairs)
    assert schema(replace(printed, proof=claim.proof), SMOKE).outcome is Outcome.ERROR
    absolute = replace(claim, terms=find("lj22v1.abs.thm1@A").terms)
    assert schema(absolute, SMOKE).outcome is Outcome.ERROR
