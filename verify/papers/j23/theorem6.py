"""Theorem 6 (Theorem 15 in the appendix): the weight matrices in the bottleneck.

Each claim has two parts: (a) the sum over the layers, (b) the number of layers. @BD: two families,
as in Theorem 15, a pair for each layer with as many rows as its product needs. @AB: one family, as
in Theorem 6, with the product V_l V_(l-1)^T whose shape fits.

Of (b) the entry is c_1 - 2 log|Jf|_+ minus p L times the m-th smallest of the L terms, where m is
the least integer that is at least (1 - p) L: it is at least 0 exactly where enough layers are near.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.deep_hypotheses import NORM_BOUND, RANK, SLOPE, SMOOTH
from verify.deep_scene import DeepScene
from verify.hypotheses import Hypothesis
from verify.papers.j23.some_entries import kept
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_cases import (
    NETWORKS,
    SHARE,
    SLOPE_AT_LEAST_0,
    TURNED,
    TURNED_WITH_SHARE,
    WITH_SHARE,
)
from verify.papers.j23.theorem6_chains import (
    by_p,
    one_family_count,
    one_family_sum,
)
from verify.papers.j23.theorem6_measures import (
    budget,
    has_k_columns,
    layers,
    to_carried_family,
    to_free_pair,
    total,
)
from verify.vocabulary import Entries

# measures -----------------------------------------------------------------------------------------
Term = Callable[[DeepScene, int], Array]  # of a layer


def _sum_of(scene: DeepScene, term: Term) -> Entries:
    terms = total([term(scene, layer) for layer in layers(scene)])
    return scene.compare(budget(scene), terms)


def _count_of(scene: DeepScene, term: Term) -> Entries:
    terms = by_p(scene, [term(scene, layer) for layer in layers(scene)])
    return scene.compare(budget(scene), terms)


def free_pair_sum(scene: DeepScene) -> Entries:
    """The least sum where each layer has a pair of its own."""
    return kept(_sum_of(scene, to_free_pair), has_k_columns(scene))


def free_pair_count(scene: DeepScene) -> Entries:
    """The number of layers for these pairs."""
    return kept(_count_of(scene, to_free_pair), has_k_columns(scene))


def carried_family_sum(scene: DeepScene) -> Entries:
    """The sum for one family V_l that spans J alpha_l K."""
    return kept(_sum_of(scene, to_carried_family), has_k_columns(scene))


def carried_family_count(scene: DeepScene) -> Entries:
    """The number of layers for this family."""
    return kept(_count_of(scene, to_carried_family), has_k_columns(scene))


# claims -------------------------------------------------------------------------------------------
GIVEN = (SLOPE, SMOOTH, NORM_BOUND, RANK)
PLACES = {"A": "Theorem 6", "B": "Theorem 15"}
PREMISE = (
    r"Given $\lVert\theta\rVert^2\le kL+c_1$ and $x$ with $\mathrm{Rank}\,Jf_\theta(x)=k$, there "
    r"are (semi-)orthonormal $%s$ with "
)
SUM = r"$\sum_{\ell=1}^L\lVert W_\ell-%s\rVert_F^2\le c_1-2\log|Jf_\theta(x)|_+$"
COUNT = (
    r"$\lVert W_\ell-%s\rVert_F^2\le\frac{c_1-2\log|Jf_\theta(x)|_+}{pL}$ for at least $(1-p)L$ "
    r"layers $\ell$, for any $p\in(0,1)$"
)
READINGS: dict[str, tuple[str, str, str]] = {
    "AB": (
        r"V_\ell",
        r"V_\ell V_{\ell-1}^T",
        (
            r"Theorem 6; one family $V_\ell\in\mathbb R^{n_\ell\times k}$, $\ell=0,\dots,L$, and "
            r"$V_\ell V_{\ell-1}^T$"
        ),
    ),
    "BD": (
        r"U_\ell,V_\ell",
        r"U_\ell V_{\ell+1}^T",
        (
            r"Theorem 15; for each layer one pair with $k$ columns and as many rows as the "
            r"product needs"
        ),
    ),
}
MEASURES: dict[str, tuple[Any, Any]] = {
    "AB": (one_family_sum, one_family_count),
    "BD": (free_pair_sum, free_pair_count),
}

POOLS = {
    "AB": (NETWORKS, WITH_SHARE),
    "BD": (TURNED, TURNED_WITH_SHARE),
}


WHY = (
    r"In one family $V_\ell$ ends one product and begins the next, and a negative slope lies "
    r"between: "
    r"$D_\ell(x)$ with $a<0$ turns the directions that $W_{\ell+1}$ takes up away from those that "
    r"$W_\ell$ gives."
)


THROUGH = {
    "AB": "no family costs less than layers alone or in pairs of neighbours do, and one family is "
    "known (docs/mathematics.md, 24)",
    "BD": "the nearest pair of a layer is told by its singular values (docs/mathematics.md, 24)",
}


def _claim(reading: str, part: str) -> Claim:
    names, product, words = READINGS[reading]
    conclusion = (SUM if part == "a" else COUNT) % product
    return Claim(
        f"j23.thm6.{part}@{reading}",
        Kind.INEQUALITY,
        printed(PLACES[reading[0]]),
        "weight matrices in the bottleneck: " + ("sum" if part == "a" else "number of layers"),
        PREMISE % names + conclusion + ".",
        GIVEN if part == "a" else (*GIVEN, SHARE),
        (f"j23.thm6.{'total' if part == 'a' else 'layers'}@B",),
        MEASURES[reading]["ab".index(part)],
        POOLS[reading]["ab".index(part)],
        reading=reading,
        reading_text=words,
        exact_only=True,
        floats=part == "a" or reading == "AB",
        through=THROUGH[reading],
        why=WHY if reading == "AB" else "",
        negated=_negated(part),
    )


def _negated(part: str) -> str:
    if part == "a":
        return r"the sum is above $c_1-2\log|Jf_\theta(x)|_+$ for all such matrices"
    return r"fewer than $(1-p)L$ layers are so near, for all such matrices"


PRINTED = tuple(_claim(reading, part) for part in "ab" for reading in READINGS)
BY_ID = {claim.id: claim for claim in PRINTED}


def _repaired(
    of: str, measure: Any, *more: Hypothesis, names: str, product: str, which: str
) -> Claim:
    claim = BY_ID[of]
    conclusion = (SUM if ".a@" in of else COUNT) % product
    return replace(
        claim,
        id=f"{of}.fix",
        title=f"{claim.title}, repaired",
        statement=PREMISE % names + conclusion + f": {which}.",
        hypotheses=(*claim.hypotheses, *more),
        depends=("j23.thm6.product@B.fix",),
        measure=measure,
        floats=".a@" in of,
        repairs=of,
        negated="",
        through="the cost of this family is told by singular values (docs/mathematics.md, 24)",
        why="",
    )


SPANS = r"those $V_\ell$ that span $J\alpha_\ell(x)K$, where $K$ is the row space of $Jf_\theta(x)$"
REPAIRED = tuple(
    _repaired(
        f"j23.thm6.{part}@AB",
        measure,
        SLOPE_AT_LEAST_0,
        names=READINGS["AB"][0],
        product=READINGS["AB"][1],
        which=SPANS,
    )
    for part, measure in (("a", carried_family_sum), ("b", carried_family_count))
)

CLAIMS = (*PRINTED, *REPAIRED)
