"""Theorem 14 and Theorem 2 along long runs, without uniqueness of the invariant distribution.

With uniqueness and a small gamma nothing meets the hypotheses (see `unique_laws`), so what can be
observed is the repaired statement: of every chain that starts at an input of full rank. alpha and
the averages are those of the same run. What the print calls necessary, or a belief, is a sampled
mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from verify.core.claim import Claim, Kind
from verify.kinds.statistics.rate import Claimed, Rate, Samples
from verify.kinds.statistics.sampling import Arm, Sampled
from verify.papers.dkbhl20.long_runs import (
    BASE,
    SCOPE,
    WIDTHS,
    Setting,
    arms_of,
    at_large_gamma,
    run_of,
    small,
)
from verify.papers.dkbhl20.sources import printed

if TYPE_CHECKING:
    from numerics.chains.normalised import Seen

HALF = 0.5
SOFT = "rank[0.5]"
NEAR = 0.05  # of an average: how far the average over twice as many layers may be from it
KEPT = 0.5  # of the way from rank one, r = 1, to the average r of the standard setting
LADDERS = ((4, 8, 16), (4, 8, 16, 32), (4, 8, 16, 32, 64, 128))
GAMMAS = (0.1, 1.0)
ALLOWED = Fraction(1, 10)  # slopes between small widths are below that in the limit


# values of a run ----------------------------------------------------------------------------------
def below_one(seen: Seen, setting: Setting) -> np.ndarray:
    """(C,): 1 - alpha."""
    return np.asarray(1 - seen.regularity().value)


def above_root(seen: Seen, setting: Setting) -> np.ndarray:
    """(C,): the average of r minus sqrt((1 - alpha) d)."""
    bound = np.sqrt(np.maximum(below_one(seen, setting), 0) * setting.width)
    return np.asarray(seen.mean("r") - bound)


def soft_above_root(seen: Seen, setting: Setting) -> np.ndarray:
    """(C,): the average of rank_(1/2) minus (1/4) sqrt((1 - alpha) d)."""
    bound = np.sqrt(np.maximum(below_one(seen, setting), 0) * setting.width)
    return np.asarray(seen.mean(SOFT) - (1 - HALF) ** 2 * bound)


def settled(seen: Seen, name: str) -> np.ndarray:
    """(C,): how much nearer than NEAR the averages over L and 2 L layers are."""
    whole, half = seen.mean(name), seen.first_half(name)
    return np.asarray(NEAR - np.abs(whole / half - 1))


# arms ---------------------------------------------------------------------------------------------
def constant_arms(scale: int) -> list[Arm]:
    """1 - alpha."""
    return arms_of(small(scale), below_one, scale)


def limit_arms(scale: int) -> list[Arm]:
    """Both averages of (58), over L and over 2 L layers."""
    settings = small(scale)
    ranks = arms_of(
        settings, lambda s, _: settled(s, SOFT), scale, thresholds=(HALF,), word="soft rank: "
    )
    return [*arms_of(settings, lambda s, _: settled(s, "r"), scale, word="r: "), *ranks]


def bound_arms(scale: int) -> list[Arm]:
    """The average of r against the bound."""
    return arms_of(small(scale), above_root, scale)


def wide_arms(scale: int) -> list[Arm]:
    """Soft rank and r against their bounds, at large gamma."""
    settings = at_large_gamma(scale)
    soft = arms_of(settings, soft_above_root, scale, thresholds=(HALF,), word="soft rank: ")
    return [*arms_of(settings, above_root, scale, word="r: "), *soft]


def falling_arms(scale: int) -> list[Arm]:
    """alpha at one width minus alpha at the next one."""
    arms = []
    for gamma in (0.1, 1.0, inf):
        base = replace(BASE, gamma=gamma)
        for one, two in zip(WIDTHS[scale], WIDTHS[scale][1:], strict=False):
            first, second = replace(base, width=one), replace(base, width=two)

            def draw(
                count: int,
                generator: np.random.Generator,
                first: Setting = first,
                second: Setting = second,
            ) -> np.ndarray:
                alphas = [
                    run_of(each, count, generator, scale).regularity().value
                    for each in (first, second)
                ]
                return np.asarray(alphas[0] - alphas[1])

            arms.append(Arm(f"{first.name} against d = {two}", draw))
    return arms


# slopes in d --------------------------------------------------------------------------------------
def roots(width: int, count: int, generator: np.random.Generator) -> Mapping[str, np.ndarray]:
    """sqrt((1 - alpha) d), each seed the mean of alpha over four chains."""
    found = {}
    for gamma in GAMMAS:
        seen = run_of(replace(BASE, width=width, gamma=gamma), 4 * count, generator, 1)
        rest = below_one(seen, BASE).reshape(count, 4).mean(axis=1)
        found[f"bound, gamma = {gamma:g}"] = np.sqrt(rest * width)
    return found


def averages(width: int, count: int, generator: np.random.Generator) -> Mapping[str, np.ndarray]:
    """The averages of r and of rank_(1/2), each seed one chain."""
    found = {}
    for gamma in GAMMAS:
        setting = replace(BASE, width=width, gamma=gamma)
        seen = run_of(setting, count, generator, 1, thresholds=(HALF,))
        found[f"r, gamma = {gamma:g}"] = seen.mean("r")
        found[f"soft rank, gamma = {gamma:g}"] = seen.mean(SOFT)
    return found


def norms(width: int, count: int, generator: np.random.Generator) -> Mapping[str, np.ndarray]:
    """The average of |M|_F^2, each seed one chain."""
    return {
        f"norm, gamma = {gamma:g}": run_of(
            replace(BASE, width=width, gamma=gamma), count, generator, 1
        ).mean("frobenius")
        for gamma in GAMMAS
    }


def _rate(
    samples: Samples, words: tuple[str, ...], low: Fraction | None, high: Fraction | None
) -> Rate:
    claimed = tuple(
        Claimed(f"{word}, gamma = {gamma:g}", low, high, ALLOWED)
        for gamma in GAMMAS
        for word in words
    )
    return Rate("width", LADDERS, (4, 8, 16), samples, claimed, ("N = d, W-U3, X-FULL", SCOPE[0]))


# which hypotheses matter --------------------------------------------------------------------------
BROKEN_INPUTS = ("X-ONE", "X-LOW(2)")
BROKEN_LAWS = ("W-POS", "W-TRI", "W-ASYM", "W-G + 1/3", "W-R", "W-G, rows", "W-G, symmetric")


def dropped_arms(scale: int) -> list[Arm]:
    """Half of the way from rank one to the average r of the standard setting, less the average r
    with one of the two assumptions dropped; of independent chains."""
    base = replace(BASE, width=(8, 16, 32)[scale])
    broken = [replace(base, start=name) for name in BROKEN_INPUTS[: 1 + (scale > 0)]]
    broken += [replace(base, law=name) for name in BROKEN_LAWS[: 2 + 5 * (scale > 0)]]

    def drawn(setting: Setting) -> Callable[[int, np.random.Generator], np.ndarray]:
        def draw(count: int, generator: np.random.Generator) -> np.ndarray:
            standard, found = (
                run_of(each, count, generator, scale).mean("r") for each in (base, setting)
            )
            return np.asarray(KEPT * (1 + standard) - found)

        return draw

    return [Arm(setting.name, drawn(setting)) for setting in broken]


# claims -------------------------------------------------------------------------------------------
FULL = r"for $\mathrm{rank}(X)=d$, small $\gamma$ and every $\tau\in[0,1]$, whether or not the "
FULL += "invariant distribution is unique"


def _sampled(part: str, title: str, statement: str, sampled: Sampled, *, mended: bool) -> Claim:
    return Claim(
        f"dkbhl20.thm14.{part}{'.fix' * mended}",
        Kind.EXPECTATION,
        printed("Theorem 14, eq. (58)" if mended else "after Theorem 14"),
        title,
        statement,
        repairs=f"dkbhl20.thm14.{part}" if mended else None,
        sampled=sampled,
    )


CLAIMS = (
    _sampled(
        "a",
        "the regularity constant is below one, repaired",
        rf"$\alpha<1$ for averages along a chain, {FULL}.",
        Sampled("1 - alpha", constant_arms, scope=SCOPE),
        mended=True,
    ),
    _sampled(
        "b",
        "both limits exist, repaired",
        rf"The averages of $\mathrm{{rank}}_\tau(H_\ell)$ and $r(H_\ell)$ have limits {FULL} (seen "
        rf"is that the averages over $L$ and $2L$ layers differ by at most {NEAR:g} of them).",
        Sampled(
            f"{NEAR:g} minus the relative change from L to 2 L layers",
            limit_arms,
            scope=SCOPE,
            stands_for="a limit, to which longer runs may come",
        ),
        mended=True,
    ),
    _sampled(
        "d",
        "the average surrogate against the width, repaired",
        rf"$\lim_{{L\to\infty}}\frac1L\sum_{{\ell=1}}^Lr(H_\ell)\ge(1-\alpha)^{{1/2}}\sqrt d$ "
        rf"{FULL}.",
        Sampled("the average of r minus sqrt((1 - alpha) d)", bound_arms, scope=SCOPE),
        mended=True,
    ),
    Claim(
        "dkbhl20.thm14.e",
        Kind.RATE,
        printed("after Theorem 14"),
        "the bound grows like the root of the width",
        r"Assuming that $\alpha$ does not increase with $d$, the bound is proportional to "
        r"$(1-\alpha)^{1/2}\sqrt d=\Omega(\sqrt d)$.",
        rate=_rate(roots, ("bound",), Fraction(1, 2), None),
    ),
    Claim(
        "dkbhl20.thm14.f",
        Kind.RATE,
        printed("Theorem 2, eq. (5)"),
        "averages grow like the root of the width",
        r"For $\mathrm{rank}(X)=d$ and sufficiently small $\gamma$ (independent of $\ell$): "
        r"$\lim_{L\to\infty}\frac1L\sum_{\ell=1}^L\mathrm{rank}_\tau(H_\ell^{(\gamma)})\ge"
        r"\lim_{L\to\infty}\frac{(1-\tau)^2}L\sum_{\ell=1}^Lr(H_\ell^{(\gamma)})="
        r"\Omega((1-\tau)^2\sqrt d)$ almost surely; for $\tau=1/2$ the average number of singular "
        r"values greater than $\sqrt{N/2}$ is at least $\Omega(\sqrt d)$.",
        depends=("dkbhl20.thm14.c",),
        rate=_rate(averages, ("r", "soft rank"), Fraction(1, 2), None),
    ),
    Claim(
        "dkbhl20.thm14.j",
        Kind.EXPECTATION,
        printed("Section 3.1, after Theorem 2"),
        "both assumptions are necessary",
        "Both assumptions, full-rank input and standard initialisation, are indeed necessary for "
        "batch normalisation to yield a robust rank (without one of them the average of $r$ is "
        "nearer to $1$, that of rank one, than to the average with both).",
        sampled=Sampled(
            "half of the way from rank one to the standard average of r, less the average of r "
            "with one assumption dropped,",
            dropped_arms,
            most=(16, 32, 128),
            scope=("N = d, gamma = 1/10, independent chains",),
        ),
        through="collapse is rank one, r = 1, and a rank is lost where the average of r is nearer "
        "to that than to the one with both assumptions "
        "(docs/mathematics/dkbhl20.md#what-is-left-of-theorem-14)",
        why="Weights of mean zero that are not symmetric around zero, or have no density, keep "
        "the average of $r$ at that of the standard initialisation.",
    ),
    _sampled(
        "k",
        "the regularity constant does not increase with the width",
        r"$\alpha$ is non-increasing in $d$ (the print: this can be proved; seen is $\alpha$ at "
        "each width less that at the next one).",
        Sampled("alpha at one width minus alpha at the next", falling_arms, scope=SCOPE),
        mended=False,
    ),
    _sampled(
        "l",
        "the bound at large strengths",
        r"The bound holds for a much wider range of $\gamma$ than proved, $\gamma=\infty$ included "
        r"($\tau=1/2$).",
        Sampled("an average minus its bound in (58)", wide_arms, scope=SCOPE),
        mended=False,
    ),
    Claim(
        "dkbhl20.lem13.c",
        Kind.RATE,
        printed("after Lemma 13"),
        "growth of the Frobenius norm",
        r"As $\alpha$ is observed to be less than $0.9$ for sufficiently large $d$ (Fig. 8), an "
        r"upper bound $O(d^{3/2})$ is achievable on the Frobenius norm.",
        depends=("dkbhl20.lem13.a",),
        rate=_rate(norms, ("norm",), None, Fraction(3, 2)),
    ),
)
