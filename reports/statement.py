"""The page of one printed statement: the print, what is known of it, how it is mended, and why."""

from __future__ import annotations

from collections.abc import Iterable

from reports.checked import folded_in
from reports.difference import changed, hypotheses_changed
from reports.exhibit import exhibit, found_value
from reports.findings import SIGNS, found_in, sign_of
from reports.folded import folded
from reports.grades import REFUTED, grade_sentence
from reports.index import Index
from reports.mends import mend, title
from reports.pieces import (
    blocks,
    escape,
    handle,
    headline,
    line,
    listed,
    sentence,
    target,
    verdict,
)
from reports.verdicts import ORDER, Record, detail

UNSELECTED = "not run at this budget"
SHOWN = 3  # repairs that are written out
LONG = 700  # characters of HTML; a longer case against a step of a proof stays in the folder


def article(statement: Record, index: Index) -> str:
    """A statement as an article that unfolds from its line."""
    return (
        f'<article data-w="{statement["headline"]["word"]}"><details>'
        f"<summary>{_line(statement, index)}</summary>"
        f'<div class="page" id="{escape(statement["id"])}">{_page(statement, index)}</div>'
        "</details></article>\n"
    )


def half_line(statement: Record, index: Index) -> str:
    """What is said beside the headline: its detail, or how the statement is mended."""
    known = statement["headline"]
    parts = [told] if (told := detail(known)) else []
    repairs = [index.claims[name] for name in known["mended"] if name in index.claims]
    if repairs:
        how = mend(repairs[0], index.claims.get(repairs[0]["repairs"]))
        parts.append(f"mended: {how}" if how else "mended")
    elif known["word"] == "false as printed":
        proposed = index.claims_of(statement, "repair")
        parts.append(f"no repair {'established, one proposed' if proposed else 'known'}")
    parts += [UNSELECTED] if known["from_baseline"] else []
    return line("; ".join(parts))


def decisive(statement: Record, index: Index) -> Record | None:
    """The claim that its headline stands on: of the worst verdict in the main reading, and of the
    refuted ones that with the smallest counterexample."""
    main = index.claims_of(statement, "main")
    size = {c["id"]: len(str(c["certificate"])) if c["certificate"] else 10**9 for c in main}
    return min(main, key=lambda c: (ORDER[c["verdict"]], size[c["id"]]), default=None)


def _line(statement: Record, index: Index) -> str:
    name = f" <i>{line(statement['title'])}</i>" if statement["title"] else ""
    half = half_line(statement, index)
    return (
        f"{headline(statement['headline']['word'])}<h4>{line(statement['place'])}{name}</h4>"
        f"{f'<small>{half}</small>' if half else ''}"
    )


def _page(statement: Record, index: Index) -> str:
    main = index.claims_of(statement, "main")
    claim = decisive(statement, index)
    parts = [
        _print(statement, main, index),
        _known(statement, main),
        _flaw(statement, index),
        _rests(statement, main, index),
    ]
    if claim is not None:
        parts += [_mended(statement, main, index), _counterexample(statement, main, claim, index)]
        parts += [_hypotheses(claim, index)]
    parts.append(folded(statement, claim, index))
    return "".join(parts)


# the print ----------------------------------------------------------------------------------------
def _print(statement: Record, main: list[Record], index: Index) -> str:
    version = f", {statement['version']} version" if statement["version"] else ""
    section = f", {line(statement['section'].rstrip('.'))}" if statement["section"] else ""
    notes = ""
    if statement["restored"]:
        notes += f'<p class="note">Restored: {sentence(statement["restored"])}</p>'
    if statement["because"]:
        notes += f'<p class="note">Main reading: {sentence(statement["because"])}</p>'
    page = index.page(statement["paper"])
    checked_as = "".join(folded_in(claim, page + target(f"claim-{claim['id']}")) for claim in main)
    return (
        f'<p class="where">As printed in {escape(statement["paper"].upper())}{section}'
        f"{escape(version)} {handle(statement['id'])}</p>"
        f"<blockquote>{blocks(statement['printed'])}</blockquote>{checked_as}{notes}"
    )


