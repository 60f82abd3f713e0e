"""The expanded engine: its polynomials are the measures; zero ones are proofs, others are not."""

from dataclasses import replace
from random import Random

import pytest

from graphs.activations import ABS, RELU
from graphs.arithmetic import RATIONALS, as_fraction
from graphs.families import fully_connected
from tests.verify.drawn_cases import exact_scene, kappas, net_of
from verify.controls import doubled_out_edges
from verify.corpus import all_small_networks
from verify.evidence import Outcome
from verify.judging import view
from verify.methods import expanded as engine
from verify.methods.context import Context
from verify.methods.expanded import EXAMPLES, expanded, residuals, symbolic_scene
from verify.pool import Pool
from verify.registry import all_claims, find
from verify.runs.budgets import BUDGETS

SMOKE = Context(BUDGETS["smoke"])
SHOWN = (Outcome.PROVES_ON_SCOPE, Outcome.ARGUES_ON_SCOPE)  # by the checker too, or not
VERTEX, PAIR, PAIR_FIX = map(find, ("lj22.lemma2a", "lj22.lemma2b@A", "lj22.lemma2b@A.fix"))
EXPANDED = [claim for claim in all_claims() if claim.expanded]


def vertex_defect(scene):
    """d/dt of sum_in w^2 - sum_out w^2 at every hidden vertex, whatever its edges are."""
    rate = 2 * scene.weights * scene.velocity
    return scene.per_vertex(scene.into(rate), scene.out_of(rate))


def measured(name, measure):
    """A claim that is no term."""
    return replace(VERTEX, id=name, measure=measure, terms=None, expanded=True)


BALANCE, PLANTED = measured("balance", vertex_defect), measured("planted", doubled_out_edges)
SQUARE = fully_connected([2, 2, 1])


@pytest.fixture
def only(monkeypatch):
    """Let the engine look at these networks alone."""

    def choose(*networks):
        monkeypatch.setattr(engine, "_networks", lambda context: iter(networks))

    return choose


def points(net, count, change=lambda case, random: case):
    """Cases on a network, changed, with the slopes of every vertex at them."""
    pool = Pool(losses=("prescribed",))
    for seed in range(count):
        drawn = pool.fill(net, Random(seed), n=EXAMPLES, loss="prescribed", family="point")
        case = change(drawn, Random(seed))
        scene = exact_scene(case)
        yield case, [[as_fraction(s) for s in row] for row in scene.evaluation.slopes]


# the polynomials are the measures -----------------------------------------------------------------
@pytest.mark.parametrize("claim", [*EXPANDED, PLANTED], ids=lambda c: c.id)
def test_at_a_point_a_residual_is_the_entry(claim):
    """One formula, two arithmetics: symbols replaced by the numbers of a case give its entries."""
    nonzero = 0
    for net in (SQUARE, net_of("x>h h>o x>o", {"h": RELU, "o": RELU})):
        for case, slopes in points(net, 6):
            entries = view(claim, [case], RATIONALS).entries
            values = {str(entries.label(k)): as_fraction(v) for k, v in enumerate(entries.values)}
            for residual, label, scene in residuals(claim, net):
                found = scene.arithmetic.at(
                    residual,
                    weights=case.weights,
                    inputs=list(zip(*case.inputs, strict=True)),
                    slopes=slopes,
                    kappa=[kappas(case)],
                )
                assert found == values[str(label)]
                nonzero += found != 0
    expected_zero = expanded(claim, SMOKE).outcome in SHOWN
    assert (nonzero == 0) is expected_zero


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
    residuals_of_pairs = [residual for residual, _, _ in residuals(PAIR_FIX, SQUARE)]
    assert not symbolic_scene(SQUARE).arithmetic.is_zero(residuals_of_pairs[0])
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
    evidence = expanded(BALANCE, SMOKE)
    assert evidence.outcome is Outcome.INCONCLUSIVE
    assert "'vertex': 'h'" in evidence.summary


def test_the_terms_that_are_left():
    # x -> h -> o with h -> o frozen at 3: nothing moves out, the in-edge with 2 w wdot
    net = net_of("x>h h>o", {"h": RELU}, fixed={("h", "o"): 3})
    scene = symbolic_scene(net)
    [residual] = vertex_defect(scene).values
    terms = scene.arithmetic.to_dict(residual)
    assert len(terms) == EXAMPLES
    assert set(terms.values()) == {-6}


def test_a_false_law_is_not_proved():
    assert expanded(PLANTED, SMOKE).outcome is Outcome.INCONCLUSIVE


def test_one_polynomial_that_is_not_zero_spoils_the_proof(only):
    """All entries count, wherever the bad one stands."""
    good, bad = net_of("x>h h>o"), net_of("x>h h>o", fixed={("h", "o"): 1})
    for order in ((good, bad), (bad, good)):
        only(*order)
        assert expanded(BALANCE, SMOKE).outcome is Outcome.INCONCLUSIVE
    only(good)
    assert expanded(VERTEX, SMOKE).outcome is Outcome.PROVES_ON_SCOPE


def test_no_entries_prove_nothing(only):
    only(net_of("x>o"))
    evidence = expanded(BALANCE, SMOKE)
    assert evidence.outcome is Outcome.INCONCLUSIVE
    assert evidence.instances == 0
    assert expanded(VERTEX, SMOKE) is None  # a statement: it says nothing


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
