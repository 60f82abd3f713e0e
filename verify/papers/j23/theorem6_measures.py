"""What the statements around Theorem 6 are made of, at the first point x of a network.

Projections of the proof, with Z = J(alpha_l -> f)^T, Z~ = J(alpha~_l -> f)^T:
N_l = P_(Im Z~_l) W_l P_(Im J alpha_(l-1)) and M_l = P_(Im Z_l) D_l P_(Im J alpha~_l).

Carried along, for the repairs: K is the row space of Jf(x), of dimension k, and J alpha_l K its
image; W_l P_(J alpha_(l-1) K) and D_l P_(J alpha~_l K) have rank k and pseudo-determinants whose
product is |Jf(x)|_+.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from graphs.arithmetic import Array
from verify.kinds.deep.scene import DeepScene

Part = Callable[[DeepScene, int], Any]  # of a layer, a matrix of each case


# numbers of a case that are integers --------------------------------------------------------------
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


def ranks(scene: DeepScene, matrices: Array) -> Array:
    """(C,): their ranks as numbers."""
    return scene.numbers(scene.rank_of(matrices).tolist())


def total(terms: Sequence[Array]) -> Array:
    """The sum of at least one array."""
    return sum(terms[1:], start=terms[0])


# the bound ----------------------------------------------------------------------------------------
def log_jacobian(scene: DeepScene) -> Array:
    """(C,): 2 log |Jf(x)|_+."""
    return scene.log_pseudo_determinant(scene.jacobian()) * scene.constant(2)


def excess(scene: DeepScene) -> Array:
    """(C,): |theta|^2 - k L."""
    return scene.parameter_square - scene.share(rank_number(scene), scene.depth)


def budget(scene: DeepScene) -> Array:
    """(C,): c_1 - 2 log |Jf(x)|_+, with c_1 = |theta|^2 - k L + gap."""
    return excess(scene) + scene["gap"] - log_jacobian(scene)


# the matrices of the proof ------------------------------------------------------------------------
def image(scene: DeepScene, matrices: Array) -> Array:
    """P_(Im M)."""
    return scene.projection(matrices)


def coimage(scene: DeepScene, matrices: Array) -> Array:
    """P_(Im M^T)."""
    return scene.projection(scene.transpose(matrices))


def remembered(part: Part) -> Part:
    """The same function of a scene and a layer, computed once for each."""

    @wraps(part)
    def found(scene: DeepScene, layer: int) -> Array:
        memory = vars(scene).setdefault("of Theorem 6", {})
        key = (part.__name__, layer)
        if key not in memory:
            memory[key] = part(scene, layer)
        return memory[key]

    return found


@remembered
def inner_part(scene: DeepScene, layer: int) -> Array:
    """N_l = P_(Im J(alpha~_l -> f)^T) W_l P_(Im J alpha_(l-1)), l from 1 to L."""
    left = coimage(scene, scene.from_pre(layer))
    right = image(scene, scene.to_post(layer - 1))
    return left @ scene.weight(layer) @ right


@remembered
def slope_part(scene: DeepScene, layer: int) -> Array:
    """M_l = P_(Im J(alpha_l -> f)^T) D_l P_(Im J alpha~_l), l from 1 to L."""
    left = coimage(scene, scene.from_post(layer))
    right = image(scene, scene.to_pre(layer))
    return scene.columns_scaled(left, scene.slopes(layer)[:, 0]) @ right


@remembered
def carried_before(scene: DeepScene, layer: int) -> Array:
    """The projection to J alpha~_l K, K the row space of Jf(x), l from 1 to L."""
    return image(scene, scene.to_pre(layer) @ coimage(scene, scene.jacobian()))


@remembered
def carried(scene: DeepScene, layer: int) -> Array:
    """The projection to J alpha_l K, l from 0 to L."""
    return image(scene, scene.to_post(layer) @ coimage(scene, scene.jacobian()))


def inner_part_carried(scene: DeepScene, layer: int) -> Array:
    """W_l P_(J alpha_(l-1) K)."""
    return scene.weight(layer) @ carried(scene, layer - 1)


def slope_part_carried(scene: DeepScene, layer: int) -> Array:
    """D_l P_(J alpha~_l K)."""
    return scene.rows_scaled(carried_before(scene, layer), scene.slopes(layer)[:, 0])


def missing(scene: DeepScene, layer: int, part: Part = slope_part) -> Array:
    """(C,): k - |M_l|_F^2."""
    return rank_number(scene) - scene.frobenius_squared(part(scene, layer))


# distances to products of semi-orthonormal matrices -----------------------------------------------
def layers(scene: DeepScene) -> range:
    """1 to L."""
    return range(1, scene.depth + 1)


def to_svd(scene: DeepScene, layer: int, part: Part) -> Array:
    """|W_l - U V^T|_F^2 for the thin SVD U S V^T of the part N of W_l.

    U V^T is 1 on the rows of N and lies in its image, so the trace of W_l^T U V^T is |N|_*: this
    is |W_l|^2 + Rank N - 2 |N|_*.
    """
    matrices = part(scene, layer)
    near = scene.share(scene.nuclear_norm(matrices), 2)
    return scene.weight_square(layer) + ranks(scene, matrices) - near


def to_free_pair(scene: DeepScene, layer: int) -> Array:
    """The least |W_l - U V^T|_F^2 over U, V with k orthonormal columns: |W|^2 + k - 2 sum_i s_i."""
    sums = by_k(scene, lambda k: scene.largest_singular_values(scene.weight(layer), k))
    return scene.weight_square(layer) + rank_number(scene) - scene.share(sums, 2)


def to_carried_family(scene: DeepScene, layer: int) -> Array:
    """|W_l - V_l V_(l-1)^T|_F^2 for V_l that span J alpha_l K, each turned so that it fits the one
    before: |W|^2 + k - 2 |P_l W_l P_(l-1)|_*."""
    between = carried(scene, layer) @ scene.weight(layer) @ carried(scene, layer - 1)
    near = scene.share(scene.nuclear_norm(between), 2)
    return scene.weight_square(layer) + rank_number(scene) - near


def has_k_columns(scene: DeepScene) -> np.ndarray:
    """(C,) boolean: no width is below k, so that there are k orthonormal columns everywhere."""
    narrowest = min(scene.width(layer) for layer in range(scene.depth + 1))
    return np.asarray(scene.whole("k") <= narrowest)
