"""Hypothesis looks for a violation among small structurally drawn cases; the gate shrinks it.

Half of the budget is drawn; then Hypothesis climbs from the best case so far (its `target`), by
changing one drawn number at a time. How good a case is: of an inequality how small its slack is,
relative to the larger side; before that, and of other claims where the first draws meet none of
their hypotheses, how few hypotheses are left unmet. An identity has no slope to climb: its residual
is 0 wherever it is not violated.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite, prod
from typing import Any

from hypothesis import HealthCheck, Phase, find, settings, target
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from graphs.composition import with_bias
from graphs.families import fully_connected
from graphs.network import Network
from graphs.strategies import (
    activations,
    generators,
    inputs_for,
    quick_networks,
    quick_rationals,
    weights_for,
)
from verify.admission import Admitted, admit
from verify.case import PRESCRIBED, Case
from verify.claim import Claim, Kind
from verify.evidence import Evidence, Outcome
from verify.instance import Instance
from verify.judging import Judgement, judge_exactly
from verify.methods.context import Context, Inquiry, repair
from verify.methods.pointwise import refutation
from verify.pool import Pool, make_dormant
from verify.tensor_pool import TensorPool
from verify.tensors import Tensor, Tensors

BARREN = 20  # after so many first draws that meet no hypotheses it climbs towards them
STEEPEST = 2.0  # no slack is larger, relative to the larger side
LABELS = st.sampled_from((Fraction(1), Fraction(-1)))
NUMBERS = quick_rationals()
SLOPES = NUMBERS.map(lambda slope: slope or Fraction(1))


@st.composite
def cases(draw: st.DrawFn, claim: Claim) -> Any:
    """Small cases of the claim's pool, every hypothesis repaired."""
    assert claim.pool is not None
    case = draw(claim.pool.drawn())
    return repair(claim, case, draw(generators()))


@st.composite
def network_cases(draw: st.DrawFn, pool: Pool) -> Case:
    """Small cases of a pool of networks."""
    net = draw(_networks(pool))
    n = draw(st.sampled_from([k for k in pool.examples if k <= 3] or list(pool.examples)))
    random = draw(generators())
    case = Case(
        net,
        draw(weights_for(net, numbers=NUMBERS)),
        tuple(draw(inputs_for(net, numbers=NUMBERS)) for _ in range(n)),
        tuple(draw(LABELS) for _ in range(n)),
        PRESCRIBED,
        tuple(draw(SLOPES) for _ in range(n)),
        family="drawn by Hypothesis",
    )
    selection = draw(st.sampled_from(("", "dormant", "sliding"))) if pool.kinks else ""
    if selection == "dormant":
        case = make_dormant(case, random)
    elif selection == "sliding":
        case = case.choosing(selection="sliding")  # where: see verify.sliding
    if pool.adapt is not None:
        case = pool.adapt(case, random)
    return case


def _networks(pool: Pool) -> st.SearchStrategy[Network]:
    if pool.families == ("fully connected",):
        chosen = activations(pool.activations)
        widths = st.lists(st.integers(1, 3), min_size=1, max_size=3)
        return st.builds(lambda w, a: fully_connected([*w, 1], a), widths, chosen)
    drawn = quick_networks(max_inputs=2, max_hidden=3, kinds=pool.activations)
    if pool.bias is None:
        return drawn
    return drawn.map(lambda net: with_bias(net, shared=pool.bias == "A"))


