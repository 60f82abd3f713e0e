"""Lemma 7 and the Taylor terms of its proof: (66), (69), (73), (74), (43).

For weights in [-B, B] and M with unit diagonal, E g_ij(M_gamma) is a power series in gamma that
converges for gamma d B < 1 (graphs.normalised.series), so what is O(gamma^n) is what has no
coefficient below gamma^n: the claims are identities between coefficients. Without a bound the same
holds where the third absolute moment is finite, as it is for every law of the table: off |W| <=
c/gamma, which has probability O(gamma^3), g lies in [0, 1].
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
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
from verify.cases.scenes import Entries
from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.kinds.normalised.hypotheses import SEMIDEFINITE, UNIT_DIAGONAL
from verify.kinds.normalised.scene import ChainScene
from verify.papers.dkbhl20.increment_moments import (
    EVERY_WIDTH,
    STRENGTH,
    USED,
    Pairs,
    at_order,
)
from verify.papers.dkbhl20.increment_moments import increments_of as known_of
from verify.papers.dkbhl20.increments import (
    Increments,
    frobenius_change,
    printed_second_term,
)
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.weight_laws import BOUNDED, STANDARD, weighted_pool
from verify.statements.quantities import each_case


def _over_pairs(rule: Any, scene: ChainScene) -> Entries:
    """Entries by part of a rule of the increments, i != j and gamma; those of a pair are labelled
    with it. None where M has a 0 on its diagonal."""

    def pairs(case: Tensors) -> Pairs:
        known = known_of(case)
        gamma = case.number("gamma") if "gamma" in case.arrays else Fraction(1)
        return [
            ({"part": f"{part} {i} {j}"}, value)
            for i, j in known.pairs
            for part, value in rule(known, i, j, gamma).items()
        ]

    return each_case(pairs, scene)


# measures -----------------------------------------------------------------------------------------
def taylor_expansion(scene: ChainScene) -> Entries:
    """The coefficients of gamma^0, gamma^1, gamma^2 of E g_ij(M_gamma) - g_ij(M) - T_1 - T_2."""

    def rule(known: Increments, i: int, j: int, gamma: Fraction) -> dict[str, Fraction]:
        first, second = known.first_term(i, j), known.second_term(i, j)
        said = known.g(i, j) + first[0], first[1], first[2] + second
        found = known.mean_squares(i, j)
        return {f"order {n}": found[n] - said[n] for n in range(3)}

    return _over_pairs(rule, scene)


def first_taylor_term(scene: ChainScene) -> Entries:
    """T_1 + 2 gamma^2 d g_ij(M)."""

    def rule(known: Increments, i: int, j: int, gamma: Fraction) -> dict[str, Fraction]:
        found = sum((part * gamma**n for n, part in enumerate(known.first_term(i, j))), Fraction(0))
        return {"T1": found + 2 * gamma**2 * known.width * known.g(i, j)}

    return _over_pairs(rule, scene)


def second_taylor_term(scene: ChainScene, *, mended: bool) -> Entries:
    """T_2 without O(gamma^3), minus the right side of (73); mended: that times gamma^2."""

    def rule(known: Increments, i: int, j: int, gamma: Fraction) -> dict[str, Fraction]:
        factor = gamma**2 if mended else Fraction(1)
        said = factor * printed_second_term(known.moments, i, j)
        return {"T2": gamma**2 * known.second_term(i, j) - said}

    return _over_pairs(rule, scene)


def entry_change(scene: ChainScene) -> Entries:
    """The coefficients of 1/gamma^2, 1/gamma and 1 of E[g_ij(M_+) - g_ij(M)]/gamma^2, minus those
    of (74): 0, 0 and the printed sum."""

    def rule(known: Increments, i: int, j: int, gamma: Fraction) -> dict[str, Fraction]:
        found, g = known.mean_squares(i, j), known.g(i, j)
        said = printed_second_term(known.moments, i, j) - 2 * known.width * g
        return {"order 0": found[0] - g, "order 1": found[1], "order 2": found[2] - said}

    return _over_pairs(rule, scene)


def mean_change(scene: ChainScene) -> Entries:
    """The coefficients of 1/gamma^2, 1/gamma and 1 of (E|M_+|_F^2 - |M|_F^2)/gamma^2, minus those
    of (43): 0, 0 and delta_F(M)."""

    def pairs(case: Tensors) -> Pairs:
        known = known_of(case)
        norm = sum((entry**2 for row in known.moments for entry in row), Fraction(0))
        total = [Fraction(known.width) - norm, Fraction(0), -frobenius_change(known.moments)]
        for i, j in known.pairs:
            for n, part in enumerate(known.mean_squares(i, j)):
                total[n] += part
        return [({"part": f"order {n}"}, value) for n, value in enumerate(total)]

    return each_case(pairs, scene)


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
        "taylor_expansion",
        EXPANDED,
        section="docs/mathematics/dkbhl20.md#orders-in-gamma",
    )


def first_term_for_every_width() -> Argument:
    """(69)."""
    return Argument(
        "(67) and (68) put into T_1",
        (*_steps(derivative_facts(), "(67)"), *_steps(term_facts(), "(69)")),
        (EVERY_WIDTH,),
        "first_taylor_term",
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
        "second_taylor_term(mended=True)",
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
        "entry_change",
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
        "mean_change",
        STANDARDISED,
        section="docs/mathematics/dkbhl20.md#orders-in-gamma",
    )


# claims -------------------------------------------------------------------------------------------
AROUND = (SEMIDEFINITE, UNIT_DIAGONAL)
HYPOTHESES = (*STANDARD, BOUNDED, *AROUND)
AT_GAMMA, ANY_GAMMA = weighted_pool("M", "gamma"), weighted_pool("M")
ROWS = (
    r"\sum_kM_{kj}^2+\sum_nM_{in}^2{0}-8\sum_kM_{kj}M_{ij}M_{ki}+4\sum_kM_{ij}^2M_{ki}^2"
    r"+4\sum_kM_{ij}^2M_{kj}^2"
)


def _second(*, mended: bool) -> Claim:
    right = ROWS.replace("{0}", "")
    shown = rf"\gamma^2\Big[{right}\Big]+O(\gamma^3)" if mended else right
    return Claim(
        "dkbhl20.lem7_T1T2.c" + ".fix" * mended,
        Kind.IDENTITY,
        printed("proof of Lemma 7, eq. (73)"),
        "the second Taylor term" + ", repaired" * mended,
        rf"$T_2={shown}$, with $T_2=\frac12\sum_{{pq,km\in S}}\frac{{\partial^2g(M)}}"
        r"{\partial M_{pq}\partial M_{km}}\mathbb E_W[\Delta M_{pq}\Delta M_{km}]$"
        + ("." if mended else r" taken to the order $\gamma^2$, by (70)."),
        (*HYPOTHESES, STRENGTH),
        ("dkbhl20.lem7_derivs.b", "dkbhl20.lem7_moments.c"),
        partial(second_taylor_term, mended=mended),
        AT_GAMMA,
        repairs="dkbhl20.lem7_T1T2.c" if mended else None,
        exact_only=True,
        proof=second_term_for_every_width if mended else None,
    )


CLAIMS = (
    Claim(
        "dkbhl20.lem7_T1T2.a",
        Kind.IDENTITY,
        printed("proof of Lemma 7, eq. (66)"),
        "Taylor expansion of g",
        r"$\mathbb E_W[g(M_\gamma)]=g(M)+T_1+T_2+O(\gamma^3)$, "
        r"$T_1=\sum_{pq\in S}\frac{\partial g(M)}{\partial M_{pq}}\mathbb E_W[\Delta M_{pq}]$, "
        r"$T_2=\frac12\sum_{pq,km\in S}\frac{\partial^2g(M)}{\partial M_{pq}\partial M_{km}}"
        r"\mathbb E_W[\Delta M_{pq}\Delta M_{km}]$, $S=\{ii,ij,jj\}$, $i\ne j$: the coefficients "
        r"below $\gamma^3$ agree.",
        HYPOTHESES,
        ("dkbhl20.lem7_derivs.a", "dkbhl20.lem7_derivs.b"),
        taylor_expansion,
        ANY_GAMMA,
        exact_only=True,
        proof=expansion_for_every_width,
    ),
    Claim(
        "dkbhl20.lem7_T1T2.b",
        Kind.IDENTITY,
        printed("proof of Lemma 7, eq. (69)"),
        "the first Taylor term",
        r"$T_1=-2\gamma^2d\,g(M)$.",
        (*HYPOTHESES, STRENGTH),
        ("dkbhl20.lem7_derivs.a", "dkbhl20.lem7_moments.a"),
        first_taylor_term,
        AT_GAMMA,
        exact_only=True,
        proof=first_term_for_every_width,
    ),
    _second(mended=False),
    _second(mended=True),
    Claim(
        "dkbhl20.lem7_T1T2.d",
        Kind.IDENTITY,
        printed("proof of Lemma 7, eq. (74)"),
        "mean change of an entry",
        rf"$\mathbb E_W[g_{{ij}}(M_+)-g_{{ij}}(M)]/\gamma^2="
        rf"{ROWS.replace('{0}', '-2d g_{ij}(M)')}+O(\gamma)$ for $i\ne j$: the coefficients below "
        rf"$\gamma$ agree.",
        HYPOTHESES,
        ("dkbhl20.lem7_T1T2.a", "dkbhl20.lem7_T1T2.b", "dkbhl20.lem7_T1T2.c"),
        entry_change,
        ANY_GAMMA,
        exact_only=True,
        proof=change_for_every_width,
    ),
    Claim(
        "dkbhl20.lem7",
        Kind.IDENTITY,
        printed("Lemma 7, eq. (43)"),
        "mean change of the Frobenius norm",
        r"If $W\sim\mu$ and the support of $\mathcal P$ lies in $[-B,B]$, then $\big(\mathbb E_W"
        r"\lVert M_+\rVert_F^2-\lVert M\rVert_F^2\big)/\gamma^2=2d^2-2\lVert M\rVert_F^2"
        r"-8\mathrm{Tr}(M^3)+8\mathrm{Tr}(\mathrm{diag}(M^2)^2)+O(\gamma)$: the coefficients below "
        r"$\gamma$ agree.",
        HYPOTHESES,
        ("dkbhl20.lem7_T1T2.d", "dkbhl20.lem7.a"),
        mean_change,
        ANY_GAMMA,
        exact_only=True,
        proof=lemma_for_every_width,
    ),
)
