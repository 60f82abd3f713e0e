"""Theorem 10: projections to one direction, and the distance of two far indices (Theorem 19).

On a layer near rank one, W = u v^T + E with |E| at most rho. The printed displays project with
u^T, where v^T stands in the layer; that is defined for square layers only, so square ones are
drawn, and rectangular ones for the repairs. The matrix norm is that of Frobenius (reading A), which
is the stronger hypothesis.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product
from random import Random
from typing import Any

from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis
from verify.papers.j23.sources import printed
from verify.quantities import (
    Numbers,
    both_sides,
    dot,
    each_case,
    length,
    listed,
    minus,
    number,
    pool,
    positive,
    relation,
    rows_of,
    square,
    times,
    upper_root,
    with_entries,
    with_rows,
    with_value,
)
from verify.tensors import Tensors
from verify.vocabulary import Entries

Labelled = list[tuple[dict[str, Any], Any]]
Sides = list[tuple[dict[str, Any], Fraction, Fraction]]
PROOF = "proof of Theorem 19, "


# projections --------------------------------------------------------------------------------------
def projected(scene: Any, direction: str) -> Entries:
    """d^T (z_m - z_(m-1)) + rho |z_m - z_(m-1)| - |W (z_m - z_(m-1))| for m from 2 to N."""

    def of_case(case: Tensors) -> Labelled:
        points, weight = rows_of(case, "Z"), rows_of(case, "W")
        along, rho = listed(case, direction), case.number("rho")
        found: Labelled = []
        for m in range(1, len(points)):
            step = minus(points[m], points[m - 1])
            bound = length(step) * rho + dot(along, step)
            found.append(({"numbers": [m, m + 1]}, bound - length(times(weight, step))))
        return found

    return each_case(of_case, scene)


def projected_printed(scene: Any) -> Entries:
    """With u."""
    return projected(scene, "u")


def projected_repaired(scene: Any) -> Entries:
    """With v."""
    return projected(scene, "v")


def _is_unit(case: Tensors) -> bool:
    return square(listed(case, "u")) == 1 == square(listed(case, "v"))


def _unit(vector: Numbers) -> list[Fraction]:
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
    u, v = listed(case, "u"), listed(case, "v")
    rows = rows_of(case, "W")
    pairs = product(range(len(u)), range(len(v)))
    return sum(((rows[i][j] - u[i] * v[j]) ** 2 for i, j in pairs), Fraction(0))


def _near(case: Tensors) -> bool:
    rho = case.number("rho")
    return rho >= 0 and _distance_to_rank_one(case) <= rho**2


def _nearer(case: Tensors, random: Random) -> Tensors:
    """Of rank one, or a larger rho."""
    if random.random() < 0.5:
        u, v = listed(case, "u"), listed(case, "v")
        case = with_rows(case, "W", [[a * b for b in v] for a in u])
        return with_value(case, "rho", random.choice((Fraction(0), Fraction(1, 10))))
    return with_value(case, "rho", upper_root(_distance_to_rank_one(case)))


def _too_far(case: Tensors, random: Random) -> Tensors:
    rows = [[entry + random.choice((0, 1, 2)) for entry in row] for row in rows_of(case, "W")]
    return with_value(with_rows(case, "W", rows), "rho", random.choice((0, Fraction(1, 10))))


def _ordered(direction: str) -> Hypothesis:
    def met(case: Tensors) -> bool:
        values = times(rows_of(case, "Z"), listed(case, direction))
        return all(a <= b for a, b in pairwise(values))

    def sort(case: Tensors, random: Random) -> Tensors:
        along = listed(case, direction)
        rows = sorted(rows_of(case, "Z"), key=lambda row: dot(along, row))
        return with_rows(case, "Z", rows)

    def reverse(case: Tensors, random: Random) -> Tensors:
        return with_rows(case, "Z", rows_of(sort(case, random), "Z")[::-1])

    return relation(
        "in order",
        rf"$i_1,\dots,i_N$ is such that ${direction}_\ell^Tz_{{i_m}}$ is increasing in $m$",
        met,
        sort,
        reverse,
    )


UNITS = relation(
    "unit vectors",
    r"$\lVert u_\ell\rVert=\lVert v_\ell\rVert=1$",
    _is_unit,
    _as_units,
    _no_units,
)
NEAR = relation(
    "near rank one",
    r"$\lVert W_\ell-u_\ell v_\ell^T\rVert_F^2\le\rho^2=\frac{c_1-2\log\vert Jf_\theta(x)\vert_+}"
    r"{pL}$, $\rho\ge0$",
    _near,
    _nearer,
    _too_far,
)
SQUARE_LAYER = pool(
    ("W", ("n", "n")), ("u", ("n",)), ("v", ("n",)), ("Z", ("N", "n")), number("rho")
)
ANY_LAYER = pool(("W", ("m", "n")), ("u", ("m",)), ("v", ("n",)), ("Z", ("N", "n")), number("rho"))
PROJECTION = Claim(
    "j23.thm10.proj",
    Kind.INEQUALITY,
    printed(PROOF + "display after that of the hidden representations"),
    "projection to one direction",
    r"$\lVert W_\ell(z_{i_m}-z_{i_{m-1}})\rVert\le u_\ell^T(z_{i_m}-z_{i_{m-1}})+\rho\,"
    r"\lVert z_{i_m}-z_{i_{m-1}}\rVert$ (on layers with $n_\ell=n_{\ell-1}$, where $u_\ell^Tz$ is "
    r"defined).",
    (UNITS, NEAR, _ordered("u")),
    ("j23.thm10.layers.count",),
    projected_printed,
    SQUARE_LAYER,
    exact_only=True,
    why=r"$W_\ell$ is near $u_\ell v_\ell^T$, so what is left of a difference $z$ is "
    r"$v_\ell^Tz$ and not $u_\ell^Tz$",
)
PROJECTION_REPAIRED = Claim(
    "j23.thm10.proj.fix",
    Kind.INEQUALITY,
    printed(PROOF + "display after that of the hidden representations"),
    "projection to one direction, repaired",
    r"$\lVert W_\ell(z_{i_m}-z_{i_{m-1}})\rVert\le v_\ell^T(z_{i_m}-z_{i_{m-1}})+\rho\,"
    r"\lVert z_{i_m}-z_{i_{m-1}}\rVert$, where $v_\ell^Tz_{i_m}$ is increasing in $m$.",
    (UNITS, NEAR, _ordered("v")),
    ("j23.thm10.layers.count",),
    projected_repaired,
    ANY_LAYER,
    repairs="j23.thm10.proj",
    exact_only=True,
)


# the distance of two far indices ------------------------------------------------------------------
def telescoped(scene: Any, *, both: bool) -> Entries:
    """The left side minus the right side of the first inequality, for m_1 < m_2 < N; `both`: with
    the mean of the distances of m_1, m_2 and of their followers on the left."""

    def of_case(case: Tensors) -> Labelled:
        points, weight = rows_of(case, "Z"), rows_of(case, "W")
        heights, rho = times(points, listed(case, "u")), case.number("rho")
        steps = [minus(b, a) for a, b in pairwise(points)]
        rest = [length(times(weight, step)) - length(step) * rho for step in steps]
        found: Labelled = []
        for low, high in combinations(range(len(points) - 1), 2):
            left = heights[high] - heights[low]
            if both:
                left = (left + heights[high + 1] - heights[low + 1]) / 2
            right = sum(
                ((rest[m - 1] + rest[m]) * Fraction(1, 2) for m in range(low + 1, high + 1)),
                Fraction(0),
            )
            found.append(({"numbers": [low + 1, high + 1]}, left - right))
        return found

    return each_case(of_case, scene)


def far_printed(scene: Any) -> Entries:
    """As printed."""
    return telescoped(scene, both=False)


def far_repaired(scene: Any) -> Entries:
    """With the mean on the left."""
    return telescoped(scene, both=True)


def _each_step(case: Tensors) -> bool:
    points, weight = rows_of(case, "Z"), rows_of(case, "W")
    along, rho = listed(case, "u"), case.number("rho")
    if rho < 0:
        return False
    for before, after in pairwise(points):
        step = minus(after, before)
        if length(times(weight, step)) > length(step) * rho + dot(along, step):
            return False
    return True


def _along_u(case: Tensors, random: Random) -> Tensors:
    """W = u u^T / |u|^2 and points in order, so that each step is met with rho of at least 0."""
    u = listed(case, "u")
    if not any(u):
        u = [Fraction(1), *u[1:]]
    rows = sorted(rows_of(case, "Z"), key=lambda row: dot(u, row))
    size = square(u)
    case = with_rows(case, "W", [[a * b / max(size, upper_root(size)) for b in u] for a in u])
    case = with_value(case, "rho", abs(case.number("rho")))
    return with_rows(with_entries(case, "u", u), "Z", rows)


def _steps_missed(case: Tensors, random: Random) -> Tensors:
    return with_value(case, "rho", Fraction(-random.choice((1, 2))))


EACH_STEP = relation(
    "each step",
    r"$\lVert W_\ell(z_{i_m}-z_{i_{m-1}})\rVert\le u_\ell^T(z_{i_m}-z_{i_{m-1}})+\rho\lVert "
    r"z_{i_m}-z_{i_{m-1}}\rVert$ for $2\le m\le N$, with $\rho\ge0$, as `j23.thm10.proj` has it",
    _each_step,
    _along_u,
    _steps_missed,
)
STEPS = pool(("W", ("n", "n")), ("u", ("n",)), ("Z", ("N", "n")), number("rho"), largest=5)
FAR = Claim(
    "j23.thm10.chain.a",
    Kind.INEQUALITY,
    printed(PROOF + "three-line display, first inequality"),
    "distance of two far indices",
    r"For any two indices $m_1<m_2$: $u_\ell^T(z_{i_{m_2}}-z_{i_{m_1}})\ge\sum_{m=m_1+1}^{m_2}"
    r"\frac{\lVert W_\ell(z_{i_m}-z_{i_{m-1}})\rVert+\lVert "
    r"W_\ell(z_{i_m}-z_{i_{m+1}})\rVert}2-\rho\sum_{m=m_1+1}^{m_2}\frac{\lVert "
    r"z_{i_m}-z_{i_{m-1}}\rVert+\lVert z_{i_m}-z_{i_{m+1}}\rVert}2$ (any two are separated by $pN$ "
    r"indices for some $p$; $m_2<N$, so that all terms are there).",
    (EACH_STEP,),
    ("j23.thm10.proj",),
    far_printed,
    STEPS,
    exact_only=True,
    why="the steps before and behind each index add up to half of the way from $m_1$ to $m_2$ and "
    "half of that from $m_1+1$ to $m_2+1$, not to the way from $m_1$ to $m_2$",
)
FAR_REPAIRED = Claim(
    "j23.thm10.chain.a.fix",
    Kind.INEQUALITY,
    printed(PROOF + "three-line display, first inequality"),
    "distance of two far indices, repaired",
    r"The same with $\frac12u_\ell^T(z_{i_{m_2}}+z_{i_{m_2+1}}-z_{i_{m_1}}-z_{i_{m_1+1}})$ on the "
    r"left.",
    (EACH_STEP,),
    ("j23.thm10.proj",),
    far_repaired,
    STEPS,
    repairs="j23.thm10.chain.a",
    exact_only=True,
)


def few_outliers(scene: Any) -> Entries:
    """E sum_m h_m - M F - M (c E / n - F), with c half of the constant of the halves h."""

    def of_case(case: Tensors) -> Labelled:
        halves = listed(case, "h")
        exponential, second = case.number("E"), case.number("F")
        c, n, count = case.number("c") / 2, case.whole("n"), len(halves)
        bracket = c * exponential / n - second
        return [({}, exponential * sum(halves) - count * second - count * bracket)]

    return each_case(of_case, scene)


def _mostly_large(case: Tensors) -> bool:
    halves, bound = listed(case, "h"), case.number("c") / case.whole("n")
    return min(halves) >= 0 and 2 * sum(h >= bound for h in halves) >= len(halves)


def _enlarged(case: Tensors, random: Random) -> Tensors:
    halves, bound = [abs(h) for h in listed(case, "h")], case.number("c") / case.whole("n")
    places = random.sample(range(len(halves)), (len(halves) + 1) // 2)
    halves = [max(h, bound) if k in places else h for k, h in enumerate(halves)]
    return with_entries(case, "h", halves)


MOSTLY_LARGE = relation(
    "few outliers",
    r"$h_m=\frac{d_{1,i_m}+d_{2,i_m}}2\ge0$, at least $c'N^{-1/k^*}$ for at least half of the $m$ "
    r"between; $n=N^{1/k^*}$",
    _mostly_large,
    _enlarged,
    lambda case, random: with_entries(case, "h", [h / 1000 for h in listed(case, "h")]),
)
BRACKET = Claim(
    "j23.thm10.chain.c",
    Kind.INEQUALITY,
    printed(PROOF + "three-line display, last inequality"),
    "the bracket",
    r"$E\sum_{m=m_1+1}^{m_2}\frac{d_{1,i_m}+d_{2,i_m}}2-(m_2-m_1)F\ge(m_2-m_1)\big[c\,E\,"
    r"N^{-1/k^*}-F\big]$, where up to a few outliers $\frac{d_{1,i}+d_{2,i}}2\ge c'N^{-1/k^*}$; "
    r"here $c=\frac{c'}2$ and at most half of the terms are outliers.",
    (positive(("E", "c"), r"$E,c'>0$"), MOSTLY_LARGE),
    ("j23.thm10.order",),
    few_outliers,
    pool(("h", ("M",)), number("E"), number("F"), number("c"), integers=(("n", 1, 9),), largest=6),
    exact_only=True,
)


# the printed order of the distances ---------------------------------------------------------------
def grid_half(n: int) -> Fraction:
    """(d_1 + d_2) / 2 on a grid with spacing 1/n in dimension 2 or more: each point has two
    neighbours at that distance."""
    return Fraction(1, n)


def order_on_grids(scene: Any, exponent: int) -> Entries:
    """h(n') n^e - h(n) n'^e for grids n < n' = n + j, where h should be of order N^(e/k) = n^e."""

    def of_case(case: Tensors) -> Sides:
        n = case.whole("n")
        finer = n + case.whole("j")
        power = Fraction(n) ** exponent, Fraction(finer) ** exponent
        return [({}, grid_half(finer) * power[0], grid_half(n) * power[1])]

    return both_sides(of_case, scene)


def order_printed(scene: Any) -> Entries:
    """N^(1/k)."""
    return order_on_grids(scene, 1)


def order_repaired(scene: Any) -> Entries:
    """N^(-1/k)."""
    return order_on_grids(scene, -1)


GRIDS = pool(integers=(("n", 2, 9), ("j", 1, 5), ("k", 2, 4)))
GRID_SIZES = relation(
    "grids",
    r"grids of $n^{k^*}<n'^{k^*}$ points with $n'=n+j$, $n\ge2$, $k^*\ge2$",
    lambda case: case.whole("n") >= 2 and case.whole("j") >= 1 and case.whole("k") >= 2,
    lambda case, random: case,
)
PRINTED_ORDER = Claim(
    "j23.thm10.chain.order",
    Kind.INEQUALITY,
    printed(PROOF + "before the three-line display"),
    "order of the halves",
    r"Up to a few outliers $\frac{d_{1,i}+d_{2,i}}2=\Omega(N^{\frac1{k^*}})$: here, on regular "
    r"grids in the unit cube of dimension $k^*$, where all halves are equal, "
    r"$\frac{d_1+d_2}2\,N^{-1/k^*}$ does not fall from $N=n^{k^*}$ to $n'^{k^*}$.",
    (GRID_SIZES,),
    ("j23.thm10.order",),
    order_printed,
    GRIDS,
    exact_only=True,
    through="regular grids stand for the outputs, of which all distances are known "
    "(docs/mathematics.md, 26)",
    why="distances between neighbours fall as $N$ grows: the exponent is $-1/k^*$, as it is "
    "printed elsewhere in the proof",
)
ORDER_REPAIRED = Claim(
    "j23.thm10.chain.order.fix",
    Kind.IDENTITY,
    printed(PROOF + "before the three-line display"),
    "order of the halves, repaired",
    r"$\frac{d_{1,i}+d_{2,i}}2=\Omega(N^{-\frac1{k^*}})$: on the grids "
    r"$\frac{d_1+d_2}2\,N^{1/k^*}$ is the same for all $n$.",
    (GRID_SIZES,),
    ("j23.thm10.order",),
    order_repaired,
    GRIDS,
    repairs="j23.thm10.chain.order",
    exact_only=True,
)

CLAIMS = (
    PROJECTION,
    PROJECTION_REPAIRED,
    FAR,
    FAR_REPAIRED,
    BRACKET,
    PRINTED_ORDER,
    ORDER_REPAIRED,
)
