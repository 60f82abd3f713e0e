"""Spectra: numbers lambda of an instance, `lam` (d,), and when all that are not 0 are equal."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import Array
from verify.hypotheses import Hypothesis, by_scene
from verify.normalised_hypotheses import held, vanishing
from verify.normalised_pool import chain_pool
from verify.normalised_scene import Chained, ChainScene
from verify.quantities import with_entries
from verify.vocabulary import Entries

SPECTRA = chain_pool("lam", largest=6)


def total_of_powers(scene: ChainScene, power: int) -> Array:
    """(C,): sum_i lambda_i^power."""
    lam = scene["lam"]
    product = lam
    for _ in range(power - 1):
        product = product * lam
    return product.sum(1)


def flatness(scene: ChainScene) -> Entries:
    """lambda_i (lambda_i sum l - sum l^2) for each i: all 0 where those not 0 are equal."""
    lam, first, second = scene["lam"], total_of_powers(scene, 1), total_of_powers(scene, 2)
    return scene.parts(
        [
            ({"coordinate": i}, lam[:, i] * lam[:, i] * first, lam[:, i] * second)
            for i in range(scene.width)
        ]
    )


def _equality(scene: ChainScene) -> np.ndarray:
    """(86) times d, with absolute values: |l|_1 = d, and d |l|_3^3 = |l|_2^4."""
    size = abs(scene["lam"])
    first, third = size.sum(1), (size * size * size).sum(1)
    second = total_of_powers(scene, 2)
    same = vanishing(scene, scene.share(third, scene.width) - second * second)
    return np.asarray(same & vanishing(scene, first - scene.constant(scene.width)))


def _flat(case: Chained, random: Random) -> Chained:
    """All numbers that are not 0 of one size, which (86) asks for."""
    signs = [(x > 0) - (x < 0) for x in case.arrays["lam"].entries]
    if not any(signs):
        signs = [1] * len(signs)
    size = Fraction(len(signs), sum(map(abs, signs)))
    return held(with_entries(case, "lam", [size * sign for sign in signs]), "lam")


EQUALITY = Hypothesis(
    "equality in (86)",
    r"$\lVert\lambda\rVert_3^3=\lVert\lambda\rVert_2^4/d=\lVert\lambda\rVert_2^4/"
    r"\lVert\lambda\rVert_1$",
    by_scene(_equality),
    _flat,
    lambda case, random: with_entries(
        case,
        "lam",
        [
            abs(x) + (random.randint(1, 3) if k == 0 else 0)
            for k, x in enumerate(case.arrays["lam"].entries)
        ],
    ),
    thin=True,
)
