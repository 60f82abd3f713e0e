"""Sums over indices of products of entries of M and W, in a normal form that holds for every d.

A term is a diagram: its vertices are indices, free ones (letters, such as i and j) and summed ones
(digits, each running over 1..d); an edge is a factor M_kn, without direction as M is symmetric; an
arrow is a factor W_kn. Summed indices are renamed in all ways and the least diagram is kept. With
unit diagonal a loop M_kk is 1, and a summed index without edges is a factor d. So equal normal
forms mean equal functions of M and W for every d. Distinct free letters stand for distinct indices.

Coefficients are polynomials in gamma, d and the moments m_1 to m_4 of one weight.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import prod
from typing import Any, NamedTuple

from graphs.arithmetic import as_fraction
from graphs.rings import Polynomial, Ring, ring_of

SYMBOLS = ("gamma", "d", "m1", "m2", "m3", "m4")
Pair = tuple[str, str]
Number = int | Fraction


class Diagram(NamedTuple):
    """edges: factors of M; arrows: factors of W, (row, column); both sorted."""

    edges: tuple[Pair, ...]
    arrows: tuple[Pair, ...]


@cache
def coefficient_ring() -> Ring:
    """The polynomials in SYMBOLS."""
    return ring_of(len(SYMBOLS))


def symbol(name: str) -> Polynomial:
    """One of SYMBOLS as a coefficient."""
    return coefficient_ring().generators[SYMBOLS.index(name)]


def renamed_pairs(pairs: Iterable[Pair], names: Mapping[str, str]) -> list[Pair]:
    """Pairs with some of their indices renamed."""
    return [(names.get(a, a), names.get(b, b)) for a, b in pairs]


def _edge(pair: Pair) -> Pair:
    return pair if pair[0] <= pair[1] else (pair[1], pair[0])


@cache
def normal_form(diagram: Diagram) -> Diagram:
    """The least diagram over all names of the summed indices."""
    summed = sorted({v for pair in (*diagram.edges, *diagram.arrows) for v in pair if v.isdigit()})
    best = None
    for order in permutations([str(n) for n in range(len(summed))]):
        names = dict(zip(summed, order, strict=True))
        edges = tuple(sorted(_edge(p) for p in renamed_pairs(diagram.edges, names)))
        found = Diagram(edges, tuple(sorted(renamed_pairs(diagram.arrows, names))))
        best = found if best is None or found < best else best
    return best if best is not None else diagram


class Sums:
    """A finite sum of diagrams with coefficients, in normal form; knows + - * and ==.

    terms: coefficient by diagram, none of them 0. unit: whether M_kk = 1 is used.
    """

    def __init__(self, terms: Mapping[Diagram, Polynomial], unit: bool = True) -> None:
        ring = coefficient_ring()
        self.unit = unit
        self.terms: dict[Diagram, Polynomial] = {}
        for diagram, coefficient in terms.items():
            kept = diagram
            if unit:
                kept = Diagram(tuple(p for p in diagram.edges if p[0] != p[1]), diagram.arrows)
            lost = summed_indices(diagram) - summed_indices(kept)
            value = coefficient
            for _ in lost:  # an index that nothing depends on any more is summed to d
                value = value * symbol("d")
            key = normal_form(kept)
            self.terms[key] = self.terms[key] + value if key in self.terms else value
        self.terms = {k: c for k, c in self.terms.items() if not ring.is_zero(c)}

    def __add__(self, other: Sums | Number) -> Sums:
        right = self._like(other)
        terms = dict(self.terms)
        for diagram, coefficient in right.terms.items():
            terms[diagram] = terms[diagram] + coefficient if diagram in terms else coefficient
        return Sums(terms, self.unit)

    __radd__ = __add__

    def __neg__(self) -> Sums:
        return Sums({k: -c for k, c in self.terms.items()}, self.unit)

    def __sub__(self, other: Sums | Number) -> Sums:
        return self + (-self._like(other))

    def __rsub__(self, other: Number) -> Sums:
        return self._like(other) - self

    def __mul__(self, other: Sums | Number) -> Sums:
        right = self._like(other)
        found: dict[Diagram, Polynomial] = {}
        for one, left in self.terms.items():
            size = len(summed_indices(one))
            for two, factor in right.terms.items():
                names = {v: str(int(v) + size) for v in summed_indices(two)}
                merged = normal_form(
                    Diagram(
                        (*one.edges, *renamed_pairs(two.edges, names)),
                        (*one.arrows, *renamed_pairs(two.arrows, names)),
                    )
                )
                value = left * factor
                found[merged] = found[merged] + value if merged in found else value
        return Sums(found, self.unit)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sums | int | Fraction) and not (self - other).terms

    __hash__ = None  # type: ignore[assignment]  # equality is of normal forms, no key is made of it

    def __repr__(self) -> str:
        return text_of(self)

    def _like(self, other: Sums | Number) -> Sums:
        if isinstance(other, Sums):
            if other.unit != self.unit:
                raise ValueError("one sum uses the unit diagonal of M and the other does not")
            return other
        return constant(coefficient_ring().constant(Fraction(other)), self.unit)

    def times_symbol(self, name: str, power: int = 1) -> Sums:
        """This, times a power of one of SYMBOLS."""
        factor = prod([symbol(name)] * power, start=coefficient_ring().constant(Fraction(1)))
        return Sums({k: c * factor for k, c in self.terms.items()}, self.unit)


def summed_indices(diagram: Diagram) -> set[str]:
    """The summed indices of a diagram."""
    return {v for pair in (*diagram.edges, *diagram.arrows) for v in pair if v.isdigit()}


def constant(coefficient: Polynomial, unit: bool = True) -> Sums:
    """A coefficient without factors of M and W."""
    return Sums({Diagram((), ()): coefficient}, unit)


def zero(unit: bool = True) -> Sums:
    """The empty sum."""
    return Sums({}, unit)


def m_entry(i: str, j: str, unit: bool = True) -> Sums:
    """M_ij, i and j letters."""
    return Sums({Diagram(((i, j),), ()): coefficient_ring().constant(Fraction(1))}, unit)


def w_entry(i: str, j: str, unit: bool = True) -> Sums:
    """W_ij, i and j letters."""
    return Sums({Diagram((), ((i, j),)): coefficient_ring().constant(Fraction(1))}, unit)


def summed_over(sums: Sums, *letters: str) -> Sums:
    """The sum over all values 1..d of free letters.

    >>> summed_over(m_entry("k", "k"), "k")
    d
    """
    found = sums
    for letter in letters:
        total = zero(sums.unit)
        for diagram, coefficient in found.terms.items():
            if not any(letter in pair for pair in (*diagram.edges, *diagram.arrows)):
                part = Sums({diagram: coefficient * symbol("d")}, sums.unit)
            else:
                name = {letter: str(len(summed_indices(diagram)))}
                moved = Diagram(
                    tuple(renamed_pairs(diagram.edges, name)),
                    tuple(renamed_pairs(diagram.arrows, name)),
                )
                part = Sums({moved: coefficient}, sums.unit)
            total = total + part
        found = total
    return found


def renamed(sums: Sums, **letters: str) -> Sums:
    """The sum with free letters replaced, j="i" puts i for j."""
    total = zero(sums.unit)
    for diagram, coefficient in sums.terms.items():
        moved = Diagram(
            tuple(renamed_pairs(diagram.edges, letters)),
            tuple(renamed_pairs(diagram.arrows, letters)),
        )
        total = total + Sums({moved: coefficient}, sums.unit)
    return total


def over_distinct(sums: Sums, i: str = "i", j: str = "j") -> Sums:
    """The sum over all i != j."""
    return summed_over(sums, i, j) - summed_over(renamed(sums, **{j: i}), i)


# values ------------------------------------------------------------------------------------------
def assuming(sums: Sums, **values: Number) -> Sums:
    """The sum with numbers for some of SYMBOLS, such as m1=0, m2=1."""
    ring = coefficient_ring()
    found = {}
    for diagram, coefficient in sums.terms.items():
        total = ring.constant(Fraction(0))
        for exponents, number in ring.terms(coefficient).items():
            term = ring.constant(number)
            for name, generator, power in zip(SYMBOLS, ring.generators, exponents, strict=True):
                base = ring.constant(Fraction(values[name])) if name in values else generator
                for _ in range(power):
                    term = term * base
            total = total + term
        found[diagram] = total
    return Sums(found, sums.unit)


def occurring(sums: Sums) -> set[str]:
    """The SYMBOLS that occur in the normal form."""
    ring = coefficient_ring()
    return {
        name
        for coefficient in sums.terms.values()
        for exponents in ring.terms(coefficient)
        for name, power in zip(SYMBOLS, exponents, strict=True)
        if power
    }


def value(
    sums: Sums,
    moments: Sequence[Sequence[Any]],
    places: Mapping[str, int],
    *,
    weights: Sequence[Sequence[Any]] = (),
    **numbers: Number,
) -> Fraction:
    """The value at a matrix M (d, d), rationals, with numbers for the free letters (from 0) and for
    the SYMBOLS that occur other than d; weights: W (d, d) where it occurs."""
    d, ring = len(moments), coefficient_ring()
    point = [Fraction(d if name == "d" else numbers.get(name, 0)) for name in SYMBOLS]
    missing = occurring(sums) - {"d", *numbers}
    if missing:
        raise ValueError(f"no value given for {', '.join(sorted(missing))}")
    total = Fraction(0)
    for diagram, coefficient in sums.terms.items():
        summed, part = sorted(summed_indices(diagram)), Fraction(0)
        for chosen in product(range(d), repeat=len(summed)):
            at = {**places, **dict(zip(summed, chosen, strict=True))}
            factors = [as_fraction(moments[at[a]][at[b]]) for a, b in diagram.edges]
            factors += [as_fraction(weights[at[a]][at[b]]) for a, b in diagram.arrows]
            part += prod(factors, start=Fraction(1))
        total += part * ring.evaluate(coefficient, point)
    return total


def text_of(sums: Sums) -> str:
    """The normal form in text; summed indices are digits.

    >>> summed_over(m_entry("k", "j") * m_entry("k", "j"), "k")
    sum_0 M_0j^2
    """
    ring = coefficient_ring()
    parts = []
    for diagram, coefficient in sorted(sums.terms.items()):
        shown = []
        for exponents, number in sorted(ring.terms(coefficient).items()):
            powers = [
                name if e == 1 else f"{name}^{e}"
                for name, e in zip(SYMBOLS, exponents, strict=True)
                if e
            ]
            shown.append(" ".join(powers if powers and number == 1 else [str(number), *powers]))
        factors = [*(("M", p) for p in diagram.edges), *(("W", p) for p in diagram.arrows)]
        counted = {f: factors.count(f) for f in factors}
        names = [
            f"{letter}_{a}{b}" + (f"^{n}" if n > 1 else "")
            for (letter, (a, b)), n in counted.items()
        ]
        scale = shown[0] if len(shown) == 1 else f"({' + '.join(shown)})"
        over = sorted(summed_indices(diagram))
        head = [] if scale == "1" and names else [scale]
        parts.append(" ".join([*head, *([f"sum_{','.join(over)}"] if over else []), *names]))
    return " + ".join(parts) or "0"
