"""Small DAG networks given as arrays, drawn."""

import re

from reports.dags import DRAWN, dag_of_arrays, polynomial_text
from reports.exhibit import exhibit

CASE = {
    "format": "tensors",
    "arrays": {
        "E": {
            "axes": ["n", "n"],
            "entries": [["0", "0", "0"], ["1", "0", "1"], ["1", "1", "0"]],
        },
        "W": {
            "axes": ["n", "n"],
            "entries": [["9", "9", "9"], ["1/2", "9", "9"], ["0", "-3", "9"]],
        },
        "A": {"axes": ["n", "k"], "entries": [["0", "1"], ["1", "2"], ["0", "1"]]},
        "X": {"axes": ["N", "n"], "entries": [["5", "0", "0"]]},
        "d": {"axes": ["n"], "entries": ["1", "2", "3"]},
    },
    "choice": {},
}


def test_edges_run_to_later_vertices_and_carry_the_weights_there():
    network = dag_of_arrays(CASE)
    pairs = {(e["tail"], e["head"]): network["weights"][e["parameter"]] for e in network["edges"]}
    assert pairs == {("x0", "v1"): "1/2", ("x0", "v2"): "0", ("v1", "v2"): "-3"}
    assert network["inputs"] == ["x0"]
    assert network["outputs"] == ["v2"]
    assert [v["activation"] for v in network["vertices"]] == ["linear", "1 + 2z", "linear"]


def test_a_vertex_without_edges_is_an_input_alone():
    alone = {"axes": ["n", "n"], "entries": [["0"] * 3, ["1", "0", "0"], ["0"] * 3]}
    network = dag_of_arrays({"arrays": {**CASE["arrays"], "E": alone}})
    assert network["inputs"] == ["x0", "x2"]
    assert network["outputs"] == ["v1"]


def test_other_arrays_are_no_dag():
    assert dag_of_arrays({}) is None
    assert dag_of_arrays({"arrays": {"E": CASE["arrays"]["E"]}}) is None


def test_polynomials_in_words():
    assert polynomial_text(["0", "0", "1"]) == "z²"
    assert polynomial_text(["0", "-1"]) == "−z"
    assert polynomial_text(["0", "0"]) == "0"
    assert polynomial_text(["-1/3", "1", "0", "-2"]) == "−1/3 + z − 2z³"


def test_a_certificate_shows_the_drawing_and_the_other_arrays():
    assert {n for n in CASE["arrays"] if not re.fullmatch(DRAWN, n)} == {"X", "d"}
    certificate = {"case": CASE, "kind": "counterexample", "at": [1], "value": None}
    shown = exhibit(
        {"certificate": certificate, "kind": "identity", "through": "", "quantity": ""}, {}
    )
    assert "<svg" in shown
    assert "1 + 2z" in shown
    assert "<mi>X</mi>" in shown
    assert "<mi>W</mi>" not in shown
