"""What a planted lemma is, and the words in which planted lemmas are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from random import Random
from typing import Any

from graphs.arithmetic import Array
from graphs.network import Network
from verify.case import PRESCRIBED, Case
from verify.claim import Claim, Kind, Source
from verify.hypotheses import Hypothesis, by_case
from verify.matrices import MatrixScene
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors, tensor
from verify.vocabulary import Entries, constant_entries

SOURCE = Source("planted", "-", "made for the benchmark")


@dataclass(frozen=True)
class Planted:
    """A false lemma.

    difficulty: 1, where almost every case shows it false, to 4, where a thin set or a small corner
    does; judged before anything was run. slip: what went wrong, as a referee would say it.
    counterexample: made by hand.
    """

    claim: Claim
    difficulty: int
    slip: str
    counterexample: Callable[[], Any]


def lemma(
    name: str,
    kind: Kind,
    statement: str,
    measure: Any,
    pool: Any,
    *hypotheses: Hypothesis,
    exact_only: bool = False,
) -> Claim:
    """A claim of the benchmark; its measure's docstring says why it is true or false."""
    return Claim(
        f"planted.{name}",
        kind,
        SOURCE,
        name.replace("-", " "),
        statement,
        hypotheses,
        measure=measure,
        pool=pool,
        exact_only=exact_only,
    )


def arrays(pool: TensorPool, **nested: Any) -> Tensors:
    """An instance of a pool of arrays from nested lists."""
    axes = dict(pool.arrays)
    whole = {name for name, _, _ in pool.integers}
    return Tensors({k: tensor(axes.get(k, ()), v, integer=k in whole) for k, v in nested.items()})


def on_network(net: Network, weights: list[Any], *rows: list[Any], slope: int = -1) -> Case:
    """A case on a network: weights in the order of its parameters, examples with label 1."""
    points = tuple(tuple(map(Fraction, row)) for row in rows)
    ones = (Fraction(1),) * len(points)
    slopes = (Fraction(slope),) * len(points)
    return Case(net, tuple(map(Fraction, weights)), points, ones, PRESCRIBED, slopes)


def power(values: Array, exponent: int) -> Array:
    """The values to a positive whole power."""
    result = values
    for _ in range(exponent - 1):
        result = result * values
    return result


def dot(first: Array, second: Array) -> Array:
    """(C,): of vectors (C, n)."""
    return (first * second).sum(1)


def trace(matrices: Array) -> Array:
    """(C,): of square matrices (C, n, n)."""
    total = matrices[:, 0, 0]
    for k in range(1, matrices.shape[1]):
        total = total + matrices[:, k, k]
    return total


def where_false(look: Callable[[Any], bool]) -> Callable[[Any], Entries]:
    """The measure that is 0 on cases of which a predicate holds, and 1 on others."""

    def measure(scene: Any) -> Entries:
        rows = [(k, {}, Fraction(not look(case))) for k, case in enumerate(scene.cases)]
        return constant_entries(scene, rows)

    measure.__doc__ = look.__doc__
    return measure


def matrix(case: Tensors, name: str) -> list[list[Fraction]]:
    """The rows of a matrix."""
    array = case.arrays[name]
    columns = array.shape[1]
    return [list(array.entries[k : k + columns]) for k in range(0, len(array.entries), columns)]


def product(first: list[list[Fraction]], second: list[list[Fraction]]) -> list[list[Fraction]]:
    """The product of two matrices."""
    columns = list(zip(*second, strict=True))
    return [
        [sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)) for column in columns]
        for row in first
    ]


def rank(rows: list[list[Fraction]]) -> int:
    """The rank of a matrix."""
    from graphs.arithmetic import RATIONALS
    from graphs.matrices import rank as exact_rank

    return int(exact_rank(RATIONALS.array(chain.from_iterable(rows)).reshape(len(rows), -1)))


# hypotheses -------------------------------------------------------------------------------------
def _each(case: Tensors, change: Callable[[Fraction], Fraction]) -> Tensors:
    changed = {
        name: array if array.integer else replace(array, entries=tuple(map(change, array.entries)))
        for name, array in case.arrays.items()
    }
    return case.changing(**changed)


def _numbers(case: Tensors) -> list[Fraction]:
    return [entry for array in case.arrays.values() for entry in array.entries]


def _absolute(case: Tensors, random: Random) -> Tensors:
    return _each(case, abs)


def _clipped(case: Tensors, random: Random) -> Tensors:
    return _each(case, lambda value: min(abs(value), Fraction(1)))


NONNEGATIVE = Hypothesis(
    "no negative entry",
    "all numbers are at least 0",
    by_case(lambda c: min(_numbers(c)) >= 0),
    _absolute,
)
IN_UNIT_CUBE = Hypothesis(
    "in the unit cube",
    "all numbers lie between 0 and 1",
    by_case(lambda c: all(0 <= value <= 1 for value in _numbers(c))),
    _clipped,
)


def at_least(axis: str, length: int) -> Hypothesis:
    """The hypothesis that an axis has at least this length."""
    return Hypothesis(
        f"{axis} at least {length}",
        f"the axis {axis} has length at least {length}",
        by_case(lambda case: case.lengths[axis] >= length),
    )


def compare(scene: MatrixScene, larger: Array, smaller: Array) -> Entries:
    """One entry for each instance: larger - smaller."""
    return scene.compare(larger, smaller)
