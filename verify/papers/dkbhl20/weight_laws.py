"""Laws of the weight matrix known by their moments, and what Definition 1 asks of them.

A case names a law of the menu (`law`, a row of LAWS), and how weights come from its draws x: each
is scale x + shift, and draws belong to one entry each (`ties` 0), to a row (1, W-ROW) or to a pair
of entries ij and ji (2, W-SYM). Laws with a density are among them; finite ones as well.

W is therefore m J + sum_r xi_r E_r: J of ones, m the mean of a weight, E_r with ones at the entries
that share the draw r and 0 elsewhere, and independent xi_r of mean zero and the variance of a
weight. So the mean of f(W), f homogeneous of degree two, is m^2 f(J) + variance sum_r f(E_r).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from graphs.normalised.laws import (
    Law,
    MomentLaw,
    asymmetric,
    beta,
    gaussian,
    rademacher,
    student,
    three_points,
    uniform_unit_interval,
    uniform_unit_variance,
)
from verify.cases.tensor_pool import TensorPool
from verify.language.building import Let, Number, Sum, When, Whole, element, list_, matrix, upto
from verify.language.terms import Term, called, written
from verify.papers.dkbhl20.drawing import in_roles, whole
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, pool_with, unless

INDEPENDENT, ROWS, SYMMETRIC = range(3)


BLURRED = MomentLaw(
    "W-ASYM blurred",
    (Fraction(0), Fraction(1), Fraction(3, 16), Fraction(749, 320)),
    Fraction(5, 2) ** 2,
    symmetric=False,
)
"""x/2 + u with x of W-ASYM and u uniform on [-3/2, 3/2]: a density, not symmetric, and unlike W-TRI
with rational moments."""
LAWS: tuple[Law, ...] = (
    uniform_unit_variance(),
    gaussian(),
    uniform_unit_interval(),
    beta(2),
    BLURRED,
    student(),
    rademacher(),
    three_points(2),
    asymmetric(),
)
"""The rows of the table that `law` numbers."""
FOOTNOTE = (1, 2)  # the laws that footnote 4 names
SCALES = tuple(map(Fraction, ("1/16", "1/8", "1/4", "1/2", "2", "3")))
SHIFTS = (1, -1, 2)


LAW, SCALE = Whole("law", 0, len(LAWS) - 1), Number("scale")
SHIFT, TIES = Whole("shift", min(SHIFTS), max(SHIFTS)), Whole("ties", INDEPENDENT, SYMMETRIC)
WEIGHTS = (SCALE, LAW, TIES, SHIFT)
"""What a case holds of the law of W."""


# of one weight ------------------------------------------------------------------------------------
def moment_of_draw(order: int) -> Term:
    """E x^order, order 1 or 2."""
    return list_(*(law.moments[order - 1] for law in LAWS))[LAW + 1]


def one_of(has: Callable[[Law], bool]) -> Term:
    """Whether the draws are from a law of the menu that has a property."""
    return element(LAW, list_(*(k for k, law in enumerate(LAWS) if has(law))))


VARIANCE_OF_DRAW = moment_of_draw(2) - moment_of_draw(1) ** 2
MEAN = called("m", SCALE * moment_of_draw(1) + SHIFT)
VARIANCE = called(r"\sigma^2", SCALE**2 * VARIANCE_OF_DRAW)


# of the matrix ------------------------------------------------------------------------------------
def draw_of(width: Term, i: Term, k: Term) -> Term:
    """Which draw W_ik comes from, numbered from 1 to d^2."""
    alone, mirrored = (i - 1) * width + k, (k - 1) * width + i
    return When(TIES == ROWS, i, When((TIES == SYMMETRIC) & (i > k), mirrored, alone))


@written(r"J_{{0}}")
def ones(width: Term) -> Term:
    """J."""
    return matrix(width, width, lambda i, k: 1)


def sharing(width: Term, r: Term) -> Term:
    """E_r."""
    return matrix(width, width, lambda i, k: When(draw_of(width, i, k) == r, 1, 0))


def linear_mean(width: Term, form: Callable[[Term], Term]) -> Term:
    """E f(W) of a linear form."""
    return MEAN * Let(ones(width), form)


def quadratic_mean(width: Term, form: Callable[[Term], Term]) -> Term:
    """E f(W) of a quadratic form."""
    draws = Sum(upto(width**2), lambda r: Let(sharing(width, r), form))
    return MEAN**2 * Let(ones(width), form) + VARIANCE * draws


# cases --------------------------------------------------------------------------------------------
def _law_of(case: Any) -> Law:
    law: Law = LAWS[case.whole("law")]
    return law


def mostly_standard(case: Any, random: Random) -> Any:
    """Mostly weights that are neither shifted nor scaled, and independent."""
    if random.random() < 0.7:
        case = case.changing(shift=whole(0))
    if random.random() < 0.7:
        case = with_entries(case, "scale", [Fraction(1)])
    if "ties" in case.arrays and random.random() < 0.7:
        case = case.changing(ties=whole(INDEPENDENT))
    return case


def weighted_pool(*arrays: Term) -> TensorPool:
    """Cases with these arrays and a law of the weights."""
    names = [term.args[0].name for term in arrays if term.args[0].name in ("M", "gamma")]
    roles = in_roles(*names)

    def drawn(case: Any, random: Random) -> Any:
        return mostly_standard(roles(case, random), random)

    return pool_with(*arrays, *WEIGHTS, largest=3, adapt=drawn)


# hypotheses ---------------------------------------------------------------------------------------
def is_symmetric(law: Law) -> bool:
    """Around its mean."""
    return law.symmetric


def has_density(law: Law) -> bool:
    """Whether it has a density."""
    return law.has_density


def is_bounded(law: Law) -> bool:
    """Whether its support lies in some [-B, B]."""
    return law.squared_bound is not None


def is_standard(law: Law) -> bool:
    """Mean zero and variance one."""
    return law.moments[0] == 0 and law.moments[1] == 1


KEPT = (is_symmetric, has_density, is_bounded, is_standard)


def _other_law(case: Any, random: Random, asked: Callable[[Law], bool], *, has: bool = True) -> Any:
    """A law of the table that has a property, or lacks it, and else what the law before has."""
    before = _law_of(case)
    fits = [k for k, law in enumerate(LAWS) if asked(law) == has]
    kept = [p for p in KEPT if p is not asked and p(before)]
    near = [k for k in fits if all(p(LAWS[k]) for p in kept)]
    return case.changing(law=whole(random.choice(near or fits)))


def _of_the_table(name: str, text: str, asked: Callable[[Law], bool]) -> Given:
    """What a law of the table has or lacks, however it is shifted and scaled."""
    holds = one_of(asked)
    return Given(
        name,
        holds,
        text,
        unless(holds, lambda case, random: _other_law(case, random, asked)),
        lambda case, random: _other_law(case, random, asked, has=False),
    )


def _to_variance_one(case: Any, random: Random) -> Any:
    if _law_of(case).moments[1] == 1:
        return with_entries(case, "scale", [Fraction(random.choice((1, 1, -1)))])
    standard = _other_law(case, random, is_standard)
    return with_entries(standard, "scale", [Fraction(1)])


IID = Given(
    "independent weights",
    TIES == INDEPENDENT,
    r"the entries of $W$ are i.i.d.",
    lambda case, random: case.changing(ties=whole(INDEPENDENT)),
    lambda case, random: case.changing(ties=whole(random.choice((ROWS, SYMMETRIC)))),
)
CENTRED = Given(
    "centred weights",
    MEAN == 0,
    r"$\mathcal P$ has mean zero",
    lambda case, random: case.changing(shift=whole(0)),
    lambda case, random: case.changing(shift=whole(random.choice(SHIFTS))),
    thin=True,
)
UNIT_VARIANCE = Given(
    "weights of variance one",
    VARIANCE == 1,
    r"$\mathcal P$ has variance one",
    unless(VARIANCE == 1, _to_variance_one),
    lambda case, random: with_entries(case, "scale", [random.choice(SCALES)]),
    thin=True,
)
# symmetric around its mean: with mean zero the same as around zero, and each can be broken alone
SYMMETRIC_WEIGHTS = _of_the_table(
    "symmetric weights",
    r"$\mathcal P$ is symmetric around its mean, which is zero",
    is_symmetric,
)
DENSE = one_of(has_density) & (SCALE != 0)
DENSITY = Given(
    "weights with a density",
    DENSE,
    r"$\mathcal P$ has a density",
    unless(
        DENSE,
        lambda case, random: with_entries(
            _other_law(case, random, has_density), "scale", [case.number("scale") or Fraction(1)]
        ),
    ),
    lambda case, random: _other_law(case, random, has_density, has=False),
)
BOUNDED = _of_the_table(
    "bounded weights",
    r"the support of $\mathcal P$ lies in $[-B,B]$ for some $B$",
    is_bounded,
)
STANDARD = (IID, CENTRED, UNIT_VARIANCE, SYMMETRIC_WEIGHTS, DENSITY)
"""Definition 1."""
