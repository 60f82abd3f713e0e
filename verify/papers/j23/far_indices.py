"""Theorem 10: projections to one direction, the distance of two far indices, and what the last
steps of the proof (Theorem 19) do with powers of N; the range of c_1; depth against data.

On a layer near rank one, W = u v^T + E with |E| at most rho. The printed displays project with
u^T, where v^T stands in the layer; that is defined for square layers only, so square ones are
drawn, and rectangular ones for the repairs. The matrix norm is that of Frobenius (reading A), which
is the stronger hypothesis.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import prod
from random import Random
from typing import Any

from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.hypotheses import random_rational
from verify.papers.j23.quantities import (
    PROPORTION,
    Numbers,
    dot,
    each_case,
    length,
    listed,
    minus,
    nonnegative,
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
from verify.papers.j23.sources import printed
from verify.tensors import Tensors
from verify.vocabulary import Entries

Labelled = list[tuple[dict[str, Any], Any]]
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


def _ordered(direction: str, *, strictly: bool = False) -> Any:
    def met(case: Tensors) -> bool:
        values = times(rows_of(case, "Z"), listed(case, direction))
        return all(a <= b for a, b in pairwise(values))

    def sort(case: Tensors, random: Random) -> Tensors:
        along = listed(case, direction)
        rows = sorted(rows_of(case, "Z"), key=lambda row: dot(along, row))
        return with_rows(case, "Z", rows)

    def reverse(case: Tensors, random: Random) -> Tensors:
        return with_rows(case, "Z", sort(case, random) and rows_of(sort(case, random), "Z")[::-1])

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
    ("j23.thm10.layers",),
    projected_printed,
    SQUARE_LAYER,
    exact_only=True,
)
PROJECTION_REPAIRED = Claim(
    "j23.thm10.proj.fix",
    Kind.INEQUALITY,
    printed(PROOF + "display after that of the hidden representations"),
    "projection to one direction, repaired",
    r"$\lVert W_\ell(z_{i_m}-z_{i_{m-1}})\rVert\le v_\ell^T(z_{i_m}-z_{i_{m-1}})+\rho\,"
    r"\lVert z_{i_m}-z_{i_{m-1}}\rVert$, where $v_\ell^Tz_{i_m}$ is increasing in $m$.",
    (UNITS, NEAR, _ordered("v")),
    ("j23.thm10.layers",),
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
    r"z_{i_m}-z_{i_{m-1}}\rVert$ for $2\le m\le N$, as `j23.thm10.proj` has it",
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
    r"\frac{\lVert W_\ell(z_{i_m}-z_{i_{m-1}})\rVert+\lVert W_\ell(z_{i_m}-z_{i_{m+1}})\rVert}2-\rho"
    r"\sum_{m=m_1+1}^{m_2}\frac{\lVert z_{i_m}-z_{i_{m-1}}\rVert+\lVert z_{i_m}-z_{i_{m+1}}\rVert}2$"
    r" (any two are separated by $pN$ indices for some $p$; $m_2<N$, so that all terms are there).",
    (EACH_STEP,),
    ("j23.thm10.proj",),
    far_printed,
    STEPS,
    exact_only=True,
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

    def of_case(case: Tensors) -> Labelled:
        n = case.whole("n")
        finer = n + case.whole("j")
        power = Fraction(n) ** exponent, Fraction(finer) ** exponent
        return [({}, grid_half(finer) * power[0] - grid_half(n) * power[1])]

    return each_case(of_case, scene)


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
    r"Up to a few outliers $\frac{d_{1,i}+d_{2,i}}2=\Omega(N^{\frac1{k^*}})$: here, on regular grids "
    r"in the unit cube of dimension $k^*$, where all halves are equal, "
    r"$\frac{d_1+d_2}2\,N^{-1/k^*}$ does not fall from $N=n^{k^*}$ to $n'^{k^*}$.",
    (GRID_SIZES,),
    ("j23.thm10.order",),
    order_printed,
    GRIDS,
    exact_only=True,
)
ORDER_REPAIRED = Claim(
    "j23.thm10.chain.order.fix",
    Kind.INEQUALITY,
    printed(PROOF + "before the three-line display"),
    "order of the halves, repaired",
    r"$\frac{d_{1,i}+d_{2,i}}2=\Omega(N^{-\frac1{k^*}})$: on the grids $\frac{d_1+d_2}2\,N^{1/k^*}$ "
    r"does not fall.",
    (GRID_SIZES,),
    ("j23.thm10.order",),
    order_repaired,
    GRIDS,
    repairs="j23.thm10.chain.order",
    exact_only=True,
)


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
        (),
        "exponent_left",
        ("the rest", "c_1 within bounds", "dimension"),
    )


def _rest(case: Tensors) -> Fraction:
    return case.number("alpha") + case.number("beta") + case.number("mu")


THE_REST = relation(
    "the rest",
    r"$\lVert\theta^{(1:\ell-1)}\rVert^2-(\ell-1)=\alpha\log N$, "
    r"$\lVert\theta^{(\ell+1:L)}\rVert^2-(L-\ell)=\beta\log N$, and $c_1+1=(\alpha+\beta+\mu)\log N$ "
    r"with $\mu\ge0$",
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
MOVE = Claim(
    "j23.thm10.move",
    Kind.INEQUALITY,
    printed(PROOF + "after the indices and layers"),
    "moving to a nearby point",
    NEARBY + ".",
    (DIMENSION, THE_REST),
    ("j23.thm10.quarter", "j23.thm10.lip"),
    exponent_left,
    EXPONENTS,
    exact_only=True,
)
MOVE_REPAIRED = Claim(
    "j23.thm10.move.fix",
    Kind.INEQUALITY,
    printed(PROOF + "after the indices and layers"),
    "moving to a nearby point, repaired",
    NEARBY + r", if $c_1+1\le(4-\frac2{k^*})\log N$.",
    (DIMENSION, THE_REST, BOUNDED_C1),
    ("j23.thm10.quarter", "j23.thm10.lip"),
    exponent_left,
    EXPONENTS,
    repairs="j23.thm10.move",
    exact_only=True,
    proof=sizes_left,
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
    """For each l, with N = m^k: (p L / 4) times the product of both bounds, minus c'' L e^(-c_1) N^(4 - 4/k) with
    c'' = p c'^2 c^2 / 4."""

    def of_case(case: Tensors) -> Labelled:
        t, m, k = listed(case, "t"), case.whole("m"), case.whole("k")
        power = Fraction(m ** (2 * k - 2))
        p, depth = case.number("p"), len(t)
        constant = p / 4 * case.number("c2") ** 2 * case.number("c") ** 2
        right = constant * depth / prod(t, start=Fraction(1)) * m ** (4 * k - 4)
        found: Labelled = []
        for layer in range(1, depth + 1):
            below, above = _bounds(case, layer, power)
            found.append(({"layer": layer}, p * depth / 4 * below * above - right))
        return found

    return each_case(of_case, scene)


