"""Fully connected networks as the paper writes them: weights, biases, Jacobians, projections.

A case is a network with its layers as a list, the inputs first (verify.kinds.deep.layered), and
points, the examples. x is one of these, by its number. J alpha_l(x) and J(alpha_l -> f)(x) are
products of the matrices W_l and D_l(x), with D_L = I.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random

from graphs.activations import RELU as BENT
from verify.cases.breaks import skip_a_layer
from verify.cases.case import Case
from verify.cases.hypotheses import unchanged
from verify.kinds.deep import changes
from verify.kinds.deep.balanced import along_the_depth, balanced
from verify.kinds.deep.layered import LIST, lifted
from verify.language.building import (
    Chosen,
    Each,
    Filter,
    Fold,
    Let,
    Map,
    Number,
    Sum,
    The,
    Whole,
    activation,
    between,
    card,
    diag,
    distinct,
    edge,
    element,
    examples,
    eye,
    frob2,
    held,
    hidden,
    inputs,
    into,
    matrix,
    out_of,
    outputs,
    pdet2,
    post,
    rank,
    slope,
    slope_left,
    slope_right,
    tail,
    upto,
    vector,
    w,
    x,
    z,
)
from verify.language.terms import Term, called, written
from verify.papers.j23.matrix_notation import SLOPE as OF_ACTIVATION
from verify.papers.j23.matrix_notation import projection
from verify.statements.stated import Given

LAYERS = Chosen(LIST, "seq[seq[vertex]]", "the neurons of the layers $0$ to $L$, inputs first")
DEPTH = called("L", card(LAYERS) - 1)
ALL = upto(DEPTH)
"""The layers from 1 to L, by their numbers."""
Index = Term | int


# a network ----------------------------------------------------------------------------------------
@written(r"\mathcal N_{{0}}")
def neurons(m: Index) -> Term:
    """Those of a layer, l from 0 to L."""
    return LAYERS[m + 1]


@written(r"n_{{0}}")
def width(m: Index) -> Term:
    """n_l."""
    return card(neurons(m))


@written(r"W_{{0}}")
def weight(m: Index) -> Term:
    """W_l, l from 1 to L."""
    return matrix(width(m), width(m - 1), lambda i, j: w(edge(neurons(m - 1)[j], neurons(m)[i])))


def from_held(v: Term) -> Term:
    """The edge of a bias."""
    return The(into(v), lambda e: held(tail(e)))


@written(r"b_{{0}}")
def bias(m: Index) -> Term:
    """b_l, l from 1 to L."""
    return vector(width(m), lambda i: w(from_held(neurons(m)[i])))


@written(r"D_{{0}}(x_{{1}})")
def slopes(m: Index, p: Index) -> Term:
    """D_l(x), l from 1 to L; D_L is the identity."""
    return diag(vector(width(m), lambda i: slope(neurons(m)[i], p)))


@written(r"\alpha_{{0}}(x_{{1}})")
def activations(m: Index, p: Index) -> Term:
    """alpha_l(x), l from 0 (x itself) to L (f(x))."""
    return vector(width(m), lambda i: post(neurons(m)[i], p))


@written(r"x_{{0}}")
def point(p: Index) -> Term:
    """x."""
    return vector(width(0), lambda i: x(neurons(0)[i], p))


@written(r"\alpha_{{0}}({1})")
def values(m: Index, start: Term) -> Term:
    """alpha_l at any point, l from 0 to L; alpha_L is f."""

    def next_layer(before: Term, layer: Term) -> Term:
        pre = weight(layer) @ before + bias(layer)
        return vector(width(layer), lambda i: activation(neurons(layer)[i], pre[i]))

    return Fold(upto(m), start, next_layer)


# Jacobians ----------------------------------------------------------------------------------------
def through(first: Index, last: Index, start: Term, p: Index) -> Term:
    """D_last(x) W_last ... D_first(x) W_first times a matrix; it alone where no layer is left."""
    return Fold(between(first, last), start, lambda J, m: slopes(m, p) @ weight(m) @ J)


@written(r"J\alpha_{{0}}(x_{{1}})")
def to_post(m: Index, p: Index) -> Term:
    """J alpha_l(x), l from 0 (the identity) to L."""
    return through(1, m, eye(width(0)), p)


@written(r"J\tilde\alpha_{{0}}(x_{{1}})")
def to_pre(m: Index, p: Index) -> Term:
    """J alpha~_l(x), l from 1 to L."""
    return weight(m) @ to_post(m - 1, p)


@written(r"J(\alpha_{{0}}\to f)(x_{{1}})")
def from_post(m: Index, p: Index) -> Term:
    """J(alpha_l -> f)(x), l from 0 to L (the identity)."""
    return through(m + 1, DEPTH, eye(width(m)), p)


@written(r"J(\tilde\alpha_{{0}}\to f)(x_{{1}})")
def from_pre(m: Index, p: Index) -> Term:
    """J(alpha~_l -> f)(x), l from 1 to L."""
    return from_post(m, p) @ slopes(m, p)


@written(r"Jf(x_{{0}})")
def jacobian(p: Index) -> Term:
    """Jf(x)."""
    return to_post(DEPTH, p)


# projections --------------------------------------------------------------------------------------
@written(r"P_{\operatorname{Im}({0})}")
def image(A: Term) -> Term:
    """The projection to Im A."""
    return Let(A, projection)


def coimage(A: Term) -> Term:
    """The projection to Im A^T."""
    return image(A.T)


# numbers ------------------------------------------------------------------------------------------
K = Whole("k", 0, 100)
GAP = Number("gap")
WEIGHTS_SQUARE = Sum(ALL, lambda m: frob2(weight(m)))
PARAMETER_SQUARE = called(
    r"\lVert\theta\rVert^2", WEIGHTS_SQUARE + Sum(ALL, lambda m: frob2(bias(m)))
)
"""|theta|^2, weights and biases."""
C1 = called("c_1", PARAMETER_SQUARE - K * DEPTH + GAP)
"""c_1, so that |theta|^2 is k L + c_1 less the gap."""


@written(r"|Jf(x_{{0}})|_+^2")
def jacobian_square(p: Index) -> Term:
    """The square of |Jf(x)|_+."""
    return pdet2(jacobian(p))


# what is supposed ---------------------------------------------------------------------------------
def _from_the_layer_below(m: Term, v: Term) -> Term:
    """Whether the in-edges of a neuron come from each neuron of the layer below, and one from an
    input that is held at 1."""
    below = neurons(m - 1)
    return (
        Each(below, lambda u: element(u, Map(into(v), tail)))
        & (card(into(v)) == card(below) + 1)
        & (x(tail(from_held(v)), 1) == 1)
    )


def _not_fully_connected(case: Case, random: Random) -> Case:
    """Another edge, or an output that bends."""
    if random.random() < 0.5:
        return skip_a_layer(case, random)
    net = case.network
    bent = {net.names[random.choice(net.outputs)]: BENT}
    return replace(case, network=net.with_activations(bent))


FULLY_CONNECTED = Given(
    "fully connected",
    (DEPTH >= 1)
    & (neurons(0) == Filter(inputs(), lambda v: ~held(v)))
    & (neurons(DEPTH) == outputs())
    & Each(between(0, DEPTH), lambda m: card(distinct(neurons(m))) == width(m))
    & Each(ALL, lambda m: Each(neurons(m), lambda v: _from_the_layer_below(m, v)))
    & Each(outputs(), lambda v: (slope_left(v) == 1) & (slope_right(v) == 1)),
    r"the network is fully connected, of the layers $0$ to $L$, with biases and linear outputs",
    unchanged,
    _not_fully_connected,
)


def _one_slope(v: Term) -> Term:
    left = slope_left(v)
    return (slope_right(v) == 1) & (left == slope_left(hidden()[1])) & (abs(left) < 1)


SLOPE = Given(
    OF_ACTIVATION.name,
    Each(hidden(), _one_slope),
    OF_ACTIVATION.text,
    lifted(changes.sloped_inside),
    lifted(changes.sloped_outside),
)
RELU = Given(
    "ReLU",
    Each(hidden(), lambda v: (slope_right(v) == 1) & (slope_left(v) == 0)),
    r"$\sigma$ is the ReLU: $a=0$",
    lifted(changes.as_relu),
    lifted(changes.as_no_relu),
)
SMOOTH = Given(
    "smooth at the points",
    Each(hidden(), lambda v: Each(examples(), lambda p: z(v, p) != 0)),
    r"no hidden pre-activation is $0$ at the points spoken of",
    lifted(changes.off_kinks),
    lifted(changes.onto_a_kink),
)


def at_least_0(gap: Term, name: str, text: str) -> Given:
    """That what the case has above a bound is at least 0."""
    number = gap.args[0].name
    repair, break_ = (
        lifted(partial(change, number)) for change in (changes.with_gap, changes.below_the_bound)
    )
    return Given(name, gap >= 0, text, repair, break_)


NORM_BOUND = at_least_0(
    GAP,
    "norm bound",
    r"$\lVert\theta\rVert^2\le kL+c_1$: here $c_1=\lVert\theta\rVert^2-kL+\mathrm{gap}$ with "
    r"$\mathrm{gap}\ge0$",
)
RANK = Given(
    "rank k",
    Each(examples(), lambda p: rank(jacobian(p)) == K),
    r"$\mathrm{Rank}\,Jf_\theta(x)=k$ at the points spoken of",
    lifted(changes.to_rank),
    lifted(changes.of_another_rank),
)
K_AT_LEAST_1 = Given("k at least 1", K >= 1, r"$k\ge1$", lifted(changes.with_k_and_a_slope))
BALANCED = Given(
    "balanced",
    Each(
        hidden(),
        lambda v: Sum(into(v), lambda e: w(e) ** 2) == Sum(out_of(v), lambda e: w(e) ** 2),
    ),
    r"$\lVert W_{\ell,i\cdot}\rVert^2+b_{\ell,i}^2=\lVert W_{\ell+1,\cdot i}\rVert^2$ for every "
    r"hidden neuron $i$ of every layer $\ell$",
    lifted(balanced),
    lifted(along_the_depth),
)


def _apart(i: Term, j: Term) -> Term:
    """Whether two points differ."""
    return frob2(activations(0, i) - activations(0, j)) != 0


DISTINCT = Given(
    "different points",
    Each(examples(), lambda i: Each(between(1, i - 1), lambda j: _apart(i, j))),
    r"$x_i\ne x_j$ for $i\ne j$",
    lifted(changes.moved_apart),
    lifted(changes.same_points),
)
NO_BIASES = Given(
    "no biases",
    Each(ALL, lambda m: frob2(bias(m)) == 0),
    r"$b_\ell=0$ for every $\ell$",
    lifted(changes.without_biases),
    lifted(changes.with_a_bias),
)
