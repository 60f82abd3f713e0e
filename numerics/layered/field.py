"""Gradient flow of layered networks: the field that the batched integrator follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from numerics.flow.answers import Flows
from numerics.flow.batched import integrate_field
from numerics.flow.fields import Field, Places, Problems
from numerics.flow.options import Forms, Options, check_until
from numerics.layered.network import State
from numerics.layered.problem import Problem


class LayeredField(Field):
    """The field of B instances of a problem. factors: (B, P), see `numerics.flow.fields`.

    The kinks of an instance are its examples times its units (the neurons whose activation has two
    slopes), example after example; the unit takes the place of the vertex.
    """

    def __init__(
        self, problem: Problem, factors: torch.Tensor, loss_clock: bool, decay: float
    ) -> None:
        net, instances = problem.network, len(factors)
        self.problem = problem
        device = factors.device
        labels = problem.labels.expand(instances, -1, -1).flatten(1)
        shape = (instances, problem.count * net.units)
        slopes = net.slope_pairs.to(device).repeat(problem.count, 1).expand(instances, -1, -1)
        tables = Problems(
            labels=labels,
            valid=torch.ones_like(labels, dtype=torch.bool),
            counts=torch.full((instances,), float(problem.count), dtype=torch.float64).to(device),
            left=slopes[:, :, 0],
            right=slopes[:, :, 1],
            kinks=torch.ones(shape, dtype=torch.bool, device=device),
            sizes=torch.full_like(factors[:, 0], net.parameter_count),
            factors=factors,
        )
        super().__init__(tables, problem.loss, loss_clock, decay)

    def take(self, instances: torch.Tensor) -> LayeredField:
        return LayeredField(
            self.problem.take(instances),
            self.tables.factors[instances],
            self.loss_clock,
            self.decay,
        )

    def places(self, instance: int) -> Places:
        units, count = self.problem.network.units, self.problem.count
        return Places(
            (units, count),
            np.arange(units * count),
            np.tile(np.arange(units), count),
            np.repeat(np.arange(count), units),
        )

    def _forward(self, weights: torch.Tensor, slopes: torch.Tensor) -> tuple[State, torch.Tensor]:
        pattern = slopes.view(len(slopes), self.problem.count, self.problem.network.units)
        state = self.problem.state(weights, pattern)
        return state, state.outputs.flatten(1)

    def _pre(self, state: State) -> torch.Tensor:
        return self.problem.network.at_kinks(state.pre).flatten(1)

    def _pull(self, weights: torch.Tensor, state: State, cotangents: torch.Tensor) -> torch.Tensor:
        shaped = cotangents.view(len(weights), self.problem.count, -1)
        return self.problem.network.backward(weights, state, shaped)

    def rates(self, weights: torch.Tensor, state: Any, direction: torch.Tensor) -> torch.Tensor:
        found = self.problem.network.tangent(weights, state, direction)
        return self.problem.network.at_kinks(found).flatten(1)


def layered_flow(
    problem: Problem,
    weights: torch.Tensor,
    until: Any,
    *,
    options: Options | None = None,
    factors: torch.Tensor | None = None,
    forms: Sequence[Sequence[Sequence[tuple[int, int, Any]]]] | None = None,
) -> Flows:
    """Follow dw/dt in -dR(w) from `weights` (B, P), for every instance by itself, on their device.

    The arguments are those of `numerics.flow.flow`; factors: (B, P). In the answers a unit (a
    neuron whose activation has two slopes, by number) takes the place of a vertex.

    Raises ValueError as `Options`, `Forms.of` and `check_until` do, and for weights that are not
    finite or have another shape.
    """
    chosen = Options() if options is None else options
    if not bool(torch.isfinite(weights).all()):
        raise ValueError("weights: every number must be finite")
    problem.network.views(weights)  # raises where they have another shape
    if factors is not None and factors.shape != weights.shape:
        raise ValueError(
            f"factors have shape {tuple(factors.shape)}: the weights have {tuple(weights.shape)}"
        )
    scales = torch.ones_like(weights) if factors is None else factors
    ends = check_until(until, len(weights))
    field = LayeredField(problem, scales, chosen.clock == "loss", chosen.weight_decay)
    quadratic = Forms.of(forms, [weights.shape[1]] * len(weights))
    records = integrate_field(field, weights.detach(), ends, chosen, quadratic)
    networks: list[Any] = [problem.network] * len(records)
    return Flows(networks, records)
