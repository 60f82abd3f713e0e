"""All claims, by id. Importing it loads neither torch nor SymPy."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache

from verify.core.claim import Claim
from verify.core.ledger import PAPERS, statements


class UnknownClaimError(KeyError):
    """No claim of that id."""

    def __str__(self) -> str:
        return str(self.args[0])


@cache
def all_claims() -> tuple[Claim, ...]:
    """Every coded claim, in the order of the papers. Raises ValueError if two share an id."""
    of_papers = [claim for paper in PAPERS for claim in of_paper(paper)]
    claims = (*of_papers, *(claim for added in _added.values() for claim in added.values()))
    twice = [name for name, count in Counter(claim.id for claim in claims).items() if count > 1]
    if twice:
        raise ValueError(f"two claims have the id {min(twice)}")
    return claims


@cache
def of_paper(paper: str) -> Sequence[Claim]:
    """The claims of a built-in paper, in its order; no other paper is loaded."""
    with _to_stay():
        match paper:
            case "lj22":
                from verify.papers.lj22.claims import CLAIMS
            case "j23":
                from verify.papers.j23.claims import CLAIMS
            case "dkbhl20":
                from verify.papers.dkbhl20.claims import CLAIMS
            case "zlb22":
                from verify.papers.zlb22.claims import CLAIMS
            case _:
                raise KeyError(paper)
    return CLAIMS


@contextmanager
def _to_stay() -> Iterator[None]:
    """What is made here stays to the end: the collector of garbage need not go through it, neither
    while it is made (a third of the time) nor later. For what is made once: whatever is garbage by
    then stays as well."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collects:
            gc.enable()


_added: dict[str, dict[str, Claim]] = {}
"""For each file its claims, by id."""


def add(file: str, claims: Iterable[Claim]) -> None:
    """Add the claims that a file states, in place of those that it stated before."""
    _added[file] = {claim.id: claim for claim in claims}
    all_claims.cache_clear()


def added(file: str) -> bool:
    """Whether the claims of a file are here."""
    return file in _added


def of_a_file(claim_id: str) -> Claim | None:
    """The claim with this id that a file states; no built-in paper is loaded."""
    return next((added[claim_id] for added in _added.values() if claim_id in added), None)


@cache
def hashes() -> dict[str, str]:
    """The hashes of the built-in statements in the language, by the ids of their claims."""
    return {
        claim.id: claim.terms.digest
        for claim in all_claims()
        if claim.terms is not None and not claim.source.file
    }


def hash_of(claim_id: str) -> dict[str, str]:
    """The hash of the built-in statement of this id by it; nothing where there is none."""
    claim = built_in(claim_id)
    return {} if claim is None or claim.terms is None else {claim_id: claim.terms.digest}


def built_in(claim_id: str) -> Claim | None:
    """The claim of a paper with this id; no other paper is loaded."""
    own = (of_paper(paper) for paper in PAPERS if claim_id.startswith(paper))
    return next((claim for claims in own for claim in claims if claim.id == claim_id), None)


def find(claim_id: str) -> Claim:
    """The claim with this id; of the built-in papers at most its own is loaded.

    Raises UnknownClaimError, with the nearest ids.
    """
    from difflib import get_close_matches

    if (found := of_a_file(claim_id) or built_in(claim_id)) is not None:
        return found
    by_id = {claim.id: claim for claim in all_claims()}
    if claim_id in by_id:
        return by_id[claim_id]
    if claim_id in statements():
        parts = [name for name, claim in by_id.items() if claim.ledger_id == claim_id]
        if not parts:
            raise UnknownClaimError(f"{claim_id} is in the ledger but not coded yet")
        raise UnknownClaimError(f"{claim_id} is judged in parts: name one of {', '.join(parts)}")
    near = get_close_matches(claim_id, by_id, n=3, cutoff=0.4)
    hint = f"did you mean {', '.join(near)}?" if near else "`lemmata list` shows all ids"
    raise UnknownClaimError(f"no claim {claim_id!r}: {hint}")
