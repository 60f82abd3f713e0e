"""Certificates about kernels and their networks that look right and show nothing are rejected."""

from fractions import Fraction
from math import log

import pytest

from tests.verify.checker.networks import certificate, record
from verify.checker.restated import ACCEPT, DECLINE, REJECT, check

F = Fraction
AXES = {"Oin": ["i", "n"], "Oout": ["o", "m"], "X": ["N", "n"], "C": ["q", "n"]}
SHAPES = {
    "network": {"A": ["m", "n"]},
    "square": {"A": ["n", "n"]},
    "means": {"B": ["p", "n"]},
}


def case(shapes="network", integers=("L", "l"), **arrays):
    axes = AXES | SHAPES[shapes]
    made = {
        name: record(axes.get(name, []), value, integer=name in integers)
        for name, value in arrays.items()
    }
    return {"format": "tensors", "arrays": made, "choice": {}}


def code(claim, made, entry, value, without=""):
    return check(certificate(f"j23.thm3.3{claim}", made, entry, value, without)).code


def near(number):
    """An enclosure around a real number."""
    return [str(F(number) - F(1, 10**9)), str(F(number) + F(1, 10**9))]


def net(depth=2, s=2, point=3, **changes):
    """The map 2 x at 3; as printed the network says 3 instead of 6."""
    made = {"A": [[s]], "Oin": [[1]], "Oout": [[1]], "X": [[point]], "a": 0, "L": depth}
    return case(**{**made, **changes})


OUTPUT, FIRST, POINT = ".construct.b", {"layer": 1}, {"point": 0}


# the network --------------------------------------------------------------------------------------
def test_the_printed_network_is_refuted():
    assert code(OUTPUT, net(), POINT, "9") == ACCEPT
    assert code(OUTPUT, net(), POINT, "8") == REJECT
    assert code(OUTPUT, net(), POINT, "0") == REJECT
    assert code(OUTPUT, net(), {"point": 1}, "9") == REJECT
    assert code(OUTPUT, net(), {}, "9") == REJECT
    assert code(OUTPUT + ".fix", net(), POINT, "9") == REJECT


@pytest.mark.parametrize(
    ("changes", "value"),
    [
        ({"Oin": [[2]]}, "9"),
        ({"Oout": [[2]]}, "9"),
        ({"Oin": [[-1]]}, "9"),
        ({"Oout": [[-1]]}, "9"),
        ({"point": -3}, "9"),
        ({"a": 5}, "9"),
        ({"a": 1}, "9"),
        ({"L": 0}, "9"),
        ({"L": -1}, "9"),
        ({"L": F(5, 2)}, "9"),
        ({"s": 1}, "9"),
        ({"Z": [[1]]}, "9"),
    ],
)
def test_hypotheses_and_integers_are_looked_at(changes, value):
    made = net(**changes)
    assert code(OUTPUT, made, POINT, value) == REJECT
    if changes != {"s": 1}:
        assert code(OUTPUT + ".fix", made, POINT, value) == REJECT


def test_too_many_layers_are_declined():
    assert code(OUTPUT, net(depth=513), POINT, "9") == DECLINE
    assert code(OUTPUT, net(depth=10**12), POINT, "9") == DECLINE
    assert code(OUTPUT, net(depth=40), POINT, "9") == ACCEPT


def test_weights_that_do_not_exist_have_no_outputs():
    made = net(A=[[2, 0]], Oin=[[1, 0]], X=[[3, 4]])
    for value in ("9", "36", "25"):
        assert code(OUTPUT, made, POINT, value) == REJECT
    assert code(".norm.a", made, {"layer": 2}, "1") == REJECT


@pytest.mark.parametrize("layer", [0, 2, 3, -1])
def test_only_hidden_layers_have_activations(layer):
    made = net(Oin=[[-1]])
    entry = {"layer": layer, "point": 0}
    assert code(".construct.a", made, entry, "45/2", "positive inputs") == REJECT


def test_what_is_waived_must_fail():
    # reflected: at depth 2 of 9 (1/2 + 4/2) the first half is cut off
    made, entry = net(Oin=[[-1]]), {"layer": 1, "point": 0}
    assert code(".construct.a", made, entry, "9/2", "positive inputs") == ACCEPT
    assert code(".construct.a", made, entry, "9/2", "positive outputs") == REJECT
    assert code(".construct.a", made, entry, "9/2", "embedding Oin") == REJECT
    assert code(".construct.a", made, entry, "9/2") == REJECT
    assert code(".construct.a", net(), entry, "9/2", "positive inputs") == REJECT


