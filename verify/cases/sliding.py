"""Flows that slide along a kink: the one velocity that a gradient flow can have there.

At a point where a single pre-activation z is 0, on one example, the risk has two smooth branches,
and its Clarke subdifferential is the segment between their gradients. Let r0 and r1 be the rates of
change of z under the velocities of the branches below and above. If r0 > 0 > r1 both push towards
z = 0: the flow stays there for a while, and its velocity is the element of the segment under which
z does not move: the kink has the slope left + t (right - left), t = r0 / (r0 - r1). (Filippov's
solution; the element of least norm.) It is rational where the data are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from graphs.arithmetic import as_fraction
from graphs.errors import NetworkError, NotRationalError
from graphs.exact import evaluation_at
from graphs.neighbourhoods import equal_neighbourhoods
from graphs.rationals import RATIONALS
from verify.core.losses import PRESCRIBED

if TYPE_CHECKING:
    from graphs.evaluation import Evaluation
    from verify.cases.case import Case

SELECTION = "sliding"
STEPS = (1, -1, 4, -4, 16, -16)  # by which the slope of the loss on the example is multiplied
SIDES = (1, -1)  # and those on the others
TRIES = 6


@dataclass(frozen=True)
class Slide:
    """Where a flow slides: the vertex, the example, and the slope that the flow selects."""

    vertex: int
    example: int
    slope: Fraction


def slide_of(case: Case) -> Slide | None:
    """The slide at a case's point: None unless exactly one pre-activation is at a kink, both
    branches push towards it, and each learnable edge has a parameter of its own."""
    network = case.network
    if case.loss != PRESCRIBED or network.shares_parameters or not network.homogeneous:
        return None
    try:
        base = evaluation_at(network, case.weights, case.inputs)
    except (NetworkError, NotRationalError):
        return None
    places = np.argwhere(base.kinks)
    if len(places) != 1:
        return None
    v, j = map(int, places[0])
    left, right = network.activations[v].slopes
    gradient = _gradient_of(base, v)[:, j]
    rates = [
        sum(
            (
                as_fraction(a) * as_fraction(b)
                for a, b in zip(gradient, _velocity(case, base, v, j, slope), strict=True)
            ),
            Fraction(0),
        )
        for slope in (left, right)
    ]
    if not rates[0] > 0 > rates[1]:
        return None
    return Slide(v, j, left + rates[0] / (rates[0] - rates[1]) * (right - left))


def with_slopes(case: Case) -> Case:
    """The case with the slopes at its kinks in place of how they are selected."""
    choice = dict(case.choice)
    slides = choice.pop("selection", None) == SELECTION
    dormant = choice.pop("dormant", ())
    choice.pop("direction", None)
    if choice.keys() == case.choice.keys():
        return case
    names, slopes = case.network.names, list(choice.get("slopes_at_0", ()))
    slide = slide_of(case) if slides else None
    if slide is not None:
        slopes.append([names[slide.vertex], slide.example + 1, str(slide.slope)])
    numbers = range(1, case.example_count + 1)
    left = {name: case.network.activations[case.network.index[name]].slopes[0] for name in dormant}
    slopes += [[name, j, str(left[name])] for name in dormant for j in numbers]
    return replace(case, choice={**choice, "slopes_at_0": slopes} if slopes else choice)


def _gradient_of(base: Evaluation, v: int) -> np.ndarray:
    """(E, n): the derivative of the pre-activation of v in the weight of each edge."""
    slopes = base.slopes.copy()
    slopes[v] = RATIONALS.array([1])[0]
    plain = replace(base, slopes=slopes)
    heads = plain.union.heads
    carried = slopes[heads] * plain.sensitivities(np.array([v]))[heads] * plain.scales[heads]
    return np.asarray(plain.post[plain.union.tails] * carried)


def _velocity(case: Case, base: Evaluation, v: int, j: int, slope: Fraction) -> np.ndarray:
    """(E,): the velocity with a slope at the kink; 0 at fixed edges."""
    n = case.example_count
    kappa = [s * y / n for s, y in zip(case.slopes, case.labels, strict=True)]
    gradients = base.with_slopes({(v, j): slope}).edge_gradients
    rates = -(gradients * RATIONALS.array([kappa])).sum(axis=1)
    rates[~base.union.learnable] = RATIONALS.array([0])[0]
    return np.asarray(rates)


def into_a_slide(case: Case, random: Random) -> Case:
    """The case moved to a point where its flow slides, or without that choice where none is found.

    One in-weight of one vertex is changed, so that the pre-activation is 0 on one example, and if
    need be the slope of the loss there. The vertex has, if there is such a one, an active twin with
    the same neighbours. Nothing changes unless the case chose to slide.
    """
    if case.choice.get("selection") != SELECTION:
        return case
    plain = replace(case, choice={k: v for k, v in case.choice.items() if k != "selection"})
    if case.loss != PRESCRIBED or case.network.shares_parameters or not case.network.homogeneous:
        return plain
    if slide_of(plain) is not None:
        return case
    for _ in range(TRIES):
        moved = _at_a_kink(plain, random)
        if moved is None:
            continue
        point, j = moved
        for here, elsewhere in product(STEPS, SIDES):
            factors = [here if i == j else elsewhere for i in range(point.example_count)]
            slopes = tuple(f * s for f, s in zip(factors, point.slopes, strict=True))
            found = replace(point, slopes=slopes)
            if slide_of(found) is not None:
                return found.choosing(selection=SELECTION)
    return plain


def _at_a_kink(case: Case, random: Random) -> tuple[Case, int] | None:
    """The case with one pre-activation moved to 0, and the example on which it is."""
    network = case.network
    found = evaluation_at(network, case.weights, case.inputs)
    twins = [pair for u, v in equal_neighbourhoods(network) for pair in ((u, v), (v, u))]
    bent = [v for v in network.inner if len(set(network.activations[v].slopes)) > 1]
    examples = range(case.example_count)
    places = [
        (v, j) for v, twin in twins if v in bent for j in examples if found.pre[twin, j] > 0
    ] or [(v, j) for v in bent for j in examples]
    if not places:
        return None
    vertex, j = random.choice(places)
    edge = random.choice(network.in_edges[vertex])
    entering = as_fraction(found.post[network.tails[edge], j])
    if entering == 0 or not network.learnable(edge) or network.scale_squares[vertex] != 1:
        return None
    parameter = network.parameter_of[edge]
    weights = list(case.weights)
    weights[parameter] -= as_fraction(found.pre[vertex, j]) / entering
    return (case.with_weights(weights), j) if weights[parameter] else None
