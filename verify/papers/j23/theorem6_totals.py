"""The last two displays of the proof of Theorem 15: the total, and the number of layers.

Readings of the matrices: A those of the proof, with the index l + 1 of the display; B those of the
proof, with the product U_l V_l^T; C two families, D a pair for each layer, as in Theorem 6 (those
that are nearest). In A V_(L+1) is not given, and taken to be whatever is nearest; an SVD is unique
up to a rotation of U_l and V_l together where singular values are equal, and up to signs, and so
|P_(Im N_l) W_l P_(Im N_(l+1)^T)|_* bounds tr U_l^T W_l V_(l+1) for all choices. For k = 1 signs can
be chosen such that it is attained in all layers; for larger k an entry stands only where the claim
fails for all choices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.deep_scene import DeepScene
from verify.papers.j23.some_entries import kept
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6 import carried_term, proof_term
from verify.papers.j23.theorem6_cases import (
    ALTERNATING,
    ALTERNATING_WITH_SHARE,
    SHARE,
    TURNED,
    TURNED_WITH_SHARE,
)
from verify.papers.j23.theorem6_chains import by_p, fits, larger, nothing
from verify.papers.j23.theorem6_measures import (
    budget,
    coimage,
    has_k_columns,
    image,
    inner_part,
    layers,
    missing,
    ranks,
    slope_part_carried,
    to_free_pair,
    total,
)
from verify.papers.j23.theorem6_words import GIVEN, PROOF, M, N
from verify.vocabulary import Entries

Terms = Callable[[DeepScene], tuple[list[Array], list[Array]]]  # two numbers for each layer


# what is added up ---------------------------------------------------------------------------------
def next_term(scene: DeepScene, layer: int) -> Array:
    """|W_l - U_l V_(l+1)^T|_F^2 at least, for the matrices of the proof."""
    own = inner_part(scene, layer)
    between = image(scene, own) @ scene.weight(layer)
    if layer < scene.depth:
        between = between @ coimage(scene, inner_part(scene, layer + 1))
    near = scene.share(scene.nuclear_norm(between), 2)
    return scene.weight_square(layer) + ranks(scene, own) - near


def _terms(scene: DeepScene, term: Callable[[DeepScene, int], Array]) -> Any:
    return (
        [term(scene, layer) for layer in layers(scene)],
        [missing(scene, layer) for layer in layers(scene)],
    )


def next_terms(scene: DeepScene) -> tuple[list[Array], list[Array]]:
    """Reading A."""
    found: tuple[list[Array], list[Array]] = _terms(scene, next_term)
    return found


def proof_terms(scene: DeepScene) -> tuple[list[Array], list[Array]]:
    """Reading B."""
    found: tuple[list[Array], list[Array]] = _terms(scene, proof_term)
    return found


def free_terms(scene: DeepScene) -> tuple[list[Array], list[Array]]:
    """Readings C and D."""
    found: tuple[list[Array], list[Array]] = _terms(scene, to_free_pair)
    return found


def carried_terms(scene: DeepScene) -> tuple[list[Array], list[Array]]:
    """With what is carried along."""
    return (
        [carried_term(scene, layer) for layer in layers(scene)],
        [missing(scene, layer, slope_part_carried) for layer in layers(scene)],
    )


# where a reading speaks of a network --------------------------------------------------------------
def square_inside(scene: DeepScene) -> bool:
    """Whether U_l V_(l+1)^T, both of n_l rows, has the shape of W_l for all l < L."""
    return all(scene.width(layer) == scene.width(layer - 1) for layer in range(1, scene.depth))


def _choices_decided(scene: DeepScene, entries: Entries) -> Entries:
    """The entries that stand for all choices of the SVDs."""
    if scene.plain_floats:
        return entries
    single = np.asarray(scene.whole("k") <= 1)
    return kept(entries, single | np.asarray(entries.values < 0, dtype=bool))


# the total ----------------------------------------------------------------------------------------
def _total(scene: DeepScene, terms: Terms) -> Entries:
    distances, rest = terms(scene)
    return scene.compare(budget(scene), total([*distances, *rest]))


def total_next(scene: DeepScene) -> Entries:
    """c_1 - 2 log|Jf|_+ minus the total, reading A."""
    if not square_inside(scene):
        return nothing(scene)
    return _choices_decided(scene, _total(scene, next_terms))


def total_proof(scene: DeepScene) -> Entries:
    """Reading B."""
    return _total(scene, proof_terms)


def total_families(scene: DeepScene) -> Entries:
    """Reading C."""
    return total_free(scene) if fits(scene) else nothing(scene)


def total_free(scene: DeepScene) -> Entries:
    """Reading D."""
    return kept(_total(scene, free_terms), has_k_columns(scene))


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


def _layers_left(scene: DeepScene, terms: Terms) -> Entries:
    """p L minus the number of layers in which both inequalities hold."""
    bound = budget(scene)
    share = scene.share(scene["p"], scene.depth)
    number = np.zeros(len(scene.cases), dtype=np.int64)
    for distance, rest in zip(*terms(scene), strict=True):
        worse = larger(scene, distance, rest) * share
        number += _at_most(scene, worse, bound)
    return scene.compare(share, scene.numbers(number.tolist()))


def layers_next(scene: DeepScene) -> Entries:
    """Reading A, for k up to 1: there all choices of the SVDs can be the nearest at once."""
    if not square_inside(scene):
        return nothing(scene)
    return kept(_layers_left(scene, next_terms), np.asarray(scene.whole("k") <= 1))


def layers_proof(scene: DeepScene) -> Entries:
    """Reading B."""
    return _layers_left(scene, proof_terms)


def layers_families(scene: DeepScene) -> Entries:
    """Reading C."""
    return layers_free(scene) if fits(scene) else nothing(scene)


def layers_free(scene: DeepScene) -> Entries:
    """Reading D."""
    return kept(_layers_left(scene, free_terms), has_k_columns(scene))


def layers_carried(scene: DeepScene) -> Entries:
    """Repaired: c_1 - 2 log|Jf|_+ minus p L times the larger of the two, in the layer in which it
    must be small for at least (1 - p) L layers to have both inequalities."""
    pairs = zip(*carried_terms(scene), strict=True)
    worse = [larger(scene, distance, rest) for distance, rest in pairs]
    return scene.compare(budget(scene), by_p(scene, worse))


# claims -------------------------------------------------------------------------------------------
BOUND = r"c_1-2\log|Jf_\theta(x)|_+"
OF_PROOF = rf"U_\ell S_\ell V_\ell^T$ the SVD of ${N}$"
READINGS: dict[str, tuple[str, str, Any, Any]] = {
    "A": (
        r"U_\ell V_{\ell+1}^T",
        rf"the matrices of the proof, ${OF_PROOF}, with the index $\ell+1$ of the display",
        total_next,
        layers_next,
    ),
    "B": (
        r"U_\ell V_\ell^T",
        rf"the matrices of the proof, ${OF_PROOF}, with the product $U_\ell V_\ell^T$",
        total_proof,
        layers_proof,
    ),
    "C": (
        r"U_\ell V_{\ell+1}^T",
        (
            r"two families $U_\ell,V_\ell\in\mathbb R^{n_\ell\times k}$, the nearest ones, where "
            r"shapes fit"
        ),
        total_families,
        layers_families,
    ),
    "D": (
        r"U_\ell V_{\ell+1}^T",
        r"for each layer the nearest pair of (semi-)orthonormal matrices with $k$ columns",
        total_free,
        layers_free,
    ),
}


SHAPED = "AC"  # where shapes have to fit
CLIMBED = "BCD"  # where violations are rare; those of A are met at once


def _total_text(product: str) -> str:
    return (
        rf"With ${M}$: $\sum_{{\ell=1}}^L\lVert W_\ell-{product}\rVert_F^2+k-"
        rf"\lVert M_\ell\rVert_F^2\le{BOUND}$."
    )


def _layers_text(product: str, words: str) -> str:
    return (
        rf"With ${M}$: for any $p\in(0,1)$ there are {words} layers $\ell$ with both "
        rf"$\lVert W_\ell-{product}\rVert_F^2\le\frac{{{BOUND}}}{{pL}}$ and "
        rf"$\lVert M_\ell\rVert_F^2\ge k-\frac{{{BOUND}}}{{pL}}$."
    )


def _total_claim(reading: str) -> Claim:
    product, words, measure, _ = READINGS[reading]
    return Claim(
        f"j23.thm6.total@{reading}",
        Kind.INEQUALITY,
        printed(f"{PROOF}, eighth display"),
        "the total",
        _total_text(product),
        GIVEN,
        ("j23.thm6.sum.c", "j23.thm6.dterm.a@B", "j23.thm6.lower.a"),
        measure,
        ALTERNATING if reading in SHAPED else TURNED,
        reading=reading,
        reading_text=words,
        exact_only=True,
        floats=reading in CLIMBED,
    )


def _layers_claim(reading: str) -> Claim:
    product, words, _, measure = READINGS[reading]
    return Claim(
        f"j23.thm6.layers@{reading}",
        Kind.INEQUALITY,
        printed(f"{PROOF}, last display"),
        "number of layers",
        _layers_text(product, "at most $pL$"),
        (*GIVEN, SHARE),
        (f"j23.thm6.total@{reading}",),
        measure,
        ALTERNATING_WITH_SHARE if reading in SHAPED else TURNED_WITH_SHARE,
        reading=reading,
        reading_text=words,
        exact_only=True,
        negated="more than $pL$ layers have both",
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
        depends=("j23.thm6.sum.c.fix",),
        repairs=claim.id,
        negated="",
    )


TOTALS = tuple(map(_total_claim, READINGS))
COUNTS = tuple(map(_layers_claim, READINGS))
OWN = r"U_\ell V_\ell^T"
CLAIMS = (
    *TOTALS,
    _repaired(TOTALS[1], _total_text(OWN), total_carried),
    *COUNTS,
    _repaired(COUNTS[1], _layers_text(OWN, "at least $(1-p)L$"), layers_carried),
)
