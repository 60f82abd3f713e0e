"""Going downhill in the slack: what it finds, what it leaves alone."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from verify.cases.tensors import Tensors, tensor
from verify.core.budgets import budget_named
from verify.core.claim import Kind
from verify.core.evidence import Outcome
from verify.language.building import Matrix
from verify.methods.context import Context
from verify.methods.extremes import extremes
from verify.methods.pointwise import pointwise
from verify.papers.registry import find
from verify.runs.controls import CONTROLS
from verify.statements.stated import pool_with, stated

SMOKE = Context(budget_named("smoke"))
TRUE, FALSE = (CONTROLS[f"control.inequality.{name}"][0] for name in ("true", "false"))


def test_controls():
    evidence = extremes(TRUE, SMOKE)
    assert (evidence.outcome, evidence.instances) == (Outcome.SUPPORTS, 2)
    assert evidence.figures["smallest relative slack"] == "0.0e+00"
    evidence = extremes(FALSE, SMOKE)
    assert evidence.outcome is Outcome.REFUTES
    assert evidence.checker["exit"] == 0


def one_number(case, random):
    entry = random.randint(3, 9) * random.choice((1, -1))
    return Tensors({"M": tensor(("rows", "columns"), [[entry]])}, family="number")


def test_a_small_valley_is_found_which_random_cases_miss():
    """(m - 2)^2 >= 1/100 is false in a short interval alone."""
    M = Matrix("M", "rows", "columns")
    valley = (M[1, 1] - 2) ** 2 >= Fraction(1, 100)
    claim = stated("valley", TRUE.source, "", "", valley, pool=pool_with(M, adapt=one_number))
    assert pointwise(claim, SMOKE).outcome is Outcome.SUPPORTS
    assert extremes(claim, SMOKE).outcome is Outcome.REFUTES


def test_the_tightest_cases_of_a_lemma_about_blocks():
    """|B|^2 >= |A|^2/8 - D/8 has relative slack 3/4 at least: |B|^2 >= |A|^2/2 - D/2."""
    evidence = extremes(find("lj22.lemma11@B"), Context(budget_named("ci")))
    assert evidence.figures["smallest relative slack"] == "7.5e-01"


@pytest.mark.parametrize("change", [{"kind": Kind.IDENTITY}, {"exact_only": True}])
def test_it_is_for_inequalities_in_floats(change):
    assert extremes(replace(TRUE, **change), SMOKE) is None


def test_variants_of_networks_are_networks_with_other_numbers():
    random = Random(3)
    case = CONTROLS["control.true"][0].pool.draw(random, n=2, loss="prescribed")
    variants = [case.varied(random) for _ in range(30)]
    assert all(variant.network == case.network for variant in variants)
    assert {len(variant.inputs) for variant in variants} == {2}
    parts = ("weights", "slopes", "inputs")
    changed = {name for v in variants for name in parts if getattr(v, name) != getattr(case, name)}
    assert changed == set(parts)
