"""The arguments for Lemma 4 (Appendix C): words in H, W and S, a diagonal matrix of signs."""

from __future__ import annotations

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.statements.derivations.matrix_words import EVERY_SIZE, Words, matrix, number

SAME_LAW = "the entries of SWS are independent with the law of those of W, which is symmetric"
ONLY_ONE = "where the invariant law is unique, two invariant laws are equal"


def without_pairs(words: Words) -> Words:
    """S S = I."""
    return words.replaced(("S", "S"), ())


def half_steps() -> Step:
    """H + gamma SWSH = S (SH + gamma WSH)."""
    signs = matrix("S", symmetric=True)
    hidden, weights, gamma = matrix("H"), matrix("W"), number("gamma")
    one = hidden + gamma @ signs @ weights @ signs @ hidden
    other = signs @ (signs @ hidden + gamma @ weights @ signs @ hidden)
    gap = without_pairs(other) - one
    return Step("S (SH + gamma WSH) = H + gamma SWSH where SS = I", gap.is_zero)


def odd_step() -> Step:
    """-H + gamma W (-H) = -(H + gamma W H)."""
    hidden, weights, gamma = matrix("H"), matrix("W"), number("gamma")
    one = -hidden + gamma @ weights @ -hidden
    return Step(
        "-H + gamma W(-H) = -(H + gamma W H)",
        (one + hidden + gamma @ weights @ hidden).is_zero and not one.is_zero,
    )


def the_chain_is_odd() -> Argument:
    """With H the chain takes -H to minus the next layer, whatever the law of W."""
    return Argument(
        "a layer of -H is minus that of H, so the law of -H is invariant too, for every law of W",
        (odd_step(),),
        (
            EVERY_SIZE,
            ONLY_ONE,
            "BN multiplies rows by positive numbers that H and -H share",
            "a law that is that of its negative gives 1 and -1 one probability, and has the mean 0",
        ),
        ("unique invariant law", "law on signs", "invariant law (38)"),
        section="docs/mathematics/dkbhl20.md#lemma-4",
    )


def the_steps_turn() -> Argument:
    """By SWS u goes to u' where by W Su goes to Su'."""
    return Argument(
        "u + gamma SWSu = S (Su + gamma WSu), and SWS has the law of W",
        (half_steps(),),
        (EVERY_SIZE, SAME_LAW),
        ("symmetric law", "independent entries", "S of signs"),
        section="docs/mathematics/dkbhl20.md#lemma-4",
    )


def products_are_odd() -> Argument:
    """S with one entry -1 turns the sign of M_ij."""
    ring = ring_of(2)
    one, other = ring.generators
    odd = ring.is_zero((-one) * other + one * other)
    return Argument(
        "the law of SH is invariant too, and with S_ii = -1 alone M_ij changes its sign",
        (half_steps(), Step("(-u_i) u_j = -u_i u_j", odd)),
        (EVERY_SIZE, SAME_LAW, ONLY_ONE, "BN multiplies rows by positive numbers"),
        (
            *("symmetric law", "independent entries", "unique invariant law", "two rows or more"),
            *("law on signs", "invariant law (38)"),
        ),
        section="docs/mathematics/dkbhl20.md#lemma-4",
    )


def the_law_turns() -> Argument:
    """S BN(H + gamma SWSH) = BN(SH + gamma WSH), and SWS has the law of W."""
    return Argument(
        "SH_+ = BN(SH + gamma WSH) where H_+ = BN(H + gamma SWSH), and SWS has the law of W",
        (half_steps(),),
        (EVERY_SIZE, SAME_LAW),
        (
            *("symmetric law", "independent entries", "S of signs"),
            *("law on signs", "invariant law (38)"),
        ),
        section="docs/mathematics/dkbhl20.md#lemma-4",
    )
