"""Theorem 10, Section 4.1: the steps of its proof (Theorem 19) that are about numbers and lists.

Arrays: `x`, `y`, `z` stand for the exponentials of |theta^(1:l-1)|^2 - (l-1), |theta^(l+1:L)|^2 -
(L-l) and |theta_l|^2, so that e^(c_1 + 1) = x y z; `q` for c_1 - 2 log |Jf(x)|_+; `n` for N^(1/k)
(verify.quantities).
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from graphs.rings import ring_of
from verify.argument import Argument
from verify.claim import Claim, Kind
from verify.hypotheses import random_rational
from verify.papers.j23.sources import printed
from verify.quantities import (
    PROPORTION,
    each_case,
    lengthened,
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

GAPS = tuple(map(Fraction, ("0", "1/10", "1", "10")))
Labelled = list[tuple[dict[str, object], Fraction]]


# intervals of a segment ---------------------------------------------------------------------------
def short_intervals(scene: object) -> Entries:
    """The number of intervals of length at most D / ((1 - p) (N - 1)), minus p (N - 1)."""

    def of_case(case: Tensors) -> Labelled:
        lengths, p = listed(case, "d"), case.number("p")
        bound = case.number("D") / ((1 - p) * len(lengths))
        count = sum(length <= bound for length in lengths)
        return [({}, count - p * len(lengths))]

    return each_case(of_case, scene)


def _within(case: Tensors) -> bool:
    return sum(listed(case, "d")) <= case.number("D") and min(listed(case, "d")) >= 0


def _wide_enough(case: Tensors, random: Random) -> Tensors:
    lengths = [abs(length) for length in listed(case, "d")]
    total = sum(lengths, Fraction(0)) + random.choice(GAPS)
    return with_value(with_entries(case, "d", lengths), "D", total)


def _too_narrow(case: Tensors, random: Random) -> Tensors:
    return with_value(case, "D", sum(listed(case, "d"), Fraction(0)) / random.choice((2, 8, 100)))


def intervals_counted() -> Argument:
    """Were p (N - 1) - s intervals short, r + s with r = (1 - p)(N - 1) would be longer than D / r
    = B, and their sum more than (r + s) B, that is D + s B."""
    ring = ring_of(3)
    bound, more, r = ring.generators
    text = "(r + s) B - r B has no negative coefficient, where r B = D"
    return Argument(
        "were fewer than p (N - 1) intervals short, the sum of the others would exceed D",
        (nonnegative(ring, text, (r + more) * bound - r * bound),),
        (
            "a sum of lengths is at least that of any part of them",
            "for every number of intervals: the parts are symbols, and need not be whole",
        ),
        "short_intervals",
        ("lengths", "proportion"),
        section=26,
    )


LENGTHS = relation(
    "lengths",
    r"the lengths are at least 0 and their sum, $\lVert x_N-x_1\rVert$, is at most "
    r"$D=\mathrm{diag}\,\Omega$",
    _within,
    _wide_enough,
    _too_narrow,
)

SHORT_INTERVALS = Claim(
    "j23.thm10.jac.b",
    Kind.INEQUALITY,
    printed("proof of Theorem 19, third paragraph"),
    "most intervals are short",
    r"Since $\sum\lVert\tilde x_{i+1}-\tilde x_i\rVert=\lVert x_N-x_1\rVert\le\mathrm{diag}\,"
    r"\Omega$ there must be at least $p(N-1)$ intervals $i$ with $\lVert\tilde x_{i+1}-\tilde x_i"
    r"\rVert\le\frac{\mathrm{diag}\,\Omega}{(1-p)(N-1)}$.",
    (LENGTHS, PROPORTION),
    measure=short_intervals,
    pool=pool(("d", ("I",)), number("D"), number("p"), largest=6),
    exact_only=True,
    proof=intervals_counted,
)


# the depth threshold ------------------------------------------------------------------------------
def threshold(case: Tensors) -> Fraction:
    """(4 / c^2) e^(c_1 + 1) N^(2/k) (q / p) D^2."""
    c, p, wide = (case.number(name) for name in ("c", "p", "D"))
    exponential = case.number("x") * case.number("y") * case.number("z")
    return 4 / c**2 * exponential * case.whole("n") ** 2 * case.number("q") / p * wide**2


def depth_slack(scene: object) -> Entries:
    """With L = the threshold plus the gap: the square of half of the first term of the bracket,
    c y^(-1/2) / n, minus the square of the second one, x^(1/2) rho D with rho^2 = q / (p L)."""

    def of_case(case: Tensors) -> Labelled:
        depth = threshold(case) + case.number("gap")
        if depth <= 0:
            return []
        c, x, y = (case.number(name) for name in ("c", "x", "y"))
        half = c**2 / (4 * y * case.whole("n") ** 2)
        second = x * case.number("q") * case.number("D") ** 2 / (case.number("p") * depth)
        return [({}, half - second)]

    return each_case(of_case, scene)


def threshold_suffices() -> Argument:
    """p L c^2 - 4 x y n^2 q D^2 for z = 1 + s, and c^2 p L = 4 x y z n^2 q D^2 + c^2 p g."""
    ring = ring_of(9)
    x, y, s, n, q, wide, c, p, gap = ring.generators
    one, four = ring.constant(Fraction(1)), ring.constant(Fraction(4))
    core = four * x * y * n * n * q * wide * wide
    scaled_depth = core * (one + s) + c * c * p * gap
    text = "c^2 p L - 4 x y n^2 q D^2 has no negative coefficient for z = 1 + s"
    step = nonnegative(ring, text, scaled_depth - core)
    return Argument(
        "the slack times 4 y n^2 p L is a sum of products of numbers that are not negative",
        (step,),
        (
            "N^(1/k) and the exponentials of norms are numbers above 0 of their own",
            "the difference of the representations is at least what the display before it says",
        ),
        "depth_slack",
        ("positive numbers", "a norm", "threshold", "q at least 0", "proportion"),
        section=26,
    )


CONSTANTS = positive(
    ("c", "D", "x", "y"), r"$c,\mathrm{diam}\,\Omega>0$; exponentials are positive"
)
A_NORM = relation(
    "a norm",
    r"$\lVert\theta\rVert^2=L+c_1$ is at least the sum over the layers $1:\ell-1$ and "
    r"$\ell+1:L$: $z=e^{\lVert\theta_\ell\rVert^2}\ge1$",
    lambda case: case.number("z") >= 1,
    lambda case, random: with_value(case, "z", 1 + abs(random_rational(random))),
    lambda case, random: with_value(case, "z", Fraction(random.randint(1, 7), 8)),
)
DEEP_ENOUGH = relation(
    "threshold",
    r"$L\ge\frac4{c^2}e^{c_1+1}N^{2/k^*}\frac{c_1-2\log\vert Jf_\theta(x)\vert_+}p"
    r"(\mathrm{diam}\,\Omega)^2$: here $L$ is the right side plus $\mathrm{gap}\ge0$",
    lambda case: case.number("gap") >= 0,
    lambda case, random: with_value(case, "gap", random.choice(GAPS)),
    lambda case, random: with_value(case, "gap", -threshold(case) / random.choice((2, 3, 9))),
)
SQUARED_BOUND = relation(
    "q at least 0",
    r"$c_1-2\log\vert Jf_\theta(x)\vert_+\ge0$, as it bounds a square",
    lambda case: case.number("q") >= 0,
    lambda case, random: with_value(case, "q", abs(case.number("q"))),
)

DEPTH = Claim(
    "j23.thm10.depth.a",
    Kind.INEQUALITY,
    printed("proof of Theorem 19, after the three-line display"),
    "depth threshold",
    r"For $L\ge\frac4{c^2}e^{c_1+1}N^{\frac2{k^*}}\frac{c_1-2\log\vert Jf_\theta(x)\vert_+}p"
    r"(\mathrm{diam}\,\Omega)^2$ we have $u_\ell^T(z_{i_{m_2}}-z_{i_{m_1}})\ge(m_2-m_1)\frac c2"
    r"e^{-\frac{\lVert\theta^{(\ell+1:L)}\rVert^2-(L-\ell)}2}N^{-\frac1{k^*}}$: the second term of "
    r"the bracket before it is at most half of the first.",
    (CONSTANTS, PROPORTION, SQUARED_BOUND, A_NORM, DEEP_ENOUGH),
    ("j23.thm10.chain.a", "j23.thm10.chain.b", "j23.thm10.chain.c"),
    depth_slack,
    pool(
        *(number(name) for name in ("c", "p", "D", "q", "x", "y", "z", "gap")),
        integers=(("n", 1, 12),),
    ),
    exact_only=True,
    proof=threshold_suffices,
    through="the difference of the representations is taken to be at least the display before it; "
    "measured are the two terms of that (docs/mathematics.md, 26)",
)


# half of the activations --------------------------------------------------------------------------
def large_ones(scene: object, fewer: int) -> Entries:
    """The number of |t_i| above g N / 4, minus N / 2 and plus `fewer`."""

    def of_case(case: Tensors) -> Labelled:
        values = listed(case, "t")
        bound = case.number("g") * len(values) / 4
        count = sum(abs(value) > bound for value in values)
        return [({}, count - Fraction(len(values), 2) + fewer)]

    return each_case(of_case, scene)


def half_large(scene: object) -> Entries:
    """As printed."""
    return large_ones(scene, 0)


def nearly_half_large(scene: object) -> Entries:
    """With one less."""
    return large_ones(scene, 1)


def _gaps(case: Tensors) -> bool:
    values, g, p = listed(case, "t"), case.number("g"), case.number("p")
    count = len(values)
    return all(
        values[j] - values[i] >= (j - i) * g
        for i in range(count)
        for j in range(i, count)
        if j - i >= p * count
    )


def _spread(case: Tensors, random: Random) -> Tensors:
    """In order, with gaps of g beside those there were, or g alone; about 0, or wherever."""
    values, g = sorted(listed(case, "t")), case.number("g")
    if random.random() < 0.5:
        values = [Fraction(0)] * len(values)
    values = [value + k * g for k, value in enumerate(values)]
    if random.random() < 0.7:
        middle = (values[0] + values[-1]) / 2
        values = [value - middle for value in values]
    return with_entries(case, "t", values)


def _squeezed(case: Tensors, random: Random) -> Tensors:
    """Nearer to each other; where that is not enough downwards, and of all pairs."""
    count = len(listed(case, "t"))
    near = with_entries(case, "t", [value / 100 for value in listed(case, "t")])
    if not _gaps(near) or count == 1:
        return near
    down = with_entries(case, "t", [-k * (abs(case.number("g")) + 1) for k in range(count)])
    return with_value(down, "p", Fraction(1, count)) if _gaps(down) else down


FAR_APART = relation(
    "far apart",
    r"$t_{m_2}-t_{m_1}\ge(m_2-m_1)g$ whenever $m_2-m_1\ge pN$, with $t_m=u_\ell^Tz_{i_m}$ and "
    r"$g=\frac c2e^{-\frac{\lVert\theta^{(\ell+1:L)}\rVert^2-(L-\ell)}2}N^{-1/k^*}$",
    _gaps,
    _spread,
    _squeezed,
)


def _separated(case: Tensors) -> bool:
    """Whether N is at least 3, and two of the indices are separated by p N."""
    count = case.lengths["N"]
    return count >= 3 and case.number("p") * count <= count - 1


def _more_indices(case: Tensors, random: Random) -> Tensors:
    case = lengthened(case, "N", 3)
    most = Fraction(case.lengths["N"] - 1, case.lengths["N"])
    return with_value(case, "p", min(case.number("p"), most))


SEPARATED = relation(
    "indices far apart",
    r"$N\ge3$, so that there are a closest and a second closest point, and $pN\le N-1$, so that "
    "there are indices separated by $pN$",
    _separated,
    _more_indices,
    lambda case, random: with_value(case, "p", Fraction(99, 100)),
)


def _crowded(case: Tensors) -> Tensors:
    """Separated by so many indices that no two of them are, and all 0."""
    return with_value(
        with_entries(case, "t", [Fraction(0)] * len(listed(case, "t"))), "p", Fraction(19, 20)
    )


P_SMALL = relation(
    "p at most 1/2",
    r"$p\le\frac12$",
    lambda case: case.number("p") <= Fraction(1, 2),
    lambda case, random: with_value(case, "p", Fraction(random.randint(1, 10), 20)),
    lambda case, random: _crowded(case),
)
GAP_POSITIVE = positive(("g",), r"$g>0$")
REALS = pool(("t", ("N",)), number("g"), number("p"), largest=8)
HALF = (
    r"which implies that at least half of the activations $z_i$ have norm larger than "
    r"$\frac c8e^{-\frac{\lVert\theta^{(\ell+1:L)}\rVert^2-(L-\ell)}2}N^{1-\frac1{k^*}}=\frac{gN}4$"
)

HALF_LARGE = Claim(
    "j23.thm10.depth.b",
    Kind.INEQUALITY,
    printed("proof of Theorem 19, after the three-line display"),
    "half of the activations",
    rf"The gaps of `j23.thm10.depth.a`, for all indices separated by $pN$, hold, {HALF}: here the "
    r"$z_i=t_iu_\ell$ lie on a line.",
    (GAP_POSITIVE, PROPORTION, SEPARATED, FAR_APART),
    ("j23.thm10.depth.a",),
    half_large,
    REALS,
    exact_only=True,
    why="the indices of small activations are consecutive; their number may be $N/2+1$, and more "
    r"where $p>\frac12$, as nothing is said of indices that are nearer than $pN$",
)
HALF_LARGE_REPAIRED = Claim(
    "j23.thm10.depth.b.fix",
    Kind.INEQUALITY,
    printed("proof of Theorem 19, after the three-line display"),
    "half of the activations, repaired",
    r"With the gaps of `j23.thm10.depth.a` for all indices separated by $pN$, $p\le\frac12$, at "
    r"least $\frac N2-1$ of the activations have norm larger than $\frac{gN}4$.",
    (GAP_POSITIVE, PROPORTION, P_SMALL, FAR_APART),
    ("j23.thm10.depth.a",),
    nearly_half_large,
    REALS,
    repairs="j23.thm10.depth.b",
    exact_only=True,
)

CLAIMS = (SHORT_INTERVALS, DEPTH, HALF_LARGE, HALF_LARGE_REPAIRED)
