"""Proposition 4.4 where the expectation is known in closed form.

As printed, for homogeneous activations of degree r = 1, sigma(z) = b z for z > 0 and a z for z < 0:
- L = 1: |grad f| = |x| / sqrt(d_0). No activation enters and C_sigma is an infimum of nothing: the
  print is not about such networks, and a hidden layer is a hypothesis.
- L = 2 with n hidden neurons: |grad f|^2 = (|x|^2 / d_0) (1/n) sum_i s_i^2 (g_i^2 + v_i^2), where
  s_i is the slope at g_i, and |x|, g and v are independent. Closed where a or b is 0, or a^2 = b^2.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from random import Random
from typing import Any

from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene, RealTensors, as_real
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.papers.zlb22.half_line import length_moment, power
from verify.papers.zlb22.sources import printed
from verify.statements.quantities import each_case, with_value

Values = list[tuple[dict[str, Any], Any]]
HALF = Fraction(1, 2)
PLACE = printed("Proposition 4.4, eq. (18)")


# as printed ---------------------------------------------------------------------------------------
def second_moment(case: Tensors) -> Fraction:
    """C_sigma = E sigma(z)^2 of a piecewise linear activation."""
    return (case.number("a") ** 2 + case.number("b") ** 2) / 2


def _closed(case: Tensors) -> bool:
    return case.whole("L") in (1, 2) and min(case.whole("d0"), case.whole("n")) >= 1


def mean_norm(case: Tensors) -> Any:
    """E |grad f|, a Fraction or a Real, or None where it has no closed form here."""
    dimension = case.whole("d0")
    if not _closed(case):
        return None
    scale = length_moment(dimension, 1) * power(Fraction(dimension), -HALF)
    if case.whole("L") == 1:
        return scale
    count, (one, other) = case.whole("n"), sorted(abs(case.number(name)) for name in "ab")
    scale = scale * other * power(Fraction(count), -HALF)
    if one == other:
        return scale * length_moment(2 * count, 1)
    if one:
        return None
    shares = [Fraction(comb(count, k), 2**count) for k in range(count + 1)]
    return scale * sum(
        (shares[k] * length_moment(2 * k, 1) for k in range(1, count + 1)), start=Fraction(0)
    )


def printed_bound(case: Tensors) -> Any:
    """The square root of min(1, C, C^2) for L = 2 and r = 1, of min(1, infinity) for L = 1."""
    if case.whole("L") == 1:
        return Fraction(1)
    return power(min(Fraction(1), second_moment(case) ** 2), HALF)


def mean_norm_slack(scene: RealScene) -> Entries:
    """E |grad f| minus the right side of (18)."""

    def values(case: Tensors) -> Values:
        found = mean_norm(case)
        return [] if found is None else [({}, found - printed_bound(case))]

    return each_case(values, scene)


SIZES = Hypothesis(
    "sizes at least 1",
    r"$L$, $d_0$ and the number of hidden neurons are at least $1$",
    by_case(lambda case: min(case.whole(name) for name in _sizes(case)) >= 1),
    lambda case, random: _with_sizes(case),
)


def _sizes(case: Tensors) -> list[str]:
    return [name for name, array in case.arrays.items() if array.integer]


def _with_sizes(case: Tensors) -> Tensors:
    for name in _sizes(case):
        case = with_value(case, name, max(1, case.whole(name)))
    return case


HIDDEN = Hypothesis(
    "a hidden layer",
    r"$L\ge2$: there are activations",
    by_case(lambda case: case.whole("L") >= 2),
    lambda case, random: with_value(case, "L", max(2, case.whole("L"))),
)


MOMENT = Hypothesis(
    "C_sigma above 0",
    r"$C_\sigma=\inf\mathbb E_{z\sim\mathcal N(0,1)}[\sigma(z)^2]>0$, for "
    r"$\sigma(z)=bz$ for $z>0$ and $az$ for $z<0$",
    by_case(lambda case: bool(second_moment(case))),
    lambda case, random: case if second_moment(case) else with_value(case, "b", 1),
)


def _sides(case: Tensors, random: Random) -> RealTensors:
    """Slopes for which the expectation is closed: ReLU and the absolute value up to a factor."""
    if random.random() < 0.4:  # near sqrt(2) ReLU, whose second moment is 1
        case = with_value(case, "b", random.choice((Fraction(7, 5), Fraction(3, 2))))
    other = random.choice((Fraction(0), Fraction(0), case.number("b"), -case.number("b")))
    return as_real(with_value(case, "a", other), random)


SMALL = TensorPool((("a", ()), ("b", ())), (("L", 1, 2), ("d0", 1, 4), ("n", 1, 6)), 1, _sides)


GIVEN_THE_LAYERS_BELOW = (
    "given the neurons before it, a pre-activation is normal with variance v = mean of their "
    "squares, and independent of the others; so E sigma(z)^2 = E v^r E sigma(g)^2"
)


# claims -------------------------------------------------------------------------------------------
RIGHT = r"\sqrt{\min\Big(1,\min_{1\le j\le L}C_\sigma^{\sum_{\ell'=0}^{j-1}r^{\ell'}}\Big)}"
CLOSED = (
    r"Here for one output, $\sigma(z)=bz$ for $z>0$ and $az$ for $z<0$ ($r=1$), and $L=2$ with $n$ "
    "hidden neurons"
)

CLAIMS = (
    Claim(
        "zlb22.prop4.4",
        Kind.INEQUALITY,
        PLACE,
        "lower bound on the gradient norm",
        rf"$\mathbb E_{{\mathbf x,\mathbf w_0}}[\lVert\nabla_{{\mathbf w}}f_k(\mathbf w_0)\rVert]"
        rf"\ge{RIGHT}$. {CLOSED}.",
        (SIZES, HIDDEN, MOMENT),
        ("zlb22.ass4.1@A", "zlb22.ass4.2@B"),
        mean_norm_slack,
        SMALL,
        exact_only=True,
        through=r"$\mathbb E\|\nabla f_k\|$ of one hidden layer has a closed form "
        "(docs/mathematics/zlb22.md#norms-of-the-gradient-as-printed)",
        why=r"The proof bounds $\mathbb E\|\nabla f_k\|^2$, and $\mathbb E\|\nabla f_k\|$ may be "
        r"smaller than its root: with one hidden neuron, $\sigma(z)=\frac32\max(z,0)$, for which "
        r"$C_\sigma=\frac98$, and $d_0=1$ it is $\frac34$, where the print says at least $1$.",
    ),
)
