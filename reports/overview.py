"""The first pages of a report: where things are, what needs attention, how many, and all in a list.

Where a run has many claims, its lists are folded paper by paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reports.pieces import badge, escape, line, link, sentence
from reports.verdicts import LOOKS, Group, Item, Record, attention, counts

LONGEST = 40  # lines that are shown at once; more are folded


def by_paper(claims: Sequence[Record]) -> dict[str, list[Record]]:
    """The claims of each paper, both in the order of the run."""
    papers: dict[str, list[Record]] = {}
    for claim in claims:
        papers.setdefault(claim["paper"], []).append(claim)
    return papers


def contents(record: Record) -> str:
    """Links to the parts of a report of several papers; a short one needs none."""
    papers = by_paper(record["claims"])
    if len(record["claims"]) <= LONGEST:
        return ""
    parts = {"attention": "What needs attention", "counts": "Counts", "table": "All claims"}
    links = [f'<a href="#{name}">{text}</a>' for name, text in parts.items()]
    links += [f'<a href="#{escape(paper)}">{escape(paper)}, claim by claim</a>' for paper in papers]
    items = "".join(f"<li>{one}</li>" for one in links)
    return f'<nav aria-label="Contents"><ul>{items}</ul></nav>\n'


def overview(record: Record, known: Mapping[str, Record]) -> str:
    """What needs attention, and the counts."""
    body = "".join(_group(group, known) for group in attention(record))
    if not body:
        body = "<p>Nothing: no errors, no changes, no void controls, nothing refuted.</p>"
    return f'<section id="attention"><h2>What needs attention</h2>{body}</section>\n' + _counts(
        record
    )


def table(record: Record, known: Mapping[str, Record]) -> str:
    """A line for each claim."""
    names = ("Verdict", "Claim", "Reference", "Title", "Kind", "Scope", "Worst", "Ancestors")
    heads = "".join(f'<th scope="col">{name}</th>' for name in names)
    tables = {
        paper: f'<table class="claims"><thead><tr>{heads}</tr></thead><tbody>'
        f"{''.join(_row(claim, known) for claim in claims)}</tbody></table>"
        for paper, claims in by_paper(record["claims"]).items()
    }
    papers = by_paper(record["claims"])
    body = _folded({paper: (len(papers[paper]), text) for paper, text in tables.items()})
    return f'<section id="table"><h2>All claims</h2>{body}</section>\n'


# what needs attention ----------------------------------------------------------------------------
def _group(group: Group, known: Mapping[str, Record]) -> str:
    papers: dict[str, list[Item]] = {}
    for item in group.items:
        claim = known.get(item.claim_id or "")
        papers.setdefault(claim["paper"] if claim else "", []).append(item)
    lists = {
        paper: (len(items), f"<ul>{''.join(_item(item, known) for item in items)}</ul>")
        for paper, items in papers.items()
    }
    sign = LOOKS[group.verdict].sign
    return (
        f'<section class="group {group.verdict}"><h3><span class="sign">{sign}</span> '
        f'{group.title} <span class="count">{len(group.items):,}</span></h3>'
        f"{_folded(lists)}</section>"
    )


def _item(item: Item, known: Mapping[str, Record]) -> str:
    name = link(item.claim_id, known) if item.claim_id else f"<code>{escape(item.label)}</code>"
    label = f"<i>{line(item.label)}.</i> " if item.claim_id and item.label else ""
    told = sentence(item.text) if label else line(item.text)
    return f"<li><span>{name}</span><span>{label}{told}</span></li>"


def _folded(lists: Mapping[str, tuple[int, str]]) -> str:
    """Lists of so many lines each, one below the other, folded where they are long together."""
    if sum(number for number, _ in lists.values()) <= LONGEST:
        return "".join(text for _, text in lists.values())
    return "".join(
        f'<details class="list"><summary>{escape(paper) or "others"} '
        f'<span class="count">{number:,}</span></summary>{text}</details>'
        for paper, (number, text) in lists.items()
    )


# counts ------------------------------------------------------------------------------------------
def _counts(record: Record) -> str:
    """By verdict and, where there are several, by paper."""
    whole = counts(record)
    papers = {paper: counts({"claims": own}) for paper, own in by_paper(record["claims"]).items()}
    columns = papers if len(papers) > 1 else {}
    heads = "".join(f'<th scope="col" class="number">{escape(paper)}</th>' for paper in columns)
    ends = '<th class="number">all</th><th class="meaning"></th>'
    head = f"<thead><tr><th></th>{heads}{ends}</tr></thead>"
    rows = "".join(
        f"<tr><td>{badge(verdict)}</td>"
        f"{''.join(_number(own.get(verdict, 0)) for own in columns.values())}{_number(number)}"
        f'<td class="meaning">{escape(LOOKS[verdict].meaning)}</td></tr>'
        for verdict, number in whole.items()
    )
    sums = "".join(_number(sum(own.values())) for own in columns.values())
    bar = "".join(
        f'<span class="{verdict.replace(" ", "-")}" style="flex-grow:{number}"></span>'
        for verdict, number in whole.items()
    )
    return (
        f'<section id="counts"><h2>Counts</h2><div class="bar" aria-hidden="true">{bar}</div>'
        f'<table class="counts">{head if columns else ""}<tbody>{rows}</tbody>'
        f"<tfoot><tr><td>claims</td>{sums}{_number(len(record['claims']))}"
        f'<td class="meaning">{_baseline(record)}</td></tr></tfoot></table></section>\n'
    )


def _number(number: int) -> str:
    return f'<td class="number">{f"{number:,}" if number else "–"}</td>'


def _baseline(record: Record) -> str:
    changes = record["changes"]
    if changes is None:
        return "no baseline to compare with"
    return f"{len(changes) or 'none'} changed against the baseline"


# all claims --------------------------------------------------------------------------------------
def _row(claim: Record, known: Mapping[str, Record]) -> str:
    ancestors = {True: "supported", False: "not all", None: "–"}[claim["ancestors_supported"]]
    cells = [
        ("verdict", badge(claim["verdict"])),
        ("claim", link(claim["id"], known)),
        ("reference", line(claim["reference"])),
        ("title", line(claim["title"])),
        ("kind", escape(claim["kind"])),
        ("scope", f'<span class="clamp">{line(claim["scope"])}</span>' if claim["scope"] else ""),
        ("worst", escape(claim["worst"] or "")),
        ("ancestors", ancestors),
    ]
    inner = "".join(f'<td class="cell-{name}">{value}</td>' for name, value in cells)
    return f"<tr>{inner}</tr>\n"
