"""Writing a baseline: where one is there it is replaced by a person alone, who says why."""

from __future__ import annotations

import os
import subprocess
from argparse import Namespace
from pathlib import Path
from textwrap import shorten
from typing import Any

from lemmata.errors import UsageError

MOST = 20  # changes that are told one by one
WIDE = 100  # characters of one


def check_update(path: Path, options: Namespace) -> None:
    """Raises UsageError where a baseline would be replaced without being asked for, without a
    reason, or in CI."""
    if not options.update:
        if options.changed:
            raise UsageError("--changed goes with --update: add it")
        if options.reason is not None:
            raise UsageError("--reason goes with --update: add it")
        if path.exists():
            raise UsageError(
                f"{path} is there already: `lemmata baseline --update --reason WHY` replaces it"
            )
        return
    if in_ci():
        raise UsageError(
            f"--update: not in CI (CI={os.environ['CI']}): a baseline is what a person has looked "
            "at, write it there and commit it"
        )
    if not (options.reason or "").strip():
        raise UsageError("--update: say why the baseline changes, with --reason WHY")
    if not path.exists():
        raise UsageError(f"--update: there is no {path}, leave --update and --reason out")


def in_ci() -> bool:
    """Whether this runs in CI, where the variable CI is set."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false", "no")


def update_row(record: dict[str, Any], reason: str) -> dict[str, Any]:
    """What a baseline keeps of one update: when, why, and how much changed."""
    changes = record["changes"] or {"statements": (), "claims": ()}
    numbers = {"headlines": len(changes["statements"]), "claims": len(changes["claims"])}
    return {"date": record["run"]["started"], "reason": reason.strip(), **numbers}


def tell_update(record: dict[str, Any]) -> None:
    """Print what changed, headlines first."""
    from reports.troubles import BREAKS, What, troubles

    told = [
        f"{one.about}: another code" if one.what is What.CODE else one.line
        for one in troubles(record)
        if one.what not in BREAKS
    ]
    for line in told[:MOST]:
        print(f"  {shorten(line, WIDE, placeholder='…')}")
    if len(told) > MOST:
        print(f"  and {len(told) - MOST} more")


def commit() -> str | None:
    """The commit of the repository here: as CI tells it, or git; None outside of one."""
    for name in ("GITHUB_SHA", "CI_COMMIT_SHA"):
        if os.environ.get(name):
            return os.environ[name]
    try:
        done = subprocess.run(
            ["git", "rev-parse", "HEAD"], capture_output=True, check=True, text=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
