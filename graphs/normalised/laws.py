"""Laws of one weight: finite ones with rational atoms, and others by their first four moments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, isqrt
from typing import Any

Number = int | str | Fraction
Moments = tuple[Fraction, ...]
Rows = Sequence[tuple[Sequence[Any], Any]]  # (one row of W, its probability)


@dataclass(frozen=True)
class FiniteLaw:
    """A law on finitely many rationals.

    atoms: distinct values in increasing order; probabilities: positive, summing to 1.
    Raises ValueError where they are not.
    """

    name: str
    atoms: tuple[Fraction, ...]
    probabilities: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if len(self.atoms) != len(self.probabilities) or list(self.atoms) != sorted(
            set(self.atoms)
        ):
            raise ValueError(f"law {self.name}: give distinct atoms in order, and a mass for each")
        if any(p <= 0 for p in self.probabilities) or sum(self.probabilities) != 1:
            raise ValueError(f"law {self.name}: masses must be positive with sum 1")

    def moment(self, order: int) -> Fraction:
        """E w^order."""
        return sum(
            (p * x**order for x, p in zip(self.atoms, self.probabilities, strict=True)),
            Fraction(0),
        )

    @property
    def moments(self) -> Moments:
        """m_1 to m_4."""
        return tuple(self.moment(order) for order in (1, 2, 3, 4))

    @property
    def bound(self) -> Fraction:
        """The least B with support in [-B, B]."""
        return max(abs(x) for x in self.atoms)

    @property
    def squared_bound(self) -> Fraction:
        """B^2."""
        return self.bound**2

    @property
    def symmetric(self) -> bool:
        """Whether w and -w have the same law."""
        mass = dict(zip(self.atoms, self.probabilities, strict=True))
        return all(mass.get(-x) == p for x, p in mass.items())

    @property
    def has_density(self) -> bool:
        """Never: all mass sits in atoms."""
        return False

    def shifted(self, by: Number) -> FiniteLaw:
        """The law of w + by."""
        step = Fraction(by)
        return finite_law(
            f"{self.name}+{step}",
            [(x + step, p) for x, p in zip(self.atoms, self.probabilities, strict=True)],
        )

    def scaled(self, by: Number) -> FiniteLaw:
        """The law of w * by."""
        factor = Fraction(by)
        return finite_law(
            f"{factor}*{self.name}",
            [(x * factor, p) for x, p in zip(self.atoms, self.probabilities, strict=True)],
        )


@dataclass(frozen=True)
class MomentLaw:
    """A law known by its moments.

    moments: m_1 to m_4.
    squared_bound: B^2 of the least interval [-B, B] around the support, None where there is none.
    """

    name: str
    moments: Moments
    squared_bound: Fraction | None
    symmetric: bool
    has_density: bool = True

    def shifted(self, by: Number) -> MomentLaw:
        """The law of w + by."""
        step = Fraction(by)
        if step == 0:
            return self
        moments = (Fraction(1), *self.moments)
        shifted = tuple(
            sum((comb(n, k) * moments[k] * step ** (n - k) for k in range(n + 1)), Fraction(0))
            for n in (1, 2, 3, 4)
        )
        bound = None
        if self.squared_bound is not None:
            bound = _upper_root(self.squared_bound) + abs(step)
        square = None if bound is None else bound**2
        return replace(
            self,
            name=f"{self.name}+{step}",
            moments=shifted,
            squared_bound=square,
            symmetric=False,
        )

    def scaled(self, by: Number) -> MomentLaw:
        """The law of w * by, by > 0. Raises ValueError for another factor."""
        factor = Fraction(by)
        if factor <= 0:
            raise ValueError(f"factor {factor}: give a positive one")
        bound = self.squared_bound
        return replace(
            self,
            name=f"{factor}*{self.name}",
            moments=tuple(m * factor**n for n, m in enumerate(self.moments, 1)),
            squared_bound=None if bound is None else bound * factor**2,
        )


Law = FiniteLaw | MomentLaw


def _upper_root(square: Fraction, digits: int = 20) -> Fraction:
    """A rational r >= sqrt(square), equal where that is rational."""
    scale = square.denominator * 10**digits
    root = isqrt(square.numerator * square.denominator * 10 ** (2 * digits))
    exact = Fraction(root, scale)
    return exact if exact**2 == square else Fraction(root + 1, scale)


def finite_law(name: str, masses: Iterable[tuple[Number, Number]]) -> FiniteLaw:
    """A finite law from (value, probability) pairs in any order; equal values are merged.

    >>> finite_law("coin", [(1, "1/2"), (0, "1/2")]).moments[0]
    Fraction(1, 2)
    """
    merged: dict[Fraction, Fraction] = {}
    for value, mass in masses:
        key = Fraction(value)
        merged[key] = merged.get(key, Fraction(0)) + Fraction(mass)
    atoms = tuple(sorted(merged))
    return FiniteLaw(name, atoms, tuple(merged[x] for x in atoms))


def rademacher() -> FiniteLaw:
    """W-R: -1 and 1."""
    return finite_law("W-R", [(-1, "1/2"), (1, "1/2")])


def three_points(b: Number = 2) -> FiniteLaw:
    """W-3(b): -b, 0, b with probabilities 1/(2b^2), 1 - 1/b^2, 1/(2b^2); b >= 1."""
    size = Fraction(b)
    if size < 1:
        raise ValueError(f"b = {size}: give b >= 1")
    side = 1 / (2 * size**2)
    masses = [(-size, side), (Fraction(0), 1 - 2 * side), (size, side)]
    return finite_law(f"W-3({size})", [(x, p) for x, p in masses if p])


def asymmetric() -> FiniteLaw:
    """W-ASYM: 2 with probability 1/5, -1/2 with 4/5; mean 0, variance 1, not symmetric."""
    return finite_law("W-ASYM", [(2, "1/5"), ("-1/2", "4/5")])


def _even(name: str, second: Number, fourth: Number, squared_bound: Number | None) -> MomentLaw:
    zero = Fraction(0)
    bound = None if squared_bound is None else Fraction(squared_bound)
    return MomentLaw(name, (zero, Fraction(second), zero, Fraction(fourth)), bound, symmetric=True)


def gaussian() -> MomentLaw:
    """W-G: N(0, 1)."""
    return _even("W-G", 1, 3, None)


def uniform_unit_variance() -> MomentLaw:
    """W-U3: uniform on [-sqrt 3, sqrt 3]."""
    return _even("W-U3", 1, "9/5", 3)


def uniform_unit_interval() -> MomentLaw:
    """W-U1: uniform on [-1, 1]; its variance is 1/3."""
    return _even("W-U1", "1/3", "1/5", 1)


def student() -> MomentLaw:
    """W-T: Student t with 5 degrees of freedom, scaled to variance one."""
    return _even("W-T", 1, 9, None)


def beta(bound: Number) -> MomentLaw:
    """W-BETA(B): B (2 Z - 1) with Z of law Beta(a, a), a = (B^2 - 1)/2; B > 1."""
    size = Fraction(bound)
    if size <= 1:
        raise ValueError(f"B = {size}: give B > 1")
    return _even(f"W-BETA({size})", 1, 3 * size**2 / (size**2 + 2), size**2)
