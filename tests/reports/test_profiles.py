"""Families of networks given as groups, drawn."""

import re

from reports.exhibit import exhibit
from reports.profiles import DRAWN, profile_of_arrays

SQUARE = ["g", "g"]
CASE = {
    "format": "tensors",
    "arrays": {
        "A": {
            "axes": SQUARE,
            "entries": [list("0001"), list("1000"), list("0100"), list("0010")],
            "integer": True,
        },
        "e": {"axes": ["g"], "entries": list("0120"), "integer": True},
        "S": {
            "axes": SQUARE,
            "entries": [list("0000"), list("0000"), list("0100"), list("0100")],
            "integer": True,
        },
        "k": {"axes": [], "entries": "2", "integer": True},
    },
    "choice": {},
}


def test_groups_are_vertices_and_skips_are_told_from_weights():
    network = profile_of_arrays(CASE)
    drawn = {(edge["tail"], edge["head"]): edge for edge in network["edges"]}
    assert set(drawn) == {("x", "g1"), ("g1", "g2"), ("g2", "f"), ("g1", "f")}
    assert drawn["g1", "f"] == {"tail": "g1", "head": "f", "fixed": "skip"}
    assert network["weights"] == {"g1 to g2": "and skip"}
    assert [v["activation"] for v in network["vertices"]] == ["1", "M", "M²", "1"]


def test_other_arrays_are_no_profile():
    assert profile_of_arrays({}) is None
    assert profile_of_arrays({"arrays": {"A": {"axes": ["n", "n"]}, "e": {}}}) is None


def test_a_certificate_shows_the_groups_and_its_numbers():
    assert {n for n in CASE["arrays"] if not re.fullmatch(DRAWN, n)} == {"k"}
    certificate = {"case": CASE, "kind": "counterexample", "at": [1], "value": None}
    shown = exhibit(
        {"certificate": certificate, "kind": "inequality", "through": "", "quantity": ""}, {}
    )
    assert "M²" in shown
    assert "and skip" in shown
    assert "<mi>k</mi>" in shown