# kernels ------------------------------------------------------------------------------------------
def test_mixtures_have_the_entries_that_they_have():
    made = case(A=[[2]], Oin=[[1]], Oout=[[-1]], X=[[3]], a=0, L=1, l=0)
    waived = "positive outputs"
    assert code(".cp.b", made, {"point": 0, "entry": 0}, "-6", waived) == ACCEPT
    assert code(".cp.b", made, {"point": 0, "entry": 1}, "-6", waived) == REJECT
    assert code(".cp.b", made, {"point": 0, "entry": 0}, "-6") == REJECT
    assert code(".cp.b", made, {"part": "kernel"}, "-6", waived) == REJECT
    assert code(".cp.b", made, {"part": "kernel", "point": 0}, "-6", waived) == REJECT
    for layer in (-1, 2):
        made["arrays"]["l"] = record([], layer, integer=True)
        assert code(".cp.b", made, {"point": 0, "entry": 0}, "-6", waived) == REJECT


def test_equations_of_embeddings_hold_where_they_do():
    made = case(A=[[2]], Oin=[[2]], Oout=[[1]], X=[[3]], a=0)
    assert code(".cp.a", made, {"part": "K_in"}, "9", "embedding Oin") == ACCEPT
    assert code(".cp.a", made, {"part": "K_out"}, "9", "embedding Oin") == REJECT
    assert code(".cp.a", made, {"part": "K_in"}, "9", "embedding Oout") == REJECT
    assert code(".cp.a", made, {"part": "K"}, "9", "embedding Oin") == REJECT


# norms --------------------------------------------------------------------------------------------
def alone(linear, shapes="network", **depth):
    return case(shapes, A=linear, **depth)


def test_limits_are_what_they_are():
    assert code(".norm.b", alone([[2]]), FIRST, "3") == ACCEPT
    assert code(".norm.c", alone([[2]]), FIRST, near(3 - log(4))) == ACCEPT
    assert code(".norm.d", alone([[2]], "square"), {}, near(3 - 2 * log(4))) == ACCEPT
    assert code(".norm.b", alone([[2]]), {"layer": 2}, "3") == REJECT
    assert code(".norm.b", alone([[2]]), {}, "3") == REJECT
    assert code(".norm.c", alone([[2]]), FIRST, near(3.0)) == REJECT
    assert code(".norm.d", alone([[2]], "square"), {}, near(3 - log(4))) == REJECT
    assert code(".norm.d", alone([[2, 0]], "square"), {}, near(3 - 2 * log(4))) == REJECT


@pytest.mark.parametrize("linear", [[[1]], [[0]], [["3/5", "4/5"], ["-4/5", "3/5"]]])
def test_isometries_refute_no_limit(linear):
    for value in ("1", "-1", "1/1000000"):
        assert code(".norm.b", alone(linear), FIRST, value) == REJECT
        assert code(".norm.c", alone(linear), FIRST, value) == REJECT
        assert code(".norm.d", alone(linear, "square"), {}, value) == REJECT


@pytest.mark.parametrize("value", ["-1", "-1/1000000"])
@pytest.mark.parametrize("depth", [0, 1, 2, 8])
def test_repaired_norms_are_not_refuted(value, depth):
    for part in ("below", "above"):
        made = alone([[2]], "square", L=depth)
        assert code(".norm.b.sum", made, {"part": part}, value) == REJECT
        assert code(".norm.d.fix", alone([[2]], L=depth), {"part": part}, value) == REJECT
    for layer in (1, 2, 9):
        assert code(".norm.c.fix", alone([[2]], L=depth), {"layer": layer}, value) == REJECT


def test_norms_of_other_networks_are_no_evidence():
    for part in ("outputs", "layers", "norm"):
        assert code(".norm.e", net(), {"part": part}, "-1") == REJECT
        assert code(".norm.e", net(Oin=[[2]]), {"part": part}, "-1") == REJECT
    doubled = net(Oin=[[2]])
    assert code(".norm.e", doubled, {"part": "outputs"}, "-1", "embedding Oin") == REJECT
    # W_1^2 is 4/2 + 4/2, W_2^2 4/4; the kernels have 5/2 and 8/5
    assert code(".norm.e", doubled, {"part": "layers"}, "-9/10", "embedding Oin") == ACCEPT
