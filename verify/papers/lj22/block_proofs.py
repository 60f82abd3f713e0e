"""Arguments for the steps of Appendix D: what is left of each slack has no negative coefficient.

The eigenvalues of positive semidefinite matrices are symbols for numbers that are not negative;
each cited inequality x >= y is written x = y + s with one more such symbol s. Where a slack then
is a polynomial without negative coefficients, or a square, it is not negative.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from graphs.rings import Ring, ring_of
from verify.argument import Argument, Step

SEMIDEFINITE = "eigenvalues of positive semidefinite matrices are not negative"
WEYL_BELOW = "Weyl: lambda(C + D) is at least lambda(C) plus the least eigenvalue of D"
WEYL_ABOVE = "Weyl: lambda(C + D) is at most lambda(C) + lambda(D)"
NORM = "the squared operator norm of M is lambda(M^T M) = lambda(M M^T)"
REAL = "the square of a real number is not negative"
EXTREME = (
    "at a unit vector at which one of two forms is extreme the other one lies between its own "
)
EXTREME += "least and largest eigenvalue"
NORM_BOUND = "no eigenvalue of a symmetric matrix exceeds its operator norm"
RAYLEIGH = "the largest (least) eigenvalue of symmetric S is the largest (least) x^T S x, |x| = 1"
LINEAR_BLOCK = ("lj22v1.thm1-3.fix",)  # U^T U - Y Y^T of a linear block
KEPT = "U^T U - Y Y^T keeps its initial value in a linear block (Theorem 1, item 3)"
BLOCKS = "sums of products of slices have the same form for tensors of every shape"
CONSTANTS = ("the bounds by a and by b together give the one by min(a, b)",)
SINGULAR = "|W|_F^2 is the sum of the squares of the rank(W) non-zero singular values, |W|_2 the "
SINGULAR += "largest of them"


def nonnegative(ring: Ring, text: str, polynomial: Any) -> Step:
    """The step that a polynomial has no negative coefficient."""
    return Step(text, all(c >= 0 for c in ring.terms(polynomial).values()))


def square_of_a_sum() -> Argument:
    """(78): (y + z)^2 / 4 - (y^2 + z^2) / 4."""
    ring = ring_of(2)
    y, z = ring.generators
    quarter = ring.constant(Fraction(1, 4))
    slack = (y + z) * (y + z) * quarter - (y * y + z * z) * quarter
    steps = (nonnegative(ring, "(y + z)^2/4 - y^2/4 - z^2/4 = yz/2", slack),)
    return Argument("the slack is yz/2", steps, (SEMIDEFINITE,), "step78", (), section=9)


def sum_of_squares() -> Argument:
    """(80): (u^2 + z^2) / 4 - (u + z)^2 / 8 = (u - z)^2 / 8."""
    ring = ring_of(2)
    u, z = ring.generators
    quarter, eighth = (ring.constant(Fraction(1, k)) for k in (4, 8))
    slack = (u * u + z * z) * quarter - (u + z) * (u + z) * eighth
    square = (u - z) * (u - z) * eighth
    steps = (Step("u^2/4 + z^2/4 - (u + z)^2/8 = (u - z)^2/8", ring.is_zero(slack - square)),)
    return Argument("the slack is a square", steps, (REAL,), "step80", (), section=9)


def sum_from_below() -> Argument:
    """(77): m^2 - (y + z)^2 / 4 for m at least y and z."""
    ring = ring_of(3)
    low, more, s = ring.generators
    steps = []
    for text in ("y >= z", "z >= y"):  # the larger one is low + more
        m, total = low + more + s, low + low + more
        slack = m * m - total * total * ring.constant(Fraction(1, 4))
        steps.append(nonnegative(ring, f"m^2 - (y + z)^2/4 where {text}, m = max(y, z) + s", slack))
    summary = "the eigenvalue of the sum is at least both, so at least their mean"
    return Argument(summary, tuple(steps), (SEMIDEFINITE, WEYL_BELOW), "step77", (), section=9)


def sum_from_above() -> Argument:
    """(81): (u + z)^2 / 8 - m^2 / 8 for m at most u + z."""
    ring = ring_of(2)
    m, s = ring.generators
    slack = ((m + s) * (m + s) - m * m) * ring.constant(Fraction(1, 8))
    steps = (nonnegative(ring, "(u + z)^2/8 - m^2/8 with u + z = m + s", slack),)
    summary = "the eigenvalue of the sum is at most the sum, both not negative"
    return Argument(summary, steps, (SEMIDEFINITE, WEYL_ABOVE), "step81", (), section=9)


def norm_of_y() -> Argument:
    """(74) with the norm in D: y - (u - k) where u = y + k - s."""
    ring = ring_of(3)
    y, k, s = ring.generators
    u = y + k - s
    steps = (nonnegative(ring, "y - (u - |C|) with u = y + |C| - s", y - (u - k)),)
    summary = "U^T U = Y Y^T + C, so |U|^2 is at most |Y|^2 + |C|"
    trusted = (NORM, WEYL_ABOVE, NORM_BOUND, KEPT)
    return Argument(summary, steps, trusted, "step74_repaired", (), section=9, cites=LINEAR_BLOCK)


def from_y_to_u() -> Argument:
    """(79) without squares: (y + z)/4 - ((u + z)/4 - k/4) where u = y + k - s."""
    ring = ring_of(4)
    y, z, k, s = ring.generators
    u, quarter = y + k - s, ring.constant(Fraction(1, 4))
    slack = (y + z) * quarter - ((u + z) * quarter - k * quarter)
    steps = (nonnegative(ring, "(y + z)/4 - (u + z)/4 + |C|/4 with u = y + |C| - s", slack),)
    summary = "U^T U = Y Y^T + C, so lambda(U U^T) is at most lambda(Y^T Y) + |C|"
    trusted = (NORM, WEYL_ABOVE, NORM_BOUND, KEPT)
    return Argument(summary, steps, trusted, "step79_repaired", (), section=9, cites=LINEAR_BLOCK)


def shuffling(factor: Fraction = Fraction(1, 8)) -> Argument:
    """|B|^2 - (|A|^2 / 8 - factor |C|), C = U^T U - Y Y^T: with y, z, u the squared norms of Y, Z
    and U, |B|^2 = max(y, z) + s, |A|^2 = u + z - s', u = y + |C| - s''."""
    ring = ring_of(6)
    low, more, k, s, one, two = ring.generators
    eighth, share = ring.constant(Fraction(1, 8)), ring.constant(factor)
    steps = []
    for text, y, z in (("y >= z", low + more, low), ("z >= y", low, low + more)):
        b, u = low + more + s, y + k - one
        a = u + z - two
        slack = b - (a * eighth - k * share)
        steps.append(nonnegative(ring, f"|B|^2 - |A|^2/8 + {factor} |C| where {text}", slack))
    summary = "|B|^2 is at least |Y|^2 and |Z|^2; |A|^2 at most |U|^2 + |Z|^2; |U|^2 at most "
    summary += "|Y|^2 + |C|"
    trusted = (SEMIDEFINITE, NORM, WEYL_BELOW, WEYL_ABOVE, NORM_BOUND, KEPT)
    return Argument(
        summary, tuple(steps), trusted, "some_constant", (), section=9, cites=LINEAR_BLOCK
    )


