"""Where a certificate looks: the elements that `at` tells, by what they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reports.layout import Edge
from reports.names import name_html, number_text
from reports.pieces import escape
from reports.verdicts import Record

KINDS = {
    "examples": "example",
    **dict.fromkeys(("vertices", "hidden", "inputs", "outputs"), "vertex"),
    **dict.fromkeys(("edges", "into", "out_of", "users"), "edge"),
}
PARTS_OF_LISTS = ("filter", "minus", "union", "intersection", "distinct", "concat", "sorted")


@dataclass(frozen=True)
class Looked:
    """The elements of a place, each behind what it is: `vertex`, `edge`, `example`, or nothing
    where that is not known. edges: of the case's network, in their order."""

    elements: tuple[tuple[str, Any], ...] = ()
    edges: tuple[Edge, ...] = ()

    def of(self, kind: str) -> list[Any]:
        """Those of a kind."""
        return [element for found, element in self.elements if found == kind]

    @property
    def marked(self) -> frozenset[Edge]:
        """The edges among them."""
        return frozenset(self.edges[k] for k in self.of("edge") if k < len(self.edges))

    def html(self) -> str:
        """In words; nothing where no element is told."""
        told = [self._one(*one) for one in self.elements]
        return f" at {', '.join(told)}" if told else ""

    def _one(self, kind: str, element: Any) -> str:
        if kind == "edge" and element < len(self.edges):
            return "the edge " + "→".join(map(name_html, self.edges[element]))
        if kind == "vertex":
            return f"the vertex {name_html(element)}"
        told = escape(_plain(element))
        return f"example {told}" if kind == "example" else told


def looked_at(certificate: Record) -> Looked:
    """What a certificate of a statement looks at."""
    statement = certificate.get("statement") or {}
    network = (certificate.get("case") or {}).get("network") or {}
    edges = tuple((edge["tail"], edge["head"]) for edge in network.get("edges", ()))
    elements = _elements(statement.get("says"), list(certificate.get("at") or ()))
    return Looked(tuple(elements), edges)


def _elements(term: Any, at: list[Any]) -> Iterator[tuple[str, Any]]:
    """From the outside in: an element for each `each`, a part for each `and`."""
    while at and isinstance(term, list):
        operator, *arguments = term
        if operator == "each":
            yield _kind(arguments[0]), at.pop(0)
            term = arguments[-1]
        elif operator == "and":
            term = arguments[at.pop(0)]
        elif operator == "implies":
            term = arguments[-1]
        else:
            break
    yield from (("", element) for element in at)


def _kind(some: Any) -> str:
    """What the elements of a list are, where it is one of the network's or a part of one."""
    while isinstance(some, list) and some[0] in PARTS_OF_LISTS:
        some = some[1]
    return KINDS.get(some[0], "") if isinstance(some, list) else ""


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return f"({', '.join(map(_plain, value))})"
    return number_text(value, limit=40)
