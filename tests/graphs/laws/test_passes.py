"""Gradients and brackets modulo a prime against exact ones."""

from fractions import Fraction
from random import Random

import numpy as np
from hypothesis import assume, given, settings

from graphs.activations import LINEAR
from graphs.families import fully_connected
from graphs.laws.lie import bracket
from graphs.laws.passes import Examples, Passes, product
from graphs.laws.patterns import DENOMINATOR, Patterns, distinct
from graphs.laws.plan import Plan
from graphs.regions import pattern
from graphs.strategies import networks
from tests.graphs.laws.brute_force import gradients

NETWORKS = networks(max_hidden=3, max_outputs=2, sharing=True, fixed=True, constants=True)


@settings(max_examples=40, deadline=None)
@given(NETWORKS)
def test_gradients_are_those_of_the_network(net):
    plan = Plan.of(net)
    assume(plan.size)
    passes, random = Passes(plan), Random(0)
    field = plan.field
    w = tuple(Fraction(random.randint(-99, 99), 7) for _ in range(net.parameter_count))
    x = tuple(Fraction(random.randint(-99, 99), 5) for _ in net.free_inputs)
    right = np.ones((net.vertex_count, 1), dtype=bool)
    for name, signs in pattern(net, w, [x]).items():
        right[net.index[name]] = signs[0] >= 0
    examples = passes.examples(np.random.default_rng(0), right)
    for v, value in zip(net.free_inputs, x, strict=True):
        examples.inputs[v] = field.residue(value)
    weights = np.array([[[field.residue(w[k])] for k in plan.parameters]], dtype=np.int64)
    found = passes.gradients(weights, examples)[0, :, 0]
    exact = gradients(net, w, x)
    kappa = [int(examples.kappa[o, 0]) for o in net.outputs]
    for place, p in enumerate(plan.parameters):
        total = sum(k * row[p] for k, row in zip(kappa, exact, strict=True))
        assert found[place] == field.residue(Fraction(total))
    for p in plan.idle:
        assert all(row[p] == 0 for row in exact)


@settings(max_examples=40, deadline=None)
@given(NETWORKS)
def test_patterns_are_those_of_the_points(net):
    assume(net.parameter_count)
    patterns = Patterns(Plan.of(net))
    point = patterns.point(np.random.default_rng(0), 16)
    assert all((w * DENOMINATOR).denominator == 1 for w in point)
    drawn = patterns.at(np.random.default_rng(5), point, 6)
    values = patterns._inputs(np.random.default_rng(5), 6)  # the inputs that `at` has drawn
    kept = iter(drawn.T)
    for j in range(6):
        x = [Fraction(values[v, j]) for v in net.free_inputs]
        signs = {net.index[name]: row[0] for name, row in pattern(net, point, [x]).items()}
        if 0 in signs.values():  # a kink, or a vertex behind dead ones
            return
        right = next(kept)
        assert all(right[v] == (sign > 0) for v, sign in signs.items())


@settings(max_examples=30, deadline=None)
@given(networks(max_hidden=3, sharing=True, fixed=True))
def test_patterns_are_drawn_on_the_region(net):
    silent = Plan.of(net).silent
    kinked = [v for v in net.inner if len(set(net.activations[v].slopes)) == 2 and v not in silent]
    assume(net.parameter_count and kinked)
    left, right = net.activations[kinked[0]].slopes
    for slope, side in ((left, False), (right, True)):
        drawn = Patterns(Plan.of(net, {kinked[0]: slope})).draw(np.random.default_rng(0), 20)
        assert (drawn[kinked[0]] == side).all()


def test_columns_are_kept_once():
    columns = np.array([[1, 0, 1, 1], [0, 0, 0, 1]], dtype=bool)
    assert distinct(columns).tolist() == [[True, False, True], [False, False, True]]
    assert distinct(columns[:, :0]).shape == (2, 0)


def test_products_of_infinitesimals():
    # (1 + 2 a + 3 b)(4 + 5 a) = 4 + 13 a + 12 b + 15 a b, as a^2 = 0
    first, second = np.array([1, 2, 3, 0]), np.array([4, 5, 0, 0])
    assert product(first, second, 10**9 + 7).tolist() == [4, 13, 12, 15]


def test_brackets_of_a_product_of_two_weights():
    """nu = (a b, a c): the fields X = (b, a, 0) and Y = (c, 0, a) of the outputs have
    [X, Y] = DY X - DX Y = (0, -c, b), and [X, [X, Y]] = (c, 0, a)."""
    net = fully_connected([1, 1, 2], LINEAR)
    passes = Passes(Plan.of(net))
    p = passes.p
    x, h, first, second = (net.index[name] for name in ("x1", "h1.1", "o1", "o2"))

    def field(output: int) -> Examples:
        inputs, kappa = (np.zeros((4, 1), dtype=np.int64) for _ in range(2))
        inputs[x], kappa[output] = 1, 1
        return Examples(inputs, np.ones((4, 1), dtype=np.int64), kappa)

    a, b, c = 5, 7, 11
    weights = np.array([[[a], [b], [c]]])
    X, Y = field(first), field(second)
    assert h not in (first, second)
    assert bracket(passes, [X], weights)[0, :, 0].tolist() == [b, a, 0]
    assert bracket(passes, [X, X], weights)[0, :, 0].tolist() == [0, 0, 0]
    assert bracket(passes, [X, Y], weights)[0, :, 0].tolist() == [0, p - c, b]
    assert bracket(passes, [X, X, Y], weights)[0, :, 0].tolist() == [c, 0, a]
