"""Files that are no networks: each is refused, and the message names the culprit and the remedy."""

import re

import jsonschema
import pytest

from graphs.documents import from_json
from graphs.errors import (
    ActivationError,
    CycleError,
    NetworkError,
    ParameterError,
    WeightError,
)
from graphs.files import load
from tests.graphs.network_schema import NETWORK_SCHEMA
from tests.graphs.sample_network import document


def spoil(path, value):
    """A change of the document at a path of keys; a value that is `...` deletes."""

    def change(spoiled):
        *way, last = path
        for key in way:
            spoiled = spoiled[key]
        if value is ...:
            del spoiled[last]
        else:
            spoiled[last] = value

    return change


def add(key, value):
    return lambda spoiled: spoiled[key].append(value)


REFUSED = {
    "cycle": (
        add("edges", {"tail": "o", "head": "h", "fixed": 1}),
        CycleError,
        "h->o->h: remove one of its edges",
    ),
    "self-loop": (
        add("edges", {"tail": "h", "head": "h", "fixed": 1}),
        CycleError,
        "h->h: remove",
    ),
    "unknown activation": (
        spoil(["vertices", 1], {"name": "h", "activation": "gelu"}),
        ActivationError,
        "vertex 'h': unknown activation 'gelu': use one of linear",
    ),
    "no activation": (
        spoil(["vertices", 1, "activation"], ...),
        ActivationError,
        "vertex 'h': no activation",
    ),
    "no slope": (
        spoil(["vertices", 1, "slope"], ...),
        ActivationError,
        "vertex 'h': .* leaky_relu needs a slope",
    ),
    "bad slope": (
        spoil(["vertices", 1, "slope"], "a tenth"),
        ActivationError,
        "vertex 'h': slope is 'a tenth'",
    ),
    "surplus slope": (
        spoil(["vertices", 2, "slope"], "1/2"),
        ActivationError,
        "vertex 'o': .* the others have none",
    ),
    "activation of an input": (
        spoil(["vertices", 0, "activation"], "relu"),
        ActivationError,
        "input 'x' has the activation relu: use 'linear'",
    ),
    "missing weight": (
        spoil(["weights", "w[h->o]"], ...),
        WeightError,
        r"no weight for the parameter 'w\[h->o\]'",
    ),
    "surplus weight": (
        spoil(["weights", "w9"], "1"),
        WeightError,
        "weight for 'w9', a parameter that belongs to no edge",
    ),
    "edge without parameter": (
        spoil(["edges", 0, "parameter"], ...),
        ParameterError,
        "edge x->h: give either a parameter or a fixed weight",
    ),
    "edge with both": (
        spoil(["edges", 0, "fixed"], "1"),
        ParameterError,
        "edge x->h: give either a parameter or a fixed weight",
    ),
    "non-finite fixed weight": (
        spoil(["edges", 1, "fixed"], float("nan")),
        WeightError,
        "fixed weight of edge x->o is nan",
    ),
    "parallel edges": (
        add("edges", {"tail": "x", "head": "h", "fixed": "2"}),
        NetworkError,
        "two edges x->h: merge parallel edges into one",
    ),
    "unknown tail": (
        spoil(["edges", 0, "tail"], "y"),
        NetworkError,
        "edge 0 names 'y', which is not among the vertices",
    ),
    "tail that is no name": (
        spoil(["edges", 0, "tail"], ["x"]),
        NetworkError,
        r"edge 0 names \['x'\], which is not among the vertices",
    ),
    "unknown input": (
        spoil(["inputs"], ["x", "y"]),
        NetworkError,
        "inputs names 'y'",
    ),
    "unknown output": (spoil(["outputs"], ["p"]), NetworkError, "outputs names 'p'"),
    "unknown constant": (
        spoil(["constants"], {"bias": "1"}),
        NetworkError,
        "constants names 'bias'",
    ),
    "constant that is no input": (
        spoil(["constants"], {"h": "1"}),
        NetworkError,
        "'h' is held constant but is not an input",
    ),
    "input twice": (spoil(["inputs"], ["x", "x"]), NetworkError, "inputs names a vertex twice"),
    "no output": (spoil(["outputs"], []), NetworkError, "at least one input and one output"),
    "input with an in-edge": (
        spoil(["inputs"], ["x", "o"]),
        NetworkError,
        "input 'o' has an in-edge",
    ),
    "isolated vertex": (
        add("vertices", {"name": "lonely", "activation": "relu"}),
        NetworkError,
        "vertex 'lonely' has no in-edge",
    ),
    "vertex twice": (
        add("vertices", {"name": "h", "activation": "relu"}),
        NetworkError,
        "two vertices 'h'",
    ),
    "vertex without a name": (spoil(["vertices", 1, "name"], ...), NetworkError, "vertex 1 has no"),
    "empty name": (spoil(["vertices", 1, "name"], ""), NetworkError, "name of vertex 1 is ''"),
    "name that is a list": (
        spoil(["vertices", 1, "name"], ["h"]),
        NetworkError,
        "name of vertex 1 is .'h'.: give a",
    ),
    "bad scale": (
        spoil(["vertices", 2, "scale_square"], "x"),
        NetworkError,
        "scale_square of 'o' is 'x'",
    ),
    "negative scale": (
        spoil(["vertices", 2, "scale_square"], "-1"),
        NetworkError,
        "scale of 'o' is not positive",
    ),
    "unknown key": (
        spoil(["vertices", 2, "scale"], "2"),
        NetworkError,
        "vertex 2 has an unknown key 'scale': use name, activation, slope, scale_square",
    ),
    "unknown key at the top": (spoil(["bias"], {}), NetworkError, "unknown key 'bias'"),
    "no edges": (spoil(["edges"], ...), NetworkError, "the network has no 'edges': add it"),
    "edges that are no list": (spoil(["edges"], {}), NetworkError, "edges is dict: give a list"),
    "edge that is no object": (spoil(["edges", 0], "x->h"), NetworkError, "edge 0 is str"),
    "weights that are no object": (spoil(["weights"], [1, 2]), NetworkError, "weights is list"),
    "title that is no text": (spoil(["title"], 3), NetworkError, "title is 3: give a text"),
    "another format": (spoil(["format"], "onnx"), NetworkError, "format 'onnx', .* this reads"),
    "another version": (spoil(["version"], 2), NetworkError, "version 2: this reads"),
    "a version that is no number": (spoil(["version"], True), NetworkError, "version True"),
}


