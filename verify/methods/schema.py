"""Arguments for claims, whole or on a scope: every step computed, the facts they rest on listed."""

from __future__ import annotations

from functools import partial
from typing import Any

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
    covered = argument.scope or ("the whole claim",)
    inquiry.scope = (*covered, *(f"rests on: {fact}" for fact in argument.trusted))
    inquiry.figures = {"steps": len(argument.steps)}
    inquiry.instances = len(argument.steps)
    outcome = Outcome.PROVES_ON_SCOPE if argument.scope else Outcome.PROVES
    return inquiry.finds(outcome, argument.summary)


def beside_the_point(claim: Claim, argument: Argument) -> list[str]:
    """What the claim lacks of what the argument is about."""
    names = {words for h in claim.hypotheses for words in (h.name, h.statement)}
    missing = [
        f"it uses {name!r}, which the claim lacks" for name in argument.uses if name not in names
    ]
    measured = name_of(claim.measure)
    if measured != argument.measure:
        missing.append(f"it is about {argument.measure}, the claim measures {measured}")
    return missing


def name_of(measure: Any) -> str:
    """The name of a function, of a partial one with what it was given.

    >>> name_of(partial(divmod, 7)), name_of(partial(sorted, key=len, reverse=True))
    ('divmod(7)', 'sorted(key=len, reverse=True)')
    """
    if not isinstance(measure, partial):
        return str(getattr(measure, "__name__", ""))
    given = [*map(_shown, measure.args)]
    given += [f"{key}={_shown(value)}" for key, value in measure.keywords.items()]
    return f"{name_of(measure.func)}({', '.join(given)})"


def _shown(value: Any) -> str:
    return name_of(value) if callable(value) else repr(value)