def forms_add(measure: str) -> Callable[[], Argument]:
    """x^T (C + D) x = x^T C x + x^T D x, term by term."""

    def argument() -> Argument:
        ring = ring_of(4)
        x, other, c, d = ring.generators
        term = x * (c + d) * other - x * c * other - x * d * other
        text = "x_i (C_ij + D_ij) x_j = x_i C_ij x_j + x_i D_ij x_j for every term of the forms"
        steps = (Step(text, ring.is_zero(term)),)
        summary = "the quadratic forms add; take a unit vector at which one of them is extreme"
        uses = ("symmetric matrices",)
        return Argument(summary, steps, (RAYLEIGH, EXTREME), measure, uses, section=9)

    return argument


def average_of_squares() -> Argument:
    """r s_1 - (s_1 + ... + s_r) is a sum of r terms s_1 - s_i, none of them negative."""
    ring = ring_of(2)
    least, gap = ring.generators
    largest = least + gap
    steps = (nonnegative(ring, "s_1 - s_i with s_1 = s_i + gap, for each i", largest - least),)
    summary = "the largest squared singular value is at least the mean of the non-zero ones"
    uses = ("a matrix that is not 0",)
    return Argument(summary, steps, (SINGULAR,), "rank_bound", uses, section=9)


def flattenings_by_slices(measure: str) -> Callable[[], Argument]:
    """Lemma 10 by slices, with t = |T_2|^2.

    With the c x a slices S_j, j in [b], T_1 T_1^T is the sum of S_j S_j^T and T_2^T T_2 that of
    S_j^T S_j: each |S_j|^2 is at most t, so |T_1|^2 at most b t. With the c x b slices R_i, i in
    [a], T_1 T_1^T is the sum of R_i R_i^T, and |R_i|^2 at most |R_i|_F^2, the i-th diagonal entry
    of T_2^T T_2, so at most t: |T_1|^2 is at most a t.
    """

    def argument() -> Argument:
        steps = [step for shape in ((1, 2, 2), (2, 1, 3), (2, 3, 2)) for step in sliced(shape)]
        ring = ring_of(2)
        square, gap = ring.generators
        text = "t - |slice|^2 with t = |slice|^2 + s, for each of the b (or a) slices"
        steps.append(nonnegative(ring, text, square + gap - square))
        summary = (
            "T_1 T_1^T is a sum of b terms, and of a terms, none with an eigenvalue above that "
        )
        summary += "of T_2^T T_2"
        trusted = (BLOCKS, NORM, WEYL_BELOW, WEYL_ABOVE, RAYLEIGH, *CONSTANTS)
        steps += dimension_steps()
        return Argument(summary, tuple(steps), trusted, measure, (), section=9)

    return argument


