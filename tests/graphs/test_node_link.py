"""Graphs of other programs: what is understood, what is guessed and told, what is refused."""

import json
from fractions import Fraction

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.activations import LINEAR, RELU, SIGMOID, TANH, leaky_relu
from graphs.errors import NetworkError, WeightError
from graphs.files import load
from graphs.network import network
from graphs.strategies import networks

TRIANGLE = {
    "nodes": [
        {"id": "x"},
        {"id": "h", "act": "Leaky-ReLU", "slope": "0.1", "bias": 0.7, "colour": "red"},
        {"id": "o"},
    ],
    "links": [
        {"source": "x", "target": "h", "w": "7/10"},
        {"source": "h", "target": "o", "w": 3},
        {"source": "x", "target": "o", "w": -1e-1},
    ],
}


@pytest.fixture
def read(tmp_path):
    """Load an object as JSON; gives the network, its weights, and what was told."""

    def reading(data):
        path = tmp_path / "net.json"
        path.write_text(data if isinstance(data, str) else json.dumps(data))
        told = []
        net, weights = load(path, told.append)
        return net, weights, "".join(told).removeprefix(f"{path}: ")

    return reading


@pytest.mark.parametrize("key", ["links", "edges"])
def test_node_link_data_with_weights_and_biases(read, key):
    data = {"nodes": TRIANGLE["nodes"], key: TRIANGLE["links"]}
    net, weights, told = read(data)
    assert net.names == ("x", "bias", "h", "o")
    assert net.constants == (None, 1)
    assert net.activations == (LINEAR, LINEAR, leaky_relu("1/10"), LINEAR)
    by_name = dict(zip(net.parameter_names, weights, strict=True))
    assert by_name == {
        "w[x->h]": Fraction(7, 10),
        "w[bias->h]": Fraction(7, 10),
        "w[x->o]": Fraction(-1, 10),
        "w[h->o]": 3,
    }
    assert told == (
        "not said in the file, so taken: inputs x (no in-edge); outputs o (no out-edge); "
        "linear outputs"
    )


def test_a_bare_graph_of_networkx_is_a_relu_network_and_that_is_told(tmp_path):
    graph = networkx.DiGraph([(1, 2), (2, 3), (1, 3)])
    networkx.write_graphml(graph, tmp_path / "net.graphml")
    data = networkx.node_link_data(graph, edges="edges")
    (tmp_path / "net.json").write_text(json.dumps(data))
    wanted = network(
        [("1", "2"), ("1", "3"), ("2", "3")], inputs=["1"], outputs=["3"], activations={"2": RELU}
    )
    for kind in ("json", "graphml"):
        told = []
        assert load(tmp_path / f"net.{kind}", told.append) == (wanted, None)
        assert told[0].endswith("linear outputs; relu at the vertices inside")


def test_what_the_file_says_is_not_guessed(read):
    data = {
        "graph": {"activation": "Tanh", "title": "mine", "inputs": ["a"]},
        "nodes": ["a", {"id": "b"}, {"id": "c", "role": "output", "activation": "sigmoid"}],
        "edges": [["a", "b", 1], ["b", "c", 2]],
    }
    net, weights, told = read(data)
    assert (net.activations, net.title, told) == ((LINEAR, TANH, SIGMOID), "mine", "")
    assert weights == (1, 2)


def test_shared_and_fixed_weights(read):
    data = {
        "nodes": ["x", "h", "o"],
        "edges": [
            {"from": "x", "to": "h", "parameter": "p", "weight": 2},
            {"from": "h", "to": "o", "parameter": "p", "weight": "2.0"},
            {"from": "x", "to": "o", "fixed": True, "weight": 5},
        ],
    }
    net, weights, _ = read(data)
    assert (net.parameter_names, weights) == (("p",), (2,))
    assert net.fixed == (None, 5, None)
    data["edges"][1]["weight"] = 3
    with pytest.raises(WeightError, match="'p' has the weights 2 and 3: edges that share"):
        read(data)


def test_roles_are_taken_in_the_order_of_their_places(read):
    nodes = [{"id": "a", "input": 1}, {"id": "b", "input": "0"}, {"id": "c", "output": "true"}]
    net, _, told = read({"nodes": nodes, "edges": [["a", "c"], ["b", "c"]]})
    assert [net.names[v] for v in net.inputs] == ["b", "a"]
    assert told.endswith("taken: linear outputs")


