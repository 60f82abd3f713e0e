"""Arguments about one layer: its rank, its second moments, and the derivative of the surrogate.

What depends on the shape is expanded entry by entry for a few shapes, with a symbol for each entry.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from graphs.rings import Ring, ring_of
from verify.argument import Argument, Step
from verify.papers.dkbhl20.pair_sums import TERM_BY_TERM, variance
from verify.papers.dkbhl20.words import EVERY_SIZE, IDENTITY, matrix, number
from verify.papers.lj22.gram_proofs import EVERY_SHAPE

QUOTIENTS = (
    "a quotient of polynomials of one degree tends to that of the leading coefficients, where the "
    "lower one is not 0; likewise their sums along rows"
)
SHAPES = ((1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2))
Matrix = Any  # a NumPy array of polynomials


def symbols(shape: tuple[int, int]) -> tuple[Ring, Matrix]:
    """A matrix of symbols (d, N), and their ring."""
    ring = ring_of(shape[0] * shape[1])
    entries = np.empty(len(ring.generators), dtype=object)
    entries[:] = list(ring.generators)  # not np.array, which takes them for sequences
    return ring, entries.reshape(shape)


def moments(ring: Ring, hidden: Matrix) -> Matrix:
    """H H^T / N."""
    return scaled(hidden @ hidden.T, ring.constant(Fraction(1, hidden.shape[1])))


def scaled(matrix: Matrix, factor: Any) -> Matrix:
    """A matrix times a polynomial, which NumPy would take for a sequence."""
    return np.frompyfunc(lambda entry: entry * factor, 1, 1)(matrix)


def _vanishes(ring: Ring, values: Matrix) -> bool:
    return all(map(ring.is_zero, np.asarray(values, dtype=object).reshape(-1)))


# second moments -----------------------------------------------------------------------------------
def _rows_and_moments() -> tuple[Step, ...]:
    """N M_ii is the squared norm of row i."""
    steps = []
    for shape in SHAPES:
        ring, hidden = symbols(shape)
        squares = (hidden * hidden).sum(axis=1)
        found = np.diagonal(moments(ring, hidden)) * shape[1]
        text = f"N M_ii is the squared norm of row i, d x N = {shape[0]} x {shape[1]}"
        steps.append(Step(text, _vanishes(ring, found - squares)))
    return tuple(steps)


def diagonal_is_one() -> Argument:
    """N M_ii = |H_i|^2 = N."""
    return Argument(
        "N M_ii = |H_i|^2 = N",
        _rows_and_moments(),
        (EVERY_SHAPE,),
        "diagonal_residual",
        ("normalised rows",),
        section=31,
    )


def normalised_rows_have_norm() -> Argument:
    """sum_j h_ij^2/M_ii = N, as N M_ii = sum_j h_ij^2."""
    return Argument(
        "sum_j h_ij^2/M_ii = N, as N M_ii is the squared norm of the row before",
        _rows_and_moments(),
        (EVERY_SHAPE,),
        "row_residual",
        ("layer above 0", "no row is 0 before BN", "alpha is 0", "beta is 1"),
        section=31,
    )


def trace_is_d() -> Argument:
    """Tr M = sum M_ii = d."""
    return Argument(
        "Tr M is the sum of M_ii = |H_i|^2/N = 1 over d rows",
        _rows_and_moments(),
        (EVERY_SHAPE,),
        "trace_residual",
        ("normalised rows",),
        section=31,
    )


# the surrogate ------------------------------------------------------------------------------------
def five_values(weights: dict[int, Fraction]) -> Step:
    """The weights give f'(0) of every f of degree at most 4: of each power of t."""
    found = [sum(w * Fraction(t) ** k for t, w in weights.items()) for k in range(5)]
    return Step(
        "the values at -2, -1, 1, 2 give the derivative at 0 of 1, t, t^2, t^3, t^4",
        found == [0, 1, 0, 0, 0],
    )


