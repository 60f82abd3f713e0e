from fractions import Fraction
from math import prod

import numpy as np
import pytest
from scipy.integrate import DOP853, RK45

from numerics.flow.tableaus import METHODS, arrays_of, tableau

Tree = tuple  # a rooted tree: the tuple of the trees that hang on its root, sorted


def trees(order: int) -> list[Tree]:
    """All rooted trees with so many vertices."""
    if order == 1:
        return [()]
    return sorted(set(forests(order - 1, order - 1)))


def forests(size: int, largest: int) -> list[Tree]:
    """All sorted tuples of trees with `size` vertices in all, none larger than `largest`."""
    if size == 0:
        return [()]
    found = []
    for first in range(1, min(size, largest) + 1):
        for tree in trees(first):
            found += [tuple(sorted((tree, *rest))) for rest in forests(size - first, first)]
    return found


def order_of(tree: Tree) -> int:
    return 1 + sum(map(order_of, tree))


def density(tree: Tree) -> int:
    return order_of(tree) * prod(map(density, tree))


def stage_weights(tree: Tree, a: np.ndarray) -> np.ndarray:
    result = np.full(len(a), Fraction(1), dtype=object)
    for branch in tree:
        result = result * (a @ stage_weights(branch, a))
    return result


def defect(weights: tuple, a: tuple, order: int) -> Fraction:
    """The largest violation of an order condition (Butcher): sum b_i Phi_i(t) = 1 / density(t)."""
    square = np.array(a, dtype=object)
    row = np.array(weights, dtype=object)
    found = (abs(row @ stage_weights(t, square) - Fraction(1, density(t))) for t in trees(order))
    return max(found)


def test_there_are_as_many_rooted_trees_as_known():
    assert [len(trees(n)) for n in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]


def test_dopri5_meets_the_order_conditions_exactly():
    method = tableau("dopri5")
    assert all(defect(method.b, method.a, order) == 0 for order in range(1, 6))
    assert defect(method.b, method.a, 6) > 0
    weaker = tuple(x - e for x, e in zip(method.b, method.error, strict=True))
    assert all(defect(weaker, method.a, order) == 0 for order in range(1, 5))
    assert defect(weaker, method.a, 5) > 0


def test_dop853_meets_the_order_conditions_to_its_decimals():
    method = tableau("dop853")
    steps = tuple(row[:13] for row in method.a[:13])
    assert all(defect(method.b[:13], steps, order) < 1e-20 for order in range(1, 9))
    assert defect(method.b[:13], steps, 9) > 1e-8


@pytest.mark.parametrize("name", METHODS)
def test_the_interpolant_has_its_order_all_along_the_step(name):
    method = tableau(name)
    for x in (Fraction(1, 3), Fraction(4, 5), Fraction(1)):
        weights = [
            sum(c * x ** (p + 1) for p, c in enumerate(row)) / x for row in method.interpolant
        ]
        scaled = tuple(tuple(entry / x for entry in row) for row in method.a)
        for order in range(1, method.dense_order + 1):
            assert defect(tuple(weights), scaled, order) < 1e-15


@pytest.mark.parametrize(("name", "other"), [("dopri5", RK45), ("dop853", DOP853)])
def test_the_constants_are_those_of_scipy(name, other):
    ours = arrays_of(name)
    stages = ours.stages - 1
    assert np.array_equal(ours.a[:stages, : other.A.shape[1]], other.A)
    assert np.array_equal(ours.b[:stages], other.B)
    assert np.array_equal(ours.c[:stages], other.C)
    if name == "dop853":
        assert np.allclose(ours.error[:13], other.E5, rtol=1e-15)
        assert np.allclose(ours.second_error[:13], other.E3, rtol=1e-15)
        assert np.array_equal(ours.a[13:], other.A_EXTRA)
    else:
        assert np.allclose(ours.error, -other.E, rtol=1e-15)
        assert np.allclose(ours.interpolant, other.P, rtol=1e-15)


@pytest.mark.parametrize("name", METHODS)
def test_the_last_stage_is_the_end_of_the_step(name):
    method = tableau(name)
    last = method.stages - 1
    assert method.a[last] == method.b
    assert all(abs(sum(row) - node) < 1e-20 for row, node in zip(method.a, method.c, strict=True))


def test_the_balance_of_a_quadratic_form_is_an_identity():
    method = tableau("dopri5")
    matrix = method.balance()
    assert all(matrix[i][j] == matrix[j][i] for i in range(7) for j in range(7))
    # a step of dw/dt = w, in exact numbers: Q(w) = w^2
    h, stages = Fraction(1, 3), []
    for row in method.a:
        stages.append(1 + h * sum(x * k for x, k in zip(row, stages, strict=False)))
    end = 1 + h * sum(x * k for x, k in zip(method.b, stages, strict=True))
    first = 2 * h * sum(b * k * k for b, k in zip(method.b, stages, strict=True))
    second = sum(matrix[i][j] * stages[i] * stages[j] for i in range(7) for j in range(7))
    assert end**2 - 1 == first + h**2 * second
    assert end != 1


def test_an_unknown_method_is_named():
    with pytest.raises(ValueError, match="method 'rk4': use one of dopri5, dop853"):
        tableau("rk4")
