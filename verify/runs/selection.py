"""Which claims a run is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verify.claim import Claim
from verify.controls import CONTROLS
from verify.ledger import ledger
from verify.registry import UnknownClaimError, all_claims, find


class NothingSelectedError(ValueError):
    """The selection matches no claim."""


def lookup(claim_id: str) -> Claim:
    """A claim or a control by its id. Raises UnknownClaimError."""
    if claim_id in CONTROLS:
        return CONTROLS[claim_id][0]
    return find(claim_id)


def named(claim_id: str) -> list[Claim]:
    """The claim or control with this id; if there is none, its parts and readings.

    Raises UnknownClaimError.
    """
    try:
        return [lookup(claim_id)]
    except UnknownClaimError:
        return select([claim_id])


def select(
    ids: Sequence[str] = (), paper: str | None = None, keyword: str | None = None
) -> list[Claim]:
    """The claims named, or those of a paper, or those whose id or title has a keyword.

    An id selects itself and its parts and readings (`lj22.lemma3` selects `lj22.lemma3@A`).
    Raises UnknownClaimError for an id that matches none, NothingSelectedError when nothing is left.
    """
    chosen = list(all_claims())
    if ids:
        for wanted in ids:
            if not any(_matches(claim, wanted) for claim in chosen):
                find(wanted)  # raises, with the nearest ids
        chosen = [claim for claim in chosen if any(_matches(claim, wanted) for wanted in ids)]
    if paper is not None:
        chosen = [claim for claim in chosen if claim.source.paper == paper]
    if keyword is not None:
        low = keyword.lower()
        chosen = [c for c in chosen if low in c.id.lower() or low in c.title.lower()]
    if not chosen:
        raise NothingSelectedError(
            f"no claim matches {_asked(ids, paper, keyword)}: `lemmata list` shows all claims"
        )
    return chosen


def select_rows(paper: str | None = None, keyword: str | None = None) -> list[dict[str, Any]]:
    """The statements of the ledger, coded or not, selected likewise.

    Raises NothingSelectedError.
    """
    low = (keyword or "").lower()
    rows = [
        row
        for row in ledger()["claims"]
        if paper in (None, row["paper"])
        and (low in row["id"].lower() or low in row["title"].lower())
    ]
    if not rows:
        raise NothingSelectedError(
            f"no statement matches {_asked((), paper, keyword)}: `lemmata list --ledger` shows all"
        )
    return rows


def _asked(ids: Sequence[str], paper: str | None, keyword: str | None) -> str:
    asked = {"": " ".join(ids), "paper ": paper, "keyword ": keyword}
    return " and ".join(name + repr(value) for name, value in asked.items() if value)


def _matches(claim: Claim, wanted: str) -> bool:
    if claim.id == wanted:
        return True
    return claim.id.startswith((wanted + "@", wanted + "."))
