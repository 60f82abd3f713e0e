"""Points at kinks with no weight 0: one weight is moved so that one pre-activation vanishes."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from graphs.errors import NotRationalError
from graphs.exact import preactivations, values
from verify.cases.case import Case

TRIES = 12


def onto_a_kink(case: Case, random: Random) -> Case:
    """The case with one in-weight of one vertex changed, so that its pre-activation is 0 on one
    example; unchanged where no draw finds such a weight that is not 0.

    Only vertices whose activation bends count, and weights of own parameters.
    """
    network = case.network
    bent = [
        v
        for v in (*network.inner, *network.outputs)
        if network.activations[v].homogeneous and len(set(network.activations[v].slopes)) > 1
    ]
    for _ in range(TRIES if bent else 0):
        vertex, x = random.choice(bent), random.choice(case.inputs)
        edge = random.choice(network.in_edges[vertex])
        if not network.own_parameter(edge):
            continue
        try:
            z = preactivations(network, case.weights, x)[vertex]
            entering = values(network, case.weights, x)[network.tails[edge]]
        except NotRationalError:
            return case
        parameter = network.parameter_of[edge]
        if entering == 0 or (moved := case.weights[parameter] - z / entering) == 0:
            continue
        if network.scale_squares[vertex] == 1:
            weights = list(case.weights)
            weights[parameter] = Fraction(moved)
            return case.with_weights(weights)
    return case


def often_kinked(case: Case, random: Random) -> Case:
    """On a kink in two of three cases."""
    return onto_a_kink(case, random) if random.random() < 2 / 3 else case
