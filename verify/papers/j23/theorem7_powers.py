"""The proof of Theorem 16 (Theorem 7), last lines of the aligned display: powers, exponentials."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.arithmetic import Array
from verify.cases.scenes import Entries
from verify.cases.tensors import Tensors
from verify.core.claim import Kind
from verify.kinds.deep.hypotheses import NORM_BOUND
from verify.kinds.deep.scene import DeepScene
from verify.language.building import Number, Whole, exp
from verify.papers.j23.some_entries import kept
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem7_determinants import carried_square, lower_square
from verify.papers.j23.theorem7_measures import (
    c1,
    inverse_k,
    jacobian_power,
    jacobian_square,
)
from verify.papers.j23.theorem7_steps import CHAIN, POINT, PROOF, by_layer, k_number, step_claim
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, pool_with, stated


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


# in numbers ---------------------------------------------------------------------------------------
C, K, LAYER, DEPTH = Number("c"), Whole("k", 1, 100), Whole("l", 1, 100), Whole("L", 1, 100)
POWER, EXPONENTIAL = (1 + C / (K * DEPTH)) ** -LAYER, exp(-(LAYER / DEPTH) * (C / K))


def _of_all_sizes(case: Tensors, random: Random) -> Tensors:
    """c_1 from far below 0 to far above; often few layers."""
    if random.random() < 0.5:
        size = random.choice((1, 10, case.whole("L")))
        case = with_entries(case, "c", (case.number("c") * size,))
    if random.random() < 0.7:
        for name, most in (("k", 5), ("l", 15), ("L", 15)):
            case = with_entries(case, name, (Fraction(random.randint(1, most)),))
    return case


A_LAYER = Given(
    "a layer",
    LAYER <= DEPTH,
    r"$\ell\le L$",
    lambda case, random: (
        case
        if case.whole("l") <= case.whole("L")
        else with_entries(case, "l", (Fraction(random.randint(1, case.whole("L"))),))
    ),
)
POSITIVE_BASE = Given(
    "positive base",
    C > -K * DEPTH,
    "$c_1>-kL$",
    lambda case, random: (
        case
        if case.number("c") > -case.whole("k") * case.whole("L")
        else with_entries(case, "c", (abs(case.number("c")),))
    ),
    lambda case, random: with_entries(
        case, "c", (Fraction(-case.whole("k") * case.whole("L") - random.randint(1, 3)),)
    ),
)


# claims -------------------------------------------------------------------------------------------
LINES = "aligned display, last three lines"
JACOBIAN = r"k|Jf_\theta(x)|_+^{2/k}"
WITH_C1 = (*CHAIN, NORM_BOUND)
FIRST = step_claim(
    "power.a",
    Kind.INEQUALITY,
    LINES,
    "the quotient by a power in c_1",
    r"$k\frac{|Jf_\theta(x)|_+^{2/k}}{|J\tilde\alpha_\ell(x)|_+^{2/k}}\ge "
    r"k\frac{|Jf_\theta(x)|_+^{2/k}}{(1+\frac{c_1}L)^\ell}$, where $c_1>-L$.",
    WITH_C1,
    power_of_base,
    POINT,
    why=r"$|J\tilde\alpha_\ell(x)|_+$ has as many factors as its rank, which may be above $k$, "
    r"and so may be larger than $(1+\frac{c_1}L)^{\ell k/2}$",
)
MIDDLE = step_claim(
    "power.b",
    Kind.INEQUALITY,
    LINES,
    "the power in c_1 by an exponential",
    r"$k\frac{|Jf_\theta(x)|_+^{2/k}}{(1+\frac{c_1}L)^\ell}\ge "
    + JACOBIAN
    + r"e^{-\frac\ell L\frac{c_1}k}$, where $c_1>-L$.",
    WITH_C1,
    base_by_exponential,
    POINT,
    why=r"$k$ is lost: the display before it gives $1+\frac{c_1}{kL}$, and $(1+\frac{c_1}L)^\ell$ "
    r"is about $e^{\ell c_1/L}$, not $e^{\ell c_1/(kL)}$",
)
CLAIMS = (
    FIRST,
    MIDDLE,
    step_claim(
        "power.c",
        Kind.INEQUALITY,
        LINES,
        "the exponential by its least value",
        f"${JACOBIAN}e^{{-\\frac\\ell L\\frac{{c_1}}k}}\\ge "
        f"{JACOBIAN}\\min\\{{1,e^{{-c_1/k}}\\}}$.",
        WITH_C1,
        exponential_by_least,
        POINT,
    ),
    replace(
        FIRST,
        id="j23.thm7.steps.power.a.fix",
        title="the quotient by a power in c_1 over k L",
        statement=r"$k\frac{|Jf_\theta(x)|_+^{2/k}}"
        r"{\prod_{i\le k}s_i(J\tilde\alpha_\ell(x))^{2/k}}\ge "
        r"k\frac{|Jf_\theta(x)|_+^{2/k}}{(1+\frac{c_1}{kL})^\ell}$.",
        measure=power_mended,
        why="",
        repairs="j23.thm7.steps.power.a",
    ),
    stated(
        "j23.thm7.steps.power.b.real.fix",
        printed(PROOF + LINES),
        "the power in c_1 over k L by an exponential, in numbers",
        r"$(1+\frac{c_1}{kL})^{-\ell}\ge e^{-\frac\ell L\frac{c_1}k}$ for real "
        r"$c_1>-kL$ and integers $k\ge1$, $1\le\ell\le L$.",
        POWER >= EXPONENTIAL,
        [A_LAYER, POSITIVE_BASE],
        pool=pool_with(C, K, LAYER, DEPTH, adapt=_of_all_sizes),
        repairs="j23.thm7.steps.power.b",
    ),
)
