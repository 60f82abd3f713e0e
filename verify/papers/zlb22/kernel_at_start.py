"""PL* at the initial point, for one data point: lambda_min(K(w_0)) = |grad f(w_0)|^2.

Reading A is the mean of Proposition 4.4 (repaired). Readings B and C are looked at on fully
connected networks with sigma(z) = b z for z > 0 and a z for z < 0, any hidden sizes:

- K(w_0) = (|x|^2 / d_0) K', where K' does not depend on |x| and has the mean M = L C^(L-1). So, at
  every width, P(K(w_0) < c) >= P(K' <= 2 M) P(|x|^2 / d_0 < c / (2 M)), of which the first is at
  least 1/2 (Markov), and the second behaves like kappa (c / (2 M))^(d_0/2) as c falls to 0.
- Where a or b is 0, a layer of n neurons is dead with probability 2^-n, given that the one before
  it is not, and K(w_0) = 0 where a layer is dead: f is 0 around w_0. Else K(w_0) > 0 almost surely.
  Whether a neuron is 0 does not depend on the degree: the same holds for b z^r and a |z|^r.

Degrees other than 1 in readings A and B: verify.papers.zlb22.low_degrees.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from verify.claim import Claim, Kind
from verify.deep_scene import RealScene, RealTensors, as_real
from verify.hypotheses import Hypothesis, by_case
from verify.papers.j23.quantities import each_case, listed, with_value
from verify.papers.zlb22.chain_gradients import (
    CHAINS,
    SUPPOSED,
    by_the_last_layer,
    mean_square_slack,
)
from verify.papers.zlb22.gradient_norms import HIDDEN, MOMENT, SIZES, second_moment
from verify.papers.zlb22.half_line import gamma, power
from verify.papers.zlb22.sources import printed
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries

Values = list[tuple[dict[str, Any], Any]]
PLACE = printed("Section 4, before and after Proposition 4.4")


# measures -----------------------------------------------------------------------------------------
def density_at_zero(scene: RealScene) -> Entries:
    """Minus the coefficient of c^(d_0/2), as c falls to 0, of the lower bound on P(K(w_0) < c)."""

    def values(case: Tensors) -> Values:
        depth, dimension, moment = case.whole("L"), case.whole("d0"), second_moment(case)
        if min(depth, dimension) < 1 or (depth > 1 and not moment):
            return []
        half = Fraction(dimension, 2)
        mean = depth * moment ** (depth - 1)
        kappa = power(half, half) / gamma(half + 1)  # P(|x|^2 / d_0 < s) is about kappa s^(d_0/2)
        return [({}, -kappa * power(2 * mean, -half) / 2)]

    return each_case(values, scene)


def chance_of_zero(scene: RealScene) -> Entries:
    """P(K(w_0) = 0) = 1 - prod_l (1 - 2^-n_l) where a or b is 0, else 0."""

    def values(case: Tensors) -> Values:
        sizes = [int(n) for n in listed(case, "n")]
        if min(sizes) < 1:
            return []
        alive = Fraction(1)
        if not case.number("a") or not case.number("b"):
            for n in sizes:
                alive *= 1 - Fraction(1, 2**n)
        return [({}, 1 - alive)]

    return each_case(values, scene)


# instances ----------------------------------------------------------------------------------------
def _counts(case: Tensors) -> bool:
    return case.arrays["n"].integer and min(listed(case, "n")) >= 1


def _to_counts(case: Tensors, random: Random) -> Tensors:
    sizes = tuple(Fraction(max(1, round(abs(n)))) for n in listed(case, "n"))
    return case.changing(n=replace(case.arrays["n"], entries=sizes, integer=True))


HIDDEN_SIZES = Hypothesis(
    "hidden sizes at least 1",
    r"every hidden layer has a neuron",
    by_case(_counts),
    _to_counts,
)
SECOND_MOMENT = Hypothesis(
    "C_sigma above 0",
    MOMENT.statement,
    by_case(lambda case: bool(second_moment(case))),
    lambda case, random: case if second_moment(case) else with_value(case, "b", 1),
)
NO_HALF_LINE = Hypothesis(
    "both slopes not 0",
    r"$\sigma(z)=0$ only at $z=0$: both slopes $a$ and $b$ are not $0$",
    by_case(lambda case: bool(case.number("a") and case.number("b"))),
    lambda case, random: with_value(
        with_value(case, "a", case.number("a") or Fraction(1)), "b", case.number("b") or Fraction(1)
    ),
    lambda case, random: with_value(with_value(case, "b", 1), "a", 0),
)


def _layers(case: Tensors, random: Random) -> RealTensors:
    """Hidden sizes in place of numbers; ReLU among the activations."""
    array = case.arrays["n"]
    sizes = tuple(Fraction(random.randint(1, 6)) for _ in array.entries)
    case = case.changing(n=replace(array, entries=sizes, integer=True))
    if random.random() < 0.3:
        case = with_value(with_value(case, "a", 0), "b", 1)
    return as_real(case, random)


NETWORKS = TensorPool((("n", ("k",)), ("a", ()), ("b", ())), largest=3, adapt=_layers)
INPUTS = TensorPool((("a", ()), ("b", ())), (("L", 1, 4), ("d0", 1, 4)), 1, as_real)


# claims -------------------------------------------------------------------------------------------
SAID = (
    r"For one data point $\lambda_{\min}(K(\mathbf w_0))=K(\mathbf w_0)=\lVert\nabla_{\mathbf w}"
    r"f(\mathbf w_0)\rVert^2$ has a positive lower bound, so the loss satisfies PL$^*$ at "
    r"$\mathbf w_0$: "
)
PIECEWISE = r"$\sigma(z)=bz$ for $z>0$ and $az$ for $z<0$, fully connected"
OF_ANY_DEGREE = (
    r"$\sigma(z)=bz^r$ for $z>0$ and $a|z|^r$ for $z<0$, $r>0$ (it does not enter), fully connected"
)

CLAIMS = (
    Claim(
        "zlb22.pl.w0@A",
        Kind.INEQUALITY,
        PLACE,
        "PL* at the initial point",
        SAID + r"$\mathbb E[\lambda_{\min}(K(\mathbf w_0))]\ge\min\big(1,\min_{1\le j\le L}"
        r"C_\sigma^{\sum_{\ell'=0}^{j-1}r^{\ell'}}\big)>0$. Here on chains of one neuron a layer, "
        r"with $\sigma(z)=s|z|^r$.",
        SUPPOSED,
        ("zlb22.prop4.4.fix", "zlb22.eq16"),
        mean_square_slack,
        CHAINS,
        "A",
        "the expectation is bounded: by the bound of the repaired Proposition 4.4, for r >= 1",
        exact_only=True,
        proof=by_the_last_layer,
    ),
    Claim(
        "zlb22.pl.w0@B",
        Kind.INEQUALITY,
        PLACE,
        "PL* at the initial point",
        SAID
        + r"for some $c>0$, $P(\lambda_{\min}(K(\mathbf w_0))\ge c)\to1$ as $m\to\infty$. Here "
        rf"for {PIECEWISE}, with $d_0$ fixed: a lower bound on $P(K(\mathbf w_0)<c)$ that does not "
        r"depend on the widths has the coefficient $0$ at $c^{d_0/2}$ for $c\to0$.",
        (SIZES, HIDDEN, MOMENT),
        ("zlb22.prop4.4", "zlb22.eq16"),
        density_at_zero,
        INPUTS,
        "B",
        "with probability tending to 1 as the width grows, with one constant",
        exact_only=True,
    ),
    Claim(
        "zlb22.pl.w0@C",
        Kind.IDENTITY,
        PLACE,
        "PL* at the initial point",
        SAID + r"almost surely some $\mu>0$ serves, that is, $P(K(\mathbf w_0)=0)=0$. Here for "
        rf"{OF_ANY_DEGREE} with hidden sizes $n_1,n_2,\dots$",
        (HIDDEN_SIZES, SECOND_MOMENT),
        ("zlb22.prop4.4", "zlb22.eq16.pl"),
        chance_of_zero,
        NETWORKS,
        "C",
        "almost surely, with a constant that may depend on the draw",
        exact_only=True,
    ),
    Claim(
        "zlb22.pl.w0@C.fix",
        Kind.IDENTITY,
        PLACE,
        "PL* at the initial point, of activations without a dead side",
        r"If $\sigma(z)=0$ only at $z=0$, $P(K(\mathbf w_0)=0)=0$. Here for "
        rf"{OF_ANY_DEGREE} with hidden sizes $n_1,n_2,\dots$",
        (HIDDEN_SIZES, NO_HALF_LINE),
        ("zlb22.eq16.pl",),
        chance_of_zero,
        NETWORKS,
        "C",
        "almost surely, with a constant that may depend on the draw",
        repairs="zlb22.pl.w0@C",
        exact_only=True,
    ),
)
