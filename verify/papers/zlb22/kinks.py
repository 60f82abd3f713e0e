"""Remark 3.3: networks whose activations have kinks, along a segment of weights.

Beside the arrays of a network and the displacement `V` (verify.papers.zlb22.segments) a case has
`K` (n, b): the activation of a neuron that inputs alone feed is its polynomial plus the sum of
K_vj z^j |z|. With z |z| it is differentiable once, with z^2 |z| twice. Its pre-activation is affine
in t, so along the segment the network is a polynomial between the places where one of these
vanishes.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random

from graphs.univariate import derivative, univariate
from graphs.univariate import value as value_at
from verify.cases.tensors import Tensor, Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Kind
from verify.kinds.dags.changes import fed_by_inputs
from verify.kinds.dags.pool import dag_pool, often_without_zeros
from verify.language.building import (
    Each,
    Filter,
    Let,
    Map,
    Matrix,
    Some,
    Sorted,
    Sum,
    When,
    between,
    card,
    cols,
    concat,
    distinct,
    element,
    list_,
    row,
    sign,
    upto,
)
from verify.language.terms import Term, called
from verify.papers.zlb22.dag_notation import DAG, NEURONS, OUTPUTS, A, W, X, parents
from verify.papers.zlb22.segments import V, along, bend, composed, plus, slope, times
from verify.papers.zlb22.sources import printed
from verify.statements.stated import Given, stated

TERMS = 3  # |z|, z |z|, z^2 |z|
SMOOTH = 2  # the first of them that is twice differentiable

# along the segment --------------------------------------------------------------------------------
K = Matrix(
    "K",
    "n",
    "b",
    meaning="coefficients of |z|, z|z|, ... in the activations of neurons that inputs alone feed",
)
FED_BY_INPUTS = called(
    r"\mathcal N_1", Filter(NEURONS, lambda v: Each(parents(v), lambda u: card(parents(u)) == 0))
)


def pre_at(v: Term, t: Term | int) -> Term:
    """The pre-activation of such a neuron at t."""
    return Sum(parents(v), lambda u: (W[v, u] + t * V[v, u]) * X[1, u])


def rate(v: Term) -> Term:
    """How fast it grows."""
    return pre_at(v, 1) - pre_at(v, 0)


BENT = Filter(
    FED_BY_INPUTS,
    lambda v: Some(upto(cols(K)), lambda j: K[v, j] != 0) & (pre_at(v, 0) * pre_at(v, 1) < 0),
)
"""The neurons with a kink whose pre-activations change their signs on the way."""

CUTS = called(
    "t",
    Sorted(distinct(concat(list_(0, 1), Map(BENT, lambda v: -pre_at(v, 0) / rate(v))))),
)
"""0, where they do, and 1."""
PIECES = upto(card(CUTS) - 1)


def on_piece(piece: Term) -> Term:
    """The value of each vertex on a piece of the segment, with the signs in its middle."""
    middle = (CUTS[piece] + CUTS[piece + 1]) / 2

    def activated(v: Term, z: Term) -> Term:
        smooth = composed(row(A, v), z)
        size = times(composed(row(K, v), z), sign(pre_at(v, middle)) * z)
        return When(element(v, FED_BY_INPUTS), plus(smooth, size), smooth)

    return along(activated)


ALL_PIECES = called(r"\phi", Map(PIECES, on_piece))


# what is said -------------------------------------------------------------------------------------
def same_derivatives(before: Term, after: Term, t: Term) -> Term:
    """Of the first and second order, at t."""
    return (slope(before, t) == slope(after, t)) & (bend(before, t) == bend(after, t))


NO_JUMPS = Each(
    OUTPUTS,
    lambda k: Each(
        between(2, card(CUTS) - 1),
        lambda piece: Let(
            ALL_PIECES,
            lambda phi: same_derivatives(phi[piece - 1][k], phi[piece][k], CUTS[piece]),
        ),
    ),
)


# hypotheses ---------------------------------------------------------------------------------------
def kinks_of(case: Tensors) -> list[list[Fraction]]:
    """K, of each vertex."""
    entries, width = list(case.arrays["K"].entries), case.lengths["b"]
    return [entries[start : start + width] for start in range(0, len(entries), width)]


def _with_kinks(case: Tensors, rows: list[list[Fraction]]) -> Tensors:
    entries = tuple(c for row in rows for c in row)
    return case.changing(K=Tensor(("n", "b"), (len(rows), len(rows[0])), entries))


def _smoothed(case: Tensors, random: Random) -> Tensors:
    rows = [[c if j >= SMOOTH else Fraction(0) for j, c in enumerate(r)] for r in kinks_of(case)]
    return _with_kinks(case, rows)


def _kinked(case: Tensors, random: Random) -> Tensors:
    """|z| or z |z| at a neuron that inputs alone feed, whose pre-activation changes its sign on the
    way: with w + t v, v = -c w, it vanishes at 1/c."""
    first, count = fed_by_inputs(case), case.lengths["n"]
    if not first:
        return case
    v, rate = random.choice(first), random.choice((Fraction(2), Fraction(3), Fraction(3, 2)))
    rows = kinks_of(_smoothed(case, random))
    rows[v][random.choice((0, 0, 1)) % len(rows[v])] += random.choice((1, -1))
    weights, moves = case.arrays["W"], list(case.arrays["V"].entries)
    for u in range(v):
        moves[v * count + u] = -rate * weights.entries[v * count + u]
    moved = case.changing(V=replace(case.arrays["V"], entries=tuple(moves)))
    return _with_kinks(moved, rows)


TWICE = Given(
    "twice differentiable activations",
    Each(
        FED_BY_INPUTS,
        lambda v: Each(upto(cols(K)), lambda j: (j > SMOOTH) | (K[v, j] == 0)),
    ),
    r"all activations are twice differentiable: of $\sum_jA_{vj}z^j+\sum_jK_{vj}z^j|z|$ the "
    r"coefficients of $|z|$ and $z|z|$ are $0$",
    _smoothed,
    _kinked,
    thin=True,
)


# pool ---------------------------------------------------------------------------------------------
def _kinks_below(case: Tensors, random: Random) -> Tensors:
    """Terms with |z| at neurons that inputs alone feed; none in two thirds of the cases."""
    case = often_without_zeros(case, random)
    kept = fed_by_inputs(case) if random.random() > 2 / 3 else []
    rows = [r if v in kept else [Fraction(0)] * len(r) for v, r in enumerate(kinks_of(case))]
    return _with_kinks(case, rows)


KINKED = partial(
    dag_pool,
    extras=(("V", ("n", "n")), ("K", ("n", "b"))),
    most=4,
    points=1,
    lengths={"b": TERMS},
    last=_kinks_below,
)


# argument -----------------------------------------------------------------------------------------
COMPOSED = (
    "sums, products and compositions of twice differentiable functions are twice differentiable"
)
HIGHEST = 6  # power of z before |z| that is looked at


def smooth_where_both_sides_agree() -> Argument:
    """z^(j+1) and -z^(j+1) agree at 0 with their first two derivatives, for j >= 2 alone."""
    steps = []
    for j in range(HIGHEST + 1):
        gap = univariate([0] * (j + 1) + [2])  # right of 0 minus left of it
        orders = (gap, derivative(gap), derivative(derivative(gap)))
        agree = not any(value_at(p, Fraction(0)) for p in orders)
        words = "agree" if j >= SMOOTH else "do not all agree"
        text = f"z^{j} |z|: values, slopes and second derivatives on both sides of 0 {words}"
        steps.append(Step(text, agree == (j >= SMOOTH)))
    return Argument(
        "the network is made of sums and products of weights, inputs and activations",
        tuple(steps),
        (COMPOSED,),
        (DAG.name, TWICE.name),
        section="docs/mathematics/zlb22.md#kinks-along-a-segment",
    )


# claims -------------------------------------------------------------------------------------------
CLAIMS = (
    stated(
        "zlb22.eq9.smooth",
        printed("Remark 3.3"),
        "the network is as often differentiable as its activations",
        "If all activations are twice differentiable then so is the network. (Looked at along "
        r"segments of weights, for activations $\sum_jA_{vj}z^j+\sum_jK_{vj}z^j|z|$: what the "
        "first two derivatives jump by where a pre-activation passes 0.)",
        NO_JUMPS,
        (DAG, TWICE),
        kind=Kind.IDENTITY,
        depends=("zlb22.def2.2",),
        pool=KINKED(degree=2),
        exact_only=True,
        proof=smooth_where_both_sides_agree,
        negated="the first or second derivative jumps somewhere on the segment",
    ),
)
