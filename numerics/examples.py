"""The data of every network of a program, packed once and used in many passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from graphs.network import Network
from numerics.blocks import Blocks


@dataclass(frozen=True)
class Examples:
    """The examples of C networks.

    inputs: block c is (d_c, n_c), the coordinates of network c's free inputs. labels: block c is
    (1, n_c).
    """

    inputs: Blocks
    labels: Blocks

    @classmethod
    def of(
        cls,
        networks: Sequence[Network],
        inputs: Sequence[Any],
        labels: Sequence[Any] | None = None,
        device: torch.device | str = "cpu",
    ) -> Examples:
        """Pack the data of each network.

        inputs: C arrays (n_c, d_c), a row for each example; labels: C arrays (n_c,), 1 where they
        are left out. Rationals are rounded to the nearest float64.

        Raises ValueError, naming the network and the entry, where a shape is wrong, a network has
        no examples, or a number is not finite.
        """
        _check_length("inputs", inputs, networks)
        rows = [
            _rows(given, net, c)
            for c, (given, net) in enumerate(zip(inputs, networks, strict=True))
        ]
        if labels is None:
            targets = [np.ones(len(array)) for array in rows]
        else:
            _check_length("labels", labels, networks)
            targets = [
                _labels(given, len(array), networks[c], c)
                for c, (given, array) in enumerate(zip(labels, rows, strict=True))
            ]
        return cls(
            inputs=Blocks.of([array.T for array in rows], device, repeat=True),
            labels=Blocks.of([array[None, :] for array in targets], device),
        )

    @property
    def counts(self) -> np.ndarray:
        """(C,) int64: the number of examples of each network."""
        return self.labels.counts


def _check_length(what: str, given: Sequence[Any], networks: Sequence[Network]) -> None:
    if len(given) != len(networks):
        raise ValueError(
            f"{what} for {len(given)} networks, but the program has {len(networks)}: "
            "give one array for each network"
        )


def _rows(given: Any, net: Network, c: int) -> np.ndarray:
    array = np.asarray(given, dtype=np.float64)
    coordinates = len(net.free_inputs)
    if array.ndim != 2 or array.shape[1] != coordinates or not len(array):
        raise ValueError(
            f"inputs of network {c}, {net}, have shape {array.shape}: give (examples, "
            f"{coordinates}), at least one example"
        )
    _check_finite(array, f"inputs of network {c}, {net}", ("example", "coordinate"))
    return array


def _labels(given: Any, count: int, net: Network, c: int) -> np.ndarray:
    array = np.asarray(given, dtype=np.float64)
    if array.shape != (count,):
        raise ValueError(
            f"labels of network {c}, {net}, have shape {array.shape}: its inputs have "
            f"{count} examples, give ({count},)"
        )
    _check_finite(array, f"labels of network {c}, {net}", ("example",))
    return array


def _check_finite(array: np.ndarray, what: str, axes: tuple[str, ...]) -> None:
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        place = ", ".join(f"{axis} {i}" for axis, i in zip(axes, wrong[0], strict=True))
        value = array[tuple(wrong[0])]
        raise ValueError(f"{what}: {place} is {value}: every number must be finite")
