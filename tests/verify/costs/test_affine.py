"""Bounds on the cost of affine functions: by hand, explicit networks, descents, least sums."""

from fractions import Fraction
from itertools import pairwise
from math import sqrt
from random import Random

import numpy as np
import pytest
from scipy.optimize import linprog, minimize, minimize_scalar

from graphs.arithmetic import rational
from graphs.rationals import RATIONALS
from verify.kinds.costs.affine import (
    Affine,
    along_kernels,
    by_folding,
    by_jacobian,
    by_radius,
    cost,
    folded_quotients,
    input_chains,
    largest,
    output_chains,
    smallest,
    through_inputs,
    through_outputs,
)

F = Fraction


def affine(points, linear, shift, slope=0, free_end=False):
    made = (RATIONALS.array(v) for v in (points, linear, shift))
    return Affine(*made, rational(F(slope)), free_end)


def floats(*values):
    return [None if value is None else float(value) for value in values]


def bounds(function, depth):
    found = cost(function, depth)
    return floats(found.lower, found.upper)


def drawn(seed):
    """A function on a hull, often with opposite points, and a slope."""
    random = Random(seed)
    n, q, count = (random.randint(1, 3) for _ in range(3))

    def entries(*shape):
        flat = [F(random.randint(-4, 4), random.choice((1, 2, 3))) for _ in range(np.prod(shape))]
        return np.array(flat, dtype=object).reshape(shape).tolist()

    points = entries(count, n)
    points += [[-v for v in x] for x in points if random.random() < 0.5]
    shift = entries(q) if random.random() < 0.5 else [0] * q
    return affine(points, entries(q, n), shift, F(random.randint(-9, 9), 10))


# by hand ------------------------------------------------------------------------------------------
UNIT = affine([[0], [1]], [[1]], [0])
FOLDED = affine([[-1], [1]], [[1]], [0])


@pytest.mark.parametrize("depth", [1, 2, 3, 10])
def test_the_identity_of_the_unit_interval_costs_1_a_layer(depth):
    assert bounds(UNIT, depth) == pytest.approx([depth, depth])


@pytest.mark.parametrize("slope", [0, F(1, 2), F(-1, 2)])
@pytest.mark.parametrize("depth", [2, 3, 8])
def test_the_identity_of_a_folded_interval_costs_more(depth, slope):
    function = affine([[-1], [1]], [[1]], [0], slope)
    low, high = bounds(function, depth)
    assert low == pytest.approx(depth * (2 / (1 + abs(slope))) ** (1 / depth))
    assert high == pytest.approx(depth * 2 ** (1 / depth) + 1)
    assert bounds(function, 1) == [1, 1]


def test_a_small_fold_counts_the_bias():
    # kappa = max(3/2 / 16, 1/2) = 1/2, 2 |H x|^2 = 1/8
    function = affine([[F(-1, 4)], [F(1, 4)]], [[1]], [0], F(1, 2))
    assert floats(*folded_quotients(function)) == [1 / 4]
    assert floats(*by_folding(function, 2)) == pytest.approx([1])
    assert folded_quotients(affine([[0], [0]], [[1]], [0])) == []
    assert folded_quotients(affine([[-1], [2]], [[1]], [0])) == []


def test_sizes_are_those_along_the_domain():
    # x_1 on a segment along (1, 1) is (x_1 + x_2) / 2, of size 1 / sqrt(2)
    function = affine([[0, 0], [1, 1]], [[1, 0]], [0])
    assert float(by_jacobian(function, 2)) == pytest.approx(2 / sqrt(2))
    assert bounds(function, 2) == pytest.approx([sqrt(2), sqrt(2)])
    assert (function.along == function.on_span).all()
    raised = affine([[0, 1], [1, 1]], [[2, 3]], [0])
    assert raised.along.tolist() == [[2, 0]]
    assert raised.on_span.tolist() == [[2, 3]]


@pytest.mark.parametrize(
    ("points", "there"),
    [([[0]], True), ([[1], [2]], False), ([[1], [-1]], True), ([[1], [-2]], False)],
)
def test_where_0_is_seen(points, there):
    assert affine(points, [[1]], [0]).has_origin is there


def test_constants():
    assert bounds(affine([[0], [1]], [[0]], [F(1, 2)]), 7) == [0.25, 0.25]
    assert bounds(affine([[0]], [[5]], [2]), 7) == [3, 4]
    assert bounds(affine([[1]], [[5]], [2]), 7) == [0, 49]
    assert bounds(affine([[0]], [[5]], [2], free_end=True), 7) == [0, 0]
    assert bounds(affine([[0]], [[5]], [2]), 1) == [4, 4]


