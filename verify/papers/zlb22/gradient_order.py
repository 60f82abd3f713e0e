"""The second half of (18): E |grad f| is of order 1 at least, for homogeneous activations of every
degree r > 0.

The derivatives by the weights of the last layer are the neurons that enter it over the root of
their number, and a root of a mean of squares is at least the mean of the absolute values: E |grad
f| is at least the least E |f_u|. For a hidden neuron E |f|^q = E v^(qr/2) E |sigma(g)|^q, v the
mean of the squares of what enters it. With s = q r, v^(s/2) is at least the mean of the |f_u|^s
where s <= 2 (z^(s/2) is concave), and E v^(s/2) >= (E v)^(s/2) where s >= 2. So bounds on moments
of order 2 at most go from layer to layer, whatever the in-degrees, down to the inputs; no width
enters.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene
from verify.cases.scenes import Entries
from verify.cases.tensors import Tensors
from verify.core.argument import Argument
from verify.core.claim import Claim, Kind
from verify.papers.zlb22.chain_gradients import (
    CHAINS,
    LARGEST,
    POSITIVE,
    STANDARD_INPUTS,
    STANDARD_WEIGHTS,
    mean_square,
)
from verify.papers.zlb22.gradient_ladders import MEASURED
from verify.papers.zlb22.gradient_norms import HIDDEN, PLACE, SIZES, Values
from verify.papers.zlb22.half_line import least, length_moment, power
from verify.papers.zlb22.low_degrees import powers_of_means
from verify.statements.quantities import each_case, with_value

HALF, ONE = Fraction(1, 2), Fraction(1)
GIVEN_THE_NEURONS_BELOW = (
    "given the neurons before it, a pre-activation is normal with variance v = mean of their "
    "squares; so E |sigma(z)|^q = E v^(qr/2) E |sigma(g)|^q"
)


def mean_of_last(case: Tensors) -> Any:
    """E |f_(L-1)| of a chain with L >= 2, which is at most E |grad f|; None out of reach."""
    depth, dimension, r = case.whole("L"), case.whole("d0"), case.number("r")
    weights, inputs, moment = (case.number(name) for name in ("t", "q", "C"))
    if depth < 2 or dimension < 1 or min(r, weights, inputs, moment) <= 0:
        return None
    exponents = [r**k for k in range(depth)]
    if max(exponents) > LARGEST:
        return None
    scale = moment / length_moment(1, 2 * r)  # s^2 for sigma(z) = s |z|^r
    value = power(scale, sum(exponents[:-1], start=Fraction(0)) / 2)
    for e in exponents[1:]:  # the weights of the chain, and g with u x = |x| g, to these powers
        value = value * length_moment(1, e) * power(weights, e / 2)
    last = exponents[-1]
    return value * length_moment(dimension, last) * power(inputs / dimension, last / 2)


def order_bound(case: Tensors) -> Any:
    """The least K_1 of layers 0 to L - 1, a bound on the mean of |f_u|."""
    r, moment = case.number("r"), case.number("C")
    ratio = moment / length_moment(1, 2 * r)

    def neuron(q: Fraction) -> Any:
        """At most E |sigma(g)|^q."""
        share = power(Fraction(2), min(q / 2, ONE) - 1)
        return share * power(ratio, q / 2) * length_moment(1, q * r)

    @cache
    def layer(q: Fraction, number: int) -> Any:
        """K_q: at most E |f_u|^q of the neurons of a layer."""
        if number == 0:
            return length_moment(1, q)
        return neuron(q) * least(*(below(q * r, j) for j in range(number)))

    def below(s: Fraction, number: int) -> Any:
        """At most E v^(s/2) where only this layer is read."""
        return layer(s, number) if s <= 2 else power(layer(Fraction(2), number), s / 2)

    return least(*(layer(ONE, number) for number in range(case.whole("L"))))


def order_slack(scene: RealScene) -> Entries:
    """What decides of E |grad f| minus the bound, on chains: E |grad f| lies between E |f_(L-1)|
    and the root of E |grad f|^2. An entry where one of these is on one side."""

    def values(case: Tensors) -> Values:
        part, square = mean_of_last(case), mean_square(case)
        if part is None:
            return []
        right = order_bound(case)
        if part >= right:
            return [({}, part - right)]
        above = None if square is None else power(square, HALF)
        return [({}, above - right)] if above is not None and above < right else []

    return each_case(values, scene)


DEGREE_ABOVE_0 = Hypothesis(
    "degree above 0",
    r"$r>0$",
    by_case(lambda case: case.number("r") > 0),
    lambda case, random: with_value(case, "r", abs(case.number("r")) or ONE),
)
SUPPOSED = (SIZES, HIDDEN, POSITIVE, DEGREE_ABOVE_0, STANDARD_WEIGHTS, STANDARD_INPUTS)


def by_means() -> Argument:
    """From E |grad f| to the means of the neurons, and from layer to layer."""
    steps, trusted = powers_of_means()
    return Argument(
        "the derivatives by the weights of the last layer are the neurons that enter it, over the "
        "root of their number, so that |grad f| is at least the mean of |f_u|; E |f|^q is at least "
        "E |sigma(g)|^q times the least E |f_u|^(qr) below (qr <= 2) or (E f_u^2)^(qr/2) (qr > 2), "
        "and so on down to the inputs: moments of order 2 at most, and no width",
        steps,
        (
            GIVEN_THE_NEURONS_BELOW,
            *trusted,
            "Jensen's inequality for the convex z^h, h >= 1",
        ),
        "order_slack",
        tuple(hypothesis.name for hypothesis in SUPPOSED),
        section="docs/mathematics/zlb22.md#means-of-the-norm",
    )


CLAIMS = (
    Claim(
        "zlb22.prop4.4.order",
        Kind.INEQUALITY,
        PLACE,
        "the gradient norm is of order 1 at least",
        r"$\mathbb E_{\mathbf x,\mathbf w_0}[\lVert\nabla_{\mathbf w}f_k(\mathbf w_0)\rVert]="
        r"\Omega(1)$ in the width: it is at least $\min_{\ell<L}K_1^{(\ell)}$ with $K_q^{(0)}="
        r"\mathbb E|g|^q$ and $K_q^{(\ell)}=2^{\min(q/2,1)-1}(C_\sigma/\mathbb E|g|^{2r})^{q/2}"
        r"\,\mathbb E|g|^{qr}\,\min_{j<\ell}B^{(j)}$, where $B^{(j)}$ is $K_{qr}^{(j)}$ for "
        r"$qr\le2$ and $(K_2^{(j)})^{qr/2}$ else, $g\sim\mathcal N(0,1)$. Here on chains of one "
        r"neuron a layer with $\sigma(z)=s|z|^r$, where bounds on the left side decide; and for "
        r"ReLU, $z^2$ and $z^3$ along widths.",
        SUPPOSED,
        ("zlb22.ass4.1@A", "zlb22.ass4.2@B"),
        order_slack,
        CHAINS,
        exact_only=True,
        proof=by_means,
        through="chains of one neuron a layer stand for all networks "
        "(docs/mathematics/zlb22.md#chains-of-one-neuron-a-layer)",
        exponents=MEASURED,
    ),
)
