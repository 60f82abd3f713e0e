"""What a drawing of a network emphasises: where a statement fails, which edges make up a layer."""

from __future__ import annotations

from dataclasses import dataclass

from reports.layout import Edge
from reports.places import Looked
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


def marks_of(looked: Looked, choice: Record | None = None) -> Marks:
    """What a certificate looks at, and the layers of edges that its case names."""
    layers = (choice or {}).get("layers", ())
    groups = (
        (letter, frozenset(looked.edges[k] if isinstance(k, int) else tuple(k) for k in layer))
        for letter, layer in zip(("F", "F′"), layers, strict=False)
    )
    return Marks(frozenset(looked.of("vertex")), looked.marked, tuple(groups))
