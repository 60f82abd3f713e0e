"""What Theorem 1 is said to give for neurons active throughout training: (6), integrated."""

from __future__ import annotations

from dataclasses import replace

from verify.argument import Argument
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis
from verify.papers.lj22.channel_proofs import active_channels
from verify.papers.lj22.frames import gram_rate
from verify.papers.lj22.matrices import AT_A_KINK
from verify.papers.lj22.sources import final
from verify.papers.lj22.suppositions import active
from verify.papers.lj22.theorem1 import (
    ACT_WORDS,
    ALL_ITEMS,
    AT_GRADIENTS,
    COMMON,
    SEVEN,
    architecture_of,
    pool_of,
)
from verify.point_hypotheses import DIFFERENTIABLE, FLOW_SELECTION

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


def active_throughout() -> Hypothesis:
    """Both neurons of an entry are active, and stay so for some time.

    A preactivation that is not 0 keeps its sign for some time. One that is 0 stays 0 where the flow
    has it so: in a sleeping neuron and in a slide, and no other one is admitted with a law.
    """
    at_a_time = active()
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


SUPPOSED = (architecture_of(ALL_ITEMS), active_throughout(), *COMMON)
PRINTED = Claim(
    "lj22.sig1.i@A",
    Kind.LAW,
    final("Significance of Theorem 1"),
    "matrix invariance, integrated, on neurons active throughout",
    INTEGRATED + SEVEN + "." + LOCALLY,
    (*SUPPOSED, FLOW_SELECTION),
    ("lj22.thm1-1@A",),
    measure=gram_rate,
    pool=pool_of(ALL_ITEMS, dormant=0.4),
    reading="A",
    reading_text=ACT_WORDS,
    why=AT_A_KINK,
)
REPAIRED = replace(
    PRINTED,
    id="lj22.sig1.i@A.fix",
    title="matrix invariance, integrated, on neurons active throughout, where differentiable",
    statement=PRINTED.statement + AT_GRADIENTS,
    hypotheses=(*SUPPOSED, DIFFERENTIABLE, FLOW_SELECTION),
    depends=("lj22.thm1-1@A.fix",),
    pool=pool_of(ALL_ITEMS),
    repairs=PRINTED.id,
    expanded=True,
    proof=integrated,
    why="",
)

CLAIMS = (PRINTED, REPAIRED)
