"""The networks of completely positive kernels, roles exchanged: by hand and against floats."""

from fractions import Fraction
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from verify.kinds.costs.stacked import kernel, layer_norm, stacked_norm

F = Fraction


def matrix(*rows):
    return RATIONALS.array([list(row) for row in rows])


def norm(linear, depth):
    return as_fraction(stacked_norm(linear, depth))


TWO = matrix([2])
entries = st.integers(-3, 3)
matrices = st.tuples(st.integers(1, 3), st.integers(1, 3)).flatmap(
    lambda shape: st.lists(
        st.lists(entries, min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


# by hand ------------------------------------------------------------------------------------------
def test_kernels_by_hand():
    linear = matrix([2, 0], [0, 0])
    for share, first in ((F(0), 1), (F(1, 4), F(7, 4)), (F(1), 4)):
        found = kernel(linear, RATIONALS.array([share])[0])
        assert [[as_fraction(v) for v in row] for row in found] == [[first, 0], [0, 0]]


def test_norms_by_hand():
    # G = 1, 5/2, 4: layers 5/2 and 8/5
    assert [as_fraction(layer_norm(TWO, layer, 2)) for layer in (1, 2)] == [F(5, 2), F(8, 5)]
    assert norm(TWO, 2) == F(41, 10)
    assert norm(TWO, 3) == 2 + F(3, 2) + F(4, 3)
    # a kernel of A costs nothing, and eigenvalues add
    assert norm(matrix([2, 0, 0], [0, F(1, 2), 0]), 2) == F(41, 10) + F(5, 8) + F(2, 5)
    assert norm(matrix([0, 0]), 5) == 0


@pytest.mark.parametrize("depth", [1, 2, 7])
def test_an_isometry_costs_its_rank_a_layer(depth):
    assert norm(matrix([F(3, 5), F(4, 5), 0], [F(-4, 5), F(3, 5), 0]), depth) == 2 * depth


# properties ---------------------------------------------------------------------------------------
@given(matrices)
def test_at_depth_1_it_is_the_matrix(rows):
    assert norm(matrix(*rows), 1) == sum(v * v for row in rows for v in row)


@given(matrices, st.integers(1, 8))
def test_the_bracket_of_the_repaired_theorem(rows, depth):
    values = np.linalg.svd(np.array(rows, dtype=float), compute_uv=False)
    squares = values[values > 1e-9] ** 2
    excess = float(norm(matrix(*rows), depth)) - depth * len(squares) - np.log(squares).sum()
    room = (squares + 1 / squares - 2).sum() / depth
    assert -1e-9 <= excess <= room + 1e-9


@given(matrices, st.integers(1, 5))
def test_the_layers_of_a_network_have_these_norms(rows, depth):
    """W_l = B_l B_(l-1)^+ with symmetric square roots B_l, the last one A."""
    linear = np.array(rows, dtype=float)
    onto = np.linalg.pinv(linear) @ linear
    roots = []
    for layer in range(depth):
        values, vectors = np.linalg.eigh(onto + (linear.T @ linear - onto) * layer / depth)
        roots.append(vectors @ np.diag(np.sqrt(values.clip(0))) @ vectors.T)
    total = 0.0
    for before, here in zip(roots, [*roots[1:], linear], strict=True):
        total += np.square(here @ np.linalg.pinv(before, rcond=1e-6)).sum()
    assert total == pytest.approx(float(norm(matrix(*rows), depth)), rel=1e-6, abs=1e-6)


def test_the_excess_falls_like_1_over_the_depth():
    # the sum of (t - 1) / (L + l (t - 1)) is log t plus (t - 1)^2 / (2 t L) and so on
    for depth in (50, 100, 200):
        excess = float(norm(TWO, depth)) - depth - log(4)
        assert excess * depth == pytest.approx(9 / 8, rel=2 / depth)
