"""Remark 1: the width that suffices at depth 2.

What a neuron adds to the outputs at the points is a matrix with a row for each point. With another
factor lambda >= 0 it costs 2 lambda |w| |v| at least, w its weights and its bias, v the weights of
the outputs. So a smaller network is a set of neurons with factors. Of a set whose matrices are
linearly independent there are no others than those that solve the equations of least squares.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

from verify.core.losses import PRESCRIBED
from verify.kinds.deep.layered import layered_pool, lifted
from verify.kinds.deep.networks import Deep, tensor_of
from verify.kinds.deep.pool import DeepPool, gaussian
from verify.language.building import (
    Each,
    Filter,
    Let,
    Some,
    Sum,
    card,
    column,
    dot,
    examples,
    frob2,
    inverse,
    matrix,
    outer,
    post,
    rank,
    row,
    sqrt,
    subsets,
    upto,
    vector,
)
from verify.language.terms import Term, called, written
from verify.papers.j23.network_notation import (
    DEPTH,
    FULLY_CONNECTED,
    PARAMETER_SQUARE,
    SLOPE,
    bias,
    neurons,
    weight,
    width,
)
from verify.papers.j23.sources import printed
from verify.statements.stated import Given, stated

N = called("N", card(examples()))
NEURONS = upto(width(1))


# neurons ------------------------------------------------------------------------------------------
@written(r"M_{{0}}")
def added(k: Term) -> Term:
    """(N, n_2): what a neuron adds to the outputs at the points."""
    return outer(vector(N, lambda p: post(neurons(1)[k], p)), column(weight(2), k))


def least_cost(k: Term) -> Term:
    """2 |w| |v|."""
    into_neuron = frob2(row(weight(1), k)) + bias(1)[k] ** 2
    return 2 * sqrt(into_neuron * frob2(column(weight(2), k)))


WHOLE = called("M", Sum(NEURONS, added))
"""What all neurons add."""
PRODUCTS = called("G", matrix(width(1), width(1), lambda i, j: dot(added(i), added(j))))
WITH_WHOLE = called("g", vector(width(1), lambda k: dot(added(k), WHOLE)))


# smaller networks ---------------------------------------------------------------------------------
def products(S: Term) -> Term:
    """The Gram matrix of some neurons."""
    return matrix(card(S), card(S), lambda i, j: PRODUCTS[S[i], S[j]])


def with_whole(S: Term) -> Term:
    """Their products with what all neurons add."""
    return vector(card(S), lambda i: WITH_WHOLE[S[i]])


def is_no_larger(S: Term, factors: Term) -> Term:
    """Whether some neurons with these factors, the best ones, add the same at no larger norm: by
    Pythagoras what is left is |M|^2 - lambda . g."""
    costs = Sum(upto(card(S)), lambda i: factors[i] * least_cost(S[i]))
    return (
        (dot(factors, with_whole(S)) == frob2(WHOLE))
        & Each(upto(card(S)), lambda i: factors[i] >= 0)
        & (costs + frob2(bias(2)) <= PARAMETER_SQUARE)
    )


def suffices(S: Term) -> Term:
    """Whether some neurons, linearly independent, are enough."""
    best = inverse(products(S)) @ with_whole(S)
    independent = rank(products(S)) == card(S)
    return independent & Let(best, lambda factors: is_no_larger(S, factors))


ENOUGH = N * (N + 1)
SMALLER = Filter(subsets(NEURONS), lambda S: (card(S) >= 1) & (card(S) <= ENOUGH))
SUFFICIENT = (width(1) <= ENOUGH) | (frob2(WHOLE) == 0) | Some(SMALLER, suffices)

# cases --------------------------------------------------------------------------------------------
WIDEST = 8


def _with(case: Deep, **arrays: Any) -> Deep:
    """Other entries, of other lengths too."""
    return case.changing(
        **{name: tensor_of(case.arrays[name].axes, entries) for name, entries in arrays.items()}
    )


def with_more_neurons(case: Deep, random: Random) -> Deep:
    """More neurons than N (N + 1), where that is below the widest: copies, and new ones."""
    enough = case.lengths["N"] * (case.lengths["N"] + 1)
    wanted = random.randint(enough + 1, WIDEST) if enough < WIDEST else 0
    weights, shifts, leaving = (case.matrix(name).tolist() for name in ("W1", "b1", "W2"))
    while len(weights) < wanted:
        k = random.randrange(len(weights))
        copied = random.random() < 0.3
        row = weights[k] if copied else [gaussian(random) for _ in weights[k]]
        weights.append(row)
        shifts.append(shifts[k] if copied else gaussian(random))
        for output in leaving:
            output.append(output[k] if copied else gaussian(random))
    return _with(case, W1=weights, b1=shifts, W2=leaving)


@dataclass(frozen=True)
class WidePool(DeepPool):
    """The networks of a `DeepPool` of two layers, most with more neurons than suffice."""

    def draw(self, random: Random, *, n: int = 1, loss: str = "", large: bool = True) -> Deep:
        """One random network."""
        case = super().draw(random, n=n, loss=loss, large=large)
        return case if random.random() < 0.25 else with_more_neurons(case, random)

    def scope_with(self, more: str) -> tuple[str, ...]:
        """As of a `DeepPool`; none of them is trained."""
        return super().scope_with("most with more neurons than N (N + 1)")


NETWORKS = replace(
    layered_pool(
        WidePool(
            examples=(1,),
            losses=(PRESCRIBED,),
            depths=(2,),
            widest=WIDEST,
            outputs=3,
            points=(1, 1, 2),
        )
    ),
    trained=Fraction(0),
)


def with_outputs(case: Deep, random: Random, count: int) -> Deep:
    """The first of its outputs, and new ones where there are not as many."""
    weights, shifts = (case.matrix(name).tolist()[:count] for name in ("W2", "b2"))
    while len(weights) < count:
        weights.append([gaussian(random) for _ in range(case.widths[1])])
        shifts.append(gaussian(random))
    return _with(case, W2=weights, b2=shifts)


def few_outputs(case: Deep, random: Random) -> Deep:
    """At most N + 1."""
    if case.depth != 2:
        return case
    return with_outputs(case, random, min(case.widths[2], case.lengths["N"] + 1))


def many_outputs(case: Deep, random: Random) -> Deep:
    """More than that."""
    return with_outputs(case, random, case.lengths["N"] + 2) if case.depth == 2 else case


TWO_LAYERS = Given(
    "two layers, few outputs",
    (DEPTH == 2) & (width(2) <= N + 1),
    r"$L=2$, $d_{out}\le N+1$",
    lifted(few_outputs),
    lifted(many_outputs),
)

WIDTH = stated(
    "j23.rem1",
    printed("Remark 1"),
    "sufficient width, two layers",
    r"For a data set of size $N$ a width of $N(N+1)$ suffices: every network has one of this width "
    r"with the same values at the data and no larger norm. (Here $L=2$, $d_{out}\le N+1$.)",
    SUFFICIENT,
    (FULLY_CONNECTED, SLOPE, TWO_LAYERS),
    depends=("j23.repcost",),
    pool=NETWORKS,
    exact_only=True,
    through="a network is made smaller by factors of its neurons, some of them 0, of networks of "
    "two layers (docs/mathematics/j23.md#two-minima-one-layer-widths)",
)

CLAIMS = (WIDTH,)
