"""A network under construction from the tensors of a module.

An entry of a tensor that depends on the input is a *form*: what a neuron would read, a mapping from
vertices to weights. A form becomes a vertex when an activation is applied to it, or when more than
a sum is asked of it. An entry of a tensor that does not depend on the input is a weight: the name
of a parameter, or a number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from graphs.activations import LINEAR, Activation
from graphs.errors import NetworkError
from graphs.network import Network, network

ONE = "1"
"""The input that is held at 1: biases are the weights of its edges."""
MOST_EDGES = 1_000_000
Weight = str | Fraction
Form = dict[str, Weight]


@dataclass(frozen=True)
class Entries:
    """A tensor: forms, or weights where it does not depend on the input (`known`). array: of
    objects; where there are forms the first axis is the batch, of one example. label: of the
    vertices that the forms may become."""

    array: Any
    label: str
    known: bool = False

    def like(self, array: np.ndarray) -> Entries:
        """The same entries in another arrangement."""
        return Entries(array, self.label, self.known)


@dataclass
class Wiring:
    """The edges so far, each with its weight; the values of the parameters by name."""

    edges: dict[tuple[str, str], Weight] = field(default_factory=dict)
    activations: dict[str, Activation] = field(default_factory=dict)
    values: dict[str, Fraction] = field(default_factory=dict)
    inputs: list[str] = field(default_factory=list)
    labels: Counter[str] = field(default_factory=Counter)
    copies: dict[str, list[str]] = field(default_factory=dict)

    # vertices ------------------------------------------------------------------------------------
    def input(self, shape: tuple[int, ...]) -> Entries:
        """The inputs, one for each coordinate of an example."""
        self.labels.update(("x", ONE, "o"))
        array = empty((1, *shape))
        for place, name in _named("x", shape):
            self.inputs.append(name)
            array[0, *place] = {name: Fraction(1)}
        return Entries(array, "x")

    def vertices(self, entries: Entries, activation: Activation, label: str) -> Entries:
        """A vertex with this activation for each form."""
        label, array = self._unused(label), empty(entries.array.shape)
        for place, name in _named(label, entries.array.shape[1:]):
            array[0, *place] = self._vertex(name, entries.array[0, *place], activation)
        return Entries(array, label)

    def settled(self, entries: Entries) -> Entries:
        """The tensor, with a vertex for each form that is none, and no more than nothing: the forms
        themselves change, so that whatever shares them reads the same vertices."""
        if not all(plain(form) for form in entries.array.flat):
            label = self._unused(entries.label)
            for place, name in _named(label, entries.array.shape[1:]):
                form = entries.array[0, *place]
                if not plain(form):
                    vertex = self._vertex(name, form, LINEAR)
                    form.clear()
                    form |= vertex
        return entries

    def _vertex(self, name: str, form: Form, activation: Activation) -> Form:
        for tail, weight in (form or {ONE: Fraction(0)}).items():
            self.edges[tail, name] = weight
        bounded(len(self.edges))
        self.activations[name] = activation
        return {name: Fraction(1)}

    def _unused(self, label: str) -> str:
        """A label that no vertices have yet."""
        label = f"layer{label}" if label[:1].isdigit() else label
        self.labels[label] += 1
        count = self.labels[label]
        return label if count == 1 else self._unused(f"{label}_{count}")

    # weights and sums ----------------------------------------------------------------------------
    def parameter(self, name: str, values: Any, *, learnable: bool) -> Entries:
        """A tensor of float64 numbers, each a parameter or, where it is not learnable, a number."""
        numbers = np.asarray(values, dtype=float)
        if not np.isfinite(numbers).all():
            raise NetworkError(f"{name} has entries that are no finite numbers")
        array = empty(numbers.shape)
        for place, entry in _named(name, numbers.shape):
            array[place] = entry if learnable else Fraction(numbers[place])
            if learnable:
                self.values[entry] = Fraction(numbers[place])
        return Entries(array, name, known=True)

    def add(self, form: Form, tail: str, weight: Weight) -> None:
        """Let a form read one more vertex; a second time by a linear copy of it."""
        old = form.get(tail)
        if old is None:
            form[tail] = weight
        elif isinstance(old, Fraction) and isinstance(weight, Fraction):
            form[tail] = old + weight
        else:
            self.add(form, self._copy(tail, form), weight)

    def _copy(self, tail: str, form: Form) -> str:
        made = self.copies.setdefault(tail, [])
        for name in made:
            if name not in form:
                return name
        name = f"{tail}{chr(39) * (len(made) + 1)}"
        made.append(name)
        self._vertex(name, {tail: Fraction(1)}, LINEAR)
        return name

    def total(self, terms: Iterable[tuple[Form, Weight]]) -> Form:
        """The weighted sum of plain forms."""
        form: Form = {}
        for one, weight in terms:
            for tail in one:
                self.add(form, tail, weight)
        return form

    # the whole -----------------------------------------------------------------------------------
    def network(self, entries: Entries, title: str) -> tuple[Network, tuple[Fraction, ...]]:
        """The network whose outputs are the forms of a tensor, and its weights."""
        outputs: list[str] = []
        seen = set(self.inputs)
        for _, name in _named("o", (entries.array.size,)):
            form = entries.array.flat[len(outputs)]
            vertex = next(iter(form), "")
            if form != {vertex: 1} or vertex in seen or vertex == ONE:
                vertex = name if entries.array.size > 1 else "o"
                self._vertex(vertex, form, LINEAR)
            outputs.append(vertex)
            seen.add(vertex)
        held = any(tail == ONE for tail, _ in self.edges)
        net = network(
            self.edges,
            inputs=[*self.inputs, *[ONE] * held],
            outputs=outputs,
            activations=self.activations,
            parameters={e: weight for e, weight in self.edges.items() if isinstance(weight, str)},
            fixed={e: weight for e, weight in self.edges.items() if isinstance(weight, Fraction)},
            constants={ONE: 1} if held else {},
            title=title,
        )
        return net, tuple(self.values[name] for name in net.parameter_names)


def plain(form: Form) -> bool:
    """Whether a form is nothing, or a vertex alone with the weight 1."""
    return not form or (len(form) == 1 and ONE not in form and next(iter(form.values())) == 1)


def bounded(edges: int) -> None:
    """Raise NetworkError where there are more edges than a network may have."""
    if edges > MOST_EDGES:
        raise NetworkError(
            f"the network has more than {MOST_EDGES} edges: take a smaller input or fewer channels"
        )


def empty(shape: tuple[int, ...]) -> Any:
    """A tensor of forms that read nothing."""
    array = np.empty(shape, dtype=object)
    for place in np.ndindex(shape):
        array[place] = {}
    return array


def _named(label: str, shape: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], str]]:
    """The places of a tensor with their names, numbered from 1."""
    for place in np.ndindex(shape):
        inside = ",".join(str(k + 1) for k in place)
        plainly = len(place) == 1 and label in ("x", "o")
        yield place, f"{label}{inside}" if plainly else f"{label}[{inside}]" if place else label
