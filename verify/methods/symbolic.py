"""Scenes with a symbol for every number of a case, in which statements are expanded.

A weight that is shared has one symbol. What a network fixes stays the number that it is. With signs
a weight is s a: its sign, which is -1, 0 or 1, and its absolute value. So s s s = s and s s a = a;
where no weight is 0, s s = 1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from graphs.arithmetic import Array
from graphs.errors import NetworkError
from graphs.evaluation import Union
from graphs.network import FIXED, Network
from graphs.polynomials import Symbols
from verify.case import Case
from verify.language.expanding import expansion, has_signs, no_weight_is_0
from verify.language.statements import FORMAT, VERSION, Statement
from verify.vocabulary import Scene

Exponents = tuple[int, ...]
Lists = Mapping[str, Any]  # of a case, by name


class CaseSymbols(Symbols):
    """The symbols of all numbers of a case on one network.

    They are those of two copies of the network: the weights of the second one serve as signs, what
    the first has for risk coefficients as slopes of the loss, and the second as labels.
    """

    def __init__(self, net: Network, examples: int, *, signed: bool, nonzero: bool) -> None:
        super().__init__(Union.of([net, net]), examples)
        self.union = Union.of([net])
        self.slope_values = self.slope_values[: net.vertex_count]
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

    def is_zero(self, polynomial: Any) -> bool:
        """Whether nothing is left after what signs are."""
        if not self.signed:
            return super().is_zero(polynomial)
        left: defaultdict[Exponents, Fraction] = defaultdict(Fraction)
        for exponents, coefficient in self.ring.terms(polynomial).items():
            left[self._reduced(exponents)] += coefficient
        return not any(left.values())

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


class SymbolicScene(Scene):
    """The scene of one network whose numbers are symbols."""

    def __init__(self, net: Network, symbols: CaseSymbols, lists: Lists) -> None:
        n = symbols.examples
        rates = symbols.loss_slopes * symbols.labels * symbols.array([[Fraction(1, n)]])
        super().__init__(
            symbols.union,
            symbols,
            weights=symbols.edge_weights,
            inputs=symbols.inputs,
            labels=symbols.labels,
            kappa=rates,
            cases=[_unfilled(net, n, lists)],
        )
        self.symbols = symbols

    @property
    def loss_slopes(self) -> Array:
        """(1, n): symbols."""
        return self.symbols.loss_slopes


def _unfilled(net: Network, examples: int, lists: Lists) -> Case:
    """A case on the network, of which no number is looked at."""
    zero = Fraction(0)
    row = (zero,) * len(net.free_inputs)
    weights = (zero,) * net.parameter_count
    numbers = (zero,) * examples
    return Case(net, weights, (row,) * examples, numbers, slopes=numbers, choice=lists)


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
    scene = SymbolicScene(net, symbols, lists or {})
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
    return certificate | chosen | ({"signed": True} if has_signs(statement) else {})
