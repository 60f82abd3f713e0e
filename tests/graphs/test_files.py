import json
from fractions import Fraction
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from graphs.composition import compose
from graphs.convolutions import convolution
from graphs.documents import from_json
from graphs.errors import (
    NetworkError,
    ParameterError,
    WeightError,
)
from graphs.families import fully_connected
from graphs.files import load, parse_json, to_json
from graphs.network import network
from graphs.random_graphs import layered_random_dag
from graphs.residual import residual_block
from graphs.strategies import ALL_KINDS, activations, networks, weights_for
from tests.graphs.drawn_points import in_degree_scaling
from tests.graphs.network_schema import NETWORK_SCHEMA
from tests.graphs.sample_network import SMALL, WEIGHTS, document
from tests.graphs.written import dump

everything = networks(
    max_outputs=2,
    activations=activations(ALL_KINDS),
    sharing=True,
    fixed=True,
    constants=True,
    scaling=True,
)
VALIDATOR = Draft202012Validator(NETWORK_SCHEMA)


# there and back ------------------------------------------------------------------------------
@given(data=st.data(), net=everything, weighted=st.booleans())
def test_json_round_trip(data, net, weighted):
    weights = data.draw(weights_for(net)) if weighted else None
    written = to_json(net, weights)
    VALIDATOR.validate(written)
    again, read = from_json(parse_json(json.dumps(written, allow_nan=False)))
    assert (again, read) == (net, weights)
    assert again.title == net.title
    assert to_json(again, read) == written


@pytest.mark.parametrize("suffix", [".json", ".graphml"])
@given(data=st.data(), net=everything, weighted=st.booleans())
def test_file_round_trip(tmp_path_factory, suffix, data, net, weighted):
    weights = data.draw(weights_for(net)) if weighted else None
    path = tmp_path_factory.mktemp("net") / f"net{suffix}"
    dump(net, weights, path)
    again, read = load(path)
    assert (again, read) == (net, weights)
    assert again.title == net.title


texts = st.text(min_size=1, max_size=8)


@pytest.mark.parametrize("suffix", [".json", ".graphml"])
@given(names=st.lists(texts, min_size=2, max_size=2, unique=True), parameter=texts, title=st.text())
@example(names=["a->b", " x "], parameter='w["<&>"]', title="")
@example(names=["\t", "\n"], parameter=" ", title=" \n")
@example(names=["\ud800", "o"], parameter="\x1b[31m", title="")
@example(names=["0", "true"], parameter="1e5", title="1")
def test_any_name_that_can_be_printed_survives(tmp_path_factory, suffix, names, parameter, title):
    tail, head = names
    net = network(
        [(tail, head)],
        inputs=[tail],
        outputs=[head],
        parameters={(tail, head): parameter},
        title=title,
    )
    path = tmp_path_factory.mktemp("net") / f"net{suffix}"
    if (tail + head + parameter + title).isprintable():
        dump(net, (Fraction(1, 3),), path)
        again, weights = load(path)
        assert (again, again.title, weights) == (net, title, (Fraction(1, 3),))
    elif suffix == ".json":  # XML cannot hold everything
        dump(net, (Fraction(1, 3),), path)
        with pytest.raises(NetworkError, match="has characters that cannot be printed") as caught:
            load(path)
        assert str(caught.value).replace("\n", "").isprintable()


@pytest.mark.parametrize(
    "net",
    [
        convolution((3, 3), (1, 2), (2, 2), padding=1),
        compose(residual_block("identity", 2), fully_connected([2, 1], bias=True)),
        in_degree_scaling(layered_random_dag(Random(2), [2, 4, 3, 1], 0.5)),
    ],
    ids=lambda net: net.title,
)
@pytest.mark.parametrize("suffix", [".json", ".GraphML"])
def test_families_round_trip(tmp_path, net, suffix):
    random = Random(0)
    weights = tuple(Fraction(random.randint(-9, 9), 7) for _ in net.parameter_names)
    dump(net, weights, tmp_path / f"net{suffix}")
    assert load(tmp_path / f"net{suffix}") == (net, weights)


@given(net=everything, seed=st.integers(0, 10**6))
def test_the_order_in_a_file_does_not_matter(net, seed):
    written = to_json(net)
    random = Random(seed)
    random.shuffle(written["vertices"])
    random.shuffle(written["edges"])
    again, _ = from_json(written)
    assert sorted(again.names) == sorted(net.names)
    assert [again.names[v] for v in again.inputs] == [net.names[v] for v in net.inputs]
    for e in range(net.edge_count):
        tail, head = net.names[net.tails[e]], net.names[net.heads[e]]
        f = again.edge_between(tail, head)
        assert again.fixed[f] == net.fixed[e]
        if net.learnable(e):
            name = net.parameter_names[net.parameter_of[e]]
            assert again.parameter_names[again.parameter_of[f]] == name
    for name in net.names:
        v, u = net.index[name], again.index[name]
        assert again.activations[u] == net.activations[v]
        assert again.scale_squares[u] == net.scale_squares[v]


def test_weights_of_a_network_without_parameters_are_not_missing_weights(tmp_path):
    net = network([("x", "o")], inputs=["x"], outputs=["o"], fixed={("x", "o"): "1/3"})
    for suffix in ("json", "graphml"):
        dump(net, (), tmp_path / f"a.{suffix}")
        dump(net, None, tmp_path / f"b.{suffix}")
        assert load(tmp_path / f"a.{suffix}")[1] == ()
        assert load(tmp_path / f"b.{suffix}")[1] is None


def test_vertices_are_written_in_topological_order():
    written = to_json(layered_random_dag(Random(2), [2, 4, 3, 1], 0.5))
    place = {record["name"]: k for k, record in enumerate(written["vertices"])}
    assert all(place[record["tail"]] < place[record["head"]] for record in written["edges"])


def test_the_format_is_the_documented_one():
    assert document() == {
        "format": "lemmata-network",
        "version": 1,
        "title": "a small one",
        "vertices": [
            {"name": "x", "activation": "linear"},
            {"name": "h", "activation": "leaky_relu", "slope": "1/10"},
            {"name": "o", "activation": "linear", "scale_square": "1/2"},
        ],
        "inputs": ["x"],
        "outputs": ["o"],
        "constants": {},
        "edges": [
            {"tail": "x", "head": "h", "parameter": "w[x->h]"},
            {"tail": "x", "head": "o", "fixed": "1"},
            {"tail": "h", "head": "o", "parameter": "w[h->o]"},
        ],
        "weights": {"w[x->h]": "-2/3", "w[h->o]": "3"},
    }


def test_wrong_weights_are_not_written(tmp_path):
    with pytest.raises(ParameterError, match="1 weights for the 2 parameters"):
        dump(SMALL, WEIGHTS[:1], tmp_path / "net.json")
    with pytest.raises(WeightError, match=r"weight of 'w\[h->o\]' is nan"):
        dump(SMALL, (1, float("nan")), tmp_path / "net.json")
    assert not list(tmp_path.iterdir())


def test_unknown_kinds_of_file_and_missing_files(tmp_path):
    with pytest.raises(NetworkError, match=r"net.onnx: unknown kind of file: use a name in .json"):
        load(tmp_path / "net.onnx")
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "net.json")
