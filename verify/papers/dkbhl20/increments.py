"""One step as a power series in gamma, (64) and (65), and means over the weights.

gamma stands beside W alone, so that the coefficient of gamma^n is a form of degree n in W. Series
go to gamma^2 and are those of one W; the mean of a series is that of its coefficients.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from operator import add, and_
from typing import Any

from verify.language.building import Each, implies, upto
from verify.language.terms import Term, lifted
from verify.papers.dkbhl20.notation import GAMMA
from verify.papers.dkbhl20.second_moments import SIZE, M
from verify.papers.dkbhl20.weight_laws import linear_mean, quadratic_mean

Place = tuple[Term, Term]
Series = tuple[Any, Any, Any]  # the coefficients of gamma^0, gamma^1 and gamma^2


def agree(found: Iterable[Term], said: Iterable[Any]) -> Term:
    """Each is what stands beside it."""
    both: Term = reduce(and_, (one == other for one, other in zip(found, said, strict=True)))
    return both


def each_pair(says: Callable[[Term, Term], Term]) -> Term:
    """What is said of all i and j, i != j."""
    return Each(upto(SIZE), lambda i: Each(upto(SIZE), lambda j: implies(i != j, says(i, j))))


# series -------------------------------------------------------------------------------------------
def product(one: Series, other: Series) -> Series:
    """Their product up to gamma^2."""
    (a, b, c), (x, y, z) = one, other
    return a * x, a * y + b * x, a * z + b * y + c * x


def reciprocal(series: Series) -> Series:
    """1 over a series, where its first coefficient is not 0."""
    a, b, c = series
    return 1 / a, -b / a**2, b**2 / a**3 - c / a**2


def means(series: Callable[[Term], Series]) -> Series:
    """E of a series of W, coefficient by coefficient."""
    first = series(M)[0]  # the same at every W
    return (
        first,
        linear_mean(SIZE, lambda w: series(w)[1]),
        quadratic_mean(SIZE, lambda w: series(w)[2]),
    )


def at_strength(series: Series) -> Term:
    """Its value at gamma."""
    zeroth, first, second = series
    value: Term = zeroth + GAMMA * first + GAMMA**2 * second
    return value


def total(parts: Iterable[Term]) -> Term:
    """The sum of terms."""
    found: Term = reduce(add, parts)
    return found


# one step -----------------------------------------------------------------------------------------
def linear(w: Term, p: Term, q: Term) -> Term:
    """[W M + M W^T]_pq."""
    return (w @ M + M @ w.T)[p, q]


def increment(w: Term, p: Term, q: Term) -> Series:
    """Delta M_pq, (64)."""
    return lifted(0), linear(w, p, q), (w @ M @ w.T)[p, q]


def moved(w: Term, p: Term, q: Term) -> Series:
    """[M_gamma]_pq."""
    _, first, second = increment(w, p, q)
    return M[p, q], first, second


def moved_square(w: Term, i: Term, j: Term) -> Series:
    """g_ij(M_gamma), (65)."""
    entry, below = moved(w, i, j), product(moved(w, i, i), moved(w, j, j))
    return product(product(entry, entry), reciprocal(below))


def correlation(one: Place, other: Place) -> Term:
    """K of (70): E of the product of two entries of W M + M W^T."""
    return quadratic_mean(SIZE, lambda w: linear(w, *one) * linear(w, *other))
