"""Figure 3b: spectra through the layers from nearly collinear inputs.

Width, gamma and the inputs are not printed: X-COLL(e), u v^T plus e times Gaussian noise, with
d = N. Steps are of order gamma, so chains of small gamma go deeper.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from verify.claim import Claim, Kind
from verify.experiment import Measured, Setting
from verify.papers.dkbhl20.sources import printed
from verify.plots import Plot, thinned

if TYPE_CHECKING:
    from verify.kept import Arrays

TOP = 10  # singular values shown
FACTOR = 10.0  # by which what is amplified grows at least
SHARE = 0.1  # of the eigenvalues after the first: a "certain fraction"
HALF = 0.5


@dataclass(frozen=True)
class Sizes:
    """width d = N; spreads e; gammas and the depths for each; seeds."""

    width: int
    spreads: tuple[float, ...]
    gammas: tuple[float, ...]
    depths: tuple[int, ...]
    seeds: int


SIZES = (
    Sizes(8, (0.1, 1e-3), (1.0, inf), (64, 64), 2),
    Sizes(32, (0.1, 1e-3, 1e-6), (0.1, 1.0, inf), (4096, 1024, 1024), 8),
    Sizes(32, (0.1, 1e-3, 1e-6), (0.01, 0.1, 1.0, inf), (2**18, 2**13, 2**11, 2**11), 16),
)


@dataclass(frozen=True)
class Course:
    """One e and one gamma. layers: (K,), 0 and 1 first; eigenvalues: (K, S, d) of M, the largest
    first; angle: (K,), the mean over seeds of the angle between the first two samples (as lines),
    in degrees."""

    spread: float
    gamma: float
    layers: np.ndarray
    eigenvalues: np.ndarray
    angle: np.ndarray

    @property
    def name(self) -> str:
        """e and gamma in words."""
        gamma = "∞" if self.gamma == inf else f"{self.gamma:g}"
        return f"e = {self.spread:g}, γ = {gamma}"

    @property
    def values(self) -> np.ndarray:
        """(K, min(d, 10)): sigma_i / sqrt(N), geometric means over seeds."""
        top = np.sqrt(np.maximum(self.eigenvalues[:, :, :TOP], 1e-300))
        return np.asarray(np.exp(np.log(top).mean(axis=1)))

    @property
    def ratio(self) -> np.ndarray:
        """(K,): sigma_2 / sigma_1, of the geometric means."""
        return np.asarray(self.values[:, 1] / self.values[:, 0])

    @property
    def grown(self) -> float:
        """The share of the eigenvalues after the first that are ten times as large at the end as
        in the first layer, mean over seeds."""
        first, last = self.eigenvalues[1], self.eigenvalues[-1]
        return float((last[:, 1:] >= FACTOR * first[:, 1:]).mean())

    @property
    def falls(self) -> bool:
        """Whether the leading eigenvalue is smaller at the end than in the first layer, for every
        seed."""
        return bool((self.eigenvalues[-1, :, 0] < self.eigenvalues[1, :, 0]).all())

    @property
    def half_way(self) -> str:
        """The first layer looked at where sigma_2 is half of sigma_1."""
        reached = np.flatnonzero(self.ratio >= HALF)
        return f"layer {self.layers[reached[0]]}" if len(reached) else "not reached"


def courses(sizes: Sizes, setting: Setting) -> list[Course]:
    """Carry all chains, once for all who keep in the same place."""
    told = {
        **asdict(sizes),
        "gammas": list(map(str, sizes.gammas)),
        "seed": setting.common,
        "device": setting.device,
    }
    found = setting.kept.once(
        __file__, told, partial(_carried, sizes, setting.common, setting.device)
    )
    return [
        Course(
            spread,
            gamma,
            found[f"layers {j}"],
            found[f"eigenvalues {j}"][:, i * sizes.seeds : (i + 1) * sizes.seeds],
            found[f"angle {j}"][:, i * sizes.seeds : (i + 1) * sizes.seeds].mean(axis=1),
        )
        for i, spread in enumerate(sizes.spreads)
        for j, gamma in enumerate(sizes.gammas)
    ]


def layers_to(depth: int) -> tuple[int, ...]:
    """0, 1, 2, and on with some four layers to each doubling, to the depth.

    >>> layers_to(16)
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 16)
    """
    steps = np.round(2 ** np.arange(0, np.log2(depth) + 1e-9, 0.25)).astype(int)
    return tuple(sorted({0, *steps.tolist(), depth}))


def _carried(sizes: Sizes, seed: int, device: str) -> Arrays:
    """For gamma number j: "layers j" (K,), "eigenvalues j" (K, C, d), "angle j" (K, C); the seeds
    of one e beside each other."""
    import torch

    from numerics.chains.inputs import collinear
    from numerics.chains.laws import gaussian
    from numerics.chains.normalised import run
    from numerics.chains.observables import Plan

    d = sizes.width
    generator = torch.Generator().manual_seed(seed)
    inputs = torch.cat(
        [collinear(generator, sizes.seeds, d, d, spread) for spread in sizes.spreads]
    )
    found = {}
    for j, (gamma, depth) in enumerate(zip(sizes.gammas, sizes.depths, strict=True)):
        layers = layers_to(depth)
        # nothing is summed along the way: one look, at the end
        plan = Plan(depth, stride=depth, checkpoints=layers, keep_states=True)
        seeds = range(seed, seed + len(inputs))
        seen = run(inputs, gaussian(), gammas=gamma, seeds=seeds, plan=plan, device=device)
        found[f"layers {j}"] = np.array(layers)
        found[f"eigenvalues {j}"] = np.stack(
            [point.eigenvalues.clamp(min=0).cpu().numpy() for point in seen.checkpoints]
        )
        states = [point.states for point in seen.checkpoints if point.states is not None]
        found[f"angle {j}"] = np.stack([angles(state[:, :, :2].cpu().numpy()) for state in states])
    return found


def angles(pairs: np.ndarray) -> np.ndarray:
    """(C,): the angle between the lines of two columns (C, d, 2), in degrees, 0 to 90."""
    one, two = pairs[:, :, 0], pairs[:, :, 1]
    one, two = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (one, two))
    apart, along = (np.linalg.norm(one - s * two, axis=1) for s in (1, -1))
    # both from differences: the cosine alone loses small angles
    return np.asarray(
        np.degrees(2 * np.arctan2(np.minimum(apart, along), np.maximum(apart, along)))
    )


def smaller_variations_grow(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(a): the second singular value over the first."""
    sizes = sizes or SIZES[setting.scale]
    found = courses(sizes, setting)
    growth = {one.name: float(one.ratio[-1] / one.ratio[1]) for one in found}
    near = [one for one in found if one.spread <= 1e-3]
    agrees = all(growth[one.name] >= FACTOR and one.falls for one in near)
    said = "; ".join(
        f"{one.name}: {growth[one.name]:.3g}, half of σ_1 {one.half_way}" for one in found
    )
    return Measured(
        bool(near) and agrees,
        f"σ_2/σ_1 at the end over that in the first layer: {said} (criterion: at least "
        f"{FACTOR:g} for each e of 0.001 or less, and there the largest singular value is smaller "
        "at the end than in the first layer).",
        _scope(sizes),
        _figures(found),
        tuple(_plot(one) for one in found),
        instances=len(found) * sizes.seeds,
    )


