"""What Corollary 8 takes from Theorem 6: how near a pair of its own comes to a layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from graphs.arithmetic import Array
from verify.kinds.deep.scene import DeepScene


def rank_number(scene: DeepScene) -> Array:
    """(C,): k."""
    return scene.numbers(scene.whole("k").tolist())


def selected(scene: DeepScene, options: Sequence[Array], choice: np.ndarray) -> Array:
    """(C,): of several numbers for each case the one that is chosen."""
    together = scene.arithmetic.join(list(options), 0)
    return together[choice * len(scene.cases) + np.arange(len(scene.cases))]


def by_k(scene: DeepScene, function: Callable[[int], Array]) -> Array:
    """(C,): a function of k where k differs from case to case."""
    k = scene.whole("k")
    values, place = np.unique(k, return_inverse=True)
    return selected(scene, [function(int(value)) for value in values], place)


def to_free_pair(scene: DeepScene, layer: int) -> Array:
    """The least |W_l - U V^T|_F^2 over U, V with k orthonormal columns: |W|^2 + k - 2 sum_i s_i."""
    sums = by_k(scene, lambda k: scene.largest_singular_values(scene.weight(layer), k))
    return scene.weight_square(layer) + rank_number(scene) - scene.share(sums, 2)
