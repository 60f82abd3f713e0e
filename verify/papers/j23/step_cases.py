"""Instances without a network for the steps of the proof of Theorem 16."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.hypotheses import Hypothesis, by_case, random_rational
from verify.quantities import with_entries
from verify.real_arrays import RealTensors
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors

SHARES = tuple(map(Fraction, ("1/100", "1/10", "1/4", "1/3", "1/2", "2/3", "3/4", "9/10")))


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
