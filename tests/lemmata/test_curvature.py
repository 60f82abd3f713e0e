"""The command `curvature`: Hessians and the tangent kernel of a network in a file."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from graphs import activations as known
from graphs.network import network
from tests.graphs.written import dump


def write(kind=known.LINEAR, weights=(2, 3)) -> str:
    """f = v sigma(w x)."""
    graph = network([("x", "h"), ("h", "f")], inputs=["x"], outputs=["f"], activations={"h": kind})
    dump(graph, weights, Path("net.json"))
    return "net.json"


def test_norms_of_a_product_of_two_weights(lemmata):
    """f = v w x: |H| = |x|, |grad| = |x| sqrt(v^2 + w^2)."""
    called = lemmata("curvature", write(), "--at=-4/5", "--at", "2", "--format", "json")
    assert (called.code, called.err) == (0, "")
    found = json.loads(called.out)
    assert found["points"] == [[-0.8], [2.0]]
    assert found["layers"] == [["h"], ["f"]]
    (one,) = found["outputs"]
    assert one["value"] == [pytest.approx([-4.8, 12.0])]
    assert one["gradient_norm"] == [pytest.approx([0.8 * 13**0.5, 2 * 13**0.5])]
    assert one["hessian_norm"]["lower"] == [pytest.approx([0.8, 2.0])]
    assert one["hessian_norm"]["upper"] == [pytest.approx([0.8, 2.0])]
    assert one["hessian_blocks"][0][1] == [[0.0, pytest.approx(2.0)], [pytest.approx(2.0), 0.0]]
    assert one["tangent_kernel"]["eigenvalues"][0][1] == pytest.approx(13 * (4 + 0.64))


def test_draws_stand_in_for_weights(lemmata):
    name = write(known.TANH, None)
    words = ("curvature", name, "--at", "1", "--draws", "8", "--seed")
    called = lemmata(*words, "3")
    assert called.code == 0
    assert "8 draws" in called.out
    assert called.out == lemmata(*words, "3").out
    assert called.out != lemmata(*words, "4").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--at", "1,2"), "give one number for each of the inputs x"),
        (("--at", "one"), "'one' is no number"),
        (("--at", "1", "--draws", "0"), "--draws 0: give at least 1"),
        (("--at", "1", "--draws", "9" * 12), "weights each, give at most "),
        (("--at", "1e400"), "--at '1e400' is beyond float64, in which curvature computes"),
        (("--at", "1e-99999999"), "'1e-99999999' is no number"),
        (
            ("--at", "1", "--draws", "2", "--seed=-1"),
            "'-1' is no seed, give 0 or a larger whole number",
        ),
    ],
)
def test_bad_options_are_named(lemmata, arguments, message):
    called = lemmata("curvature", write(), *arguments)
    assert called.code == 4
    assert message in called.err


def test_what_a_file_lacks_is_named(lemmata):
    called = lemmata("curvature", write(weights=None), "--at", "1")
    assert (called.code, called.out) == (4, "")
    assert "net.json has no weights: add them, or give --draws 16" in called.err
    called = lemmata("curvature", write(known.ABS), "--at", "1")
    assert called.code == 4
    assert "net.json: vertex 'h' has the activation abs" in called.err


def test_a_network_that_is_too_deep_is_refused(lemmata):
    names = ["x", *(f"h{k}" for k in range(600)), "f"]
    edges = list(pairwise(names))
    dump(network(edges, inputs=["x"], outputs=["f"]), None, Path("net.json"))
    assert "601 layers one after the other" in lemmata.refused(
        "curvature", "net.json", "--at", "1", "--draws", "1"
    )
