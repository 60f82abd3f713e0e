"""A claim without one of its hypotheses, for the cases that do not meet this one."""

from dataclasses import replace

from verify.cases.hypotheses import Hypothesis
from verify.core.claim import Claim


def without(claim: Claim, hypothesis: Hypothesis) -> Claim:
    others = tuple(h for h in claim.hypotheses if h is not hypothesis)
    failing = Hypothesis(
        f"not: {hypothesis.name}", "", lambda scene, entries: ~hypothesis.test(scene, entries)
    )
    return replace(claim, hypotheses=(*others, failing))
