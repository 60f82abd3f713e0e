"""Symbols: at a rational point a polynomial is what the rational evaluation gives there."""

from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.activations import LINEAR, RELU, TANH, leaky_relu
from graphs.arithmetic import as_fraction
from graphs.errors import NetworkError, NotRationalError
from graphs.evaluation import Union
from graphs.exact import evaluation_at, parameter_gradients
from graphs.network import network
from graphs.paths import count_paths
from graphs.polynomials import Symbols
from graphs.strategies import activations, networks
from tests.graphs.drawn_points import BACKENDS, exact_networks, points

DIAMOND = network([("x1", "h"), ("x1", "g"), ("h", "o"), ("g", "o")], inputs=["x1"], outputs=["o"])
h, g = DIAMOND.index["h"], DIAMOND.index["g"]
anything = {"sharing": True, "fixed": True, "constants": True, "scaling": True}


def at(symbols, polynomial, point, evaluation):
    return symbols.at(
        polynomial,
        weights=point.weights,
        inputs=[[x[i] for x in point.xs] for i in range(len(point.network.free_inputs))],
        slopes=evaluation.slopes,
    )


@pytest.mark.parametrize("backend", BACKENDS)
@settings(max_examples=40)
@given(points(max_hidden=3, **anything))
def test_polynomials_at_a_point_are_the_rational_values(backend, point):
    symbols = Symbols.of(point.network, len(point.xs), backend=backend)
    exact = evaluation_at(point.network, point.weights, point.xs)
    drawn = symbols.evaluation
    for expected, found in (
        (exact.pre, drawn.pre),
        (exact.post, drawn.post),
        (exact.output_sensitivities, drawn.output_sensitivities),
        (exact.edge_gradients, drawn.edge_gradients),
    ):
        assert expected.shape == found.shape
        for number, polynomial in zip(expected.flat, found.flat, strict=True):
            assert at(symbols, polynomial, point, exact) == as_fraction(number)
    assert not drawn.kinks.any()


@given(exact_networks(**anything))
def test_the_gradient_is_the_symbolic_derivative(net):
    symbols = Symbols.of(net)
    gradients = parameter_gradients(symbols.evaluation)[:, 0]
    output = symbols.evaluation.outputs[0, 0]
    for p in range(net.parameter_count):
        assert gradients[p] == symbols.derivative(output, symbols.generator("weight", p))


@settings(max_examples=20)
@given(networks(max_hidden=3))
def test_sympy_differentiates_to_the_same(net):
    symbols = Symbols.of(net)
    output = symbols.to_sympy(symbols.evaluation.outputs[0, 0])
    gradients = parameter_gradients(symbols.evaluation)[:, 0]
    for p, gradient in enumerate(gradients):
        weight = sympy.Symbol(symbols.generator("weight", p).text)
        difference = sympy.Poly(sympy.diff(output, weight) - symbols.to_sympy(gradient), weight)
        assert difference.is_zero


@given(networks())
def test_the_output_has_one_term_for_each_path(net):
    symbols = Symbols.of(net)
    assert symbols.term_count(symbols.evaluation.outputs[0, 0]) == count_paths(net).total


@pytest.mark.skipif(len(BACKENDS) < 2, reason="needs python-flint to compare with")
@settings(max_examples=30)
@given(exact_networks(max_hidden=3, **anything), st.integers(1, 2))
def test_the_backends_have_the_same_normal_forms(net, n):
    first, second = (Symbols.of(net, n, backend=backend) for backend in BACKENDS)
    assert first.generators == second.generators
    for one, other in zip(
        first.evaluation.edge_gradients.flat, second.evaluation.edge_gradients.flat, strict=True
    ):
        assert first.to_dict(one) == second.to_dict(other)


