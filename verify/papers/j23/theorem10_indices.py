"""Theorem 10: paths through the outputs, projections to one direction, and the distance of two far
indices (proof of Theorem 19).

On a layer near rank one, W = u v^T + E with |E| at most rho. The printed displays project with
u^T, where v^T stands in the layer; that is defined for square layers only, and rectangular ones
stand in the repairs. The matrix norm is that of Frobenius (reading A), which is the stronger
hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random

from verify.cases.tensors import Tensors
from verify.language.building import (
    Each,
    Filter,
    Map,
    Matrix,
    Min,
    Number,
    Sorted,
    Sum,
    Vector,
    Whole,
    between,
    dot,
    frob2,
    norm,
    orders,
    outer,
    row,
    rows,
    sqrt,
    upto,
)
from verify.language.terms import Term
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem10_notation import PROOF, Z, step
from verify.statements.quantities import dot as inner
from verify.statements.quantities import (
    listed,
    rows_of,
    square,
    upper_root,
    with_entries,
    with_rows,
    with_value,
)
from verify.statements.stated import Given, pool_with, stated, unless

# the shortest path --------------------------------------------------------------------------------
Y = Matrix("Y", "N", "k", meaning="the outputs")
POINTS = upto(rows(Y))


def apart(i: Term, j: Term) -> Term:
    """|y_i - y_j|^2."""
    return frob2(row(Y, i) - row(Y, j))


def nearest(i: Term, number: int) -> Term:
    """d_1 or d_2 of a point."""
    others = Filter(POINTS, lambda j: i != j)
    return sqrt(Sorted(Map(others, lambda j: apart(i, j)))[number])


def path_length(order: Term) -> Term:
    """The length of the path through all points in this order."""
    return Sum(between(2, rows(Y)), lambda m: sqrt(apart(order[m - 1], order[m])))


HALVES = Sum(POINTS, lambda i: (nearest(i, 1) + nearest(i, 2)) / 2)


def distinct(array: Term, letter: str) -> Given:
    """That the rows of an array differ."""
    name, many = array.args[0].name, upto(rows(array))

    def moved(case: Tensors, random: Random) -> Tensors:
        lines = rows_of(case, name)
        for k, line in enumerate(lines):
            while line in lines[:k]:
                line[random.randrange(len(line))] += random.randint(-2, 2)
        return with_rows(case, name, lines)

    def same(case: Tensors, random: Random) -> Tensors:
        lines = rows_of(case, name)
        if len(lines) > 1:
            one, other = random.sample(range(len(lines)), 2)
            lines[one] = lines[other]
        return with_rows(case, name, lines)

    def differ(i: Term) -> Term:
        return Each(upto(i - 1), lambda j: frob2(row(array, i) - row(array, j)) > 0)

    return Given(
        "distinct points", Each(many, differ), rf"the points ${letter}_i$ are distinct", moved, same
    )


# projections --------------------------------------------------------------------------------------
u, rho = Vector("u", "n"), Number("rho")
W, v = Matrix("W", "n", "n"), Vector("v", "n")
WIDE, U = Matrix("W", "m", "n"), Vector("u", "m")
STEPS = between(2, rows(Z))


def projected(layer: Term, direction: Term) -> Term:
    """|W (z_m - z_(m-1))| <= d^T (z_m - z_(m-1)) + rho |z_m - z_(m-1)| for m from 2 to N."""
    return Each(
        STEPS, lambda m: norm(layer @ step(m)) <= dot(direction, step(m)) + rho * norm(step(m))
    )


def _unit(vector: list[Fraction]) -> list[Fraction]:
    """A rational unit vector from any one, through the sphere's projection from a pole."""
    *free, last = vector
    if not free:
        return [Fraction(1 if last >= 0 else -1)]
    size = square(free)
    return [*(2 * entry / (size + 1) for entry in free), (size - 1) / (size + 1)]


def _as_units(case: Tensors, random: Random) -> Tensors:
    for name in ("u", "v"):
        if square(listed(case, name)) != 1:
            case = with_entries(case, name, _unit(listed(case, name)))
    return case


