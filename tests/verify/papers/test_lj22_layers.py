"""Layers as lists of neurons, by hand: what the terms ask of a graph, and where lists come from."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from graphs.rationals import RATIONALS
from tests.verify.checker_proofs.records import fails_in
from tests.verify.drawn_cases import case_of, net_of
from tests.verify.structured_cases import block, case_of_plan, conv, dense
from verify.cases.hypotheses import asks_case
from verify.cases.lists_of_pieces import ROLES
from verify.cases.scenes import scene_of
from verify.language.building import card
from verify.language.columns import plain
from verify.language.evaluation import Evaluation
from verify.papers.lj22.layers import full, leads, neurons, places, positions
from verify.papers.lj22.suppositions import ARCHITECTURES, A, B, S, V
from verify.papers.registry import find
from verify.search.certificates import answer, certificate_of
from verify.search.judging import Violation, judge_exactly


def value(term, case):
    """What a term is worth in a case; None where it has no value."""
    column = Evaluation(scene_of([case], RATIONALS)).column(term)
    return plain(column.values, term.sort, 0) if column.defined[0] else None


def lists(case):
    """The lists that are not empty, but for I and K and those of chains."""
    found = {name: case.list_of(name) for name in ROLES if name not in "IKLMWPQF"}
    return {name: some for name, some in found.items() if some}


# where lists come from ----------------------------------------------------------------------------
def test_the_lists_of_dense_layers_and_blocks():
    pair = case_of_plan(1, [dense(2), dense(1)], range(1, 5), [1])
    assert lists(pair) == {"A": ["x1"], "B": ["h1.1", "h1.2"], "C": ["h2.1"]}
    one = case_of_plan(1, [block(1, 2)], range(1, 6), [1])
    assert lists(one) == {"A": ["x1"], "B": ["g1.1", "g1.2"], "C": ["h1.1"]}
    two = case_of_plan(1, [block(1, 1), block(1, 1)], range(1, 7), [1])
    inside = {"G": ["g1.1"], "H": ["g2.1"]}
    assert lists(two) == {"A": ["x1"], "B": ["h1.1"], "C": ["h2.1"], **inside}


def test_the_lists_of_convolutions():
    first = conv(2, 3, 2, padding=1)
    case = case_of_plan(3, [first, dense(1)], range(1, 13), [1, 0, 0])
    assert lists(case) == {
        "X": [["x1", "x2", "x3"]],
        "V": [[f"h1.{k}" for k in range(1, 5)], [f"h1.{k}" for k in range(5, 9)]],
        "S": [[0, 1], [1, 2], [2, 3], [3, 0]],
        "C": ["h2.1"],
    }
    turned = replace(first, mode="circular")
    case = case_of_plan(3, [turned, dense(1)], range(1, 13), [1, 0, 0])
    assert case.list_of("S") == [[3, 1], [1, 2], [2, 3], [3, 1]]
    square = conv(1, (2, 2), (1, 2))
    assert case_of_plan(4, [square, dense(1)], range(1, 5), [1] * 4).list_of("S") == [
        [1, 2],
        [3, 4],
    ]


def test_the_lists_of_a_chain():
    pieces = [conv(2, 3, 2), block(1, 1), block(1, 1, "identity"), dense(1)]
    case = case_of_plan(3, pieces, range(1, 17), [1, 0, 0])
    found = [f"h1.{k}" for k in range(1, 5)]
    assert {name: case.list_of(name) for name in "LMWPQF"} == {
        "L": [["x1", "x2", "x3"], found, ["h2.1"], ["h3.1"], ["h4.1"]],
        "M": [[], ["g2.1"], ["g3.1"], []],
        "W": [1, 2, 4],
        "P": [[["x1", "x2", "x3"]], [], [], []],
        "Q": [[found[:2], found[2:]], [], [], []],
        "F": [[[1, 2], [2, 3]], [], [], []],
    }


def test_active_neurons_are_those_of_the_case():
    case = case_of_plan(1, [dense(2), dense(1)], [1, -1, 3, 5], [1])
    assert case.list_of("I") == ["h1.1", "h1.2"]
    from graphs.activations import RELU

    bent = case.network.with_activations({"h1.1": RELU, "h1.2": RELU})
    assert replace(case, network=bent).list_of("I") == ["h1.1"]
    assert replace(case, network=bent).choosing(I=["h1.2"]).list_of("I") == ["h1.2"]


# what is asked of the graph -----------------------------------------------------------------------
def test_a_layer_has_all_edges_and_no_others():
    whole = case_of(
        net_of("x1>u x2>u x1>v x2>v u>o v>o"),
        dict.fromkeys(("x1>u", "x2>u", "x1>v", "x2>v", "u>o", "v>o"), 1),
        [((1, 1), 1, 1)],
    )
    assert value(full(A, B), whole.choosing(A=["x1", "x2"], B=["u", "v"]))
    assert value(full(A, B), whole.choosing(A=["x2", "x1"], B=["v"]))
    for tails, heads in ((["x1"], ["u"]), (["x1", "x2", "x1"], ["u"]), (["x1", "x2"], [])):
        assert not value(full(A, B), whole.choosing(A=tails, B=heads))
    assert value(leads(A, B), whole.choosing(A=["x1"], B=["u", "v"]))
    assert not value(leads(A, B), whole.choosing(A=["x1"], B=["u"]))


def test_places_that_lie_in_the_padding_throughout_are_no_entries():
    case = case_of_plan(1, [conv(1, 1, 3, padding=1), dense(1)], [2, 1], [1])
    assert case.list_of("S") == [[0, 1, 0]]
    assert value(places(S), case) == (2,)
    assert value(positions(S, card(S) + 1), case) == (1,)


@pytest.mark.parametrize("item", ARCHITECTURES)
def test_another_item_is_not_met(item):
    cases = {
        "1": case_of_plan(1, [dense(2), dense(1)], range(1, 5), [1]),
        "3": case_of_plan(1, [block(1, 2)], range(1, 6), [1]),
        "5": case_of_plan(2, [conv(1, 2), dense(1)], range(1, 4), [1, 0]),
        "2": case_of_plan(2, [conv(1, 2), conv(1, (), 2)], range(1, 4), [1, 0]),
        "7a": case_of_plan(1, [block(1, 1), dense(2)], range(1, 8), [1], head=True),
    }
    for name, case in cases.items():
        assert (value(ARCHITECTURES[item], case) is True) == (item == name), name


def test_a_convolution_shares_what_its_filter_says():
    case = case_of_plan(2, [conv(2, 2), dense(1)], range(1, 7), [1, 0])
    assert value(ARCHITECTURES["5"], case)
    assert value(card(neurons(V)), case) == 4
    for wrong in (
        {"S": [[2], [1]]},
        {"S": [[1], [1]]},
        {"S": [[1], [0]]},
        {"V": [["h1.1", "h1.3"], ["h1.2", "h1.4"]]},
        {"X": [["x1"], ["x2"]]},
    ):
        assert not value(ARCHITECTURES["5"], case.choosing(**wrong)), wrong


ALMOST = {
    "a filter of which a row is longer": (
        "5",
        "x1>v1=a x2>v2=a x1>v2=e v1>o=f v2>o=g",
        {"X": [["x1", "x2"]], "V": [["v1", "v2"]], "S": [[1], [2, 1]], "C": ["o"]},
    ),
    "heads of the second convolution among those of the first": (
        "2",
        "x1>v1=a v1>v2=b v2>o=b",
        {"X": [["x1", "v1"]], "V": [["v1", "v2"]], "S": [[1, 0], [0, 2]], "N": [["v2", "o"]]}
        | {"T": [[1], [2]]},
    ),
    "an output among the heads of the first": (
        "2",
        "x1>v=a v>n=b n>y=c y>o=a",
        {"X": [["x1", "y"]], "V": [["v", "o"]], "S": [[1], [2]], "N": [["n"]], "T": [[1]]},
    ),
}
"""Graphs that are no two layers, though a neuron reads what a filter says: there (6) is false."""


@pytest.mark.parametrize("name", ALMOST)
def test_what_is_almost_a_pair_of_layers(name):
    item, words, lists_ = ALMOST[name]
    edges_ = dict(word.split("=") for word in words.split())
    tied = {}
    for edge, parameter in edges_.items():
        tied.setdefault(parameter, []).append(tuple(edge.split(">")))
    net = net_of(" ".join(edges_), parameters={e: p for p, some in tied.items() for e in some})
    weights = {p: k + 2 for k, p in enumerate(tied)}
    row = (Fraction(1, 4),) * len(net.inputs)
    drawn = case_of(net, weights, [(row, 1, -7)], **lists_)
    claim = find(f"lj22.thm1-{item}")
    record, case = claim.terms.to_json(), claim.terms.named_in(drawn).to_json()
    assert fails_in(record, [case]) is None  # it is not asked
    record["hypotheses"] = [h for h in record["hypotheses"] if h["name"] != "architecture"]
    assert fails_in(record, [case]) is True


def test_a_parameter_that_is_shared_elsewhere_is_outside():
    claim = find("lj22.thm1-5")
    given = {one.name: asks_case(one) for one in claim.hypotheses}
    case = case_of_plan(1, [conv(1, 1), dense(1)], [2, 3], [1])
    assert all(meets(case) for meets in given.values())
    tied = claim.hypotheses[3].break_(case, Random(0))
    assert tied.network.parameter_count == 1
    assert not given["own parameters outside of convolutions"](tied)


def test_what_is_not_named_does_not_reach_the_certificate():
    claim = find("lj22v1.thm1-1")
    from graphs.activations import RELU

    case = case_of_plan(1, [dense(2), dense(1)], [1, -2, 3, 5], [1], "1")
    bent = case.network.with_activations({"h1.1": RELU, "h1.2": RELU})
    found = judge_exactly(claim, replace(case, network=bent)).violations[0]
    assert isinstance(found, Violation)
    certificate = certificate_of(claim, found)
    assert set(certificate["case"]["choice"]) == {"A", "B", "C"}
    assert answer(certificate)["exit"] == 0
