"""Theorem 10: the bracket and the depth threshold in its proof (Theorem 19).

`x`, `y`, `z` stand for the exponentials of |theta^(1:l-1)|^2 - (l-1), |theta^(l+1:L)|^2 - (L-l) and
|theta_l|^2, so that e^(c_1 + 1) = x y z; `q` for c_1 - 2 log |Jf(x)|_+; `n` for N^(1/k).
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.cases.hypotheses import random_rational
from verify.cases.tensors import Tensors
from verify.language.building import (
    Each,
    Number,
    Sum,
    Vector,
    When,
    Whole,
    between,
    dim,
    implies,
    upto,
)
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem10_notation import (
    GAPS,
    PROOF,
    PROPORTION,
    counted,
    how_many,
    inverse,
    p,
    positive,
)
from verify.statements.quantities import lengthened, listed, with_entries, with_value
from verify.statements.stated import Given, pool_with, stated, unless

c, n = Number("c"), Whole("n", 1, 12)

# the bracket --------------------------------------------------------------------------------------
h, E, F = Vector("h", "M"), Number("E"), Number("F")
BETWEEN = upto(dim(h))
MOSTLY = Each(BETWEEN, lambda m: h[m] >= 0) & (
    2 * how_many(BETWEEN, lambda m: h[m] >= c * (1 / n)) >= dim(h)
)


def _enlarged(case: Tensors, random: Random) -> Tensors:
    halves, bound = [abs(h) for h in listed(case, "h")], case.number("c") / case.whole("n")
    places = random.sample(range(len(halves)), (len(halves) + 1) // 2)
    halves = [max(h, bound) if k in places else h for k, h in enumerate(halves)]
    return with_entries(case, "h", halves)


MOSTLY_LARGE = Given(
    "few outliers",
    MOSTLY,
    r"$h_m=\frac{d_{1,i_m}+d_{2,i_m}}2\ge0$, at least $c'N^{-1/k^*}$ for at least half of the $m$ "
    r"between; $n=N^{1/k^*}$",
    unless(MOSTLY, _enlarged),
    lambda case, random: with_entries(case, "h", [h / 1000 for h in listed(case, "h")]),
)


def bracket(proof: Proof) -> None:
    """Half of the terms are at least c/n, and none is below 0."""
    numbers = proof.given["positive numbers"]
    e_positive, c_positive, n_positive = (proof.conjunct(numbers, one > 0) for one in (E, c, n))
    at_least_0, half = (proof.part(proof.given["few outliers"], k) for k in (0, 1))
    _, share = inverse(proof, n, n_positive)

    def each(m: Term, member: Fact) -> Fact:
        large, positive = h[m] >= c * (1 / n), proof.at(at_least_0, member)
        own = c * (1 / n) * When(large, 1, 0) <= h[m]
        return counted(
            proof,
            large,
            lambda fact, one: proof.algebra(own, {fact: 1, one: -c * (1 / n)}),
            lambda _, none: proof.algebra(own, {positive: 1, none: -c * (1 / n)}),
        )

    total = proof.summed(BETWEEN, each)
    weighed = (half, e_positive, c_positive, share)
    proof.algebra(proof.goal, {(total, e_positive): 1, weighed: Fraction(1, 2)})


# the depth threshold ------------------------------------------------------------------------------
q, L, D = Number("q"), Number("L"), Number("D")
x, y, z = Number("x"), Number("y"), Number("z")
THRESHOLD = 4 / c**2 * (x * y * z) * n**2 * (q / p) * D**2
HALF_OF_FIRST, SECOND = c**2 / (4 * y * n**2), x * (q / (p * L)) * D**2


def _to_threshold(case: Tensors, share: Fraction, more: Fraction) -> Tensors:
    """L becomes that share of the right side, and more."""
    numbers = {name: case.number(name) for name in "cpDqxyz"}
    if not numbers["c"] or not numbers["p"]:
        return case
    right = 4 / numbers["c"] ** 2 * numbers["x"] * numbers["y"] * numbers["z"]
    right *= case.whole("n") ** 2 * numbers["q"] / numbers["p"] * numbers["D"] ** 2
    return with_value(case, "L", share * right + more)


def _deep_enough(case: Tensors, random: Random) -> Tensors:
    for name in "cp":
        case = case if case.number(name) else with_value(case, name, 1)
    found = _to_threshold(case, Fraction(1), random.choice(GAPS))
    return found if found.number("L") > 0 else with_value(case, "L", random.choice((1, 2, 5)))


A_NORM = Given(
    "a norm",
    z >= 1,
    r"$\lVert\theta\rVert^2=L+c_1$ is at least the sum over the layers $1:\ell-1$ and "
    r"$\ell+1:L$: $z=e^{\lVert\theta_\ell\rVert^2}\ge1$",
    unless(z >= 1, lambda case, random: with_value(case, "z", 1 + abs(random_rational(random)))),
    lambda case, random: _to_threshold(
        with_value(case, "z", Fraction(random.randint(1, 7), 8)), Fraction(1), Fraction(0)
    ),
)
DEEP_ENOUGH = Given(
    "threshold",
    (L >= THRESHOLD) & (L > 0),
    r"$L\ge\frac4{c^2}e^{c_1+1}N^{2/k^*}\frac{c_1-2\log\vert Jf_\theta(x)\vert_+}p"
    r"(\mathrm{diam}\,\Omega)^2$, $L>0$",
    unless((L >= THRESHOLD) & (L > 0), _deep_enough),
    lambda case, random: _to_threshold(case, Fraction(1, random.choice((2, 9, 100))), Fraction(0)),
)
SQUARED_BOUND = Given(
    "q at least 0",
    q >= 0,
    r"$c_1-2\log\vert Jf_\theta(x)\vert_+\ge0$, as it bounds a square",
    unless(q >= 0, lambda case, random: with_value(case, "q", abs(case.number("q")))),
)
CONSTANTS = positive(r"$c,\mathrm{diam}\,\Omega>0$; exponentials are positive", c, D, x, y, n)


def threshold_suffices(proof: Proof) -> None:
    """The slack is c^2/(4 y n^2 L) times how far L is above the threshold, and
    x q D^2 (z - 1)/(p L), up to a/a = 1."""
    numbers = proof.given["positive numbers"]
    enough, deep = (proof.part(proof.given["threshold"], k) for k in (0, 1))
    of_c, of_n, of_y = (inverse(proof, one, proof.conjunct(numbers, one > 0)) for one in (c, n, y))
    of_depth = inverse(proof, L, deep)
    _, share = inverse(proof, p, proof.part(proof.given["proportion"], 0))
    one_c, one_n = (one * (1 / one) for one in (c, n))
    rest = z * x * q * D**2 * (1 / p) * (1 / L)
    above = (proof.given["q at least 0"], proof.given["a norm"], share, of_depth[1])
    proof.algebra(
        proof.goal,
        {
            of_depth[0]: -(c**2) / (4 * n**2 * y),
            of_y[0]: rest * one_c**2 * one_n**2,
            of_n[0]: rest * one_c**2 * (one_n + 1),
            of_c[0]: rest * (one_c + 1),
        },
        [
            (1, c / (2 * n), enough, of_y[1], of_depth[1]),
            (1, D, proof.conjunct(numbers, x > 0), *above),
        ],
    )


# half of the activations --------------------------------------------------------------------------
t, g = Vector("t", "N"), Number("g")
N = dim(t)
LARGE = how_many(upto(N), lambda i: abs(t[i]) > g * N / 4)
GAP_POSITIVE = positive(r"$g>0$", g)
APART = Each(
    upto(N),
    lambda i: Each(between(i, N), lambda j: implies(j - i >= p * N, t[j] - t[i] >= (j - i) * g)),
)


def _spread(case: Tensors, random: Random) -> Tensors:
    """In order, with gaps of g beside those there were, or g alone; about 0, or wherever."""
    values, gap = sorted(listed(case, "t")), case.number("g")
    if random.random() < 0.5:
        values = [Fraction(0)] * len(values)
    values = [value + i * gap for i, value in enumerate(values)]
    if random.random() < 0.7:
        middle = (values[0] + values[-1]) / 2
        values = [value - middle for value in values]
    return with_entries(case, "t", values)


FAR_APART = Given(
    "far apart",
    APART,
    r"$t_{m_2}-t_{m_1}\ge(m_2-m_1)g$ whenever $m_2-m_1\ge pN$, with $t_m=u_\ell^Tz_{i_m}$ and "
    r"$g=\frac c2e^{-\frac{\lVert\theta^{(\ell+1:L)}\rVert^2-(L-\ell)}2}N^{-1/k^*}$",
    unless(APART, _spread),
    lambda case, random: with_entries(case, "t", [Fraction(0)] * len(listed(case, "t"))),
)
IN_SIGHT = (N >= 3) & (p * N <= N - 1)


def _more_indices(case: Tensors, random: Random) -> Tensors:
    case = lengthened(case, "N", 3)
    most = Fraction(case.lengths["N"] - 1, case.lengths["N"])
    return with_value(case, "p", min(case.number("p"), most))


SEPARATED = Given(
    "indices far apart",
    IN_SIGHT,
    r"$N\ge3$, so that there are a closest and a second closest point, and $pN\le N-1$, so that "
    "there are indices separated by $pN$",
    unless(IN_SIGHT, _more_indices),
    lambda case, random: with_value(case, "p", Fraction(99, 100)),
)


def _crowded(case: Tensors, random: Random) -> Tensors:
    """Separated by so many indices that no two of them are, and all 0."""
    numbers = with_entries(case, "t", [Fraction(0)] * len(listed(case, "t")))
    return with_value(numbers, "p", Fraction(19, 20))


P_SMALL = Given(
    "p at most 1/2",
    p <= Fraction(1, 2),
    r"$p\le\frac12$",
    unless(
        p <= Fraction(1, 2),
        lambda case, random: with_value(case, "p", Fraction(random.randint(1, 10), 20)),
    ),
    _crowded,
)
REALS = pool_with(t, g, p, largest=8)

# the statements -----------------------------------------------------------------------------------
AFTER_CHAIN = printed(PROOF + "after the three-line display")
HALF = (
    r"at least half of the activations $z_i$ have norm larger than "
    r"$\frac c8e^{-\frac{\lVert\theta^{(\ell+1:L)}\rVert^2-(L-\ell)}2}N^{1-\frac1{k^*}}=\frac{gN}4$"
)
CLAIMS = (
    stated(
        "j23.thm10.chain.c",
        printed(PROOF + "three-line display, last inequality"),
        "the bracket",
        r"$E\sum_{m=m_1+1}^{m_2}\frac{d_{1,i_m}+d_{2,i_m}}2-(m_2-m_1)F\ge(m_2-m_1)\big[c\,E\,"
        r"N^{-1/k^*}-F\big]$, where up to a few outliers $\frac{d_{1,i}+d_{2,i}}2\ge "
        r"c'N^{-1/k^*}$; here $c=\frac{c'}2$ and at most half of the terms are outliers.",
        E * Sum(BETWEEN, lambda m: h[m]) - dim(h) * F >= dim(h) * (c / 2 * E * (1 / n) - F),
        [positive(r"$E,c',n>0$", E, c, n), MOSTLY_LARGE],
        depends=("j23.thm10.order",),
        pool=pool_with(h, E, F, c, n, largest=6),
        proofs=[bracket],
    ),
    stated(
        "j23.thm10.depth.a",
        AFTER_CHAIN,
        "depth threshold",
        r"For $L\ge\frac4{c^2}e^{c_1+1}N^{\frac2{k^*}}\frac{c_1-2\log\vert Jf_\theta(x)\vert_+}p"
        r"(\mathrm{diam}\,\Omega)^2$ we have $u_\ell^T(z_{i_{m_2}}-z_{i_{m_1}})\ge(m_2-m_1)\frac c2"
        r"e^{-\frac{\lVert\theta^{(\ell+1:L)}\rVert^2-(L-\ell)}2}N^{-\frac1{k^*}}$: the second "
        r"term of the bracket before it is at most half of the first; both squared.",
        HALF_OF_FIRST >= SECOND,
        [CONSTANTS, PROPORTION, SQUARED_BOUND, A_NORM, DEEP_ENOUGH],
        depends=("j23.thm10.chain.a", "j23.thm10.chain.b", "j23.thm10.chain.c"),
        pool=pool_with(c, p, D, q, x, y, z, L, n),
        proofs=[threshold_suffices],
        through="the difference of the representations is taken to be at least the display before "
        "it; measured are the two terms of that "
        "(docs/mathematics/j23.md#numbers-for-powers-and-exponentials)",
    ),
    stated(
        "j23.thm10.depth.b",
        AFTER_CHAIN,
        "half of the activations",
        r"The gaps of `j23.thm10.depth.a`, for all indices separated by $pN$, hold, which implies "
        rf"that {HALF}: here the $z_i=t_iu_\ell$ lie on a line.",
        LARGE >= N / 2,
        [GAP_POSITIVE, PROPORTION, SEPARATED, FAR_APART],
        depends=("j23.thm10.depth.a",),
        pool=REALS,
        why="the indices of small activations are consecutive; their number may be $N/2+1$, and "
        r"more where $p>\frac12$, as nothing is said of indices that are nearer than $pN$",
    ),
    stated(
        "j23.thm10.depth.b.fix",
        AFTER_CHAIN,
        "half of the activations, repaired",
        r"With the gaps of `j23.thm10.depth.a` for all indices separated by $pN$, $p\le\frac12$, "
        r"at least $\frac N2-1$ of the activations have norm larger than $\frac{gN}4$.",
        LARGE >= N / 2 - 1,
        [GAP_POSITIVE, PROPORTION, P_SMALL, FAR_APART],
        depends=("j23.thm10.depth.a",),
        pool=REALS,
        repairs="j23.thm10.depth.b",
    ),
)
