"""Whether the checks of a claim could have failed, as a record; verify.runs.power computes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

CONCLUSION = "the hypothesis is the conclusion"


@dataclass(frozen=True)
class Power:
    """tested: whether the checks could have failed; None where that was not looked at. why: in
    words, as a clause. mutants, killed: changed statements that were told apart from the claim, and
    those of them that its checks refuted. cases, generic: drawn cases that met the hypotheses, and
    those of them without a size of one."""

    tested: bool | None
    why: str
    mutants: int
    killed: int
    cases: int
    generic: int

    def to_json(self) -> dict[str, Any]:
        """As a record; `Power(**data)` reads it back."""
        return asdict(self)


def power_from_json(data: Mapping[str, Any] | None) -> Power | None:
    """The power that `to_json` wrote, if any."""
    return None if data is None else Power(**data)
