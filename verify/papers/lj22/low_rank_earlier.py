"""Theorem 2 and Lemma 10 of the earlier version, without a condition on activations; with |W|."""

from __future__ import annotations

from dataclasses import replace

from verify.claim import Claim, Kind
from verify.papers.lj22.low_rank import (
    GATED,
    NO_DIVISOR,
    NO_SHIFT,
    ON_A_RAY,
    SHUFFLED,
    Theorem,
)
from verify.papers.lj22.low_rank_measures import block_norms, bound
from verify.papers.lj22.solutions import NETWORK, free_block, solution
from verify.papers.lj22.sources import earlier
from verify.plans import gated_tail, narrow_tail, single_block
from verify.point_hypotheses import NONZERO_WEIGHTS
from verify.rays import RAY
from verify.solution_pool import SolutionPool

EARLIER = Theorem(
    "lj22v1.thm2",
    earlier,
    False,
    SolutionPool(gated_tail),
    SolutionPool(narrow_tail),
    (f"{NO_DIVISOR}; and {GATED}", GATED),
)
PRINTED = EARLIER.bound()
ABSOLUTE = replace(
    PRINTED,
    id="lj22v1.abs.thm2-13@A",
    source=earlier("end of Appendix B"),
    title="bound (13) with absolute values",
    statement=f"With $|W|$ for every matrix $W$: {PRINTED.statement}",
    hypotheses=(*EARLIER.given, NONZERO_WEIGHTS, solution(RAY)),
    depends=(PRINTED.id,),
    measure=bound(absolute=True),
    pool=SolutionPool(gated_tail, nonzero=True),
    reading_text=f"each matrix is replaced by that of its absolute values; {PRINTED.reading_text}",
)

BLOCK = Claim(
    "lj22v1.lemma10.flow",
    Kind.LIMIT,
    earlier("Lemma 10, (61)-(69)"),
    "shuffling a ResNetFree block with any activations, some constant for all times",
    SHUFFLED + "Measured: whether any $D'$ will do for all times.",
    (free_block(), *NETWORK, solution(RAY)),
    measure=block_norms,
    pool=SolutionPool(single_block, (RAY,), obtuse=True, rarity=10),
    exact_only=True,
    negated=NO_SHIFT,
    through=ON_A_RAY,
    why=r"with ReLU inside the block $U^\top U-YY^\top$ is not kept: of neurons that are active on "
    r"different examples only the diagonal is, so $\lVert U\rVert_2$ outgrows $\lVert Y\rVert_2$",
)

CLAIMS = (*EARLIER.claims(), ABSOLUTE, BLOCK)
