"""The proof of Theorem 15, display by display.

N_l, M_l and what is carried along are those of theorem6_measures. A pair of bars without "+" is
read as the determinant (A) or the pseudo-determinant (B). The sum sign of the third display
governs all that follows: read otherwise, l is bound nowhere. "Positive" is read as > 0 (A) or
>= 0 (B). The Jacobians are those at the first point; there is one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.deep import Deep
from verify.deep_hypotheses import K_AT_LEAST_1, NORM_BOUND, RANK, SLOPE, SMOOTH, with_number
from verify.deep_scene import DeepScene
from verify.hypotheses import Hypothesis, by_case
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_cases import NETWORKS, frame_pool
from verify.papers.j23.theorem6_measures import (
    Part,
    excess,
    image,
    inner_part,
    inner_part_carried,
    kept,
    layers,
    missing,
    rank_number,
    ranks,
    selected,
    slope_part,
    slope_part_carried,
    to_svd,
)
from verify.vocabulary import Entries

PLAIN = frame_pool()
WITH_K = frame_pool(whole=(("k", 0, 3),))


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


def determinant_squared(scene: DeepScene, matrices: Array) -> Array:
    """(C,): of square matrices, through the pseudo-determinant of those of full rank."""
    whole = np.asarray(scene.rank_of(matrices) == matrices.shape[1], dtype=np.int64)
    options = [scene.constant(0), scene.pseudo_determinant_squared(matrices)]
    return selected(scene, options, whole)


Measured = Callable[[DeepScene, Array], Array]


def pseudo_determinant_squared(scene: DeepScene, matrices: Array) -> Array:
    """(C,): |M|_+^2."""
    return scene.pseudo_determinant_squared(matrices)


def _product(scene: DeepScene, inner: Part, slope: Part, bars: Measured) -> Array:
    """(C,): the square of the product over the layers."""
    found = scene.pseudo_determinant_squared(inner(scene, scene.depth))
    for layer in range(1, scene.depth):
        found = found * bars(scene, slope(scene, layer))
        found = found * scene.pseudo_determinant_squared(inner(scene, layer))
    return found


def product_residual(scene: DeepScene) -> Entries:
    """|Jf|_+^2 minus the square of the product, by pseudo-determinants throughout."""
    right = _product(scene, inner_part, slope_part, pseudo_determinant_squared)
    return scene.compare(scene.pseudo_determinant_squared(scene.jacobian()), right)


def product_residual_determinants(scene: DeepScene) -> Entries:
    """The same with determinants of the factors with D."""
    right = _product(scene, inner_part, slope_part, determinant_squared)
    return scene.compare(scene.pseudo_determinant_squared(scene.jacobian()), right)


def carried_product_residual(scene: DeepScene) -> Entries:
    """The same with W_l P_(J alpha_(l-1) K) and D_l P_(J alpha~_l K)."""
    right = _product(scene, inner_part_carried, slope_part_carried, pseudo_determinant_squared)
    return scene.compare(scene.pseudo_determinant_squared(scene.jacobian()), right)


# the third display --------------------------------------------------------------------------------
def _first_member(scene: DeepScene, inner: Part, slope: Part) -> Array:
    """The sum over the layers, plus k L and 2 log |Jf(x)|_+: one logarithm of a quotient of squares
    of pseudo-determinants, so that equality is exact."""
    product = _product(scene, inner, slope, pseudo_determinant_squared)
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


def sum_slack(scene: DeepScene) -> Entries:
    """c_1 minus |theta|^2 - k L: the third member minus the second."""
    return scene.compare(excess(scene) + scene["gap"], excess(scene))


def _chain_slack(scene: DeepScene, inner: Part, slope: Part) -> Entries:
    lengths = scene.share(rank_number(scene), scene.depth)
    return scene.compare(excess(scene) + scene["gap"], _first_member(scene, inner, slope) - lengths)


def chain_slack(scene: DeepScene) -> Entries:
    """The third member minus the first."""
    return _chain_slack(scene, inner_part, slope_part)


def chain_slack_carried(scene: DeepScene) -> Entries:
    """The same with the parts that are carried along."""
    return _chain_slack(scene, inner_part_carried, slope_part_carried)


# the fourth to the seventh display ----------------------------------------------------------------
def dterm_slack(scene: DeepScene) -> Entries:
    """-2 log |M_l|_+ minus k - |M_l|_F^2."""
    parts = []
    for layer in layers(scene):
        square = scene.pseudo_determinant_squared(slope_part(scene, layer))
        parts.append(({"layer": layer}, -scene.log(square), missing(scene, layer)))
    return scene.parts(parts)


def dterm_slack_determinant(scene: DeepScene) -> Entries:
    """The same where M_l is invertible, so that |det M_l| has a logarithm."""
    invertible = [
        scene.rank_of(slope_part(scene, layer)) == scene.width(layer) for layer in layers(scene)
    ]
    return kept(dterm_slack(scene), np.concatenate(invertible))


def dterm_sign(scene: DeepScene) -> Entries:
    """The sign of k - |M_l|_F^2, minus 1: at least 0 where that is positive."""
    parts = []
    for layer in layers(scene):
        rest = missing(scene, layer)
        signs = scene.numbers([int(value > 0) - int(value < 0) for value in rest])
        parts.append(({"layer": layer}, signs, scene.constant(1)))
    return scene.parts(parts)


def dterm_rest(scene: DeepScene) -> Entries:
    """k - |M_l|_F^2."""
    k = rank_number(scene)
    return scene.parts(
        [
            ({"layer": layer}, k, scene.frobenius_squared(slope_part(scene, layer)))
            for layer in layers(scene)
        ]
    )


def split_residual(scene: DeepScene) -> Entries:
    """|W_l|^2 minus |N_l|^2 + |W_l - N_l|^2: k and the logarithm are on both sides."""
    parts = []
    for layer in layers(scene):
        part = inner_part(scene, layer)
        rest = scene.frobenius_squared(scene.weight(layer) - part)
        right = scene.frobenius_squared(part) + rest
        parts.append(({"layer": layer}, scene.weight_square(layer), right))
    return scene.parts(parts)


def lower_slack(scene: DeepScene) -> Entries:
    """|W_l|^2 - k - 2 log |N_l|_+ minus |W_l - U_l V_l^T|^2."""
    parts = []
    for layer in layers(scene):
        square = scene.pseudo_determinant_squared(inner_part(scene, layer))
        left = scene.weight_square(layer) - rank_number(scene) - scene.log(square)
        parts.append(({"layer": layer}, left, to_svd(scene, layer, inner_part)))
    return scene.parts(parts)


def lower_rank(scene: DeepScene) -> Entries:
    """Rank N_l minus k."""
    return scene.parts(
        [
            ({"layer": layer}, ranks(scene, inner_part(scene, layer)), rank_number(scene))
            for layer in layers(scene)
        ]
    )


# claims -------------------------------------------------------------------------------------------
PROOF = "proof of Theorem 15"
POINT = (SLOPE, SMOOTH)
GIVEN = (SLOPE, SMOOTH, NORM_BOUND, RANK)
JF = r"Jf_\theta(x)"
N = (
    r"N_\ell=P_{\mathrm{Im}J(\tilde\alpha_\ell\to f_\theta)(x)^T}W_\ell"
    r"P_{\mathrm{Im}J\alpha_{\ell-1}(x)}"
)
M = (
    r"M_\ell=P_{\mathrm{Im}J(\alpha_\ell\to f_\theta)(x)^T}D_\ell(x)"
    r"P_{\mathrm{Im}J\tilde\alpha_\ell(x)}"
)
WITH = f"With ${N}$ and ${M}$, "
SUMMANDS = r"\sum_{\ell=1}^L\lVert W_\ell\rVert_F^2-k-2\log|N_\ell|_+-2\log|M_\ell|_+"
CARRIED = (
    r"With $N_\ell=W_\ell P_{J\alpha_{\ell-1}(x)K}$ and "
    r"$M_\ell=D_\ell(x)P_{J\tilde\alpha_\ell(x)K}$, where $K$ is the row space of $Jf_\theta(x)$, "
)
PRODUCT = r"$|Jf_\theta(x)|_+=|N_L|_+\,%s\,|N_{L-1}|_+\cdots|N_1|_+$."
DETERMINANT = r"$|M_\ell|$ is the determinant in absolute value"
PSEUDO = r"$|M_\ell|$ is the pseudo-determinant"

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
    ("j23.thm6.insert", "j23.thm6.pdet"),
    product_residual,
    WITH_K,
    reading="B",
    reading_text=PSEUDO,
    exact_only=True,
)
PRODUCTS = (
    replace(
        PRODUCT_B,
        id="j23.thm6.product@A",
        measure=product_residual_determinants,
        reading="A",
        reading_text=DETERMINANT,
    ),
    PRODUCT_B,
    replace(
        PRODUCT_B,
        id="j23.thm6.product@B.fix",
        title="product over the layers, repaired",
        statement=CARRIED + PRODUCT % "|M_{L-1}|_+",
        measure=carried_product_residual,
        reading=None,
        reading_text=None,
        repairs="j23.thm6.product@B",
    ),
)

SUM = Claim(
    "j23.thm6.sum.a",
    Kind.IDENTITY,
    printed(f"{PROOF}, third display, equality"),
    "sum over the layers",
    WITH + rf"${SUMMANDS}=\lVert\theta\rVert^2-kL-2\log|{JF}|_+$.",
    GIVEN,
    ("j23.thm6.product",),
    sum_residual,
    NETWORKS,
    exact_only=True,
)
CHAIN = replace(
    SUM,
    id="j23.thm6.sum.c",
    kind=Kind.INEQUALITY,
    source=printed(f"{PROOF}, third display, first member against the last"),
    statement=WITH + rf"${SUMMANDS}\le c_1-2\log|{JF}|_+$.",
    measure=chain_slack,
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
    ),
    replace(
        SUM,
        id="j23.thm6.sum.b",
        kind=Kind.INEQUALITY,
        source=printed(f"{PROOF}, third display, inequality"),
        statement=rf"$\lVert\theta\rVert^2-kL-2\log|{JF}|_+\le c_1-2\log|{JF}|_+$.",
        measure=sum_slack,
    ),
    CHAIN,
    replace(
        CHAIN,
        id="j23.thm6.sum.c.fix",
        title="sum over the layers, repaired",
        statement=CARRIED + rf"${SUMMANDS}\le c_1-2\log|{JF}|_+$.",
        measure=chain_slack_carried,
        repairs="j23.thm6.sum.c",
        floats=True,
    ),
)


# the factors with D -------------------------------------------------------------------------------
def _eigenvalues_at_most_1(case: Deep) -> bool:
    scene = case.exact
    return all(d <= 1 for layer in range(1, case.depth) for d in scene.slopes(layer)[0, 0])


def _any_slope(case: Deep, random: Random) -> Deep:
    """Slopes below -1 too."""
    outside = (Fraction(-2), Fraction(-3, 2), Fraction(-9, 8))
    return with_number(case, "a", random.choice(outside)) if random.random() < 0.5 else case


EIGENVALUES = Hypothesis(
    "eigenvalues of D at most 1",
    r"the eigenvalues of $D_\ell(x)$ are $\le1$",
    by_case(_eigenvalues_at_most_1),
    lambda case, random: (
        case if _eigenvalues_at_most_1(case) else with_number(case, "a", Fraction(-1, 2))
    ),
    lambda case, random: with_number(case, "a", random.choice((Fraction(3, 2), Fraction(2)))),
)
ANY_SLOPE = frame_pool(whole=(("k", 0, 3),), last=_any_slope)

POSITIVE = r"$k-\lVert M_\ell\rVert_F^2$ is positive"
DTERM = Claim(
    "j23.thm6.dterm.a@B",
    Kind.INEQUALITY,
    printed(f"{PROOF}, fourth display"),
    "the factors with D",
    rf"With ${M}$: $-2\log|M_\ell|\ge k-\lVert M_\ell\rVert_F^2$.",
    (*POINT, RANK),
    ("j23.setup",),
    dterm_slack,
    WITH_K,
    reading="B",
    reading_text=PSEUDO,
    exact_only=True,
    floats=True,
)
DTERMS = (
    replace(
        DTERM,
        id="j23.thm6.dterm.a@A",
        measure=dterm_slack_determinant,
        floats=False,
        reading="A",
        reading_text=DETERMINANT + ", where it is not 0",
    ),
    DTERM,
    replace(
        DTERM,
        id="j23.thm6.dterm.b@A",
        statement=rf"With ${M}$: {POSITIVE}.",
        measure=dterm_sign,
        reading="A",
        reading_text="positive: above 0",
        floats=False,
    ),
    replace(
        DTERM,
        id="j23.thm6.dterm.b@B",
        statement=rf"With ${M}$: {POSITIVE}.",
        measure=dterm_rest,
        floats=False,
        reading="B",
        reading_text="positive: at least 0",
    ),
    replace(
        DTERM,
        id="j23.thm6.dterm.c",
        title="the factors with D: the reason",
        statement=rf"With ${M}$: $k-\lVert M_\ell\rVert_F^2\ge0$ since the eigenvalues of "
        r"$D_\ell(x)$ are $\le1$, and for no other reason: nothing is supposed of the slope.",
        hypotheses=(SMOOTH, EIGENVALUES, RANK),
        measure=dterm_rest,
        floats=False,
        pool=ANY_SLOPE,
        reading=None,
        reading_text=None,
    ),
)

SPLIT = Claim(
    "j23.thm6.split",
    Kind.IDENTITY,
    printed(f"{PROOF}, fifth display"),
    "splitting off the projected part",
    rf"With ${N}$: $\lVert W_\ell\rVert_F^2-k-2\log|N_\ell|_+=(\lVert N_\ell\rVert_F^2-k-"
    r"2\log|N_\ell|_+)+\lVert W_\ell-N_\ell\rVert_F^2$.",
    POINT,
    ("j23.setup",),
    split_residual,
    PLAIN,
    exact_only=True,
)
LOWER = Claim(
    "j23.thm6.lower.a",
    Kind.INEQUALITY,
    printed(f"{PROOF}, seventh display"),
    "lower bound of the summands",
    rf"With ${N}=U_\ell S_\ell V_\ell^T$ (SVD): $\lVert W_\ell\rVert_F^2-k-2\log|N_\ell|_+\ge"
    r"\lVert W_\ell-U_\ell V_\ell^T\rVert_F^2$.",
    (*POINT, RANK),
    ("j23.thm6.split", "j23.thm6.scalar"),
    lower_slack,
    WITH_K,
    exact_only=True,
    floats=True,
)
LOWER_RANK = replace(
    LOWER,
    id="j23.thm6.lower.b",
    kind=Kind.IDENTITY,
    title="rank of the projected part",
    statement=rf"${N}$ has rank $k$.",
    measure=lower_rank,
    floats=False,
)

CLAIMS = (INSERT, *PRODUCTS, *SUMS, *DTERMS, SPLIT, LOWER, LOWER_RANK)
