"""Gradient ascent: what it finds that drawing does not, and what it leaves alone."""

from dataclasses import replace
from fractions import Fraction

import pytest

from graphs.paths import count_paths
from verify.claim import Kind
from verify.controls import CONTROLS
from verify.evidence import Outcome
from verify.hypotheses import Hypothesis, by_case
from verify.methods.ascent import ascent
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.point_hypotheses import DATA
from verify.pool import Pool
from verify.registry import find
from verify.runs.budgets import budget_named
from verify.tensor_pool import TensorPool

SMOKE, CI = (Context(budget_named(name)) for name in ("smoke", "ci"))
TRUE, FALSE = (CONTROLS[f"control.inequality.{name}"][0] for name in ("true", "false"))


# planted inequalities -----------------------------------------------------------------------------
def well(scene):
    """A polynomial in four variables that is below 0 in a small curved well alone."""
    w, x, y, z = (scene[name] for name in "wxyz")
    parts = (x - scene.constant(Fraction(3, 2)), y - x * x, z - x * y, w - z)
    total = sum((part * part for part in parts[1:]), parts[0] * parts[0])
    return scene.compare(total, scene.constant(Fraction(1, 1000)))


def sum_of_norms(share):
    """||A A^T + B B^T||_2 <= share (||A||_2^2 + ||B||_2^2): sharp for share 1, where the first left
    singular vectors agree."""

    def measure(scene):
        both = scene.beside(scene["A"], scene["B"])
        apart = scene.norm_squared(scene["A"]) + scene.norm_squared(scene["B"])
        return scene.compare(scene.share(apart, share), scene.norm_squared(both))

    return measure


def over_paths(share):
    """nu(x)^2 <= share P sum_p (w_p x_p s_p)^2 over the P paths, s_p the product of the slopes
    (Cauchy): sharp for share 1, where all paths carry the same."""

    def measure(scene):
        slopes = scene.along(scene.evaluation.slopes[scene.union.heads])
        terms = scene.along(scene.weights)[:, None] * scene.post[scene.paths.first_input] * slopes
        counts = [[share * count_paths(case.network).total] for case in scene.cases]
        bound = scene.over_paths(terms * terms) * scene.arithmetic.array(counts)
        return scene.per_example(bound, scene.value * scene.value)

    return measure


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
NETWORKS = {
    "pool": Pool(activations=("linear", "relu")),
    "hypotheses": (
        only_if("4 to 9 paths", lambda case: 4 <= count_paths(case.network).total <= 9),
        DATA,
    ),
}
PLANTED = {
    "well": {"measure": well, "pool": NUMBERS},
    "norms": {"measure": sum_of_norms(Fraction(999, 1000)), **MATRICES},
    "paths": {"measure": over_paths(Fraction(999, 1000)), **NETWORKS},
}
SHARP = {
    "norms": {"measure": sum_of_norms(1), **MATRICES},
    "paths": {"measure": over_paths(1), **NETWORKS},
}


def planted(parts):
    """A claim that the checker does not know: a violation of it is exact, but not certified."""
    return replace(TRUE, id="control.planted", **parts)


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_false_in_a_small_region_is_found_exactly(name):
    claim = planted(PLANTED[name])
    evidence = ascent(claim, CI)
    assert evidence.outcome is Outcome.VIOLATES
    assert float(evidence.figures["largest violation exactly"]) > 0
    assert pointwise(claim, CI).outcome is Outcome.SUPPORTS


@pytest.mark.parametrize("name", SHARP)
def test_what_is_sharp_and_true_is_approached_and_not_reported(name):
    claim = planted(SHARP[name])
    evidence = ascent(claim, CI)
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
    monkeypatch.setattr("verify.admission.answer", lambda certificate: reply)
    assert ascent(find("lj22.thm2-84@AA"), SMOKE).outcome is Outcome.VIOLATES
