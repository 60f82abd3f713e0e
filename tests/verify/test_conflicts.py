"""Pairs of hypotheses: what contradicts each other is told, and what can be met together is not."""

from dataclasses import replace

import pytest

from verify.conflicts import conflicts
from verify.hypotheses import (
    ALL_LEARNABLE,
    BIAS_FREE,
    DATA,
    HOMOGENEOUS,
    INCIDENT_LEARNABLE,
    OWN_PARAMETERS,
    Hypothesis,
    by_case,
)
from verify.registry import find
from verify.runs import engine
from verify.runs.engine import Settings, paper_conflicts
from verify.transformations import freeze_edge

LAW = find("lj22.lemma2a")
NORM = find("lj22.lemma10")  # of matrices


def some_edge_fixed(case):
    return not all(map(case.network.learnable, range(case.network.edge_count)))


FIXED = Hypothesis("an edge is fixed", "", by_case(some_edge_fixed), freeze_edge)
NEVER = Hypothesis("never", "", by_case(lambda case: False))


def claim_with(*hypotheses, of=LAW, name="lj22.test"):
    return replace(of, id=f"{name}.{len(hypotheses)}.{hypotheses[0].name}", hypotheses=hypotheses)


def told(*claims, seed=0):
    return {frozenset(meeting.hypotheses) for meeting in conflicts(claims, seed, 16)}


@pytest.mark.parametrize("seed", range(3))
def test_a_contradiction_between_two_claims_is_found(seed):
    claims = (claim_with(FIXED, BIAS_FREE), claim_with(ALL_LEARNABLE, DATA))
    assert told(*claims, seed=seed) == {frozenset((FIXED.name, ALL_LEARNABLE.name))}


def test_the_text_counts_the_cases_and_names_the_claims():
    (found,) = conflicts((claim_with(FIXED), claim_with(ALL_LEARNABLE)), 0, 16)
    assert found.case is None
    assert "in none of" in found.text
    assert "lj22.test.1.an edge is fixed" in found.text


def test_hypotheses_that_go_together_are_not_told():
    claims = (
        claim_with(BIAS_FREE, INCIDENT_LEARNABLE),
        claim_with(DATA, HOMOGENEOUS),
        claim_with(OWN_PARAMETERS),
    )
    assert told(*claims) == set()


def test_what_is_never_met_conflicts_with_nothing():
    assert told(claim_with(NEVER), claim_with(DATA)) == set()


def test_hypotheses_on_instances_of_different_kinds_are_not_compared():
    never_with_networks = Hypothesis(
        "of matrices", "", by_case(lambda case: hasattr(case, "arrays"))
    )
    assert told(claim_with(DATA), claim_with(never_with_networks, of=NORM)) == set()


def test_a_part_of_a_paper_is_not_looked_at():
    assert paper_conflicts([LAW], Settings(budget="smoke")) is None


def test_a_whole_paper_is_looked_at_once(monkeypatch, tmp_path):
    claims = [claim_with(FIXED), claim_with(ALL_LEARNABLE)]
    monkeypatch.setattr(engine, "all_claims", lambda: tuple(claims))
    settings = Settings(budget="smoke", journal=tmp_path)
    first = paper_conflicts(claims, settings)
    assert [row["paper"] for row in first] == ["lj22"]
    monkeypatch.setattr(engine, "conflicts_of", None)  # kept in the journal
    assert [row["text"] for row in paper_conflicts(claims, settings)] == [
        row["text"] for row in first
    ]
