"""Arguments for Lemma 10 of Appendix D: what is left of a slack has no negative coefficient.

The eigenvalues of positive semidefinite matrices are symbols for numbers that are not negative;
each cited inequality x >= y is written x = y + s with one more such symbol s. Where a slack then
is a polynomial without negative coefficients, or a square, it is not negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from graphs.rings import Ring, ring_of
from verify.core.argument import Argument, Step

WEYL_BELOW = "Weyl: lambda(C + D) is at least lambda(C) plus the least eigenvalue of D"
WEYL_ABOVE = "Weyl: lambda(C + D) is at most lambda(C) + lambda(D)"
NORM = "the squared operator norm of M is lambda(M^T M) = lambda(M M^T)"
RAYLEIGH = "the largest (least) eigenvalue of symmetric S is the largest (least) x^T S x, |x| = 1"
BLOCKS = "sums of products of slices have the same form for tensors of every shape"
LARGEST = "of two products of sizes the larger one is that with the larger factor"
CONSTANTS = ("the bounds by a and by b together give the one by min(a, b)",)


def nonnegative(ring: Ring, text: str, polynomial: Any) -> Step:
    """The step that a polynomial has no negative coefficient."""
    return Step(text, all(c >= 0 for c in ring.terms(polynomial).values()))


def by_slices() -> Argument:
    """Lemma 10, and (69), by slices, with t = |T_2|^2; dim_T / (abc) is 1 / min(a, b).

    With the c x a slices S_j, j in [b], T_1 T_1^T is the sum of S_j S_j^T and T_2^T T_2 that of
    S_j^T S_j: each |S_j|^2 is at most t, so |T_1|^2 at most b t. With the c x b slices R_i, i in
    [a], T_1 T_1^T is the sum of R_i R_i^T, and |R_i|^2 at most |R_i|_F^2, the i-th diagonal entry
    of T_2^T T_2, so at most t: |T_1|^2 is at most a t.
    """
    steps = [step for shape in ((1, 2, 2), (2, 1, 3), (2, 3, 2)) for step in sliced(shape)]
    ring = ring_of(2)
    square, gap = ring.generators
    text = "t - |slice|^2 with t = |slice|^2 + s, for each of the b (or a) slices"
    steps.append(nonnegative(ring, text, square + gap - square))
    summary = "T_1 T_1^T is a sum of b terms, and of a terms, none with an eigenvalue above that "
    summary += "of T_2^T T_2"
    trusted = (BLOCKS, NORM, WEYL_BELOW, WEYL_ABOVE, RAYLEIGH, *CONSTANTS)
    steps += dimension_steps()
    return Argument(
        summary,
        tuple(steps),
        trusted,
        (),
        section="docs/mathematics/lj22.md#lemma-10",
    )


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


def dimensions_by_size() -> Argument:
    """(70)-(73) by cases on which of a and b is larger."""
    return Argument(
        "two cases, a the larger of a and b and not: the definition of dim_T and the constant are "
        "identities of monomials in a, b, c",
        dimension_steps(),
        (LARGEST,),
        (),
        section="docs/mathematics/lj22.md#lemma-10",
    )


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
