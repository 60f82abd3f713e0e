"""Remark 4.3: Proposition 4.4 where activations have different degrees.

The right side takes the largest degree: where a bound b of E f^2 below is at most 1, C b^r is
smallest for the largest r. On chains of one neuron a layer, hidden neuron k with sigma_k(z) =
s_k |z|^(r_k) and E sigma_k(g)^2 = C_k, all is Gamma functions. With the product p_k of r_k, ...,
r_l of the l hidden layers, the last hidden neuron has the power |w_k|^(p_k) of each weight of the
chain, and |x|^(p_1). `t` and `q` are the variances of the weights and of the inputs, 1 as printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene, RealTensors, as_real
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.argument import Argument
from verify.core.claim import Claim, Kind
from verify.papers.zlb22.chain_gradients import (
    LARGEST,
    STANDARD_INPUTS,
    STANDARD_WEIGHTS,
    by_the_last_layer,
)
from verify.papers.zlb22.gradient_norms import SIZES, Values
from verify.papers.zlb22.half_line import least, length_moment, power
from verify.papers.zlb22.sources import printed
from verify.statements.quantities import each_case, with_value

ONE, TINY = Fraction(1), Fraction(1, 2**30)


def mean_square_of(case: Tensors) -> Any:
    """E |grad f|^2 of the chain; None where it is infinite or out of reach."""
    degrees, moments = (case.arrays[name].entries for name in ("r", "C"))
    weights, inputs, dimension = case.number("t"), case.number("q"), case.whole("d0")
    if dimension < 1 or min(*degrees, *moments, weights, inputs) <= 0:
        return None
    products = [ONE]  # p_(l+1) = 1, p_l, ..., p_1
    for r in reversed(degrees):
        products.append(products[-1] * r)
    if max(products) > LARGEST or min(products) * 2 <= 1:
        return None
    value: Any = ONE
    for r, moment, above in zip(reversed(degrees), reversed(moments), products, strict=False):
        value = value * power(moment / length_moment(1, 2 * r), above)  # s_k^2
    for p in products[1:]:
        value = value * length_moment(1, 2 * p) * power(weights, p)
    last = products[-1]
    value = value * length_moment(dimension, 2 * last) * power(inputs / dimension, last)
    # the parts of the other weights hold the one of the last layer, of variance t as they are
    return value * (1 + sum(p * p / (2 * p - 1) for p in products[1:]))


def largest_degree_bound(case: Tensors) -> Any:
    """min(1, min over j <= L of C^(1 + r + ... + r^(j-1))), C the least moment, r the largest
    degree."""
    degrees, moment = case.arrays["r"].entries, min(case.arrays["C"].entries)
    total, found, r = Fraction(0), [ONE], max(degrees)
    for k in range(len(degrees) + 1):
        total += r**k
        found.append(power(moment, total))
    return least(*found)


def mixed_slack(scene: RealScene) -> Entries:
    """E |grad f|^2 minus the square of the right side of (18) with the largest degree."""

    def values(case: Tensors) -> Values:
        degrees = case.arrays["r"].entries
        if max(degrees) ** len(degrees) > LARGEST:
            return []
        found = mean_square_of(case)
        return [] if found is None else [({}, found - largest_degree_bound(case))]

    return each_case(values, scene)


# hypotheses ---------------------------------------------------------------------------------------
def chain_of(case: Tensors, **vectors: Sequence[Fraction]) -> Tensors:
    """The chain with other degrees r, moments C or both; both where the length is another one."""
    made = {
        name: Tensor(("l",), (len(entries),), tuple(entries)) for name, entries in vectors.items()
    }
    return case.changing(**made)


def _at_least_1(case: Tensors, random: Random) -> Tensors:
    choices = [ONE, ONE, Fraction(3, 2), Fraction(2), Fraction(3)]
    entries = [r if r >= 1 else random.choice(choices) for r in case.arrays["r"].entries]
    return chain_of(case, r=entries)


def _long_and_nearly_linear(case: Tensors, random: Random) -> Tensors:
    """A long chain of degrees so near 1, and below it, that no product of them falls to 1/2."""
    depth = random.randint(28, 34)
    degrees = [1 - Fraction(random.choice((1, 1, 1, 0)), depth + 14) for _ in range(depth)]
    return chain_of(case, r=degrees, C=[ONE] * depth)


DEGREES = Hypothesis(
    "degrees at least 1",
    r"every neuron has a degree $r_v\ge1$",
    by_case(lambda case: min(case.arrays["r"].entries) >= 1),
    _at_least_1,
    _long_and_nearly_linear,
)


def _above_0(case: Tensors, random: Random) -> Tensors:
    for name in ("t", "q"):
        case = with_value(case, name, abs(case.number(name)) or ONE)
    return chain_of(case, C=[abs(c) or ONE for c in case.arrays["C"].entries])


MOMENTS = Hypothesis(
    "positive moments",
    r"$C_\sigma>0$, and the variances are above 0",
    by_case(lambda case: min(*case.arrays["C"].entries, case.number("t"), case.number("q")) > 0),
    _above_0,
)
SUPPOSED = (SIZES, MOMENTS, DEGREES, STANDARD_WEIGHTS, STANDARD_INPUTS)


def _mixed(case: Tensors, random: Random) -> RealTensors:
    """Degrees of named activations, mostly of two kinds; small and large moments, and one so small
    that the exponents alone matter."""
    count = len(case.arrays["r"].entries)
    kinds = random.sample([ONE, ONE, Fraction(2), Fraction(3), Fraction(3, 2), Fraction(3, 4)], 2)
    sizes = [Fraction(1, 8), Fraction(1, 2), ONE, ONE, Fraction(2)]
    degrees, moments = ([random.choice(some) for _ in range(count)] for some in (kinds, sizes))
    if random.random() < 0.2:
        moments = [TINY] * count
    case = chain_of(case, r=degrees, C=moments)
    for name in ("t", "q"):
        case = with_value(case, name, 1)
    return as_real(case, random)


CHAINS = TensorPool(
    (("r", ("l",)), ("C", ("l",)), ("t", ()), ("q", ())), (("d0", 1, 4),), 4, _mixed
)


# argument -----------------------------------------------------------------------------------------
def by_the_largest_degree() -> Argument:
    """The induction of the common degree, with the largest one."""
    same_degree = by_the_last_layer()
    return replace(
        same_degree,
        summary="as for a common degree: a neuron of degree r_v has E f^2 >= C (E v)^(r_v), where "
        "E v is at least b = min(1, C, ..., C^S_j) <= 1 of the layers below, so that (E v)^(r_v) "
        "is at least b^(r_v) >= b^r for the largest degree r",
        trusted=(*same_degree.trusted, "b^s >= b^r for 0 < b <= 1 and s <= r"),
        measure="mixed_slack",
        section="docs/mathematics/zlb22.md#different-degrees",
        uses=tuple(hypothesis.name for hypothesis in SUPPOSED),
    )


CLAIMS = (
    Claim(
        "zlb22.prop4.4.mixed.fix",
        Kind.INEQUALITY,
        printed("Remark 4.3, Proposition 4.4, eq. (18)"),
        "lower bound on the squared gradient norm, with different degrees",
        r"It is not hard to extend the result to different $r$: for degrees $r_v\ge1$ that differ "
        r"from neuron to neuron, with $r=\max_vr_v$, $\mathbb E_{\mathbf x,\mathbf w_0}"
        r"[\lVert\nabla_{\mathbf w}f_k(\mathbf w_0)\rVert^2]\ge"
        r"\min\big(1,\min_{1\le j\le L}C_\sigma^{\sum_{\ell'=0}^{j-1}r^{\ell'}}\big)$. Here on "
        r"chains of one neuron a layer, with $\sigma_k(z)=s_k|z|^{r_k}$.",
        SUPPOSED,
        ("zlb22.ass4.1@A", "zlb22.ass4.2@B", "zlb22.prop4.4.fix"),
        mixed_slack,
        CHAINS,
        repairs="zlb22.prop4.4",
        exact_only=True,
        proof=by_the_largest_degree,
        through="chains of one neuron a layer stand for all networks "
        "(docs/mathematics/zlb22.md#different-degrees)",
    ),
)
