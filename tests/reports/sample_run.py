"""A run record written by hand: every verdict, every kind of certificate, every kind of entry."""

from __future__ import annotations

import json

from tests.reports.sample_decomposition import decomposition
from tests.reports.sample_invariances import invariances
from tests.reports.sample_parts import Record


def sample() -> Record:
    """A fresh record, for a test to change as it likes."""
    record = {
        "format": "lemmata-run",
        "version": 1,
        "run": {
            "id": "2026-11-20-7c1e",
            "started": "2026-11-20T17:00:00Z",
            "seconds": 84.3,
            "budget": "ci",
            "seed": 0,
            "command": "lemmata run --paper lj22 --budget ci",
            "device": "cpu, 2 threads",
            "versions": {"lemmata": "0.1.0", "python": "3.11.7", "torch": "2.13.0"},
            "void": False,
            "void_reasons": [],
        },
        "controls": [
            control("control.true", "a true lemma", "proved", "proved"),
            control("control.false", "a false lemma", "refuted", "refuted"),
            control("control.undecidable", "beyond the methods", "inconclusive", "inconclusive"),
            control("control.lj22.planted", "a planted false lemma", "refuted", "refuted"),
        ],
        "changes": [{"id": "lj22.eq3", "before": "supported", "after": "refuted"}],
        "claims": decomposition() + invariances(),
    }
    fresh: Record = json.loads(json.dumps(record))  # no two places share a list
    return fresh


def control(control_id: str, title: str, expected: str, observed: str) -> Record:
    """One control of a run."""
    return {
        "id": control_id,
        "title": title,
        "expected": expected,
        "observed": observed,
        "ok": expected == observed,
    }


def void_sample() -> Record:
    """A run whose controls misbehaved."""
    record = sample()
    record["controls"][1] |= {"observed": "supported", "ok": False}
    record["run"] |= {
        "void": True,
        "void_reasons": ["control.false: expected refuted, observed supported"],
    }
    return record
