"""Norms of matrices as the older form of a claim has them: measured on a scene of arrays, and
restated for the checker. No paper has them; they are there to look at that form."""

from __future__ import annotations

from typing import Any

from verify.cases.tensor_pool import TensorPool
from verify.checker import restated as checker
from verify.core.claim import Claim, Kind, Source

MATRIX = TensorPool((("M", ("rows", "columns")),))
FALSE = "norms.false"


def measured(measure: Any, pool: Any = MATRIX, **others: Any) -> Claim:
    """A claim that is no statement: an inequality, measured on a scene."""
    source = Source("planted", "-", "-")
    name = others.pop("id", "planted")
    kind = others.pop("kind", Kind.INEQUALITY)
    return Claim(name, kind, source, name, name, measure=measure, pool=pool, **others)


def above(scene: Any) -> Any:
    """|M|_F^2 - |M|_2^2."""
    matrix = scene["M"]
    return scene.compare(scene.frobenius_squared(matrix), scene.norm_squared(matrix))


def below(scene: Any) -> Any:
    """|M|_2^2 - |M|_F^2."""
    matrix = scene["M"]
    return scene.compare(scene.norm_squared(matrix), scene.frobenius_squared(matrix))


def restated(arrays: checker.Arrays) -> checker.Interval:
    """The same, a second time."""
    arrays.alone()
    matrix = arrays.matrix("M")
    gram = checker.times(matrix, checker.transposed(matrix))
    return arrays.largest(gram) - checker.frobenius_squared(matrix)


STATEMENT = checker.MatrixStatement(restated, {"M": ("rows", "columns")}, inequality=True)