# what is known ------------------------------------------------------------------------------------
def _known(statement: Record, main: list[Record]) -> str:
    known = statement["headline"]
    word = main[0]["verdict"] if len(main) == 1 else ""
    rests = detail(known)
    told = [line(rests)] if rests not in ("", word) else []
    told += [UNSELECTED] if known["from_baseline"] else []
    bad = ' class="bad"' if known["word"] in ("error", "false as printed") else ""
    start = f"<b{bad}>{known['word'].capitalize()}</b>{''.join(f'; {one}' for one in told)}."
    if word:
        anchor = escape(f"claim-{main[0]['id']}")
        said = "" if word == "definition" else f" {word.capitalize()}: {_reason(main[0])}"
        return f'<p class="known" id="{anchor}">{start}{said}</p>'
    parts = [
        f"{verdict(c['verdict'], c['id'])} <i>{line(c['title'])}</i>. {_reason(c)} "
        f"{handle(c['id'])}"
        for c in main
    ]
    return f'<p class="known">{start}</p>{listed("parts", parts)}'


def _reason(claim: Record) -> str:
    """The reason for a verdict, and its scope, in sentences."""
    why = (claim["verdict"] in REFUTED and claim["why"]) or claim["reason"]
    said = [sentence(why)] if claim["verdict"] != "definition" else []
    if claim["through"]:
        said.append(f"Evaluated by this: {sentence(claim['through'])}")
    if claim["scope"] and "scope" in claim["verdict"]:
        said.append(f"Scope: {sentence(claim['scope'])}")
    if claim["beside"]:
        said.append(f"Beside that: {sentence(claim['beside'])}")
    if claim["from_baseline"]:
        said.append(f"({UNSELECTED.capitalize()}.)")
    return " ".join(said)


def _flaw(statement: Record, index: Index) -> str:
    """The other places that the same flaw reaches."""
    finding = index.findings.get(statement["finding"] or "", {"statements": ()})
    others = [name for name in finding["statements"] if name != statement["id"]]
    return f'<p class="note">One flaw with {index.places(others)}.</p>' if others else ""


def _rests(statement: Record, main: list[Record], index: Index) -> str:
    """What its headline rests on beyond computation; and what the paper's own text uses."""
    found = [claim["rests_on"] for claim in main]
    through = {claim["through"] for claim in main}  # told with the reasons already
    trusted = _once(t for f in found for t in f["trusted"] if t not in through)
    items = list(map(sentence, trusted))
    sections = sorted({f["section"] for f in found if f["section"]})
    if sections:
        items.append(f"Argued here: {line(', '.join(sections))}.")
    for name, words in (("cites", "Lemmas used"), ("unproved", "Not proved, and rested on")):
        if claims := _once(t for f in found for t in f[name]):
            items.append(f"{words}: {', '.join(map(index.claim, claims))}.")
    told = f"<h5>What the verdict rests on</h5>{listed('rests', items)}" if items else ""
    if statement["uses"]:
        told += f"<p>In the paper it uses {index.places(statement['uses'])}.</p>"
    return told


