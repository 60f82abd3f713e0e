"""What decides a claim: the network drawn, or the arrays; the data; the value as it should be.

All of it in the letters of the paper: a name that has none is not shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from reports import dags, networks, profiles
from reports.arrays import arrays, letter_of
from reports.figures import draw, drawable, legend
from reports.layout import DrawingError
from reports.marks import Marks, marks_of
from reports.names import name_html, number_text
from reports.pieces import escape, line, listed
from reports.verdicts import Record

DRAWINGS = (
    (networks.network_of_arrays, networks.DRAWN),
    (dags.dag_of_arrays, dags.DRAWN),
    (profiles.profile_of_arrays, profiles.DRAWN),
)
DRAWN = ("pieces", "at", "layers", "item", "selection", "dormant", "direction")
SIDES = ("left", "right")
Letters = Mapping[str, str]


def exhibit(claim: Record, letters: Letters) -> str:
    """The counterexample or witness: the network or arrays, the data, the value as it should be.

    letters: what the paper calls the names of arrays, entries and choices.
    """
    certificate = claim["certificate"]
    if certificate is None or "case" not in certificate:
        return ""
    case, entry = certificate["case"], certificate.get("entry", {})
    choice = case.get("choice") or {}
    network = case.get("network")
    figure = picture(network, marks_of(entry, choice)) if network else ""
    if "arrays" in case:
        figure += arrays(case, letters) if network else _arrays(case, letters)
    data = _data(case, entry) + _choice(choice, letters)
    found = found_value(claim, letters)
    return f'<div class="exhibit">{figure}<div>{data}{found}</div></div>'


def picture(network: Record, marks: Marks) -> str:
    """The network drawn, with what the entry points at marked, and a caption that explains it."""
    try:
        drawing = draw(network, marks)
    except DrawingError:  # no graph without cycles
        return '<p class="note">This network cannot be drawn.</p>'
    title = network.get("title") or ""
    keys = [
        f"{_key(name)}<span>{name_html(meaning)}</span>" for name, meaning in legend(network, marks)
    ]
    caption = ([escape(title)] if title else []) + keys
    told = f"<figcaption>{listed('keys', caption)}</figcaption>" if caption else ""
    return f"<figure>{drawing}{told}</figure>"


def _arrays(case: Record, letters: Letters) -> str:
    """The network that the arrays make up, drawn where there is room, and the other arrays."""
    for read, shown in DRAWINGS:
        drawn = read(case)
        if drawn is not None and drawable(drawn):
            rest = {n: a for n, a in case["arrays"].items() if not re.fullmatch(shown, n)}
            return picture(drawn, Marks()) + arrays({"arrays": rest}, letters)
    return arrays(case, letters)


def _key(name: str) -> str:
    """A small sample of what an entry of the legend explains."""
    if not name:
        return ""
    shape = f'<path class="e {name}" d="M2,6L28,6"/>'
    if name == "vertex":
        shape = '<rect class="v mark" x="10" y="1" width="10" height="10" rx="5"/>'
    return f'<svg class="key" width="30" height="12" aria-hidden="true">{shape}</svg>'


def _data(case: Record, entry: Record) -> str:
    """The examples as a table. The one at which the statement is measured is marked."""
    examples = case.get("examples") or []
    if not examples:
        return ""
    rows = [_example(example) for example in examples]
    if len(rows) == 1:
        return f"<p>{', '.join(f'{head} = {value}' for head, value in rows[0].items())}</p>"
    head = "".join(f'<th scope="col">{name}</th>' for name in ("example", *rows[0]))
    body = ""
    for number, row in enumerate(rows):
        mark = ' class="mark"' if entry.get("example") == number else ""
        cells = "".join(f"<td>{row.get(name, '')}</td>" for name in rows[0])
        body += f"<tr{mark}><td>{number + 1}</td>{cells}</tr>"
    return f'<table class="data"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _example(example: Record) -> dict[str, str]:
    """What is known of an example, by its name."""
    point = ", ".join(number_text(x) for x in example["x"])
    told = {"<i>x</i>": escape(f"({point})" if len(example["x"]) != 1 else point)}
    for field, name in (("y", "<i>y</i>"), ("slope", "slope of the loss")):
        if example.get(field) is not None:
            told[name] = escape(number_text(example[field]))
    return told


def _choice(choice: Record, letters: Letters) -> str:
    """What the case chose, where it is not drawn and the paper has a letter for it."""
    told = [
        f"{line(letter)}: {escape(_chosen(value))}"
        for name, value in choice.items()
        if name not in DRAWN and (letter := letter_of(name, letters))
    ]
    names = choice.get("dormant") or []
    if names:
        one = len(names) == 1
        told.append(
            f"The flow stays where {', '.join(map(name_html, names))} {'has' if one else 'have'} "
            "in-weights 0: at the kink the slope 0 is selected, a limit of nearby gradients, with "
            "which these weights do not move."
        )
    return "".join(f'<p class="note">{one}</p>' for one in told)


def _chosen(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(_chosen(item) for item in value.values())
    if isinstance(value, list):
        return ", ".join(map(_chosen, value))
    return number_text(value, limit=40)


def found_value(claim: Record, letters: Letters) -> str:
    """The value that the certificate claims, and what the statement says that it is."""
    certificate = claim["certificate"]
    if certificate.get("at") is not None:
        return _two_sides(certificate)
    entry = certificate.get("entry", {})
    where = entry_html(entry, letters)
    where = f" {where}" if where else ""
    value = certificate.get("value")
    if "predicate" in entry or value is None:
        return f"<p>The statement says that something holds{where}. It does not.</p>"
    shown = f'<b class="value">{escape(_value(value))}</b>'
    if certificate["kind"] == "witness":
        return f"<p>A value other than 0 is asked for{where}. It is {shown}.</p>"
    kind = claim["kind"]
    should = "at least 0" if kind == "inequality" else "0"
    if claim["through"] and not claim["quantity"]:
        words = "What is evaluated (see the lemma above) is by the statement"
        return f"<p>{words} {should}{where}. It is {shown}.</p>"
    larger = "side that is to be the larger minus the other"
    usual = {"law": "rate of change", "inequality": larger}.get(kind, "difference of the two sides")
    what = line(claim["quantity"] or usual)
    return f"<p>By the statement the {what}{where} is {should}. It is {shown}.</p>"


def _two_sides(certificate: Record) -> str:
    """Both sides of a relation that is false, and for which elements; else whether it is true."""
    at = [name_html(str(_chosen(element))) for element in certificate["at"]]
    where = f" at {', '.join(at)}" if at else ""
    value = certificate["value"]
    if value is None:
        true = certificate["kind"] == "witness"
        return f"<p>What the statement says is {'true' if true else 'false'}{where}.</p>"
    left, right = (f'<b class="value">{escape(_value(value[side]))}</b>' for side in SIDES)
    return f"<p>The left side{where} is {left}, the right side {right}.</p>"


def _value(value: Any) -> str:
    """A rational, or of an enclosure the digits that are worth reading."""
    if isinstance(value, list):
        return f"about {number_text(f'{float(Fraction(value[0])):.6g}', limit=14)}"
    return number_text(value, limit=40)


def entry_html(entry: Record, letters: Letters) -> str:
    """Where a certificate measures, in words and in the letters of the paper."""
    parts = []
    if "vertex" in entry:
        parts.append(f"at the vertex {name_html(entry['vertex'])}")
    if "pair" in entry:
        parts.append(f"at the pair ({', '.join(map(name_html, entry['pair']))})")
    if "edge" in entry:
        parts.append(f"at the edge {_edge_html(entry['edge'])}")
    if "layers" in entry:
        sets = [
            f"{name} = {{{', '.join(map(_edge_html, layer))}}}"
            for name, layer in zip(("<i>F</i>", "<i>F</i>′"), entry["layers"], strict=False)
        ]
        parts.append(f"for {' and '.join(sets)}")
    if "entry" in entry:
        parts.append(f"at the entry ({escape(_chosen(entry['entry']))})")
    if "example" in entry:
        parts.append(f"on example {int(entry['example']) + 1}")
    known = {"predicate", "vertex", "pair", "edge", "layers", "entry", "example"}
    named = ", ".join(
        f"{line(letter)} = {escape(_chosen(value))}"
        for name, value in entry.items()
        if name not in known and (letter := letter_of(name, letters))
    )
    return " ".join([*parts, f"({named})"] if named else parts)


def _edge_html(edge: list[str]) -> str:
    return "→".join(map(name_html, edge))
