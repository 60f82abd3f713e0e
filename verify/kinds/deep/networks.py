"""Fully connected networks with vector outputs, biases and leaky ReLU, as instances made of arrays.

The arrays of a network of depth L: `W1` to `WL` with axes (n1, n0) to (nL, n(L-1)), `b1` to `bL`
with axes (nl,), the slope `a` left of 0, and the points `X` (N, n0). A claim may add others: a
vector `u` (n0,), a number `gap`, an integer `k`. Since axes of the same name have the same length,
a neuron, a point or a coordinate is dropped everywhere at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from verify.cases.tensors import Tensor, Tensors
from verify.kinds.deep.forward import Forward

NUMBERED = re.compile(r"([A-Za-z]+)(\d+)")
Matrix = np.ndarray  # of rationals, dtype object


def width_axis(layer: int) -> str:
    """The name of the axis of the neurons of a layer; layer 0 are the inputs."""
    return f"n{layer}"


class Deep(Tensors):
    """A network of depth L with points, and what else a claim asks for."""

    @cached_property
    def depth(self) -> int:
        """L, the number of weight matrices."""
        return depth_of(self.arrays)

    @property
    def widths(self) -> tuple[int, ...]:
        """n_0 to n_L."""
        lengths = self.lengths
        return tuple(lengths[width_axis(layer)] for layer in range(self.depth + 1))

    @cached_property
    def exact(self) -> Forward:
        """What the layers have at the points."""
        return Forward(self)

    def with_array(self, name: str, entries: Any) -> Deep:
        """The same with other entries of one array, of the same shape or another."""
        flat = np.asarray(entries, dtype=object)
        shape = flat.shape
        values = tuple(as_fraction(entry) for entry in flat.reshape(-1))
        old = self.arrays.get(name)
        axes = old.axes if old is not None else axes_of_array(name, len(shape), self.depth)
        integer = old.integer if old is not None else False
        return self.changing(**{name: Tensor(axes, shape, values, integer)})

    def changes(self) -> Iterator[Tensors]:
        """Fewer layers first, then as of all arrays."""
        yield from self._fewer_layers()
        yield from super().changes()

    def _fewer_layers(self) -> Iterator[Deep]:
        """Without one layer: left out where its widths are equal, or its matrix multiplied into
        the next one."""
        for layer in range(1, self.depth) if self.depth > 1 else ():
            yield self._merged(layer)
        for layer in range(1, self.depth + 1) if self.depth > 1 else ():
            if self.widths[layer] == self.widths[layer - 1]:
                yield _without_layer(self, layer, {})

    def _merged(self, layer: int) -> Deep:
        weight, bias = f"W{layer + 1}", f"b{layer + 1}"
        product = self.matrix(weight) @ self.matrix(f"W{layer}")
        shift = self.matrix(weight) @ self.matrix(f"b{layer}") + self.matrix(bias)
        axes = (width_axis(layer + 1), width_axis(layer - 1))
        new = {weight: _tensor(axes, product), bias: _tensor(axes[:1], shift)}
        return _without_layer(self, layer, new)

    def described(self) -> str:
        """Widths, slope, points, and the other numbers."""
        shown = [f"widths {'-'.join(map(str, self.widths))}"]
        shown += [f"a = {self.number('a')}"] if self.depth > 1 else []
        count = self.lengths["N"]
        shown.append(f"{count} point{'s' * (count > 1)}")
        own = {"a", "X", *(f"{kind}{k}" for kind in "Wb" for k in range(1, self.depth + 1))}
        for name, array in self.arrays.items():
            if name not in own:
                shape = " x ".join(map(str, array.shape))
                shown.append(f"{name} {shape}" if array.axes else f"{name} = {array.entries[0]}")
        return ", ".join(shown)


def depth_of(arrays: Any) -> int:
    """The number of weight matrices among the names of arrays."""
    return sum(re.fullmatch(r"W\d+", name) is not None for name in arrays)


def _tensor(axes: tuple[str, ...], entries: Matrix) -> Tensor:
    return Tensor(axes, entries.shape, tuple(as_fraction(entry) for entry in entries.reshape(-1)))


def tensor_of(axes: tuple[str, ...], entries: Any) -> Tensor:
    """An array with these axes from nested rationals."""
    return _tensor(axes, np.asarray(entries, dtype=object))


def axes_of_array(name: str, rank: int, depth: int) -> tuple[str, ...]:
    """The axes of an array of a network by its name. Raises KeyError for an unknown one."""
    found = NUMBERED.fullmatch(name)
    if found and found[1] in "Wb":
        layer = int(found[2])
        return (width_axis(layer), width_axis(layer - 1))[:rank]
    if name == "X":
        return ("N", width_axis(0))
    if rank == 0:
        return ()
    raise KeyError(f"an array {name!r} with {rank} axes: give them names")


def _without_layer(case: Deep, layer: int, new: dict[str, Tensor]) -> Deep:
    """Renumbered without a layer, after some arrays were replaced. The axis of its neurons goes;
    arrays numbered by layers lose the one of its number."""

    def axis(name: str) -> str:
        if not re.fullmatch(r"n\d+", name):
            return name
        number = int(name[1:])
        return width_axis(number - 1) if number >= layer and number > 0 else name

    arrays: dict[str, Tensor] = {}
    for name, array in {**case.arrays, **new}.items():
        found = NUMBERED.fullmatch(name) if array.axes else None  # gap2 is no array of a layer
        number = int(found[2]) if found else -1
        if number == layer:
            continue
        renamed = f"{found[1]}{number - 1}" if found and number > layer else name
        axes = tuple(map(axis, array.axes))
        arrays[renamed] = replace(array, axes=axes)
    return Deep(arrays, case.choice, case.family)


def deep(
    weights: Sequence[Any],
    biases: Sequence[Any] | None = None,
    points: Sequence[Sequence[Any]] = (),
    slope: Any = 0,
    family: str = "",
    **more: Tensor,
) -> Deep:
    """A network from nested rationals.

    weights: L matrices, n_l rows of n_(l-1). biases: L vectors, 0 if None. points: N rows of n_0.
    more: other arrays by name.

    >>> deep([[[1], [2]], [[1, -1]]], points=[[3]]).widths
    (1, 2, 1)
    """
    arrays: dict[str, Tensor] = {}
    for layer, weight in enumerate(weights, start=1):
        matrix = RATIONALS.array(weight)
        axes = (width_axis(layer), width_axis(layer - 1))
        arrays[f"W{layer}"] = _tensor(axes, matrix)
        bias = [0] * len(matrix) if biases is None else biases[layer - 1]
        arrays[f"b{layer}"] = _tensor(axes[:1], RATIONALS.array(bias))
    arrays["a"] = Tensor((), (), (Fraction(slope),))
    arrays["X"] = _tensor(("N", width_axis(0)), RATIONALS.array(points))
    return Deep({**arrays, **more}, {}, family)


def number(value: Any, *, integer: bool = False) -> Tensor:
    """An array without axes."""
    return Tensor((), (), (Fraction(value),), integer)
