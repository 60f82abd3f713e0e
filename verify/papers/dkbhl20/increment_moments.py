"""Means of the increments of one step, (68), (70), (71).

O(gamma^3) beside a polynomial in gamma says that its coefficients below gamma^3 agree.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from operator import and_

from graphs.normalised.increments import (
    PLACES,
    mean_product,
    moment_facts,
    second_moment,
)
from graphs.normalised.index_sums import SYMBOLS, Sums, coefficient_ring
from verify.core.argument import Argument, Step
from verify.language.building import Each, Sum, When, column, dot, row, trace, upto
from verify.language.terms import Term
from verify.papers.dkbhl20.increments import (
    Place,
    agree,
    at_strength,
    correlation,
    each_pair,
    increment,
    means,
    product,
)
from verify.papers.dkbhl20.lemma6_step import POSITIVE
from verify.papers.dkbhl20.notation import GAMMA
from verify.papers.dkbhl20.second_moments import SEMIDEFINITE, SIZE, UNIT_DIAGONAL, M
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.weight_laws import MEAN, STANDARD, VARIANCE, draw_of, weighted_pool
from verify.statements.stated import stated

KINDS = (("ij", "ij"), ("ij", "ii"), ("ii", "ii"), ("ii", "jj"))


# what is said -------------------------------------------------------------------------------------
def mean_increment(p: Term, q: Term) -> Term:
    """E Delta M_pq."""
    return at_strength(means(lambda w: increment(w, p, q)))


def pairs_of_places(i: Term, j: Term) -> tuple[tuple[Place, Place], ...]:
    """The rows of (71)."""
    at = {"ii": (i, i), "ij": (i, j), "jj": (j, j)}
    return tuple((at[one], at[other]) for one, other in KINDS)


def _factor(place: Place, r: Term, c: Term) -> Term:
    """That of W_rc in (W M + M W^T)_pq."""
    p, q = place
    return When(r == p, M[c, q], 0) + When(r == q, M[p, c], 0)


def by_weights(one: Place, other: Place) -> Term:
    """K: the mean of the product of two linear forms, weight by weight."""

    def mean(r: Term, c: Term, s: Term, e: Term) -> Term:
        shared = draw_of(SIZE, r, c) == draw_of(SIZE, s, e)
        return _factor(one, r, c) * _factor(other, s, e) * (MEAN**2 + When(shared, VARIANCE, 0))

    def over(of: Callable[[Term, Term], Term]) -> Term:
        return Sum(upto(SIZE), lambda r: Sum(upto(SIZE), lambda c: of(r, c)))

    return over(lambda r, c: over(lambda s, e: mean(r, c, s, e)))


def _expanded(one: Place, other: Place) -> Term:
    """E Delta M_pq Delta M_km has the coefficients 0, 0 and K."""
    found = means(lambda w: product(increment(w, *one), increment(w, *other)))
    return agree(found, (0, 0, by_weights(one, other)))


def _all_expanded(i: Term, j: Term) -> Term:
    found: Term = reduce(and_, (_expanded(*places) for places in pairs_of_places(i, j)))
    return found


def _of_the_table(i: Term, j: Term) -> Term:
    """(71)."""
    said = (
        dot(column(M, j), column(M, j)) + dot(row(M, i), row(M, i)),
        2 * dot(column(M, j), column(M, i)),
        4 * dot(column(M, i), column(M, i)),
        0,
    )
    return agree((correlation(*places) for places in pairs_of_places(i, j)), said)


MEANS = each_pair(lambda i, j: mean_increment(i, j) == 0) & Each(
    upto(SIZE),
    lambda i: (
        (mean_increment(i, i) == GAMMA**2 * trace(M)) & (mean_increment(i, i) == GAMMA**2 * SIZE)
    ),
)
PRODUCTS, TABLE = each_pair(_all_expanded), each_pair(_of_the_table)


# arguments ----------------------------------------------------------------------------------------
EVERY_WIDTH = (
    "equal normal forms of sums over indices are equal for every d, every symmetric M and every law"
)
USED = (
    "independent weights",
    "centred weights",
    "weights of variance one",
    "positive semidefinite",
    "unit diagonal",
)


def _facts(number: str) -> tuple[Step, ...]:
    return tuple(Step(*fact) for fact in moment_facts() if fact[0].startswith(number))


def increments_for_every_width() -> Argument:
    """(68)."""
    return Argument(
        "E W_pk = 0 and E W_pk W_qn = 1 where the two are one entry and 0 else, put into (64)",
        _facts("(68)"),
        (EVERY_WIDTH,),
        USED,
        section="docs/mathematics/dkbhl20.md#orders-in-gamma",
    )


def second_moments_for_every_width() -> Argument:
    """(71)."""
    return Argument(
        "K is a sum over pairs of weights, of which those that are one entry are left",
        _facts("(71)"),
        (EVERY_WIDTH,),
        USED,
        section="docs/mathematics/dkbhl20.md#orders-in-gamma",
    )


def at_order(sums: Sums, order: int) -> Sums:
    """The coefficient of a power of gamma."""
    ring, at = coefficient_ring(), SYMBOLS.index("gamma")
    kept = {}
    for diagram, coefficient in sums.terms.items():
        total = ring.constant(Fraction(0))
        for exponents, number in ring.terms(coefficient).items():
            if exponents[at] != order:
                continue
            term = ring.constant(number)
            for generator, power in zip(ring.generators, exponents, strict=True):
                for _ in range(0 if generator == ring.generators[at] else power):
                    term = term * generator
            total = total + term
        kept[diagram] = total
    return Sums(kept, sums.unit)


def products_for_every_width() -> Argument:
    """(70), with all moments left free."""
    steps = []
    for one, other in KINDS:
        places = PLACES[one], PLACES[other]
        product = mean_product(*places, unit=False)
        known = second_moment(*places, unit=False)
        for order in (0, 1):
            text = f"E Delta M_{one} Delta M_{other} has no term in gamma^{order}"
            steps.append(Step(text, at_order(product, order) == 0))
        text = f"and its term in gamma^2 is K_{one},{other}"
        steps.append(Step(text, at_order(product, 2) == known))
    return Argument(
        "the product of two increments is a polynomial in gamma of order two to four",
        tuple(steps),
        (EVERY_WIDTH,),
        ("independent weights", "positive semidefinite"),
        section="docs/mathematics/dkbhl20.md#orders-in-gamma",
    )


SUPPOSED = (*STANDARD, SEMIDEFINITE, UNIT_DIAGONAL)

CLAIMS = (
    stated(
        "dkbhl20.lem7_moments.a",
        printed("proof of Lemma 7, eq. (68)"),
        "means of the increments",
        r"$\mathbb E_W[\Delta M_{pq}]=0$ for $pq=\{ij\}$, $i\ne j$, and "
        r"$=\gamma^2\sum_{k=1}^dM_{kk}=\gamma^2d$ for $pq=\{ii,jj\}$, with "
        r"$\Delta M=\gamma WM+\gamma MW^\top+\gamma^2WMW^\top$.",
        MEANS,
        (*SUPPOSED, POSITIVE),
        depends=("dkbhl20.def1.a",),
        pool=weighted_pool(M, GAMMA),
        proof=increments_for_every_width,
    ),
    stated(
        "dkbhl20.lem7_moments.b",
        printed("proof of Lemma 7, eq. (70)"),
        "means of products of increments",
        r"$\mathbb E_W[\Delta M_{pq}\Delta M_{km}]=\gamma^2K_{pq,km}+O(\gamma^3)$, "
        r"$K_{pq,km}:=\mathbb E_W\big[[WM+MW^\top]_{pq}[WM+MW^\top]_{km}\big]$: the coefficients "
        r"of $\gamma^0,\gamma^1,\gamma^2$ agree.",
        PRODUCTS,
        SUPPOSED,
        depends=("dkbhl20.def1.a",),
        pool=weighted_pool(M),
        proof=products_for_every_width,
    ),
    stated(
        "dkbhl20.lem7_moments.c",
        printed("proof of Lemma 7, eq. (71)"),
        "second moments of the linear parts",
        r"$K_{ij,ij}=\sum_kM_{kj}^2+\sum_nM_{in}^2$; $K_{ij,ii}=2\sum_kM_{kj}M_{ki}$; "
        r"$K_{ii,ii}=4\sum_kM_{ki}^2$; $K_{ii,jj}=0$, for $i\ne j$.",
        TABLE,
        SUPPOSED,
        depends=("dkbhl20.lem7_moments.b",),
        pool=weighted_pool(M),
        proof=second_moments_for_every_width,
    ),
)
