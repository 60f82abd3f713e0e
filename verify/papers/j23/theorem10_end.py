"""Theorem 10: moving to a nearby point, the last display of the proof (Theorem 19), and what
Section 4.1 draws from it: the range of c_1, and depth against number of data."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from random import Random

from graphs.rings import ring_of
from verify.cases.hypotheses import random_rational
from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.language.building import Each, Number, Prod, Sum, Vector, Whole, between, dim, upto
from verify.language.proofs import Proof
from verify.language.terms import Term
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem10_notation import (
    DIMENSION,
    PROOF,
    PROPORTION,
    how_many,
    inverse,
    k,
    p,
    positive,
)
from verify.statements.quantities import listed, with_entries, with_value
from verify.statements.stated import Given, pool_with, stated, unless

# moving to a nearby point -------------------------------------------------------------------------
alpha, beta, mu = Number("alpha"), Number("beta"), Number("mu")
REST = alpha + beta + mu
MOST = 4 - 2 / k
THE_REST = Given(
    "the rest",
    mu >= 0,
    r"$\lVert\theta^{(1:\ell-1)}\rVert^2-(\ell-1)=\alpha\log N$, "
    r"$\lVert\theta^{(\ell+1:L)}\rVert^2-(L-\ell)=\beta\log N$, and $c_1+1=(\alpha+\beta+\mu)\log "
    r"N$ with $\mu\ge0$",
    lambda case, random: with_value(case, "mu", abs(case.number("mu"))),
    lambda case, random: with_value(case, "mu", -abs(case.number("mu")) - 1),
)


def _lowered(case: Tensors, random: Random) -> Tensors:
    """alpha becomes as large as it may be, or less."""
    others = case.number("beta") + case.number("mu")
    most = 4 - Fraction(2, case.whole("k")) - others
    return with_value(case, "alpha", most - random.choice((Fraction(0), Fraction(1, 2))))


BOUNDED_C1 = Given(
    "c_1 within bounds",
    REST <= MOST,
    r"$c_1+1\le(4-\frac2{k^*})\log N$",
    unless(REST <= MOST, _lowered),
    lambda case, random: with_value(case, "alpha", case.number("alpha") + 5),
)
STAYS = 1 - 1 / k - beta / 2 >= alpha / 2 - 1
EXPONENTS = pool_with(alpha, beta, mu, k)


def sizes_left(proof: Proof) -> None:
    """The slack is half of what is left of the bound on c_1, and of mu."""
    half = Fraction(1, 2)
    proof.algebra(
        proof.goal, {proof.given["c_1 within bounds"]: half, proof.given["the rest"]: half}
    )


# the last display ---------------------------------------------------------------------------------
t, a, j = Vector("t", "L"), Vector("a", "L"), Vector("j", "L")
c, c2, n, m = Number("c"), Number("c2"), Whole("n", 1, 9), Whole("m", 1, 4)
LAYERS = upto(dim(t))


def low(layer: Term, power: Term) -> Term:
    """c'^2 e^(-|theta^(l+1:L)|^2 + L - l) M with t_l = e^(|theta_l|^2 - 1) and M = N^(2 - 2/k)."""
    return c2**2 / Prod(between(layer + 1, dim(t)), lambda i: t[i]) * power


def high(layer: Term, power: Term) -> Term:
    """e^(-|theta^(1:l)|^2 + l) c^2 M."""
    return c**2 / Prod(upto(layer), lambda i: t[i]) * power


FOURTH = (
    Each(LAYERS, lambda r: a[r] >= 0)
    & Each(LAYERS, lambda r: j[r] >= 0)
    & (
        4 * how_many(LAYERS, lambda r: (a[r] >= low(r, n**2)) & (j[r] >= high(r, n**2)))
        >= p * dim(t)
    )
)
EXPONENTIALS = positive(r"exponentials and constants are above 0", t, c, c2)


