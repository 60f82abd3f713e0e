"""Numbers of layers that a statement chooses, l1, l2 and l' (`l1`, `l2`, `l3` in an instance)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.tensors import Tensor
from verify.kinds.dags.hypotheses import IDENTITY_OUTPUTS, layers_of
from verify.kinds.dags.pool import edges_of, with_edges
from verify.kinds.dags.scene import Dag

Bounds = Callable[[Dag], tuple[int, int]]  # the least and the largest number that is allowed


def last_layer(case: Dag) -> int:
    """L."""
    return max(layers_of(case))


def with_number(case: Dag, name: str, value: int) -> Dag:
    """The instance with another number of a layer."""
    return case.changing(**{name: Tensor((), (), (Fraction(value),), integer=True)})


def in_order(case: Dag, random: Random) -> Dag:
    """Layers l1 <= l2 <= l', the first ones more often: where a network is deep enough for many of
    them to come behind, sums over layers have many terms. A `last` change of a pool."""
    low, high = 1, max(last_layer(case), 1)
    for name in ("l1", "l2", "l3"):
        if name in case.arrays:
            low = random.randint(low, random.randint(low, high))
            case = with_number(case, name, low)
    return case


def _within(
    name: str, words: str, label: str, bounds: Bounds, outside: Bounds | None = None
) -> Hypothesis:
    """A number lies between bounds that depend on the instance; outside: where it may lie when it
    does not, None where the statement would have no meaning then."""

    def holds(case: Dag) -> bool:
        low, high = bounds(case)
        return low <= case.whole(label) <= high

    def moved(where: Bounds) -> Callable[[Dag, Random], Dag]:
        def change(case: Dag, random: Random) -> Dag:
            low, high = where(case)
            return with_number(case, label, random.randint(low, high)) if low <= high else case

        return change

    def repair(case: Dag, random: Random) -> Dag:
        return case if holds(case) else moved(bounds)(case, random)

    return Hypothesis(name, words, by_case(holds), repair, outside and moved(outside))


def _everywhere(case: Dag) -> tuple[int, int]:
    return 1, last_layer(case)


FIRST_LAYER = _within("first layer number", r"$1\le\ell_1\le L$", "l1", _everywhere)
SECOND_LAYER = _within("second layer number", r"$1\le\ell_2\le L$", "l2", _everywhere)
ORDERED = _within(
    "l1 at most l2",
    r"$\ell_1\le\ell_2$",
    "l1",
    lambda case: (1, case.whole("l2")),
    lambda case: (case.whole("l2") + 1, last_layer(case)),
)


def _from_second(case: Dag) -> bool:
    return case.whole("l2") <= case.whole("l3") <= last_layer(case)


def _to_from_second(case: Dag, random: Random) -> Dag:
    if _from_second(case):
        return case
    low = min(case.whole("l2"), last_layer(case))
    case = with_number(case, "l2", low)
    return with_number(case, "l3", random.randint(low, last_layer(case)))


def _to_before_second(case: Dag, random: Random) -> Dag:
    high = case.whole("l2") - 1
    return with_number(case, "l3", random.randint(1, high)) if high >= 1 else case


FROM_SECOND = Hypothesis(
    "term of the sum",
    r"$\ell_2\le\ell'\le L$",
    by_case(_from_second),
    _to_from_second,
    _to_before_second,
)


def _second_inner(case: Dag) -> bool:
    return 1 <= case.whole("l2") <= last_layer(case) - 1


def _to_second_inner(case: Dag, random: Random) -> Dag:
    """A network with one layer of weights becomes a chain with the edges that it has."""
    count = case.lengths["n"]
    if last_layer(case) < 2 <= count - 1:
        chain = {(v, v - 1) for v in range(1, count)}
        case = IDENTITY_OUTPUTS.repair(with_edges(case, edges_of(case) | chain), random)
    top = last_layer(case) - 1
    if top < 1 or _second_inner(case):
        return case
    return with_number(case, "l2", random.randint(1, top))


BEFORE_LAST = Hypothesis(
    "second layer before the last",
    r"$\ell_2\le L-1$",
    by_case(_second_inner),
    _to_second_inner,
    lambda case, random: with_number(case, "l2", last_layer(case)),
)
