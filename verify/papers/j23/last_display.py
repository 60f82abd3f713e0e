"""Theorem 10: moving to a nearby point, and the last display of the proof (Theorem 19).

Powers of N and exponentials are numbers of their own (verify.quantities); where N is
taken apart, its exponents are compared as rationals.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod
from random import Random
from typing import Any

from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.papers.j23.sources import printed
from verify.quantities import (
    PROPORTION,
    both_sides,
    dot,
    each_case,
    listed,
    nonnegative,
    number,
    pool,
    positive,
    relation,
    with_entries,
    with_value,
)
from verify.tensors import Tensors
from verify.vocabulary import Entries

Labelled = list[tuple[dict[str, Any], Any]]
Sides = list[tuple[dict[str, Any], Fraction, Fraction]]
PROOF = "proof of Theorem 19, "


# moving to a nearby point -------------------------------------------------------------------------
def exponent_left(scene: Any) -> Entries:
    """(1 - 1/k - beta/2) - (alpha/2 - 1): the exponent of the bound at the point minus that of the
    largest change of the activation on the way."""

    def of_case(case: Tensors) -> Labelled:
        bound = 1 - Fraction(1, case.whole("k")) - case.number("beta") / 2
        return [({}, bound - (case.number("alpha") / 2 - 1))]

    return each_case(of_case, scene)


def sizes_left() -> Argument:
    """2 - 1/k - (alpha + beta)/2 with alpha + beta = 4 - 2/k - mu - s."""
    ring = ring_of(4)
    alpha, share, mu, s = ring.generators  # share = 1/k
    one, two, four, half = (ring.constant(Fraction(c)) for c in (1, 2, 4, "1/2"))
    beta = four - two * share - mu - s - alpha
    slack = (one - share - half * beta) - (half * alpha - one)
    return Argument(
        "the slack is half of mu + s",
        (
            Step("the slack is (mu + s)/2", ring.is_zero(slack - half * (mu + s))),
            nonnegative(ring, "it has no negative coefficient", slack),
        ),
        ("the change of the activation on the way is at most the Lipschitz constant times O(1/N)",),
        "exponent_left",
        ("the rest", "c_1 within bounds", "dimension"),
        section=26,
        cites=("j23.thm10.lip.b",),
    )


def _rest(case: Tensors) -> Fraction:
    return case.number("alpha") + case.number("beta") + case.number("mu")


THE_REST = relation(
    "the rest",
    r"$\lVert\theta^{(1:\ell-1)}\rVert^2-(\ell-1)=\alpha\log N$, "
    r"$\lVert\theta^{(\ell+1:L)}\rVert^2-(L-\ell)=\beta\log N$, and $c_1+1=(\alpha+\beta+\mu)\log "
    r"N$ with $\mu\ge0$",
    lambda case: case.number("mu") >= 0,
    lambda case, random: with_value(case, "mu", abs(case.number("mu"))),
    lambda case, random: with_value(case, "mu", -abs(case.number("mu")) - 1),
)
BOUNDED_C1 = relation(
    "c_1 within bounds",
    r"$c_1+1\le(4-\frac2{k^*})\log N$",
    lambda case: _rest(case) <= 4 - Fraction(2, case.whole("k")),
    lambda case, random: with_value(
        case,
        "alpha",
        case.number("alpha")
        - (_rest(case) - 4 + Fraction(2, case.whole("k")))
        - random.choice((Fraction(0), Fraction(1, 2))),
    ),
    lambda case, random: with_value(case, "alpha", case.number("alpha") + 5),
)
DIMENSION = relation(
    "dimension",
    r"$k^*>1$",
    lambda case: case.whole("k") > 1,
    lambda case, random: with_value(case, "k", random.randint(2, 5)),
    lambda case, random: with_value(case, "k", 1),
)
EXPONENTS = pool(number("alpha"), number("beta"), number("mu"), integers=(("k", 1, 6),))
NEARBY = (
    r"Since $x$ is $O(N^{-1})$-close to $\tilde x_i$ one can guarantee that "
    r"$\lVert\alpha_{\ell-1}(x)\rVert\ge c'e^{-\frac{\lVert\theta^{(\ell+1:L)}\rVert^2-(L-\ell)}2}"
    r"N^{1-\frac1{k^*}}$ for some constant $c'$: here, with the Lipschitz constant of "
    r"`j23.thm10.lip`, the activation changes on the way by at most the order of its bound at "
    r"$\tilde x_i$"
)
BY_EXPONENTS = (
    "the exponent of $N$ in the largest change that the Lipschitz constant allows is compared with "
    "that of the bound (docs/mathematics.md, 26)"
)
MOVE = Claim(
    "j23.thm10.move",
    Kind.INEQUALITY,
    printed(PROOF + "after the indices and layers"),
    "moving to a nearby point",
    NEARBY + ".",
    (DIMENSION, THE_REST),
    ("j23.thm10.quarter.a", "j23.thm10.lip.b"),
    exponent_left,
    EXPONENTS,
    exact_only=True,
    through=BY_EXPONENTS,
    why="over a distance of order $1/N$ the activation may change by more than the bound, where "
    r"$c_1$ is larger than $(4-\frac2{k^*})\log N$",
)
MOVE_REPAIRED = Claim(
    "j23.thm10.move.fix",
    Kind.INEQUALITY,
    printed(PROOF + "after the indices and layers"),
    "moving to a nearby point, repaired",
    NEARBY + r", if $c_1+1\le(4-\frac2{k^*})\log N$.",
    (DIMENSION, THE_REST, BOUNDED_C1),
    ("j23.thm10.quarter.a", "j23.thm10.lip.b"),
    exponent_left,
    EXPONENTS,
    repairs="j23.thm10.move",
    exact_only=True,
    proof=sizes_left,
    through=BY_EXPONENTS,
)


# the last display ---------------------------------------------------------------------------------
def _bounds(case: Tensors, layer: int, power: Fraction) -> tuple[Fraction, Fraction]:
    """c'^2 e^(-|theta^(l+1:L)|^2 + L - l) M and e^(-|theta^(1:l)|^2 + l) c^2 M, with t_l =
    e^(|theta_l|^2 - 1) and M = N^(2 - 2/k)."""
    t = listed(case, "t")
    below = case.number("c2") ** 2 * power / prod(t[layer:], start=Fraction(1))
    above = case.number("c") ** 2 * power / prod(t[:layer], start=Fraction(1))
    return below, above


def last_sum(scene: Any) -> Entries:
    """sum_l a_l j_l - (p L / 4) c'^2 c^2 e^(-c_1) n^4 with n = N^(1 - 1/k)."""

    def of_case(case: Tensors) -> Labelled:
        a, j = listed(case, "a"), listed(case, "j")
        product_of_bounds = (case.number("c") * case.number("c2")) ** 2 * case.whole("n") ** 4
        right = case.number("p") * len(a) / 4 * product_of_bounds
        return [({}, dot(a, j) - right / prod(listed(case, "t"), start=Fraction(1)))]

    return each_case(of_case, scene)


