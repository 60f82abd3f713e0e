"""Arguments about paths: what they prove, what they do not, and their steps on numbers."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.families import fully_connected
from graphs.paths import count_paths, enumerate_paths
from tests.verify.drawn_cases import drawn_cases
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.records import key
from verify.methods.context import Context
from verify.methods.schema import schema
from verify.papers.registry import find

SMOKE = Context(budget_named("smoke"))
LEMMA8 = [f"lj22.lemma8@{tree}B1.fix" for tree in ("A1", "A2")]
PROVED = [
    *("lj22.tensor.a", "lj22.tensor.b", "lj22.alexnet.fix", "lj22.eq32.b@A"),
    "lj22.lemma4-65.rule",
    *LEMMA8,
]


def said(claim):
    """What an argument has to be about."""
    return key(claim.terms.says)


@pytest.mark.parametrize("name", PROVED)
def test_they_prove_their_claims_and_no_others(name):
    claim = find(name)
    assert schema(claim, SMOKE).outcome is Outcome.ARGUES
    for other in PROVED:
        if said(find(other)) != said(claim):
            mixed = replace(claim, measure=find(other).measure, terms=find(other).terms)
            assert schema(mixed, SMOKE).outcome is Outcome.ERROR


@pytest.mark.parametrize(
    ("true", "printed"),
    [("lj22.alexnet.fix", "lj22.alexnet"), ("lj22.eq32.b@A", "lj22.eq32.b@B2")],
)
def test_other_statements_are_not_proved(true, printed):
    other = find(printed)
    mixed = replace(find(true), measure=other.measure, terms=other.terms)
    assert schema(mixed, SMOKE).outcome is Outcome.ERROR


def test_claims_that_lack_the_repair_are_not_proved():
    for tree in LEMMA8:
        printed = find(tree.removesuffix(".fix"))
        as_repaired = replace(printed, proof=find(tree).proof)
        assert schema(as_repaired, SMOKE).outcome is Outcome.ERROR


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4))
def test_paths_by_layers_on_numbers(widths):
    expected = 1
    for width in widths:
        expected *= width
    assert count_paths(fully_connected([*widths, 1])).total == expected


@settings(max_examples=30)
@given(drawn_cases(zero=False))
def test_no_path_has_an_edge_twice(case):
    for path in enumerate_paths(case.network, 200):
        assert len(set(path)) == len(path)