def _good_layers(case: Tensors) -> int:
    a, j = listed(case, "a"), listed(case, "j")
    power = Fraction(case.whole("n")) ** 2
    bounds = [_bounds(case, layer, power) for layer in range(1, len(a) + 1)]
    return sum(a[k] >= below and j[k] >= above for k, (below, above) in enumerate(bounds))


def _a_fourth(case: Tensors) -> bool:
    values = [*listed(case, "a"), *listed(case, "j")]
    return min(values) >= 0 and 4 * _good_layers(case) >= case.number("p") * len(values) / 2


def _raised(case: Tensors, random: Random) -> Tensors:
    a, j = ([abs(value) for value in listed(case, name)] for name in "aj")
    count = -(-case.number("p") * len(a) // 4)
    for k in random.sample(range(len(a)), max(1, int(count))):
        below, above = _bounds(case, k + 1, Fraction(case.whole("n")) ** 2)
        a[k], j[k] = max(a[k], below), max(j[k], above)
    return with_entries(with_entries(case, "a", a), "j", j)


def _lowered(case: Tensors, random: Random) -> Tensors:
    return with_entries(case, "a", [value / 10**6 for value in listed(case, "a")])


A_FOURTH = relation(
    "a fourth of the layers",
    r"$a_\ell=\lVert\alpha_{\ell-1}(x)\rVert^2$ and $j_\ell=\lVert J(\tilde\alpha_\ell\to f_\theta)"
    r"(x)\rVert_F^2$ meet the bounds of `j23.thm10.move` and `j23.thm10.lip` on at least a fourth of "
    r"the $pL$ layers; $\lVert\theta\rVert^2=L+c_1$ is the sum over the layers, "
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
    ("j23.thm10.move", "j23.thm10.lip"),
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


# the range of c_1 ---------------------------------------------------------------------------------
def no_blow_up(scene: Any) -> Entries:
    """1 where alpha = 4 - 4/k - gamma, the infimum over N of log(e^(-c_1) N^(4 - 4/k)) / log N for
    c_1 = gamma log N - delta with delta at least 0, is not above 0; else 0."""

    def of_case(case: Tensors) -> Labelled:
        alpha = 4 - Fraction(4, case.whole("k")) - case.number("gamma")
        return [({}, Fraction(alpha <= 0))]

    return each_case(of_case, scene)


def _bound(case: Tensors) -> Fraction:
    return 4 - Fraction(4, case.whole("k"))


def _under(case: Tensors) -> bool:
    """gamma log N - delta < (4 - 4/k) log N for every N of at least 1."""
    return case.number("gamma") <= _bound(case) and case.number("delta") > 0


MULTIPLE = relation(
    "a multiple below",
    r"$c_1=\gamma\log N$ with $\gamma<4(1-\frac1{k^*})$",
    lambda case: case.number("gamma") < _bound(case),
    lambda case, random: with_value(
        case, "gamma", _bound(case) - random.choice((Fraction(1, 100), Fraction(1), Fraction(5)))
    ),
    lambda case, random: with_value(
        case, "gamma", _bound(case) + random.choice((Fraction(0), Fraction(1)))
    ),
)
EVERY_N = relation(
    "below for every N",
    r"$c_1=\gamma\log N-\delta<4(1-\frac1{k^*})\log N$ for every $N\ge1$",
    _under,
    lambda case, random: with_value(
        with_value(case, "delta", random.choice((Fraction(1, 10), Fraction(1), Fraction(10)))),
        "gamma",
        min(case.number("gamma"), _bound(case)),
    ),
    lambda case, random: with_value(case, "gamma", _bound(case) + 1),
)
BLOW_UP = (
    r"If $c_1$ is within a factor of 2 of this lower bound, $c_1<4(1-\frac1{k^*})\log N$, then the "
    r"above shows that the NTK will blow up at a rate $N^\alpha L$ for a positive $\alpha$."
)


def c1_range(reading: str, text: str, hypothesis: Any, numbers: Sequence[str]) -> Claim:
    """The claim in one reading."""
    return Claim(
        f"j23.c1range@{reading}",
        Kind.IDENTITY,
        printed("Section 4.1, after Theorem 10"),
        "range of c_1",
        BLOW_UP,
        (DIMENSION, hypothesis),
        ("j23.thm10",),
        no_blow_up,
        pool(*map(number, numbers), integers=(("k", 1, 6),)),
        reading=reading,
        reading_text=text,
        exact_only=True,
    )


C1_RANGES = (
    c1_range("A", r"$c_1$ is a fixed multiple of $\log N$", MULTIPLE, ("gamma",)),
    c1_range("B", r"any $c_1$ below the bound for each $N$", EVERY_N, ("gamma", "delta")),
)


# depth against the number of data -----------------------------------------------------------------
def lower_norm(scene: Any) -> Entries:
    """L + 2 (1 - 1/k) log N - k L - R."""

    def of_case(case: Tensors) -> Labelled:
        k, depth = case.whole("k"), case.whole("L")
        under = depth + 2 * (1 - Fraction(1, k)) * case.number("log")
        return [({}, under - k * depth - case.number("R"))]

    return each_case(of_case, scene)


def exponents_suffice() -> Argument:
    """k = 2 + j, kappa = k/2 + s, log N = kappa L + r, and R = 2 L s (k - 1)/k - e: times k the
    slack is no less than a sum of products of numbers that are not negative."""
    ring = ring_of(5)
    j, s, r, depth, e = ring.generators
    one, two, half = (ring.constant(Fraction(c)) for c in (1, 2, "1/2"))
    k = two + j
    log_n = (half * k + s) * depth + r
    scaled_r = two * depth * s * (k - one) - k * e  # k R
    slack = k * depth + two * (k - one) * log_n - k * k * depth - scaled_r
    return Argument(
        "k times the slack is 2 (k - 1) r + k e",
        (
            Step("so it is", ring.is_zero(slack - two * (k - one) * r - k * e)),
            nonnegative(ring, "it has no negative coefficient", slack),
        ),
        (),
        "lower_norm",
        ("dimension", "exponentially larger", "large exponent", "deep"),
    )


EXPONENTIALLY = relation(
    "exponentially larger",
    r"$N\ge e^{\kappa L}$ with $\kappa>0$",
    lambda case: (
        case.number("kappa") > 0 and case.number("log") >= case.number("kappa") * case.whole("L")
    ),
    lambda case, random: (
        with_value(
            with_value(case, "kappa", kappa),
            "log",
            kappa * case.whole("L") + random.choice((0, 0, 1, 10)),
        )
        if (kappa := abs(case.number("kappa")) or Fraction(1))
        else case
    ),
    lambda case, random: with_value(case, "log", abs(random_rational(random)) / 10),
)
LARGE_EXPONENT = relation(
    "large exponent",
    r"$\kappa>\frac{k^*}2$",
    lambda case: case.number("kappa") > Fraction(case.whole("k"), 2),
    lambda case, random: with_value(
        case, "kappa", Fraction(case.whole("k"), 2) + random.choice((Fraction(1, 10), Fraction(2)))
    ),
    lambda case, random: with_value(case, "kappa", Fraction(case.whole("k"), 4)),
)


def _room(case: Tensors) -> Fraction:
    k, depth = case.whole("k"), case.whole("L")
    return depth * (2 * case.number("kappa") * (1 - Fraction(1, k)) - (k - 1))


DEEP = relation(
    "deep",
    r"$R^{(1)}(f^*)\le L\,(2\kappa(1-\frac1{k^*})-(k^*-1))$",
    lambda case: case.number("R") <= _room(case),
    lambda case, random: with_value(case, "R", _room(case) - random.choice((0, 0, 1, 5))),
    lambda case, random: with_value(case, "R", abs(_room(case)) * 2 + 100),
)
TRADE = pool(number("log"), number("R"), number("kappa"), integers=(("L", 1, 60), ("k", 1, 6)))
LOWER_NORM = (
    r"there is a rank-recovering function with a lower parameter norm than any rank-underestimating "
    r"functions: here, by the expansion of the cost to order one, $k^*L+R^{(1)}(f^*)\le L+"
    r"2(1-\frac1{k^*})\log N$"
)
TRADEOFF = Claim(
    "j23.tradeoff",
    Kind.INEQUALITY,
    printed("Section 4.1, second paragraph after Theorem 10"),
    "depth against number of data",
    rf"When $N$ is much larger than the depth $L$ (exponentially larger), {LOWER_NORM}.",
    (DIMENSION, EXPONENTIALLY),
    ("j23.expansion", "j23.r1rank1"),
    lower_norm,
    TRADE,
    exact_only=True,
)
TRADEOFF_REPAIRED = Claim(
    "j23.tradeoff.fix",
    Kind.INEQUALITY,
    printed("Section 4.1, second paragraph after Theorem 10"),
    "depth against number of data, repaired",
    rf"When $N\ge e^{{\kappa L}}$ with $\kappa>\frac{{k^*}}2$ and $L$ is large enough for "
    rf"$R^{{(1)}}(f^*)$, {LOWER_NORM}.",
    (DIMENSION, LARGE_EXPONENT, EXPONENTIALLY, DEEP),
    ("j23.expansion", "j23.r1rank1"),
    lower_norm,
    TRADE,
    repairs="j23.tradeoff",
    exact_only=True,
    proof=exponents_suffice,
)

CLAIMS = (
    PROJECTION,
    PROJECTION_REPAIRED,
    FAR,
    FAR_REPAIRED,
    BRACKET,
    PRINTED_ORDER,
    ORDER_REPAIRED,
    MOVE,
    MOVE_REPAIRED,
    LAST_SUM,
    LAST_EQUALITY,
    *C1_RANGES,
    TRADEOFF,
    TRADEOFF_REPAIRED,
)
