"""All certificates of a run as Rocq source, compiled where that is possible."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from verify.checker.outcomes import ACCEPTED, DECLINED, REJECTED
from verify.checker.statements import check_content
from verify.rocq.compiled import Answer, compile_source, lacking
from verify.rocq.names import identifier
from verify.rocq.source import NotExported
from verify.rocq.statements import export_statement

NO_FORM = "no Rocq form of these claims is known here"


@dataclass
class Batch:
    """Files exported, with what the compiler says of each (None where it cannot be asked), why some
    are not compiled, and why others are not exported; and what the checker says of those that it
    rejects."""

    answers: dict[str, Answer | None] = field(default_factory=dict)
    rejected: dict[str, str] = field(default_factory=dict)
    lacking: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def failed(self) -> int:
        """How many files the checker or the compiler refused."""
        refused = (answer is not None and not answer.accepted for answer in self.answers.values())
        return sum(refused) + len(self.rejected)


def export_folder(certificates: Path, target: Path, batch: Batch) -> Iterator[str]:
    """Export every certificate file in a folder that the checker accepts into another folder, and
    compile it where a compiler is installed. Yields the name of each as it is done, and of each
    that the checker rejects."""
    target.mkdir(parents=True, exist_ok=True)
    for file in sorted(certificates.glob("*.json")):
        content = file.read_bytes()
        outcome = check_content(content, {})
        if outcome.code == REJECTED:
            batch.rejected[file.stem] = outcome.message
            yield file.stem
        if outcome.code == DECLINED:
            batch.reasons["the checker declines it"] += 1
        if outcome.code != ACCEPTED:
            continue
        try:
            source = export_statement(json.loads(content))
        except NotExported as refusal:
            reason = str(refusal)
            batch.reasons[NO_FORM if reason.startswith("no Rocq form") else reason] += 1
            continue
        path = target / f"{identifier('certificate', file.stem)}.v"
        path.write_text(source, encoding="ascii")
        missing = lacking(source)
        batch.answers[file.stem] = None if missing else compile_source(source)
        batch.lacking.update([missing] if missing else [])
        yield file.stem
