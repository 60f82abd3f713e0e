"""What was probably meant by the name of a paper or a claim that is not there.

Told from the ledger, before a claim is loaded.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from verify.core.ledger import papers, statements
from verify.papers.registry import UnknownClaimError

CONTROLS = "control"  # the first word of the ids of controls


def check_id(wanted: str) -> None:
    """Raises UnknownClaimError for an id whose first word no id begins with: without its paper, or
    with one that is misspelt."""
    paper, _, rest = wanted.partition(".")
    begin = {*papers(), *(name.partition(".")[0] for name in statements()), CONTROLS}
    if paper in begin:
        return
    ends = {name: name.partition(".")[2] for name in statements()}
    if whole := [name for name, end in ends.items() if f"{wanted}.".startswith(f"{end}.")]:
        found = [name + wanted.removeprefix(ends[name]) for name in whole]
        raise UnknownClaimError(f"no claim {wanted!r}: with its paper it is {either(found)}")
    nearest = near(wanted, (*papers(), *statements()), 0.7)[:1]
    if not rest and nearest and nearest[0] in papers():
        meant = either(near(wanted, papers(), 0.7))
        raise UnknownClaimError(f"no claim {wanted!r}: did you mean {meant}?")
    alike = [f"{other}.{rest}" for other in near(paper, begin)] if rest else []
    there = [name for name in alike if name in statements()]
    likely = there or near(wanted, statements(), 0.6)
    hint = f"did you mean {either(likely)}?" if likely else "`lemmata list` shows all ids"
    raise UnknownClaimError(f"no claim {wanted!r}: {hint}")


def of_papers(wanted: str) -> str:
    """What to say where no paper is called so."""
    likely = near(wanted, papers())
    return f"did you mean {either(likely)}?" if likely else f"there are {', '.join(papers())}"


def near(wanted: str, known: Iterable[str], likeness: float = 0.5) -> list[str]:
    """The names most like this one, at most three.

    >>> near("lst", ["list", "run"]), near("nothing", ["run"])
    (['list'], [])
    """
    return get_close_matches(wanted.lower(), list(known), n=3, cutoff=likeness)


def either(names: Iterable[str]) -> str:
    """The names as a choice.

    >>> either("a"), either("abc")
    ('a', 'a, b or c')
    """
    *front, last = names
    return f"{', '.join(front)} or {last}" if front else last
