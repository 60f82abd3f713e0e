"""Hypotheses about the numbers of a case, as Boolean facts that Rocq computes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from verify.rocq.source import Source


class Fact(NamedTuple):
    """A Boolean expression, whether it is true, and what it says."""

    expression: str
    holds: bool
    meaning: str


def write(source: Source, found: Sequence[Fact]) -> None:
    """A lemma for each fact, and all of them together as the theorem `hypotheses`."""
    if not found:
        return
    together = []
    for number, fact in enumerate(found):
        source.remark(fact.meaning)
        statement = f"{fact.expression} = {'true' if fact.holds else 'false'}"
        source.prove(f"fact_{number}", statement, ["vm_compute", "reflexivity"])
        together.append(statement)
    proof = f"fact_{len(found) - 1}"
    for number in reversed(range(len(found) - 1)):
        proof = f"(conj fact_{number} {proof})"
    source.remark("all hypotheses about the numbers")
    source.prove("hypotheses", " /\\ ".join(together), [f"exact {proof}"], word="Theorem")
