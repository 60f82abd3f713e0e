"""Corollaries 8 and 17: representations have k large singular values on most layers.

The tangent kernel sums over all parameters: what a bound on that trace does not give, one on the
smaller trace, over the weights alone, does not give either.

The matrices V_l of Theorem 6 are any: the least of |W_l - U V^T|_F^2 over pairs of matrices with k
orthonormal columns is compared (reading D there), which is at most that of every other reading.

Nothing is said where a number under a root is negative, as it may be where hypotheses are dropped;
nor of such pairs where k is above a width, so that there are no k orthonormal columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from verify.core.claim import Claim
from verify.kinds.deep.families import in_families
from verify.kinds.deep.layered import LayeredPool, layered_pool
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.pool import pool
from verify.language.building import Each, Max, Min, Sum, examples, frob2, log, norm, sqrt
from verify.language.terms import Term
from verify.papers.j23.kernel_notation import trace_by_layers
from verify.papers.j23.network_notation import (
    ALL,
    BALANCED,
    C1,
    DEPTH,
    FULLY_CONNECTED,
    K_AT_LEAST_1,
    NO_BIASES,
    NORM_BOUND,
    RANK,
    SLOPE,
    SMOOTH,
    Index,
    K,
    jacobian_square,
    weight,
)
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_cases import SHARE, with_share
from verify.papers.j23.theorem6_notation import P, most_layers, to_free_pair, value
from verify.papers.j23.theorem7_notation import (
    COUNT,
    GAP2,
    GROWTH,
    KERNEL_BOUND,
    LARGER_GROWTH,
    all_activations,
    all_preactivations,
    root,
)
from verify.statements.stated import Given, stated


# cases --------------------------------------------------------------------------------------------
def _families_with_share(case: Deep, random: Random) -> Deep:
    return with_share(in_families(case, random), random)


SETS: dict[str, Any] = {
    "depths": (1, 1, 2, 2, 3),
    "points": (1, 2, 6, 12),
    "gaps": ("gap", "gap2"),
    "whole": (("k", 0, 3),),
}
FAMILIES = layered_pool(pool(**SETS, last=in_families))
WITH_SHARE = layered_pool(
    pool(**SETS, extras=(("p", ()),), last=_families_with_share), deep=Fraction(1, 8)
)
WITH_K = layered_pool(pool(points=(1, 2, 3), whole=(("k", 0, 3),)))
PLAIN = layered_pool(pool(points=(1, 2, 3)))
OF_K = (FULLY_CONNECTED, SLOPE, SMOOTH, K_AT_LEAST_1)
GIVEN = (FULLY_CONNECTED, BALANCED, *OF_K[1:], RANK, NORM_BOUND, KERNEL_BOUND)


# what it is made of -------------------------------------------------------------------------------
def representation(m: Index) -> Term:
    """s_(k+1)(alpha~_l(X) / sqrt N)."""
    return value(all_preactivations(m), K + 1) / sqrt(COUNT)


def weight_value(m: Index) -> Term:
    """s_(k+1)(W_l)."""
    return value(weight(m), K + 1)


def size(m: Index) -> Term:
    """|alpha_(l-1)(X) / sqrt N|_op."""
    return norm(all_activations(m - 1)) / sqrt(COUNT)


def mean_square(m: Index) -> Term:
    """|alpha_(l-1)(X) / sqrt N|_F^2."""
    return frob2(all_activations(m - 1)) / COUNT


C = (Sum(examples(), lambda p: trace_by_layers(p, p, mended=True)) / COUNT + GAP2) / DEPTH
"""c, so that Tr Theta(X, X) / N is c L less the gap."""
EXCESS = C1 - log(Max(examples(), jacobian_square))
"""c_1 - 2 log max_i |Jf(x_i)|_+."""


def by_least(growth: Term) -> Term:
    """c e^(c_1/k) / (k min_i |Jf(x_i)|_+^(2/k)), or with another growth."""
    return C * growth / (K * root(Min(examples(), jacobian_square)))


def by_mean(growth: Term) -> Term:
    """The mean over the points of c e^(c_1/k) / (k |Jf(x_i)|_+^(2/k)), or with another growth."""
    return Sum(examples(), lambda p: C * growth / (K * root(jacobian_square(p)))) / COUNT


# Corollary 8 --------------------------------------------------------------------------------------
def small_representations(growth: Term) -> Term:
    """What is said of (1 - p) L layers."""
    right = sqrt(by_least(growth) * EXCESS) / (P * sqrt(DEPTH))
    return most_layers(lambda m: representation(m) <= right)


RIGHT = (
    r"\sqrt{\frac{c\,(c_1-2\log\max_i|Jf_\theta(x_i)|_+)\,%s}"
    r"{k\,\min_i|Jf_\theta(x_i)|_+^{2/k}}}\ \frac1{p\sqrt L}"
)
SUPPOSED = (
    r"Given balanced parameters with $\lVert\theta\rVert^2\le kL+c_1$ and points $x_1,\dots,x_N$ "
    r"with $\mathrm{Rank}\,Jf_\theta(x_i)=k\ge1$ and "
    r"$\frac1N\mathrm{Tr}[\Theta^{(L)}(X,X)]\le cL$, for all $p\in(0,1)$ there are at least "
    r"$(1-p)L$ layers such that "
)
REPRESENTATION = r"$s_{k+1}\Big(\tfrac1{\sqrt N}\tilde\alpha_\ell(X)\Big)\le"


def _corollary(title: str, growth: str, says: Term, **others: Any) -> Claim:
    return stated(
        "j23.cor8@A" + (".fix" if "repairs" in others else ""),
        printed("Corollary 8, Corollary 17"),
        title,
        f"{SUPPOSED}{REPRESENTATION}{RIGHT % growth}$.",
        says,
        (*GIVEN, SHARE),
        pool=WITH_SHARE,
        reading="A",
        reading_text="the tangent kernel sums over all parameters",
        **others,
    )


PRINTED = _corollary(
    "small singular values of the representations",
    "e^{c_1/k}",
    small_representations(GROWTH),
    why=r"$c_1$ may be negative, and then $e^{c_1/k}$ is below $1$: Theorem 7, from which this is "
    r"taken, has $\max\{1,e^{c_1/k}\}$",
)
REPAIRED = _corollary(
    "small singular values of the representations, with the constant of Theorem 7",
    r"\max\{1,e^{c_1/k}\}",
    small_representations(LARGER_GROWTH),
    repairs=PRINTED.id,
)


# its steps ----------------------------------------------------------------------------------------
def shift(m: Term) -> Term:
    """|alpha~_l(X) - W_l alpha_(l-1)(X)|_F^2."""
    return frob2(all_preactivations(m) - weight(m) @ all_activations(m - 1))


AS_PRODUCT = Each(ALL, lambda m: shift(m) == 0)
BY_PRODUCT = Each(ALL, lambda m: representation(m) <= weight_value(m) * size(m))
ROOTS = sqrt(Sum(ALL, lambda m: weight_value(m) ** 2)) * sqrt(Sum(ALL, lambda m: size(m) ** 2))


def frobenius_roots() -> Term:
    """The same with |W_l - U V^T|_F and Frobenius norms."""
    return sqrt(Sum(ALL, to_free_pair)) * sqrt(Sum(ALL, mean_square))


def in_sum(bound: Term) -> Term:
    """What Theorems 6 and 7 say of it. bound: what stands under the second root, over L."""
    return frobenius_roots() <= sqrt(EXCESS) * sqrt(bound * DEPTH)


def in_most_layers(bound: Term) -> Term:
    """What is said of (1 - p) L layers. bound: what stands under the second root."""
    right = sqrt(EXCESS) * sqrt(bound) / (P * sqrt(DEPTH))
    return most_layers(lambda m: weight_value(m) * size(m) <= right)


FIRST, SECOND, THIRD = (f"proof of Corollary 17, {n} display" for n in ("first", "second", "third"))
NORMED = r"\lVert\tfrac1{\sqrt N}\alpha_{\ell-1}(X)\rVert"
VALUE = r"s_{k+1}(W_\ell)"
NEAREST = (
    "the nearest pair of a layer is told by its singular values "
    "(docs/mathematics/j23.md#the-nearest-matrices)"
)
EXCESS_TEXT = r"c_1-2\log\max_i|Jf_\theta(x_i)|_+"
ROOTS_TEXT = rf"\sqrt{{\sum_\ell {VALUE}^2}}\sqrt{{\sum_\ell{NORMED}_{{op}}^2}}"
FROBENIUS_TEXT = (
    r"\sqrt{\sum_\ell\lVert W_\ell-V_\ell V_{\ell-1}^T\rVert_F^2}"
    rf"\sqrt{{\sum_\ell{NORMED}_F^2}}"
)
ONE_FAR_POINT = (
    "$c$ bounds the mean of the traces over the points, not each of them: one far point, of "
    r"a large trace, where $|Jf_\theta(x_i)|_+$ is small outweighs the others"
)


def _step(
    name: str,
    place: str,
    title: str,
    text: str,
    says: Term,
    given: Sequence[Given] = GIVEN,
    cases: LayeredPool = FAMILIES,
    **others: Any,
) -> Claim:
    claim = f"j23.cor8.steps.{name}"
    return stated(claim, printed(place), title, text, says, given, pool=cases, **others)


def _as_product(*, mended: bool) -> Claim:
    """The first equality, of which the biases are left out."""
    text = r"$\tilde\alpha_\ell(X)=W_\ell\alpha_{\ell-1}(X)$; measured is the squared norm of the "
    return _step(
        "sv.a" + ".fix" * mended,
        FIRST,
        "pre-activations as a product" + ", without biases" * mended,
        "Without biases " * mended + text + "difference.",
        AS_PRODUCT,
        (FULLY_CONNECTED, SLOPE, *[NO_BIASES] * mended),
        PLAIN,
        exact_only=True,
        repairs="j23.cor8.steps.sv.a" if mended else None,
        why=""
        if mended
        else r"the biases are left out: $\tilde\alpha_\ell(X)=W_\ell\alpha_{\ell-1}(X)+b_\ell1^T$",
    )


def _by_product(*, mended: bool) -> Claim:
    """The inequality that follows from it."""
    text = r"$s_{k+1}(\tfrac1{\sqrt N}\tilde\alpha_\ell(X))\le " + VALUE + NORMED + "_{op}$."
    return _step(
        "sv.b" + ".fix" * mended,
        FIRST,
        "singular values of a product" + ", without biases" * mended,
        "Without biases " * mended + text,
        BY_PRODUCT,
        (*OF_K, *[NO_BIASES] * mended),
        WITH_K,
        repairs="j23.cor8.steps.sv.b" if mended else None,
        why=""
        if mended
        else "the biases are left out, which add a matrix of rank one to "
        r"$W_\ell\alpha_{\ell-1}(X)$",
    )


STEPS = (
    *(of(mended=mended) for of in (_as_product, _by_product) for mended in (False, True)),
    _step(
        "sum.a",
        SECOND,
        "the sum by Cauchy and Schwarz",
        rf"$\sum_\ell {VALUE}{NORMED}_{{op}}\le{ROOTS_TEXT}$.",
        Sum(ALL, lambda m: weight_value(m) * size(m)) <= ROOTS,
        OF_K,
        WITH_K,
    ),
    _step(
        "sum.b",
        SECOND,
        "Frobenius norms in the sums",
        rf"${ROOTS_TEXT}\le{FROBENIUS_TEXT}$.",
        frobenius_roots() >= ROOTS,
        through=NEAREST,
    ),
    _step(
        "sum.c",
        SECOND,
        "the sums by Theorems 6 and 7",
        rf"${FROBENIUS_TEXT}\le\sqrt{{{EXCESS_TEXT}}}"
        r"\sqrt{\frac1N\sum_i\frac{cL\max\{1,e^{c_1/k}\}}{k|Jf_\theta(x_i)|_+^{2/k}}}$.",
        in_sum(by_mean(LARGER_GROWTH)),
        through=NEAREST,
        why=ONE_FAR_POINT,
    ),
    _step(
        "sum.c.fix",
        SECOND,
        "the sums by Theorems 6 and 7, with the least Jacobian",
        rf"${FROBENIUS_TEXT}\le\sqrt{{{EXCESS_TEXT}}}"
        r"\sqrt{\frac{cL\max\{1,e^{c_1/k}\}}{k\min_i|Jf_\theta(x_i)|_+^{2/k}}}$.",
        in_sum(by_least(LARGER_GROWTH)),
        through=NEAREST,
        repairs="j23.cor8.steps.sum.c",
    ),
    _step(
        "layers.a",
        THIRD,
        "most layers by the sum",
        rf"For every $p\in(0,1)$ there are at least $(1-p)L$ layers where ${VALUE}{NORMED}_{{op}}"
        rf"\le\sqrt{{{EXCESS_TEXT}}}"
        r"\sqrt{\frac1N\sum_i\frac{c\,e^{c_1/k}}{k|Jf_\theta(x_i)|_+^{2/k}}}\frac1{p\sqrt L}$.",
        in_most_layers(by_mean(GROWTH)),
        (*GIVEN, SHARE),
        WITH_SHARE,
        why=ONE_FAR_POINT,
    ),
    _step(
        "layers.a.fix",
        THIRD,
        "most layers by the sum, with the least Jacobian",
        rf"For every $p\in(0,1)$ there are at least $(1-p)L$ layers where ${VALUE}{NORMED}_{{op}}"
        rf"\le\sqrt{{{EXCESS_TEXT}}}"
        r"\sqrt{\frac{c\max\{1,e^{c_1/k}\}}{k\min_i|Jf_\theta(x_i)|_+^{2/k}}}\frac1{p\sqrt L}$.",
        in_most_layers(by_least(LARGER_GROWTH)),
        (*GIVEN, SHARE),
        WITH_SHARE,
        repairs="j23.cor8.steps.layers.a",
    ),
    _step(
        "layers.b",
        THIRD,
        "the least Jacobian in the place of the mean",
        r"$\sqrt{\frac1N\sum_i\frac{c\,e^{c_1/k}}{k|Jf_\theta(x_i)|_+^{2/k}}}\le"
        r"\sqrt{\frac{c\,e^{c_1/k}}{k\min_i|Jf_\theta(x_i)|_+^{2/k}}}$.",
        sqrt(by_mean(GROWTH)) <= sqrt(by_least(GROWTH)),
    ),
)
CLAIMS = (PRINTED, REPAIRED, *STEPS)
