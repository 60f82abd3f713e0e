"""The proof of Theorem 15, from the fourth display to the seventh: what is said of each layer.

A pair of bars without "+" is read as the determinant (A) or the pseudo-determinant (B), "positive"
as > 0 (A) or >= 0 (B). The Jacobians are those at the first point; there is one.
"""

from __future__ import annotations

from dataclasses import replace

from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.deep.hypotheses import RANK
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.sources import printed
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
    PLAIN,
    POINT,
    PROOF,
    PSEUDO,
    WITH_K,
    M,
    N,
)


# the fourth to the seventh display ----------------------------------------------------------------
def dterm_slack(scene: DeepScene) -> Entries:
    """-2 log |M_l|_+ minus k - |M_l|_F^2."""
    parts = []
    for layer in layers(scene):
        square = scene.pseudo_determinant_squared(slope_part(scene, layer))
        parts.append(({"layer": layer}, -scene.log(square), missing(scene, layer)))
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
    DTERM,
    replace(
        DTERM,
        id="j23.thm6.dterm.b@B",
        statement=rf"With ${M}$: {POSITIVE}.",
        measure=dterm_rest,
        floats=False,
        reading="B",
        reading_text="positive: at least 0",
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
