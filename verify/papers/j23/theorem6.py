"""Theorems 6 and 15: the weight matrices in the bottleneck.

Each has two parts: (a) the sum over the layers, (b) the number of layers. Theorem 6 has one family,
with the product V_l V_(l-1)^T whose shape fits, Theorem 15, which restates it in the appendix, two:
a pair for each layer with as many rows as its product needs.

Of (b) the entry is c_1 - 2 log|Jf|_+ minus p L times the m-th smallest of the L terms, where m is
the least integer that is at least (1 - p) L: it is at least 0 exactly where enough layers are near.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from graphs.arithmetic import Array
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.deep.hypotheses import NORM_BOUND, RANK, SLOPE, SMOOTH
from verify.kinds.deep.pool import DeepPool
from verify.kinds.deep.scene import DeepScene
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
PREMISE = (
    r"Given $\lVert\theta\rVert^2\le kL+c_1$ and $x$ with $\mathrm{Rank}\,Jf_\theta(x)=k$, there "
    r"are (semi-)orthonormal $%s$ with "
)
SUM = r"$\sum_{\ell=1}^L\lVert W_\ell-%s\rVert_F^2\le c_1-2\log|Jf_\theta(x)|_+$"
COUNT = (
    r"$\lVert W_\ell-%s\rVert_F^2\le\frac{c_1-2\log|Jf_\theta(x)|_+}{pL}$ for at least $(1-p)L$ "
    r"layers $\ell$, for any $p\in(0,1)$"
)
WHY = (
    r"In one family $V_\ell$ ends one product and begins the next, and a negative slope lies "
    r"between: "
    r"$D_\ell(x)$ with $a<0$ turns the directions that $W_{\ell+1}$ takes up away from those that "
    r"$W_\ell$ gives."
)


@dataclass(frozen=True)
class Printed:
    """One of the two theorems. name: of part %s. words: how it is read. floats: of part (b)."""

    name: str
    place: str
    factors: str
    product: str
    words: str
    measures: tuple[Any, Any]
    pools: tuple[DeepPool, DeepPool]
    through: str
    floats: bool
    why: str = ""


THEOREM_6 = Printed(
    "j23.thm6.%s",
    "Theorem 6",
    r"V_\ell",
    r"V_\ell V_{\ell-1}^T",
    r"one family $V_\ell\in\mathbb R^{n_\ell\times k}$, $\ell=0,\dots,L$, with the products "
    r"$V_\ell V_{\ell-1}^T$",
    (one_family_sum, one_family_count),
    (NETWORKS, WITH_SHARE),
    "no family costs less than layers alone or in pairs of neighbours do, and one family is known "
    "(docs/mathematics/j23.md#one-family-or-two)",
    True,
    WHY,
)
THEOREM_15 = Printed(
    "j23.thm15.%s",
    "Theorem 15",
    r"U_\ell,V_\ell",
    r"U_\ell V_{\ell+1}^T",
    "for each layer one pair with $k$ columns and as many rows as the product needs",
    (free_pair_sum, free_pair_count),
    (TURNED, TURNED_WITH_SHARE),
    "the nearest pair of a layer is told by its singular values "
    "(docs/mathematics/j23.md#the-nearest-matrices)",
    False,
)


def _claim(theorem: Printed, part: str) -> Claim:
    which = "ab".index(part)
    return Claim(
        theorem.name % part,
        Kind.INEQUALITY,
        printed(theorem.place),
        "weight matrices in the bottleneck: " + ("sum", "number of layers")[which],
        PREMISE % theorem.factors + (SUM, COUNT)[which] % theorem.product + ".",
        (GIVEN, (*GIVEN, SHARE))[which],
        (f"j23.thm6.{('total', 'layers')[which]}@B",),
        theorem.measures[which],
        theorem.pools[which],
        reading_text=theorem.words,
        exact_only=True,
        floats=part == "a" or theorem.floats,
        through=theorem.through,
        why=theorem.why,
        negated=_negated(part),
    )


def _negated(part: str) -> str:
    if part == "a":
        return r"the sum is above $c_1-2\log|Jf_\theta(x)|_+$ for all such matrices"
    return r"fewer than $(1-p)L$ layers are so near, for all such matrices"


def _repaired(part: str, measure: Any) -> Claim:
    """Theorem 6 with the family of the proof, for slopes of at least 0."""
    claim, which = _claim(THEOREM_6, part), "ab".index(part)
    conclusion = (SUM, COUNT)[which] % THEOREM_6.product
    return replace(
        claim,
        id=f"{claim.id}.fix",
        title=f"{claim.title}, repaired",
        statement=PREMISE % THEOREM_6.factors + f"{conclusion}: {SPANS}.",
        hypotheses=(*claim.hypotheses, SLOPE_AT_LEAST_0),
        depends=("j23.thm6.product@B.fix",),
        measure=measure,
        floats=part == "a",
        repairs=claim.id,
        negated="",
        through="the cost of this family is told by singular values "
        "(docs/mathematics/j23.md#the-nearest-matrices)",
        why="",
    )


SPANS = r"those $V_\ell$ that span $J\alpha_\ell(x)K$, where $K$ is the row space of $Jf_\theta(x)$"

CLAIMS = (
    *(_claim(theorem, part) for part in "ab" for theorem in (THEOREM_6, THEOREM_15)),
    _repaired("a", carried_family_sum),
    _repaired("b", carried_family_count),
)
