"""Bounds on v^T Jf(x) u and on the mixed derivative of the kernel along u and v (proof of
Proposition 18, part 1, second and third displays).

Inequalities between roots are measured as such between powers: both sides to the power L, and
multiplied by what stands below a fraction line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod

import numpy as np

from graphs.arithmetic import Array
from verify.cases.hypotheses import Hypothesis, by_scene
from verify.cases.scenes import Entries
from verify.core.argument import Argument
from verify.core.claim import Claim, Kind
from verify.kinds.deep.hypotheses import RELU, SLOPE, SMOOTH
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.bilinear_proofs import (
    bound_of_singular_vectors,
    last_step_for_unit_vectors,
    masks_are_idempotent_for_relu,
    product_bounds_the_form,
    product_telescopes,
    terms_are_bounded,
)
from verify.papers.j23.kernels import (
    TRANSPOSED,
    VECTORS,
    WITH_VECTORS,
    applied,
    dot,
    pulled_back,
    pushed,
)
from verify.papers.j23.singular_vectors import SINGULAR_PAIR, UNIT
from verify.papers.j23.sources import printed

PLACE = "proof of Proposition 18, part 1, "


# a product bounds the bilinear form ---------------------------------------------------------------
def bilinear(scene: DeepScene, at: int) -> Array:
    """(C,): v^T Jf(x) u."""
    return dot(scene["v"], applied(scene, scene.jacobian(at), scene["u"]))


def product_slack(scene: DeepScene) -> Entries:
    """|D_l ... D_1 W_1 u|^2 |D_l ... D_(L-1) W_L^T v|^2 - (v^T Jf(x) u)^2 for every l and point."""
    parts = []
    for at in range(scene.count):
        form = bilinear(scene, at)
        for layer in range(1, scene.depth + 1):
            back = pulled_back(scene, layer, at)
            left = scene.square(pushed(scene, layer, at)) * scene.square(back)
            parts.append(({"point": at, "layer": layer}, left, form * form))
    return scene.parts(parts)


def idempotence_residual(scene: DeepScene) -> Entries:
    """The sum over the neurons of layer l of (d d - d)^2, at each point; l from 1 to L."""
    parts = []
    for at in range(scene.count):
        for layer in range(1, scene.depth + 1):
            masks = scene.slopes(layer)[:, at]
            label = {"point": at, "layer": layer}
            parts.append((label, scene.square(masks * masks - masks), scene.constant(0)))
    return scene.parts(parts)


SLOPES_COUNT = (
    r"where a neuron is on its lower side $D_\ell^2$ is $a^2$ and not $a$, so for leaky slopes the "
)


def _product(*, mended: bool = False) -> Claim:
    return Claim(
        f"j23.prop9.prod@B{'.fix' if mended else ''}",
        Kind.INEQUALITY,
        printed(PLACE + "second display"),
        "bound on the bilinear form" + (", repaired for the ReLU" if mended else ""),
        r"$|v^TJf_\theta(x)u|\le\lVert D_\ell(x)\cdots D_1(x)W_1u\rVert_2\,"
        r"\lVert D_\ell(x)\cdots D_{L-1}(x)W_L^Tv\rVert_2$ for $1\le\ell\le L$, with $D_L=I$.",
        (RELU if mended else SLOPE, SMOOTH),
        ("j23.setup",),
        product_slack,
        WITH_VECTORS,
        "B",
        TRANSPOSED,
        repairs="j23.prop9.prod@B" if mended else None,
        exact_only=mended,  # there is a proof
        proof=product_bounds_the_form if mended else None,
        why="" if mended else SLOPES_COUNT + "mask counts twice on the right and once on the left",
    )


def _idempotent(*, mended: bool) -> Claim:
    return Claim(
        "j23.prop9.prod.masks" + (".fix" if mended else ""),
        Kind.IDENTITY,
        printed(PLACE + "line before the second display"),
        "masks are idempotent" + (", repaired" if mended else ""),
        r"$D_\ell(x)D_\ell(x)=D_\ell(x)$" + (" for the ReLU." if mended else "."),
        (RELU if mended else SLOPE, SMOOTH),
        measure=idempotence_residual,
        pool=pool(),
        repairs="j23.prop9.prod.masks" if mended else None,
        exact_only=True,
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
def lengths_squared(scene: DeepScene, at: int) -> list[Array]:
    """|D_l ... D_1 W_1 u|^2 for l = 0 (of u) to L (of Jf(x) u): (C,) each."""
    return [scene.square(pushed(scene, layer, at)) for layer in range(scene.depth + 1)]


def sum_of_ratios(lengths: Sequence[Array]) -> tuple[Array, Array]:
    """Numerator and denominator of sum_l p_(l-1)^2 / p_l^2, from the p_l^2, l = 0 to L."""
    below = lengths[1:]
    numerator = sum(
        length * _product_of([*below[:k], *below[k + 1 :]], length * 0 + 1)
        for k, length in enumerate(lengths[:-1])
    )
    return numerator, _product_of(below, below[0] * 0 + 1)


def _product_of(factors: Sequence[Array], one: Array) -> Array:
    return prod(factors, start=one)


def power(values: Array, exponent: int) -> Array:
    """Each number to a power, a positive integer."""
    return prod([values] * (exponent - 1), start=values)


def chain_slack(scene: DeepScene, *, part: int) -> Entries:
    """The inequality of that number, from the left, at each point."""
    measures = {1: _first, 2: _second, 3: _third}
    return scene.parts([({"point": at}, *measures[part](scene, at)) for at in range(scene.count)])


def _first(scene: DeepScene, at: int) -> tuple[Array, Array]:
    """The derivative against (v^T J u)^2 times the sum of ratios, both times the denominator."""
    lengths, form = lengths_squared(scene, at), bilinear(scene, at)
    numerator, denominator = sum_of_ratios(lengths)
    derivative = sum(
        lengths[layer - 1] * scene.square(pulled_back(scene, layer, at))
        for layer in range(1, scene.depth + 1)
    )
    return derivative * denominator, form * form * numerator


def _second(scene: DeepScene, at: int) -> tuple[Array, Array]:
    """The sum of ratios against L (|u|^2/|Ju|^2)^(1/L), each times (v^T J u)^2: to the power L,
    times |Ju|^2 and the denominator to the power L."""
    lengths, form, depth = lengths_squared(scene, at), bilinear(scene, at), scene.depth
    numerator, denominator = sum_of_ratios(lengths)
    square = form * form
    left = power(square * numerator, depth) * lengths[-1]
    right = power(scene.share(square * denominator, depth), depth) * lengths[0]
    return left, right


def _third(scene: DeepScene, at: int) -> tuple[Array, Array]:
    """L s^2 (|u|^2/|Ju|^2)^(1/L) against L s^2/|Ju|^(2/L), s = v^T J u: to the power L, times
    |Ju|^2 / L^L."""
    both = power(bilinear(scene, at), 2 * scene.depth)
    return both * scene.square(scene["u"]), both


def singular_residual(scene: DeepScene) -> Entries:
    """L (v^T J u)^2/|J u|^(2/L) - L s^(2-2/L) at the first point, for s > 0: to the power L, times
    |J u|^2 / L^L."""
    moved = scene.square(applied(scene, scene.jacobian(0), scene["u"]))
    left = power(bilinear(scene, 0), 2 * scene.depth)
    right = moved * _product_of([scene["s"]] * (2 * scene.depth - 2), scene.constant(1))
    return scene.parts([({"point": 0}, left, right)])


def _moves_u(scene: DeepScene) -> np.ndarray:
    moved = [
        scene.square(applied(scene, scene.jacobian(at), scene["u"])) for at in range(scene.count)
    ]
    zero = [scene.arithmetic.may_be_zero(square) for square in moved]
    return np.asarray(~np.any(zero, axis=0))


MOVES = Hypothesis(
    "u is moved", r"$Jf_\theta(x)u\ne0$: what is divided by is not 0", by_scene(_moves_u)
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
    return Claim(
        f"j23.prop9.chain.{part}@B{'.fix' if mended else ''}",
        Kind.INEQUALITY,
        printed(PLACE + "third display"),
        f"lower bound on the mixed derivative, step {part}"
        + (", repaired for the ReLU" if mended else ""),
        rf"${left}\ge {right}$.",
        (RELU if mended else SLOPE, SMOOTH, MOVES, UNIT),
        ("j23.prop9.formula@B", "j23.prop9.prod@B"),
        partial(chain_slack, part=part),
        WITH_VECTORS,
        "B",
        "$u,v$ are unit vectors",
        repairs=f"j23.prop9.chain.{part}@B" if mended else None,
        exact_only=True,
        proof=None if refuted else PROOFS[part],
        why=SLOPES_COUNT + "bound of the display before it fails, and with it this one"
        if refuted
        else "",
    )


CHAIN = (*map(_step, STEPS), _step(1, mended=True))

SINGULAR_VALUES = Claim(
    "j23.prop9.chain.singular",
    Kind.IDENTITY,
    printed(PLACE + "line after the third display"),
    "the bound for singular vectors",
    r"If $u,v$ are right and left singular vectors of $Jf_\theta(x)$ with singular value $s$, then "
    r"$L|v^TJf_\theta(x)u|^2/\lVert Jf_\theta(x)u\rVert_2^{2/L}=Ls^{2-\frac2L}$.",
    (SLOPE, SMOOTH, SINGULAR_PAIR),
    measure=singular_residual,
    pool=pool(points=(1,), extras=VECTORS, gaps=("s",)),
    proof=bound_of_singular_vectors,
)

CLAIMS = (*PRODUCTS, *CHAIN, SINGULAR_VALUES)
