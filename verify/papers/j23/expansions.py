"""Costs R(h; L) = L R^(0) + R^(1) + R^(2) / L, with their terms by the powers of L.

So a limit is a coefficient, and it exists where no positive power is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verify.statements.sides import Side

Terms = dict[int, Any]  # the coefficient of each power of L
Numbers = Mapping[str, Any]


def cost(numbers: Numbers, function: str, share: Any) -> Terms:
    """R(h; share L) of the function with this letter."""
    zeroth, first, second = (numbers[f"{function}{order}"] for order in "012")
    return {1: zeroth * share, 0: first, -1: second / share}


def added(one: Terms, other: Terms, sign: int = 1) -> Terms:
    """one + other, or one - other."""
    return {power: one[power] + sign * other[power] for power in one}


def tends_to(side: str, terms: Terms, times: int, limit: Any) -> Iterator[Side]:
    """The terms, times that power of L, against a limit: none of a positive power, and the
    constant one."""
    moved = {power + times: coefficient for power, coefficient in terms.items()}
    nothing = limit - limit
    for power in sorted(moved):
        if power > 0:
            yield {"part": f"{side}, L^{power}"}, moved[power], nothing
    yield {"part": f"{side}, limit"}, moved.get(0, nothing), limit


def sides_along(numbers: Numbers, shares: Numbers, operation: int, limit: Any) -> Iterator[Side]:
    """Both sides of an inequality R(h; L) <= R(f; share L) + R(g; share' L), without the terms of h
    of order L and 1, times L to the power `operation`, against R^(2)(h) and a limit."""
    whole = cost(numbers, "h", shares["h"])
    subtracted = {**whole, -1: limit - limit}
    right = added(cost(numbers, "f", shares["f"]), cost(numbers, "g", shares["g"]))
    yield from tends_to("left", added(whole, subtracted, -1), operation, numbers["h2"])
    yield from tends_to("right", added(right, subtracted, -1), operation, limit)


def along_ratio(numbers: Numbers, one: Any, operation: int, share_of: str) -> Iterator[Side]:
    """Compositions, along L_f + L_g = L with p L layers for one of the two; the limit of (1)."""
    p = numbers["p"]
    shares = {"h": one, share_of: p, "g" if share_of == "f" else "f": one - p}
    limit = numbers["f2"] / (one - p) + numbers["g2"] / p
    yield from sides_along(numbers, shares, operation, limit)
