"""Section 5: the task v(0) -> (C(v(1)), ..., C(v(T))) of gradient descent, and its BN-rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from graphs.rings import ring_of
from verify.cases.hypotheses import random_rational
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim
from verify.language.building import (
    Each,
    Fold,
    Let,
    Map,
    Whole,
    dot,
    eye,
    item,
    matrix,
    outer,
    rank,
    rows,
    smaller,
    tuple_,
    upto,
)
from verify.language.terms import Term
from verify.papers.j23.section5 import (
    COST,
    NOISELESS,
    STEP,
    UNIT,
    small_step,
    symmetry_claim,
)
from verify.papers.j23.section5_notation import (
    E,
    across,
    along,
    cost,
    eta,
    gradient,
    next_across,
    next_along,
    stepped,
    v,
    w,
)
from verify.statements.quantities import with_entries
from verify.statements.stated import Given

T = Whole("T", 1, 3)


# definitions --------------------------------------------------------------------------------------
def after(t: Term) -> Term:
    """v(t), from v = v(0)."""
    return Fold(upto(t), v, lambda at, _: stepped(at))


def statistics_after(t: Term) -> Term:
    """u(v(t)) by the recursion of the two statistics."""

    def evolved(u: Term, _: Term) -> Term:
        one, other = item(u, 1), item(u, 2)
        return tuple_(next_along(one, other), next_across(one, other))

    return Fold(upto(t), tuple_(along(v), across(v)), evolved)


def cost_of(u: Term) -> Term:
    """The cost by the two statistics: |v|^4 - 2 (w^T v)^2 + 1."""
    return (item(u, 1) + item(u, 2)) ** 2 - 2 * item(u, 1) + 1


def hessian(at: Term) -> Term:
    """The Jacobian of the gradient of C."""
    difference = outer(at, at) - (outer(w, w) + E)
    curved = dot(at, at) * eye(rows(E)) + outer(at, at)
    return 2 * (difference + difference.T) + 4 * curved


def descended(t: Term) -> Term:
    """The Jacobian of v(0) -> v(t)."""

    def longer(before: Term, s: Term) -> Term:
        return before - eta * (hessian(after(s - 1)) @ before)

    return Fold(upto(t), eye(rows(E)), longer)


def jacobian() -> Term:
    """J f*(v), of shape T x d."""
    lines = Map(upto(T), lambda t: descended(t).T @ gradient(after(t)))
    return Let(lines, lambda found: matrix(T, rows(E), lambda t, i: found[t][i]))


# hypotheses ---------------------------------------------------------------------------------------
def _two_coordinates(case: Tensors, random: Random) -> Tensors:
    if case.lengths["d"] > 1:
        return case
    one = Tensor(("d",), (2,), (Fraction(1), Fraction(0)))
    return case.changing(
        w=one,
        v=replace(one, entries=(random_rational(random), random_rational(random))),
        E=Tensor(("d", "d"), (2, 2), (Fraction(0),) * 4),
    )


def _two_steps(case: Tensors, random: Random) -> Tensors:
    return with_entries(case, "T", [max(Fraction(2), case.arrays["T"].entries[0])])


OUTPUT = Given("an output", T >= 1, r"$T\ge1$: there is a cost to predict", built_in=True)
HIGH = Given(
    "two coordinates",
    rows(E) >= 2,
    r"$d\ge2$: there is an axis to turn about",
    _two_coordinates,
)
LARGE = Given(
    "two outputs",
    T >= 2,
    r"$T\ge2$",
    _two_steps,
    lambda case, random: with_entries(case, "T", [Fraction(1)]),
)
STEPS = TensorPool(
    (("w", ("d",)), ("v", ("d",)), ("E", ("d", "d")), ("eta", ())),
    (("T", 1, 3),),
    largest=3,
    adapt=small_step,
)

# claims -------------------------------------------------------------------------------------------
FACTORED = Each(upto(T), lambda t: cost(after(t)) == cost_of(statistics_after(t)))


def factor() -> Argument:
    """The costs along the descent, in the plane of w = (1, 0) and v = (s, y)."""
    ring = ring_of(2)
    s, y = ring.generators
    square = s * s + y * y
    whole = (square - 1) * (square - 1) + 2 * y * y  # |v v^T - w w^T|^2, entry by entry
    by_statistics = square * square - 2 * s * s + 1
    slopes = [ring.derivative(whole, k) for k in (0, 1)]
    steps = (
        Step("C = (u1 + u2)^2 - 2 u1 + 1 for u1 = s^2, u2 = y^2", whole == by_statistics),
        Step("a step takes s to s (1 - 4 eta (u1 + u2 - 1))", slopes[0] == 4 * s * (square - 1)),
        Step("and y to y (1 - 4 eta (u1 + u2))", slopes[1] == 4 * y * square),
    )
    return Argument(
        "in the plane of w and v a step multiplies both coordinates by what the recursion squares.",
        steps,
        (
            "at E = 0 descent stays in the plane of w and v, where w = (1, 0)",
            "for every T by induction on the steps: computed for one step",
        ),
        (UNIT.name, NOISELESS.name),
        section="docs/mathematics/j23.md#rotated-descent",
    )


TASK_TEXT = (
    r"For $E=0$ the function $f^*:v(0)\mapsto(C(v(1)),\dots,C(v(T)))$ of $T$ steps of gradient "
    r"descent "
)
READING = "the BN-rank is the least inner dimension of a factorisation into differentiable maps"
MOST = smaller(smaller(rows(E), T), 2)
"""The least inner dimension of a factorisation: before f*, behind it, the statistics."""
RANK_TWO = (MOST >= 2) & (rank(jacobian()) <= 2)


def _rank_two(name: str, title: str, text: str, given: Sequence[Given], **others: Any) -> Claim:
    """That the BN-rank is two, by what bounds it."""
    return symmetry_claim(
        name,
        COST,
        title,
        TASK_TEXT + text,
        RANK_TWO,
        given,
        pool=STEPS,
        exact_only=True,
        through="the BN-rank is at most the inner dimension of each factorisation ($d$ before "
        "$f^*$, $T$ behind it, 2 of the statistics) and at least each rank of a Jacobian: that "
        "none of these excludes 2 is compared",
        **others,
    )


GIVEN = (OUTPUT, HIGH, STEP, UNIT, NOISELESS)
CLAIMS = (
    symmetry_claim(
        "rank2.factor",
        COST,
        "the task factors through two statistics",
        TASK_TEXT + r"factors through $u(v(0))\in\mathbb R^2$: the costs are those that the "
        r"recursion of the two statistics gives.",
        FACTORED,
        [OUTPUT, UNIT, NOISELESS],
        pool=STEPS,
        proof=factor,
    ),
    _rank_two(
        "rank2@A",
        "the task has BN-rank two",
        "has BN-rank 2.",
        GIVEN,
        reading="A",
        reading_text=READING,
        why="a task of one number, $T=1$, factors through that number",
    ),
    _rank_two(
        "rank2@A.fix",
        "the task has BN-rank two, repaired",
        r"has BN-rank 2 where $T\ge2$ (for $T=1$ it is at most 1).",
        (LARGE, *GIVEN),
        reading="A",
        reading_text=READING,
        repairs="j23.sym.rank2@A",
    ),
)
