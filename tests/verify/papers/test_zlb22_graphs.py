"""zlb22, Definitions 2.1, 2.5 and 2.7 on graphs solved by hand."""

from fractions import Fraction

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verify.arrays import entries_of
from verify.evidence import Outcome
from verify.judging import judge_exactly
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.zlb22 import distances, layers, network_width, output_alone
from verify.papers.zlb22.digraphs import graph_of, has_cycle, parents_of, small_graphs
from verify.papers.zlb22.network_width import fully_connected, least_in_degree, of_sizes
from verify.papers.zlb22.output_alone import alone_with_ancestors, narrowest
from verify.registry import find
from verify.runs.budgets import BUDGETS
from verify.weakened import without

CONTEXT = Context(BUDGETS["smoke"])
TRUE = [
    claim
    for module in (distances, layers, output_alone, network_width)
    for claim in module.CLAIMS
    if claim.judged and claim.id != "zlb22.def2.7.fcn.deep@B"
]
# x -> a -> b -> o, x -> b, x -> o, and a dead end x -> d
PARENTS = [[], [0], [0, 1], [0, 2], [0]]
CYCLE = [[], [0, 2], [0, 1]]  # x -> a, x -> b, a <-> b


def values(name, case, **label):
    found = entries_of(find(name), case)
    return [int(value) for entry, value in found if label.items() <= entry.items()]


# distances ----------------------------------------------------------------------------------------
def test_distances_by_hand():
    assert distances.distances(tuple(map(tuple, PARENTS))) == (0, 1, 2, 3, 1)
    # with a cycle the longest paths are x a b and x b a
    assert distances.distances(tuple(map(tuple, CYCLE))) == (0, 2, 2)
    assert distances.distances(((1,), (0,))) == (0, 0)  # no input, no path


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
    assert distances.distances(parents) == expected
    assert not has_cycle(parents)


def test_a_cycle_is_seen():
    assert has_cycle(tuple(map(tuple, CYCLE)))
    assert has_cycle(((0,),))
    assert not has_cycle(tuple(map(tuple, PARENTS)))


def test_the_recursion_has_no_solution_on_a_cycle():
    claim = find("zlb22.def2.1")
    assert values("zlb22.def2.1", graph_of(PARENTS)) == [0, 0, 0, 0]
    assert values("zlb22.def2.1", graph_of(CYCLE)) == []  # the hypothesis is not met
    weakened = without(claim, next(h for h in claim.hypotheses if h.name == "acyclic"))
    found = judge_exactly(weakened, graph_of(CYCLE)).violations
    assert [(v.entry, v.value) for v in found] == [({"entry": 1}, -1), ({"entry": 2}, -1)]


def test_zero_is_the_distance_of_inputs():
    assert values("zlb22.def2.1.zero", graph_of(PARENTS)) == [0] * 5


# layers -------------------------------------------------------------------------------------------
def test_layers_by_hand():
    case = graph_of(PARENTS)
    assert values("zlb22.def2.5", case) == [0, 0]
    assert values("zlb22.def2.5.weights", case) == [0]
    assert values("zlb22.def2.5.last", case) == []  # d is an output in layer 1
    assert values("zlb22.def2.5.last", graph_of(PARENTS[:4])) == [0] * 4
    assert values("zlb22.def2.5.alone", case) == [0] * 6  # of o and of d


def test_an_output_in_an_inner_layer_has_a_network_of_its_own():
    # o has parents x, b; the other output d hears a alone, in layer 2, so the width is 1
    parents = tuple(map(tuple, [*PARENTS[:4], [1]]))
    assert narrowest(parents) == 1
    assert alone_with_ancestors(parents, 4) == ((), (0,), (1,))
    assert narrowest(alone_with_ancestors(parents, 3)) == 2
    inner = entries_of(find("zlb22.def2.5.alone.width@A"), graph_of(parents))
    assert inner == [({"entry": 3}, Fraction(1, 2)), ({"entry": 4}, Fraction(0))]


# widths -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("sizes", "words", "formula"),
    [((3, 2, 1), 2, None), ((1, 2, 3, 1), 2, 2), ((1, 3, 2, 1), 2, 3), ((4, 1), None, None)],
)
def test_widths_by_hand(sizes, words, formula):
    graph = fully_connected(sizes)
    assert [least_in_degree(graph, reading) for reading in "AB"] == [words, formula]


def test_remark_2_8_by_hand():
    case = of_sizes([1, 3, 2, 1])
    assert entries_of(find("zlb22.def2.7.fcn@A"), case) == [({}, 0)]
    assert entries_of(find("zlb22.def2.7.fcn.deep@B"), case) == [({}, Fraction(-1, 6))]
    assert entries_of(find("zlb22.def2.7.fcn.deep@B"), of_sizes([1, 3, 2])) == []
    assert values("zlb22.def2.7.degrees", case) == [0, 0, 0]
    assert entries_of(find("zlb22.def2.7.fcn@A"), of_sizes([1, 0, 1])) == []


def test_the_formula_is_refuted_where_it_leaves_the_outputs_out():
    found = pointwise(find("zlb22.def2.7.fcn.deep@B"), CONTEXT)
    assert found.outcome is Outcome.REFUTES
    assert found.checker["exit"] == 0


# all of them --------------------------------------------------------------------------------------
@pytest.mark.parametrize("claim", TRUE, ids=lambda claim: claim.id)
def test_no_case_violates_the_true_ones(claim):
    assert pointwise(claim, CONTEXT).outcome is Outcome.SUPPORTS
    if claim.proof is not None:
        assert schema(claim, CONTEXT).outcome is Outcome.ARGUES_ON_SCOPE


@pytest.mark.parametrize("name", ["def2.1", "def2.1.zero", "def2.5", "def2.5.weights"])
def test_acyclicity_is_needed_and_the_case_is_certified(name):
    needs = {need.hypothesis: need for need in necessity(find(f"zlb22.{name}"), CONTEXT).needs}
    assert needs["acyclic"].needed
    assert needs["acyclic"].certificate is not None


def test_outputs_must_lie_last():
    needs = {need.hypothesis: need for need in necessity(find("zlb22.def2.5.last"), CONTEXT).needs}
    assert needs["outputs in layer L"].certificate is not None


def test_small_graphs_are_all_there_are():
    listed = list(small_graphs(4))
    assert len(listed) == len(set(listed)) == 64
    assert all(not has_cycle(parents) for parents in listed)
    assert parents_of(graph_of(listed[-1])) == listed[-1]
