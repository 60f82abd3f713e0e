"""Claims about the limit along computed gradient flows with growing norm.

A claim's gap is recorded against a squared norm that grows (verify.kinds.solutions.limit_series).
Over the last part of the growth the exponent of the gap in the norm is 0 where the gap is bounded,
and 1 where the claim fails as it does on a ray. An exponent above 1/2 of a gap that is larger than
any constant of the proofs (these are less than BOUND times the squared norm at the start) is a
suspicion, never a refutation: that takes an exact solution (verify.methods.rays)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from graphs.arithmetic import as_fraction
from graphs.errors import NetworkError
from graphs.exact import evaluation_at
from graphs.inequalities import strictly_positive
from verify.cases.case import Case
from verify.cases.flow_observables import LimitObservable
from verify.cases.layer_pieces import Mismatch
from verify.cases.networks_of_pieces import build
from verify.cases.pool import random_data
from verify.core.claim import Claim
from verify.core.evidence import Evidence, Outcome
from verify.core.plots import Curve, Plot, thinned
from verify.kinds.solutions.limit_series import series
from verify.methods.context import Context, Inquiry

if TYPE_CHECKING:
    from numerics.flow import Flow

FLOWS_PER_BATCH = 4  # for each batch of float trials of the budget
POINTS = 48
LEAST_GROWTH = 4.0  # of the squared norm, over the part that the exponent is taken of
SUSPICIOUS = 0.5  # half way between a bounded gap and one in proportion to the norm
BOUND = 8.0  # the proofs bound gaps by sums of at most so many norms of matrices at the start
EVALUATIONS = 60_000
UNTIL = 1e7
ATTEMPTS = 60
DRAWN_CURVES = 6


@dataclass
class Seen:
    """What the flows have shown. exponents: by flow, the largest of its layers."""

    flows: int = 0
    grown: int = 0
    exponents: list[float] = field(default_factory=list)
    growth: list[float] = field(default_factory=list)
    last_ratio: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)
    suspects: int = 0


def limits(claim: Claim, context: Context) -> Evidence | None:
    """Follow flows of random networks far and look at a claim about the limit along them."""
    observable = claim.observable
    if observable is None:
        return None
    inquiry = Inquiry("limits", context)
    random = context.random(claim, "limits")
    wanted = FLOWS_PER_BATCH * context.budget.trial_batches
    cases = [drawn(observable, random) for _ in range(wanted)]
    seen = Seen()
    for case, flow in zip(cases, followed(cases, context.device), strict=True):
        look(observable, case, flow, seen)
    inquiry.instances = seen.grown
    words = "gradient flows (logistic loss, separable data)"
    inquiry.scope = (f"{words} along which the squared norm grew by {LEAST_GROWTH:g} at the end",)
    inquiry.figures = {"flows": seen.flows, "grown": seen.grown}
    if not seen.grown:
        return inquiry.finds(Outcome.INCONCLUSIVE, "no flow grew far enough to show anything")
    inquiry.figures |= {
        "largest growth of the squared norm": f"{max(seen.growth):.3g}",
        "largest gap over squared norm at the end": f"{max(seen.last_ratio):.2g}",
        "largest exponent of the gap": f"{max(seen.exponents):.2g}",
        "largest gap over the largest constant of a proof": f"{max(seen.shares):.2g}",
    }
    title = f"{claim.id}: gap over squared norm"
    axes = ("squared norm", "gap / squared norm")
    plot = Plot(title, *axes, tuple(seen.curves), x_log=True, y_log=True)
    return replace(_verdict(inquiry, seen), plots=(plot,) if seen.curves else ())


def _verdict(inquiry: Inquiry, seen: Seen) -> Evidence:
    if seen.suspects:
        return inquiry.finds(
            Outcome.INCONCLUSIVE,
            f"on {seen.suspects} of {seen.grown} flows a gap grows with the norm, but no exact "
            "solution shows a violation. A longer integration would settle it.",
        )
    return inquiry.finds(
        Outcome.SUPPORTS,
        f"on all {seen.grown} flows that grew, every gap stays bounded: its exponent in the "
        f"squared norm is at most {max(seen.exponents):.2g}, or it is below the constants of the "
        f"proofs (at most {max(0, *seen.shares):.2g} of them).",
    )


# cases and flows --------------------------------------------------------------------------------
def drawn(observable: LimitObservable, random: Random) -> Case:
    """A random case of the observable's architectures on linearly separable data; where asked, with
    a start that classifies every example correctly and has a sum of losses below l(0)."""
    for _ in range(ATTEMPTS):
        try:
            net, choice = build(observable.planner(random, random.random() < 0.5))
        except NetworkError:
            continue
        weights = tuple(Fraction(random.randint(-40, 40) or 1, 40) for _ in net.parameter_names)
        rows = random_data(len(net.free_inputs), random.choice((1, 2, 3)), random)
        values = [as_fraction(v) for v in evaluation_at(net, weights, rows).outputs[0]]
        if not all(values):
            continue
        labels = tuple(Fraction(1 if value > 0 else -1) for value in values)
        signed = [[y * x for x in row] for row, y in zip(rows, labels, strict=True)]
        if strictly_positive(signed, len(rows[0])).solution is None:
            continue
        case = Case(net, weights, rows, labels, "logistic", (), choice, family=net.title)
        return _risen(case) if "separable" in observable.options else case
    raise NetworkError("no case of the observable's architectures has separable data")


def _risen(case: Case) -> Case:
    """The case with weights so large that the sum of the losses is below l(0)."""
    while True:
        values = evaluation_at(case.network, case.weights, case.inputs).outputs[0]
        losses = np.logaddexp(0, [-abs(float(v)) for v in values]).sum()
        if losses < np.log(2):
            return case
        case = case.with_weights([2 * weight for weight in case.weights])


def followed(cases: list[Case], device: str) -> list[Flow]:
    """The flows from all cases on the clock of the loss, as far as they are worth following."""
    from numerics.flow import Options, flow
    from numerics.losses import LOSSES
    from numerics.program import compile_networks

    program = compile_networks([case.network for case in cases], device=device)
    options = Options(clock="loss", rtol=1e-6, atol=1e-9, evaluations=EVALUATIONS, dense=True)
    return list(
        flow(
            program,
            program.weights([case.weights for case in cases]),
            program.examples([case.inputs for case in cases], [case.labels for case in cases]),
            LOSSES["logistic"],
            UNTIL,
            options=options,
        )
    )


def look(observable: LimitObservable, case: Case, flow: Flow, seen: Seen) -> None:
    """Take the series of one flow, from its last change of a sign (Assumption 1) on."""
    seen.flows += 1
    start = flow.sign_intervals[-1].start
    if flow.time <= start or not len(flow.record.dense_starts):
        return
    first = max(start, 1e-6 * flow.time)
    times = np.unique(np.clip(np.geomspace(first, flow.time, POINTS), start, flow.time))
    try:
        found = series(observable.what, case, flow.at(times), observable.options)
    except Mismatch:
        return
    measured = [_exponent(gap, square) for gap, square in found.values()]
    grown = [m for m in measured if m is not None]
    if not grown or len(grown) < len(measured):
        return
    seen.grown += 1
    seen.exponents.append(max(grown))
    constant = BOUND * float(flow.start @ flow.start)
    seen.suspects += any(
        rate > SUSPICIOUS and gap[-1] > constant
        for rate, (gap, _) in zip(grown, found.values(), strict=True)
    )
    seen.shares.append(max(float(gap[-1]) for gap, _ in found.values()) / constant)
    seen.growth.append(max(float(square[-1] / square[0]) for _, square in found.values()))
    seen.last_ratio.append(max(float(gap[-1] / square[-1]) for gap, square in found.values()))
    _draw(case, found, seen)


def _exponent(gap: np.ndarray, square: np.ndarray) -> float | None:
    """Of the gap in the squared norm over the last of its growth; None where it did not grow. A gap
    that is lost in rounding counts as bounded."""
    before = np.flatnonzero(square <= square[-1] / LEAST_GROWTH)
    if not len(before):
        return None
    noise = 64 * np.finfo(float).eps * square[-1]
    start, end = max(gap[before[-1]], noise), max(gap[-1], noise)
    return float(np.log(end / start) / np.log(square[-1] / square[before[-1]]))


def _draw(case: Case, found: dict[str, tuple[np.ndarray, np.ndarray]], seen: Seen) -> None:
    for name, (gap, square) in found.items():
        order = np.argsort(square)
        keep = order[(gap[order] > 0) & (square[order] > 0)]
        if len(keep) > 2 and len(seen.curves) < DRAWN_CURVES:
            ratio = (gap / square)[keep]
            title = f"{case.family}, {name}"
            seen.curves.append(thinned(title, square[keep].tolist(), ratio.tolist()))
