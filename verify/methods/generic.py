"""How often a claim that is false fails among generic cases: the first half of its grade.

Generic: the hypotheses are met, and nothing is degenerate (no zero weight, no kink, widths and
numbers of examples at least two; see verify.degeneracy) beside what all cases of the claim share.
A claim that fails in some of them is false; one that fails at corners alone is true off them.
"""

from __future__ import annotations

import time

from verify.claim import Claim, Kind
from verify.degeneracy import corners, off_corners
from verify.evidence import Evidence, Outcome
from verify.judging import judge_exactly
from verify.meetings import NO_CASE, drawn_cases
from verify.methods.context import Context, Inquiry

TRIES = 6  # draws for each case that is wanted
CHECKED = 20  # draws between two looks at the clock
LONGEST = 15.0  # CPU seconds; of a claim whose cases are dear fewer are looked at


def generic(claim: Claim, context: Context) -> Evidence | None:
    """Draw generic cases and count those at which the claim fails, exactly. Nothing of statements
    about limits: their cases are solutions that are made, not drawn."""
    wanted = context.budget.generic
    if not claim.judged or claim.pool is None or claim.kind in (Kind.EXISTENCE, Kind.LIMIT):
        return None
    inquiry = Inquiry("generic", context)
    random = context.random(claim, "generic")
    words: list[list[str]] = []  # of each case that met the hypotheses, what is degenerate about it
    fails: list[bool] = []
    drawn, start = 0, time.process_time()
    for case in drawn_cases(claim, claim.hypotheses, random, TRIES * wanted, context.seed):
        if drawn % CHECKED == 0 and drawn:
            away = off_corners(words)[0]
            if away >= wanted or time.process_time() - start > LONGEST:
                break
        drawn += 1
        try:
            judged = judge_exactly(claim, case.exactly())
        except NO_CASE:
            continue
        if judged.admitted:
            words.append(corners(claim, case))
            fails.append(bool(judged.violations))
    inquiry.instances, shared = off_corners(words)
    failed = sum(
        fail and set(shared).issuperset(here) for here, fail in zip(words, fails, strict=True)
    )
    inquiry.figures = {"drawn": drawn, "generic": inquiry.instances, "failed": failed}
    if shared:
        inquiry.figures["in every case"] = "; ".join(shared)
    beside = (f"in every case: {', '.join(shared)}",) if shared else ()
    inquiry.scope = ("random rational cases away from corners", *claim.pool.scope(), *beside)
    return inquiry.finds(
        Outcome.SUPPORTS, f"it fails in {failed} of {inquiry.instances} generic cases."
    )
