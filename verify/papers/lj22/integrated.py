"""What Theorem 1 is said to give for neurons active throughout training: (6), integrated."""

from __future__ import annotations

from dataclasses import replace

from verify.argument import Argument
from verify.claim import Claim
from verify.hypotheses import Hypothesis
from verify.papers.lj22 import matrices
from verify.papers.lj22.channel_proofs import active_channels
from verify.papers.lj22.sources import final
from verify.papers.lj22.suppositions import active
from verify.papers.lj22.theorem1 import ACT_WORDS, AT_GRADIENTS, REPAIR_SIX, SEVEN, SIX_WORDS

THEOREM = {claim.id: claim for claim in matrices.CLAIMS}
INTEGRATED = (
    "For a set of neurons active throughout training (vacuously true for linear layers) the "
    r"integrated form holds: $$[W_2(t)^\top W_2(t)]-[W_1(t)W_1(t)^\top]=[W_2(0)^\top W_2(0)]-"
    r"[W_1(0)W_1(0)^\top]$$ for the submatrix restricted to these neurons, for "
)
LOCALLY = (
    " (At a time within an interval in which they stay active: the two sides have equal "
    "derivatives.)"
)
CONSTANT = "an absolutely continuous function whose derivative is 0 almost everywhere is constant"


def active_throughout(reading: str) -> Hypothesis:
    """Both neurons of an entry are active, and stay so for some time.

    A preactivation that is not 0 keeps its sign for some time. One that is 0 stays 0 where the flow
    has it so: in a sleeping neuron and in a slide, and no other one is admitted with a law.
    """
    at_a_time = active(reading)
    return replace(
        at_a_time,
        name="active throughout",
        statement=f"{at_a_time.statement}, from the time looked at on for some time",
    )


def integrated() -> Argument:
    """(6) at almost every time, integrated."""
    argument = active_channels()
    uses = tuple("active throughout" if name == "active" else name for name in argument.uses)
    return replace(
        argument,
        summary=f"{argument.summary}; integrated over the times at which they are active",
        trusted=(*argument.trusted, CONSTANT),
        uses=uses,
    )


def _claims(reading: str) -> tuple[Claim, Claim]:
    """Of all seven items, as printed and at points of differentiability."""
    theorem, mended = (THEOREM[f"lj22.thm1@{reading}{end}"] for end in ("", ".fix"))

    def supposing(claim: Claim) -> tuple[Hypothesis, ...]:
        stays = active_throughout(reading)
        return tuple(stays if h.name == "active" else h for h in claim.hypotheses)

    printed = replace(
        theorem,
        id=f"lj22.sig1.i@{reading}",
        source=final("Significance of Theorem 1"),
        title="matrix invariance, integrated, on neurons active throughout",
        statement=INTEGRATED + SEVEN + "." + LOCALLY,
        hypotheses=supposing(theorem),
        depends=(theorem.id,),
        reading_text=f"{ACT_WORDS[reading]}; item 6: {SIX_WORDS['A2']}",
    )
    repaired = replace(
        mended,
        id=f"{printed.id}.fix",
        source=printed.source,
        title="matrix invariance, integrated, on neurons active throughout, where differentiable",
        statement=printed.statement + AT_GRADIENTS + REPAIR_SIX.replace("Repaired", "Item 6"),
        hypotheses=supposing(mended),
        depends=(mended.id,),
        repairs=printed.id,
        proof=integrated,
    )
    return printed, repaired


CLAIMS = tuple(claim for reading in "AB" for claim in _claims(reading))
