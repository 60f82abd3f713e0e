"""The remark on the number of hidden units: blocks of layers, each of one width.

The layer that joins two widths is not described; here it is BN(V H) with a matrix V of e x d
entries. "The rank preservation property holds in each block" has two readings. A: each block begins
(and so goes on) with the rank that Theorem 14 and Corollary 15 suppose of an input: its width. B:
the averages of r in each block are at least sqrt((1 - alpha) d_b), alpha that of the block. A
narrow block bounds the rank of all later ones: A fails where widths grow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.derivations.matrix_words import EVERY_SIZE, IDENTITY, matrix
from verify.hypotheses import Hypothesis, by_case
from verify.normalised_pool import chain_pool, gaussian_row, rows_of
from verify.normalised_scene import Chained, ChainScene
from verify.papers.dkbhl20.lemma10 import rank_of_rows
from verify.papers.dkbhl20.rank_two import FULL_RANK
from verify.papers.dkbhl20.sources import printed
from verify.quantities import with_rows
from verify.sampling import Arm, Sampled
from verify.vocabulary import Entries

if TYPE_CHECKING:
    from numerics.chains.normalised import Seen

JOINTS = chain_pool("H", extras=(("V", ("e", "d")),))


# the rank behind a joint --------------------------------------------------------------------------
def _is_full(case: Chained) -> bool:
    rows = rows_of(case.arrays["V"])
    return rank_of_rows(rows) == min(len(rows), len(rows[0]))


def _to_full(case: Chained, random: Random) -> Chained:
    for _ in range(8):
        if _is_full(case):
            break
        height, width = case.arrays["V"].shape
        case = with_rows(case, "V", [gaussian_row(width, random) for _ in range(height)])
    return case


def _not_full(case: Chained, random: Random) -> Chained:
    rows = rows_of(case.arrays["V"])
    return with_rows(
        case,
        "V",
        [rows[0]] * len(rows) if random.random() < 0.7 else [[x * 0 for x in row] for row in rows],
    )


GENERIC = Hypothesis(
    "V of full rank",
    r"the matrix $V\in\mathbb R^{e\times d}$ that joins two widths has rank $\min(d,e)$, as "
    r"independent draws of a law with a density have almost surely",
    by_case(_is_full),
    _to_full,
    _not_full,
)


def rank_behind(scene: ChainScene, *, narrow: bool) -> Entries:
    """rank(V H) - e, or with narrow that less min(d, e). BN multiplies rows by numbers above 0."""
    joined = scene["V"] @ scene["H"]
    width = scene.lengths["e"]
    expected = min(width, scene.width) if narrow else width
    return scene.compare(scene.numbers(scene.rank_of(joined)), scene.constant(expected))


def full_whatever(scene: ChainScene) -> Entries:
    """rank(V H) - e."""
    return rank_behind(scene, narrow=False)


def least_of_widths(scene: ChainScene) -> Entries:
    """rank(V H) - min(d, e)."""
    return rank_behind(scene, narrow=True)


def joint_keeps_the_rank() -> Argument:
    """V = (V H) R with H R = I."""
    v, hidden, inverse = matrix("V"), matrix("H"), matrix("R")
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
        "least_of_widths",
        ("input of rank d", "V of full rank"),
        section=34,
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
EXACT = Claim(
    "dkbhl20.varwidth@A",
    Kind.INEQUALITY,
    printed(PLACE),
    "blocks of different width",
    rf"{REMARK}.",
    (FULL_RANK, GENERIC),
    ("dkbhl20.cor15.a.fix",),
    full_whatever,
    JOINTS,
    "A",
    r"a block of width $e$ that follows one of width $d$ begins with a matrix of rank $e$, as "
    "Theorem 14 and Corollary 15 suppose",
    exact_only=True,
)
CLAIMS = (
    EXACT,
    replace(
        EXACT,
        id="dkbhl20.varwidth@A.fix",
        title="blocks of different width, repaired",
        statement=rf"{REMARK}: a block of width $e$ that follows one of width $d$ begins with a "
        r"matrix of rank $\min(d,e)$.",
        measure=least_of_widths,
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
