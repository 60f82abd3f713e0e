"""Unions of copies of one graph, for many weights, inputs and activations of it at once.

Everything that a union knows of its networks is known of one of them, and moved along; only the
activations may differ from copy to copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np

from graphs.activations import Activation
from graphs.errors import NetworkError
from graphs.evaluation import Level, Union
from graphs.network import FIXED, Network


@dataclass(frozen=True)
class Copies(Union):
    """A union of networks that differ in their activations alone, equal to `Union.of(networks)`."""

    frame: Copies | None = None  # the same with the activations of the first network

    @cached_property
    def one(self) -> Union:
        """The union of the first network alone."""
        return Union.of(self.networks[:1])

    def moved(self, numbers: np.ndarray, size: int) -> np.ndarray:
        """(C * k, ...): k rows of numbers of vertices, edges, ... of one network, for each copy in
        turn; one network has `size` of them. Negative numbers stay."""
        count = len(self.networks)
        offsets = np.arange(count, dtype=np.int64).reshape(count, *[1] * numbers.ndim) * size
        rows = np.where(numbers < 0, numbers, numbers + offsets)
        return np.asarray(rows.reshape(-1, *numbers.shape[1:]), dtype=np.int64)

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        if self.frame is not None:
            return self.frame.levels
        steps = []
        for level in self.one.levels:
            vertices = self.moved(level.vertices, self.one.vertex_count)
            edges = self.moved(level.edges, self.one.edge_count)
            steps.append(Level(vertices, edges, self.moved(level.slot, len(level.vertices))))
        return tuple(steps)

    @cached_property
    def input_places(self) -> tuple[np.ndarray, np.ndarray, list[Fraction]]:
        if self.frame is not None:
            return self.frame.input_places
        free, held, values = self.one.input_places
        size = self.one.vertex_count
        return self.moved(free, size), self.moved(held, size), values * len(self.networks)

    @cached_property
    def activations(self) -> tuple[tuple[Activation, ...], np.ndarray]:
        known: dict[Activation, int] = {}
        rows: dict[int, list[int]] = {}
        for net in self.networks:
            if id(net) not in rows:
                rows[id(net)] = [known.setdefault(kind, len(known)) for kind in net.activations]
        table = np.array([rows[id(net)] for net in self.networks], dtype=np.int64)
        return tuple(known), table.reshape(-1)

    @cached_property
    def scale_squares(self) -> list[Fraction]:
        return self.one.scale_squares * len(self.networks)


def copies(networks: Sequence[Network]) -> Copies:
    """The union of networks that differ in their activations alone.

    Raises NetworkError where they differ in more.
    """
    first = networks[0]
    for net in {id(net): net for net in networks}.values():
        same = len(net.activations) == len(first.activations)
        if not same or replace(net, activations=first.activations) != first:
            raise NetworkError(f"{net} differs from {first} in more than its activations")
    frame = _frame(first, len(networks))
    return replace(frame, networks=tuple(networks), frame=frame)


@lru_cache(maxsize=64)
def _frame(network: Network, count: int) -> Copies:
    """So many copies of one network (kept: enumerations ask for the same ones)."""
    v, e, p = network.vertex_count, network.edge_count, network.parameter_count
    number = np.arange(count + 1, dtype=np.int64)
    owner = number[:-1]

    def moved(values: tuple[int, ...], size: int) -> np.ndarray:
        row = np.array(values, dtype=np.int64)
        return np.asarray(np.where(row == FIXED, FIXED, row + owner[:, None] * size).reshape(-1))

    return Copies(
        networks=(network,) * count,
        tails=moved(network.tails, v),
        heads=moved(network.heads, v),
        parameter_of=moved(network.parameter_of, p),
        vertex_owner=np.repeat(owner, v),
        edge_owner=np.repeat(owner, e),
        parameter_owner=np.repeat(owner, p),
        vertex_offset=number * v,
        edge_offset=number * e,
        parameter_offset=number * p,
        outputs=network.outputs[0] + owner * v,
    )
