"""Claim 2, second sentence: activation boundaries on the printed curve v |t sin t|.

The curve runs along the ray {c v : c >= 0}, over each c > 0 to and fro infinitely often. So what it
crosses is decided on the ray.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.activations import RELU
from graphs.arcs import one_sided_derivatives
from graphs.exact import output, preactivations
from verify.case import Case
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.network_hypotheses import (
    ALL_LEARNABLE,
    BIAS_FREE,
    FEEDFORWARD,
    FULLY_CONNECTED,
    RELU_OR_LINEAR,
)
from verify.papers.lj22.sources import both
from verify.point_hypotheses import DATA, DIFFERENTIABLE_LOSS
from verify.pool import RELU_MIX, Pool
from verify.transformations import on_boundary
from verify.vocabulary import Entries, Row, Scene, constant_entries

Weights = tuple[Fraction, ...]


def bend_of_risk(case: Case, weights: Weights, direction: Weights, slopes: Weights) -> Fraction:
    """The derivative of eps -> R(w + eps d) at 0 from the right minus that from the left. Where it
    is not 0, R is not differentiable at w. slopes: n derivatives of the loss at the margins at w.
    """
    forth = one_sided_derivatives(case.network, weights, case.inputs, direction)
    back = one_sided_derivatives(case.network, weights, case.inputs, tuple(-d for d in direction))
    data = zip(slopes, case.labels, forth, back, strict=True)
    return sum((s * y * (f + b) for s, y, f, b in data), Fraction(0)) / case.example_count


def bend_on_ray(scene: Scene) -> Entries:
    """The bend at c = 1 of the risk along c -> c v, v the weights of the case."""
    rows: list[Row] = [
        (number, {}, bend_of_risk(case, case.weights, case.weights, case.slopes))
        for number, case in enumerate(scene.cases)
    ]
    return constant_entries(scene, rows)


def one_pattern_on_ray(scene: Scene) -> Entries:
    """1 where the pattern is the same at 0, v and 2v.

    In a fully-connected network then on the whole ray: a pre-activation at depth k grows like c^k.
    """
    rows: list[Row] = []
    for number, case in enumerate(scene.cases):
        points = [tuple(c * w for w in case.weights) for c in (0, 1, 2)]
        patterns = {tuple(_pattern(case, weights)) for weights in points}
        label = {"predicate": "boundary crossed forever"}
        rows.append((number, label, Fraction(len(patterns) == 1)))
    return constant_entries(scene, rows)


def _pattern(case: Case, weights: Weights) -> Iterator[bool]:
    """For each example and ReLU vertex whether its pre-activation is negative."""
    gated = [v for v, a in enumerate(case.network.activations) if a.kind == "relu"]
    for x in case.inputs:
        pre = preactivations(case.network, weights, x)
        yield from (pre[v] < 0 for v in gated)


def meets_curve(case: Case) -> bool:
    """Whether the risk is seen not to be differentiable at 0 or at v, points of the curve: it bends
    along v or along an axis.

    At w = 0 every margin is 0, and the slope of the loss there is the one that an example has whose
    margin at v is 0 too, otherwise 1: one loss has all these slopes.
    """
    size = len(case.weights)
    directions = [
        case.weights,
        *(tuple(Fraction(i == k) for i in range(size)) for k in range(size)),
    ]
    prescribed = zip(case.inputs, case.slopes, strict=True)
    at_zero = [s for x, s in prescribed if output(case.network, case.weights, x) == 0]
    places = (
        ((Fraction(0),) * size, (at_zero[0] if at_zero else Fraction(1),) * case.example_count),
        (case.weights, case.slopes),
    )
    return any(bend_of_risk(case, at, d, slopes) for at, slopes in places for d in directions)


def _relu_output(case: Case, random: Random) -> Case:
    """A ReLU at the output."""
    if meets_curve(case):
        return case
    names = {case.network.names[v]: RELU for v in case.network.outputs}
    return replace(case, network=case.network.with_activations(names))


MEETS_CURVE = Hypothesis(
    "D meets the curve",
    r"the risk is not differentiable at some point of $w(\mathbb R)$",
    by_case(meets_curve),
    _relu_output,
)

WEIGHTS_NOT_ZERO = Hypothesis(
    "v is not 0",
    r"$v\ne0$",
    by_case(lambda case: any(case.weights)),
    break_=lambda case, random: case.with_weights([Fraction(0)] * len(case.weights)),
)


SENTENCE = (
    r"This means that for some ReLU network empirical risk function $\mathcal R(w)$ whose set of "
    r"nondifferentiable points $D$ has nonempty intersection with $w(\mathbb R)$, the trajectory "
    r"$\{w(t)\}_{t\ge0}$ can cross a boundary from one activation pattern to another an infinite "
    r"number of times. Judged for the printed $w(t)=v\,|t\sin(t)|$, $v\ne0$"
)

CLAIMS = (
    Claim(
        "lj22.claim2.b@A",
        Kind.EXISTENCE,
        both("Claim 2, second sentence"),
        "activation boundaries crossed forever by the printed curve",
        SENTENCE + r": the risk along $c\mapsto cv$ bends at $c=1$, so that $v\in D$ and the "
        r"patterns before and after differ.",
        (
            WEIGHTS_NOT_ZERO,
            FEEDFORWARD,
            RELU_OR_LINEAR,
            BIAS_FREE,
            ALL_LEARNABLE,
            DATA,
            DIFFERENTIABLE_LOSS,
        ),
        ("lj22.claim2.a@B",),
        measure=bend_on_ray,
        negated="for all such networks and data the risk on the ray of $v$ has no bend at $c=1$",
        pool=Pool(
            families=("random DAG", "layered DAG", "dense", "fully connected"),
            activations=RELU_MIX,
            examples=(1, 2),
            losses=("prescribed",),
            largest=4,
            adapt=on_boundary,
        ),
        reading="A",
        reading_text="for one ReLU network on a DAG, paths of different lengths allowed",
        exact_only=True,
    ),
    Claim(
        "lj22.claim2.b@B",
        Kind.IDENTITY,
        both("Claim 2, second sentence"),
        "activation boundaries of fully-connected networks crossed forever by the printed curve",
        SENTENCE + ", and whatever such network.",
        (
            WEIGHTS_NOT_ZERO,
            FEEDFORWARD,
            RELU_OR_LINEAR,
            MEETS_CURVE,
            BIAS_FREE,
            ALL_LEARNABLE,
            DATA,
            DIFFERENTIABLE_LOSS,
            FULLY_CONNECTED,
        ),
        ("lj22.claim2.a@B",),
        measure=one_pattern_on_ray,
        pool=Pool(
            families=("fully connected",),
            activations=RELU_MIX,
            examples=(1, 2),
            losses=("prescribed",),
            largest=4,
            adapt=on_boundary,
        ),
        reading="B",
        reading_text="for a fully-connected network (Definition 2) whose $D$ meets the curve, "
        "whichever it is",
        exact_only=True,
    ),
)
