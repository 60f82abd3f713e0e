"""The remark on the number of hidden units: blocks of layers, each of one width.

The layer that joins two widths is not described; here it is BN(V H) with a matrix V of e x d
entries. "The rank preservation property holds in each block" has two readings. A: each block begins
(and so goes on) with the rank that Theorem 14 and Corollary 15 suppose of an input: its width. B:
the averages of r in each block are at least sqrt((1 - alpha) d_b), alpha that of the block. A
narrow block bounds the rank of all later ones: A fails where widths grow.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.kinds.statistics.sampling import Arm, Sampled
from verify.language.building import Matrix, cols, rank, rows, smaller
from verify.papers.dkbhl20.drawing import gaussian_row, in_roles
from verify.papers.dkbhl20.invariance import FULL_RANK
from verify.papers.dkbhl20.sources import printed
from verify.statements.derivations.matrix_words import EVERY_SIZE, IDENTITY, matrix
from verify.statements.quantities import rows_of, with_rows
from verify.statements.stated import Given, pool_with, stated, unless

if TYPE_CHECKING:
    from numerics.chains.normalised import Seen

H, V = Matrix("H", "d", "N"), Matrix("V", "e", "d", meaning="what joins two widths")
JOINTS = pool_with(H, V, adapt=in_roles("H"))
LEAST = smaller(rows(V), cols(V))


# the rank behind a joint --------------------------------------------------------------------------
def _to_full(case: Tensors, random: Random) -> Tensors:
    height, width = case.arrays["V"].shape
    return with_rows(case, "V", [gaussian_row(width, random) for _ in range(height)])


def _not_full(case: Tensors, random: Random) -> Tensors:
    lines = rows_of(case, "V")
    factor = int(random.random() < 0.7)
    return with_rows(case, "V", [[factor * x for x in lines[0]] for _ in lines])


SUPPOSED = (
    FULL_RANK,
    Given(
        "V of full rank",
        rank(V) == LEAST,
        r"the matrix $V\in\mathbb R^{e\times d}$ that joins two widths has rank $\min(d,e)$, as "
        r"independent draws of a law with a density have almost surely",
        unless(rank(V) == LEAST, _to_full),
        _not_full,
    ),
)
WHATEVER, NARROWER = rank(V @ H) >= rows(V), rank(V @ H) >= LEAST


def joint_keeps_the_rank() -> Argument:
    """V = (V H) R with H R = I."""
    v, hidden, inverse = map(matrix, "VHR")
    product = v @ hidden @ inverse
    return Argument(
        "an H of rank d has a right inverse R, so V = (V H) R has at most the rank of V H, which "
        "has at most that of V",
        (
            Step(
                "V H R = V where H R is the identity",
                (product.replaced(("H", "R"), ()) - v @ IDENTITY).is_zero and not v.is_zero,
            ),
        ),
        (EVERY_SIZE, "the rank of a product is at most that of each factor"),
        ("input of rank d", "V of full rank"),
        section="docs/mathematics/dkbhl20.md#corollary-15",
    )


# blocks -------------------------------------------------------------------------------------------
GROWING, FALLING, MIXED = (8, 16, 32), (32, 16, 8), (16, 4, 32)
SEQUENCES = (((4, 8),), (GROWING, FALLING, MIXED), ((8, 16, 32, 64), (64, 32, 16, 8), (16, 4, 64)))
LENGTHS = ((50,), (1, 2000), (1, 100, 10_000))
STRENGTHS = ((1.0,), (0.1, inf), (0.05, 0.1, 1.0, inf))
BURN_IN = 5  # of a block's layers one in so many is left out


def blocks_of(
    widths: Sequence[int], length: int, gamma: float, count: int, generator: np.random.Generator
) -> list[Seen]:
    """Run chains of `length` layers at each width in turn, from one Gaussian input with as many
    samples as the largest width."""
    import torch

    from numerics.chains import laws
    from numerics.chains.inputs import full
    from numerics.chains.normalised import joined_to_width, run
    from numerics.chains.observables import Plan

    own = torch.Generator().manual_seed(int(generator.integers(2**31)))
    states = full(own, count, widths[0], max(widths))
    seen: list[Seen] = []
    for width in widths:
        seeds = [int(seed) for seed in generator.integers(2**31, size=(2, count)).reshape(-1)]
        law = laws.named("W-U3", width)
        if seen:
            states = joined_to_width(states, width, law, seeds[count:])
        plan = Plan(length, length // BURN_IN)
        seen.append(run(states, law, gammas=gamma, seeds=seeds[:count], plan=plan, threads=1))
        states = seen[-1].states
    return seen


def above_root_of_block(seen: Seen, width: int) -> np.ndarray:
    """(C,): the average of r in a block less sqrt((1 - alpha) d_b)."""
    rest = np.maximum(1 - seen.regularity().value, 0)
    return np.asarray(seen.mean("r") - np.sqrt(rest * width))


def block_arms(scale: int) -> list[Arm]:
    """The least slack over the blocks of each sequence."""
    arms = []
    for widths in SEQUENCES[scale]:
        for length in LENGTHS[scale]:
            for gamma in STRENGTHS[scale]:

                def draw(
                    count: int,
                    generator: np.random.Generator,
                    widths: Sequence[int] = widths,
                    length: int = length,
                    gamma: float = gamma,
                ) -> np.ndarray:
                    blocks = blocks_of(widths, length, gamma, count, generator)
                    pairs = zip(blocks, widths, strict=True)
                    slacks = [above_root_of_block(*pair) for pair in pairs]
                    return np.asarray(np.min(slacks, axis=0))

                strength = "inf" if gamma == inf else f"{gamma:g}"
                words = " to ".join(map(str, widths))
                arms.append(Arm(f"{words}, {length} layers each, gamma = {strength}", draw))
    return arms


# claims -------------------------------------------------------------------------------------------
PLACE = "A remark on the number of hidden units, Appendix E; footnote 3"
REMARK = (
    "The result extends to networks made of blocks of constant width: the rank preservation "
    "property holds in each block after applying BN"
)
READING = (
    r"a block of width $e$ that follows one of width $d$ begins with a matrix of rank $e$, as "
    "Theorem 14 and Corollary 15 suppose"
)
CLAIMS = (
    stated(
        "dkbhl20.varwidth@A",
        printed(PLACE),
        "blocks of different width",
        rf"{REMARK}.",
        WHATEVER,
        SUPPOSED,
        pool=JOINTS,
        depends=("dkbhl20.cor15.a.fix",),
        reading="A",
        reading_text=READING,
    ),
    stated(
        "dkbhl20.varwidth@A.fix",
        printed(PLACE),
        "blocks of different width, repaired",
        rf"{REMARK}: a block of width $e$ that follows one of width $d$ begins with a "
        r"matrix of rank $\min(d,e)$.",
        NARROWER,
        SUPPOSED,
        pool=JOINTS,
        depends=("dkbhl20.cor15.a.fix",),
        reading="A",
        reading_text=READING,
        repairs="dkbhl20.varwidth@A",
        proof=joint_keeps_the_rank,
    ),
    Claim(
        "dkbhl20.varwidth@B",
        Kind.EXPECTATION,
        printed(PLACE),
        "blocks of different width",
        rf"{REMARK}.",
        depends=("dkbhl20.thm14.d.fix",),
        reading="B",
        reading_text=r"the average of $r$ in each block is at least $\sqrt{(1-\alpha)d_b}$, "
        r"$\alpha$ that of the block",
        sampled=Sampled(
            "the least over the blocks of the average of r minus sqrt((1 - alpha) d_b)",
            block_arms,
            scope=("W-U3, a Gaussian input with as many samples as the largest width",),
        ),
    ),
)
