"""Which claims a run is about."""

from __future__ import annotations

from collections.abc import Sequence

from verify.core.claim import Claim
from verify.core.ledger import Statement, statements
from verify.papers.registry import UnknownClaimError, all_claims, find


class NothingSelectedError(ValueError):
    """The selection matches no claim."""


def lookup(claim_id: str) -> Claim:
    """A claim or a control by its id. Raises UnknownClaimError."""
    from verify.runs.controls import CONTROLS

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
    """The claims named, or those of a paper, or those with a keyword in id, title or place.

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
        chosen = [c for c in chosen if _speaks_of(keyword, c.id, c.title, *_places(c))]
    if not chosen:
        raise NothingSelectedError(
            f"no claim matches {_asked(ids, paper, keyword)}: `lemmata list --claims` shows all"
        )
    return chosen


def select_rows(paper: str | None = None, keyword: str | None = None) -> list[Statement]:
    """The statements of the ledger, coded or not, of a paper or with a keyword likewise.

    Raises NothingSelectedError.
    """
    rows = [
        row
        for row in statements().values()
        if paper in (None, row.paper) and _speaks_of(keyword or "", row.id, row.title, row.place)
    ]
    if not rows:
        raise NothingSelectedError(
            f"no statement matches {_asked((), paper, keyword)}: `lemmata list` shows all"
        )
    return rows


def _speaks_of(keyword: str, *texts: str) -> bool:
    """Whether one of the texts has the keyword, in whatever case."""
    return any(keyword.lower() in text.lower() for text in texts)


def _places(claim: Claim) -> list[str]:
    """Where a claim is printed, by its own reference and by that of its statement."""
    return [claim.source.reference, statements()[claim.ledger_id].place]


def _asked(ids: Sequence[str], paper: str | None, keyword: str | None) -> str:
    asked = {"": " ".join(ids), "paper ": paper, "keyword ": keyword}
    return " and ".join(name + repr(value) for name, value in asked.items() if value)


def _matches(claim: Claim, wanted: str) -> bool:
    if claim.id == wanted:
        return True
    return claim.id.startswith((wanted + "@", wanted + "."))
