"""Smaller descents, for shrinking: fewer steps, and plainer numbers among what a case chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from verify.cases.smoothness import resloped, settled

if TYPE_CHECKING:
    from verify.cases.case import Case

LISTS = ("eta", "beta", "loss")
Numbers = tuple[Fraction, ...]
Each = Callable[[Numbers, Callable[[Numbers], "Case"]], Iterator["Case"]]


def chosen_numbers(case: Case) -> dict[str, Numbers]:
    """The numbers that a descent chooses: step sizes, smoothness constants, the coefficients of
    the loss, and the slopes of each later step."""
    if "eta" not in case.choice and "beta" not in case.choice:
        return {}
    found = {key: _numbers(case.choice[key]) for key in LISTS if key in case.choice}
    rows = case.choice.get("slopes", ())
    return found | {f"slopes {k}": _numbers(row) for k, row in enumerate(rows)}


def _numbers(row: Any) -> Numbers:
    return tuple(Fraction(value) for value in row)


def without_example(choice: Mapping[str, Any], j: int) -> Mapping[str, Any]:
    """The choice without the later slopes of one example."""
    if "slopes" not in choice:
        return choice
    return {**choice, "slopes": [[*row[:j], *row[j + 1 :]] for row in choice["slopes"]]}


def fewer_steps(case: Case) -> Iterator[Case]:
    """Without the last step."""
    chosen = {key: list(case.choice[key]) for key in ("eta", "beta") if key in case.choice}
    count = max(map(len, chosen.values()), default=0)
    if count < 2:
        return
    shorter = {key: numbers[: count - 1] for key, numbers in chosen.items()}
    if "slopes" in case.choice:
        shorter["slopes"] = list(case.choice["slopes"])[: count - 2]
    yield case.choosing(**shorter)


def plainer_choice(case: Case, each: Each) -> Iterator[Case]:
    """One of the numbers that the descent chooses replaced by a plainer one."""
    for key, numbers in chosen_numbers(case).items():

        def rebuilt(new: Numbers, key: str = key) -> Case:
            texts = [str(value) for value in new]
            if not key.startswith("slopes "):
                return case.choosing(**{key: texts})
            row = int(key.removeprefix("slopes "))
            rows = list(case.choice["slopes"])
            return case.choosing(slopes=[*rows[:row], texts, *rows[row + 1 :]])

        yield from each(numbers, rebuilt)


def steadied(case: Case) -> Iterator[Case]:
    """The case; where its step sizes come from smoothness constants also with those that it needs,
    and with the slopes that its loss has."""
    if "beta" in case.choice and "loss" in case.choice and case.network.homogeneous:
        yield settled(case)
        yield resloped(case)
    else:
        yield case
