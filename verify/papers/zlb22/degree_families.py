"""Families of networks indexed by the width m, given by exponents: where Assumption 3.5 holds.

The neurons of layer p have in-degree m^c_p exp(m^a_p), every neuron reads neurons of its own in the
layer before, and there are L m^g layers, the L layers over and over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.deep import tensor_of
from verify.hypotheses import Hypothesis, by_case
from verify.real_arrays import as_real
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors

ZERO = Fraction(0)


# hypotheses ---------------------------------------------------------------------------------------
def _entries(case: Tensors, name: str, change: Callable[[int, Fraction], Fraction]) -> Tensors:
    array = case.arrays[name]
    made = tuple(change(layer, entry) for layer, entry in enumerate(array.entries, 1))
    return case.changing(**{name: replace(array, entries=made)})


def _exponential(case: Tensors, random: Random) -> Tensors:
    """In-degree exp(m^a) in one layer from the second on."""
    depth = len(case.arrays["a"].entries)
    if depth < 2:
        return case
    chosen = random.randint(2, depth)
    return _entries(case, "a", lambda layer, entry: Fraction(1) if layer == chosen else entry)


POLYNOMIAL = Hypothesis(
    "Assumption 3.5",
    r"the in-degrees of every neuron are at most polynomial in $m$: $a_p=0$",
    by_case(lambda case: not any(case.arrays["a"].entries)),
    lambda case, random: _entries(case, "a", lambda layer, entry: ZERO),
    _exponential,
)


def _of_width_m(case: Tensors) -> bool:
    """Whether the least in-degree after layer 1 is m."""
    pairs = zip(case.arrays["c"].entries, case.arrays["a"].entries, strict=True)
    degrees = [(a, c) for c, a in list(pairs)[1:]]
    return bool(degrees) and min(degrees) == (ZERO, Fraction(1))


def _to_width_m(case: Tensors, random: Random) -> Tensors:
    if _of_width_m(case):
        return case
    depth = len(case.arrays["a"].entries)
    if depth < 2:
        both = {name: tensor_of(("L",), [*case.arrays[name].entries, ZERO]) for name in "ca"}
        case, depth = case.changing(**both), 2
    case = _entries(case, "c", lambda layer, entry: max(entry, Fraction(1)))
    narrow = random.randint(2, depth)
    case = _entries(case, "c", lambda layer, entry: Fraction(1) if layer == narrow else entry)
    return _entries(case, "a", lambda layer, entry: ZERO if layer == narrow else abs(entry))


WIDTH = Hypothesis(
    "width m",
    "the least in-degree of the neurons from layer 2 on is $m$",
    by_case(_of_width_m),
    _to_width_m,
)


def _fixed_inputs(case: Tensors) -> bool:
    return case.arrays["c"].entries[0] == 0 and case.arrays["a"].entries[0] == 0


INPUTS = Hypothesis(
    "d_0 fixed",
    "the number of inputs does not grow: $c_1=a_1=0$",
    by_case(_fixed_inputs),
    lambda case, random: _entries(
        _entries(case, "c", lambda layer, entry: ZERO if layer == 1 else entry),
        "a",
        lambda layer, entry: ZERO if layer == 1 else entry,
    ),
    lambda case, random: _entries(
        case, "a", lambda layer, entry: Fraction(1) if layer == 1 else entry
    ),
)


def _number(case: Tensors, name: str, value: Fraction) -> Tensors:
    return case.changing(**{name: replace(case.arrays[name], entries=(value,))})


DEPTH = Hypothesis(
    "L fixed",
    "the number of layers does not grow: $g=0$",
    by_case(lambda case: case.number("g") == 0),
    lambda case, random: _number(case, "g", ZERO),
    lambda case, random: _number(case, "g", Fraction(random.randint(1, 4), 4)),
)
EXPONENTS = Hypothesis(
    "exponents at least 0",
    r"$c_p,a_p,g\ge0$",
    by_case(lambda case: min(e for array in case.arrays.values() for e in array.entries) >= 0),
    lambda case, random: case.changing(
        **{
            name: replace(array, entries=tuple(map(abs, array.entries)))
            for name, array in case.arrays.items()
        }
    ),
)
FAMILIES = TensorPool((("c", ("L",)), ("a", ("L",)), ("g", ())), largest=5, adapt=as_real)
