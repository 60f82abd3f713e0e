"""Scopes: what their words say is what they hold, and they keep to the budget."""

from dataclasses import replace
from math import inf
from random import Random

import pytest

from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.small_networks import biased
from verify.cases.structured_pool import StructuredPool
from verify.papers.registry import find
from verify.search.enumeration.choices import choices_on, what_is_chosen
from verify.search.enumeration.digraphs import digraphs
from verify.search.enumeration.ladders import ladder_of
from verify.search.enumeration.networks import VERSIONS, Size
from verify.search.enumeration.scopes import Scope, fitting

NAMES = ("lj22.risk.fix", "lj22.lemma2a", "lj22.lemma3@A", "lj22.lemma1", "lj22.bias@BB")
BIASED = {"lj22.bias@BB"}  # whose scopes take the longest
ARRAYS = ("lj22.lemma11@B", "lj22.weyl.a", "lj22.claim1@A", "lj22.conv-count.b")


def scopes(name, budget, share=0.5):
    return scopes_of(find(name), budget, share)


def scopes_of(claim, budget, share=0.5):
    return list(fitting(ladder_of(claim, Random(1), budget), budget, share))


@pytest.mark.parametrize("name", [*NAMES, *ARRAYS, "lj22.thm1-2"])
def test_scopes_keep_to_the_budget_and_their_count(name):
    for budget in (2000,) if name in BIASED else (2000, 6000):
        found = scopes(name, budget)
        assert sum(scope.cost for scope in found) <= budget
        for scope in found:
            cases = [case for block in scope.blocks for case in block.slab(0, block.count).cases]
            assert len(cases) == scope.count > 0
    assert found


@pytest.mark.parametrize("name", sorted({*NAMES} - BIASED))
def test_a_larger_budget_covers_more(name):
    small, large = (sum(s.count for s in scopes(name, budget)) for budget in (1000, 10000))
    assert small < large


def test_all_of_one_size_counted_by_hand():
    """x -> o: one edge, 4 activations, 5 weights, 3 inputs, 2 labels, 2 slopes."""
    first = scopes("lj22.risk.fix", 2000)[0]
    assert first.count == 5 * 3 * 2 * 2  # the hypotheses allow linear networks alone
    assert "1 input and no hidden vertex" in first.words
    assert "all weights in {1, -1, 0, 2, -2}" in first.words
    assert not first.drawn


def test_what_is_not_counted_is_told():
    """x -> h -> o without the skip x -> o: 2 activations, 9 weights, 1 input, 2 labels."""
    of_one = [s for s in scopes("lj22.def2", 2000) if "1 input and 1 hidden vertex" in s.words]
    assert all("fully connected ones alone" in scope.words for scope in of_one)
    assert {base.network.edge_count for s in of_one for b in s.blocks for base in b.bases} == {2}
    alone = Hypothesis(
        "two edges", "two edges", by_case(lambda case: case.network.edge_count == 2, "network")
    )
    claim = replace(find("lj22.lemma5"), hypotheses=(*find("lj22.lemma5").hypotheses, alone))
    chains = [s for s in scopes_of(claim, 2000) if "1 hidden" in s.words]
    assert chains
    assert all("the ones that meet: two edges" in scope.words for scope in chains)
    assert not any("that meet" in scope.words for scope in scopes("lj22.lemma2a", 2000))
    assert all("from an input each" in scope.words for scope in scopes("lj22.bias@BA", 2000))


def test_pairs_are_looked_for_where_there_are_any():
    found = scopes("lj22v1.gd-82", 4000, 1.0)
    assert found
    for scope in found:
        assert "two vertices with equal neighbourhoods" in scope.words
        assert all(len(base.network.inner) >= 2 for b in scope.blocks for base in b.bases)


def test_what_is_drawn_is_called_so():
    assert isinstance(find("lj22.thm1-2").pool, StructuredPool)
    assert all(scope.drawn for scope in scopes("lj22.thm1-2", 4000))
    assert not any(scope.drawn for scope in scopes("lj22.lemma2a", 4000))


# what is chosen ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("lj22.risk.fix", set()),
        ("lj22.lemma3@A", {"selection", "layers"}),
        ("lj22.lemma2a", {"selection"}),
        ("lj22v1.gd-76", {"eta", "slopes"}),
        ("lj22v1.gd", {"eta", "slopes", "loss"}),
    ],
)
def test_what_a_claim_lets_one_choose(name, names):
    assert what_is_chosen(find(name), Random(0)) >= names


def test_all_ways_to_choose():
    chain = digraphs(1, 1)[0]
    layers = list(choices_on(chain, frozenset({"layers"}), 1))
    assert len(layers) == 2  # its two edges, in either order
    asleep = list(choices_on(chain, frozenset({"selection"}), 1))
    assert [way.get("direction") for way in asleep] == [
        None,
        {"w[x1->h1]": "1"},
        {"w[x1->h1]": "-1"},
    ]
    assert list(choices_on(chain, frozenset({"loss"}), 1)) == [{"loss": ["0", "-1"]}]
    steps = list(choices_on(chain, frozenset({"eta", "slopes"}), 2))
    assert [way["slopes"] for way in steps] == [[], [["-1", "-1"]], [["-2", "-2"]]]


def test_nothing_fits_into_nothing():
    assert list(fitting([[Scope("empty", ())]], 100, 1.0)) == []


def test_a_size_with_more_layers_than_can_be_listed_is_left_out():
    claim = find("lj22.bias@BB")
    graph = biased(digraphs(1, 3)[-1], "B")
    size = Size(claim, claim.pool, (1, 3), [graph], frozenset({"layers"}))
    assert size.most(VERSIONS[0][-1]) == inf
