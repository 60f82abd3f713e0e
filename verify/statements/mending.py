"""Repairs of printed statements, told by what they change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verify.core.claim import Claim, Kind
from verify.language.terms import Term
from verify.statements.stated import Given, stated

KEPT = ("depends", "pool", "reading", "reading_text", "through")


def mended(
    printed: Claim, title: str, text: str, says: Term, given: Sequence[Given] = (), **others: Any
) -> Claim:
    """The repair of a statement: with another title, text, term or hypotheses. What it depends on,
    its cases, its reading and the lemma that it goes through are those of the printed one, and so
    is its kind, unless they are told. others: as of `stated`."""
    kept = {name: getattr(printed, name) for name in KEPT}
    if printed.kind not in (Kind.IDENTITY, Kind.INEQUALITY):  # of these the form tells
        kept["kind"] = printed.kind
    kept["repairs"] = printed.id
    return stated(f"{printed.id}.fix", printed.source, title, text, says, given, **(kept | others))
