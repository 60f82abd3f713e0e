"""Certificates about batch-normalised chains that look right and show nothing are rejected."""

import pytest

from tests.verify.checker.networks import certificate, record
from verify.checker.restated import ACCEPT, REJECT, check

AXES = {
    "H": ["d", "N"],
    "W": ["d", "d"],
    "M": ["s", "d", "d"],
    "atoms": ["k"],
    "probs": ["k"],
}
WHOLE = ("m", "p", "c", "q", "tied")


def case(**arrays):
    axes = AXES | ({"probs": ["s"]} if "M" in arrays else {})
    made = {
        name: record(axes.get(name, []), value, integer=name in WHOLE)
        for name, value in arrays.items()
    }
    return {"format": "tensors", "arrays": made, "choice": {}}


def code(claim, made, entry, value, without=""):
    return check(certificate(f"dkbhl20.{claim}", made, entry, value, without)).code


# weights that are rarely large: signs flip, and (1, 1) goes everywhere ----------------------------
RARE = {
    "H": [[1], [1]],
    "gamma": "3/64",
    "atoms": [-16, 0, 16],
    "probs": ["1/512", "255/256", "1/512"],
    "B": 16,
}
PAIR = {"entry": [0, 1]}


def test_rare_large_weights_refute():
    assert code("lem5.c", case(**RARE), PAIR, -1) == ACCEPT
    twice = {"atoms": [-16, 0, 16, 16, 5], "probs": ["1/512", "255/256", "1/1024", "1/1024", 0]}
    assert code("lem5.c", case(**RARE | twice), PAIR, -1) == ACCEPT


@pytest.mark.parametrize(
    "change",
    [
        {"H": [[1, 1], [1, 1]]},  # two samples: a law for each direction of the rows
        {"H": [[1]]},  # no pair
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
    ],
)
def test_without_what_lemma_5_supposes_nothing_is_refuted(change):
    assert code("lem5.c", case(**RARE | change), PAIR, -1) == REJECT


def test_means_of_one_row_with_itself_are_no_means_of_different_rows():
    arrays = {name: value for name, value in RARE.items() if name != "B"} | {"tied": 0}
    assert code("lem4.g", case(**arrays), {"entry": [0, 0]}, 1) == REJECT
    assert code("lem4.g", case(**arrays), {"entry": [0, 1]}, 1) == REJECT


def test_weights_that_the_law_does_not_have_refute_nothing():
    step = case(**RARE, W=[[-16, -16], [16, 16]])
    # u + gamma W u = (1 - 3/2, 1 + 3/2): the first sign flips
    assert code("lem5.a", step, {}, -1) == ACCEPT
    for weights in ([[-15, -16], [16, 16]], [[-16, -16], [16, 17]]):
        assert code("lem5.a", case(**RARE, W=weights), {}, -1) == REJECT
    never = RARE | {"atoms": [-16, 0, 16, 17], "probs": ["1/512", "255/256", "1/512", 0], "B": 17}
    assert code("lem5.a", case(**never, W=[[-16, -16], [16, 17]]), {}, -1) == REJECT


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
    family = {"a": 1, "b": 0, "m": 4, "p": 1, "c": 0, "q": 0}
    assert code("ex12.a", case(**family), {}, -1) == ACCEPT
    assert code("ex12.a", case(**family | change), {}, -1) == REJECT
