"""Claims that are measured on a scene by a function: what methods do with what is measured does not
depend on where a measure comes from. No paper has them, and the checker knows none of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from verify.cases.tensor_pool import TensorPool
from verify.core.claim import Claim, Kind, Source
from verify.core.entries import Entries

MATRIX = TensorPool((("M", ("rows", "columns")),))


def measured(measure: Any, pool: Any = MATRIX, **others: Any) -> Claim:
    """A claim that is no statement: an inequality, measured on a scene."""
    source = Source("planted", "-", "-")
    name = others.pop("id", "planted")
    kind = others.pop("kind", Kind.INEQUALITY)
    return Claim(name, kind, source, name, name, measure=measure, pool=pool, **others)


# what measures are written in: (C, ...) arrays of C instances
def constant(scene: Any, value: int | Fraction) -> Any:
    """(C,): the same number for each instance."""
    return scene.arithmetic.array([value] * len(scene.cases))


def share(scene: Any, values: Any, of: int | Fraction) -> Any:
    """The values times a rational."""
    return values * constant(scene, of)


def frobenius_squared(scene: Any, matrices: Any) -> Any:
    """(C,): sums of squares of all entries."""
    return (matrices * matrices).reshape(len(scene.cases), -1).sum(1)


def norm_squared(scene: Any, matrices: Any) -> Any:
    """(C,): squared operator norms, the largest eigenvalue of M^T M or of M M^T."""
    rows, columns = matrices.shape[1:]
    wide = matrices if rows >= columns else matrices.swapaxes(-1, -2)
    return scene.arithmetic.largest_eigenvalues(wide.swapaxes(-1, -2) @ wide)


def compare(scene: Any, left: Any, right: Any) -> Entries:
    """One entry for each instance: left minus right; both (C,)."""
    nothing = np.zeros(len(scene.cases), dtype=np.int64)
    owner = np.arange(len(scene.cases))
    return Entries(left - right, left, owner, "case", nothing, nothing - 1, lambda k: {})
