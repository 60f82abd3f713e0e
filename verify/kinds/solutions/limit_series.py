"""What is recorded along computed flows for claims about the limit: gaps that must stay bounded.

Each series has for every layer (or pair, or block) a gap and the squared norm that grows. Where the
claim holds the gap is bounded, so that gap / norm falls like the norm's inverse; where it fails on
a ray the gap is a constant times the norm.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from verify.cases.case import Case
from verify.cases.layer_pieces import chosen_pieces, flat, leaving
from verify.kinds.solutions.tails import Tail, tail_of

Gap = tuple[str, float, float]  # the name, the gap, the squared norm
Reader = Callable[[Case, np.ndarray, Sequence[str]], list[Gap]]


def _numbers(rows: list[list[int | None]], weights: np.ndarray) -> np.ndarray:
    return np.array([[0.0 if e is None else weights[e] for e in row] for row in rows])


def _squares(matrix: np.ndarray) -> tuple[float, float]:
    """The squared spectral and Frobenius norms."""
    values = np.linalg.svd(matrix, compute_uv=False) ** 2
    return float(values[0]), float(values.sum())


def excess(case: Case, edges: np.ndarray, options: Sequence[str]) -> list[Gap]:
    """||W||_F^2 / (8^N_r V_c) - ||W||_2^2 for every layer behind eta that has more rows and columns
    than that constant says."""
    tail = tail_of(case)
    found = []
    for j in tail.layers:
        factor = tail.V_c_repaired(j) if "repaired" in options else tail.V_c(j)
        if 8 ** tail.blocks_behind(j) * factor >= min(tail.shape(j)):
            continue  # as much as its rank says
        norm, frobenius = _squares(_numbers(tail.matrix(j), edges))
        gap = frobenius / (8 ** tail.blocks_behind(j) * factor) - norm
        found.append((f"layer {j}", gap, frobenius))
    return found


def last_layers(case: Case, edges: np.ndarray, options: Sequence[str]) -> list[Gap]:
    """(15) for the dense layers j with N_r(j) = 0 and V_c(j) = 1."""
    tail = tail_of(case)
    return _limits(tail, tail.aligned_layers(), edges)


def linear_layers(case: Case, edges: np.ndarray, options: Sequence[str]) -> list[Gap]:
    """(15) for the linear layers at the end."""
    pieces = tuple(chosen_pieces(case))
    kinds = [
        all(case.network.activations[v].kind == "linear" for v in piece.heads) for piece in pieces
    ]
    first = max((k for k, linear in enumerate(kinds) if not linear), default=-1) + 1
    return _limits(Tail(pieces), list(range(first + 1, len(pieces) + 1)), edges)


def _limits(tail: Tail, layers: list[int], edges: np.ndarray) -> list[Gap]:
    """||W||_F^2 - ||W||_2^2 of each layer that is no vector; (1 - <v, u>^2) ||W||_F^2 of adjacent
    ones with more than one neuron between them."""
    found = []
    for j in layers:
        matrix = _numbers(tail.matrix(j), edges)
        u, s, _ = np.linalg.svd(matrix)
        frobenius = float((s**2).sum())
        if min(matrix.shape) > 1:
            found.append((f"layer {j}", frobenius - float(s[0] ** 2), frobenius))
        if j < len(tail.pieces) and len(matrix) > 1:
            _, _, vt = np.linalg.svd(_numbers(tail.matrix(j + 1), edges))
            angle = 1 - float(vt[0] @ u[:, 0]) ** 2
            found.append((f"layers {j}, {j + 1}", angle * frobenius, frobenius))
    return found


def blocks(case: Case, edges: np.ndarray, options: Sequence[str]) -> list[Gap]:
    """||[U Z]||_2^2 / 8 - ||Y over Z||_2^2 for every block."""
    found = []
    for number, piece in enumerate(chosen_pieces(case)):
        if piece.kind == "block":
            large, _ = _squares(_numbers(flat(piece), edges))
            small, _ = _squares(_numbers(leaving(piece), edges))
            found.append((f"block {number}", large / 8 - small, large))
    return found


def norm(case: Case, edges: np.ndarray, options: Sequence[str]) -> list[Gap]:
    """The squared norm of the weights, with no gap: it has to grow."""
    return [("weights", 0.0, float(edges @ edges))]


SERIES: dict[str, Reader] = {
    "excess": excess,
    "shortfall": excess,
    "last layers": last_layers,
    "linear layers": linear_layers,
    "blocks": blocks,
    "norm": norm,
}


def series(
    what: str, case: Case, weights: np.ndarray, options: Sequence[str]
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """By name the gaps (T,) and squared norms (T,), from weights (T, P)."""
    parameters = np.array(case.network.parameter_of)
    gaps: dict[str, list[tuple[float, float]]] = {}
    for row in weights:
        for name, gap, square in SERIES[what](case, row[parameters], options):
            gaps.setdefault(name, []).append((gap, square))
    made: dict[str, Any] = {name: np.array(pairs) for name, pairs in gaps.items()}
    return {name: (pairs[:, 0], pairs[:, 1]) for name, pairs in made.items()}
