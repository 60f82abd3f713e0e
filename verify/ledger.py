"""The ledger: every statement of every paper, coded or not."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

LEDGER = Path(__file__).parent / "papers" / "ledger.json"


def ledger() -> dict[str, Any]:
    """The list of all statements of all papers."""
    data: dict[str, Any] = json.loads(LEDGER.read_text(encoding="utf-8"))
    return data


@cache
def ledger_ids() -> frozenset[str]:
    """The ids of all statements of all papers."""
    return frozenset(row["id"] for row in ledger()["claims"])


def citations() -> dict[str, str]:
    """How each paper is cited, by its id."""
    return {
        paper["id"]: f"{', '.join(paper['authors'])}: {paper['title']}. {paper['venue']}."
        for paper in ledger()["papers"]
    }
