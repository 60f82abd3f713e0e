"""The measures of the matrices of layered networks: norms, ranks, alignments, with bounds."""

from __future__ import annotations

import numpy as np
import torch

from numerics.layered.layers import Convolution, Dense
from numerics.layered.matrices import representation
from numerics.layered.problem import Problem
from numerics.spectra import (
    Bounded,
    Spectrum,
    alignment,
    distance_to_rank_one,
    effective_rank,
    norm_ratio,
    spectrum,
    stable_rank,
)


def measure(problem: Problem, weights: torch.Tensor) -> dict[str, np.ndarray]:
    """The measures at weights (B, P), each (B,): log_risk (the mean over examples of the sum over
    outputs of the loss), norm (of all weights), and under `name.layer`, with bounds on their errors
    under `name.layer.error`, frobenius (of the matrix of a layer, Le & Jegelka 2022, Definition 8),
    ratio (operator norm over Frobenius norm), stable_rank, effective_rank (exponential of the
    entropy of the singular values divided by their sum), to_rank_one (Frobenius norm of
    W / ||W||_F - u v^T, u and v the principal singular vectors) and alignment (|<v, u>|, v of a
    fully connected layer and u of the one below, or of the block; not a number where a largest
    singular value is not certified to be simple).
    """
    found: dict[str, torch.Tensor] = {
        "log_risk": problem.log_risk(weights),
        "norm": torch.linalg.vector_norm(weights, dim=1),
    }

    def add(name: str, bounded: Bounded) -> None:
        found[name], found[f"{name}.error"] = bounded.value, bounded.error

    below: Spectrum | None = None
    for layer in range(1, len(problem.network.layers) + 1):
        here = spectrum(representation(problem.network, weights, layer))
        found[f"frobenius.{layer}"] = here.frobenius
        add(f"ratio.{layer}", norm_ratio(here))
        add(f"stable_rank.{layer}", stable_rank(here))
        add(f"effective_rank.{layer}", effective_rank(here))
        add(f"to_rank_one.{layer}", distance_to_rank_one(here))
        kind = problem.network.layers[layer - 1]
        if below is not None and isinstance(kind, Dense):
            add(f"alignment.{layer - 1}", alignment(here, below))
        below = None if isinstance(kind, Convolution) else here
    return {name: tensor.cpu().numpy() for name, tensor in found.items()}
