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
from reports.figures import MOST, draw, drawable, legend
from reports.layout import DrawingError
from reports.marks import Marks, marks_of
from reports.names import name_html, number_text
from reports.pieces import escape, line, listed
from reports.places import Looked, looked_at
from reports.verdicts import Record

DRAWINGS = (
    (networks.network_of_arrays, networks.DRAWN),
    (dags.dag_of_arrays, dags.DRAWN),
    (profiles.profile_of_arrays, profiles.DRAWN),
)
DRAWN = ("layers",)
SIDES = ("left", "right")
Letters = Mapping[str, str]


def exhibit(claim: Record, letters: Letters) -> str:
    """The counterexample or witness: the network or arrays, the data, the value as it should be.

    letters: what the paper calls the names of arrays, entries and choices.
    """
    certificate = claim["certificate"]
    if certificate is None or "case" not in certificate:
        return ""
    case, looked = certificate["case"], looked_at(certificate)
    choice = case.get("choice") or {}
    network = case.get("network")
    figure = picture(network, marks_of(looked, choice)) if network else ""
    if "arrays" in case:
        figure += arrays(case, letters) if network else _arrays(case, letters)
    data = _data(case, looked) + _choice(choice, letters)
    found = found_value(claim)
    return f'<div class="exhibit">{figure}<div>{data}{found}</div></div>'


def picture(network: Record, marks: Marks, most: tuple[int, int] = MOST) -> str:
    """The network drawn, with what is looked at marked, and a caption that explains it."""
    try:
        drawing = draw(network, marks, most)
    except DrawingError:  # no graph without cycles
        return '<p class="note">This network cannot be drawn.</p>'
    title = network.get("title") or ""
    keys = [
        f"{_key(name)}<span>{name_html(meaning)}</span>"
        for name, meaning in legend(network, marks, most)
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


def _data(case: Record, looked: Looked) -> str:
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
        mark = ' class="mark"' if number + 1 in looked.of("example") else ""
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
    return "".join(f'<p class="note">{one}</p>' for one in told)


def _chosen(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(_chosen(item) for item in value.values())
    if isinstance(value, list):
        return ", ".join(map(_chosen, value))
    return number_text(value, limit=40)


def found_value(claim: Record) -> str:
    """Both sides of a relation that is false, and for which elements; else whether it is true."""
    certificate = claim["certificate"]
    where, value = looked_at(certificate).html(), certificate["value"]
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
