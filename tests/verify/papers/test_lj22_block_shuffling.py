"""Lemma 11 and its displays on scalars, where each eigenvalue is a square."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verify.arrays import arrays, value_of, violated
from verify.certificates import answer
from verify.evidence import Outcome
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.lj22 import block_proofs
from verify.papers.lj22.block_shuffling import CLAIMS, POOL, shuffled
from verify.registry import find
from verify.runs.budgets import budget_named

SMOKE = Context(budget_named("smoke"))
CI = Context(budget_named("ci"))
numbers = st.fractions(-3, 3, max_denominator=4)
nonzero = numbers.filter(bool)
REFUTED = {"lj22.lemma11-74", "lj22.lemma11-75.a", "lj22.lemma11-79", "lj22.lemma11-82.b"}


def scalars(u, y, z):
    return arrays(U=[[u]], Y=[[y]], Z=[[z]])


@settings(max_examples=25)
@given(nonzero, nonzero, nonzero)
def test_the_displays_on_scalars(u, y, z):
    case = scalars(u, y, z)
    u, y, z = u * u, y * y, z * z
    gap = abs(u - y)  # |C|, D its square
    below, above = y + z, u + z  # |B|^2, |A|^2
    expected = {
        "lj22.lemma11@B": below - (above / 8 - gap / 8),
        "lj22.lemma11-74": y - (u - gap**2),
        "lj22.lemma11-74.fix": y - (u - gap),
        "lj22.lemma11-75.a": below - below**2,
        "lj22.lemma11-75.a.fix": 0,
        "lj22.lemma11-75.b": 0,
        "lj22.lemma11-77": below**2 - below**2 / 4,
        "lj22.lemma11-78": below**2 / 4 - (y**2 + z**2) / 4,
        "lj22.lemma11-79": (y**2 + z**2) / 4 - ((u**2 + z**2) / 4 - gap**2 / 4),
        "lj22.lemma11-79.fix": (y + z) / 4 - ((u + z) / 4 - gap / 4),
        "lj22.lemma11-80": (u**2 + z**2) / 4 - above**2 / 8,
        "lj22.lemma11-81": 0,
        "lj22.lemma11-82.a": 0,
        "lj22.lemma11-82.b": (above**2 - above) / 8,
        "lj22.lemma11-82.b.fix": 0,
    }
    assert {claim.id for claim in CLAIMS} == expected.keys()
    for name, value in expected.items():
        assert value_of(find(name), case) == value, name


@pytest.mark.parametrize("name", sorted(REFUTED))
def test_random_cases_refute(name):
    evidence = pointwise(find(name), CI)
    assert evidence.outcome is Outcome.REFUTES
    assert answer(dict(evidence.certificate))["exit"] == 0


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_what_holds_holds_and_its_argument_too(claim):
    if claim.id in REFUTED:
        assert claim.proof is None
        assert any(other.repairs == claim.id for other in CLAIMS)
        return
    assert pointwise(claim, SMOKE).outcome is Outcome.SUPPORTS
    if claim.proof is not None:
        assert schema(claim, SMOKE).outcome is Outcome.ARGUES


def test_a_smaller_constant_is_refuted():
    def tight(scene):
        one = scene.arithmetic.array([Fraction(1, 9)] * len(scene.cases))
        from verify.papers.lj22.block_shuffling import defect

        return shuffled(scene, scene.symmetric_norm(defect(scene)) * one)

    mutant = replace(find("lj22.lemma11@B"), measure=tight, proof=None)
    assert violated(mutant, scalars(1, 0, 0))  # 0 against 1/8 - 1/9
    argument = block_proofs.shuffling(Fraction(1, 9))
    assert not argument.holds
    assert schema(replace(mutant, proof=lambda: argument), SMOKE).outcome is Outcome.ERROR


def test_what_holds_later_rests_on_the_invariance():
    for name in ("lemma11@B", "lemma11-74.fix", "lemma11-79.fix"):
        argument = find(f"lj22.{name}").proof()
        assert block_proofs.KEPT in argument.trusted
        assert argument.cites == ("lj22v1.thm1-3.fix",)


def test_the_defect_matters():
    # without D' the bound fails for a block with U alone
    mutant = replace(
        find("lj22.lemma11@B"), measure=lambda scene: shuffled(scene, scene.constant(0))
    )
    assert violated(mutant, scalars(1, 0, 0))


def test_the_repair_of_zeros():
    hypothesis = find("lj22.lemma11-74").hypotheses[0]
    random = Random(2)
    for _ in range(20):
        case = hypothesis.repair(POOL.draw(random), random)
        assert all(all(array.entries) for array in case.arrays.values())
        broken = hypothesis.break_(case, random)
        assert not all(all(array.entries) for array in broken.arrays.values())
