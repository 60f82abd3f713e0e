"""What the compiled Lanczos of numerics.curvature.kernels works on, as flat arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

NUMBER_OF_COLUMNS = 16
(
    WIDTH,  # d
    COLUMNS,  # s
    READS,  # s, or 0
    INPUTS,  # of what is read, the first ones
    AT,  # in the coordinates
    VERTEX,  # in arrays over vertices
    COLUMN,  # in arrays over what is read
    ENTRY,  # in the matrices
    FIRST_SEGMENT,
    END_SEGMENT,
    FIRST_SKIP,
    END_SKIP,
    READ,  # in what layers read that share weights, if this is one
    FIRST_EDGE,
    END_EDGE,
    SHARED,  # how many weights they share
) = range(NUMBER_OF_COLUMNS)


class Plan(NamedTuple):
    """What is the same for all networks. Layers: those that the objectives depend on.

    table (B, 16): see the names above. segments (., 3): a source's vertices, where they stand in
    what is read, how many; skips (., 2): a vertex of the layer, counted from its first, and the
    vertex that is added; edges (., 3): where a layer shares weights, a vertex of it, one of what it
    reads, and the number of the weight. masked: whether there are masks (in all layers then).
    before: whether skips are of pre-activations. neurons: whether the objective is.
    """

    table: np.ndarray
    segments: np.ndarray
    skips: np.ndarray
    edges: np.ndarray
    masked: bool
    before: bool
    neurons: bool


class Networks(NamedTuple):
    """Matrices (S, entries), their masks (1 or S, entries; or (1, 1)), scales (1 or S, vertices),
    groups (1 or S, D)."""

    matrices: np.ndarray
    masks: np.ndarray
    scales: np.ndarray
    groups: np.ndarray


class Lanes(NamedTuple):
    """Arrays (S K, .): slopes, bends (sigma'' dg/df) and delta over vertices; inner over what is
    read; reads: all that layers read that share weights, inputs too; curve: phi'' at the top layer;
    weights, null, start over coordinates."""

    slopes: np.ndarray
    bends: np.ndarray
    delta: np.ndarray
    inner: np.ndarray
    reads: np.ndarray
    curve: np.ndarray
    weights: np.ndarray
    null: np.ndarray
    start: np.ndarray


class Scratch(NamedTuple):
    """Room of one thread: over vertices, what a layer reads, coordinates and shared weights."""

    z: np.ndarray
    moved: np.ndarray
    above: np.ndarray
    direct: np.ndarray
    back: np.ndarray
    seen: np.ndarray
    sums: np.ndarray
    shared: np.ndarray
