"""Normalised chains by compiled kernels, eight at a time, a chain in each lane: CPU, all cores."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import torch
from torch import Tensor

from numerics.chains.backends import ChainBatch, Setting
from numerics.chains.counters import key_of
from numerics.chains.kernels import Carried, Course, carry
from numerics.chains.observables import Plan, Totals
from numerics.chains.steps import coefficients
from numerics.chains.tiles import WIDTH
from numerics.workers import Workers, available_cores

NUMBERS = 7  # scale, shift, and at most five numbers of a recipe


class ChainsInLanes(ChainBatch):
    """Groups of eight chains, by numerics.chains.kernels, from their coefficients (C, d, k).
    threads: how many work, the calling one included; default all cores."""

    name = "numba"

    def __init__(self, start: Tensor, setting: Setting, threads: int | None = None) -> None:
        self._shape = tuple(start.shape)
        self._plan = setting.plan
        self._workers = _workers(threads or available_cores())
        keep, strength = coefficients(setting.gammas)
        empty = Totals.empty(len(start), setting.plan)
        keys = np.array([key_of(seed) for seed in setting.seeds], dtype=np.uint64)
        self._groups = Carried(
            state=_grouped(start.numpy()),
            keep=_grouped(keep.numpy()),
            strength=_grouped(strength.numpy()),
            keys=_grouped(keys),
            probes=_grouped(setting.probes.numpy()),
            sums=_grouped(empty.sums),
            least=_grouped(empty.least),
            greatest=_grouped(empty.greatest),
            last=_grouped(empty.last),
            rises=_grouped(empty.rises),
            zero_rows=_grouped(empty.zero_rows),
        )
        self._course = _course(setting, *self._shape[1:])

    def advance(self, first: int, last: int) -> None:
        counter = np.zeros(1, dtype=np.int64)
        call = partial(carry, counter, self._course, self._groups, first, last)
        _together(self._workers, call, len(self._groups.state))

    def states(self) -> Tensor:
        return torch.from_numpy(self._chains(self._groups.state, *self._shape[1:]))

    @property
    def totals(self) -> Totals:
        plan, groups = self._plan, self._groups
        measures = len(plan.names)
        return Totals(
            self._chains(groups.sums, plan.stretches, measures),
            self._chains(groups.least, measures),
            self._chains(groups.greatest, measures),
            self._chains(groups.last, measures),
            self._chains(groups.rises, measures),
            self._chains(groups.zero_rows),
        )

    def _chains(self, groups: np.ndarray, *shape: int) -> np.ndarray:
        """(C, *shape) from groups (G, entries x 8)."""
        lanes = groups.reshape(len(groups), -1, WIDTH).swapaxes(1, 2)
        whole = lanes.reshape(len(groups) * WIDTH, *shape)
        return np.ascontiguousarray(whole[: self._shape[0]])


@cache
def _workers(threads: int) -> Workers:
    """Shared by all runs: helper threads live as long as the process."""
    return Workers(threads - 1)


def _together(workers: Workers, call: Callable[[], object], pieces: int) -> None:
    """By all threads where there is more than one piece of work."""
    if pieces > 1 and workers.count:
        workers.run_together(call)
    else:
        call()


def _grouped(values: np.ndarray) -> np.ndarray:
    """(G, entries x 8) from (C, ...); the last group is filled up with its first chain."""
    flat = np.asarray(values).reshape(len(values), -1)
    missing = -len(flat) % WIDTH
    flat = np.concatenate([flat, np.repeat(flat[len(flat) - len(flat) % WIDTH :][:1], missing, 0)])
    lanes = flat.reshape(-1, WIDTH, flat.shape[1]).swapaxes(1, 2)
    return np.ascontiguousarray(lanes).reshape(len(lanes), -1)


def _course(setting: Setting, d: int, k: int) -> Course:
    law, plan = setting.law, setting.plan
    numbers = np.zeros(NUMBERS)
    numbers[:2] = float(law.scale), float(law.shift)
    numbers[2 : 2 + len(law.numbers)] = law.numbers
    return Course(
        d=d,
        k=k,
        kind=law.kind,
        structure=law.structure,
        numbers=numbers,
        burn_in=plan.burn_in,
        stride=plan.stride,
        observed=plan.observed,
        batches=plan.stretches,
        thresholds=np.array(plan.thresholds, dtype=np.float64),
        moments=_places(plan, "moments"),
        hidden=_places(plan, "hidden"),
    )


def _places(plan: Plan, name: str) -> np.ndarray:
    return np.array(getattr(plan, name), dtype=np.int64).reshape(-1)
