"""Bounds on the cost of affine functions, R^(0) and R^(1): by hand, explicit networks, descents,
least sums, limits."""

from fractions import Fraction
from itertools import pairwise
from math import log, sqrt
from random import Random

import numpy as np
import pytest
from scipy.optimize import linprog, minimize, minimize_scalar

from tests.verify.language.values import case, worth
from verify.language.building import Matrix, Number, Vector, Whole
from verify.papers.j23 import affine_costs as costs

F = Fraction
H, e, L = Matrix("H", "q", "n"), Vector("e", "q"), Whole("L", 1, 400)


class Hull:
    """An affine function on a hull of points, and what the terms are worth of it."""

    def __init__(self, points, linear, shift, slope=0, free_end=False):
        self.points, self.linear, self.shift = points, linear, shift
        self.slope, self.terms = F(slope), costs.Affine(H, e, free_end=free_end)

    def worth(self, term, depth=2):
        made = case(X=self.points, H=self.linear, e=self.shift, a=self.slope, L=depth)
        return worth(term, made)

    def bounds(self, depth):
        terms = (self.terms.cost_at_least(L), self.terms.cost_at_most(L))
        return [float(self.worth(term, depth)) for term in terms]

    @property
    def corrections(self):
        """R^(0), and the bounds on R^(1); None where no network is known."""
        most = self.worth(self.terms.correction_at_most())
        if most is None:
            return None
        least = self.worth(self.terms.correction_at_least())
        return (int(self.worth(self.terms.order)), float(least), float(most))


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
    return Hull(points, entries(q, n), shift, F(random.randint(-9, 9), 10))


# by hand ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("depth", [1, 2, 3, 10])
def test_the_identity_of_the_unit_interval_costs_1_a_layer(depth):
    assert Hull([[0], [1]], [[1]], [0]).bounds(depth) == pytest.approx([depth, depth])


@pytest.mark.parametrize("slope", [0, F(1, 2), F(-1, 2)])
@pytest.mark.parametrize("depth", [2, 3, 8])
def test_the_identity_of_a_folded_interval_costs_more(depth, slope):
    function = Hull([[-1], [1]], [[1]], [0], slope)
    low, high = function.bounds(depth)
    assert low == pytest.approx(depth * (2 / (1 + abs(slope))) ** (1 / depth))
    assert high == pytest.approx(depth * 2 ** (1 / depth) + 1)
    assert function.bounds(1) == [1, 1]


@pytest.mark.parametrize(
    ("points", "slope", "quotient"),
    [
        # kappa = max(3/2 / 16, 1/2) = 1/2, 2 |H x|^2 = 1/8
        ([[F(-1, 4)], [F(1, 4)]], F(1, 2), F(1, 4)),
        ([[0], [0]], 0, 0),
        ([[-1], [2]], 0, 0),
    ],
)
def test_folds_by_hand(points, slope, quotient):
    function = Hull(points, [[1]], [0], slope)
    assert function.worth(function.terms._fold()) == quotient


def test_sizes_are_those_along_the_domain():
    # x_1 on a segment along (1, 1) is (x_1 + x_2) / 2, of size 1 / sqrt(2)
    function = Hull([[0, 0], [1, 1]], [[1, 0]], [0])
    assert function.bounds(2) == pytest.approx([sqrt(2), sqrt(2)])
    assert function.worth(function.terms.along == function.terms.on_span)
    raised = Hull([[0, 1], [1, 1]], [[2, 3]], [0])
    assert raised.worth(raised.terms.along[1, 2]) == 0
    assert raised.worth(raised.terms.on_span[1, 2]) == 3


@pytest.mark.parametrize(
    ("points", "there"),
    [([[0]], True), ([[1], [2]], False), ([[1], [-1]], True), ([[1], [-2]], False)],
)
def test_where_0_is_seen(points, there):
    assert worth(costs.has_origin(costs.X), case(X=points)) is there


def test_constants():
    assert Hull([[0], [1]], [[0]], [F(1, 2)]).bounds(7) == [0.25, 0.25]
    assert Hull([[0]], [[5]], [2]).bounds(7) == [3, 4]
    assert Hull([[1]], [[5]], [2]).bounds(7) == [0, 49]
    assert Hull([[0]], [[5]], [2], free_end=True).bounds(7) == [0, 0]
    assert Hull([[0]], [[5]], [2]).bounds(1) == [4, 4]


