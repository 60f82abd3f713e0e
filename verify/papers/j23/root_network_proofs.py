"""Exact arguments for the network of powers, layer by layer."""

from __future__ import annotations

from verify.core.argument import Argument, Step
from verify.statements.derivations.symbol_matrices import EVERY_SHAPE, SymbolScene

FRAMES, VALUES = "orthonormal columns", "singular values above 0"
ORTHONORMAL = "U^T U = I: the sum of products of two columns is 1 or 0"
LAYERS = "induction: what holds of the first layer, and of each with the one before it, holds"


def _frames() -> list[tuple[str, SymbolScene]]:
    axes = {"U": ("m", "k"), "W": ("m", "k"), "t": ("k", "one"), "s": ("k", "one")}
    axes |= {"y": ("k", "one")}
    return [
        (f"k = {k}, n_l = {m}", SymbolScene(axes, {"m": m, "k": k, "one": 1}))
        for k, m in ((1, 1), (1, 2), (2, 2), (2, 3))
    ]


def powers_represent() -> Argument:
    """W_l takes U_(l-1) y to U_l S^{1/L} (U^T U) y."""
    steps = []
    for words, s in _frames():
        image = (s["W"] * s.transpose(s["t"])) @ s.transpose(s["U"]) @ (s["U"] @ s["y"])
        told = s["W"] @ (s["t"] * (s.gram(s["U"]) @ s["y"]))
        text = f"(U_l T U_(l-1)^T) (U_(l-1) y) = U_l T (U_(l-1)^T U_(l-1)) y, {words}"
        steps.append(Step(text, s.equal(image, told)))
    return Argument(
        "so alpha~_l = U_l S^{l/L} V^T x as long as the activations before it are positive, where "
        "sigma_a changes nothing; of layer L this is A x",
        tuple(steps),
        (ORTHONORMAL, LAYERS, EVERY_SHAPE),
        (FRAMES, "positive representations"),
        section="docs/mathematics/j23.md#the-network-of-powers",
    )


def norm_of_powers() -> Argument:
    """|U T V^T|_F^2 = Tr T (V^T V) T (U^T U)."""
    steps = []
    for words, s in _frames():
        layer = (s["W"] * s.transpose(s["t"])) @ s.transpose(s["U"])
        square = (layer * layer).sum()
        inner = s.gram(s["U"]) * s["t"] * s.transpose(s["t"])
        told = (inner * s.gram(s["W"])).sum()
        text = f"|W T U^T|_F^2 = sum of t_i t_j (U^T U)_ij (W^T W)_ij, {words}"
        steps.append(Step(text, s.ring.is_zero(square - told)))
    return Argument(
        "with orthonormal columns every layer has the norm sum t_i^2 = Tr S^{2/L}, and A = U S V^T "
        "has the singular values t_i^L",
        tuple(steps),
        (ORTHONORMAL, EVERY_SHAPE, "U S V^T with orthonormal columns: S are its singular values"),
        (FRAMES, VALUES),
        section="docs/mathematics/j23.md#the-network-of-powers",
    )
