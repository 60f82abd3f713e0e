"""Arguments about paths: what they prove, what they do not, and their steps on numbers."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.arithmetic import as_fraction
from graphs.families import fully_connected
from graphs.paths import all_paths, count_paths
from tests.verify.drawn_cases import drawn_cases, exact_scene
from verify.evidence import Outcome
from verify.language.records import key
from verify.methods.context import Context
from verify.methods.schema import name_of, schema
from verify.papers.lj22.chainrule import each_tree, printed_derivative
from verify.papers.lj22.subderivatives import asymmetry, each_pair_of_paths
from verify.registry import find
from verify.runs.budgets import budget_named

SMOKE = Context(budget_named("smoke"))
LEMMA8 = [f"lj22.lemma8@{tree}B1.fix" for tree in ("A1", "A2")]
PROVED = ["lj22.tensor.a", "lj22.tensor.b", "lj22.alexnet.fix", "lj22.eq32.b@A", *LEMMA8]


def said(claim):
    """What an argument has to be about."""
    return name_of(claim.measure) if claim.terms is None else key(claim.terms.says)


@pytest.mark.parametrize("name", PROVED)
def test_they_prove_their_claims_and_no_others(name):
    claim = find(name)
    assert schema(claim, SMOKE).outcome is Outcome.ARGUES
    for other in PROVED:
        if said(find(other)) != said(claim):
            mixed = replace(claim, measure=find(other).measure, terms=find(other).terms)
            assert schema(mixed, SMOKE).outcome is Outcome.ERROR


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("lj22.eq32.b@A", each_tree(printed_derivative("B"), absolute=False)),  # eq32.b@B2
        ("lj22.lemma8@A1B1.fix", each_pair_of_paths(asymmetry, absolute=False)),
        ("lj22.lemma8@A1B1.fix", find("lj22.lemma8@A2B1").measure),
    ],
)
def test_statements_that_are_changed_a_little_are_not_proved(name, measure):
    assert schema(replace(find(name), measure=measure), SMOKE).outcome is Outcome.ERROR


def test_the_printed_number_of_positions_is_not_proved():
    printed = find("lj22.alexnet")
    mixed = replace(find("lj22.alexnet.fix"), measure=printed.measure, terms=printed.terms)
    assert schema(mixed, SMOKE).outcome is Outcome.ERROR


def test_claims_that_lack_the_repair_are_not_proved():
    for tree in LEMMA8:
        printed = find(tree.removesuffix(".fix"))
        as_repaired = replace(printed, proof=find(tree).proof)
        assert schema(as_repaired, SMOKE).outcome is Outcome.ERROR


def test_measures_are_named_with_what_they_were_given():
    measure = each_tree(printed_derivative("B"), absolute=True)
    assert name_of(measure) == "tree_entries(derivative_rows('B'), True)"


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4))
def test_paths_by_layers_on_numbers(widths):
    expected = 1
    for width in widths:
        expected *= width
    assert count_paths(fully_connected([*widths, 1])).total == expected


@settings(max_examples=30)
@given(drawn_cases(zero=False))
def test_no_path_has_an_edge_twice(case):
    for path in all_paths(case.network, 200):
        assert len(set(path)) == len(path)


@settings(max_examples=20)
@given(drawn_cases(zero=False))
def test_the_derivative_of_a_tree_is_a_product_of_slopes(case):
    """What lemma 8 rests on: [alpha]_p of Lemma 1 is the product of the slopes along p."""
    scene = exact_scene(case)
    net, slopes = case.network, scene.evaluation.slopes
    found = scene.tree_derivatives(scene.signed_tree)
    if scene.evaluation.kinks.any() or 0 in (*case.weights, *net.fixed):
        return
    for p, path in enumerate(all_paths(net, 200)):
        for j in range(case.example_count):
            product = 1
            for e in path:
                product *= as_fraction(slopes[net.heads[e], j])
            assert as_fraction(found[p, j]) == product
