"""Lemma 16: non-increasing bounded integer sequences with a large mean.

A sequence is given by its first K numbers y, the last of which it keeps; every sequence that the
lemma speaks of is one, since it falls finitely often. The limit of the means is that number.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.language.building import (
    Each,
    Filter,
    Number,
    Some,
    Sum,
    Vector,
    When,
    Whole,
    between,
    dim,
    floor,
    implies,
    upto,
)
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term
from verify.papers.dkbhl20.drawing import held
from verify.papers.dkbhl20.sources import printed
from verify.statements.quantities import with_entries, with_value
from verify.statements.stated import Given, pool_with, stated

Y = Vector("y", "K", meaning="the first numbers of a sequence that keeps the last of them")
ALPHA, N = Number("alpha"), Whole("N", 1, 20)
SIZE = dim(Y)
LIMIT = Y[SIZE]
HALF = Fraction(1, 2)


# cases --------------------------------------------------------------------------------------------
def _numbers(case: Tensors) -> list[Fraction]:
    return list(case.arrays["y"].entries)


def _sequence(case: Tensors, entries: Sequence[Fraction]) -> Tensors:
    return held(with_entries(case, "y", entries), "y")


def _away(case: Tensors, distance: Fraction) -> Tensors:
    """alpha so far from the last number."""
    return with_value(case, "alpha", _numbers(case)[-1] + distance)


def _drawn(case: Tensors, random: Random) -> Tensors:
    """Mostly a falling sequence of integers, and alpha near one of them."""
    if random.random() < 0.3:
        return case
    fallen = sorted((Fraction(random.randint(-3, 6)) for _ in _numbers(case)), reverse=True)
    near = random.choice(fallen) + random.choice((0, 0, -1, 1)) * HALF
    return with_value(with_entries(case, "y", fallen), "alpha", near)


SEQUENCES = pool_with(Y, ALPHA, largest=5, adapt=_drawn)


def _rising(case: Tensors, random: Random) -> Tensors:
    """The last number above all others, and alpha just below it."""
    entries = _numbers(case)
    if len(entries) == 1:
        return case
    entries[-1] = max(entries) + random.randint(1, 3)
    return _away(with_entries(case, "y", entries), -HALF)


def _to_some_below(case: Tensors, random: Random) -> Tensors:
    some = min(_numbers(case)) < case.number("alpha")
    return case if some else _away(case, Fraction(random.choice((1, 2, 4)), 4))


def _to_limit_above(case: Tensors, random: Random) -> Tensors:
    above = case.number("alpha") < _numbers(case)[-1]
    return case if above else _away(case, -Fraction(random.choice((1, 2, 4)), 4))


# hypotheses ---------------------------------------------------------------------------------------
NON_INCREASING = Given(
    "non-increasing",
    Each(upto(SIZE), lambda k: Each(between(k, SIZE), lambda m: Y[m] <= Y[k])),
    r"$y_m\le y_k$ for $m\ge k$",
    lambda case, random: _sequence(case, sorted(_numbers(case), reverse=True)),
    _rising,
)
INTEGERS = Given(
    "integers",
    Each(upto(SIZE), lambda k: floor(Y[k]) == Y[k]),
    r"the $y_k$ are bounded integers (a non-increasing sequence of these is constant from some "
    r"index on)",
    lambda case, random: _sequence(case, [Fraction(round(x)) for x in _numbers(case)]),
    lambda case, random: with_entries(case, "y", [x + Fraction(1, 3) for x in _numbers(case)]),
    thin=True,
)
LIMIT_ABOVE = Given(
    "limit of the means above alpha",
    LIMIT > ALPHA,
    r"$\lim_{N\to\infty}\sum_{k=1}^Ny_k/N$ exists and is greater than $\alpha$",
    _to_limit_above,
    lambda case, random: _away(case, Fraction(random.choice((0, 1, 2, 4)), 2)),
)
SOME_BELOW = Given(
    "a number below alpha",
    Some(upto(SIZE), lambda k: Y[k] < ALPHA),
    r"$y_n<\alpha$ for some $n$",
    _to_some_below,
    lambda case, random: _away(case, -Fraction(random.choice((0, 1, 2)), 2)),
)


# what is said, and proofs -------------------------------------------------------------------------
BELOW = Filter(upto(SIZE), lambda k: Y[k] < ALPHA)
LARGE = Each(upto(SIZE), lambda k: Y[k] >= ALPHA)


def _later(n: Term) -> Term:
    """y_m < alpha for m > n."""
    return Each(between(n + 1, SIZE), lambda m: Y[m] < ALPHA)


def _number(n: Term) -> Term:
    """y_n: the last number is kept."""
    return Y[When(n <= SIZE, n, SIZE)]


STRICTLY = Each(
    upto(N), lambda n: implies(_number(n) < ALPHA, _later(n) & (Y[SIZE] < (N - n) / N * ALPHA))
)
MENDED = Each(BELOW, _later) & (LIMIT < ALPHA)


def _last_is_least(proof: Proof, k: Term, member: Fact) -> Fact:
    """y_k is at least the last number."""
    _, inside, _ = proof.lemma("in a range", member, a=1, b=SIZE, k=k)
    size = SIZE
    above, end = proof.algebra(size >= k, {inside: 1}), proof.algebra(size <= size, {})
    (last,) = proof.lemma("into a range", above, end, a=k, b=size, k=size)
    return proof.at(proof.at(proof.given[NON_INCREASING.name], member), last)


def all_are_large(proof: Proof) -> None:
    """alpha < lim <= y_k."""
    fallen = _last_is_least(proof, proof.elements[0], proof.way[0])
    above = proof.algebra(LIMIT >= ALPHA, {proof.given[LIMIT_ABOVE.name]: 1})
    proof.algebra(proof.goal, {fallen: 1, above: 1})


def later_are_below(proof: Proof) -> None:
    """y_m <= y_n < alpha."""
    (n, m), (chosen, later) = proof.elements, proof.way
    both = proof.filtered(chosen)
    member, below = proof.part(both, 0), proof.part(both, 1)
    first, end, _ = proof.lemma("in a range", later, a=n + 1, b=SIZE, k=m)
    (inside,) = proof.lemma(
        "into a range", proof.algebra(m >= n, {first: 1}, [1]), end, a=n, b=SIZE, k=m
    )
    fallen = proof.at(proof.at(proof.given[NON_INCREASING.name], member), inside)
    proof.algebra(proof.goal, {fallen: 1, below: 1})


def limit_is_below(proof: Proof) -> None:
    """Were it not, no number would be below alpha."""

    def not_below(known: Fact) -> Fact:
        def none(k: Term, member: Fact) -> Fact:
            fallen = _last_is_least(proof, k, member)
            counted = When(Y[k] < ALPHA, 1, 0)
            return proof.branch(counted, proof.algebra(Y[k] >= ALPHA, {fallen: 1, known: 1}))

        total = proof.summed(upto(SIZE), none)
        some = proof.some(total.term.args[0] >= 1, proof.given[SOME_BELOW.name])
        return proof.absurd(
            proof.goal, proof.algebra(Sum(upto(SIZE), lambda _: 0) >= 1, {some: 1, total: -1})
        )

    proof.cases(proof.goal, lambda known: proof.algebra(proof.goal, {known: 1}), not_below)


CONSTANT_AT_LAST = (
    "a non-increasing bounded sequence of integers is constant from some index on, and its means "
    "tend to that number"
)
CHAIN = (
    r"If $y_n<\alpha$, then $y_m<\alpha$ for $m>n$ and $\lim_N\sum_{k\le N}y_k/N="
    r"\lim_N\big(\sum_{k>n}^Ny_k/N+\sum_{k\le n}y_k/N\big)<"
)
CLAIMS = (
    stated(
        "dkbhl20.lem16.a",
        printed("Lemma 16"),
        "all numbers are large",
        r"Consider a sequence of non-increasing bounded finite integers $\{y_k\}_{k=1}^\infty$. If "
        r"$\lim_{N\to\infty}\sum_{k=1}^Ny_k/N$ exists and is greater than $\alpha$, then "
        r"$y_k\ge\alpha$ for all finite $k$.",
        LARGE,
        (NON_INCREASING, INTEGERS, LIMIT_ABOVE),
        pool=SEQUENCES,
        proofs=[all_are_large],
        through=CONSTANT_AT_LAST,
    ),
    stated(
        "dkbhl20.lem16.b",
        printed("proof of Lemma 16, eqs. (90) to (92)"),
        "the limit of the means",
        CHAIN + r"\frac{N-n}N\alpha+\lim_N\sum_{k\le n}y_k/N=\frac{N-n}N\alpha$ (for every "
        r"$N\ge n$).",
        STRICTLY,
        (NON_INCREASING, INTEGERS, SOME_BELOW),
        pool=pool_with(Y, ALPHA, N, largest=5, adapt=_drawn),
    ),
    stated(
        "dkbhl20.lem16.b.fix",
        printed("proof of Lemma 16, eqs. (90) to (92)"),
        "the limit of the means, repaired",
        CHAIN + r"\lim_N\big(\frac{N-n}N\alpha+\sum_{k\le n}y_k/N\big)=\alpha$.",
        MENDED,
        (NON_INCREASING, INTEGERS, SOME_BELOW),
        pool=SEQUENCES,
        repairs="dkbhl20.lem16.b",
        proofs=[later_are_below, limit_is_below],
        through=CONSTANT_AT_LAST,
    ),
)
