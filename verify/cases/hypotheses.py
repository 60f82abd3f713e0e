"""Hypotheses of claims, as objects: each can test, repair and break a case.

`test` says for every entry of a measure whether the hypothesis is met there, in the arithmetic of
the scene (exact arithmetic decides; enclosures answer yes only when it is certain). `repair`
changes a case so that the hypothesis is likely to hold, `break_` so that it fails; both are small,
and the predicates have the last word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from verify.cases.scenes import Entries
from verify.cases.transformations import random_rational

Test = Callable[[Any, Entries], np.ndarray]  # of the scene of the claim's instances
SHARED = 1 / 8  # of the cases as many different ones are asked one by one
Change = Callable[[Any, Random], Any]  # of such an instance


def unchanged(case: Any, random: Random) -> Any:
    """The repair of a hypothesis that every drawn case meets."""
    return case


@dataclass(frozen=True)
class Hypothesis:
    """One hypothesis of a claim.

    name: short, as the paper or ledger calls it. statement: text with LaTeX. test: (K,) boolean.
    repair, break_: see the module. A hypothesis that cannot be broken (it is built into the type
    of a network) has break_ None. thin: whether it asks for equations between numbers that next to
    no number near one that meets them meets too, so that every step of an ascent leaves it.
    """

    name: str
    statement: str
    test: Test
    repair: Change = unchanged
    break_: Change | None = None
    thin: bool = False


def by_case(
    predicate: Callable[[Any], bool],
    *parts: str,
    together: Callable[[Any], np.ndarray] | None = None,
) -> Test:
    """A test that asks each case, for hypotheses that do not depend on the entry.

    parts: the names of all that the predicate looks at in a case, where that is not the whole; then
    cases that share these parts, as the same objects, are asked once. together: the same of all
    cases of a scene at once, (C,) boolean, where that is quicker.
    """

    def test(scene: Any, entries: Entries) -> np.ndarray:
        keys = [tuple(id(getattr(case, part)) for part in parts) for case in scene.cases]
        asked = dict(zip(keys, scene.cases, strict=True)) if parts else {}
        answers: Any
        if together is not None and (not parts or len(asked) > SHARED * len(scene.cases)):
            answers = together(scene)
        elif not parts:
            answers = [predicate(case) for case in scene.cases]
        else:
            known = {key: predicate(case) for key, case in asked.items()}
            answers = [known[key] for key in keys]
        return np.asarray(np.array(answers, dtype=bool)[entries.owner], dtype=bool)

    test.__dict__["asks_network"] = predicate if parts == ("network",) else None
    test.__dict__["asks_case"] = predicate
    return test


def asks_network(hypothesis: Hypothesis) -> Callable[[Any], bool] | None:
    """The predicate of a hypothesis that looks at the network of a case alone, else None."""
    predicate: Callable[[Any], bool] | None = getattr(hypothesis.test, "asks_network", None)
    return predicate


def asks_case(hypothesis: Hypothesis) -> Callable[[Any], bool] | None:
    """The predicate of a hypothesis that asks each case as a whole, whatever the entry; or None."""
    predicate: Callable[[Any], bool] | None = getattr(hypothesis.test, "asks_case", None)
    return predicate


def asks_cases(hypothesis: Hypothesis) -> bool:
    """Whether a hypothesis asks each case as a whole, whatever the entry (by_case)."""
    return getattr(hypothesis.test, "__qualname__", "") == "by_case.<locals>.test"


__all__ = [
    "Change",
    "Hypothesis",
    "Test",
    "asks_case",
    "asks_cases",
    "asks_network",
    "by_case",
    "random_rational",
    "unchanged",
]
