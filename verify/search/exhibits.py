"""Exhibits: counterexamples and witnesses that were found before, kept beside the papers.

A kept one decides nothing by itself: the checker replays it in every run that uses it. The file
holds the hash of the statement; the statement is the claim's own.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from verify.checker import statement_hash
from verify.core.claim import Claim
from verify.core.ledger import FOLDER, PAPERS

FORMAT, VERSION = "lemmata-exhibits", 2
DECIDES = ("counterexample", "witness")  # kinds of certificates that are kept


class ExhibitError(ValueError):
    """A file of exhibits cannot be read."""


@dataclass(frozen=True)
class Exhibit:
    """A certificate as it is kept, and what was said of it when it was found."""

    certificate: Mapping[str, Any]
    summary: str

    def certificate_of(self, claim: Claim) -> dict[str, Any] | None:
        """The whole certificate; None where it is one of another statement."""
        if claim.terms is None or self.certificate.get("statement") != claim.terms.digest:
            return None
        return {**self.certificate, "statement": claim.terms.to_json()}


def path_of(paper: str) -> Path:
    """Where the exhibits of a paper are kept."""
    return FOLDER / paper / "exhibits.json"


@cache
def exhibits(paper: str) -> Mapping[str, Exhibit]:
    """The exhibits of a paper by the ids of its claims. Raises ExhibitError."""
    path = path_of(paper)
    if paper not in PAPERS or not path.exists():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if (data["format"], data["version"]) != (FORMAT, VERSION):
            raise ValueError("another format or version")
        return {name: Exhibit(**row) for name, row in data["exhibits"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ExhibitError(
            f"{path} is no file of exhibits ({error}): restore it from version control, or delete "
            "it to look for counterexamples again"
        ) from error


def exhibits_of(
    records: Sequence[Mapping[str, Any]], paper: str, known: Collection[str] = ()
) -> str:
    """The file of the exhibits of a paper, as text, by the records of claims of a run; with those
    that are kept of known claims without a record."""
    others = set(known) - {claim["id"] for claim in records}
    rows = {name: asdict(one) for name, one in exhibits(paper).items() if name in others}
    for claim in records:
        certificate = claim["certificate"]
        if claim["paper"] != paper or certificate is None or certificate["kind"] not in DECIDES:
            continue
        pieces = [one for one in claim["evidence"] if one["outcome"] in ("refutes", "proves")]
        told = [one["summary"] for one in pieces if claim["reason"].startswith(one["summary"])]
        summary = (told or [pieces[0]["summary"]])[0]
        kept = certificate | {"statement": statement_hash(certificate["statement"])}
        rows[claim["id"]] = {"certificate": kept, "summary": summary}
    lines = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(row, ensure_ascii=False, allow_nan=False)}"
        for name, row in sorted(rows.items())
    )
    return f'{{"format": "{FORMAT}", "version": {VERSION}, "exhibits": {{\n{lines}\n}}}}\n'
