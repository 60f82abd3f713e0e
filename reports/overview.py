"""The first screen and what is below it: papers, changes, findings, and the other statements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from reports.findings import SIGNS
from reports.graph import statement_graph
from reports.index import Index
from reports.pieces import blocks, escape, handle, line, listed, section, sentence, target
from reports.statement import article, unmended
from reports.tables import VERSIONS
from reports.verdicts import (
    HEADLINES,
    LOOKS,
    RANKS,
    Record,
    by_version,
    counted,
    headline_counts,
    joined,
    paper_sentence,
    worst_first,
)

LOOKED = {  # what changes of a claim when the cases or the code do, not what is known of it
    "scope": "The scope of {} changed: other cases were looked at",
    "code": "The code of {} changed",
}
OTHER_RANKS = [rank for rank in RANKS if rank != "main"]


def summary(record: Record) -> str:
    """The papers, each with what is known of its main results in one sentence."""
    items = []
    for paper in record["papers"]:
        own = _of(paper, record)
        people = f"{joined(paper['authors'])}, {paper['year']}" if paper["authors"] else ""
        items.append(
            f'<a href="{target("paper-" + paper["id"])}">{escape(paper["id"].upper())}</a> '
            f"<span>{escape(paper_sentence(own))}<br>"
            f"<small>{escape(people or paper['title'])}</small></span>"
        )
    words = '<p class="note"><a href="#words">What the words and signs mean</a></p>'
    return f'<nav aria-label="Papers">{listed("papers", items)}{words}</nav>\n'


def search(record: Record) -> str:
    """The form that filters the statements. It is shown where the script runs."""
    ranks = {statement["rank"] for statement in record["statements"]}
    choices = {
        "w": ("What is known: all", {word: word for word in headline_counts(record["statements"])}),
        "p": ("Paper: all", {p["id"]: p["id"].upper() for p in record["papers"]}),
        "r": ("Kind of statement: all", {rank: RANKS[rank][1] for rank in RANKS if rank in ranks}),
    }
    selects = "".join(
        f'<select name="{name}" aria-label="{first}"><option value="">{first}</option>'
        + "".join(f'<option value="{escape(v)}">{escape(t)}</option>' for v, t in options.items())
        + "</select>"
        for name, (first, options) in choices.items()
    )
    return (
        '<search><form id="find" hidden><input type="search" name="q" '
        'aria-label="Search in all statements" placeholder="Search in all statements">'
        f'{selects}<output aria-live="polite"></output></form></search>\n'
    )


def papers(record: Record, index: Index) -> str:
    """The main results of each paper, the worst first."""
    return "".join(_main_results(paper, record, index) for paper in record["papers"])


def others(record: Record, index: Index) -> str:
    """The other statements, by paper and rank, folded."""

    def groups(paper: Record) -> str:
        return "".join(_group(_of(paper, record, rank), rank, index) for rank in OTHER_RANKS)

    inner = _by_paper(record, groups)
    return section("Other statements", "", inner, "others") if inner else ""


def standing(record: Record, index: Index) -> str:
    """The hypotheses that many statements of a paper share."""

    def shared(paper: Record) -> str:
        items = "".join(
            f'<li id="{anchor}"><i>{line(name)}</i> {line(text)}</li>'
            for (own, name, text), anchor in index.standing.items()
            if own == paper["id"]
        )
        return f'<ul class="hyp">{items}</ul>' if items else ""

    inner = _by_paper(record, shared)
    return section("Standing hypotheses", "", inner, "standing") if inner else ""


def changes(record: Record, index: Index) -> str:
    """What differs from the baseline."""
    found = record["changes"]
    title = "What changed against the baseline"
    if found is None:
        return section(title, "There is no baseline to compare with.", "", "changes")
    told = [change for change in found["claims"] if change["what"] not in LOOKED]
    statements = [
        f"{index.place(c['id'])} {handle(c['id'])}: {_from_to(c)}" for c in found["statements"]
    ]
    claims = [f"{index.claim(c['id'])}: {_what(c)}" for c in told]
    folded = f"<details><summary>Of claims: {len(claims):,}</summary>{listed('claims', claims)}"
    inner = listed("claims", statements) + (f"{folded}</details>" if claims else "")
    nothing = "No headline and no verdict." if found["claims"] else "Nothing."
    return section(title, "" if inner else nothing, inner, "changes")


def looked(record: Record, index: Index) -> str:
    """The claims of which the baseline looked at other cases, or at another code: links alone."""
    found = record["changes"] or {"claims": ()}
    folds = ""
    for what, words in LOOKED.items():
        names = [change["id"] for change in found["claims"] if change["what"] == what]
        links = ", ".join(map(index.claim, names))
        if names:
            number = f"{len(names):,} claim{'' if len(names) == 1 else 's'}"
            folds += f"<details><summary>{words.format(number)}</summary><p>{links}</p></details>"
    title = "What was looked at otherwise than in the baseline"
    return section(title, "", folds, "looked") if folds else ""


def findings(record: Record, index: Index) -> str:
    """Refuted claims with one cause, and the places that each reaches."""

    def told(paper: Record) -> str:
        own = [f for f in record["findings"] if f["paper"] == paper["id"]]
        own.sort(key=lambda finding: -len(finding["statements"]))
        wide = [finding for finding in own if _reaches_far(finding, index)]
        rest = [name for f in own if f not in wide for name in f["statements"]]
        return listed("findings", (_finding(finding, index) for finding in wide)) + _rest(
            rest, index
        )

    number = len(record["findings"])
    words = (
        f"{number} {'cause' if number == 1 else 'causes'} of everything that is refuted here. One "
        "flaw is told once, with the places it reaches."
    )
    inner = _by_paper(record, told)
    return section("Findings", words, inner, "findings") if inner else ""


def controls(record: Record) -> str:
    """Whether the claims whose verdict is known beforehand came out as they should."""
    wrong = [c for c in record["controls"] if not c["ok"]]
    number = len(record["controls"])
    told = (
        f"{number} claims whose verdict is known beforehand: "
        f"{f'{len(wrong)} misbehaved' if wrong else 'all as expected'}."
    )
    items = [
        f"{handle(c['id'])} {line(c['title'])}: expected {escape(c['expected'])}, "
        f"observed {escape(c['observed'])}"
        for c in wrong
    ]
    return section("Controls", told, listed("claims", items), "controls")


def words() -> str:
    """What the headlines and verdicts mean."""
    tables = [
        (title, [(f"{look.sign} {word}", look.meaning) for word, look in looks.items()])
        for title, looks in (("Of a statement", HEADLINES), ("Of a claim", LOOKS))
    ]
    tables.append(("Before a hypothesis", list(SIGNS.items())))
    columns = []
    for title, entries in tables:
        rows = "".join(f"<dt>{sign}</dt><dd>{escape(told)}</dd>" for sign, told in entries)
        columns.append(f"<div><h3>{title}</h3><dl>{rows}</dl></div>")
    inner = f'<div class="two">{"".join(columns)}</div>'
    return section("How to read a verdict", "", inner, "words")


def _of(paper: Record, record: Record, *ranks: str) -> list[Record]:
    """The statements of a paper, or those with one of these ranks."""
    own = (s for s in record["statements"] if s["paper"] == paper["id"])
    return [s for s in own if s["rank"] in (ranks or RANKS)]


def _by_paper(record: Record, part: Callable[[Record], str]) -> str:
    """What there is of each paper, under its name."""
    found = ((escape(paper["id"]), part(paper)) for paper in record["papers"])
    return "".join(
        f'<section data-p="{name}"><h3>{name.upper()}</h3>{inner}</section>'
        for name, inner in found
        if inner
    )


def _main_results(paper: Record, record: Record, index: Index) -> str:
    main = _of(paper, record, "main")
    articles = _articles(main, index)
    name = escape(paper["id"])
    drawn = statement_graph(_of(paper, record))
    graph = f"<details><summary>What rests on what</summary>{drawn}</details>" if drawn else ""
    if any(row["paper"] == paper["id"] for row in record.get("versions") or []):
        beside = f"{index.page(paper['id'])}#{VERSIONS}"
        graph += f'<p><a href="{beside}">The two versions of it, statement by statement</a></p>'
    head = f"<h2>{name.upper()} <i>{line(paper['title'])}</i></h2>"
    return (
        f'<section id="paper-{name}" data-p="{name}" data-r="main">{head}'
        f"{articles or '<p>No main result of it is in this run.</p>'}{graph}</section>\n"
    )


def _articles(statements: Sequence[Record], index: Index) -> str:
    """Statements, the worst first; those of the earlier version alone after the others."""
    published, earlier = (
        "".join(article(statement, index) for statement in worst_first(own))
        for own in by_version(statements)
    )
    if not earlier:
        return published
    return f"{published}<section><h3>Of the earlier version</h3>{earlier}</section>"


def _group(statements: Sequence[Record], rank: str, index: Index) -> str:
    """Statements of one paper and rank, folded under their counts."""
    if not statements:
        return ""
    name = RANKS[rank][len(statements) > 1]
    articles = _articles(statements, index)
    head = f"<summary>{len(statements)} {name} <small>{counted(statements)}</small></summary>"
    return f'<details class="group" data-r="{rank}">{head}{articles}</details>'


def _reaches_far(finding: Record, index: Index) -> bool:
    """Whether a flaw reaches a main result, or several statements."""
    there = [index.statements[n] for n in finding["statements"] if n in index.statements]
    return len(there) > 1 or any(statement["rank"] == "main" for statement in there)


def _rest(names: Sequence[str], index: Index) -> str:
    """Causes of one lesser statement each, which tells it: the statements by their rank, folded."""
    if not names:
        return ""
    there = [index.statements[name] for name in dict.fromkeys(names) if name in index.statements]
    lines = []
    for rank in OTHER_RANKS:
        if own := [statement["id"] for statement in there if statement["rank"] == rank]:
            lines.append(f"{RANKS[rank][len(own) > 1].capitalize()}: {index.places(own)}.")
    number = f"{len(names)} more {'cause' if len(names) == 1 else 'causes'}"
    told = f"{number} of one lesser statement each, which tells it"
    return f"<details><summary>{told}</summary>{listed('findings', lines)}</details>"


def _finding(finding: Record, index: Index) -> str:
    claims = [index.claims[name] for name in finding["claims"] if name in index.claims]
    repairs = [*finding["mended"], *(name for claim in claims for name in claim["mended_by"])]
    mended = ", ".join(map(index.claim, dict.fromkeys(repairs)))
    tried = [c for c in index.claims.values() if c["repairs"] in finding["claims"]]
    end = f" Mended by {mended}." if mended else f" {unmended(tried, index)}"
    reached = index.places(dict.fromkeys(finding["statements"]))
    return f"{sentence(finding['why'])}<br><small>Reaches {reached}.{end}</small>"


def _from_to(change: Record) -> str:
    before, after = (change[end] or "not there" for end in ("before", "after"))
    return f"{line(before)} → {line(after)}"


def _what(change: Record) -> str:
    """A change of a claim in words."""
    match change["what"]:
        case "new":
            return f"new, {escape(change['after'] or '')}"
        case "gone":
            return f"gone, was {escape(change['before'] or '')}"
        case what:
            return f"{escape(what)}: {_from_to(change)}"


def void(run: Record) -> str:
    """In front of everything: that nothing below counts."""
    if not run["void"]:
        return ""
    reasons: Iterable[str] = map(escape, run["void_reasons"])
    return (
        '<section class="void" role="alert"><h2>! This run is void</h2>'
        f"{blocks('Its controls did not behave, so no verdict below counts.')}"
        f"{listed('claims', reasons)}</section>\n"
    )
