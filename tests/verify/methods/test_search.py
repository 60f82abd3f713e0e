"""The guided search: what it draws, what it finds, and how small it gets."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from sortedcontainers import SortedSet

from tests.verify.measured import compare, constant, measured
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors, tensor
from verify.core.budgets import BUDGETS
from verify.core.claim import Kind
from verify.core.evidence import Outcome
from verify.core.verdict import Verdict, decide
from verify.methods.context import Context
from verify.methods.search import BARREN, Tally, cases, search
from verify.papers.registry import find
from verify.runs.controls import CONTROLS
from verify.search.judging import judge_all, judge_exactly

SMOKE = Context(BUDGETS["smoke"])
FAST = Context(replace(BUDGETS["smoke"], examples=15))
CLAIMS = [find(name) for name in ("lj22.lemma2b@A", "lj22.lemma3@B", "lj22.bias@BB", "lj22.lemma4")]


# what is drawn ------------------------------------------------------------------------------
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_drawn_cases_are_small_cases_of_the_pool(claim):
    kinds = set()
    drawn = []

    @settings(max_examples=60, database=None, derandomize=True)
    @given(cases(claim))
    def look(case):
        net = case.network
        assert case.admissible
        assert case.example_count in claim.pool.examples
        assert net.has_bias is (claim.pool.bias is not None)
        assert len(net.outputs) == 1
        assert len(net.free_inputs) <= 3
        kinds.update(net.activations[v].kind for v in net.inner)
        drawn.append(case)

    look()
    assert kinds <= set(claim.pool.activations)
    met = [one.admitted > 0 for one in judge_all(claim, drawn)]
    assert sum(met) > len(met) / 10


def test_fully_connected_pools_draw_fully_connected_networks():
    claim = find("lj22.def2")

    @settings(max_examples=30, database=None, derandomize=True)
    @given(cases(claim))
    def look(case):
        assert judge_exactly(claim, case).admitted

    look()


# what is found ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "vertices"), [("lj22.eq3", 2), ("lj22.gflow", 2), ("lj22.def10@A1B1", 2)]
)
def test_false_claims_are_refuted_by_the_smallest_cases(name, vertices):
    evidence = search(find(name), SMOKE)
    assert evidence.outcome is Outcome.REFUTES
    assert evidence.checker["exit"] == 0
    assert len(evidence.certificate["case"]["network"]["vertices"]) == vertices


def test_a_witness_is_found():
    """One neuron active, one inactive: a pair in a hidden layer, 4 vertices, 1 example."""
    claim = find("lj22.lemma4")
    assert claim.kind is Kind.EXISTENCE
    evidence = search(claim, Context(BUDGETS["ci"]))
    assert evidence.outcome is Outcome.PROVES
    assert evidence.certificate["kind"] == "witness"
    assert evidence.checker["exit"] == 0
    assert len(evidence.certificate["case"]["network"]["vertices"]) == 4


@pytest.mark.parametrize(
    "name", ["lj22.risk.fix", "lj22.lemma2a", "lj22.eq1.b", "lj22.lemma6@A1B2"]
)
def test_nothing_is_found_against_true_claims(name):
    evidence = search(find(name), FAST)
    assert evidence.outcome is Outcome.SUPPORTS
    assert 0 < evidence.instances <= evidence.figures["drawn"]


def test_no_witness_settles_nothing():
    claim, expected = CONTROLS["control.undecided"]
    evidence = search(claim, FAST)
    assert evidence.outcome is Outcome.INCONCLUSIVE
    assert expected == ("open",)


def test_definitions_are_not_searched():
    assert search(find("lj22.def1"), FAST) is None


def test_the_same_seed_finds_the_same():
    claim = find("lj22.eq3")
    first, second = (replace(search(claim, Context(BUDGETS["smoke"], 3)), seconds=0) for _ in "12")
    assert first == second


def test_what_is_drawn_does_not_depend_on_the_modules_that_are_loaded(monkeypatch):
    claim, context = find("lj22.lemma2a"), Context(replace(BUDGETS["smoke"], examples=60))
    drawn = []

    def recorded(claim, cases):
        drawn.extend(cases)
        return judge_all(claim, cases)

    monkeypatch.setattr("verify.methods.search.judge_all", recorded)
    search(claim, context)
    others = Constants(integers=SortedSet(range(1, 5000)))
    monkeypatch.setattr(providers, "_get_local_constants", lambda: others)
    providers.CONSTANTS_CACHE.cache.clear()  # as Hypothesis does when it sees more modules
    search(claim, context)
    half = len(drawn) // 2
    assert drawn[:half] == drawn[half:]
    assert providers._get_local_constants() is others  # left as it was


@pytest.mark.parametrize("name", ["lj22.lemma2a", "lj22.lemma4", "lj22.eq34.34@B"])
def test_judged_together_or_one_by_one_the_same_is_found(monkeypatch, name):
    """The violation, too, and how many cases were drawn up to it."""
    context = Context(BUDGETS["smoke"])
    together = replace(search(find(name), context), seconds=0)
    monkeypatch.setattr("verify.methods.search.TOGETHER", 1)
    assert replace(search(find(name), context), seconds=0) == together


def test_what_the_checker_refuses_settles_nothing(monkeypatch):
    reply = {"exit": 2, "message": "declined: for a test"}
    monkeypatch.setattr("verify.search.admission.answer", lambda certificate: reply)
    evidence = search(find("lj22.gflow"), SMOKE)
    assert evidence.outcome is Outcome.VIOLATES
    assert decide(find("lj22.gflow"), [evidence]).verdict is Verdict.OPEN
    assert "declined: for a test" in evidence.summary


# climbing -----------------------------------------------------------------------------------------
class Eighths(TensorPool):
    """Numbers -10, -79/8, ..., 10."""

    def drawn(self):
        eighths = st.integers(-80, 80).map(lambda k: tensor((), Fraction(k, 8)))
        return st.fixed_dictionaries({name: eighths for name, _ in self.arrays}).map(Tensors)


def near_a_curve(scene):
    """(x - 5)^2 + (y z - 5)^2 >= 1/30: false near the curve x = 5, y z = 5 alone."""
    x, y, z = (scene[name] for name in "xyz")
    first, second = x - constant(scene, 5), y * z - constant(scene, 5)
    return compare(scene, first * first + second * second, constant(scene, Fraction(1, 30)))


PLANTED = measured(near_a_curve, Eighths(tuple((name, ()) for name in "xyz")))
"""Which the checker does not know."""


def searches(claim, seeds, budget="ci"):
    """What the searches with so many seeds find, 150 draws each."""
    return [search(claim, Context(replace(BUDGETS[budget], examples=150), k)) for k in range(seeds)]


def without_target(monkeypatch):
    monkeypatch.setattr("verify.methods.search.target", lambda score: None)


def test_climbing_finds_what_lies_near_a_curve_and_drawing_does_not(unknown, monkeypatch):
    """Of what is drawn, one in several thousand lies there."""
    found = [evidence.outcome is Outcome.VIOLATES for evidence in searches(PLANTED, 4)]
    without_target(monkeypatch)
    drawn = [evidence.outcome is Outcome.VIOLATES for evidence in searches(PLANTED, 4)]
    assert sum(found) > sum(drawn) + 1


def test_where_nothing_else_climbs_it_draws_alone(unknown, monkeypatch):
    found = [(e.outcome, e.figures) for e in searches(PLANTED, 2, "smoke")]
    without_target(monkeypatch)
    assert [(e.outcome, e.figures) for e in searches(PLANTED, 2, "smoke")] == found
    assert all(figures["drawn"] == 150 for _, figures in found)


def no_slope(scene):
    """0 = 0."""
    return compare(scene, constant(scene, 0), constant(scene, 0))


def test_what_has_no_slope_climbs_towards_its_hypotheses(monkeypatch):
    """Five hypotheses, each met by a quarter of what is drawn."""
    hypotheses = tuple(
        Hypothesis(name, "", by_case(lambda case, name=name: case.number(name) > 5))
        for name in "uvxyz"
    )
    pool = Eighths(tuple((name, ()) for name in "uvxyz"))
    claim = replace(PLANTED, kind=Kind.IDENTITY, measure=no_slope, hypotheses=hypotheses, pool=pool)
    met = [evidence.instances for evidence in searches(claim, 2)]
    without_target(monkeypatch)
    assert sum(met) > 20 + 5 * sum(evidence.instances for evidence in searches(claim, 2))


@pytest.mark.parametrize("may_climb", [True, False])
def test_it_climbs_towards_hypotheses_only_where_it_may(may_climb):
    never = Hypothesis("never", "", by_case(lambda case: False))
    claim = replace(PLANTED, kind=Kind.IDENTITY, measure=no_slope, hypotheses=(never,))
    tally = Tally(claim, may_climb=may_climb)
    tally.waiting = [claim.pool.draw(Random(k)) for k in range(BARREN - 1)]
    tally.judge()
    assert not tally.climbs
    tally.waiting = [claim.pool.draw(Random(BARREN))]
    tally.judge()
    assert tally.climbs is may_climb
