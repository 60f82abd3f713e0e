"""zlb22, Definitions 2.1, 2.5 and 2.7 on graphs solved by hand."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.rationals import RATIONALS
from tests.verify.arrays import entries_of
from verify.cases.case import Case
from verify.core.budgets import BUDGETS
from verify.core.evidence import Outcome
from verify.language.building import Each, card, vertices
from verify.language.statements import Statement
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.registry import find
from verify.papers.zlb22 import definition27, digraphs, proposition_i1, section2
from verify.papers.zlb22.definition27 import WIDTH_OF_8, fully_connected
from verify.papers.zlb22.digraphs import small_graphs
from verify.papers.zlb22.notation import (
    V_OUTPUT,
    WIDTH,
    indegree,
    on_graph,
    on_small_graphs,
    p,
    plain_case,
    with_ancestors,
)
from verify.papers.zlb22.proposition_i1 import weights_below

CONTEXT = Context(BUDGETS["smoke"])
TRUE = [
    claim
    for module in (section2, proposition_i1, definition27)
    for claim in module.CLAIMS
    if claim.judged and claim.id not in ("zlb22.def2.7.fcn.deep@B", "zlb22.propI.1.many")
]
# x -> a -> b -> o, x -> b, x -> o, and a dead end x -> d
PARENTS = ((), (0,), (0, 1), (0, 2), (0,))
INNER = (*PARENTS[:4], (1,))  # d hears a alone, in layer 2
DIAMOND = ((), (), (0, 1), (0, 1), (2, 3))  # fully connected, sizes 2, 2, 1
SKIP = ((), (0,), (0, 1))


def case_of(parents):
    return plain_case(on_graph(parents))


def values(name, parents):
    return [int(value) for _, value in entries_of(find(name), case_of(parents))]


def of_each(parents, number, *more):
    """A number of each vertex, by asking which it is."""
    scene, found = Case.scene([case_of(parents)], RATIONALS), {}

    def is_number(guess):
        return Each(vertices(), lambda v: number(v, *more) == guess)

    for guess in range(7):
        entries = Statement("asked", is_number(guess)).truths(scene)
        for k, value in enumerate(entries.values):
            if value == 0:
                found[int(entries.label(k)["at"][0])] = guess
    return found


# distances ----------------------------------------------------------------------------------------
def test_distances_by_hand():
    assert of_each(PARENTS, p) == {0: 0, 1: 1, 2: 2, 3: 3, 4: 1}
    assert digraphs.distances(PARENTS) == (0, 1, 2, 3, 1)


@given(st.integers(2, 6).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, 14)))))
def test_distances_are_the_longest_paths_of_networkx(drawn):
    count, codes = drawn
    pairs = [(v, u) for v in range(count) for u in range(v)]
    edges = [pairs[code] for code in codes if code < len(pairs)]
    graph = nx.DiGraph([(u, v) for v, u in edges])
    graph.add_nodes_from(range(count))
    parents = tuple(tuple(sorted(graph.predecessors(v))) for v in range(count))
    expected = tuple(
        nx.dag_longest_path_length(graph.subgraph(nx.ancestors(graph, v) | {v}))
        for v in range(count)
    )
    assert digraphs.distances(parents) == expected
    if edges:
        assert of_each(parents, p) == dict(enumerate(expected))


def test_definitions_by_hand():
    assert values("zlb22.def2.1", PARENTS) == [0, 0, 0, 0]
    assert values("zlb22.def2.1.zero", PARENTS) == [0] * 5
    assert set(values("zlb22.def2.5", PARENTS)) == {0}
    assert values("zlb22.def2.5.weights", PARENTS) == [0]
    assert values("zlb22.def2.5.last", PARENTS) == []  # d is an output in layer 1
    assert values("zlb22.def2.5.last", PARENTS[:4]) == [0]
    assert set(values("zlb22.def2.5.alone", PARENTS)) == {0}


def test_an_output_in_an_inner_layer_has_a_network_of_its_own():
    says = Each(V_OUTPUT, lambda v: card(with_ancestors(v)) == 3) & (WIDTH == 1)
    found = Statement("asked", says).truths(Case.scene([case_of(INNER)], RATIONALS)).values
    assert [int(value != 0) for value in found] == [1, 0, 0]  # of o, of d, the width
    # m = 1; b and o, of in-degree 2, in the network of o, and d in its own
    assert values("zlb22.def2.5.alone.width@A", INNER) == [1, 1, 0]


def test_weights_below_by_hand():
    assert of_each(DIAMOND, weights_below, 2) == {0: 0, 1: 0, 2: 0, 3: 0, 4: 2}
    assert of_each(DIAMOND, weights_below, 1) == {0: 0, 1: 0, 2: 2, 3: 2, 4: 4}
    assert of_each(SKIP, weights_below, 1) == {0: 0, 1: 1, 2: 1}


def test_full_networks_reach_the_product():
    assert set(values("zlb22.propI.1.product", DIAMOND)) == {0}
    # layer 2 reads 2, layer 1 reads 1: 2 against 1
    assert values("zlb22.propI.1.product", SKIP) == [0, 2 - 1, 0]
    assert set(values("zlb22.propI.1.own", DIAMOND)) == {0}


def test_small_graphs_are_all_there_are_and_notice_what_is_false():
    assert len(set(small_graphs(4))) == 64
    wrong = Each(vertices(), lambda v: p(v) == indegree(v))
    assert not all(step.holds for step in on_small_graphs(wrong))


# widths -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("sizes", "words", "formula"),
    [((3, 2, 1), [2], []), ((1, 2, 3, 1), [2], [2]), ((1, 3, 2, 1), [2], [3]), ((4, 1), [], [])],
)
def test_widths_by_hand(sizes, words, formula):
    graph = fully_connected(*sizes)
    for width, expected in ((WIDTH, words), (WIDTH_OF_8, formula)):
        found = [k for k in range(5) if said(graph, width == k) == [0]]
        assert found == expected


def said(parents, says):
    scene = Case.scene([case_of(parents)], RATIONALS)
    return [int(value != 0) for value in Statement("asked", says).truths(scene).values]


def test_remarks_by_hand():
    graph = fully_connected(1, 3, 2, 1)
    assert values("zlb22.def2.7.fcn@A", graph) == [0]
    assert values("zlb22.def2.7.fcn.deep@B", graph) == [3 - 2]
    assert values("zlb22.def2.7.fcn.deep@B", fully_connected(1, 3, 2)) == []
    assert values("zlb22.def2.7.degrees", graph) == [0] * 6
    assert values("zlb22.def2.7.degrees", SKIP) == []  # 0 is read by 2 in layer 2


def test_the_formula_is_refuted_where_it_leaves_the_outputs_out():
    found = pointwise(find("zlb22.def2.7.fcn.deep@B"), CONTEXT)
    assert found.outcome is Outcome.REFUTES
    assert found.checker["exit"] == 0


# all of them --------------------------------------------------------------------------------------
@pytest.mark.parametrize("claim", TRUE, ids=lambda claim: claim.id)
def test_no_case_violates_the_true_ones(claim):
    assert pointwise(claim, CONTEXT).outcome is Outcome.SUPPORTS
    if claim.proof is not None:
        whole = claim.id.startswith("zlb22.propI")
        expected = Outcome.ARGUES if whole else Outcome.ARGUES_ON_SCOPE
        assert schema(claim, CONTEXT).outcome is expected


def test_outputs_must_lie_last():
    needs = {need.hypothesis: need for need in necessity(find("zlb22.def2.5.last"), CONTEXT).needs}
    assert needs["outputs in layer L"].certificate is not None
