"""Training layered networks, and what is written down of their matrices on the way.

Two ways: the gradient flow, on the clock of time or of the loss, and gradient descent with
momentum. Both are recorded at chosen points, as plain arrays with their definitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import torch

from numerics.flow.options import Options
from numerics.flow.status import Status
from numerics.layered.field import layered_flow
from numerics.layered.layers import Convolution, Dense
from numerics.layered.matrices import representation
from numerics.layered.problem import Problem
from numerics.spectra import (
    Bounded,
    Spectrum,
    alignment,
    distance_to_rank_one,
    effective_rank,
    norm_ratio,
    spectrum,
    stable_rank,
)

DEFINITIONS = {
    "clock": "value of the clock of the flow, or steps of descent",
    "log_time": "logarithm of the true time of the flow",
    "log_risk": "logarithm of the mean over examples of the sum over outputs of the loss",
    "norm": "Euclidean norm of all weights",
    "frobenius": "Frobenius norm of the matrix of a layer (Le & Jegelka 2022, Definition 8)",
    "ratio": "operator norm over Frobenius norm of that matrix",
    "stable_rank": "squared Frobenius norm over squared operator norm",
    "effective_rank": "exponential of the entropy of the singular values divided by their sum",
    "to_rank_one": "Frobenius norm of W / ||W||_F - u v^T, u and v the principal singular vectors",
    "alignment": "|<v, u>|, v of a fully connected layer and u of the one below, or of the block; "
    "not a number where a largest singular value is not certified to be simple",
}


@dataclass(frozen=True)
class Trajectory:
    """What was recorded of B instances at T points: `at` has the points that were asked for.

    arrays: by name (see DEFINITIONS) (B, T), those of a layer under `name.layer` and those of
    two consecutive layers under `alignment.layer` (of the lower one); bounds on the errors of the
    measures of spectra under `name.layer.error`. Points that an instance did not reach are not a
    number. statuses: (B,) texts. weights: (B, P), at the end. facts: method, options, seed, data.
    """

    at: np.ndarray
    arrays: dict[str, np.ndarray]
    statuses: tuple[str, ...]
    weights: torch.Tensor
    facts: dict[str, Any] = field(default_factory=dict)


def log_spaced(first: float, last: float, count: int) -> np.ndarray:
    """`count` points from first to last, evenly spaced by their logarithms.

    Raises ValueError unless 0 < first < last and count is at least 2.
    """
    if not 0 < first < last or count < 2:
        raise ValueError(
            f"{count} points from {first} to {last}: give two or more, and 0 < first < last"
        )
    return np.geomspace(first, last, count)


def measure(problem: Problem, weights: torch.Tensor) -> dict[str, np.ndarray]:
    """The measures of `Trajectory` at weights (B, P), each (B,)."""
    found: dict[str, torch.Tensor] = {
        "log_risk": problem.log_risk(weights),
        "norm": torch.linalg.vector_norm(weights, dim=1),
    }

    def add(name: str, bounded: Bounded) -> None:
        found[name], found[f"{name}.error"] = bounded.value, bounded.error

    below: Spectrum | None = None
    for layer in range(1, len(problem.network.layers) + 1):
        here = spectrum(representation(problem.network, weights, layer))
        found[f"frobenius.{layer}"] = here.frobenius
        add(f"ratio.{layer}", norm_ratio(here))
        add(f"stable_rank.{layer}", stable_rank(here))
        add(f"effective_rank.{layer}", effective_rank(here))
        add(f"to_rank_one.{layer}", distance_to_rank_one(here))
        kind = problem.network.layers[layer - 1]
        if below is not None and isinstance(kind, Dense):
            add(f"alignment.{layer - 1}", alignment(here, below))
        below = None if isinstance(kind, Convolution) else here
    return {name: tensor.cpu().numpy() for name, tensor in found.items()}


FOREVER = 1e12


def train(
    problem: Problem,
    weights: torch.Tensor,
    at: Sequence[float] | np.ndarray,
    *,
    by_log_risk: bool = False,
    options: Options | None = None,
    facts: dict[str, Any] | None = None,
) -> Trajectory:
    """Gradient flow from `weights` (B, P), recorded at the points `at` of its clock.

    at: ascending, the first may be 0. by_log_risk: `at` has levels of -log risk instead, and each
    instance is recorded at the end of the first step that reaches a level. (Weights of three layers
    or more reach infinity at a finite time on the clock of the loss: then levels are what to give.)
    facts: what else the record should say (the seed of the weights, the data).

    Raises ValueError for points that do not ascend, and as `layered_flow`.
    """
    points = _ascending(at)
    chosen = Options() if options is None else options
    here, rows = weights, []
    clock, log_time = np.zeros(len(weights)), np.full(len(weights), -np.inf)
    statuses = ["the end was reached"] * len(weights)
    alive = np.ones(len(weights), dtype=bool)
    wanted = (Status.LOSS_REACHED,) if by_log_risk else (Status.FINISHED, Status.SLIDING)
    for point in points:
        if alive.any() and (by_log_risk or point > 0):
            some = torch.from_numpy(np.flatnonzero(alive)).to(weights.device)
            until = np.full(len(some), FOREVER) if by_log_risk else point - clock[alive]
            level = -float(point) if by_log_risk else chosen.log_risk_below
            stage = replace(chosen, log_risk_below=level)
            flows = layered_flow(problem.take(some), here[some], until, options=stage)
            here = here.clone()
            here[some] = torch.from_numpy(flows.weights).view(len(some), -1).to(here)
            for c, one in zip(np.flatnonzero(alive), flows, strict=True):
                log_time[c] = np.logaddexp(log_time[c], one.log_time)
                clock[c] = clock[c] + one.time if by_log_risk else point
                statuses[c] = one.status.text
                alive[c] = one.status in wanted
        measures = {**measure(problem, here), "clock": clock.copy(), "log_time": log_time.copy()}
        rows.append(_masked(measures, alive))
    known = {"method": "flow", "options": asdict(chosen), "definitions": DEFINITIONS}
    return Trajectory(points, _stacked(rows), tuple(statuses), here, {**known, **(facts or {})})


def descend(
    problem: Problem,
    weights: torch.Tensor,
    at: Sequence[int] | np.ndarray,
    *,
    step: float,
    momentum: float = 0.0,
    facts: dict[str, Any] | None = None,
) -> Trajectory:
    """Gradient descent w' = w + m with m' = momentum m - step gradient, recorded after the numbers
    of steps `at`.

    At a kink the gradient is the one with the slope right of 0. Raises ValueError for points that
    do not ascend or are no integers, a step that is not positive, or a momentum not in [0, 1).
    """
    points = _ascending(at)
    if not np.array_equal(points, np.round(points)):
        raise ValueError(f"at = {at}: descent is recorded after whole numbers of steps")
    if not (step > 0 and 0 <= momentum < 1):
        raise ValueError(f"step = {step}, momentum = {momentum}: give step > 0, momentum in [0, 1)")
    here, moving, done, rows = weights.clone(), torch.zeros_like(weights), 0, []
    for point in points.astype(np.int64):
        while done < point:
            moving = momentum * moving - step * problem.gradient(here)
            here = here + moving
            done += 1
        finite = torch.isfinite(here).all(dim=1)
        measures = measure(problem, here.nan_to_num(0.0, 0.0, 0.0))
        measures["clock"] = np.full(len(here), float(point))
        rows.append(_masked(measures, finite.cpu().numpy()))
    texts = {True: "all steps were taken", False: "the weights overflowed: take a smaller step"}
    statuses = tuple(texts[ok] for ok in torch.isfinite(here).all(dim=1).tolist())
    known = {"method": "descent", "step": step, "momentum": momentum, "definitions": DEFINITIONS}
    return Trajectory(points, _stacked(rows), statuses, here, {**known, **(facts or {})})


def _ascending(at: Sequence[float] | np.ndarray) -> np.ndarray:
    points = np.asarray(at, dtype=np.float64)
    rising = points.ndim == 1 and len(points) > 0 and bool(np.all(np.diff(points) > 0))
    if not (rising and points[0] >= 0 and np.isfinite(points[-1])):
        raise ValueError(f"at = {at}: give ascending, finite points, 0 or more")
    return points


def _masked(row: dict[str, np.ndarray], kept: np.ndarray) -> dict[str, np.ndarray]:
    return {name: np.where(kept, values, np.nan) for name, values in row.items()}


def _stacked(rows: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    return {name: np.stack([row[name] for row in rows], axis=1) for name in rows[0]}
