"""Verdicts and headlines as they are shown: their order, their signs, their meaning, their sums."""

from __future__ import annotations

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
_PHRASES = {"vacuous": "empty (no case meets the hypotheses)", "error": "not checked, by an error"}


def worst_first(statements: Iterable[Record]) -> list[Record]:
    """Statements by their headlines, those with one headline in the order of the print."""
    return sorted(statements, key=lambda statement: RANK[statement["headline"]["word"]])


def headline_counts(statements: Iterable[Record]) -> dict[str, int]:
    """Number of statements by headline, the worst first, without zeros."""
    found = Counter(statement["headline"]["word"] for statement in statements)
    return {word: found[word] for word in HEADLINES if found[word]}


def paper_sentence(statements: Iterable[Record]) -> str:
    """What is known of a paper's main results, in one sentence.

    >>> one = {"rank": "main", "headline": {"word": "true", "mended": []}}
    >>> paper_sentence([one, one])
    'Of 2 main results 2 are true.'
    """
    every = list(statements)
    main = [one for one in every if one["rank"] == "main"]
    whole = main or every
    counts = headline_counts(whole)
    order = [*(w for w in _TOLD if w in counts), *(w for w in counts if w not in _TOLD)]
    parts: list[str] = []
    for word in order:
        verb = "" if parts else "is " if counts[word] == 1 else "are "
        parts.append(f"{counts[word]} {verb}{_told(word, counts[word])}")
    kind = RANKS["main"] if main else ("statement", "statements")
    start = f"Of {len(whole)} {kind[len(whole) != 1]}"
    if not parts:
        return "No statement of it was looked at."
    return f"{start} {joined(parts)}{_mended(whole)}."


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
        return f"; the false one {'can be mended' if mended else 'has no known repair'}"
    whole = f"the {len(false)} false ones"
    if mended == len(false):
        return f"; {'both' if mended == 2 else 'each'} of {whole} can be mended"
    return f"; {mended or 'none'} of {whole} can be mended"
