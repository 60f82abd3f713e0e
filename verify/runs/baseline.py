"""The baseline: the verdicts that are known and committed, and what differs from them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FORMAT = "lemmata-baseline"


class BaselineError(ValueError):
    """A baseline file cannot be read."""


class VoidRunError(ValueError):
    """A run that is void gives no baseline."""


def lock(record: Mapping[str, Any]) -> dict[str, Any]:
    """The baseline that a run's record gives."""
    return {
        "format": FORMAT,
        "version": 1,
        "budget": record["run"]["budget"],
        "claims": {
            claim["id"]: {
                "verdict": claim["verdict"],
                "scope": claim["scope"],
                "worst": claim["worst"],
                "code": claim["code"],
            }
            for claim in record["claims"]
        },
    }


def write(record: Mapping[str, Any], path: Path) -> None:
    """Write the baseline of a record. Raises VoidRunError for a void run."""
    if record["run"]["void"]:
        reasons = "; ".join(record["run"]["void_reasons"])
        raise VoidRunError(f"the run is void ({reasons}): no baseline written to {path}")
    text = json.dumps(lock(record), indent=1, sort_keys=True, allow_nan=False, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def read(path: Path) -> dict[str, Any]:
    """The baseline in a file. Raises BaselineError, saying what to do."""
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise BaselineError(
            f"no baseline at {path}: write one with `lemmata baseline {path}`"
        ) from error
    except ValueError as error:
        raise BaselineError(
            f"baseline {path} is not JSON ({error}): restore it from version control"
        ) from error
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != 1:
        raise BaselineError(
            f"{path} is not a baseline of this version: write it with `lemmata baseline {path}`"
        )
    claims = data.get("claims")
    if not isinstance(claims, dict) or not all(map(_is_row, claims.values())):
        raise BaselineError(
            f"baseline {path} lacks the verdict of a claim: restore it from version control"
        )
    return data


def _is_row(row: object) -> bool:
    return isinstance(row, dict) and isinstance(row.get("verdict"), str)


def differences(
    record: Mapping[str, Any], baseline: Mapping[str, Any], *, whole: bool
) -> list[dict[str, str]]:
    """The claims whose verdict differs, in either direction.

    whole: the run was about every claim, so a claim that only the baseline has is a difference.
    """
    known = baseline["claims"]
    found = []
    for claim in record["claims"]:
        before = known.get(claim["id"], {}).get("verdict", "not in the baseline")
        if before != claim["verdict"]:
            found.append({"id": claim["id"], "before": before, "after": claim["verdict"]})
    if whole:
        there = {claim["id"] for claim in record["claims"]}
        found += [
            {"id": name, "before": row["verdict"], "after": "not checked"}
            for name, row in known.items()
            if name not in there
        ]
    return found
