"""Proposition 8: the spectral form of delta_F where all rows of M have the same norm.

Of the second equation of (44) the left side is the trace of the square, as in (43) and (77), and
the norm without index the 2-norm, as in (77).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.language.building import (
    Each,
    Sum,
    eigenvalues,
    frob2,
    row,
    trace,
    upto,
)
from verify.language.terms import Term
from verify.papers.dkbhl20 import proposition8_arguments as arguments
from verify.papers.dkbhl20.drawing import held, in_roles
from verify.papers.dkbhl20.laws import frobenius_change, norm_power, square_diagonal, trace_of_cube
from verify.papers.dkbhl20.second_moments import SEMIDEFINITE, SIZE, M
from verify.papers.dkbhl20.sources import printed
from verify.statements.quantities import rows_of, with_rows
from verify.statements.stated import Given, pool_with, stated, unless

MOMENTS = pool_with(M, largest=5, adapt=in_roles("M"))


# hypotheses ---------------------------------------------------------------------------------------
def _to_equal_rows(case: Tensors, random: Random) -> Tensors:
    """An equicorrelated matrix, with the mean of the entries off the diagonal."""
    lines = rows_of(case, "M")
    size = len(lines)
    off = sum(
        (x for i, line in enumerate(lines) for j, x in enumerate(line) if i != j), Fraction(0)
    )
    c = max(Fraction(-1, size - 1), min(Fraction(1), off / (size * (size - 1))))
    return _with_lines(case, [[1 if i == j else c for j in range(size)] for i in range(size)])


def _with_lines(case: Tensors, lines: Sequence[Sequence[Fraction | int]]) -> Tensors:
    return held(with_rows(case, "M", [[Fraction(x) for x in line] for line in lines]), "M")


def _unequal_rows(case: Tensors, random: Random) -> Tensors:
    """One row and its column scaled off the diagonal; of two rows the diagonal, as their norms are
    equal where that is constant; a single row stays."""
    lines = rows_of(case, "M")
    i = random.randrange(len(lines))
    if len(lines) == 2:
        lines[i][i] = 2 * lines[i][i] or Fraction(1)
    for j in range(len(lines) if len(lines) > 2 else 0):
        if j != i:
            lines[i][j] = lines[j][i] = lines[i][j] / 2 if lines[i][j] else Fraction(1, 8)
    return with_rows(case, "M", lines)


_EQUAL = Each(upto(SIZE), lambda i: frob2(row(M, i)) == frob2(row(M, 1)))
SUPPOSED = (
    SEMIDEFINITE,
    Given(
        "equal row norms",
        _EQUAL,
        r"all rows of $M$ have the same norm",
        unless(_EQUAL, _to_equal_rows),
        _unequal_rows,
        thin=True,
    ),
)


# what is said -------------------------------------------------------------------------------------
def power_sum(power: int) -> Term:
    """sum_i lambda_i^power."""
    return Sum(eigenvalues(M), lambda value: value**power)


SQUARE, CUBE = norm_power(M, 2), norm_power(M, 3)
FOURTH = SQUARE**2 / SIZE
ROWS = Sum(upto(SIZE), lambda i: frob2(row(M, i)) ** 2)

EQUATIONS = (trace_of_cube(M) == CUBE) & (square_diagonal(M) == FOURTH) & (frob2(M) == SQUARE)
CHANGE = frobenius_change(M) == 2 * SIZE**2 - 2 * SQUARE - 8 * CUBE + 8 * FOURTH
POWERS = (
    (trace(M @ M) == power_sum(2))
    & (power_sum(2) == SQUARE)
    & (trace_of_cube(M) == power_sum(3))
    & (power_sum(3) == CUBE)
)
OF_A_ROW = Each(
    upto(SIZE),
    lambda i: (frob2(row(M, i)) == frob2(M) / SIZE) & (frob2(M) / SIZE == SQUARE / SIZE),
)
DIAGONAL = (square_diagonal(M) == ROWS) & (ROWS == FOURTH)


CLAIMS = (
    stated(
        "dkbhl20.prop8.a@BA",
        printed("Proposition 8, eq. (44)"),
        "three functions of the spectrum",
        r"Suppose all rows of $M$ have the same norm. Then $\mathrm{Tr}(M^3)="
        r"\lVert\lambda\rVert_3^3$, $\mathrm{Tr}(\mathrm{diag}(M^2))^2="
        r"\lVert\lambda\rVert^4/d$, $\lVert M\rVert_F^2=\lVert\lambda\rVert_2^2$.",
        EQUATIONS,
        SUPPOSED,
        pool=MOMENTS,
        depends=("dkbhl20.prop8.c", "dkbhl20.prop8.d", "dkbhl20.prop8.e"),
        reading="BA",
        reading_text=r"the left side of the second equation is "
        r"$\mathrm{Tr}((\mathrm{diag}(M^2))^2)$; the norm without index is the 2-norm",
        proof=arguments.three_equations,
    ),
    stated(
        "dkbhl20.prop8.b@A",
        printed("Proposition 8, eq. (45)"),
        "the change of the Frobenius norm as a function of the spectrum",
        r"Suppose all rows of $M$ have the same norm. Then $\delta_F(M)=2d^2"
        r"-2\lVert\lambda\rVert_2^2-8\lVert\lambda\rVert_3^3+8\lVert\lambda\rVert^4/d$.",
        CHANGE,
        SUPPOSED,
        pool=MOMENTS,
        depends=("dkbhl20.prop8.a@BA",),
        reading="A",
        reading_text="the norm without index is the 2-norm",
        proof=arguments.spectral_form,
    ),
    stated(
        "dkbhl20.prop8.c",
        printed("proof of Proposition 8, eq. (75)"),
        "traces of powers",
        r"$\mathrm{Tr}(M^k)=\sum_i\lambda_i^k=\lVert\lambda\rVert_k^k$ for $k=2,3$.",
        POWERS,
        SUPPOSED,
        pool=MOMENTS,
        proof=arguments.powers_of_the_matrix,
    ),
    stated(
        "dkbhl20.prop8.d",
        printed("proof of Proposition 8, eq. (76)"),
        "squares of a row",
        r"$\sum_kM_{ik}^2=\lVert M\rVert_F^2/d=\lVert\lambda\rVert_2^2/d$.",
        OF_A_ROW,
        SUPPOSED,
        pool=MOMENTS,
        depends=("dkbhl20.prop8.c",),
        proof=arguments.rows_of_the_square,
    ),
    stated(
        "dkbhl20.prop8.e",
        printed("proof of Proposition 8, eq. (77)"),
        "trace of the squared diagonal",
        r"$\mathrm{Tr}(\mathrm{diag}(M^2)^2)=\sum_i(\sum_kM_{ik}^2)^2=\lVert\lambda\rVert_2^4/d$.",
        DIAGONAL,
        SUPPOSED,
        pool=MOMENTS,
        depends=("dkbhl20.prop8.d",),
        proof=arguments.fourth_powers_of_the_norm,
    ),
)
