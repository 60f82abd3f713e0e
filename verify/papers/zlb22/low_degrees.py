"""Proposition 4.4 and PL* at the initial point for homogeneous activations of a degree r <= 1.

E v^r >= (E v)^r, on which the repaired proposition rests, turns round. But v is a mean of squares,
and z^p is concave for p <= 1, so that v^p is at least the mean of the p-th powers: E |f|^(2q) >=
E |sigma(g)|^(2q) times the mean of E |f_u|^(2 q r) over the incoming neurons. Down to the inputs
that is, along paths of k neurons, N_k = E |g|^(2 r^k) prod_{i<k} E |sigma(g)|^(2 r^i), and
E |sigma(g)|^(2q) is at least 2^(q-1) (C / E |g|^(2r))^q E |g|^(2rq), with equality where sigma is 0
on one side. No width enters.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.language.building import Min, Prod, between
from verify.language.terms import Term, make
from verify.papers.zlb22.chain_gradients import (
    CHAINS,
    MEAN_SQUARE,
    POSITIVE,
    SCALE,
    SIZES,
    STANDARD_INPUTS,
    STANDARD_WEIGHTS,
    L,
    r,
)
from verify.papers.zlb22.gaussian_moments import square_moment
from verify.papers.zlb22.gradient_norms import GIVEN_THE_LAYERS_BELOW, PLACE
from verify.papers.zlb22.kernel_at_start import PLACE as PL_PLACE
from verify.papers.zlb22.kernel_at_start import SAID
from verify.statements.derivations.symbols import same, symbols
from verify.statements.quantities import with_value
from verify.statements.stated import Given, stated


# in the mean --------------------------------------------------------------------------------------
def one_sided_moment(power: Term) -> Term:
    """E |sigma(g)|^(2q) of an activation that is 0 on one side."""
    return make("pow", 2, power - 1) * SCALE**power * square_moment(1, r * power)


LOW_BOUND = Min(
    between(0, L - 1),
    lambda k: square_moment(1, r**k) * Prod(between(0, k - 1), lambda i: one_sided_moment(r**i)),
)
"""The least N_k of k = 0, ..., L - 1 hidden layers."""
LOW_DEGREES = MEAN_SQUARE >= LOW_BOUND


def _low(case: Tensors, random: Random) -> Tensors:
    degrees = [Fraction(k - 1, k) for k in (4, 6, 10, 20)]
    return with_value(case, "r", random.choice((Fraction(1), *degrees)))


LOW_DEGREE = Given(
    "degree at most 1",
    (r > 0) & (r <= 1),
    r"$0<r\le1$",
    _low,
    lambda case, random: with_value(case, "r", random.choice((2, 3))),
)
SUPPOSED = (SIZES, POSITIVE, LOW_DEGREE, STANDARD_WEIGHTS, STANDARD_INPUTS)


def powers_of_means() -> tuple[tuple[Step, ...], tuple[str, ...]]:
    """The steps, and what they rest on, from E |f|^(2h) to the neurons below: h is q, or q/2."""
    ring, (degree, h) = symbols(2)
    one = degree * 0 + 1
    steps = (
        same(
            ring,
            "|sigma(v^(1/2) g)|^(2h) has v^(hr), and (f_u^2)^(hr) = |f_u|^(2hr): exponents of 2hr",
            2 * h * degree,
            2 * (h * degree),
        ),
        same(
            ring,
            "2^(h-1) (b^2/2)^h = b^(2h)/2, exponents of 2: of a one-sided activation all is equal",
            (h - one) - h,
            -one,
        ),
        same(
            ring,
            "(z^h)'' = h (h-1) z^(h-2), and h (h-1) = -h (1-h) is at most 0 for 0 <= h <= 1",
            h * (h - one),
            -h * (one - h),
        ),
    )
    trusted = (
        "Jensen's inequality for the concave z^h, 0 < h <= 1",
        "x^h >= x for 0 <= x <= 1, 0 < h <= 1: so (A^h + B^h)/2 >= 2^(h-1) ((A + B)/2)^h",
    )
    return steps, trusted


def by_concavity() -> Argument:
    """E v^p >= mean of E f_u^(2p), layer by layer, and the weights of the last layer alone."""
    steps, trusted = powers_of_means()
    return Argument(
        "the derivatives by the weights of the last layer are the neurons that enter it, over the "
        "root of their number; E |f|^(2q) >= E |sigma(g)|^(2q) times the mean over the incoming "
        "neurons of E |f_u|^(2qr), and so on down to the inputs, along paths of at most L - 1 "
        "hidden neurons",
        steps,
        (GIVEN_THE_LAYERS_BELOW, *trusted),
        uses=tuple(one.name for one in SUPPOSED),
        section="docs/mathematics/zlb22.md#degrees-of-at-most-1",
    )


LOWER = (
    r"\min_{0\le k<L}\Big(\mathbb E|g|^{2r^k}\prod_{i<k}2^{r^i-1}\Big(\frac{C_\sigma}{\mathbb "
    r"E|g|^{2r}}\Big)^{r^i}\mathbb E|g|^{2r^{i+1}}\Big)"
)
CHAIN = r"Here on chains of one neuron a layer, with $\sigma(z)=s|z|^r$."

CLAIMS = (
    stated(
        "zlb22.prop4.4.low.fix",
        PLACE,
        "lower bound on the squared gradient norm, of degrees at most 1",
        r"For $0<r\le1$ the mean of the square is bounded by another constant: $\mathbb "
        r"E_{\mathbf x,\mathbf w_0}[\lVert\nabla_{\mathbf w}f_k(\mathbf w_0)\rVert^2]\ge"
        rf"{LOWER}$, $g\sim\mathcal N(0,1)$, so that it is $\Omega(1)$. {CHAIN}",
        LOW_DEGREES,
        SUPPOSED,
        depends=("zlb22.ass4.1@A", "zlb22.ass4.2@B"),
        pool=CHAINS,
        repairs="zlb22.prop4.4",
        exact_only=True,
        proof=by_concavity,
        through="chains of one neuron a layer stand for all networks "
        "(docs/mathematics/zlb22.md#degrees-of-at-most-1)",
    ),
    stated(
        "zlb22.pl.w0.low@A",
        PL_PLACE,
        "PL* at the initial point, of degrees at most 1",
        SAID
        + rf"for $0<r\le1$, $\mathbb E[\lambda_{{\min}}(K(\mathbf w_0))]\ge{LOWER}>0$. {CHAIN}",
        LOW_DEGREES,
        SUPPOSED,
        depends=("zlb22.prop4.4.low.fix", "zlb22.eq16"),
        pool=CHAINS,
        reading="A",
        reading_text="the expectation is bounded, by another constant than that of Proposition 4.4",
        exact_only=True,
        proof=by_concavity,
        through="chains of one neuron a layer stand for all networks "
        "(docs/mathematics/zlb22.md#degrees-of-at-most-1)",
    ),
)
