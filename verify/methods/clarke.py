"""Laws at kinks: the rate of change for Clarke elements that are limits of gradients.

At a point w where pre-activations are 0, the limit of the gradients at w + eps d (eps -> 0+, d
random) is an element of the Clarke subdifferential. A law that holds for all of them, by
linearity holds for their convex combinations. One that fails for some is not refuted by that
alone: a flow need not select that element.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from graphs.errors import TooManyPathsError
from graphs.kinks import KinkError
from graphs.network import FIXED
from graphs.rationals import RATIONALS
from graphs.subgradients import clarke_element
from verify.cases.breaks import kinked
from verify.cases.case import Case
from verify.cases.scenes import FreeScene, scene_of
from verify.cases.transformations import random_rational
from verify.core.claim import Claim
from verify.core.evidence import Evidence, Outcome
from verify.core.losses import PRESCRIBED
from verify.methods.context import Context, Inquiry
from verify.search.drawing import draw
from verify.statements.network_hypotheses import FLOW_SELECTION, STABLE_SIGNS, speaks_of_kinks

SCOPE = "random rational points at kinks, one random direction each"
ABOUT_THE_FLOW = (FLOW_SELECTION.name, STABLE_SIGNS.name)


def clarke(claim: Claim, context: Context) -> Evidence | None:
    """Measure a law for random Clarke elements at random kinks, exactly."""
    if not speaks_of_kinks(claim):
        return None
    assert claim.pool is not None
    inquiry = Inquiry("clarke", context, scope=(SCOPE,))
    random = context.random(claim, "clarke")
    kinks = entries = broken = 0
    for number in range(context.budget.draws):
        n = claim.pool.examples[number % len(claim.pool.examples)]
        case = kinked(draw(claim, random, n=n, loss=PRESCRIBED, large=False), random)
        found = rates(claim, replace(case, choice=_awake(case)), random)
        kinks += bool(found)
        entries += len(found)
        broken += sum(value != 0 for value in found)
    summary = (
        f"the rate of change is 0 for all {entries} limits of gradients at {kinks} kinks."
        if not broken
        else f"{broken} of {entries} rates at {kinks} kinks are not 0 for limits of gradients, "
        "which a flow need not select."
    )
    inquiry.figures = {
        "drawn": context.budget.draws,
        "kinks": kinks,
        "rates": entries,
        "not 0": broken,
    }
    inquiry.instances = kinks
    return inquiry.finds(Outcome.INCONCLUSIVE if broken else Outcome.SUPPORTS, summary)


def rates(claim: Claim, case: Case, random: Random) -> list[object]:
    """The entries of a law whose other hypotheses hold, for one Clarke element at a kink of the
    case. Empty where the case has no kink, or the direction stays on one."""
    assert claim.measure is not None
    base = scene_of([case], RATIONALS)
    if not base.evaluation.kinks.any():
        return []
    net = case.network
    direction = [random_rational(random) for _ in net.parameter_names]
    try:
        element = clarke_element(net, case.weights, case.inputs, list(base.kappa[0]), direction)
    except KinkError:
        return []
    scene = FreeScene(case, [0 if p == FIXED else -element[p] for p in net.parameter_of])
    try:
        found = claim.measure(scene)
    except TooManyPathsError:
        return []
    admitted = np.ones(len(found), dtype=bool)
    for hypothesis in claim.hypotheses:
        if hypothesis.name not in ABOUT_THE_FLOW and len(found):
            admitted &= hypothesis.test(scene, found)
    return [found.values[k] for k in np.flatnonzero(admitted)]


def _awake(case: Case) -> dict[str, object]:
    """What the case chose, without dormant vertices: the direction selects here."""
    asleep = ("selection", "dormant", "direction", "slopes_at_0")
    return {name: value for name, value in case.choice.items() if name not in asleep}
