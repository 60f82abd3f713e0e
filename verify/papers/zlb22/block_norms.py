"""Lemma K.1: the spectral norm of a matrix against the sum of those of its blocks.

A block is what a set of rows and a set of columns have in common. The sets are rows of 0/1 arrays:
`P` (I, m) for the rows of `A` (m, n), `Q` (J, n) for its columns. They partition where every index
lies in exactly one set. The norm of a block is that of A with all other entries put to 0.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.deep_scene import RealScene, RealTensors, as_real
from verify.hypotheses import Hypothesis, by_case
from verify.papers.dkbhl20.words import EVERY_SIZE, IDENTITY, matrix
from verify.papers.zlb22.sources import printed
from verify.tensor_pool import TensorPool
from verify.tensors import Tensor, Tensors
from verify.vocabulary import Entries

SETS = ("P", "Q")


def block_slack(scene: RealScene) -> Entries:
    """sum over i, j of |A_ij| minus |A|."""
    whole, total = scene["A"], scene.constant(0)
    rows, columns = scene["P"], scene["Q"]
    count, m, n = whole.shape
    for i in range(rows.shape[1]):
        for j in range(columns.shape[1]):
            block = whole * rows[:, i].reshape(count, m, 1) * columns[:, j].reshape(count, 1, n)
            total = total + scene.operator_norm(block)
    return scene.compare(total, scene.operator_norm(whole))


# partitions ---------------------------------------------------------------------------------------
def _columns(array: Tensor) -> list[list[Fraction]]:
    """For each index its memberships."""
    sets, length = array.shape
    return [[array.entries[s * length + k] for s in range(sets)] for k in range(length)]


def _from_columns(array: Tensor, columns: list[list[Fraction]]) -> Tensor:
    rows = zip(*columns, strict=True)
    return replace(array, entries=tuple(x for row in rows for x in row), held=True)


def _partitioned(case: Tensors) -> bool:
    return all(
        sorted(column) == [0] * (len(column) - 1) + [1]
        for name in SETS
        for column in _columns(case.arrays[name])
    )


def _unit(length: int, place: int) -> list[Fraction]:
    return [Fraction(int(k == place)) for k in range(length)]


def _partition(case: Tensors, random: Random) -> Tensors:
    """Every index in one set: the one that it is in, where there is just one."""
    for name in SETS:
        array = case.arrays[name]
        made = []
        for column in _columns(array):
            good = sorted(column) == [0] * (len(column) - 1) + [1]
            made.append(column if good else _unit(len(column), random.randrange(len(column))))
        case = case.changing(**{name: _from_columns(array, made)})
    return case


def _missing_or_twice(case: Tensors, random: Random) -> Tensors:
    """One index in no set, or in every set."""
    name = random.choice(SETS)
    columns = _columns(case.arrays[name])
    place = random.randrange(len(columns))
    columns[place] = [Fraction(random.choice((0, 0, 1)))] * len(columns[place])
    return case.changing(**{name: _from_columns(case.arrays[name], columns)})


PARTITION = Hypothesis(
    "blocks partition",
    r"the blocks partition the rows and the columns",
    by_case(_partitioned),
    _partition,
    _missing_or_twice,
)


def _with_sets(case: Tensors, random: Random) -> RealTensors:
    """Sets of indices in place of numbers."""
    return as_real(_partition(case, random), random)


BLOCKS = TensorPool(
    (("A", ("m", "n")), ("P", ("I", "m")), ("Q", ("J", "n"))), largest=3, adapt=_with_sets
)


def blocks_by_splitting() -> Argument:
    """Cutting the rows, or the columns, of one block into two adds to the sum."""
    block, kept = matrix("B"), matrix("D", symmetric=True)
    rest = IDENTITY - kept
    rows = kept @ block + rest @ block
    columns = block @ kept + block @ rest
    both = (kept + rest) @ block @ (kept + rest)
    return Argument(
        "for a diagonal D of zeros and ones B = D B + (1 - D) B, so |B| is at most the sum of the "
        "norms of its upper and lower part, and likewise of its left and right part; every "
        "partition is reached from the whole matrix by such cuts",
        (
            Step("D B + (1 - D) B = B", (rows - block).is_zero),
            Step("B D + B (1 - D) = B", (columns - block).is_zero),
            Step("the four parts together are B", (both - block).is_zero),
        ),
        (
            EVERY_SIZE,
            "the triangle inequality of the spectral norm",
            "rows and columns of zeros do not change a spectral norm",
        ),
        "block_slack",
        (PARTITION.name,),
        section=42,
    )


CLAIMS = (
    Claim(
        "zlb22.lemK.1",
        Kind.INEQUALITY,
        printed("Lemma K.1"),
        "spectral norm and blocks",
        r"The spectral norm of a matrix is at most the sum of the spectral norms of its blocks: "
        r"$\lVert A\rVert\le\sum_{i,j}\lVert A_{ij}\rVert$.",
        (PARTITION,),
        measure=block_slack,
        pool=BLOCKS,
        exact_only=True,
        floats=True,
        proof=blocks_by_splitting,
    ),
)
