"""A repaired statement beside the refuted one: the words and formulas that were changed."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from reports.mathml import CUT, FormulaError, formula
from reports.pieces import escape, line, unglued
from reports.verdicts import Record

ALIKE = 0.35  # two texts that share less are not compared word by word
BESIDE = 5  # words that are kept on each side of a change
WORDS = re.compile(r"\s*(?:[^\s.,;:()]|[.,:](?=\w))+|\s*\S")  # marks by themselves
LABEL = re.compile(r"^Repaired:\s*|(?<=[.\n])\s*Repaired:\s*(?=\S)")


def changed(before: str, after: str, *, short: bool = False) -> str:
    """The text after a change as HTML, what is new in `<ins>` and what is gone in `<del>`.

    short: of what is as before only the words next to a change.

    >>> changed("for all v", "for every v")
    '<p>for <del>all</del> <ins>every</ins> v</p>'
    """
    old, new = tokens(before), tokens(LABEL.sub(" ", after))
    matcher = SequenceMatcher(None, [t.strip() for t in old], [t.strip() for t in new], False)
    if matcher.ratio() < ALIKE:
        return f"<p>{_shown(new)}</p>"
    html = ""
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind == "equal":
            same = new[k:m]
            if short and len(same) > 2 * BESIDE:
                same = [*same[: BESIDE * (k > 0)], " …", *same[-BESIDE if m < len(new) else m :]]
            html += _lead(same) + _shown(same)
            continue
        for tag, part in (("del", old[i:j]), ("ins", new[k:m])):
            if part:
                space = _lead(part) or " " * html.endswith("</del>")
                html += f"{space}<{tag}>{_shown(part)}</{tag}>"
    return f"<p>{html.strip()}</p>"


def hypotheses_changed(before: list[Record], after: list[Record]) -> tuple[list[Record], list[str]]:
    """The hypotheses that a repair adds, or says otherwise, and the names of those it drops."""
    kept = {h["statement"] for h in before}
    names = {h["name"] for h in after}
    if not after:  # then it is of a kind that has none
        return [], []
    added = [h for h in after if h["statement"] not in kept]
    return added, [h["name"] for h in before if h["name"] not in names]


def tokens(text: str) -> list[str]:
    """The words and the whole formulas of a text, each with the space before it."""
    found: list[str] = []
    space = ""
    for piece in CUT.split(text):
        if piece.startswith(("$", "`")) and len(piece) > 1:
            found.append(space + piece)
            space = ""
        else:
            found += WORDS.findall(piece)
            space = piece[len(piece.rstrip()) :]
    return found


def _lead(part: list[str]) -> str:
    return " " if part[0][:1].isspace() else ""


def _shown(part: list[str]) -> str:
    """Words and formulas as HTML for the inside of a paragraph."""
    html, running = "", ""
    for token in part:
        if token.strip().startswith("$$"):
            html += f"{line(running)} {_display(token.strip())} "
            running = ""
        else:
            running += token
    return (html + line(running.strip())).strip()


def _display(token: str) -> str:
    latex = re.sub(r"\\tag\{[^{}]*\}", "", token.strip("$"))
    for source in (latex, unglued(latex)):
        try:
            return f'<span class="display">{formula(source, display=True)}</span>'
        except FormulaError:
            continue
    return f'<code class="latex">{escape(token)}</code>'
