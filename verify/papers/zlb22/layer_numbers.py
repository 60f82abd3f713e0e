"""Numbers of layers that a statement chooses, l1, l2 and l' (`l1`, `l2`, `l3` in a case)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensor, Tensors
from verify.kinds.dags.changes import layers_of
from verify.kinds.dags.pool import edges_of, with_edges
from verify.language.building import Whole
from verify.language.terms import Term
from verify.papers.zlb22.dag_notation import DEPTH
from verify.papers.zlb22.second_derivatives import IDENTITY_OUTPUTS
from verify.statements.stated import Given, unless

Bounds = Callable[[Tensors], tuple[int, int]]  # the least and the largest number that is allowed
L1, L2, L3 = (Whole(name, 1, 4) for name in ("l1", "l2", "l3"))


def last_layer(case: Tensors) -> int:
    """L."""
    return max(layers_of(case))


def with_number(case: Tensors, name: str, value: int) -> Tensors:
    """The instance with another number of a layer."""
    return case.changing(**{name: Tensor((), (), (Fraction(value),), integer=True)})


def in_order(case: Tensors, random: Random) -> Tensors:
    """Layers l1 <= l2 <= l', the first ones more often: where a network is deep enough for many of
    them to come behind, sums over layers have many terms. A `last` change of a pool."""
    low, high = 1, max(last_layer(case), 1)
    for name in ("l1", "l2", "l3"):
        if name in case.arrays:
            low = random.randint(low, random.randint(low, high))
            case = with_number(case, name, low)
    return case


def _within(
    name: str, words: str, label: str, holds: Term, bounds: Bounds, outside: Bounds | None = None
) -> Given:
    """A number lies between bounds that depend on the case; outside: where it may lie when it does
    not, None where the statement would have no meaning then."""

    def moved(where: Bounds) -> Callable[[Tensors, Random], Tensors]:
        def change(case: Tensors, random: Random) -> Tensors:
            low, high = where(case)
            return with_number(case, label, random.randint(low, high)) if low <= high else case

        return change

    return Given(
        name,
        holds,
        words,
        unless(holds, moved(bounds)),
        outside and moved(outside),
        built_in=outside is None,
    )


def _everywhere(case: Tensors) -> tuple[int, int]:
    return 1, last_layer(case)


def _is_layer(number: Term) -> Term:
    return (number >= 1) & (number <= DEPTH)


FIRST_LAYER = _within("first layer number", r"$1\le\ell_1\le L$", "l1", _is_layer(L1), _everywhere)
SECOND_LAYER = _within(
    "second layer number", r"$1\le\ell_2\le L$", "l2", _is_layer(L2), _everywhere
)
ORDERED = _within(
    "l1 at most l2",
    r"$\ell_1\le\ell_2$",
    "l1",
    (L1 >= 1) & (L1 <= L2),
    lambda case: (1, case.whole("l2")),
    lambda case: (case.whole("l2") + 1, last_layer(case)),
)

_TERM_OF_THE_SUM = (L2 <= L3) & (L3 <= DEPTH)


def _to_from_second(case: Tensors, random: Random) -> Tensors:
    low = min(case.whole("l2"), last_layer(case))
    case = with_number(case, "l2", low)
    return with_number(case, "l3", random.randint(low, last_layer(case)))


def _to_before_second(case: Tensors, random: Random) -> Tensors:
    high = case.whole("l2") - 1
    return with_number(case, "l3", random.randint(1, high)) if high >= 1 else case


FROM_SECOND = Given(
    "term of the sum",
    _TERM_OF_THE_SUM,
    r"$\ell_2\le\ell'\le L$",
    unless(_TERM_OF_THE_SUM, _to_from_second),
    _to_before_second,
)

_SECOND_INNER = (L2 >= 1) & (L2 <= DEPTH - 1)


def _to_second_inner(case: Tensors, random: Random) -> Tensors:
    """A network with one layer of weights becomes a chain with the edges that it has."""
    count = case.lengths["n"]
    if last_layer(case) < 2 <= count - 1:
        chain = {(v, v - 1) for v in range(1, count)}
        case = with_edges(case, edges_of(case) | chain)
        assert IDENTITY_OUTPUTS.repair is not None
        case = IDENTITY_OUTPUTS.repair(case, random)
    top = last_layer(case) - 1
    if top < 1 or 1 <= case.whole("l2") <= top:
        return case
    return with_number(case, "l2", random.randint(1, top))


BEFORE_LAST = Given(
    "second layer before the last",
    _SECOND_INNER,
    r"$\ell_2\le L-1$",
    unless(_SECOND_INNER, _to_second_inner),
    lambda case, random: with_number(case, "l2", last_layer(case)),
)
