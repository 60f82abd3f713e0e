"""C-uniform Lipschitzness of the representations (Appendix A.2), for one network.

All alpha~_l and (alpha_l -> f) are to be C-Lipschitz, as maps on the whole spaces, for every l for
which the function is defined, so alpha~_L and (alpha_0 -> f) as well, which are f. Here C is a
bound on the least such constant from above, by the norms of all products in which every mask is
chosen freely (of more than six hidden neurons by products of norms), times 1 + gap; the hypothesis
is that the number gap of the case is at least 0. With gap < 0 a case is spoken of only where C lies
below the norm of a Jacobian at the points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import Array, as_fraction, rational
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene
from verify.cases.scenes import Entries
from verify.kinds.deep.hypotheses import GAPS, with_number
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.some_entries import kept

MOST_MASKED = 6  # hidden neurons of a chain of layers whose masks are chosen in every way
NEAR = 1e-9  # norms that are not further apart in floats are compared exactly


# free masks ---------------------------------------------------------------------------------------
def masks(scene: DeepScene, layer: int) -> list[Array]:
    """(C, n_l) each: all diagonals with entries 1 and a."""
    size, width = len(scene.cases), scene.width(layer)
    one, left = scene.constant(1).reshape(size, 1), scene.slope.reshape(size, 1)
    return [
        scene.arithmetic.join([left if kinked else one for kinked in choice], 1)
        for choice in product((0, 1), repeat=width)
    ]


def chains(scene: DeepScene) -> Iterator[range]:
    """The numbers of the layers that make up each of the maps: 1 to l, and l + 1 to L."""
    for layer in range(1, scene.depth + 1):
        yield range(1, layer + 1)
    for layer in range(1, scene.depth):  # (alpha_0 -> f) is alpha~_L
        yield range(layer + 1, scene.depth + 1)


def is_short(scene: DeepScene, chain: range) -> bool:
    """Whether every choice of its masks is looked at."""
    return sum(scene.width(layer) for layer in chain[:-1]) <= MOST_MASKED


def free_products(scene: DeepScene, chain: range) -> list[Array]:
    """(C, n, m) each: W_l D W_(l-1) ... D W_k for the layers k to l, every D chosen freely."""
    found = [scene.weight(chain[0])]
    for layer in chain[1:]:
        weight, before = scene.weight(layer), masks(scene, layer - 1)
        found = [weight @ scene.rows_scaled(matrix, mask) for matrix in found for mask in before]
    return found


def least_square(scene: DeepScene) -> Array:
    """(C,): the square of the bound. Of a long chain the product of the norms of its matrices
    counts."""
    every = list(chains(scene))
    short = [chain for chain in every if is_short(scene, chain)]
    square = largest_square(scene, (m for chain in short for m in free_products(scene, chain)))
    long = [chain for chain in every if chain not in short]
    if long:
        norms = {k: largest_square(scene, [scene.weight(k)]) for k in range(1, scene.depth + 1)}
        for chain in long:
            square = larger(scene, square, prod((norms[k] for k in chain), start=scene.constant(1)))
    return square


def jacobians_in_space(scene: DeepScene) -> Iterator[Array]:
    """(C, n, m) each: Jacobians that the maps have at or behind the points."""
    for at in range(scene.count):
        for layer in range(1, scene.depth + 1):
            yield scene.to_pre(layer, at)
        for layer in range(scene.depth):
            yield scene.from_post(layer, at)


# the constant -------------------------------------------------------------------------------------
def larger(scene: RealScene, one: Array, other: Array) -> Array:
    """(C,): the larger of two numbers for each case, of any kind."""
    if scene.plain_floats:
        return scene.arithmetic.maximum(one, other)
    return _objects([max(pair) for pair in zip(one, other, strict=True)])


def _objects(values: list[Any]) -> np.ndarray:
    result = np.empty(len(values), dtype=object)
    result[:] = values
    return result


def largest_square(scene: DeepScene, matrices: Iterable[Array]) -> Array:
    """(C,): the largest squared operator norm of some matrices (C, n, m) each."""
    found = list(matrices)
    if not found:
        return scene.constant(0)
    if not scene.plain_floats:
        return _objects([_exactly([m[k] for m in found]) for k in range(len(scene.cases))])
    by_shape: dict[tuple[int, ...], list[Array]] = {}
    for each in found:
        by_shape.setdefault(each.shape, []).append(each)
    largest = scene.constant(0)
    for alike in by_shape.values():
        norms = scene.operator_norm(scene.arithmetic.join(alike, 0)).reshape(len(alike), -1)
        for k in range(len(alike)):
            largest = scene.arithmetic.maximum(largest, norms[k] * norms[k])
    return largest


def _exactly(matrices: list[np.ndarray]) -> Any:
    """Of matrices of rationals: only those with a norm near the largest are looked at closely, each
    characteristic polynomial once."""
    sizes = [np.linalg.norm(_floats(matrix), 2) for matrix in matrices]
    most = max(sizes)
    known: dict[tuple[Any, ...], Any] = {}
    for size, matrix in zip(sizes, matrices, strict=True):
        if size >= most * (1 - NEAR):
            rows, columns = matrix.shape
            small = matrix @ matrix.T if rows <= columns else matrix.T @ matrix
            key = _invariants(small)
            if key not in known:
                squares = reals.squared_singular_values(matrix)
                known[key] = squares[0] if squares else rational(0)
    return max(known.values())


def _invariants(small: np.ndarray) -> tuple[Any, ...]:
    """Traces of powers, which tell the eigenvalues of a symmetric matrix."""
    power, found = small, []
    for _ in range(len(small)):
        found.append(as_fraction(sum(power[i, i] for i in range(len(power)))))
        power = power @ small
    return (len(small), *found)


def _floats(matrix: np.ndarray) -> np.ndarray:
    return np.array([[float(as_fraction(entry)) for entry in row] for row in matrix])


def constant_square(scene: DeepScene) -> Array:
    """(C,): C^2, the least one times (1 + gap)^2."""
    factor = scene["gap"] + scene.constant(1)
    return least_square(scene) * (factor * factor)


def is_decided(scene: DeepScene, square: Array) -> np.ndarray:
    """(C,): whether gap >= 0, so that C is a Lipschitz constant, or C is told to be none."""
    gaps = [case.number("gap") for case in scene.cases]
    told = np.array([gap >= 0 for gap in gaps], dtype=bool)
    if told.all():
        return told
    below = largest_square(scene, jacobians_in_space(scene))
    both = (square, below)
    if scene.plain_floats:
        both = (square.to_numpy(), below.to_numpy())
    pairs = zip(gaps, *both, strict=True)
    below_all = [gap > -1 and bool(c < low) for gap, c, low in pairs]
    return np.asarray(told | np.array(below_all, dtype=bool), dtype=bool)


def of_those(entries: Entries, told: np.ndarray) -> Entries:
    """The entries of some of the cases: (C,) boolean."""
    return kept(entries, told[entries.owner])


# the hypothesis -----------------------------------------------------------------------------------
TOO_SMALL = tuple(map(Fraction, ("-1/16", "-1/4", "-1/2", "-7/8")))


LIPSCHITZ = Hypothesis(
    "B-ii Lipschitz",
    r"$\tilde\alpha_\ell$ and $(\alpha_\ell\to f_\theta)$ are $C$-Lipschitz as maps on the whole "
    r"of "
    r"$\mathbb R^{d_{in}}$ and $\mathbb R^{n_\ell}$, for every $\ell$ for which the function is "
    r"defined: here $C$ is a bound on the least such constant times $1+\mathrm{gap}$, "
    r"$\mathrm{gap}\ge0$",
    by_case(lambda case: case.number("gap") >= 0),
    lambda case, random: (
        case if case.number("gap") >= 0 else with_number(case, "gap", random.choice(GAPS))
    ),
    lambda case, random: with_number(case, "gap", random.choice(TOO_SMALL)),
)
