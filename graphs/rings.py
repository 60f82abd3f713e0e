"""Sparse polynomials over the rationals, in normal form, behind one small interface.

FLINT does the work where python-flint is installed, SymPy's sparse rings elsewhere. Both keep a
polynomial as its list of non-zero terms, so equality is equality of normal forms: nothing is ever
simplified, and no float occurs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Any

from graphs.arithmetic import as_fraction

Polynomial = Any  # flint.fmpq_mpoly or sympy's PolyElement: elements of one Ring, with + - * ==
BACKENDS = ("auto", "flint", "sympy")


class Ring(ABC):
    """The polynomials over Q in finitely many generators, numbered from 0."""

    backend: str
    generators: tuple[Polynomial, ...]

    @abstractmethod
    def constant(self, value: Fraction) -> Polynomial:
        """The constant polynomial of a rational."""

    @abstractmethod
    def terms(self, polynomial: Polynomial) -> dict[tuple[int, ...], Fraction]:
        """The normal form: the coefficient of each exponent vector, zero ones left out."""

    @abstractmethod
    def term_count(self, polynomial: Polynomial) -> int:
        """The number of terms of the normal form."""

    @abstractmethod
    def derivative(self, polynomial: Polynomial, generator: int) -> Polynomial:
        """The partial derivative in a generator."""

    @abstractmethod
    def owns(self, value: object) -> bool:
        """Whether a value is a polynomial of this ring."""

    def is_zero(self, polynomial: Polynomial) -> bool:
        """Whether this is the zero polynomial."""
        return self.term_count(polynomial) == 0

    def evaluate(self, polynomial: Polynomial, point: Sequence[Fraction]) -> Fraction:
        """The value at a rational point, one coordinate for each generator."""
        if len(point) != len(self.generators):
            raise ValueError(
                f"a point with {len(point)} coordinates in a ring with "
                f"{len(self.generators)} generators: give one coordinate for each"
            )
        total = Fraction(0)
        for exponents, coefficient in self.terms(polynomial).items():
            powers = (point[g] ** e for g, e in enumerate(exponents) if e)
            total += coefficient * prod(powers, start=Fraction(1))
        return total


class FlintRing(Ring):
    """Polynomials by FLINT (python-flint). Raises ImportError where it is not installed."""

    backend = "flint"

    def __init__(self, size: int) -> None:
        import flint

        self._rational = flint.fmpq
        self._type = flint.fmpq_mpoly
        names = tuple(f"g{i}" for i in range(size))
        self._context = flint.fmpq_mpoly_ctx.get(names, flint.Ordering.degrevlex)
        self.generators = tuple(self._context.gens())

    def constant(self, value: Fraction) -> Polynomial:
        return self._context.constant(self._rational(value.numerator, value.denominator))

    def terms(self, polynomial: Polynomial) -> dict[tuple[int, ...], Fraction]:
        return {
            tuple(map(int, exponents)): as_fraction(coefficient)
            for exponents, coefficient in polynomial.to_dict().items()
        }

    def term_count(self, polynomial: Polynomial) -> int:
        return len(polynomial)

    def derivative(self, polynomial: Polynomial, generator: int) -> Polynomial:
        return polynomial.derivative(generator)

    def owns(self, value: object) -> bool:
        return isinstance(value, self._type) and value.context() is self._context


class SympyRing(Ring):
    """Polynomials by SymPy's `ring` over QQ: slower, the same normal forms."""

    backend = "sympy"

    def __init__(self, size: int) -> None:
        from sympy import QQ
        from sympy.polys.orderings import grevlex
        from sympy.polys.rings import PolyRing

        self._field = QQ
        self._ring = PolyRing([f"g{i}" for i in range(size)], QQ, grevlex)
        self.generators = tuple(self._ring.gens)

    def constant(self, value: Fraction) -> Polynomial:
        return self._ring.ground_new(self._field(value.numerator, value.denominator))

    def terms(self, polynomial: Polynomial) -> dict[tuple[int, ...], Fraction]:
        return {
            tuple(map(int, exponents)): Fraction(int(c.numerator), int(c.denominator))
            for exponents, c in polynomial.terms()
            if c
        }

    def term_count(self, polynomial: Polynomial) -> int:
        return len(polynomial)

    def derivative(self, polynomial: Polynomial, generator: int) -> Polynomial:
        return polynomial.diff(self.generators[generator])

    def owns(self, value: object) -> bool:
        return bool(getattr(value, "ring", None) == self._ring)


def ring_of(size: int, backend: str = "auto") -> Ring:
    """The ring in `size` generators. backend: "flint", "sympy", or "auto" (FLINT if installed).

    Raises ValueError for another backend, ImportError when FLINT is asked for and missing.
    """
    if backend not in BACKENDS:
        raise ValueError(f"backend {backend!r} is unknown: use one of {', '.join(BACKENDS)}")
    size = max(size, 1)  # SymPy knows no ring without generators
    if backend == "sympy":
        return SympyRing(size)
    if backend == "flint":
        return FlintRing(size)
    try:
        return FlintRing(size)
    except ImportError:
        return SympyRing(size)
