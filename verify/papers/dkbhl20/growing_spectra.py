"""Example 12: families of spectra with a leading eigenvalue of order d^beta.

A family is a rule for d = n^m, n = 1, 2, 3, ...: one eigenvalue a n^p, n^c eigenvalues b n^q, all
others equal and such that the sum is d; beta = p / m. For n a power of 2 a matrix of such a
spectrum, with ones on its diagonal and rows of the same norm, is Q diag(lambda) Q^T / d with a
Hadamard matrix Q. Sums of powers are rational functions of n, so that orders of growth are
differences of degrees, and what holds for every large n is a sign of a leading coefficient: all of
it exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from operator import add
from random import Random
from typing import Any

from verify.cases.tensors import Tensor, Tensors
from verify.core.claim import Claim
from verify.language.building import (
    ArgMax,
    Filter,
    Let,
    Max,
    Number,
    Sum,
    When,
    Whole,
    between,
    card,
    dim,
    floor,
    larger,
    smaller,
    upto,
    vector,
)
from verify.language.terms import Term, lifted
from verify.papers.dkbhl20.growing_proofs import orders, small_constant
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.spectrum_families import Family
from verify.statements.stated import Given, pool_with, stated

# polynomials in n: the coefficients of n^0, n^1, ... ----------------------------------------------
SIZES = ("m", "p", "c", "q")
LARGEST = 10
A, B = Number("a"), Number("b")
M, P, C, Q = (Whole(name, 0, LARGEST) for name in SIZES)


def polynomial(*parts: tuple[Any, Term]) -> Term:
    """The sum of c n^k, of pairs of c and k."""
    top = lifted(parts[0][1])
    for _, exponent in parts[1:]:
        top = larger(top, exponent)

    def coefficient(place: Term) -> Term:
        found = [When(exponent == place - 1, factor, 0) for factor, exponent in parts]
        return reduce(add, found)

    return vector(floor(top) + 1, coefficient)


def plus(one: Term, other: Term) -> Term:
    """The sum of two polynomials."""

    def at(x: Term, place: Term) -> Term:
        return When(place <= dim(x), x[place], 0)

    return Let(
        one,
        lambda x: Let(
            other,
            lambda y: vector(floor(larger(dim(x), dim(y))), lambda k: at(x, k) + at(y, k)),
        ),
    )


def times(one: Term, other: Term) -> Term:
    """The product of two polynomials."""

    def coefficient(x: Term, y: Term, place: Term) -> Term:
        inside = between(floor(larger(1, place + 1 - dim(y))), floor(smaller(place, dim(x))))
        return Sum(inside, lambda i: x[i] * y[place + 1 - i])

    return Let(
        one,
        lambda x: Let(other, lambda y: vector(dim(x) + dim(y) - 1, lambda k: coefficient(x, y, k))),
    )


def _places(x: Term) -> Term:
    """Where there is a coefficient that is not 0."""
    return Filter(upto(dim(x)), lambda k: x[k] != 0)


def degree(x: Term) -> Term:
    """Of a polynomial that is not 0."""
    return Max(_places(x), lambda k: k) - 1


def leading(some: Term) -> Term:
    """The leading coefficient; 0 of the polynomial 0."""
    return Let(some, lambda x: When(card(_places(x)) > 0, x[ArgMax(_places(x), lambda k: k)], 0))


OTHERS_COUNT = polynomial((1, M), (-1, lifted(0 * M)), (-1, C))
REST = polynomial((1, M), (-A, P), (-B, C + Q))


def power_sum(k: int) -> Term:
    """The sum of the k-th powers, times the (k - 1)-th power of how many others there are."""
    named, total = polynomial((A**k, k * P), (B**k, C + k * Q)), REST
    for _ in range(k - 1):
        named, total = times(named, OTHERS_COUNT), times(total, REST)
    return plus(named, total)


SQUARES_OF_ALL, CUBES_OF_ALL = power_sum(2), power_sum(3)
POWER_SUMS = {2: SQUARES_OF_ALL, 3: CUBES_OF_ALL}


def order(k: int) -> Term:
    """The order of growth of the sum of the k-th powers, as a power of n."""
    return Let(POWER_SUMS[k], lambda x: degree(x) - (k - 1) * M)


NUMERATOR = Let(SQUARES_OF_ALL, lambda x: times(x, x))
DENOMINATOR = times(polynomial((1, M)), CUBES_OF_ALL)
"""Of alpha = |l|_2^4 / (d |l|_3^3), both times the square of how many others there are."""

IS_ONE = (M >= 1) & (C < M) & (A > 0) & (B >= 0) & (leading(REST) >= 0)
OTHERS_ARE_SMALLER = ((B == 0) | (Q < P)) & Let(
    REST, lambda x: (card(_places(x)) == 0) | (degree(x) < P + M)
)


# what is said -------------------------------------------------------------------------------------
BELOW_NINE_TENTHS = leading(plus(9 * DENOMINATOR, -10 * NUMERATOR)) > 0
"""9 d |l|_3^3 > 10 |l|_2^4 for every large n."""
ORDERS_OF_NORMS = (order(3) == 3 * P) & (order(2) == 2 * P)
ORDERS_OF_TRACES = (order(3) == 3 * P) & (2 * order(2) - M == 4 * P - M)
ORDER_OF_ALPHA = Let(
    Let(NUMERATOR, degree) - Let(DENOMINATOR, degree),
    lambda growth: (growth <= P - M) & (growth < 0),
)
"""alpha = O(d^(beta - 1)), and its limit is 0."""


# instances ----------------------------------------------------------------------------------------
def family_of(case: Tensors) -> Family:
    """The family of an instance."""
    m, p, c, q = map(case.whole, SIZES)
    return Family(m, p, c, q, case.number("a"), case.number("b"))


def with_family(case: Tensors, family: Family) -> Tensors:
    """The instance with another family."""
    arrays = {
        name: Tensor((), (), (Fraction(getattr(family, name)),), integer=True) for name in SIZES
    }
    for name in ("a", "b"):
        arrays[name] = replace(case.arrays[name], entries=(getattr(family, name),))
    return case.changing(**arrays)


def drawn(random: Random) -> Family:
    """A family with beta at most 1; its second group is often empty, or of the size of the rest."""
    m = random.randint(1, LARGEST)
    p = random.randint(1, m)
    c = random.randint(0, m - 1)
    a = random.choice((Fraction(1), Fraction(2), Fraction(1, 2), Fraction(19, 20)))
    b = random.choice((Fraction(0), Fraction(1), Fraction(1, 2), Fraction(3), Fraction(19, 20)))
    q = random.randint(0, max(0, min(p - 1, m - c)))
    return Family(m, p, c, q, a, b)


def _menu(case: Tensors, random: Random) -> Tensors:
    return with_family(case, drawn(random)) if random.random() < 0.7 else case


FAMILIES = pool_with(A, B, M, P, C, Q, adapt=_menu)


# hypotheses ---------------------------------------------------------------------------------------
def _found(random: Random, *asked: Callable[[Family], bool]) -> Family:
    for _ in range(200):
        family = drawn(random)
        if family.is_one and all(holds(family) for holds in asked):
            return family
    return Family(2, 1, 0, 0, Fraction(1), Fraction(0))


def _of_family(
    name: str,
    statement: str,
    term: Term,
    holds: Callable[[Family], bool],
    broken: Callable[[Family, Random], Family] | None,
) -> Given:
    """What is supposed of a family; a family that lacks it is drawn anew."""

    def repair(case: Tensors, random: Random) -> Tensors:
        return case if holds(family_of(case)) else with_family(case, _found(random, *ALL))

    def break_(case: Tensors, random: Random) -> Tensors:
        assert broken is not None
        return with_family(case, broken(family_of(case), random))

    return Given(name, term, statement, repair, break_, built_in=broken is None)


def _second_of_that_order(family: Family, random: Random) -> Family:
    """A second group of order d^beta."""
    return replace(family, q=family.p, c=0, b=Fraction(random.choice((1, 2)), 2))


def _of_order_d(family: Family, random: Random) -> Family:
    """beta = 1: the first eigenvalue is a share of d."""
    share = random.choice((Fraction(19, 20), Fraction(1), Fraction(1, 2)))
    return replace(family, p=family.m, a=share, b=Fraction(0))


def _many_of_middle_size(family: Family, random: Random) -> Family:
    """beta below 1/2, or many eigenvalues of an order just below d^beta."""
    m = random.randint(3, LARGEST)
    return Family(m, random.randint(1, (m - 1) // 2), 0, 0, Fraction(1), Fraction(0))


SPECTRA = _of_family(
    "a family of spectra",
    r"for every large $n$, $d=n^m$: $\lambda_1=an^p$, $n^c$ eigenvalues $bn^q$, all others equal, "
    r"$\lambda_i\ge0$, $\sum_i\lambda_i=d$; so $\lambda_1=\Theta(d^\beta)$ with $\beta=p/m$",
    IS_ONE,
    lambda family: family.is_one,
    None,
)
EQUAL_ROWS = _of_family(
    "rows of one norm",
    r"all rows of $M(H)$ have the same norm: for $n$ a power of $2$, "
    r"$M=Q\,\mathrm{diag}(\lambda)\,Q^\top/d$ with a Hadamard matrix $Q$",
    4**M >= 1 + 4**C,
    lambda family: family.fills_a_hadamard_matrix,
    None,
)
OTHERS = _of_family(
    "smaller others",
    r"$\lambda_i=o(d^\beta)$ for $i>1$",
    OTHERS_ARE_SMALLER,
    lambda family: family.is_one and family.others_are_smaller,
    _second_of_that_order,
)
BELOW_1 = _of_family(
    "beta below 1", r"$\beta<1$", P < M, lambda family: family.p < family.m, _of_order_d
)
SQUARES = _of_family(
    "squares of the others",
    r"$\sum_{i>1}\lambda_i^2=O(d^{2\beta})$",
    order(2) <= 2 * P,
    lambda family: family.is_one and family.degree(2) <= 2 * family.p,
    _many_of_middle_size,
)
ALL = (
    lambda family: family.others_are_smaller,
    lambda family: family.p < family.m,
    lambda family: family.degree(2) <= 2 * family.p,
)


GIVEN = (
    r"All rows of $M(H)$ have the same norm. If $\lambda_1=\Theta(d^\beta)$, "
    r"$\lambda_i=o(d^\beta)$ for $i>1$ and $\beta<1$"
)
MORE = r", and $\sum_{i>1}\lambda_i^2=O(d^{2\beta})$, then "


@dataclass(frozen=True)
class Stated:
    """One part of the example: its place and title, what it concludes, and the term."""

    where: str
    title: str
    conclusion: str
    says: Term


STATED = {
    "a": Stated(
        "Example 12, footnote 12",
        "regularity constant below 0.9",
        r"the regularity constant $\alpha$ associated with $\nu$ is less than $0.9$ for "
        r"sufficiently large $d$.",
        BELOW_NINE_TENTHS,
    ),
    "b": Stated(
        "details of Example 12, eq. (87)",
        "orders of the norms",
        r"$\lVert\lambda\rVert_3^3=\Theta(d^{3\beta})$ and "
        r"$\lVert\lambda\rVert_2^2=\Theta(d^{2\beta})$.",
        ORDERS_OF_NORMS,
    ),
    "c": Stated(
        "details of Example 12, eq. (88)",
        "orders of the traces",
        r"$\mathbb E[\mathrm{Tr}(M^3)]=\Theta(d^{3\beta})$ and $\mathbb E[\mathrm{Tr}"
        r"(\mathrm{diag}(M^2)^2)]=\lVert\lambda\rVert_2^4/d=\Theta(d^{4\beta-1})$.",
        ORDERS_OF_TRACES,
    ),
    "d": Stated(
        "details of Example 12, eq. (89)",
        "order of the regularity constant",
        r"$\alpha=\lim_{d\to\infty}\mathbb E[\mathrm{Tr}(\mathrm{diag}(M^2)^2)]/"
        r"\mathbb E[\mathrm{Tr}(M^3)]=O(d^{\beta-1})=0$.",
        ORDER_OF_ALPHA,
    ),
}


def _claim(part: str, *, mended: bool) -> Claim:
    said = STATED[part]
    argument = small_constant if part in "ad" else orders
    depends = {"a": "d", "d": "c", "c": "b"}
    end = ".fix" * mended
    return stated(
        f"dkbhl20.ex12.{part}{end}",
        printed(said.where),
        said.title + (", repaired" if mended else ""),
        GIVEN + (MORE if mended else ", then ") + said.conclusion,
        said.says,
        (SPECTRA, EQUAL_ROWS, OTHERS, BELOW_1, *((SQUARES,) if mended else ())),
        depends=(f"dkbhl20.ex12.{depends[part]}{end}",)
        if part in depends
        else ("dkbhl20.prop8.a@BA",),
        pool=FAMILIES,
        repairs=f"dkbhl20.ex12.{part}" if mended else None,
        proof=argument if mended else None,
    )


CLAIMS = tuple(_claim(part, mended=mended) for mended in (False, True) for part in STATED)
