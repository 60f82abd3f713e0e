"""Claims that are false for one cause are one finding: the same exhibit, or the same repair."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any


def findings(claims: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The findings of a run, by the records of its claims: those of the main readings that are
    false, grouped within each paper where they share what refutes them or what mends them."""
    false = {
        claim["id"]: claim
        for claim in claims
        if claim["verdict"] in ("refuted", "refuted by argument", "contradicted")
        and claim["role"] == "main"
    }
    group = {name: name for name in false}

    def root(name: str) -> str:
        while group[name] != name:
            name = group[name]
        return name

    owners: dict[tuple[str, str], str] = {}
    for name, claim in false.items():
        for cause in _causes(claim, claims):
            other = owners.setdefault((claim["paper"], cause), name)
            group[root(name)] = root(other)
    members: dict[str, list[str]] = {}
    for name in false:
        members.setdefault(root(name), []).append(name)
    return [_finding(first, [false[name] for name in names]) for first, names in members.items()]


def _causes(claim: Mapping[str, Any], claims: Sequence[Mapping[str, Any]]) -> list[str]:
    """What the claim may share with others: why it fails (where that is not said, its exhibit), and
    the clause that mends it."""
    found = []
    certificate = claim["certificate"]
    if claim["why"]:
        found.append(f"why {claim['why']}")
    elif certificate is not None and "case" in certificate:
        found.append("case " + json.dumps(certificate["case"], sort_keys=True))
    for repair in claims:
        if repair["repairs"] == claim["id"] and repair["statement"].startswith(claim["statement"]):
            clause = repair["statement"][len(claim["statement"]) :].strip()
            found += [f"clause {clause}"] if clause else []
    return found


def _finding(first: str, members: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "id": first,
        "paper": members[0]["paper"],
        "statements": list(dict.fromkeys(claim["statement_id"] for claim in members)),
        "claims": [claim["id"] for claim in members],
        "why": next((c["why"] for c in members if c["why"]), members[0]["reason"]),
        "mended": list(dict.fromkeys(name for claim in members for name in claim["mended_by"])),
    }
