"""Quadratic forms along the steps of a batch; see `numerics.flow.balances` for the identity."""

from __future__ import annotations

import numpy as np
import torch

from numerics.conversion import UNIT
from numerics.flow.constants import BOUND, RATE, RATE_SCALE, RESIDUAL, ROUNDINGS, TIME
from numerics.flow.options import Forms
from numerics.flow.tableaus import TableauArrays

MEASURES = 5


class Balances:
    """The forms of B instances, and the measures (forms, 5) of their segments so far.

    owners: (forms,), the instance of each form, by its original number.
    """

    def __init__(self, forms: Forms, tableau: TableauArrays, device: torch.device) -> None:
        def tensor(array: np.ndarray) -> torch.Tensor:
            return torch.from_numpy(np.ascontiguousarray(array)).to(device)

        counts = np.diff(forms.starts)
        per_network = np.diff(forms.offsets)
        self.count = len(counts)
        self.offsets = forms.offsets
        self.owners = tensor(np.repeat(np.arange(len(per_network)), per_network))
        self._form = tensor(np.repeat(np.arange(self.count), counts))
        self._rows, self._columns = tensor(forms.rows), tensor(forms.columns)
        self._values = tensor(forms.values)
        self._roundings = ROUNDINGS + tensor(counts.astype(np.float64))
        self._stages = tableau.stages
        self._balance = tensor(tableau.balance)
        self._b = tensor(tableau.b[: tableau.stages])
        self.measures = self._values.new_zeros((self.count, MEASURES))

    def values(self, weights: torch.Tensor, position: torch.Tensor) -> torch.Tensor:
        """(forms,): their values at weights (B', P); position: (B,), the row of each instance."""
        one, other = self._both(weights, position)
        return self._summed(self._values * one * other)

    def weigh(
        self,
        trial_weights: torch.Tensor,
        velocities: torch.Tensor,
        times: torch.Tensor,
        h: torch.Tensor,
        accepted: torch.Tensor,
        position: torch.Tensor,
    ) -> None:
        """Update the measures of instances that took a step. (S, B', P) stages, (B',) others."""
        row = position[self.owners]
        took = (row >= 0) & accepted[row.clamp(min=0)]
        size, step = h[row.clamp(min=0)], self._values
        starts, ends = (self._both(w, position) for w in (trial_weights[0], trial_weights[-1]))
        # w'^T Q w' - w^T Q w = (w' - w)^T Q (w' + w) for a symmetric Q, entry by entry
        terms = 0.5 * (
            (ends[0] - starts[0]) * (ends[1] + starts[1])
            + (ends[0] + starts[0]) * (ends[1] - starts[1])
        )
        change = self._summed(step * terms)
        sizes = (ends[0] * ends[1]).abs() + (starts[0] * starts[1]).abs()
        bound = self._summed(step.abs() * sizes)
        stages = range(self._stages)
        moving = [self._both(velocities[i], position) for i in stages]
        products = torch.zeros_like(change)
        for i in stages:
            for j in stages:
                weight = float(self._balance[i, j])
                if weight:
                    product = step * moving[i][0] * moving[j][1]
                    products = products + weight * self._summed(product)
                    bound = bound + size**2 * abs(weight) * self._summed(product.abs())
        rate, rate_scale = torch.zeros_like(change), torch.zeros_like(change)
        for i in stages:
            at = self._both(trial_weights[i], position)
            one, other = step * at[0] * moving[i][1], step * at[1] * moving[i][0]
            here, scale = self._summed(one + other).abs(), self._summed(one.abs() + other.abs())
            larger = here > rate
            rate = torch.where(larger, here, rate)
            rate_scale = torch.where(larger, scale, rate_scale)
            bound = bound + size * float(self._b[i].abs()) * scale
        residual = (change - size**2 * products).abs()
        bound = bound * UNIT * self._roundings
        self._keep(took, residual, bound, times[row.clamp(min=0)], rate, rate_scale)

    def _keep(
        self,
        took: torch.Tensor,
        residual: torch.Tensor,
        bound: torch.Tensor,
        times: torch.Tensor,
        rate: torch.Tensor,
        rate_scale: torch.Tensor,
    ) -> None:
        old = self.measures
        stands_out = residual * old[:, BOUND].clamp(min=1e-300) >= old[:, RESIDUAL] * bound
        stands_out = took & stands_out
        for column, new in ((RESIDUAL, residual), (BOUND, bound), (TIME, times)):
            old[:, column] = torch.where(stands_out, new, old[:, column])
        faster = took & (rate > old[:, RATE])
        for column, new in ((RATE, rate), (RATE_SCALE, rate_scale)):
            old[:, column] = torch.where(faster, new, old[:, column])

    def close(self, instances: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The forms of some instances (boolean, by original number) and a copy of their measures,
        which begin anew."""
        which = torch.nonzero(instances[self.owners]).flatten()
        measures = self.measures[which].clone()
        self.measures[which] = 0.0
        return which, measures

    def _both(
        self, weights: torch.Tensor, position: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        row = position[self.owners][self._form].clamp(min=0)
        return weights[row, self._rows], weights[row, self._columns]

    def _summed(self, by_entry: torch.Tensor) -> torch.Tensor:
        return by_entry.new_zeros(self.count).index_add_(0, self._form, by_entry)