@settings(max_examples=25)
@given(points(max_hidden=2, examples=1), points(max_hidden=2, examples=1))
def test_a_union_is_its_networks_side_by_side(first, second):
    union = Union.of([first.network, second.network])
    symbols = Symbols(union)
    together = [*first.weights, *second.weights]
    rows = [[number] for point in (first, second) for number in point.xs[0]]
    exact = [evaluation_at(p.network, p.weights, p.xs) for p in (first, second)]
    slopes = np.concatenate([evaluation.slopes for evaluation in exact])
    for c in range(2):
        found = symbols.at(
            symbols.evaluation.outputs[c, 0], weights=together, inputs=rows, slopes=slopes
        )
        assert found == as_fraction(exact[c].outputs[0, 0])
    texts = [generator.text for generator in symbols.generators]
    assert len(set(texts)) == len(texts)


@settings(max_examples=30)
@given(points(max_hidden=3, fixed=True))
def test_numbers_in_the_place_of_symbols(point):
    exact = evaluation_at(point.network, point.weights, point.xs)
    free = Symbols.of(point.network, 2)
    relevant = {v for v in range(point.network.vertex_count) if v not in point.network.inputs}
    symbols = Symbols.of(
        point.network,
        2,
        weights=dict(enumerate(point.weights)),
        inputs={(i, j): x[i] for j, x in enumerate(point.xs) for i in range(len(x))},
        slopes={v: list(map(as_fraction, exact.slopes[v])) for v in relevant},
    )
    assert {generator.kind for generator in symbols.generators} == {"kappa"}
    for j in range(2):
        value = symbols.evaluation.outputs[0, j]
        assert symbols.at(value) == as_fraction(exact.outputs[0, j])
        assert at(free, free.evaluation.outputs[0, j], point, exact) == symbols.at(value)


def test_symbols_are_laid_out_for_the_evaluation():
    symbols = Symbols.of(DIAMOND, 2)
    assert symbols.edge_weights.shape == (4,)
    assert symbols.inputs.shape == (1, 2)
    assert symbols.kappa.shape == (1, 2)
    assert symbols.slope_values.shape == (4, 2)
    assert [generator.text for generator in symbols.generators] == [
        *("w_x1_h", "w_x1_g", "w_h_o", "w_g_o", "x1_1", "x1_2", "kappa_1", "kappa_2"),
        *("s_h_1", "s_h_2", "s_g_1", "s_g_2"),
    ]
    second = symbols.evaluation.outputs[0, 1]
    assert symbols.to_dict(second) == {
        (("w_x1_h", 1), ("w_h_o", 1), ("x1_2", 1), ("s_h_2", 1)): 1,
        (("w_x1_g", 1), ("w_g_o", 1), ("x1_2", 1), ("s_g_2", 1)): 1,
    }
    assert symbols.to_latex(symbols.edge_weights[0] * symbols.kappa[0, 1]) == (
        r"\kappa_{2} w_{x_{1} h}"
    )


def test_vertices_can_share_their_slopes():
    apart, together = Symbols.of(DIAMOND), Symbols.of(DIAMOND, same_slopes=[(g, h)])
    assert apart.slope_values[h, 0] != apart.slope_values[g, 0]
    assert together.slope_values[h, 0] == together.slope_values[g, 0]
    assert together.generator("slope", h, 0).meaning == "slope of h, g"


def test_sharing_with_a_linear_vertex_makes_the_slope_one():
    mixed = DIAMOND.with_activations({"g": LINEAR})
    symbols = Symbols.of(mixed, same_slopes=[(h, g)])
    assert symbols.slope_values[h, 0] == symbols.convert(1)
    with pytest.raises(KeyError, match="replaced by a number"):
        symbols.generator("slope", h, 0)


