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

from verify.cases.tensors import Tensor, Tensors
from verify.core.argument import Argument
from verify.language.building import Each, Max, Min, Prod, Sum, Vector, between, dim, upto
from verify.language.terms import Term
from verify.papers.zlb22.chain_gradients import (
    STANDARD_INPUTS,
    STANDARD_WEIGHTS,
    by_the_last_layer,
    d0,
    moment_bound,
    q,
    share_of_weight,
    t,
)
from verify.papers.zlb22.gaussian_moments import square_moment
from verify.papers.zlb22.gradient_norms import at_least_1
from verify.papers.zlb22.sources import printed
from verify.statements.quantities import with_value
from verify.statements.stated import Given, pool_with, stated

ONE, TINY = Fraction(1), Fraction(1, 2**30)
r = Vector("r", "l", meaning="the degrees of the hidden layers")
C = Vector("C", "l", meaning="their second moments")
HIDDEN = dim(r)
LAYERS = upto(HIDDEN)


def exponent(k: Term | int) -> Term:
    """p_k = r_k ... r_l."""
    return Prod(between(k, HIDDEN), lambda i: r[i])


MEAN_SQUARE = (
    Prod(LAYERS, lambda k: (C[k] / square_moment(1, r[k])) ** exponent(k + 1))
    * Prod(LAYERS, lambda k: square_moment(1, exponent(k)) * t ** exponent(k))
    * square_moment(d0, exponent(1))
    * (q / d0) ** exponent(1)
    * (1 + Sum(LAYERS, lambda k: share_of_weight(exponent(k))))
)
"""E |grad f|^2 of the chain."""
LARGEST_DEGREE = Max(LAYERS, lambda k: r[k])
LEAST_MOMENT = Min(LAYERS, lambda k: C[k])
BOUNDED = moment_bound(LEAST_MOMENT, LARGEST_DEGREE, HIDDEN + 1) <= MEAN_SQUARE


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


DEGREES = Given(
    "degrees at least 1",
    Each(LAYERS, lambda k: r[k] >= 1),
    r"every neuron has a degree $r_v\ge1$",
    _at_least_1,
    _long_and_nearly_linear,
)


def _above_0(case: Tensors, random: Random) -> Tensors:
    for name in ("t", "q"):
        case = with_value(case, name, abs(case.number(name)) or ONE)
    return chain_of(case, C=[abs(c) or ONE for c in case.arrays["C"].entries])


MOMENTS = Given(
    "positive moments",
    Each(LAYERS, lambda k: C[k] > 0) & (t > 0) & (q > 0),
    r"$C_\sigma>0$, and the variances are above 0",
    _above_0,
    built_in=True,
)
SUPPOSED = (at_least_1(d0), MOMENTS, DEGREES, STANDARD_WEIGHTS, STANDARD_INPUTS)


def _mixed(case: Tensors, random: Random) -> Tensors:
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
    return case


CHAINS = pool_with(r, C, t, q, d0, largest=4, adapt=_mixed)


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
        section="docs/mathematics/zlb22.md#different-degrees",
        uses=tuple(one.name for one in SUPPOSED),
    )


CLAIMS = (
    stated(
        "zlb22.prop4.4.mixed.fix",
        printed("Remark 4.3, Proposition 4.4, eq. (18)"),
        "lower bound on the squared gradient norm, with different degrees",
        r"It is not hard to extend the result to different $r$: for degrees $r_v\ge1$ that differ "
        r"from neuron to neuron, with $r=\max_vr_v$, $\mathbb E_{\mathbf x,\mathbf w_0}"
        r"[\lVert\nabla_{\mathbf w}f_k(\mathbf w_0)\rVert^2]\ge"
        r"\min\big(1,\min_{1\le j\le L}C_\sigma^{\sum_{\ell'=0}^{j-1}r^{\ell'}}\big)$. Here on "
        r"chains of one neuron a layer, with $\sigma_k(z)=s_k|z|^{r_k}$.",
        BOUNDED,
        SUPPOSED,
        depends=("zlb22.ass4.1@A", "zlb22.ass4.2@B", "zlb22.prop4.4.fix"),
        pool=CHAINS,
        repairs="zlb22.prop4.4",
        exact_only=True,
        proof=by_the_largest_degree,
        through="chains of one neuron a layer stand for all networks "
        "(docs/mathematics/zlb22.md#different-degrees)",
    ),
)
