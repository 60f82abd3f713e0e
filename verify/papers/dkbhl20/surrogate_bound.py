"""Theorem 14, the first inequality of (58) and its steps (59) and (60), on laws of finite support.

In (58) an average over layers is an expectation over a law of finite support. The hypotheses are
those of `frobenius_bound`.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

from graphs.arithmetic import Array, rational
from graphs.matrices import characteristic_polynomial
from verify.claim import Claim, Kind
from verify.normalised_hypotheses import number_between
from verify.normalised_pool import LEVELS, with_entries
from verify.normalised_scene import Chained, ChainScene
from verify.papers.dkbhl20.frobenius_bound import BOUNDED, CARRIED, SMALL, terms
from verify.papers.dkbhl20.frobenius_proofs import (
    inverse_is_convex,
    layers_have_soft_rank,
    surrogate_is_bounded,
)
from verify.papers.dkbhl20.matrix_laws import LAW, LAWS, UNIT_ON_SUPPORT, expectation, support
from verify.papers.dkbhl20.sources import printed
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries

LEVEL = number_between("tau", 0, 1, r"$0\le\tau\le1$")


# measures -----------------------------------------------------------------------------------------
def eigenvalues_at_least(matrix: np.ndarray, level: Any) -> int:
    """How many eigenvalues of a symmetric matrix of rationals (d, d) are at least a number."""
    shifted = matrix.copy()
    places = np.arange(len(matrix))
    shifted[places, places] -= rational(level)
    coefficients = characteristic_polynomial(shifted)
    signs = [c > 0 for c in coefficients if c != 0]
    zeros = next(k for k, c in enumerate(coefficients) if c != 0)
    return int(zeros + sum(a != b for a, b in pairwise(signs)))


def _norms(scene: ChainScene) -> list[tuple[Array, Array, Array]]:
    """Of each support point: |M|_F^2, its probability, and the product of the other norms."""
    points = [
        (scene.frobenius_squared(matrix), probability) for _, matrix, probability in support(scene)
    ]
    found = []
    for place, (norm, probability) in enumerate(points):
        others = scene.constant(1)
        for number, (other, _) in enumerate(points):
            others = others * other if number != place else others
        found.append((norm, probability, others))
    return found


def _inverse_mean(scene: ChainScene) -> tuple[Array, Array]:
    """The expectation of 1/|M|_F^2 times the product of all norms, and that product."""
    points = _norms(scene)
    total = scene.constant(0)
    for _, probability, others in points:
        total = total + probability * others
    return total, points[0][0] * points[0][2]


def surrogate_mean(scene: ChainScene) -> Entries:
    """E[d^2/|M|_F^2] - d^2/E|M|_F^2, over d^2 and times F and all norms of the support."""
    inverse, norms = _inverse_mean(scene)
    return scene.compare(inverse * expectation(scene, scene.frobenius_squared), norms)


def surrogate_bound(scene: ChainScene) -> Entries:
    """(E r)^2 - (1 - alpha) d, times T and the squares of all norms of the support."""
    inverse, norms = _inverse_mean(scene)
    _, cube, rest = terms(scene)
    mean = scene.share(inverse, scene.width**2)
    return scene.compare(mean * mean * cube, scene.share(rest * norms * norms, scene.width))


def soft_rank_slack(scene: ChainScene) -> Entries:
    """E rank_tau - (1 - tau)^2 E r, times all norms of the support."""
    rest, left, right = scene.constant(1) - scene["tau"], scene.constant(0), scene.constant(0)
    for (_, matrix, _), (norm, probability, others) in zip(
        support(scene), _norms(scene), strict=True
    ):
        counts = [
            eigenvalues_at_least(one, level)
            for one, level in zip(matrix, scene["tau"], strict=True)
        ]
        left = left + probability * scene.numbers(counts) * norm * others
        right = right + probability * others
    return scene.compare(left, scene.share(rest * rest * right, scene.width**2))


# claims -------------------------------------------------------------------------------------------
def _with_level(case: Tensors, random: Random) -> Chained:
    assert LAWS.adapt is not None
    made = LAWS.adapt(case, random)
    made = Chained({**made.arrays, "tau": case.arrays["tau"]}, family=case.family)
    return with_entries(made, "tau", [random.choice(LEVELS)]) if random.random() < 0.7 else made


LAYERS = TensorPool((*LAWS.arrays, ("tau", ())), (), 4, _with_level)

SOFT = Claim(
    "dkbhl20.thm14.c",
    Kind.INEQUALITY,
    printed("Theorem 14, eq. (58), first inequality"),
    "the average soft rank against the average surrogate",
    r"$\lim_{L\to\infty}\frac1L\sum_{\ell=1}^L\mathrm{rank}_\tau(H_\ell^{(\gamma)})\ge"
    r"\lim_{L\to\infty}\frac{(1-\tau)^2}L\sum_{\ell=1}^Lr(H_\ell^{(\gamma)})$ for $\tau\in[0,1]$ "
    r"(here for every average over layers).",
    (*CARRIED, LEVEL),
    ("dkbhl20.lem1b",),
    soft_rank_slack,
    LAYERS,
    exact_only=True,
    proof=layers_have_soft_rank,
)

CONVEX = Claim(
    "dkbhl20.thm14.g",
    Kind.INEQUALITY,
    printed("proof of Theorem 14, eq. (59)"),
    "expectation of the surrogate",
    r"$\mathbb E[r(H)]=\mathbb E[d^2/\lVert M(H)\rVert_F^2]\ge d^2/\mathbb E[\lVert M(H)\rVert_F^2]"
    r"$.",
    (LAW, UNIT_ON_SUPPORT),
    ("dkbhl20.def_r.c@A",),
    surrogate_mean,
    LAWS,
    exact_only=True,  # there is a proof
    proof=inverse_is_convex,
)

SURROGATE = Claim(
    "dkbhl20.thm14.h",
    Kind.INEQUALITY,
    printed("proof of Theorem 14, eq. (60)"),
    "bound on the expected surrogate",
    r"$\mathbb E_{H\sim\nu_\gamma}[r(H)]\ge\sqrt{(1-\alpha)d}$ " + SMALL + ".",
    BOUNDED,
    ("dkbhl20.thm14.g", "dkbhl20.lem13.a"),
    surrogate_bound,
    LAWS,
    exact_only=True,  # there is a proof
    proof=surrogate_is_bounded,
)

CLAIMS = (SOFT, CONVEX, SURROGATE)
