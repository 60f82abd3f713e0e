"""Hessians of DAG networks, entry by entry: two ways, and SymPy's differentiation."""

from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.second_order import at_point, edges_of, in_symbols

CHAIN = [[], [0], [1], [2]]
DENSE = [[], [], [0, 1], [0, 1, 2], [0, 2, 3], [1, 2, 3, 4]]
FORKED = [[], [0], [0], [1, 2], [1], [3, 4]]
SMALL = st.fractions(-3, 3, max_denominator=3)


def cubic(coefficients):
    a, b, c = coefficients

    def activation(v, z):
        return a + b * z + c * z**3, b + 3 * c * z**2, 6 * c * z

    return activation


def sympy_output(parents, inputs, activation, symbols):
    post, numbers = [], iter(symbols)
    for v, incoming in enumerate(parents):
        z = sum((next(numbers) * post[u] for u in incoming), sympy.Integer(0))
        value = activation(v, z)[0] if incoming else sympy.Rational(str(inputs[v]))
        post.append(z if v == len(parents) - 1 else value)
    return post[-1]


def as_sympy(number):
    return sympy.Rational(str(number))


@pytest.mark.parametrize("parents", [CHAIN, DENSE, FORKED], ids=["chain", "dense", "forked"])
def test_entries_are_those_of_sympy(parents):
    edges, last = edges_of(parents), len(parents) - 1
    weights = [Fraction(k % 5 - 2, 2) or Fraction(1, 3) for k in range(len(edges))]
    inputs = [Fraction(v + 1) for v in range(len(parents))]
    coefficients = (Fraction(1, 2), Fraction(-1), Fraction(1, 3))
    network = at_point(parents, weights, inputs, cubic(coefficients))
    symbols = sympy.symbols(f"w:{len(edges)}")
    of_sympy = cubic([as_sympy(c) for c in coefficients])
    output = sympy_output(parents, inputs, of_sympy, symbols)
    point = dict(zip(symbols, map(as_sympy, weights), strict=True))
    forwards = network.hessian(last)
    for a, b in combinations_with_replacement(range(len(edges)), 2):
        wanted = sympy.diff(output, symbols[a], symbols[b]).subs(point)
        assert as_sympy(forwards.get((a, b), 0)) == wanted
    for a, value in network.gradients[last].items():
        assert as_sympy(value) == sympy.diff(output, symbols[a]).subs(point)


@given(st.data())
def test_both_ways_agree(data):
    count = data.draw(st.integers(2, 6))
    parents = [[]] + [
        sorted(data.draw(st.sets(st.integers(0, v - 1)), label=f"parents of {v}"))
        for v in range(1, count)
    ]
    edges = edges_of(parents)
    weights = data.draw(st.lists(SMALL, min_size=len(edges), max_size=len(edges)))
    inputs = data.draw(st.lists(SMALL, min_size=count, max_size=count))
    network = at_point(parents, weights, inputs, cubic(data.draw(st.tuples(SMALL, SMALL, SMALL))))
    for v in range(count):
        one, other = network.hessian(v), network.hessian_by_neurons(v)
        assert {p: x for p, x in one.items() if x} == {p: x for p, x in other.items() if x}


@pytest.mark.parametrize("backend", ["flint", "sympy"])
@pytest.mark.parametrize("parents", [CHAIN, DENSE, FORKED], ids=["chain", "dense", "forked"])
def test_both_ways_agree_in_symbols(parents, backend):
    if backend == "flint":
        pytest.importorskip("flint", reason="python-flint is not installed")
    ring, network = in_symbols(parents, backend)
    one, other = network.hessian(len(parents) - 1), network.hessian_by_neurons(len(parents) - 1)
    assert set(one) == set(other)
    assert all(ring.is_zero(one[pair] - other[pair]) for pair in one)
    assert not any(ring.is_zero(one[pair]) for pair in one)  # what the graph makes 0 is left out


def test_symbols_take_the_numbers():
    edges = edges_of(FORKED)
    weights = [Fraction(k + 1, 2) for k in range(len(edges))]
    numbers = at_point(FORKED, weights, [Fraction(2)] * 6, cubic((1, Fraction(-1, 2), 2)))
    ring, symbols = in_symbols(FORKED)
    point = [*weights]
    for v in range(len(FORKED)):
        point += map(Fraction, (numbers.post[v], numbers.slope[v], numbers.bend[v]))
    for pair, polynomial in symbols.hessian(5).items():
        assert ring.evaluate(polynomial, point) == numbers.hessian(5)[pair]


def test_influences_by_hand():
    # z3 = 7 f2, f2 = (5 f1)^2, f1 = (3 x)^2, x = 1: f1 = 9, z2 = 45
    network = at_point(CHAIN, [3, 5, 7], [1, 0, 0, 0], lambda v, z: (z * z, 2 * z, 2))
    assert network.influences(3) == {2: 7, 1: 7 * 90 * 5, 0: 7 * 90 * 5 * 6 * 3}
