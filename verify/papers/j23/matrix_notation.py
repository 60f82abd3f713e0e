"""Orthogonal projections, Moore-Penrose inverses and an activation, as terms."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from verify.cases.tensors import Tensors
from verify.kinds.deep.changes import OUTSIDE, SLOPES
from verify.language.building import (
    Fold,
    Let,
    Number,
    When,
    cols,
    column,
    dim,
    eye,
    frob2,
    inverse,
    outer,
    rows,
    upto,
    vector,
    zeros,
)
from verify.language.terms import Term, written
from verify.statements.quantities import with_value
from verify.statements.stated import Given

a = Number("a", meaning="the slope of the activation where it is negative")


@written(r"\pi({0})")
def projection(A: Term) -> Term:
    """P, the orthogonal projection to the image of a matrix: the columns are made orthogonal one by
    one, and the projections to what is left of each are added."""

    def with_column(P: Term, j: Term) -> Term:
        left = column(A, j) - P @ column(A, j)
        return Let(left, lambda r: When(frob2(r) == 0, P, P + outer(r, r) / frob2(r)))

    return Fold(upto(cols(A)), zeros(rows(A), rows(A)), with_column)


@written(r"({0})^+")
def pseudo_inverse(of: Term) -> Term:
    """A^+ = (A^T A + I - P)^-1 A^T with P the projection to Im A^T."""
    return inverse(of.T @ of + (eye(cols(of)) - projection(of.T))) @ of.T


@written(r"\sigma_a({0})")
def activated(x: Term) -> Term:
    """sigma_a of each coordinate."""
    return vector(dim(x), lambda i: When(x[i] >= 0, x[i], a * x[i]))


def inside(case: Tensors, random: Random) -> Tensors:
    """The slope of the activation lies inside (-1, 1)."""
    return case if -1 < case.number("a") < 1 else with_value(case, "a", random.choice(SLOPES))


SLOPE = Given(
    "slope inside (-1, 1)",
    (a > -1) & (a < 1),
    r"$\sigma_a(x)=x$ if $x\ge0$, $ax$ otherwise, with $a\in(-1,1)$",
    inside,
    lambda case, random: with_value(case, "a", random.choice(OUTSIDE)),
)
KEPT_SLOPE = replace(SLOPE, break_=None, built_in=True)
"""Bounds on costs are for slopes inside (-1, 1): of others nothing is said."""
