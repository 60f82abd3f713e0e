"""Bounds on v^T Jf(x) u and on the mixed derivative of the kernel along u and v (proof of
Proposition 18, part 1, second and third displays).

Inequalities between roots are said of powers: both sides squared, or to the power L.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.cases.hypotheses import unchanged
from verify.core.argument import Argument
from verify.core.claim import Claim
from verify.kinds.deep.layered import layered_pool
from verify.kinds.deep.pool import pool
from verify.language.building import Each, Number, Sum, Vector, dot, examples, frob2
from verify.language.terms import Term
from verify.papers.j23.bilinear_proofs import (
    bound_of_singular_vectors,
    last_step_for_unit_vectors,
    masks_are_idempotent_for_relu,
    product_bounds_the_form,
    product_telescopes,
    terms_are_bounded,
)
from verify.papers.j23.kernels import TRANSPOSED
from verify.papers.j23.network_notation import (
    ALL,
    DEPTH,
    FULLY_CONNECTED,
    RELU,
    SLOPE,
    SMOOTH,
    Index,
    from_pre,
    jacobian,
    slopes,
    to_post,
)
from verify.papers.j23.singular_vectors import (
    other_lengths,
    other_value,
    to_singular,
    to_unit,
)
from verify.papers.j23.sources import printed
from verify.statements.stated import Given, stated

PLACE = "proof of Proposition 18, part 1, "
VECTORS = (("u", ("n0",)), ("v", ("nL",)))
WITH_VECTORS = layered_pool(pool(extras=VECTORS))
u, v, s = Vector("u", "n0"), Vector("v", "nL"), Number("s", meaning="a singular value")


# a product bounds the bilinear form ---------------------------------------------------------------
def form(x: Index) -> Term:
    """v^T Jf(x) u."""
    return dot(v, jacobian(x) @ u)


def pushed(m: Index, x: Index) -> Term:
    """|D_l ... D_1 W_1 u|^2, l from 0 (of u) to L (of Jf(x) u)."""
    return frob2(to_post(m, x) @ u)


def pulled_back(m: Index, x: Index) -> Term:
    """|D_l W_(l+1)^T ... D_(L-1) W_L^T v|^2, l from 1 to L (of v)."""
    return frob2(from_pre(m, x).T @ v)


BOUNDED = Each(
    examples(),
    lambda p: Each(ALL, lambda m: form(p) ** 2 <= pushed(m, p) * pulled_back(m, p)),
)
IDEMPOTENT = Each(
    examples(), lambda p: Each(ALL, lambda m: slopes(m, p) @ slopes(m, p) == slopes(m, p))
)


SLOPES_COUNT = (
    r"where a neuron is on its lower side $D_\ell^2$ is $a^2$ and not $a$, so for leaky slopes the "
)


def _product(*, mended: bool = False) -> Claim:
    return stated(
        f"j23.prop9.prod@B{'.fix' if mended else ''}",
        printed(PLACE + "second display"),
        "bound on the bilinear form" + (", repaired for the ReLU" if mended else ""),
        r"$|v^TJf_\theta(x)u|\le\lVert D_\ell(x)\cdots D_1(x)W_1u\rVert_2\,"
        r"\lVert D_\ell(x)\cdots D_{L-1}(x)W_L^Tv\rVert_2$ for $1\le\ell\le L$, with $D_L=I$.",
        BOUNDED,
        (FULLY_CONNECTED, RELU if mended else SLOPE, SMOOTH),
        depends=("j23.setup",),
        pool=WITH_VECTORS,
        reading="B",
        reading_text=TRANSPOSED,
        repairs="j23.prop9.prod@B" if mended else None,
        proof=product_bounds_the_form if mended else None,
        why="" if mended else SLOPES_COUNT + "mask counts twice on the right and once on the left",
    )


def _idempotent(*, mended: bool) -> Claim:
    return stated(
        "j23.prop9.prod.masks" + (".fix" if mended else ""),
        printed(PLACE + "line before the second display"),
        "masks are idempotent" + (", repaired" if mended else ""),
        r"$D_\ell(x)D_\ell(x)=D_\ell(x)$" + (" for the ReLU." if mended else "."),
        IDEMPOTENT,
        (FULLY_CONNECTED, RELU if mended else SLOPE, SMOOTH),
        pool=layered_pool(pool()),
        exact_only=True,
        repairs="j23.prop9.prod.masks" if mended else None,
        proof=masks_are_idempotent_for_relu if mended else None,
        why="" if mended else SLOPES_COUNT + "matrix is no projection",
    )


PRODUCTS = (
    _product(),
    _product(mended=True),
    _idempotent(mended=False),
    _idempotent(mended=True),
)


# the chain of bounds ------------------------------------------------------------------------------
def derivative(x: Index) -> Term:
    """The mixed derivative of the kernel along u and v, by the formula of the first display."""
    return Sum(ALL, lambda m: pushed(m - 1, x) * pulled_back(m, x))


def ratios(x: Index) -> Term:
    """sum_l p_(l-1)^2 / p_l^2, p_l the length of what u has become behind layer l."""
    return Sum(ALL, lambda m: pushed(m - 1, x) / pushed(m, x))


def moved(x: Index) -> Term:
    """|Jf(x) u|^2."""
    return frob2(jacobian(x) @ u)


def _second(x: Term) -> Term:
    """Both members to the power L, times |Jf(x) u|^2."""
    left, right = form(x) ** 2 * ratios(x), form(x) ** 2 * DEPTH
    return left**DEPTH * moved(x) >= right**DEPTH * frob2(u)


def _third(x: Term) -> Term:
    """Both members to the power L, times |Jf(x) u|^2 / L^L."""
    power = (form(x) * form(x)) ** DEPTH
    return power * frob2(u) >= power


MEMBERS = {
    1: Each(examples(), lambda p: derivative(p) >= form(p) ** 2 * ratios(p)),
    2: Each(examples(), _second),
    3: Each(examples(), _third),
}
ATTAINED = Each(  # both members to the power L, times |Jf(x) u|^2 / L^L
    examples(), lambda p: form(p) ** (2 * DEPTH) == moved(p) * s ** (2 * DEPTH - 2)
)
UNIT = Given(
    "unit vectors",
    (frob2(u) == 1) & (frob2(v) == 1),
    r"$\lVert u\rVert_2=\lVert v\rVert_2=1$",
    to_unit,
    other_lengths,
)
MOVES = Given(
    "u is moved",
    Each(examples(), lambda p: moved(p) != 0),
    r"$Jf_\theta(x)u\ne0$: what is divided by is not 0",
    unchanged,
)
SINGULAR_PAIR = Given(
    "singular vectors",
    UNIT.holds
    & (s > 0)
    & Each(examples(), lambda p: (jacobian(p) @ u == s * v) & (jacobian(p).T @ v == s * u)),
    r"$u,v$ are right and left singular vectors of $Jf_\theta(x)$ with singular value $s>0$",
    to_singular,
    other_value,
)


RATIOS = (
    r"|v^TJf_\theta(x)u|^2\sum_{\ell=1}^L\frac{\lVert D_{\ell-1}(x)\cdots D_1(x)W_1u"
    r"\rVert_2^2}{\lVert D_\ell(x)\cdots D_1(x)W_1u\rVert_2^2}"
)
ROOT = (
    r"|v^TJf_\theta(x)u|^2L\Big(\frac{\lVert u\rVert_2^2}{\lVert W_LD_{L-1}(x)\cdots "
    r"D_1(x)W_1u\rVert_2^2}\Big)^{1/L}"
)
STEPS = {
    1: (r"\partial_{xy}^2(v^T\Theta(x,x)v)[u,u]", RATIOS),
    2: (RATIOS, ROOT),
    3: (ROOT, r"L\frac{|v^TJf_\theta(x)u|^2}{\lVert Jf_\theta(x)u\rVert_2^{2/L}}"),
}


PROOFS: dict[int, Callable[[], Argument]] = {
    1: terms_are_bounded,
    2: product_telescopes,
    3: last_step_for_unit_vectors,
}


def _step(part: int, *, mended: bool = False) -> Claim:
    left, right = STEPS[part]
    refuted = part == 1 and not mended
    return stated(
        f"j23.prop9.chain.{part}@B{'.fix' if mended else ''}",
        printed(PLACE + "third display"),
        f"lower bound on the mixed derivative, step {part}"
        + (", repaired for the ReLU" if mended else ""),
        rf"${left}\ge {right}$.",
        MEMBERS[part],
        (FULLY_CONNECTED, RELU if mended else SLOPE, SMOOTH, MOVES, UNIT),
        depends=("j23.prop9.formula@B", "j23.prop9.prod@B"),
        pool=WITH_VECTORS,
        reading="B",
        reading_text="$u,v$ are unit vectors",
        repairs=f"j23.prop9.chain.{part}@B" if mended else None,
        proof=None if refuted else PROOFS[part],
        why=SLOPES_COUNT + "bound of the display before it fails, and with it this one"
        if refuted
        else "",
    )


CHAIN = (*map(_step, STEPS), _step(1, mended=True))

SINGULAR_VALUES = stated(
    "j23.prop9.chain.singular",
    printed(PLACE + "line after the third display"),
    "the bound for singular vectors",
    r"If $u,v$ are right and left singular vectors of $Jf_\theta(x)$ with singular value $s$, then "
    r"$L|v^TJf_\theta(x)u|^2/\lVert Jf_\theta(x)u\rVert_2^{2/L}=Ls^{2-\frac2L}$.",
    ATTAINED,
    (FULLY_CONNECTED, SLOPE, SMOOTH, SINGULAR_PAIR),
    pool=layered_pool(pool(points=(1,), extras=VECTORS, gaps=("s",))),
    proof=bound_of_singular_vectors,
)

CLAIMS = (*PRODUCTS, *CHAIN, SINGULAR_VALUES)
