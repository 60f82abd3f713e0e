"""Tangent kernels: Gram matrices, traces, operator norms, and the mixed derivative at a point.

Theta(x, y) = sum_l (<a_(l-1)(x), a_(l-1)(y)> + 1) B_l(x) B_l(y)^T with B_l the Jacobian of the
outputs in the pre-activations of layer l; the 1 is the share of the biases (Jacot, Gabriel and
Hongler 2018; written out in the first display of the proof of Theorem 16 of Jacot 2023, without
biases).
"""

from __future__ import annotations

import torch
from torch import Tensor

from numerics.balls import Ball
from numerics.deep.networks import DeepNetworks
from numerics.deep.passes import Layers, layers, lower_jacobians, upper_jacobians, with_slopes
from numerics.eigenvalues import largest_eigenvalues


def gram_matrices(networks: DeepNetworks, points: Tensor, *, biases: bool = True) -> Tensor:
    """(C, N d, N d), d = n_L: the kernel on points (C, N, n_0) or (N, n_0); row i d + k is output k
    at point i. biases: whether parameters include them."""
    found = layers(networks, points)
    above = with_slopes(upper_jacobians(networks, found), found)
    count, number, outputs = found.outputs.shape
    gram = found.outputs.new_zeros(count, number * outputs, number * outputs)
    for activation, jacobian in zip(found.activations, above, strict=True):
        inner = activation @ activation.mT + (1.0 if biases else 0.0)
        flat = jacobian.flatten(1, 2)  # (C, N d, n_l)
        spread = inner.repeat_interleave(outputs, dim=1).repeat_interleave(outputs, dim=2)
        gram += spread * (flat @ flat.mT)
    return gram


def layer_traces(found: Layers, above: list[Tensor], *, biases: bool = True) -> Tensor:
    """(C, N, L): Tr Theta(x_i, x_i) layer by layer, (|a_(l-1)|^2 + 1) |B_l|_F^2."""
    parts = [
        (activation.square().sum(dim=2) + (1.0 if biases else 0.0))
        * jacobian.square().sum(dim=(2, 3))
        for activation, jacobian in zip(found.activations, above, strict=True)
    ]
    return torch.stack(parts, dim=2)


def traces(networks: DeepNetworks, points: Tensor, *, biases: bool = True) -> Tensor:
    """(C, N): Tr Theta(x_i, x_i); their sum over i is the trace of the Gram matrix."""
    found = layers(networks, points)
    above = with_slopes(upper_jacobians(networks, found), found)
    return layer_traces(found, above, biases=biases).sum(dim=2)


def operator_norms(gram: Tensor) -> Ball:
    """(C,) balls: the operator norms of Gram matrices, by a bound on the residual of the
    decomposition (numerics.eigenvalues)."""
    symmetric = (gram + gram.mT) / 2
    return largest_eigenvalues(Ball(symmetric, torch.zeros_like(symmetric)))


def mixed_derivatives(networks: DeepNetworks, points: Tensor) -> Tensor:
    """(C, N, n_0 n_L, n_0 n_L): the matrix [(i, a), (j, b)] of the derivatives in x_i and y_j of
    Theta_ab(x, y) at y = x, row i n_L + a: sum_l (J a_(l-1)^T J a_(l-1)) (x) (B_l B_l^T).

    Within a linear region; biases have no share in it.
    """
    found = layers(networks, points)
    return mixed_from(networks, found, lower_jacobians(networks, found), None)


def mixed_from(
    networks: DeepNetworks, found: Layers, lower: list[Tensor], above: list[Tensor] | None
) -> Tensor:
    """The same from passes that are there already: the Jacobians of the pre-activations of layers 1
    to L, and those of the outputs in them."""
    if above is None:
        above = with_slopes(upper_jacobians(networks, found), found)
    count, number, outputs = found.outputs.shape
    inputs = networks.widths[0]
    one = torch.eye(inputs, dtype=torch.float64, device=networks.device)
    left = [one.expand(count, number, -1, -1)]
    for slope, jacobian in zip(found.slopes, lower, strict=False):
        scaled = slope[..., None] * jacobian
        left.append(scaled.mT @ scaled)
    grams = torch.stack(left, dim=2)  # (C, N, L, n_0, n_0)
    right = torch.stack([jacobian @ jacobian.mT for jacobian in above], dim=2)
    joined = torch.einsum("cnlij,cnlab->cniajb", grams, right)
    return joined.reshape(count, number, inputs * outputs, inputs * outputs)
