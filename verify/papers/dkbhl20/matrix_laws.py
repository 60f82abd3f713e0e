"""Laws of finite support on second moment matrices: M holds one matrix a support point, `probs`
their probabilities, (s, d, d) and (s,). What is supposed of each matrix, and of the regularity
constant alpha = E Tr diag(M^2)^2 / E Tr M^3 (Definition 3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import RATIONALS, Array
from verify.hypotheses import Hypothesis, by_case, by_scene
from verify.normalised_hypotheses import above_zero, semidefinite
from verify.normalised_pool import Rows, dot, second_moment_rows, unit_rows
from verify.normalised_scene import Chained, ChainScene, as_chain
from verify.tensor_pool import TensorPool
from verify.tensors import Tensor, Tensors

MOST_POINTS = 2


# instances ----------------------------------------------------------------------------------------
def matrices_of(case: Chained) -> list[Rows]:
    """The matrices of the support."""
    array = case.arrays["M"]
    size = array.shape[1]
    rows = [list(array.entries[k : k + size]) for k in range(0, len(array.entries), size)]
    return [rows[k : k + size] for k in range(0, len(rows), size)]


def with_matrices(case: Chained, matrices: list[Rows]) -> Chained:
    """The instance with other matrices, as many and as large."""
    entries = tuple(entry for rows in matrices for row in rows for entry in row)
    return case.changing(M=Tensor(("s", "d", "d"), case.arrays["M"].shape, entries, held=True))


def of_two_rows(case: Chained, random: Random) -> Chained:
    """Where there is one neuron, the instance has two: there M = 1, and alpha is 1."""
    if case.lengths["d"] > 1:
        return case
    count = case.lengths["s"]
    drawn = [second_moment_rows(2, random) for _ in range(count)]
    entries = tuple(entry for rows in drawn for row in rows for entry in row)
    return case.changing(M=Tensor(("s", "d", "d"), (count, 2, 2), entries, held=True))


def with_probabilities(case: Chained, shares: list[Fraction]) -> Chained:
    """The instance with probabilities in these proportions."""
    total = sum(shares)
    entries = tuple(share / total for share in shares)
    return case.changing(probs=Tensor(("s",), (len(shares),), entries, held=True))


def _law(case: Tensors, random: Random) -> Chained:
    """At most two support points; mostly unit-diagonal positive semidefinite matrices."""
    made = as_chain(case, random)
    size, count = made.lengths["d"], min(made.lengths["s"], MOST_POINTS)
    kept = tuple(made.arrays["M"].entries[: count * size * size])
    made = Chained(
        {
            "M": Tensor(("s", "d", "d"), (count, size, size), kept),
            "probs": Tensor(("s",), (count,), tuple(made.arrays["probs"].entries[:count])),
        },
        family=case.family,
    )
    if random.random() < 0.75:
        made = with_matrices(made, [second_moment_rows(size, random) for _ in range(count)])
    return made


LAWS = TensorPool((("M", ("s", "d", "d")), ("probs", ("s",))), (), 4, _law)


def support(scene: ChainScene) -> Iterator[tuple[int, Array, Array]]:
    """Number, matrices (C, d, d) and probabilities (C,) of each support point."""
    matrices, probabilities = scene["M"], scene["probs"]
    for number in range(matrices.shape[1]):
        yield number, matrices[:, number], probabilities[:, number]


def expectation(scene: ChainScene, function: Callable[[Array], Array]) -> Array:
    """(C,): of a function of a matrix."""
    total = scene.constant(0)
    for _, matrix, probability in support(scene):
        total = total + probability * function(matrix)
    return total


# hypotheses ---------------------------------------------------------------------------------------
def _is_law(scene: ChainScene) -> np.ndarray:
    total = scene["probs"].sum(1) - scene.constant(1)
    one = np.asarray(scene.arithmetic.may_be_zero(total))
    return np.asarray(above_zero(scene, scene["probs"]) & one)


LAW = Hypothesis(
    "law of finite support",
    r"$\nu$ has finite support: the probabilities are above $0$ and sum to $1$",
    by_scene(_is_law),
    lambda case, random: with_probabilities(
        case, [abs(x) or Fraction(1) for x in case.arrays["probs"].entries]
    ),
    thin=True,
)


def _for_each(
    name: str,
    statement: str,
    holds: Callable[[Rows], bool],
    drawn: Callable[[int, Random], Rows],
    broken: Callable[[int, Random], Rows],
) -> Hypothesis:
    """What is supposed of every matrix of the support; matrices that lack it are drawn anew."""

    def repair(case: Chained, random: Random) -> Chained:
        size = case.lengths["d"]
        kept = [rows if holds(rows) else drawn(size, random) for rows in matrices_of(case)]
        return with_matrices(case, kept)

    def break_(case: Chained, random: Random) -> Chained:
        matrices = matrices_of(case)
        matrices[random.randrange(len(matrices))] = broken(case.lengths["d"], random)
        return with_matrices(case, matrices)

    test = by_case(lambda case: all(map(holds, matrices_of(case))))
    return Hypothesis(name, statement, test, repair, break_, thin=True)


def correlated(size: int, off: Fraction | int) -> Rows:
    """(1 - c) I + c 1 1^T."""
    return [[Fraction(1 if i == j else off) for j in range(size)] for i in range(size)]


def blocks(size: int, random: Random, *, equal: bool) -> Rows:
    """All-one blocks on the diagonal, with signs: of one size, or of any."""
    divisors = [k for k in range(1, size + 1) if size % k == 0]
    width = random.choice(divisors)
    places = [i // width if equal else random.randrange(size) for i in range(size)]
    signs = [random.choice((1, -1)) for _ in range(size)]
    return [
        [Fraction(signs[i] * signs[j] * (places[i] == places[j])) for j in range(size)]
        for i in range(size)
    ]


def equal_rows(rows: Rows) -> bool:
    """Whether all rows have one norm."""
    return len({dot(row, row) for row in rows}) == 1


def _equal(size: int, random: Random) -> Rows:
    """A matrix of the menu whose rows have the same norm."""
    for _ in range(8):
        found = second_moment_rows(size, random)
        if equal_rows(found):
            return found
    return correlated(size, Fraction(random.randint(0, 8), 8))


def _unequal(size: int, random: Random) -> Rows:
    """Blocks of unequal sizes, or any unit vectors; of two rows one is longer."""
    for _ in range(8):
        if random.random() < 0.5:
            found = blocks(size, random, equal=False)
        else:
            rows = unit_rows(size, 3, random)
            found = [[dot(one, other) / 3 for other in rows] for one in rows]
        if not equal_rows(found):
            return found
    return [[Fraction((i == j) * (1 + (i == 0))) for j in range(size)] for i in range(size)]


def _scaled(size: int, random: Random) -> Rows:
    factor = random.choice((Fraction(1, 2), Fraction(2), Fraction(3)))
    return [[entry * factor for entry in row] for row in _equal(size, random)]


MOMENTS_SEMIDEFINITE = _for_each(
    "semidefinite on the support",
    r"each $M(H)$ is symmetric and positive semidefinite",
    semidefinite,
    second_moment_rows,
    lambda size, random: correlated(size, random.choice((2, -2, 3)) if size > 1 else 1),
)
UNIT_ON_SUPPORT = _for_each(
    "unit diagonal on the support",
    r"$\nu$ is carried by $\mathcal H$: each $M(H)$ has $M_{ii}=1$",
    lambda rows: all(row[i] == 1 for i, row in enumerate(rows)),
    second_moment_rows,
    _scaled,
)
EQUAL_ON_SUPPORT = _for_each(
    "equal row norms on the support",
    r"for each $H$ of the support of $\nu$ all rows of $M(H)$ have the same norm",
    equal_rows,
    _equal,
    _unequal,
)


def alpha_terms(scene: ChainScene) -> tuple[Array, Array]:
    """(C,) each: numerator and denominator of the regularity constant, (46)."""
    return expectation(scene, scene.square_diagonal), expectation(scene, scene.trace_of_cube)


def _at_least_1(scene: ChainScene) -> np.ndarray:
    above, below = alpha_terms(scene)
    less = np.asarray(scene.arithmetic.is_negative(above - below))
    return np.asarray(above_zero(scene, below) & ~less)


def _to_at_least_1(case: Chained, random: Random) -> Chained:
    """Multiples of projections: blocks, mostly of equal sizes."""
    case = LAW.repair(case, random)
    if _at_least_1(Chained.scene([case], RATIONALS))[0]:
        return case
    size, equal = case.lengths["d"], random.random() < 0.7
    return with_matrices(case, [blocks(size, random, equal=equal) for _ in matrices_of(case)])


def _to_below_1(case: Chained, random: Random) -> Chained:
    """Other matrices of the menu; 1 is attained by every 1 x 1 matrix."""
    size = case.lengths["d"]
    if size == 1:
        return case
    for _ in range(6):
        drawn = [second_moment_rows(size, random) for _ in matrices_of(case)]
        found = with_matrices(case, drawn)
        if not _at_least_1(Chained.scene([found], RATIONALS))[0]:
            return found
    return with_matrices(case, [correlated(size, Fraction(1, 2)) for _ in matrices_of(case)])


ALPHA_AT_LEAST_1 = Hypothesis(
    "alpha at least 1",
    r"the regularity constant of $\nu$ is at least $1$",
    by_scene(_at_least_1),
    _to_at_least_1,
    _to_below_1,
    thin=True,
)
