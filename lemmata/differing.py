"""`lemmata diff`: two runs, or two baselines, beside each other."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from lemmata.errors import DIFFERS, FINE, UsageError
from lemmata.terminal import columns


def diff(options: Namespace) -> int:
    """Tell what differs from one run or baseline to another; 1 if something does."""
    from reports import compared
    from verify.runs.baseline import between

    names = (options.before, options.after)
    before, after = (_read(Path(name)) for name in names)
    changes = between(before, after, same=True, whole=True)
    if before["budget"] != after["budget"]:
        print(
            f"{names[0]} is of budget {before['budget']}, {names[1]} of {after['budget']}: one of "
            "them looked at more",
            file=sys.stderr,
        )
    if options.format == "json":
        told = {"format": "lemmata-diff", "version": 1, "from": names[0], "to": names[1], **changes}
        print(json.dumps(told, indent=1, ensure_ascii=False))
    elif options.format == "md":
        print(compared.markdown(changes, names), end="")
    else:
        print(compared.text(changes, names, columns()), end="")
    return DIFFERS if any(changes.values()) else FINE


def _read(path: Path) -> dict[str, Any]:
    """What a record of a run, or a baseline, says, as a baseline has it. Raises UsageError for
    another file, RecordError and BaselineError for one that is damaged."""
    from reports import json_report
    from verify.runs import baseline

    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        data = None
    kind = data.get("format") if isinstance(data, dict) else None
    if kind == "lemmata-run":
        record = json_report.load(path)
        if record["run"]["void"]:
            print(f"{path} is void: {'; '.join(record['run']['void_reasons'])}", file=sys.stderr)
        return baseline.lock(record)
    if kind != baseline.FORMAT:
        raise UsageError(f"{path} is neither the record of a run (JSON) nor a baseline: name one")
    return baseline.read(path)
