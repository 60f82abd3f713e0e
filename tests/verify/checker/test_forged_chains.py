"""Certificates about batch-normalised chains that look right and show nothing are rejected."""

import pytest

from tests.verify.checker.networks import record
from verify.papers.registry import find
from verify.search.certificates import answer
from verify.search.exhibits import exhibits

AXES = {
    "H": ["d", "N"],
    "W": ["d", "d"],
    "states": ["m", "d"],
    "mass": ["m"],
    "atoms": ["k"],
    "probs": ["k"],
}
WHOLE = ("m", "p", "c", "q")
ACCEPT, REJECT = 0, 1


def code(name, **changed):
    """What the checker says of the kept counterexample with other arrays."""
    claim = find(f"dkbhl20.{name}")
    certificate = exhibits("dkbhl20")[claim.id].certificate_of(claim)
    arrays = dict(certificate["case"]["arrays"])
    for array, value in changed.items():
        arrays[array] = record(AXES.get(array, []), value, integer=array in WHOLE)
    return answer(certificate | {"case": certificate["case"] | {"arrays": arrays}})["exit"]


# weights that are rarely large: signs flip, and (1, 1) goes everywhere ----------------------------
def test_rare_large_weights_refute():
    assert code("lem5.c") == ACCEPT
    atoms, probs = [-16, 0, 16, 16, 5], ["1/512", "255/256", "1/1024", "1/1024", 0]
    assert code("lem5.c", atoms=atoms, probs=probs) == ACCEPT


@pytest.mark.parametrize(
    "change",
    [
        {"H": [[1, 1], [1, 1]]},  # two samples: a law for each direction of the rows
        {"H": [[2], [2]]},  # no layer
        {"H": [[1], [0]]},
        {"gamma": "1/64"},  # no sign can flip: several laws
        {"gamma": "1/8"},  # above 1/(8d)
        {"gamma": 0},
        {"B": 15},
        {"probs": ["1/512", "254/256", "1/512"]},
        {"probs": ["-1/512", "257/256", "1/512"]},
        {"atoms": [-16, 1, 16]},  # of mean above 0
        {"atoms": [-8, 0, 8]},  # of variance below 1
        {"states": [[1, 1], [1, -1]], "mass": ["1/2", "1/2"]},  # not invariant
        {"states": [[1, 1], [1, -1]], "mass": ["1/2", "1/4"]},  # no law
    ],
)
def test_without_what_lemma_5_supposes_nothing_is_refuted(change):
    assert code("lem5.c", **change) == REJECT


def test_weights_that_the_law_does_not_have_refute_nothing():
    assert code("lem5.a") == ACCEPT
    for weights in ([[0, 15], [0, 0]], [[0, 16], [0, 17]]):
        assert code("lem5.a", W=weights) == REJECT
    never = {"atoms": [-16, 0, 16, 17], "probs": ["1/512", "255/256", "1/512", 0], "B": 17}
    assert code("lem5.a", **never) == ACCEPT
    assert code("lem5.a", **never, W=[[0, 17], [0, 0]]) == REJECT


# spectra ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "change",
    [
        {"p": 2},  # beta = 1/2: alpha tends to 0
        {"p": 4},  # beta = 1
        {"p": 0},
        {"m": 0},
        {"a": -1},
        {"b": 1, "q": 1},  # a second eigenvalue of the order of the first
        {"c": 4},
        {"c": -1},
    ],
)
def test_other_families_do_not_refute_example_12(change):
    assert code("ex12.a") == ACCEPT
    assert code("ex12.a", **change) == REJECT
