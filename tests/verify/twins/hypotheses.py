"""Twins of the hypotheses of LJ22 that several claims share, written from their words."""

from __future__ import annotations

from collections.abc import Callable

from tests.verify.twins.architectures import HYPOTHESES as OF_ARCHITECTURES
from tests.verify.twins.curves import V
from tests.verify.twins.descent import BETA, LOSS
from tests.verify.twins.invariances import LAYERS
from tests.verify.twins.section2 import (
    equal_neighbourhoods,
    is_linear,
    is_relu,
    own_weight,
    same_set,
    the_output,
)
from verify.language.building import (
    After,
    Chosen,
    Count,
    Each,
    Filter,
    Fold,
    Map,
    Max,
    Some,
    Sum,
    card,
    edges,
    edges_on,
    element,
    examples,
    frob2,
    head,
    held,
    hidden,
    implies,
    inputs,
    into,
    learnable,
    list_,
    loss_slope,
    minus,
    nu,
    out_of,
    outputs,
    paths,
    paths_to,
    slope_left,
    slope_right,
    smaller,
    step_size,
    steps,
    tail,
    union,
    upto,
    vertices,
    w,
    x,
    y,
    z,
)
from verify.language.terms import Term

THETA = Chosen("theta", "seq[num]")


def acting(says: Callable[[Term], Term]) -> Term:
    """Of all vertices with an activation, so off inputs."""
    return Each(minus(vertices(), inputs()), says)


def smooth_at(v: Term) -> Term:
    return slope_left(v) == slope_right(v)


# Networks -----------------------------------------------------------------------------------------
# Graphs of the language have no loops.
FEEDFORWARD = (card(outputs()) == 1) & Each(
    vertices(), lambda v: (card(out_of(v)) == 0) == (v == the_output())
)
BIAS_FREE = Each(inputs(), lambda v: ~held(v))
# An activation has slopes left and right of 0 where it is positively homogeneous.
HOMOGENEOUS = acting(lambda v: smooth_at(v) | ~smooth_at(v))
RELU_OR_LINEAR = acting(lambda v: is_relu(v) | is_linear(v))
LINEAR = acting(is_linear)
OWN = Each(edges(), lambda e: implies(learnable(e), own_weight(e)))
NO_ZERO = Each(edges(), lambda e: w(e) != 0)


def depth(v: Term) -> Term:
    """The largest number of edges on a path to v."""
    return Max(paths_to(v), lambda p: card(p))


# The parts V_1 = I, ..., V_{L+1} = O can only be those of equal depth.
FULLY_CONNECTED = (
    Each(vertices(), lambda v: (depth(v) == 0) == element(v, inputs()))
    & Each(
        vertices(),
        lambda u: Each(
            vertices(),
            lambda v: Some(out_of(u), lambda e: head(e) == v) == (depth(v) == depth(u) + 1),
        ),
    )
    & Each(vertices(), lambda v: (card(out_of(v)) == 0) == element(v, outputs()))
)


# Data, loss, smoothness ---------------------------------------------------------------------------
def margin(j: Term) -> Term:
    return y(j) * nu(j)


# What an extra input is held at is no part of x_i.
DATA = Each(
    examples(),
    lambda j: (
        (Sum(Filter(inputs(), lambda v: ~held(v)), lambda v: x(v, j) ** 2) <= 1)
        & ((y(j) == 1) | (y(j) == -1))
    ),
)
# Some differentiable loss has the slopes of the case, if equal margins have equal ones.
LOSS_DIFFERENTIABLE = Each(
    examples(),
    lambda i: Each(
        examples(),
        lambda j: implies(margin(i) == margin(j), loss_slope(i) == loss_slope(j)),
    ),
)
DIFFERENTIABLE = acting(lambda v: smooth_at(v) | Each(examples(), lambda j: z(v, j) != 0))
SEPARABLE = (card(THETA) == card(inputs())) & Each(
    examples(),
    lambda j: y(j) * Sum(upto(card(inputs())), lambda k: THETA[k] * x(inputs()[k], j)) > 0,
)
SMALL_RISK = (Sum(examples(), lambda j: -loss_slope(j) * margin(j)) >= 0) & Some(
    examples(), lambda j: margin(j) != 0
)


# Descent ------------------------------------------------------------------------------------------
EQUAL_NEIGHBOURHOODS = Some(
    hidden(),
    lambda u: Some(hidden(), lambda v: (u != v) & equal_neighbourhoods(u, v)),
)
DESCENT = Each(steps(), lambda k: step_size(k) >= 0)


def at_each_step(says: Term) -> Term:
    return Each(steps(), lambda k: After(k, says))


def each_time(says: Callable[[Term, Term], Term]) -> Term:
    return Each(steps(), lambda k: Each(examples(), lambda j: says(k, j)))


