"""Proposition 4.4, repaired: the mean of the squared gradient norm.

On chains of one neuron a layer and an activation of any degree r the last hidden neuron is a
product of powers of independent Gaussians, so that all is Gamma functions. `t` and `q` are the
variances of the weights and of the inputs, 1 as printed.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene, RealTensors, as_real
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.argument import Argument
from verify.core.claim import Claim, Kind
from verify.papers.zlb22.gradient_norms import GIVEN_THE_LAYERS_BELOW, PLACE, SIZES, Values
from verify.papers.zlb22.half_line import least, length_moment, power
from verify.statements.derivations.symbols import same, symbols
from verify.statements.quantities import each_case, with_value

LARGEST = 64  # of an exponent r^k


def mean_square(case: Tensors) -> Any:
    """E |grad f|^2 of a chain, a Fraction or a Real; None where it is infinite or out of reach."""
    depth, dimension, r = case.whole("L"), case.whole("d0"), case.number("r")
    weights, inputs, moment = (case.number(name) for name in ("t", "q", "C"))
    if min(depth, dimension) < 1 or min(r, weights, inputs, moment) <= 0:
        return None
    if depth == 1:
        return inputs
    exponents = [r**k for k in range(depth)]
    if exponents[-1] > LARGEST or any(2 * e <= 1 for e in exponents):
        return None
    scale = moment / length_moment(1, 2 * r)  # s^2 for sigma(z) = s |z|^r
    value = power(scale, sum(exponents[:-1], start=Fraction(0)))
    for e in exponents[1:]:  # the weights of the chain, and g with u x = |x| g, to these powers
        value = value * length_moment(1, 2 * e) * power(weights, e)
    last = exponents[-1]
    value = value * length_moment(dimension, 2 * last) * power(inputs / dimension, last)
    # the parts of the other weights hold the one of the last layer, of variance t as they are
    return value * (1 + sum(e * e / (2 * e - 1) for e in exponents[1:]))


def moment_bound(case: Tensors) -> Any:
    """min(1, min over j <= L of C^(1 + r + ... + r^(j-1)))."""
    r, total, found = case.number("r"), Fraction(0), [Fraction(1)]
    for k in range(case.whole("L") if case.whole("L") > 1 else 0):
        total += r**k
        found.append(power(case.number("C"), total))
    return least(*found)


def mean_square_slack(scene: RealScene) -> Entries:
    """E |grad f|^2 minus the square of the right side of (18)."""

    def values(case: Tensors) -> Values:
        found = mean_square(case)
        return [] if found is None else [({}, found - moment_bound(case))]

    return each_case(values, scene)


def _is_one(name: str, title: str, statement: str) -> Hypothesis:
    return Hypothesis(
        title,
        statement,
        by_case(lambda case: case.number(name) == 1),
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


DEGREE = Hypothesis(
    "degree at least 1",
    r"$r\ge1$",
    by_case(lambda case: case.number("r") >= 1),
    lambda case, random: with_value(case, "r", random.choice((1, 1, Fraction(3, 2), 2, 3))),
    _deep_and_nearly_linear,
)
POSITIVE = Hypothesis(
    "positive moment",
    r"$C_\sigma>0$, and the variances are above 0",
    by_case(lambda case: all(case.number(name) > 0 for name in ("C", "t", "q"))),
    lambda case, random: _positive(case),
)
STANDARD_WEIGHTS = _is_one("t", "standard normal weights", r"the weights are $\mathcal N(0,1)$")
STANDARD_INPUTS = _is_one("q", "standard normal inputs", r"$\mathbf x\sim\mathcal N(0,I_{d_0})$")
SUPPOSED = (SIZES, POSITIVE, DEGREE, STANDARD_WEIGHTS, STANDARD_INPUTS)


def _positive(case: Tensors) -> Tensors:
    for name in ("C", "t", "q"):
        case = with_value(case, name, abs(case.number(name)) or Fraction(1))
    return case


def _chain(case: Tensors, random: Random) -> RealTensors:
    """Mostly short chains, of the degrees of named activations."""
    case = with_value(case, "r", random.choice((1, 2, 3, Fraction(3, 2), Fraction(3, 4))))
    for name in ("t", "q"):
        case = with_value(case, name, 1)
    return as_real(_positive(with_value(case, "L", random.randint(1, 5))), random)


CHAINS = TensorPool(
    (("r", ()), ("C", ()), ("t", ()), ("q", ())), (("L", 1, 5), ("d0", 1, 4)), 1, _chain
)


def by_the_last_layer() -> Argument:
    """E v^r >= (E v)^r, layer by layer, and the weights of the last layer alone."""
    steps = []
    ring, (r,) = symbols(1)
    one = r * 0 + 1
    powers = [one]
    for _ in range(8):
        powers.append(powers[-1] * r)
    for j in range(1, 8):
        sums = [sum(powers[1:k], start=one) for k in (j, j + 1)]
        text = f"C (C^S_{j})^r = C^S_{j + 1} for S_j = 1 + r + ... + r^(j-1)"
        steps.append(same(ring, text, 1 + r * sums[0], sums[1]))
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
        "mean_square_slack",
        tuple(hypothesis.name for hypothesis in SUPPOSED),
        section="docs/mathematics/zlb22.md#norms-of-the-gradient-mended",
    )


CLAIMS = (
    Claim(
        "zlb22.prop4.4.fix",
        Kind.INEQUALITY,
        PLACE,
        "lower bound on the squared gradient norm",
        r"For $r\ge1$ the mean of the square is bounded: $\mathbb E_{\mathbf x,\mathbf w_0}"
        r"[\lVert\nabla_{\mathbf w}f_k(\mathbf w_0)\rVert^2]\ge"
        r"\min\big(1,\min_{1\le j\le L}C_\sigma^{\sum_{\ell'=0}^{j-1}r^{\ell'}}\big)$. Here on "
        r"chains of one neuron a layer, with $\sigma(z)=s|z|^r$.",
        SUPPOSED,
        ("zlb22.ass4.1@A", "zlb22.ass4.2@B"),
        mean_square_slack,
        CHAINS,
        repairs="zlb22.prop4.4",
        exact_only=True,
        proof=by_the_last_layer,
        through="chains of one neuron a layer stand for all networks "
        "(docs/mathematics/zlb22.md#chains-of-one-neuron-a-layer)",
    ),
)
