"""What a drawing of a network emphasises: where a statement fails, which edges make up a matrix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reports.layout import Edge
from reports.verdicts import Record

GROUPS = 4  # groups of edges that look different


@dataclass(frozen=True)
class Marks:
    """What a drawing emphasises: where a statement fails, and sets of edges by their letters."""

    vertices: frozenset[str] = frozenset()
    edges: frozenset[Edge] = frozenset()
    groups: tuple[tuple[str, frozenset[Edge]], ...] = ()

    def kind(self, edge: Edge) -> str:
        """The class of an edge: `mark`, `g0` to `g3`, or nothing."""
        if edge in self.edges:
            return "mark"
        found = (k for k, (_, edges) in enumerate(self.groups) if edge in edges)
        return next((f"g{k % GROUPS}" for k in found), "")


def marks_of(entry: Record, choice: Record | None = None) -> Marks:
    """What the entry of a certificate points at, and the matrices that its case names."""
    vertices = [*entry.get("pair", ()), *([entry["vertex"]] if "vertex" in entry else [])]
    edges = [entry["edge"]] if "edge" in entry else []
    groups = [
        (letter, _edges(layer))
        for letter, layer in zip(("F", "F′"), entry.get("layers", ()), strict=False)
    ]
    return Marks(frozenset(vertices), _edges(edges), (*groups, *_matrices(choice or {})))


def _edges(pairs: Iterable[Sequence[str]]) -> frozenset[Edge]:
    return frozenset((tail, head) for tail, head in pairs)


def _matrices(choice: Record) -> list[tuple[str, frozenset[Edge]]]:
    """The edges of each matrix of the pieces that a case speaks of, by the papers' letters: W of a
    layer; of a residual block Y into it, U out of it, Z over it."""
    pieces, at = choice.get("pieces", []), choice.get("at")
    numbers = at if isinstance(at, list) else range(len(pieces))
    chosen = [pieces[k] for k in numbers if k in range(len(pieces))]
    blocks = sum(piece.get("kind") == "block" for piece in chosen)
    found: list[tuple[str, frozenset[Edge]]] = []
    for place, piece in enumerate(chosen):
        tails, inner, heads = (piece.get(name, []) for name in ("tails", "inner", "heads"))
        number = str(place + 1)
        if piece.get("kind") != "block":
            found.append((f"W{number}", _all_pairs(tails, heads)))
            continue
        number = number if blocks > 1 else ""
        for letter, ends in (("Y", (tails, inner)), ("U", (inner, heads)), ("Z", (tails, heads))):
            found.append((letter + number, _all_pairs(*ends)))
    return found


def _all_pairs(tails: Iterable[str], heads: Sequence[str]) -> frozenset[Edge]:
    return frozenset((tail, head) for tail in tails for head in heads)
