"""How often a claim that is false fails among generic cases, and whether at corners alone.

Generic: the hypotheses are met, and nothing is degenerate (no zero weight, no kink, widths and
numbers of examples at least two; see verify.cases.degeneracy) beside what all cases of the claim
share. A claim that fails in some of them is false; one that fails at corners alone is true off
them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

from verify.cases.degeneracy import corners
from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Outcome
from verify.core.grade import ENOUGH, Grade, interval
from verify.methods.context import Context, Inquiry
from verify.search.certificates import case_of
from verify.search.drawing import repair
from verify.search.joint_hypotheses import NO_CASE, drawn_cases
from verify.search.judging import Judgement, judge_all, judge_exactly

TRIES = 6  # draws for each case that is wanted
CHECKED = 96  # draws that are judged together, between two looks at the clock
LONGEST = 15.0  # CPU seconds; of a claim whose cases are dear no more than enough are looked at
AT_MOST = 60.0  # CPU seconds in which enough are looked for
BESIDE = 12  # cases beside a counterexample that are looked at


def generic(claim: Claim, context: Context) -> Evidence | None:
    """Draw generic cases and count those at which the claim fails, exactly. Nothing of statements
    about limits: their cases are solutions that are made, not drawn."""
    wanted = context.budget.generic
    if not claim.judged or claim.pool is None or claim.kind in (Kind.EXISTENCE, Kind.LIMIT):
        return None
    inquiry = Inquiry("generic", context)
    random = context.random(claim, "generic")
    met: list[tuple[set[str], bool]] = []  # what is degenerate about a case, whether it fails
    drawn, counted, shared = 0, 0, None
    start = time.process_time()
    cases = drawn_cases(claim, claim.hypotheses, random, TRIES * wanted, context.seed)
    while together := list(islice(cases, CHECKED)):
        drawn += len(together)
        met += _met(claim, together, shared)
        shared = set.intersection(*(words for words, _ in met)) if met else None
        counted = sum(words == shared for words, _ in met)
        spent = time.process_time() - start
        if counted >= wanted or spent > (LONGEST if counted >= ENOUGH else AT_MOST):
            break
    inquiry.instances = counted
    failed = sum(fails for words, fails in met if words == shared)
    inquiry.figures = {"drawn": drawn, "generic": inquiry.instances, "failed": failed}
    if shared:
        inquiry.figures["in every case"] = "; ".join(sorted(shared))
    beside = (f"in every case: {', '.join(sorted(shared))}",) if shared else ()
    inquiry.scope = ("random rational cases away from corners", *claim.pool.scope(), *beside)
    return inquiry.finds(
        Outcome.SUPPORTS, f"it fails in {failed} of {inquiry.instances} generic cases."
    )


def _met(
    claim: Claim, cases: Sequence[Any], shared: set[str] | None
) -> Iterator[tuple[set[str], bool]]:
    """Of those that meet the hypotheses what is degenerate about them, and whether they fail.

    shared: what all before have (None: there are none). What is degenerate in more ways than that
    neither counts nor shows that less is shared, and is left out.
    """
    words = {id(case): set(corners(claim, case)) for case in cases}
    asked = [case for case in cases if shared is None or not words[id(case)] > shared]
    for case, seen in _seen(claim, asked):
        if seen.admitted:
            yield words[id(case)], bool(seen.violations)


def _seen(claim: Claim, cases: Sequence[Any]) -> Iterator[tuple[Any, Judgement]]:
    """Those of which the claim can be asked, with what exact arithmetic says of them."""
    exact = []
    for case in cases:
        try:
            exact.append((case, case.exactly()))
        except NO_CASE:
            continue
    try:
        found = judge_all(claim, [one for _, one in exact])
    except NO_CASE:  # one of them
        if len(cases) > 1:
            for case in cases:
                yield from _seen(claim, [case])
        return
    yield from zip((case for case, _ in exact), found, strict=True)


def grade_of(
    claim: Claim, evidence: Sequence[Evidence], certificate: Mapping[str, Any] | None
) -> Grade | None:
    """The grade by the evidence on a claim; None where generic cases were not looked at.
    certificate: of the counterexample that is shown."""
    pieces = [piece for piece in evidence if piece.method == "generic" and piece.instances]
    if not pieces:
        return None
    piece = pieces[0]
    shared = set(str(piece.figures.get("in every case", "")).split("; "))
    corner = is_corner(claim, certificate, shared)
    cases, failed = piece.instances, int(piece.figures["failed"])
    low, high = interval(failed, cases)
    return Grade(cases, failed, low, high, corner, "; ".join(piece.scope), _near(evidence))


def _near(evidence: Sequence[Evidence]) -> tuple[Mapping[str, str], ...] | None:
    """The statements near it that stand; None where none were tried."""
    looked = [piece for piece in evidence if piece.method == "nearest" and piece.instances]
    if not looked:
        return None
    return tuple({"rule": one.rule, "change": one.change} for one in looked[0].mutants)


def is_corner(claim: Claim, certificate: Mapping[str, Any] | None, shared: set[str]) -> bool:
    """Whether the case of a certificate is a corner: something is degenerate about it beside what
    all cases share, and the claim holds in all cases beside it that have nothing of that kind."""
    data = None if certificate is None else certificate.get("case")
    if data is None:
        return False
    case = case_of(claim, data)
    if shared.issuperset(corners(claim, case)):
        return False
    random = Random(0)
    return not any(_fails(claim, _beside(claim, case, random), shared) for _ in range(BESIDE))


def _beside(claim: Claim, case: Any, random: Random) -> Any:
    """A case with all its numbers a little changed, and the hypotheses repaired."""
    steps = (Fraction(random.choice((-1, 1)) * random.randint(1, 9), 1000) for _ in case.numbers)
    moved = [number + step for number, step in zip(case.numbers, steps, strict=True)]
    return repair(claim, case.with_numbers(moved), random)


def _fails(claim: Claim, case: Any, shared: set[str]) -> bool:
    """Whether a case is no corner and violates the claim."""
    try:
        judged = judge_exactly(claim, case.exactly())
        return bool(judged.violations) and shared.issuperset(corners(claim, case))
    except NO_CASE:
        return False
