"""What instances of Lemmas K.4 to K.8 share: the level t, a law of the weights, how often a bound
may fail.

An instance is a law for which the frequency of failure is known in closed form, and a level `t`.
The weights are standard normal, or all of them are multiplied by `scale` with probability `chance`
(heavy tails). Where `own` is 1, the matrix that is to be fixed is made of the weights themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import rational
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene, RealTensors, as_real
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.papers.zlb22.gaussian_tails import Tail, chi_tail, mixed, paired_tail

LAW = ("t", "chance", "scale")
KNOWN_LAW = (
    "probabilities are exact on the families whose law is known "
    "(docs/mathematics/zlb22.md#exact-probabilities)"
)
ONE = rational(1)
Failure = Callable[[Tensors], Any]  # the probability that the bound fails; None where not known
Allowed = Callable[[Tensors], Any]  # the printed bound of that probability


def given(case: Tensors, name: str) -> Any:
    """A number of a case, as a rational of graphs.arithmetic."""
    return rational(case.number(name))


def row(case: Tensors, name: str) -> list[Any]:
    """The entries of an array of a case, likewise."""
    return [rational(entry) for entry in case.arrays[name].entries]


def gaussian_bound(level: Any, factor: int, share: Fraction) -> Any:
    """factor times exp(-share t^2)."""
    return reals.exp(-(level * level * rational(share))) * rational(factor)


def by_law(case: Tensors, tail: Tail, x: Any) -> Any:
    """What has this tail for standard normal weights exceeds x with this probability."""
    return mixed(tail, given(case, "chance"), given(case, "scale"), x)


def own_length(case: Tensors, x: Any) -> Any:
    """P(|w| > x), where the matrix is made of the weights."""
    return by_law(case, lambda y: chi_tail(case.whole("size"), y), x)


def pairs_of_sizes(case: Tensors, sizes: Sequence[Any], x: Any) -> Any:
    """P(|A w| > x) for A with these singular values, each twice; None unless they are above 0 and
    different."""
    if min(sizes) <= 0 or len(set(sizes)) < len(sizes):
        return None
    return by_law(case, lambda y: paired_tail(sizes, y), x)


def slack_at_level(scene: RealScene, failure: Failure, share: Fraction) -> Entries:
    """2 exp(-share t^2) minus the probability."""
    return failure_slack(scene, failure, lambda c: gaussian_bound(given(c, "t"), 2, share))


def failure_slack(scene: RealScene, failure: Failure, allowed: Allowed) -> Entries:
    """The printed bound minus the probability, for each case in which that is known."""
    bounds = np.empty(len(scene.cases), dtype=object)
    found = np.empty(len(scene.cases), dtype=object)
    for place, case in enumerate(scene.cases):
        probability = failure(case) if _lawful(case) else None
        bounds[place] = rational(1) if probability is None else allowed(case)
        found[place] = rational(0) if probability is None else probability
    return scene.compare(bounds, found)


def _lawful(case: Tensors) -> bool:
    """Whether the arrays describe a law of the weights."""
    return 0 <= case.number("chance") <= 1 and case.number("scale") > 0


# hypotheses ---------------------------------------------------------------------------------------
def with_number(case: Tensors, name: str, value: Fraction | int) -> Tensors:
    """The case with another value of a number."""
    return case.changing(**{name: replace(case.arrays[name], entries=(Fraction(value),))})


def _raised(case: Tensors) -> Tensors:
    """At a level at which the printed bound is well below 1."""
    return case if case.number("t") >= 2 else with_number(case, "t", 3)


def _independent(case: Tensors, random: Random) -> Tensors:
    return with_number(case, "own", 0)


def made_of_weights(size: int) -> Callable[[Tensors, Random], Tensors]:
    """Breaks FIXED in that dimension."""

    def change(case: Tensors, random: Random) -> Tensors:
        case = with_number(with_number(case, "own", 1), "t", random.randint(2, 3))
        return with_number(case, "size", size + 2 * random.randint(0, 2))

    return change


def fixed(words: str, size: int) -> Hypothesis:
    """That the vector or the matrices do not depend on the weights."""
    return Hypothesis(
        "fixed beforehand",
        words,
        by_case(lambda case: case.number("own") == 0),
        _independent,
        made_of_weights(size),
    )


def _standard(case: Tensors) -> bool:
    return _lawful(case) and (case.number("chance") == 0 or case.number("scale") == 1)


def _heavy(case: Tensors, random: Random) -> Tensors:
    case = with_number(case, "chance", Fraction(random.randint(1, 3), 4))
    return with_number(_raised(case), "scale", random.choice((16, 64, 256)))


def _usual(case: Tensors, random: Random) -> Tensors:
    case = with_number(case, "chance", 0)
    return case if case.number("scale") > 0 else with_number(case, "scale", 1)


STANDARD = Hypothesis(
    "standard normal",
    "the weights are standard normal",
    by_case(_standard),
    _usual,
    _heavy,
)


def _negative_level(case: Tensors, random: Random) -> Tensors:
    return with_number(case, "t", -random.randint(2, 4))


ABOVE_0 = Hypothesis(
    "level above 0",
    "$t>0$",
    by_case(lambda case: case.number("t") > 0),
    lambda case, random: with_number(case, "t", abs(case.number("t")) or Fraction(1, 2)),
    _negative_level,
)
AT_LEAST_0 = Hypothesis(
    "level at least 0",
    r"$t\ge0$",
    by_case(lambda case: case.number("t") >= 0),
    lambda case, random: with_number(case, "t", abs(case.number("t"))),
    _negative_level,
)


# the pool -----------------------------------------------------------------------------------------
LARGEST_LEVEL = 12


def _in_range(case: Tensors, random: Random) -> RealTensors:
    """A level that is no larger than the tables, a probability and a factor above 0."""
    t, chance, scale = (case.number(name) for name in LAW)
    case = with_number(case, "t", t % LARGEST_LEVEL if t >= 0 else -(-t % LARGEST_LEVEL))
    case = with_number(case, "chance", abs(chance) % 1)
    return as_real(with_number(case, "scale", abs(scale) or 1), random)


KEEN = 0.6  # the share of draws in which little is allowed
LARGE_LEVELS = (Fraction(3), Fraction(8), Fraction(11))
MANY_SIZES = 40


@dataclass(frozen=True)
class LawPool(TensorPool):
    """Laws and levels. Some draws are of standard normal weights where a bound that is a little
    smaller fails: at a large level, with a small radius; with singular values (axis "k") far apart,
    or many and nearly the same, at a level at which the printed probability is small."""

    def draw(self, random: Random, *, n: int = 1, loss: str = "", large: bool = True) -> Tensors:
        """One random instance."""
        case = super().draw(random, n=n, loss=loss, large=large)
        return _keen(case, random) if random.random() < KEEN else case

    def scope(self) -> tuple[str, ...]:
        """The range of axes and integers."""
        sized = any("k" in axes for _, axes in self.arrays)
        more = (f"{MANY_SIZES} singular values that are nearly the same",) if sized else ()
        return (*super().scope(), *more)


def _keen(case: Tensors, random: Random) -> Tensors:
    case = with_number(with_number(case, "t", random.choice(LARGE_LEVELS)), "chance", 0)
    if "R" in case.arrays:
        radius = random.choice((Fraction(0), Fraction(1, 2)))
        case = with_number(with_number(case, "R", radius), "D", radius)
    found = case.arrays.get("sizes")
    if found is None or found.axes != ("k",):
        return case
    many = tuple(2 + Fraction(k, 64) for k in range(MANY_SIZES)), Fraction(5, 2)
    apart = tuple(Fraction(8) ** -k for k in range(4)), Fraction(5)
    single = found.entries[:1], case.number("t")
    sizes, level = random.choice((many, many, apart, apart, single))
    return with_number(
        case.changing(sizes=replace(found, shape=(len(sizes),), entries=sizes)), "t", level
    )


def law_pool(
    arrays: Sequence[tuple[str, tuple[str, ...]]],
    integers: Sequence[tuple[str, int, int]] = (),
    adapt: Callable[[Tensors, Random], Tensors] | None = None,
) -> LawPool:
    """A level, a law, arrays, integers, and `size`, the dimension where the matrix is made of the
    weights."""

    def change(case: Tensors, random: Random) -> RealTensors:
        return _in_range(case if adapt is None else adapt(case, random), random)

    law = tuple((name, ()) for name in LAW)
    flags = (("own", 0, 1), ("size", 1, 8), *integers)
    return LawPool((*law, *arrays), flags, largest=4, adapt=change)


def different_sizes(case: Tensors, random: Random) -> Tensors:
    """Singular values above 0, no two of them the same."""
    array = case.arrays["sizes"]
    made: list[Fraction] = []
    for entry in array.entries:
        size = abs(entry) or Fraction(1)
        while size in made:
            size += 1
        made.append(size)
    return case.changing(sizes=replace(array, entries=tuple(made)))


SIZES_DIFFER = Hypothesis(
    "different sizes",
    "the singular values of the matrix are different, above $0$, and each is there twice",
    by_case(
        lambda case: (
            len(set(case.arrays["sizes"].entries)) == len(case.arrays["sizes"].entries)
            and min(case.arrays["sizes"].entries) > 0
        )
    ),
    different_sizes,
)
