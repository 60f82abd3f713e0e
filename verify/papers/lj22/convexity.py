"""Section 4.1: pieces on which a ReLU network is linear need not be convex."""

from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.cases.case import Case
from verify.cases.linear_pieces import bent_chain
from verify.cases.pool import Pool
from verify.cases.transformations import random_rational
from verify.core.claim import Kind
from verify.core.losses import PRESCRIBED
from verify.language.building import (
    Each,
    card,
    examples,
    implies,
    inputs,
    nu,
    slope_left,
    slope_right,
    upto,
    x,
    z,
)
from verify.language.terms import Term
from verify.papers.lj22.sources import both
from verify.statements.network_hypotheses import (
    BIAS_FREE,
    FEEDFORWARD,
    NONZERO_WEIGHTS,
    RELU_OR_LINEAR,
    off_inputs,
)
from verify.statements.stated import Given, stated

WEIGHTS = 6  # how many weight vectors are tried for one network
MIDDLE = card(examples())
LAST = MIDDLE - 1  # of the chain


def crossed(i: Term | int, j: Term | int) -> Term:
    """The determinant of two points of the plane."""
    one, other = inputs()[1], inputs()[2]
    return x(one, i) * x(other, j) - x(other, i) * x(one, j)


def kept_sign(v: Term, k: Term) -> Term:
    """Whether a vertex with a kink has no pre-activations of opposite signs at two neighbours."""
    return implies(slope_left(v) != slope_right(v), z(v, k) * z(v, k + 1) >= 0)


def joined(k: Term) -> Term:
    """Whether two neighbours are independent and not separated by any kink."""
    return (crossed(k, k + 1) != 0) & off_inputs(lambda v: kept_sign(v, k))


def fits(k: Term) -> Term:
    """Whether the linear function with the values at the first two points has the value at one."""
    return nu(k) * crossed(1, 2) == nu(1) * crossed(k, 2) + nu(2) * crossed(1, k)


CHAIN = (card(inputs()) == 2) & (MIDDLE >= 3) & Each(upto(LAST - 1), joined)
IN_ONE_PIECE = CHAIN & Each(upto(LAST), fits)
IN_THE_MIDDLE = Each(inputs(), lambda v: 2 * x(v, MIDDLE) == x(v, 1) + x(v, LAST))


def _walk(case: Case, random: Random) -> Case:
    """The examples replaced by a chain in one piece that bends, if need be with other weights, and
    the midpoint of its ends."""
    network = case.network
    if len(network.free_inputs) != 2 or network.has_bias or not network.homogeneous:
        return case
    weights = case.weights
    for _ in range(WEIGHTS):
        if chain := bent_chain(network, weights):
            middle = tuple((a + b) / 2 for a, b in zip(chain[0], chain[-1], strict=True))
            ones = (Fraction(1),) * (len(chain) + 1)
            found = replace(
                case, inputs=(*chain, middle), labels=ones, slopes=ones, loss=PRESCRIBED
            )
            return found.with_weights(weights)
        weights = tuple(random_rational(random) for _ in network.parameter_names)
    return case


ONE_PIECE = Given(
    "a chain in one linear piece",
    IN_ONE_PIECE & IN_THE_MIDDLE,
    "two inputs; of the examples but the last, each two neighbours are linearly independent and no "
    "vertex has preactivations of opposite signs at them, and one linear function takes the values "
    "of the network at all of them; the last example is the midpoint of their ends",
    _walk,
    lambda case, random: replace(case, inputs=case.inputs[:1] * len(case.inputs)),
)
PIECE = (
    r" with a piece on which the network is linear that is not a convex set. A piece is a maximal "
    r"connected set of inputs on which $\nu$ is linear. Measured: for a chain of points in one "
    r"piece, $\nu$ at the midpoint of its ends minus the mean of $\nu$ at its ends."
)


CLAIMS = (
    stated(
        "lj22.rem-convex@A",
        both("Section 4.1"),
        "linear pieces that are not convex",
        "Within the stable sign regime there are ReLU networks" + PIECE,
        2 * nu(MIDDLE) != nu(1) + nu(LAST),
        (NONZERO_WEIGHTS, RELU_OR_LINEAR, FEEDFORWARD, BIAS_FREE, ONE_PIECE),
        kind=Kind.EXISTENCE,
        depends=("lj22.ass1",),
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
        through="a chain of points in one linear piece shows that it is not convex where the "
        "network has another value between its ends "
        "(docs/mathematics/lj22.md#pieces-that-are-not-convex)",
    ),
)