POLYNOMIAL = each_time(
    lambda k, j: After(
        k,
        loss_slope(j)
        == Sum(
            Filter(upto(card(LOSS)), lambda i: i > 1),
            lambda i: (i - 1) * LOSS[i] * margin(j) ** (i - 2),
        ),
    )
)
STEP_SIZE = Each(
    steps(),
    lambda k: (BETA[k + 1] > 0) & (step_size(k) == smaller(1, 1 / BETA[k + 1])),
)


# Layers (Definition 7) ----------------------------------------------------------------------------
def reached(cut: Term) -> Term:
    """The vertices in one component with the first one, without the edges of a cut."""
    left = minus(edges(), cut)
    return Fold(
        vertices(),
        list_(vertices()[1]),
        lambda found, _: union(
            found,
            union(
                Map(Filter(left, lambda e: element(tail(e), found)), lambda e: head(e)),
                Map(Filter(left, lambda e: element(head(e), found)), lambda e: tail(e)),
            ),
        ),
    )


def layer(cut: Term, disconnected: Callable[[Term], Term]) -> Term:
    """A layer of learnable edges. Every path goes on to o."""
    once = Each(paths_to(the_output()), lambda p: Count(cut, lambda e: element(e, p)) <= 1)
    return once & disconnected(cut) & Each(cut, lambda e: learnable(e))


COMPONENTS = (card(LAYERS) == 2) & Each(
    LAYERS,
    lambda cut: layer(cut, lambda some: card(reached(some)) < card(vertices())),
)
LAST_LAYER = same_set(LAYERS[2], into(the_output()))
NO_PATH_LEFT = layer(
    LAYERS[1],
    lambda cut: Each(paths(), lambda p: Some(cut, lambda e: element(e, edges_on(p)))),
)


TERMS: dict[str, tuple[Term, tuple[str, ...]]] = {
    "feedforward, one output": (FEEDFORWARD, ("lj22.risk", "lj22.lemma3@A")),
    "bias-free": (BIAS_FREE, ("lj22.eq1.a", "lj22v1.gd-82")),
    "data": (DATA, ("lj22.lemma2b@A", "lj22.bias@BA")),
    "positively homogeneous activations": (HOMOGENEOUS, ("lj22.risk", "lj22.eq16@A")),
    "differentiable loss (Assumption 3)": (LOSS_DIFFERENTIABLE, ("lj22.eq8-11.10@A",)),
    "own parameters": (OWN, ("lj22.eq3", "lj22.lemma3@A")),
    "no zero weight": (NO_ZERO, ("lj22.eq3", "lj22v1.eq40-43.43")),
    "differentiable": (DIFFERENTIABLE, ("lj22.gflow", "lj22.eq3")),
    "ReLU or linear": (RELU_OR_LINEAR, ("lj22.eq1.a", "lj22.eq3")),
    "equal neighbourhoods": (EQUAL_NEIGHBOURHOODS, ("lj22v1.gd-82", "lj22v1.gd-84.b")),
    "gradient descent": (DESCENT, ("lj22v1.gd-82",)),
    "differentiable at every step": (at_each_step(DIFFERENTIABLE), ("lj22v1.gd-82",)),
    "no zero weight at any step": (at_each_step(NO_ZERO), ("lj22v1.gd-83@AB1",)),
    "fully connected": (FULLY_CONNECTED, ("lj22v1.gd-86", "lj22v1.gd-90.a")),
    "linear": (LINEAR, ("lj22v1.gd-86", "lj22v1.gd-90.b")),
    "polynomial loss": (POLYNOMIAL, ("lj22v1.gd-86", "lj22v1.gd-88.a")),
    "step size": (STEP_SIZE, ("lj22v1.gd-86", "lj22v1.gd-87")),
    "two layers": (COMPONENTS, ("lj22.lemma3@A", "lj22.bias@BA", "lj22v1.eq8.b@A")),
    "last layer": (LAST_LAYER, ("lj22v1.eq8.b@A",)),
    "linearly separable data": (SEPARABLE, ("lj22.cor1", "lj22.cor1-sum.divergence")),
    "small initial risk": (SMALL_RISK, ("lj22.cor1", "lj22.cor1-sum.divergence")),
    "linear network": (LINEAR, ("lj22.lemma9-60.in@A",)),
    "v is not 0": (frob2(V) != 0, ("lj22.claim2.a@A",)),
}
HYPOTHESES: dict[tuple[str, str], Term] = {
    (claim, name): term for name, (term, claims) in TERMS.items() for claim in claims
}
HYPOTHESES["lj22.eq51@AB", "a layer"] = NO_PATH_LEFT
HYPOTHESES |= OF_ARCHITECTURES