def _once(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


# how it is mended ---------------------------------------------------------------------------------
def _mended(statement: Record, main: list[Record], index: Index) -> str:
    names = _once(statement["headline"]["mended"])
    repairs = [index.claims[name] for name in names if name in index.claims]
    if not repairs:
        proposed = index.claims_of(statement, "repair")
        false = any(claim["verdict"] in REFUTED for claim in main)
        told = f"<p>{unmended(proposed, index)}</p>{_near(main)}"
        return f"<h5>How it is mended</h5>{told}" if false else ""
    first = {r["repairs"]: r for r in reversed(repairs) if r["statement_id"] == statement["id"]}
    most = SHOWN if statement["rank"] == "main" else 1
    whole = [r for r in repairs if first.get(r["repairs"]) is r][:most]
    items = [
        f"{index.claim(r['id'])} {line(title(r))}, {escape(r['verdict'])}. "
        f"{index.details(r, 'In full')}"
        for r in repairs
        if r not in whole
    ]
    also = f"<p>Also:</p>{listed('claims', items)}" if items else ""
    main_first = whole[0] if statement["rank"] == "main" else None
    told = "".join(_repair(repair, index, short=repair is not main_first) for repair in whole)
    return f"<h5>How it is mended</h5>{told}{also}"


def _near(main: list[Record]) -> str:
    """The statements near a false one that stand."""
    grades = [claim["grade"] for claim in main if claim["grade"] is not None]
    near = _once(one["change"] for grade in grades for one in grade["near"] or ())
    if not near:
        tried = any(grade["near"] is not None for grade in grades)
        return "<p>No statement that differs from it in one place stands.</p>" if tried else ""
    words = "Found by machine, statements that differ in one place and stand in all cases tried:"
    return f"<p>{words}</p>{listed('claims', [*map(line, near)])}"


def unmended(proposed: list[Record], index: Index) -> str:
    """That no repair stands, and those that are proposed."""
    if not proposed:
        return "No repair is known."
    number = "one is" if len(proposed) == 1 else f"{len(proposed)} are"
    links = ", ".join(index.claim(claim["id"]) for claim in proposed)
    return f"No repair is established; {number} proposed: {links}."


def _repair(repair: Record, index: Index, *, short: bool) -> str:
    """A repaired statement, what it changes marked, and the verdict on it. short: without all of
    what is as before."""
    refuted = index.claims.get(repair["repairs"] or "")
    before = refuted["statement"] if refuted else repair["statement"]
    text = changed(before, repair["statement"], short=short)
    added, dropped = hypotheses_changed(
        refuted["hypotheses"] if refuted else [], repair["hypotheses"]
    )
    news = [f"<ins>{line(h['name'])}: {line(h['statement'])}</ins>" for h in added if refuted]
    news += [f"Without: <del>{line(', '.join(dropped))}</del>"] if dropped else []
    back = f" It mends {index.claim(refuted['id'])}." if refuted else ""
    back += f" {index.details(repair, 'In full')}" if short else ""
    return (
        f'<div class="repair" id="claim-{escape(repair["id"])}">{text}{listed("hyp", news)}'
        f"<p>{verdict(repair['verdict'])} {handle(repair['id'])} {_reason(repair)}{back}</p></div>"
    )


# why it is false ----------------------------------------------------------------------------------
def _counterexample(statement: Record, main: list[Record], claim: Record, index: Index) -> str:
    """The case that decides the claim, drawn; which claim, and why, where there are several."""
    letters = index.letters(claim["paper"])
    shown = exhibit(claim, letters)
    if statement["rank"] == "step" and len(shown) > LONG:
        shown = found_value(claim) + f"<p>{index.details(claim, 'The case in full')}</p>"
    if claim["verdict"] not in REFUTED:
        return f"<h5>A witness</h5>{shown}" if shown else ""
    parts = ["<h5>The smallest counterexample</h5>"]
    if len(main) > 1:
        parts.append(f"<p>To {index.claim(claim['id'])}. {sentence(claim['why'])}</p>")
    if grade := grade_sentence(claim, statement["headline"]["word"], main):
        parts.append(f'<p class="note">{grade}</p>')
    return "".join(parts) + shown


# hypotheses ---------------------------------------------------------------------------------------
def _hypotheses(claim: Record, index: Index) -> str:
    """The hypotheses, each with the sign for whether it is needed; those that many statements share
    by name."""
    if not claim["hypotheses"]:
        return ""
    needs = {need["hypothesis"]: sign_of(need) for need in found_in(claim, "needs")}
    own, shared = [], []
    for h in claim["hypotheses"]:
        sign = f"{needs.get(h['name'], '–')} " if needs else ""
        anchor = index.standing.get((claim["paper"], h["name"], h["statement"]))
        if anchor:
            shared.append(f'{sign}<a href="#{anchor}">{line(h["name"])}</a>')
        else:
            own.append(f"{sign}<i>{line(h['name'])}</i> {line(h['statement'])}")
    key = ", ".join(f"{sign} {text}" for sign, text in SIGNS.items() if sign in needs.values())
    note = f'<p class="note">Dropped, the others kept: {key}.</p>' if needs else ""
    standing = f"<p>Standing: {', '.join(shared)}.</p>" if shared else ""
    return f"<h5>Hypotheses</h5>{note}{listed('hyp', own)}{standing}"
