"""Lemma 11 and its displays on scalars, where each eigenvalue is a square."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verify.arrays import arrays, entries_of, saying, violated
from verify.checker import check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.building import norm
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.papers.lj22.block_shuffling import CLAIMS, DEFECT, A, B
from verify.papers.registry import find

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
        "lj22.lemma11.half": below - (above / 2 - gap / 2),
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
        entries = [found for _, found in entries_of(find(name), case)]
        assert set(entries) == {value}, name


@pytest.mark.parametrize("name", sorted(REFUTED))
def test_random_cases_refute(name):
    evidence = pointwise(find(name), CI)
    assert evidence.outcome is Outcome.REFUTES
    assert check(dict(evidence.certificate)).code == 0


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_what_holds_holds_and_the_rest_is_repaired(claim):
    if claim.id in REFUTED:
        assert any(other.repairs == claim.id for other in CLAIMS)
        return
    assert pointwise(claim, SMOKE).outcome is Outcome.SUPPORTS


def test_a_smaller_constant_is_refuted():
    """The share of the constant is what it takes, and without it the bound fails: U alone."""
    lemma = find("lj22.lemma11@B")
    for constant in (DEFECT / 9, 0):
        mutant = saying(lemma, norm(B) ** 2 >= norm(A) ** 2 / 8 - constant)
        assert violated(mutant, scalars(1, 0, 0))  # 0 against 1/8 - 1/9
    assert not violated(lemma, scalars(1, 0, 0))


def test_the_repair_of_zeros():
    claim = find("lj22.lemma11-74")
    hypothesis = claim.hypotheses[0]
    random = Random(2)
    for _ in range(20):
        case = hypothesis.repair(claim.pool.draw(random), random)
        assert all(all(array.entries) for array in case.arrays.values())
        broken = hypothesis.break_(case, random)
        assert not all(all(array.entries) for array in broken.arrays.values())
