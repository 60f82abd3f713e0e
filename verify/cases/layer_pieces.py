"""Pieces of a network that papers write as matrices: dense layers, convolutions, residual blocks.

A case of a claim about matrices chooses `pieces`: for each its kind and the names of its neurons.
Here they are held against the graph, and their matrices are read off it. A matrix is a list of rows
of edge numbers: an edge that carries the entry's parameter, or None where the entry is 0 for good.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

from graphs.convolutions import convolution
from graphs.errors import NetworkError
from graphs.residual import VARIANTS

if TYPE_CHECKING:
    from graphs.network import Network
    from verify.cases.case import Case

Matrix = list[list[int | None]]
Record = Mapping[str, Any]
Shape = tuple[int, ...]
CACHE = "_pieces"
GEOMETRY = ("size", "kernel", "stride", "padding", "dilation")


@lru_cache(maxsize=512)
def unrolled(size: Shape, channels: Shape, *geometry: Any) -> Network:
    """`convolution` of these, remembered. Raises NetworkError."""
    return convolution(size, (channels[0], channels[1]), *geometry)


class Mismatch(ValueError):
    """The graph is not what a piece says of it."""


@dataclass(frozen=True)
class Piece:
    """A piece of a network, found in its graph.

    kind: dense, convolution or block. tails, inner, heads: vertex numbers; inner those within a
    block. A convolution's neurons are listed channel by channel. channels: in and out, of a
    convolution. variant: of a block. matrices: W of a dense layer (heads x tails); T of a
    convolution, flattened (channels out x (channels in x places of the filter)); Y, U, Z of a
    block, Z its skip.
    """

    kind: str
    tails: tuple[int, ...]
    heads: tuple[int, ...]
    matrices: Mapping[str, Matrix]
    inner: tuple[int, ...] = ()
    channels: tuple[int, int] = (1, 1)
    variant: str = ""

    @property
    def edges(self) -> list[int]:
        """An edge for each of the entries of the matrices, of T one for each free parameter."""
        rows = (row for matrix in self.matrices.values() for row in matrix)
        return [e for row in rows for e in row if e is not None]


def pieces_of(case: Case) -> list[Piece]:
    """The pieces that the case chooses. Raises Mismatch where the graph has no such pieces, or a
    parameter is shared by more than the edges of one convolution."""
    found: list[Piece] | None = vars(case).get(CACHE)
    if found is None:
        found = _found_pieces(case)
        vars(case)[CACHE] = found  # a case never changes, and a replaced one has a new dictionary
    return found


def _found_pieces(case: Case) -> list[Piece]:
    net = case.network
    try:
        found = [_read(net, record) for record in case.choice.get("pieces", ())]
    except (NetworkError, KeyError, TypeError) as error:
        raise Mismatch(f"a piece is not well formed: {error}") from error
    convolved = [set(piece.heads) for piece in found if piece.kind == "convolution"]
    for edges in net.edges_of_parameter:
        heads = {net.heads[e] for e in edges}  # all in-edges there are the convolution's
        if len(edges) > 1 and not any(heads <= one for one in convolved):
            raise Mismatch("a parameter is shared outside of one convolution")
    return found


def chosen_pieces(case: Case) -> list[Piece]:
    """Those of the pieces that the claim is about, in order. Raises Mismatch."""
    found = pieces_of(case)
    at = case.choice.get("at", ())
    if not all(isinstance(k, int) and 0 <= k < len(found) for k in at):
        raise Mismatch(f"there are no pieces {at}")
    return [found[k] for k in at]


def _read(net: Network, record: Record) -> Piece:
    kind = record["kind"]
    if kind not in _READERS:
        raise Mismatch(f"unknown kind of piece {kind!r}")
    return _READERS[kind](net, record)


def _numbers(net: Network, names: Iterable[str]) -> tuple[int, ...]:
    found = tuple(net.index[name] for name in names)
    if not found or len(set(found)) < len(found):
        raise Mismatch("neurons are listed twice, or not at all")
    return found


def _between(net: Network, tails: Sequence[int], heads: Sequence[int]) -> Matrix:
    """heads x tails: the edges between them."""
    matrix: Matrix = []
    for head in heads:
        by_tail: dict[int, int] = {net.tails[e]: e for e in net.in_edges[head]}
        matrix.append([by_tail.get(tail) for tail in tails])
    return matrix


def _only_in_edges(net: Network, heads: Sequence[int], matrices: Iterable[Matrix]) -> None:
    """Every in-edge of the heads is in one of the matrices."""
    there = {e for matrix in matrices for row in matrix for e in row}
    for head in heads:
        if not there.issuperset(net.in_edges[head]):
            raise Mismatch(f"{net.names[head]} has further in-edges")


def _complete(matrix: Matrix, what: str) -> None:
    if any(e is None for row in matrix for e in row):
        raise Mismatch(f"{what} is not full: an edge is missing")


def _dense(net: Network, record: Record) -> Piece:
    tails, heads = (_numbers(net, record[key]) for key in ("tails", "heads"))
    matrix = _between(net, tails, heads)
    _complete(matrix, "a dense layer")
    _only_in_edges(net, heads, [matrix])
    return Piece("dense", tails, heads, {"W": matrix})


def _block(net: Network, record: Record) -> Piece:
    tails, inner, heads = (_numbers(net, record[key]) for key in ("tails", "inner", "heads"))
    variant = record["variant"]
    if variant not in VARIANTS:
        raise Mismatch(f"unknown residual block {variant!r}")
    y, u, z = _between(net, tails, inner), _between(net, inner, heads), _between(net, tails, heads)
    for matrix in (y, u):
        _complete(matrix, "a residual block")
    _check_skip(net, z, variant)
    _only_in_edges(net, inner, [y])
    _only_in_edges(net, heads, [u, z])
    out = {e for row in u for e in row}
    if any(not out.issuperset(net.out_edges[v]) for v in inner):
        raise Mismatch("a neuron inside of a block has further out-edges")
    return Piece("block", tails, heads, {"Y": y, "U": u, "Z": z}, inner, variant=variant)


def _check_skip(net: Network, z: Matrix, variant: str) -> None:
    """The skip of a block is full, or diagonal, or the identity with constant weights."""
    if variant == "free":
        _complete(z, "the skip of ResNetFree")
        return
    entries = [(i, j, e) for i, row in enumerate(z) for j, e in enumerate(row)]
    if any(len(row) != len(z) for row in z) or any(
        (e is not None) != (i == j) for i, j, e in entries
    ):
        raise Mismatch(f"the skip of ResNet{variant.capitalize()} is not diagonal")
    if variant == "identity" and any(e is not None and net.fixed[e] != 1 for _, _, e in entries):
        raise Mismatch("the skip of ResNetIdentity is not the constant 1")


def _convolution(net: Network, record: Record) -> Piece:
    tails, heads = (_numbers(net, record[key]) for key in ("tails", "heads"))
    a, c = record["channels"]
    size, kernel, stride, padding, dilation = (tuple(record[key]) for key in GEOMETRY)
    model = unrolled(size, (a, c), kernel, stride, padding, dilation, record["mode"])
    if (len(model.inputs), len(model.outputs)) != (len(tails), len(heads)):
        raise Mismatch("a convolution has other numbers of neurons")
    place = dict(zip((*model.inputs, *model.outputs), (*tails, *heads), strict=True))
    carrier: dict[str, int] = {}
    for e in range(model.edge_count):
        tail, head = (net.names[place[v]] for v in (model.tails[e], model.heads[e]))
        found = net.edge_between(tail, head)
        name = model.parameter_names[model.parameter_of[e]]
        first = carrier.setdefault(name, found)
        if net.parameter_of[first] != net.parameter_of[found] or not net.learnable(found):
            raise Mismatch("a convolution does not share its parameters")
    if len({net.parameter_of[e] for e in carrier.values()}) < len(carrier):
        raise Mismatch("two parameters of a convolution are one")
    if sum(len(net.in_edges[head]) for head in heads) != model.edge_count:
        raise Mismatch("the neurons of a convolution have further in-edges")
    columns = list(product(range(a), *map(range, kernel)))
    rows: Matrix = [[carrier.get(_parameter(k, place)) for place in columns] for k in range(c)]
    return Piece("convolution", tails, heads, {"T": rows}, channels=(a, c))


def _parameter(channel: int, place: Sequence[int]) -> str:
    return f"k[{','.join(str(k + 1) for k in (channel, *place))}]"


_READERS = {"dense": _dense, "block": _block, "convolution": _convolution}


# matrices ---------------------------------------------------------------------------------------
def flat(piece: Piece) -> Matrix:
    """The matrix on the way into the heads: W; T as channels out x the rest; [U Z]."""
    if piece.kind == "block":
        pairs = zip(piece.matrices["U"], piece.matrices["Z"], strict=True)
        return [u + z for u, z in pairs]
    return piece.matrices["W" if piece.kind == "dense" else "T"]


def leaving(piece: Piece) -> Matrix:
    """The matrix on the way out of the tails: W; Y over Z; T as (channels out x places of the
    filter) x channels in."""
    if piece.kind == "block":
        return piece.matrices["Y"] + piece.matrices["Z"]
    if piece.kind == "dense":
        return piece.matrices["W"]
    a, _ = piece.channels
    rows: Matrix = []
    for row in piece.matrices["T"]:
        places = len(row) // a
        rows += [[row[b * places + place] for b in range(a)] for place in range(places)]
    return rows
