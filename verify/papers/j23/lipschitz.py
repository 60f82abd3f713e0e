"""The proof of Proposition 13, third to fifth displays: bounds with masks, and the bound on the
norm at finite depth.

A sum sign without brackets governs all terms that follow: by the other reading l would not be bound
in them.
"""

from __future__ import annotations

from verify.core.claim import Claim
from verify.kinds.deep.layered import layered_pool
from verify.kinds.deep.pool import pool
from verify.language.building import (
    Each,
    Sum,
    When,
    examples,
    eye,
    frob2,
    larger,
    nuclear,
    schatten,
)
from verify.language.terms import Term
from verify.papers.j23.jacobian_differences import (
    NO_LESS_THAN_1,
    PAIRS,
    PLACE,
    READING,
    WHY,
    WITH_CONSTANT,
    of_pairs,
)
from verify.papers.j23.lipschitz_constants import LIPSCHITZ, C
from verify.papers.j23.lipschitz_proofs import table_of_masks
from verify.papers.j23.network_notation import (
    ALL,
    DEPTH,
    FULLY_CONNECTED,
    PARAMETER_SQUARE,
    RELU,
    SMOOTH,
    Index,
    jacobian,
    slopes,
    weight,
    width,
)
from verify.papers.j23.sources import printed
from verify.statements.stated import stated

GIVEN = (FULLY_CONNECTED, RELU, SMOOTH)


# bounds with masks --------------------------------------------------------------------------------
def mask(m: Index, x: Index) -> Term:
    """D_l(x), l from 0 to L; D_0 and D_L are identities."""
    return When(m == 0, eye(width(0)), slopes(m, x))


def schatten_power(x: Index) -> Term:
    """L |Jf(x)|_(2/L)^(2/L)."""
    return DEPTH * schatten(jacobian(x), 2 / DEPTH)


def masked_before(m: Term, x: Term) -> Term:
    """|W_l D_(l-1)(x)|_F^2."""
    return frob2(weight(m) @ mask(m - 1, x))


def masked_behind(m: Term, x: Term) -> Term:
    """|D_l(x) W_l|_F^2."""
    return frob2(mask(m, x) @ weight(m))


def _mask_bound(part: str) -> Claim:
    words = {"a": r"W_\ell D_{\ell-1}(x)", "b": r"D_\ell(x)W_\ell"}[part]
    masked = {"a": masked_before, "b": masked_behind}[part]
    return stated(
        f"j23.prop13.schatten.{part}",
        printed(PLACE + "third display"),
        "Schatten bound with masks",
        r"$L\lVert Jf_\theta(x)\rVert_{2/L}^{2/L}\le\sum_{\ell=1}^L\lVert "
        rf"{words}\rVert_F^2$, with $D_0=I$, $D_L=I$.",
        Each(examples(), lambda p: schatten_power(p) <= Sum(ALL, lambda m: masked(m, p))),
        GIVEN,
        depends=("j23.schatten@A",),
        pool=layered_pool(pool(points=(2, 3))),
    )


# four terms ---------------------------------------------------------------------------------------
def four_terms(x: Term, y: Term) -> Term:
    """The member in the middle."""

    def of(m: Term) -> Term:
        before = masked_before(m, x) + masked_before(m, y)
        return before + masked_behind(m, x) + masked_behind(m, y)

    return Sum(ALL, of) / 2


def without_differences(x: Term, y: Term) -> Term:
    """The member on the right."""

    def of(m: Term) -> Term:
        before = frob2(weight(m) @ (mask(m - 1, x) - mask(m - 1, y)))
        behind = frob2((mask(m, x) - mask(m, y)) @ weight(m))
        return 2 * frob2(weight(m)) - before / 2 - behind / 2

    return Sum(ALL, of)


FOUR = {
    "a": of_pairs(lambda x, y: schatten_power(x) + schatten_power(y) <= four_terms(x, y)),
    "b": of_pairs(lambda x, y: four_terms(x, y) <= without_differences(x, y)),
}
FOUR_WORDS = {
    "a": r"$L\lVert Jf_\theta(x)\rVert_{2/L}^{2/L}+L\lVert Jf_\theta(y)\rVert_{2/L}^{2/L}\le\frac12"
    r"\sum_{\ell=1}^L\lVert W_\ell D_{\ell-1}(x)\rVert_F^2+\lVert W_\ell D_{\ell-1}(y)\rVert_F^2+"
    r"\lVert D_\ell(x)W_\ell\rVert_F^2+\lVert D_\ell(y)W_\ell\rVert_F^2$.",
    "b": r"$\frac12\sum_{\ell=1}^L\lVert W_\ell D_{\ell-1}(x)\rVert_F^2+\lVert W_\ell D_{\ell-1}(y)"
    r"\rVert_F^2+\lVert D_\ell(x)W_\ell\rVert_F^2+\lVert D_\ell(y)W_\ell\rVert_F^2\le"
    r"\sum_{\ell=1}^L2\lVert W_\ell\rVert_F^2-\frac12\lVert W_\ell(D_{\ell-1}(x)-"
    r"D_{\ell-1}(y))\rVert_F^2-\frac12\lVert(D_\ell(x)-D_\ell(y))W_\ell\rVert_F^2$.",
}


def _four(part: str) -> Claim:
    return stated(
        f"j23.prop13.four.{part}",
        printed(PLACE + "fourth display"),
        f"four-term bound, inequality {part}",
        FOUR_WORDS[part],
        FOUR[part],
        GIVEN,
        depends=("j23.prop13.schatten.a", "j23.prop13.schatten.b"),
        pool=PAIRS,
        proof=None if part == "a" else table_of_masks,
    )


# the bound at finite depth ------------------------------------------------------------------------
def _finite(*, mended: bool = False) -> Claim:
    name = "j23.prop13.finite@Bii"
    words, constant = (NO_LESS_THAN_1, larger(C, 1)) if mended else ("C", C)

    def holds(x: Term, y: Term) -> Term:
        mean = (schatten_power(x) + schatten_power(y)) / 2
        return mean + nuclear(jacobian(x) - jacobian(y)) / constant**2 <= PARAMETER_SQUARE

    return stated(
        name + (".fix" if mended else ""),
        printed(PLACE + "fifth display"),
        "finite-depth norm bound" + (", repaired" if mended else ""),
        r"$\lVert\theta\rVert^2\ge\frac{L\lVert Jf_\theta(x)\rVert_{2/L}^{2/L}+L\lVert Jf_\theta(y)"
        rf"\rVert_{{2/L}}^{{2/L}}}}2+{words}^{{-2}}"
        r"\lVert Jf_\theta(x)-Jf_\theta(y)\rVert_*$.",
        of_pairs(holds),
        (*GIVEN, LIPSCHITZ),
        depends=(
            "j23.prop13.nuclear.a",
            "j23.prop13.nuclear.b@Bii" + (".fix" if mended else ""),
            "j23.prop13.four.b",
        ),
        pool=WITH_CONSTANT,
        reading="Bii",
        reading_text=READING,
        repairs=name if mended else None,
        why="" if mended else WHY,
    )


CLAIMS = (
    *map(_mask_bound, "ab"),
    *map(_four, "ab"),
    _finite(),
    _finite(mended=True),
)
