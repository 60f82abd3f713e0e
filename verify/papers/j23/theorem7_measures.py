"""What the note after Theorem 16 is measured by.

c_1 = |theta|^2 - k L + gap, with the number gap of a case: the least constant that meets the
hypothesis where this is 0.

"For every p in (0, 1) at most p L of the numbers a_1, ..., a_L exceed B / p" says of the m-th
largest of them that m a_(m) <= L B for every m: where a_(m) > B, the numbers a_(1), ..., a_(m)
exceed B / p for every p above B / a_(m), so m <= L B / a_(m); where a_(m) <= B there is nothing to
show.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cmp_to_key, reduce
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import Array
from verify.cases.real_arrays import RealScene
from verify.cases.scenes import Entries
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.some_entries import kept

Part = tuple[dict[str, Any], Array, Array]


# numbers ------------------------------------------------------------------------------------------
def whole_k(scene: RealScene) -> np.ndarray:
    """(C,) integers: k, 1 where it is below 1 (of such cases nothing is said)."""
    return np.asarray(np.maximum(scene.whole("k"), 1))


def powers(scene: RealScene, values: Array, exponents: Sequence[Fraction]) -> Array:
    """(C,): numbers of at least 0, each to a rational power of its own."""
    if scene.plain_floats:
        each = scene.arithmetic.array(list(exponents)).values
        return scene._floats(values.values**each)
    found = [reals.power(v, e) for v, e in zip(values, exponents, strict=True)]
    return _objects(found)


def _objects(values: Sequence[Any]) -> np.ndarray:
    result = np.empty(len(values), dtype=object)
    result[:] = values
    return result


def total(terms: Sequence[Array]) -> Array:
    """The sum of at least one array."""
    return sum(terms[1:], start=terms[0])


def largest(scene: RealScene, values: Sequence[Array]) -> Array:
    """(C,): of several numbers for each case the largest."""
    return reduce(scene.arithmetic.maximum, values)


def smallest(scene: RealScene, values: Sequence[Array]) -> Array:
    """(C,): of several numbers for each case the smallest."""
    return -largest(scene, [-value for value in values])


def descending(scene: RealScene, values: Sequence[Array]) -> list[Array]:
    """(C,) each: several numbers for each case, the largest first."""
    if scene.plain_floats:
        import torch

        together = torch.stack([value.values for value in values], dim=1)
        ordered = together.sort(dim=1, descending=True).values
        return [scene._floats(ordered[:, k]) for k in range(len(values))]
    rows = [sorted(row, key=cmp_to_key(_downwards)) for row in zip(*values, strict=True)]
    return [_objects([row[k] for row in rows]) for k in range(len(values))]


def _downwards(one: Any, other: Any) -> int:
    return -1 if other < one else int(bool(one < other))


def said(scene: RealScene, entries: Entries) -> Entries:
    """The entries of the cases with k at least 1: of the others nothing is said."""
    return kept(entries, (scene.whole("k") >= 1)[entries.owner])


# the constants ------------------------------------------------------------------------------------
def c1(scene: DeepScene) -> Array:
    """(C,): c_1 = |theta|^2 - k L + gap."""
    offset = scene.numbers(scene.whole("k") * scene.depth)
    return scene.parameter_square - offset + scene["gap"]


def inverse_k(scene: RealScene) -> Array:
    """(C,): 1/k."""
    return scene.numbers([Fraction(1, int(k)) for k in whole_k(scene)])


def growth(scene: DeepScene) -> Array:
    """(C,): max{1, e^(c_1/k)}."""
    exponent = scene.arithmetic.maximum(c1(scene) * inverse_k(scene), scene.constant(0))
    return scene.exp(exponent)


def jacobian_power(scene: DeepScene, square: Array) -> Array:
    """(C,): from |A|_+^2 the number |A|_+^(2/k)."""
    return powers(scene, square, [Fraction(1, int(k)) for k in whole_k(scene)])


def jacobian_square(scene: DeepScene, at: int = 0) -> Array:
    """(C,): |Jf(x)|_+^2."""
    return scene.pseudo_determinant_squared(scene.jacobian(at))


def activation_square(scene: DeepScene, layer: int, at: int = 0) -> Array:
    """(C,): |alpha_l(x)|^2, l from 0 to L - 1."""
    return scene.square(scene.post(layer)[:, at])


def mean_activation_square(scene: DeepScene, layer: int) -> Array:
    """(C,): |alpha_l(X)|_F^2 / N."""
    terms = [activation_square(scene, layer, at) for at in range(scene.count)]
    return scene.share(total(terms), Fraction(1, scene.count))


# "for every p at least (1 - p) L layers" ----------------------------------------------------------
def counted(scene: DeepScene, values: Sequence[Array], bound: Array) -> list[Part]:
    """Entries L B - m a_(m) for the m-th largest of L numbers a_l. bound: (C,): L B."""
    ordered = descending(scene, values)
    return [
        ({"largest": m}, bound, scene.share(value, m)) for m, value in enumerate(ordered, start=1)
    ]
