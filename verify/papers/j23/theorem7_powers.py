"""The proof of Theorem 16 (Theorem 7), last lines of the aligned display: powers, exponentials."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from graphs.arithmetic import Array
from verify.claim import Kind
from verify.deep_hypotheses import NORM_BOUND
from verify.deep_scene import DeepScene
from verify.papers.j23.some_entries import kept
from verify.papers.j23.step_cases import NUMBERS, NUMBERS_FIT
from verify.papers.j23.theorem7_determinants import carried_square, lower_square
from verify.papers.j23.theorem7_measures import (
    c1,
    inverse_k,
    jacobian_power,
    jacobian_square,
    powers,
)
from verify.papers.j23.theorem7_steps import CHAIN, POINT, by_layer, k_number, step_claim
from verify.real_arrays import RealScene
from verify.vocabulary import Entries


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


def numbers_by_exponential(scene: RealScene) -> Entries:
    """(1 + c_1/(k L))^-l - exp(-(l/L) (c_1/k)) in numbers."""
    one, c = scene.constant(1), scene["c"]
    whole = {name: [int(v) for v in scene.whole(name)] for name in ("k", "l", "L")}
    k, layers, depths = whole["k"], whole["l"], whole["L"]
    k, depths = [max(kk, 1) for kk in k], [max(d, 1) for d in depths]  # nothing is said of others
    divisors = [d * kk for d, kk in zip(depths, k, strict=True)]
    root = one + c * scene.numbers([Fraction(1, d) for d in divisors])
    positive = scene.arithmetic.is_negative(-root)
    root = scene.arithmetic.maximum(root, scene.constant(Fraction(1, 10**6)))
    left = one / powers(scene, root, [Fraction(n) for n in layers])
    rates = [Fraction(-n, d * kk) for n, d, kk in zip(layers, depths, k, strict=True)]
    right = scene.exp(c * scene.numbers(rates))
    return kept(scene.compare(left, right), positive)


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
    replace(
        step_claim(
            "power.b.real.fix",
            Kind.INEQUALITY,
            LINES,
            "the power in c_1 over k L by an exponential, in numbers",
            r"$(1+\frac{c_1}{kL})^{-\ell}\ge e^{-\frac\ell L\frac{c_1}k}$ for real "
            r"$c_1>-kL$ and integers $k\ge1$, $1\le\ell\le L$.",
            (NUMBERS_FIT,),
            numbers_by_exponential,
            NUMBERS,
        ),
        repairs="j23.thm7.steps.power.b",
    ),
)
