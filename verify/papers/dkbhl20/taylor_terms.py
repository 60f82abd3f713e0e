"""Lemma 7 and the Taylor terms of its proof: (66), (69), (73), (74), (43).

For weights in [-B, B] and M with unit diagonal, E g_ij(M_gamma) is a power series in gamma that
converges for gamma d B < 1 (graphs.normalised.series), so what is O(gamma^n) is what has no
coefficient below gamma^n: the claims are identities between coefficients. Without a bound the same
holds where the third absolute moment is finite, as it is for every law of the table: off |W| <=
c/gamma, which has probability O(gamma^3), g lies in [0, 1].
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

from graphs.normalised.increments import (
    derivative_facts,
    first_term,
    moment_facts,
    moments_needed,
    second_term,
    term_facts,
)
from graphs.normalised.series import mean_coefficients, remainder_facts, series_facts
from verify.core.argument import Argument, Step
from verify.core.claim import Claim
from verify.language.building import Sum, When, dot, frob2, row, upto
from verify.language.terms import Term
from verify.papers.dkbhl20.increment_moments import EVERY_WIDTH, USED, at_order
from verify.papers.dkbhl20.increments import (
    Place,
    Series,
    agree,
    at_strength,
    correlation,
    each_pair,
    increment,
    means,
    moved_square,
    total,
)
from verify.papers.dkbhl20.laws import frobenius_change
from verify.papers.dkbhl20.lemma6_step import POSITIVE
from verify.papers.dkbhl20.lemma7_derivatives import first_derivatives, second_derivatives
from verify.papers.dkbhl20.lemma7_derivatives import square as square_of
from verify.papers.dkbhl20.notation import GAMMA
from verify.papers.dkbhl20.second_moments import SEMIDEFINITE, SIZE, UNIT_DIAGONAL, M
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.weight_laws import BOUNDED, STANDARD, weighted_pool
from verify.statements.stated import stated


# what is said -------------------------------------------------------------------------------------
def _places(i: Term, j: Term) -> tuple[Place, Place, Place]:
    """S."""
    return (i, i), (i, j), (j, j)


def _entries(i: Term, j: Term) -> tuple[Term, Term, Term]:
    """Those of M there."""
    return M[i, i], M[i, j], M[j, j]


def _increment_at(place: Place, w: Term) -> Series:
    return increment(w, *place)


def taylor_1(i: Term, j: Term) -> Series:
    """T_1 of (66)."""
    slopes = first_derivatives(*_entries(i, j))
    changes = [means(partial(_increment_at, place)) for place in _places(i, j)]
    first, second, third = (
        total(slope * change[n] for slope, change in zip(slopes, changes, strict=True))
        for n in range(3)
    )
    return first, second, third


def square(i: Term, j: Term) -> Term:
    """g_ij(M)."""
    return square_of(*_entries(i, j))


def taylor_2(i: Term, j: Term) -> Term:
    """The coefficient of gamma^2 of T_2 of (66), by (70)."""
    places, table = _places(i, j), second_derivatives(*_entries(i, j))
    return total(
        table[a][b] / 2 * correlation(places[a], places[b]) for a, b in product(range(3), repeat=2)
    )


def printed_second_term(i: Term, j: Term) -> Term:
    """The right side of (73)."""
    squares = dot(row(M, i), row(M, i)) + dot(row(M, j), row(M, j))
    mixed = 8 * M[i, j] * dot(row(M, i), row(M, j))
    return squares - mixed + 4 * M[i, j] ** 2 * squares


def _expansion(i: Term, j: Term) -> Term:
    """(66)."""
    zeroth, first, second = taylor_1(i, j)
    found = means(lambda w: moved_square(w, i, j))
    return agree(found, (square(i, j) + zeroth, first, second + taylor_2(i, j)))


def _entry_change(i: Term, j: Term) -> Term:
    """(74), multiplied by gamma^2."""
    found = means(lambda w: moved_square(w, i, j))
    said = printed_second_term(i, j) - 2 * SIZE * square(i, j)
    return agree(found, (square(i, j), 0, said))


def _norm(n: int) -> Term:
    """The coefficient of gamma^n of the sum over i != j of E g_ij(M_gamma)."""

    def entry(i: Term, j: Term) -> Term:
        return When(i == j, 0, means(lambda w: moved_square(w, i, j))[n])

    return Sum(upto(SIZE), lambda i: Sum(upto(SIZE), lambda j: entry(i, j)))


EXPANSION, ENTRY_CHANGE = each_pair(_expansion), each_pair(_entry_change)
FIRST = each_pair(lambda i, j: at_strength(taylor_1(i, j)) == -2 * GAMMA**2 * SIZE * square(i, j))
SECOND = each_pair(lambda i, j: GAMMA**2 * taylor_2(i, j) == printed_second_term(i, j))
SECOND_MENDED = each_pair(
    lambda i, j: GAMMA**2 * taylor_2(i, j) == GAMMA**2 * printed_second_term(i, j)
)
NORM_CHANGE = agree((SIZE + _norm(0), _norm(1), _norm(2)), (frob2(M), 0, frobenius_change(M)))
"""The diagonal of M_+ being one."""


# arguments ----------------------------------------------------------------------------------------
BOUNDS = (
    "power series dominated by one with positive coefficients: so are their remainders",
    "the inequality of Cauchy and Schwarz",
    "the means are power series in gamma where gamma d B < 1",
    "O(gamma^n) says that their coefficients below gamma^n agree",
)
EXPANDED = ("independent weights", "bounded weights", "positive semidefinite", "unit diagonal")


def _steps(facts: Any, *starts: str) -> tuple[Step, ...]:
    return tuple(Step(*fact) for fact in facts if not starts or fact[0].startswith(starts))


def expansion_for_every_width() -> Argument:
    """(66): all moments left free."""
    constant, first, second = mean_coefficients(2)
    linear, quadratic = (at_order(first_term(), n) for n in (1, 2))
    steps = (
        *_steps(derivative_facts()),
        *_steps(series_facts(), "the coefficient of gamma^0"),
        Step("the coefficient of gamma^0 takes no mean", not moments_needed(constant)),
        Step("that of gamma is that of T_1", first == linear),
        Step("that of gamma^2 is that of T_1 + T_2", second == quadratic + second_term()),
        *_steps(remainder_facts()),
    )
    return Argument(
        "E g_ij(M_gamma) is a power series in gamma; its terms to gamma^2 are those of T_1 and "
        "T_2, and its remainder is at most C_3(t_0) (gamma d B)^3 for gamma d B <= t_0 < 1",
        steps,
        (EVERY_WIDTH, *BOUNDS),
        EXPANDED,
        section="docs/mathematics/dkbhl20.md#orders-in-gamma",
    )


def first_term_for_every_width() -> Argument:
    """(69)."""
    return Argument(
        "(67) and (68) put into T_1",
        (*_steps(derivative_facts(), "(67)"), *_steps(term_facts(), "(69)")),
        (EVERY_WIDTH,),
        USED,
        section="docs/mathematics/dkbhl20.md#orders-in-gamma",
    )


def second_term_for_every_width() -> Argument:
    """(73), with gamma^2."""
    facts = _steps(derivative_facts(), "(72)"), _steps(moment_facts(), "(71)")
    return Argument(
        "(71) and (72) put into T_2: gamma^2 times what is printed, and O(gamma^3)",
        (*facts[0], *facts[1], *_steps(term_facts(), "(73)")),
        (EVERY_WIDTH,),
        USED,
        section="docs/mathematics/dkbhl20.md#orders-in-gamma",
    )


STANDARDISED = (*USED[:3], "bounded weights", *USED[3:])


def change_for_every_width() -> Argument:
    """(74)."""
    return Argument(
        "E g_ij(M_gamma) is a power series in gamma: of its terms the first is g_ij(M), the second "
        "0, the third (74), and the remainder is at most C_3(t_0) (gamma d B)^3",
        (*_steps(series_facts()), *_steps(remainder_facts())),
        (EVERY_WIDTH, *BOUNDS),
        STANDARDISED,
        section="docs/mathematics/dkbhl20.md#orders-in-gamma",
    )


def lemma_for_every_width() -> Argument:
    """(43)."""
    last = _steps(term_facts(), "the sum of (74)")
    return Argument(
        "the sum over i != j of (74) is delta_F(M), and that of the remainders is at most "
        "d (d - 1) C_3(t_0) (gamma d B)^3 for gamma d B <= t_0 < 1",
        (*_steps(series_facts()), *last, *_steps(remainder_facts())),
        (EVERY_WIDTH, *BOUNDS),
        STANDARDISED,
        section="docs/mathematics/dkbhl20.md#orders-in-gamma",
    )


# claims -------------------------------------------------------------------------------------------
OF_BOUNDED = (*STANDARD, BOUNDED, SEMIDEFINITE, UNIT_DIAGONAL)
ROWS = (
    r"\sum_kM_{kj}^2+\sum_nM_{in}^2{0}-8\sum_kM_{kj}M_{ij}M_{ki}+4\sum_kM_{ij}^2M_{ki}^2"
    r"+4\sum_kM_{ij}^2M_{kj}^2"
)


def _second(*, mended: bool) -> Claim:
    right = ROWS.replace("{0}", "")
    shown = rf"\gamma^2\Big[{right}\Big]+O(\gamma^3)" if mended else right
    return stated(
        "dkbhl20.lem7_T1T2.c" + ".fix" * mended,
        printed("proof of Lemma 7, eq. (73)"),
        "the second Taylor term" + ", repaired" * mended,
        rf"$T_2={shown}$, with $T_2=\frac12\sum_{{pq,km\in S}}\frac{{\partial^2g(M)}}"
        r"{\partial M_{pq}\partial M_{km}}\mathbb E_W[\Delta M_{pq}\Delta M_{km}]$"
        + ("." if mended else r" taken to the order $\gamma^2$, by (70)."),
        SECOND_MENDED if mended else SECOND,
        (*OF_BOUNDED, POSITIVE),
        depends=("dkbhl20.lem7_derivs.b", "dkbhl20.lem7_moments.c"),
        pool=weighted_pool(M, GAMMA),
        repairs="dkbhl20.lem7_T1T2.c" if mended else None,
        proof=second_term_for_every_width if mended else None,
    )


CLAIMS = (
    stated(
        "dkbhl20.lem7_T1T2.a",
        printed("proof of Lemma 7, eq. (66)"),
        "Taylor expansion of g",
        r"$\mathbb E_W[g(M_\gamma)]=g(M)+T_1+T_2+O(\gamma^3)$, "
        r"$T_1=\sum_{pq\in S}\frac{\partial g(M)}{\partial M_{pq}}\mathbb E_W[\Delta M_{pq}]$, "
        r"$T_2=\frac12\sum_{pq,km\in S}\frac{\partial^2g(M)}{\partial M_{pq}\partial M_{km}}"
        r"\mathbb E_W[\Delta M_{pq}\Delta M_{km}]$, $S=\{ii,ij,jj\}$, $i\ne j$: the coefficients "
        r"below $\gamma^3$ agree.",
        EXPANSION,
        OF_BOUNDED,
        depends=("dkbhl20.lem7_derivs.a", "dkbhl20.lem7_derivs.b"),
        pool=weighted_pool(M),
        proof=expansion_for_every_width,
    ),
    stated(
        "dkbhl20.lem7_T1T2.b",
        printed("proof of Lemma 7, eq. (69)"),
        "the first Taylor term",
        r"$T_1=-2\gamma^2d\,g(M)$.",
        FIRST,
        (*OF_BOUNDED, POSITIVE),
        depends=("dkbhl20.lem7_derivs.a", "dkbhl20.lem7_moments.a"),
        pool=weighted_pool(M, GAMMA),
        proof=first_term_for_every_width,
    ),
    _second(mended=False),
    _second(mended=True),
    stated(
        "dkbhl20.lem7_T1T2.d",
        printed("proof of Lemma 7, eq. (74)"),
        "mean change of an entry",
        rf"$\mathbb E_W[g_{{ij}}(M_+)-g_{{ij}}(M)]/\gamma^2="
        rf"{ROWS.replace('{0}', '-2d g_{ij}(M)')}+O(\gamma)$ for $i\ne j$: the coefficients below "
        rf"$\gamma$ agree.",
        ENTRY_CHANGE,
        OF_BOUNDED,
        depends=("dkbhl20.lem7_T1T2.a", "dkbhl20.lem7_T1T2.b", "dkbhl20.lem7_T1T2.c"),
        pool=weighted_pool(M),
        proof=change_for_every_width,
    ),
    stated(
        "dkbhl20.lem7",
        printed("Lemma 7, eq. (43)"),
        "mean change of the Frobenius norm",
        r"If $W\sim\mu$ and the support of $\mathcal P$ lies in $[-B,B]$, then $\big(\mathbb E_W"
        r"\lVert M_+\rVert_F^2-\lVert M\rVert_F^2\big)/\gamma^2=2d^2-2\lVert M\rVert_F^2"
        r"-8\mathrm{Tr}(M^3)+8\mathrm{Tr}(\mathrm{diag}(M^2)^2)+O(\gamma)$: the coefficients below "
        r"$\gamma$ agree.",
        NORM_CHANGE,
        OF_BOUNDED,
        depends=("dkbhl20.lem7_T1T2.d", "dkbhl20.lem7.a"),
        pool=weighted_pool(M),
        proof=lemma_for_every_width,
    ),
)
