"""The page of the mathematics: what verdicts use without computing it, section by section."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from reports.mathematics import HEADING, PAGES, REFERENCE, anchor, source
from reports.page import page
from reports.pieces import MATHEMATICS, blocks, escape, handle, line, section_anchor, target
from reports.verdicts import Record

TITLE = "The mathematics that is not computed"
STRESSED = re.compile(r"(?<![\w*])\*(\S(?:[^*]*\S)?)\*(?!\w)")
LINKED = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
ITEM = re.compile(r"^(?:- |\d+\. )", re.MULTILINE)
OPENED, CLOSED = "\ue000", "\ue001"  # stand for tags while a text is typeset

Resting = Mapping[tuple[str, str], Sequence[Record]]


def mathematics(record: Record) -> str:
    """The page, with an anchor at each section, and below its title the claims that rest on it."""
    resting = _resting(record)
    body = f'<header><h1>{TITLE}</h1></header>\n<main id="main">'
    body += "".join(_part(name, resting) for name in PAGES)
    return page(TITLE, f"{body}</main>\n")


def _resting(record: Record) -> Resting:
    """The claims of a run whose verdicts name a section."""
    found: defaultdict[tuple[str, str], list[Record]] = defaultdict(list)
    for claim in record["claims"]:
        rests = claim["rests_on"]
        texts = " ".join([claim["through"], *rests["trusted"], rests["section"]])
        for name in dict.fromkeys(REFERENCE.findall(texts)):
            found[name].append(claim)
    return found


def _part(name: str, resting: Resting) -> str:
    """One page of the text, as a section for each of its headings."""
    text = source(name)
    marks = [*HEADING.finditer(text)]
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    body = ""
    for mark, end in zip(marks, ends, strict=True):
        level = min(len(mark[1]) + 1, 4)
        place = anchor(mark[2])
        body += f'<section id="{section_anchor(name, place)}"><h{level}>{line(mark[2])}</h{level}>'
        if claims := resting.get((name, place)):
            links = (
                f'<a href="{escape(claim["paper"])}.html{target("claim-" + claim["id"])}">'
                f"{handle(claim['id'])}</a>"
                for claim in claims
            )
            body += f'<p class="note">In this run these rest on it: {", ".join(links)}.</p>'
        written = re.split(r"\n\s*\n", text[mark.end() : end])
        body += "".join(_block(block, name) for block in written if block.strip())
        body += "</section>\n"
    return body


def _block(text: str, name: str) -> str:
    """A paragraph, a displayed formula or a list."""
    text = text.strip()
    if not ITEM.match(text):
        return _typeset(text, name)
    tag = "ul" if text.startswith("-") else "ol"
    items = (_typeset(item.strip(), name) for item in ITEM.split(text) if item.strip())
    return f"<{tag}>{''.join(f'<li>{item}</li>' for item in items)}</{tag}>"


def _typeset(text: str, name: str) -> str:
    """Formulas, words that are stressed, and links to other sections."""
    tags: list[str] = []

    def kept(tag: str) -> str:
        tags.append(tag)
        return f"{OPENED}{len(tags) - 1}{CLOSED}"

    def linked(found: re.Match[str]) -> str:
        file, _, place = found[2].partition("#")
        to = section_anchor(file.removesuffix(".md") or name, place)
        link = f'<a href="{MATHEMATICS}{target(to)}">'
        return f"{kept(link)}{found[1]}{kept('</a>')}"

    text = LINKED.sub(linked, text)
    text = STRESSED.sub(lambda found: f"{kept('<em>')}{found[1]}{kept('</em>')}", text)
    return re.sub(f"{OPENED}(\\d+){CLOSED}", lambda found: tags[int(found[1])], blocks(text))