def _no_units(case: Tensors, random: Random) -> Tensors:
    name, factor = random.choice("uv"), random.choice((Fraction(1, 2), Fraction(2), Fraction(3)))
    return with_entries(case, name, [entry * factor for entry in listed(case, name)])


def _distance_to_rank_one(case: Tensors) -> Fraction:
    one, other, lines = listed(case, "u"), listed(case, "v"), rows_of(case, "W")
    pairs = product(range(len(one)), range(len(other)))
    return sum(((lines[i][j] - one[i] * other[j]) ** 2 for i, j in pairs), Fraction(0))


def _nearer(case: Tensors, random: Random) -> Tensors:
    """Of rank one, or a larger rho."""
    if random.random() < 0.5:
        one, other = listed(case, "u"), listed(case, "v")
        case = with_rows(case, "W", [[a * b for b in other] for a in one])
        return with_value(case, "rho", random.choice((Fraction(0), Fraction(1, 10))))
    return with_value(case, "rho", upper_root(_distance_to_rank_one(case)))


def _too_far(case: Tensors, random: Random) -> Tensors:
    lines = [[entry + random.choice((0, 1, 2)) for entry in line] for line in rows_of(case, "W")]
    return with_value(with_rows(case, "W", lines), "rho", random.choice((0, Fraction(1, 10))))


def _supposed(layer: Term, above: Term, along: Term, letter: str) -> list[Given]:
    """What the display supposes of a layer and of the order along a direction."""

    def sort(case: Tensors, random: Random) -> Tensors:
        axis = listed(case, letter)
        return with_rows(case, "Z", sorted(rows_of(case, "Z"), key=lambda z: inner(axis, z)))

    def reverse(case: Tensors, random: Random) -> Tensors:
        return with_rows(case, "Z", rows_of(sort(case, random), "Z")[::-1])

    near = (rho >= 0) & (frob2(layer - outer(above, v)) <= rho**2)
    return [
        Given(
            "unit vectors",
            (dot(above, above) == 1) & (dot(v, v) == 1),
            r"$\lVert u_\ell\rVert=\lVert v_\ell\rVert=1$",
            _as_units,
            _no_units,
        ),
        Given(
            "near rank one",
            near,
            r"$\lVert W_\ell-u_\ell v_\ell^T\rVert_F^2\le\rho^2=\frac{c_1-2\log\vert Jf_\theta(x)"
            r"\vert_+}{pL}$, $\rho\ge0$",
            unless(near, _nearer),
            _too_far,
        ),
        Given(
            "in order",
            Each(STEPS, lambda m: dot(along, step(m)) >= 0),
            rf"$i_1,\dots,i_N$ is such that ${letter}_\ell^Tz_{{i_m}}$ is increasing in $m$",
            sort,
            reverse,
        ),
    ]


# the distance of two far indices ------------------------------------------------------------------
def around(m: Term, size: Callable[[Term], Term]) -> Term:
    """Half of the sizes of the steps before and behind z_m."""
    return (size(step(m)) + size(step(m + 1))) / 2


def far(left: Callable[[Term, Term], Term]) -> Term:
    """The first inequality, for m_1 < m_2 < N."""

    def of_two(low: Term, high: Term) -> Term:
        between_them = between(low + 1, high)
        images = Sum(between_them, lambda m: around(m, lambda s: norm(W @ s)))
        return left(low, high) >= images - rho * Sum(between_them, lambda m: around(m, norm))

    last = rows(Z) - 1
    return Each(upto(last), lambda i: Each(between(i + 1, last), lambda j: of_two(i, j)))


def way(low: Term, high: Term) -> Term:
    """u^T (z_(m_2) - z_(m_1))."""
    return dot(u, row(Z, high) - row(Z, low))


def _along_u(case: Tensors, random: Random) -> Tensors:
    """W = u u^T / |u|^2 and points in order, so that each step is met with rho of at least 0."""
    axis = listed(case, "u")
    if not any(axis):
        axis = [Fraction(1), *axis[1:]]
    lines = sorted(rows_of(case, "Z"), key=lambda z: inner(axis, z))
    size = square(axis)
    larger = max(size, upper_root(size))
    case = with_rows(case, "W", [[a * b / larger for b in axis] for a in axis])
    case = with_value(case, "rho", abs(case.number("rho")))
    return with_rows(with_entries(case, "u", axis), "Z", lines)


