"""Arguments for whole claims: every step computed, the facts they rest on listed."""

from __future__ import annotations

from verify.argument import Argument
from verify.claim import Claim
from verify.evidence import Evidence, Outcome
from verify.methods.context import Context, Inquiry


def schema(claim: Claim, context: Context) -> Evidence | None:
    """Run the claim's argument, if it has one."""
    if claim.proof is None:
        return None
    inquiry = Inquiry("schema", context)
    argument = claim.proof()
    failed = [step.text for step in argument.steps if not step.holds]
    failed += beside_the_point(claim, argument)
    if failed or not argument.holds:
        why = failed[0] if failed else "it has no steps"
        return inquiry.finds(Outcome.ERROR, f"the argument fails: {why}")
    inquiry.scope = ("the whole claim", *(f"rests on: {fact}" for fact in argument.trusted))
    inquiry.figures = {"steps": len(argument.steps)}
    inquiry.instances = len(argument.steps)
    return inquiry.finds(Outcome.PROVES, argument.summary)


def beside_the_point(claim: Claim, argument: Argument) -> list[str]:
    """What the claim lacks of what the argument is about."""
    names = {hypothesis.name for hypothesis in claim.hypotheses}
    missing = [
        f"it uses {name!r}, which the claim lacks" for name in argument.uses if name not in names
    ]
    measured = getattr(claim.measure, "__name__", "")
    if measured != argument.measure:
        missing.append(f"it is about {argument.measure}, the claim measures {measured}")
    return missing
