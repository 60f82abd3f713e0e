"""Proofs of statements, replayed by the checker; and arguments for claims, whole or on a scope:
every step computed, the facts they rest on listed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from verify.checker import statement_hash
from verify.core.claim import Claim
from verify.core.evidence import Evidence, Outcome
from verify.language.proof_facts import TRUSTED
from verify.language.statements import Statement
from verify.methods.context import Context, Inquiry
from verify.search.arguments import faults_of
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