def last_equality(scene: Any) -> Entries:
    """For each l, with N = m^k: (p L / 4) times the product of both bounds, minus c'' L e^(-c_1)
    N^(4 - 4/k) with c'' = p c'^2 c^2 / 4."""

    def of_case(case: Tensors) -> Sides:
        t, m, k = listed(case, "t"), case.whole("m"), case.whole("k")
        power = Fraction(m ** (2 * k - 2))
        p, depth = case.number("p"), len(t)
        constant = p / 4 * case.number("c2") ** 2 * case.number("c") ** 2
        right = constant * depth / prod(t, start=Fraction(1)) * m ** (4 * k - 4)
        found: Sides = []
        for layer in range(1, depth + 1):
            below, above = _bounds(case, layer, power)
            found.append(({"layer": layer}, p * depth / 4 * below * above, right))
        return found

    return both_sides(of_case, scene)


def _good_layers(case: Tensors) -> int:
    a, j = listed(case, "a"), listed(case, "j")
    power = Fraction(case.whole("n")) ** 2
    bounds = [_bounds(case, layer, power) for layer in range(1, len(a) + 1)]
    return sum(a[k] >= below and j[k] >= above for k, (below, above) in enumerate(bounds))


def _a_fourth(case: Tensors) -> bool:
    values = [*listed(case, "a"), *listed(case, "j")]
    return min(values) >= 0 and 4 * _good_layers(case) >= case.number("p") * len(values) / 2


