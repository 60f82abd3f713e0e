"""Whether the checks of a claim could have failed, by what the methods saw.

A claim is *supported* only by checks with power. Four things take it away: a hypothesis that is the
conclusion; that no change of the statement was told apart from it; a bound that no case comes near;
too few cases in which no layer, matrix or sample has size one (beside what all cases share).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verify.core.claim import Claim
from verify.core.evidence import Evidence, Mutant
from verify.core.power import CONCLUSION, Power
from verify.language.operators import RELATIONS
from verify.language.statements import leaves

FEWEST = 5  # cases without a size of one, of those that were drawn
LARGER = "no size of one"
FAR = 0.99  # the least slack seen, relative to the larger side, that shows two orders of room
NOT_OF_THE_STATEMENT = ("hypothesis", "rewrite")  # changes that leave what is measured as it is


def power_of(claim: Claim, evidence: Sequence[Evidence]) -> Power | None:
    """The power of the checks of a claim; None where no method measured it."""
    changed = [piece for piece in evidence if piece.method == "mutation"]
    if not changed or claim.kind.value == "existence":
        return None
    mutants = [m for piece in changed for m in piece.mutants if m.rule not in NOT_OF_THE_STATEMENT]
    told = [mutant for mutant in mutants if mutant.fate in ("killed", "survived")]
    killed = sum(mutant.fate == "killed" for mutant in told)
    drawn = [piece for piece in evidence if LARGER in piece.figures]
    cases = sum(piece.instances for piece in drawn)
    generic = sum(int(piece.figures[LARGER]) for piece in drawn)
    faults = [
        *_circular(piece.mutants for piece in changed),
        *_unlike(mutants, killed),
        *([] if _against_zero(claim) else _far(evidence)),
        *_of_size_one(cases, generic, bool(drawn)),
    ]
    if not killed and any("cut short" in piece.figures for piece in changed):
        why = "the look at changed statements was cut short"
        return Power(None, why, len(told), killed, cases, generic)
    why = "; ".join(faults) or f"{killed} changed statements were refuted by the same checks"
    return Power(not faults, why, len(told), killed, cases, generic)


def _circular(found: Iterable[Sequence[Mutant]]) -> list[str]:
    """Hypotheses that were seen to be what is claimed."""
    same = [m for mutants in found for m in mutants if m.by.startswith(CONCLUSION)]
    return [f"{CONCLUSION} ({mutant.change.removeprefix('without: ')})" for mutant in same]


def _unlike(mutants: Sequence[Mutant], killed: int) -> list[str]:
    if killed:
        return []
    if not mutants:
        return ["no changed statement could be put before its cases"]
    return [f"none of {len(mutants)} changed statements was refuted by the same checks"]


def _against_zero(claim: Claim) -> bool:
    """Whether a claim compares with 0, to which nothing is near in proportion."""
    if claim.terms is None:
        return False
    relations = [leaf for leaf in leaves(claim.terms.says) if leaf.op in RELATIONS]
    sides = [side for relation in relations for side in relation.args]
    plain = (side.args[0] if side.op == "real" else side for side in sides)
    return any(side.op == "number" and side.args[0] == 0 for side in plain)


def _far(evidence: Sequence[Evidence]) -> list[str]:
    """Of an inequality, whether any case came near to the bound."""
    name = "smallest relative slack"
    slacks = [float(piece.figures[name]) for piece in evidence if name in piece.figures]
    if not slacks or min(slacks) < FAR:
        return []
    return ["in no case the two sides are within a factor of 100 of each other"]


def _of_size_one(cases: int, generic: int, looked: bool) -> list[str]:
    if not looked or generic >= FEWEST:
        return []
    return [
        f"of {cases} cases that were drawn {generic} have no layer, matrix or sample of size one"
    ]
