"""Everything about one claim, for the folder beside the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reports.checked import Hypothesis, checked
from reports.exhibit import exhibit, picture
from reports.findings import found_in, share_killed, sign_of
from reports.json_report import pretty
from reports.marks import Marks
from reports.methods import method
from reports.names import minuses, number_text
from reports.pieces import (
    blocks,
    escape,
    handle,
    line,
    listed,
    of,
    seconds,
    sentence,
    table,
    verdict,
)
from reports.verdicts import Record

LONGEST_CERTIFICATE = 40_000  # characters; a longer one stays in its file
ROLES = {
    "main": "main reading",
    "other": "another reading",
    "variant": "not printed",
    "repair": "a repair",
}


def claim_details(
    claim: Record,
    letters: Mapping[str, str],
    conditions: Mapping[Hypothesis, tuple[str, Record]],
) -> str:
    """A claim as an article: its statement as printed and as it is checked, and all that was found.

    conditions: the anchors of hypotheses, as of `checked.anchors`.
    """
    reading = f": {line(claim['reading_text'])}" if claim["reading_text"] else ""
    scope = f" Scope: {sentence(claim['scope'])}" if claim["scope"] else ""
    hypotheses = (_hypothesis(h, conditions) for h in claim["hypotheses"])
    parts = [
        f'<article class="claim" id="claim-{escape(claim["id"])}">',
        f"<h3>{verdict(claim['verdict'])} <i>{line(claim['title'])}</i></h3>",
        f'<p class="where">{handle(claim["id"])} {ROLES[claim["role"]]}{reading}</p>',
        blocks(claim["statement"]),
        listed("hyp", hypotheses),
        checked(claim),
        f"<p>{sentence(claim['reason'])}{scope}</p>",
        f'<p class="note">{line(claim["negation"])}</p>' if claim["negation"] else "",
        listed("rests", map(sentence, claim["rests_on"]["trusted"])),
        exhibit(claim, letters),
        "".join(map(_plot, found_in(claim, "plots"))),
        _evidence(claim["evidence"]),
        _folds(claim),
        _proof(claim),
        _certificate(claim),
        f'<p class="note"><code>{escape(claim["command"])}</code></p></article>\n',
    ]
    return "".join(parts)


def _plot(data: Any) -> str:
    from reports.plots import plot  # with matplotlib, which takes a second to load

    return plot(data)


def _hypothesis(one: Record, conditions: Mapping[Hypothesis, tuple[str, Record]]) -> str:
    """Its name, and a link to how it is asked, and its words."""
    anchor, _ = conditions.get((one["name"], one["statement"]), ("", None))
    name = f'<a href="#{anchor}">{line(one["name"])}</a>' if anchor else line(one["name"])
    return f"<i>{name}</i> {line(one['statement'])}"


def _evidence(pieces: list[Record]) -> str:
    columns = {
        "Method": lambda piece: escape(method(piece["method"], piece["outcome"])),
        "Outcome": of("outcome"),
        "Found": _found,
        "Seconds": lambda piece: seconds(piece["seconds"]),
    }
    return table("Evidence", columns, pieces) if pieces else ""


def _found(piece: Record) -> str:
    """What a method found, where it looked, and its figures."""
    named = dict(piece["figures"])
    if piece.get("instances"):
        named = {"instances": piece["instances"]} | named
    figures = [f"{escape(name)} {_figure(value)}" for name, value in named.items()]
    figures += [f"seed {piece['seed']}"] if piece["seed"] is not None else []
    small = [line("; ".join(piece["scope"])), " · ".join(figures)]
    below = "".join(f"<br><small>{text}</small>" for text in small if text)
    return f"{sentence(piece['summary'])}{below}"


def _figure(value: Any) -> str:
    """A number, or words with numbers in them, which are not cut."""
    if isinstance(value, str) and " " in value:
        return line(minuses(value))
    return escape(f"{value:,}" if isinstance(value, int) else number_text(value, limit=24))


def _nature(claim: Record) -> str:
    """How far from a false statement the nearest one is that stands, in brackets."""
    nature = (claim["grade"] or {}).get("nature")
    return f" ({nature})" if nature else ""


def _folds(claim: Record) -> str:
    """Named examples, needs, mutants that survive, and cases that meet all hypotheses."""
    examples, needs = claim["examples"], found_in(claim, "needs")
    changed, joint_cases = found_in(claim, "mutants"), found_in(claim, "joint_cases")
    near = (claim["grade"] or {}).get("near") or []
    mutants = [mutant for mutant in changed if mutant["fate"] != "stands"]
    killed, told = share_killed(mutants)
    met = all(joint["case"] is not None for joint in joint_cases)
    alive = [mutant for mutant in mutants if mutant["fate"] == "survived"]
    return (
        _fold(
            f"Examples: {sum(e['meets'] for e in examples)} of {len(examples)} meet it",
            {
                "Example": of("name", line),
                "": lambda e: "meets it" if e["meets"] else "no",
                "Part by part": lambda e: "; ".join(map(_part, e["parts"])),
            },
            examples,
        )
        + _fold(
            f"Hypotheses: {sum(n['needed'] for n in needs)} of {len(needs)} shown to be needed",
            {"Dropped": of("hypothesis", line), "": sign_of, "Found": of("text", sentence)},
            needs,
        )
        + _fold(
            f"Near it, these stand: {len(near)}" + _nature(claim),
            {"Rule": of("rule"), "Changed": of("change", line)},
            near,
        )
        + (f"<p>{killed} of {told} changed statements are refuted.</p>" if mutants else "")
        + _fold(
            f"Changed statements that are not refuted: {len(alive)}",
            {"Rule": of("rule"), "Changed": of("change", line), "By": of("by", sentence)},
            alive,
        )
        + _fold(
            "Its hypotheses can be met" if met else "Can its hypotheses be met?",
            {
                "Hypotheses": lambda m: ", ".join(map(line, m["hypotheses"])),
                "Case": of("text", sentence),
            },
            joint_cases,
        )
    )


def _part(part: Record) -> str:
    return f"{line(part['name'])}: {'' if part['holds'] else '✗ '}{line(part['value'])}"


def _fold(summary: str, columns: Mapping[str, Any], rows: list[Record]) -> str:
    inner = table(summary, columns, rows)
    return f"<details><summary>{summary}</summary>{inner}</details>" if rows else ""


def facts(claim: Record) -> list[str]:
    """The proof of a statement, fact by fact."""
    return [fact for piece in claim["evidence"] for fact in piece.get("proof", ())]


def proof_page(claim: Record) -> str:
    """The name of the page with its proof."""
    return f"proof-{claim['id']}.html"


def _proof(claim: Record) -> str:
    told = len(facts(claim))
    link = f'<a href="{escape(proof_page(claim))}">The proof, in {told} facts</a>'
    return f"<p>{link}</p>" if told else ""


def _certificate(claim: Record) -> str:
    certificate, checker = claim["certificate"], claim["checker"]
    if certificate is None:
        return ""
    told = f"<p>Checker: {escape(checker['message'])}</p>" if checker else ""
    network = certificate.get("network")
    figure = picture(network, Marks()) if network else ""
    text = pretty(certificate)
    body = f"<pre>{escape(text)}</pre>"
    if len(text) > LONGEST_CERTIFICATE:
        body = f"<p>{len(text):,} characters of JSON: read them in the file.</p>"
    kind = escape(certificate["kind"])
    return f"<details><summary>Certificate ({kind})</summary>{told}{figure}{body}</details>"
