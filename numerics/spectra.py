"""Singular values and vectors of batches of float64 matrices, with bounds on their errors.

Whatever routine computed `A ~ U diag(s) V^T`, three residuals bound its errors: with
`E = A - U diag(s) V^T`, and with the distances of U and V from matrices with orthonormal columns
(their polar factors), A lies within `error` of a matrix whose singular values are exactly s. So
Weyl's inequality bounds each singular value, Mirsky's their vector, and Wedin's theorem turns a gap
into a bound on singular vectors. The rounding of the residuals themselves is bounded too, for sums
taken in any order. Where no gap is certified the answer is "undecided", never a guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log, sqrt

import torch

from numerics.conversion import LEAST_NORMAL, UNIT

TINY = 2.0**-1000
"""More than all underflow in matrices whose largest entry is between 1 and 2."""

UNTRUSTED = 1e-9
"""A relative error of this size is not that of a backward stable routine."""


@dataclass(frozen=True)
class Spectrum:
    """The singular value decomposition of B matrices, (m, n) each, k = min(m, n).

    values: (B, k), descending; left: (B, m, k), right: (B, n, k), columns in that order. error:
    (B,), A lies within it, in the Frobenius norm, of the matrix with exactly these singular values
    and with the polar factors of left and right as its singular vectors. defect: (B,), how far at
    most left and right are from those. frobenius: (B,) the Frobenius norm, with relative error at
    most `relative`.
    """

    values: torch.Tensor
    left: torch.Tensor
    right: torch.Tensor
    error: torch.Tensor
    defect: torch.Tensor
    frobenius: torch.Tensor
    relative: float

    @property
    def shape(self) -> tuple[int, int]:
        """(m, n)."""
        return self.left.shape[1], self.right.shape[1]

    @property
    def second(self) -> torch.Tensor:
        """(B,): the second singular value, 0 where there is only one."""
        if self.values.shape[1] > 1:
            return self.values[:, 1]
        return torch.zeros_like(self.values[:, 0])


@dataclass(frozen=True)
class Bounded:
    """(B,) numbers, each with a bound on its error: infinite, and the number not-a-number, where
    it is undecided."""

    value: torch.Tensor
    error: torch.Tensor

    @property
    def decided(self) -> torch.Tensor:
        """(B,) boolean."""
        return torch.isfinite(self.error)


def spectrum(matrices: torch.Tensor) -> Spectrum:
    """The singular value decomposition of (B, m, n) float64 matrices, on their device.

    Raises ValueError, naming the matrix, where a number is not finite, or the tensor is not that.

    >>> found = spectrum(torch.tensor([[[3.0, 0.0], [0.0, -4.0]]], dtype=torch.float64))
    >>> found.values.tolist(), bool(found.error < 1e-13)
    ([[4.0, 3.0]], True)
    """
    if matrices.ndim != 3 or matrices.dtype != torch.float64 or not min(matrices.shape[1:]):
        raise ValueError(
            f"matrices are {tuple(matrices.shape)} {matrices.dtype}: give (instances, rows, "
            "columns) in float64"
        )
    wrong = torch.nonzero(~torch.isfinite(matrices).flatten(1).all(dim=1))
    if len(wrong):
        raise ValueError(f"matrix {int(wrong[0])} has a number that is not finite")
    scale = _power_of_two(matrices.abs().amax(dim=(1, 2)))
    scaled = matrices / scale[:, None, None]  # exact, and nothing under- or overflows on the way
    parts = _decomposed(scaled)
    if matrices.device.type != "cpu":
        _mend(parts, scaled)
    left, values, right, error, defect = parts
    frobenius, relative = _frobenius(scaled)
    return Spectrum(
        values * scale[:, None],
        left,
        right,
        error * scale + LEAST_NORMAL,
        defect,
        frobenius * scale,
        relative,
    )


Parts = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]


def _power_of_two(largest: torch.Tensor) -> torch.Tensor:
    """(B,): a power of 2 that is at most `largest` and more than half of it; 1 for 0."""
    mantissa = torch.frexp(largest).mantissa
    return torch.where(largest > 0, largest / (2 * mantissa), 1.0)


def _decomposed(matrices: torch.Tensor) -> Parts:
    left, values, transposed = torch.linalg.svd(matrices, full_matrices=False)
    right = transposed.mT.contiguous()
    return left, values, right, *_residuals(matrices, left, values, right)


def _mend(parts: Parts, matrices: torch.Tensor) -> None:
    """Decompose again, on the CPU, what a device's linear algebra did badly (it happens)."""
    bad = torch.nonzero(~(parts[3] <= UNTRUSTED * _norm(matrices) + UNTRUSTED)).flatten()
    if len(bad):
        for part, better in zip(parts, _decomposed(matrices[bad].cpu()), strict=True):
            part[bad] = better.to(part.device)


