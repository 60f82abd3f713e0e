"""Domains of two pieces, c + s y and c + s z, 0 <= s <= 1 or s >= 0, and R^(1) of the identity.

Below, on bounded ones (and half-lines), where R^(0) = k, the dimension of a piece:
- by the distance d of a piece's line to 0: a layer with |W|^2 = |W t|^2 + |W_rest|^2 (t the
  direction of the line before it) moves the distance to at most sqrt(|W_rest|^2 + |b|^2) sqrt(1 +
  d^2), and sigma enlarges it nowhere. So R >= L k + sum_l d_l^2 / (1 + d_(l-1)^2), whose limit is
  that of the radius bound of verify.papers.j23.affine_costs: to stay bounded some d_l tends to 0;
- by the angle: 1 + |sin| for two lines (the bound of Proposition 12 at its minimum: BY_ANGLE);
- by folding, where x and -x are in the domain, on a line through 0. A neuron of the first layer is
  bent between x and -x, or has b^2 >= (w.x)^2. With M_+, M_- the Gram matrices of the first
  Jacobian at x and -x, R - L k >= |theta_1|^2 - k - (log det M_+ + log det M_-) / 2, at least
  |theta_1|^2 - k - log det N for their mean N, and |theta_1|^2 >= Tr G N with G = 1 + (m - 1) times
  the projection to x, m = min(1 + |x|^2, 2 / (1 + a^2)): so R^(1) >= log m. For k = 1 there is
  log(2 |x|^2 / kappa) too (verify.papers.j23.affine_costs).
Zero from above: on a ray from 0 one chain of ones.

The domain may be multiplied by a box [0, 1]^extra in coordinates of its own: k grows by as much,
the bounds stay (by symmetry in these coordinates W W^T may be taken without mixed terms).

Two rays from 0 of different directions, c = 0: R = 2 L, by the area between the ends (see domains)
and by the network whose first layer has the two directions. So R^(0) = 2, R^(1) = 0, while k = 1.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.kinds.deep.changes import SLOPES
from verify.language.building import (
    Filter,
    Map,
    Max,
    The,
    Vector,
    When,
    Whole,
    called,
    card,
    dim,
    dot,
    frob2,
    larger,
    list_,
    log,
    matrix,
    rank,
    row,
    smaller,
    sqrt,
    upto,
)
from verify.language.terms import Term
from verify.papers.j23.affine_costs import by_radius, not_obtuse
from verify.papers.j23.matrix_notation import a
from verify.statements.quantities import listed, with_entries, with_value
from verify.statements.stated import Given, pool_with

SHAPE = (
    r"$\Omega$ is made of $c+sy$ and $c+sz$ with $0\le s\le1$, or with all $s\ge0$ if rays is $1$, "
    r"times $[0,1]^{\mathrm{extra}}$"
)
c = Vector("c", "n", meaning="the corner, where the two pieces meet")
y = Vector("y", "n", meaning="the direction of the first piece")
z = Vector("z", "n", meaning="the direction of the second piece")
rays, extra = Whole("rays", 0, 1), Whole("extra", 0, 2)


# the domain ---------------------------------------------------------------------------------------
DIRECTIONS = called("D", Filter(list_(y, z), lambda v: frob2(v) > 0))
"""Those of y and z that are not 0."""
DIMENSION = called("k", smaller(card(DIRECTIONS), 1) + extra)
"""k, of a piece and of the box; the rank of the identity in both senses."""
_EDGES = list_(c, y + (1 - rays) * c, z + (1 - rays) * c)
GENERATORS = called("G", matrix(3, dim(c), lambda i, j: _EDGES[i][j]))
"""Its rows are vectors whose cone is that of the domain, without the box."""
PLANAR = rank(GENERATORS) + extra == DIMENSION
"""The span has dimension k."""
POSITIVE = not_obtuse(GENERATORS, upto(3))
"""Printing B: a linear isometry into an orthant. Of three vectors without obtuse angles the Gram
matrix is completely positive."""
SINE_SQUARED = called(
    r"\sin^2\angle(y,z)",
    When(card(DIRECTIONS) == 2, 1 - dot(y, z) ** 2 / (frob2(y) * frob2(z)), 0),
)
"""Of the angle between the two lines; 0 where there is one."""
ONE_WAY = (dot(y, z) >= 0) & (dot(y, z) ** 2 == frob2(y) * frob2(z))
"""All of it goes into one direction from the corner."""
DISTANCE = called(
    "d^2",
    When(
        card(DIRECTIONS) == 0,
        frob2(c),
        Max(DIRECTIONS, lambda v: frob2(c) - dot(c, v) ** 2 / frob2(v)),
    ),
)
"""The squared distance to 0 of the line that is farther from it; of a point its own."""


def _of_opposite(u: Term, v: Term) -> Term:
    return When(dot(u, v) < 0, smaller(frob2(u), frob2(v)), 0)


_ROWS = Map(upto(3), lambda i: row(GENERATORS, i))
_BOUNDED = Max(_ROWS, lambda u: Max(_ROWS, lambda v: _of_opposite(u, v)))
_HALF_LINE = When(dot(c, y + z) < 0, frob2(c), 0)
FOLDED = called(
    r"\lVert x\rVert^2",
    When(PLANAR & (card(DIRECTIONS) > 0), When(rays == 1, _HALF_LINE, _BOUNDED), 0),
)
"""Of the largest x such that x and -x are in the domain, on a line through 0; 0 where this is no
part of such a line, or a point."""


# R^(1) of the identity ----------------------------------------------------------------------------
SPREAD = (
    (rays == 1)
    & (extra == 0)
    & (frob2(c) == 0)
    & ~ONE_WAY
    & ((a == 0) | (a < 0) & (dot(y, z) >= 0))
)
"""Two rays from 0 apart: both ends are known to cost two neurons a layer."""
COSTS_ITS_DIMENSION = (rays == 0) | ONE_WAY
"""R^(0) = k."""
_AT_ANY_K = smaller(1 + FOLDED, 2 / (1 + a**2))
_WITHOUT_BOX = 2 * FOLDED / larger((1 + abs(a)) * FOLDED, 1 - abs(a))
BY_FOLDING = When(FOLDED == 0, 0, log(larger(_AT_ANY_K, When(extra == 0, _WITHOUT_BOX, 0))))
"""What the first layer must pay for x and -x, by the larger bound of the module."""
BY_ANGLE = log(1 + sqrt(SINE_SQUARED))
"""The minimum over W of |W|^2 - 1 + max over both tangents t of 2 log |W^+ t|: by symmetry W W^T
has the bisectors as eigenvectors, with m and 1 - m, and cos^2 / m + sin^2 / (1 - m) at half the
angle is least at (cos + sin)^2."""


def _at_least(*bounds: Term) -> Term:
    """The largest of the bounds, of which there is none where R^(0) is not known."""
    known = Filter(list_(*bounds), lambda bound: COSTS_ITS_DIMENSION)
    return When(SPREAD, 0, Max(known, lambda bound: bound))


AT_LEAST_WITHOUT_ANGLE = called(r"\underline R^{(1)}", _at_least(by_radius(DISTANCE), BY_FOLDING))
"""R^(1)(id) is not below; without the bound of Proposition 12."""
AT_LEAST = called(
    r"\underline R^{(1)}_\angle", _at_least(by_radius(DISTANCE), BY_FOLDING, BY_ANGLE)
)
"""R^(1)(id) is not below; the bound of Proposition 12 is among what it rests on."""
AT_MOST = called(
    r"\overline R^{(1)}",
    The(list_(0), lambda bound: SPREAD | COSTS_ITS_DIMENSION & PLANAR & POSITIVE),
)
"""R^(1)(id) is not above: 0 where there are networks of norm L R^(0), else nothing is known."""
IS_0 = (AT_LEAST <= 0) & (AT_MOST == 0)
"""R^(1)(id) = 0; without a value where the bounds do not tell."""


# making cases -------------------------------------------------------------------------------------
RELU = 0.5  # of the cases get a new slope, half of them 0
PLAIN = 0.6  # of the cases have no box
ARRANGEMENTS = (
    "as it comes",
    "corner at 0",
    "corner at 0",
    "straight",
    "straight through 0",
    "one way",
    "ray from 0",
    "right angle",
    "right angle at 0",
    "rays from 0",
)


def arranged(case: Tensors, random: Random) -> Tensors:
    """A slope inside (-1, 1), and one of some arrangements."""
    if not -1 < case.number("a") < 1 or random.random() < RELU:
        case = with_value(case, "a", random.choice((Fraction(0), random.choice(SLOPES))))
    if random.random() < PLAIN:
        case = with_value(case, "extra", 0)
    how = random.choice(ARRANGEMENTS)
    corner, one, other = (listed(case, name) for name in "cyz")
    size = Fraction(random.randint(1, 3))
    if how == "rays from 0":
        case = with_value(with_value(case, "rays", 1), "extra", 0)
    if "0" in how:
        corner = [Fraction(0)] * len(corner)
    if how in ("straight", "straight through 0"):
        other = [-size * v for v in one]
    if how in ("one way", "ray from 0"):
        other = [size * v for v in one]
    if how.startswith("right angle") and len(one) > 1:
        other = at_a_right_angle(one)
    if how == "one way":
        corner = [random.choice((-1, 1)) * v for v in one]
    return _with(case, c=corner, y=one, z=other)


def at_a_right_angle(vector: list[Fraction]) -> list[Fraction]:
    """Of at least two coordinates: its first two turned, the others 0."""
    return [-vector[1], vector[0], *(Fraction(0) for _ in vector[2:])]


def _with(case: Tensors, **vectors: list[Fraction]) -> Tensors:
    for name, entries in vectors.items():
        case = with_entries(case, name, entries)
    return case


POOL = pool_with(c, y, z, a, rays, extra, largest=3, adapt=arranged)


# hypotheses ---------------------------------------------------------------------------------------
def _not_0(vector: list[Fraction]) -> list[Fraction]:
    return vector if any(vector) else [Fraction(1), *vector[1:]]


def _turned(vector: list[Fraction], random: Random) -> list[Fraction]:
    """Opposite, or at a right angle in the first two coordinates."""
    if len(vector) < 2 or not any(vector[:2]) or random.random() < 0.5:
        return [-v for v in vector]
    return at_a_right_angle(vector)


def _apart(case: Tensors, random: Random) -> Tensors:
    """Two pieces from 0, not of one direction."""
    one = _not_0(listed(case, "y"))
    return _with(case, c=[Fraction(0)] * len(one), y=one, z=_turned(one, random))


def _unbounded(case: Tensors, random: Random) -> Tensors:
    """Pieces without ends; in half of the cases two rays from 0, not of one direction, and ReLU."""
    case = with_value(case, "rays", 1)
    if random.random() < 0.5:
        return case
    return _apart(with_value(with_value(case, "a", 0), "extra", 0), random)


BOUNDED = Given(
    "bounded domain",
    rays == 0,
    r"$\Omega$ is bounded: rays is $0$",
    lambda case, random: with_value(case, "rays", 0),
    _unbounded,
)


TWO = Given(
    "two pieces",
    card(DIRECTIONS) == 2,
    r"$y\ne0$ and $z\ne0$",
    lambda case, random: _with(case, **{name: _not_0(listed(case, name)) for name in "yz"}),
    lambda case, random: _with(case, z=[Fraction(0)] * len(listed(case, "z"))),
)
