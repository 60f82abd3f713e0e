"""Instances without a network for the steps of the proof of Theorem 16."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.arithmetic import Array
from verify.deep_hypotheses import GAPS
from verify.deep_scene import RealScene, RealTensors
from verify.hypotheses import Hypothesis, by_case, random_rational
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries

SHARES = tuple(map(Fraction, ("1/100", "1/10", "1/4", "1/3", "1/2", "2/3", "3/4", "9/10")))


def with_entries(case: Tensors, name: str, entries: tuple[Fraction, ...]) -> Tensors:
    """The case with other entries of one array."""
    return case.changing(**{name: replace(case.arrays[name], entries=entries)})


# a matrix -----------------------------------------------------------------------------------------
def _not_zero(case: Tensors, random: Random) -> Tensors:
    entries = case.arrays["A"].entries
    if any(entries):
        return case
    value = random_rational(random) or Fraction(1)
    return with_entries(case, "A", (value, *entries[1:]))


A_IS_NOT_0 = Hypothesis(
    "A is not 0",
    r"$A\ne0$",
    by_case(lambda case: any(case.arrays["A"].entries)),
    _not_zero,
    lambda case, random: with_entries(case, "A", (Fraction(0),) * len(case.arrays["A"].entries)),
)


# a real number and integers -----------------------------------------------------------------------
def _fit(case: Tensors) -> bool:
    k, layer, depth = (case.whole(name) for name in ("k", "l", "L"))
    return k >= 1 and 1 <= layer <= depth


def _made_to_fit(case: Tensors, random: Random) -> Tensors:
    """The layer among 1 to L; c_1 of the size of L."""
    if not _fit(case):
        k, depth = max(1, case.whole("k")), max(1, case.whole("L"))
        for name, value in (("k", k), ("L", depth), ("l", random.randint(1, depth))):
            case = with_entries(case, name, (Fraction(value),))
    return case


def _misfit(case: Tensors, random: Random) -> Tensors:
    return with_entries(case, "l", (Fraction(case.whole("L") + random.randint(1, 4)),))


NUMBERS_FIT = Hypothesis(
    "the integers fit",
    r"$k\ge1$ and $1\le\ell\le L$",
    by_case(_fit),
    _made_to_fit,
    _misfit,
)


def _of_all_sizes(case: Tensors, random: Random) -> Tensors:
    """c_1 from far below 0 to far above."""
    if random.random() < 0.5:
        size = random.choice((1, 10, case.arrays["L"].entries[0]))
        case = with_entries(case, "c", (case.arrays["c"].entries[0] * size,))
    return RealTensors(case.arrays, case.choice, case.family)


NUMBERS = TensorPool((("c", ()),), (("k", 1, 5), ("l", 1, 15), ("L", 1, 15)), adapt=_of_all_sizes)


# numbers with a bounded sum -----------------------------------------------------------------------
def above_threshold(scene: RealScene) -> Entries:
    """p L minus how many of q_1, ..., q_L are at least B / p."""
    bounds, shares, rows = scene["B"], scene["p"], scene["q"]
    counts = [
        sum(bool(value * p >= bound) for value in row)
        for row, bound, p in zip(rows, bounds, shares, strict=True)
    ]
    length: Array = scene.share(shares, rows.shape[1])
    return scene.compare(length, scene.numbers(counts))


def _in_between(case: Tensors) -> bool:
    return 0 < case.number("p") < 1


AT_MOST_PL = Hypothesis(
    "proportion",
    r"$p\in(0,1)$",
    by_case(_in_between),
    lambda case, random: (
        case if _in_between(case) else with_entries(case, "p", (random.choice(SHARES),))
    ),
    lambda case, random: with_entries(case, "p", (Fraction(random.choice((1, 2))),)),
)


def _bounded(case: Tensors) -> bool:
    q, bound = case.arrays["q"].entries, case.number("B")
    return min(q) >= 0 and sum(q) <= len(q) * bound


def _made_bounded(case: Tensors, random: Random) -> Tensors:
    """The numbers made at least 0, the bound what they need, or more."""
    if _bounded(case):
        return case
    q = tuple(map(abs, case.arrays["q"].entries))
    case = with_entries(case, "q", q)
    return with_entries(case, "B", (sum(q, random.choice(GAPS)) / len(q),))


def _unbounded(case: Tensors, random: Random) -> Tensors:
    q = case.arrays["q"].entries
    return with_entries(case, "B", (sum(q, Fraction(0)) / len(q) / 4,))


BOUND_ON_THE_SUM = Hypothesis(
    "bound on the sum",
    r"$q_\ell\ge0$ and $\sum_\ell q_\ell\le LB$",
    by_case(_bounded),
    _made_bounded,
    _unbounded,
)

BOUND_POSITIVE = Hypothesis(
    "positive bound",
    r"$B>0$: $c$ is a positive constant",
    by_case(lambda case: case.number("B") > 0),
    lambda case, random: case if case.number("B") > 0 else with_entries(case, "B", (Fraction(1),)),
    lambda case, random: with_entries(
        with_entries(case, "q", (Fraction(0),) * len(case.arrays["q"].entries)),
        "B",
        (Fraction(0),),
    ),
)


def _threshold_met(case: Tensors, random: Random) -> Tensors:
    """In some cases a few numbers equal B / p exactly."""
    found: Tensors = RealTensors(case.arrays, case.choice, case.family)
    q = list(case.arrays["q"].entries)
    if random.random() < 0.3:
        many = random.randint(1, len(q))
        value = Fraction(random.randint(0, 8), 4)
        q = [value] * many + [Fraction(0)] * (len(q) - many)
        found = with_entries(found, "q", tuple(q))
        found = with_entries(found, "B", (sum(q, Fraction(0)) / len(q),))
        found = with_entries(found, "p", (Fraction(many, len(q)) or Fraction(1, 2),))
    return found


SEQUENCES = TensorPool((("q", ("layers",)), ("B", ()), ("p", ())), largest=6, adapt=_threshold_met)
