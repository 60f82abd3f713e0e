"""Float64 as exact arithmetic: it agrees with the rationals, or refuses."""

from fractions import Fraction
from operator import add, mul, sub

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.activations import leaky_relu
from graphs.arithmetic import as_fraction
from graphs.dyadic import DYADICS, Dyadic, InexactError, dyadic
from graphs.evaluation import Union, evaluate
from graphs.network import network
from graphs.rationals import RATIONALS
from graphs.strategies import activations, networks

SHORT = st.builds(lambda m, q: Fraction(m, 2**q), st.integers(-40, 40), st.integers(0, 6))
LONG = st.builds(lambda m, q: Fraction(m, 2**q), st.integers(-(2**53), 2**53), st.integers(0, 80))
SMALL = st.builds(lambda m, q: Fraction(m, 2**q), st.integers(-4, 4), st.integers(0, 1))
PAIRS = st.lists(st.tuples(LONG | SHORT, LONG | SHORT), min_size=1, max_size=5)


def exact(array: Dyadic) -> list[Fraction]:
    """The entries, in the order of rows."""
    assert (array.values * 2.0**array.unit == np.round(array.values * 2.0**array.unit)).all()
    return [Fraction(value) for value in array.values.reshape(-1).tolist()]


@given(PAIRS, st.sampled_from((add, sub, mul)))
def test_an_operation_is_exact_or_refused(pairs, act):
    one, other = (dyadic(list(column)) for column in zip(*pairs, strict=True))
    try:
        found = act(one, other)
    except InexactError:
        return
    assert exact(found) == [act(a, b) for a, b in pairs]


@given(st.lists(SHORT, min_size=1, max_size=5), st.sampled_from((add, sub, mul)))
def test_short_numbers_are_not_refused(numbers, act):
    array = dyadic(numbers)
    assert exact(act(array, array)) == [act(a, a) for a in numbers]


@given(st.lists(LONG | SHORT, min_size=4, max_size=4))
def test_sums_and_products_of_matrices_are_exact_or_refused(numbers):
    square = np.array(numbers, dtype=object).reshape(2, 2)
    for right, found in (
        (square @ square.T, lambda a: a @ a.swapaxes(0, 1)),
        (square.sum(axis=1), lambda a: a.sum(1)),
        (np.array([square.sum()]), lambda a: a.sum().reshape(1)),
        (-abs(square), lambda a: -abs(a)),
    ):
        try:
            entries = exact(found(dyadic(square)))
        except InexactError:
            continue
        assert entries == list(right.reshape(-1))


@pytest.mark.parametrize("number", [Fraction(1, 3), Fraction(2**54 + 1), Fraction(1, 2**500)])
def test_a_number_that_is_too_long_is_refused(number):
    with pytest.raises(InexactError):
        dyadic([number])


def test_a_result_that_would_be_rounded_is_refused():
    large, small = dyadic([Fraction(2**53 - 1)]), dyadic([Fraction(1, 2)])
    for act in (lambda: large + small, lambda: large * large, lambda: large + 1):
        with pytest.raises(InexactError):
            act()
    target = DYADICS.array([Fraction(2**52)])
    with pytest.raises(InexactError):
        DYADICS.add_at(target, np.array([0]), small)


@given(st.lists(st.tuples(st.integers(0, 2), SHORT), max_size=8))
def test_adding_at_places_agrees_with_the_rationals(terms):
    index = np.array([place for place, _ in terms], dtype=np.int64)
    values = [value for _, value in terms]
    right = RATIONALS.sum_at(RATIONALS.array(values), index, 3)
    assert exact(DYADICS.sum_at(dyadic(values), index, 3)) == list(map(as_fraction, right))


def test_what_is_written_through_a_view_keeps_its_unit():
    base = DYADICS.zeros((2, 2))
    base[0][:] = Fraction(1, 8)
    assert base.unit == 3
    assert exact(base + base) == [Fraction(1, 4), Fraction(1, 4), 0, 0]


@given(st.data())
def test_a_network_has_its_rational_values_and_gradients(data):
    kinds = activations(("linear", "relu", "abs")) | st.just(leaky_relu("1/4"))
    net = data.draw(networks(activations=kinds))
    count = net.edge_count + len(net.free_inputs)
    numbers = data.draw(st.lists(SMALL, min_size=count, max_size=count))
    weights, inputs = numbers[: net.edge_count], [[x] for x in numbers[net.edge_count :]]
    right, found = (
        evaluate(Union.of([net]), how, how.array(weights), how.array(inputs))
        for how in (RATIONALS, DYADICS)
    )
    assert (right.kinks == found.kinks).all()
    for name in ("post", "edge_gradients"):
        numbers = [as_fraction(value) for value in getattr(right, name).reshape(-1)]
        assert exact(getattr(found, name)) == numbers


def test_a_scale_that_is_no_square_of_a_short_number_is_left_to_others():
    net = network([("x", "o")], inputs=["x"], outputs=["o"], scale_squares={"o": "1/2"})
    with pytest.raises(InexactError):
        evaluate(Union.of([net]), DYADICS, dyadic([1]), dyadic([[1]]))
