"""Hypotheses about a step from M = u u^T with u of signs: bounded weights, small strengths."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import RATIONALS
from verify.hypotheses import Hypothesis, by_case, by_scene
from verify.normalised_hypotheses import at_least_zero
from verify.normalised_pool import rows_of, with_entries, with_rows
from verify.normalised_scene import Chained, ChainScene
from verify.papers.dkbhl20.conditions import SMALL

__all__ = ["BOUNDED", "DEFINED_SIGNS", "SIGNS", "SMALL"]

SIGNS = Hypothesis(
    "u of signs",
    r"$M=uu^\top$ with $u\in\{-1,1\}^d$, so that $M_{ij}\in\{-1,1\}$",
    by_case(lambda case: all(abs(x) == 1 for x in case.arrays["u"].entries)),
    lambda case, random: with_entries(
        case, "u", [Fraction(-1 if x < 0 else 1) for x in case.arrays["u"].entries]
    ),
    lambda case, random: with_entries(
        case,
        "u",
        [x * random.choice((8, 1, Fraction(1, 16))) for x in case.arrays["u"].entries[:-1]]
        + [case.arrays["u"].entries[-1] * 8],
    ),
    thin=True,
)


def _kept_diagonal(case: Chained) -> bool:
    scene = Chained.scene([case], RATIONALS)
    column = scene["u"].reshape(1, -1, 1)
    return bool((scene.before_norm(column, scene["W"], scene["gamma"]) != 0).all())


def _keep_diagonal(case: Chained, random: Random) -> Chained:
    """No weights where they take an entry away; 1 in place of an entry of u that is 0."""
    if _kept_diagonal(case):
        return case
    weightless = with_entries(case, "W", [Fraction(0)] * len(case.arrays["W"].entries))
    return with_entries(weightless, "u", [x or Fraction(1) for x in case.arrays["u"].entries])


def _lost_diagonal(case: Chained, random: Random) -> Chained:
    """gamma = 1 and a row of weights that takes u_i away."""
    rows = rows_of(case.arrays["W"])
    i = random.randrange(len(rows))
    rows[i] = [Fraction(-(i == j)) for j in range(len(rows))]
    return with_rows(with_entries(case, "gamma", [Fraction(1)]), "W", rows)


DEFINED_SIGNS = Hypothesis(
    "no diagonal entry is 0 before BN",
    r"no entry of $u+\gamma Wu$ is $0$, so that $\mathrm{diag}(M)^{-1/2}$ is defined",
    by_case(_kept_diagonal),
    _keep_diagonal,
    _lost_diagonal,
)


def _bounded(scene: ChainScene) -> np.ndarray:
    weights, bound = scene["W"], scene["B"].reshape(-1, 1, 1)
    below = at_least_zero(scene, bound - weights)
    return np.asarray(below & at_least_zero(scene, bound + weights))


def _to_bounded(case: Chained, random: Random) -> Chained:
    """Weights beyond the bound go onto it."""
    bound = abs(case.number("B"))
    found = [max(-bound, min(bound, x)) for x in case.arrays["W"].entries]
    return with_entries(with_entries(case, "B", [bound]), "W", found)


def _beyond(case: Chained, random: Random) -> Chained:
    """The weights of one row beyond the bound, against the sign of their neuron or not."""
    rows, u = rows_of(case.arrays["W"]), case.arrays["u"].entries
    i = random.randrange(len(rows))
    size = random.choice((2, 4, 16, -4, -16)) * (abs(case.number("B")) + 1)
    rows[i] = [size * u[i] * x for x in u]
    return with_rows(case, "W", rows)


BOUNDED = Hypothesis(
    "weights at most B",
    r"$|W_{ij}|\le B$",
    by_scene(_bounded),
    _to_bounded,
    _beyond,
)
