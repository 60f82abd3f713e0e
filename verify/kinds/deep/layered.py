"""Fully connected networks as cases with a network: what statements of the language speak of.

A network of arrays (`Deep`) becomes one of vertices and edges, every weight an edge, also one that
is 0, every bias an edge from an input that is held at 1. The list `layer` has the vertices of each
layer, the inputs first. What is drawn, repaired and made smaller is the network of arrays, so that
layers go as a whole; a case whose network is none of this form is treated as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any

from graphs.activations import LINEAR, RELU, Activation, leaky_relu
from graphs.network import Network, network
from verify.cases.case import Case, Point
from verify.cases.pool import Pool
from verify.cases.tensors import Tensor
from verify.core.losses import PRESCRIBED
from verify.kinds.deep.networks import Deep, depth_of, number, tensor_of, width_axis
from verify.kinds.deep.pool import DEEP, DeepPool

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

LIST = "layer"
HELD = "1"
LAST = "nL"  # the axis of the last layer, of arrays beside the network
ONE = Fraction(1)


@dataclass(frozen=True)
class Layered(Case):
    """A case whose network is, as a rule, fully connected, with its layers as a list."""

    @cached_property
    def deep(self) -> Deep | None:
        """The network as arrays; None where it is not fully connected."""
        return arrays_of(self)

    @property
    def admissible(self) -> bool:
        """Points may lie anywhere."""
        return True

    @staticmethod
    def batches(cases: Sequence[Case]) -> Iterator[Sequence[Case]]:
        """All of them: no paths are listed."""
        yield cases

    def changes(self) -> Iterator[Case]:
        """As of the arrays: fewer layers, neurons and points, plainer numbers."""
        if self.deep is None:
            yield from super().changes()
        else:
            yield from map(as_network, self.deep.changes())

    def varied(self, random: Random) -> Case:
        """The case with some numbers changed, those beside the network too."""
        return super().varied(random) if self.deep is None else as_network(self.deep.varied(random))

    def plain(self) -> Case:
        """The case with plain names."""
        return self if self.deep is None else as_network(self.deep)

    def described(self) -> str:
        """Widths, slope, points, and the other numbers."""
        return super().described() if self.deep is None else self.deep.described()


# from arrays to vertices and edges ----------------------------------------------------------------
def as_network(deep: Any) -> Layered:
    """The case with the network of these arrays, and with their other arrays beside it."""
    depth, lengths = depth_of(deep.arrays), deep.lengths
    names = [[f"x{i + 1}" for i in range(lengths[width_axis(0)])]]
    for layer in range(1, depth):
        names.append([f"h{layer}.{i + 1}" for i in range(lengths[width_axis(layer)])])
    names.append([f"o{i + 1}" for i in range(lengths[width_axis(depth)])])
    weights: dict[tuple[str, str], Fraction] = {}
    for layer in range(1, depth + 1):
        entries = iter(deep.arrays[f"W{layer}"].entries)
        for head, bias in zip(names[layer], deep.arrays[f"b{layer}"].entries, strict=True):
            weights |= {(tail, head): next(entries) for tail in names[layer - 1]}
            weights[HELD, head] = bias
    own = {name for k in range(1, depth + 1) for name in (f"W{k}", f"b{k}")} | {"a", "X"}
    net, numbers = _graph(names, weights, deep.arrays["a"].entries[0])
    rows, ones = _data(deep.arrays["X"])
    return Layered(
        net,
        numbers,
        rows,
        ones,
        PRESCRIBED,
        ones,
        choice={**deep.choice, LIST: names},
        family=deep.family,
        arrays={
            name: _on(array, {width_axis(depth): LAST, "N": "examples"})
            for name, array in deep.arrays.items()
            if name not in own
        },
    )


def _graph(
    names: list[list[str]], weights: dict[tuple[str, str], Fraction], slope: Fraction
) -> tuple[Network, tuple[Fraction, ...]]:
    """The network, and the weights in the order of its parameters."""
    net = network(
        list(weights),
        inputs=[*names[0], HELD],
        outputs=names[-1],
        activations={name: _bent(slope) for layer in names[1:-1] for name in layer},
        constants={HELD: 1},
    )
    by_parameter = {f"w[{tail}->{head}]": value for (tail, head), value in weights.items()}
    return net, tuple(by_parameter[name] for name in net.parameter_names)


def _bent(slope: Fraction) -> Activation:
    if slope in (0, 1):
        return LINEAR if slope else RELU
    return leaky_relu(slope)


def _data(points: Tensor) -> tuple[tuple[Point, ...], Point]:
    """The points as examples; and labels, or slopes of a loss, that nothing is said of."""
    count, width = points.shape
    rows = tuple(points.entries[k * width : (k + 1) * width] for k in range(count))
    return rows, (ONE,) * count


# and back -----------------------------------------------------------------------------------------
def arrays_of(case: Case) -> Deep | None:
    """The network of a case as arrays, with those beside it; None where it is not fully connected
    with one slope left of 0."""
    net, names = case.network, case.choice.get(LIST)
    slope = _slope(net)
    if slope is None or not names or not all(name in net.index for row in names for name in row):
        return None
    edges = {
        (net.names[tail], net.names[head]): weight
        for tail, head, weight in zip(
            net.tails, net.heads, net.edge_weights(case.weights), strict=True
        )
    }
    held = [net.names[v] for v, c in zip(net.inputs, net.constants, strict=True) if c is not None]
    layers = [list(row) for row in names]
    wanted = {(t, h) for k, row in enumerate(layers[1:]) for h in row for t in [*layers[k], *held]}
    free = [net.names[v] for v in net.free_inputs]
    ends = layers[0] == free and layers[-1] == [net.names[v] for v in net.outputs]
    if len(held) != 1 or not ends or wanted != edges.keys():
        return None
    arrays: dict[str, Tensor] = {}
    for k, row in enumerate(layers[1:], start=1):
        axes = (width_axis(k), width_axis(k - 1))
        arrays[f"W{k}"] = tensor_of(axes, [[edges[t, h] for t in layers[k - 1]] for h in row])
        arrays[f"b{k}"] = tensor_of(axes[:1], [edges[held[0], h] for h in row])
    arrays["a"] = number(slope)
    arrays["X"] = tensor_of(("N", width_axis(0)), case.inputs)
    choice = {key: value for key, value in case.choice.items() if key != LIST}
    axes_of = {LAST: width_axis(len(layers) - 1), "examples": "N"}
    beside = {name: _on(array, axes_of) for name, array in case.arrays.items()}
    return Deep({**arrays, **beside}, choice, case.family)


def _slope(net: Network) -> Fraction | None:
    """The slope left of 0 of all hidden neurons, 0 where there are none; None where they have
    several, or outputs are not linear."""
    kinds = {net.activations[v] for v in net.inner}
    bent = {kind.slopes[0] for kind in kinds if kind.kind in ("relu", "leaky_relu", "linear")}
    plain = all(net.activations[v] == LINEAR for v in net.outputs)
    fits = len(kinds) <= 1 and len(bent) == len(kinds) and plain
    return next(iter(bent), Fraction(0)) if fits else None


def _on(array: Tensor, names: Mapping[str, str]) -> Tensor:
    """An array with other names of axes."""
    return replace(array, axes=tuple(names.get(axis, axis) for axis in array.axes))


def lifted(change: Callable[[Any, Random], Any]) -> Callable[[Case, Random], Case]:
    """A change of networks of arrays as one of cases; a case that is none stays."""

    def changed(case: Case, random: Random) -> Case:
        deep = arrays_of(case)
        return case if deep is None else as_network(change(deep, random))

    return changed


# where they come from -----------------------------------------------------------------------------
@dataclass(frozen=True)
class LayeredPool(Pool):
    """The networks of a pool of arrays.

    of: that pool. trained, deep: the shares of trained networks and of much deeper ones among large
    ones.
    """

    of: DeepPool = field(default_factory=DeepPool)
    trained: Fraction = Fraction(1, 16)
    deep: Fraction = Fraction(0)

    def draw(self, random: Random, *, n: int = 1, loss: str = "", large: bool = True) -> Layered:
        """One random network."""
        if large and random.random() < self.trained:
            return as_network(self.of.draw_trained(random))
        if large and self.deep and random.random() < self.deep:
            return as_network(self.of.draw_deep(random))
        return as_network(self.of.draw(random, large=large))

    def drawn(self) -> SearchStrategy[Case]:
        """Small networks for the guided search."""
        return self.of.drawn().map(as_network)

    def named(self, random: Random) -> Iterator[Case]:
        """None has a name."""
        return iter(())

    def scope(self) -> tuple[str, ...]:
        """Depths, widths, points, slopes."""
        deep = f", some narrow ones to depth {max(DEEP)}" if self.deep else ""
        return self.of.scope_with(f"some of them trained{deep}")

    def functions(self) -> dict[str, Callable[..., Any]]:
        """The last change of every network."""
        return self.of.functions()


def layered_pool(of: DeepPool, *, deep: Fraction = Fraction(0)) -> LayeredPool:
    """A pool of the networks of another one, as cases with a network. deep: see LayeredPool."""
    return LayeredPool(examples=(1,), losses=(PRESCRIBED,), of=of, deep=deep)
