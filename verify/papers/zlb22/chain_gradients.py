"""Proposition 4.4, repaired: the mean of the squared gradient norm.

On chains of one neuron a layer and an activation of any degree r the last hidden neuron is a
product of powers of independent Gaussians, so that all is Gamma functions. `t` and `q` are the
variances of the weights and of the inputs, 1 as printed.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.core.argument import Argument
from verify.language.building import (
    Min,
    Number,
    Prod,
    Sum,
    When,
    Whole,
    between,
    smaller,
    upto,
)
from verify.language.terms import Term
from verify.papers.zlb22.gaussian_moments import square_moment
from verify.papers.zlb22.gradient_norms import GIVEN_THE_LAYERS_BELOW, PLACE, at_least_1
from verify.statements.derivations.symbols import same, symbols
from verify.statements.quantities import with_value
from verify.statements.stated import Given, pool_with, stated

r, C = Number("r", meaning="the degree"), Number("C", meaning="$C_\\sigma$")
t = Number("t", meaning="the variance of the weights")
q = Number("q", meaning="the variance of the inputs")
L, d0 = Whole("L", 1, 64), Whole("d0", 1, 4)

SCALE = C / square_moment(1, r)
"""s^2 for sigma(z) = s |z|^r."""


def share_of_weight(power: Term) -> Term:
    """E (e |g|^(e - 1))^2 over E |g|^(2e): what the derivative by a weight has in place of it."""
    return power**2 * square_moment(1, power - 1) / square_moment(1, power)


def last_neuron(part: Callable[[Term], Term]) -> Term:
    """E |f|^2 of the last hidden neuron, or of x / sqrt(d_0) where there is none; with a part of
    each exponent E |f|^(2p). Weights of the chain, and g with u x = |x| g, have the powers r^k."""
    top = r ** (L - 1)
    weights = Prod(upto(L - 1), lambda k: square_moment(1, part(r**k)) * t ** part(r**k))
    scales = SCALE ** part(Sum(between(0, L - 2), lambda k: r**k))
    return scales * weights * square_moment(d0, part(top)) * (q / d0) ** part(top)


MEAN_SQUARE = last_neuron(lambda e: e) * (1 + Sum(upto(L - 1), lambda k: share_of_weight(r**k)))
"""E |grad f|^2 of a chain: the weights other than those of the last layer have parts that hold the
one of the last layer, of variance t as they are."""


def moment_bound(moment: Term, degree: Term, depth: Term) -> Term:
    """min(1, min over j <= L of C^(1 + r + ... + r^(j-1))); C is an infimum of nothing if L = 1."""
    powers = Min(upto(depth), lambda j: moment ** Sum(between(0, j - 1), lambda k: degree**k))
    return When(depth == 1, 1, smaller(1, powers))


BOUNDED = moment_bound(C, r, L) <= MEAN_SQUARE
"""(18), squared."""


# hypotheses ---------------------------------------------------------------------------------------
def _is_one(name: str, title: str, statement: str) -> Given:
    return Given(
        title,
        Number(name) == 1,
        statement,
        lambda case, random: with_value(case, name, 1),
        lambda case, random: with_value(case, name, Fraction(1, random.choice((4, 9, 100)))),
        thin=True,
    )


def _deep_and_nearly_linear(case: Tensors, random: Random) -> Tensors:
    """A degree below 1; or a long chain of a degree so near 1 that no power of it falls to 1/2."""
    if random.random() < 0.3:
        return with_value(case, "r", random.choice((Fraction(3, 4), Fraction(2, 3))))
    for name in ("C", "t", "q"):
        case = with_value(case, name, 1)
    depth = random.randint(28, 34)
    return with_value(with_value(case, "L", depth), "r", 1 - Fraction(1, depth + 14))


def _positive(case: Tensors) -> Tensors:
    for name in ("C", "t", "q"):
        case = with_value(case, name, abs(case.number(name)) or Fraction(1))
    return case


SIZES = at_least_1(L, d0)
DEGREE = Given(
    "degree at least 1",
    r >= 1,
    r"$r\ge1$",
    lambda case, random: with_value(case, "r", random.choice((1, 1, Fraction(3, 2), 2, 3))),
    _deep_and_nearly_linear,
)
POSITIVE = Given(
    "positive moment",
    (C > 0) & (t > 0) & (q > 0),
    r"$C_\sigma>0$, and the variances are above 0",
    lambda case, random: _positive(case),
    built_in=True,
)
STANDARD_WEIGHTS = _is_one("t", "standard normal weights", r"the weights are $\mathcal N(0,1)$")
STANDARD_INPUTS = _is_one("q", "standard normal inputs", r"$\mathbf x\sim\mathcal N(0,I_{d_0})$")
SUPPOSED = (SIZES, POSITIVE, DEGREE, STANDARD_WEIGHTS, STANDARD_INPUTS)


def _chain(case: Tensors, random: Random) -> Tensors:
    """Mostly short chains, of the degrees of named activations."""
    case = with_value(case, "r", random.choice((1, 2, 3, Fraction(3, 2), Fraction(3, 4))))
    for name in ("t", "q"):
        case = with_value(case, name, 1)
    return _positive(with_value(case, "L", random.randint(1, 5)))


CHAINS = pool_with(r, C, t, q, L, d0, largest=1, adapt=_chain)


# argument -----------------------------------------------------------------------------------------
def by_the_last_layer() -> Argument:
    """E v^r >= (E v)^r, layer by layer, and the weights of the last layer alone."""
    steps = []
    ring, (degree,) = symbols(1)
    one = degree * 0 + 1
    powers = [one]
    for _ in range(8):
        powers.append(powers[-1] * degree)
    for j in range(1, 8):
        sums = [sum(powers[1:k], start=one) for k in (j, j + 1)]
        text = f"C (C^S_{j})^r = C^S_{j + 1} for S_j = 1 + r + ... + r^(j-1)"
        steps.append(same(ring, text, 1 + degree * sums[0], sums[1]))
    return Argument(
        "the derivatives by the weights of the last layer are the neurons that enter it, over the "
        "root of their number; each of these has E f^2 >= min(1, C, ..., C^S_(L-1)), since inputs "
        "have E x^2 = 1 and a neuron has E f^2 >= C (E v)^r, with E v a mean of what the layers "
        "below have",
        tuple(steps),
        (
            GIVEN_THE_LAYERS_BELOW,
            "Jensen's inequality: E v^r >= (E v)^r for r >= 1",
            "S_(j+1) = 1 + r S_j for every j, as for the first seven: both are 1 + r + ... + r^j",
        ),
        uses=tuple(one.name for one in SUPPOSED),
        section="docs/mathematics/zlb22.md#norms-of-the-gradient-mended",
    )


CLAIMS = (
    stated(
        "zlb22.prop4.4.fix",
        PLACE,
        "lower bound on the squared gradient norm",
        r"For $r\ge1$ the mean of the square is bounded: $\mathbb E_{\mathbf x,\mathbf w_0}"
        r"[\lVert\nabla_{\mathbf w}f_k(\mathbf w_0)\rVert^2]\ge"
        r"\min\big(1,\min_{1\le j\le L}C_\sigma^{\sum_{\ell'=0}^{j-1}r^{\ell'}}\big)$. Here on "
        r"chains of one neuron a layer, with $\sigma(z)=s|z|^r$.",
        BOUNDED,
        SUPPOSED,
        depends=("zlb22.ass4.1@A", "zlb22.ass4.2@B"),
        pool=CHAINS,
        repairs="zlb22.prop4.4",
        exact_only=True,
        proof=by_the_last_layer,
        through="chains of one neuron a layer stand for all networks "
        "(docs/mathematics/zlb22.md#chains-of-one-neuron-a-layer)",
    ),
)
