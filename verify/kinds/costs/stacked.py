"""Linear maps on completely positive domains: the explicit networks, with roles exchanged.

With B_l^T B_l = G_l = (1 - l/L) P + (l/L) A^T A, P the projection to Im A^T, W_1 = B_1, W_l = B_l
B_(l-1)^+, W_L = A B_(L-1)^+, the layers have |W_l|_F^2 = Tr G_l G_(l-1)^+ for all l, where G_0 = P
and G_L = A^T A. (The paper's K_p has the roles of P and A^T A the other way round.) In a basis of
eigenvectors of A^T A with eigenvalues t the summands are 1 + (t - 1)/(L g_(l-1)), g_l = 1 +
l (t - 1)/L.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import rational
from verify.kinds.deep.networks import Matrix


def kernel(linear: Matrix, share: Any) -> Matrix:
    """(n, n): (1 - share) P + share A^T A."""
    return np.asarray(reals.image_projection(linear.T) * (1 - share) + linear.T @ linear * share)


def layer_norm(linear: Matrix, layer: int, depth: int) -> Any:
    """|W_l|_F^2 = Tr G_l G_(l-1)^+, rational."""
    here, before = (kernel(linear, rational(k) / depth) for k in (layer, layer - 1))
    return (here * reals.pseudo_inverse(before).T).sum()


def stacked_norm(linear: Matrix, depth: int) -> Any:
    """The norm of the whole network, rational."""
    return sum((layer_norm(linear, layer, depth) for layer in range(1, depth + 1)), rational(0))
