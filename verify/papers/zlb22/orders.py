"""Orders of magnitude as instances: rational exponents, and hypotheses about them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

from verify.hypotheses import Hypothesis, by_case
from verify.real_arrays import as_real
from verify.tensor_pool import TensorPool
from verify.tensors import Tensor, Tensors


def number(value: Fraction | int) -> Tensor:
    """An array without axes."""
    return Tensor((), (), (Fraction(value),))


def exponents_named(*names: str) -> TensorPool:
    """Instances that are exponents of these names."""
    return TensorPool(tuple((name, ()) for name in names), adapt=as_real)


def about(
    name: str,
    statement: str,
    holds: Callable[[Tensors], bool],
    repair: Callable[[Tensors, Random], dict[str, Fraction]],
    break_: Callable[[Tensors, Random], dict[str, Fraction]],
) -> Hypothesis:
    """A hypothesis about exponents. repair, break_: by name the exponents that change."""

    def changed(
        change: Callable[[Tensors, Random], dict[str, Fraction]], where: bool
    ) -> Callable[[Tensors, Random], Tensors]:
        def applied(case: Tensors, random: Random) -> Tensors:
            if holds(case) is not where:
                return case
            return case.changing(**{k: number(v) for k, v in change(case, random).items()})

        return applied

    return Hypothesis(
        name, statement, by_case(holds), changed(repair, False), changed(break_, True)
    )


def among(low: Fraction, high: Fraction, random: Random) -> Fraction:
    """A rational from low to high, both included, in twelfths of the way."""
    return low + (high - low) * Fraction(random.randint(0, 12), 12)
