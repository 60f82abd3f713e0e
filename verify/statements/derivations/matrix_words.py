"""Products of matrices that do not commute, in normal form: identities for matrices of every size.

A term is a number times numbers that commute with all (gamma, 1/N) times a word, a product of
matrices that are only names. Two sums of terms are equal in normal form only if they are equal
whatever the matrices are, and so for every width and every number of samples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

Term = tuple[tuple[str, ...], tuple[str, ...]]  # numbers, sorted, and the word


@dataclass(frozen=True)
class Words:
    """A sum of words with coefficients, those that are 0 left out.

    symmetric: the names of matrices that are their own transposes; the transpose of another one
    has the same name with a ' behind it.
    """

    terms: Mapping[Term, Fraction]
    symmetric: frozenset[str] = frozenset()

    def _with(self, terms: Mapping[Term, Fraction], other: Words | None = None) -> Words:
        names = self.symmetric | (other.symmetric if other else frozenset())
        return Words({term: c for term, c in terms.items() if c}, names)

    def __add__(self, other: Words) -> Words:
        total = dict(self.terms)
        for term, c in other.terms.items():
            total[term] = total.get(term, Fraction(0)) + c
        return self._with(total, other)

    def __neg__(self) -> Words:
        return self._with({term: -c for term, c in self.terms.items()})

    def __sub__(self, other: Words) -> Words:
        return self + -other

    def __matmul__(self, other: Words) -> Words:
        total: dict[Term, Fraction] = {}
        for (numbers, word), c in self.terms.items():
            for (others, second), e in other.terms.items():
                term = (tuple(sorted((*numbers, *others))), (*word, *second))
                total[term] = total.get(term, Fraction(0)) + c * e
        return self._with(total, other)

    @property
    def transposed(self) -> Words:
        """The words backwards, each matrix transposed."""
        return self._with(
            {
                (numbers, tuple(self._turned(name) for name in reversed(word))): c
                for (numbers, word), c in self.terms.items()
            }
        )

    def _turned(self, name: str) -> str:
        if name in self.symmetric:
            return name
        return name.removesuffix("'") if name.endswith("'") else name + "'"

    def replaced(
        self, pattern: tuple[str, ...], word: tuple[str, ...], numbers: tuple[str, ...] = ()
    ) -> Words:
        """With another word, times numbers, in place of the first one of these in each term."""
        total: dict[Term, Fraction] = {}
        for (factors, whole), c in self.terms.items():
            places = range(len(whole))
            at = next((k for k in places if whole[k : k + len(pattern)] == pattern), None)
            term = (factors, whole)
            if at is not None:
                rest = whole[at + len(pattern) :]
                term = (tuple(sorted((*factors, *numbers))), (*whole[:at], *word, *rest))
            total[term] = total.get(term, Fraction(0)) + c
        return self._with(total)

    @property
    def is_zero(self) -> bool:
        """Whether nothing is left."""
        return not self.terms


def matrix(name: str, *, symmetric: bool = False) -> Words:
    """A matrix that is only a name."""
    return Words({((), (name,)): Fraction(1)}, frozenset([name] if symmetric else []))


def number(name: str) -> Words:
    """A number that is only a name, times the identity."""
    return Words({((name,), ()): Fraction(1)})


EVERY_SIZE = "an equation between words in matrices holds of matrices of every size"
IDENTITY = Words({((), ()): Fraction(1)})
