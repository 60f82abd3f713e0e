"""Lemma 16: non-increasing bounded integer sequences with a large mean.

A sequence is given by its first k numbers y, the last of which it keeps; every sequence that the
lemma speaks of is one, since it falls finitely often. The limit of the means is that number.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

from graphs.rings import ring_of
from verify.argument import Argument
from verify.claim import Claim, Kind
from verify.derivations.symbols import added, same
from verify.hypotheses import Hypothesis, by_scene
from verify.normalised_hypotheses import at_least_zero, held
from verify.normalised_scene import Chained, ChainScene, as_chain
from verify.papers.dkbhl20.sources import printed
from verify.quantities import both_sides, with_entries
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries

AFTER = 12  # how many numbers N behind the first one are looked at
ZERO = Fraction(0)
Sides = list[tuple[dict[str, Any], Fraction, Fraction]]


# instances ----------------------------------------------------------------------------------------
def _sequence(case: Chained, entries: list[Fraction]) -> Chained:
    return held(with_entries(case, "y", entries), "y")


def _menu(case: Tensors, random: Random) -> Chained:
    """Mostly a falling sequence of integers, and alpha near one of them."""
    made = as_chain(case, random)
    if random.random() < 0.7:
        count = made.lengths["k"]
        fallen = sorted((Fraction(random.randint(-3, 6)) for _ in range(count)), reverse=True)
        made = with_entries(made, "y", fallen)
        near = random.choice(fallen) + random.choice((0, 0, -1, 1)) * Fraction(1, 2)
        made = with_entries(made, "alpha", [near])
    return made


SEQUENCES = TensorPool((("y", ("k",)), ("alpha", ())), (), 5, _menu)


# hypotheses ---------------------------------------------------------------------------------------
def _falls(scene: ChainScene) -> np.ndarray:
    y = scene["y"]
    if y.shape[1] == 1:
        return np.ones(len(scene.cases), dtype=bool)
    return at_least_zero(scene, y[:, :-1] - y[:, 1:])


def _integers(scene: ChainScene) -> np.ndarray:
    return np.array(
        [all(x.denominator == 1 for x in case.arrays["y"].entries) for case in scene.cases]
    )


def _with_alpha(case: Chained, away: Fraction) -> Chained:
    return with_entries(case, "alpha", [case.arrays["y"].entries[-1] + away])


def _rising(case: Chained, random: Random) -> Chained:
    """The last number above all others, and alpha just below it."""
    entries = list(case.arrays["y"].entries)
    if len(entries) == 1:
        return case
    entries[-1] = max(entries) + random.randint(1, 3)
    return _with_alpha(with_entries(case, "y", entries), -Fraction(1, 2))


NON_INCREASING = Hypothesis(
    "non-increasing",
    r"$y_{k+1}\le y_k$",
    by_scene(_falls),
    lambda case, random: _sequence(case, sorted(case.arrays["y"].entries, reverse=True)),
    _rising,
)
INTEGERS = Hypothesis(
    "integers",
    r"the $y_k$ are bounded integers (a non-increasing sequence of these is constant from some "
    r"index on)",
    by_scene(_integers),
    lambda case, random: _sequence(case, [Fraction(round(x)) for x in case.arrays["y"].entries]),
    lambda case, random: with_entries(
        case, "y", [x + Fraction(1, 3) for x in case.arrays["y"].entries]
    ),
    thin=True,
)


def _mean_above(scene: ChainScene) -> np.ndarray:
    return np.asarray(scene.arithmetic.is_negative(scene["alpha"] - scene["y"][:, -1]))


LIMIT_ABOVE = Hypothesis(
    "limit of the means above alpha",
    r"$\lim_{N\to\infty}\sum_{k=1}^Ny_k/N$ exists and is greater than $\alpha$",
    by_scene(_mean_above),
    lambda case, random: (
        case
        if case.number("alpha") < case.arrays["y"].entries[-1]
        else _with_alpha(case, -Fraction(random.choice((1, 2, 4)), 4))
    ),
    lambda case, random: _with_alpha(case, Fraction(random.choice((0, 1, 2, 4)), 2)),
)


def _some_below(case: Chained) -> bool:
    return any(entry < case.number("alpha") for entry in case.arrays["y"].entries)


SOME_BELOW = Hypothesis(
    "a number below alpha",
    r"$y_n<\alpha$ for some $n$",
    by_scene(lambda scene: np.array([_some_below(case) for case in scene.cases])),
    lambda case, random: (
        case if _some_below(case) else _with_alpha(case, Fraction(random.choice((1, 2, 4)), 4))
    ),
    lambda case, random: _with_alpha(case, -Fraction(random.choice((0, 1, 2)), 2)),
)


# measures -----------------------------------------------------------------------------------------
def all_large(scene: ChainScene) -> Entries:
    """y_k - alpha for each k."""
    y = scene["y"]
    return scene.parts([({"coordinate": k}, y[:, k], scene["alpha"]) for k in range(y.shape[1])])


def means_chain(scene: ChainScene) -> Entries:
    """(N - n) alpha / N minus the limit of the means, times N, for the first n with y_n < alpha and
    N = n, ..., n + 12. That the inequality is strict is not asked for."""

    def sides(case: Tensors) -> Sides:
        entries, alpha = case.arrays["y"].entries, case.number("alpha")
        below = [k for k, entry in enumerate(entries, start=1) if entry < alpha]
        limit = entries[-1]
        return [
            ({"numbers": [n, N]}, (N - n) * alpha, N * limit)
            for n in below[:1]
            for N in range(n, n + AFTER + 1)
        ]

    return both_sides(sides, scene)


def limit_below(scene: ChainScene) -> Entries:
    """alpha minus the limit of the means; -1 where that is 0, the inequality being strict."""

    def sides(case: Tensors) -> Sides:
        return [({}, (case.number("alpha") - case.arrays["y"].entries[-1]) or Fraction(-1), ZERO)]

    return both_sides(sides, scene)


CONSTANT_AT_LAST = (
    "a non-increasing bounded sequence of integers is constant from some index on, and its means "
    "tend to that number"
)


# arguments ----------------------------------------------------------------------------------------
def all_are_above_the_last() -> Argument:
    """y_k is the last number and the falls behind k."""
    steps = []
    for count in range(1, 6):
        ring = ring_of(count + 1)
        *y, alpha = ring.generators
        for k in range(count):
            falls = added(ring, [one - other for one, other in pairwise(y[k:])])
            text = f"y_k - alpha = falls behind k + (last - alpha), k = {k + 1} of {count}"
            steps.append(same(ring, text, y[k] - alpha, falls + (y[-1] - alpha)))
    return Argument(
        "each number is at least the last one, which is the limit of the means",
        tuple(steps),
        (
            CONSTANT_AT_LAST,
            "sums of differences telescope for every number of terms",
        ),
        "all_large",
        ("non-increasing", "limit of the means above alpha"),
        section=32,
    )


def limit_is_below() -> Argument:
    """The last number is y_n less the falls behind n."""
    steps = []
    for count in range(1, 6):
        ring = ring_of(count + 1)
        *y, alpha = ring.generators
        for n in range(count):
            falls = added(ring, [one - other for one, other in pairwise(y[n:])])
            text = f"alpha - last = (alpha - y_n) + falls behind n, n = {n + 1} of {count}"
            steps.append(same(ring, text, alpha - y[-1], (alpha - y[n]) + falls))
    return Argument(
        "the limit of the means is the last number, which is at most y_n",
        tuple(steps),
        (CONSTANT_AT_LAST, "sums of differences telescope for every number of terms"),
        "limit_below",
        ("non-increasing", "a number below alpha"),
        section=32,
    )


CHAIN = (
    r"If $y_n<\alpha$, then $y_m<\alpha$ for $m>n$ and $\lim_N\sum_{k\le N}y_k/N="
    r"\lim_N\big(\sum_{k>n}^Ny_k/N+\sum_{k\le n}y_k/N\big)<"
)
CLAIMS = (
    Claim(
        "dkbhl20.lem16.a",
        Kind.INEQUALITY,
        printed("Lemma 16"),
        "all numbers are large",
        r"Consider a sequence of non-increasing bounded finite integers $\{y_k\}_{k=1}^\infty$. If "
        r"$\lim_{N\to\infty}\sum_{k=1}^Ny_k/N$ exists and is greater than $\alpha$, then "
        r"$y_k\ge\alpha$ for all finite $k$.",
        (NON_INCREASING, INTEGERS, LIMIT_ABOVE),
        measure=all_large,
        pool=SEQUENCES,
        proof=all_are_above_the_last,
    ),
    Claim(
        "dkbhl20.lem16.b",
        Kind.INEQUALITY,
        printed("proof of Lemma 16, eqs. (90) to (92)"),
        "the limit of the means",
        CHAIN + r"\frac{N-n}N\alpha+\lim_N\sum_{k\le n}y_k/N=\frac{N-n}N\alpha$ (for every "
        r"$N\ge n$).",
        (NON_INCREASING, INTEGERS, SOME_BELOW),
        measure=means_chain,
        pool=SEQUENCES,
        exact_only=True,
    ),
    Claim(
        "dkbhl20.lem16.b.fix",
        Kind.INEQUALITY,
        printed("proof of Lemma 16, eqs. (90) to (92)"),
        "the limit of the means, repaired",
        CHAIN + r"\lim_N\big(\frac{N-n}N\alpha+\sum_{k\le n}y_k/N\big)=\alpha$.",
        (NON_INCREASING, INTEGERS, SOME_BELOW),
        measure=limit_below,
        pool=SEQUENCES,
        repairs="dkbhl20.lem16.b",
        exact_only=True,
        proof=limit_is_below,
    ),
)
