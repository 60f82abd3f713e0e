"""Whether an argument on paper counts for a claim."""

from __future__ import annotations

from verify.core.argument import Argument
from verify.core.claim import Claim
from verify.language.domains import domain_of
from verify.language.records import key
from verify.language.terms import Term


def faults_of(claim: Claim, argument: Argument) -> list[str]:
    """Why an argument does not count for the claim; nothing where it does.

    Steps that are computed but lead to no goal made from the statement leave something to be
    argued: an argument that lists nothing of that kind shows nothing.
    """
    found = [] if argument.steps else ["it has no steps"]
    found += [step.text for step in argument.steps if not step.holds]
    found += beside_the_point(claim, argument)
    if not argument.trusted:
        found.append("it does not say what it rests on beside its computed steps")
    if not argument.section:
        found.append("it does not say where that is argued")
    return found


def beside_the_point(claim: Claim, argument: Argument) -> list[str]:
    """What the claim lacks of what the argument is about."""
    names = {words for h in claim.hypotheses for words in (h.name, h.statement)}
    missing = [
        f"it uses {name!r}, which the claim lacks" for name in argument.uses if name not in names
    ]
    goal, of = argument.goal, claim.terms
    if goal is None or of is None or not same_statement(of.says, goal):
        missing.append("its goal is not what the claim says")
    return missing


def same_statement(one: Term, other: Term) -> bool:
    """Whether two terms are the same, of the same arrays."""
    return key(one) == key(other) and domain_of([one]) == domain_of([other])
