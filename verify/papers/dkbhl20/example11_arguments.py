"""Arguments for Definition 3 (b) and Example 11: Cauchy and Schwarz as sums over pairs."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.papers.dkbhl20.proposition8_arguments import (
    NEWTON,
    NOT_NEGATIVE,
    equal_numbers,
    row_squares,
    traces,
)
from verify.statements.derivations.symbols import (
    SQUARES,
    THREE_INDICES,
    TWO_INDICES,
    added,
    same,
    symbols,
)

LAW = "law of finite support"
SEMIDEFINITE, UNIT = "semidefinite on the support", "unit diagonal on the support"
EQUAL, AT_LEAST_1 = "equal row norms on the support", "alpha at least 1"
FACTOR = "a positive semidefinite M is V V^T, so that M_ij = <v_i, v_j>"
LINEAR = "expectations of numbers at least 0 are at least 0, and 0 only where these are 0"


def lagrange() -> tuple[Step, ...]:
    """sum l sum l^3 - (sum l^2)^2 is a sum over pairs."""
    steps = []
    for size in range(1, 5):
        ring, lam = symbols(size)
        first, second, third = (added(ring, [x**k for x in lam]) for k in (1, 2, 3))
        pairs = [x * y * (x - y) * (x - y) for x, y in combinations(lam, 2)]
        text = (
            "sum l sum l^3 - (sum l^2)^2 is the sum of l_i l_j (l_i - l_j)^2 over i < j, "
            f"d = {size}"
        )
        steps.append(same(ring, text, first * third - second * second, added(ring, pairs)))
    return tuple(steps)


def square_of_the_trace() -> tuple[Step, ...]:
    """(sum l)^2 - sum l^2 is a sum over pairs."""
    steps = []
    for size in range(1, 5):
        ring, lam = symbols(size)
        first, second = (added(ring, [x**k for x in lam]) for k in (1, 2))
        pairs = [2 * x * y for x, y in combinations(lam, 2)]
        text = f"(sum l)^2 - sum l^2 is the sum of 2 l_i l_j over i < j, d = {size}"
        steps.append(same(ring, text, first * first - second, added(ring, pairs)))
    return tuple(steps)


def rows_of_symbols(count: int, size: int) -> tuple[Any, Any]:
    """A ring, and a (count, size) matrix of its generators."""
    ring = ring_of(count * size)
    found = np.empty((count, size), dtype=object)
    for place, symbol in enumerate(ring.generators):
        found[divmod(place, size)] = symbol
    return ring, found


def inner(ring: Any, one: Any, other: Any) -> Any:
    """<u, v>."""
    return added(ring, [a * b for a, b in zip(one, other, strict=True)])


def cauchy_schwarz_of_rows() -> tuple[Step, ...]:
    """M_ii (M^3)_ii - (M^2)_ii^2 for M = V V^T is a sum of squares.

    With w_i = sum_j <v_j, v_i> v_j: (M^2)_ii = <v_i, w_i> and (M^3)_ii = <w_i, w_i>.
    """
    steps = []
    for count, size in ((1, 2), (2, 2), (3, 2), (2, 3)):
        ring, v = rows_of_symbols(count, size)
        moments = [[inner(ring, a, b) for b in v] for a in v]
        indices = range(count)
        square = [
            [added(ring, [moments[i][j] * moments[j][k] for j in indices]) for k in indices]
            for i in indices
        ]
        for i in indices:
            w = [added(ring, [moments[j][i] * v[j][p] for j in indices]) for p in range(size)]
            cube = added(ring, [square[i][k] * moments[k][i] for k in indices])
            minors = [v[i][p] * w[q] - v[i][q] * w[p] for p, q in combinations(range(size), 2)]
            text = (
                "M_ii (M^3)_ii - (M^2)_ii^2 is the sum of the squared minors of (v_i, w_i), "
                f"i = {i + 1} of {count}, {size} coordinates"
            )
            left = moments[i][i] * cube - square[i][i] * square[i][i]
            steps.append(same(ring, text, left, added(ring, [m * m for m in minors])))
    return tuple(steps)


def cubes_dominate() -> Argument:
    """Definition 3, part (b)."""
    return Argument(
        "(M^2)_ii^2 is at most M_ii (M^3)_ii, and M_ii = 1: for each matrix Tr diag(M^2)^2 is at "
        "most Tr M^3",
        cauchy_schwarz_of_rows(),
        (
            FACTOR,
            SQUARES,
            "Lagrange's identity, for vectors of any length",
            "M^2 and M^3 are such sums over the rows for every d",
            LINEAR,
        ),
        (LAW, SEMIDEFINITE, UNIT),
        section="docs/mathematics/dkbhl20.md#the-cubes-dominate-for-each-matrix",
    )


def unevenness_by_pairs() -> tuple[Step, ...]:
    """l_i sum l - sum l^2, and the sum of its squares in terms of the pairs."""
    steps = []
    for size in range(1, 5):
        ring, lam = symbols(size)
        first, second = (added(ring, [x**k for x in lam]) for k in (1, 2))
        for i, x in enumerate(lam):
            text = f"l_i^2 sum l - l_i sum l^2 = sum_j l_i l_j (l_i - l_j), i = {i + 1}, d = {size}"
            pairs = added(ring, [x * y * (x - y) for y in lam])
            steps.append(same(ring, text, x * x * first - x * second, pairs))
    return tuple(steps)


def _under_equal_rows() -> tuple[Step, ...]:
    return (*traces(2, 3), *row_squares(), *equal_numbers())


def expectations_of_traces() -> Argument:
    """(83), reading BBB."""
    return Argument(
        "for each matrix of the support Tr M^3 = |l|_3^3, and d Tr diag(M^2)^2 = |l|_2^4",
        _under_equal_rows(),
        (NEWTON, NOT_NEGATIVE, THREE_INDICES, TWO_INDICES, "expectations are linear"),
        (SEMIDEFINITE, EQUAL),
        section="docs/mathematics/dkbhl20.md#example-11",
    )


def norms_at_alpha_1() -> Argument:
    """(84) and (86): the reverse of (85) in expectation leaves equality at each matrix."""
    return Argument(
        "d Tr M^3 - d Tr diag(M^2)^2 = |l|_1 |l|_3^3 - |l|_2^4 is at least 0 at each matrix; with "
        "alpha >= 1 its expectation is at most 0, so that it is 0 throughout",
        (*_under_equal_rows(), *lagrange(), *traces_of_one()),
        (NEWTON, NOT_NEGATIVE, THREE_INDICES, TWO_INDICES, SQUARES, LINEAR),
        (LAW, SEMIDEFINITE, UNIT, EQUAL, AT_LEAST_1),
        section="docs/mathematics/dkbhl20.md#example-11",
    )


def traces_of_one() -> tuple[Step, ...]:
    """|l|_1 is the trace, which is d."""
    steps = []
    for size in (1, 2, 3):
        ring, lam = symbols(size)
        text = f"the trace of M is d + sum (M_ii - 1), d = {size}"
        more = added(ring, [x - 1 for x in lam])
        steps.append(same(ring, text, added(ring, lam), more + size))
    return tuple(steps)


def flat_where_alpha_is_1() -> Argument:
    """Example 11."""
    found = norms_at_alpha_1()
    return Argument(
        f"{found.summary}; then each l_i l_j (l_i - l_j)^2 is 0, and with it every eigenvalue of "
        "M^2 Tr M - M Tr M^2",
        (*found.steps, *unevenness_by_pairs()),
        found.trusted,
        found.uses,
        section="docs/mathematics/dkbhl20.md#example-11",
    )
