"""The proof of Proposition 13, third to fifth displays: bounds with masks, and the bound on the
norm at finite depth.

A sum sign without brackets governs all terms that follow: by the other reading l would not be bound
in them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from graphs.arithmetic import Array
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.deep.hypotheses import RELU, SMOOTH
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.jacobian_differences import (
    HALF,
    NO_LESS_THAN_1,
    PLACE,
    READING,
    WHY,
    WITH_CONSTANT,
    jacobian_difference,
    masked_squares,
    second,
)
from verify.papers.j23.lipschitz_constants import (
    LIPSCHITZ,
    constant_square,
    is_decided,
    larger,
    of_those,
)
from verify.papers.j23.lipschitz_proofs import table_of_masks
from verify.papers.j23.sources import printed

POINTWISE = pool(points=(2, 3))  # what is said of each point by itself is said of two at once


# bounds with masks --------------------------------------------------------------------------------
def schatten_power(scene: DeepScene, at: int) -> Array:
    """(C,): L |Jf(x)|_(2/L)^(2/L)."""
    sizes = scene.schatten(scene.jacobian(at), Fraction(2, scene.depth))
    return scene.share(sizes, scene.depth)


def masked_in(scene: DeepScene, at: int) -> Array:
    """(C,): sum_l |W_l D_(l-1)(x)|_F^2."""
    return sum(
        (
            scene.frobenius_squared(
                scene.columns_scaled(scene.weight(layer), scene.slopes(layer - 1)[:, at])
            )
            for layer in range(2, scene.depth + 1)
        ),
        start=scene.weight_square(1),
    )


def masked_out(scene: DeepScene, at: int) -> Array:
    """(C,): sum_l |D_l(x) W_l|_F^2."""
    return sum(
        (
            scene.frobenius_squared(
                scene.rows_scaled(scene.weight(layer), scene.slopes(layer)[:, at])
            )
            for layer in range(1, scene.depth)
        ),
        start=scene.weight_square(scene.depth),
    )


def mask_slack(scene: DeepScene, *, part: str) -> Entries:
    """sum_l |W_l D_(l-1)(x)|_F^2 (part a) or sum_l |D_l(x) W_l|_F^2 (part b) minus
    L |Jf(x)|_(2/L)^(2/L)."""
    left = {"a": masked_in, "b": masked_out}[part]
    return scene.parts(
        [({"point": at}, left(scene, at), schatten_power(scene, at)) for at in range(scene.count)]
    )


def _mask_bound(part: str) -> Claim:
    masked = {"a": r"W_\ell D_{\ell-1}(x)", "b": r"D_\ell(x)W_\ell"}[part]
    return Claim(
        f"j23.prop13.schatten.{part}",
        Kind.INEQUALITY,
        printed(PLACE + "third display"),
        "Schatten bound with masks",
        r"$L\lVert Jf_\theta(x)\rVert_{2/L}^{2/L}\le\sum_{\ell=1}^L\lVert "
        rf"{masked}\rVert_F^2$, with $D_0=I$, $D_L=I$.",
        (RELU, SMOOTH),
        ("j23.schatten@A",),
        partial(mask_slack, part=part),
        POINTWISE,
        exact_only=True,
        floats=True,
    )


PAIRS = pool(points=(2,))


# four terms ---------------------------------------------------------------------------------------
def half_of_the_masked(scene: DeepScene) -> Array:
    """(C,): half of the sum of the four terms."""
    ends = (0, second(scene))
    terms = [masked(scene, at) for at in ends for masked in (masked_in, masked_out)]
    return scene.share(sum(terms[1:], start=terms[0]), HALF)


def four_slack(scene: DeepScene, *, part: str) -> Entries:
    """Part a: half of the four terms - L |Jf(x)|^(2/L) - L |Jf(y)|^(2/L). Part b: the last line -
    half of the four terms."""
    middle = half_of_the_masked(scene)
    if part == "a":
        return scene.compare(
            middle, schatten_power(scene, 0) + schatten_power(scene, second(scene))
        )
    both = scene.share(scene.weights_square, 2)
    return scene.compare(both - scene.share(masked_squares(scene), HALF), middle)


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
    return Claim(
        f"j23.prop13.four.{part}",
        Kind.INEQUALITY,
        printed(PLACE + "fourth display"),
        f"four-term bound, inequality {part}",
        FOUR_WORDS[part],
        (RELU, SMOOTH),
        ("j23.prop13.schatten.a", "j23.prop13.schatten.b"),
        partial(four_slack, part=part),
        PAIRS,
        exact_only=True,
        floats=part == "a",  # of the other there is a proof
        proof=None if part == "a" else table_of_masks,
    )


# the bound at finite depth ------------------------------------------------------------------------
def finite_slack(scene: DeepScene, *, mended: bool = False) -> Entries:
    """|theta|^2 - (L |Jf(x)|^(2/L) + L |Jf(y)|^(2/L))/2 - |Jf(x) - Jf(y)|_*/C^2, times C^2; mended:
    1 for C where C < 1."""
    least = constant_square(scene)
    square = larger(scene, least, scene.constant(1)) if mended else least
    mean = scene.share(schatten_power(scene, 0) + schatten_power(scene, second(scene)), HALF)
    right = mean * square + scene.nuclear_norm(jacobian_difference(scene))
    entries = scene.compare(scene.parameter_square * square, right)
    return of_those(entries, is_decided(scene, least))


def _finite(*, mended: bool = False) -> Claim:
    name = "j23.prop13.finite@Bii"
    constant = NO_LESS_THAN_1 if mended else "C"
    return Claim(
        name + (".fix" if mended else ""),
        Kind.INEQUALITY,
        printed(PLACE + "fifth display"),
        "finite-depth norm bound" + (", repaired" if mended else ""),
        r"$\lVert\theta\rVert^2\ge\frac{L\lVert Jf_\theta(x)\rVert_{2/L}^{2/L}+L\lVert Jf_\theta(y)"
        rf"\rVert_{{2/L}}^{{2/L}}}}2+{constant}^{{-2}}"
        r"\lVert Jf_\theta(x)-Jf_\theta(y)\rVert_*$.",
        (RELU, SMOOTH, LIPSCHITZ),
        ("j23.prop13.nuclear.a", "j23.prop13.nuclear.b@Bii", "j23.prop13.four.b"),
        partial(finite_slack, mended=mended),
        WITH_CONSTANT,
        "Bii",
        READING,
        repairs=name if mended else None,
        exact_only=True,
        floats=True,
        why="" if mended else WHY,
    )


FINITE = (_finite(), _finite(mended=True))

CLAIMS = (
    *map(_mask_bound, "ab"),
    *map(_four, "ab"),
    *FINITE,
)
