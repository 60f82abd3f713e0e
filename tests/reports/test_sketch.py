"""A network as text."""

import pytest

from reports.layout import DrawingError
from reports.sketch import sketch

SMALL = {
    "title": "a small one",
    "vertices": [
        {"name": "x", "activation": "linear"},
        {"name": "bias", "activation": "linear"},
        {"name": "hidden", "activation": "leaky_relu", "slope": "1/10"},
        {"name": "o", "activation": "linear", "scale_square": "1/2"},
    ],
    "inputs": ["x", "bias"],
    "outputs": ["o"],
    "constants": {"bias": "1"},
    "edges": [
        {"tail": "x", "head": "hidden", "parameter": "w[x->hidden]"},
        {"tail": "bias", "head": "hidden", "parameter": "p"},
        {"tail": "x", "head": "o", "fixed": "1"},
        {"tail": "hidden", "head": "o", "parameter": "p"},
    ],
    "weights": {"w[x->hidden]": "-2/3", "p": "3"},
}


def test_each_vertex_has_a_line_with_what_enters_it():
    assert sketch(SMALL) == (
        "a small one (4 vertices, 4 edges)\n"
        "\ndepth 0\n"
        "  x     input\n"
        "  bias  held at 1\n"
        "\ndepth 1\n"
        "  hidden  leaky_relu(1/10)  ← x · −2/3, bias · p = 3\n"
        "\ndepth 2\n"
        "  o  linear, scaled by the root of 1/2, output  ← x · 1 (fixed), hidden · p = 3\n"
    )


def test_without_weights_shared_parameters_are_named():
    text = sketch({**SMALL, "weights": None})
    assert "← x, bias · p\n" in text


def test_what_is_large_is_counted():
    names = [f"x{k}" for k in range(1000)]
    edges = [{"tail": name, "head": "o", "parameter": f"w[{name}->o]"} for name in names]
    vertices = [{"name": name, "activation": "linear"} for name in (*names, "o")]
    text = sketch({"vertices": vertices, "inputs": names, "outputs": ["o"], "edges": edges})
    assert "  and 960 more vertices\n" in text
    assert text.endswith(", x39, and 960 more\n")


def test_a_cycle_is_refused():
    loop = [{"tail": "o", "head": "o", "parameter": "q"}]
    with pytest.raises(DrawingError, match="cycle"):
        sketch({**SMALL, "edges": loop})
