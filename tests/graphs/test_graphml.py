"""GraphML by itself; that networks survive it is in test_files."""

import re
from fractions import Fraction

import networkx
import pytest

from graphs.convolutions import convolution
from graphs.errors import ActivationError, NetworkError, WeightError
from graphs.files import load, to_json
from tests.graphs.sample_network import SMALL, WEIGHTS, document
from tests.graphs.written import dump, format_graphml


def spoiled(pattern, replacement):
    """The GraphML of the sample, changed in exactly one place."""
    text, count = re.subn(pattern, replacement, format_graphml(document()).decode(), flags=re.S)
    assert count == 1
    return text.encode()


def test_other_programs_can_read_it(tmp_path):
    dump(SMALL, WEIGHTS, tmp_path / "net.graphml")
    graph = networkx.read_graphml(tmp_path / "net.graphml")
    assert sorted(graph.edges(data="weight")) == [
        ("h", "o", "3"),
        ("x", "h", "-2/3"),
        ("x", "o", None),
    ]
    assert graph.nodes["h"] == {"activation": "leaky_relu", "slope": "1/10"}
    assert graph.nodes["x"] == {"activation": "linear", "input": 0}


def test_attributes_and_number_types_of_other_programs_are_accepted(tmp_path):
    graph = networkx.DiGraph(format="lemmata-network", version=1, author="somebody")
    graph.add_node(1, input=0, color="red")
    graph.add_node(2, activation="relu", x=0.5)
    graph.add_node(3, activation="linear", output=0)
    graph.add_edge(1, 2, parameter="a", weight=0.5, label="first")
    graph.add_edge(2, 3, parameter="b", weight=-2)
    networkx.write_graphml(graph, tmp_path / "net.graphml")
    net, weights = load(tmp_path / "net.graphml")
    assert [net.edge_name(e) for e in range(net.edge_count)] == ["1->2", "2->3"]
    assert [float(w) for w in weights] == [0.5, -2.0]


def test_the_edges_of_a_parameter_carry_its_weight(tmp_path):
    net = convolution(4, (1, 1), 2)
    content = format_graphml(to_json(net, (2, Fraction(1, 3))))
    path = tmp_path / "net.graphml"
    path.write_bytes(content)
    assert load(path) == (net, (2, Fraction(1, 3)))
    path.write_bytes(content.replace(b"1/3", b"1/4", 1))
    with pytest.raises(WeightError, match=r"parameter 'k\[1,1,2\]' has the weights 1/4 and 1/3"):
        load(path)


@pytest.mark.parametrize(
    ("pattern", "replacement", "error", "message"),
    [
        (r'edgedefault="directed"', 'edgedefault="undirected"', NetworkError, "not directed"),
        (r"</graphml>", "", NetworkError, "malformed GraphML"),
        (r"encoding='utf-8'", "encoding='utf-b'", NetworkError, "malformed GraphML"),
        (r"<graphml.*</graphml>", "<svg></svg>", NetworkError, "malformed GraphML"),
        (r'<edge source="x" target="h">', '<edge source="y" target="h">', NetworkError, "'y'"),
        (
            r'(<edge source="x" target="h">.*?</edge>)',
            r"\1\1",
            NetworkError,
            "two edges x->h: merge parallel edges",
        ),
        (r">leaky_relu<", ">gelu<", ActivationError, "vertex 'h': unknown activation 'gelu'"),
        (r">-2/3<", ">inf<", WeightError, r"weight of 'w\[x->h\]' is 'inf'"),
        (r">lemmata-network<", ">gexf<", NetworkError, "format 'gexf'"),
    ],
)
def test_what_is_refused(tmp_path, pattern, replacement, error, message):
    path = tmp_path / "net.graphml"
    path.write_bytes(spoiled(pattern, replacement))
    with pytest.raises(error, match=message) as caught:
        load(path)
    assert str(path) in str(caught.value)


def test_a_weight_that_is_missing_is_named(tmp_path):
    path = tmp_path / "net.graphml"
    path.write_bytes(spoiled(r'\s*<data key="[a-z0-9]+">-2/3</data>', ""))
    with pytest.raises(WeightError, match=r"no weight for the parameter 'w\[x->h\]'"):
        load(path)


def test_roles_are_numbered_once(tmp_path):
    net = convolution(2, (1, 1), 1)
    graph = networkx.parse_graphml(format_graphml(to_json(net)).decode())
    for place in (0, "first"):
        graph.nodes["x[1,2]"]["input"] = place
        content = "\n".join(networkx.generate_graphml(graph)).encode()
        (tmp_path / "net.graphml").write_bytes(content)
        with pytest.raises(NetworkError, match=r"at 'x\[1,2\]': number the inputs 0, 1, ..."):
            load(tmp_path / "net.graphml")
