from fractions import Fraction
from math import inf, sqrt

import numpy as np
import pytest
import scipy.linalg
import torch
from hypothesis import given
from hypothesis import strategies as st

from numerics.spectra import (
    alignment,
    distance_to_rank_one,
    effective_rank,
    norm_ratio,
    spectrum,
    stable_rank,
    vector_error,
)

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
SIZES = st.tuples(st.integers(1, 7), st.integers(1, 7))


def rotations(generator, batch, size):
    return np.linalg.qr(generator.standard_normal((batch, size, size)))[0]


def with_values(values, m, n, generator):
    """Matrices with these singular values, to within rounding, and their singular vectors."""
    values = np.asarray(values, dtype=np.float64)
    left = rotations(generator, 1, m)[:, :, : len(values)]
    right = rotations(generator, 1, n)[:, :, : len(values)]
    return torch.from_numpy((left * values) @ right.transpose(0, 2, 1)), left[0], right[0]


@st.composite
def drawn_matrices(draw):
    m, n = draw(SIZES)
    batch = draw(st.integers(1, 3))
    generator = np.random.default_rng(draw(st.integers(0, 2**20)))
    scale = 2.0 ** draw(st.sampled_from([-1000, -30, 0, 30, 900]))
    integers = generator.integers(-3, 4, size=(batch, m, n)).astype(float)
    normal = generator.standard_normal((batch, m, n))
    return torch.from_numpy((integers if draw(st.booleans()) else normal) * scale)


@given(drawn_matrices())
def test_values_are_within_the_bound_of_lapacks_other_routine(matrices):
    found = spectrum(matrices)
    for b, matrix in enumerate(matrices.numpy()):
        wanted = scipy.linalg.svd(matrix, compute_uv=False, lapack_driver="gesvd")
        size = np.abs(matrix).max()
        error = float(found.error[b])
        assert np.abs(found.values[b].numpy() - wanted).max() <= error + 1e-15 * 50 * size
        assert error <= 1e-12 * size + 1e-300
    assert bool((found.values.diff(dim=1) <= 0).all())


@given(st.lists(st.integers(0, 9), min_size=1, max_size=5))
def test_the_values_of_diagonal_matrices_lie_within_the_bound(diagonal):
    found = spectrum(torch.diag(torch.tensor(diagonal, dtype=torch.float64))[None])
    wanted = torch.tensor(sorted(diagonal, reverse=True), dtype=torch.float64)
    assert bool(((found.values[0] - wanted).abs() <= found.error).all())
    assert float(found.error) <= 1e-12
    assert abs(float(found.frobenius) - sqrt(sum(x * x for x in diagonal))) <= 1e-13


