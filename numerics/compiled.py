"""The backend of compiled kernels: CPU, all cores, networks one after the other in each thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch

from numerics import kernels
from numerics.backends import Backend
from numerics.blocks import Blocks
from numerics.examples import Examples
from numerics.kernels import Data, Tables, Target
from numerics.layouts import Layout
from numerics.losses import Loss
from numerics.workers import Workers

LOSS_CODES = {
    "logistic": kernels.LOGISTIC,
    "exponential": kernels.EXPONENTIAL,
    "squared": kernels.SQUARED,
    "hinge": kernels.HINGE,
}
CHUNKS_PER_THREAD = 16
WORTH_A_THREAD = 100_000
"""Edges times examples below which waking a thread takes longer than it saves."""

_NONE = np.zeros(0)
_NOWHERE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class _Plan:
    """How the work on some examples is shared out; the same for every pass over them."""

    examples: Examples
    data: Data
    chunks: np.ndarray
    work: float


class CompiledBackend(Backend):
    """See `Backend`. threads: how many threads work, the calling one included.

    tables and workers are shared with the integration of flows.
    """

    name = "numba"

    def __init__(self, layout: Layout, threads: int) -> None:
        self._layout = layout
        self.workers = Workers(threads - 1)
        self._edges = np.diff(layout.in_offsets)
        self._plan: _Plan | None = None
        self.tables = Tables(
            codes=layout.codes.reshape(-1),
            numbers=layout.numbers.reshape(-1),
            **{name: getattr(layout, name) for name in Tables._fields[2:]},
        )

    def values(self, weights: torch.Tensor, examples: Examples) -> Blocks:
        outputs = self._room(self._layout.output_rows, examples)
        self._sweep(weights, examples, self._target(outputs, mode=kernels.VALUES))
        return outputs

    def preactivations(self, weights: torch.Tensor, examples: Examples) -> Blocks:
        rows = np.diff(self._layout.vertex_offsets)
        outputs = self._room(self._layout.output_rows, examples)
        preactivations = self._room(rows, examples)
        target = self._target(
            outputs,
            mode=kernels.VALUES,
            preactivations=preactivations.flat.numpy(),
            preactivation_offsets=preactivations.offsets,
        )
        self._sweep(weights, examples, target)
        return preactivations

    def gradient(
        self, weights: torch.Tensor, examples: Examples, cotangents: Callable[[Blocks], Blocks]
    ) -> torch.Tensor:
        outputs = self.values(weights, examples)
        result = torch.empty_like(weights)
        target = self._target(
            outputs,
            mode=kernels.COTANGENTS,
            cotangents=cotangents(outputs).flat.contiguous().numpy(),
            result=result.numpy(),
        )
        self._sweep(weights, examples, target)
        return result

    def risk_gradient(
        self, weights: torch.Tensor, examples: Examples, loss: Loss
    ) -> torch.Tensor | None:
        if loss.name not in LOSS_CODES:
            return None
        result = torch.empty_like(weights)
        target = self._target(
            self._room(self._layout.output_rows, examples),
            mode=kernels.RISK,
            loss=LOSS_CODES[loss.name],
            result=result.numpy(),
        )
        self._sweep(weights, examples, target)
        return result

    def _room(self, rows: np.ndarray, examples: Examples) -> Blocks:
        strides = examples.labels.strides
        flat = torch.empty(int(np.sum(rows * strides)), dtype=torch.float64)
        return Blocks(flat, rows, examples.counts)

    @staticmethod
    def _target(outputs: Blocks, **given: Any) -> Target:
        unused: dict[str, Any] = {
            "loss": 0,
            "preactivations": _NONE,
            "preactivation_offsets": _NOWHERE,
            "cotangents": _NONE,
            "result": _NONE,
        }
        return Target(
            outputs=outputs.flat.numpy(), output_offsets=outputs.offsets, **{**unused, **given}
        )

    def _sweep(self, weights: torch.Tensor, examples: Examples, target: Target) -> None:
        if self._plan is None or self._plan.examples is not examples:
            self._plan = self._planned(examples)
        plan = self._plan
        counter = np.zeros(1, dtype=np.int64)
        numbers = weights.contiguous().numpy()
        call = partial(kernels.sweep, counter, plan.chunks, self.tables, plan.data, target, numbers)
        if plan.work > WORTH_A_THREAD:
            self.workers.run(call, plan.work)
        else:
            call()

    def _planned(self, examples: Examples) -> _Plan:
        """Chunks of about equal work, several for each thread."""
        data = data_of(examples)
        work = np.cumsum(self._edges * data.strides)
        pieces = CHUNKS_PER_THREAD * (self.workers.count + 1)
        shares = np.arange(1, pieces) * (work[-1] / pieces)
        chunks = np.unique(np.concatenate([[0], np.searchsorted(work, shares), [len(work)]]))
        return _Plan(examples, data, chunks, float(work[-1]))


def data_of(examples: Examples) -> Data:
    """The examples as the kernels read them."""
    return Data(
        inputs=examples.inputs.flat.numpy(),
        input_offsets=examples.inputs.offsets,
        labels=examples.labels.flat.numpy(),
        label_offsets=examples.labels.offsets,
        counts=examples.counts,
        strides=examples.labels.strides,
    )