def _raised(case: Tensors, random: Random) -> Tensors:
    case = LAYERS.repair(case, random)  # the bounds divide by t
    a, j = ([abs(value) for value in listed(case, name)] for name in "aj")
    count = -(-case.number("p") * len(a) // 4)
    for k in random.sample(range(len(a)), min(len(a), max(1, int(count)))):
        below, above = _bounds(case, k + 1, Fraction(case.whole("n")) ** 2)
        a[k], j[k] = max(a[k], below), max(j[k], above)
    return with_entries(with_entries(case, "a", a), "j", j)


def _lowered(case: Tensors, random: Random) -> Tensors:
    return with_entries(case, "a", [value / 10**6 for value in listed(case, "a")])


A_FOURTH = relation(
    "a fourth of the layers",
    r"$a_\ell=\lVert\alpha_{\ell-1}(x)\rVert^2$ and $j_\ell=\lVert J(\tilde\alpha_\ell\to f_\theta)"
    r"(x)\rVert_F^2$ meet the bounds of `j23.thm10.move` and `j23.thm10.lip` on at least a fourth "
    r"of the $pL$ layers; $\lVert\theta\rVert^2=L+c_1$ is the sum over the layers, "
    r"$t_\ell=e^{\lVert\theta_\ell\rVert^2-1}$",
    _a_fourth,
    _raised,
    _lowered,
)
LAYERS = positive(("t", "c", "c2"), r"exponentials and constants are above 0")
OF_LAYERS = (("t", ("L",)), number("c"), number("c2"), number("p"))
LAST_SUM = Claim(
    "j23.thm10.final.sum",
    Kind.INEQUALITY,
    printed(PROOF + "last display, the inequality"),
    "last display: inequality",
    r"$\sum_{\ell=1}^L\lVert\alpha_{\ell-1}(x)\rVert^2\lVert J(\tilde\alpha_\ell\to f_\theta)"
    r"\rVert_F^2\ge\frac{pL}4c'^2e^{-\lVert\theta^{(\ell+1:L)}\rVert^2+(L-\ell)}N^{2-\frac2{k^*}}"
    r"e^{-\lVert\theta^{(1:\ell)}\rVert^2+\ell}c^2N^{2-\frac2{k^*}}$.",
    (LAYERS, PROPORTION, A_FOURTH),
    ("j23.thm10.move", "j23.thm10.lip.b"),
    last_sum,
    pool(*OF_LAYERS, ("a", ("L",)), ("j", ("L",)), integers=(("n", 1, 9),), largest=5),
    exact_only=True,
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
        "last_equality",
        ("positive numbers", "proportion"),
        section=26,
    )


LAST_EQUALITY = Claim(
    "j23.thm10.final.last",
    Kind.IDENTITY,
    printed(PROOF + "last display, the last equality"),
    "last display: last equality",
    r"$\frac{pL}4c'^2e^{-\lVert\theta^{(\ell+1:L)}\rVert^2+(L-\ell)}N^{2-\frac2{k^*}}"
    r"e^{-\lVert\theta^{(1:\ell)}\rVert^2+\ell}c^2N^{2-\frac2{k^*}}=c''Le^{-c_1}N^{4-\frac4{k^*}}$ "
    r"with $c''=\frac p4c'^2c^2$ and $\lVert\theta\rVert^2=L+c_1$, for every $\ell$.",
    (LAYERS, PROPORTION),
    measure=last_equality,
    pool=pool(*OF_LAYERS, integers=(("m", 1, 4), ("k", 2, 4)), largest=5),
    exact_only=True,
    proof=exponents_add,
)

CLAIMS = (MOVE, MOVE_REPAIRED, LAST_SUM, LAST_EQUALITY)
