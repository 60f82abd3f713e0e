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
from functools import partial
from random import Random
from typing import Any

from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.normalised.scene import Chained, ChainScene, as_chain
from verify.papers.dkbhl20.growing_proofs import orders, small_constant
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.spectrum_families import Family, leading, monomial, plus, times
from verify.statements.quantities import both_sides

SIZES = ("m", "p", "c", "q")
LARGEST = 10


# instances ----------------------------------------------------------------------------------------
def family_of(case: Tensors) -> Family:
    """The family of an instance."""
    m, p, c, q = map(case.whole, SIZES)
    return Family(m, p, c, q, case.number("a"), case.number("b"))


def with_family(case: Chained, family: Family) -> Chained:
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


def _menu(case: Tensors, random: Random) -> Chained:
    made = as_chain(case, random)
    return with_family(made, drawn(random)) if random.random() < 0.7 else made


FAMILIES = TensorPool((("a", ()), ("b", ())), tuple((name, 0, LARGEST) for name in SIZES), 1, _menu)


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
    holds: Callable[[Family], bool],
    broken: Callable[[Family, Random], Family] | None,
) -> Hypothesis:
    """What is supposed of a family; a family that lacks it is drawn anew."""

    def repair(case: Chained, random: Random) -> Chained:
        return case if holds(family_of(case)) else with_family(case, _found(random, *ALL))

    def break_(case: Chained, random: Random) -> Chained:
        assert broken is not None
        return with_family(case, broken(family_of(case), random))

    test = by_case(lambda case: holds(family_of(case)))
    return Hypothesis(name, statement, test, repair, break_ if broken is not None else None)


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
    lambda family: family.is_one,
    None,
)
EQUAL_ROWS = _of_family(
    "rows of one norm",
    r"all rows of $M(H)$ have the same norm: for $n$ a power of $2$, "
    r"$M=Q\,\mathrm{diag}(\lambda)\,Q^\top/d$ with a Hadamard matrix $Q$",
    lambda family: family.fills_a_hadamard_matrix,
    None,
)
OTHERS = _of_family(
    "smaller others",
    r"$\lambda_i=o(d^\beta)$ for $i>1$",
    lambda family: family.is_one and family.others_are_smaller,
    _second_of_that_order,
)
BELOW_1 = _of_family("beta below 1", r"$\beta<1$", lambda family: family.p < family.m, _of_order_d)
SQUARES = _of_family(
    "squares of the others",
    r"$\sum_{i>1}\lambda_i^2=O(d^{2\beta})$",
    lambda family: family.is_one and family.degree(2) <= 2 * family.p,
    _many_of_middle_size,
)
ALL = (
    lambda family: family.others_are_smaller,
    lambda family: family.p < family.m,
    lambda family: family.degree(2) <= 2 * family.p,
)


# measures -----------------------------------------------------------------------------------------
Sides = list[tuple[dict[str, Any], Fraction, Fraction]]


def _below(family: Family) -> Sides:
    above, below = family.alpha
    difference = plus(times(below, monomial(9, 0)), times(above, monomial(-10, 0)))
    return [({}, leading(difference)[1] if difference else Fraction(-1), Fraction(0))]


def _norms(family: Family) -> Sides:
    return [
        ({"part": "cube"}, Fraction(family.degree(3)), Fraction(3 * family.p)),
        ({"part": "square"}, Fraction(family.degree(2)), Fraction(2 * family.p)),
    ]


def _traces(family: Family) -> Sides:
    diagonal, said = 2 * family.degree(2) - family.m, 4 * family.p - family.m
    return [
        ({"part": "cube"}, Fraction(family.degree(3)), Fraction(3 * family.p)),
        ({"part": "diagonal"}, Fraction(diagonal), Fraction(said)),
    ]


def _limit(family: Family) -> Sides:
    (above, one), (below, other) = map(leading, family.alpha)
    falls = below - above
    limit = Fraction(0) if falls > 0 else one / other
    return [
        ({"part": "order"}, Fraction(falls), Fraction(family.m - family.p)),
        ({"part": "limit"}, Fraction(0), limit),
    ]


