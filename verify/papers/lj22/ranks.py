"""Remark 1: the rank of the derivative of a Gram matrix for a single example."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random

import numpy as np

from graphs.activations import LINEAR, RELU
from graphs.families import fully_connected
from graphs.matrices import rank
from verify.case import Case
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.network_hypotheses import ALL_LEARNABLE as ALL_WEIGHTS_LEARNABLE
from verify.network_hypotheses import BIAS_FREE, FEEDFORWARD, FULLY_CONNECTED, OWN_PARAMETERS
from verify.papers.lj22.gram_proofs import rank_of_derivative
from verify.papers.lj22.sources import final
from verify.point_hypotheses import DATA, DIFFERENTIABLE_LOSS
from verify.pool import Pool, random_point
from verify.transformations import freeze_edge, map_inner_activations, random_rational
from verify.vocabulary import Entries, Scene, constant_entries


def in_rate(scene: Scene, vertices: np.ndarray) -> np.ndarray:
    """d/dt (W_1 W_1^T), (b, b), for the b vertices of a layer."""
    w, v = _matrices(scene, vertices)
    return np.asarray(w @ v.T + v @ w.T)


def _matrices(scene: Scene, vertices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(b, m): weights and velocities between the vertices and their m in-neighbours."""
    tails, heads = scene.union.tails, scene.union.heads
    neighbours = np.unique(tails[heads == vertices[0]])
    edges = [
        [int(np.flatnonzero((heads == v) & (tails == a))[0]) for a in neighbours] for v in vertices
    ]
    chosen = np.array(edges, dtype=np.int64)
    return scene.weights[chosen], scene.velocity[chosen]


def rank_slack(scene: Scene, bound: int) -> Entries:
    """The bound minus the rank of d/dt (W_1 W_1^T), for each hidden layer of each network that is
    fully connected."""
    rows = []
    for number, case in enumerate(scene.cases):
        network = case.network
        if not FULLY_CONNECTED.test(scene, constant_entries(scene, [(number, {}, 0)]))[0]:
            continue
        depths = np.array(network.depths)
        for depth in range(1, int(depths.max(initial=0))):
            vertices = np.flatnonzero(depths == depth) + int(scene.union.vertex_offset[number])
            slack = Fraction(bound - rank(in_rate(scene, vertices)))
            rows.append((number, {"layer": depth}, slack))
    return constant_entries(scene, rows)


SINGLE_EXAMPLE = Hypothesis(
    "a single example",
    r"$n=1$",
    by_case(lambda case: case.example_count == 1),
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
    ALL_WEIGHTS_LEARNABLE,
    break_=lambda case, random: _some_frozen(widened(case, random), random),
)


def _some_frozen(case: Case, random: Random) -> Case:
    """The case with one to four weights held."""
    for _ in range(random.randint(1, 4)):
        case = freeze_edge(case, random)
    return case


RELU_BETWEEN = Hypothesis(
    "ReLU between the layers",
    r"ReLU neurons between consecutive fully-connected layers; the derivative of ReLU is $1$ if "
    r"the preactivation is nonnegative and $0$ otherwise",
    by_case(
        lambda case: all(case.network.activations[v].kind == "relu" for v in case.network.inner)
    ),
    lambda case, random: map_inner_activations(case, lambda a: RELU),
    lambda case, random: map_inner_activations(case, lambda a: LINEAR),
)


CLAIMS = (
    Claim(
        "lj22.remark1.r2@A",
        Kind.INEQUALITY,
        final("Remark 1"),
        "rank at most 2 for a single example",
        r"Using the automatic differentiation framework while setting the gradient of ReLU to be "
        r"$1$ if the preactivation is nonnegative and $0$ otherwise: if one only has a single "
        r"example, then $\frac{d}{dt}(W_1W_1^\top)$ has rank at most $2$, where $W_1$ is a weight "
        r"matrix in a ReLU fully-connected neural network.",
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
        ("lj22.lemma4-65@B",),
        measure=partial(rank_slack, bound=2),
        pool=Pool(families=("fully connected",), activations=("relu",), examples=(1,)),
        reading="A",
        reading_text=r"the matrix and the number are those that (65) gives",
        exact_only=True,
        proof=rank_of_derivative,
    ),
)
