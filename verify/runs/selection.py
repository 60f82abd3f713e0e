"""Which claims a run is about."""

from __future__ import annotations

from collections.abc import Sequence

from verify.core.claim import Claim
from verify.core.ledger import Statement, papers, statements
from verify.papers.registry import UnknownClaimError, all_claims, find
from verify.runs.hints import check_id, of_papers


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
    check_id(claim_id)
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
    for wanted in ids:
        check_id(wanted)
    if paper is not None and paper not in papers():
        raise _nothing("claim", ids, paper, keyword)
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
        raise _nothing("claim", ids, paper, keyword)
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
        raise _nothing("statement", (), paper, keyword)
    return rows


def _speaks_of(keyword: str, *texts: str) -> bool:
    """Whether one of the texts has the keyword, in whatever case."""
    return any(keyword.lower() in text.lower() for text in texts)


def _places(claim: Claim) -> list[str]:
    """Where a claim is printed, by its own reference and by that of its statement."""
    return [claim.source.reference, statements()[claim.ledger_id].place]


def _nothing(
    what: str, ids: Sequence[str], paper: str | None, keyword: str | None
) -> NothingSelectedError:
    """That nothing was selected, and what to try."""
    asked = {"": " ".join(ids), "paper ": paper, "keyword ": keyword}
    named = " and ".join(name + repr(value) for name, value in asked.items() if value)
    every = {"claim": "`lemmata list --claims` shows all", "statement": "`lemmata list` shows all"}
    hint = every[what] if paper is None or paper in papers() else of_papers(paper)
    return NothingSelectedError(f"no {what} matches {named}: {hint}")


def _matches(claim: Claim, wanted: str) -> bool:
    if claim.id == wanted:
        return True
    return claim.id.startswith((wanted + "@", wanted + "."))
