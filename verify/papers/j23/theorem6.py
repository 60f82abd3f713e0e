"""Theorems 6 and 15: the weight matrices in the bottleneck.

Each has two parts: (a) the sum over the layers, (b) the number of layers. Theorem 6 has one family,
with the product V_l V_(l-1)^T whose shape fits, Theorem 15, which restates it in the appendix, two:
a pair for each layer with as many rows as its product needs.

Where a width is below k there are no such matrices, and nothing is said. Of (b) for one family what
is compared with the bound is the least, over the choices of as many layers as must be near, of the
largest term.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from verify.core.claim import Claim
from verify.kinds.deep.layered import LayeredPool
from verify.language.building import Each, Map, Sorted, Sum, examples, implies
from verify.language.terms import Term
from verify.papers.j23.network_notation import ALL, DEPTH
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_cases import (
    NETWORKS,
    SHARE,
    SLOPE_AT_LEAST_0,
    TURNED,
    TURNED_WITH_SHARE,
    WITH_SHARE,
)
from verify.papers.j23.theorem6_chains import LEAST_NEEDED, LEAST_SUM, NEEDED, for_some_family
from verify.papers.j23.theorem6_notation import (
    HAS_COLUMNS,
    P,
    budget,
    most_layers,
    share,
    to_carried_family,
    to_free_pair,
)
from verify.papers.j23.theorem6_words import GIVEN
from verify.statements.stated import stated

# what is said -------------------------------------------------------------------------------------
Cost = Callable[[Term, Term], Term]  # of a layer and a point


def free_pair(m: Term, x: Term) -> Term:
    """What a pair of its own costs a layer."""
    return to_free_pair(m)


def in_sum(cost: Cost) -> Term:
    """Part (a) of matrices with these costs."""
    found = Each(examples(), lambda p: Sum(ALL, lambda m: cost(m, p)) <= budget(p))
    return implies(HAS_COLUMNS, found)


def in_most_layers(cost: Cost) -> Term:
    """Part (b) of matrices with these costs."""
    found = Each(examples(), lambda p: most_layers(lambda m: cost(m, p) <= share(p)))
    return implies(HAS_COLUMNS, found)


def _known_sum(x: Term) -> Term:
    return Sum(ALL, lambda m: to_carried_family(m, x))


def _known_needed(x: Term) -> Term:
    """The term that must be small for (1 - p) L layers to be, of the family that is known."""
    return Sorted(Map(ALL, lambda m: to_carried_family(m, x)))[NEEDED]


ONE_FAMILY_SUM = Each(examples(), lambda p: for_some_family(budget(p), LEAST_SUM, _known_sum(p)))
ONE_FAMILY_COUNT = Each(
    examples(),
    lambda p: for_some_family(budget(p), P * DEPTH * LEAST_NEEDED, P * DEPTH * _known_needed(p)),
)


# claims -------------------------------------------------------------------------------------------
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
    """One of the two theorems. name: of part %s. words: how it is read. says: of each part."""

    name: str
    place: str
    factors: str
    product: str
    words: str
    says: tuple[Term, Term]
    pools: tuple[LayeredPool, LayeredPool]
    through: str
    why: str = ""


THEOREM_6 = Printed(
    "j23.thm6.%s",
    "Theorem 6",
    r"V_\ell",
    r"V_\ell V_{\ell-1}^T",
    r"one family $V_\ell\in\mathbb R^{n_\ell\times k}$, $\ell=0,\dots,L$, with the products "
    r"$V_\ell V_{\ell-1}^T$",
    (ONE_FAMILY_SUM, ONE_FAMILY_COUNT),
    (NETWORKS, WITH_SHARE),
    "no family costs less than layers alone or in pairs of neighbours do, and one family is known "
    "(docs/mathematics/j23.md#one-family-or-two)",
    WHY,
)
THEOREM_15 = Printed(
    "j23.thm15.%s",
    "Theorem 15",
    r"U_\ell,V_\ell",
    r"U_\ell V_{\ell+1}^T",
    "for each layer one pair with $k$ columns and as many rows as the product needs",
    (in_sum(free_pair), in_most_layers(free_pair)),
    (TURNED, TURNED_WITH_SHARE),
    "the nearest pair of a layer is told by its singular values "
    "(docs/mathematics/j23.md#the-nearest-matrices)",
)
TITLES = ("sum", "number of layers")
NEGATED = (
    r"the sum is above $c_1-2\log|Jf_\theta(x)|_+$ for all such matrices",
    r"fewer than $(1-p)L$ layers are so near, for all such matrices",
)


def _claim(theorem: Printed, part: str) -> Claim:
    which = "ab".index(part)
    return stated(
        theorem.name % part,
        printed(theorem.place),
        f"weight matrices in the bottleneck: {TITLES[which]}",
        PREMISE % theorem.factors + (SUM, COUNT)[which] % theorem.product + ".",
        theorem.says[which],
        (GIVEN, (*GIVEN, SHARE))[which],
        depends=(f"j23.thm6.{('total', 'layers')[which]}@B",),
        pool=theorem.pools[which],
        reading_text=theorem.words,
        through=theorem.through,
        why=theorem.why,
        negated=NEGATED[which],
    )


SPANS = r"those $V_\ell$ that span $J\alpha_\ell(x)K$, where $K$ is the row space of $Jf_\theta(x)$"


def _repaired(part: str, says: Term) -> Claim:
    """Theorem 6 with the family of the proof, for slopes of at least 0."""
    which = "ab".index(part)
    conclusion = (SUM, COUNT)[which] % THEOREM_6.product
    return stated(
        f"j23.thm6.{part}.fix",
        printed(THEOREM_6.place),
        f"weight matrices in the bottleneck: {TITLES[which]}, repaired",
        PREMISE % THEOREM_6.factors + f"{conclusion}: {SPANS}.",
        says,
        (*(GIVEN, (*GIVEN, SHARE))[which], SLOPE_AT_LEAST_0),
        depends=("j23.thm6.product@B.fix",),
        pool=THEOREM_6.pools[which],
        reading_text=THEOREM_6.words,
        repairs=f"j23.thm6.{part}",
        through="the cost of this family is told by singular values "
        "(docs/mathematics/j23.md#the-nearest-matrices)",
    )


CLAIMS = (
    *(_claim(theorem, part) for part in "ab" for theorem in (THEOREM_6, THEOREM_15)),
    _repaired("a", in_sum(to_carried_family)),
    _repaired("b", in_most_layers(to_carried_family)),
)
