"""Pairs of hypotheses: what contradicts each other is told, and what can be met together is not."""

import json
from dataclasses import replace

import pytest

from tests.verify.as_hypothesis import as_hypothesis
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.pool import Pool
from verify.cases.transformations import freeze_edge
from verify.core.evidence import Outcome
from verify.papers.registry import find
from verify.runs import tasks
from verify.runs.engine import Settings, conflicts_in, gather, whole_papers
from verify.runs.tasks import claims_of
from verify.search.conflicts import conflicts
from verify.statements import network_hypotheses as given

ALL_LEARNABLE, BIAS_FREE, DATA, HOMOGENEOUS, NONZERO_WEIGHTS, OWN_PARAMETERS = (
    as_hypothesis(one, Pool())
    for one in (
        given.ALL_LEARNABLE,
        given.BIAS_FREE,
        given.DATA,
        given.HOMOGENEOUS,
        given.NONZERO_WEIGHTS,
        given.OWN_PARAMETERS,
    )
)
LAW = find("lj22.eq31.fix")
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
        claim_with(BIAS_FREE, NONZERO_WEIGHTS),
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


def looked_at(settings):
    """What a run tells of the hypotheses of the paper."""
    return conflicts_in({"lj22": gather([], settings, ["lj22"])[0]["lj22"]})


def test_a_part_of_a_paper_is_not_looked_at():
    assert whole_papers([LAW]) == []
    assert conflicts_in({}) is None
    assert whole_papers(claims_of("lj22")) == ["lj22"]


def test_a_whole_paper_is_looked_at_once(monkeypatch, tmp_path):
    claims = [claim_with(FIXED), claim_with(ALL_LEARNABLE)]
    monkeypatch.setattr(tasks, "claims_of", lambda paper: claims)
    settings = Settings(budget="smoke", journal=tmp_path)
    first = looked_at(settings)
    assert [row["paper"] for row in first] == ["lj22"]
    assert json.loads(json.dumps(first, allow_nan=False)) == first
    assert looked_at(replace(settings, fresh=True)) == first
    monkeypatch.setattr(tasks, "conflicts_of", None)  # kept in the journal
    assert [row["text"] for row in looked_at(settings)] == [row["text"] for row in first]


def test_what_breaks_is_told_and_not_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(tasks, "claims_of", lambda paper: [claim_with(FIXED)])
    monkeypatch.setattr(tasks, "conflicts_of", None)
    settings = Settings(budget="smoke", journal=tmp_path)
    (piece,) = gather([], settings, ["lj22"])[0]["lj22"]
    assert piece.outcome is Outcome.ERROR
    assert not list(tmp_path.rglob("*.json"))
