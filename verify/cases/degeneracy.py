"""In what ways an instance is a corner of what a claim speaks of.

Hypotheses that only corners meet say less than they seem to; the vacuity run looks for an instance
away from all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from graphs.errors import NotRationalError
from graphs.exact import evaluation_at
from verify.cases.case import Case
from verify.cases.tensors import Tensors
from verify.core.instance import Instance

if TYPE_CHECKING:
    from verify.core.claim import Claim

SINGLE = "a single example"
LINEAR_ONLY = "every vertex linear"
FEW_HIDDEN = "fewer than two hidden vertices"
LENGTH_ONE = "an axis of length 1"
OF_SIZE = (SINGLE, FEW_HIDDEN, LENGTH_ONE)
"""What makes a statement about matrices, layers or data one about numbers."""


def degeneracies(case: Instance) -> tuple[str, ...]:
    """What is degenerate about an instance, in words; empty away from all corners."""
    return tuple(corners_of(case))


def corners(claim: Claim, case: Instance) -> list[str]:
    """What is degenerate about a case beside what all cases of the claim's pool share."""
    shared = set()
    if tuple(getattr(claim.pool, "examples", ())) == (1,):
        shared.add(SINGLE)
    if tuple(getattr(claim.pool, "activations", ())) == ("linear",):
        shared.add(LINEAR_ONLY)
    return [word for word in degeneracies(case) if word not in shared]


def off_corners(cases: Sequence[Sequence[str]]) -> tuple[int, tuple[str, ...]]:
    """Of cases, each given by its corners: how many have none beside what all of them have, and
    what that is. What all share lies in what the claim speaks of, or in how cases are drawn."""
    shared = set(cases[0]).intersection(*cases[1:]) if cases else set()
    return sum(shared.issuperset(words) for words in cases), tuple(sorted(shared))


def corners_of(case: Instance) -> Iterator[str]:
    """The same one after another, what is cheap to tell first."""
    if isinstance(case, Tensors):
        yield from _of_arrays(case)
    elif isinstance(case, Case):
        yield from _of_network(case)


def _of_network(case: Case) -> Iterator[str]:
    net = case.network
    if len(net.inner) < 2:
        yield FEW_HIDDEN
    if case.example_count == 1:
        yield SINGLE
    if all(activation.kind == "linear" for activation in net.activations):
        yield LINEAR_ONLY
    if 0 in (*case.weights, *net.fixed):
        yield "a weight of 0"
    if any(value == 0 for row in case.inputs for value in row):
        yield "an input of 0"
    if _at_kink(case):
        yield "a neuron at a kink"


def _at_kink(case: Case) -> bool:
    """Whether a neuron with two slopes has pre-activation 0 on an example."""
    if all(activation.kind == "linear" for activation in case.network.activations):
        return False
    try:
        return bool(evaluation_at(case.network, case.weights, case.inputs).kinks.any())
    except NotRationalError:  # smooth activations have none
        return False


def _of_arrays(case: Tensors) -> Iterator[str]:
    if any(length == 1 for axis, length in case.lengths.items() if axis != "power"):
        yield LENGTH_ONE
    plain = (array for array in case.arrays.values() if not array.integer)
    # coefficients may be 0, and so may a number by itself: a parameter of what is spoken of
    numbers = [array for array in plain if array.axes and "power" not in array.axes]
    if any(entry == 0 for array in numbers for entry in array.entries):
        yield "an entry of 0"
