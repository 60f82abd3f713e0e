"""Slopes of copies in the tree, limits of gradients, and rates beside a point: by hand, and against
limits along drawn directions."""

from dataclasses import replace
from fractions import Fraction
from math import prod
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.activations import ABS, RELU, leaky_relu
from tests.verify.drawn_cases import case_of, drawn_cases, kinked, net_of
from tests.verify.language.values import worth
from verify.cases.kinked_points import onto_a_kink
from verify.cases.tensors import Tensor
from verify.language.building import Map, Vector, card, edges_on, examples, paths
from verify.papers.lj22.subderivatives import partial_subdifferential
from verify.papers.lj22.subdifferential_terms import (
    cones,
    limit_gradient,
    one_sided,
    rate_of_entry,
    steepest,
)

J = examples()[1]
D, U, V = (Vector(name, "edges") for name in "duv")
PIECEWISE = (RELU, ABS, leaky_relu(Fraction(1, 4)))


def along(case, **directions):
    """The case with directions, by edges such as "x>o" (where none is named: 0)."""
    net = case.network
    words = [f"{net.names[t]}>{net.names[h]}" for t, h in zip(net.tails, net.heads, strict=True)]
    rows = {
        name: [Fraction(row.get(word, 0)) for word in words] for name, row in directions.items()
    }
    arrays = {name: Tensor(("edges",), (len(row),), tuple(row)) for name, row in rows.items()}
    return replace(case, arrays=arrays)


def word(case, path):
    """A path as it is written, "x>h>o"."""
    net = case.network
    return ">".join([net.names[net.tails[path[0]]], *(net.names[net.heads[e]] for e in path)])


def intervals(case, *, absolute=False):
    """By path the ends of the projection of the subdifferential."""

    every = Map(paths(), lambda p: partial_subdifferential(p, J, absolute=absolute))
    return dict(zip(every_path(case), worth(every, case), strict=True))


def named(case, **options):
    """The same by the words for the paths."""
    return {word(case, path): ends for path, ends in intervals(case, **options).items()}


def every_path(case):
    return worth(Map(paths(), edges_on), case)


def limit(case, direction):
    """The gradient of mu' on the first example at h' + eps direction, by path; None at a kink."""
    net, weights = case.network, case.network.edge_weights(case.weights)
    row = dict(zip(net.free_inputs, case.inputs[0], strict=True))

    def visit(v, path):
        if v in row:
            size = prod((abs(weights[e]) for e in path), start=Fraction(1))
            return row[v] * size, direction[path], {path: Fraction(1)}
        z, rate, gradient = Fraction(0), Fraction(0), {}
        for e in net.in_edges[v]:
            sign = 1 if weights[e] > 0 else -1
            value, moved, below = visit(net.tails[e], (e, *path))
            z, rate = z + sign * value, rate + sign * moved
            gradient |= {leaf: sign * number for leaf, number in below.items()}
        left, right = net.activations[v].slopes
        side = z or rate
        slope = right if side > 0 else left
        if side == 0 and left != right and any(gradient.values()):
            raise ArithmeticError
        return slope * z, slope * rate, {leaf: slope * g for leaf, g in gradient.items()}

    return visit(net.outputs[0], ())[2]


def signs(case, path):
    weights = case.network.edge_weights(case.weights)
    return prod((1 if weights[e] > 0 else -1) for e in path)


# by hand -----------------------------------------------------------------------------------------
def behind(sign, *more, other=0):
    """o = relu(sign relu(x1)) at x1 = 0, and more edges into o."""
    net = net_of(" ".join(("x1>u u>o", *more)), {"u": RELU, "o": RELU})
    weights = {"x1>u": 1, "u>o": sign, "x2>o": 1}
    return case_of(net, weights, [([0, other][: len(net.inputs)], 1, 1)])


def test_what_a_kink_lets_through():
    assert named(behind(1)) == {"x1>u>o": (0, 1)}
    # -relu(x1) does not rise: o has the slope 1 only where u has the slope 0
    assert named(behind(-1)) == {"x1>u>o": (0, 0)}
    # but with x2 it does
    assert named(behind(-1, "x2>o")) == {"x1>u>o": (0, 1), "x2>o": (0, 1)}
    # and where o is active its slope is 1; in mu' the sign of the product is -1
    assert named(behind(-1, "x2>o", other=1)) == {"x1>u>o": (0, 1), "x2>o": (1, 1)}
    active = behind(-1, "x2>o", other=1)
    assert named(active, absolute=True) == {"x1>u>o": (-1, 0), "x2>o": (1, 1)}


def test_a_dead_neuron_moves_nothing():
    # u = relu(-1) is off, so o = relu(u) stays at 0
    net = net_of("x>u u>o", {"u": RELU, "o": RELU})
    case = case_of(net, {"x>u": -1, "u>o": 1}, [([1], 1, 1)])
    assert named(case) == {"x>u>o": (0, 0)}
    assert worth(card(cones(J)), case) == 1
    # |u| stays at 0 too, and has no slope -1 that would move what is behind it
    net = net_of("x>u u>v v>o", {"u": RELU, "v": ABS, "o": RELU})
    case = case_of(net, dict.fromkeys(("u>v", "v>o"), 1) | {"x>u": -1}, [([1], 1, 1)])
    assert worth(card(cones(J)), case) == 1


@pytest.mark.parametrize(("sign", "count"), [(1, 2), (-1, 2)])
def test_the_cones_of_two_neurons_one_behind_the_other(sign, count):
    # u rises or falls; relu(u) moves o up with it, and -relu(u) down; else o stays
    assert worth(card(cones(J)), behind(sign)) == count


