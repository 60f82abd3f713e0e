"""Hypotheses about one step of the batch-normalised chain that several sections share."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import Array
from graphs.rationals import RATIONALS
from verify.cases.hypotheses import Hypothesis, by_scene
from verify.kinds.normalised.hypotheses import at_least_zero
from verify.kinds.normalised.pool import rows_of
from verify.kinds.normalised.scene import Chained, ChainScene
from verify.statements.quantities import with_entries, with_rows


# what is divided by ---------------------------------------------------------------------------
def zero_rows(scene: ChainScene, rows: Array) -> np.ndarray:
    """(C, d) boolean: which rows of matrices (C, d, N) are (or may be) 0."""
    squares = (rows * rows).sum(2)
    flat = np.asarray(scene.arithmetic.may_be_zero(squares.reshape(-1)))
    return flat.reshape(len(scene.cases), -1)


def _all_rows(scene: ChainScene) -> np.ndarray:
    before = scene.before_norm(scene["H"], scene["W"], scene["gamma"])
    return np.asarray(~zero_rows(scene, before).any(1))


def _fill_rows(case: Chained, random: Random) -> Chained:
    """Where a row vanishes: ones in place of a zero row of H, and no weights."""
    if _has_all_rows(case):
        return case
    rows = [row if any(row) else [Fraction(1)] * len(row) for row in rows_of(case.arrays["H"])]
    weightless = with_entries(case, "W", [Fraction(0)] * len(case.arrays["W"].entries))
    return with_rows(weightless, "H", rows)


def _has_all_rows(case: Chained) -> bool:
    return bool(_all_rows(Chained.scene([case], RATIONALS))[0])


def _empty_row(case: Chained, random: Random) -> Chained:
    """A row of H that is 0, and of the weights."""
    hidden, weights = rows_of(case.arrays["H"]), rows_of(case.arrays["W"])
    place = random.randrange(len(hidden))
    hidden[place] = [Fraction(0)] * len(hidden[place])
    weights[place] = [Fraction(0)] * len(weights[place])
    return with_rows(with_rows(case, "H", hidden), "W", weights)


DEFINED = Hypothesis(
    "no row is 0 before BN",
    r"no row of $H+\gamma WH$ is $0$, so that $\mathrm{diag}(M)^{-1/2}$ is defined",
    by_scene(_all_rows),
    _fill_rows,
    _empty_row,
)


def _moved_rows(scene: ChainScene) -> np.ndarray:
    return np.asarray(~zero_rows(scene, scene["W"] @ scene["H"]).any(1))


def _move_rows(case: Chained, random: Random) -> Chained:
    if bool(_moved_rows(Chained.scene([case], RATIONALS))[0]):
        return case
    rows = [row if any(row) else [Fraction(1)] * len(row) for row in rows_of(case.arrays["H"])]
    size = len(rows)
    weights = [[Fraction(i == j) for j in range(size)] for i in range(size)]
    return with_rows(with_rows(case, "H", rows), "W", weights)


MOVED = Hypothesis(
    "no row of WH is 0",
    r"no row of $WH$ is $0$, so that $\mathrm{BN}(WH)$ is defined",
    by_scene(_moved_rows),
    _move_rows,
    _empty_row,
)


# the strength ---------------------------------------------------------------------------------
def _small(scene: ChainScene) -> np.ndarray:
    product = scene["gamma"] * scene["B"] * scene.constant(8 * scene.width)
    return at_least_zero(scene, scene.constant(1) - product)


def _to_small(case: Chained, random: Random) -> Chained:
    threshold = 1 / (Fraction(8) * (abs(case.number("B")) or 1) * case.lengths["d"])
    if case.number("gamma") <= threshold and case.number("B") >= 0:
        return case
    share = Fraction(random.choice((1, 1, 1, 2, 3)), random.choice((4, 4, 8)))
    return with_entries(case, "gamma", [threshold * min(share, Fraction(1))])


def _larger(case: Chained, random: Random) -> Chained:
    threshold = 1 / (Fraction(8) * (abs(case.number("B")) or 1) * case.lengths["d"])
    return with_entries(case, "gamma", [threshold * random.choice((2, 8, 16, 64))])


SMALL = Hypothesis(
    "gamma at most 1/(8Bd)",
    r"$\gamma\le1/(8Bd)$",
    by_scene(_small),
    _to_small,
    _larger,
)