def test_the_value_at_0_counts_beside_the_slope():
    function = affine([[0], [F(1, 9)]], [[F(1, 9)]], [1])
    low, _ = bounds(function, 2)
    assert low == 1 > float(by_jacobian(function, 2))


def test_chains_by_hand():
    # 2 x - 1 at 0 and 1: raised by 1, (2, 0); the last bias -1
    function = affine([[0], [1]], [[2]], [-1])
    assert output_chains(function) == ([4], 1)
    assert float(through_outputs(function, 2)) == 5
    # x + 1 at -2 and 1: the input is raised by 2, (1, 2), then x + 2 - 1
    function = affine([[-2], [1]], [[1]], [1])
    assert input_chains(function) == ([5], 1)
    assert float(through_inputs(function, 2)) == pytest.approx(2 * sqrt(5) + 1)
    free = affine([[-2], [1]], [[1]], [1], free_end=True)
    assert input_chains(free) == ([5], 0)


def test_kernels_by_hand():
    quadrant = [[0, 0], [1, 0], [0, 1]]
    # G_1 = (P + A^T A) / 2 = diag(5/2, 1): 7/2 + 4 / (5/2) + 1
    assert along_kernels(affine(quadrant, [[2, 0], [0, 1]], [0, 0]), 2) == [rational(F(61, 10))]
    assert along_kernels(affine(quadrant, [[2, 0], [0, 1]], [1, 2]), 2) == [rational(F(111, 10))]
    obtuse = affine([[0, 0], [1, 0], [-1, 1]], [[2, 0], [0, 1]], [0, 0])
    assert along_kernels(obtuse, 2) == []
    (chain,) = along_kernels(affine(quadrant, [[3, 4]], [0]), 4)
    assert float(chain) == pytest.approx(4 * 25**0.25)


def test_the_largest_and_the_smallest():
    assert largest([1, 3, 2]) == 3
    assert smallest([2, 1, 3]) == 1
    assert smallest([]) is None


# properties ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(60))
def test_lower_bounds_are_at_most_upper_ones(seed):
    function = drawn(seed)
    for depth in (1, 2, 3, 6):
        low, high = bounds(function, depth)
        assert low <= high + 1e-12
        assert low >= 0


@pytest.mark.parametrize("seed", range(20))
def test_bounds_do_not_depend_on_rotations_of_inputs_and_outputs(seed):
    function = drawn(seed)
    turn = RATIONALS.array([[F(3, 5), F(4, 5)], [F(-4, 5), F(3, 5)]])
    width = function.points.shape[1]
    if width == 2:
        turned = Affine(
            function.points @ turn.T, function.linear @ turn.T, function.shift, function.slope
        )
        for depth in (2, 5):
            assert float(by_jacobian(turned, depth)) == pytest.approx(
                float(by_jacobian(function, depth))
            )
            assert floats(*by_folding(turned, depth)) == pytest.approx(
                floats(*by_folding(function, depth))
            )


# the explicit networks ----------------------------------------------------------------------------
def floating(values):
    return np.array(values, dtype=object).astype(float)


def lifted(rows):
    return np.maximum(0, -rows.min(axis=0))


def rescaled(incoming, biases, outgoing, last, depth):
    """The layers (W, b) of chains whose layers have equal norms."""
    first = np.hstack([incoming, biases[:, None]])
    before, behind = np.linalg.norm(first, axis=1), np.linalg.norm(outgoing, axis=0)
    kept = before * behind > 0
    sizes = (before * behind)[kept] ** (1 / depth)
    first = first[kept] * (sizes / before[kept])[:, None]
    inside = [(np.diag(sizes), np.zeros(len(sizes)))] * (depth - 2)
    final = outgoing[:, kept] * (sizes / behind[kept])
    return [(first[:, :-1], first[:, -1]), *inside, (final, last)]


def outputs(layers, points, slope):
    values = points
    for weight, bias in layers[:-1]:
        values = values @ weight.T + bias
        values = np.where(values > 0, values, slope * values)
    weight, bias = layers[-1]
    return values @ weight.T + bias


def norm(layers):
    return sum((weight**2).sum() + (bias**2).sum() for weight, bias in layers)


