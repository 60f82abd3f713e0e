"""Figures 3a, 8 and 9: averages along deep chains against the width.

Gaussian inputs, d = N, as printed; several seeds, and laws beside the Gaussian one at full size.
The averages run over all layers from the first, as printed, so that shallow runs at small gamma
still show their input. Parts of one figure look at the same chains.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf, log2, sqrt
from typing import TYPE_CHECKING

import numpy as np

from verify.claim import Claim, Kind
from verify.experiment import Measured, Setting
from verify.papers.dkbhl20.sources import printed
from verify.plots import Curve, Plot

if TYPE_CHECKING:
    from verify.kept import Arrays

LANES = 8  # seeds that the compiled kernel carries together up to width 40
STEP = 10  # layers from one that is looked at to the next
LAWS = ("W-G", "W-U3")
NORMAL = 1.96  # of the errors of averages over long runs


@dataclass(frozen=True)
class Sizes:
    """widths; depths: of the chains, one for each width; gammas; laws: by their names; seeds."""

    widths: tuple[int, ...]
    depths: tuple[int, ...]
    gammas: tuple[float, ...]
    laws: tuple[str, ...] = LAWS[:1]
    seeds: int = LANES


FIG3A = (
    Sizes((4, 8, 16), (200,) * 3, (1.0, inf)),
    Sizes((8, 16, 32, 64), (4000, 4000, 4000, 2000), (0.1, 1.0, inf)),
    Sizes(
        (8, 16, 32, 64, 128, 256),
        (10**6, 10**6, 10**6, 10**5, 10**5, 20_000),
        (0.01, 0.1, 1.0, inf),
        LAWS,
        4,
    ),
)
FIG8 = (
    Sizes((4, 8, 16), (300,) * 3, (0.1, 1.0)),
    Sizes((4, 8, 12, 16, 32, 64), (20_000, 20_000, 20_000, 10_000, 5000, 1500), (0.1, 1.0)),
    Sizes(
        (4, 8, 12, 16, 32, 64, 128, 256),
        (10**6, 10**6, 10**6, 10**6, 10**6, 10**5, 10**5, 30_000),
        (0.1, 1.0),
        LAWS,
        4,
    ),
)


@dataclass(frozen=True)
class Averages:
    """Averages along chains; arrays are (laws, gammas, widths, seeds), float64.

    soft_rank: of rank_{1/2}; r; frobenius: of |M|_F^2; alpha: the estimate (49); alpha_error: its
    standard error by batch means.
    """

    sizes: Sizes
    soft_rank: np.ndarray
    r: np.ndarray
    frobenius: np.ndarray
    alpha: np.ndarray
    alpha_error: np.ndarray


FIELDS = ("soft_rank", "r", "frobenius", "alpha", "alpha_error")


def averages(sizes: Sizes, setting: Setting) -> Averages:
    """Carry the chains, once for all who keep in the same place."""
    device = setting.device
    rows = []
    for law in sizes.laws:
        for width, depth in zip(sizes.widths, sizes.depths, strict=True):
            told = {
                "law": law,
                "width": width,
                "depth": depth,
                "gammas": [str(gamma) for gamma in sizes.gammas],
                "seeds": sizes.seeds,
                "seed": setting.common,
                "device": device,
            }
            make = partial(
                _carried, law, width, depth, sizes.gammas, sizes.seeds, setting.common, device
            )
            rows.append(setting.kept.once(__file__, told, make))
    shape = (len(sizes.laws), len(sizes.widths), len(sizes.gammas), sizes.seeds)
    arrays = {
        name: np.stack([row[name] for row in rows]).reshape(shape).swapaxes(1, 2) for name in FIELDS
    }
    return Averages(sizes, **arrays)


def _carried(
    law: str,
    width: int,
    depth: int,
    gammas: Sequence[float],
    seeds: int,
    seed: int,
    device: str,
) -> Arrays:
    """(gammas, seeds) of everything, for one law and one width."""
    import torch

    from numerics.chains.inputs import full
    from numerics.chains.laws import gaussian, uniform_of_variance_one
    from numerics.chains.normalised import run
    from numerics.chains.observables import FROBENIUS, Plan, R, rank_name

    made = {"W-G": gaussian, "W-U3": uniform_of_variance_one}[law]()
    count = len(gammas) * seeds
    inputs = full(torch.Generator().manual_seed(seed + width), count, width, width)
    seen = run(
        inputs,
        made,
        gammas=[gamma for gamma in gammas for _ in range(seeds)],
        seeds=range(seed, seed + count),
        plan=Plan(depth, stride=STEP, thresholds=(0.5,)),
        device=device,
    )
    alpha = seen.regularity()
    found = (
        seen.mean(rank_name(0.5)),
        seen.mean(R),
        seen.mean(FROBENIUS),
        alpha.value,
        alpha.error,
    )
    return {
        name: values.reshape(len(gammas), seeds) for name, values in zip(FIELDS, found, strict=True)
    }


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


def _named(found: Averages) -> list[tuple[str, int, int]]:
    """Each curve: its name, the places of its law and of its gamma."""
    sizes = found.sizes
    return [
        (f"{law}, γ = {'∞' if gamma == inf else f'{gamma:g}'}", i, j)
        for i, law in enumerate(sizes.laws)
        for j, gamma in enumerate(sizes.gammas)
    ]


def _slopes(found: Averages, field: str, claimed: float) -> dict[str, Slope]:
    values = getattr(found, field)
    return {
        name: slope_of(found.sizes.widths, values[i, j], claimed) for name, i, j in _named(found)
    }


def _told(slopes: dict[str, Slope]) -> str:
    return "; ".join(
        f"{name}: {one.value:.3f} ({one.low:.3f} to {one.high:.3f})" for name, one in slopes.items()
    )


def _scope(found: Averages) -> tuple[str, ...]:
    sizes = found.sizes
    depths = ", ".join(f"{d}: {L}" for d, L in zip(sizes.widths, sizes.depths, strict=True))
    told = (
        f"Gaussian inputs, d = N; depth L by width d: {depths}; {sizes.seeds} seeds of each, "
        f"every layer of number divisible by {STEP} measured, from the first on; weights "
        f"{' and '.join(sizes.laws)}"
    )
    return (told,)


def _figures(found: Averages, field: str) -> dict[str, int | float | str]:
    """Mean and standard deviation over seeds, by curve and width."""
    values = getattr(found, field)
    return {
        f"{name}, d = {width}": f"{values[i, j, k].mean():.5g} ± {values[i, j, k].std():.2g}"
        for name, i, j in _named(found)
        for k, width in enumerate(found.sizes.widths)
    }


def _plot(found: Averages, field: str, title: str, claimed: float | None = None) -> Plot:
    """Against the width; with the claimed power of it, dashed in the paper."""
    widths = tuple(map(float, found.sizes.widths))
    values = getattr(found, field).mean(axis=3)
    curves = [Curve(name, widths, tuple(values[i, j].tolist())) for name, i, j in _named(found)]
    if claimed is not None:
        curves.append(Curve(f"d^{claimed:g}", widths, tuple(w**claimed for w in widths)))
    logarithmic = claimed is not None
    return Plot(title, "width d", title, tuple(curves), x_log=True, y_log=logarithmic)


# Figure 3a ---------------------------------------------------------------------------------------
def soft_rank_grows(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(a): the slope of the average soft rank."""
    found = averages(sizes or FIG3A[setting.scale], setting)
    slopes = _slopes(found, "soft_rank", 0.5)
    return Measured(
        all(one.low >= 0.5 for one in slopes.values()),
        "log-log slope of the average of rank_{1/2} against d with 95 % interval: "
        f"{_told(slopes)} (criterion: all intervals at 1/2 or above).",
        _scope(found),
        _figures(found, "soft_rank") | {f"r, {k}": v for k, v in _figures(found, "r").items()},
        (_plot(found, "soft_rank", "average of rank_1/2", 0.5),),
        instances=found.soft_rank.size,
    )


