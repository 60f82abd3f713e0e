"""Section 3.1, after the properties: functions phi A psi that are linear up to bijections."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.core.claim import Claim
from verify.language.building import (
    Each,
    Let,
    Matrix,
    Max,
    Some,
    Sum,
    Vector,
    When,
    cols,
    diag,
    dim,
    dot,
    frob2,
    larger,
    rank,
    row,
    rows,
    smaller,
    upto,
    vector,
)
from verify.language.terms import Term
from verify.papers.j23.domains import (
    BENDS_BACK,
    BOUNDED,
    DIMENSION,
    DIRECTIONS,
    ON_DOMAINS,
    POINTS,
    SHAPE,
    SOLID,
    WITHOUT_LINES,
    X,
    Y,
    domain_pool,
)
from verify.papers.j23.matrix_notation import KEPT_SLOPE
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, stated

A = Matrix("A", "q", "n")
p = Vector("p", "n", meaning="the factors of negative coordinates in psi")
s = Vector("s", "q", meaning="the factors of negative coordinates in phi")


# functions ----------------------------------------------------------------------------------------
def slopes(x: Term, factors: Term) -> Term:
    """Of each coordinate: its factor where it is negative, else 1."""
    return vector(dim(x), lambda i: When(x[i] < 0, factors[i], 1))


def bent(x: Term, factors: Term) -> Term:
    """Each coordinate times its slope."""
    return diag(slopes(x, factors)) @ x


def jacobian(x: Term) -> Term:
    """Of f = phi A psi, off the kinks."""
    return diag(slopes(A @ bent(x, p), s)) @ A @ diag(slopes(x, p))


# R^(0) and Rank_BN --------------------------------------------------------------------------------
def point_within(turn: Term) -> Term:
    """A convex combination of all points."""

    def share(k: Term) -> Term:
        return 1 + (k - 1 + turn) % rows(X) + (k - 1) ** 2

    return Sum(POINTS, lambda k: share(k) * row(X, k)) / Sum(POINTS, share)


def _rank_at(x: Term) -> Term:
    """The rank along the domain of the Jacobian at a point off the kinks; at a kink 0."""

    def off_kinks(x: Term) -> Term:
        return Each(upto(dim(x)), lambda i: x[i] != 0)

    smooth = off_kinks(x) & off_kinks(A @ bent(x, p))
    return When(smooth, rank(jacobian(x) @ DIRECTIONS), 0)


SEEN = Max(POINTS, lambda turn: Let(point_within(turn), _rank_at))
"""The largest rank of the Jacobian at some points inside."""


def ends_apart(y: Term) -> Term:
    """Whether f has slopes along y and -y that are not of one direction."""

    def not_of_one_direction(u: Term, v: Term) -> Term:
        return (dot(u, v) < 0) | (dot(u, v) ** 2 < frob2(u) * frob2(v))

    return Let(
        bent(A @ bent(y, p), s),
        lambda u: Let(bent(A @ bent(-y, p), s), lambda v: not_of_one_direction(u, v)),
    )


LINES_APART = Some(upto(rows(Y)), lambda m: ends_apart(row(Y, m)))
AT_LEAST = When(BENDS_BACK & LINES_APART, larger(SEEN, 2), SEEN)
"""R^(0) and Rank_BN are at least the rank of the Jacobian, and R^(0) at least 2 where the ends of a
line are not mapped to one direction."""

ONE_SIGN = Each(
    upto(cols(X)),
    lambda i: Each(POINTS, lambda n: X[n, i] >= 0) | Each(POINTS, lambda n: X[n, i] <= 0),
)
ON_ONE_SIDE = A @ diag(
    vector(cols(X), lambda i: When(Some(POINTS, lambda n: X[n, i] < 0), p[i], 1))
)
"""A psi where no coordinate changes its sign on the domain: psi is linear there."""
AT_MOST = Let(
    smaller(rank(A), DIMENSION),
    lambda most: When(
        ONE_SIGN & WITHOUT_LINES, smaller(most, rank(ON_ONE_SIDE @ DIRECTIONS)), most
    ),
)
"""Rank_BN is at most the rank of A, the dimension of the domain, and the rank of A along
psi(Omega)."""
BOTH_ARE_THE_RANK = (rank(A) >= AT_LEAST) & (rank(A) <= AT_MOST)


# claims -------------------------------------------------------------------------------------------
def _positive(case: Tensors, random: Random) -> Tensors:
    for name in "ps":
        entries = [abs(v) or Fraction(1, 2) for v in case.arrays[name].entries]
        case = with_entries(case, name, entries)
    return case


def _folded(case: Tensors, random: Random) -> Tensors:
    """phi or psi is constant where a coordinate is negative, and the domain is there."""
    name = random.choice("ps")
    case = with_entries(case, name, [Fraction(0)] * len(case.arrays[name].entries))
    return with_entries(case, "X", [-abs(v) for v in case.arrays["X"].entries])


BIJECTIONS = Given(
    "bijections",
    Each(upto(dim(p)), lambda i: p[i] > 0) & Each(upto(dim(s)), lambda i: s[i] > 0),
    r"$\phi,\psi$ are bijections: $p_i>0$, $s_i>0$",
    _positive,
    _folded,
)


def _bijections(*more: Given) -> Claim:
    name = "j23.rankprops.bij"
    return stated(
        name + ".fix" * bool(more),
        printed("Section 3.1, after the properties"),
        "linear up to bijections" + ", repaired" * bool(more),
        r"For any function $f=\phi\circ A\circ\psi$ that is linear up to bijections $\phi,\psi$ "
        r"the conjecture is true: $R^{(0)}(f;\Omega)=\mathrm{Rank}_{BN}(f;\Omega)=\mathrm{Rank}A$"
        + (r", if $\Omega$ is bounded and has interior points. " if more else ". ")
        + r"($\psi$ multiplies negative coordinates by $p_i$, $\phi$ by $s_i$; "
        + f"{SHAPE}.)",
        BOTH_ARE_THE_RANK,
        (KEPT_SLOPE, BIJECTIONS, *more),
        depends=("j23.rankprops.1@B", "j23.rankprops.3@A", "j23.bnrank@B"),
        pool=domain_pool(A, p, s),
        repairs=name if more else None,
        exact_only=True,
        through=ON_DOMAINS,
        why=""
        if more
        else r"The cost knows $f$ on $\Omega$ alone: at a point, or along a domain of lower "
        r"dimension, "
        r"both ranks are that of $A$ along $\Omega$, which can be less than $\mathrm{Rank}A$.",
    )


CLAIMS = (_bijections(), _bijections(BOUNDED, SOLID))
