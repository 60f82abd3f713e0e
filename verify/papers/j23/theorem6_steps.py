"""The proof of Theorem 15, from the fourth display to the seventh: what is said of each layer.

A pair of bars without "+" is read as the determinant (A) or the pseudo-determinant (B), "positive"
as > 0 (A) or >= 0 (B). The Jacobians are those at the first point; there is one.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from verify.claim import Claim, Kind
from verify.deep import Deep
from verify.deep_hypotheses import RANK, SMOOTH, with_number
from verify.deep_scene import DeepScene
from verify.hypotheses import Hypothesis, by_case
from verify.papers.j23.some_entries import kept
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_cases import frame_pool
from verify.papers.j23.theorem6_measures import (
    inner_part,
    layers,
    missing,
    rank_number,
    ranks,
    slope_part,
    to_svd,
)
from verify.papers.j23.theorem6_words import (
    DETERMINANT,
    PLAIN,
    POINT,
    PROOF,
    PSEUDO,
    WITH_K,
    M,
    N,
)
from verify.vocabulary import Entries


# the fourth to the seventh display ----------------------------------------------------------------
def dterm_slack(scene: DeepScene) -> Entries:
    """-2 log |M_l|_+ minus k - |M_l|_F^2."""
    parts = []
    for layer in layers(scene):
        square = scene.pseudo_determinant_squared(slope_part(scene, layer))
        parts.append(({"layer": layer}, -scene.log(square), missing(scene, layer)))
    return scene.parts(parts)


def dterm_slack_determinant(scene: DeepScene) -> Entries:
    """The same where M_l is invertible, so that |det M_l| has a logarithm."""
    invertible = [
        scene.rank_of(slope_part(scene, layer)) == scene.width(layer) for layer in layers(scene)
    ]
    return kept(dterm_slack(scene), np.concatenate(invertible))


def dterm_sign(scene: DeepScene) -> Entries:
    """The sign of k - |M_l|_F^2, minus 1: at least 0 where that is positive."""
    parts = []
    for layer in layers(scene):
        rest = missing(scene, layer)
        signs = scene.numbers([int(value > 0) - int(value < 0) for value in rest])
        parts.append(({"layer": layer}, signs, scene.constant(1)))
    return scene.parts(parts)


def dterm_rest(scene: DeepScene) -> Entries:
    """k - |M_l|_F^2."""
    k = rank_number(scene)
    return scene.parts(
        [
            ({"layer": layer}, k, scene.frobenius_squared(slope_part(scene, layer)))
            for layer in layers(scene)
        ]
    )


def split_residual(scene: DeepScene) -> Entries:
    """|W_l|^2 minus |N_l|^2 + |W_l - N_l|^2: k and the logarithm are on both sides."""
    parts = []
    for layer in layers(scene):
        part = inner_part(scene, layer)
        rest = scene.frobenius_squared(scene.weight(layer) - part)
        right = scene.frobenius_squared(part) + rest
        parts.append(({"layer": layer}, scene.weight_square(layer), right))
    return scene.parts(parts)


def lower_slack(scene: DeepScene) -> Entries:
    """|W_l|^2 - k - 2 log |N_l|_+ minus |W_l - U_l V_l^T|^2."""
    parts = []
    for layer in layers(scene):
        square = scene.pseudo_determinant_squared(inner_part(scene, layer))
        left = scene.weight_square(layer) - rank_number(scene) - scene.log(square)
        parts.append(({"layer": layer}, left, to_svd(scene, layer, inner_part)))
    return scene.parts(parts)


def lower_rank(scene: DeepScene) -> Entries:
    """Rank N_l minus k."""
    return scene.parts(
        [
            ({"layer": layer}, ranks(scene, inner_part(scene, layer)), rank_number(scene))
            for layer in layers(scene)
        ]
    )


# the factors with D -------------------------------------------------------------------------------
def _eigenvalues_at_most_1(case: Deep) -> bool:
    scene = case.exact
    return all(d <= 1 for layer in range(1, case.depth) for d in scene.slopes(layer)[0, 0])


def _any_slope(case: Deep, random: Random) -> Deep:
    """Slopes below -1 too."""
    outside = (Fraction(-2), Fraction(-3, 2), Fraction(-9, 8))
    return with_number(case, "a", random.choice(outside)) if random.random() < 0.5 else case


EIGENVALUES = Hypothesis(
    "eigenvalues of D at most 1",
    r"the eigenvalues of $D_\ell(x)$ are $\le1$",
    by_case(_eigenvalues_at_most_1),
    lambda case, random: (
        case if _eigenvalues_at_most_1(case) else with_number(case, "a", Fraction(-1, 2))
    ),
    lambda case, random: with_number(case, "a", random.choice((Fraction(3, 2), Fraction(2)))),
)
ANY_SLOPE = frame_pool(whole=(("k", 0, 3),), last=_any_slope)

POSITIVE = r"$k-\lVert M_\ell\rVert_F^2$ is positive"
DTERM = Claim(
    "j23.thm6.dterm.a@B",
    Kind.INEQUALITY,
    printed(f"{PROOF}, fourth display"),
    "the factors with D",
    rf"With ${M}$: $-2\log|M_\ell|\ge k-\lVert M_\ell\rVert_F^2$.",
    (*POINT, RANK),
    ("j23.setup",),
    dterm_slack,
    WITH_K,
    reading="B",
    reading_text=PSEUDO,
    exact_only=True,
    floats=True,
)
DTERMS = (
    replace(
        DTERM,
        id="j23.thm6.dterm.a@A",
        measure=dterm_slack_determinant,
        floats=False,
        reading="A",
        reading_text=DETERMINANT + ", where it is not 0",
    ),
    DTERM,
    replace(
        DTERM,
        id="j23.thm6.dterm.b@A",
        statement=rf"With ${M}$: {POSITIVE}.",
        measure=dterm_sign,
        reading="A",
        reading_text="positive: above 0",
        floats=False,
    ),
    replace(
        DTERM,
        id="j23.thm6.dterm.b@B",
        statement=rf"With ${M}$: {POSITIVE}.",
        measure=dterm_rest,
        floats=False,
        reading="B",
        reading_text="positive: at least 0",
    ),
    replace(
        DTERM,
        id="j23.thm6.dterm.c",
        title="the factors with D: the reason",
        statement=rf"With ${M}$: if the eigenvalues of $D_\ell(x)$ are $\le1$ then "
        r"$k-\lVert M_\ell\rVert_F^2\ge0$: the printed reason, nothing else supposed of the "
        r"slope.",
        hypotheses=(SMOOTH, EIGENVALUES, RANK),
        measure=dterm_rest,
        floats=False,
        pool=ANY_SLOPE,
        reading=None,
        reading_text=None,
    ),
)

SPLIT = Claim(
    "j23.thm6.split",
    Kind.IDENTITY,
    printed(f"{PROOF}, fifth display"),
    "splitting off the projected part",
    rf"With ${N}$: $\lVert W_\ell\rVert_F^2-k-2\log|N_\ell|_+=(\lVert N_\ell\rVert_F^2-k-"
    r"2\log|N_\ell|_+)+\lVert W_\ell-N_\ell\rVert_F^2$.",
    POINT,
    ("j23.setup",),
    split_residual,
    PLAIN,
    exact_only=True,
)
LOWER = Claim(
    "j23.thm6.lower.a",
    Kind.INEQUALITY,
    printed(f"{PROOF}, seventh display"),
    "lower bound of the summands",
    rf"With ${N}=U_\ell S_\ell V_\ell^T$ (SVD): $\lVert W_\ell\rVert_F^2-k-2\log|N_\ell|_+\ge"
    r"\lVert W_\ell-U_\ell V_\ell^T\rVert_F^2$.",
    (*POINT, RANK),
    ("j23.thm6.split", "j23.thm6.scalar.b", "j23.thm6.scalar.d@A"),
    lower_slack,
    WITH_K,
    exact_only=True,
    floats=True,
)
LOWER_RANK = replace(
    LOWER,
    id="j23.thm6.lower.b",
    kind=Kind.IDENTITY,
    title="rank of the projected part",
    statement=rf"${N}$ has rank $k$.",
    measure=lower_rank,
    floats=False,
)

CLAIMS = (*DTERMS, SPLIT, LOWER, LOWER_RANK)
