"""How often a refuted claim fails among generic cases, and why it counts where it fails in none."""

from __future__ import annotations

from collections.abc import Sequence

from reports.pieces import line
from reports.verdicts import Record

TELLING = 30  # generic cases from which on a share is told
REFUTED = ("refuted", "refuted by argument", "contradicted")


def grade_sentence(claim: Record, word: str, main: Sequence[Record]) -> str:
    """The grade of a claim, or nothing: of what follows from a claim the cases tell no share.

    word: the headline of its statement. main: the parts of the main reading, among them the claim.
    """
    grade = claim["grade"]
    if claim["verdict"] != "refuted" or grade is None or grade["cases"] < TELLING:
        return ""
    scope = f" ({line(grade['scope'])})" if grade["scope"] else ""
    cases = f"{grade['cases']:,} generic cases{scope}"
    if grade["failed"]:
        low, high = (f"{100 * grade[end]:.3g}" for end in ("low", "high"))
        share = f"95\u00a0% interval {low} to {high}\u00a0%"
        return f"It fails in {grade['failed']:,} of {cases}; {share}."
    if grade["corner_only"]:
        told = f"It fails only at corner cases: in none of {cases}."
        return told if word != "false as printed" else f"{told} {_others(claim, main)}".strip()
    if grade["corner"]:
        return f"It fails in none of {cases}: too few to tell whether it holds off corner cases."
    return (
        f"It fails in none of {cases}. But its counterexample is no corner case: nothing of it is "
        "degenerate, or cases beside it of which nothing is fail too."
    )


def _others(claim: Record, main: Sequence[Record]) -> str:
    """Why a statement is false as printed all the same, of which this part fails at corners."""
    for part in main:
        if part is not claim and part["verdict"] in REFUTED:
            grade = part["grade"]
            if part["verdict"] != "refuted" or grade is None or not grade["corner_only"]:
                return "The statement is false as printed since another part fails otherwise."
    if len(main) > 1:
        return "The statement is false as printed since another part of it is not settled."
    return ""