def sliced(shape: tuple[int, int, int]) -> list[Step]:
    """The sums over slices, expanded for a tensor of symbols of one shape (a, b, c)."""
    a, b, c = shape
    ring = ring_of(a * b * c)
    symbols = np.empty(a * b * c, dtype=object)
    symbols[:] = list(ring.generators)
    tensor = symbols.reshape(1, *shape)
    first, second = (matrix[0] for matrix in flattened(tensor))
    by_b = [tensor[0, :, j].T for j in range(b)]
    by_a = [tensor[0, i].T for i in range(a)]
    outer, inner = first @ first.T, second.T @ second
    differences = {
        "T_1 T_1^T = sum_j S_j S_j^T": list((outer - sum(s @ s.T for s in by_b)).flat),
        "T_1 T_1^T = sum_i R_i R_i^T": list((outer - sum(r @ r.T for r in by_a)).flat),
        "T_2^T T_2 = sum_j S_j^T S_j": list((inner - sum(s.T @ s for s in by_b)).flat),
        "(T_2^T T_2)_ii = |R_i|_F^2": [inner[i, i] - (r * r).sum() for i, r in enumerate(by_a)],
    }
    return [
        Step(f"{text}, shape {a} x {b} x {c}", all(map(ring.is_zero, left)))
        for text, left in differences.items()
    ]


def flattened(tensors: Any) -> tuple[Any, Any]:
    """T_1 of shape c x (ab) and T_2 of shape (bc) x a, of each tensor (C, a, b, c)."""
    count, a, b, c = tensors.shape
    first = tensors.reshape(count, a * b, c).swapaxes(1, 2)
    return first, tensors.reshape(count, a, b * c).swapaxes(1, 2)


def dimension_steps() -> tuple[Step, ...]:
    """(70)-(73), by cases on a and b; D_T is the product of the sizes of the common modes."""
    ring = ring_of(3)
    low, gap, c = ring.generators
    steps = []
    for text, a, b in (("a >= b", low + gap, low), ("b >= a", low, low + gap)):
        sizes = {"a": a, "b": b, "c": c}
        total = ring.constant(Fraction(1))
        for block in (("c",), ("a", "b")):
            shared = [
                [sizes[mode] for mode in block if mode in other] for other in (("b", "c"), ("a",))
            ]
            total = total * _largest(ring, [_monomial(ring, modes) for modes in shared])
        larger, smaller = low + gap, low
        steps.append(Step(f"{text}: dim_T = c max(a, b)", ring.is_zero(total - c * larger)))
        constant = c * larger * smaller - a * b * c
        steps.append(Step(f"{text}: c max(a, b) min(a, b) = abc", ring.is_zero(constant)))
    return tuple(steps)


def _monomial(ring: Ring, sizes: Sequence[Any]) -> Any:
    result = ring.constant(Fraction(1 if sizes else 0))
    for size in sizes:
        result = result * size
    return result


def _largest(ring: Ring, values: Sequence[Any]) -> Any:
    """The one that exceeds every other by a polynomial without negative coefficients."""
    return next(
        one
        for one in values
        if all(c >= 0 for other in values for c in ring.terms(one - other).values())
    )
