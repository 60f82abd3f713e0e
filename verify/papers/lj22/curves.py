"""Curves w(t) for late t, in terms of the language, and how cases of them are drawn.

    w(t) = ((1 - s) p(t) + s q(t)) / (1 + |t|)^k,   s = |sin t|,

p and q vectors of polynomials in |t|: the matrices of a case, with a row of coefficients for each
entry of w, from the constant one up. What is said of late t is said of leading coefficients
(docs/mathematics/lj22.md#curves).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.cases.transformations import random_rational
from verify.language.building import (
    ArgMax,
    Each,
    Filter,
    Let,
    Matrix,
    Min,
    Some,
    When,
    Whole,
    beside,
    between,
    card,
    cols,
    column,
    dot,
    frob2,
    list_,
    rank,
    row,
    rows,
    sign,
    upto,
)
from verify.language.terms import Term
from verify.papers.lj22.tree_terms import SIGNS, sgn
from verify.statements.stated import Given

P, Q = Matrix("p", "entry", "power"), Matrix("q", "entry", "power")
K = Whole("k", 0, 2)
READINGS = {
    "A": r"the limit of $w(t)/\lVert w(t)\rVert_2$ asks for the quotient at every late $t$",
    "B": r"the limit of $w(t)/\lVert w(t)\rVert_2$ is over those $t$ with $w(t)\ne0$",
}


# late times -------------------------------------------------------------------------------------
def leading(end: Term) -> Term:
    """The coefficients of the highest power that occurs in p or q, which is not 0."""
    occur = Filter(upto(cols(end)), lambda m: frob2(column(end, m)) > 0)
    return column(end, occur[card(occur)])


def late_sign(end: Term, e: Term) -> Term:
    """The sign of the polynomial of one entry for all late t."""
    occur = Filter(upto(cols(end)), lambda m: end[e, m] != 0)
    return When(card(occur) == 0, 0, sign(end[e, occur[card(occur)]]))


def one_direction(a: Term, b: Term) -> Term:
    """Whether two vectors are positive multiples of one another, neither of them 0."""
    return (dot(a, b) > 0) & (dot(a, b) ** 2 == frob2(a) * frob2(b))


def converges(p: Term, q: Term, reading: str = "A") -> Term:
    """Whether w/|w| has a limit. By reading A not if p or q is 0: w is 0 at late times then."""
    alike = one_direction(leading(p), leading(q))
    if reading == "A":
        return (frob2(p) > 0) & (frob2(q) > 0) & alike
    return (frob2(p) + frob2(q) > 0) & ((frob2(p) == 0) | (frob2(q) == 0) | alike)


SIGNS_STAY = Some(
    SIGNS,
    lambda s: Each(upto(rows(P)), lambda e: sgn(late_sign(P, e), s) == sgn(late_sign(Q, e), s)),
)
"""sgn(w(t)) is the same for all late t, for one of the two values of sgn(0) at least."""


def tends_to_0(e: Term) -> Term:
    """Whether w_e does: no coefficient of a power from k on."""
    return Each(between(K + 1, cols(P)), lambda m: (P[e, m] == 0) & (Q[e, m] == 0))


SETTLES_WITH_SIGNS = Some(
    upto(rows(P)), lambda e: tends_to_0(e) & (late_sign(P, e) * late_sign(Q, e) < 0)
)
"""An entry tends to 0, and is positive and negative at arbitrarily late times."""


# the ball around the limit direction ------------------------------------------------------------
def radius2(limit: Term) -> Term:
    """The square of min_i |v_i|/2, for v the limit divided by its norm."""
    return Min(upto(rows(P)), lambda e: limit[e] ** 2) / (4 * frob2(limit))


def end_in_ball(end: Term) -> Term:
    """Whether limits of w where it is at p (at q) lie in the ball, or on its boundary, which is not
    decided. They are c v, where c^2 is the sum of squares of the coefficients of t^k: |c - 1| <= r
    says that c^2 - 1 - r^2 lies between -2r and 2r."""
    bounded = Each(between(K + 2, cols(end)), lambda m: frob2(column(end, m)) == 0)
    norm2 = When(cols(end) > K, frob2(column(end, K + 1)), 0)
    return bounded & Let(radius2(leading(P)), lambda r2: (norm2 - 1 - r2) ** 2 <= 4 * r2)


W_IN_BALL = end_in_ball(P) & end_in_ball(Q)
DIRECTION_IN_BALL = Let(
    leading(P),
    lambda a: Let(
        leading(Q),
        # |a/|a| - b/|b|| < r says that the cosine is above 1 - r^2/2
        lambda b: (
            (dot(a, b) > 0) & (dot(a, b) ** 2 > (1 - radius2(a) / 2) ** 2 * frob2(a) * frob2(b))
        ),
    ),
)
"""The limits of w/|w| at p and at q lie in the ball around that at p."""


# how often values are taken ---------------------------------------------------------------------
def swings(p: Term, q: Term) -> Term:
    """Why a curve with k = 0 may take each of its values infinitely often: it is on a line, where
    one end rests, and the other one moves away from it or stays, on one side."""

    def grows(e: Term, rest: Term, end: Term) -> Term:
        rests = Each(between(2, cols(rest)), lambda m: rest[e, m] == 0)
        one_side = Some(
            list_(1, -1),
            lambda s: Each(upto(cols(end)), lambda m: s * (end[e, m] - rest[e, m]) >= 0),
        )
        return rests & one_side

    on_line = rank(beside(p, q)) <= 1
    largest = ArgMax(upto(rows(p)), lambda e: frob2(row(beside(p, q), e)))
    return on_line & Let(largest, lambda e: grows(e, p, q) | grows(e, q, p))


# what is supposed -------------------------------------------------------------------------------
Ends = tuple[int, list[Fraction]]


def _rows(case: Tensors, name: str) -> list[list[Fraction]]:
    array = case.arrays[name]
    powers = array.shape[1]
    return [list(array.entries[k : k + powers]) for k in range(0, len(array.entries), powers)]


def _array(lines: list[list[Fraction]]) -> Tensor:
    shape = (len(lines), len(lines[0]))
    return Tensor(("entry", "power"), shape, tuple(v for line in lines for v in line))


def _with_rows(case: Tensors, name: str, lines: list[list[Fraction]]) -> Tensors:
    return case.changing(**{name: _array(lines)})


def _leading(case: Tensors) -> Ends:
    """The place of the highest power that occurs in p, or in q where p is 0, and its coefficients;
    the place 0 where both are 0."""
    for name in ("p", "q"):
        columns = list(map(list, zip(*_rows(case, name), strict=True)))
        for place in reversed(range(len(columns))):
            if any(columns[place]):
                return place, columns[place]
    return 0, columns[0]


def _with_leading(case: Tensors, place: int, vector: list[Fraction], *names: str) -> Tensors:
    """Cut the rows behind a place, and put the vector there."""
    for name in names:
        lines = _rows(case, name)
        for line, value in zip(lines, vector, strict=True):
            line[place:] = [value, *[Fraction(0)] * (len(line) - place - 1)]
        case = _with_rows(case, name, lines)
    return case


def _one_direction(case: Tensors, random: Random) -> Tensors:
    """The same curve, q with the leading direction of p."""
    place, vector = _leading(case)
    vector = vector if any(vector) else [random_rational(random) for _ in vector]
    factor = Fraction(random.randint(1, 3))
    case = _with_leading(case, place, [factor * v for v in vector], "q")
    return _with_leading(case, place, vector, "p")


def _turned(case: Tensors, random: Random) -> Tensors:
    """The same curve, q pointing the other way."""
    place, vector = _leading(case)
    return _with_leading(case, place, [-v for v in vector], "q")


def _no_zero_entry(case: Tensors, random: Random) -> Tensors:
    """Give every entry of the leading coefficients a number other than 0."""
    place, vector = _leading(case)
    return _with_leading(case, place, [v or random_rational(random) for v in vector], "p", "q")


def _zero_entry(case: Tensors, random: Random) -> Tensors:
    """One entry of the limit becomes 0, and small against the others changes sign forever."""
    place = random.randrange(case.lengths["entry"])
    arrays = {}
    for name, constant in (("p", 1), ("q", -1)):
        higher = [[Fraction(0), *line] for line in _rows(case, name)]
        higher[place] = [Fraction(constant), *[Fraction(0)] * (len(higher[place]) - 1)]
        arrays[name] = _array(higher)
    return case.changing(**arrays)


CONVERGES_IN_DIRECTION = Given(
    "direction converges",
    converges(P, Q),
    rf"$w(t)/\lVert w(t)\rVert_2$ converges as $t\to\infty$ ({READINGS['A']})",
    _one_direction,
    _turned,
)
NO_ZERO_IN_LIMIT = Given(
    "limit without zeros",
    Each(upto(rows(P)), lambda e: leading(P)[e] != 0),
    r"the limit direction $\bar w$ has $\bar w_e\ne0$ for every $e$",
    _no_zero_entry,
    _zero_entry,
)
NOT_CONSTANT = Given(
    "not constant",
    (P != Q) | Some(between(2, cols(P)), lambda m: frob2(column(P, m)) > 0),
    r"$w$ is not constant",
)


# how they are drawn -----------------------------------------------------------------------------
def _rational(case: Tensors, random: Random) -> Tensors:
    """A curve that does not swing."""
    return case.changing(q=case.arrays["p"])


def _on_a_ray(case: Tensors, random: Random) -> Tensors:
    """Multiples of one vector, with coefficients that are not negative."""
    entries, powers = case.arrays["p"].shape
    vector = [random_rational(random) for _ in range(entries)]
    for name in ("p", "q"):
        profile = [Fraction(random.randint(0, 2)) for _ in range(powers)]
        case = _with_rows(case, name, [[v * c for c in profile] for v in vector])
    return case


def _swinging(case: Tensors, random: Random) -> Tensors:
    """v |t sin t|, if there is room for a power of 1."""
    entries, powers = case.arrays["p"].shape
    lines = [[Fraction(0)] * powers for _ in range(entries)]
    case = _with_rows(case, "p", lines)
    for line in lines:
        line[min(1, powers - 1)] = random_rational(random)
    return _with_rows(case, "q", lines)


def _settling(case: Tensors, random: Random) -> Tensors:
    """A curve with an entry 0 in its limit, which it tends to; in half of the cases that entry
    swings to and fro about 0."""
    place, vector = _leading(case)
    gone = random.randrange(len(vector))
    flat = [v * (i != gone) for i, v in enumerate(vector)]
    if not any(flat):
        return case
    factor = Fraction(random.randint(1, 3))
    case = _with_leading(case, place, [factor * v for v in flat], "q")
    case = _with_leading(case, place, flat, "p")
    if random.random() < 0.5:
        lines = _rows(case, "q")
        lines[gone] = [-c for c in _rows(case, "p")[gone]]
        case = _with_rows(case, "q", lines)
    if "k" not in case.arrays:
        return case
    return case.changing(k=Tensor((), (), (Fraction(min(place, 2)),), integer=True))


SHAPES: dict[str, Callable[[Tensors, Random], Tensors]] = {
    "as drawn": lambda case, random: case,
    "rational": _rational,
    "one direction": _one_direction,
    "a limit with a zero": _settling,
    "on a ray": _on_a_ray,
    "v |t sin t|": _swinging,
}


def _shaped(case: Tensors, random: Random) -> Tensors:
    """The curve as drawn, or one of a special shape."""
    name = random.choice(sorted(SHAPES))
    return replace(SHAPES[name](case, random), family=name)


ENDS = (("p", ("entry", "power")), ("q", ("entry", "power")))
CURVES = TensorPool(ENDS, adapt=_shaped)
CURVES_WITH_K = replace(CURVES, integers=(("k", 0, 2),))
SETTLING = replace(CURVES_WITH_K, adapt=_settling)
RAYS = replace(CURVES, adapt=_on_a_ray)
