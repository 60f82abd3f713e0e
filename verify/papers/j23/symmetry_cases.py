"""Section 5: gradient descent on |v v^T - (w w^T + E)|^2, its instances and what they are made of.

An instance: w, v (d,), E (d, d), a rotation Q (d, d), the step eta, the number of steps T.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs.arithmetic import RATIONALS, Array, as_fraction
from verify.deep_scene import RealScene, RealTensors, as_real
from verify.hypotheses import Hypothesis, by_scene, random_rational
from verify.tensor_pool import TensorPool

ARRAYS = (("w", ("d",)), ("v", ("d",)), ("E", ("d", "d")), ("Q", ("d", "d")), ("eta", ()))


def small_step(case: Any, random: Random) -> RealTensors:
    """The step between 0 and 1."""
    found = as_real(case, random)
    eta = found.arrays["eta"]
    size = abs(eta.entries[0])
    step = size if 0 < size <= 1 else Fraction(1, random.choice((4, 10, 100)))
    return found.changing(eta=replace(eta, entries=(step,)))


POOL = TensorPool(ARRAYS, largest=4, adapt=small_step)
STEPS = replace(POOL, arrays=(*ARRAYS[:3], ARRAYS[4]), integers=(("T", 1, 3),), largest=3)


# hypotheses ---------------------------------------------------------------------------------------
def vector(case: RealTensors, name: str) -> np.ndarray:
    """An array of an instance over the rationals."""
    array = case.arrays[name]
    entries: np.ndarray = RATIONALS.array(list(array.entries)).reshape(array.shape)
    return entries


def with_entries(case: RealTensors, name: str, entries: Any) -> RealTensors:
    """The same with other entries of an array."""
    flat = tuple(as_fraction(entry) for entry in np.asarray(entries, dtype=object).reshape(-1))
    return case.changing(**{name: replace(case.arrays[name], entries=flat)})


def is_zero(scene: RealScene, values: Array) -> np.ndarray:
    """(C,) boolean: whether all numbers of a case are (or may be) 0."""
    return np.asarray(scene.arithmetic.may_be_zero(values).reshape(len(scene.cases), -1).all(1))


def _unit(case: RealTensors, random: Random) -> RealTensors:
    """w becomes the point of the sphere that its last entries name in stereographic projection."""
    if sum(entry * entry for entry in case.arrays["w"].entries) == 1:
        return case
    rest = case.arrays["w"].entries[1:]
    square = sum((entry * entry for entry in rest), Fraction(0))
    first = (1 - square) / (1 + square)
    return with_entries(case, "w", [first, *(2 * entry / (1 + square) for entry in rest)])


UNIT = Hypothesis(
    "unit vector",
    r"$\lVert w\rVert=1$",
    by_scene(lambda scene: is_zero(scene, dot(scene, "w", "w") - scene.constant(1))),
    _unit,
    lambda case, random: with_entries(
        case, "w", vector(case, "w") * RATIONALS.array([random.choice((2, 3))])
    ),
)


def _noise(case: RealTensors, random: Random) -> RealTensors:
    size = len(case.arrays["E"].entries)
    return with_entries(case, "E", [random_rational(random) for _ in range(size)])


NOISELESS = Hypothesis(
    "no noise",
    r"$E=0$",
    by_scene(lambda scene: is_zero(scene, scene["E"])),
    lambda case, random: with_entries(case, "E", [0] * len(case.arrays["E"].entries)),
    _noise,
)


def _a_step(scene: RealScene) -> np.ndarray:
    eta = scene["eta"]
    below, zero = scene.arithmetic.is_negative, scene.arithmetic.may_be_zero
    return np.asarray(~(below(eta) | zero(eta) | below(scene.constant(1) - eta)))


STEP = Hypothesis(
    "a step of descent",
    r"$0<\eta\le1$",
    by_scene(_a_step),
    lambda case, random: small_step(case, random),
)


def _about_w(case: RealTensors, random: Random) -> RealTensors:
    """Q becomes a product of two reflections that fix w."""
    return with_entries(case, "Q", _reflections(case, random, fixing=True))


def _reflections(case: RealTensors, random: Random, *, fixing: bool) -> np.ndarray:
    size = case.lengths["d"]
    one: np.ndarray = RATIONALS.array([[int(i == j) for j in range(size)] for i in range(size)])
    w, product = vector(case, "w"), one
    for _ in range(2):
        u = RATIONALS.array([random_rational(random) for _ in range(size)])
        if fixing and (w @ w) != 0:
            u = u - w * ((u @ w) / (w @ w))
        if (u @ u) != 0:
            product = product @ (one - np.outer(u, u) * (2 / (u @ u)))
    return np.asarray(product)


def _fixes(scene: RealScene) -> np.ndarray:
    turn = scene["Q"]
    moved = applied(scene, turn, scene["w"]) - scene["w"]
    return np.asarray(_orthogonal(scene) & is_zero(scene, moved))


def _orthogonal(scene: RealScene) -> np.ndarray:
    gram = scene.gram(scene["Q"])
    size = scene.lengths["d"]
    one = [int(i == j) for _ in scene.cases for i in range(size) for j in range(size)]
    return is_zero(scene, gram - scene.arithmetic.array(one).reshape(*gram.shape))


ROTATION = Hypothesis(
    "rotation about w",
    r"$Q^\top Q=I$ and $Qw=w$",
    by_scene(_fixes),
    lambda case, random: case if _fixes(_scene(case))[0] else _about_w(case, random),
    lambda case, random: with_entries(case, "Q", _reflections(case, random, fixing=False)),
)


def _scene(case: RealTensors) -> RealScene:
    return RealTensors.scene([case], RATIONALS)


# vectors ------------------------------------------------------------------------------------------
def dot(scene: RealScene, one: str | Array, other: str | Array) -> Array:
    """(C,): the product of two vectors (C, d), by name or as arrays."""
    first = scene[one] if isinstance(one, str) else one
    second = scene[other] if isinstance(other, str) else other
    return (first * second).sum(1)


def times(scene: RealScene, factor: Array, values: Array) -> Array:
    """Vectors (C, d) times numbers (C,)."""
    return values * factor.reshape(len(scene.cases), 1)


def applied(scene: RealScene, matrices: Array, values: Array) -> Array:
    """(C, d): M v."""
    return (matrices @ values.reshape(*values.shape, 1)).reshape(*values.shape)


def outer(scene: RealScene, values: Array) -> Array:
    """(C, d, d): v v^T."""
    column = values.reshape(*values.shape, 1)
    return column @ scene.transpose(column)


def difference(scene: RealScene, v: Array) -> Array:
    """(C, d, d): v v^T - (w w^T + E)."""
    return outer(scene, v) - outer(scene, scene["w"]) - scene["E"]


def cost(scene: RealScene, v: Array) -> Array:
    """(C,): C(v)."""
    return scene.frobenius_squared(difference(scene, v))


def gradient(scene: RealScene, v: Array) -> Array:
    """(C, d): the gradient of C, 2 (M + M^T) v with M = v v^T - w w^T - E."""
    matrix = difference(scene, v)
    return applied(scene, matrix + scene.transpose(matrix), v) * scene.arithmetic.array([2])


def scaled(scene: RealScene, factor: Array, matrices: Array) -> Array:
    """Matrices (C, d, d) times numbers (C,)."""
    return matrices * factor.reshape(len(scene.cases), 1, 1)


def hessian(scene: RealScene, v: Array) -> Array:
    """(C, d, d): the Jacobian of the gradient, 2 (M + M^T) + 4 (|v|^2 + v v^T)."""
    size = scene.lengths["d"]
    matrix = difference(scene, v)
    one = [int(i == j) for _ in scene.cases for i in range(size) for j in range(size)]
    identity = scene.arithmetic.array(one).reshape(len(scene.cases), size, size)
    curved = scaled(scene, dot(scene, v, v), identity) + outer(scene, v)
    both = matrix + scene.transpose(matrix)
    return scaled(scene, scene.constant(2), both) + scaled(scene, scene.constant(4), curved)


def stepped(scene: RealScene, v: Array) -> Array:
    """(C, d): v after one step of gradient descent."""
    return v - times(scene, scene["eta"], gradient(scene, v))


def statistics(scene: RealScene, v: Array) -> tuple[Array, Array]:
    """(C,) each: (w^T v)^2 and |(I - w w^T) v|^2."""
    along = dot(scene, "w", v)
    rest = v - times(scene, along, scene["w"])
    return along * along, dot(scene, rest, rest)
