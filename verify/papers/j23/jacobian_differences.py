"""The proof of Proposition 13, first and second displays: the difference of two Jacobians.

x and y are any two points. For C-uniform Lipschitzness see lipschitz_constants.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from verify.cases.tensors import Tensor
from verify.core.claim import Claim
from verify.kinds.deep.changes import without_biases
from verify.kinds.deep.layered import LayeredPool, layered_pool
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.pool import pool
from verify.language.building import (
    Each,
    Fold,
    Matrix,
    Sum,
    examples,
    frob2,
    larger,
    norm,
    nuclear,
    upto,
    zeros,
)
from verify.language.terms import Term
from verify.papers.j23.jacobian_proofs import difference_telescopes
from verify.papers.j23.lipschitz_constants import LIPSCHITZ, C, with_constant
from verify.papers.j23.lipschitz_proofs import masks_cubed
from verify.papers.j23.network_notation import (
    ALL,
    DEPTH,
    FULLY_CONNECTED,
    RELU,
    SMOOTH,
    Index,
    from_post,
    from_pre,
    jacobian,
    slopes,
    to_post,
    to_pre,
    weight,
    width,
)
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_words import POINT
from verify.statements.stated import pool_with, stated

PAIRS = layered_pool(pool(points=(2,)))
PLACE = "proof of Proposition 13, "
HALF = Fraction(1, 2)
READING = r"Lipschitz as maps on the whole spaces, for every $\ell$ for which they are defined"
WHY = (
    r"Products of no matrices have the norm $1$: for $L=2$ both operator norms in the sum are $1$, "
    r"and $C^2$ stands in front of the right side all the same, which is too small for $C<1$."
)
NO_LESS_THAN_1 = r"\max(1,C)"


def across_kinks(case: Deep, random: Random) -> Deep:
    """Some networks become small, and of some the biases become 0 and y becomes -x, so that the
    neurons of the first layer are on other sides of their kinks."""
    if random.random() < 0.5:
        factor = random.choice((Fraction(1, 2), Fraction(1, 4)))
        names = [f"W{layer}" for layer in range(1, case.depth + 1)]
        case = case.changing(**{name: _times(case.arrays[name], factor) for name in names})
    array = case.arrays["X"]
    if random.random() < 0.5 and array.shape[0] > 1:
        case = without_biases(case, random)
        width = array.shape[1]
        opposite = tuple(-value for value in array.entries[:width])
        entries = (*array.entries[:width], *opposite, *array.entries[2 * width :])
        case = case.changing(X=replace(array, entries=entries))
    return case


def _times(array: Tensor, factor: Fraction) -> Tensor:
    return replace(array, entries=tuple(entry * factor for entry in array.entries))


def across_kinks_with_constant(case: Deep, random: Random) -> Deep:
    """The same, with a Lipschitz constant."""
    return with_constant(across_kinks(case, random), random)


def constant_pool(**options: Any) -> LayeredPool:
    """Small networks with a Lipschitz constant."""
    small = pool(points=(2,), gaps=("C",), widest=2, last=across_kinks_with_constant, **options)
    return replace(layered_pool(small), trained=Fraction(0))


WITH_CONSTANT = constant_pool(depths=(1, 2, 2, 3, 3))


# the difference of two Jacobians ------------------------------------------------------------------
def delta(m: Index, x: Index, y: Index) -> Term:
    """Delta_l = D_l(x) - D_l(y)."""
    return slopes(m, x) - slopes(m, y)


def of_pairs(holds: Callable[[Term, Term], Term]) -> Term:
    """What is said of any two points."""
    return Each(examples(), lambda p: Each(examples(), lambda q: holds(p, q)))


def telescoped(x: Term, y: Term) -> Term:
    """sum_l W_L D(y) ... W_(l+1) Delta_l W_l D(x) ... W_1."""

    def further(so_far: Term, m: Term) -> Term:
        return so_far + from_post(m, y) @ delta(m, x, y) @ to_pre(m, x)

    return Fold(upto(DEPTH - 1), zeros(width(DEPTH), width(0)), further)


TELESCOPES = of_pairs(lambda x, y: jacobian(x) - jacobian(y) == telescoped(x, y))
DECOMPOSITION = stated(
    "j23.prop13.decomp",
    printed(PLACE + "first display"),
    "difference of two Jacobians",
    r"$Jf_\theta(x)-Jf_\theta(y)=\sum_{\ell=1}^{L-1}W_LD_{L-1}(y)\cdots W_{\ell+1}\big(D_\ell(x)-"
    r"D_\ell(y)\big)W_\ell D_{\ell-1}(x)\cdots D_1(x)W_1$.",
    TELESCOPES,
    POINT,
    depends=("j23.setup",),
    pool=PAIRS,
    proof=difference_telescopes,
)


# nuclear norms ------------------------------------------------------------------------------------
def products_of_norms(x: Term, y: Term) -> Term:
    """The sum in the second display, as printed."""

    def of(m: Term) -> Term:
        middle = weight(m + 1) @ delta(m, x, y) @ weight(m)
        return norm(from_pre(m + 1, y)) * nuclear(middle) * norm(to_post(m - 1, x))

    return Sum(upto(DEPTH - 1), of)


def masked(power: Callable[[Term], Term]) -> Term:
    """Whether Delta_l is a power of itself, in every layer."""

    def holds(x: Term, y: Term) -> Term:
        return Each(ALL, lambda m: power(delta(m, x, y)) == delta(m, x, y))

    return of_pairs(holds)


SQUARED, CUBED = masked(lambda A: A @ A), masked(lambda A: A @ A @ A)


FIRST = stated(
    "j23.prop13.nuclear.a",
    printed(PLACE + "second display"),
    "nuclear norm of the difference, first inequality",
    r"$\lVert Jf_\theta(x)-Jf_\theta(y)\rVert_*\le\sum_{\ell=1}^{L-1}\lVert W_LD_{L-1}(y)\cdots "
    r"D_{\ell+1}(y)\rVert_{op}\,\lVert W_{\ell+1}\Delta_\ell W_\ell\rVert_*\,\lVert D_{\ell-1}(x)"
    r"\cdots D_1(x)W_1\rVert_{op}$, $\Delta_\ell=D_\ell(x)-D_\ell(y)$.",
    of_pairs(lambda x, y: nuclear(jacobian(x) - jacobian(y)) <= products_of_norms(x, y)),
    POINT,
    depends=("j23.prop13.decomp",),
    pool=PAIRS,
)


def masked_squares(x: Term, y: Term) -> Term:
    """sum_l |W_(l+1) Delta_l|_F^2 + |Delta_l W_l|_F^2."""

    def of(m: Term) -> Term:
        return frob2(weight(m + 1) @ delta(m, x, y)) + frob2(delta(m, x, y) @ weight(m))

    return Sum(upto(DEPTH - 1), of)


def _second(*, mended: bool = False) -> Claim:
    name = "j23.prop13.nuclear.b@Bii"
    words, constant = (NO_LESS_THAN_1, larger(C, 1)) if mended else ("C", C)
    return stated(
        name + (".fix" if mended else ""),
        printed(PLACE + "second display"),
        "nuclear norm of the difference, second inequality" + (", repaired" if mended else ""),
        r"$\sum_{\ell=1}^{L-1}\lVert W_LD_{L-1}(y)\cdots D_{\ell+1}(y)\rVert_{op}\,"
        r"\lVert W_{\ell+1}\Delta_\ell W_\ell\rVert_*\,\lVert D_{\ell-1}(x)\cdots D_1(x)W_1"
        rf"\rVert_{{op}}\le\frac{{{words}^2}}2"
        r"\sum_{\ell=1}^{L-1}\big(\lVert W_{\ell+1}\Delta_\ell\rVert_F^2+"
        r"\lVert\Delta_\ell W_\ell\rVert_F^2\big)$.",
        of_pairs(lambda x, y: products_of_norms(x, y) <= constant**2 / 2 * masked_squares(x, y)),
        (FULLY_CONNECTED, RELU, SMOOTH, LIPSCHITZ),
        depends=(
            "j23.prop13.nuclear.product",
            "j23.prop13.nuclear.masks" + (".fix" if mended else ""),
        ),
        pool=WITH_CONSTANT,
        reading="Bii",
        reading_text=READING,
        repairs=name if mended else None,
        why="" if mended else WHY,
    )


A, B = Matrix("A", "m", "n"), Matrix("B", "n", "k")
PRODUCT = stated(
    "j23.prop13.nuclear.product",
    printed(PLACE + "line after the second display"),
    "nuclear norm of a product",
    r"$\lVert AB\rVert_*\le\frac{\lVert A\rVert_F^2+\lVert B\rVert_F^2}2$.",
    nuclear(A @ B) <= (frob2(A) + frob2(B)) / 2,
    pool=pool_with(A, B, largest=3),
)


def _masks(*, mended: bool) -> Claim:
    says = CUBED if mended else SQUARED
    return stated(
        "j23.prop13.nuclear.masks" + (".fix" if mended else ""),
        printed(PLACE + "line after the second display"),
        "differences of masks" + (", repaired" if mended else ""),
        r"For the ReLU, $\Delta_\ell=D_\ell(x)-D_\ell(y)$: "
        + (r"$\Delta_\ell^3=\Delta_\ell$." if mended else r"$\Delta_\ell^2=\Delta_\ell$."),
        says,
        (FULLY_CONNECTED, RELU, SMOOTH),
        pool=PAIRS,
        exact_only=True,
        repairs="j23.prop13.nuclear.masks" if mended else None,
        why=""
        if mended
        else r"An entry of $D_\ell(x)-D_\ell(y)$ is $-1$ where a neuron is active at $y$ alone, "
        r"and its square is $1$.",
        proof=masks_cubed if mended else None,
    )


NUCLEAR = (
    FIRST,
    _second(),
    _second(mended=True),
    PRODUCT,
    _masks(mended=False),
    _masks(mended=True),
)

CLAIMS = (DECOMPOSITION, *NUCLEAR)
