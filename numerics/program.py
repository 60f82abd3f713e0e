"""Many different networks compiled into one program: values, gradients, activation patterns.

All weights are one flat float64 tensor, network after network, in the order of their parameters;
what depends on examples comes in `Blocks`, one matrix for each network with a column for each
example.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
import torch

from graphs.network import Network
from numerics.backends import Backend
from numerics.blocks import Blocks
from numerics.conversion import to_float
from numerics.examples import Examples
from numerics.layouts import Layout
from numerics.levels import LevelBackend
from numerics.losses import Loss
from numerics.workers import available_cores


@dataclass(frozen=True)
class Patterns:
    """The activation pattern of each network on each example.

    signs: int8 blocks (V_c, n_c), the sign of each pre-activation (at an input, of the input).
    kinks: (C,) int64, for each network how many pre-activations are exactly 0 where the
    activation has two slopes.
    """

    signs: Blocks
    kinks: torch.Tensor


class Program:
    """Networks, ready to be evaluated. Build one with `compile_networks`.

    Every weight argument is a flat tensor (or array) of P numbers, see `weights`; every `examples`
    comes from `examples`. Results are float64 torch tensors on the program's device. At a
    pre-activation of exactly 0 the slope is the one to its right.

    Raises ValueError, naming the network and the parameter, where a weight is not finite. (What
    overflows on the way comes out as infinity or not-a-number.)
    """

    def __init__(self, layout: Layout, backend: Backend, device: torch.device) -> None:
        self.networks = layout.networks
        self.parameter_offsets = layout.parameter_offsets
        self.device = device
        self._layout = layout
        self._backend = backend
        kinked = layout.numbers[:, 0] != layout.numbers[:, 1]
        learns = layout.codes[:, 2] < -1
        self._kinked = torch.from_numpy(kinked & learns & (layout.codes[:, 3] == 0)).to(device)
        self._owner = torch.from_numpy(layout.union.vertex_owner).to(device)

    @property
    def backend(self) -> str:
        """The name of what computes: numba or torch."""
        return self._backend.name

    @property
    def implementation(self) -> Backend:
        """What computes, for integrators that build on the same tables."""
        return self._backend

    # data ----------------------------------------------------------------------------------------
    def weights(self, of_networks: Sequence[Sequence[Any]]) -> torch.Tensor:
        """(P,): the weights of all networks from those of each, rationals or floats."""
        if len(of_networks) != len(self.networks):
            raise ValueError(
                f"weights of {len(of_networks)} networks, but the program has "
                f"{len(self.networks)}: give one sequence for each network"
            )
        numbers: list[float] = []
        for net, given in zip(self.networks, of_networks, strict=True):
            net.check_weight_count(given)
            numbers += [to_float(weight, f"a weight of {net}") for weight in given]
        return torch.tensor(numbers, dtype=torch.float64, device=self.device)

    def split(self, flat: torch.Tensor) -> list[torch.Tensor]:
        """The part of each network in a tensor of P numbers; views."""
        return list(torch.split(flat, np.diff(self.parameter_offsets).tolist()))

    def examples(self, inputs: Sequence[Any], labels: Sequence[Any] | None = None) -> Examples:
        """Pack the data of each network: C arrays (n_c, d_c), and labels (n_c,), default 1.

        Raises ValueError as `Examples.of` does.
        """
        return Examples.of(self.networks, inputs, labels, self.device)

    def cotangents(self, of_networks: Sequence[Any]) -> Blocks:
        """Pack C matrices (outputs, n_c) for `gradient`."""
        return Blocks.of(of_networks, self.device)

    # values --------------------------------------------------------------------------------------
    def forward(self, weights: Any, examples: Examples) -> Blocks:
        """The outputs: block c is (outputs, n_c)."""
        return self._backend.values(self._checked(weights), examples)

    def preactivations(self, weights: Any, examples: Examples) -> Blocks:
        """Block c is (V_c, n_c), by vertex number; at an input, the input."""
        return self._backend.preactivations(self._checked(weights), examples)

    def patterns(self, weights: Any, examples: Examples) -> Patterns:
        """The signs of all pre-activations, and how many lie exactly on a kink."""
        pre = self.preactivations(weights, examples)
        zeros = (pre.wide() == 0) & pre.valid() & self._kinked[:, None]
        kinks = torch.zeros(len(self.networks), dtype=torch.int64, device=self.device)
        kinks.index_add_(0, self._owner, zeros.sum(dim=1))
        return Patterns(pre.with_flat(torch.sign(pre.flat).to(torch.int8)), kinks)

    def risk(self, weights: Any, examples: Examples, loss: Loss) -> torch.Tensor:
        """(C,): the mean of loss(y_j nu(x_j)) over the examples; nu is the first output."""
        labels = examples.labels
        values = loss.value(labels.flat * self._first(self.forward(weights, examples)))
        wide = labels.with_flat(values).wide()
        counts = torch.from_numpy(examples.counts).to(self.device)
        return torch.where(labels.valid(), wide, 0.0).sum(dim=1) / counts

    # gradients -----------------------------------------------------------------------------------
    def risk_gradient(self, weights: Any, examples: Examples, loss: Loss) -> torch.Tensor:
        """(P,): the gradient of each network's risk in its own weights."""
        checked = self._checked(weights)
        result = self._backend.risk_gradient(checked, examples, loss)
        if result is not None:
            return result
        labels = examples.labels
        each = torch.from_numpy(np.repeat(examples.counts, labels.strides)).to(self.device)

        def kappa(outputs: Blocks) -> Blocks:
            slopes = loss.derivative(labels.flat * self._first(outputs))
            return self._for_first(labels.with_flat(slopes * labels.flat / each))

        return self._backend.gradient(checked, examples, kappa)

    def gradient(self, weights: Any, examples: Examples, cotangents: Blocks) -> torch.Tensor:
        """(P,): the gradient of the sum over outputs k and examples j of
        cotangents[k, j] * nu_k(x_j). With cotangents kappa_j it is a risk gradient whose loss has
        any prescribed slopes.
        """
        expected = (self._layout.output_rows, examples.counts)
        for what, given, wanted in zip(
            ("rows", "columns"), (cotangents.rows, cotangents.counts), expected, strict=True
        ):
            if not np.array_equal(given, wanted):
                raise ValueError(
                    f"cotangents have {given.tolist()} {what}, expected {wanted.tolist()}: "
                    "give a row for each output and a column for each example"
                )
        return self._backend.gradient(self._checked(weights), examples, lambda _: cotangents)

    # helpers -------------------------------------------------------------------------------------
    def _checked(self, weights: Any) -> torch.Tensor:
        flat = torch.as_tensor(weights, dtype=torch.float64, device=self.device).detach()
        total = int(self.parameter_offsets[-1])
        if flat.shape != (total,):
            raise ValueError(
                f"weights have shape {tuple(flat.shape)}: give one flat array of {total} numbers"
            )
        if not _surely_finite(flat):
            wrong = torch.nonzero(~torch.isfinite(flat))
            if len(wrong):
                raise ValueError(self._culprit(int(wrong[0]), float(flat[wrong[0]])))
        return flat

    def _culprit(self, place: int, value: float) -> str:
        c = int(np.searchsorted(self.parameter_offsets, place, side="right")) - 1
        name = self.networks[c].parameter_names[place - int(self.parameter_offsets[c])]
        return (
            f"weight {name!r} of network {c}, {self.networks[c]}, is {value}: "
            "every weight must be finite"
        )

    def _first(self, outputs: Blocks) -> torch.Tensor:
        """The first output's rows, one after the other: laid out as the labels are."""
        if int(outputs.rows.max()) == 1:
            return outputs.flat
        starts = zip(outputs.offsets, outputs.strides, strict=False)
        return torch.cat([outputs.flat[start : start + stride] for start, stride in starts])

    def _for_first(self, of_first: Blocks) -> Blocks:
        """Cotangents that are 0 at all outputs but the first."""
        rows = self._layout.output_rows
        if int(rows.max()) == 1:
            return of_first
        pieces: list[torch.Tensor] = []
        for c, stride in enumerate(of_first.strides):
            pieces.append(of_first.flat[of_first.offsets[c] : of_first.offsets[c + 1]])
            pieces.append(of_first.flat.new_zeros(int(stride * (rows[c] - 1))))
        return Blocks(torch.cat(pieces), rows, of_first.counts)


