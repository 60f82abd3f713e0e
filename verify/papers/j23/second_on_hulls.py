"""Proposition 4, part 3: the second correction of a linear map on the hull of points.

Where the domain is in a smaller space than the rows of A, the map is another one of smaller cost
there. The same cases serve the first display at the end of the proof.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs import reals
from verify.cases.hypotheses import unchanged
from verify.cases.tensors import Tensors
from verify.core.claim import Claim
from verify.language.building import (
    Matrix,
    Number,
    Some,
    Sum,
    Vector,
    frob2,
    implies,
    log,
    rank,
    row,
    singular,
    upto,
)
from verify.papers.j23.affine_costs import POINTS, X, acute, differences
from verify.papers.j23.matrix_notation import a, inside, projection
from verify.papers.j23.operator_norm import second_correction
from verify.papers.j23.root_networks import PLACE, SLOPE
from verify.papers.j23.second_correction import with_matrices
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_value
from verify.statements.stated import Given, pool_with, stated, unless

A = Matrix("A", "m", "n")
c, q = Vector("c", "m", meaning="the constant"), Number("q", meaning="lim (l_2 - l_1) / L")


# domains ------------------------------------------------------------------------------------------
SEEN = A @ projection(X.T)
"""A P with P the projection to the span of the points: the same map on the domain."""
AT_ORIGIN = Some(POINTS, lambda n: frob2(row(X, n)) == 0)
KNOWN_THERE = AT_ORIGIN & acute(SEEN)
"""With B = A P the cost is L sum s_i(B)^(2/L): at least that by the Jacobian along the domain, at
most by the network of powers for B, if B^p Omega is completely positive for 0 <= p <= 1. Of rank 1
and 2 that is so where no angle at p = 0 and p = 1 is obtuse: the inner products are
c s_1^(2p) + d s_2^(2p), of one sign change at most."""
VALUE = implies(KNOWN_THERE, second_correction(SEEN) == second_correction(A))


def _from_0(case: Tensors, random: Random) -> Tensors:
    """The first point is 0; of every other case all numbers are at least 0."""
    array = case.arrays["X"]
    width = array.shape[1]
    entries = ((Fraction(0),) * width) + array.entries[width:]
    case = case.changing(X=replace(array, entries=entries))
    if random.random() < 0.5:
        case = case.changing(
            **{
                name: replace(case.arrays[name], entries=tuple(map(abs, case.arrays[name].entries)))
                for name in ("A", "X")
            }
        )
    return case


MAPS = pool_with(A, X, largest=3, adapt=_from_0)


def _onto_span(case: Tensors, random: Random) -> Tensors:
    points, linear = case.matrix("X"), case.matrix("A")
    return with_matrices(case, A=linear @ reals.image_projection(points.T))


def _tilted(case: Tensors, random: Random) -> Tensors:
    """A segment on the diagonal, seen by one coordinate."""
    size = Fraction(random.randint(1, 4), random.randint(1, 4))
    return with_matrices(case, A=[[size, 0]], X=[[0, 0], [1, 1]])


_ENOUGH = rank(A @ differences(X).T) == rank(A)
DIMENSION = Given(
    "images of dimension k",
    _ENOUGH,
    r"$A^p\Omega$ is $k=\mathrm{Rank}A$-dimensional for all $p\in[0,1]$",
    unless(_ENOUGH, _onto_span),
)
EMBEDDED = Given(
    "completely positive images",
    acute(A),
    r"$A^p\Omega$ can be embedded by an isometric linear map into some $\mathbb R_+^m$ for all "
    r"$p\in[0,1]$ (decided for $\mathrm{Rank}A\le2$)",
    unchanged,
)
ROWS_SPANNED = Given(
    "rows in the span of the domain",
    SEEN == A,
    r"$\mathrm{Im}A^T\subset\mathrm{span}\,\Omega$",
    unless(SEEN == A, _onto_span),
    _tilted,
)
KNOWN = (
    "the cost of a linear map on such a domain is known at every depth "
    "(docs/mathematics/j23.md#tilted-domains)"
)


def _value(*more: Given) -> Claim:
    words = r", and $\mathrm{Im}A^T\subset\mathrm{span}\,\Omega$" if more else ""
    return stated(
        "j23.prop4.3@B" + ".fix" * bool(more),
        printed(PLACE),
        "second correction of a linear map" + ", repaired" * bool(more),
        r"If $A^p\Omega$ is $k=\mathrm{Rank}A$-dimensional and completely positive for all "
        rf"$p\in[0,1]${words}, then $R^{{(2)}}(x\mapsto Ax;\Omega)=\frac12\lVert\log_+A^TA"
        r"\rVert_F^2$. Here $\Omega$ is the convex hull of the points $X$, $0$ one of them.",
        VALUE,
        (DIMENSION, EMBEDDED, *more),
        depends=("j23.prop4.3.network", "j23.prop4.3.norm", "j23.schatten@A"),
        pool=MAPS,
        repairs="j23.prop4.3@B" if more else None,
        reading="B",
        reading_text="completely positive: it can be embedded by an isometric linear map",
        exact_only=True,
        through=KNOWN,
        why=""
        if more
        else r"The cost knows the map on $\Omega$ alone: on the segment from $0$ to $(1,1)$ the "
        r"map "
        r"$x_2$ is $(x_1+x_2)/2$ as well, so $R^{(2)}=\frac12\log^22$, while "
        r"$\frac12\lVert\log_+A^TA\rVert^2=0$.",
    )


# between two layers -------------------------------------------------------------------------------
IS_CONSTANT = (frob2(A) == 0) & (frob2(c) <= 1)
"""Then an optimal network has all weights 0 and the last bias c: R^(1)(f) = |c|^2, and between
hidden layers there is nothing."""
IS_LINEAR = (frob2(c) == 0) & acute(SEEN)
"""Then the network of powers is optimal."""
VALUES = upto(rank(SEEN))
OF_POWERS = Sum(VALUES, lambda i: log((singular(SEEN)[i] ** q) ** 2))
WHOLE = Sum(VALUES, lambda i: log(singular(SEEN)[i] ** 2))
BETWEEN_LAYERS = implies(
    (q > 0) & (q < 1) & AT_ORIGIN,
    implies(IS_CONSTANT, frob2(c) * q == 0) & implies(IS_LINEAR, WHOLE * q == OF_POWERS),
)


def _of_one_kind(case: Tensors, random: Random) -> Tensors:
    """A constant function or a linear one, on a domain with 0; the share inside (0, 1)."""
    case = _from_0(case, random)
    name = random.choice(("A", "c"))
    array = case.arrays[name]
    case = case.changing(**{name: replace(array, entries=(Fraction(0),) * len(array.entries))})
    case = inside(case, random)
    if not 0 < case.number("q") < 1:
        case = with_value(case, "q", Fraction(random.randint(1, 4), 5))
    return case


TAIL = stated(
    "j23.prop4.tail.first",
    printed("end of the proof of Proposition 14, first display"),
    "first correction between two layers",
    r"$\lim_{L\to\infty}R^{(1)}(\alpha_{\ell_1}\to\alpha_{\ell_2};\Omega)=R^{(1)}(f_\theta;\Omega)"
    r"\lim_{L\to\infty}\frac{\ell_2-\ell_1}L$ along optimal networks: here of constants, whose "
    r"last layer alone is not 0, and of linear maps; $q=\lim\frac{\ell_2-\ell_1}L$, $\Omega$ the "
    r"hull of the points $X$, $0$ one of them.",
    BETWEEN_LAYERS,
    (SLOPE,),
    pool=pool_with(A, c, X, q, a, largest=3, adapt=_of_one_kind),
    exact_only=True,
    through="the optimal networks of constants and of linear maps are known at every depth "
    "(docs/mathematics/j23.md#the-network-of-powers)",
    why=r"The only optimal network of a constant $c$ of length below $1$ has all weights $0$ and "
    r"the "
    r"last bias $c$: between hidden layers there is nothing, and $R^{(1)}(f_\theta)=\lVert c"
    r"\rVert^2>0$.",
)

CLAIMS = (
    _value(),
    _value(ROWS_SPANNED),
    TAIL,
)