def soft_rank_over_root(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(b): one constant for every gamma."""
    found = averages(sizes or FIG3A[setting.scale], setting)
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
        _scope(found),
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


def regularity_below(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(a): alpha below 0.9."""
    found = averages(sizes or FIG8[setting.scale], setting)
    alpha, error = _pooled_alpha(found)
    wide = [k for k, width in enumerate(found.sizes.widths) if width > 10]
    upper = (alpha + NORMAL * error)[:, :, wide]
    worst = tuple(map(int, np.unravel_index(int(upper.argmax()), upper.shape)))
    name = next(name for name, i, j in _named(found) if (i, j) == worst[:2])
    return Measured(
        bool((upper < 0.9).all()),
        f"largest upper end of the 95 % intervals of α over all widths above 10: "
        f"{upper[worst]:.4f}, at {name}, d = {found.sizes.widths[wide[worst[2]]]} (criterion: "
        "below 0.9).",
        _scope(found),
        _alpha_figures(found),
        (_plot(found, "alpha", "regularity constant α"),),
        instances=found.alpha.size,
    )


def regularity_decreasing(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(b): alpha decreasing from width to width."""
    found = averages(sizes or FIG8[setting.scale], setting)
    alpha, error = _pooled_alpha(found)
    drop = alpha[:, :, :-1] - alpha[:, :, 1:]
    beyond = drop - NORMAL * np.hypot(error[:, :, :-1], error[:, :, 1:])
    widths = found.sizes.widths
    open_ = [
        f"{name}, d = {widths[k]} to {widths[k + 1]} ({drop[i, j, k]:+.4f})"
        for name, i, j in _named(found)
        for k in range(len(widths) - 1)
        if not beyond[i, j, k] > 0
    ]
    return Measured(
        not open_,
        "α falls from a width to the next by more than 1.96 standard errors in "
        f"{drop.size - len(open_)} of {drop.size} steps (criterion: all)"
        f"{'; not in ' if open_ else ''}{'; '.join(open_)}.",
        _scope(found),
        _alpha_figures(found),
        (_plot(found, "alpha", "regularity constant α"),),
        instances=found.alpha.size,
    )


def _alpha_figures(found: Averages) -> dict[str, int | float | str]:
    alpha, error = _pooled_alpha(found)
    return {
        f"{name}, d = {width}": f"{alpha[i, j, k]:.5f} ± {error[i, j, k]:.5f}"
        for name, i, j in _named(found)
        for k, width in enumerate(found.sizes.widths)
    }


def frobenius_grows(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """Figure 9: the slope of the average squared Frobenius norm."""
    found = averages(sizes or FIG8[setting.scale], setting)
    slopes = _slopes(found, "frobenius", 1.5)
    largest = max(float(one.ratios.max()) for one in slopes.values())
    return Measured(
        all(one.high <= 1.5 for one in slopes.values()),
        f"log-log slope of the average of |M|_F^2 against d with 95 % interval: {_told(slopes)} "
        f"(criterion: all intervals at 1.5 or below); the largest ratio of an average to d^1.5 is "
        f"{largest:.3f}.",
        _scope(found),
        _figures(found, "frobenius")
        | {
            f"{name}, log2 of the ratio to d^1.5 at d = {width}": log2(ratio)
            for name, one in slopes.items()
            for width, ratio in zip(found.sizes.widths, one.ratios.tolist(), strict=True)
        },
        (_plot(found, "frobenius", "average of |M|_F^2", 1.5),),
        instances=found.frobenius.size,
    )


def _claim(
    name: str, place: str, title: str, statement: str, run: Callable[..., Measured]
) -> Claim:
    return Claim(
        f"dkbhl20.{name}", Kind.EXPERIMENT, printed(place), title, statement, experiment=run
    )


CLAIMS = (
    _claim(
        "fig3a.a",
        "Figure 3a",
        "the average soft rank grows like the root of the width",
        r"For Gaussian data, $d=N$, the average of $\mathrm{rank}_{1/2}$ over the layers shows an "
        r"$\Omega(\sqrt d)$ dependency of $\lim\sum_\ell\mathrm{rank}_\tau(H_\ell)/L$.",
        soft_rank_grows,
    ),
    _claim(
        "fig3a.b",
        "Figure 3a",
        "for a wide range of residual strengths",
        r"The average of $\mathrm{rank}_{1/2}$ is $\Omega(\sqrt d)$ for a wide range of $\gamma$, "
        r"$\gamma=\infty$ included.",
        soft_rank_over_root,
    ),
    _claim(
        "fig8.a",
        "Figure 8",
        "the regularity constant is below 0.9",
        r"The regularity constant of the invariant distribution, estimated along one chain, is "
        r"less than $0.9$ for $d>10$, for $\gamma=1$ and $\gamma=0.1$.",
        regularity_below,
    ),
    _claim(
        "fig8.b",
        "Figure 8",
        "the regularity constant decreases with the width",
        r"The estimated regularity constant is decreasing with respect to $d$, for $\gamma=1$ and "
        r"$\gamma=0.1$.",
        regularity_decreasing,
    ),
    _claim(
        "fig9",
        "Figure 9",
        "the Frobenius norm against the width",
        r"$\frac1L\sum_{\ell=1}^L\lVert M(H_\ell^{(\gamma)})\rVert_F^2$ grows as $O(d^{3/2})$, for "
        r"$\gamma=1$ and $\gamma=0.1$.",
        frobenius_grows,
    ),
)
