"""Section 3.1: functions of BN-rank 1 fit all data, and functions of a higher rank are near."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.cases.hypotheses import random_rational
from verify.cases.tensors import Tensors
from verify.language.building import (
    Each,
    Filter,
    Let,
    Map,
    Matrix,
    Number,
    Some,
    Sorted,
    Sum,
    When,
    card,
    cols,
    distinct,
    frob2,
    larger,
    matrix,
    rank,
    rows,
    smaller,
    upto,
)
from verify.language.terms import Term
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem10_indices import distinct as distinct_rows
from verify.statements.quantities import dot, rows_of, with_rows, with_value
from verify.statements.stated import Given, pool_with, stated, unless

# fitting with rank 1 ------------------------------------------------------------------------------
X, Y = Matrix("X", "N", "n"), Matrix("Y", "N", "m")
POINTS, COUNT = upto(rows(X)), rows(X)
ENOUGH = upto(cols(X) * COUNT * COUNT + 1)
"""Two different points have one image for less than n of these numbers b."""


def on_the_line(i: Term, b: Term) -> Term:
    """g(x_i) = x_i1 + b x_i2 + b^2 x_i3 + ..."""
    return Sum(upto(cols(X)), lambda r: b ** (r - 1) * X[i, r])


def images(b: Term) -> Term:
    """The images of the inputs in their order, each once."""
    return Sorted(distinct(Map(POINTS, lambda r: on_the_line(r, b))))


def fitted(i: Term, coordinate: Term, b: Term, knots: Term) -> Term:
    """h(g(x_i)) for the piecewise linear h(t) = y_1 + sum_j (s_j - s_(j-1)) max(t - t_j, 0) whose
    slopes s_j join the outputs at t_j, the images of the inputs."""

    def output(t: Term) -> Term:
        return Y[Filter(POINTS, lambda r: on_the_line(r, b) == t)[1], coordinate]

    def slope(j: Term) -> Term:
        rise = output(knots[j + 1]) - output(knots[j])
        return rise / (knots[j + 1] - knots[j])

    def change(j: Term) -> Term:
        return When(j == 1, slope(j), slope(j) - slope(j - 1))

    hinges = Sum(
        upto(card(knots) - 1), lambda j: change(j) * larger(on_the_line(i, b) - knots[j], 0)
    )
    return output(knots[1]) + hinges


FITS = Some(
    ENOUGH,
    lambda b: Let(
        images(b),
        lambda t: Each(
            POINTS, lambda i: Each(upto(cols(Y)), lambda r: fitted(i, r, b, t) == Y[i, r])
        ),
    ),
)

# approximating with a higher rank -----------------------------------------------------------------
A, e = Matrix("A", "m", "n"), Number("e")
ROOM = rank(A) < smaller(rows(A), cols(A))


def near(i: Term, j: Term) -> Term:
    """A + e u v^T, u and v the i-th and the j-th vector of the axes."""
    return matrix(rows(A), cols(A), lambda r, s: A[r, s] + When((r == i) & (s == j), e, 0))


HIGHER = Some(
    upto(rows(A)),
    lambda i: Some(
        upto(cols(A)),
        lambda j: (rank(near(i, j)) == rank(A) + 1) & (frob2(near(i, j) - A) <= e**2),
    ),
)


def _lower_rank(case: Tensors, random: Random) -> Tensors:
    """The last row becomes a combination of the others, or the last column; 0 of one alone."""
    lines = rows_of(case, "A")
    if len(lines) <= len(lines[0]):
        factors = [Fraction(random.randint(-1, 1)) for _ in lines[:-1]]
        lines[-1] = [dot(factors, column) for column in zip(*lines[:-1], strict=True)] or [
            Fraction(0)
        ] * len(lines[0])
    else:
        factors = [Fraction(random.randint(-1, 1)) for _ in lines[0][:-1]]
        lines = [[*line[:-1], dot(factors, line[:-1])] for line in lines]
    return with_rows(case, "A", lines)


def _full_rank(case: Tensors, random: Random) -> Tensors:
    lines = rows_of(case, "A")
    return with_rows(
        case, "A", [[x + 10 * (i == j) for j, x in enumerate(row)] for i, row in enumerate(lines)]
    )


CLAIMS = (
    stated(
        "j23.bn1fit",
        printed("Section 3.1, after the minimisation rank by rank"),
        "fitting with BN-rank 1",
        r"It is always possible to fit any data with a BN-rank 1 function (by mapping injectively "
        r"the data points to a line and then mapping them nonlinearly to any other configuration): "
        r"$h(g(x_i))=y_i$ for a linear $g$ into $\mathbb R$ and an FPLF $h$.",
        FITS,
        [distinct_rows(X, "x")],
        pool=pool_with(X, Y, largest=4),
        negated="no function of BN-rank 1 fits the data",
    ),
    stated(
        "j23.overrank.high",
        printed("Section 3.1, before Figure 1"),
        "approximating linear maps with a higher rank",
        r"It is possible to approximate a BN-rank $k^*$ function with a higher rank function with "
        r"any accuracy: here a linear one, $x\mapsto Ax$, by $x\mapsto(A+\epsilon uv^T)x$ with "
        r"vectors $u$, $v$ of the axes, of rank $k^*+1$ and no farther than $\epsilon$ on the unit "
        r"ball.",
        HIGHER,
        [
            Given(
                "room for a higher rank",
                ROOM,
                r"$k^*<\min(d_{in},d_{out})$",
                unless(ROOM, _lower_rank),
                _full_rank,
            ),
            Given(
                "accuracy",
                e > 0,
                r"$\epsilon>0$",
                unless(
                    e > 0,
                    lambda case, random: with_value(case, "e", abs(random_rational(random)) or 1),
                ),
                lambda case, random: with_value(case, "e", 0),
            ),
        ],
        pool=pool_with(A, e),
        through="linear maps stand for all functions (docs/mathematics/j23.md#fits-of-rank-one)",
        negated="none of these functions is as near, or of a higher rank",
    ),
)
