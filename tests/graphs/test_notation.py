"""How symbols are written: names that Python, SymPy and LaTeX read back."""

import keyword

from hypothesis import given
from hypothesis import strategies as st
from sympy import Symbol, sympify

from graphs.network import network
from graphs.notation import (
    identifier,
    input_names,
    subscripted,
    unique,
    vertex_latex,
    weight_names,
)


@given(st.lists(st.text("abEIS_ 1->[],é", min_size=1, max_size=6)))
def test_unique_names_differ_and_read_back(names):
    texts = unique(identifier(f"w_{name}") for name in names)
    assert len(set(texts)) == len(names)
    for text in texts:
        assert text.isidentifier()
        assert not keyword.iskeyword(text)
        assert sympify(text, {}) == Symbol(text)


def test_names_with_a_meaning_elsewhere_are_changed():
    assert unique(["S", "lambda", "1x", "ok"]) == ["S_", "lambda_", "n1x", "ok"]


def test_weights_are_named_after_their_edges():
    net = network([("x1", "h"), ("h", "o")], inputs=["x1"], outputs=["o"])
    assert weight_names(net, 0) == ("w_x1_h", "w_{x_{1} h}", "weight of x1->h")


def test_shared_weights_keep_their_own_name():
    edges = [("a", "h"), ("b", "h"), ("h", "o")]
    shared = {edges[0]: "k[0,1]", edges[1]: "k[0,1]", edges[2]: "gain"}
    net = network(edges, inputs=["a", "b"], outputs=["o"], parameters=shared)
    assert weight_names(net, 0) == ("k_0_1", "k_{0,1}", "weight of a->h, b->h")
    assert weight_names(net, 1)[:2] == ("gain", r"\mathrm{gain}")


def test_inputs_and_vertices():
    assert input_names("x12") == ("x12", "x_{12}")
    assert input_names("pixel") == ("x_pixel", r"x_{\mathrm{pixel}}")
    assert vertex_latex("a_b{") == r"\mathrm{a\_b }"
    assert subscripted("s_{h_{1}}", 3) == "s_{h_{1},3}"
    assert subscripted(r"\kappa", 3) == r"\kappa_{3}"
