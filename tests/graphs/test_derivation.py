"""What derive gives: every form says the same, and it is what exact evaluation finds."""

import json
from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from latex2mathml.converter import convert

from graphs.activations import TANH, leaky_relu
from graphs.derivation import derive
from graphs.errors import NetworkError, NotRationalError, TooManyPathsError
from graphs.exact import output
from graphs.families import fully_connected
from graphs.network import network
from tests.graphs.drawn_points import points
from tests.graphs.gradients import gradient

NET = network(
    [("x1", "h"), ("x2", "h"), ("x2", "g"), ("h", "o"), ("g", "o"), ("x1", "o")],
    inputs=["x1", "x2"],
    outputs=["o"],
    activations={"g": leaky_relu("1/4")},
    fixed={("x1", "o"): "2/3"},
    scale_squares={"h": "1/2"},
)


@settings(max_examples=25)
@given(points(examples=1, max_hidden=3, sharing=True, fixed=True, constants=True))
def test_on_the_region_of_a_point_it_is_the_exact_network(point):
    net, (x,) = point.network, point.xs
    found = derive(net, weights=point.weights, x=x, layer_limit=1)
    at = {"weights": point.weights, "inputs": [[number] for number in x]}
    symbols = found.symbols
    assert symbols.at(found.output.polynomial, **at) == output(net, point.weights, x)
    expected = gradient(net, point.weights, x, at_kink="right")
    for name, number in zip(net.parameter_names, expected, strict=True):
        assert symbols.at(found.gradient[name].polynomial, **at) == number
    assert not any(generator.kind == "slope" for generator in symbols.generators)


def test_all_forms_say_the_same():
    found = derive(NET)
    document = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert document["format"] == "lemmata-derivation"
    names = {symbol["name"] for symbol in document["symbols"]}
    for expression in found.expressions.values():
        assert sympy.sympify(expression.as_text()) == expression.as_sympy()
        entry = expression.as_json()
        rebuilt = sum(
            sympy.Rational(term["coefficient"])
            * sympy.Mul(*(sympy.Symbol(s) ** e for s, e in term["powers"].items()))
            for term in entry["terms"]
        )
        assert sympy.Poly(rebuilt - expression.as_sympy(), *map(sympy.Symbol, names)).is_zero
        assert {str(s) for s in expression.as_sympy().free_symbols} <= names


def test_the_text_says_what_there_is():
    text = derive(NET).as_text()
    for line in (
        "  c_h: scale of h, the square root of 1/2",
        "  s_h free",
        "  x2->g->o: w_g_o*w_x2_g*x2",
        "  x1->o: 2*x1/3",
        "  nu = c_h*s_h*w_h_o*w_x1_h*x1 + c_h*s_h*w_h_o*w_x2_h*x2 + s_g*w_g_o*w_x2_g*x2 + 2*x1/3",
        "  dnu/d w[g->o] = s_g*w_x2_g*x2",
        "  vertex g (lj22.lemma2a)",
        "    defect: 0",
    ):
        assert line in text.splitlines()


def test_a_formula_reads_as_mathematics():
    latex = derive(NET).as_latex()
    assert latex.startswith("\\[ h_{1} = ")
    assert r"\frac{\partial \nu}{\partial w_{g o}} = s_{g} w_{x_{2} g} x_{2}" in latex
    for line in latex.splitlines():
        assert "\\" not in convert(line.removeprefix("\\[").removesuffix("\\]"))


def test_a_region_by_slopes():
    found = derive(NET, slopes={"h": 0, "g": "1/4"})
    assert found.output.as_text() == "w_g_o*w_x2_g*x2/4 + 2*x1/3"
    assert found.region == {"h": 0, "g": Fraction(1, 4)}
    assert derive(NET, slopes={"h": 0}).notes == ("s_g free",)


def test_a_kink_on_the_region_is_noted():
    net = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"])
    found = derive(net, weights=[Fraction(0), Fraction(1)], x=[Fraction(1)])
    assert "h: pre-activation 0, the right slope was taken" in found.notes
    assert found.region == {"h": 1}


def test_long_expressions_are_counted_in_text_and_whole_elsewhere():
    found = derive(fully_connected([4, 5, 4, 1]), layer_limit=0)
    text = found.as_text()
    assert "  nu = (80 terms; LaTeX and JSON have them)" in text.splitlines()
    assert len(found.as_json()["output"]["terms"]) == 80


def test_layers_left_out_are_told():
    found = derive(fully_connected([1, 3, 1]), layer_limit=2)
    assert found.laws_left_out == 5
    assert "(5 more layers: raise the limit)" in found.as_text()


def test_errors_name_what_is_wrong():
    for options, message in (
        ({"weights": [1] * 5}, "both weights and an input"),
        ({"weights": [1] * 5, "x": [1, 1], "slopes": {"h": 1}}, "not by both"),
        ({"slopes": {"q": 1}}, "slope given for 'q'"),
        ({"slopes": {"x1": 1}}, "slope given for 'x1'"),
        ({"slopes": {"h": "1/2"}}, "slope 1/2 given for 'h', which has the slopes 0, 1"),
        ({"slopes": {"o": 2}}, "slope 2 given for 'o', which has the slopes 1"),
    ):
        with pytest.raises(NetworkError, match=message):
            derive(NET, **options)
    with pytest.raises(NotRationalError, match="'g' is tanh"):
        derive(NET.with_activations({"g": TANH}), slopes={"h": 1})
    with pytest.raises(TooManyPathsError, match="the cap is 3"):
        derive(NET, path_cap=3)
