"""Laws along computed gradient flows of many random networks.

Three questions are asked of a law with the quadratic form Q, on the intervals of constant
activation pattern on which its hypotheses hold. The balance of each Runge-Kutta step: Q changes by
what the stages say, up to an estimate of the rounding, exactly when the law holds at
the stages; no tolerance is chosen. The drift of Q at several tolerances of the integrator: it must
fall with the tolerance, as that of laws falls which the graph alone proves. And the trajectory
must have moved. A step that fails is a suspicion: its weights, float64 numbers and so rationals, go
through the admission gate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from verify.cases.case import Case
from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Outcome
from verify.core.plots import Plot, thinned
from verify.methods.context import Context, Inquiry
from verify.methods.pointwise import refutation
from verify.search.admission import Admitted, Refused, admit
from verify.search.drawing import draw
from verify.search.judging import judge_exactly
from verify.search.quadratic_forms import NotQuadraticError
from verify.search.trajectories import Start, admitted_segments, case_at, drift, follow, start_of

LOSSES = ("logistic", "squared", "exponential")
TOLERANCES = (1e-5, 1e-7, 1e-9)
UNTIL = 3.0
EVALUATIONS = 10_000  # a stiff flow is followed as far as this goes
LEAST_WAY = 1e-3  # a trajectory shorter than this share of the start's norm shows nothing
FLOOR_FACTOR = 1e3  # a drift so many times the floor does not fall along with it
SUSPECTS = 3


@dataclass
class Seen:
    """What the flows have shown so far. drifts, floors: by tolerance, relative."""

    networks: int = 0
    met: int = 0
    segments: int = 0
    entries: int = 0
    kinks: int = 0
    slides: int = 0
    incomplete: int = 0
    unmoved: int = 0
    least_move: float = np.inf
    worst_residual: float = 0.0
    drifts: dict[float, list[float]] = field(default_factory=lambda: {t: [] for t in TOLERANCES})
    floors: dict[float, list[float]] = field(default_factory=lambda: {t: [] for t in TOLERANCES})
    suspects: list[Case] = field(default_factory=list)
    losses: set[str] = field(default_factory=set)


def flow(claim: Claim, context: Context) -> Evidence | None:
    """Follow the flow of random networks and look at a law along it. None where the claim is no
    law, or no quadratic one."""
    if claim.kind is not Kind.LAW or not claim.judged:
        return None
    inquiry = Inquiry("flow", context)
    seen = Seen()
    try:
        for starts in _batches(claim, context):
            _look(claim, starts, context, seen)
    except NotQuadraticError:
        return None
    refused: list[Refused] = []
    for case in seen.suspects[:SUSPECTS]:
        found = _put_through(claim, case, context)
        if isinstance(found, Admitted):
            return refutation(inquiry, claim, found, seen.networks)
        refused.append(found)
    inquiry.scope = (
        f"gradient flow to time {UNTIL:g} of random networks",
        "losses " + ", ".join(sorted(seen.losses)),
        "intervals of constant activation pattern on which the hypotheses hold",
    )
    inquiry.figures = _figures(seen)
    inquiry.instances = seen.met
    if refused:
        return inquiry.finds(
            refused[0].outcome, f"a step that breaks the law was not admitted: {refused[0].reason}"
        )
    return inquiry.finds(*_verdict(seen), plots=_plots(claim, seen))


def _put_through(claim: Claim, case: Case, context: Context) -> Admitted | Refused:
    """A point of a step that breaks the law, through the gate. A step is no enclosure: where the
    exact point obeys the law, it was rounding that broke it."""
    if not judge_exactly(claim, case.exactly()).violations:
        return Refused("the exact point in its middle obeys the law", Outcome.INCONCLUSIVE)
    return admit(claim, case, context.budget.shrink_steps)


def _batches(claim: Claim, context: Context) -> Iterator[list[Start]]:
    """Batches of starts with the same number of examples and the same loss."""
    assert claim.pool is not None
    random = context.random(claim, "flow")
    named = [loss for loss in LOSSES if loss in claim.pool.losses]
    for number in range(context.budget.flow_batches if named else 0):
        n = claim.pool.examples[number % len(claim.pool.examples)]
        loss = named[number % len(named)]
        cases = [
            draw(claim, random, n=n, loss=loss, large=True)
            for _ in range(context.budget.flow_batch_size)
        ]
        starts = (start_of(claim, case) for case in cases if isinstance(case, Case))
        yield [start for start in starts if start.forms]


def _look(claim: Claim, starts: Sequence[Start], context: Context, seen: Seen) -> None:
    """Follow one batch at every tolerance, and add what it shows."""
    from numerics.flow import Options

    if not starts:
        return
    for rtol in TOLERANCES:
        options = Options(
            method="dop853", rtol=rtol, atol=rtol * 1e-2, dense=True, evaluations=EVALUATIONS
        )
        flows = follow(starts, UNTIL, options, context.device)
        flows_here = [found for found in flows if found.counts.accepted]
        chosen = [s for s, found in zip(starts, flows, strict=True) if found.counts.accepted]
        admitted = admitted_segments(claim, chosen, flows_here, context.device)
        for start, found, where in zip(chosen, flows_here, admitted, strict=True):
            _count(start, found, where, rtol, seen)
            _suspect(start, found, where, seen)


def _count(start: Start, found: Any, where: np.ndarray, rtol: float, seen: Seen) -> None:
    way = found.length / (float(np.linalg.norm(found.start)) or 1.0)
    if way < LEAST_WAY:
        seen.unmoved += rtol == TOLERANCES[-1]
        return
    if not where.any():
        return
    seen.drifts[rtol].append(
        max(drift(form, found, row) for form, row in zip(start.forms, where, strict=True))
    )
    whole = np.ones(len(found.segments), dtype=bool)
    if start.floor:
        seen.floors[rtol].append(max(drift(form, found, whole) for form in start.floor))
    if rtol != TOLERANCES[-1]:
        return
    seen.networks += 1
    seen.met += 1
    seen.losses.add(start.case.loss)
    seen.segments += len(found.segments)
    seen.entries += int(where.sum())
    seen.kinks += found.counts.events
    seen.slides += found.counts.slides
    seen.incomplete += not found.status.complete
    seen.least_move = min(seen.least_move, way)


def _suspect(start: Start, found: Any, where: np.ndarray, seen: Seen) -> None:
    """Steps on which a form changed by more than rounding and its stages explain."""
    for f in range(len(start.forms)):
        balance = found.balances[f]
        ratio = balance.residuals / np.maximum(balance.bounds, np.finfo(np.float64).tiny)
        ratio = np.where(where[f], ratio, 0.0)
        seen.worst_residual = max(seen.worst_residual, float(ratio.max(initial=0.0)))
        if (ratio > 1.0).any() and len(seen.suspects) < SUSPECTS:
            worst = int(np.argmax(ratio))
            dense = found.dense
            step = int(np.searchsorted(dense.times, balance.times[worst], side="right")) - 1
            middle = dense.times[step] + 0.5 * dense.steps[step]
            seen.suspects.append(case_at(start.case, found, float(middle)))


def _verdict(seen: Seen) -> tuple[Outcome, str]:
    coarse, fine = (max(seen.drifts[t], default=0.0) for t in (TOLERANCES[0], TOLERANCES[-1]))
    floor = max(seen.floors[TOLERANCES[-1]], default=0.0)
    if not seen.met:
        return Outcome.INCONCLUSIVE, "no trajectory met the hypotheses on an interval."
    falls = fine <= FLOOR_FACTOR * max(floor, np.finfo(np.float64).eps)
    told = (
        f"along {seen.met} trajectories the law holds at every step, to rounding; its drift falls "
        f"from {coarse:.1e} to {fine:.1e} with the tolerance (floor {floor:.1e})."
    )
    if falls:
        return Outcome.SUPPORTS, told
    return Outcome.INCONCLUSIVE, (
        f"every step keeps the law to rounding, but its drift {fine:.1e} does not fall along with "
        f"the floor {floor:.1e}."
    )


def _figures(seen: Seen) -> dict[str, int | float | str]:
    drifts = {f"drift at {t:.0e}": f"{max(seen.drifts[t], default=0.0):.1e}" for t in TOLERANCES}
    floors = {f"floor at {t:.0e}": f"{max(seen.floors[t], default=0.0):.1e}" for t in TOLERANCES}
    return {
        "trajectories": seen.networks,
        "intervals": seen.segments,
        "entries": seen.entries,
        "kinks crossed": seen.kinks,
        "slides": seen.slides,
        "not followed to the end": seen.incomplete,
        "that did not move": seen.unmoved,
        "least way, in norms of the start": f"{seen.least_move:.1e}" if seen.met else "0",
        "worst step residual over its rounding": f"{seen.worst_residual:.2f}",
        **drifts,
        **floors,
    }


def _plots(claim: Claim, seen: Seen) -> tuple[Plot, ...]:
    if not seen.met:
        return ()
    tiny = float(np.finfo(np.float64).eps) / 16
    tolerances = sorted(TOLERANCES)
    curves = [
        thinned(name, tolerances, [max([*values[t], tiny]) for t in tolerances])
        for name, values in (("this law", seen.drifts), ("laws proved by the graph", seen.floors))
    ]
    return (
        Plot(
            f"Drift along the flow, {claim.id}",
            "relative tolerance of the integrator",
            "largest relative drift",
            tuple(curves),
            x_log=True,
            y_log=True,
        ),
    )