def gradient_is_the_derivative(weights: dict[int, Fraction]) -> Argument:
    """q dp - p dq = (4/N) (Tr(M) q H - p M H), entry by entry, of p = Tr(M)^2, q = |M|_F^2."""
    steps = [five_values(weights)]
    for shape in SHAPES[:4]:
        ring, hidden = symbols(shape)
        moment = moments(ring, hidden)
        trace = sum(np.diagonal(moment)[1:], start=moment[0, 0])
        p, q = trace * trace, (moment * moment).sum()
        share = ring.constant(Fraction(4, shape[1]))
        printed = scaled(scaled(hidden, trace * q) - scaled(moment @ hidden, p), share)
        flat = [ring.derivative(p, k) * q - ring.derivative(q, k) * p for k in range(hidden.size)]
        derivative = np.empty(hidden.size, dtype=object)
        derivative[:] = flat
        steps.append(
            Step(
                "q dp - p dq = (4/N) (Tr(M) q H - p M H) entry by entry, d x N = "
                f"{shape[0]} x {shape[1]}",
                _vanishes(ring, derivative.reshape(shape) - printed),
            )
        )
    return Argument(
        "p and q are polynomials with q > 0 where H is not 0, and q^2 times the gradient of p/q is "
        "q dp - p dq",
        tuple(steps),
        (EVERY_SHAPE, "a quotient of polynomials is differentiable where the lower one is not 0"),
        "gradient_residual",
        ("H is not 0",),
        section=31,
    )


def layers_have_trace_d() -> Argument:
    """Tr(M)^2 - d^2 = (Tr M - d)(Tr M + d)."""
    ring = ring_of(2)
    trace, d = ring.generators
    factors = (trace - d) * (trace + d)
    return Argument(
        "Tr M = d where rows have norm sqrt(N)",
        (
            *_rows_and_moments(),
            Step("Tr(M)^2 - d^2 = (Tr M - d) (Tr M + d)", ring.is_zero(trace**2 - d**2 - factors)),
        ),
        (EVERY_SHAPE,),
        "trace_residual",
        ("normalised rows",),
        section=31,
    )


def averages_are_bounded() -> Argument:
    """k sum x^2 >= (sum x)^2 for the k numbers that are not 0, x = lambda or |lambda|."""
    return Argument(
        "Cauchy and Schwarz over the numbers that are not 0, or over their absolute values",
        variance(),
        (TERM_BY_TERM, "|lambda|^2 = lambda^2"),
        "steps_slack",
        ("M is not 0",),
        section=31,
    )


# the skip connection, and the rank ----------------------------------------------------------------
def leading_coefficients() -> Argument:
    """Of (h + gamma w)^2 and h + gamma w."""
    ring = ring_of(2)
    h, w = ring.generators
    twice = (h + w) ** 2 - 2 * h**2 + (h - w) ** 2
    return Argument(
        "the coefficient of gamma^2 in each squared entry is the squared entry of W H, so their "
        "quotients tend to those of W H, which has no row 0; and the signs do",
        (
            Step(
                "the second difference of (h + gamma w)^2 is 2 w^2", ring.is_zero(twice - 2 * w**2)
            ),
            Step("the difference of h + gamma w is w", ring.is_zero((h + w) - h - w)),
        ),
        (QUOTIENTS,),
        "limit_residual",
        ("no row of WH is 0",),
        section=31,
    )


def products_lose_rank() -> Argument:
    """H + gamma W H = (I + gamma W) H."""
    hidden, step = matrix("H"), number("gamma") @ matrix("W")
    made = (IDENTITY + step) @ hidden
    return Argument(
        "H + gamma W H is a multiple of H from the left",
        (
            Step("(I + gamma W) H = H + gamma W H", (made - hidden - step @ hidden).is_zero),
            Step("it has two terms", len(made.terms) == 2),
        ),
        (
            EVERY_SIZE,
            "rank(A B) is at most rank(B)",
            "factors of rows that are not 0 keep the rank; the activation of slope 1 is linear",
        ),
        "rank_slack",
        ("linear network", "no row is 0 before BN"),
        section=31,
    )
