"""The proof of Theorem 16 (Theorem 7): bounds on pseudo-determinants, and their quotient.

J_l, B_l and P_l are those of theorem7_steps.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

from graphs.arithmetic import Array
from verify.cases.scenes import Entries
from verify.core.claim import Kind
from verify.kinds.deep.hypotheses import NORM_BOUND
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.theorem7_measures import (
    c1,
    inverse_k,
    jacobian_power,
    jacobian_square,
    largest_squares,
    said,
    total,
    whole_k,
)
from verify.papers.j23.theorem7_steps import (
    CHAIN,
    OF_RANK,
    POINT,
    by_layer,
    restricted,
    step_claim,
)


# the chain of bounds ------------------------------------------------------------------------------
def lower_square(scene: DeepScene, layer: int) -> Array:
    """(C,): |J alpha~_l|_+^2."""
    return scene.pseudo_determinant_squared(scene.to_pre(layer))


def carried_square(scene: DeepScene, layer: int) -> Array:
    """(C,): the product of the squares of the k largest singular values of J alpha~_l."""
    return largest_squares(scene, scene.to_pre(layer), whole_k(scene))


def norm_share(scene: DeepScene, layer: int, exponent: Fraction) -> Array:
    """(C,): the Schatten sum of J alpha~_l with an exponent, divided by k."""
    return scene.schatten(scene.to_pre(layer), exponent) * inverse_k(scene)


def weight_average(scene: DeepScene, layer: int) -> Array:
    """(C,): (|W_1|_F^2 + ... + |W_l|_F^2) / (k l)."""
    squares = total([scene.weight_square(j) for j in range(1, layer + 1)])
    return scene.share(squares, Fraction(1, layer)) * inverse_k(scene)


def pdet_slack(scene: DeepScene, *, mended: bool = False) -> Entries:
    """|J_l|_(2/L)^(2/L) / k - |J_l|_+^(2/(k l)); mended with 2/l in the place of 2/L, and the
    product of the k largest singular values in that of |J_l|_+."""

    def sides(layer: int) -> tuple[Array, Array]:
        exponent = Fraction(2, layer if mended else scene.depth)
        square = (carried_square if mended else lower_square)(scene, layer)
        return norm_share(scene, layer, exponent), jacobian_power(scene, square, layer)

    return by_layer(scene, sides)


def schatten_slack(scene: DeepScene, *, mended: bool = False) -> Entries:
    """(|W_1|^2 + ... + |W_l|^2) / (k l) - |J_l|_(2/L)^(2/L) / k; mended with 2/l."""
    return by_layer(
        scene,
        lambda layer: (
            weight_average(scene, layer),
            norm_share(scene, layer, Fraction(2, layer if mended else scene.depth)),
        ),
    )


def parameter_slack(scene: DeepScene) -> Entries:
    """|theta|^2 / (k L) - (|W_1|^2 + ... + |W_l|^2) / (k l)."""
    whole = scene.share(scene.parameter_square, Fraction(1, scene.depth)) * inverse_k(scene)
    return by_layer(scene, lambda layer: (whole, weight_average(scene, layer)))


def constant_slack(scene: DeepScene) -> Entries:
    """1 + c_1 / (k L) - |theta|^2 / (k L)."""
    share = scene.share(inverse_k(scene), Fraction(1, scene.depth))
    right = scene.parameter_square * share
    return said(scene, scene.compare(scene.constant(1) + c1(scene) * share, right))


DISPLAY = "display after the averages"
LAYER = r"$1\le\ell\le L$: "
SCHATTENS = (
    step_claim(
        "schatten.a",
        Kind.INEQUALITY,
        DISPLAY,
        "pseudo-determinant and Schatten norm",
        LAYER + r"$|J\tilde\alpha_\ell(x)|_+^{\frac2{k\ell}}\le"
        r"\frac1k\lVert J\tilde\alpha_\ell(x)\rVert_{2/L}^{2/L}$.",
        CHAIN,
        pdet_slack,
        POINT,
        why=r"$|J\tilde\alpha_\ell(x)|_+$ has as many factors as its rank, which may be above $k$, "
        r"and the exponent has to be $2/\ell$, the number of the layers, not $2/L$",
    ),
    step_claim(
        "schatten.b",
        Kind.INEQUALITY,
        DISPLAY,
        "Schatten norm and norms of the weights",
        LAYER + r"$\frac1k\lVert J\tilde\alpha_\ell(x)\rVert_{2/L}^{2/L}\le"
        r"\frac{\lVert W_1\rVert^2+\dots+\lVert W_\ell\rVert^2}{k\ell}$.",
        CHAIN,
        schatten_slack,
        POINT,
        why=r"the exponent of a product of $\ell$ matrices has to be $2/\ell$, not $2/L$: small "
        "singular values are larger with the smaller exponent",
    ),
    step_claim(
        "schatten.c",
        Kind.INEQUALITY,
        DISPLAY,
        "norms of the lower weights and of all parameters",
        LAYER + r"$\frac{\lVert W_1\rVert^2+\dots+\lVert W_\ell\rVert^2}{k\ell}\le"
        r"\frac{\lVert\theta\rVert^2}{kL}$.",
        CHAIN,
        parameter_slack,
        POINT,
    ),
    step_claim(
        "schatten.d",
        Kind.INEQUALITY,
        DISPLAY,
        "the norm and its constant",
        r"$\frac{\lVert\theta\rVert^2}{kL}\le1+\frac{c_1}{kL}$.",
        (*CHAIN, NORM_BOUND),
        constant_slack,
        POINT,
    ),
)
MENDED = (
    replace(
        SCHATTENS[0],
        id="j23.thm7.steps.schatten.a.fix",
        title="the k largest singular values and a Schatten norm",
        statement=LAYER + r"$\prod_{i\le k}s_i(J\tilde\alpha_\ell(x))^{\frac2{k\ell}}\le"
        r"\frac1k\lVert J\tilde\alpha_\ell(x)\rVert_{2/\ell}^{2/\ell}$.",
        measure=partial(pdet_slack, mended=True),
        why="",
        repairs="j23.thm7.steps.schatten.a",
    ),
    replace(
        SCHATTENS[1],
        id="j23.thm7.steps.schatten.b.fix",
        title="Schatten norm of the layer and norms of the weights",
        statement=LAYER + r"$\frac1k\lVert J\tilde\alpha_\ell(x)\rVert_{2/\ell}^{2/\ell}\le"
        r"\frac{\lVert W_1\rVert^2+\dots+\lVert W_\ell\rVert^2}{k\ell}$.",
        measure=partial(schatten_slack, mended=True),
        why="",
        repairs="j23.thm7.steps.schatten.b",
    ),
)


# quotient of pseudo-determinants ------------------------------------------------------------------
def restricted_square(scene: DeepScene, layer: int) -> Array:
    """(C,): |B_l P_l|_+^2."""
    return scene.pseudo_determinant_squared(restricted(scene, layer))


def quotient_defect(scene: DeepScene) -> Entries:
    """|B_l P_l|_+^2 |J_l|_+^2 - |Jf|_+^2, which is 0 where the quotient is as printed."""
    whole = jacobian_square(scene)
    return by_layer(
        scene,
        lambda layer: (restricted_square(scene, layer) * lower_square(scene, layer), whole),
    )


def quotient_slack(scene: DeepScene) -> Entries:
    """|B_l P_l|_+^2 times the squares of the k largest singular values of J_l, minus |Jf|_+^2."""
    whole = jacobian_square(scene)
    return by_layer(
        scene,
        lambda layer: (restricted_square(scene, layer) * carried_square(scene, layer), whole),
    )


ALIGNED = "aligned display"
QUOTIENT = step_claim(
    "quotient.b",
    Kind.IDENTITY,
    ALIGNED,
    "quotient of pseudo-determinants",
    r"$k\,|J(\tilde\alpha_\ell\to f_\theta)(x)P_\ell|_+^{2/k}="
    r"k\,\frac{|Jf_\theta(x)|_+^{2/k}}{|J\tilde\alpha_\ell(x)|_+^{2/k}}$; measured are the squares "
    r"of both sides' $k$-th powers times the denominator.",
    OF_RANK,
    quotient_defect,
    POINT,
    why=r"pseudo-determinants multiply where the image of $J\tilde\alpha_\ell(x)$ has the "
    r"dimension $k$; where it has more, $J(\tilde\alpha_\ell\to f_\theta)(x)P_\ell$ has a kernel "
    "inside it",
)
QUOTIENTS = (
    QUOTIENT,
    replace(
        QUOTIENT,
        id="j23.thm7.steps.quotient.b.fix",
        kind=Kind.INEQUALITY,
        floats=True,
        title="quotient with the k largest singular values",
        statement=r"$k\,|J(\tilde\alpha_\ell\to f_\theta)(x)P_\ell|_+^{2/k}\ge "
        r"k\,\frac{|Jf_\theta(x)|_+^{2/k}}{\prod_{i\le k}s_i(J\tilde\alpha_\ell(x))^{2/k}}$.",
        measure=quotient_slack,
        why="",
        repairs="j23.thm7.steps.quotient.b",
    ),
)

CLAIMS = (*SCHATTENS, *MENDED, *QUOTIENTS)
