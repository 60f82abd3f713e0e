"""Verdicts and headlines as they are shown: their order, their signs, their meaning, their sums."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Record = dict[str, Any]


@dataclass(frozen=True)
class Look:
    """How a word is shown. sign: one character that tells it apart without colour."""

    sign: str
    meaning: str


# Of a claim, in the order in which they ask for attention.
LOOKS = {
    "error": Look("!", "the check itself broke, so nothing is known"),
    "refuted": Look("×", "an exact counterexample meets every hypothesis; the checker replayed it"),
    "refuted by argument": Look("×", "an exact case, and a named lemma that leads to it"),
    "contradicted": Look("×", "measurements whose interval (error at most 1/1000) excludes it"),
    "vacuous": Look("∅", "no case meets the hypotheses"),
    "untested": Look("–", "the check could not have failed, so it says nothing"),
    "open": Look("?", "looked at and undecided"),
    "not run": Look("–", "not part of this budget"),
    "supported": Look("○", "no violation in the cases of its scope, by a check that could fail"),
    "argued on scope": Look("◫", "an argument on paper that covers listed families only"),
    "argued": Look("◨", "an argument on paper; what is not computed is listed"),
    "proved on scope": Look("◧", "a replayed proof that covers listed families only"),
    "proved": Look("■", "a proof of the statement itself, every step replayed"),
    "definition": Look("≔", "not judged; other statements use it"),
}
ORDER = {verdict: place for place, verdict in enumerate(LOOKS)}

# Of a printed statement, the worst first.
HEADLINES = {
    "error": Look("!", "a check broke, so nothing is known"),
    "false as printed": Look("×", "what is printed is refuted, in its main reading"),
    "true off corner cases": Look("◐", "it fails only where weights, widths or data degenerate"),
    "vacuous": Look("∅", "nothing meets its hypotheses, so it says nothing"),
    "open": Look("?", "looked at and undecided"),
    "nothing against it": Look("○", "no violation was found, by checks that could have found one"),
    "true": Look("■", "proved, or argued on paper"),
    "definition": Look("≔", "not judged; other statements use it"),
}
RANK = {word: place for place, word in enumerate(HEADLINES)}

RANKS = {
    "main": ("main result", "main results"),
    "supporting": ("supporting statement", "supporting statements"),
    "step": ("step of a proof", "steps of proofs"),
    "definition": ("definition or assumption", "definitions and assumptions"),
    "experiment": ("experiment", "experiments"),
}
_TOLD = ("true", "false as printed", "true off corner cases")  # first in a sentence, in this order
_PHRASES = {
    "vacuous": "vacuous (no case meets the hypotheses)",
    "error": "not checked, by an error",
}
NONE_FAIL = re.compile(r"(^|; )fails in 0 of [\d,]+ generic cases")
EARLIER = "earlier"  # of a statement: that of an earlier version of its paper


def worst_first(statements: Iterable[Record]) -> list[Record]:
    """Statements by their headlines, those with one headline in the order of the print."""
    return sorted(statements, key=lambda statement: RANK[statement["headline"]["word"]])


def by_version(statements: Iterable[Record]) -> tuple[list[Record], list[Record]]:
    """The statements of the published version of a paper, and those of its earlier one alone."""
    found: tuple[list[Record], list[Record]] = ([], [])
    for statement in statements:
        found[statement.get("version") == EARLIER].append(statement)
    return found


def headline_counts(statements: Iterable[Record]) -> dict[str, int]:
    """Number of statements by headline, the worst first, without zeros."""
    found = Counter(statement["headline"]["word"] for statement in statements)
    return {word: found[word] for word in HEADLINES if found[word]}


def counted(statements: Iterable[Record]) -> str:
    """How many statements have which headline, those of the earlier version by themselves.

    >>> true, open_ = ({"headline": {"word": word}} for word in ("true", "open"))
    >>> counted([true, open_, true | {"version": "earlier"}])
    '1 open, 1 true; of the earlier version 1 true'
    """
    published, earlier = (
        ", ".join(f"{number} {word}" for word, number in headline_counts(own).items())
        for own in by_version(statements)
    )
    return "; ".join(filter(None, (published, earlier and f"of the earlier version {earlier}")))


def detail(headline: Record) -> str:
    """The half line beside a headline. Of a statement that is false as printed a share of 0 is left
    out, which alone would read as if it were true: why it counts stands with the counterexample.

    >>> detail({"word": "false as printed", "detail": "fails in 0 of 1,004 generic cases"})
    'an exact counterexample'
    """
    told = str(headline["detail"])
    if headline["word"] != "false as printed" or not NONE_FAIL.search(told):
        return told
    return NONE_FAIL.sub("", told) or "an exact counterexample"


def paper_sentence(statements: Iterable[Record]) -> str:
    """What is known of a paper's main results, in one sentence; in two where some of them are those
    of an earlier version, which say nothing of the published one.

    >>> one = {"rank": "main", "headline": {"word": "true", "mended": []}}
    >>> paper_sentence([one, one])
    'Of 2 main results 2 are true.'
    """
    every = list(statements)
    main = [one for one in every if one["rank"] == "main"]
    whole = main or every
    if not whole:
        return "No statement of it was looked at."
    kind = RANKS["main"] if main else ("statement", "statements")
    published, earlier = by_version(whole)
    if not earlier:
        return _counted(published, kind[len(published) != 1])
    told = []
    for own, name in ((published, "published"), (earlier, "earlier")):
        if own:
            told.append(_counted(own, f"{kind[len(own) != 1]} of the {name} version"))
    return " ".join(told)


def _counted(statements: list[Record], kind: str) -> str:
    """One sentence about statements of one kind."""
    counts = headline_counts(statements)
    order = [*(w for w in _TOLD if w in counts), *(w for w in counts if w not in _TOLD)]
    parts: list[str] = []
    for word in order:
        verb = "" if parts else "is " if counts[word] == 1 else "are "
        parts.append(f"{counts[word]} {verb}{_told(word, counts[word])}")
    return f"Of {len(statements)} {kind} {joined(parts)}{_mended(statements)}."


def joined(parts: list[str]) -> str:
    """A list in words.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def _told(word: str, number: int) -> str:
    """A headline at the end of a sentence about so many statements."""
    several = {"definition": "definitions", "nothing against it": "with nothing against them"}
    one = {"nothing against it": "with nothing against it", "definition": "a definition"}
    return (one if number == 1 else several).get(word) or _PHRASES.get(word, word)


def _mended(statements: list[Record]) -> str:
    """How many of the false ones can be mended."""
    false = [s for s in statements if s["headline"]["word"] == "false as printed"]
    mended = sum(bool(s["headline"]["mended"]) for s in false)
    if not false:
        return ""
    if len(false) == 1:
        return f"; the false one {'can be mended' if mended else 'has no established repair'}"
    whole = f"the {len(false)} false ones"
    if mended == len(false):
        return f"; {'both' if mended == 2 else 'each'} of {whole} can be mended"
    return f"; {mended or 'none'} of {whole} can be mended"
