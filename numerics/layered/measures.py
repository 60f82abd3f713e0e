"""The measures of the matrices of layered networks: norms, ranks, alignments."""

from __future__ import annotations

import numpy as np
import torch

from numerics.layered.layers import Convolution
from numerics.layered.network import LayeredNetwork
from numerics.layered.problem import Problem


def representation(net: LayeredNetwork, weights: torch.Tensor, layer: int) -> torch.Tensor:
    """The matrix of a layer (numbered from 1), with the instances in front (Le & Jegelka 2022,
    Definition 8): W itself; of a convolution (channels in, places * channels out)."""
    found = net.views(weights)[net.names[layer - 1][0]]
    if isinstance(net.layers[layer - 1], Convolution):
        return found.flatten(3).permute(0, 2, 3, 1).flatten(2)
    return found


def measure(problem: Problem, weights: torch.Tensor) -> dict[str, np.ndarray]:
    """The measures at weights (B, P): log_risk (the mean over examples of the sum over outputs of
    the loss) and norm (of all weights), each (B,); and of the matrices of Definition 8, (B, layers)
    each, ratio (operator norm over Frobenius norm), stable_rank (its inverse squared), to_rank_one
    (Frobenius norm of W / ||W||_F - u v^T, u and v the principal singular vectors); alignment,
    (B, pairs): |<v, u>|, v of a fully connected layer and u of the one below, if that is one too;
    not a number where rounding does not tell a largest singular value from the next one, as then
    its vectors are any of a plane.
    """
    net = problem.network
    found: dict[str, list[torch.Tensor]] = {
        name: [] for name in ("ratio", "stable_rank", "to_rank_one", "alignment")
    }
    below: torch.Tensor | None = None
    for number, layer in enumerate(net.layers, 1):
        u, s, vh = torch.linalg.svd(representation(net, weights, number), full_matrices=False)
        shares = s / torch.linalg.vector_norm(s, dim=1, keepdim=True)
        ratio, rest = shares[:, 0], shares[:, 1:].square().sum(dim=1)
        found["ratio"].append(ratio)
        found["stable_rank"].append(ratio**-2)
        found["to_rank_one"].append((2 * rest / (1 + ratio)).sqrt())  # no cancellation
        if isinstance(layer, Convolution):
            continue  # its channels are no neurons
        simple = _simple(s, max(u.shape[1], vh.shape[2]))[:, None]
        left, right = (torch.where(simple, one, torch.nan) for one in (u[:, :, 0], vh[:, 0]))
        if below is not None:
            found["alignment"].append((right * below).sum(dim=1).abs())
        below = left
    empty = weights.new_zeros(len(weights), 0)
    tables = {name: torch.stack(cs, dim=1) if cs else empty for name, cs in found.items()}
    tables["log_risk"] = problem.log_risk(weights)
    tables["norm"] = torch.linalg.vector_norm(weights, dim=1)
    return {name: table.cpu().numpy() for name, table in tables.items()}


def _simple(values: torch.Tensor, size: int) -> torch.Tensor:
    """(B,): whether the first of the singular values (B, k), in descending order, of matrices of so
    many rows or columns lies apart from the second by more than both are in error: each by at most
    some size * eps times the first (backward stability, and Weyl's inequality)."""
    if values.shape[1] < 2:
        return torch.ones(len(values), dtype=torch.bool, device=values.device)
    error = size * torch.finfo(values.dtype).eps * values[:, 0]
    return values[:, 0] - values[:, 1] > 2 * error
