"""Claims that are measured on a scene by a function: what methods do with what is measured does not
depend on where a measure comes from. No paper has them, and the checker knows none of them."""

from __future__ import annotations

from typing import Any

from verify.cases.tensor_pool import TensorPool
from verify.core.claim import Claim, Kind, Source

MATRIX = TensorPool((("M", ("rows", "columns")),))


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
