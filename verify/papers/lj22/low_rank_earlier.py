"""Theorem 2 and Lemma 10 of the earlier version, without a condition on activations; with |W|."""

from __future__ import annotations

from verify.claim import Claim, Kind
from verify.papers.lj22.low_rank import FRAME, NO_SHIFT, SHUFFLED, Theorem
from verify.papers.lj22.low_rank_measures import block_norms
from verify.papers.lj22.solutions import NETWORK, free_block, solution
from verify.papers.lj22.sources import earlier
from verify.plans import gated_tail, narrow_tail, single_block, thrice_tail
from verify.rays import INTERPOLATION, RAY
from verify.solution_pool import SolutionPool

EARLIER = Theorem(
    "lj22v1.thm2",
    earlier,
    False,
    SolutionPool(gated_tail),
    SolutionPool(narrow_tail),
    SolutionPool(narrow_tail, (RAY, INTERPOLATION)),
)
ABSOLUTE = Theorem(
    "lj22v1.abs.thm2",
    earlier,
    False,
    SolutionPool(gated_tail, nonzero=True),
    SolutionPool(thrice_tail, nonzero=True),
    SolutionPool(thrice_tail, (RAY, INTERPOLATION), nonzero=True),
    absolute=True,
)

FRAME_CLAIM = Claim(
    "lj22v1.thm2",
    Kind.DEFINITION,
    earlier("Theorem 2"),
    "the architecture and the constants of Theorem 2",
    FRAME % {"linear": ""},
)

BLOCK = Claim(
    "lj22v1.lemma10.flow",
    Kind.LIMIT,
    earlier("Lemma 10"),
    "shuffling a ResNetFree block with any activations, some constant for all times",
    SHUFFLED + "Measured: whether any $D'$ will do for all times.",
    (free_block(), *NETWORK, solution(RAY)),
    measure=block_norms,
    pool=SolutionPool(single_block, (RAY,), obtuse=True, rarity=10),
    exact_only=True,
    negated=NO_SHIFT,
)

CLAIMS = (
    FRAME_CLAIM,
    *EARLIER.claims(),
    *ABSOLUTE.claims(),
    BLOCK,
)
