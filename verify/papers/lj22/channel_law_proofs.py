"""Theorem 1 behind a convolution: why the Gram matrices of two layers change alike.

The velocity of an entry is the sum of what the edges of its place do, one at each position. So an
entry of the first matrix at two channels changes by what arrives at all positions of the two, one
of the second by what leaves them: each is, example by example, the sum over positions of the
pre-activation of one times the sensitivity of the other.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.language.building import concat
from verify.language.proofs import Proof
from verify.papers.lj22.balance_proofs import SHARE
from verify.papers.lj22.dense_reader_proofs import Dense
from verify.papers.lj22.entry_proofs import Entries
from verify.papers.lj22.filter_reader_proofs import Filtered
from verify.papers.lj22.shared_channel_proofs import Channels, Reader
from verify.papers.lj22.suppositions import C, H, X

HEADS = {"5": C, "6": concat(H, C)}


def channel_law(item: str) -> Callable[[Proof], None]:
    """The proof of an item behind a convolution."""

    def reader(law: Channels) -> Reader:
        return Filtered(law) if item == "2" else Dense(law, HEADS[item])

    def prove(proof: Proof) -> None:
        law = Channels(proof, reader)
        leaving, arriving = proof.goal.args
        before = Entries(law, law.first, X, lambda x, c, k: (c, x, k)).rate_of(arriving)
        at_positions = proof.summed(law.first.many, law.at_position)
        behind = law.behind.rate_of(leaving)
        proof.algebra(proof.goal, {behind: 1, before: -1, at_positions: -SHARE})

    return prove
