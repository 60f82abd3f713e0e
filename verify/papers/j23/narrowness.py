"""Theorem 10, Section 4.1: the steps of its proof (Theorem 19) that are about numbers and lists.

Arrays: `x`, `y`, `z` stand for the exponentials of |theta^(1:l-1)|^2 - (l-1), |theta^(l+1:L)|^2 -
(L-l) and |theta_l|^2, so that e^(c_1 + 1) = x y z; `q` for c_1 - 2 log |Jf(x)|_+; `n` for N^(1/k)
(verify.papers.j23.quantities).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.hypotheses import random_rational
from verify.papers.j23.quantities import (
    PROPORTION,
    each_case,
    listed,
    nonnegative,
    number,
    pool,
    positive,
    relation,
    rows_of,
    with_entries,
    with_rows,
    with_value,
)
from verify.papers.j23.sources import printed
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
        ("a sum of lengths is at least that of any part of them",),
        "short_intervals",
        ("lengths", "proportion"),
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
        (),
        "depth_slack",
        ("positive numbers", "a norm", "threshold", "q at least 0", "proportion"),
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
    ("j23.thm10.chain",),
    depth_slack,
    pool(
        *(number(name) for name in ("c", "p", "D", "q", "x", "y", "z", "gap")),
        integers=(("n", 1, 12),),
    ),
    exact_only=True,
    proof=threshold_suffices,
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


FAR_APART = relation(
    "far apart",
    r"$t_{m_2}-t_{m_1}\ge(m_2-m_1)g$ whenever $m_2-m_1\ge pN$, with $t_m=u_\ell^Tz_{i_m}$ and "
    r"$g=\frac c2e^{-\frac{\lVert\theta^{(\ell+1:L)}\rVert^2-(L-\ell)}2}N^{-1/k^*}$",
    _gaps,
    _spread,
    lambda case, random: with_entries(case, "t", [value / 100 for value in listed(case, "t")]),
)
P_SMALL = relation(
    "p at most 1/2",
    r"$p\le\frac12$",
    lambda case: case.number("p") <= Fraction(1, 2),
    lambda case, random: with_value(case, "p", Fraction(random.randint(1, 10), 20)),
    lambda case, random: with_value(case, "p", Fraction(random.randint(11, 19), 20)),
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
    (GAP_POSITIVE, PROPORTION, FAR_APART),
    ("j23.thm10.depth.a",),
    half_large,
    REALS,
    exact_only=True,
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


# a fourth of the indices --------------------------------------------------------------------------
def _good_columns(case: Tensors) -> list[int]:
    """The indices that satisfy the bound on at least a fourth of the layers."""
    rows = rows_of(case, "M")
    return [i for i in range(len(rows[0])) if 4 * sum(row[i] for row in rows) >= len(rows)]


def quarter_of_indices(scene: object) -> Entries:
    """The number of columns with a mean of at least 1/4, minus a fourth of all."""

    def of_case(case: Tensors) -> Labelled:
        count = len(rows_of(case, "M")[0])
        return [({}, len(_good_columns(case)) - Fraction(count, 4))]

    return each_case(of_case, scene)


def some_with_interval(scene: object) -> Entries:
    """The number of those among the columns whose interval, one of N - 1, is steep, minus 1."""

    def of_case(case: Tensors) -> Labelled:
        steep = listed(case, "J")[:-1]
        found = [i for i in _good_columns(case) if i < len(steep) and steep[i]]
        return [({}, Fraction(len(found) - 1))]

    return each_case(of_case, scene)


def quarter_counted() -> Argument:
    """Were a part f = 1/4 - s of the columns good, the mean of all entries would be less than
    f + (1 - f)/4, that is 7/16 - 3s/4, below 1/2."""
    ring = ring_of(1)
    (s,) = ring.generators
    quarter, half, one = (ring.constant(Fraction(1, k)) for k in (4, 2, 1))
    f = quarter - s
    rest = half - f - (one - f) * quarter
    steps = (
        nonnegative(ring, "1/2 - f - (1 - f)/4 has no negative coefficient for f = 1/4 - s", rest),
        Step("at s = 0 it is above 0", ring.evaluate(rest, [Fraction(0)]) > 0),
    )
    return Argument(
        "were fewer than a fourth of the columns good, the mean of all entries would be below 1/2",
        steps,
        ("the mean of a matrix is that of its row means and of its column means",),
        "quarter_of_indices",
        ("zeros and ones", "half of each row"),
    )


def _binary(case: Tensors) -> bool:
    return all(
        entry in (0, 1)
        for name in ("M", "J")
        if name in case.arrays
        for entry in case.arrays[name].entries
    )


def _as_binary(case: Tensors, random: Random) -> Tensors:
    for name in ("M", "J"):
        if name in case.arrays:
            signs = [Fraction(entry > 0) for entry in case.arrays[name].entries]
            case = with_entries(case, name, signs)
    return case


def _filled(row: Sequence[Fraction], least: Fraction, random: Random) -> list[Fraction]:
    """Ones at random places until there are enough."""
    row = list(row)
    places = [k for k, entry in enumerate(row) if not entry]
    random.shuffle(places)
    while sum(row) < least and places:
        row[places.pop()] = Fraction(1)
    return row


def _half_rows(case: Tensors, random: Random) -> Tensors:
    rows = rows_of(case, "M")
    half = Fraction(len(rows[0]), 2)
    return with_rows(case, "M", [_filled(row, half, random) for row in rows])


def _emptied(case: Tensors, random: Random) -> Tensors:
    rows = rows_of(case, "M")
    return with_rows(case, "M", [[Fraction(0)] * len(row) for row in rows])


def _steep(case: Tensors, random: Random) -> Tensors:
    flags = listed(case, "J")
    least = Fraction(5 * (len(flags) - 1), 6)
    return with_entries(case, "J", [*_filled(flags[:-1], least, random), flags[-1]])


BINARY = relation(
    "zeros and ones",
    "an entry is 1 where the index satisfies the bound on the layer, else 0",
    _binary,
    _as_binary,
)
HALF_ROWS = relation(
    "half of each row",
    "on each of the $pL$ layers at least half of the indices satisfy the bound",
    lambda case: all(2 * sum(row) >= len(row) for row in rows_of(case, "M")),
    _half_rows,
    _emptied,
)
STEEP = relation(
    "steep intervals",
    r"at least $\frac56(N-1)$ intervals contain a point with a large Jacobian",
    lambda case: 6 * sum(listed(case, "J")[:-1]) >= 5 * (len(listed(case, "J")) - 1),
    _steep,
    lambda case, random: with_entries(case, "J", [Fraction(0)] * len(listed(case, "J"))),
)
THREE = relation(
    "N at least 3",
    r"$N\ge3$",
    lambda case: case.lengths["N"] >= 3,
    lambda case, random: case,
)
QUARTER = Claim(
    "j23.thm10.quarter.a",
    Kind.INEQUALITY,
    printed("proof of Theorem 19, after the depth threshold"),
    "a fourth of the indices",
    r"At least one fourth of the indices $i$ satisfy for at least one fourth of the $pL$ layers "
    r"$\ell$ the bound that at least half of the indices satisfy on each of these layers.",
    (BINARY, HALF_ROWS),
    ("j23.thm10.depth",),
    quarter_of_indices,
    pool(("M", ("R", "N")), largest=6, adapt=_as_binary),
    exact_only=True,
    proof=quarter_counted,
)
INTERSECT = pool(("M", ("R", "N")), ("J", ("N",)), largest=6, adapt=_as_binary)
SOME = (
    r"Amongst these indices there are at least some such that there is a point $x$ in "
    r"$[\tilde x_i,\tilde x_{i+1}]$ with $\lVert Jf_\theta(x)\rVert_{op}\ge cN^{1-1/k^*}$"
)
SOME_STEEP = Claim(
    "j23.thm10.quarter.b",
    Kind.INEQUALITY,
    printed("proof of Theorem 19, after the depth threshold"),
    "some with a steep interval",
    rf"{SOME}, where at least $\frac56(N-1)$ of the $N-1$ intervals are so.",
    (BINARY, HALF_ROWS, STEEP),
    ("j23.thm10.quarter.a", "j23.thm10.jac"),
    some_with_interval,
    INTERSECT,
    exact_only=True,
)
SOME_STEEP_REPAIRED = Claim(
    "j23.thm10.quarter.b.fix",
    Kind.INEQUALITY,
    printed("proof of Theorem 19, after the depth threshold"),
    "some with a steep interval, repaired",
    rf"For $N\ge3$: {SOME}, where at least $\frac56(N-1)$ of the $N-1$ intervals are so.",
    (THREE, BINARY, HALF_ROWS, STEEP),
    ("j23.thm10.quarter.a", "j23.thm10.jac"),
    some_with_interval,
    INTERSECT,
    repairs="j23.thm10.quarter.b",
    exact_only=True,
)

CLAIMS = (
    SHORT_INTERVALS,
    DEPTH,
    HALF_LARGE,
    HALF_LARGE_REPAIRED,
    QUARTER,
    SOME_STEEP,
    SOME_STEEP_REPAIRED,
)
