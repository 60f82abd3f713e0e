"""Formulas on polynomials: the arithmetic in which an identity is proved by its normal form.

Weights, inputs, risk coefficients and *slopes* are symbols. At a positively homogeneous vertex
post = s z and the derivative is s, with one s for each vertex and example; so an identity that
holds with the s free holds on every activation region, for every such activation, and for every
choice of one slope at a kink. Only normal forms decide (graphs.rings).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from graphs.arithmetic import ObjectArithmetic, as_fraction
from graphs.errors import NetworkError
from graphs.evaluation import Evaluation, Union, evaluate
from graphs.generators import Generator, Number, Symbol, plan_symbols
from graphs.network import Network
from graphs.rings import Polynomial, ring_of


class Symbols(ObjectArithmetic):
    """The polynomials in the symbols of a union of networks, on n examples.

    union: C networks with V vertices, E edges, P parameters and I free inputs in all; the numbers
    below are union numbers. same_slopes: pairs of vertices that share their slope symbols (equal
    activation patterns; with a linear vertex the slope is 1). slopes: for some vertices their n
    slopes as numbers (an activation region). weights: by parameter, inputs: by (row, example), the
    symbols to replace by rationals. symbolic_scales: give a vertex whose scale is irrational a
    symbol for it; then a zero polynomial is still a proof, but another one may vanish at the true
    scales. backend: see graphs.rings.

    edge_weights (E,), inputs (I, n), kappa (C, n), slope_values (V, n), scales (V, 1) hold
    polynomials, laid out as `evaluate` wants them. generators: what each symbol is.

    Raises NetworkError when the slopes asked for contradict one another or a linear vertex, or a
    number is given for what is not there; NotRationalError at an irrational scale that is not
    symbolic.
    """

    name = "symbols"

    def __init__(
        self,
        union: Union,
        examples: int = 1,
        *,
        same_slopes: Iterable[tuple[int, int]] = (),
        slopes: Mapping[int, Sequence[Number]] | None = None,
        weights: Mapping[int, Number] | None = None,
        inputs: Mapping[tuple[int, int], Number] | None = None,
        symbolic_scales: bool = False,
        backend: str = "auto",
    ) -> None:
        plan = plan_symbols(
            union,
            examples,
            same_slopes=same_slopes,
            slopes=slopes,
            weights=weights,
            inputs=inputs,
            symbolic_scales=symbolic_scales,
        )
        self.union = union
        self.examples = examples
        self.generators: tuple[Generator, ...] = plan.generators
        self.ring = ring_of(len(self.generators), backend)
        self.edge_weights = self.array(plan.edge_weights)
        self.inputs = self.array(plan.inputs).reshape(len(plan.inputs), examples)
        self.kappa = self.array(plan.kappa)
        self.slope_values = self.array(plan.slopes)
        self.scales = self.array(plan.scales)

    @classmethod
    def of(cls, network: Network, examples: int = 1, **options: Any) -> Symbols:
        """The symbols of a single network."""
        return cls(Union.of([network]), examples, **options)

    # the arithmetic ------------------------------------------------------------------------------
    def convert(self, value: Any) -> Polynomial:
        """A polynomial from a rational, a Symbol, or a polynomial of this ring."""
        if isinstance(value, Symbol):
            return self.ring.generators[value.number]
        if self.ring.owns(value):
            return value
        return self.ring.constant(as_fraction(value))

    def slopes(
        self, vertices: np.ndarray, z: np.ndarray, left: np.ndarray, right: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The slope symbols of the vertices; nothing is a kink. See Arithmetic.slopes."""
        if z.shape[1] != self.examples:
            raise ValueError(f"{z.shape[1]} examples where the symbols are for {self.examples}")
        return self.slope_values[vertices], np.zeros(z.shape, dtype=bool)

    def is_negative(self, values: np.ndarray) -> np.ndarray:
        """Which constants are below 0. Raises NetworkError where the sign depends on the point."""
        return self._decided(values, lambda number: number < 0)

    def may_be_zero(self, values: np.ndarray) -> np.ndarray:
        """Which constants are 0. Raises NetworkError where that depends on the point."""
        return self._decided(values, lambda number: number == 0)

    def _decided(self, values: np.ndarray, test: Callable[[Fraction], bool]) -> np.ndarray:
        result = np.zeros(values.shape, dtype=bool)
        for position, value in np.ndenumerate(values):
            result[position] = test(self._constant(value))
        return result

    def _constant(self, polynomial: Polynomial) -> Fraction:
        terms = self.to_dict(polynomial)
        if set(terms) - {()}:
            raise NetworkError(
                f"the sign of {self.to_sympy(polynomial)} depends on the point: "
                "polynomials serve formulas that ask for no sign; give slopes instead"
            )
        return terms.get((), Fraction(0))

    def constants(self, values: Iterable[Any]) -> list[Fraction]:
        """Numbers that are no polynomials. Raises NetworkError where one depends on the point."""
        return [self._constant(self.convert(value)) for value in values]

    def reciprocal(self, value: Any) -> Polynomial | None:
        """1 over a number that is no polynomial, None of 0. Raises NetworkError likewise."""
        [number] = self.constants([value])
        return self.convert(1 / number) if number else None

    def absolute(self, values: np.ndarray) -> np.ndarray:
        """Absolute values of such numbers. Raises NetworkError likewise."""
        return self.array(list(map(abs, self.constants(values))))

    def sign(self, values: np.ndarray) -> np.ndarray:
        """Their signs. Raises NetworkError likewise."""
        return self.array([(x > 0) - (x < 0) for x in self.constants(values)])

    def square_roots(self, squares: Sequence[Fraction]) -> np.ndarray:
        """(V, 1): the scales of the vertices of the union, whose squares these are."""
        if len(squares) != len(self.scales):
            raise ValueError(f"{len(squares)} scales for {len(self.scales)} vertices")
        return self.scales

    @cached_property
    def evaluation(self) -> Evaluation:
        """The networks evaluated at these symbols."""
        return evaluate(self.union, self, self.edge_weights, self.inputs)

    # polynomials ---------------------------------------------------------------------------------
    def is_zero(self, polynomial: Polynomial) -> bool:
        """Whether the normal form has no term."""
        return self.ring.is_zero(polynomial)

    def term_count(self, polynomial: Polynomial) -> int:
        """The number of terms of the normal form."""
        return self.ring.term_count(polynomial)

    def generator(self, kind: str, *index: int) -> Generator:
        """The generator of a kind at an index. Raises KeyError where a number stands instead."""
        for candidate in self.generators:
            if candidate.kind == kind and candidate.index == index:
                return candidate
        raise KeyError(f"no symbol {kind} {index}: it was replaced by a number or never existed")

    def derivative(self, polynomial: Polynomial, generator: Generator) -> Polynomial:
        """The partial derivative in one of the generators."""
        return self.ring.derivative(polynomial, self._places[generator])

    @cached_property
    def _places(self) -> dict[Generator, int]:
        return {generator: place for place, generator in enumerate(self.generators)}

    def to_dict(self, polynomial: Polynomial) -> dict[tuple[tuple[str, int], ...], Fraction]:
        """The normal form: coefficient by monomial, a monomial as (symbol, exponent) pairs."""
        return {
            tuple((self.generators[g].text, e) for g, e in enumerate(exponents) if e): coefficient
            for exponents, coefficient in self.ring.terms(polynomial).items()
        }

    def to_sympy(self, polynomial: Polynomial) -> Any:
        """The polynomial as an expanded SymPy expression in symbols named as in `generators`."""
        import sympy

        terms = []
        for monomial, coefficient in self.to_dict(polynomial).items():
            number = sympy.Rational(coefficient.numerator, coefficient.denominator)
            powers = [sympy.Symbol(name) ** exponent for name, exponent in monomial]
            terms.append(sympy.Mul(number, *powers))
        return sympy.Add(*terms)

    def to_latex(self, polynomial: Polynomial) -> str:
        """The polynomial as LaTeX."""
        import sympy

        names = {sympy.Symbol(generator.text): generator.latex for generator in self.generators}
        return str(sympy.latex(self.to_sympy(polynomial), symbol_names=names))

    def at(
        self,
        polynomial: Polynomial,
        *,
        weights: Sequence[Any] = (),
        inputs: Sequence[Sequence[Any]] = (),
        slopes: Sequence[Sequence[Any]] = (),
        kappa: Sequence[Sequence[Any]] = (),
        scales: Sequence[Any] = (),
    ) -> Fraction:
        """The value at a rational point; tables of symbols that do not occur may be left out.

        weights: (P,); inputs: (I, n); slopes: (V, n); kappa: (C, n); scales: (V,).

        Raises ValueError when a symbol that occurs has no value.
        """
        tables: dict[str, Any] = {
            "weight": weights,
            "input": inputs,
            "slope": slopes,
            "kappa": kappa,
            "scale": scales,
        }
        point = [Fraction(0)] * len(self.ring.generators)
        occurring = {
            g
            for exponents in self.ring.terms(polynomial)
            for g, exponent in enumerate(exponents)
            if exponent
        }
        for g in occurring:
            generator = self.generators[g]
            entry = tables[generator.kind]
            if not len(entry):
                raise ValueError(f"no value given for {generator.text} ({generator.meaning})")
            for position in generator.index:
                entry = entry[position]
            point[g] = as_fraction(entry)
        return self.ring.evaluate(polynomial, point)
