"""Claim 2, second sentence: activation boundaries on the printed curve v |t sin t|.

The curve runs along the ray {c v : c >= 0}, over each c > 0 to and fro infinitely often. So what it
crosses is decided on the ray.
"""

from fractions import Fraction

from verify.cases.pool import RELU_MIX, Pool
from verify.cases.transformations import on_boundary
from verify.core.claim import Kind
from verify.language.building import (
    Count,
    Some,
    Sum,
    When,
    concat,
    edges,
    examples,
    head,
    hidden,
    outputs,
    slope,
    w,
)
from verify.language.terms import Term
from verify.papers.lj22.path_terms import along, kappa, over_paths_through, place_on, x_of
from verify.papers.lj22.sources import both
from verify.statements.network_hypotheses import (
    ALL_LEARNABLE,
    BIAS_FREE,
    DATA,
    DIFFERENTIABLE_LOSS,
    FEEDFORWARD,
    RELU_OR_LINEAR,
    at_kink,
)
from verify.statements.stated import Given, stated

OFF_INPUTS = concat(hidden(), outputs())


def moved_on_ray(u: Term, j: Term) -> Term:
    """How the pre-activation of a vertex moves along c -> c v at c = 1, times how nu moves with
    what that vertex puts out: a path adds as often as it has edges up to the vertex."""

    def of_path(p: Term) -> Term:
        slopes = along(p, lambda e: When(head(e) == u, 1, slope(head(e), j)))
        return place_on(p, u) * x_of(p, j) * along(p, w) * slopes

    return over_paths_through(u, of_path)


def bends_at(u: Term, j: Term) -> Term:
    """Whether the risk bends on the ray where one vertex is at its kink on one example."""
    return at_kink(u, j) & (kappa(j) * moved_on_ray(u, j) != 0)


ONE_KINK = Sum(OFF_INPUTS, lambda u: Count(examples(), lambda j: at_kink(u, j))) == 1
BENDS = ONE_KINK & Some(OFF_INPUTS, lambda u: Some(examples(), lambda j: bends_at(u, j)))
WEIGHTS_NOT_ZERO = Given(
    "v is not 0",
    Some(edges(), lambda e: w(e) != 0),
    r"$v\ne0$",
    break_=lambda case, random: case.with_weights([Fraction(0)] * len(case.weights)),
)


SENTENCE = (
    r"This means that for some ReLU network empirical risk function $\mathcal R(w)$ whose set of "
    r"nondifferentiable points $D$ has nonempty intersection with $w(\mathbb R)$, the trajectory "
    r"$\{w(t)\}_{t\ge0}$ can cross a boundary from one activation pattern to another an infinite "
    r"number of times. Judged for the printed $w(t)=v\,|t\sin(t)|$, $v\ne0$"
)

CLAIMS = (
    stated(
        "lj22.claim2.b@A",
        both("Claim 2, second sentence"),
        "activation boundaries crossed forever by the printed curve",
        SENTENCE + r": the risk along $c\mapsto cv$ bends at $c=1$, so that $v\in D$ and the "
        r"patterns before and after differ.",
        BENDS,
        (
            WEIGHTS_NOT_ZERO,
            FEEDFORWARD,
            RELU_OR_LINEAR,
            BIAS_FREE,
            ALL_LEARNABLE,
            DATA,
            DIFFERENTIABLE_LOSS,
        ),
        kind=Kind.EXISTENCE,
        depends=("lj22.claim2.exists",),
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
        through=r"where one vertex alone is at its kink, moves along the ray of $v$ and has a part "
        r"in $\nu$, the risk bends at $c=1$, and $v\,|t\sin t|$ passes from one pattern to another "
        "infinitely often (docs/mathematics/lj22.md#crossings)",
    ),
)
