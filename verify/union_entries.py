"""Entries about the vertices, edges, pairs, layers and examples of a batch of networks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from graphs.arithmetic import Array
from graphs.evaluation import Union
from verify.case import Case
from verify.entries import Entries


class UnionEntries(ABC):
    """A batch of cases that makes entries from the two sides of an equation."""

    union: Union
    cases: tuple[Case, ...]

    @property
    @abstractmethod
    def n(self) -> int:
        """The number of examples."""

    def per_vertex(self, left: Array, right: Array) -> Entries:
        """One entry for each inner vertex; the sides have shape (V,)."""
        chosen = self.inner
        names = self._vertex_names
        return self._entries(
            left[chosen],
            right[chosen],
            self.union.vertex_owner[chosen],
            "vertex",
            chosen,
            lambda k: {"vertex": names[chosen[k]]},
        )

    def per_computed_vertex_and_example(self, left: Array, right: Array) -> Entries:
        """One entry for each vertex that is not an input and each example; the sides: (V, n)."""
        vertices = self.computed
        rows = np.repeat(vertices, self.n)
        examples = np.tile(np.arange(self.n), len(vertices))
        names = self._vertex_names
        return self._entries(
            left[rows, examples],
            right[rows, examples],
            self.union.vertex_owner[rows],
            "vertex",
            rows,
            lambda k: {"vertex": names[rows[k]], "example": int(examples[k])},
            examples,
        )

    def per_example(self, left: Array, right: Array) -> Entries:
        """One entry for each network and example; the sides have shape (C, n)."""
        owner = np.repeat(np.arange(len(self.union.networks)), self.n)
        examples = np.tile(np.arange(self.n), len(self.union.networks))
        return self._entries(
            left[owner, examples],
            right[owner, examples],
            owner,
            "example",
            np.zeros(len(owner), dtype=np.int64),
            lambda k: {"example": int(examples[k])},
            examples,
        )

    @property
    def computed(self) -> np.ndarray:
        """The union numbers of the vertices that are not inputs."""
        entered = np.zeros(self.union.vertex_count, dtype=bool)
        entered[self.union.heads] = True
        return np.flatnonzero(entered)

    @property
    def inner(self) -> np.ndarray:
        """The union numbers of the vertices that are neither inputs nor outputs."""
        parts = [
            np.array(network.inner, dtype=np.int64) + offset
            for network, offset in zip(self.union.networks, self.union.vertex_offset, strict=False)
        ]
        return np.concatenate(parts)

    @cached_property
    def _vertex_names(self) -> list[str]:
        return [name for network in self.union.networks for name in network.names]

    def _entries(
        self,
        left: Array,
        right: Array,
        owner: np.ndarray,
        what: str,
        subjects: np.ndarray,
        label: Callable[[int], dict[str, Any]],
        examples: np.ndarray | None = None,
    ) -> Entries:
        if examples is None:
            examples = np.full(len(owner), -1, dtype=np.int64)
        return Entries(left - right, left, owner, what, subjects, examples, label)