MET = (rho >= 0) & projected(W, u)
EACH_STEP = Given(
    "each step",
    MET,
    r"$\lVert W_\ell(z_{i_m}-z_{i_{m-1}})\rVert\le u_\ell^T(z_{i_m}-z_{i_{m-1}})+\rho\lVert "
    r"z_{i_m}-z_{i_{m-1}}\rVert$ for $2\le m\le N$, with $\rho\ge0$, as `j23.thm10.proj` has it",
    unless(MET, _along_u),
    lambda case, random: with_value(case, "rho", Fraction(-random.choice((1, 2)))),
)
FAR_POINTS = pool_with(W, u, Z, rho, largest=5)

# the printed order of the distances ---------------------------------------------------------------
SIDE, MORE, POWER = Whole("n", 2, 9), Whole("j", 1, 5), Whole("k", 2, 4)
GRIDS = Given(
    "grids",
    (SIDE >= 2) & (MORE >= 1) & (POWER >= 2),
    r"grids of $n^{k^*}<n'^{k^*}$ points with $n'=n+j$, $n\ge2$, $k^*\ge2$",
    built_in=True,
)


def half_on_grid(side: Term) -> Term:
    """(d_1 + d_2) / 2 on a grid with spacing 1/n in dimension 2 or more: each point has two
    neighbours at that distance."""
    return 1 / side


