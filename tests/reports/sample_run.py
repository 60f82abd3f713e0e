"""A run record written by hand: every verdict, every headline, every kind of certificate."""

from __future__ import annotations

import json

from tests.reports.sample_decomposition import decomposition
from tests.reports.sample_invariances import invariances
from tests.reports.sample_parts import Record
from tests.reports.sample_verdicts import verdicts

WHY = r"the risk of $-x$ is that of another example, so $\mathcal R(w)$ is another number"
MAIN = ("lj22.lemma", "lj22.thm", "lj22v1.lemma", "j23.")
FALSE = ("refuted", "refuted by argument", "contradicted")
STANDS = ("supported", "argued on scope", "argued", "proved on scope", "proved")


def sample() -> Record:
    """A fresh record, for a test to change as it likes."""
    claims = decomposition() + invariances() + verdicts()
    record = {
        "format": "lemmata-run",
        "version": 4,
        "notation": {r"\nu(x_{k})": "the output on an example"},
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
        "papers": [
            paper("lj22", "Training invariances", "Thien Le", "Stefanie Jegelka"),
            paper("j23", "Bottleneck structure", "Arthur Jacot"),
        ],
        "statements": _statements(claims),
        "findings": [
            {
                "id": "flaw-1",
                "paper": "lj22",
                "statements": ["lj22.risk", "lj22.gflow"],
                "claims": ["lj22.risk", "lj22.gflow"],
                "why": WHY,
                "mended": ["lj22.gflow.fix"],
            }
        ],
        "controls": [
            control("control.true", "a true lemma", "proved", "proved"),
            control("control.false", "a false lemma", "refuted", "refuted"),
            control("control.undecidable", "beyond the methods", "open", "open"),
            control("control.lj22.planted", "a planted false lemma", "refuted", "refuted"),
        ],
        "changes": {
            "statements": [{"id": "lj22.eq3", "before": "true", "after": "false as printed"}],
            "claims": [
                {"id": "lj22.eq3", "what": "verdict", "before": "supported", "after": "refuted"},
                {"id": "lj22.lost", "what": "gone", "before": "proved", "after": None},
                {"id": "lj22.lemma4", "what": "new", "before": None, "after": "proved"},
                {"id": "lj22.def1", "what": "code", "before": "a", "after": "b"},
            ],
        },
        "claims": claims,
    }
    fresh: Record = json.loads(json.dumps(record))  # no two places share a list
    _connect(fresh)
    return fresh


def paper(name: str, title: str, *authors: str) -> Record:
    """A paper of the record."""
    return {
        "id": name,
        "title": title,
        "authors": list(authors),
        "year": 2022,
        "venue": "ICLR 2022",
        "citation": f"{', '.join(authors)}: {title}. ICLR 2022.",
        "versions": ["final", "earlier"],
        "letters": {"gap2": "$s_{k+1}$", "at": "point"},
    }


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


def _statements(claims: list[Record]) -> list[Record]:
    """A printed statement for each id that the claims are about."""
    by_statement: dict[str, list[Record]] = {}
    for claim in claims:
        by_statement.setdefault(claim["statement_id"], []).append(claim)
    return [_statement(name, own) for name, own in by_statement.items()]


def _statement(name: str, claims: list[Record]) -> Record:
    first = next(claim for claim in claims if claim["role"] == "main")
    definition = first["verdict"] == "definition"
    return {
        "id": name,
        "paper": first["paper"],
        "version": first["version"],
        "place": first["reference"],
        "section": "Section 4",
        "rank": "definition" if definition else "main" if name.startswith(MAIN) else "supporting",
        "title": first["title"],
        "printed": first["statement"],
        "because": "the proof reads it so" if first["reading"] else "",
        "restored": "the sign in (3), from the proof" if name == "lj22.eq3" else "",
        "headline": {
            "word": _headline(first["verdict"], name),
            "detail": "argued for all" if first["verdict"] == "argued" else "",
            "mended": [c["id"] for c in claims if c["repairs"] and c["verdict"] in STANDS],
            "from_baseline": first["from_baseline"],
        },
        "claims": [claim["id"] for claim in claims],
        "uses": [],
        "used_by": [],
        "finding": None,
    }


def _headline(verdict: str, name: str) -> str:
    if verdict in FALSE:
        return "true off corner cases" if name == "j23.corner" else "false as printed"
    fixed = {"untested": "open", "not run": "open", "argued": "true", "proved": "true"}
    others = ("error", "vacuous", "open", "definition")
    return fixed.get(verdict, verdict if verdict in others else "nothing against it")


def _connect(record: Record) -> None:
    """What uses, repairs and shares a flaw with what."""
    claims = {claim["id"]: claim for claim in record["claims"]}
    statements = {row["id"]: row for row in record["statements"]}
    for claim in record["claims"]:
        if claim["repairs"] in claims and claim["verdict"] in STANDS:
            claims[claim["repairs"]]["mended_by"].append(claim["id"])
        for name in filter(claims.__contains__, claim["depends"]):
            user, used = claim["statement_id"], claims[name]["statement_id"]
            statements[user]["uses"].append(used)
            statements[used]["used_by"].append(user)
    for finding in record["findings"]:
        for name in finding["statements"]:
            statements[name]["finding"] = finding["id"]
        for name in finding["claims"]:
            claims[name]["why"] = finding["why"]