@pytest.mark.parametrize("depth", [2, 3, 5])
@pytest.mark.parametrize("seed", range(15))
def test_upper_bounds_are_norms_of_networks_that_are_the_function(seed, depth):
    function = drawn(seed)
    points, linear, shift = map(floating, (function.points, function.linear, function.shift))
    generator = np.random.default_rng(seed)
    inside = generator.dirichlet(np.ones(len(points)), size=20) @ points
    wanted = inside @ linear.T + shift
    raised = lifted(points @ linear.T + shift)
    by_outputs = rescaled(linear, shift + raised, np.eye(len(shift)), -raised, depth)
    moved = lifted(points)
    by_inputs = rescaled(np.eye(points.shape[1]), moved, linear, shift - linear @ moved, depth)
    for layers, upper in (
        (by_outputs, through_outputs(function, depth)),
        (by_inputs, through_inputs(function, depth)),
    ):
        found = outputs(layers, inside, float(function.slope))
        assert found == pytest.approx(wanted, abs=1e-9)
        assert norm(layers) == pytest.approx(float(upper))


# against minimisation -----------------------------------------------------------------------------
def cheapest(points, values, slope):
    """The cost of one output by linear programmes over neurons around the circle and the bias."""
    angles = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    z = np.outer(np.cos(angles), points) + np.sin(angles)[:, None]
    neurons = np.where(z > 0, z, slope * z).T  # (N, K): sigma(w x_j + b) for unit (w, b)

    def cost(bias):
        columns = np.hstack([neurons, -neurons])
        solved = linprog(np.full(columns.shape[1], 2.0), A_eq=columns, b_eq=values - bias)
        return solved.fun + bias**2

    return minimize_scalar(cost, bounds=(-6, 6), method="bounded").fun


@pytest.mark.parametrize("slope", [0, F(1, 2), F(-1, 2)])
@pytest.mark.parametrize(
    ("ends", "size", "shift"), [((-1, 1), 1, 0), ((-1, 2), 1, 1), ((0, 1), 2, 1), ((1, 2), 1, -1)]
)
def test_at_depth_2_a_linear_programme_lies_between_the_bounds(ends, size, shift, slope):
    low, high = bounds(affine([[e] for e in ends], [[size]], [shift], slope), 2)
    points = np.arange(2 * ends[0], 2 * ends[1] + 1) / 2  # with 0, where that is inside
    found = cheapest(points, points * size + shift, float(slope))
    assert low - 1e-6 <= found <= high * 1.001


def moves(flat, sizes, slope, x):
    """(|f(x) - f(0)|^2 + |f(0) - f(-x)|^2) / (kappa prod |theta_l|^2), of a network."""
    layers, at = [], 0
    for n, m in pairwise(sizes):
        layers.append((flat[at : at + m * n].reshape(m, n), flat[at + m * n : at + m * (n + 1)]))
        at += m * (n + 1)
    below, middle, above = outputs(layers, np.array([[-x], [0.0], [x]]), slope)
    kappa = max((1 + abs(slope)) * x * x, 1 - abs(slope))
    moved = ((above - middle) ** 2).sum() + ((middle - below) ** 2).sum()
    return moved / (kappa * np.prod([norm([layer]) for layer in layers]))


@pytest.mark.parametrize(
    ("slope", "x", "depth", "reached"),
    [
        (0, 1, 2, 0.99),
        (0, 1, 3, 0.99),
        (0, 0.2, 2, 0.07),
        (0.5, sqrt(1 / 3), 2, 0.99),
        (0.5, 1, 2, 0.8),
        (-0.5, 1, 2, 0.8),
        (-0.5, 0.5, 3, 0.5),
    ],
)
def test_no_network_moves_more_than_the_fold_allows(slope, x, depth, reached):
    sizes = [1, *[2] * (depth - 1), 1]
    count = sum(m * (n + 1) for n, m in pairwise(sizes))
    most = 0.0
    for seed in range(6):
        start = np.random.default_rng(seed).normal(size=count)
        solved = minimize(lambda flat: -moves(flat, sizes, slope, x), start, method="BFGS")
        most = max(most, moves(solved.x, sizes, slope, x))
    assert most <= 1 + 1e-9
    assert most > reached


@pytest.mark.parametrize("radius", [0.3, 1, 1.7, 4, 5, 30])
def test_the_bound_by_the_radius_is_below_all_sums(radius):
    bound = float(by_radius(rational(F(radius).limit_denominator(10))))

    def total(inside):
        squares = [0, *np.abs(inside), radius]
        return sum(after / (1 + before) for before, after in pairwise(squares))

    least = [minimize(total, np.full(k, 0.7), method="Nelder-Mead").fun for k in (1, 2, 4)]
    assert bound <= min(least) + 1e-6
    if radius <= 4:
        assert bound == pytest.approx(min(*least, radius), abs=1e-3)


def test_the_bound_by_the_radius_by_hand():
    assert [float(by_radius(rational(r))) for r in (0, 1, 4, 9, 100)] == [0, 1, 3, 3, 3]
    assert float(by_radius(rational(2))) == pytest.approx(2 * sqrt(2) - 1)
