"""Claim 2, second sentence: activation boundaries on the printed curve v |t sin t|.

The curve runs along the ray {c v : c >= 0}, over each c > 0 to and fro infinitely often. So what it
crosses is decided on the ray.
"""

from fractions import Fraction

from graphs.arcs import one_sided_derivatives
from verify.case import Case
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.network_hypotheses import (
    ALL_LEARNABLE,
    BIAS_FREE,
    FEEDFORWARD,
    RELU_OR_LINEAR,
)
from verify.papers.lj22.sources import both
from verify.point_hypotheses import DATA, DIFFERENTIABLE_LOSS
from verify.pool import RELU_MIX, Pool
from verify.transformations import on_boundary
from verify.vocabulary import Entries, Row, Scene, constant_entries


def bend_of_risk(case: Case) -> Fraction:
    """The derivative of eps -> R(w + eps w) at 0 from the right minus that from the left. Where it
    is not 0, R is not differentiable at w."""
    directions = case.weights, tuple(-w for w in case.weights)
    forth, back = (
        one_sided_derivatives(case.network, case.weights, case.inputs, direction)
        for direction in directions
    )
    data = zip(case.slopes, case.labels, forth, back, strict=True)
    return sum((s * y * (f + b) for s, y, f, b in data), Fraction(0)) / case.example_count


def bend_on_ray(scene: Scene) -> Entries:
    """The bend at c = 1 of the risk along c -> c v, v the weights of the case."""
    rows: list[Row] = [(number, {}, bend_of_risk(case)) for number, case in enumerate(scene.cases)]
    return constant_entries(scene, rows)


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
        ("lj22.claim2.exists",),
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
        through=r"where the risk bends along the ray of $v$ at $c=1$, $v\,|t\sin t|$ passes from "
        "one pattern to another infinitely often (docs/mathematics.md, 7)",
    ),
)
