"""Definition 3, (49) and Corollary 15 (b) along long runs: what averages depend on, and what not.

Averages of runs from different starts are compared, all of full rank; that they agree is what (49)
says of one invariant law; but rank one states have laws of their own, and uniqueness is not what
makes them agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from verify.core.claim import Claim, Kind
from verify.core.experiment import Measured
from verify.core.experiment import Setting as Budgeted
from verify.core.plots import Plot, thinned
from verify.kinds.statistics.confidence import bounded_interval
from verify.kinds.statistics.sampling import Arm, Relation, Sampled
from verify.papers.dkbhl20.long_runs import BASE, SCOPE, Setting, run_of
from verify.papers.dkbhl20.sources import printed

if TYPE_CHECKING:
    from numerics.chains.normalised import Seen

OTHERS = ("orthonormal rows", "X-COLL(1/10)", "X-MEAN(3)", "X-DIGITS")
GAMMAS = ((1.0,), (0.1, 1.0, float("inf")), (0.05, 0.1, 0.5, 1.0, 10.0, float("inf")))
SIZES = {"r": 2.5, "frobenius": 26.0, "cube": 110.0, "squares": 100.0, "rank[0.5]": 3.0}
"""The functions that are printed, and about how large their averages are at d = 8."""
MOST = (16, 64, 128)
LIMITS = "limits of averages, which those over a run are near"


def _differences(
    scale: int, value: Callable[[Seen], np.ndarray], word: str, starts: int
) -> list[Arm]:
    """The value of a run from X-FULL less that of a run from another start."""

    def drawn(one: Setting, two: Setting) -> Callable[[int, np.random.Generator], np.ndarray]:
        def draw(count: int, generator: np.random.Generator) -> np.ndarray:
            values = [
                value(run_of(each, count, generator, scale, thresholds=(0.5,)))
                for each in (one, two)
            ]
            return np.asarray(values[0] - values[1])

        return draw

    arms = []
    for gamma in GAMMAS[scale]:
        one = replace(BASE, gamma=gamma)
        for start in OTHERS[:starts]:
            two = replace(one, start=start)
            arms.append(Arm(f"{word}{one.name} against {start}", drawn(one, two)))
    return arms


def alpha_arms(scale: int) -> list[Arm]:
    """Estimates of alpha from two starts."""
    return _differences(scale, lambda seen: seen.regularity().value, "", len(OTHERS))


def average_arms(scale: int) -> list[Arm]:
    """Averages of the printed functions from two starts, over their size in a run."""
    arms: list[Arm] = []
    for name, size in SIZES.items():

        def share(seen: Seen, name: str = name, size: float = size) -> np.ndarray:
            return np.asarray(seen.mean(name) / size)

        arms += _differences(scale, share, f"{name}: ", 2)
    return arms


# Corollary 15 (b) ---------------------------------------------------------------------------------
LEVELS = (0.1, 0.5, 0.9)


SHARE = 0.05  # of the paths: fewer are none
ERROR, AGAINST = 0.01, 0.001  # of the intervals for shares, of all widths and levels together


def soft_ranks_along_paths(budgeted: Budgeted) -> Measured:
    """How many paths have a soft rank that never rises along the run, and how many of these fall
    below the bound of Theorem 14, with alpha of all paths of a width.

    The statement says of a path whose soft rank never rises that it stays above; so it is excluded
    where more than a share of the paths never rise and fall below, and supported where a share of
    them never rises and less than that share falls below.
    """
    scale = budgeted.scale
    widths = ((4, 8), (4, 8, 16), (4, 8, 16, 32, 64))[scale]
    count, depth = (32, 64, 256)[scale], (500, 4000, 40_000)[scale]
    generator = np.random.default_rng(budgeted.seed)
    settings = len(widths) * len(LEVELS)
    figures: dict[str, int | float | str] = {}
    lows: dict[float, list[float]] = {level: [] for level in LEVELS}
    never: list[tuple[float, float]] = []
    below: list[tuple[float, float]] = []
    excluded = []
    for width in widths:
        setting = replace(BASE, width=width, start="orthonormal rows")
        seen = run_of(setting, count, generator, scale, thresholds=LEVELS, depth=depth)
        rest = max(0.0, 1 - float(np.mean(seen.regularity().value)))
        for level in LEVELS:
            name = f"rank[{level:g}]"
            flat, least = np.asarray(seen.rises(name)) == 0, np.asarray(seen.least(name))
            under = flat & (least < (1 - level) ** 2 * (rest * width) ** 0.5)
            never.append(bounded_interval(flat.astype(float), 0, 1, ERROR / settings))
            below.append(bounded_interval(under.astype(float), 0, 1, ERROR / settings))
            wide = bounded_interval(under.astype(float), 0, 1, AGAINST / settings)
            excluded.append(wide[0] > SHARE)
            low = float(least.min() / ((1 - level) ** 2 * width**0.5))
            figures[f"d = {width}, tau = {level:g}"] = (
                f"{int(flat.sum())} of {count} paths never rise, {int(under.sum())} of these fall "
                f"below; least soft rank of any over (1 - tau)^2 sqrt(d): {low:.3g}"
            )
            lows[level].append(low)
    curves = tuple(
        thinned(f"tau = {level:g}", list(map(float, widths)), lows[level]) for level in LEVELS
    )
    told = (
        f"d = N in {widths}, gamma = 0.1, W-U3, orthonormal rows, {count} paths of {depth} layers"
        f", tau in {LEVELS}"
    )
    spoken_of = max(low for low, _ in never) > SHARE
    return Measured(
        spoken_of and all(high <= SHARE for _, high in below) and not any(excluded),
        f"the share of paths whose soft rank never rises is at most "
        f"{max(high for _, high in never):.3g} in each of {settings} settings, and that of those "
        f"which fall below (1 - tau)^2 sqrt((1 - alpha) d) as well at most "
        f"{max(high for _, high in below):.3g} (intervals but for a probability of {ERROR:g}; "
        f"criterion: the first is above {SHARE:g} in some setting, as the statement is about these "
        f"paths, and the second at most that in all; excluded where the second is above it but for "
        f"a probability of {AGAINST:g}).",
        (told,),
        figures,
        (Plot("Least soft rank over (1 - tau)^2 sqrt(d)", "width", "ratio", curves),),
        instances=settings * count,
        excluded=any(excluded),
    )


CLAIMS = (
    Claim(
        "dkbhl20.def3.c",
        Kind.EXPECTATION,
        printed("Appendix E, after Definition 3"),
        "the regularity constant from averages along the chain",
        r"$\alpha$ can be estimated from (49) with $g_1(H)=\mathrm{Tr}(M(H)^3)$ and $g_2(H)="
        r"\mathrm{Tr}(\mathrm{diag}(M(H)^2)^2)$ (seen is that estimates from different inputs of "
        "full rank have one mean).",
        depends=("dkbhl20.def3.a",),
        sampled=Sampled(
            "the difference of alpha from two starts",
            alpha_arms,
            Relation.ZERO,
            0.01,
            MOST,
            SCOPE,
            stands_for=LIMITS,
        ),
    ),
    Claim(
        "dkbhl20.ergodic.b.runs",
        Kind.EXPECTATION,
        printed("eqs. (32), (40), (49), (61)"),
        "averages along the chain from several starts",
        r"Not printed: for $\mathrm{rank}(X)=d$, uniqueness not supposed, "
        r"$\frac1L\sum_{\ell=1}^Lg(H_\ell)$ has a limit that $X$ does not change, for $g$ one of "
        r"$r$, $\lVert M\rVert_F^2$, $\mathrm{Tr}M^3$, $\mathrm{Tr}(\mathrm{diag}(M^2)^2)$, "
        r"$\mathrm{rank}_{1/2}$.",
        depends=("dkbhl20.ergodic.b",),
        sampled=Sampled(
            "the relative difference of averages from two starts",
            average_arms,
            Relation.ZERO,
            0.05,
            MOST,
            SCOPE,
            stands_for=LIMITS,
        ),
    ),
    Claim(
        "dkbhl20.cor15.b",
        Kind.EXPERIMENT,
        printed("Corollary 15"),
        "the soft rank of every layer",
        r"Assuming that $\{\mathrm{rank}_\tau(H_\ell)\}$ is a monotonically non-increasing "
        r"sequence, $\mathrm{rank}_\tau(H_\ell)=\Omega((1-\tau)^2\sqrt d)$ holds almost surely for "
        r"all finite $\ell$.",
        depends=("dkbhl20.thm14.c", "dkbhl20.lem16.a"),
        experiment=soft_ranks_along_paths,
        through="a soft rank that never rises is one that does not along the run, and the constant "
        "of Omega is that of Theorem 14 (docs/mathematics/dkbhl20.md#averages-and-limits)",
    ),
)
