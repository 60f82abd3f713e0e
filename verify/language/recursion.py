"""Recursion along a network: what is said at a vertex in terms of what is said at the tails of the
edges into it. Where the path onward is spoken of, it runs along the unrolled tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from verify.language.binding import binder
from verify.language.columns import Column, Lists, Rows, ragged
from verify.language.frames import MOST_ROWS, Frame, TooManyRowsError
from verify.language.networks import sorted_by
from verify.language.operations import operation
from verify.language.terms import Body, Term

if TYPE_CHECKING:
    from verify.language.evaluation import Evaluation

MOST_PATHS = 10_000


@dataclass(frozen=True)
class Graph:
    """The edges into each vertex of a union. order, starts: the edges by their heads, and where
    those of each vertex begin. tails: (E,). depths: (V,) of the longest path from an input. paths:
    (V,) how many paths end at each vertex, the empty one included; at most one more than are
    looked at."""

    order: np.ndarray
    starts: np.ndarray
    tails: np.ndarray
    depths: np.ndarray
    paths: np.ndarray

    @classmethod
    def of(cls, union: Any) -> Graph:
        """That of a union."""
        order, starts = sorted_by(union.heads, union.vertex_count)
        depths = np.concatenate([np.array(n.depths, dtype=np.int64) for n in union.networks])
        paths = np.ones(union.vertex_count, dtype=np.int64)
        for level in union.levels:
            np.add.at(paths, union.heads[level.edges], paths[union.tails[level.edges]])
            paths[level.vertices] = np.minimum(paths[level.vertices], MOST_PATHS + 1)
        return cls(order, starts, union.tails, depths, paths)

    def into(self, vertices: np.ndarray) -> Lists:
        """The edges into each vertex, in the order of the record."""
        counts = self.starts[vertices + 1] - self.starts[vertices]
        return Lists(counts, self.order[np.repeat(self.starts[vertices], counts) + ragged(counts)])


@dataclass(frozen=True)
class Places:
    """Where a recursion comes to, from the end of it on. rows: of each place the row that asks for
    it. vertices: where it is. before: the places that it is made of. paths: the edges onward."""

    rows: Rows
    vertices: np.ndarray
    before: Lists
    paths: Lists


def _unrolled(graph: Graph, rows: Rows, ends: np.ndarray) -> Places:
    """All paths that end at the vertex of each row, those with fewer edges first."""
    lengths = np.zeros(len(rows), dtype=np.int64)
    found = [(rows, ends, Lists(lengths, np.zeros(0, dtype=np.int64)))]
    counts, size = [], 0
    while len(found[-1][0]):
        some, at, onward = found[-1]
        edges = graph.into(at)
        counts.append(edges.counts)
        size += len(edges.items)
        if size > MOST_ROWS:
            raise TooManyRowsError(f"{size} paths, at most {MOST_ROWS} are looked at")
        longer = len(found)  # the edges of each path at the next step
        table = onward.items.reshape(len(some), longer - 1)[edges.owner]
        items = np.concatenate([edges.items[:, None], table], axis=1).reshape(-1)
        paths = Lists(np.full(len(edges.items), longer), items)
        found.append((some[edges.owner], graph.tails[edges.items], paths))
    every = [np.concatenate([part[k] for part in found]) for k in (0, 1)]
    made = np.concatenate([*counts, np.zeros(0, dtype=np.int64)])
    before = Lists(made, len(rows) + np.arange(made.sum()))
    lengths = np.concatenate([part[2].counts for part in found])
    paths = Lists(lengths, np.concatenate([part[2].items for part in found]))
    return Places(every[0], every[1], before, paths)


def _shared(graph: Graph, rows: Rows, ends: np.ndarray, count: int) -> Places:
    """The vertices from which there is a path to the vertex of each row, each once. count: how many
    vertices there are."""
    codes = rows * count + ends
    found, fresh = codes, codes
    while len(fresh):
        edges = graph.into(fresh % count)
        onward = (fresh // count)[edges.owner] * count + graph.tails[edges.items]
        fresh = np.setdiff1d(onward, found)
        found = np.concatenate([found, fresh])
    vertices = found % count
    edges = graph.into(vertices)
    order = np.argsort(found)
    onward = (found // count)[edges.owner] * count + graph.tails[edges.items]
    places = order[np.searchsorted(found[order], onward)]
    nothing = Lists(np.zeros(len(found), dtype=np.int64), np.zeros(0, dtype=np.int64))
    return Places(found // count, vertices, Lists(edges.counts, places), nothing)


@binder("along")
def _along(by: Evaluation, frame: Frame, term: Term) -> Column:
    """Level by level: all vertices of one depth together, in all rows."""
    vertex, body = by.column(term.args[0], frame), term.args[1]
    graph = by.graph
    rows = np.flatnonzero(vertex.defined)
    rows = rows[graph.paths[vertex.values[rows]] <= MOST_PATHS]
    ends = vertex.values[rows]
    if body.variables[1].args[0] in body.term.free:
        places = _unrolled(graph, rows, ends)
    else:
        places = _shared(graph, rows, ends, by.scene.union.vertex_count)
    values, known = _climbed(by, frame, body, places, graph.depths[places.vertices])
    found, defined = by.arithmetic.zeros(len(frame)), np.zeros(len(frame), dtype=bool)
    found[rows], defined[rows] = values[: len(rows)], known[: len(rows)]
    return Column(found, defined)


def _climbed(
    by: Evaluation, frame: Frame, body: Body, places: Places, depths: np.ndarray
) -> tuple[Any, np.ndarray]:
    """The value at each place, and which have one: where all before it have."""
    values = by.arithmetic.zeros(len(depths))
    known = np.zeros(len(depths), dtype=bool)
    at, path, before = (variable.args[0] for variable in body.variables)
    for depth in np.unique(depths):
        some = np.flatnonzero(depths == depth)
        lost = _taken(places.before, some)
        some = some[np.bincount(lost.owner[~known[lost.items]], minlength=len(some)) == 0]
        if not len(some):
            continue
        made = _taken(places.before, some)
        everywhere = np.ones(len(some), dtype=bool)
        bound = {
            at: Column(places.vertices[some], everywhere),
            path: Column(_taken(places.paths, some), everywhere),
            before: Column(Lists(made.counts, values[made.items]), everywhere),
        }
        found = by.column(body.term, frame.inside(places.rows[some], bound))
        values[some], known[some] = found.values, found.defined
    return values, known


def _taken(lists: Lists, rows: Rows) -> Lists:
    counts = lists.counts[rows]
    return Lists(counts, lists.items[np.repeat(lists.starts[rows], counts) + ragged(counts)])


@operation("paths_to")
def _paths_to(by: Evaluation, frame: Frame, term: Term, vertex: Column) -> Column:
    """Of each row its own, the one that asks for the least edges first."""
    defined = vertex.defined & (by.graph.paths[vertex.values] <= MOST_PATHS)
    rows = np.flatnonzero(defined)
    places = _unrolled(by.graph, rows, vertex.values[rows])
    order = np.argsort(places.rows, kind="stable")
    counts = np.bincount(places.rows, minlength=len(frame))
    return Column(Lists(counts, _taken(places.paths, order)), defined)
