"""Cases of one step of the chain in which the roots in diag(M)^(-1/2) are rational.

Equations between irrational numbers are never decided. The rows that BN normalises, those of
B = H + gamma W H, are therefore multiples of rows of norm sqrt(N): either H = (I + gamma W)^(-1) B,
or W selects rows of such an H.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs.arithmetic import as_fraction
from graphs.matrices import inverse
from graphs.rationals import RATIONALS
from verify.cases.tensor_pool import TensorPool
from verify.language.terms import Term
from verify.papers.dkbhl20.drawing import Rows, in_roles, onto_sphere, rows_of
from verify.papers.dkbhl20.notation import GAMMA, H, W, before_norm, no_row_vanishes
from verify.statements.quantities import with_entries, with_rows
from verify.statements.stated import Given, pool_with

FACTORS = tuple(map(Fraction, ("1", "1", "2", "1/2", "-3")))
BEFORE = before_norm(H, W, GAMMA)


def exact(rows: Rows) -> np.ndarray:
    """Rows as a matrix of rationals."""
    return np.asarray(RATIONALS.array([x for row in rows for x in row]).reshape(len(rows), -1))


def rows_in(matrix: np.ndarray) -> Rows:
    """The rows of a matrix of rationals."""
    return [[as_fraction(x) for x in row] for row in matrix]


def one_step(case: Any) -> np.ndarray:
    """I + gamma W."""
    size = case.lengths["d"]
    unit = exact([[Fraction(i == j) for j in range(size)] for i in range(size)])
    scale = exact([[case.number("gamma")]])[0, 0]
    return np.asarray(unit + exact(rows_of(case.arrays["W"])) * scale)


def came_from(case: Any, before: np.ndarray) -> Any:
    """The case with the H for which H + gamma W H is this. Raises ZeroDivisionError."""
    return with_rows(case, "H", rows_in(inverse(one_step(case)) @ before))


def selecting(case: Any, random: Random) -> Any:
    """W with I + gamma W of rows of the identity, so that each row of H + gamma W H is one of H."""
    size, gamma = case.lengths["d"], case.number("gamma") or Fraction(1)
    chosen = [random.randrange(size) for _ in range(size)]
    weights = [
        [(Fraction(j == chosen[i]) - (i == j)) / gamma for j in range(size)] for i in range(size)
    ]
    return with_rows(with_entries(case, "gamma", [gamma]), "W", weights)


def with_rational_roots(case: Any, random: Random) -> Any:
    """The case with an H such that the rows of H + gamma W H have rational norms over sqrt(N)."""
    spheres = [
        [random.choice(FACTORS) * x for x in onto_sphere(row)] for row in rows_of(case.arrays["H"])
    ]
    if random.random() < 0.7:
        try:
            return came_from(case, exact(spheres))
        except ZeroDivisionError:
            pass
    return selecting(with_rows(case, "H", spheres), random)


def _drawn(case: Any, random: Random) -> Any:
    return with_rational_roots(in_roles("H", "W", "gamma")(case, random), random)


def step_pool(*more: Term) -> TensorPool:
    """Cases of H, W, gamma and more, with rational roots."""
    return pool_with(H, W, GAMMA, *more, adapt=_drawn)


def empty_row(case: Any, random: Random) -> Any:
    """A row of H that is 0, and of the weights."""
    hidden, weights = rows_of(case.arrays["H"]), rows_of(case.arrays["W"])
    place = random.randrange(len(hidden))
    hidden[place] = [Fraction(0)] * len(hidden[place])
    weights[place] = [Fraction(0)] * len(weights[place])
    return with_rows(with_rows(case, "H", hidden), "W", weights)


DEFINED = Given(
    "no row is 0 before BN",
    no_row_vanishes(BEFORE),
    r"no row of $H+\gamma WH$ is $0$, so that $\mathrm{diag}(M)^{-1/2}$ is defined",
    break_=empty_row,
)
