"""Figure 3b: spectra through the layers from nearly collinear inputs.

Width, gamma and the inputs are not printed: X-COLL(e), u v^T plus e times Gaussian noise, with
d = N. Steps are of order gamma, so chains of small gamma go deeper. Beside these, and not judged,
stand other laws of the weights, inputs of rank one (e = 0) and of full rank (noise alone, e
infinite).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from verify.core.claim import Claim, Kind
from verify.core.experiment import Measured, Setting
from verify.core.plots import Plot, thinned
from verify.papers.dkbhl20.outside import beside
from verify.papers.dkbhl20.sources import printed

if TYPE_CHECKING:
    from verify.core.experiment_store import Arrays

TOP = 10  # singular values shown
FACTOR = 10.0  # by which what is amplified grows at least
SHARE = 0.1  # of the eigenvalues after the first: a "certain fraction"
HALF = 0.5
ROUNDING = 1e-14  # of the trace: what is below it is not told from 0


@dataclass(frozen=True)
class Sizes:
    """width d = N; spreads e; gammas and the depths for each; seeds; law of the weights."""

    width: int
    spreads: tuple[float, ...]
    gammas: tuple[float, ...]
    depths: tuple[int, ...]
    seeds: int
    law: str = "W-G"


SIZES = (
    Sizes(8, (0.1, 1e-3), (1.0, inf), (64, 64), 2),
    Sizes(32, (0.1, 1e-3, 1e-6), (0.1, 1.0, inf), (4096, 1024, 1024), 8),
    Sizes(32, (0.1, 1e-3, 1e-6), (0.01, 0.1, 1.0, inf), (2**18, 2**13, 2**11, 2**11), 16),
)
BESIDE = (
    Sizes(8, (1e-3,), (1.0,), (64,), 2),
    Sizes(32, (1e-3,), (1.0,), (1024,), 8),
    Sizes(32, (1e-3,), (0.1, 1.0, inf), (2**13, 2**11, 2**11), 16),
)
OTHER_LAWS, OTHER_SPREADS = ("W-POS", "W-TRI", "W-ASYM"), (0.0, inf)


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
        return f"e = {'∞' if self.spread == inf else f'{self.spread:g}'}, γ = {gamma}"

    @property
    def values(self) -> np.ndarray:
        """(K, min(d, 10)): sigma_i / sqrt(N), geometric means over seeds."""
        top = np.sqrt(np.maximum(self.eigenvalues[:, :, :TOP], 1e-300))
        return np.asarray(np.exp(np.log(top).mean(axis=1)))

    @property
    def ratio(self) -> np.ndarray:
        """(K,): sigma_2 / sigma_1, of the geometric means; no less than rounding leaves."""
        return np.asarray(np.maximum(self.values[:, 1] / self.values[:, 0], ROUNDING**0.5))

    @property
    def grown(self) -> float:
        """The share of the eigenvalues after the first that are ten times as large at the end as
        in the first layer, mean over seeds."""
        first, last = self.eigenvalues[1], self.eigenvalues[-1]
        seen = np.maximum(first, ROUNDING * first.shape[-1])
        return float((last[:, 1:] >= FACTOR * seen[:, 1:]).mean())

    @property
    def falls(self) -> bool:
        """Whether the leading eigenvalue is smaller at the end than in the first layer, by more
        than rounding, for every seed."""
        first, last = self.eigenvalues[1, :, 0], self.eigenvalues[-1, :, 0]
        return bool((last < first - ROUNDING**0.5 * self.eigenvalues.shape[-1]).all())

    @property
    def half_way(self) -> str:
        """The first layer looked at where sigma_2 is half of sigma_1."""
        reached = np.flatnonzero(self.ratio >= HALF)
        return f"layer {self.layers[reached[0]]}" if len(reached) else "not reached"


def courses(sizes: Sizes, setting: Setting) -> list[Course]:
    """Carry all chains, once for all who keep in the same place."""
    told = {
        **asdict(sizes),
        "spreads": list(map(str, sizes.spreads)),
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

    from numerics.chains import laws
    from numerics.chains.inputs import collinear, full
    from numerics.chains.normalised import run
    from numerics.chains.observables import Plan

    d = sizes.width
    generator = torch.Generator().manual_seed(seed)
    inputs = torch.cat(
        [
            full(generator, sizes.seeds, d, d)
            if spread == inf
            else collinear(generator, sizes.seeds, d, d, spread)
            for spread in sizes.spreads
        ]
    )
    law = laws.named(sizes.law, d)
    found = {}
    for j, (gamma, depth) in enumerate(zip(sizes.gammas, sizes.depths, strict=True)):
        layers = layers_to(depth)
        # nothing is summed along the way: one look, at the end
        plan = Plan(depth, stride=depth, checkpoints=layers, keep_states=True)
        seeds = range(seed, seed + len(inputs))
        seen = run(inputs, law, gammas=gamma, seeds=seeds, plan=plan, device=device)
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


def _near(found: list[Course]) -> list[Course]:
    """The inputs that are judged: e of 0.001 or less; of others alone all."""
    return [one for one in found if one.spread <= 1e-3] or found


def smaller_variations_grow(found: list[Course], sizes: Sizes) -> Measured:
    """(a): the second singular value over the first."""
    growth = {one.name: float(one.ratio[-1] / one.ratio[1]) for one in found}
    agrees = all(growth[one.name] >= FACTOR and one.falls for one in _near(found))
    said = "; ".join(
        f"{one.name}: {growth[one.name]:.3g}, half of σ_1 {one.half_way}" for one in found
    )
    return Measured(
        agrees,
        f"σ_2/σ_1 at the end over that in the first layer: {said} (criterion: at least "
        f"{FACTOR:g} for each e of 0.001 or less, and there the largest singular value is smaller "
        "at the end than in the first layer).",
        _scope(sizes),
        _figures(found),
        tuple(_plot(one) for one in found),
        instances=len(found) * sizes.seeds,
    )


def small_eigenvalues_grow(found: list[Course], sizes: Sizes) -> Measured:
    """(b): the share of the small eigenvalues that grow, and the leading one."""
    said = "; ".join(
        f"{one.name}: {100 * one.grown:.0f} %, leading one {'falls' if one.falls else 'does not'}"
        for one in found
    )
    return Measured(
        all(one.grown >= SHARE and one.falls for one in _near(found)),
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
        f"d = N = {sizes.width}, {sizes.law} weights, inputs u v^T + e G; depth by γ: {depths}; "
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


# the runs ----------------------------------------------------------------------------------------
Judge = Callable[[list[Course], Sizes], Measured]


def run(
    judge: Judge, setting: Setting, sizes: Sizes | None = None, others: Sizes | None = None
) -> Measured:
    """Judge the chains of the figure; beside them the same criterion for other laws and inputs."""
    sizes, others = sizes or SIZES[setting.scale], others or BESIDE[setting.scale]
    shown = judge(courses(sizes, setting), sizes)
    arms = {law: replace(others, law=law) for law in OTHER_LAWS}
    arms |= {
        "noise alone" if spread == inf else "inputs of rank one": replace(others, spreads=(spread,))
        for spread in OTHER_SPREADS
    }
    measured = {}
    for name, one in arms.items():
        found = judge(courses(one, setting), one)
        figures = {f"{name}, {key}": value for key, value in found.figures.items()}
        measured[name] = replace(found, figures=figures)
    (line,) = _scope(others)
    return beside(shown, measured, f"as above, with {'; '.join(arms)}; {line}")


def _claim(name: str, title: str, statement: str, judge: Judge) -> Claim:
    return Claim(
        f"dkbhl20.fig3b.{name}",
        Kind.EXPERIMENT,
        printed("Figure 3b"),
        title,
        statement,
        experiment=partial(run, judge),
    )


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
