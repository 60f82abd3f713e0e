"""How evidence was found and what it says, in words for a reader who knows no names of methods."""

from __future__ import annotations

from collections.abc import Iterable

from reports.verdicts import Record
from verify.core.verdict import ABOUT_CHECKS, BESIDE

METHODS = {
    "pointwise": "random cases",
    "corners": "corner cases",
    "enumeration": "all small cases",
    "search": "guided search",
    "ascent": "gradient ascent",
    "extremes": "descent to the tightest cases",
    "trials": "random cases in floats with error bounds",
    "flow": "computed gradient flows",
    "limits": "gradient flows with growing norm",
    "rays": "exact solutions of the flow",
    "clarke": "limits of gradients at kinks",
    "rates": "slopes along sizes",
    "exponents": "slopes along widths",
    "sampling": "means over random samples",
    "experiment": "an experiment",
    "schema": "an argument",
    "expanded": "an expansion into polynomials",
    "exhibit": "a kept case",
    "necessity": "hypotheses dropped one by one",
    "vacuity": "a case that meets all hypotheses",
    "constants": "constants moved",
    "mutation": "changed statements",
    "generic": "generic cases, counted",
    "nearest": "statements near it",
}
OUTCOMES = {
    "refutes": "Refuted by {}",
    "violates": "Violated, without a certificate, in {}",
    "contradicts": "Contradicted by {}",
    "proves": "Proved by {}",
    "proves on scope": "Proved on its scope by {}",
    "argues": "Shown by {}",
    "argues on scope": "Shown on its scope by {}",
    "inconclusive": "Left open by {}",
    "error": "A check broke, {}",
    "supports": "Supported by {}",
}
OWN = {  # where the two together say something else
    ("exhibit", "refutes"): "Refuted by a kept counterexample",
    ("vacuity", "argues"): "Shown by an argument, that no case meets all hypotheses",
}
SILENT = frozenset((*ABOUT_CHECKS, *BESIDE, "vacuity"))  # their support is none of the claim


def method(name: str, outcome: str = "") -> str:
    """A method in words, by what it found where that matters; a name that has none as it is.

    >>> method("enumeration"), method("dowsing")
    ('all small cases', 'dowsing')
    """
    if (name, outcome) == ("schema", "proves"):
        return "a proof"
    return METHODS.get(name, name)


def methods(names: Iterable[str]) -> str:
    """Several methods in words, each once."""
    return ", ".join(dict.fromkeys(map(method, names)))


def found_by(piece: Record) -> str:
    """What a piece of evidence says of the claim, and how it was found.

    >>> found_by({"method": "exponents", "outcome": "inconclusive"})
    'Left open by slopes along widths'
    """
    name, outcome = piece["method"], piece["outcome"]
    words = OUTCOMES.get(outcome, "{}: " + outcome)
    return OWN.get((name, outcome)) or words.format(method(name, outcome))


def supporting(pieces: Iterable[Record]) -> list[Record]:
    """The evidence that supports a claim itself, without that on its hypotheses or its checks."""
    return [p for p in pieces if p["outcome"] == "supports" and p["method"] not in SILENT]