def test_contradictions_are_refused():
    mixed = DIAMOND.with_activations({"g": LINEAR})
    with pytest.raises(NetworkError, match="'g' is linear: its slope cannot be set"):
        Symbols.of(mixed, slopes={g: [0]})
    with pytest.raises(NetworkError, match="h, g share their slopes but have different ones"):
        Symbols.of(DIAMOND, slopes={h: [0], g: [1]}, same_slopes=[(h, g)])
    with pytest.raises(NetworkError, match=r"2 slopes for 'h': give one for each of the 1 ex"):
        Symbols.of(DIAMOND, slopes={h: [0, 1]})
    with pytest.raises(NetworkError, match="an input has no slope to share: x1, h"):
        Symbols.of(DIAMOND, same_slopes=[(0, h)])
    with pytest.raises(NetworkError, match="no vertex 9 to share"):
        Symbols.of(DIAMOND, same_slopes=[(h, 9)])
    for option in ({"weights": {7: 1}}, {"inputs": {(0, 5): 1}}, {"slopes": {11: [1]}}):
        with pytest.raises(NetworkError, match="have none such"):
            Symbols.of(DIAMOND, **option)
    with pytest.raises(ValueError, match="0 examples"):
        Symbols.of(DIAMOND, 0)


def test_signs_of_polynomials_are_not_guessed():
    symbols = Symbols.of(DIAMOND)
    numbers = symbols.array([-1, 0, Fraction(1, 2)])
    assert symbols.is_negative(numbers).tolist() == [True, False, False]
    assert symbols.may_be_zero(numbers).tolist() == [False, True, False]
    with pytest.raises(NetworkError, match="the sign of w_x1_h depends on the point"):
        symbols.is_negative(symbols.edge_weights)


def test_numbers_among_polynomials():
    symbols = Symbols.of(network([("x", "o")], inputs=["x"], outputs=["o"]))
    weight = symbols.edge_weights[0]
    assert symbols.constants([3, weight - weight, symbols.convert(Fraction(-1, 2))]) == [
        3,
        0,
        Fraction(-1, 2),
    ]
    assert symbols.reciprocal(-2) == symbols.convert(Fraction(-1, 2))
    assert symbols.reciprocal(weight - weight) is None
    assert list(symbols.absolute(symbols.array([-2, 0]))) == list(symbols.array([2, 0]))
    assert list(symbols.sign(symbols.array([-2, 0, 5]))) == list(symbols.array([-1, 0, 1]))
    for ask in (symbols.reciprocal, lambda w: symbols.constants([w])):
        with pytest.raises(NetworkError, match="depends on the point"):
            ask(weight)
    for ask in (symbols.absolute, symbols.sign):
        with pytest.raises(NetworkError, match="depends on the point"):
            ask(symbols.edge_weights)


def test_smooth_vertices_are_refused_when_they_are_evaluated():
    symbols = Symbols.of(DIAMOND.with_activations({"h": TANH}))
    with pytest.raises(NotRationalError, match="tanh"):
        symbols.evaluation  # noqa: B018 - the access is what raises


def test_an_irrational_scale_is_a_symbol_only_on_demand():
    net = network(
        [("x1", "h"), ("h", "o")], inputs=["x1"], outputs=["o"], scale_squares={"h": "1/3", "o": 4}
    )
    with pytest.raises(NotRationalError, match=r"sqrt\(1/3\)"):
        Symbols.of(net)
    symbols = Symbols.of(net, symbolic_scales=True)
    output = symbols.to_sympy(symbols.evaluation.outputs[0, 0])
    assert str(output) == "2*c_h*s_h*w_h_o*w_x1_h*x1"


def test_a_missing_value_is_named():
    symbols = Symbols.of(DIAMOND)
    with pytest.raises(ValueError, match=r"no value given for x1 \(input x1\)"):
        symbols.at(symbols.evaluation.outputs[0, 0], weights=[1, 1, 1, 1], slopes=[[1]] * 4)


@given(st.lists(activations(["relu", "abs", "leaky_relu"]), min_size=2, max_size=2))
def test_slopes_are_free_whatever_the_activation(kinds):
    net = DIAMOND.with_activations({"h": kinds[0], "g": kinds[1]})
    plain = DIAMOND.with_activations({"h": RELU, "g": leaky_relu("1/2")})
    first, second = Symbols.of(net), Symbols.of(plain)
    assert first.to_dict(first.evaluation.outputs[0, 0]) == second.to_dict(
        second.evaluation.outputs[0, 0]
    )