def _raised(case: Tensors, random: Random) -> Tensors:
    """On as many layers as are asked for, both numbers reach their bounds."""
    assert EXPONENTIALS.repair is not None
    case = EXPONENTIALS.repair(case, random)  # the bounds divide by t
    layers, square = listed(case, "t"), Fraction(case.whole("n")) ** 2
    one, other = ([abs(value) for value in listed(case, name)] for name in "aj")
    count = -(-case.number("p") * len(one) // 4)
    for i in random.sample(range(len(one)), min(len(one), max(1, int(count)))):
        one[i] = max(one[i], case.number("c2") ** 2 * square / prod(layers[i + 1 :]))
        other[i] = max(other[i], case.number("c") ** 2 * square / prod(layers[: i + 1]))
    return with_entries(with_entries(case, "a", one), "j", other)


A_FOURTH = Given(
    "a fourth of the layers",
    FOURTH,
    r"$a_\ell=\lVert\alpha_{\ell-1}(x)\rVert^2$ and $j_\ell=\lVert J(\tilde\alpha_\ell\to f_\theta)"
    r"(x)\rVert_F^2$ meet the bounds of `j23.thm10.move` and `j23.thm10.lip` on at least a fourth "
    r"of the $pL$ layers; $\lVert\theta\rVert^2=L+c_1$ is the sum over the layers, "
    r"$t_\ell=e^{\lVert\theta_\ell\rVert^2-1}$",
    unless(FOURTH, _raised),
    lambda case, random: with_entries(case, "a", [x / 10**6 for x in listed(case, "a")]),
)


def share(layer: Term, power: Term) -> Term:
    """(p L / 4) times the product of both bounds."""
    return p * dim(t) / 4 * low(layer, power) * high(layer, power)


LAST_EQUALITY = Each(
    LAYERS,
    lambda r: (
        share(r, m ** (2 * k - 2))
        == p / 4 * c2**2 * c**2 * dim(t) / Prod(LAYERS, lambda i: t[i]) * m ** (4 * k - 4)
    ),
)


def exponents_add() -> Argument:
    """With 1/u and 1/v for the two products of exponentials, and M = N^(2 - 2/k)."""
    ring = ring_of(8)
    inverse_u, inverse_v, c, c2, p, depth, power, share = ring.generators
    two, four, quarter = (ring.constant(Fraction(value)) for value in (2, 4, "1/4"))
    left = quarter * p * depth * (c2 * c2 * power * inverse_v) * (inverse_u * c * c * power)
    right = quarter * p * c2 * c2 * c * c * depth * inverse_u * inverse_v * power * power
    exponent = two * (two - two * share) - (four - four * share)
    return Argument(
        "both sides are the same product",
        (
            Step("(p L / 4) c'^2 M/v c^2 M/u = (p c'^2 c^2 / 4) L M^2/(u v)", left == right),
            Step("M^2 has the exponent 2 (2 - 2/k) = 4 - 4/k of N", ring.is_zero(exponent)),
        ),
        ("the exponentials of the layers up to l and after l multiply to that of all",),
        ("positive numbers", "proportion"),
        section="docs/mathematics/j23.md#numbers-for-powers-and-exponentials",
    )


# the range of c_1, and depth against the number of data -------------------------------------------
gamma, log, R, kappa, L = (*map(Number, ("gamma", "log", "R", "kappa")), Whole("L", 1, 60))
BELOW = gamma < 4 * (1 - 1 / k)


def _multiple(case: Tensors, more: Fraction) -> Tensors:
    return with_value(case, "gamma", 4 - Fraction(4, case.whole("k")) + more)


MULTIPLE = Given(
    "a multiple below",
    BELOW,
    r"$c_1=\gamma\log N$ with $\gamma<4(1-\frac1{k^*})$",
    unless(
        BELOW, lambda case, random: _multiple(case, -Fraction(random.choice((1, 100, 500)), 100))
    ),
    lambda case, random: _multiple(case, Fraction(random.choice((0, 1)))),
)
MANY_DATA, ROOM = (kappa > 0) & (log >= kappa * L), L * (2 * kappa * (1 - 1 / k) - (k - 1))


def _enough_data(case: Tensors, random: Random) -> Tensors:
    rate = abs(case.number("kappa")) or Fraction(1)
    data = rate * case.whole("L") + random.choice((0, 0, 1, 10))
    return with_value(with_value(case, "kappa", rate), "log", data)


EXPONENTIALLY = Given(
    "exponentially larger",
    MANY_DATA,
    r"$N\ge e^{\kappa L}$ with $\kappa>0$",
    unless(MANY_DATA, _enough_data),
    lambda case, random: with_value(case, "log", abs(random_rational(random)) / 10),
)


def _room(case: Tensors) -> Fraction:
    rank, depth = case.whole("k"), case.whole("L")
    return depth * (2 * case.number("kappa") * (1 - Fraction(1, rank)) - (rank - 1))


DEEP = Given(
    "deep",
    R <= ROOM,
    r"$R^{(1)}(f^*)\le L\,(2\kappa(1-\frac1{k^*})-(k^*-1))$",
    unless(
        R <= ROOM,
        lambda case, random: with_value(case, "R", _room(case) - random.choice((0, 0, 1, 5))),
    ),
    lambda case, random: with_value(case, "R", abs(_room(case)) * 2 + 100),
)


def exponents_suffice(proof: Proof) -> None:
    """The slack is what R leaves of its bound, and 2 (1 - 1/k) times log N - kappa L."""
    above_1, data = proof.given["dimension"], proof.part(proof.given["exponentially larger"], 1)
    unit, share = inverse(proof, k, proof.algebra(k > 0, {above_1: 1, (): 1}))
    room = proof.algebra(1 - 1 / k >= 0, {(above_1, share): 1, unit: -1})
    proof.algebra(proof.goal, {proof.given["deep"]: 1, (room, data): 2})


# the statements -----------------------------------------------------------------------------------
NEARBY = (
    r"Since $x$ is $O(N^{-1})$-close to $\tilde x_i$ one can guarantee that "
    r"$\lVert\alpha_{\ell-1}(x)\rVert\ge c'e^{-\frac{\lVert\theta^{(\ell+1:L)}\rVert^2-(L-\ell)}2}"
    r"N^{1-\frac1{k^*}}$ for some constant $c'$: here, with the Lipschitz constant of "
    r"`j23.thm10.lip`, the activation changes on the way by at most the order of its bound at "
    r"$\tilde x_i$"
)
BY_EXPONENTS = (
    "the exponent of $N$ in the largest change that the Lipschitz constant allows is compared with "
    "that of the bound (docs/mathematics/j23.md#moving-by-one-part-in-n)"
)
PLACE, DEPENDS = (
    printed(PROOF + "after the indices and layers"),
    ("j23.thm10.quarter.a", "j23.thm10.lip.b"),
)
BOUNDS = (
    r"\frac{pL}4c'^2e^{-\lVert\theta^{(\ell+1:L)}\rVert^2+(L-\ell)}N^{2-\frac2{k^*}}"
    r"e^{-\lVert\theta^{(1:\ell)}\rVert^2+\ell}c^2N^{2-\frac2{k^*}}"
)
LOWER_NORM = (
    r"there is a rank-recovering function with a lower parameter norm than any "
    r"rank-underestimating functions: here, by the expansion of the cost to order one, "
    r"$k^*L+R^{(1)}(f^*)\le L+2(1-\frac1{k^*})\log N$"
)
CLAIMS = (
    stated(
        "j23.thm10.move",
        PLACE,
        "moving to a nearby point",
        NEARBY + ".",
        STAYS,
        [DIMENSION, THE_REST],
        depends=DEPENDS,
        pool=EXPONENTS,
        through=BY_EXPONENTS,
        why="over a distance of order $1/N$ the activation may change by more than the bound, "
        r"where $c_1$ is larger than $(4-\frac2{k^*})\log N$",
    ),
    stated(
        "j23.thm10.move.fix",
        PLACE,
        "moving to a nearby point, repaired",
        NEARBY + r", if $c_1+1\le(4-\frac2{k^*})\log N$.",
        STAYS,
        [DIMENSION, THE_REST, BOUNDED_C1],
        depends=DEPENDS,
        pool=EXPONENTS,
        repairs="j23.thm10.move",
        proofs=[sizes_left],
        through=BY_EXPONENTS,
    ),
    stated(
        "j23.thm10.final.sum",
        printed(PROOF + "last display, the inequality"),
        "last display: inequality",
        r"$\sum_{\ell=1}^L\lVert\alpha_{\ell-1}(x)\rVert^2\lVert J(\tilde\alpha_\ell\to f_\theta)"
        rf"\rVert_F^2\ge{BOUNDS}$.",
        Each(LAYERS, lambda r: Sum(LAYERS, lambda i: a[i] * j[i]) >= share(r, n**2)),
        [EXPONENTIALS, PROPORTION, A_FOURTH],
        depends=("j23.thm10.move", "j23.thm10.lip.b"),
        pool=pool_with(t, c, c2, p, a, j, n, largest=5),
    ),
    stated(
        "j23.thm10.final.last",
        printed(PROOF + "last display, the last equality"),
        "last display: last equality",
        rf"${BOUNDS}=c''Le^{{-c_1}}N^{{4-\frac4{{k^*}}}}$ with $c''=\frac p4c'^2c^2$ and "
        r"$\lVert\theta\rVert^2=L+c_1$, for every $\ell$.",
        LAST_EQUALITY,
        [EXPONENTIALS, PROPORTION],
        pool=pool_with(t, c, c2, p, m, k, largest=5),
        proof=exponents_add,
    ),
    stated(
        "j23.c1range@A",
        printed("Section 4.1, after Theorem 10"),
        "range of c_1",
        r"If $c_1$ is within a factor of 2 of this lower bound, $c_1<4(1-\frac1{k^*})\log N$, "
        r"then the above shows that the NTK will blow up at a rate $N^\alpha L$ for a positive "
        r"$\alpha$.",
        4 - 4 / k - gamma > 0,
        [DIMENSION, MULTIPLE],
        depends=("j23.thm10.data@A", "j23.thm10.deep@A"),
        pool=pool_with(gamma, k),
        reading="A",
        reading_text=r"$c_1$ is a fixed multiple of $\log N$",
        through="the bound of Theorem 10 is taken, and its exponent in $N$ is measured "
        "(docs/mathematics/j23.md#scales)",
    ),
    stated(
        "j23.tradeoff",
        printed("Section 4.1, second paragraph after Theorem 10"),
        "depth against number of data",
        r"When $N$ is much larger than the depth $L$ (exponentially larger: $N\ge e^{\kappa L}$, "
        r"with $\kappa>\frac{k^*}2$ and $L$ so large that "
        rf"$R^{{(1)}}(f^*)\le L(2\kappa(1-\frac1{{k^*}})-(k^*-1))$), {LOWER_NORM}.",
        k * L + R <= L + 2 * (1 - 1 / k) * log,
        [DIMENSION, EXPONENTIALLY, DEEP],
        depends=("j23.expansion", "j23.r1rank1"),
        pool=pool_with(log, R, kappa, L, k),
        proofs=[exponents_suffice],
        through="the norms are replaced by the first two terms of their expansions, and the norm "
        "of rank-underestimating functions by its lower bound "
        "(docs/mathematics/j23.md#depth-against-data)",
    ),
)