def _residuals(
    matrices: torch.Tensor, left: torch.Tensor, values: torch.Tensor, right: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """(B,) each: `error` and `defect` of a spectrum of matrices whose entries are at most 2."""
    m, k = left.shape[1:]
    n = right.shape[1]
    scaled = left * values[:, None, :]
    residual = matrices - scaled @ right.mT
    # the computed product errs by at most (k + 1) roundings of |U| s |V|^T, the difference by one
    size = scaled.abs() @ right.abs().mT + matrices.abs()
    rounding = (k + 3) * UNIT * _norm(size)
    off = [_orthogonality(left), _orthogonality(right)]
    defect = torch.maximum(*off)
    top = values[:, 0]
    # ||U s V^T - P s Q^T|| <= ||U - P|| s ||V|| + s ||V - Q||, both of rank at most k
    spread = sqrt(k) * top * (off[0] * (1 + off[1]) + off[1])
    inflated = 1 + 8 * m * n * UNIT  # the rounding of this sum and of its norms
    return (_norm(residual) + rounding + spread) * inflated + TINY, defect


def _orthogonality(columns: torch.Tensor) -> torch.Tensor:
    """(B,): a bound on the distance, in the operator norm, of (m, k) columns from their polar
    factor: |s - 1| <= |s^2 - 1| <= ||X^T X - 1|| for each singular value s."""
    m, k = columns.shape[1:]
    one = torch.eye(k, dtype=columns.dtype, device=columns.device)
    gram = columns.mT @ columns
    rounding = (m + 3) * UNIT * (_norm(columns.abs().mT @ columns.abs()) + sqrt(k))
    return (_norm(gram - one) + rounding) * (1 + 8 * m * k * UNIT) + TINY


def _norm(matrices: torch.Tensor) -> torch.Tensor:
    return torch.linalg.matrix_norm(matrices)


def _frobenius(matrices: torch.Tensor) -> tuple[torch.Tensor, float]:
    """The Frobenius norms, and a bound on their relative errors."""
    return _norm(matrices), (matrices.shape[1] * matrices.shape[2] + 4) * UNIT


# norms and ranks ---------------------------------------------------------------------------------
def norm_ratio(found: Spectrum) -> Bounded:
    """||A||_2 / ||A||_F, undecided for the matrix 0."""
    top, whole = found.values[:, 0], found.frobenius
    value = top / whole
    error = (found.error / whole + value * found.relative) * (1 + 2 * found.relative) + 4 * UNIT
    return _where(whole > found.error, value, error)


def stable_rank(found: Spectrum) -> Bounded:
    """||A||_F^2 / ||A||_2^2, undecided where the norm is not told from 0."""
    top, whole = found.values[:, 0], found.frobenius
    value = (whole / top) ** 2
    relative = found.error / (top - found.error) + 2 * found.relative
    return _where(top > 2 * found.error, value, value * ((1 + relative) ** 2 - 1 + 8 * UNIT))


def effective_rank(found: Spectrum) -> Bounded:
    """The exponential of the entropy of the singular values divided by their sum (Roy & Vetterli
    2007). The bound: moved by t in total variation, the entropy of k probabilities moves by at
    most t log(k - 1) - t log t - (1 - t) log(1 - t) (Zhang 2007)."""
    k = found.values.shape[1]
    total = found.values.sum(dim=1)
    shares = found.values / total[:, None]
    entropy = -torch.special.xlogy(shares, shares).sum(dim=1)
    value = torch.exp(entropy)
    # sum |s_i - s'_i| <= sqrt(k) error; dividing by the sums at most doubles the share of it
    moved = sqrt(k) * found.error / (total - sqrt(k) * found.error) + 2 * k * UNIT
    moved = torch.where(total > 2 * sqrt(k) * found.error, moved, inf)
    small = moved < 0.5 * (1 - 1 / k) if k > 1 else torch.isfinite(moved)
    share = torch.where(small, moved, 0.5)
    shift = share * log(max(k - 1, 1)) - torch.special.xlogy(share, share)
    shift = shift - torch.special.xlogy(1 - share, 1 - share) + 8 * k * UNIT * (1 + log(k))
    return _where(small, value, value * torch.expm1(shift))


# vectors -----------------------------------------------------------------------------------------
def vector_error(found: Spectrum) -> torch.Tensor:
    """(B,): how far at most the first columns of left and right are from principal singular
    vectors of A, up to signs; infinite where the largest singular value is not certified
    to be simple.

    Wedin's theorem: the sines of both angles are at most error / gap, where the gap separates the
    largest singular value of A from the second of the matrix that has exactly these vectors.
    """
    gap = found.values[:, 0] - found.error - found.second
    simple = gap > found.error  # then the largest singular value of A itself is simple
    sine = found.error / torch.where(simple, gap, 1.0)
    # two unit vectors at an angle with this sine, at most a right one, are sqrt(2) sine apart
    return torch.where(simple, sqrt(2.0) * sine + found.defect, inf)


def alignment(above: Spectrum, below: Spectrum) -> Bounded:
    """|<v, u>|: v the principal right singular vector of W_{j+1} (`above`), u the principal left
    one of W_j (`below`); undecided where one of them has no certified gap.

    Raises ValueError where W_{j+1} does not read what W_j ends in.
    """
    if above.shape[1] != below.shape[0]:
        raise ValueError(
            f"matrices of shapes {above.shape} above {below.shape}: the columns of the first are "
            "the rows of the second"
        )
    v, u = above.right[:, :, 0], below.left[:, :, 0]
    value = (v * u).sum(dim=1).abs()
    errors = [vector_error(one) for one in (above, below)]
    rounding = (len(v[0]) + 3) * UNIT * (1 + above.defect) * (1 + below.defect)
    error = errors[0] * (1 + below.defect) + errors[1] * (1 + above.defect + errors[0]) + rounding
    return _where(error < 1, value, error)


def distance_to_rank_one(found: Spectrum) -> Bounded:
    """|| A / ||A||_F - u v^T ||_F with the principal singular vectors u, v; undecided for 0.

    It is sqrt(2 - 2 ||A||_2 / ||A||_F), whichever principal vectors are chosen where the largest
    singular value is multiple, and is computed from the others, without cancellation.
    """
    top, whole = found.values[:, 0], found.frobenius
    rest = torch.linalg.vector_norm(found.values[:, 1:], dim=1)
    scale = torch.sqrt(whole * (whole + top) / 2)
    value = rest / scale
    # Mirsky: the singular values, as a vector, err by at most `error`
    error = found.error / scale * (1 + value) + value * (2 * found.relative + 8 * UNIT)
    # with an error of at most a hundredth what is of second order is less than a tenth of it
    return _where(whole > 100 * found.error, value, 1.1 * error)


def _where(decided: torch.Tensor, value: torch.Tensor, error: torch.Tensor) -> Bounded:
    nan = torch.full_like(value, torch.nan)
    return Bounded(torch.where(decided, value, nan), torch.where(decided, error, inf))