REFUSED = {
    "undirected": ({"directed": False}, "not directed"),
    "no links": ({"links": None}, "net.json: the graph has no 'links': give a list of them$"),
    "links": ({"links": 3}, "net.json: links is 3: give a list$"),
    "adjacency": (
        {"links": None, "adjacency": [[]]},
        "net.json: this is adjacency data: .*node_link_data$",
    ),
    "nodes": ({"nodes": {"x": 1}}, r"nodes is \{'x': 1\}: give a list"),
    "name": ({"nodes": [{"id": {}}, "x", "h", "o"]}, r"id of node 0 is \{\}: give a text"),
    "twice": ({"nodes": ["x", "h", "o", "o"]}, "two vertices 'o': rename one"),
    "parallel": ({"links": [["x", "h"], ["x", "h"], ["h", "o"]]}, "two edges x->h: merge"),
    "stranger": ({"links": [["x", "h"], ["h", "o"], ["q", "o"]]}, "edge 2 names 'q'"),
    "loop": ({"links": [["x", "h"], ["h", "o"], ["o", "h"]]}, "directed cycle"),
    "some weights": ({"links": [["x", "h", 1], ["h", "o"]]}, r"no weight for the .* 'w\[h->o\]'"),
    "no edge": ({"links": ["x->h", ["x", "h"], ["h", "o"]]}, "edge 0 is str: give an object"),
    "fixed": (
        {"links": [{"source": "x", "target": "h", "fixed": True}, ["h", "o"]]},
        "edge x->h is fixed, but has no weight: give one",
    ),
    "inputs": ({"inputs": 3}, "inputs is int: give a list"),
    "deep": ({"links": [[["x"] * 3, [["h"]]]]}, "edge 0"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(read, case):
    change, message = REFUSED[case]
    plain = {"nodes": ["x", "h", "o"], "links": [["x", "h"], ["h", "o"]]}
    with pytest.raises(NetworkError, match=message):
        read({**plain, **change})


def test_bias_at_an_input_and_two_names_for_one_thing(read):
    nodes = [{"id": "x", "bias": 2}, {"id": "y", "bias": 0}, {"id": "h", "act": "relu"}, "o"]
    nodes[2]["activation"] = "tanh"
    data = {"nodes": nodes, "edges": [["x", "h"], ["y", "h"], ["h", "o"]]}
    with pytest.raises(NetworkError, match="2 things to mend") as caught:
        read(data)
    assert "both 'activation' and 'act' in" in str(caught.value)
    assert "bias at the input 'x': delete it" in str(caught.value)


@given(net=networks())
def test_a_network_given_to_networkx_comes_back(tmp_path_factory, net):
    data = networkx.node_link_data(net.to_networkx(), edges="links")
    data["inputs"] = [net.names[v] for v in net.inputs]
    data["outputs"] = [net.names[v] for v in net.outputs]
    path = tmp_path_factory.mktemp("net") / "net.json"
    path.write_text(json.dumps(data))
    again, weights = load(path)
    assert (again.names, again.tails, again.heads) == (net.names, net.tails, net.heads)
    assert (again.activations, weights) == (net.activations, None)


# hostile files: one clear error, or a network --------------------------------------------------
def refusal(path):
    """The error of a file, "" for a network."""
    try:
        net, _ = load(path)
    except NetworkError as error:
        return str(error)
    assert net.vertex_count > 1
    return ""


names = st.sampled_from(["x", "h", "o", "", "\x1b[31m", "\ud800", 0, -1.5, None, True, ["x"], {}])
numbers = st.sampled_from(
    ["0.7", "1e-99999999", "1e400", "7/0", "nan", 0, 1e308, float("nan"), -1, None, [], {}, True]
)
odd = st.one_of(names, numbers, st.lists(names, max_size=3), st.dictionaries(st.text(), names))
ATTRIBUTES = (
    "activation",
    "act",
    "slope",
    "bias",
    "constant",
    "scale_square",
    "input",
    "output",
    "role",
)
node = st.one_of(
    odd,
    st.fixed_dictionaries({"id": names}, optional=dict.fromkeys(ATTRIBUTES, odd)),
)
edge = st.one_of(
    odd,
    st.fixed_dictionaries(
        {"source": names, "target": names},
        optional=dict.fromkeys(("weight", "w", "parameter", "fixed"), odd),
    ),
)
SETTINGS = ("inputs", "outputs", "weights", "constants", "title", "graph", "activation", "directed")
graphs = st.fixed_dictionaries(
    {"nodes": st.one_of(odd, st.lists(node, max_size=4))},
    optional={
        "links": st.one_of(odd, st.lists(edge, max_size=4)),
        **dict.fromkeys(SETTINGS, odd),
        **dict.fromkeys(("format", "version", "vertices", "edges"), st.one_of(odd, st.lists(node))),
    },
)


@settings(max_examples=150)
@given(data=graphs)
def test_any_json_is_a_network_or_one_error(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("net") / "net.json"
    path.write_text(json.dumps(data))
    message = refusal(path)
    assert message.startswith(f"{path}: ") or not message
    assert message.replace("\n", "").isprintable()
    assert len(message) < 20_000


@settings(max_examples=60)
@given(data=st.data())
def test_any_graphml_is_a_network_or_one_error(tmp_path_factory, data):
    graph = networkx.DiGraph([("x", "h"), ("h", "o")], title="t")
    graph.nodes["h"]["activation"] = "relu"
    graph.edges["x", "h"]["weight"] = 0.5
    text = "\n".join(networkx.generate_graphml(graph))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 12)))
    put = data.draw(st.sampled_from(["", "<", '"', "&#0;", "x", "attr", "directed", "<graph/>"]))
    path = tmp_path_factory.mktemp("net") / "net.graphml"
    path.write_text(text[:start] + put + text[end:])
    message = refusal(path)
    assert message.startswith(f"{path}: ") or not message