def exact_rank(matrix):
    rows = [[Fraction(int(x)) for x in row] for row in matrix]
    count = 0
    for column in range(len(rows[0])):
        pivot = next((r for r in range(count, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[count], rows[pivot] = rows[pivot], rows[count]
        for r in range(count + 1, len(rows)):
            factor = rows[r][column] / rows[count][column]
            rows[r] = [x - factor * y for x, y in zip(rows[r], rows[count], strict=True)]
        count += 1
    return count


@pytest.mark.parametrize("gap", [1.0, 1e-3, 1e-7])
def test_principal_vectors_lie_within_their_bound(gap):
    generator = np.random.default_rng(1)
    for m, n in ((4, 6), (6, 4), (1, 5), (5, 1)):
        values = [2.0, 2.0 - gap, 0.5][: min(m, n)]
        matrix, left, right = with_values(values, m, n, generator)
        found = spectrum(matrix)
        bound = float(vector_error(found)) + 1e-14 / gap  # the matrix is rounded too
        assert bound < 1e-5
        for columns, wanted in ((found.left, left), (found.right, right)):
            u, v = columns[0, :, 0].numpy(), wanted[:, 0]
            assert min(np.linalg.norm(u - v), np.linalg.norm(u + v)) <= bound


def test_a_multiple_top_value_leaves_the_alignment_undecided():
    generator = np.random.default_rng(2)
    single, _, _ = with_values([2.0, 1.0], 3, 3, generator)
    for values in ([1.0, 1.0, 0.5], [1.0, 1.0 - 1e-16, 0.1]):
        double, _, _ = with_values(values, 3, 3, generator)
        for pair in ((single, double), (double, single)):
            found = alignment(*map(spectrum, pair))
            assert not bool(found.decided)
            assert bool(found.value.isnan())
            assert float(found.error) == inf
        # the distance does not depend on the choice of vectors
        wanted = sqrt(2 - 2 * values[0] / np.linalg.norm(values))
        distance = distance_to_rank_one(spectrum(double))
        assert float(distance.value) == pytest.approx(wanted, rel=1e-12)


def test_alignment_of_matrices_with_known_vectors():
    angle = 0.3
    u = torch.tensor([[np.cos(angle)], [np.sin(angle)]], dtype=torch.float64)
    below = (5 * u @ torch.ones(1, 3, dtype=torch.float64))[None]
    above = torch.tensor([[[7.0, 0.0], [0.0, 1.0]]], dtype=torch.float64)
    found = alignment(spectrum(above), spectrum(below))
    assert abs(float(found.value) - np.cos(angle)) <= float(found.error) < 1e-13
    with pytest.raises(ValueError, match="rows of the second"):
        alignment(spectrum(below), spectrum(above))


def test_norms_of_known_spectra():
    generator = np.random.default_rng(3)
    values = np.array([4.0, 2.0, 1.0])
    matrix, _, _ = with_values(values, 5, 3, generator)
    found = spectrum(matrix)
    shares = values / values.sum()
    known = {
        norm_ratio: 4 / sqrt(21),
        stable_rank: 21 / 16,
        effective_rank: np.exp(-(shares * np.log(shares)).sum()),
        distance_to_rank_one: sqrt(2 - 8 / sqrt(21)),
    }
    for measure, wanted in known.items():
        bounded = measure(found)
        assert abs(float(bounded.value) - wanted) <= float(bounded.error) + 1e-14
        assert float(bounded.error) < 1e-11
    zero = spectrum(torch.zeros(1, 2, 2, dtype=torch.float64))
    for measure in known:
        assert not bool(measure(zero).decided)


def test_the_distance_to_rank_one_does_not_cancel():
    matrix = torch.diag(torch.tensor([1.0, 1e-11], dtype=torch.float64))[None]
    found = distance_to_rank_one(spectrum(matrix))
    assert abs(float(found.value) - 1e-11) <= float(found.error) < 1e-13
    direct = matrix[0] / matrix[0].norm() - torch.diag(torch.tensor([1.0, 0.0]))
    assert float(direct.norm()) == pytest.approx(1e-11, rel=1e-4)


@given(drawn_matrices())
def test_bounds_hold_for_the_batch_as_for_each(matrices):
    found = spectrum(matrices)
    for b in range(len(matrices)):
        one = spectrum(matrices[b : b + 1])
        difference = (one.values[0] - found.values[b]).abs()
        assert bool((difference <= one.error + found.error[b]).all())


@needs_cuda
@given(drawn_matrices())
def test_cuda_agrees_within_the_bounds(matrices):
    cpu, cuda = spectrum(matrices), spectrum(matrices.cuda())
    assert bool(
        ((cpu.values - cuda.values.cpu()).abs() <= (cpu.error + cuda.error.cpu())[:, None]).all()
    )


def test_what_is_no_batch_of_finite_matrices_is_refused():
    with pytest.raises(ValueError, match="matrix 1"):
        spectrum(torch.tensor([[[0.0]], [[inf]]], dtype=torch.float64))
    with pytest.raises(ValueError, match="float64"):
        spectrum(torch.zeros(1, 2, 2))
    with pytest.raises(ValueError, match="rows"):
        spectrum(torch.zeros(2, 2, dtype=torch.float64))
