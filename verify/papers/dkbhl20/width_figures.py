"""Figures 3a, 8 and 9: averages along deep chains against the width.

Parts of one figure look at the same chains. Chains with inputs and laws that the figures do not
speak of are shown beside them, and not judged: where the criterion fails there, what is printed is
seen to need its setting.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import log2, sqrt

import numpy as np

from verify.core.claim import Claim, Kind
from verify.core.experiment import Measured, Setting
from verify.core.plots import Curve, Plot
from verify.papers.dkbhl20.outside import beside
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.width_averages import BESIDE, FIG3A, FIG8, Averages, Sizes, averages

NORMAL = 1.96  # of the errors of averages over long runs


# slopes ------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Slope:
    """Of the logarithm of averages against log d, by least squares through all seeds; low, high:
    its 95 % interval. ratios: the mean over seeds over d^claimed, by width."""

    value: float
    low: float
    high: float
    ratios: np.ndarray


def slope_of(widths: Sequence[int], values: np.ndarray, claimed: float) -> Slope:
    """values: (widths, seeds), positive.

    >>> round(slope_of((2, 4, 8), np.array([[2.0], [4.0], [8.0]]), 1).value, 12)
    1.0
    """
    from scipy.stats import linregress, t

    x = np.repeat(np.log(widths), values.shape[1])
    line = linregress(x, np.log(values).ravel())
    reach = float(t.ppf(0.975, len(x) - 2) * line.stderr)
    ratios = values.mean(axis=1) / np.array(widths, dtype=float) ** claimed
    value = float(line.slope)
    return Slope(value, value - reach, value + reach, ratios)


def _slopes(found: Averages, field: str, claimed: float) -> dict[str, Slope]:
    values = getattr(found, field)
    return {
        name: slope_of(found.sizes.widths, values[i, j], claimed) for name, i, j in found.curves
    }


def _told(slopes: dict[str, Slope]) -> str:
    return "; ".join(
        f"{name}: {one.value:.3f} ({one.low:.3f} to {one.high:.3f})" for name, one in slopes.items()
    )


def _figures(found: Averages, field: str) -> dict[str, int | float | str]:
    """Mean and standard deviation over seeds, by curve and width."""
    values = getattr(found, field)
    return {
        f"{name}, d = {width}": f"{values[i, j, k].mean():.5g} ± {values[i, j, k].std():.2g}"
        for name, i, j in found.curves
        for k, width in enumerate(found.sizes.widths)
    }


def _plot(found: Averages, field: str, title: str, claimed: float | None = None) -> Plot:
    """Against the width; with the claimed power of it, dashed in the paper."""
    widths = tuple(map(float, found.sizes.widths))
    values = getattr(found, field).mean(axis=3)
    curves = [Curve(name, widths, tuple(values[i, j].tolist())) for name, i, j in found.curves]
    if claimed is not None:
        curves.append(Curve(f"d^{claimed:g}", widths, tuple(w**claimed for w in widths)))
    logarithmic = claimed is not None
    return Plot(title, "width d", title, tuple(curves), x_log=True, y_log=logarithmic)


# Figure 3a ---------------------------------------------------------------------------------------
def soft_rank_grows(found: Averages) -> Measured:
    """(a): the slope of the average soft rank."""
    slopes = _slopes(found, "soft_rank", 0.5)
    return Measured(
        all(one.low >= 0.5 for one in slopes.values()),
        "log-log slope of the average of rank_{1/2} against d with 95 % interval: "
        f"{_told(slopes)} (criterion: all intervals at 1/2 or above).",
        (found.line(),),
        _figures(found, "soft_rank") | {f"r, {k}": v for k, v in _figures(found, "r").items()},
        (_plot(found, "soft_rank", "average of rank_1/2", 0.5),),
        instances=found.soft_rank.size,
    )


def soft_rank_over_root(found: Averages) -> Measured:
    """(b): one constant for every gamma."""
    slopes = _slopes(found, "soft_rank", 0.5)
    least = {name: float(one.ratios.min()) for name, one in slopes.items()}
    kept = all(one.ratios.min() >= 0.9 * one.ratios[0] for one in slopes.values())
    together = max(least.values()) <= 2 * min(least.values())
    said = "; ".join(f"{name}: {value:.3f}" for name, value in least.items())
    return Measured(
        kept and together,
        f"least ratio of the average of rank_{{1/2}} to √d over the widths: {said} (criterion: for "
        "each γ and law at least 0.9 of the ratio at the smallest width; the largest of these at "
        "most twice the smallest).",
        (found.line(),),
        {
            f"{name}, ratio at d = {width}": float(ratio)
            for name, one in slopes.items()
            for width, ratio in zip(found.sizes.widths, one.ratios, strict=True)
        },
        (_plot(found, "soft_rank", "average of rank_1/2", 0.5),),
        instances=found.soft_rank.size,
    )


# Figures 8 and 9 ---------------------------------------------------------------------------------
def _pooled_alpha(found: Averages) -> tuple[np.ndarray, np.ndarray]:
    """(laws, gammas, widths): the mean over seeds, and its error: the larger of that from the
    spread of the seeds and that from batch means."""
    count = found.sizes.seeds
    batches = np.sqrt(np.square(found.alpha_error).mean(axis=3) / count)
    spread = found.alpha.std(axis=3, ddof=1) / sqrt(count)
    return found.alpha.mean(axis=3), np.maximum(batches, spread)


def regularity_below(found: Averages) -> Measured:
    """(a): alpha below 0.9."""
    alpha, error = _pooled_alpha(found)
    wide = [k for k, width in enumerate(found.sizes.widths) if width > 10]
    upper = (alpha + NORMAL * error)[:, :, wide]
    worst = tuple(map(int, np.unravel_index(int(upper.argmax()), upper.shape)))
    name = next(name for name, i, j in found.curves if (i, j) == worst[:2])
    return Measured(
        bool((upper < 0.9).all()),
        f"largest upper end of the 95 % intervals of α over all widths above 10: "
        f"{upper[worst]:.4f}, at {name}, d = {found.sizes.widths[wide[worst[2]]]} (criterion: "
        "below 0.9).",
        (found.line(),),
        _alpha_figures(found),
        (_plot(found, "alpha", "regularity constant α"),),
        instances=found.alpha.size,
    )


def regularity_decreasing(found: Averages) -> Measured:
    """(b): alpha decreasing from width to width."""
    alpha, error = _pooled_alpha(found)
    drop = alpha[:, :, :-1] - alpha[:, :, 1:]
    beyond = drop - NORMAL * np.hypot(error[:, :, :-1], error[:, :, 1:])
    widths = found.sizes.widths
    open_ = [
        f"{name}, d = {widths[k]} to {widths[k + 1]} ({drop[i, j, k]:+.4f})"
        for name, i, j in found.curves
        for k in range(len(widths) - 1)
        if not beyond[i, j, k] > 0
    ]
    return Measured(
        not open_,
        "α falls from a width to the next by more than 1.96 standard errors in "
        f"{drop.size - len(open_)} of {drop.size} steps (criterion: all)"
        f"{'; not in ' if open_ else ''}{'; '.join(open_)}.",
        (found.line(),),
        _alpha_figures(found),
        (_plot(found, "alpha", "regularity constant α"),),
        instances=found.alpha.size,
    )


def _alpha_figures(found: Averages) -> dict[str, int | float | str]:
    alpha, error = _pooled_alpha(found)
    return {
        f"{name}, d = {width}": f"{alpha[i, j, k]:.5f} ± {error[i, j, k]:.5f}"
        for name, i, j in found.curves
        for k, width in enumerate(found.sizes.widths)
    }


def frobenius_grows(found: Averages) -> Measured:
    """Figure 9: the slope of the average squared Frobenius norm."""
    slopes = _slopes(found, "frobenius", 1.5)
    largest = max(float(one.ratios.max()) for one in slopes.values())
    return Measured(
        all(one.high <= 1.5 for one in slopes.values()),
        f"log-log slope of the average of |M|_F^2 against d with 95 % interval: {_told(slopes)} "
        f"(criterion: all intervals at 1.5 or below); the largest ratio of an average to d^1.5 is "
        f"{largest:.3f}.",
        (found.line(),),
        _figures(found, "frobenius")
        | {
            f"{name}, log2 of the ratio to d^1.5 at d = {width}": log2(ratio)
            for name, one in slopes.items()
            for width, ratio in zip(found.sizes.widths, one.ratios.tolist(), strict=True)
        },
        (_plot(found, "frobenius", "average of |M|_F^2", 1.5),),
        instances=found.frobenius.size,
    )


# the runs ----------------------------------------------------------------------------------------
Judge = Callable[[Averages], Measured]


def run(
    judge: Judge,
    tables: tuple[Sizes, ...],
    setting: Setting,
    sizes: Sizes | None = None,
    others: Sizes | None = None,
) -> Measured:
    """Judge the chains of a figure; beside them the same criterion for each law and input that it
    does not speak of."""
    shown = judge(averages(sizes or tables[setting.scale], setting))
    found = averages(others or BESIDE[setting.scale], setting)
    measured = {arm.name: judge(found.of_arm(i)) for i, arm in enumerate(found.sizes.arms)}
    plots = [replace(one, title=f"{one.title}, outside the setting") for one in judge(found).plots]
    return beside(shown, measured, found.line(), plots)


def _claim(
    name: str,
    place: str,
    title: str,
    statement: str,
    judge: Judge,
    tables: tuple[Sizes, ...],
) -> Claim:
    return Claim(
        f"dkbhl20.{name}",
        Kind.EXPERIMENT,
        printed(place),
        title,
        statement,
        experiment=partial(run, judge, tables),
    )


CLAIMS = (
    _claim(
        "fig3a.a",
        "Figure 3a",
        "the average soft rank grows like the root of the width",
        r"For Gaussian data, $d=N$, the average of $\mathrm{rank}_{1/2}$ over the layers shows an "
        r"$\Omega(\sqrt d)$ dependency of $\lim\sum_\ell\mathrm{rank}_\tau(H_\ell)/L$.",
        soft_rank_grows,
        FIG3A,
    ),
    _claim(
        "fig3a.b",
        "Figure 3a",
        "for a wide range of residual strengths",
        r"The average of $\mathrm{rank}_{1/2}$ is $\Omega(\sqrt d)$ for a wide range of $\gamma$, "
        r"$\gamma=\infty$ included.",
        soft_rank_over_root,
        FIG3A,
    ),
    _claim(
        "fig8.a",
        "Figure 8",
        "the regularity constant is below 0.9",
        r"The regularity constant of the invariant distribution, estimated along one chain, is "
        r"less than $0.9$ for $d>10$, for $\gamma=1$ and $\gamma=0.1$.",
        regularity_below,
        FIG8,
    ),
    _claim(
        "fig8.b",
        "Figure 8",
        "the regularity constant decreases with the width",
        r"The estimated regularity constant is decreasing with respect to $d$, for $\gamma=1$ and "
        r"$\gamma=0.1$.",
        regularity_decreasing,
        FIG8,
    ),
    _claim(
        "fig9",
        "Figure 9",
        "the Frobenius norm against the width",
        r"$\frac1L\sum_{\ell=1}^L\lVert M(H_\ell^{(\gamma)})\rVert_F^2$ grows as $O(d^{3/2})$, for "
        r"$\gamma=1$ and $\gamma=0.1$.",
        frobenius_grows,
        FIG8,
    ),
)
