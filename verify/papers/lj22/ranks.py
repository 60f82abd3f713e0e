"""Remark 1: the rank of the derivative of a Gram matrix for a single example."""

from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.activations import LINEAR, RELU
from graphs.families import fully_connected
from verify.cases.case import Case
from verify.cases.pool import Pool, random_point
from verify.cases.transformations import freeze_edge, map_inner_activations, random_rational
from verify.core.claim import Claim
from verify.language.building import (
    Each,
    Filter,
    Rate,
    card,
    edge,
    examples,
    hidden,
    implies,
    into,
    matrix,
    rank,
    slope,
    tail,
    w,
    z,
)
from verify.language.terms import Term
from verify.papers.lj22.gram_proofs import rank_of_derivative
from verify.papers.lj22.graph_terms import relu
from verify.papers.lj22.sources import final
from verify.statements import network_hypotheses as given
from verify.statements.network_hypotheses import (
    BIAS_FREE,
    DATA,
    DIFFERENTIABLE_LOSS,
    FEEDFORWARD,
    FULLY_CONNECTED,
    OWN_PARAMETERS,
    among,
)
from verify.statements.stated import Given, stated


def weights_into(v: Term) -> Term:
    """W_1: the weights into the layer of a vertex of a fully connected network."""
    layer = Filter(
        hidden(),
        lambda u: among(into(u), into(v), tail) & among(into(v), into(u), tail),
    )
    return matrix(card(layer), card(into(v)), lambda i, k: w(edge(tail(into(v)[k]), layer[i])))


RANK_AT_MOST_2 = Each(hidden(), lambda v: rank(Rate(weights_into(v) @ weights_into(v).T)) <= 2)


# hypotheses --------------------------------------------------------------------------------------
SINGLE_EXAMPLE = Given(
    "a single example",
    card(examples()) == 1,
    r"$n=1$",
    lambda case, random: replace(
        case, inputs=case.inputs[:1], labels=case.labels[:1], slopes=case.slopes[:1]
    ),
    lambda case, random: _one_more(case, random),
)


def _one_more(case: Case, random: Random) -> Case:
    """A second and a third example, of a network that is wide enough to tell them apart."""
    case = widened(case, random)
    width = len(case.network.free_inputs)
    return replace(
        case,
        inputs=(*case.inputs, *(random_point(width, random) for _ in range(2))),
        labels=(*case.labels, Fraction(1), Fraction(-1)),
        slopes=(*case.slopes, Fraction(2), Fraction(-3)) if case.slopes else (),
    )


def widened(case: Case, random: Random) -> Case:
    """A network with wide hidden layers; sometimes all of its weights are positive."""
    net = fully_connected([4, 5, 4, 1], RELU)
    weights = tuple(random_rational(random) for _ in net.parameter_names)
    if random.random() < 0.5:
        weights = tuple(map(abs, weights))
    rows = tuple(random_point(4, random, "positive") for _ in case.inputs)
    return replace(case, network=net, weights=weights, inputs=rows)


ALL_LEARNABLE = replace(
    given.ALL_LEARNABLE,
    break_=lambda case, random: _some_frozen(widened(case, random), random),
)


def _some_frozen(case: Case, random: Random) -> Case:
    """The case with one to four weights held."""
    for _ in range(random.randint(1, 4)):
        case = freeze_edge(case, random)
    return case


RELU_BETWEEN = Given(
    "ReLU between the layers",
    Each(
        hidden(),
        lambda v: relu(v) & Each(examples(), lambda j: implies(z(v, j) >= 0, slope(v, j) == 1)),
    ),
    r"ReLU neurons between consecutive fully-connected layers; the derivative of ReLU is $1$ if "
    r"the preactivation is nonnegative and $0$ otherwise",
    lambda case, random: map_inner_activations(case, lambda a: RELU),
    lambda case, random: map_inner_activations(case, lambda a: LINEAR),
)


CLAIMS: tuple[Claim, ...] = (
    stated(
        "lj22.remark1.r2@A",
        final("Remark 1"),
        "rank at most 2 for a single example",
        r"Using the automatic differentiation framework while setting the gradient of ReLU to be "
        r"$1$ if the preactivation is nonnegative and $0$ otherwise: if one only has a single "
        r"example, then $\frac{d}{dt}(W_1W_1^\top)$ has rank at most $2$, where $W_1$ is a weight "
        r"matrix in a ReLU fully-connected neural network.",
        RANK_AT_MOST_2,
        (
            FULLY_CONNECTED,
            RELU_BETWEEN,
            SINGLE_EXAMPLE,
            FEEDFORWARD,
            BIAS_FREE,
            OWN_PARAMETERS,
            ALL_LEARNABLE,
            DIFFERENTIABLE_LOSS,
            DATA,
        ),
        depends=("lj22.lemma4-65@B",),
        pool=Pool(families=("fully connected",), activations=("relu",), examples=(1,)),
        reading="A",
        reading_text=r"the matrix and the number are those that (65) gives",
        proof=rank_of_derivative,
    ),
)
