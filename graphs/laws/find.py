"""All quadratic conserved quantities of a network: found, proved, counted.

From below: laws that the graph proves (mixings of hidden vertices, translations, normal forms).
From above: the nullity of equations at sample points, modulo a prime, block by block. Where the two
meet the list is complete; where they do not, what the samples leave is listed as not proved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from graphs.errors import NetworkError
from graphs.laws.answer import Laws
from graphs.laws.grading import blocks
from graphs.laws.law import ONE, UNNAMED, Law, Motionless, Translation
from graphs.laws.lie import Bound, LawGradients, bound
from graphs.laws.mixing import mixings, terms_of
from graphs.laws.naming import LAYERS, layer_mixings, named
from graphs.laws.nullities import Samples
from graphs.laws.patterns import GivenRegion, Patterns
from graphs.laws.plan import Plan
from graphs.laws.state import State, independent
from graphs.laws.translations import translations
from graphs.network import Network

LIMIT = 3000  # unknowns of one block; beyond, its number of laws is not bounded
MOST = 4000  # parameters; beyond, the number of laws is not bounded
LARGEST = 6000  # parameters; beyond, that the laws are independent takes gigabytes and hours


def find_laws(
    network: Network,
    region: Mapping[int, Fraction] | None = None,
    *,
    point: Sequence[Fraction] | None = None,
    seed: int = 0,
    limit: int = LIMIT,
    tries: int = 2,
) -> Laws:
    """Every conserved quantity of degree at most 2, whatever the data and the loss.

    region: slopes by vertex; then the laws on the weights and inputs with these slopes. point:
    weights at which they occur, for a region that has a slope for every vertex with a kink (others
    are sought). seed: of the sample points, on which what is proved does not depend. limit: the
    largest block of unknowns to solve. tries: the points at which the number of independent laws is
    bounded.

    With smooth activations (gradients at rational points are not rational), or too many parameters,
    the laws that the graph shows are given, and none is excluded.

    Raises NetworkError for slopes that do not occur, or more than LARGEST parameters.
    """
    if network.parameter_count > LARGEST:
        raise NetworkError(
            f"{network.parameter_count} parameters: the laws of networks with at most {LARGEST} "
            "are looked for, so give a part of it or a narrower network"
        )
    random = np.random.default_rng(seed)
    plan = Plan.of(network, region)
    idle = tuple(_idle(plan))
    if not plan.size:
        return Laws(network, plan.region, idle, (), 0, "", Bound(0, 0, 1, ()))
    proved = independent([*_basis(plan), *_linear(plan)], network)
    if plan.smooth or plan.size > MOST:
        why = "gradients of smooth activations are not rational"
        if not plan.smooth:
            why = f"{plan.size} parameters, which is more than {MOST}"
        return Laws(network, plan.region, (*proved, *idle), (), None, why, _unbounded(plan, proved))
    patterns = Patterns(plan) if point is None else GivenRegion(plan, point)
    state = State(plan, blocks(plan, random), Samples(plan, patterns, random), proved)
    state.look(limit)
    return Laws(
        network,
        plan.region,
        (*state.proved, *idle),
        tuple(state.left),
        state.above,
        state.obstacle,
        bound(plan, patterns, state.table.gradients, random, tries),
    )


def _unbounded(plan: Plan, proved: list[Law]) -> Bound:
    """What is known without samples: the laws that are independent at one point."""
    weights = np.arange(2, plan.size + 2)
    point = [Fraction(0)] * plan.network.parameter_count
    for p, weight in zip(plan.parameters, weights.tolist(), strict=True):
        point[p] = Fraction(weight)
    return Bound(plan.size, LawGradients(plan, proved).rank(weights), 0, tuple(point))


def _idle(plan: Plan) -> list[Law]:
    """A law for each parameter that never moves."""
    names = plan.network.parameter_names
    return [
        Law(((ONE, p, Fraction(1)),), UNNAMED, f"{names[p]} alone", Motionless()) for p in plan.idle
    ]


def _basis(plan: Plan) -> list[Law]:
    """The laws of mixings, those with a name first."""
    laws: list[Law] = []
    for mixing in mixings(plan):
        terms = terms_of(plan, mixing)
        if terms is None:
            raise AssertionError(f"a mixing that is none was found: {mixing}")
        if terms:
            laws.append(named(plan, mixing, terms))
    if not any(law.name == UNNAMED for law in laws):
        return laws
    between = []
    for mixing, subject in layer_mixings(plan):
        if terms := terms_of(plan, mixing):
            between.append(Law(terms, LAYERS, subject, mixing))
    known = [law for law in laws if law.name != UNNAMED]
    others = [law for law in laws if law.name == UNNAMED]
    return [*known, *between, *others]


def _linear(plan: Plan) -> list[Law]:
    names = plan.network.parameter_names
    return [
        Law(terms, UNNAMED, ", ".join(names[p] for _, p, _ in terms[:6]), Translation())
        for terms in translations(plan)
    ]
