"""Theorem 6 (Theorem 15 in the appendix): the weight matrices in the bottleneck.

Each claim has two parts: (a) the sum over the layers, (b) the number of layers. After @ stands the
printing (A: Theorem 6, one family V_l; B: Theorem 15, two of them) and then the reading of the
matrices: A V_l V_(l+1)^T, B V_l V_(l-1)^T, C U_l V_(l+1)^T of two families, D a pair for each
layer, E the matrices of the proof. Read by D or E the two printings say the same, and stand once.
Where shapes do not fit the reading a case has no entry.

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
    ALTERNATING,
    ALTERNATING_WITH_SHARE,
    NETWORKS,
    SHARE,
    SLOPE_AT_LEAST_0,
    TURNED,
    TURNED_WITH_SHARE,
    WITH_SHARE,
)
from verify.papers.j23.theorem6_chains import (
    by_p,
    fits,
    nothing,
    one_family_count,
    one_family_next_count,
    one_family_next_sum,
    one_family_sum,
)
from verify.papers.j23.theorem6_measures import (
    budget,
    has_k_columns,
    inner_part,
    inner_part_carried,
    layers,
    to_carried_family,
    to_free_pair,
    to_svd,
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


def proof_term(scene: DeepScene, layer: int) -> Array:
    """|W_l - U_l V_l^T|_F^2, U_l S_l V_l^T the SVD of N_l."""
    return to_svd(scene, layer, inner_part)


def carried_term(scene: DeepScene, layer: int) -> Array:
    """The same for the SVD of W_l P_(J alpha_(l-1) K), K the row space of Jf(x)."""
    return to_svd(scene, layer, inner_part_carried)


def free_pair_sum(scene: DeepScene) -> Entries:
    """The least sum where each layer has a pair of its own."""
    return kept(_sum_of(scene, to_free_pair), has_k_columns(scene))


def free_pair_count(scene: DeepScene) -> Entries:
    """The number of layers for these pairs."""
    return kept(_count_of(scene, to_free_pair), has_k_columns(scene))


def two_families_sum(scene: DeepScene) -> Entries:
    """The least sum of |W_l - U_l V_(l+1)^T|^2: each U_l and each V_l occurs in one layer alone."""
    return free_pair_sum(scene) if fits(scene) else nothing(scene)


def two_families_count(scene: DeepScene) -> Entries:
    """The number of layers for these families."""
    return free_pair_count(scene) if fits(scene) else nothing(scene)


def proof_sum(scene: DeepScene) -> Entries:
    """The sum for the matrices of the proof."""
    return _sum_of(scene, proof_term)


def proof_count(scene: DeepScene) -> Entries:
    """The number of layers for the matrices of the proof."""
    return _count_of(scene, proof_term)


def carried_sum(scene: DeepScene) -> Entries:
    """The sum for the SVDs of W_l P_(J alpha_(l-1) K)."""
    return _sum_of(scene, carried_term)


def carried_count(scene: DeepScene) -> Entries:
    """The number of layers for them."""
    return _count_of(scene, carried_term)


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
    "AA": (
        r"V_\ell",
        r"V_\ell V_{\ell+1}^T",
        (
            r"Theorem 6; one family $V_\ell\in\mathbb R^{n_\ell\times k}$, $V_{L+1}$ of any size, "
            r"and $V_\ell V_{\ell+1}^T$, where shapes fit"
        ),
    ),
    "AB": (
        r"V_\ell",
        r"V_\ell V_{\ell-1}^T",
        (
            r"Theorem 6; one family $V_\ell\in\mathbb R^{n_\ell\times k}$, $\ell=0,\dots,L$, and "
            r"$V_\ell V_{\ell-1}^T$"
        ),
    ),
    "BC": (
        r"U_\ell,V_\ell",
        r"U_\ell V_{\ell+1}^T",
        (
            r"Theorem 15; two families in $\mathbb R^{n_\ell\times k}$, $V_{L+1}$ of any size, "
            r"where shapes fit"
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
    "BE": (
        r"U_\ell,V_\ell",
        r"U_\ell V_\ell^T",
        (
            r"Theorem 15; the $U_\ell,V_\ell$ of the proof, from the SVD of "
            r"$P_{\mathrm{Im}J(\tilde\alpha_\ell\to f)^T}W_\ell P_{\mathrm{Im}J\alpha_{\ell-1}}$"
        ),
    ),
}
MEASURES: dict[str, tuple[Any, Any]] = {
    "AA": (one_family_next_sum, one_family_next_count),
    "AB": (one_family_sum, one_family_count),
    "BC": (two_families_sum, two_families_count),
    "BD": (free_pair_sum, free_pair_count),
    "BE": (proof_sum, proof_count),
}

RESTS_ON = {"AA": "A", "AB": "B", "BC": "C", "BD": "D", "BE": "B"}  # readings of the proof
POOLS = {
    "AA": (ALTERNATING, ALTERNATING_WITH_SHARE),
    "AB": (NETWORKS, WITH_SHARE),
    "BC": (ALTERNATING, ALTERNATING_WITH_SHARE),
    "BD": (TURNED, TURNED_WITH_SHARE),
    "BE": (TURNED, TURNED_WITH_SHARE),
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
        (f"j23.thm6.{'total' if part == 'a' else 'layers'}@{RESTS_ON[reading]}",),
        MEASURES[reading]["ab".index(part)],
        POOLS[reading]["ab".index(part)],
        reading=reading,
        reading_text=words,
        exact_only=True,
        floats=part == "a" or reading not in ("BC", "BD"),
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
    )


SPANS = r"those $V_\ell$ that span $J\alpha_\ell(x)K$, where $K$ is the row space of $Jf_\theta(x)$"
CARRIED = (
    r"those of the SVD of $W_\ell P_{J\alpha_{\ell-1}(x)K}$, where $K$ is the row space of "
    r"$Jf_\theta(x)$"
)
REPAIRED = tuple(
    _repaired(f"j23.thm6.{part}@{reading}", measure, *more, names=names, product=product, which=w)
    for part, reading, measure, more, names, product, w in (
        ("a", "AB", carried_family_sum, (SLOPE_AT_LEAST_0,), *READINGS["AB"][:2], SPANS),
        ("b", "AB", carried_family_count, (SLOPE_AT_LEAST_0,), *READINGS["AB"][:2], SPANS),
        ("a", "BE", carried_sum, (), *READINGS["BE"][:2], CARRIED),
        ("b", "BE", carried_count, (), *READINGS["BE"][:2], CARRIED),
    )
)

CLAIMS = (*PRINTED, *REPAIRED)
