"""The proof of Theorem 16 (Theorem 7): bounds on pseudo-determinants, and their quotient.

J_l, B_l and P_l are those of theorem7_steps.
"""

from __future__ import annotations

from typing import Any

from verify.core.claim import Claim
from verify.language.building import Each, pdet2, schatten
from verify.language.terms import Term
from verify.papers.j23.network_notation import (
    ALL,
    C1,
    DEPTH,
    NORM_BOUND,
    PARAMETER_SQUARE,
    Index,
    K,
    jacobian_square,
    to_pre,
)
from verify.papers.j23.theorem7_notation import first_values, lower_weights, restricted, root
from verify.papers.j23.theorem7_steps import (
    CHAIN,
    OF_RANK,
    WITH_C1,
    WITH_K,
    by_layer,
    step_claim,
)


# the chain of bounds ------------------------------------------------------------------------------
def lower_square(m: Index, x: Index) -> Term:
    """|J alpha~_l|_+^2."""
    return pdet2(to_pre(m, x))


def carried_square(m: Index, x: Index) -> Term:
    """The product of the squares of the k largest singular values of J alpha~_l."""
    return first_values(to_pre(m, x)) ** 2


def norm_share(m: Index, x: Index, layers: Index) -> Term:
    """|J alpha~_l|_(2/n)^(2/n) / k, n the number of layers that is written there."""
    return schatten(to_pre(m, x), 2 / layers) / K


def weight_average(m: Index) -> Term:
    """(|W_1|_F^2 + ... + |W_l|_F^2) / (k l)."""
    return lower_weights(m) / (K * m)


DISPLAY = "display after the averages"
LAYER = r"$1\le\ell\le L$: "
BELOW_AVERAGE = r"\le\frac{\lVert W_1\rVert^2+\dots+\lVert W_\ell\rVert^2}{k\ell}$."


def _schatten(part: str, title: str, text: str, says: Term, **others: Any) -> Claim:
    return step_claim(
        f"schatten.{part}", DISPLAY, title, LAYER + text, says, CHAIN, WITH_K, **others
    )


SCHATTENS = (
    _schatten(
        "a",
        "pseudo-determinant and Schatten norm",
        r"$|J\tilde\alpha_\ell(x)|_+^{\frac2{k\ell}}\le"
        r"\frac1k\lVert J\tilde\alpha_\ell(x)\rVert_{2/L}^{2/L}$.",
        by_layer(lambda m, x: lower_square(m, x) ** (1 / (K * m)) <= norm_share(m, x, DEPTH)),
        why=r"$|J\tilde\alpha_\ell(x)|_+$ has as many factors as its rank, which may be above $k$, "
        r"and the exponent has to be $2/\ell$, the number of the layers, not $2/L$",
    ),
    _schatten(
        "b",
        "Schatten norm and norms of the weights",
        r"$\frac1k\lVert J\tilde\alpha_\ell(x)\rVert_{2/L}^{2/L}" + BELOW_AVERAGE,
        by_layer(lambda m, x: norm_share(m, x, DEPTH) <= weight_average(m)),
        why=r"the exponent of a product of $\ell$ matrices has to be $2/\ell$, not $2/L$: small "
        "singular values are larger with the smaller exponent",
    ),
    _schatten(
        "c",
        "norms of the lower weights and of all parameters",
        r"$\frac{\lVert W_1\rVert^2+\dots+\lVert W_\ell\rVert^2}{k\ell}\le"
        r"\frac{\lVert\theta\rVert^2}{kL}$.",
        Each(ALL, lambda m: weight_average(m) <= PARAMETER_SQUARE / (K * DEPTH)),
    ),
    step_claim(
        "schatten.d",
        DISPLAY,
        "the norm and its constant",
        r"$\frac{\lVert\theta\rVert^2}{kL}\le1+\frac{c_1}{kL}$.",
        PARAMETER_SQUARE / (K * DEPTH) <= 1 + C1 / (K * DEPTH),
        (*CHAIN, NORM_BOUND),
        WITH_C1,
    ),
    _schatten(
        "a.fix",
        "the k largest singular values and a Schatten norm",
        r"$\prod_{i\le k}s_i(J\tilde\alpha_\ell(x))^{\frac2{k\ell}}\le"
        r"\frac1k\lVert J\tilde\alpha_\ell(x)\rVert_{2/\ell}^{2/\ell}$.",
        by_layer(lambda m, x: carried_square(m, x) ** (1 / (K * m)) <= norm_share(m, x, m)),
        repairs="j23.thm7.steps.schatten.a",
    ),
    _schatten(
        "b.fix",
        "Schatten norm of the layer and norms of the weights",
        r"$\frac1k\lVert J\tilde\alpha_\ell(x)\rVert_{2/\ell}^{2/\ell}" + BELOW_AVERAGE,
        by_layer(lambda m, x: norm_share(m, x, m) <= weight_average(m)),
        repairs="j23.thm7.steps.schatten.b",
    ),
)


# quotient of pseudo-determinants ------------------------------------------------------------------
def restricted_square(m: Index, x: Index) -> Term:
    """|B_l P_l|_+^2."""
    return pdet2(restricted(m, x))


def _mended_quotient(m: Term, x: Term) -> Term:
    quotient = root(jacobian_square(x)) / root(carried_square(m, x))
    return K * root(restricted_square(m, x)) >= K * quotient


ALIGNED = "aligned display"
QUOTIENTS = (
    step_claim(
        "quotient.b",
        ALIGNED,
        "quotient of pseudo-determinants",
        r"$k\,|J(\tilde\alpha_\ell\to f_\theta)(x)P_\ell|_+^{2/k}="
        r"k\,\frac{|Jf_\theta(x)|_+^{2/k}}{|J\tilde\alpha_\ell(x)|_+^{2/k}}$; measured are the "
        r"$k$-th powers of both sides over $k$, times the denominator.",
        by_layer(lambda m, x: restricted_square(m, x) * lower_square(m, x) == jacobian_square(x)),
        OF_RANK,
        WITH_K,
        why=r"pseudo-determinants multiply where the image of $J\tilde\alpha_\ell(x)$ has the "
        r"dimension $k$; where it has more, $J(\tilde\alpha_\ell\to f_\theta)(x)P_\ell$ has a "
        "kernel inside it",
    ),
    step_claim(
        "quotient.b.fix",
        ALIGNED,
        "quotient with the k largest singular values",
        r"$k\,|J(\tilde\alpha_\ell\to f_\theta)(x)P_\ell|_+^{2/k}\ge "
        r"k\,\frac{|Jf_\theta(x)|_+^{2/k}}{\prod_{i\le k}s_i(J\tilde\alpha_\ell(x))^{2/k}}$.",
        by_layer(_mended_quotient),
        OF_RANK,
        WITH_K,
        repairs="j23.thm7.steps.quotient.b",
    ),
)

CLAIMS = (*SCHATTENS, *QUOTIENTS)
