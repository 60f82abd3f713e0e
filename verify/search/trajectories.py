"""Laws along computed trajectories: what of a flow a law speaks of, and how its form behaved there.

A law is judged on the intervals of constant activation pattern, each by itself: hypotheses are
tested at the middle of the interval, on the rational case with the weights that the flow has there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from graphs.balance import Balanced, vertex_balances
from graphs.network import Network
from verify.cases.case import Case
from verify.core.claim import Claim
from verify.search.judging import view
from verify.search.quadratic_forms import Form, quadratic_forms, triples
from verify.statements.network_hypotheses import speaks_of_kinks

if TYPE_CHECKING:
    from numerics.flow import Flow, Flows, Options, Segment
    from verify.cases.scenes import Scene

SELECTION = ("selection", "dormant", "direction", "slopes_at_0")
SHORTEST = 1e-9  # a segment shorter than this share of the flow is not looked at


@dataclass(frozen=True)
class Start:
    """A case to start from, with the forms of a claim's entries and of the laws of its vertices
    that the graph alone proves, the floor that drifts are compared with."""

    case: Case
    forms: tuple[Form, ...]
    floor: tuple[Form, ...]


def start_of(claim: Claim, case: Case) -> Start:
    """The case without its selection at kinks (the flow makes its own), and the forms. Raises
    NotQuadraticError."""
    kept = {name: value for name, value in case.choice.items() if name not in SELECTION}
    awake = replace(case, choice=kept)
    return Start(awake, tuple(quadratic_forms(claim, awake)), _proved_by_the_graph(case.network))


def _proved_by_the_graph(net: Network) -> tuple[Form, ...]:
    """The balance of each inner vertex for which the graph alone proves it."""
    forms = []
    for v, outcome in vertex_balances(net).items():
        if isinstance(outcome, Balanced):
            edges = [*net.in_edges[v], *net.out_edges[v]]
            signs = np.repeat([2.0, -2.0], [len(net.in_edges[v]), len(net.out_edges[v])])
            parameters = np.array([net.parameter_of[e] for e in edges], dtype=np.int64)
            forms.append(Form({"vertex": net.names[v]}, parameters, parameters, signs))
    return tuple(forms)


def follow(starts: Sequence[Start], until: float, options: Options, device: str) -> Flows:
    """The flows from all starts (of one loss), with the balances of their forms, then of their
    floors."""
    from numerics.flow import flow
    from numerics.losses import LOSSES
    from numerics.program import compile_networks

    cases = [start.case for start in starts]
    program = compile_networks([case.network for case in cases], device=device)
    return flow(
        program,
        program.weights([case.weights for case in cases]),
        program.examples([case.inputs for case in cases], [case.labels for case in cases]),
        LOSSES[cases[0].loss],
        until,
        options=options,
        forms=[[list(triples(form)) for form in (*s.forms, *s.floor)] for s in starts],
    )


def admitted_segments(
    claim: Claim, starts: Sequence[Start], flows: Sequence[Flow], device: str
) -> list[np.ndarray]:
    """For each start (F, S) boolean: in which segments each entry meets all hypotheses.

    Where the flow slides along a kink, only laws that are proved for any slopes are asked: the
    printed patterns say nothing of a slope between two values. Nothing is asked where rounding has
    left a pre-activation on the other side of its kink than the one whose slope the flow has: the
    hypotheses would be read off a pattern that is not the flow's.
    """
    from numerics.enclosures import Balls

    places: list[tuple[int, int]] = []
    cases: list[Case] = []
    answers = []
    for c, (start, found) in enumerate(zip(starts, flows, strict=True)):
        answers.append(np.zeros((len(start.forms), len(found.segments)), dtype=bool))
        for s, segment in enumerate(found.segments):
            if _asked(claim, found, segment) and start.forms:
                places.append((c, s))
                middle = 0.5 * (segment.start + segment.stop)
                cases.append(case_at(start.case, found, middle))
    if cases:
        seen = view(claim, cases, Balls(device))
        numbers = [_numbers(starts[c]) for c, _ in places]
        told = _patterns_agree(seen.scene, [flows[c].segments[s] for c, s in places])
        for k, owner in enumerate(seen.entries.owner):
            c, s = places[owner]
            number = numbers[owner].get(json.dumps(seen.entries.label(k)))
            if number is not None:
                answers[c][number, s] = seen.admitted[k] and told[owner]
    return answers


def _numbers(start: Start) -> dict[str, int]:
    """The number of each form by its label."""
    return {json.dumps(form.label): k for k, form in enumerate(start.forms)}


def _patterns_agree(scene: Scene, segments: Sequence[Segment]) -> np.ndarray:
    """(C,): whether every pre-activation of each case has the sign that its segment says."""
    pre = scene.pre.to_numpy()[0]
    answers = np.ones(len(segments), dtype=bool)
    for c, segment in enumerate(segments):
        offset = int(scene.union.vertex_offset[c])
        z = pre[offset : offset + len(segment.sides)]
        wrong = ((segment.sides == 1) & (z < 0)) | ((segment.sides == -1) & (z > 0))
        answers[c] = not wrong.any()
    return answers


def case_at(case: Case, found: Flow, time: float) -> Case:
    """The rational case with the weights (float64 numbers) that a flow has at a time."""
    weights = found.at(time)
    return case.with_weights([Fraction(float(weight)) for weight in weights])


def drift(form: Form, found: Flow, where: np.ndarray) -> float:
    """The change of a form over the segments `where` (S,) taken together, relative to the terms of
    the form at the start."""
    if not where.any():
        return 0.0
    segments = [segment for segment, chosen in zip(found.segments, where, strict=True) if chosen]
    starts = form.at(found.at([segment.start for segment in segments]))
    stops = form.at(found.at([segment.stop for segment in segments]))
    return abs(float(np.sum(stops - starts))) / _size(form, found.start)


def _size(form: Form, weights: np.ndarray) -> float:
    terms = weights[form.rows] * weights[form.columns] * form.coefficients
    return max(float(np.abs(terms).sum() / 2), np.finfo(np.float64).tiny)


def _asked(claim: Claim, found: Flow, segment: Segment) -> bool:
    if segment.stop - segment.start <= SHORTEST * found.time:
        return False
    any_slopes = claim.derivation is not None and speaks_of_kinks(claim)
    return not segment.slides or any_slopes