def small_eigenvalues_grow(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(b): the share of the small eigenvalues that grow, and the leading one."""
    sizes = sizes or SIZES[setting.scale]
    found = courses(sizes, setting)
    near = [one for one in found if one.spread <= 1e-3]
    said = "; ".join(
        f"{one.name}: {100 * one.grown:.0f} %, leading one {'falls' if one.falls else 'does not'}"
        for one in found
    )
    return Measured(
        bool(near) and all(one.grown >= SHARE and one.falls for one in near),
        f"share of the eigenvalues of M after the first that are {FACTOR:g} times as large at the "
        f"end as in the first layer: {said} (criterion: {100 * SHARE:.0f} % for each e of 0.001 "
        "or less, and there the leading one falls for every seed).",
        _scope(sizes),
        _figures(found),
        tuple(_plot(one) for one in found),
        instances=len(found) * sizes.seeds,
    )


def _scope(sizes: Sizes) -> tuple[str, ...]:
    pairs = zip(sizes.gammas, sizes.depths, strict=True)
    depths = ", ".join(f"{'∞' if gamma == inf else f'{gamma:g}'}: {L}" for gamma, L in pairs)
    told = (
        f"d = N = {sizes.width}, Gaussian weights, inputs u v^T + e G; depth by γ: {depths}; "
        f"{sizes.seeds} seeds"
    )
    return (told,)


def _figures(found: list[Course]) -> dict[str, int | float | str]:
    figures: dict[str, int | float | str] = {}
    for one in found:
        for k in sorted({0, 1, len(one.layers) // 2, len(one.layers) - 1}):
            values = ", ".join(f"{value:.3g}" for value in one.values[k])
            figures[f"{one.name}, layer {one.layers[k]}: σ_i/√N"] = values
            angle = f"{one.angle[k]:.3g}"
            figures[f"{one.name}, layer {one.layers[k]}: angle of two samples in degrees"] = angle
    return figures


def _plot(one: Course) -> Plot:
    layers = one.layers[1:].astype(float).tolist()
    curves = [
        thinned(f"σ_{i + 1}", layers, one.values[1:, i].tolist())
        for i in range(one.values.shape[1])
    ]
    title = f"Singular values over √N, {one.name}"
    return Plot(title, "layer", "σ_i/√N", tuple(curves), x_log=True, y_log=True)


def _claim(name: str, title: str, statement: str, run: Callable[..., Measured]) -> Claim:
    place = printed("Figure 3b")
    return Claim(f"dkbhl20.fig3b.{name}", Kind.EXPERIMENT, place, title, statement, experiment=run)


CLAIMS = (
    _claim(
        "a",
        "smaller variations are amplified",
        "Given nearly collinear inputs, batch normalisation quickly amplifies smaller variations "
        "in the data while reducing the largest one.",
        smaller_variations_grow,
    ),
    _claim(
        "b",
        "small eigenvalues grow, the leading one falls",
        r"From $M(H_0)$ whose leading eigenvalue is large and whose others are very small, a "
        r"certain fraction of the small eigenvalues of $M(H_\ell)$ grow quickly with $\ell$ while "
        "the leading one decreases.",
        small_eigenvalues_grow,
    ),
)
