"""Chains of random layers with batch normalisation, to any depth: what is seen along the way.

H_(l+1) = BN(H_l + gamma W_l H_l), or BN(W_l H_l) for gamma = inf: Daneshmand, Kohler, Bach,
Hofmann, Lucchi (2020), (1), (2), (7). The path is not stored: sums, extremes and checkpoints are.
What runs are the coefficients of H in the row space of X (numerics.chains.rowspaces), so that the
rank never grows by rounding.

>>> from numerics.chains.inputs import full
>>> from numerics.chains.laws import gaussian
>>> X = full(torch.Generator().manual_seed(0), 3, 4, 4)
>>> seen = run(X, gaussian(), gammas=0.5, seeds=range(3), plan=Plan(depth=200, burn_in=100))
>>> seen.mean("r").shape, bool((seen.least("r") >= 1).all())
((3,), True)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import sqrt

import numpy as np
import torch
from torch import Tensor

from numerics.chains.averages import Estimate, of_batches, ratio_of_batches
from numerics.chains.backends import ChainBatch, Setting, TorchChains
from numerics.chains.counters import bases, tensor_keys, weights
from numerics.chains.laws import Law
from numerics.chains.observables import CUBE, SQUARES, Plan, Totals, second_moments
from numerics.chains.rowspaces import of_inputs
from numerics.chains.steps import normalised


@dataclass(frozen=True)
class Checkpoint:
    """The chains at one layer. eigenvalues: (C, d) of M, the largest first. singular_values:
    (C, min(d, N)) of H over sqrt(N). states: (C, d, N), where they are kept."""

    layer: int
    eigenvalues: Tensor
    singular_values: Tensor
    states: Tensor | None


@dataclass(frozen=True)
class Seen:
    """What was seen along C chains; arrays are float64, in the order of the inputs.

    totals: sums of batches and extremes, see there; the last axis is plan.names. states: (C, d, N),
    the last H. checkpoints: in the order of their layers. backend: numba or torch.
    """

    plan: Plan
    totals: Totals
    states: Tensor
    checkpoints: tuple[Checkpoint, ...]
    backend: str

    def mean(self, name: str) -> np.ndarray:
        """(C,): the average over all observed layers."""
        return self.totals.sums[:, :, self._place(name)].sum(axis=1) / self.plan.observed

    def batch_means(self, name: str) -> np.ndarray:
        """(C, B): the average over each batch of layers, in their order."""
        return self.totals.sums[:, :, self._place(name)] / self.plan.counts

    def first_half(self, name: str) -> np.ndarray:
        """(C,): the average over the first half of the batches (L, where `mean` has 2 L)."""
        half = max(1, self.plan.stretches // 2)
        sums = self.totals.sums[:, :half, self._place(name)].sum(axis=1)
        return sums / self.plan.counts[:half].sum()

    def least(self, name: str) -> np.ndarray:
        """(C,): the least value at an observed layer."""
        return self.totals.least[:, self._place(name)]

    def greatest(self, name: str) -> np.ndarray:
        """(C,): the largest value at an observed layer."""
        return self.totals.greatest[:, self._place(name)]

    def rises(self, name: str) -> np.ndarray:
        """(C,): how often the value was larger than at the observed layer before."""
        return self.totals.rises[:, self._place(name)]

    @property
    def zero_rows(self) -> np.ndarray:
        """(C,): how many rows were zero before normalisation, over all layers."""
        return self.totals.zero_rows

    def estimate(self, name: str) -> Estimate:
        """The average of each chain with its Monte Carlo error; fields are (C,)."""
        return of_batches(self.batch_means(name), self.plan.counts)

    def regularity(self) -> Estimate:
        """alpha = E Tr(diag(M^2)^2) / E Tr(M^3) of each chain (Definition 3); fields are (C,)."""
        return ratio_of_batches(self.batch_means(SQUARES), self.batch_means(CUBE), self.plan.counts)

    def _place(self, name: str) -> int:
        if name not in self.plan.names:
            raise ValueError(f"{name!r} was not measured: use one of {', '.join(self.plan.names)}")
        return self.plan.names.index(name)


def run(
    inputs: Tensor,
    law: Law | Sequence[Law],
    *,
    gammas: float | Sequence[float] | Tensor,
    seeds: Sequence[int],
    plan: Plan,
    centred: bool = False,
    device: torch.device | str = "cpu",
    backend: str = "auto",
    threads: int | None = None,
) -> Seen:
    """Carry chains through plan.depth layers.

    inputs: (C, d, N) or (d, N), the same for all. law: of the weights, one for all or one for each
    chain. gammas: one for all or (C,), may be infinite. seeds: (C,) integers; the same seed gives
    the same weights whatever else is in the batch, on every backend up to rounding. centred: rows
    are centred before they are normalised.
    backend: "numba" (compiled, CPU), "torch" (CPU or CUDA) or "auto": compiled where Numba is
    installed, on the CPU. threads: of the compiled kernels; default all cores. Its
    results do not depend on them, to the last bit.

    Raises ValueError for sizes that do not fit together, entries that are not finite, a gamma that
    is not a number, or a backend that there is not.
    """
    seeds = tuple(int(seed) for seed in seeds)
    chains = len(seeds)
    place = torch.device(device)
    hidden = torch.as_tensor(inputs, dtype=torch.float64).to(place)
    hidden = hidden.expand(chains, *hidden.shape[-2:])
    strengths = torch.as_tensor(gammas, dtype=torch.float64, device="cpu").expand(chains)
    if not chains or not bool(torch.isfinite(hidden).all()) or bool(torch.isnan(strengths).any()):
        raise ValueError(f"{chains} chains: give at least one, finite inputs, and gammas")
    laws = [law] * chains if isinstance(law, Law) else list(law)
    if len(laws) != chains:
        raise ValueError(f"{len(laws)} laws for {chains} chains: give one, or one for each")
    parts: list[tuple[list[int], Seen]] = []
    for one in dict.fromkeys(laws):
        chosen = [c for c in range(chains) if laws[c] == one]
        part = tuple(seeds[c] for c in chosen)
        given = hidden[chosen]
        rows = of_inputs(given, centred=centred)
        setting = Setting(one, strengths[chosen], part, _probes(rows.basis, plan), plan)
        carried = _made(backend, rows.coefficients, setting, threads)
        parts.append((chosen, _carried(carried, given, rows.basis, plan)))
    return parts[0][1] if len(parts) == 1 else _merged(parts, plan)


def _made(backend: str, hidden: Tensor, setting: Setting, threads: int | None) -> ChainBatch:
    if backend not in ("auto", "numba", "torch"):
        raise ValueError(f"backend {backend!r}: use auto, numba or torch")
    on_cpu = hidden.device.type == "cpu"
    if backend == "numba" and not on_cpu:
        raise ValueError(f"backend 'numba' on {hidden.device}: it runs on the CPU, use torch")
    fits = on_cpu and find_spec("numba") is not None
    if backend == "torch" or (backend == "auto" and not fits):
        return TorchChains(hidden, setting)
    from numerics.chains.compiled import ChainsInLanes  # numba may be missing

    return ChainsInLanes(hidden, setting, threads)


def _probes(basis: Tensor, plan: Plan) -> Tensor:
    """(C, k, 1 + q): the mean over samples, and the measured columns, of the basis (C, k, N)."""
    columns = [j for _, j in plan.hidden]
    return torch.cat([basis.mean(dim=2, keepdim=True), basis[:, :, columns]], dim=2)


def _carried(chains: ChainBatch, inputs: Tensor, basis: Tensor, plan: Plan) -> Seen:
    """From the input through all layers, with a stop at each checkpoint."""
    at, found = 0, []
    for layer in sorted(set(plan.checkpoints)):
        chains.advance(at, layer)
        at = layer
        states = chains.states() @ basis if layer else inputs
        found.append(checkpoint(layer, states, keep=plan.keep_states))
    chains.advance(at, plan.depth)
    return Seen(plan, chains.totals, chains.states() @ basis, tuple(found), chains.name)


def checkpoint(layer: int, states: Tensor, *, keep: bool = False) -> Checkpoint:
    """The spectra of H (C, d, N) at a layer; keep: with H itself."""
    eigenvalues = torch.linalg.eigvalsh(second_moments(states)).flip(1)
    values = torch.linalg.svdvals(states) / sqrt(states.shape[2])
    return Checkpoint(layer, eigenvalues, values, states if keep else None)


def _merged(parts: Sequence[tuple[list[int], Seen]], plan: Plan) -> Seen:
    """Chains of several laws, back in their order."""
    order = np.argsort(np.concatenate([chosen for chosen, _ in parts]))
    index = torch.from_numpy(order)
    seen = [part for _, part in parts]

    def joined(pieces: Sequence[Tensor]) -> Tensor:
        whole = torch.cat(list(pieces))
        return whole[index.to(whole.device)]

    totals = Totals(
        **{
            field: np.concatenate([getattr(part.totals, field) for part in seen])[order]
            for field in Totals.__dataclass_fields__
        }
    )
    checkpoints = []
    for number, first in enumerate(seen[0].checkpoints):
        same = [part.checkpoints[number] for part in seen]
        states = [one.states for one in same if one.states is not None]
        checkpoints.append(
            Checkpoint(
                first.layer,
                joined([one.eigenvalues for one in same]),
                joined([one.singular_values for one in same]),
                joined(states) if states else None,
            )
        )
    states = joined([part.states for part in seen])
    return Seen(plan, totals, states, tuple(checkpoints), seen[0].backend)


def joined_to_width(states: Tensor, width: int, law: Law, seeds: Sequence[int]) -> Tensor:
    """(C, width, N): the layer that joins a block to one of another width, BN(W H) with an i.i.d.
    width x d matrix W, from H (C, d, N). seeds: (C,), those of a chain would repeat its weights."""
    drawn = weights(law, bases(tensor_keys(seeds, states.device), 0), width, states.shape[1])
    return normalised(drawn @ states)[0]
