"""What Theorem 1 is said to give for neurons active throughout training: (6), integrated."""

from __future__ import annotations

from dataclasses import replace

from verify.core.argument import Argument
from verify.core.claim import Kind
from verify.papers.lj22.channel_proofs import active_channels
from verify.papers.lj22.matrices import AT_A_KINK
from verify.papers.lj22.sources import final
from verify.papers.lj22.suppositions import Supposed
from verify.papers.lj22.theorem1 import (
    ACT_WORDS,
    ALL_ITEMS,
    AT_GRADIENTS,
    SEVEN,
    law,
    pool_of,
    supposed_of,
)
from verify.statements.mending import mended
from verify.statements.network_hypotheses import DIFFERENTIABLE, FLOW_SELECTION
from verify.statements.stated import stated

INTEGRATED = (
    "For a set of neurons active throughout training (vacuously true for linear layers) the "
    r"integrated form holds: $$[W_2(t)^\top W_2(t)]-[W_1(t)W_1(t)^\top]=[W_2(0)^\top W_2(0)]-"
    r"[W_1(0)W_1(0)^\top]$$ for the submatrix restricted to these neurons, for "
)
LOCALLY = (
    " (At a time within an interval in which they stay active: the two sides have equal "
    "derivatives. In item 6 $W_2$ is $Y$ over $Z$.)"
)
CONSTANT = "an absolutely continuous function whose derivative is 0 almost everywhere is constant"


THROUGHOUT = "active throughout"
SAYS = law(ALL_ITEMS, active=True)


def integrated() -> Argument:
    """(6) at almost every time, integrated."""
    argument = active_channels(THROUGHOUT)
    return replace(
        argument,
        summary=f"{argument.summary}; integrated over the times at which they are active",
        trusted=(*argument.trusted, CONSTANT),
    )


# A preactivation that is not 0 keeps its sign for some time. One that is 0 stays 0 where the flow
# has it so: in a sleeping neuron and in a slide, and no other one is admitted with a law.
SUPPOSED = supposed_of(
    ALL_ITEMS,
    Supposed(ALL_ITEMS).active(THROUGHOUT, ", from the time looked at on for some time"),
)
PRINTED = stated(
    "lj22.sig1.i@A",
    final("Significance of Theorem 1"),
    "matrix invariance, integrated, on neurons active throughout",
    INTEGRATED + SEVEN + "." + LOCALLY,
    SAYS,
    (*SUPPOSED, FLOW_SELECTION),
    kind=Kind.LAW,
    depends=("lj22.thm1-1@A",),
    pool=pool_of(ALL_ITEMS, dormant=0.4),
    reading="A",
    reading_text=ACT_WORDS,
    why=AT_A_KINK,
)
REPAIRED = mended(
    PRINTED,
    f"{PRINTED.title}, where differentiable",
    PRINTED.statement + AT_GRADIENTS,
    SAYS,
    (*SUPPOSED, DIFFERENTIABLE),
    depends=("lj22.thm1-1@A.fix",),
    pool=pool_of(ALL_ITEMS),
    proof=integrated,
)

CLAIMS = (PRINTED, REPAIRED)
