"""What fails in a run: where it stops with `-x`, and what `--lf` looks at again.

A claim fails where it would give the exit code 1: its check broke, or it is not as the baseline
says.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.core.claim import Claim
    from verify.core.evidence import Evidence
    from verify.runs.tasks import Task

LAST = "failed.txt"  # in the journal: the claims that failed when they were last looked at


class FirstFailure:
    """Told what each task gave: whether a check broke, or found what contradicts the baseline.

    compared: the baseline, if there is one. met: whether there was such a task.
    """

    def __init__(self, compared: Mapping[str, Any] | None) -> None:
        self._rows = {} if compared is None else compared["claims"]
        self.met = False

    def __call__(self, task: Task, piece: Evidence | None) -> bool:
        """Whether the run ends with this task."""
        from verify.core.evidence import Outcome
        from verify.core.verdict import Verdict
        from verify.runs.baseline import contradict

        says = {
            Outcome.REFUTES: Verdict.REFUTED,
            Outcome.CONTRADICTS: Verdict.CONTRADICTED,
            Outcome.PROVES: Verdict.PROVED,
            Outcome.ARGUES: Verdict.ARGUED,
        }
        if piece is None or task.claim.startswith("control."):
            return False
        before = self._rows.get(task.claim, {}).get("verdict", "")
        found = says.get(piece.outcome)
        against = found is not None and contradict(before, found.value)
        self.met = self.met or piece.outcome is Outcome.ERROR or against
        return self.met


def failed_before(chosen: Sequence[Claim], journal: Path) -> list[Claim]:
    """Those of the claims that failed when they were last looked at; all of them if none did."""
    names = _read(journal)
    failed = [claim for claim in chosen if claim.id in names]
    if not failed:
        print("none of these failed last time: all are looked at", file=sys.stderr)
    return failed or list(chosen)


def note_failed(record: dict[str, Any], journal: Path) -> None:
    """Keep which claims of a run fail; of others what was kept stays. A journal that cannot be
    written keeps nothing."""
    from reports.troubles import troubles
    from verify.runs.written import written_whole

    about = {trouble.about for trouble in troubles(record)}
    failed = {
        claim["id"]
        for claim in record["claims"]
        if claim["id"] in about or claim["statement_id"] in about
    }
    there = {claim["id"] for claim in record["claims"]}
    names = sorted((_read(journal) - there) | (failed & there))
    with suppress(OSError):
        written_whole(journal / LAST, "".join(f"{name}\n" for name in names))


def _read(journal: Path) -> set[str]:
    try:
        return set((journal / LAST).read_text(encoding="utf-8").split())
    except (OSError, UnicodeDecodeError):
        return set()
