"""Theorem 10: what several steps of its proof (Theorem 19) about numbers and lists suppose, and
what their proofs use.

Where a step multiplies powers of N and exponentials of partial norms, each power is a number of
its own (N = n^k, so that N^(1/k) = n) and so is each exponential.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from random import Random

from verify.cases.tensors import Tensors
from verify.language.building import Each, Filter, Matrix, Number, When, Whole, card, dim, upto
from verify.language.building import row as line
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term
from verify.statements.quantities import with_entries, with_value
from verify.statements.stated import Given, unless

PROOF = "proof of Theorem 19, "
p, k = Number("p"), Whole("k", 1, 6)
Z = Matrix("Z", "N", "n", meaning="the hidden representations, in their order")
GAPS = tuple(map(Fraction, ("0", "1/10", "1", "10")))


def how_many(many: Term, holds: Callable[[Term], Term]) -> Term:
    """The number of elements of which it is true."""
    return card(Filter(many, holds))


def step(m: Term) -> Term:
    """z_m - z_(m-1)."""
    return line(Z, m) - line(Z, m - 1)


def _entries_positive(vector: Term) -> Term:
    return Each(upto(dim(vector)), lambda i: vector[i] > 0)


def positive(text: str, *arrays: Term) -> Given:
    """That these numbers, and the entries of these vectors, are above 0."""
    names = [one.args[0].name for one in arrays]
    parts = [_entries_positive(one) if one.sort.name == "vec" else one > 0 for one in arrays]
    holds = reduce(lambda one, other: one & other, parts)

    def repair(case: Tensors, random: Random) -> Tensors:
        for name in names:
            entries = [abs(entry) or Fraction(1) for entry in case.arrays[name].entries]
            case = with_entries(case, name, entries)
        return case

    return Given("positive numbers", holds, text, repair)


PROPORTION = Given(
    "proportion",
    (p > 0) & (p < 1),
    r"$p\in(0,1)$",
    unless(
        (p > 0) & (p < 1),
        lambda case, random: with_value(
            case, "p", Fraction(random.choice((1, 2, 5, 10, 15, 18, 19)), 20)
        ),
    ),
)
DIMENSION = Given(
    "dimension",
    k > 1,
    r"$k^*>1$",
    unless(k > 1, lambda case, random: with_value(case, "k", random.randint(2, 5))),
    lambda case, random: with_value(case, "k", 1),
)


# proofs -------------------------------------------------------------------------------------------
def inverse(proof: Proof, b: Term, positive: Fact) -> tuple[Fact, Fact]:
    """b (1/b) == 1 and 1/b >= 0, of b > 0."""

    def impossible(zero: Fact) -> Fact:
        return proof.absurd(b != 0, proof.algebra(b <= 0, {zero: -1}), positive)

    nonzero = proof.cases(b != 0, lambda fact: proof.same(b != 0, [], of=fact), impossible)
    (unit,) = proof.lemma("reciprocal", nonzero, b=b)
    share = 1 / b
    return unit, proof.algebra(share >= 0, {unit: -share}, [(1, share, positive)])


def length(proof: Proof, size: Term, at_least_1: Fact) -> Fact:
    """card(1, ..., n) == n."""
    enough = proof.algebra(size + 1 >= 1, {at_least_1: 1, (): 1})
    (found,) = proof.lemma("length", enough, a=1, b=size)
    return found


def counted(
    proof: Proof, split: Term, yes: Callable[[Fact, Fact], Fact], no: Callable[[Fact, Fact], Fact]
) -> Fact:
    """What is proved where an element counts and where not, of that and of its count, 1 or 0."""
    count = When(split, 1, 0)
    return proof.cases(
        split,
        lambda fact: yes(fact, proof.branch(count, fact)),
        lambda fact: no(fact, proof.branch(count, fact)),
    )
