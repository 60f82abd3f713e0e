"""The structural engine: what it proves, and that it proves nothing where an identity must fail."""

from collections import Counter
from dataclasses import replace

import pytest

from graphs.activations import TANH
from graphs.balance import Balanced, layer_balance, layers_entry
from tests.verify.drawn_cases import net_of
from verify.controls import doubled_out_edges
from verify.corpus import all_small_networks, family_networks
from verify.evidence import Outcome
from verify.methods import structural as engine
from verify.methods.context import Context
from verify.methods.structural import structural
from verify.registry import find
from verify.runs.budgets import BUDGETS
from verify.structure import layer_identities, vertex_identities

SMOKE = Context(BUDGETS["smoke"])
VERTEX, LAYER_A, LAYER_B, LAST_B = map(
    find, ("lj22.lemma2a", "lj22.lemma3@A", "lj22.lemma3@B", "lj22v1.eq8.b@B")
)
BIAS = find("lj22.bias@BB")


@pytest.fixture
def only(monkeypatch):
    """Let the engine look at these networks alone."""

    def choose(*networks):
        monkeypatch.setattr(engine, "all_small_networks", lambda hidden: iter(networks))
        monkeypatch.setattr(engine, "family_networks", lambda random: iter(()))

    return choose


@pytest.fixture
def quick(monkeypatch):
    """Without the largest network."""
    monkeypatch.setattr(
        engine,
        "family_networks",
        lambda random: (net for net in family_networks(random) if net.edge_count < 2000),
    )


@pytest.mark.parametrize("claim", [LAST_B, BIAS], ids=lambda c: c.id)
def test_layers_that_cut_all_paths_are_proved(claim, quick):
    assert structural(claim, SMOKE).outcome is Outcome.PROVES_ON_SCOPE


@pytest.mark.parametrize("claim", [VERTEX, LAYER_B], ids=lambda c: c.id)
def test_what_balances_everywhere_is_proved_on_its_scope(claim):
    evidence = structural(claim, SMOKE)
    assert evidence.outcome is Outcome.PROVES_ON_SCOPE
    assert evidence.figures["not balanced"] == 0
    assert evidence.instances == evidence.figures["identities"] > 100
    assert evidence.certificate["kind"] == "balance"
    assert evidence.checker["exit"] == 0
    assert any("10^40" in line for line in evidence.scope)
    sampled = any("random ones" in line for line in evidence.scope)
    assert sampled is (claim is not VERTEX)  # the scope is no wider than what was looked at


def test_what_does_not_balance_everywhere_is_left_open(quick):
    evidence = structural(LAYER_A, SMOKE)
    assert evidence.outcome is Outcome.INCONCLUSIVE
    assert evidence.figures["not balanced"] > 0
    assert evidence.certificate is None


def test_claims_without_identities_are_not_its_business():
    assert structural(find("lj22.risk"), SMOKE) is None


def test_identities_are_counted(only):
    # x -> h -> o and x -> h -> g -> o: 1 and 2 inner vertices; a last layer and 1, 2 others
    nets = [net_of("x>h h>o"), net_of("x>h h>g g>o")]
    only(*nets)
    assert structural(VERTEX, SMOKE).figures == {
        "networks": 2,
        "identities": 3,
        "not balanced": 0,
        "most paths": 1,
    }
    assert structural(LAYER_B, SMOKE).figures["identities"] == 3
    assert "all networks" in structural(VERTEX, SMOKE).scope[0]


EDGES = "x1>h x2>h h>g g>o"
SPOILT = {
    "a frozen edge at every inner vertex": net_of(EDGES, fixed={("h", "g"): 1}),
    "a tied weight": net_of(EDGES, parameters={("x1", "h"): "w", ("g", "o"): "w"}),
    "tanh": net_of(EDGES, {"g": TANH}),
}


@pytest.mark.parametrize("name", SPOILT)
def test_nothing_is_proved_where_the_identity_must_fail(name, only):
    only(SPOILT[name])
    evidence = structural(VERTEX, SMOKE)
    assert evidence.outcome is Outcome.INCONCLUSIVE
    assert evidence.instances == 0
    assert evidence.certificate is None


def test_no_layer_balances_with_tanh(only):
    only(SPOILT["tanh"])
    for claim in (LAYER_A, LAYER_B, LAST_B):
        assert structural(claim, SMOKE).instances == 0


def test_a_wrong_identity_is_not_proved(quick):
    """Layers by reading B, each against a set of in-edges that is not one."""

    def against_one_edge(network, random):
        found = layer_identities("B")(network, random)
        first = network.in_edges[network.outputs[0]][0]
        return [
            (layers_entry(network, edges, [first]), layer_balance(network, edges, [first]))
            for entry, _ in found
            for edges in [[network.edge_between(*ends) for ends in entry["layers"][0]]]
        ]

    evidence = structural(replace(LAYER_B, identities=against_one_edge), SMOKE)
    assert evidence.outcome is Outcome.INCONCLUSIVE
    assert evidence.figures["not balanced"] > 10


def test_a_certificate_that_the_checker_refuses_breaks_the_check(only, monkeypatch):
    """Potentials that are wrong by one, as a broken engine would give them."""

    def off_by_one(network, random):
        return [
            (entry, Balanced({v: phi + 1 for v, phi in outcome.potential.items()}))
            for entry, outcome in vertex_identities(network, random)
        ]

    only(net_of("x>h h>g g>o"))
    wrong = replace(VERTEX, identities=off_by_one)
    evidence = structural(wrong, SMOKE)
    assert evidence.outcome is Outcome.ERROR
    assert "measures something else" in evidence.summary
    monkeypatch.setattr("verify.methods.structural.disagreement", lambda *arguments: None)
    evidence = structural(wrong, SMOKE)
    assert evidence.outcome is Outcome.ERROR
    assert "rejected" in evidence.summary


def test_identities_must_be_those_of_the_measure():
    """A false law with the true identities of another one is not proved by them."""
    evidence = structural(replace(VERTEX, measure=doubled_out_edges), SMOKE)
    assert evidence.outcome is Outcome.ERROR


def test_biased_networks_are_those_of_the_reading(only):
    only(*all_small_networks(1))
    seen = Counter()

    def watching(network, random):
        constants = [c for c in network.constants if c is not None]
        seen[len(constants) == 1] += 1
        return []

    structural(replace(BIAS, identities=watching), SMOKE)
    assert seen[True] > 0
    assert seen[False] > 0
