"""The scene of cases on copies of one graph: what depends on the graph alone is worked out once."""

from __future__ import annotations

from functools import cached_property
from typing import cast

from graphs.copies import Copies
from graphs.paths import PathTable, path_table
from verify.cases.scenes import PATH_CAP, Scene


class CopiesScene(Scene):
    """A scene whose union is of copies of one graph."""

    @property
    def copies(self) -> Copies:
        """The union."""
        return cast(Copies, self.union)

    @cached_property
    def paths(self) -> PathTable:
        """All input-output paths of the batch."""
        union, one = self.copies, self.copies.one
        table = path_table(one, PATH_CAP)
        return PathTable(
            union,
            union.moved(table.edges, one.edge_count),
            union.moved(table.owner, 1),
            union.moved(table.first_input, one.vertex_count),
        )
