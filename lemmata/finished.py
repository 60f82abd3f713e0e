"""Which runs are kept whole when they are finished, see verify.runs.finished."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lemmata.own import installed

if TYPE_CHECKING:
    from verify.runs.finished import Finished

ASKED = ("ids", "paper", "keyword", "budget", "seed", "device", "graded")
"""The options on which a record depends, but for the files of claims and the baseline."""


def finished(options: Namespace, known: Mapping[str, Any] | None) -> Finished | None:
    """Where a run like this one is kept when it is finished; None where it is not."""
    from verify.runs.finished import Finished
    from verify.runs.journal import Journal

    annotated = options.files and any("github" in word for word in options.output)
    if options.stop or options.failed or options.fresh or annotated or installed():
        return None
    asked = {name: getattr(options, name) for name in ASKED}
    return Finished.of(Journal(Path(options.journal)), asked, options.files, known)
