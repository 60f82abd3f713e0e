"""Theorem E.1 where copies of a neuron read the same: sharing adds up.

One input x = 1, the identity as activation, L = 2: M^p weights u_k, each at the M^a neurons of the
hidden layer that are its copies, and an output that reads all of them, f = M^(-(p+a)/2) sum_k u_k
sum_t v_kt. By the distinct weights the Hessian has the entries M^(-(p+a)/2) at (u_k, v_kt) and no
others: the columns of the u_k are orthogonal and of length M^(-p/2), so that |H_f| = M^(-p/2) at
every w. The width is m = M^(p+a) and D = M^a, so |H_f| = (D/m)^(1/2): of order m^(-1/2) for bounded
D alone. What shows that the hypothesis is needed are the families with a > 0, where the
width grows by copies and not by weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from graphs.arithmetic import rational
from verify.claim import Claim, Kind
from verify.papers.j23.sides import Side, by_numbers
from verify.papers.zlb22.orders import about, among, exponents_named
from verify.papers.zlb22.sources import printed
from verify.tensors import Tensors

ONE = Fraction(1)


def orders_of_copies(case: Tensors) -> Iterator[Side]:
    """The power of M by which |H_f| falls, p/2, against the claimed one, (p + a)/2."""
    p, a = case.number("p"), case.number("a")
    if min(p, a) < 0:  # fewer than one weight, or copy
        return
    yield {}, rational(p / 2), rational((p + a) / 2)


GROWING = about(
    "the layer of copies grows",
    r"$p\ge0$, $p+a>0$: the width $m=M^{p+a}$ grows",
    lambda case: case.number("p") >= 0 and case.number("p") + case.number("a") > 0,
    lambda case, random: {"p": abs(case.number("p")) + abs(case.number("a")) + ONE},
    lambda case, random: {"p": -1 - abs(case.number("a"))},
)
COPIES = about(
    "number of copies",
    r"$a\ge0$: each weight has $D=M^a$ places",
    lambda case: case.number("a") >= 0,
    lambda case, random: {"a": abs(case.number("a"))},
    lambda case, random: {"a": -abs(case.number("p")) / 2 - Fraction(1, 6)},
)
CONSTANT = about(
    "constantly many copies",
    r"$a=0$: $D$ is bounded, independent of $m$",
    lambda case: case.number("a") == 0,
    lambda case, random: {"a": Fraction(0), "p": abs(case.number("p")) or ONE},
    lambda case, random: {"a": among(Fraction(1, 6), Fraction(2), random)},
)
FAMILY = (
    r"$\lVert H_f\rVert=\tilde O(1/\sqrt m)$ with respect to the distinct weights. Here on "
    r"$f=M^{-(p+a)/2}\sum_ku_k\sum_tv_{kt}$, $M^p$ weights $u_k$ at $D=M^a$ neurons each that read "
    r"the input $x=1$: $p/2$, the power of $M$ by which $\lVert H_f\rVert$ falls at every "
    r"$\mathbf w$, is at least $(p+a)/2$."
)
CLAIMS = (
    Claim(
        "zlb22.thmE.1.copies",
        Kind.INEQUALITY,
        printed("Theorem E.1, (32), (35)"),
        "shared weights, on copies that read the same",
        r"If weights are shared a constant number $D$ of times, independent of $m$, " + FAMILY,
        (GROWING, COPIES, CONSTANT),
        ("zlb22.thmE.1",),
        by_numbers(orders_of_copies),
        exponents_named("p", "a"),
        exact_only=True,
    ),
)
