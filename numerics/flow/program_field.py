"""The field of a program: many different networks, padded to rows of one length."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.nn.functional import pad

from numerics.examples import Examples
from numerics.flow.fields import Field, Places, Problems
from numerics.layouts import NOT_AN_INPUT, PIECEWISE_LINEAR, Layout
from numerics.levels import LevelBackend, LevelState
from numerics.losses import Loss


class ProgramField(Field):
    """The field of the networks of a layout. factors: flat, as the weights are; see `Field`.

    room: for how many weights, vertices with kinks and examples there is room at least, so that a
    part of a batch has rows as long as the whole.
    """

    def __init__(
        self,
        layout: Layout,
        examples: Examples,
        factors: np.ndarray,
        loss: Loss,
        loss_clock: bool,
        decay: float,
        device: torch.device,
        room: tuple[int, int, int] = (1, 0, 0),
    ) -> None:
        self._layout, self._examples, self._factors = layout, examples, factors
        self._device = device
        self._backend = LevelBackend(layout, device)
        sizes = np.diff(layout.parameter_offsets)
        self._vertices = _kinked_vertices(layout)
        wide, valid = examples.labels.wide(), examples.labels.valid()
        longest = int(sizes.max()), max(map(len, self._vertices)), wide.shape[1]
        self._room = tuple(map(max, longest, room))
        self._own = torch.from_numpy(np.arange(self._room[0]) < sizes[:, None]).to(device)
        self._rows = self._kink_rows()
        first = self._backend.output_ranks == 0
        self._first = self._backend.outputs[first]
        self._first_places = torch.nonzero(first).flatten()
        slopes = [self._at_kinks(column) for column in layout.numbers[:, :2].T]
        right = torch.from_numpy(layout.numbers[:, 1].copy()).to(device)
        plain = torch.empty_like(right)
        plain[self._backend.row_of] = right  # those of the linear ones, which have only one
        self._plain = plain[:, None].expand(-1, wide.shape[1])
        tables = Problems(
            labels=wide,
            valid=valid,
            counts=torch.from_numpy(examples.counts).to(device, torch.float64),
            left=slopes[0],
            right=slopes[1],
            kinks=((self._rows >= 0)[:, :, None] & self._padded_columns(valid)).flatten(1),
            sizes=torch.from_numpy(sizes).to(device, torch.float64),
            factors=self.padded(torch.from_numpy(factors).to(device)),
        )
        super().__init__(tables, loss, loss_clock, decay)

    # layouts -------------------------------------------------------------------------------------
    def padded(self, flat: torch.Tensor) -> torch.Tensor:
        """(B, P) from a flat tensor, as programs have it; 0 in the padding."""
        wide = flat.new_zeros(self._own.shape)
        wide[self._own] = flat
        return wide

    def _kink_rows(self) -> torch.Tensor:
        """(B, largest number of kinked vertices): their rows in a state, -1 in the padding."""
        table = torch.full((len(self._vertices), self._room[1]), -1, dtype=torch.int64)
        row_of = self._backend.row_of.cpu()
        for c, vertices in enumerate(self._vertices):
            place = torch.from_numpy(vertices + int(self._layout.vertex_offsets[c]))
            table[c, : len(vertices)] = row_of[place]
        return table.to(self._device)

    def _at_kinks(self, by_vertex: np.ndarray) -> torch.Tensor:
        """(B, K): numbers of vertices, at the kinks; 1 in the padding."""
        by_row = torch.ones(len(by_vertex) + 1, dtype=torch.float64, device=self._device)
        by_row[self._backend.row_of] = torch.from_numpy(by_vertex.copy()).to(self._device)
        return by_row[self._rows][:, :, None].expand(-1, -1, self._room[2]).flatten(1)

    def _gathered(self, by_row: torch.Tensor) -> torch.Tensor:
        """(B, K) from (V, n)."""
        found = by_row[self._rows.clamp(min=0)]
        missing = self._room[2] - found.shape[2]
        return torch.where(self.tables.kinks, pad(found, (0, missing)).flatten(1), 0.0)

    def _padded_columns(self, valid: torch.Tensor) -> torch.Tensor:
        """(B, 1, examples) from (B, n)."""
        return pad(valid, (0, self._room[2] - valid.shape[1]))[:, None, :]

    def places(self, instance: int) -> Places:
        count = int(self._examples.counts[instance])
        vertices = self._vertices[instance]
        shape = (int(np.diff(self._layout.vertex_offsets)[instance]), count)
        kinks = np.arange(len(vertices))[:, None] * self._room[2] + np.arange(count)
        return Places(
            shape,
            kinks.reshape(-1),
            np.repeat(vertices, count),
            np.tile(np.arange(count), len(vertices)),
        )

    def take(self, instances: torch.Tensor) -> ProgramField:
        chosen = instances.tolist()
        offsets = self._layout.parameter_offsets
        inputs, labels = self._examples.inputs, self._examples.labels
        networks = [self._layout.networks[c] for c in chosen]
        return ProgramField(
            Layout.of(networks),
            Examples.of(
                networks,
                [inputs[c].T.cpu().numpy() for c in chosen],
                [labels[c][0].cpu().numpy() for c in chosen],
                self._device,
            ),
            np.concatenate([self._factors[offsets[c] : offsets[c + 1]] for c in chosen]),
            self.loss,
            self.loss_clock,
            self.decay,
            self._device,
            self._room,
        )

    # passes --------------------------------------------------------------------------------------
    def _forward(
        self, weights: torch.Tensor, slopes: torch.Tensor
    ) -> tuple[LevelState, torch.Tensor]:
        pattern = self._plain.clone()
        own = self._rows >= 0
        given = slopes.view(*self._rows.shape, self._room[2])[..., : pattern.shape[1]]
        pattern[self._rows[own]] = given[own]
        state = self._backend.forward(weights[self._own], self._examples, pattern)
        return state, state.post[self._first]

    def _pre(self, state: LevelState) -> torch.Tensor:
        return self._gathered(state.pre)

    def _pull(
        self, weights: torch.Tensor, state: LevelState, cotangents: torch.Tensor
    ) -> torch.Tensor:
        seeds = cotangents.new_zeros(len(self._backend.outputs), cotangents.shape[1])
        seeds[self._first_places] = cotangents
        return self.padded(self._backend.pull(weights[self._own], state, seeds))

    def rates(self, weights: torch.Tensor, state: Any, direction: torch.Tensor) -> torch.Tensor:
        return self._gathered(
            self._backend.tangent(weights[self._own], state, direction[self._own])
        )


def _kinked_vertices(layout: Layout) -> list[np.ndarray]:
    """For each network its vertices with two slopes."""
    found = []
    for start, stop in zip(layout.vertex_offsets, layout.vertex_offsets[1:], strict=False):
        numbers, codes = layout.numbers[start:stop], layout.codes[start:stop]
        inner = (codes[:, 2] == NOT_AN_INPUT) & (codes[:, 3] == PIECEWISE_LINEAR)
        found.append(np.flatnonzero(inner & (numbers[:, 0] != numbers[:, 1])))
    return found
