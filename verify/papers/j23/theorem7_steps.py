"""The steps of the proof of Theorem 16 (Theorem 7).

J_l is J alpha~_l(x) and B_l is J(alpha~_l -> f_theta)(x); the proof also writes alpha_L for the
output, which with D_L = I is the same. P_l projects to the image of J_l. The printed steps compare
a pseudo-determinant of J_l, which has as many factors as its rank, with powers in k.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.deep_balanced import CLIMBED_NOWHERE
from verify.deep_hypotheses import K_AT_LEAST_1, NORM_BOUND, RANK, SLOPE, SMOOTH
from verify.deep_pool import pool
from verify.deep_scene import DeepScene, RealScene, as_real
from verify.hypotheses import Hypothesis
from verify.papers.j23.sources import printed
from verify.papers.j23.step_cases import (
    A_IS_NOT_0,
    AT_MOST_PL,
    BOUND_ON_THE_SUM,
    BOUND_POSITIVE,
    K_OF_THE_THEOREM,
    NUMBERS,
    NUMBERS_FIT,
    SEQUENCES,
    above_threshold,
)
from verify.papers.j23.theorem7_measures import (
    c1,
    inverse_k,
    jacobian_power,
    jacobian_square,
    kept,
    largest_squares,
    powers,
    said,
    total,
    whole_k,
)
from verify.tensor_pool import TensorPool
from verify.vocabulary import Entries

if TYPE_CHECKING:
    from verify.claim import Measure

PROOF = "proof of Theorem 16, "
POINT = pool(points=(1,), gaps=("gap",), whole=(("k", 0, 3),))
PLAIN = pool(points=(1,))
MATRICES = TensorPool((("A", ("m", "n")),), adapt=as_real)
MATRICES_AND_K = TensorPool((("A", ("m", "n")),), (("k", 1, 4),), adapt=as_real)
OF_RANK = (SLOPE, SMOOTH, K_AT_LEAST_1, RANK)
CHAIN = (CLIMBED_NOWHERE, *OF_RANK)


def _claim(
    name: str,
    kind: Kind,
    where: str,
    title: str,
    statement: str,
    hypotheses: Sequence[Hypothesis],
    measure: Measure,
    cases: TensorPool,
) -> Claim:
    return Claim(
        f"j23.thm7.steps.{name}",
        kind,
        printed(PROOF + where),
        title,
        statement,
        tuple(hypotheses),
        measure=measure,
        pool=cases,
        exact_only=True,
        floats=kind is Kind.INEQUALITY,
    )


def by_layer(scene: DeepScene, sides: Callable[[int], tuple[Array, Array]]) -> Entries:
    """The entries of the layers 1 to L; where the case has a k, if that is at least 1."""
    entries = scene.parts([({"layer": at}, *sides(at)) for at in range(1, scene.depth + 1)])
    return said(scene, entries) if "k" in scene.cases[0].arrays else entries


# restricting to an image --------------------------------------------------------------------------
def restricted(scene: DeepScene, layer: int) -> Array:
    """B_l P_l."""
    return scene.from_pre(layer) @ scene.projection(scene.to_pre(layer))


def restriction_slack(scene: DeepScene) -> Entries:
    """|B_l|_F^2 - |B_l P_l|_F^2."""
    return by_layer(
        scene,
        lambda layer: (
            scene.frobenius_squared(scene.from_pre(layer)),
            scene.frobenius_squared(restricted(scene, layer)),
        ),
    )


def restricted_rank(scene: DeepScene) -> Entries:
    """Rank(B_l P_l) - Rank Jf."""
    rank = scene.numbers(scene.rank_of(scene.jacobian()))
    return by_layer(
        scene,
        lambda layer: (scene.numbers(scene.rank_of(restricted(scene, layer))), rank),
    )


IMAGE = "after the first display"
RANKS = (
    _claim(
        "rank.a",
        Kind.INEQUALITY,
        IMAGE,
        "the norm of a Jacobian restricted to an image",
        r"$\lVert J(\tilde\alpha_\ell\to f_\theta)(x)\rVert_F^2\ge"
        r"\lVert J(\tilde\alpha_\ell\to f_\theta)(x)P_\ell\rVert_F^2$, with $P_\ell$ the "
        r"orthogonal projection to $\mathrm{Im}\,J\tilde\alpha_\ell(x)$.",
        (SLOPE, SMOOTH),
        restriction_slack,
        PLAIN,
    ),
    _claim(
        "rank.b",
        Kind.IDENTITY,
        IMAGE,
        "the rank of a Jacobian restricted to an image",
        r"$J(\tilde\alpha_\ell\to f_\theta)(x)P_\ell$ and $Jf_\theta(x)$ have the same rank.",
        (SLOPE, SMOOTH),
        restricted_rank,
        PLAIN,
    ),
)


# arithmetic and geometric mean --------------------------------------------------------------------
def mean_slack(scene: RealScene) -> Entries:
    """|A|_F^2 - r |A|_+^(2/r), r the rank of A."""
    return _means(scene, [max(int(rank), 1) for rank in scene.rank_of(scene["A"])])


def mean_slack_with_k(scene: RealScene) -> Entries:
    """|A|_F^2 - r |A|_+^(2/k), r the rank of A."""
    return said(scene, _means(scene, [int(k) for k in whole_k(scene)]))


def _means(scene: RealScene, roots: Sequence[int]) -> Entries:
    matrices = scene["A"]
    square = scene.pseudo_determinant_squared(matrices)
    mean = powers(scene, square, [Fraction(1, root) for root in roots])
    rank = scene.numbers(scene.rank_of(matrices))
    return scene.compare(scene.frobenius_squared(matrices), mean * rank)


def k_number(scene: RealScene) -> Array:
    """(C,): k."""
    return scene.numbers(whole_k(scene))


def restricted_mean_slack(scene: DeepScene) -> Entries:
    """|B_l P_l|_F^2 - k |B_l P_l|_+^(2/k)."""

    def sides(layer: int) -> tuple[Array, Array]:
        matrices = restricted(scene, layer)
        square = scene.pseudo_determinant_squared(matrices)
        mean = jacobian_power(scene, square) * k_number(scene)
        return scene.frobenius_squared(matrices), mean

    return by_layer(scene, sides)


MEANS = "second display"
AMGM = _claim(
    "amgm@A",
    Kind.INEQUALITY,
    MEANS,
    "arithmetic and geometric mean of singular values",
    r"$\lVert A\rVert_F^2\ge\mathrm{Rank}A\,|A|_+^{2/k}$ for every matrix $A\ne0$.",
    (A_IS_NOT_0,),
    mean_slack,
    MATRICES,
)
AMGMS = (
    replace(AMGM, reading="A", reading_text=r"$k=\mathrm{Rank}A$"),
    replace(
        AMGM,
        id="j23.thm7.steps.amgm@B",
        hypotheses=(A_IS_NOT_0, K_OF_THE_THEOREM),
        measure=mean_slack_with_k,
        pool=MATRICES_AND_K,
        reading="B",
        reading_text=r"$k$ is the number of the theorem, whatever the rank of $A$",
    ),
    _claim(
        "amgm.b",
        Kind.INEQUALITY,
        MEANS,
        "the means of the restricted Jacobian",
        r"$\lVert J(\tilde\alpha_\ell\to\alpha_L)(x)P_\ell\rVert_F^2\ge"
        r"k\,|J(\tilde\alpha_\ell\to\alpha_L)(x)P_\ell|_+^{2/k}$ where "
        r"$\mathrm{Rank}\,Jf_\theta(x)=k$.",
        OF_RANK,
        restricted_mean_slack,
        POINT,
    ),
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
    _claim(
        "schatten.a",
        Kind.INEQUALITY,
        DISPLAY,
        "pseudo-determinant and Schatten norm",
        LAYER + r"$|J\tilde\alpha_\ell(x)|_+^{\frac2{k\ell}}\le"
        r"\frac1k\lVert J\tilde\alpha_\ell(x)\rVert_{2/L}^{2/L}$.",
        CHAIN,
        pdet_slack,
        POINT,
    ),
    _claim(
        "schatten.b",
        Kind.INEQUALITY,
        DISPLAY,
        "Schatten norm and norms of the weights",
        LAYER + r"$\frac1k\lVert J\tilde\alpha_\ell(x)\rVert_{2/L}^{2/L}\le"
        r"\frac{\lVert W_1\rVert^2+\dots+\lVert W_\ell\rVert^2}{k\ell}$.",
        CHAIN,
        schatten_slack,
        POINT,
    ),
    _claim(
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
    _claim(
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
        repairs="j23.thm7.steps.schatten.a",
    ),
    replace(
        SCHATTENS[1],
        id="j23.thm7.steps.schatten.b.fix",
        title="Schatten norm of the layer and norms of the weights",
        statement=LAYER + r"$\frac1k\lVert J\tilde\alpha_\ell(x)\rVert_{2/\ell}^{2/\ell}\le"
        r"\frac{\lVert W_1\rVert^2+\dots+\lVert W_\ell\rVert^2}{k\ell}$.",
        measure=partial(schatten_slack, mended=True),
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
QUOTIENT = _claim(
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
)
QUOTIENTS = (
    _claim(
        "quotient.a",
        Kind.INEQUALITY,
        ALIGNED,
        "the restricted Jacobian from below",
        r"$\lVert J(\tilde\alpha_\ell\to f_\theta)(x)P_\ell\rVert_F^2\ge"
        r"k\,|J(\tilde\alpha_\ell\to f_\theta)(x)P_\ell|_+^{2/k}$.",
        OF_RANK,
        restricted_mean_slack,
        POINT,
    ),
    QUOTIENT,
    replace(
        QUOTIENT,
        id="j23.thm7.steps.quotient.b.fix",
        kind=Kind.INEQUALITY,
        floats=True,
        title="quotient with the k largest singular values",
        statement=r"$k\,|J(\tilde\alpha_\ell\to f_\theta)(x)P_\ell|_+^{2/k}\ge"
        r"k\,\frac{|Jf_\theta(x)|_+^{2/k}}{\prod_{i\le k}s_i(J\tilde\alpha_\ell(x))^{2/k}}$.",
        measure=quotient_slack,
        repairs="j23.thm7.steps.quotient.b",
    ),
)


# powers and exponentials --------------------------------------------------------------------------
def whole_power(values: Array, exponent: int) -> Array:
    """A number of either sign to an integer power of at least 1."""
    result = values
    for _ in range(exponent - 1):
        result = result * values
    return result


def base(scene: DeepScene) -> Array:
    """(C,): 1 + c_1 / L."""
    return scene.constant(1) + scene.share(c1(scene), Fraction(1, scene.depth))


def numerator(scene: DeepScene) -> Array:
    """(C,): k |Jf|_+^(2/k)."""
    return jacobian_power(scene, jacobian_square(scene)) * k_number(scene)


def decay(scene: DeepScene, layer: int) -> Array:
    """(C,): exp(-(l / L) (c_1 / k))."""
    return scene.exp(scene.share(c1(scene) * inverse_k(scene), Fraction(-layer, scene.depth)))


def _where_positive(scene: DeepScene, root: Array, entries: Entries) -> Entries:
    """Those of the cases where the base of the power is above 0."""
    return kept(entries, scene.arithmetic.is_negative(-root)[entries.owner])


def _safe(scene: DeepScene, root: Array) -> Array:
    """The base of a power, and 1 more where it is 0 (of such cases nothing is said)."""
    return root + scene.numbers(scene.arithmetic.may_be_zero(root).astype(int))


def power_of_base(scene: DeepScene) -> Entries:
    """k |Jf|^(2/k) / |J_l|^(2/k) - k |Jf|^(2/k) / (1 + c_1/L)^l, where c_1 > -L."""
    root = base(scene)

    def sides(layer: int) -> tuple[Array, Array]:
        lower = jacobian_power(scene, lower_square(scene, layer))
        right = numerator(scene) / whole_power(_safe(scene, root), layer)
        return numerator(scene) / lower, right

    return _where_positive(scene, root, by_layer(scene, sides))


def base_by_exponential(scene: DeepScene) -> Entries:
    """k |Jf|^(2/k) (1 + c_1/L)^-l - k |Jf|^(2/k) exp(-(l/L) (c_1/k)), where c_1 > -L."""
    root = base(scene)

    def sides(layer: int) -> tuple[Array, Array]:
        left = numerator(scene) / whole_power(_safe(scene, root), layer)
        return left, numerator(scene) * decay(scene, layer)

    return _where_positive(scene, root, by_layer(scene, sides))


def exponential_by_least(scene: DeepScene) -> Entries:
    """k |Jf|^(2/k) exp(-(l/L) (c_1/k)) - k |Jf|^(2/k) min{1, exp(-c_1/k)}."""
    exponent = c1(scene) * inverse_k(scene)
    least = scene.exp(-scene.arithmetic.maximum(exponent, scene.constant(0)))
    right = numerator(scene) * least
    return by_layer(scene, lambda layer: (numerator(scene) * decay(scene, layer), right))


def power_mended(scene: DeepScene) -> Entries:
    """k |Jf|^(2/k) over the k largest singular values of J_l to the power 2/k, minus
    k |Jf|^(2/k) / (1 + c_1/(k L))^l."""
    share = scene.share(inverse_k(scene), Fraction(1, scene.depth))
    root = scene.constant(1) + c1(scene) * share

    def sides(layer: int) -> tuple[Array, Array]:
        lower = jacobian_power(scene, carried_square(scene, layer))
        right = numerator(scene) / whole_power(_safe(scene, root), layer)
        return numerator(scene) / lower, right

    return _where_positive(scene, root, by_layer(scene, sides))


def numbers_by_exponential(scene: RealScene, *, mended: bool = False) -> Entries:
    """(1 + c_1/L)^-l - exp(-(l/L) (c_1/k)) in numbers; mended with c_1/(k L)."""
    one, c = scene.constant(1), scene["c"]
    whole = {name: [int(v) for v in scene.whole(name)] for name in ("k", "l", "L")}
    k, layers, depths = whole["k"], whole["l"], whole["L"]
    k, depths = [max(kk, 1) for kk in k], [max(d, 1) for d in depths]  # nothing is said of others
    divisors = [d * (kk if mended else 1) for d, kk in zip(depths, k, strict=True)]
    root = one + c * scene.numbers([Fraction(1, d) for d in divisors])
    positive = scene.arithmetic.is_negative(-root)
    root = scene.arithmetic.maximum(root, scene.constant(Fraction(1, 10**6)))
    left = one / powers(scene, root, [Fraction(n) for n in layers])
    rates = [Fraction(-n, d * kk) for n, d, kk in zip(layers, depths, k, strict=True)]
    right = scene.exp(c * scene.numbers(rates))
    return kept(scene.compare(left, right), positive)


def numbers_by_least(scene: RealScene) -> Entries:
    """exp(-(l/L) (c_1/k)) - min{1, exp(-c_1/k)} in numbers."""
    exponent = scene["c"] * inverse_k(scene)
    shares = zip(scene.whole("l"), scene.whole("L"), strict=True)
    part = scene.numbers([Fraction(-int(n), max(int(d), 1)) for n, d in shares])
    least = scene.exp(-scene.arithmetic.maximum(exponent, scene.constant(0)))
    return scene.compare(scene.exp(exponent * part), least)


LINES = "aligned display, last three lines"
JACOBIAN = r"k|Jf_\theta(x)|_+^{2/k}"
WITH_C1 = (*CHAIN, NORM_BOUND)
FIRST = _claim(
    "power.a",
    Kind.INEQUALITY,
    LINES,
    "the quotient by a power in c_1",
    r"$k\frac{|Jf_\theta(x)|_+^{2/k}}{|J\tilde\alpha_\ell(x)|_+^{2/k}}\ge"
    r"k\frac{|Jf_\theta(x)|_+^{2/k}}{(1+\frac{c_1}L)^\ell}$, where $c_1>-L$.",
    WITH_C1,
    power_of_base,
    POINT,
)
MIDDLE = _claim(
    "power.b",
    Kind.INEQUALITY,
    LINES,
    "the power in c_1 by an exponential",
    r"$k\frac{|Jf_\theta(x)|_+^{2/k}}{(1+\frac{c_1}L)^\ell}\ge"
    + JACOBIAN
    + r"e^{-\frac\ell L\frac{c_1}k}$, where $c_1>-L$.",
    WITH_C1,
    base_by_exponential,
    POINT,
)
REAL = _claim(
    "power.b.real",
    Kind.INEQUALITY,
    LINES,
    "the power in c_1 by an exponential, in numbers",
    r"$(1+\frac{c_1}L)^{-\ell}\ge e^{-\frac\ell L\frac{c_1}k}$ for real $c_1>-L$ and integers "
    r"$k\ge1$, $1\le\ell\le L$.",
    (NUMBERS_FIT,),
    numbers_by_exponential,
    NUMBERS,
)
POWERS = (
    FIRST,
    MIDDLE,
    _claim(
        "power.c",
        Kind.INEQUALITY,
        LINES,
        "the exponential by its least value",
        f"${JACOBIAN}e^{{-\\frac\\ell L\\frac{{c_1}}k}}\\ge{JACOBIAN}\\min\\{{1,e^{{-c_1/k}}\\}}$.",
        WITH_C1,
        exponential_by_least,
        POINT,
    ),
    REAL,
    _claim(
        "power.c.real",
        Kind.INEQUALITY,
        LINES,
        "the exponential by its least value, in numbers",
        r"$e^{-\frac\ell L\frac{c_1}k}\ge\min\{1,e^{-c_1/k}\}$ for real $c_1$ and integers "
        r"$k\ge1$, $1\le\ell\le L$.",
        (NUMBERS_FIT,),
        numbers_by_least,
        NUMBERS,
    ),
    replace(
        FIRST,
        id="j23.thm7.steps.power.a.fix",
        title="the quotient by a power in c_1 over k L",
        statement=r"$k\frac{|Jf_\theta(x)|_+^{2/k}}"
        r"{\prod_{i\le k}s_i(J\tilde\alpha_\ell(x))^{2/k}}\ge"
        r"k\frac{|Jf_\theta(x)|_+^{2/k}}{(1+\frac{c_1}{kL})^\ell}$.",
        measure=power_mended,
        repairs="j23.thm7.steps.power.a",
    ),
    replace(
        REAL,
        id="j23.thm7.steps.power.b.real.fix",
        title="the power in c_1 over k L by an exponential, in numbers",
        statement=r"$(1+\frac{c_1}{kL})^{-\ell}\ge e^{-\frac\ell L\frac{c_1}k}$ for real "
        r"$c_1>-kL$ and integers $k\ge1$, $1\le\ell\le L$.",
        measure=partial(numbers_by_exponential, mended=True),
        repairs="j23.thm7.steps.power.b.real",
    ),
)


# number of layers ---------------------------------------------------------------------------------
COUNTED = replace(
    _claim(
        "count",
        Kind.INEQUALITY,
        "last display",
        "how many layers have large activations",
        r"Where $\sum_\ell\lVert\alpha_{\ell-1}(x)\rVert_2^2\le LB$, with "
        r"$B=\frac{c\max\{1,e^{c_1/k}\}}{k|Jf_\theta(x)|_+^{2/k}}$, there are for every "
        r"$p\in(0,1)$ at most $pL$ layers with "
        r"$\lVert\alpha_{\ell-1}(x)\rVert_2^2\ge\frac1pB$; "
        r"measured on any numbers $q_\ell\ge0$ in the place of these squares.",
        (AT_MOST_PL, BOUND_ON_THE_SUM),
        above_threshold,
        SEQUENCES,
    ),
    floats=False,
)
COUNTS = (
    COUNTED,
    replace(
        COUNTED,
        id="j23.thm7.steps.count.fix",
        title="how many layers have large activations, where the bound is positive",
        statement=COUNTED.statement.replace("Where", "Where $B>0$ and", 1),
        hypotheses=(*COUNTED.hypotheses, BOUND_POSITIVE),
        repairs="j23.thm7.steps.count",
    ),
)

CLAIMS = (*RANKS, *AMGMS, *SCHATTENS, *MENDED, *QUOTIENTS, *POWERS, *COUNTS)
