"""Contrasts: what slopes say of the need for one hypothesis of a claim.

A family that meets all hypotheses of a claim but one is measured as the claim's own are. Where its
slope lies beyond a border the hypothesis is needed on this family, as far as a slope along finitely
many widths can tell; where the slope is on the predicted side still, the need is not seen there.
Neither says anything of the claim itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from verify.core.evidence import Need
from verify.kinds.statistics.exponents import Contrast
from verify.kinds.statistics.slopes import Told

Seen = tuple[Contrast, Sequence[Told]]

BEYOND, WITHIN, OPEN = (
    "beyond a border",
    "on the predicted side still",
    "not told from a border",
)


def needs_of(seen: Sequence[Seen]) -> tuple[Need, ...]:
    """One for each hypothesis that is dropped, in the order in which they first are."""
    by_name: dict[str, list[Seen]] = {}
    for one in seen:
        by_name.setdefault(one[0].hypothesis, []).append(one)
    return tuple(_need(name, some) for name, some in by_name.items())


def _need(name: str, seen: Sequence[Seen]) -> Need:
    """Needed where one slope of one family lies beyond a border."""
    told = [one for _, some in seen for one in some]
    needed = any(one.holds is False for one in told)
    within = all(one.holds for one in told)
    start = "" if needed else "none found: " if within else "not told: "
    return Need(name, needed, start + "; ".join(map(_words, seen)), measured=True)


def _words(one: Seen) -> str:
    """What is seen along one family."""
    contrast, told = one
    slopes = ", ".join(
        f"{each.said.quantity} has the slope {each.interval}, {_side(each)}" for each in told
    )
    widths = ", ".join(map(str, told[0].widths))
    return f"{contrast.how} ({slopes}; widths {widths}, {len(told[0].logs)} seeds)"


def _side(one: Told) -> str:
    return {True: WITHIN, False: BEYOND, None: OPEN}[one.holds]


def in_short(seen: Sequence[Seen], error: float) -> str:
    """A sentence on all of them; "" where there are none. error: of all their intervals."""
    if not seen:
        return ""
    needs = needs_of(seen)
    needed = sum(need.needed for need in needs)
    families = "one family" if len(seen) == 1 else f"{len(seen)} families"
    words = "is" if needed == 1 else "are"
    return (
        f" Dropped one at a time, on {families} whose intervals hold together with probability "
        f"{1 - error:.0%}: {needed} of {len(needs)} hypotheses {words} seen to be needed, by a "
        "slope beyond a border."
    )
