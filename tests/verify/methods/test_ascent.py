"""Gradient ascent: what it finds that drawing does not, and what it leaves alone."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.verify.measured import compare, constant, measured, norm_squared, share
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.pool import Pool
from verify.cases.tensor_pool import TensorPool
from verify.core.budgets import budget_named
from verify.core.claim import Kind, Source
from verify.core.evidence import Outcome
from verify.language.building import Each, Sum, card, examples, head, nu, paths, slope, start, w, x
from verify.methods.ascent import ascent
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.papers.lj22.path_terms import along
from verify.papers.registry import find
from verify.runs.controls import CONTROLS
from verify.statements.network_hypotheses import DATA
from verify.statements.stated import Given, stated

SMOKE, CI = (Context(budget_named(name)) for name in ("smoke", "ci"))
TRUE, FALSE = (CONTROLS[f"control.inequality.{name}"][0] for name in ("true", "false"))


# planted inequalities -----------------------------------------------------------------------------
def well(scene):
    """A polynomial in four variables that is below 0 in a small curved well alone."""
    w, x, y, z = (scene[name] for name in "wxyz")
    parts = (x - constant(scene, Fraction(3, 2)), y - x * x, z - x * y, w - z)
    total = sum((part * part for part in parts[1:]), parts[0] * parts[0])
    return compare(scene, total, constant(scene, Fraction(1, 1000)))


def sum_of_norms(part):
    """||A A^T + B B^T||_2 <= share (||A||_2^2 + ||B||_2^2): sharp for share 1, where the first left
    singular vectors agree."""

    def measure(scene):
        both = scene.arithmetic.join([scene["A"], scene["B"]], 2)
        apart = norm_squared(scene, scene["A"]) + norm_squared(scene, scene["B"])
        return compare(scene, share(scene, apart, part), norm_squared(scene, both))

    return measure


def over_paths(share):
    """nu(x)^2 <= share P sum_p (w_p x_p s_p)^2 over the P paths, s_p the product of the slopes
    (Cauchy): sharp for share 1, where all paths carry the same."""

    def carried(p, j):
        return along(p, lambda e: w(e) * slope(head(e), j)) * x(start(p), j)

    def bound(j):
        return share * card(paths()) * Sum(paths(), lambda p: carried(p, j) ** 2)

    says = Each(examples(), lambda j: nu(j) ** 2 <= bound(j))
    few = Given("4 to 9 paths", (card(paths()) >= 4) & (card(paths()) <= 9))
    pool = Pool(activations=("linear", "relu"))
    return stated("planted", Source("planted", "-", "-"), "-", "-", says, (few, DATA), pool=pool)


def only_if(name, predicate):
    return Hypothesis(name, "", by_case(predicate))


NUMBERS = TensorPool(tuple((name, ()) for name in "wxyz"))
GAUSSIAN = TensorPool(
    (("A", ("m", "n")), ("B", ("m", "n"))),
    adapt=lambda case, random: case.with_numbers(
        [Fraction(round(16 * random.gauss(0, 1)), 16) for _ in case.numbers]
    ),
)
MATRICES = {
    "pool": GAUSSIAN,
    "hypotheses": (only_if("3 x 3 or more", lambda case: min(case.lengths.values()) > 2),),
}
PLANTED = {
    "well": measured(well, NUMBERS),
    "norms": measured(sum_of_norms(Fraction(999, 1000)), **MATRICES),
    "paths": over_paths(Fraction(999, 1000)),
}
SHARP = {"norms": measured(sum_of_norms(1), **MATRICES), "paths": over_paths(1)}


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_false_in_a_small_region_is_found_exactly(name, request):
    claim = PLANTED[name]
    if claim.terms is None:
        request.getfixturevalue("unknown")
    evidence = ascent(claim, CI)
    if claim.terms is None:
        assert evidence.outcome is Outcome.VIOLATES
        assert float(evidence.figures["largest violation exactly"]) > 0
    else:
        assert evidence.outcome is Outcome.REFUTES
        assert evidence.checker["exit"] == 0
    assert pointwise(claim, CI).outcome is Outcome.SUPPORTS


@pytest.mark.parametrize("name", SHARP)
def test_what_is_sharp_and_true_is_approached_and_not_reported(name):
    evidence = ascent(SHARP[name], SMOKE)
    assert evidence.outcome is Outcome.SUPPORTS
    assert 0 < evidence.instances <= evidence.figures["starts"]
    assert -1e-4 < float(evidence.figures["largest violation in floats"]) < 1e-9
    exactly = float(evidence.figures.get("largest violation exactly", 0))
    assert exactly <= 0


# registered claims --------------------------------------------------------------------------------
def test_controls():
    evidence = ascent(FALSE, SMOKE)
    assert evidence.outcome is Outcome.REFUTES
    assert evidence.checker["exit"] == 0
    assert ascent(TRUE, SMOKE).outcome is Outcome.SUPPORTS


@pytest.mark.parametrize("name", ["lj22.thm2-84@AA", "lj22.eq3", "lj22.gflow", "lj22.risk"])
def test_false_claims_are_refuted(name):
    evidence = ascent(find(name), SMOKE)
    assert evidence.outcome is Outcome.REFUTES
    assert evidence.checker["exit"] == 0


def test_an_identity_that_holds_is_flat():
    evidence = ascent(find("lj22.risk.fix"), SMOKE)
    assert evidence.outcome is Outcome.SUPPORTS
    assert evidence.figures["flat"] == evidence.figures["starts"] > 0
    assert evidence.figures["steps"] == 0


def test_the_same_seed_climbs_the_same_way():
    budget = replace(SMOKE.budget, ascent_steps=20, ascent_groups=2)
    claim = find("lj22.thm2-84.fix")
    seen = [replace(ascent(claim, Context(budget, seed)), seconds=0, seed=0) for seed in (3, 3, 4)]
    assert seen[0] == seen[1] != seen[2]


@pytest.mark.parametrize("change", [{"kind": Kind.EXISTENCE}, {"exact_only": True}])
def test_it_is_for_what_has_derivatives(change):
    assert ascent(replace(TRUE, **change), SMOKE) is None


def test_what_the_checker_refuses_settles_nothing(monkeypatch):
    reply = {"exit": 2, "message": "declined: for a test"}
    monkeypatch.setattr("verify.search.admission.answer", lambda certificate: reply)
    assert ascent(find("lj22.thm2-84@AA"), SMOKE).outcome is Outcome.VIOLATES
