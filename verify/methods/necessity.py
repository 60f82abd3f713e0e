"""Necessity: each hypothesis is broken in turn while the others hold, exactly.

A case that meets every other hypothesis, not this one, and violates the claim shows that the claim
needs the hypothesis. Where none is found, that is all that is said. Of a claim that fails with all
its hypotheses nothing is said. A case that is not rational (tanh) is judged in float64 enclosures.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from verify.case import PRESCRIBED, Case
from verify.certificates import value_to_json
from verify.claim import Claim, Kind
from verify.evidence import Evidence, Need, Outcome
from verify.hypotheses import Hypothesis
from verify.instance import Instance
from verify.judging import NOTHING, Judgement, Violation, judge_exactly, view
from verify.methods.context import Context, Inquiry, draw
from verify.shrinking import shrink
from verify.vocabulary import Entries


def necessity(claim: Claim, context: Context) -> Evidence | None:
    """Look for a case that needs each hypothesis of a claim that says something of all cases."""
    if not claim.judged or claim.kind is Kind.EXISTENCE or claim.pool is None:
        return None
    inquiry = Inquiry("necessity", context)
    random = context.random(claim, "necessity")
    if _fails_anyway(claim, context, random):
        text = "the claim fails with all its hypotheses: which of them it needs cannot be told."
        return inquiry.finds(Outcome.SUPPORTS, text)
    needs = tuple(_need(claim, h, context, random, inquiry) for h in claim.hypotheses)
    needed = [need.hypothesis for need in needs if need.needed]
    inquiry.figures = {"hypotheses": len(needs), "needed": len(needed)}
    inquiry.scope = (f"{context.budget.necessity_draws} random rational cases a hypothesis",)
    summary = f"{len(needed)} of {len(needs)} hypotheses are needed: each has an exact case."
    return inquiry.finds(Outcome.SUPPORTS, summary, needs=needs)


def _fails_anyway(claim: Claim, context: Context, random: Random) -> bool:
    """Whether random cases violate the claim as it is."""
    return any(
        judge_exactly(claim, case.exactly()).violations for case in _cases(claim, context, random)
    )


def without(claim: Claim, hypothesis: Hypothesis) -> Claim:
    """The claim for the cases that meet all its hypotheses but this one."""

    def fails(scene: Any, entries: Entries) -> np.ndarray:
        return np.asarray(~hypothesis.test(scene, entries), dtype=bool)

    broken = Hypothesis(f"not: {hypothesis.name}", "", fails)
    others = tuple(h for h in claim.hypotheses if h is not hypothesis)
    return replace(claim, hypotheses=(*others, broken))


def _need(
    claim: Claim, hypothesis: Hypothesis, context: Context, random: Random, inquiry: Inquiry
) -> Need:
    """What random cases say of the need for one hypothesis."""
    if hypothesis.break_ is None:
        return Need(hypothesis.name, False, "not tried: there is no way to break it alone")
    weakened = without(claim, hypothesis)
    met = 0
    for case in _broken_cases(claim, hypothesis, context, random):
        try:
            judgement = judge_exactly(weakened, case.exactly())
            enclosed = NOTHING if judgement.admitted else _judge_enclosed(weakened, case)
        except ValueError:  # without the hypothesis the claim cannot even be stated of this case
            continue
        met += bool(judgement.admitted or enclosed.admitted)
        if judgement.violations:
            small = _smaller(weakened, judgement.violations[0], context)
            inquiry.instances += met
            return Need(hypothesis.name, True, _words(small), _case_of(small))
        if enclosed.violations:
            inquiry.instances += met
            text = "a case in float64 enclosures that exclude 0: " + case.described()
            return Need(hypothesis.name, True, text)
    inquiry.instances += met
    if not met:
        return Need(hypothesis.name, False, "no case that meets all the others and not this one")
    return Need(hypothesis.name, False, f"none found in {met} cases that meet all the others")


def _smaller(claim: Claim, violation: Violation, context: Context) -> Violation:
    try:
        return shrink(claim, violation, context.budget.shrink_steps // 8)
    except ValueError:  # of a smaller case the claim cannot be stated
        return violation


def _judge_enclosed(claim: Claim, case: Instance) -> Judgement:
    """Judge a case that is not rational: a violation is an entry whose enclosure excludes 0."""
    if claim.exact_only or not isinstance(case, Case) or case.network.homogeneous:
        return NOTHING
    from numerics.enclosures import Balls

    seen = view(claim, [case], Balls("cpu"))
    middle, radius = seen.entries.values.to_numpy()
    beyond = middle < -radius if claim.kind is Kind.INEQUALITY else np.abs(middle) > radius
    broken = np.flatnonzero(seen.admitted & np.isfinite(radius) & beyond)
    violations = tuple(
        Violation(case, seen.entries.label(int(k)), Fraction(float(middle[k]))) for k in broken
    )
    return Judgement(int(seen.admitted.sum()), violations)


def _cases(claim: Claim, context: Context, random: Random) -> Iterator[Any]:
    """Random cases that the claim speaks of."""
    assert claim.pool is not None
    for number in range(context.budget.necessity_draws):
        n = claim.pool.examples[number % len(claim.pool.examples)]
        yield draw(claim, random, n=n, loss=PRESCRIBED, large=False)


def _broken_cases(
    claim: Claim, hypothesis: Hypothesis, context: Context, random: Random
) -> Iterator[Any]:
    """Random cases in which one hypothesis has been broken, and the others repaired after it."""
    assert hypothesis.break_ is not None
    for case in _cases(claim, context, random):
        try:
            case = hypothesis.break_(case, random)
            for other in claim.hypotheses:
                if other is not hypothesis:
                    case = other.repair(case, random)
        except ValueError:  # it cannot be broken here
            continue
        yield case


def _words(violation: Violation) -> str:
    return f"an exact case: {violation.case.described()}, where the entry is {violation.value}"


def _case_of(violation: Violation) -> dict[str, object]:
    return {
        "case": violation.case.to_json(),
        "entry": violation.entry,
        "value": value_to_json(violation.value),
    }
