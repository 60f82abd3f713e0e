"""Instances of lemmas and definitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .budget import Budget
from .known import Fact
from .lemmas import DEFINITIONS, LEMMAS, Axes, Json, Lemma
from .nodes import node, placed, spelled
from .normal import Normal
from .outcomes import reject, require
from .polynomials import Size
from .sorts import BOOL, MAT, VEC, Sort, fits
from .terms import Node, Reader


class Instances:
    """Makes them; used: the words of the trusted lemmas that were used, by name."""

    def __init__(self, budget: Budget, normal: Normal, used: dict[str, str]) -> None:
        self._normal, self._used = normal, used
        self._reader = Reader(budget, {}, True, None, descends=False)

    def lemma(self, name: str) -> Lemma:
        """The lemma of a name."""
        found = LEMMAS.get(name) or DEFINITIONS.get(name)
        if found is None:
            reject(f"there is no lemma {name[:80]!r}")
        return found

    def takes(self, name: str) -> list[str]:
        """The names of what it takes."""
        return list(self.lemma(name).takes)

    def fresh(self, name: str, taken: Mapping[str, Node], where: str) -> list[Size]:
        """The lengths of the vectors that it makes."""
        lengths = self._lengths(self.lemma(name), taken, where)
        return [lengths[axes[0]] for axes in self.lemma(name).makes.values()]

    def gives(
        self,
        name: str,
        taken: Mapping[str, Node],
        made: Sequence[Node],
        premises: Sequence[Fact],
        where: str,
    ) -> list[Node]:
        """What follows, if what it needs is among the premises."""
        lemma = self.lemma(name)
        values = [taken[key] for key in lemma.takes]
        for need in lemma.needs:
            wanted = self.instance(need, lemma, [*values, *made])
            met = self._plain(wanted) or any(self._normal.same(p.term, wanted) for p in premises)
            require(met, f"{where}: what {name} needs is not among its premises")
        for need in lemma.defined:
            term = self.instance(need, lemma, [*values, *made])
            for premise in premises:
                self._normal.walk(premise.term)
            exactly = spelled(
                node("eq", term, term, sort=BOOL)
            )  # not 0, that 0/y is in normal form
            met = any(p.met and spelled(p.term) == exactly for p in premises)
            require(met, f"{where}: that {need[0]} has a value is not among its premises")
        if name in LEMMAS:
            self._used[name] = lemma.words
        return [self.instance(fact, lemma, [*values, *made]) for fact in lemma.gives]

    def _plain(self, wanted: Node) -> bool:
        """Whether it is an equation of two sides of one normal form."""
        return wanted.operator == "eq" and self._normal.same(*wanted.arguments)

    def instance(self, template: Json, lemma: Lemma, values: Sequence[Node]) -> Node:
        """A term of the lemma with values in place of its variables."""
        scope = tuple(Node("var", (), 0, value.sort, False) for value in values)
        term = self._reader.read(template, "a term of a lemma", scope=scope)
        return placed(term, values)

    def _lengths(self, lemma: Lemma, taken: Mapping[str, Node], where: str) -> dict[str, Size]:
        """The lengths of the axes; rejects what has another sort or shape than the lemma takes."""
        lengths: dict[str, Size] = {}
        bound: dict[str, Sort] = {}
        for key, wanted in lemma.takes.items():
            sort, value = _sort(wanted), taken[key]
            takes = fits(sort, value.sort, bound)
            require(takes, f"{where}: {key} is a {value.sort}, not a {sort}")
            if isinstance(wanted, Sort):
                continue
            grid = self._normal.matrices.grid(value)
            if grid is None:
                reject(f"{where}: the shape of {key} is not known")
            shape = self._normal.matrices.shape(grid)
            for axis, size in zip(wanted, shape, strict=False):  # a vector has one axis
                known = lengths.setdefault(axis, size)
                require(known == size, f"{where}: {key} has a shape that does not fit")
        return lengths


def _sort(declared: Sort | Axes) -> Sort:
    if isinstance(declared, Sort):
        return declared
    return MAT if len(declared) == 2 else VEC