def test_the_cones_of_neurons_with_inputs_of_their_own():
    net = net_of("x>u x>v u>o v>o", {"u": RELU, "v": RELU})
    case = case_of(net, dict.fromkeys(("x>u", "x>v", "u>o", "v>o"), 1), [([0], 1, 1)])
    assert worth(card(cones(J)), case) == 4  # the tree has an input for each path


def test_an_entry_of_h_and_its_rate():
    net = net_of("x>h h>o")
    case = along(case_of(net, {"x>h": 2, "h>o": 3}, [(["1/2"], 1, 1)]), u={"x>h": 5, "h>o": 7})
    rates = Map(paths(), lambda p: rate_of_entry(edges_on(p), J, U))
    assert worth(rates, case) == (Fraction(5 * 3 + 7 * 2, 2),)


def test_a_parameter_that_two_edges_share_and_one_that_is_held():
    tied = net_of("x>h h>o", parameters={("x", "h"): "w", ("h", "o"): "w"})
    case = along(case_of(tied, {"w": 2}, [([1], 1, 1)]), u={"x>h": 1, "h>o": 100})
    assert worth(one_sided(J, U), case) == 4  # w^2, along the first one's coordinate
    held = net_of("x>h h>o", fixed={("h", "o"): 3})
    case = along(case_of(held, {"x>h": 2}, [([1], 1, 1)]), u={"x>h": 1, "h>o": 100})
    assert worth(one_sided(J, U), case) == 3


def test_rates_beside_a_kink():
    # relu(w x) at w = 0, x = 1
    case = case_of(net_of("x>o", {"o": RELU}), {"x>o": 0}, [([1], 1, 1)])
    for d, slope in ((1, 1), (-1, 0)):
        moved = along(case, d={"x>o": d}, u={"x>o": 5}, v={})
        assert worth(one_sided(J, D), moved) == max(d, 0)
        assert worth(limit_gradient(J, (D,), U), moved) == 5 * slope
        assert worth(limit_gradient(J, (V, D), U), moved) == 5 * slope
        assert worth(limit_gradient(J, (V,), U), moved) is None  # v leaves it on its kink
    # along v first: then d does not matter
    moved = along(case, d={"x>o": -1}, v={"x>o": 1}, u={"x>o": 5})
    assert worth(limit_gradient(J, (V, D), U), moved) == 5


def test_later_directions_are_looked_at_beside_the_first():
    # o = relu(relu(a x) + b x) at a = b = 0: with a up and b at rest o rises; with a down it stays
    # on its kink, and is on the side that b tells
    net = net_of("x>u u>o x>o", {"u": RELU, "o": RELU})
    case = case_of(net, {"x>u": 0, "u>o": 1, "x>o": 0}, [([1], 1, 1)])
    for a, b, slope in ((1, 1, 1), (-1, 1, 1), (-1, -1, 0)):
        moved = along(case, v={"x>u": a}, d={"x>u": 7, "x>o": b}, u={"x>o": 1})
        assert worth(limit_gradient(J, (V, D), U), moved) == slope


# by limits ---------------------------------------------------------------------------------------
def directions_of(case, random, count):
    """Directions of the inputs of the tree, of very different sizes."""
    inputs = every_path(case)
    for _ in range(count):
        yield {
            p: Fraction(random.choice((-1, 1)) * random.randint(1, 9) * 10 ** random.randint(0, 3))
            for p in inputs
        }


def limits(case, random, count=40):
    found = []
    for direction in directions_of(case, random, count):
        try:
            found.append(limit(case, direction))
        except ArithmeticError:
            continue
    return found


def moved_onto_a_kink(case, random):
    return onto_a_kink(replace(case, arrays={}), random)


@settings(max_examples=25)
@given(drawn_cases(n=1, zero=False, activations=st.just(RELU)), st.integers(0, 10**6).map(Random))
def test_limits_of_gradients_lie_in_the_intervals_and_reach_their_ends(case, random):
    case = moved_onto_a_kink(case, random)
    found, ends = limits(case, random), intervals(case, absolute=True)
    for p, (low, high) in ends.items():
        values = [gradient[p] for gradient in found]
        assert all(low <= value <= high for value in values)
        if len(found) == 40 and len(ends) <= 4:
            assert (low, high) == (min(values), max(values))


@settings(max_examples=25)
@given(
    drawn_cases(n=1, zero=False, activations=st.sampled_from(PIECEWISE)),
    st.randoms(use_true_random=False),
)
def test_the_steepest_is_the_maximum_over_the_limits(case, random):
    case = moved_onto_a_kink(case, random)
    size = case.network.edge_count
    row = tuple(Fraction(random.randint(-3, 3)) for _ in range(size))
    case = replace(case, arrays={"u": Tensor(("edges",), (size,), row)})
    entries = worth(Map(paths(), lambda p: rate_of_entry(edges_on(p), J, U)), case)
    rates = dict(zip(every_path(case), entries, strict=True))
    found = limits(case, random)
    largest = worth(steepest(J, lambda path: rate_of_entry(path, J, U)), case)
    slopes = [
        sum((signs(case, p) * g[p] * rate for p, rate in rates.items()), Fraction(0)) for g in found
    ]
    assert all(slope <= largest for slope in slopes)
    if len(found) == 40 and len(rates) <= 4:
        assert largest == max(slopes)
    if not kinked(case):
        assert worth(one_sided(J, U), case) == largest
        assert worth(limit_gradient(J, (U,), U), case) == largest


def test_drawn_cases_are_often_at_kinks():
    net = net_of("x1>u x2>u u>o", {"u": RELU})
    case = case_of(net, {"x1>u": 1, "x2>u": 1, "u>o": 1}, [(["1/2", "1/3"], 1, 1)])
    assert sum(kinked(moved_onto_a_kink(case, Random(seed))) for seed in range(20)) > 10
