"""Layers one behind the other: their matrices, and how the norms of these change."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from graphs.layers import is_layer
from graphs.network import Network
from verify.case import Case
from verify.layer_pieces import Matrix, Mismatch, Piece, chosen_pieces
from verify.vocabulary import Entries, Scene, constant_entries


# representations ----------------------------------------------------------------------------------
def representations(piece: Piece) -> dict[str, Matrix]:
    """The matrices of a layer by name: W of a dense layer, T of a convolution, UZ for [U Z] and
    YZ for Y over Z of a ResNetDiagonal or ResNetFree block; of a ResNetIdentity none."""
    parts = piece.matrices
    if piece.kind == "dense":
        return {"W": parts["W"]}
    if piece.kind == "convolution":
        return {"T": parts["T"]}
    if piece.variant == "identity":
        return {}
    side_by_side = [u + z for u, z in zip(parts["U"], parts["Z"], strict=True)]
    return {"UZ": side_by_side, "YZ": parts["Y"] + parts["Z"]}


def chain(case: Case) -> list[Piece]:
    """The pieces of the chain that the case chooses, empty where there is none."""
    try:
        found = chosen_pieces(case)
    except Mismatch:
        return []
    return found if all(one.heads == two.tails for one, two in pairwise(found)) else []


def is_chain(case: Case) -> bool:
    """Whether there are two pieces or more, what leaves one of them enters the next one alone, and
    the last one ends in the output. The heads of a piece have no other in-edges anyway."""
    found, net = chain(case), case.network
    return (
        len(found) > 1
        and found[-1].heads == net.outputs
        and all(
            net.heads[e] in (*two.heads, *two.inner)
            for one, two in pairwise(found)
            for v in one.heads
            for e in net.out_edges[v]
        )
    )


def layer_edges(net: Network, piece: Piece, name: str) -> list[int]:
    """The edges of the graph whose weights a representation holds."""
    tails = {*piece.tails, *piece.inner} if name == "UZ" else set(piece.tails)
    heads = {*piece.heads, *piece.inner} if name == "YZ" else set(piece.heads)
    return [e for v in heads for e in net.in_edges[v] if net.tails[e] in tails]


def not_a_layer(scene: Scene) -> Entries:
    """0 where the edges of a representation are a layer by Definition 7 (no directed path from an
    input to the output remains without them), else 1."""
    rows = []
    for c, case in enumerate(scene.cases):
        for number, piece in enumerate(chain(case)):
            if piece.kind == "dense":
                continue
            for name in representations(piece):
                good = is_layer(case.network, layer_edges(case.network, piece, name), "B")
                label = {"piece": number + 1, "matrix": name, "predicate": "layer"}
                rows.append((c, label, Fraction(not good)))
    return constant_entries(scene, rows)


def norm_defect(scene: Scene) -> Entries:
    """d/dt of the difference of the squared Frobenius norms of the first representation of the
    last layer and every other one."""
    edges: tuple[list[tuple[int, int]], ...] = ([], [])
    owner: list[int] = []
    labels: list[dict[str, Any]] = []
    for c, case in enumerate(scene.cases):
        offset = int(scene.union.edge_offset[c])
        named = _named_representations(chain(case))
        for (number, name), matrix in named[:-1]:
            for side, other in zip(edges, (matrix, named[-1][1]), strict=True):
                side += [(e + offset, len(owner)) for row in other for e in row if e is not None]
            owner.append(c)
            labels.append({"piece": number + 1, "matrix": name})
    rate = scene.weights * scene.velocity
    rate = rate + rate
    left, right = (_sums(scene, rate, side, len(owner)) for side in edges)
    return _entries(left, right, owner, labels)


def _named_representations(pieces: list[Piece]) -> list[tuple[tuple[int, str], Matrix]]:
    return [
        ((number, name), matrix)
        for number, piece in enumerate(pieces)
        for name, matrix in representations(piece).items()
    ]


def _sums(scene: Scene, values: Any, rows: list[tuple[int, int]], size: int) -> Any:
    table = np.array(rows, dtype=np.int64).reshape(-1, 2)
    return scene.arithmetic.sum_at(values[table[:, 0]], table[:, 1], size)


def _entries(left: Any, right: Any, owner: list[int], labels: list[dict[str, Any]]) -> Entries:
    nothing = np.zeros(len(owner), dtype=np.int64)
    return Entries(
        left - right,
        left,
        np.array(owner, dtype=np.int64),
        "case",
        nothing,
        nothing - 1,
        lambda k: labels[k],
    )


def different_norms(scene: Scene) -> Entries:
    """For each layer with two representations the difference of their squared Frobenius norms."""
    edges: tuple[list[tuple[int, int]], ...] = ([], [])
    owner: list[int] = []
    labels: list[dict[str, Any]] = []
    for c, case in enumerate(scene.cases):
        offset = int(scene.union.edge_offset[c])
        for number, piece in enumerate(chain(case)):
            found = representations(piece)
            if len(found) < 2:
                continue
            for side, name in zip(edges, ("UZ", "YZ"), strict=True):
                entries = (e for row in found[name] for e in row if e is not None)
                side += [(e + offset, len(owner)) for e in entries]
            owner.append(c)
            labels.append({"piece": number + 1})
    squares = scene.weights * scene.weights
    left, right = (_sums(scene, squares, side, len(owner)) for side in edges)
    return _entries(left, right, owner, labels)