def test_all_that_is_wrong_is_told_at_once():
    spoiled = document()
    kept = ["unknown activation", "negative scale", "edge with both", "missing weight", "cycle"]
    for case in kept:
        REFUSED[case][0](spoiled)
    with pytest.raises(NetworkError) as caught:
        from_json(spoiled)
    first, *lines = str(caught.value).splitlines()
    assert first == "5 things to mend"
    assert len(lines) == 5
    for case in kept:
        assert re.search(REFUSED[case][2], str(caught.value)), case


def test_a_version_without_a_format_is_told():
    with pytest.raises(NetworkError, match="format None, version 2: this reads"):
        from_json({"version": 2})


def test_many_errors_are_counted():
    spoiled = document()
    spoiled["edges"] += [{"tail": "x", "head": f"h{k}", "fixed": 1} for k in range(1000)]
    with pytest.raises(NetworkError, match="1000 things to mend") as caught:
        from_json(spoiled)
    assert str(caught.value).splitlines()[-1] == "  and 970 more"


@pytest.mark.parametrize(("change", "error", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(change, error, message):
    spoiled = document()
    change(spoiled)
    with pytest.raises(error, match=message) as caught:
        from_json(spoiled)
    assert type(caught.value) is error


SEEN_BY_THE_SCHEMA = [
    "unknown activation",
    "no slope",
    "surplus slope",
    "edge without parameter",
    "edge with both",
    "tail that is no name",
    "vertex without a name",
    "empty name",
    "bad slope",
    "bad scale",
    "unknown key",
    "unknown key at the top",
    "no edges",
    "edges that are no list",
    "no output",
    "edge that is no object",
    "weights that are no object",
    "title that is no text",
    "another format",
    "another version",
    "a version that is no number",
    "input twice",
]


@pytest.mark.parametrize("case", SEEN_BY_THE_SCHEMA)
def test_what_the_schema_refuses(case):
    jsonschema.Draft202012Validator.check_schema(NETWORK_SCHEMA)
    spoiled = document()
    REFUSED[case][0](spoiled)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(spoiled, NETWORK_SCHEMA)


@pytest.mark.parametrize("value", [None, 1, "x", [], {}, {"format": "lemmata-network"}])
def test_what_is_no_network_at_all(value):
    with pytest.raises(NetworkError, match="the network"):
        from_json(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "malformed JSON at line 1, column 2"),
        ('{"a": 1,\n "a": 2}', "key 'a' twice in one JSON object: delete one"),
        ('{"b": [{"c": 1, "d": 2, "c": 3}]}', "key 'c' twice"),
        ("[" * 100000, "nested too deeply"),
        ("9" * 10000, "write large numbers as text"),
        (b"\xff\xfe\xfa", "save it as UTF-8"),
        ("", "malformed JSON"),
        ("{} {}", "malformed JSON"),
    ],
)
def test_malformed_json(tmp_path, text, message):
    path = tmp_path / "net.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(NetworkError, match=message) as caught:
        load(path)
    assert str(path) in str(caught.value)
