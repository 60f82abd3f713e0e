"""What tests ask of networks made of arrays, beside their layers."""

from __future__ import annotations

from verify.kinds.deep.networks import Deep, Matrix


def parameter_square(case: Deep):
    """|theta|^2, weights and biases."""
    named = (case.arrays[f"{kind}{layer}"] for layer in range(1, case.depth + 1) for kind in "Wb")
    return sum(entry * entry for array in named for entry in array.entries)


def tangent_kernel(case: Deep, at: int, *, biases: bool) -> Matrix:
    """Theta(x, x) at a point, over all parameters or over the weights alone."""
    passed, total = case.exact, 0
    for layer in range(1, case.depth + 1):
        behind = passed.from_pre(layer, at)
        size = (passed.post(layer - 1)[at] ** 2).sum() + int(biases)
        total = total + behind @ behind.T * size
    return total