@dataclass
class Tally:
    """What the search has seen of a claim so far, and whether it climbs.

    climbs: for an inequality from the start, for other claims once many draws met no hypotheses.
    """

    claim: Claim
    drawn: int = 0
    met: int = 0
    touches: int = 0
    largest: Instance | None = None  # of the cases that met the hypotheses
    climbs: bool = False

    def violates(self, case: Instance) -> bool:
        """Judge a case; tell Hypothesis how good it is."""
        self.drawn += 1
        judgement = judge_exactly(self.claim, case)
        self.met += bool(judgement.admitted)
        self.touches += judgement.touches
        if judgement.admitted and (self.largest is None or case.size() > self.largest.size()):
            self.largest = case
        barren = not self.met and self.drawn >= BARREN
        self.climbs |= barren or self.claim.kind is Kind.INEQUALITY
        if self.climbs and isfinite(score := _score(judgement)):
            target(score)
        return bool(judgement.violations)


def _score(judgement: Judgement) -> float:
    """How near a case is to a violation: the larger, the nearer; minus infinity: nothing known."""
    if judgement.admitted:
        return -min(judgement.slack, STEEPEST)
    return -STEEPEST - judgement.unmet if judgement.unmet else -inf


def search(claim: Claim, context: Context) -> Evidence | None:
    """Look for a violation (for existence: a witness) with Hypothesis, exactly."""
    if not claim.judged:
        return None
    inquiry = Inquiry("search", context)
    tally = Tally(claim)
    case = _found(claim, context, tally)
    inquiry.figures = {"drawn": tally.drawn, "met all hypotheses": tally.met}
    inquiry.instances = tally.met
    if claim.kind is Kind.INEQUALITY:
        inquiry.figures["slack 0"] = tally.touches
    if tally.largest is not None:
        size = tally.largest.described()
        inquiry.scope = (f"cases drawn structurally, the largest with {size}",)
    if case is not None:
        found = admit(claim, case, context.budget.shrink_steps)
        if isinstance(found, Admitted):
            return refutation(inquiry, claim, found, tally.drawn)
        why = f"a violation could not be certified: {found.reason}"
        return inquiry.finds(found.outcome, why)
    if claim.kind is Kind.EXISTENCE:
        return inquiry.finds(Outcome.INCONCLUSIVE, f"no witness in {tally.met} cases.")
    return inquiry.finds(Outcome.SUPPORTS, f"no violation in {tally.met} cases drawn structurally.")


def _found(claim: Claim, context: Context, tally: Tally) -> Any:
    """The first case on which Hypothesis finds a violation, or None."""
    chosen = settings(
        max_examples=context.budget.examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.target),  # the gate shrinks, many times faster
        suppress_health_check=list(HealthCheck),  # slow draws are budgeted for
    )
    random = context.random(claim, "search")
    with _no_constants_of_modules():
        try:
            return find(cases(claim), tally.violates, settings=chosen, random=random)
        except NoSuchExample:
            return None


@contextmanager
def _no_constants_of_modules() -> Iterator[None]:
    """Hypothesis now and then draws a constant out of the source of the modules that are loaded.
    Which ones are depends on what the process did before: what is drawn would, too."""
    kept = providers._get_local_constants
    providers._get_local_constants = Constants
    providers.CONSTANTS_CACHE.cache.clear()
    try:
        yield
    finally:
        providers._get_local_constants = kept
        providers.CONSTANTS_CACHE.cache.clear()


@st.composite
def drawn_tensors(draw: st.DrawFn, pool: TensorPool) -> Tensors:
    """Small instances of a pool of arrays."""
    axes = sorted({axis for _, names in pool.arrays for axis in names})
    lengths = {axis: draw(st.integers(1, min(3, pool.largest))) for axis in axes}
    parts = {}
    for name, names in pool.arrays:
        shape = tuple(lengths[axis] for axis in names)
        count = prod(shape)
        entries = draw(st.lists(NUMBERS, min_size=count, max_size=count))
        parts[name] = Tensor(names, shape, tuple(entries))
    for name, low, high in pool.integers:
        value = Fraction(draw(st.integers(low, high)))
        parts[name] = Tensor((), (), (value,), integer=True)
    case = Tensors(parts, family="drawn by Hypothesis")
    return case if pool.adapt is None else pool.adapt(case, draw(generators()))
