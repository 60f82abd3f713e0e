"""What the batched integrator writes down as it goes, and the records that this becomes."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import Any

import numpy as np
import torch

from numerics.flow.answers import Record
from numerics.flow.fields import Places


class History:
    """Tables of rows, each with the number of its instance: columns are appended in pieces."""

    def __init__(self) -> None:
        self._pieces: dict[str, list[tuple[np.ndarray, ...]]] = defaultdict(list)

    def append(self, table: str, ids: torch.Tensor, *columns: Any) -> None:
        """Append rows. ids: (rows,); columns: tensors (rows, ...)."""
        if len(ids):
            self._pieces[table].append(tuple(c.cpu().numpy() for c in (ids, *columns)))

    def by_instance(self, table: str, instances: int) -> list[tuple[np.ndarray, ...] | None]:
        """For each instance its rows of every column, in order; None where it has none."""
        pieces = self._pieces.get(table)
        if not pieces:
            return [None] * instances
        columns = [np.concatenate(parts) for parts in zip(*pieces, strict=True)]
        order = np.argsort(columns[0], kind="stable")
        bounds = np.searchsorted(columns[0][order], np.arange(instances + 1))
        found: list[tuple[np.ndarray, ...] | None] = []
        for start, stop in pairwise(bounds):
            rows = order[start:stop]
            found.append(tuple(c[rows] for c in columns[1:]) if len(rows) else None)
        return found


class KinkNames:
    """Where the kinks of an instance are, by their number in a row of the batch."""

    def __init__(self, places: Places) -> None:
        size = int(places.kinks.max(initial=-1)) + 1
        self.shape = places.shape
        self.all = places.kinks, places.vertices, places.examples
        self._vertex = np.full(size, -1, dtype=np.int64)
        self._example = np.full(size, -1, dtype=np.int64)
        self._vertex[places.kinks] = places.vertices
        self._example[places.kinks] = places.examples

    def of(self, kinks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The vertices and examples of kinks."""
        return self._vertex[kinks], self._example[kinks]


def fill(record: Record, name: str, rows: tuple[np.ndarray, ...] | None, names: KinkNames) -> None:
    """Put the rows of one table into a record."""
    if rows is None:
        return
    if name == "steps":
        record.step_times, record.step_log_risks, record.step_log_times = rows
    elif name == "segments":
        (record.segment_starts,) = rows
    elif name == "changes":
        record.change_segments, record.change_sides = rows[0], rows[2].astype(np.int64)
        record.change_vertices, record.change_examples = names.of(rows[1])
    elif name == "slides":
        record.slide_segments, record.slide_least, record.slide_largest = rows[0], rows[2], rows[3]
        record.slide_vertices, record.slide_examples = names.of(rows[1])
    elif name == "signs":
        times, parameters, values = rows
        order = np.argsort(times, kind="stable")
        record.sign_times, record.sign_parameters = times[order], parameters[order]
        record.sign_values = values[order].astype(np.int64)
    elif name == "dense":
        record.dense_starts, record.dense_steps = rows[0], rows[1]
        record.dense_weights, record.dense_coefficients = rows[2], rows[3]


TABLES = ("steps", "segments", "changes", "slides", "signs", "dense")
