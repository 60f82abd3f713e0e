"""What stands behind the arbitrary network of Theorem 2, along computed flows: its layers, and the
constants of these.

Layers are numbered j = 1, ..., K + M + 1, the last one being Fin. What the claims say of them are
terms (verify.papers.lj22.low_rank_terms).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from verify.cases.case import Case
from verify.cases.layer_pieces import Matrix, Mismatch, Piece, chosen_pieces, flat, leaving

ORDER = {"convolution": 0, "block": 1, "dense": 1}


@dataclass(frozen=True)
class Tail:
    """The layers behind eta on a case: K convolutions, M blocks or dense layers, and Fin. Raises
    Mismatch, from `tail_of`, where the case has no such tail."""

    pieces: tuple[Piece, ...]

    @property
    def K(self) -> int:  # noqa: N802 - the paper's letter
        """The number of convolutions."""
        return sum(piece.kind == "convolution" for piece in self.pieces)

    @property
    def M(self) -> int:  # noqa: N802 - the paper's letter
        """The number of blocks and dense layers between the convolutions and Fin."""
        return len(self.pieces) - 1 - self.K

    @cached_property
    def layers(self) -> range:
        """The numbers j in [K + M]."""
        return range(1, self.K + self.M + 1)

    def matrix(self, j: int) -> Matrix:
        """The edges in the matrix representation of layer j by Definition 8: W; [U Z]; T flattened
        to (input kernels) x (places of the filter, output kernels)."""
        piece = self.pieces[j - 1]
        return by_input(piece) if piece.kind == "convolution" else flat(piece)

    def shape(self, j: int) -> tuple[int, int]:
        """Rows and columns of the matrix representation of layer j."""
        rows = self.matrix(j)
        return len(rows), len(rows[0])

    def blocks_behind(self, j: int) -> int:
        """N_r(j): the number of ResNetFree blocks between j and Fin, exclusively."""
        return sum(piece.kind == "block" for piece in self.pieces[j:-1])

    def factor(self, k: int) -> int:
        """min(a_k, b_k) of a convolution, 1 of another layer (for which none is given)."""
        piece = self.pieces[k - 1]
        if piece.kind != "convolution":
            return 1
        return min(piece.channels[0], len(piece.matrices["T"][0]) // piece.channels[0])

    def V_c(self, j: int) -> int:  # noqa: N802 - the paper's letter
        """The printed constant: max dim W^[M+1] times min(a_k, b_k) over j < k <= M, if j <= M."""
        if j > self.M:
            return 1
        value = max(self.shape(self.M + 1))
        for k in range(j + 1, self.M + 1):
            value *= self.factor(k)
        return value

    def V_c_repaired(self, j: int) -> int:  # noqa: N802 - the paper's letter
        """The same with K for M, and the factor of layer j itself: max dim W^[K+1] times
        min(a_k, b_k) over j <= k <= K, if j <= K."""
        if j > self.K:
            return 1
        value = max(self.shape(self.K + 1))
        for k in range(j, self.K + 1):
            value *= self.factor(k)
        return value

    def aligned_layers(self) -> list[int]:
        """The dense layers j with N_r(j) = 0 and V_c(j) = 1 by the printed formula."""
        return [
            j
            for j in self.layers
            if self.pieces[j - 1].kind == "dense"
            and self.blocks_behind(j) == 0
            and self.V_c(j) == 1
        ]


def by_input(piece: Piece) -> Matrix:
    """The tensor of a convolution as a x (b x c)."""
    rows = leaving(piece)
    return [[row[k] for row in rows] for k in range(piece.channels[0])]


def tail_of(case: Case) -> Tail:
    """The layers behind eta on a case.

    Raises Mismatch where they are not K linear convolutions, then M linear ResNetFree blocks or
    dense layers, then one linear dense layer with the network's output, each reading the layer
    before alone.
    """
    net = case.network
    pieces = tuple(chosen_pieces(case))
    if not pieces or pieces[-1].kind != "dense" or pieces[-1].heads != net.outputs:
        raise Mismatch("the last layer is no dense layer onto the output")
    ranks = [ORDER[piece.kind] for piece in pieces]
    if ranks != sorted(ranks) or any(p.kind == "block" and p.variant != "free" for p in pieces):
        raise Mismatch("the layers are not convolutions, then ResNetFree blocks or dense layers")
    for one, two in pairwise(pieces):
        reads = {*two.inner, *two.heads}
        if one.heads != two.tails or any(
            net.heads[e] not in reads for v in one.heads for e in net.out_edges[v]
        ):
            raise Mismatch("a layer is read by another than the next one")
    heads = {v for piece in pieces for v in (*piece.inner, *piece.heads)}
    if any(net.activations[v].kind != "linear" for v in heads):
        raise Mismatch("a layer behind eta is not linear")
    own = {e for p in pieces if p.kind != "convolution" for e in p.edges}
    if any(not net.own_parameter(e) for e in own):
        raise Mismatch("a weight behind eta is not learnable, or shared outside of a convolution")
    return Tail(pieces)
