"""Example 20: its instances, which are made of numbers, and hypotheses about them.

The depth L, t = e^epsilon > 0, the slope a of the activation, the constant c of the function, a
point (x1, x2, x3).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs.arithmetic import rational
from verify.hypotheses import Hypothesis, by_case
from verify.real_arrays import RealTensors
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors

COORDINATES = ("x1", "x2", "x3")
DEEPEST = 10


class Numbers(RealTensors):
    """The numbers of Example 20."""

    def value(self, name: str) -> Any:
        """A number as a rational of graphs.arithmetic."""
        return rational(self.number(name))

    @property
    def point(self) -> np.ndarray:
        """(3,)."""
        return np.array([self.value(name) for name in COORDINATES], dtype=object)


def of_numbers(case: Tensors, random: Random) -> Numbers:
    """t above 0 and the slope inside (-1, 1), whatever was drawn."""
    arrays = dict(case.arrays)
    t, slope = case.number("t"), case.number("a")
    if t <= 0:
        size = abs(t) if t else Fraction(random.choice((2, 3)), 2)
        arrays["t"] = replace(arrays["t"], entries=(size,))
    if not -1 < slope < 1:
        arrays["a"] = replace(arrays["a"], entries=(Fraction(random.choice((0, 1, -1)), 2),))
    return Numbers(arrays, case.choice, case.family)


POOL = TensorPool(
    tuple((name, ()) for name in ("t", "a", "c", *COORDINATES)),
    integers=(("L", 2, DEEPEST),),
    adapt=of_numbers,
)


# hypotheses --------------------------------------------------------------------------------------
def changed(case: Numbers, **values: Fraction | int) -> Numbers:
    """The case with other values of these numbers."""
    arrays = {
        name: replace(case.arrays[name], entries=(Fraction(value),))
        for name, value in values.items()
    }
    return case.changing(**arrays)


EVEN = Hypothesis(
    "even depth",
    r"$L\ge2$ is even",
    by_case(lambda case: case.whole("L") >= 2 and case.whole("L") % 2 == 0),
    lambda case, random: changed(case, L=max(2, case.whole("L") // 2 * 2)),
)
SLOPE = Hypothesis(
    "slope inside (-1, 1)",
    r"$\sigma_a$ with $a\in(-1,1)$",
    by_case(lambda case: -1 < case.number("a") < 1),
    of_numbers,
    lambda case, random: changed(case, a=random.choice((1, -1, 2, -2))),
)
RELU = Hypothesis(
    "ReLU",
    "$a=0$",
    by_case(lambda case: case.number("a") == 0),
    lambda case, random: changed(case, a=0),
    lambda case, random: changed(case, a=Fraction(random.choice((1, -1)), 2)),
)
EPSILON = Hypothesis(
    "t above 0",
    r"$t=e^\epsilon$ with $\epsilon$ real",
    by_case(lambda case: case.number("t") > 0),
    of_numbers,
)


def _folded(case: Numbers, random: Random) -> Numbers:
    return changed(case, **{name: abs(case.number(name)) for name in COORDINATES})


def _negative(case: Numbers, random: Random) -> Numbers:
    name = random.choice(COORDINATES)
    return changed(case, **{name: -abs(case.number(name)) - Fraction(random.randint(1, 4), 2)})


ORTHANT = Hypothesis(
    "in the orthant",
    r"$x\in\mathbb R_+^3$",
    by_case(lambda case: all(case.number(name) >= 0 for name in COORDINATES)),
    _folded,
    _negative,
)
ONE = "the constant of the function is $1$"
CONSTANT_1 = Hypothesis(
    "constant 1",
    ONE,
    by_case(lambda case: case.number("c") == 1),
    lambda case, random: changed(case, c=1),
    lambda case, random: changed(case, c=random.choice((0, 2, -1))),
)
