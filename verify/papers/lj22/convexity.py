"""Section 4.1: pieces on which a ReLU network is linear need not be convex."""

from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.case import PRESCRIBED, Case
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.network_hypotheses import BIAS_FREE, FEEDFORWARD, RELU_OR_LINEAR
from verify.papers.lj22.sources import both
from verify.pieces import bent_chain, in_one_piece, outside
from verify.point_hypotheses import NONZERO_WEIGHTS
from verify.pool import Pool
from verify.transformations import random_rational
from verify.vocabulary import Entries, Row, Scene, constant_entries

WEIGHTS = 6  # how many weight vectors are tried for one network


def midpoint_outside(scene: Scene) -> Entries:
    """nu at the midpoint of the first and the last example minus the mean of nu there, which a
    linear piece with both and their midpoint would have."""
    rows: list[Row] = [
        (number, {}, outside(case.network, case.weights, case.inputs))
        for number, case in enumerate(scene.cases)
    ]
    return constant_entries(scene, rows)


def _one_piece(case: Case) -> bool:
    two = len(case.network.free_inputs) == 2 and not case.network.has_bias
    return two and in_one_piece(case.network, case.weights, case.inputs)


def _walk(case: Case, random: Random) -> Case:
    """The examples replaced by a chain in one piece that bends, if need be with other weights."""
    network = case.network
    if len(network.free_inputs) != 2 or network.has_bias or not network.homogeneous:
        return case
    weights = case.weights
    for _ in range(WEIGHTS):
        if chain := bent_chain(network, weights):
            ones = (Fraction(1),) * len(chain)
            found = replace(case, inputs=tuple(chain), labels=ones, slopes=ones, loss=PRESCRIBED)
            return found.with_weights(weights)
        weights = tuple(random_rational(random) for _ in network.parameter_names)
    return case


ONE_PIECE = Hypothesis(
    "a chain in one linear piece",
    "two inputs; of the examples, each two neighbours are linearly independent and no vertex has "
    "preactivations of opposite signs at them, and one linear function takes the values of the "
    "network at all of them",
    by_case(_one_piece),
    _walk,
    lambda case, random: replace(case, inputs=case.inputs[:1] * len(case.inputs)),
)
PIECE = (
    r" with a piece on which the network is linear that is not a convex set. A piece is a maximal "
    r"connected set of inputs on which $\nu$ is linear. Measured: for a chain of points in one "
    r"piece, $\nu$ at the midpoint of its ends minus the mean of $\nu$ at its ends."
)


CLAIMS = (
    Claim(
        "lj22.rem-convex@A",
        Kind.EXISTENCE,
        both("Section 4.1"),
        "linear pieces that are not convex",
        "Within the stable sign regime there are ReLU networks" + PIECE,
        (NONZERO_WEIGHTS, RELU_OR_LINEAR, FEEDFORWARD, BIAS_FREE, ONE_PIECE),
        ("lj22.ass1",),
        measure=midpoint_outside,
        negated="every such piece of every such network is convex",
        pool=Pool(
            losses=(PRESCRIBED,),
            families=("fully connected", "random DAG"),
            activations=("relu",),
            examples=(1,),
            largest=4,
        ),
        reading="A",
        reading_text="the signs of the weights are fixed (no weight is 0)",
        exact_only=True,
        through="a chain of points in one linear piece shows that it is not convex where the "
        "network has another value between its ends (docs/mathematics.md, 13)",
    ),
)
