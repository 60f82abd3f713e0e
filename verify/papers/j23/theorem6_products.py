"""The proof of Theorem 15: projections inserted, the product and the sum over the layers.

N_l, M_l and what is carried along are those of theorem6_measures. A pair of bars without "+" is
the pseudo-determinant too. The sum sign of the third display
governs all that follows: read otherwise, l is bound nowhere.
"""

from __future__ import annotations

from dataclasses import replace

from graphs.arithmetic import Array
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.deep.hypotheses import K_AT_LEAST_1, RANK
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_cases import NETWORKS
from verify.papers.j23.theorem6_measures import (
    Part,
    image,
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


# the first two displays ---------------------------------------------------------------------------
def insert_residual(scene: DeepScene) -> Entries:
    """Jf(x) minus W_L P_(L-1) D_(L-1) ... P_1 D_1 W_1, P_l the projection to Im J alpha_l."""
    product = scene.weight(1)
    for layer in range(1, scene.depth):
        passed = scene.rows_scaled(product, scene.slopes(layer)[:, 0])
        product = scene.weight(layer + 1) @ image(scene, scene.to_post(layer)) @ passed
    jacobian = scene.jacobian()
    places = [(i, j) for i in range(jacobian.shape[1]) for j in range(jacobian.shape[2])]
    return scene.parts(
        [({"row": i, "column": j}, jacobian[:, i, j], product[:, i, j]) for i, j in places]
    )


def _product(scene: DeepScene, inner: Part, slope: Part) -> Array:
    """(C,): the square of the product over the layers."""
    found = scene.pseudo_determinant_squared(inner(scene, scene.depth))
    for layer in range(1, scene.depth):
        found = found * scene.pseudo_determinant_squared(slope(scene, layer))
        found = found * scene.pseudo_determinant_squared(inner(scene, layer))
    return found


def product_residual(scene: DeepScene) -> Entries:
    """|Jf|_+^2 minus the square of the product, by pseudo-determinants throughout."""
    right = _product(scene, inner_part, slope_part)
    return scene.compare(scene.pseudo_determinant_squared(scene.jacobian()), right)


def carried_product_residual(scene: DeepScene) -> Entries:
    """The same with W_l P_(J alpha_(l-1) K) and D_l P_(J alpha~_l K)."""
    right = _product(scene, inner_part_carried, slope_part_carried)
    return scene.compare(scene.pseudo_determinant_squared(scene.jacobian()), right)


# the third display --------------------------------------------------------------------------------
def _first_member(scene: DeepScene, inner: Part, slope: Part) -> Array:
    """The sum over the layers, plus k L and 2 log |Jf(x)|_+: one logarithm of a quotient of squares
    of pseudo-determinants, so that equality is exact."""
    product = _product(scene, inner, slope)
    product = product * scene.pseudo_determinant_squared(slope(scene, scene.depth))
    quotient = product / scene.pseudo_determinant_squared(scene.jacobian())
    return scene.weights_square - scene.log(quotient)


def sum_residual(scene: DeepScene) -> Entries:
    """The first member minus the second, k L and 2 log |Jf(x)|_+ added to both."""
    return scene.compare(_first_member(scene, inner_part, slope_part), scene.parameter_square)


def sum_residual_carried(scene: DeepScene) -> Entries:
    """The same, biases left out, with the parts that are carried along."""
    left = _first_member(scene, inner_part_carried, slope_part_carried)
    return scene.compare(left, scene.weights_square)


# claims -------------------------------------------------------------------------------------------
WHY = (
    r"The projections before and behind a layer cut off the same angle more than once: for all "
    r"neurons active, $W_1=x$ and $W_2=w^T$ unit vectors with $x\cdot w=c$, $|Jf_\theta|_+=c$ and "
    r"the "
    r"product is $c^3$."
)
INSERT = Claim(
    "j23.thm6.insert",
    Kind.IDENTITY,
    printed(f"{PROOF}, first display"),
    "projections inserted in the Jacobian",
    r"$Jf_\theta(x)=W_LD_{L-1}(x)\cdots D_1(x)W_1=W_LP_{\mathrm{Im}J\alpha_{L-1}(x)}D_{L-1}(x)"
    r"\cdots P_{\mathrm{Im}J\alpha_1(x)}D_1(x)W_1$.",
    POINT,
    ("j23.setup",),
    insert_residual,
    PLAIN,
    exact_only=True,
)

PRODUCT_B = Claim(
    "j23.thm6.product@B",
    Kind.IDENTITY,
    printed(f"{PROOF}, second display"),
    "product over the layers",
    WITH + PRODUCT % "|M_{L-1}|",
    (*POINT, RANK, K_AT_LEAST_1),
    ("j23.thm6.insert", "j23.thm6.pdet@A"),
    product_residual,
    WITH_K,
    reading="B",
    reading_text=PSEUDO,
    exact_only=True,
    why=WHY,
)
PRODUCTS = (
    PRODUCT_B,
    replace(
        PRODUCT_B,
        id="j23.thm6.product@B.fix",
        title="product over the layers, repaired",
        statement=CARRIED + PRODUCT % "|M_{L-1}|_+",
        measure=carried_product_residual,
        repairs="j23.thm6.product@B",
        why="",
    ),
)

SUM = Claim(
    "j23.thm6.sum.a",
    Kind.IDENTITY,
    printed(f"{PROOF}, third display, equality"),
    "sum over the layers",
    WITH + rf"${SUMMANDS}=\lVert\theta\rVert^2-kL-2\log|{JF}|_+$.",
    GIVEN,
    ("j23.thm6.product@B",),
    sum_residual,
    NETWORKS,
    exact_only=True,
    why=r"It is the logarithm of the product over the layers, which fails; and the biases in "
    r"$\lVert"
    r"\theta\rVert^2$ do not stand on the left.",
)
SUMS = (
    SUM,
    replace(
        SUM,
        id="j23.thm6.sum.a.fix",
        title="sum over the layers, repaired",
        statement=CARRIED + rf"${SUMMANDS}=\sum_\ell\lVert W_\ell\rVert_F^2-kL-2\log|{JF}|_+$.",
        measure=sum_residual_carried,
        repairs="j23.thm6.sum.a",
        depends=("j23.thm6.product@B.fix",),
        why="",
    ),
)

CLAIMS = (INSERT, *PRODUCTS, *SUMS)
