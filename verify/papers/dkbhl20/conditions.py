"""Hypotheses about one step of the batch-normalised chain that several sections share."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from verify.papers.dkbhl20.drawing import rows_of
from verify.papers.dkbhl20.notation import H, W, no_row_vanishes
from verify.papers.dkbhl20.step_cases import DEFINED as DEFINED_WITH_ROOTS
from verify.papers.dkbhl20.step_cases import empty_row
from verify.statements.quantities import with_entries, with_rows
from verify.statements.stated import Given, unless


# what is divided by ---------------------------------------------------------------------------
def _fill_rows(case: Any, random: Random) -> Any:
    """Ones in place of a zero row of H, and no weights."""
    rows = [row if any(row) else [Fraction(1)] * len(row) for row in rows_of(case.arrays["H"])]
    weightless = with_entries(case, "W", [Fraction(0)] * len(case.arrays["W"].entries))
    return with_rows(weightless, "H", rows)


DEFINED = Given(
    DEFINED_WITH_ROOTS.name,
    DEFINED_WITH_ROOTS.holds,
    DEFINED_WITH_ROOTS.text,
    unless(DEFINED_WITH_ROOTS.holds, _fill_rows),
    empty_row,
)


def _move_rows(case: Any, random: Random) -> Any:
    """Ones in place of a zero row of H, and W the identity."""
    rows = [row if any(row) else [Fraction(1)] * len(row) for row in rows_of(case.arrays["H"])]
    size = len(rows)
    weights = [[Fraction(i == j) for j in range(size)] for i in range(size)]
    return with_rows(with_rows(case, "H", rows), "W", weights)


MOVED = Given(
    "no row of WH is 0",
    no_row_vanishes(W @ H),
    r"no row of $WH$ is $0$, so that $\mathrm{BN}(WH)$ is defined",
    unless(no_row_vanishes(W @ H), _move_rows),
    empty_row,
)


# the strength ---------------------------------------------------------------------------------
NAME_OF_SMALL, TEXT_OF_SMALL = "gamma at most 1/(8Bd)", r"$\gamma\le1/(8Bd)$"


def to_small(case: Any, random: Random) -> Any:
    """gamma at most 1/(8Bd)."""
    threshold = 1 / (Fraction(8) * (abs(case.number("B")) or 1) * case.lengths["d"])
    if case.number("gamma") <= threshold and case.number("B") >= 0:
        return case
    share = Fraction(random.choice((1, 1, 1, 2, 3)), random.choice((4, 4, 8)))
    return with_entries(case, "gamma", [threshold * min(share, Fraction(1))])


def to_larger(case: Any, random: Random) -> Any:
    """gamma above 1/(8Bd)."""
    threshold = 1 / (Fraction(8) * (abs(case.number("B")) or 1) * case.lengths["d"])
    return with_entries(case, "gamma", [threshold * random.choice((2, 8, 16, 64))])
