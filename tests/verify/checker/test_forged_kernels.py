"""Certificates about kernels that look right and show nothing are rejected."""

from fractions import Fraction

from tests.verify.checker.networks import certificate, record
from verify.checker.restated import ACCEPT, REJECT, check

F = Fraction
AXES = {"Oin": ["i", "n"], "Oout": ["o", "m"], "X": ["N", "n"], "C": ["q", "n"]}
SHAPES = {
    "network": {"A": ["m", "n"]},
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
