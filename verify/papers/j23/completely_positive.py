"""Theorem 3, part 3: R^(1) of a linear map on a completely positive domain, and the kernels.

The domain is embedded by an isometric linear map, as Theorem 11 has it; of planar sets that says
that all angles are at most right, which is how it is tested here. (By any isometric map, as in the
words of Theorem 3, a shift makes every bounded set completely positive.) A domain that is no part
of Im A^T may have a smaller cost, see `first_correction`.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import as_fraction
from graphs.matrices import rank as rank_of
from verify.cases.tensors import Tensors
from verify.language.building import (
    Each,
    Matrix,
    Whole,
    above,
    cols,
    frob2,
    log,
    pdet2,
    rank,
    rows,
    upto,
    vector,
)
from verify.language.terms import Term
from verify.papers.j23.affine_cases import HULL, affine_pool, layers
from verify.papers.j23.affine_costs import Affine, X, differences, not_obtuse
from verify.papers.j23.first_correction import THROUGH
from verify.papers.j23.matrix_notation import KEPT_SLOPE, projection, pseudo_inverse
from verify.papers.j23.sources import printed
from verify.statements.stated import Given, pool_with, stated

# R^(1) of a linear map ----------------------------------------------------------------------------
A, L = Matrix("A", "q", "n"), Whole("L", 1, 6)
f = Affine(A, vector(rows(A), lambda i: 0))
"""x -> A x."""
K, DETERMINANT = rank(A), log(pdet2(A))
IS_DETERMINANT = (f.correction_at_least() <= DETERMINANT) & (f.correction_at_most() >= DETERMINANT)
LEAST = L * K + DETERMINANT
MOST = LEAST + (frob2(A) + frob2(pseudo_inverse(A)) - 2 * K) / L
BRACKETED = (f.cost_at_most(L) >= LEAST) & (f.cost_at_least(L) <= MOST)
PROJECTED, IMAGES = X @ projection(A.T), X @ A.T


def _with_more_points(case: Tensors, random: Random) -> Tensors:
    """Points along the axes."""
    array = case.arrays["X"]
    width = array.shape[1]
    entries = tuple(Fraction(int(i == j)) for i in range(-1, width) for j in range(width))
    return case.changing(X=replace(array, shape=(width + 1, width), entries=entries))


def _on_a_line(case: Tensors, random: Random) -> Tensors:
    """0 and one of the points; if they all are 0, the point 1, 2, 3, ..."""
    array = case.arrays["X"]
    width = array.shape[1]
    rows = [array.entries[k : k + width] for k in range(0, len(array.entries), width)]
    plain = tuple(Fraction(j + 1) for j in range(width))
    far = random.choice([row for row in rows if any(row)] or [plain])
    entries = (Fraction(0),) * width + tuple(far)
    return case.changing(X=replace(array, shape=(2, width), entries=entries))


def _not_zero(case: Tensors) -> Tensors:
    """With an entry 1, where A is 0."""
    array = case.arrays["A"]
    if any(array.entries):
        return case
    return case.changing(A=replace(array, entries=(Fraction(1), *array.entries[1:])))


def _at_the_end(case: Tensors) -> Tensors:
    """At the last one of its points alone."""
    array = case.arrays["X"]
    width = array.shape[1]
    return case.changing(X=replace(array, shape=(1, width), entries=array.entries[-width:]))


def _of_fewer_dimensions(case: Tensors, random: Random) -> Tensors:
    """On a line, or at a point where a line has as many dimensions as A."""
    line = _on_a_line(_not_zero(case), random)
    return line if rank_of(line.matrix("A")) > 1 else _at_the_end(line)


def _one_row_on_a_line(case: Tensors, random: Random) -> Tensors:
    """A of one row, and the points 0 and x; x alone where it goes along the row."""
    array = case.arrays["A"]
    width = array.shape[1]
    entries = tuple(v if place < width else Fraction(0) for place, v in enumerate(array.entries))
    one_row = _not_zero(case.changing(A=replace(array, entries=entries)))
    line = _on_a_line(one_row, random)
    both = [line.matrix("A")[0], line.matrix("X")[1]]
    return line if rank_of(np.array(both)) > 1 else _at_the_end(line)


def _opposed(case: Tensors, random: Random) -> Tensors:
    """The opposite of the first point that A sees is there as well; if it sees none, a row of A and
    its opposite."""
    array, matrix, points = case.arrays["X"], case.matrix("A"), case.matrix("X")
    count, width = array.shape
    seen = np.flatnonzero((points @ matrix.T).any(axis=1))
    rows = np.flatnonzero(matrix.any(axis=1))
    if len(seen):
        more = [-points[seen[0]]]
    elif len(rows):
        more = [matrix[rows[0]], -matrix[rows[0]]]
    else:
        return case
    entries = (*array.entries, *(as_fraction(value) for row in more for value in row))
    return case.changing(X=replace(array, shape=(count + len(more), width), entries=entries))


def _acute(points: Term) -> Term:
    return (rank(A) <= 2) & not_obtuse(points)


DIMENSIONS = Given(
    "dimension k",
    (rank(differences(PROJECTED)) == K) & (rank(differences(IMAGES)) == K),
    r"$P_{\mathrm{Im}A^T}\Omega$ and $A\Omega$ are $k=\mathrm{Rank}A$ dimensional",
    break_=_of_fewer_dimensions,
)
ACUTE_IN = Given(
    "inputs completely positive",
    _acute(PROJECTED),
    r"$P_{\mathrm{Im}A^T}\Omega$ is completely positive: here $k\le2$ and all inner products are "
    r"at least $0$",
    break_=_opposed,
)
ACUTE_OUT = Given(
    "outputs completely positive",
    _acute(IMAGES),
    r"$A\Omega$ is completely positive: likewise",
    break_=_opposed,
)
ALONG_IMAGE = Given(
    "directions contain Im A^T",
    f.along == A,
    r"the directions of $\Omega$ contain $\mathrm{Im}A^T$",
    _with_more_points,
    _one_row_on_a_line,
)
THEOREM = "Theorem 3 (Theorem 11), part 3"
EQUAL = r"$R^{(1)}(x\mapsto Ax;\Omega)=2\log|A|_+$"
CONDITION = (
    r"If $P_{\mathrm{Im}A^T}\Omega$ and $A\Omega$ are $k=\mathrm{Rank}A$ dimensional and "
    r"completely positive, then "
)
EMBEDDING = r"completely positive: embedded with an isometric linear map into $\mathbb R_+^m$"
DEPENDS = (
    "j23.thm3.lb@B",
    "j23.thm3.3.convex",
    "j23.thm3.3.cp.a",
    "j23.thm3.3.construct.b",
    "j23.thm3.3.norm.e",
)


CORRECTION = stated(
    "j23.thm3.3@B",
    printed(THEOREM),
    "first correction of a linear map",
    CONDITION + EQUAL + f". ({HULL}.)",
    IS_DETERMINANT,
    (KEPT_SLOPE, DIMENSIONS, ACUTE_IN, ACUTE_OUT),
    depends=DEPENDS,
    pool=affine_pool(A),
    reading="B",
    reading_text=EMBEDDING,
    exact_only=True,
    through=THROUGH,
    why=r"The cost knows the map on $\Omega$ alone: on the segment from $0$ to $(0,1)$ the map "
    r"$x_1+x_2$ is $x_2$ as well, so $R^{(1)}=0$, while $2\log|A|_+=\log2$.",
)


REPAIRED = stated(
    "j23.thm3.3@B.fix",
    printed(THEOREM),
    "first correction of a linear map, repaired",
    CONDITION.replace("then", r"and the directions of $\Omega$ contain $\mathrm{Im}A^T$, then")
    + EQUAL
    + r": $0\le R(x\mapsto Ax;\Omega,L)-Lk-2\log|A|_+\le\big(\lVert A\rVert_F^2+\lVert A^+"
    rf"\rVert_F^2-2k\big)/L$. ({HULL}.)",
    BRACKETED,
    (KEPT_SLOPE, layers(L), DIMENSIONS, ACUTE_IN, ACUTE_OUT, ALONG_IMAGE),
    depends=("j23.thm3.lb@B.fix", "j23.thm3.3.construct.b.fix", "j23.thm3.3.norm.d.fix"),
    pool=affine_pool(A, L),
    reading="B",
    reading_text=EMBEDDING,
    repairs="j23.thm3.3@B",
    exact_only=True,
    through=THROUGH,
)


# kernels ------------------------------------------------------------------------------------------
B, C = Matrix("B", "p", "n"), Matrix("C", "q", "n")
BOTH = above(B, C)
MEAN = Each(
    upto(cols(B)),
    lambda i: Each(
        upto(cols(B)),
        lambda j: ((B.T @ B)[i, j] + (C.T @ C)[i, j]) / 2 == (BOTH.T @ BOTH)[i, j] / 2,
    ),
)
"""Between the entries of the mean and of S^T S; the root of 1/2 is squared away."""

CONVEX = stated(
    "j23.thm3.3.convex",
    printed("proof of Theorem 11 (3), first display"),
    "mean of two completely positive kernels",
    r"For $K(x,y)=x^TB^TBy$ and $\tilde K(x,y)=x^T\tilde B^T\tilde By$: "
    r"$\frac{K(x,y)+\tilde K(x,y)}2=x^TS^TSy$ "
    r"with $S=\frac1{\sqrt2}\binom B{\tilde B}$. (So the entries of $Sx$ are those of "
    r"$Bx$ and $\tilde Bx$ up to a positive factor: the mean is completely positive where both "
    r"are. Here $C$ is $\tilde B$.)",
    MEAN,
    pool=pool_with(B, C, largest=3),
)

CLAIMS = (CORRECTION, REPAIRED, CONVEX)
