"""The last two displays of the proof of Theorem 15: the total, and the number of layers.

The matrices are those of the proof, U_l S_l V_l^T the SVD of N_l, with the product U_l V_l^T of the
display before; the index l + 1 that is printed fits no shape.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from graphs.arithmetic import Array
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_cases import (
    SHARE,
    TURNED,
    TURNED_WITH_SHARE,
)
from verify.papers.j23.theorem6_chains import by_p, larger
from verify.papers.j23.theorem6_measures import (
    budget,
    inner_part,
    inner_part_carried,
    layers,
    missing,
    slope_part_carried,
    to_svd,
    total,
)
from verify.papers.j23.theorem6_words import GIVEN, PROOF, M, N

Terms = Callable[[DeepScene], tuple[list[Array], list[Array]]]  # two numbers for each layer


# what is added up ---------------------------------------------------------------------------------
def proof_term(scene: DeepScene, layer: int) -> Array:
    """|W_l - U_l V_l^T|_F^2, U_l S_l V_l^T the SVD of N_l."""
    return to_svd(scene, layer, inner_part)


def carried_term(scene: DeepScene, layer: int) -> Array:
    """The same for the SVD of W_l P_(J alpha_(l-1) K), K the row space of Jf(x)."""
    return to_svd(scene, layer, inner_part_carried)


def proof_terms(scene: DeepScene) -> tuple[list[Array], list[Array]]:
    """With the matrices of the proof."""
    return (
        [proof_term(scene, layer) for layer in layers(scene)],
        [missing(scene, layer) for layer in layers(scene)],
    )


def carried_terms(scene: DeepScene) -> tuple[list[Array], list[Array]]:
    """With what is carried along."""
    return (
        [carried_term(scene, layer) for layer in layers(scene)],
        [missing(scene, layer, slope_part_carried) for layer in layers(scene)],
    )


# the total ----------------------------------------------------------------------------------------
def _total(scene: DeepScene, terms: Terms) -> Entries:
    distances, rest = terms(scene)
    return scene.compare(budget(scene), total([*distances, *rest]))


def total_proof(scene: DeepScene) -> Entries:
    """c_1 - 2 log|Jf|_+ minus the total."""
    return _total(scene, proof_terms)


def total_carried(scene: DeepScene) -> Entries:
    """Repaired."""
    return _total(scene, carried_terms)


# the number of layers -----------------------------------------------------------------------------
def _at_most(scene: DeepScene, one: Array, other: Array) -> np.ndarray:
    """(C,) boolean: one <= other. Exactly: told, or equal rationals."""
    difference = other - one
    if scene.plain_floats:
        return np.asarray(difference.to_numpy() >= 0)
    return np.array([value > 0 or _is_zero(value) for value in difference], dtype=bool)


def _is_zero(value: Any) -> bool:
    """Of a number that keeps how it is computed equality is not told."""
    return not hasattr(value, "ball") and bool(value == 0)


def layers_proof(scene: DeepScene) -> Entries:
    """p L minus the number of layers in which both inequalities hold."""
    bound = budget(scene)
    share = scene.share(scene["p"], scene.depth)
    number = np.zeros(len(scene.cases), dtype=np.int64)
    for distance, rest in zip(*proof_terms(scene), strict=True):
        worse = larger(scene, distance, rest) * share
        number += _at_most(scene, worse, bound)
    return scene.compare(share, scene.numbers(number.tolist()))


def layers_carried(scene: DeepScene) -> Entries:
    """Repaired: c_1 - 2 log|Jf|_+ minus p L times the larger of the two, in the layer in which it
    must be small for at least (1 - p) L layers to have both inequalities."""
    pairs = zip(*carried_terms(scene), strict=True)
    worse = [larger(scene, distance, rest) for distance, rest in pairs]
    return scene.compare(budget(scene), by_p(scene, worse))


# claims -------------------------------------------------------------------------------------------
BOUND = r"c_1-2\log|Jf_\theta(x)|_+"
READING = (
    rf"the matrices of the proof, $U_\ell S_\ell V_\ell^T$ the SVD of ${N}$, with the product "
    r"$U_\ell V_\ell^T$"
)
OWN = r"U_\ell V_\ell^T"


TOTAL_TEXT = (
    rf"With ${M}$: $\sum_{{\ell=1}}^L\lVert W_\ell-{OWN}\rVert_F^2+k-\lVert M_\ell\rVert_F^2\le "
    rf"{BOUND}$."
)


def _layers_text(words: str) -> str:
    return (
        rf"With ${M}$: for any $p\in(0,1)$ there are {words} layers $\ell$ with both "
        rf"$\lVert W_\ell-{OWN}\rVert_F^2\le\frac{{{BOUND}}}{{pL}}$ and "
        rf"$\lVert M_\ell\rVert_F^2\ge k-\frac{{{BOUND}}}{{pL}}$."
    )


TOTAL = Claim(
    "j23.thm6.total@B",
    Kind.INEQUALITY,
    printed(f"{PROOF}, eighth display"),
    "the total",
    TOTAL_TEXT,
    GIVEN,
    ("j23.thm6.sum.a", "j23.thm6.dterm.a@B", "j23.thm6.lower.a"),
    total_proof,
    TURNED,
    reading="B",
    reading_text=READING,
    exact_only=True,
    floats=True,
    why=r"It rests on the product over the layers, in which angles are counted more than once: for "
    r"unit vectors $W_1=x$, $W_2=w^T$ with $x\cdot w=c$ the left side is $4-4c$, the right one "
    r"$-2\log c$, which is smaller for $c=\frac35$.",
)
LAYERS = Claim(
    "j23.thm6.layers@B",
    Kind.INEQUALITY,
    printed(f"{PROOF}, last display"),
    "number of layers",
    _layers_text("at most $pL$"),
    (*GIVEN, SHARE),
    ("j23.thm6.total@B",),
    layers_proof,
    TURNED_WITH_SHARE,
    reading="B",
    reading_text=READING,
    exact_only=True,
    negated="more than $pL$ layers have both",
    why=r"Meant is at least $(1-p)L$: where both bounds hold in all layers, as for $L=1$ and "
    r"$W_1=1$, "
    r"they hold in $L>pL$ of them.",
)


CARRIED = (
    r"Let $K$ be the row space of $Jf_\theta(x)$, $U_\ell S_\ell V_\ell^T$ the SVD of "
    r"$W_\ell P_{J\alpha_{\ell-1}(x)K}$ and $M_\ell=D_\ell(x)P_{J\tilde\alpha_\ell(x)K}$. "
)


def _repaired(claim: Claim, text: str, measure: Any) -> Claim:
    return replace(
        claim,
        id=f"{claim.id}.fix",
        title=f"{claim.title}, repaired",
        statement=CARRIED + text.replace(f"With ${M}$: ", "").replace("for any", "For any"),
        measure=measure,
        depends=("j23.thm6.sum.a.fix",),
        repairs=claim.id,
        negated="",
        why="",
    )


CLAIMS = (
    TOTAL,
    _repaired(TOTAL, TOTAL_TEXT, total_carried),
    LAYERS,
    _repaired(LAYERS, _layers_text("at least $(1-p)L$"), layers_carried),
)
