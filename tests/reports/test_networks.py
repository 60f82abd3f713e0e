"""Networks given as arrays, drawn."""

import re

from reports.exhibit import exhibit
from reports.networks import DRAWN, network_of_arrays

LETTERS = {"gap": "$s_k$"}
CASE = {
    "format": "tensors",
    "arrays": {
        "W1": {"axes": ["n1", "n0"], "entries": [["1/2", "0"], ["0", "3"]]},
        "b1": {"axes": ["n1"], "entries": ["0", "5"]},
        "W2": {"axes": ["n2", "n1"], "entries": [["7", "0"]]},
        "b2": {"axes": ["n2"], "entries": ["0"]},
        "a": {"axes": [], "entries": "-1/2"},
        "X": {"axes": ["N", "n0"], "entries": [["1", "11"]]},
        "gap": {"axes": [], "entries": "1/10"},
    },
}


def test_edges_are_weights_other_than_0_and_biases_come_from_a_constant():
    network = network_of_arrays(CASE)
    pairs = {(e["tail"], e["head"]): network["weights"][e["parameter"]] for e in network["edges"]}
    assert pairs == {
        ("x1", "h1.1"): "1/2",
        ("x2", "h1.2"): "3",
        ("1", "h1.2"): "5",
        ("h1.1", "y1"): "7",
        ("h1.2", "y1"): "0",  # a neuron without another edge
    }
    assert {v["name"]: v["activation"] for v in network["vertices"]} == {
        "1": "linear",
        "x1": "linear",
        "x2": "linear",
        "h1.1": "leaky_relu",
        "h1.2": "leaky_relu",
        "y1": "linear",
    }
    assert network["outputs"] == ["y1"]


def test_other_arrays_are_no_network():
    assert network_of_arrays({"arrays": {"C": {"axes": ["n", "n"], "entries": [["1"]]}}}) is None
    assert network_of_arrays({}) is None


def test_what_the_drawing_shows_is_not_written_out_again():
    assert {n for n in CASE["arrays"] if not re.fullmatch(DRAWN, n)} == {"a", "X", "gap"}


def test_a_counterexample_shows_the_drawing_and_the_point():
    certificate = {"kind": "counterexample", "case": CASE, "at": [1], "value": None}
    claim = {"kind": "inequality", "certificate": certificate, "through": "", "quantity": ""}
    page = exhibit(claim, LETTERS)
    assert "<svg" in page
    assert "7" in page
    assert "gap" not in page.replace("alttext", "")
    assert "<mi>s</mi>" in page
    assert "11" in page
