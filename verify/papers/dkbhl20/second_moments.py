"""Second moment matrices M = M(H), and what is supposed of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from graphs.definiteness import at_most
from verify.language.building import Each, Matrix, definite, rows, upto
from verify.papers.dkbhl20.drawing import Rows, held, rows_of
from verify.statements.quantities import with_entries, with_rows
from verify.statements.stated import Given

M = Matrix("M", "d", "d")
SIZE = rows(M)
HALVINGS = 12


def semidefinite(lines: Sequence[Sequence[Fraction]]) -> bool:
    """Whether a matrix is symmetric with eigenvalues at least 0."""
    size = len(lines)
    if any(lines[i][j] != lines[j][i] for i in range(size) for j in range(i)):
        return False
    return at_most([[-entry for entry in line] for line in lines], Fraction(0))


def _to_semidefinite(case: Any, random: Random) -> Any:
    """Symmetrised; the entries off the diagonal halved until it is positive semidefinite."""
    lines = rows_of(case.arrays["M"])
    every = range(len(lines))
    lines = [[(lines[i][j] + lines[j][i]) / 2 for j in every] for i in every]
    for i in every:
        lines[i][i] = abs(lines[i][i])
    return _shrunk(case, lines)


def _shrunk(case: Any, lines: Rows) -> Any:
    """The matrix with entries off the diagonal halved, at last 0, where it is not semidefinite."""
    for k in range(HALVINGS + 1):
        if semidefinite(lines):
            break
        factor = Fraction(k < HALVINGS, 2)
        lines = [
            [x if i == j else x * factor for j, x in enumerate(r)] for i, r in enumerate(lines)
        ]
    return held(with_rows(case, "M", lines), "M")


def _indefinite(case: Any, random: Random) -> Any:
    lines = rows_of(case.arrays["M"])
    if len(lines) == 1:
        return with_rows(case, "M", [[-abs(lines[0][0]) - 1]])
    i, j = random.sample(range(len(lines)), 2)
    lines[i][j] = lines[j][i] = Fraction(random.choice((2, -2, 3)))
    return with_rows(case, "M", lines)


def _to_unit_diagonal(case: Any, random: Random) -> Any:
    """The diagonal made one; what was semidefinite stays so."""
    lines = rows_of(case.arrays["M"])
    before = semidefinite(lines)
    for i, line in enumerate(lines):
        line[i] = Fraction(1)
    return _shrunk(case, lines) if before else held(with_rows(case, "M", lines), "M")


def _scaled(case: Any, random: Random) -> Any:
    factor = random.choice((Fraction(1, 2), Fraction(2), Fraction(3)))
    return with_entries(case, "M", [entry * factor for entry in case.arrays["M"].entries])


SEMIDEFINITE = Given(
    "positive semidefinite",
    definite(M),
    r"$M$ is symmetric and positive semidefinite, as $M(H)$ is",
    _to_semidefinite,
    _indefinite,
    thin=True,
)
UNIT_DIAGONAL = Given(
    "unit diagonal",
    Each(upto(SIZE), lambda i: M[i, i] == 1),
    r"$M_{ii}=1$ for every $i$, as for $H\in\mathcal H$",
    _to_unit_diagonal,
    _scaled,
    thin=True,
)
