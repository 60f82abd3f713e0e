"""How a statement is mended, in half a line: what its repair says, or what that changes."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from reports.difference import LABEL, hypotheses_changed, tokens
from reports.verdicts import Record

BARE = re.compile(r",? repaired$")  # a title that says no more
LABELS = re.compile(r"(,?) repaired\b:?(?= )")
FEW = 90  # characters of LaTeX and words; a longer change is not told beside a headline


def mend(repair: Record, refuted: Record | None) -> str:
    """What a repair says or changes, as a text with formulas; nothing where that takes many words.

    >>> fields = {"hypotheses": [], "statement": "it is at least $1$", "title": "a bound, repaired"}
    >>> mend(fields, fields | {"statement": "it is at least $2$"})
    '$1$ instead of $2$'
    >>> mend(fields | {"title": "a bound, repaired for ReLU"}, None)
    'a bound, for ReLU'
    """
    if not BARE.search(repair["title"]):
        return title(repair)
    if refuted is None:
        return ""
    added, _ = hypotheses_changed(refuted["hypotheses"], repair["hypotheses"])
    if added:
        names = ", ".join(_quoted(h["name"]) for h in added)
        return f"with the {'hypothesis' if len(added) == 1 else 'hypotheses'} {names}"
    return _words(refuted["statement"], repair["statement"])


def title(claim: Record) -> str:
    """The title of a claim without the word that it is a repair, which is told beside it."""
    return LABELS.sub(r"\1", BARE.sub("", claim["title"]))


def _words(before: str, after: str) -> str:
    """The one place at which a text says something else, where there is one and it is short."""
    old, new = tokens(before), tokens(LABEL.sub(" ", after))
    matcher = SequenceMatcher(None, [t.strip() for t in old], [t.strip() for t in new], False)
    changes = [codes for codes in matcher.get_opcodes() if codes[0] != "equal"]
    if len(changes) != 1:
        return ""
    _, i, j, k, m = changes[0]
    gone, come = (_quoted("".join(part).strip(" ,.;")) for part in (old[i:j], new[k:m]))
    told = f"{come} instead of {gone}" if come and gone else come or f"without {gone}"
    return told if len(told) <= FEW and "$$" not in told else ""


def _quoted(text: str) -> str:
    """Words in quotation marks; a formula needs none."""
    return f"“{text}”" if text and "$" not in text else text
