"""The command `journal`: how large it is, and cleaning it."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from lemmata.errors import FINE, UsageError

LONGEST = 100_000  # days


def journal(options: Namespace) -> int:
    """Tell how much a journal keeps, or delete what was not used for so many days."""
    from verify.runs.journal import Journal

    if not 0 <= options.days <= LONGEST:
        raise UsageError(f"--days {options.days}: give 0 or more, up to {LONGEST}")
    kept = Journal(Path(options.journal))
    if options.what == "clean":
        count, size = kept.clean(options.days)
        print(f"{count:,} records deleted, {size / 1e6:.1f} MB")
    else:
        sizes = [path.stat().st_size for path in kept.records()]
        print(f"{len(sizes):,} records, {sum(sizes) / 1e6:.1f} MB, in {options.journal}")
    return FINE
