"""Twins of what is called false of fully connected networks, from the print: the proof of
Proposition 12. Matrices are made as for Theorem 6, along the edges."""

from __future__ import annotations

from lemmata import Matrix, beside, rank
from tests.verify.twins.bottleneck_weights import L, alpha, weight

T = Matrix("T", "n0", "t")

# A = W_L^+ P, on the tangent space: what solves W^T W G = W^T T in the row space of W
W, G = weight(L), alpha(L - 1) @ T
INVERTED = (W.T @ W @ G == W.T @ T) & (rank(beside(W.T, G)) == rank(W))

TWINS = {"j23.prop5.bound.b": INVERTED}
