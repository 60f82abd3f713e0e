"""Theorem 2 and Lemma 10 of the earlier version, without a condition on activations; with |W|."""

from __future__ import annotations

from verify.cases.layer_plans import gated_tail, narrow_tail, single_block
from verify.core.claim import Kind
from verify.kinds.solutions.rays import RAY
from verify.kinds.solutions.solution_pool import SolutionPool
from verify.language.building import Each, w
from verify.papers.lj22.chains import ALL, ARE_LEARNABLE, ARE_OWN
from verify.papers.lj22.low_rank import (
    GATED,
    NO_CONSTANT,
    NO_DIVISOR,
    NO_SHIFT,
    ON_A_RAY,
    PRODUCT,
    SHUFFLING,
    Theorem,
)
from verify.papers.lj22.low_rank_terms import SHUFFLED, bound, is_free_block
from verify.papers.lj22.solutions import NETWORK, solution, supposed
from verify.papers.lj22.sources import earlier
from verify.statements.network_hypotheses import NONZERO_WEIGHTS
from verify.statements.stated import stated

EARLIER = Theorem(
    "lj22v1.thm2",
    earlier,
    False,
    SolutionPool(gated_tail),
    SolutionPool(narrow_tail),
    (f"{NO_DIVISOR}; and {GATED}", GATED),
)
PRINTED = EARLIER.bound()
ABSOLUTE = stated(
    "lj22v1.abs.thm2-13@A",
    earlier("end of Appendix B"),
    "bound (13) with absolute values",
    f"With $|W|$ for every matrix $W$: {PRINTED.statement}",
    bound(weight=lambda e: abs(w(e))),
    (*EARLIER.given, NONZERO_WEIGHTS, solution(RAY)),
    kind=Kind.LIMIT,
    depends=(PRINTED.id,),
    pool=SolutionPool(gated_tail, nonzero=True),
    reading="A",
    reading_text=f"each matrix is replaced by that of its absolute values; {PRODUCT}",
    negated=NO_CONSTANT,
    through=ON_A_RAY,
    why=EARLIER.why[0],
)
FREE_BLOCK = supposed(
    "ResNetFree",
    Each(ALL, is_free_block) & (ARE_LEARNABLE & ARE_OWN),
    r"a ResNetFree block, all its weights learnable",
)
BLOCK = stated(
    "lj22v1.lemma10.flow",
    earlier("Lemma 10, (61)-(69)"),
    "shuffling a ResNetFree block with any activations, some constant for all times",
    SHUFFLING + "Measured: whether any $D'$ will do for all times.",
    SHUFFLED,
    (FREE_BLOCK, *NETWORK, solution(RAY)),
    kind=Kind.LIMIT,
    pool=SolutionPool(single_block, (RAY,), obtuse=True, rarity=10),
    negated=NO_SHIFT,
    through=ON_A_RAY,
    why=r"with ReLU inside the block $U^\top U-YY^\top$ is not kept: of neurons that are active on "
    r"different examples only the diagonal is, so $\lVert U\rVert_2$ outgrows $\lVert Y\rVert_2$",
)

CLAIMS = (*EARLIER.claims(), ABSOLUTE, BLOCK)