def test_the_value_at_0_counts_beside_the_slope():
    low, _ = Hull([[0], [F(1, 9)]], [[F(1, 9)]], [1]).bounds(2)
    assert low == 1
    far, _ = Hull([[1], [2]], [[F(1, 9)]], [5]).bounds(2)
    assert far == pytest.approx(2 / 9)  # what is at 0 does not count


@pytest.mark.parametrize(
    ("linear", "shift", "norm"),
    [([[1]], [0], 1), ([[2]], [1], 5), ([[3]], [-3], 18)],  # on [0, 1]: W and b are determined
)
def test_one_layer_by_hand(linear, shift, norm):
    assert Hull([[0], [1]], linear, shift).bounds(1) == [norm, norm]


def test_one_layer_shares_a_value_between_weight_and_bias():
    assert Hull([[1]], [[2]], [0]).bounds(1) == [2, 2]  # x + 1
    assert Hull([[2, 1]], [[3, 0]], [0]).bounds(1) == [6, 6]  # 6 squared over 1 + |x|^2


def chains(function, way):
    """The squares of the products along chains, and what the last bias costs."""
    squares, last = way(function.terms)
    return [int(x) for x in function.worth(squares)[1:]], function.worth(last)


def test_chains_by_hand():
    # 2 x - 1 at 0 and 1: raised by 1, (2, 0); the last bias -1
    function = Hull([[0], [1]], [[2]], [-1])
    assert chains(function, costs.Affine._through_outputs) == ([4], 1)
    # x + 1 at -2 and 1: the input is raised by 2, (1, 2), then x + 2 - 1
    function = Hull([[-2], [1]], [[1]], [1])
    assert chains(function, costs.Affine._through_inputs) == ([5], 1)
    free = Hull([[-2], [1]], [[1]], [1], free_end=True)
    assert chains(free, costs.Affine._through_inputs) == ([5], 0)


def test_kernels_by_hand():
    quadrant = [[0, 0], [1, 0], [0, 1]]
    # chains: 2 (2 + 2) + 2 2 is more than G_1 = diag(5/2, 1): 5/2 + 4 / (5/2) + 1 + 1
    low, high = Hull(quadrant, [[2, 0], [0, 1]], [0, 0]).bounds(2)
    assert (low, high) == pytest.approx((6, 6))  # chains along the axes
    turned = Hull(quadrant, [[1, 1], [1, -1]], [0, 0])
    assert turned.worth(costs.kernel_network(H, L), 2) == 2 * (F(3, 2) + F(4, 3))
    three = Hull(quadrant, [[2, 0], [0, F(1, 2)]], [0, 0])
    assert three.worth(costs.kernel_network(H, L), 2) == F(41, 10) + F(5, 8) + F(2, 5)
    assert Hull(quadrant, [[3, 4]], [0]).bounds(4) == pytest.approx([4 * 25**0.25] * 2)


@pytest.mark.parametrize(
    ("points", "linear", "right"),
    [
        ([[1, 0], [0, 1]], [[1, 0], [0, 1]], True),
        ([[1, 0], [-1, 1]], [[1, 0], [0, 1]], False),
        ([[1, 0], [0, 1]], [[1, -1], [0, 1]], False),  # the images have an obtuse angle
        ([[1, 1], [-1, 1]], [[1, 0], [0, 2]], True),  # a right angle becomes smaller
        ([[1, 1], [-1, 1]], [[2, 0], [0, 1]], False),  # and larger
        ([[1, 5], [1, -7]], [[1, 0]], True),  # A does not see the angle
        ([[1, 5], [-1, 5]], [[1, 0]], False),
        ([[1, 0, 0], [0, 1, 0]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]], False),  # no plane
    ],
)
def test_angles_by_hand(points, linear, right):
    assert worth(costs.acute(H), case(X=points, H=linear)) is right


