"""What a verdict rests on beside computation; and that nothing rests on what is not settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verify.core.evidence import Evidence, Outcome, rests_on_selection
from verify.core.verdict import FALSE, SETTLED, Decision, Verdict, decide

if TYPE_CHECKING:
    from verify.core.claim import Claim
    from verify.core.power import Power

BY_ARGUMENT = {
    Verdict.PROVED: (Outcome.PROVES,),
    Verdict.PROVED_ON_SCOPE: (Outcome.PROVES_ON_SCOPE,),
    Verdict.ARGUED: (Outcome.ARGUES, Outcome.PROVES, Outcome.PROVES_ON_SCOPE),
    Verdict.ARGUED_ON_SCOPE: (Outcome.ARGUES_ON_SCOPE,),
    Verdict.VACUOUS: (Outcome.ARGUES,),
}
"""Which evidence a verdict stands on; of a vacuous claim that which excludes a hypothesis."""

LAW = (
    (
        "a law with a rate of change other than 0 fails along the flow "
        "(docs/mathematics/engine.md#when-a-point-refutes-a-law)"
    ),
    (
        "a polynomial loss with the given slopes at the margins exists "
        "(docs/mathematics/engine.md#losses-with-prescribed-slopes)"
    ),
)
CLARKE = (
    "gradient flow in the sense of Clarke: a solution may keep the in-weights of a ReLU vertex at "
    "0 where the slope 0 is a limit of gradients (docs/mathematics/engine.md#dormant-vertices)"
)


@dataclass(frozen=True)
class Foundations:
    """trusted: what is used without being computed. section: of docs/mathematics where that is
    argued, empty for none. cites: ids of claims that it uses. unproved: those of them, and of what
    they use in turn, that are not settled, or not known in this run."""

    trusted: tuple[str, ...] = ()
    section: str = ""
    cites: tuple[str, ...] = ()
    unproved: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As a record."""
        lists = {name: list(getattr(self, name)) for name in ("trusted", "cites", "unproved")}
        return {**lists, "section": self.section}


def foundations(
    claim: Claim,
    decision: Decision,
    evidence: Sequence[Evidence],
    certificate: Mapping[str, Any] | None,
    unproved: Sequence[str],
) -> Foundations:
    """What the verdict on a claim rests on. certificate: the one that is shown with it."""
    trusted = [claim.through] if claim.through else []
    if decision.verdict in FALSE and decision.verdict is not Verdict.CONTRADICTED:
        if claim.kind.value == "law" and certificate is not None:
            trusted += [*LAW, *([CLARKE] if rests_on_selection(certificate) else [])]
        return Foundations(tuple(trusted))
    pieces = standing_on(decision, evidence)
    trusted += [*claim.trusted, *(fact for piece in pieces for fact in piece.rests_on)]
    sections = [piece.section for piece in pieces if piece.section]
    cites = dict.fromkeys(name for piece in pieces for name in piece.cites)
    return Foundations(
        tuple(dict.fromkeys(trusted)),
        sections[0] if sections else "",
        tuple(cites),
        tuple(unproved),
    )


def standing_on(decision: Decision, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The proofs and arguments that a verdict stands on."""
    outcomes = BY_ARGUMENT.get(decision.verdict, ())
    excludes = decision.verdict is Verdict.VACUOUS
    return [
        piece
        for piece in evidence
        if piece.outcome in outcomes and (piece.method == "vacuity") is excludes
    ]


LEFT_OUT = "so it does not count"  # what is said of an argument that rests on nothing settled

Deciding = tuple["Claim", Sequence[Evidence], "Power | None"]


def settled(
    deciding: Sequence[Deciding], known: Mapping[str, Verdict]
) -> tuple[dict[str, Decision], dict[str, tuple[str, ...]]]:
    """The decisions on all claims, and of each the claims that it rests on that are not settled.

    An argument that cites a claim which is known not to be settled does not count: the claim is
    decided without it, and says so. Nor does one that in the end rests on its own claim. known:
    verdicts of claims that this run is not about.
    """
    left_out = {name: f"itself, through {path}" for name, path in _circles(deciding).items()}
    while True:
        decisions = {
            claim.id: _decided(claim, evidence, power, left_out.get(claim.id, ""))
            for claim, evidence, power in deciding
        }
        verdicts = {**known, **{name: one.verdict for name, one in decisions.items()}}
        cites = {
            claim.id: tuple(
                dict.fromkeys(
                    name
                    for piece in standing_on(decisions[claim.id], evidence)
                    for name in piece.cites
                )
            )
            for claim, evidence, _ in deciding
        }
        unsettled = {
            name: tuple(one for one in below if verdicts.get(one) not in SETTLED)
            for name, below in cites.items()
        }
        broken = {
            name: next((one for one in below if one in verdicts), "")
            for name, below in unsettled.items()
            if name not in left_out
        }
        new = {name: f"{one} ({verdicts[one].value})" for name, one in broken.items() if one}
        if not new:
            return decisions, unsettled
        left_out |= new


def _circles(deciding: Sequence[Deciding]) -> dict[str, str]:
    """The claims whose arguments rest on themselves, with the claim through which they do."""
    cites = {
        claim.id: dict.fromkeys(name for piece in evidence for name in piece.cites)
        for claim, evidence, _ in deciding
    }
    found = {}
    for start in cites:
        waiting = [(name, name) for name in cites[start]]
        seen: set[str] = set()
        while waiting:
            name, first = waiting.pop()
            if name == start:
                found[start] = first
                break
            if name not in seen:
                seen.add(name)
                waiting += [(below, first) for below in cites.get(name, ())]
    return found


def _decided(
    claim: Claim, evidence: Sequence[Evidence], power: Power | None, without: str
) -> Decision:
    """The decision; without: what an argument rests on in vain, then without that argument."""
    if not without:
        return decide(claim, evidence, power)
    decision = decide(claim, [piece for piece in evidence if not piece.cites], power)
    note = f"an argument for it rests on {without}, {LEFT_OUT}"
    beside = f"{decision.beside}; {note}" if decision.beside else note
    return Decision(decision.verdict, decision.scope, decision.reason, beside)
