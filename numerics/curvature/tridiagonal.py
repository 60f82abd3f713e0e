"""Eigenvalues and eigenvectors of one tridiagonal matrix, compiled."""

from __future__ import annotations

from math import sqrt
from typing import Any

from numba import njit

from numerics.kernels import OPTIONS

UNIT = 2.0**-53
QL_ROUNDS = 60  # of one eigenvalue; two are usual

summed: Any = njit(**{**OPTIONS, "fastmath": {"contract", "reassoc"}})
"""Sums are taken in any order; nothing else is relaxed."""


@summed
def spectrum(diagonal, beside, last):
    """The eigenvalues of a tridiagonal matrix, in `diagonal`; `beside` is lost. `last` becomes the
    last entries of the unit eigenvectors. Implicit QL (Golub and Van Loan, Matrix Computations,
    8.3)."""
    k = len(diagonal)
    last[:] = 0.0
    last[k - 1] = 1.0
    for low in range(k):
        for _ in range(QL_ROUNDS):
            m = low
            while m < k - 1:
                near = abs(diagonal[m]) + abs(diagonal[m + 1])
                if abs(beside[m]) <= UNIT * near:
                    break
                m += 1
            if m == low:
                break
            g = (diagonal[low + 1] - diagonal[low]) / (2.0 * beside[low])
            r = sqrt(g * g + 1.0)
            g = diagonal[m] - diagonal[low] + beside[low] / (g + (r if g >= 0.0 else -r))
            sine, cosine, shift, i = 1.0, 1.0, 0.0, m - 1
            while i >= low:
                f, h = sine * beside[i], cosine * beside[i]
                r = sqrt(f * f + g * g)
                beside[i + 1] = r
                if r == 0.0:
                    diagonal[i + 1] -= shift
                    beside[m] = 0.0
                    break
                r = 1.0 / r
                sine, cosine = f * r, g * r
                g = diagonal[i + 1] - shift
                r = (diagonal[i] - g) * sine + 2.0 * cosine * h
                shift = sine * r
                diagonal[i + 1] = g + shift
                g = cosine * r - h
                f = last[i + 1]
                last[i + 1] = sine * last[i] + cosine * f
                last[i] = cosine * last[i] - sine * f
                i -= 1
            if i >= low:
                continue
            diagonal[low] -= shift
            beside[low] = g
            beside[m] = 0.0


@summed
def eigenvector(alphas, betas, value, vector, work):
    """A unit eigenvector of a tridiagonal matrix for an eigenvalue that is known, in `vector`: two
    steps of inverse iteration, with row exchanges. work (3, k): room."""
    k = len(vector)
    scale = abs(value)
    for i in range(k):
        scale = max(scale, abs(alphas[i]), abs(betas[i]) if i < k - 1 else 0.0)
        vector[i] = 1.0 + 0.25 * (i % 3)  # orthogonal to no eigenvector, but by accident
    if scale == 0.0:
        vector[:] = 0.0
        vector[0] = 1.0
        return
    for _ in range(2):
        # elimination: rows (main, above, second) of what stands left in each column
        main, above = alphas[0] - value, betas[0] if k > 1 else 0.0
        for i in range(k - 1):
            low, diag = betas[i], alphas[i + 1] - value
            after = betas[i + 1] if i + 1 < k - 1 else 0.0
            if abs(low) > abs(main):  # exchange
                factor = main / low
                work[0, i], work[1, i], work[2, i] = low, diag, after
                main, above = above - factor * diag, -factor * after
                x = vector[i]
                vector[i] = vector[i + 1]
                vector[i + 1] = x - factor * vector[i]
            else:
                main = main if main != 0.0 else UNIT * scale
                factor = low / main
                work[0, i], work[1, i], work[2, i] = main, above, 0.0
                main, above = diag - factor * above, after
                vector[i + 1] -= factor * vector[i]
        work[0, k - 1] = main if abs(main) > UNIT * UNIT * scale else UNIT * UNIT * scale
        norm = 0.0
        for i in range(k - 1, -1, -1):
            x = vector[i]
            if i + 1 < k:
                x -= work[1, i] * vector[i + 1]
            if i + 2 < k:
                x -= work[2, i] * vector[i + 2]
            vector[i] = x / work[0, i]
            norm += vector[i] * vector[i]
        norm = 1.0 / sqrt(norm)
        for i in range(k):
            vector[i] *= norm


@summed
def largest(values):
    """Where the largest in magnitude stands."""
    place = 0
    for i in range(len(values)):
        if abs(values[i]) > abs(values[place]):
            place = i
    return place
