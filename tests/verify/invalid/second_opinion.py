"""Whether a certificate is genuine, by the engine's own code instead of the checker's."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from graphs.algebraic import Enclosure
from verify.core.claim import Claim
from verify.papers.registry import find
from verify.runs.controls import CONTROLS
from verify.search.certificates import case_of
from verify.search.judging import judge_exactly


def genuine(certificate: dict[str, Any]) -> bool:
    """Whether what the certificate says is so; it must be one that the checker accepts.

    The engine finds a violation at that entry, with that value.
    """
    claim = _claim(certificate["claim"])
    found = judge_exactly(claim, case_of(claim, certificate["case"])).violations
    value = certificate["value"]
    low, high = map(Fraction, value if isinstance(value, list) else (value, value))
    for violation in found:
        if _unordered(violation.entry) != _unordered(certificate["entry"]):
            continue
        if isinstance(violation.value, Enclosure):
            return low <= violation.value.high and violation.value.low <= high
        return low <= violation.value <= high
    return False


def _claim(name: str) -> Claim:
    return CONTROLS[name][0] if name in CONTROLS else find(name)


def _unordered(entry: dict[str, Any]) -> str:
    """An entry whatever the order of two indices."""
    copy = json.loads(json.dumps(entry))
    if isinstance(copy.get("entry"), list):
        copy["entry"].sort()
    return json.dumps(copy, sort_keys=True)