# the statements -----------------------------------------------------------------------------------
PATH_FROM = printed(PROOF + "first sentences")
AFTER_HIDDEN = printed(PROOF + "display after that of the hidden representations")
FIRST = printed(PROOF + "three-line display, first inequality")
BEFORE = printed(PROOF + "before the three-line display")
SUMS = (
    r"\sum_{m=m_1+1}^{m_2}\frac{\lVert W_\ell(z_{i_m}-z_{i_{m-1}})\rVert+\lVert "
    r"W_\ell(z_{i_m}-z_{i_{m+1}})\rVert}2-\rho\sum_{m=m_1+1}^{m_2}\frac{\lVert "
    r"z_{i_m}-z_{i_{m-1}}\rVert+\lVert z_{i_m}-z_{i_{m+1}}\rVert}2"
)
CLAIMS = (
    stated(
        "j23.thm10.path",
        PATH_FROM,
        "shortest path through the outputs",
        r"With $d_{1,i},d_{2,i}$ the distances between $y_i$ and its closest and second closest "
        r"point in $y_1,\dots,y_N$, $N\ge3$, the shortest path that goes through all points must "
        r"be at least $\sum_{i=1}^N\frac{d_{1,i}+d_{2,i}}2$.",
        Min(orders(POINTS), lambda s: path_length(s)) >= HALVES,
        [distinct(Y, "y")],
        pool=pool_with(Y, largest=5),
        why="the two ends of a path have one neighbour on it, not two",
    ),
    stated(
        "j23.thm10.path.fix",
        PATH_FROM,
        "shortest path through the outputs, repaired",
        r"The path through all points with ends $e,e'$ must be at least $\sum_{i=1}^N"
        r"\frac{d_{1,i}+d_{2,i}}2-\frac{d_{2,e}+d_{2,e'}}2$ long: an end has one neighbour on it.",
        Each(
            orders(POINTS),
            lambda s: path_length(s) >= HALVES - (nearest(s[1], 2) + nearest(s[rows(Y)], 2)) / 2,
        ),
        pool=pool_with(Y, largest=4),
        repairs="j23.thm10.path",
    ),
    stated(
        "j23.thm10.proj",
        AFTER_HIDDEN,
        "projection to one direction",
        r"$\lVert W_\ell(z_{i_m}-z_{i_{m-1}})\rVert\le u_\ell^T(z_{i_m}-z_{i_{m-1}})+\rho\,"
        r"\lVert z_{i_m}-z_{i_{m-1}}\rVert$ (on layers with $n_\ell=n_{\ell-1}$, where $u_\ell^Tz$ "
        r"is defined).",
        projected(W, u),
        _supposed(W, u, u, "u"),
        depends=("j23.thm10.layers.count",),
        pool=pool_with(W, u, v, Z, rho),
        why=r"$W_\ell$ is near $u_\ell v_\ell^T$, so what is left of a difference $z$ is "
        r"$v_\ell^Tz$ and not $u_\ell^Tz$",
    ),
    stated(
        "j23.thm10.proj.fix",
        AFTER_HIDDEN,
        "projection to one direction, repaired",
        r"$\lVert W_\ell(z_{i_m}-z_{i_{m-1}})\rVert\le v_\ell^T(z_{i_m}-z_{i_{m-1}})+\rho\,"
        r"\lVert z_{i_m}-z_{i_{m-1}}\rVert$, where $v_\ell^Tz_{i_m}$ is increasing in $m$.",
        projected(WIDE, v),
        _supposed(WIDE, U, v, "v"),
        depends=("j23.thm10.layers.count",),
        pool=pool_with(WIDE, U, v, Z, rho),
        repairs="j23.thm10.proj",
    ),
    stated(
        "j23.thm10.chain.a",
        FIRST,
        "distance of two far indices",
        rf"For any two indices $m_1<m_2$: $u_\ell^T(z_{{i_{{m_2}}}}-z_{{i_{{m_1}}}})\ge{SUMS}$ "
        r"(any two are separated by $pN$ indices for some $p$; $m_2<N$, so that all terms are "
        r"there).",
        far(way),
        [EACH_STEP],
        depends=("j23.thm10.proj",),
        pool=FAR_POINTS,
        why="the steps before and behind each index add up to half of the way from $m_1$ to $m_2$ "
        "and half of that from $m_1+1$ to $m_2+1$, not to the way from $m_1$ to $m_2$",
    ),
    stated(
        "j23.thm10.chain.a.fix",
        FIRST,
        "distance of two far indices, repaired",
        r"The same with $\frac12u_\ell^T(z_{i_{m_2}}+z_{i_{m_2+1}}-z_{i_{m_1}}-z_{i_{m_1+1}})$ on "
        r"the left.",
        far(lambda low, high: (way(low, high) + way(low + 1, high + 1)) / 2),
        [EACH_STEP],
        depends=("j23.thm10.proj",),
        pool=FAR_POINTS,
        repairs="j23.thm10.chain.a",
    ),
    stated(
        "j23.thm10.chain.order",
        BEFORE,
        "order of the halves",
        r"Up to a few outliers $\frac{d_{1,i}+d_{2,i}}2=\Omega(N^{\frac1{k^*}})$: here, on regular "
        r"grids in the unit cube of dimension $k^*$, where all halves are equal, "
        r"$\frac{d_1+d_2}2\,N^{-1/k^*}$ does not fall from $N=n^{k^*}$ to $n'^{k^*}$.",
        half_on_grid(SIDE + MORE) / (SIDE + MORE) >= half_on_grid(SIDE) / SIDE,
        [GRIDS],
        depends=("j23.thm10.order",),
        through="regular grids stand for the outputs, of which all distances are known "
        "(docs/mathematics/j23.md#projection)",
        why="distances between neighbours fall as $N$ grows: the exponent is $-1/k^*$, as it is "
        "printed elsewhere in the proof",
    ),
    stated(
        "j23.thm10.chain.order.fix",
        BEFORE,
        "order of the halves, repaired",
        r"$\frac{d_{1,i}+d_{2,i}}2=\Omega(N^{-\frac1{k^*}})$: on the grids "
        r"$\frac{d_1+d_2}2\,N^{1/k^*}$ is the same for all $n$.",
        half_on_grid(SIDE + MORE) * (SIDE + MORE) == half_on_grid(SIDE) * SIDE,
        [GRIDS],
        depends=("j23.thm10.order",),
        repairs="j23.thm10.chain.order",
    ),
)
