"""Scenes with a symbol for every number of a case, in which statements are expanded.

A weight that is shared has one symbol. What a network fixes stays the number that it is. With signs
a weight is s a: its sign, which is -1, 0 or 1, and its absolute value. So s s s = s and s s a = a;
where no weight is 0, s s = 1. Of gradient descent one step is made, whose size is a symbol; the
slopes of the activations after it are others than those before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from copy import copy
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from graphs.arithmetic import Array
from graphs.errors import NetworkError
from graphs.evaluation import Union
from graphs.network import FIXED, Network
from graphs.polynomials import Symbols
from verify.cases.case import Case
from verify.cases.descent import Descent
from verify.cases.scenes import Scene
from verify.language.expanding import expansion, has_signs, no_weight_is_0
from verify.language.statements import FORMAT, VERSION, Statement

Exponents = tuple[int, ...]
Lists = Mapping[str, Any]  # of a case, by name


class CaseSymbols(Symbols):
    """The symbols of all numbers of a case on one network.

    They are those of two copies of the network: the weights of the second one serve as signs, what
    the first has for risk coefficients as slopes of the loss, and the second as labels. Of the
    second also the slopes serve, after a step, and an input, for its size.
    """

    def __init__(self, net: Network, examples: int, *, signed: bool, nonzero: bool) -> None:
        super().__init__(Union.of([net, net]), examples)
        self.union = Union.of([net])
        self.slope_values, self.later_slopes = np.split(self.slope_values, 2)
        self.step_size = self.inputs[len(net.free_inputs) :, :1].reshape(-1)[:1]
        self.scales = self.scales[: net.vertex_count]
        self.inputs = self.inputs[: len(net.free_inputs)]
        self.loss_slopes, self.labels = self.kappa[:1], self.kappa[1:]
        self.signed, self.nonzero = signed, nonzero
        sizes, signs = np.split(self.edge_weights, 2)
        shared = np.array([p != FIXED for p in net.parameter_of], dtype=bool)
        self.edge_weights = np.where(shared, sizes * signs, sizes) if signed else sizes
        weights = [g for g, one in enumerate(self.generators) if one.kind == "weight"]
        self._pairs = list(zip(*np.split(np.array(weights, dtype=np.int64), 2), strict=True))
        self._of_weights = set(weights)

    def after_a_step(self) -> CaseSymbols:
        """The same ring, with the slopes that there are then."""
        found = copy(self)
        found.slope_values = self.later_slopes
        return found

    def is_zero(self, polynomial: Any) -> bool:
        """Whether nothing is left after what signs are."""
        return not self._normal(polynomial)

    def _reduced(self, exponents: Exponents) -> Exponents:
        kept = list(exponents)
        for size, sign in self._pairs:
            odd = kept[sign] % 2
            kept[sign] = odd if odd or not kept[sign] or self.nonzero or kept[size] else 2
        return tuple(kept)

    def absolute(self, values: Array) -> Array:
        """The absolute values of products of weights. Raises NetworkError for anything else."""
        return self._each(values, 0)

    def sign(self, values: Array) -> Array:
        """Their signs. Raises NetworkError likewise."""
        return self._each(values, 1)

    def _each(self, values: Array, which: int) -> Array:
        found = np.empty(len(values), dtype=object)
        for k, value in enumerate(values):
            found[k] = self._size_and_sign(self.convert(value))[which]
        return found

    def _size_and_sign(self, polynomial: Any) -> tuple[Any, Any]:
        terms = list(self.ring.terms(polynomial).items())
        if not terms:
            return self.convert(0), self.convert(0)
        exponents, coefficient = terms[0]
        others = any(e and g not in self._of_weights for g, e in enumerate(exponents))
        if len(terms) > 1 or others or (not self.signed and any(exponents)):
            raise NetworkError("the sign of a polynomial depends on the point")
        size = self.convert(abs(coefficient))
        whole = self.convert(1 if coefficient > 0 else -1)
        generators = self.ring.generators
        for a, s in self._pairs:  # |s| = s s, and the sign of a is s s
            size = size * generators[a] ** exponents[a] * generators[s] ** (2 * exponents[s])
            whole = whole * generators[s] ** (exponents[s] + 2 * exponents[a])
        return size, whole

    def over(self, one: Any, other: Any) -> Any:
        """The multiple of the other that one polynomial is, if it is one by a number above 0 and a
        product of absolute values; else None."""
        wanted, (first, *more) = self._normal(one), self._normal(other).items()
        sizes = {size for size, _ in self._pairs} if self.signed else set()
        for exponents, coefficient in wanted.items():
            if len(wanted) != 1 + len(more) or coefficient / first[1] <= 0:
                continue
            apart = [a - b for a, b in zip(exponents, first[0], strict=True)]
            if any(e < 0 or (e and g not in sizes) for g, e in enumerate(apart)):
                continue
            found = self.convert(coefficient / first[1])
            for g, e in enumerate(apart):
                found = found * self.ring.generators[g] ** e
            if self._normal(found * other) == wanted:
                return found
        return None

    def _normal(self, polynomial: Any) -> dict[Exponents, Fraction]:
        """The terms that are left after what signs are."""
        left: defaultdict[Exponents, Fraction] = defaultdict(Fraction)
        for exponents, coefficient in self.ring.terms(polynomial).items():
            left[self._reduced(exponents) if self.signed else exponents] += coefficient
        return {exponents: value for exponents, value in left.items() if value}


class SymbolicScene(Scene):
    """The scene of one network whose numbers are symbols. weights: other ones than these."""

    def __init__(
        self,
        net: Network,
        symbols: CaseSymbols,
        lists: Lists,
        *,
        steps: int = 0,
        weights: Array | None = None,
    ) -> None:
        n = symbols.examples
        rates = symbols.loss_slopes * symbols.labels * symbols.array([[Fraction(1, n)]])
        super().__init__(
            symbols.union,
            symbols,
            weights=symbols.edge_weights if weights is None else weights,
            inputs=symbols.inputs,
            labels=symbols.labels,
            kappa=rates,
            cases=[_unfilled(net, n, lists, steps)],
        )
        self.symbols, self.lists = symbols, lists

    @property
    def loss_slopes(self) -> Array:
        """(1, n): symbols."""
        return self.symbols.loss_slopes

    @cached_property
    def descent(self) -> Descent:
        """Of one step at most."""
        return SymbolicDescent(self)

    def activated(self, vertices: np.ndarray, numbers: Array, defined: np.ndarray) -> Array:
        """The activations of vertices, of numbers: c m post where a number is c m pre, c above 0
        and m a product of absolute values. Raises NetworkError where symbols do not tell."""
        found = self.symbols.zeros(len(numbers))
        for row in np.flatnonzero(defined):
            found[row] = self._activated(int(vertices[row]), numbers[row])
        return found

    def _activated(self, v: int, number: Any) -> Any:
        left, right = self.union.networks[0].activations[v].slopes
        if left == right:
            return number * self.symbols.convert(left)
        for j in range(self.n):
            pre = self.pre[v, j]
            times = None if self.symbols.is_zero(pre) else self.symbols.over(number, pre)
            if times is not None:
                return times * self.post[v, j]
        [value] = self.symbols.constants([number])
        return self.symbols.convert((left if value < 0 else right) * value)


class SymbolicDescent(Descent):
    """One step, or none, the size of which is a symbol."""

    def __init__(self, scene: SymbolicScene) -> None:
        super().__init__(scene)
        self._start = scene
        self.rates = (scene.symbols.step_size,) * len(self.rates)

    def at(self, step: int) -> Scene:
        """The scene at w(step)."""
        if len(self._at) <= step:
            start = self._start
            weights = start.weights + start.velocity * self.rates[0]
            net, symbols = start.union.networks[0], start.symbols.after_a_step()
            self._at.append(SymbolicScene(net, symbols, start.lists, weights=weights))
        return self._at[step]


def _unfilled(net: Network, examples: int, lists: Lists, steps: int) -> Case:
    """A case on the network, of which no number is looked at."""
    choice = {**lists, "eta": ["1"] * steps} if steps else lists
    zero = Fraction(0)
    row = (zero,) * len(net.free_inputs)
    weights = (zero,) * net.parameter_count
    numbers = (zero,) * examples
    return Case(net, weights, (row,) * examples, numbers, slopes=numbers, choice=choice)


def stated_residuals(
    statement: Statement, net: Network, examples: int, lists: Lists | None = None
) -> Iterator[tuple[Any, dict[str, Any], SymbolicScene]]:
    """What the sides of each leaf differ by at each place, with the place and the scene. lists:
    those of the domain. Raises NetworkError where symbols do not tell."""
    larger = expansion(statement)
    if larger is None:
        raise NetworkError(f"{statement.id} cannot be expanded")
    signed, nonzero = has_signs(statement), no_weight_is_0(statement)
    symbols = CaseSymbols(net, examples, signed=signed, nonzero=nonzero)
    scene = SymbolicScene(net, symbols, lists or {}, steps=int(statement.makes_steps))
    entries = larger.measure(scene)
    for k in range(len(entries)):
        yield entries.values[k], entries.label(k), scene


def identity_certificate(
    statement: Statement,
    net: Network,
    examples: int,
    at: list[Any],
    lists: Lists | None = None,
) -> dict[str, Any]:
    """The certificate that the sides at a place are one polynomial: docs/language.md."""
    from graphs.files import to_json

    certificate: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": "polynomial",
        "statement": statement.to_json(),
        "network": to_json(net),
        "examples": examples,
        "at": at,
    }
    chosen = {"choice": dict(lists)} if lists else {}
    signed = {"signed": True} if has_signs(statement) else {}
    return certificate | chosen | signed | ({"steps": 1} if statement.makes_steps else {})
