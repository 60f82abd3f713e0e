"""Which symbols the polynomials of a union of networks have, and where numbers stand instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from graphs.arithmetic import as_fraction
from graphs.errors import NetworkError, NotRationalError
from graphs.evaluation import Union
from graphs.notation import (
    identifier,
    input_names,
    subscripted,
    unique,
    vertex_latex,
    weight_names,
)
from graphs.rationals import RATIONALS

Number = Fraction | int | str


@dataclass(frozen=True)
class Generator:
    """One symbol of the polynomial ring of a network.

    kind: weight, input, slope, kappa or scale. index: what it belongs to, as union numbers: the
    parameter, (input row, example), (vertex, example), (network, example), or the vertex. text: an
    identifier, unique among the generators, as SymPy prints it. latex: the same for a formula.
    meaning: one phrase for people.
    """

    kind: str
    index: tuple[int, ...]
    text: str
    latex: str
    meaning: str


@dataclass(frozen=True)
class Symbol:
    """The place of a generator among all of them."""

    number: int


Entry = Symbol | Fraction


@dataclass(frozen=True)
class Plan:
    """Symbols and numbers, laid out as an evaluation wants them, before there is a ring.

    edge_weights: (E,); inputs: (I, n); kappa: (C, n); slopes: (V, n); scales: (V, 1).
    """

    generators: tuple[Generator, ...]
    edge_weights: list[Entry]
    inputs: list[list[Entry]]
    kappa: list[list[Entry]]
    slopes: list[list[Entry]]
    scales: list[list[Entry]]


def plan_symbols(
    union: Union,
    examples: int,
    *,
    same_slopes: Iterable[tuple[int, int]] = (),
    slopes: Mapping[int, Sequence[Number]] | None = None,
    weights: Mapping[int, Number] | None = None,
    inputs: Mapping[tuple[int, int], Number] | None = None,
    symbolic_scales: bool = False,
) -> Plan:
    """The symbols of a union on n examples; see graphs.polynomials.Symbols for the arguments."""
    if examples < 1:
        raise ValueError(f"{examples} examples: polynomials need at least one")
    planner = _Planner(union, examples)
    parameters = planner.weights(dict(weights or {}))
    input_rows = planner.inputs(dict(inputs or {}))
    kappa = planner.kappa()
    slope_rows = planner.slopes(same_slopes, dict(slopes or {}))
    scales = planner.scales(symbolic_scales)
    constants = [constant for network in union.networks for constant in network.fixed]
    edge_weights: list[Entry] = []
    for p, constant in zip(union.parameter_of.tolist(), constants, strict=True):
        edge_weights.append(parameters[p] if constant is None else constant)
    texts = unique(generator.text for generator in planner.drawn)
    pairs = zip(planner.drawn, texts, strict=True)
    generators = tuple(replace(generator, text=text) for generator, text in pairs)
    return Plan(generators, edge_weights, input_rows, kappa, slope_rows, scales)


class _Planner:
    """Draws the generators, one family after the other."""

    def __init__(self, union: Union, examples: int) -> None:
        self.union = union
        self.examples = examples
        self.drawn: list[Generator] = []
        offsets = union.vertex_offset[:-1].tolist()
        self.vertices = [
            (c, v, v + offset)
            for c, (network, offset) in enumerate(zip(union.networks, offsets, strict=True))
            for v in range(network.vertex_count)
        ]

    def weights(self, given: dict[int, Number]) -> list[Entry]:
        plan: list[Entry] = []
        for c, network in enumerate(self.union.networks):
            for own in range(network.parameter_count):
                p = len(plan)
                if p in given:
                    plan.append(Fraction(given.pop(p)))
                else:
                    names = self._in_network(c, *weight_names(network, own))
                    plan.append(self._draw("weight", (p,), *names))
        _refuse_left(given, "weights for parameters")
        return plan

    def inputs(self, given: dict[tuple[int, int], Number]) -> list[list[Entry]]:
        plan: list[list[Entry]] = []
        for c, network in enumerate(self.union.networks):
            for vertex in network.free_inputs:
                name = network.names[vertex]
                names = self._in_network(c, *input_names(name), f"input {name}")
                places = [(len(plan), j) for j in range(self.examples)]
                row: list[Entry] = []
                for j, place in enumerate(places):
                    if place in given:
                        row.append(Fraction(given.pop(place)))
                    else:
                        row.append(self._draw("input", place, *self._on_example(j, *names)))
                plan.append(row)
        _refuse_left(given, "inputs at (row, example)")
        return plan

    def kappa(self) -> list[list[Entry]]:
        plan = []
        for c in range(len(self.union.networks)):
            names = self._in_network(c, "kappa", r"\kappa", "risk coefficient")
            plan.append(self._row("kappa", c, *names))
        return plan

    def slopes(
        self, same: Iterable[tuple[int, int]], given: dict[int, Sequence[Number]]
    ) -> list[list[Entry]]:
        numbers = self._slope_numbers(given)
        rows: dict[int, list[Entry]] = {}
        for members in _groups(len(self.vertices), same):
            names = [self._name(v) for v in members]
            if len(members) > 1 and any(self._is_input(v) for v in members):
                raise NetworkError(f"an input has no slope to share: {', '.join(names)}")
            known = {numbers[v] for v in members if v in numbers}
            if len(known) > 1:
                raise NetworkError(f"{', '.join(names)} share their slopes but have different ones")
            if known:
                row = list(known.pop())
                rows.update(dict.fromkeys(members, row))
                continue
            labels = (f"s_{identifier(names[0])}", f"s_{{{vertex_latex(names[0])}}}")
            network = self.vertices[members[0]][0]
            labelled = self._in_network(network, *labels, f"slope of {', '.join(names)}")
            row = self._row("slope", members[0], *labelled)
            rows.update(dict.fromkeys(members, row))
        return [rows[v] for v in range(len(self.vertices))]

    def scales(self, symbolic: bool) -> list[list[Entry]]:
        plan: list[list[Entry]] = []
        for c, v, number in self.vertices:
            network = self.union.networks[c]
            square = network.scale_squares[v]
            try:
                plan.append([as_fraction(RATIONALS.square_roots([square])[0, 0])])
            except NotRationalError:
                if not symbolic:
                    raise
                name = network.names[v]
                labels = (f"c_{identifier(name)}", f"c_{{{vertex_latex(name)}}}")
                what = f"scale of {name}, the square root of {square}"
                plan.append([self._draw("scale", (number,), *self._in_network(c, *labels, what))])
        return plan

    def _slope_numbers(self, given: dict[int, Sequence[Number]]) -> dict[int, tuple[Entry, ...]]:
        """The slopes that are numbers: those given, and 1 at inputs and linear vertices."""
        numbers: dict[int, tuple[Entry, ...]] = {}
        ones = (Fraction(1),) * self.examples
        for c, v, number in self.vertices:
            activation = self.union.networks[c].activations[v]
            # a smooth vertex is refused when it is evaluated: it has no slope to draw
            if activation.kind == "linear" or not activation.homogeneous:
                numbers[number] = ones
            if number in given:
                row = tuple(Fraction(slope) for slope in given.pop(number))
                if len(row) != self.examples:
                    raise NetworkError(
                        f"{len(row)} slopes for {self._name(number)!r}: "
                        f"give one for each of the {self.examples} examples"
                    )
                if numbers.get(number, row) != row:
                    raise NetworkError(
                        f"{self._name(number)!r} is {activation}: its slope cannot be set"
                    )
                numbers[number] = row
        _refuse_left(given, "slopes for vertices")
        return numbers

    def _name(self, number: int) -> str:
        c, v, _ = self.vertices[number]
        return self.union.networks[c].names[v]

    def _is_input(self, number: int) -> bool:
        c, v, _ = self.vertices[number]
        return v in self.union.networks[c].inputs

    def _row(self, kind: str, number: int, text: str, latex: str, what: str) -> list[Entry]:
        """One symbol for each example."""
        return [
            self._draw(kind, (number, j), *self._on_example(j, text, latex, what))
            for j in range(self.examples)
        ]

    def _draw(self, kind: str, index: tuple[int, ...], text: str, latex: str, what: str) -> Symbol:
        self.drawn.append(Generator(kind, index, text, latex, what))
        return Symbol(len(self.drawn) - 1)

    def _in_network(self, c: int, text: str, latex: str, what: str) -> tuple[str, str, str]:
        """The names with the network's number, where there are several networks."""
        if len(self.union.networks) == 1:
            return text, latex, what
        return f"{text}_n{c + 1}", subscripted(latex, c + 1), f"{what}, network {c + 1}"

    def _on_example(self, j: int, text: str, latex: str, what: str) -> tuple[str, str, str]:
        """The names with the example's number, where there are several examples."""
        if self.examples == 1:
            return text, latex, what
        return f"{text}_{j + 1}", subscripted(latex, j + 1), f"{what}, example {j + 1}"


def _groups(size: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The classes of the equivalence on 0..size-1 that the pairs generate, each in order."""
    leader = list(range(size))

    def find(v: int) -> int:
        while leader[v] != v:
            v = leader[v]
        return v

    for u, v in pairs:
        for vertex in (u, v):
            if not 0 <= vertex < size:
                raise NetworkError(f"no vertex {vertex} to share slopes: there are {size}")
        first, second = sorted((find(u), find(v)))
        leader[second] = first
    groups: dict[int, list[int]] = {}
    for v in range(size):
        groups.setdefault(find(v), []).append(v)
    return list(groups.values())


def _refuse_left(given: Iterable[object], what: str) -> None:
    left = ", ".join(map(str, given))
    if left:
        raise NetworkError(f"{what} {left}: the networks have none such")
