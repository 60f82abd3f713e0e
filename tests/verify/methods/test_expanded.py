"""The expanded engine: polynomials that are zero are proofs, and others are none."""

from dataclasses import replace
from fractions import Fraction

import pytest

from graphs.activations import ABS, RELU
from graphs.families import fully_connected
from tests.verify.drawn_cases import net_of
from verify.cases.small_networks import all_small_networks
from verify.core.budgets import BUDGETS
from verify.core.evidence import Outcome
from verify.language.building import Each, Rate, hidden, into, out_of
from verify.language.statements import Statement
from verify.methods import expanded as engine
from verify.methods.context import Context
from verify.methods.expanded import EXAMPLES, expanded
from verify.methods.symbolic import stated_residuals
from verify.papers.lj22.graph_terms import squares
from verify.papers.registry import find

SMOKE = Context(BUDGETS["smoke"])
VERTEX, PAIR, PAIR_FIX = map(find, ("lj22.lemma2a", "lj22.lemma2b@A", "lj22.lemma2b@A.fix"))
BALANCE = replace(  # whatever the edges at a vertex are
    VERTEX,
    terms=Statement(
        "balance",
        Each(hidden(), lambda v: Rate(squares(into(v))) == Rate(squares(out_of(v)))),
    ),
)
SQUARE = fully_connected([2, 2, 1])


@pytest.fixture
def only(monkeypatch):
    """Let the engine look at these networks alone."""

    def choose(*networks):
        monkeypatch.setattr(engine, "_networks", lambda context: iter(networks))

    return choose


# what is proved, and what is not ----------------------------------------------------------------
def test_vertices_balance_on_every_activation_region():
    evidence = expanded(VERTEX, SMOKE)
    assert evidence.outcome is Outcome.PROVES_ON_SCOPE
    assert evidence.figures["entries"] == evidence.instances
    assert evidence.figures["networks"] > 10
    assert evidence.checker["exit"] == 0
    assert evidence.certificate["kind"] == "polynomial"


def test_pairs_balance_for_equal_patterns_alone():
    """With free slopes the law for pairs is no identity: that is no proof, nor speaks it against
    the law, whose condition is one about numbers."""
    residual, _, scene = next(stated_residuals(PAIR_FIX.terms, SQUARE, EXAMPLES))
    assert not scene.symbols.is_zero(residual)
    for claim in (PAIR, PAIR_FIX):
        assert expanded(claim, SMOKE) is None


@pytest.mark.parametrize(
    "options",
    [
        {"fixed": {("x", "h"): 2}},
        {"parameters": {("x", "h"): "w", ("x", "o"): "w"}},
    ],
    ids=["frozen", "tied"],
)
def test_a_frozen_edge_or_a_tied_weight_leaves_terms(options, only):
    net = net_of("x>h h>o x>o", {"h": RELU}, **options)
    only(net)
    assert expanded(BALANCE, SMOKE) is None
    [(residual, label, scene)] = stated_residuals(BALANCE.terms, net, EXAMPLES)
    assert label == {"at": ["h"]}
    assert not scene.symbols.is_zero(residual)


def test_the_terms_that_are_left():
    # x -> h -> o with h -> o frozen at 3: nothing moves out, the in-edge with 2 w wdot, that is
    # -2 w (1/n) sum of l' y 3 slope x
    net = net_of("x>h h>o", {"h": RELU}, fixed={("h", "o"): 3})
    [(residual, _, scene)] = stated_residuals(BALANCE.terms, net, EXAMPLES)
    terms = scene.symbols.to_dict(residual)
    assert len(terms) == EXAMPLES
    assert set(terms.values()) == {Fraction(-6, EXAMPLES)}


def test_one_polynomial_that_is_not_zero_spoils_the_proof(only):
    """All entries count, wherever the bad one stands."""
    good, bad = net_of("x>h h>o"), net_of("x>h h>o", fixed={("h", "o"): 1})
    for order in ((good, bad), (bad, good)):
        only(*order)
        assert expanded(BALANCE, SMOKE) is None
    only(good)
    assert expanded(BALANCE, SMOKE).outcome is Outcome.PROVES_ON_SCOPE


def test_no_entries_prove_nothing(only):
    only(net_of("x>o"))
    assert expanded(VERTEX, SMOKE) is None


@pytest.mark.parametrize("name", ["lj22.lemma1", "lj22.lemma5", "lj22.lemma6@A1B2"])
def test_trees_of_paths_are_the_network(name, only):
    """An activation of a multiple of a pre-activation is that multiple of the activation."""
    only(net_of("x>h h>o x>o", {"h": RELU, "o": ABS}))
    assert expanded(find(name), SMOKE).outcome is Outcome.PROVES_ON_SCOPE


def test_claims_without_a_polynomial_form():
    assert expanded(find("lj22.lemma5-iter@A1B2"), SMOKE) is None
    assert expanded(find("lj22.def1"), SMOKE) is None


def test_the_checker_has_a_say(monkeypatch, only):
    only(net_of("x>h h>o", {"h": RELU}))
    for code, outcome in ((1, Outcome.ERROR), (2, Outcome.ARGUES_ON_SCOPE)):
        reply = {"exit": code, "message": "for a test"}
        monkeypatch.setattr(engine, "answer", lambda certificate, reply=reply: reply)
        evidence = expanded(VERTEX, SMOKE)
        assert evidence.outcome is outcome
        assert evidence.certificate is None


def test_every_vertex_has_its_own_slope():
    """The output too, so that no region is left out."""
    for net in engine._networks(SMOKE):
        kinds = {net.activations[v] for v in net.outputs}
        assert kinds == {RELU}
    inner = [net for net in all_small_networks(1) for v in net.inner if net.activations[v] == RELU]
    assert inner
