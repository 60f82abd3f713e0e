"""Certificates about graphs and forms of networks that look right and show nothing are rejected."""

import pytest

from tests.verify.checker.networks import certificate, record
from verify.checker.restated import ACCEPT, REJECT, check

NETWORK = {"E": ["n", "n"], "W": ["n", "n"], "A": ["n", "k"], "X": ["N", "n"], "K": ["n", "n"]}
LAYERED = {"B": ["n"], "W": ["n", "n"], "X": ["n"], "s": ["k"], "o": ["k"], "r": []}
AXES = {"n": ["layers"], "p": [], "q": [], "c": []}


def case(axes=AXES, **arrays):
    made = {name: record(axes[name], value) for name, value in arrays.items()}
    return {"format": "tensors", "arrays": made, "choice": {}}


def code(claim, made, entry, value, without=""):
    return check(certificate(f"zlb22.{claim}", made, entry, value, without)).code


# dropped edges ------------------------------------------------------------------------------------
DROPPED = {
    "E": [[0, 0, 0], [0, 0, 0], [1, 1, 0]],
    "W": [[0, 0, 0], [0, 0, 0], [3, 5, 0]],
    "A": [[0, 1, 0], [0, 1, 0], [1, 0, 1]],
    "X": [[1, 2, 7]],
    "K": [[0, 0, 0], [0, 0, 0], [1, 0, 0]],
}
PLACE = {"entry": 2, "point": 0}
NOTHING = [[0, 0, 0]] * 3


def test_a_neuron_without_edges_is_an_input_of_the_new_graph():
    bare, name = case(NETWORK, **{**DROPPED, "K": NOTHING}), "an edge is kept at every neuron"
    assert code("appA.drop@B", bare, PLACE, -6, name) == ACCEPT
    assert code("appA.drop@B", bare, PLACE, -6) == REJECT
    assert code("appA.drop@B", case(NETWORK, **DROPPED), PLACE, -6, name) == REJECT


# matrix forms -------------------------------------------------------------------------------------
TWO = {"B": [0, 1], "W": [[0, 0], [3, 0]], "X": [1, 0], "s": [0, 0, 1], "o": [0, 1, 0], "r": 1}


@pytest.mark.parametrize("name", ["fcn", "dense"])
def test_matrix_forms(name):
    claim, entry = f"appA.{name}", {"entry": 1}
    halved = case(LAYERED, **{**TWO, "r": 2})
    assert code(claim, halved, entry, "-3/2", "printed divisor") == ACCEPT
    assert code(claim, halved, entry, "-3/2") == REJECT
    squared = case(LAYERED, **{**TWO, "o": [0, 0, 1]})
    assert code(claim, squared, entry, -6, "identity as output activation") == ACCEPT
    assert code(claim, squared, entry, -6, "printed divisor") == REJECT
    empty = case(LAYERED, **{**TWO, "B": [0, 2]})
    assert code(f"{claim}.layers", empty, entry, -2 if name == "fcn" else -1, "positive sizes") == (
        ACCEPT
    )
    for marks in ([0, "1/2"], [0, -1], [0, 13], [1, 1]):
        odd = case(LAYERED, **{**TWO, "B": marks})
        assert code(f"{claim}.layers", odd, entry, 1, "positive sizes") == REJECT
