"""A spectrum: numbers lambda_1, ..., lambda_d, eigenvalues of a second moment matrix.

What is supposed of them, and what is proved: sums of squares are at most squares of sums, and the
inequality of Cauchy and Schwarz as in (56) and (85). Each function adds its steps to a proof.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import NamedTuple

from verify.cases.tensors import Tensors
from verify.language.building import Each, Sum, Vector, When, dim, sqrt, upto
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term
from verify.papers.dkbhl20.drawing import spectrum
from verify.statements.stated import Given, pool_with

HALF = Fraction(1, 2)
LAMBDA = Vector("lambda", "d")
PLACES = upto(dim(LAMBDA))


def power_sum(power: int) -> Term:
    """sum_i lambda_i^power."""
    return Sum(PLACES, lambda i: LAMBDA[i] ** power)


# cases --------------------------------------------------------------------------------------------
def with_numbers(case: Tensors, numbers: list[Fraction], *, held: bool = False) -> Tensors:
    """The case with another spectrum."""
    old = case.arrays["lambda"]
    changed = replace(old, shape=(len(numbers),), entries=tuple(numbers), held=held)
    return case.changing(**{"lambda": changed})


def _drawn(case: Tensors, random: Random) -> Tensors:
    if random.random() < 0.5:
        return case
    return with_numbers(case, spectrum(case.lengths["d"], random))


SPECTRA = pool_with(LAMBDA, largest=6, adapt=_drawn)


def _negative(case: Tensors, random: Random) -> Tensors:
    first, *others = case.arrays["lambda"].entries
    return with_numbers(case, [-abs(first) - 1, *others])


def _to_trace_d(case: Tensors, random: Random) -> Tensors:
    entries = case.arrays["lambda"].entries
    total, size = sum(entries), len(entries)
    if total <= 0:
        return with_numbers(case, spectrum(size, random), held=True)
    return with_numbers(case, [x * size / total for x in entries], held=True)


def _other_trace(case: Tensors, random: Random) -> Tensors:
    """All of them times a number (where their sum is 0, it is not d already)."""
    factor = random.choice((Fraction(2), Fraction(3), HALF, Fraction(1, 3)))
    return with_numbers(case, [x * factor for x in case.arrays["lambda"].entries])


NON_NEGATIVE = Given(
    "eigenvalues at least 0",
    Each(PLACES, lambda i: LAMBDA[i] >= 0),
    r"$\lambda_i\ge0$: they are eigenvalues of a positive semidefinite matrix",
    lambda case, random: with_numbers(
        case, [abs(x) for x in case.arrays["lambda"].entries], held=case.arrays["lambda"].held
    ),
    _negative,
)
TRACE_D = Given(
    "trace d",
    power_sum(1) == dim(LAMBDA),
    r"$\sum_i\lambda_i=d$",
    _to_trace_d,
    _other_trace,
    thin=True,
)


# proofs -------------------------------------------------------------------------------------------
class Numbers(NamedTuple):
    """Numbers at least 0. many: their indices. number: of an index. positive: from the fact that
    an index is one of them, that its number is at least 0."""

    many: Term
    number: Callable[[Term], Term]
    positive: Callable[[Fact], Fact]

    def total(self, power: int) -> Term:
        """The sum of their powers."""
        return Sum(self.many, lambda i: self.number(i) ** power)


def at_most_total(proof: Proof, numbers: Numbers, i: Term, member: Fact) -> Fact:
    """A number is at most the sum of all: the others are at least 0."""
    own = numbers.number(i)

    def one(j: Term, inside: Fact) -> Fact:
        value, same = numbers.number(j), When(j == i, 1, 0)
        bound = value >= same * own

        def at(known: Fact) -> Fact:
            chosen = proof.branch(same, known)
            there = proof.same(value == own, [known])
            return proof.algebra(bound, {there: 1, chosen: -own})

        def elsewhere(known: Fact) -> Fact:
            chosen = proof.branch(same, known)
            return proof.algebra(bound, {numbers.positive(inside): 1, chosen: -own})

        return proof.cases(j == i, at, elsewhere)

    whole = proof.summed(numbers.many, one)
    times = Sum(numbers.many, lambda j: When(j == i, 1, 0))
    once = proof.some(times >= 1, member)
    return proof.algebra(numbers.total(1) >= own, {whole: 1, (once, numbers.positive(member)): 1})


def squares_of_sums(proof: Proof, numbers: Numbers) -> Fact:
    """sum l^2 <= (sum l)^2."""

    def one(i: Term, member: Fact) -> Fact:
        below, positive = at_most_total(proof, numbers, i, member), numbers.positive(member)
        own = numbers.number(i)
        return proof.algebra(own * numbers.total(1) >= own**2, {(below, positive): 1})

    whole = proof.summed(numbers.many, one)
    return proof.algebra(numbers.total(2) <= numbers.total(1) ** 2, {whole: 1})


def cauchy_schwarz(proof: Proof, numbers: Numbers) -> Fact:
    """(sum l^2)^2 <= sum l sum l^3: l_i l_j (l_i - l_j)^2 over all i and j."""

    def pair(i: Term, first: Fact, j: Term, second: Fact) -> Fact:
        one, other = numbers.number(i), numbers.number(j)
        both = numbers.positive(first), numbers.positive(second)
        return proof.algebra(
            one * other**3 + one**3 * other >= 2 * one**2 * other**2,
            {},
            [(1, one - other, *both)],
        )

    def row(i: Term, first: Fact) -> Fact:
        return proof.summed(numbers.many, lambda j, second: pair(i, first, j, second))

    whole = proof.summed(numbers.many, row)
    bound = numbers.total(2) ** 2 <= numbers.total(1) * numbers.total(3)
    return proof.algebra(bound, {whole: HALF})


def below_root(proof: Proof, left: Term, right: Term, squared: Fact) -> Fact:
    """x <= sqrt(y) from x^2 <= y."""
    radicand = proof.algebra(right >= 0, {squared: 1}, [left])
    positive, square = proof.lemma("root", radicand, x=right)
    bound = left <= sqrt(right)

    def above(known: Fact) -> Fact:
        more = proof.algebra(left**2 > right, {(known, known): 1, (known, positive): 2, square: 1})
        return proof.absurd(bound, more, squared)

    return proof.cases(bound, lambda known: proof.algebra(bound, {known: 1}), above)


def of_case(proof: Proof) -> Numbers:
    """The spectrum of the case."""
    positive = proof.given[NON_NEGATIVE.name]
    return Numbers(PLACES, lambda i: LAMBDA[i], lambda member: proof.at(positive, member))
