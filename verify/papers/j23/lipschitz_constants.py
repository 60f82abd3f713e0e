"""C-uniform Lipschitzness of the representations (Appendix A.2), for one network.

All alpha~_l and (alpha_l -> f) are to be C-Lipschitz, as maps on the whole spaces, for every l for
which the function is defined, so alpha~_L and (alpha_0 -> f) as well, which are f. Here C is at
least the norms of all products in which every mask is chosen freely, which bound the least such
constant from above.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil
from random import Random

import numpy as np

from graphs.arithmetic import as_fraction
from verify.kinds.deep.changes import GAPS, with_number
from verify.kinds.deep.layered import lifted
from verify.kinds.deep.networks import Deep
from verify.language.building import (
    Each,
    Fold,
    Number,
    When,
    between,
    cols,
    definite,
    diag,
    element,
    eye,
    hidden,
    slope_left,
    slope_right,
    subsets,
    vector,
)
from verify.language.terms import Term
from verify.papers.j23.network_notation import ALL, DEPTH, Index, neurons, weight, width
from verify.statements.stated import Given, unless

GRID = 4096  # irrational constants are rounded up to multiples of 1 / GRID
NEAR = 1e-12
C = Number("C", meaning="a Lipschitz constant")


# free masks ---------------------------------------------------------------------------------------
def masks(some: Term, m: Index) -> Term:
    """D_l with the entry 1 for some neurons and a for the others, l from 1 to L; D_L is I."""

    def entry(i: Term) -> Term:
        v = neurons(m)[i]
        return When(element(v, some), slope_right(v), slope_left(v))

    return diag(vector(width(m), entry))


def free_product(some: Term, first: Index, last: Index) -> Term:
    """D_last W_last ... D_first W_first with such masks; I where no layer is left."""
    layers = between(first, last)
    return Fold(layers, eye(width(first - 1)), lambda J, m: masks(some, m) @ weight(m) @ J)


def at_most_c(M: Term) -> Term:
    """|M|_op <= C."""
    return definite(C**2 * eye(cols(M)) - M.T @ M)


def _bounded(some: Term, m: Term) -> Term:
    """Of alpha~_l, and of (alpha_(l-1) -> f)."""
    below = weight(m) @ free_product(some, 1, m - 1)
    return at_most_c(below) & at_most_c(free_product(some, m, DEPTH))


# the constant -------------------------------------------------------------------------------------
def least_constant(case: Deep) -> float:
    """The largest of these norms, rounded."""
    slope, depth = float(case.number("a")), case.depth
    weights = [_floats(case.matrix(f"W{layer}")) for layer in range(1, depth + 1)]
    norms = [0.0]
    for first in range(depth):
        found = [weights[first]]
        for last in range(first, depth):
            if last > first:
                chosen = product((1, slope), repeat=len(weights[last - 1]))
                diagonals = [np.diag(mask) for mask in chosen]
                found = [weights[last] @ mask @ M for M in found for mask in diagonals]
            if first == 0 or last == depth - 1:
                norms += [float(np.linalg.norm(M, 2)) for M in found]
    return max(norms)


def _floats(matrix: np.ndarray) -> np.ndarray:
    return np.array([[float(as_fraction(entry)) for entry in row] for row in matrix])


def _least_rational(case: Deep) -> Fraction:
    """The least constant, or a rational number that is slightly above."""
    least = least_constant(case)
    near = Fraction(least).limit_denominator(64)
    return near if abs(float(near) - least) <= NEAR * least else Fraction(ceil(least * GRID), GRID)


def with_constant(case: Deep, random: Random) -> Deep:
    """C becomes the least constant or a larger one."""
    return with_number(case, "C", _least_rational(case) * (1 + random.choice(GAPS)))


def _too_small(case: Deep, random: Random) -> Deep:
    """Below an entry of one of the Jacobians at the points: so no Lipschitz constant."""
    passed = case.exact
    jacobians = (
        jacobian
        for layer in range(1, case.depth + 1)
        for at in range(case.lengths["N"])
        for jacobian in (passed.to_pre(layer, at), passed.from_post(layer - 1, at))
    )
    most = max(abs(as_fraction(entry)) for jacobian in jacobians for entry in jacobian.flat)
    return with_number(case, "C", most * random.choice(TOO_SMALL) or Fraction(-1))


TOO_SMALL = tuple(map(Fraction, ("15/16", "3/4", "1/2", "1/8")))
IS_BOUND = (C >= 0) & Each(subsets(hidden()), lambda some: Each(ALL, lambda m: _bounded(some, m)))
LIPSCHITZ = Given(
    "B-ii Lipschitz",
    IS_BOUND,
    r"$\tilde\alpha_\ell$ and $(\alpha_\ell\to f_\theta)$ are $C$-Lipschitz as maps on the whole "
    r"of $\mathbb R^{d_{in}}$ and $\mathbb R^{n_\ell}$, for every $\ell$ for which the function is "
    r"defined: here $C$ is at least the norm of each product $W_\ell D\cdots DW_k$ that belongs to "
    r"one of them, with the entries $1$ and $a$ of the masks $D$ chosen freely",
    unless(IS_BOUND, lifted(with_constant)),
    lifted(_too_small),
)