def _measured(scene: ChainScene, function: Callable[[Family], Sides]) -> Entries:
    """Of each instance that is a family of spectra."""

    def sides(case: Tensors) -> Sides:
        family = family_of(case)
        return function(family) if family.is_one else []

    return both_sides(sides, scene)


def below_nine_tenths(scene: ChainScene) -> Entries:
    """The leading coefficient of 9 d |l|_3^3 - 10 |l|_2^4 in n (cleared of denominators): above 0
    exactly where alpha < 0.9 for every large n."""
    return _measured(scene, _below)


def orders_of_norms(scene: ChainScene) -> Entries:
    """The degrees in n of |l|_3^3 and |l|_2^2, minus 3 p and 2 p."""
    return _measured(scene, _norms)


def orders_of_traces(scene: ChainScene) -> Entries:
    """The degrees in n of Tr M^3 and |l|_2^4 / d, minus 3 p and 4 p - m."""
    return _measured(scene, _traces)


def order_of_alpha(scene: ChainScene) -> Entries:
    """Minus the degree of alpha, minus (m - p); and minus its limit (or leading coefficient)."""
    return _measured(scene, _limit)


GIVEN = (
    r"All rows of $M(H)$ have the same norm. If $\lambda_1=\Theta(d^\beta)$, "
    r"$\lambda_i=o(d^\beta)$ for $i>1$ and $\beta<1$"
)
MORE = r", and $\sum_{i>1}\lambda_i^2=O(d^{2\beta})$, then "


@dataclass(frozen=True)
class Stated:
    """One part of the example: its kind, place and title, what it concludes, and the measure."""

    kind: Kind
    where: str
    title: str
    conclusion: str
    measure: Callable[[ChainScene], Entries]


STATED = {
    "a": Stated(
        Kind.INEQUALITY,
        "Example 12, footnote 12",
        "regularity constant below 0.9",
        r"the regularity constant $\alpha$ associated with $\nu$ is less than $0.9$ for "
        r"sufficiently large $d$.",
        below_nine_tenths,
    ),
    "b": Stated(
        Kind.IDENTITY,
        "details of Example 12, eq. (87)",
        "orders of the norms",
        r"$\lVert\lambda\rVert_3^3=\Theta(d^{3\beta})$ and "
        r"$\lVert\lambda\rVert_2^2=\Theta(d^{2\beta})$.",
        orders_of_norms,
    ),
    "c": Stated(
        Kind.IDENTITY,
        "details of Example 12, eq. (88)",
        "orders of the traces",
        r"$\mathbb E[\mathrm{Tr}(M^3)]=\Theta(d^{3\beta})$ and $\mathbb E[\mathrm{Tr}"
        r"(\mathrm{diag}(M^2)^2)]=\lVert\lambda\rVert_2^4/d=\Theta(d^{4\beta-1})$.",
        orders_of_traces,
    ),
    "d": Stated(
        Kind.INEQUALITY,
        "details of Example 12, eq. (89)",
        "order of the regularity constant",
        r"$\alpha=\lim_{d\to\infty}\mathbb E[\mathrm{Tr}(\mathrm{diag}(M^2)^2)]/"
        r"\mathbb E[\mathrm{Tr}(M^3)]=O(d^{\beta-1})=0$.",
        order_of_alpha,
    ),
}


def _claim(part: str, *, mended: bool) -> Claim:
    said = STATED[part]
    argument = small_constant if part in "ad" else orders
    depends = {"a": "d", "d": "c", "c": "b"}
    end = ".fix" * mended
    return Claim(
        f"dkbhl20.ex12.{part}{end}",
        said.kind,
        printed(said.where),
        said.title + (", repaired" if mended else ""),
        GIVEN + (MORE if mended else ", then ") + said.conclusion,
        (SPECTRA, EQUAL_ROWS, OTHERS, BELOW_1, *((SQUARES,) if mended else ())),
        (f"dkbhl20.ex12.{depends[part]}{end}",) if part in depends else ("dkbhl20.prop8.a@BA",),
        said.measure,
        FAMILIES,
        repairs=f"dkbhl20.ex12.{part}" if mended else None,
        exact_only=True,
        proof=partial(argument, said.measure.__name__) if mended else None,
    )


CLAIMS = tuple(_claim(part, mended=mended) for mended in (False, True) for part in STATED)