# R^(0) and R^(1) ----------------------------------------------------------------------------------
SQUARE = [[0, 0], [1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (Hull([[0], [1]], [[1]], [0]), (1, 0, 0)),
        (Hull([[0], [1]], [[3]], [0]), (1, log(9), log(9))),
        (Hull([[0], [1]], [[-3]], [0]), (1, log(9), log(9))),
        (Hull([[-1], [1]], [[1]], [0]), (1, log(2), log(2) + 1)),
        (Hull([[-1], [1]], [[1]], [0], F(1, 2)), (1, log(4 / 3), log(2) + 1)),
        (Hull([[-1], [1]], [[1]], [0], free_end=True), (1, log(2), log(2))),
        (Hull([[0]], [[7]], [F(1, 2)]), (0, 1 / 4, 1 / 4)),
        (Hull([[1]], [[7]], [0]), (0, 0, 49)),
        (Hull([[0]], [[7]], [2]), (0, 3, 4)),
        (Hull([[0, 0], [1, 1]], [[1, 0]], [0]), (1, -log(2), -log(2))),
        (Hull(SQUARE, [[2, 0], [0, 5]], [0, 0]), (2, log(100), log(100))),
        # by kernels; chains give log 6 + 1, and log 6 where an angle of the images is obtuse
        (Hull(SQUARE, [[1, 1], [1, -1]], [0, 0]), (2, log(4), log(4))),
        (Hull(SQUARE, [[1, 1], [1, -2]], [0, 0]), (2, log(9), log(10))),
    ],
)
def test_corrections_by_hand(function, expected):
    assert function.corrections == pytest.approx(expected, abs=1e-12)


def test_a_fold_counts_for_rank_1_alone():
    square = Hull([[1, 1], [-1, -1], [1, -1], [-1, 1]], [[1, 0], [0, 1]], [0, 0])
    assert square.corrections == pytest.approx((2, 0, log(4) + 2))


def test_what_no_network_shows():
    plane = [[0, 0], [1, 1], [-1, -1]]
    assert Hull(plane, [[1, 1], [-1, -1]], [0, 0]).corrections is None


@pytest.mark.parametrize("seed", range(20))
def test_they_are_limits_of_costs(seed):
    function, depth = drawn(seed), 300
    found = function.corrections
    if found is None:
        return
    order, *limits = found
    for limit, bound in zip(limits, function.bounds(depth), strict=True):
        assert bound - depth * order == pytest.approx(limit, abs=0.25)


def test_most_of_them_are_known():
    known = [drawn(seed).corrections for seed in range(40)]
    assert sum(one is not None and one[0] > 0 for one in known) >= 10
    assert sum(one is None for one in known) >= 1


# properties ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(10))
def test_lower_bounds_are_at_most_upper_ones(seed):
    function = drawn(seed)
    for depth in (1, 2, 3, 6):
        low, high = function.bounds(depth)
        assert 0 <= low <= high + 1e-12


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
def test_networks_that_are_the_function_cost_what_is_told(seed, depth):
    function = drawn(seed)
    points, linear, shift = map(floating, (function.points, function.linear, function.shift))
    generator = np.random.default_rng(seed)
    inside = generator.dirichlet(np.ones(len(points)), size=20) @ points
    wanted = inside @ linear.T + shift
    raised = lifted(points @ linear.T + shift)
    by_outputs = rescaled(linear, shift + raised, np.eye(len(shift)), -raised, depth)
    moved = lifted(points)
    by_inputs = rescaled(np.eye(points.shape[1]), moved, linear, shift - linear @ moved, depth)
    for layers in (by_outputs, by_inputs):
        found = outputs(layers, inside, float(function.slope))
        assert found == pytest.approx(wanted, abs=1e-9)
    if function.worth(function.terms.order):
        low, high = function.bounds(depth)
        assert low - 1e-9 <= high <= min(norm(by_outputs), norm(by_inputs)) + 1e-9


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
    low, high = Hull([[end] for end in ends], [[size]], [shift], slope).bounds(2)
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
    for seed in range(3):
        start = np.random.default_rng(seed).normal(size=count)
        solved = minimize(lambda flat: -moves(flat, sizes, slope, x), start, method="BFGS")
        most = max(most, moves(solved.x, sizes, slope, x))
    assert most <= 1 + 1e-9
    assert most > reached


def by_radius(radius):
    return float(worth(costs.by_radius(Number("r")), case(r=F(radius))))


@pytest.mark.parametrize("radius", [0.3, 1, 1.7, 4, 5, 30])
def test_the_bound_by_the_radius_is_below_all_sums(radius):
    bound = by_radius(F(radius).limit_denominator(10))

    def total(inside):
        squares = [0, *np.abs(inside), radius]
        return sum(after / (1 + before) for before, after in pairwise(squares))

    least = [minimize(total, np.full(k, 0.7), method="Nelder-Mead").fun for k in (1, 2, 4)]
    assert bound <= min(least) + 1e-6
    if radius <= 4:
        assert bound == pytest.approx(min(*least, radius), abs=1e-3)


def test_the_bound_by_the_radius_by_hand():
    assert [by_radius(r) for r in (0, 1, 4, 9, 100)] == [0, 1, 3, 3, 3]
    assert by_radius(2) == pytest.approx(2 * sqrt(2) - 1)
