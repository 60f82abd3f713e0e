"""Proofs of statements, replayed by the checker; and arguments for claims, whole or on a scope:
every step computed, the facts they rest on listed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from verify.checker import statement_hash
from verify.core.argument import Argument, name_of
from verify.core.claim import Claim
from verify.core.evidence import Evidence, Outcome
from verify.language.domains import domain_of
from verify.language.proof_facts import TRUSTED
from verify.language.records import key
from verify.language.statements import Statement
from verify.language.terms import Term
from verify.methods.context import Context, Inquiry
from verify.search.certificates import answer

PROOFS = "docs/mathematics/proofs.md#trusted-lemmas"


def schema(claim: Claim, context: Context) -> Evidence | None:
    """Have the checker replay the proof of the claim's statement; or run the claim's argument,
    which argues for it and never proves it: what its steps say is not made from the statement.
    None where it has neither."""
    if claim.derivation is not None:
        return _replayed(claim, context)
    if claim.proof is None:
        return None
    inquiry = Inquiry("schema", context)
    argument = claim.proof()
    if faults := faults_of(claim, argument):
        return inquiry.finds(Outcome.ERROR, f"the argument fails: {faults[0]}")
    inquiry.scope = argument.scope or ("the whole claim",)
    inquiry.figures = {"steps": len(argument.steps)}
    inquiry.instances = len(argument.steps)
    return inquiry.finds(
        Outcome.ARGUES_ON_SCOPE if argument.scope else Outcome.ARGUES,
        argument.summary,
        rests_on=argument.trusted,
        section=argument.section,
        cites=argument.cites,
    )


def _replayed(claim: Claim, context: Context) -> Evidence:
    """What the checker says of the proof of a statement."""
    assert claim.derivation is not None
    assert claim.terms is not None, f"{claim.id}: a proof is one of a statement"
    inquiry = Inquiry("schema", context, scope=("the whole claim",))
    derivation = claim.derivation()
    record = derivation.record
    reply = answer(record)
    if not is_about(record, claim.terms):
        return inquiry.finds(Outcome.ERROR, "the proof is one of another statement")
    if reply["exit"] != 0:
        return inquiry.finds(
            Outcome.ERROR, f"the checker does not accept the proof: {reply['message']}"
        )
    steps = list(_steps(record["proof"]))
    inquiry.figures = {"steps": len(steps)}
    inquiry.instances = len(steps)
    names = dict.fromkeys(step["lemma"] for step in steps if step["rule"] == "lemma")
    trusted = tuple(TRUSTED[name] for name in names if name in TRUSTED)
    return inquiry.finds(
        Outcome.PROVES,
        f"a proof for all sizes, replayed by the checker: {_counted(steps)}.",
        certificate=record,
        checker=reply,
        rests_on=trusted,
        section=PROOFS if trusted else "",
        proof=derivation.told,
    )


def _counted(steps: Sequence[Any]) -> str:
    return f"{len(steps)} step{'s' if len(steps) > 1 else ''}"


def is_about(record: dict[str, Any], statement: Statement) -> bool:
    """Whether a certificate is about a statement, whatever its names."""
    return bool(statement_hash(record["statement"]) == statement.digest)


def _steps(part: Any) -> Iterator[dict[str, Any]]:
    """The steps of a proof, those within others too."""
    if isinstance(part, dict) and "rule" in part:
        yield part
    if isinstance(part, list | dict):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from _steps(inner)


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
    if claim.terms is not None:
        if argument.goal is None or not same_statement(claim.terms.says, argument.goal):
            missing.append("its goal is not what the claim says")
        return missing
    measured = name_of(claim.measure)
    if measured != argument.measure:
        missing.append(f"it is about {argument.measure}, the claim measures {measured}")
    return missing


def same_statement(one: Term, other: Term) -> bool:
    """Whether two terms are the same, of the same arrays."""
    return key(one) == key(other) and domain_of([one]) == domain_of([other])
