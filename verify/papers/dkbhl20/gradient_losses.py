"""Hypotheses of Proposition 19 about the losses.

The loss is any differentiable l >= 0. Numbers E_i and vectors g_i are its values and gradients at
the outputs z_i of some instance exactly where E_i >= 0, and g_i = 0 where E_i = 0 (a minimum):
E_i exp(g_i . (z - z_i)/E_i), or 0, has them, and a loss l(y, z) may differ from target to target.
Any vector is a gradient.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import Array
from verify.hypotheses import Hypothesis, by_scene
from verify.normalised_hypotheses import at_least_zero
from verify.normalised_pool import Rows, rows_of
from verify.normalised_scene import Chained, ChainScene
from verify.papers.dkbhl20.gradient_cases import error_gradients
from verify.quantities import with_entries, with_rows


def _none_zero(scene: ChainScene, values: Array) -> np.ndarray:
    """(C,) boolean: whether no number of an instance is 0."""
    flat = values.reshape(len(scene.cases), -1)
    return np.asarray(~np.asarray(scene.arithmetic.may_be_zero(flat), dtype=bool).any(1))


def _parts(case: Chained) -> tuple[Rows, list[Fraction]]:
    """The gradients, and the errors; of instances without errors all 1."""
    rows = rows_of(case.arrays["G"])
    if "E" in case.arrays:
        return rows, list(case.arrays["E"].entries)
    return rows, [Fraction(1)] * len(rows[0])


def _of_parts(case: Chained, rows: Rows, errors: list[Fraction]) -> Chained:
    case = with_rows(case, "G", rows)
    return with_entries(case, "E", errors) if "E" in case.arrays else case


# any loss -----------------------------------------------------------------------------------------
def _is_a_loss(scene: ChainScene) -> np.ndarray:
    slopes, errors = error_gradients(scene), scene["E"]
    squares = (slopes * slopes).sum(1)
    at_rest = np.asarray(scene.arithmetic.may_be_zero(squares), dtype=bool)
    fitted = np.asarray(scene.arithmetic.may_be_zero(errors), dtype=bool)
    return np.asarray(at_least_zero(scene, errors) & (at_rest | ~fitted).all(1))


def _to_a_loss(case: Chained, random: Random) -> Chained:
    """Errors without sign; those of 0 become 1 where the gradient is not 0."""
    rows, errors = _parts(case)
    moving = [any(row[i] for row in rows) for i in range(len(errors))]
    return _of_parts(
        case, rows, [abs(e) or Fraction(m) for e, m in zip(errors, moving, strict=True)]
    )


def _not_a_loss(case: Chained, random: Random) -> Chained:
    """One error below 0, or 0 with a gradient that is not."""
    rows, errors = _parts(case)
    i = random.randrange(len(errors))
    errors[i] = -abs(errors[i] or Fraction(1))
    if random.random() < 0.5:
        errors[i], rows[random.randrange(len(rows))][i] = Fraction(0), Fraction(1)
    return _of_parts(case, rows, errors)


LOSS = Hypothesis(
    "values and gradients of a loss",
    r"$\ell\ge0$ is differentiable: $\mathcal L_i\ge0$, and $\nabla\ell_i=0$ where "
    r"$\mathcal L_i=0$",
    by_scene(_is_a_loss),
    _to_a_loss,
    _not_a_loss,
)


def _to_errors(case: Chained, random: Random) -> Chained:
    rows, errors = _parts(case)
    return _of_parts(case, rows, [e or Fraction(1) for e in errors])


def _fit(case: Chained, random: Random) -> Chained:
    """One sample fitted exactly."""
    rows, errors = _parts(case)
    i = random.randrange(len(errors))
    errors[i] = Fraction(0)
    for row in rows:
        row[i] = Fraction(0)
    return _of_parts(case, rows, errors)


ERRORS = Hypothesis(
    "errors are not 0",
    r"$\mathcal L_i\ne0$ for every sample (others are left out)",
    by_scene(lambda scene: _none_zero(scene, scene["E"])),
    _to_errors,
    _fit,
)


# components of the gradients ----------------------------------------------------------------------
def _move(case: Chained, random: Random) -> Chained:
    """Components of 0 become 1 or -1, and errors of 0 become 1."""
    rows, errors = _parts(case)
    moved = [[x or Fraction(random.choice((1, -1))) for x in row] for row in rows]
    return _of_parts(case, moved, [e or Fraction(1) for e in errors])


def _stop(case: Chained, random: Random, *, last: bool) -> Chained:
    """One component becomes 0; of the last sample, or of any."""
    rows, errors = _parts(case)
    i = len(errors) - 1 if last else random.randrange(len(errors))
    rows[random.randrange(len(rows))][i] = Fraction(0)
    return _of_parts(case, rows, errors)


SLOPES = Hypothesis(
    "no component of the error gradients is 0",
    r"$(\nabla\ell_j)_k\ne0$ for every $j$ and $k$ (others are left out)",
    by_scene(lambda scene: _none_zero(scene, error_gradients(scene))),
    _move,
    lambda case, random: _stop(case, random, last=False),
)
TWO_SLOPES = Hypothesis(
    "the quotient is defined",
    r"$\nabla\ell_{j,k}\ne0$ for every $k$, so that the quotient is defined",
    by_scene(lambda scene: _none_zero(scene, error_gradients(scene)[:, :, -1])),
    _move,
    lambda case, random: _stop(case, random, last=True),
)
