"""Long work in pieces that are kept on disk: it stops when its time is up, and the same command
goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

from verify.core.experiment_store import Arrays, ExperimentStore

GO_ON = 3  # the exit code of work that is not done


class TimeIsUp(Exception):
    """The next piece was not begun."""


@dataclass(frozen=True)
class Pieces(ExperimentStore):
    """Arrays by what they depend on. until: no piece is begun after this time of `monotonic`."""

    until: float = inf

    @staticmethod
    def within(folder: Path | None, minutes: float | None) -> Pieces:
        """Those of a folder, with so many minutes from now."""
        return Pieces(folder, inf if minutes is None else monotonic() + 60 * minutes)

    def once(self, code: str, parts: Mapping[str, Any], make: Callable[[], Arrays]) -> Arrays:
        """As of the store. Raises TimeIsUp where the piece is not there and no time is left."""

        def in_time() -> Arrays:
            if monotonic() > self.until:
                raise TimeIsUp
            return make()

        return super().once(code, parts, in_time)
