"""Domains: what a case of a statement holds. Named arrays and numbers, or a network and named
lists of what is in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphs.activations import PIECEWISE_LINEAR, SMOOTH
from verify.language.sorts import INT, MAT, NUM, TENSOR, VEC, Sort, sort_of
from verify.language.terms import Term, TermError

LEAST, LARGEST = 0, 6
"""Of a whole number, where nothing else is said."""


@dataclass(frozen=True)
class Array:
    """A tensor, a matrix, a vector, a number, a whole number between two, or in a case with a
    network a list of its vertices, edges, or numbers. axes: their names; beside a network those of
    verify.cases.case.AXES are as long as its lists. meaning: for readers, in words."""

    name: str
    sort: Sort
    axes: tuple[str, ...] = ()
    least: int = LEAST
    largest: int = LARGEST
    meaning: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not self.name.isidentifier():
            raise TermError(f"{self.name!r} names no array: use letters, digits and _")
        if not all(isinstance(axis, str) and axis for axis in self.axes):
            raise TermError(f"{self.name}: axes are names, like 'm', not {list(self.axes)}")
        if self.least > self.largest:
            raise TermError(f"{self.name}: no whole number from {self.least} to {self.largest}")

    @property
    def told(self) -> str:
        """Its sort and axes, or the ends between which it lies, in words."""
        if self.sort == INT:
            return f"a whole number from {self.least} to {self.largest}"
        if self.sort.name == "seq":
            return f"a list {self.sort}"
        axes = f" with the axes {', '.join(self.axes)}" if self.axes else ""
        return f"a {self.sort}{axes}"

    @property
    def term(self) -> Term:
        """The array as a term."""
        return Term("field", (self,), self.sort)

    def to_json(self) -> dict[str, Any]:
        """As in the domain of a record."""
        found: dict[str, Any] = {"sort": self.sort.name, "axes": list(self.axes)}
        return found | ({"least": self.least, "largest": self.largest} if self.sort == INT else {})


@dataclass(frozen=True)
class Domain:
    """What a case holds: arrays by name; a network with examples, and then also lists by name.
    activations: those of its hidden vertices, and beside linear those of its outputs, where that is
    told, in the order of `ACTIVATIONS`."""

    arrays: Mapping[str, Array]
    network: bool = False
    activations: tuple[str, ...] = ()

    @property
    def smooth(self) -> bool:
        """Whether some of its networks are told to have smooth activations."""
        return any(kind in SMOOTH for kind in self.activations)

    @property
    def lists(self) -> dict[str, Array]:
        """The lists among the arrays."""
        return {name: one for name, one in self.arrays.items() if one.sort.name == "seq"}

    @property
    def measured(self) -> dict[str, Array]:
        """The arrays that are no lists."""
        return {name: one for name, one in self.arrays.items() if one.sort.name != "seq"}

    def to_json(self) -> dict[str, Any]:
        """As in a record."""
        found: dict[str, Any] = {"network": True} if self.network else {}
        if self.activations:
            found["activations"] = list(self.activations)
        if self.lists:
            found["lists"] = {name: str(one.sort) for name, one in sorted(self.lists.items())}
        if self.measured:
            arrays = sorted(self.measured.items())
            found["arrays"] = {name: array.to_json() for name, array in arrays}
        return found


_OF_NETWORKS = """
    vertices inputs hidden outputs edges examples into out_of held tail head users learnable paths
    edges_on start weight input label loss_slope slope_left slope_right pre post slope output
    gradient sensitivity edge steps step_size after paths_to activation along
"""
OF_NETWORKS = frozenset(_OF_NETWORKS.split())
"""The operators that ask a network."""


ACTIVATIONS = (*PIECEWISE_LINEAR, *SMOOTH)


def domain_of(terms: Iterable[Term], activations: Collection[str] = ()) -> Domain:
    """The domain that terms speak of, with networks of these activations. Raises TermError where it
    is none."""
    arrays: dict[str, Array] = {}
    network = False
    for term in terms:
        network = network or not OF_NETWORKS.isdisjoint(term.operators)
        for array in term.fields:
            if arrays.setdefault(array.name, array) != array:
                raise TermError(
                    f"{array.name} is two different arrays: {arrays[array.name].told} and "
                    f"{array.told}"
                )
    for name, array in sorted(arrays.items()):
        if not network and array.sort.name == "seq":
            raise TermError(f"{name} is {array.told}: only a case with a network has lists")
    if not network and not arrays:
        raise TermError("the statement speaks of no array and no network")
    if activations and not network:
        raise TermError("the statement names activations, and speaks of no network")
    if unknown := set(activations) - set(ACTIVATIONS):
        raise TermError(f"no activation {min(unknown)!r}: use some of {', '.join(ACTIVATIONS)}")
    return Domain(arrays, network, tuple(kind for kind in ACTIVATIONS if kind in activations))


def domain_from_json(data: Mapping[str, Any]) -> Domain:
    """The domain that `Domain.to_json` wrote."""
    sorts = {sort.name: sort for sort in (TENSOR, MAT, VEC, NUM, INT)}
    lists = {name: Array(name, sort_of(sort)) for name, sort in data.get("lists", {}).items()}
    arrays = {
        name: Array(
            name,
            sorts[row["sort"]],
            tuple(row["axes"]),
            row.get("least", LEAST),
            row.get("largest", LARGEST),
        )
        for name, row in data.get("arrays", {}).items()
    }
    return Domain(lists | arrays, bool(data.get("network")), tuple(data.get("activations", ())))
