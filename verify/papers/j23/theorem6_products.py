"""The proof of Theorem 15: projections inserted, the product and the sum over the layers.

N_l, M_l and what is carried along are those of theorem6_notation. A pair of bars without "+" is
the pseudo-determinant too. The sum sign of the third display
governs all that follows: read otherwise, l is bound nowhere.
"""

from __future__ import annotations

from typing import Any

from verify.core.claim import Claim
from verify.language.building import Each, Fold, Prod, between, examples, log, pdet2, upto
from verify.language.terms import Term
from verify.papers.j23.network_notation import (
    DEPTH,
    K_AT_LEAST_1,
    PARAMETER_SQUARE,
    RANK,
    WEIGHTS_SQUARE,
    image,
    jacobian,
    jacobian_square,
    slopes,
    to_post,
    weight,
)
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_cases import NETWORKS
from verify.papers.j23.theorem6_notation import (
    Part,
    inner_part,
    inner_part_carried,
    slope_part,
    slope_part_carried,
)
from verify.papers.j23.theorem6_words import (
    CARRIED,
    GIVEN,
    JF,
    PLAIN,
    POINT,
    PRODUCT,
    PROOF,
    PSEUDO,
    SUMMANDS,
    WITH,
    WITH_K,
)
from verify.statements.stated import stated


# the first two displays ---------------------------------------------------------------------------
def with_projections(x: Term) -> Term:
    """W_L P_(L-1) D_(L-1) ... P_1 D_1 W_1, P_l the projection to Im J alpha_l."""
    return Fold(
        between(2, DEPTH),
        weight(1),
        lambda J, m: weight(m) @ image(to_post(m - 1, x)) @ slopes(m - 1, x) @ J,
    )


INSERTED = Each(examples(), lambda p: jacobian(p) == with_projections(p))


def product(inner: Part, slope: Part, x: Term) -> Term:
    """The square of the product over the layers."""
    behind = Prod(upto(DEPTH - 1), lambda m: pdet2(slope(m, x)) * pdet2(inner(m, x)))
    return pdet2(inner(DEPTH, x)) * behind


def is_product(inner: Part, slope: Part) -> Term:
    """Whether it is the square of |Jf(x)|_+."""
    return Each(examples(), lambda p: jacobian_square(p) == product(inner, slope, p))


# the third display --------------------------------------------------------------------------------
def first_member(inner: Part, slope: Part, x: Term) -> Term:
    """The sum over the layers, plus k L and 2 log |Jf(x)|_+: one logarithm of a quotient of squares
    of pseudo-determinants, so that equality is exact."""
    both = product(inner, slope, x) * pdet2(slope(DEPTH, x))
    return WEIGHTS_SQUARE - log(both / jacobian_square(x))


SUMMED = Each(examples(), lambda p: first_member(inner_part, slope_part, p) == PARAMETER_SQUARE)
SUMMED_CARRIED = Each(
    examples(),
    lambda p: first_member(inner_part_carried, slope_part_carried, p) == WEIGHTS_SQUARE,
)
"""The same, biases left out, with the parts that are carried along."""


# claims -------------------------------------------------------------------------------------------
WHY = (
    r"The projections before and behind a layer cut off the same angle more than once: for all "
    r"neurons active, $W_1=x$ and $W_2=w^T$ unit vectors with $x\cdot w=c$, $|Jf_\theta|_+=c$ and "
    r"the "
    r"product is $c^3$."
)
INSERT = stated(
    "j23.thm6.insert",
    printed(f"{PROOF}, first display"),
    "projections inserted in the Jacobian",
    r"$Jf_\theta(x)=W_LD_{L-1}(x)\cdots D_1(x)W_1=W_LP_{\mathrm{Im}J\alpha_{L-1}(x)}D_{L-1}(x)"
    r"\cdots P_{\mathrm{Im}J\alpha_1(x)}D_1(x)W_1$.",
    INSERTED,
    POINT,
    depends=("j23.setup",),
    pool=PLAIN,
)


def _product(suffix: str, title: str, text: str, says: Term, **others: Any) -> Claim:
    return stated(
        f"j23.thm6.product@B{suffix}",
        printed(f"{PROOF}, second display"),
        f"product over the layers{title}",
        text,
        says,
        (*POINT, RANK, K_AT_LEAST_1),
        depends=("j23.thm6.insert", "j23.thm6.pdet@A"),
        pool=WITH_K,
        reading="B",
        reading_text=PSEUDO,
        **others,
    )


PRODUCTS = (
    _product("", "", WITH + PRODUCT % "|M_{L-1}|", is_product(inner_part, slope_part), why=WHY),
    _product(
        ".fix",
        ", repaired",
        CARRIED + PRODUCT % "|M_{L-1}|_+",
        is_product(inner_part_carried, slope_part_carried),
        repairs="j23.thm6.product@B",
    ),
)


def _sum(suffix: str, title: str, text: str, says: Term, **others: Any) -> Claim:
    return stated(
        f"j23.thm6.sum.a{suffix}",
        printed(f"{PROOF}, third display, equality"),
        f"sum over the layers{title}",
        text,
        says,
        GIVEN,
        depends=(f"j23.thm6.product@B{suffix}",),
        pool=NETWORKS,
        **others,
    )


SUMS = (
    _sum(
        "",
        "",
        WITH + rf"${SUMMANDS}=\lVert\theta\rVert^2-kL-2\log|{JF}|_+$.",
        SUMMED,
        why=r"It is the logarithm of the product over the layers, which fails; and the biases in "
        r"$\lVert\theta\rVert^2$ do not stand on the left.",
    ),
    _sum(
        ".fix",
        ", repaired",
        CARRIED + rf"${SUMMANDS}=\sum_\ell\lVert W_\ell\rVert_F^2-kL-2\log|{JF}|_+$.",
        SUMMED_CARRIED,
        repairs="j23.thm6.sum.a",
    ),
)

CLAIMS = (INSERT, *PRODUCTS, *SUMS)