def _surely_finite(flat: torch.Tensor) -> bool:
    """A fast test: false also where the sum of finite numbers overflows.

    On the CPU numpy makes it, in this thread: torch's and BLAS's parallel sums wait for all their
    threads, however short the work is, and torch's hang in a process that was forked.
    """
    if flat.device.type == "cpu":
        with np.errstate(over="ignore", invalid="ignore"):  # that is what is tested
            return bool(np.isfinite(flat.numpy().sum()))
    return bool(torch.isfinite(flat.sum()))


def compile_networks(
    networks: Network | Iterable[Network],
    device: torch.device | str = "cpu",
    backend: str = "auto",
    threads: int | None = None,
) -> Program:
    """One program for one network or many different ones.

    backend: "numba" (compiled kernels, CPU only), "torch" (CPU or CUDA), or "auto": the compiled
    kernels where Numba is installed and the device is the CPU. Both give the same results to
    within rounding. threads: for the compiled kernels, default all cores this process may use.

    Raises ValueError for no networks, an unknown backend, one that cannot run on the device, fewer
    than one thread, or a fixed weight, slope or scale beyond the range of float64.

    >>> from graphs.network import network
    >>> net = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"])
    >>> program = compile_networks(net, backend="torch")
    >>> program.forward([3.0, 0.5], program.examples([[[2.0], [4.0]]]))[0].tolist()
    [[3.0, 6.0]]
    """
    chosen = [networks] if isinstance(networks, Network) else list(networks)
    if not chosen:
        raise ValueError("no networks: give at least one")
    if threads is not None and threads < 1:
        raise ValueError(f"threads = {threads}: give at least 1, or None for all cores")
    place = torch.device(device)
    if backend == "auto":
        backend = "numba" if place.type == "cpu" and find_spec("numba") else "torch"
    layout = Layout.of(chosen)
    if backend == "torch":
        return Program(layout, LevelBackend(layout, place), place)
    if backend != "numba":
        raise ValueError(f"backend {backend!r}: use auto, numba or torch")
    if place.type != "cpu":
        raise ValueError(f"backend 'numba' on device {device}: it runs on the CPU, use torch")
    from numerics.compiled import CompiledBackend  # numba may be missing: only where it is used

    return Program(layout, CompiledBackend(layout, threads or available_cores()), place)
