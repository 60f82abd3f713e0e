"""Graphs of NetworkX as networks."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

from graphs.errors import NetworkError
from graphs.exact import output
from graphs.from_networkx import from_networkx


def test_a_graph_with_weights_is_the_function_that_it_says():
    """f = 3 |2 x1 - b| + x2 with b = 4 held at 1, and one edge fixed."""
    graph = nx.DiGraph(name="mine")
    graph.add_nodes_from([("x1", {}), ("x2", {}), ("b", {"constant": 1})])
    graph.add_node("h", activation="abs")
    graph.add_edge("x1", "h", weight=2)
    graph.add_edge("b", "h", weight="-4")
    graph.add_edge("h", "o", weight=3.0)
    graph.add_edge("x2", "o", fixed=1)
    net, weights = from_networkx(graph)
    assert (net.title, net.edge_count, net.parameter_count) == ("mine", 4, 3)
    assert output(net, weights, [Fraction(1), Fraction(1, 2)]) == Fraction(13, 2)


def test_what_is_not_said_is_usual():
    net, weights = from_networkx(nx.DiGraph([(0, 1), (0, 2), (1, 2)]))
    assert (net.names, weights) == (("0", "1", "2"), None)
    assert [str(kind) for kind in net.activations] == ["linear", "relu", "linear"]


def test_nodes_that_are_tuples_and_numbers_of_numpy():
    """A grid of networkx, numbered by NumPy: f = 3 relu(x / 2)."""
    graph = nx.DiGraph()
    graph.add_edge((np.int64(0), 0), (0, 1), weight=np.float32(0.5))
    graph.add_edge((0, 1), (0, 2), weight=np.int64(3))
    net, weights = from_networkx(graph)
    assert (net.names, weights) == (("0,0", "0,1", "0,2"), (Fraction(1, 2), 3))


def test_edges_share_a_parameter():
    graph = nx.DiGraph()
    graph.add_edge("x", "a", parameter="k", weight=1)
    graph.add_edge("x", "b", parameter="k", weight=1)
    net, weights = from_networkx(graph)
    assert (net.parameter_names, weights) == (("k",), (1,))
    graph["x"]["b"]["weight"] = 2
    with pytest.raises(NetworkError, match="share its weight"):
        from_networkx(graph)


@pytest.mark.parametrize(
    ("graph", "told"),
    [
        (nx.Graph([("x", "o")]), "give a networkx.DiGraph"),
        (nx.DiGraph([("x", "a"), ("a", "b"), ("b", "a")]), "cycle"),
        (nx.DiGraph([(1, 2), ("1", 2)]), "two vertices .1.: rename one"),
        ("x->o", "str: give a networkx.DiGraph"),
    ],
)
def test_what_is_no_network_is_told(graph, told):
    with pytest.raises(NetworkError, match=told):
        from_networkx(graph)


def test_a_weight_that_lacks_and_an_activation_that_is_none():
    graph = nx.DiGraph([("x", "h"), ("h", "o")])
    graph["x"]["h"]["weight"] = 1
    with pytest.raises(NetworkError, match=r"no weight for the parameter 'w\[h->o\]'"):
        from_networkx(graph)
    graph.nodes["h"]["activation"] = "gelu"
    with pytest.raises(NetworkError, match="unknown activation"):
        from_networkx(graph)
