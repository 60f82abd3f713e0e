"""What decides a claim: the network drawn, or the arrays; the data; the value as it should be."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from reports.arrays import arrays
from reports.dags import dag_of_arrays, without_graph
from reports.figures import draw, legend, marks_of, written_out
from reports.layout import DrawingError
from reports.names import name_html, number_text
from reports.networks import network_of_arrays, without_weights
from reports.pieces import escape
from reports.profiles import profile_of_arrays, without_groups
from reports.verdicts import Record

DRAWINGS = (
    (network_of_arrays, without_weights),
    (dag_of_arrays, without_graph),
    (profile_of_arrays, without_groups),
)  # how arrays make up a network, and the arrays that its drawing does not show


def exhibit(claim: Record) -> str:
    """The counterexample or witness: the network or arrays, the data, the value as it should be."""
    certificate = claim["certificate"]
    if certificate is None or "case" not in certificate:
        return ""
    case, entry = certificate["case"], certificate.get("entry", {})
    heading = "Witness" if certificate["kind"] == "witness" else "Counterexample"
    network = case.get("network")
    figure = picture(network, entry) if network else ""
    if "arrays" in case:
        figure = _arrays(case)
    sides = (
        _data(case, entry) + _choice(case.get("choice") or {}) + _values(claim["kind"], certificate)
    )
    return (
        f'<section class="exhibit"><h4>{heading}</h4><div class="columns">{figure}'
        f'<div class="beside">{sides}</div></div></section>'
    )


def _arrays(case: Record) -> str:
    """The network that the arrays make up, drawn where there is room, and the other arrays."""
    for read, rest in DRAWINGS:
        drawn = read(case)
        if drawn is not None and written_out(drawn):
            return picture(drawn, {}) + arrays(rest(case))
    return arrays(case)


def picture(network: Record, entry: Record) -> str:
    """The network drawn, with what the entry points at marked, and a caption that explains it."""
    marks = marks_of(entry)
    try:
        drawing = draw(network, marks)
    except DrawingError as error:
        return f'<p class="note">Not drawn: {escape(error)}.</p>'
    keys = "".join(
        f"<li>{_key(name)}{escape(meaning)}</li>" for name, meaning in legend(network, marks)
    )
    title = network.get("title") or ""
    caption = (f"<p>{escape(title)}</p>" if title else "") + (f"<ul>{keys}</ul>" if keys else "")
    return f'<figure><div class="canvas">{drawing}</div><figcaption>{caption}</figcaption></figure>'


def _key(name: str) -> str:
    """A small sample of what an entry of the legend explains."""
    line = '<line class="{}" x1="2" y1="6" x2="28" y2="6"/>'
    samples = {
        "none": "",
        "shared": '<text class="weight" x="15" y="10" font-style="italic">k</text>',
        "vertex": '<circle class="vertex mark" cx="15" cy="6" r="4.5"/>',
        "second": line.format("edge second") + line.format("hollow"),
    }
    sample = samples.get(name, line.format(f"edge {name}"))
    svg = f'<svg class="key" width="30" height="12" aria-hidden="true">{sample}</svg>'
    return svg if sample else ""


def _data(case: Record, entry: Record) -> str:
    """The examples as a table. The one at which the statement is measured is marked."""
    examples = case.get("examples") or []
    if not examples:
        return ""
    rows = ""
    for number, example in enumerate(examples):
        mark = ' class="mark"' if entry.get("example") == number else ""
        point = ", ".join(number_text(x) for x in example["x"])
        point = f"({point})" if len(example["x"]) != 1 else point
        rest = "".join(
            f"<td>{escape(number_text(value)) if value is not None else ''}</td>"
            for value in (example.get("y"), example.get("slope"))
        )
        rows += f"<tr{mark}><td>{number + 1}</td><td>{escape(point)}</td>{rest}</tr>"
    names = ("example", "<i>x</i>", "<i>y</i>", "slope of the loss")
    head = "".join(f"<th>{name}</th>" for name in names)
    return f'<table class="data"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


SHOWN_ELSEWHERE = ("layers", "selection", "dormant", "direction")


def _choice(choice: Record) -> str:
    """What the case chose, but for the layers (the entry names them) and dormant vertices (said
    in a sentence)."""
    rows = "".join(
        f"<dt>{name_html(name)}</dt><dd>{escape(_chosen(value))}</dd>"
        for name, value in choice.items()
        if name not in SHOWN_ELSEWHERE
    )
    return _dormant(choice) + (f'<dl class="choice">{rows}</dl>' if rows else "")


def _dormant(choice: Record) -> str:
    """The Clarke element selected at vertices whose in-weights are 0."""
    names = choice.get("dormant") or []
    if not names:
        return ""
    listed = ", ".join(name_html(name) for name in names)
    one = len(names) == 1
    return (
        f'<p class="note">The flow stays where {listed} {"has" if one else "have"} in-weights 0: '
        "at the kink the slope 0 is selected, a limit of nearby gradients, with which these "
        "weights do not move.</p>"
    )


def _chosen(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_chosen(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(_chosen, value))
    return number_text(value, limit=40)


def _values(kind: str, certificate: Record) -> str:
    """The value that the certificate claims, and what the statement says that it is."""
    entry = certificate.get("entry", {})
    where = entry_html(entry)
    where = f" {where}" if where else ""
    value = certificate.get("value")
    if "predicate" in entry or value is None:
        what = where or " the statement"
        return f'<p class="claimed">The statement says that{what} holds. It does not.</p>'
    shown = f'<b class="value">{escape(_value(value))}</b>'
    what = {"law": "rate of change", "inequality": "slack"}.get(kind, "residual")
    should = "at least <b>0</b>" if kind == "inequality" else "<b>0</b>"
    if certificate["kind"] == "witness":
        return f'<p class="claimed">A value other than 0 is asked for{where}. It is {shown}.</p>'
    return (
        f'<p class="claimed">The statement says that the {what}{where} is {should}. '
        f"It is {shown}.</p>"
    )


def _value(value: Any) -> str:
    """A rational, or of an enclosure the digits that are worth reading."""
    if isinstance(value, list):
        return f"about {float(Fraction(value[0])):.6g}"
    return number_text(value, limit=40)


def entry_html(entry: Record) -> str:
    """Where a certificate measures, in words."""
    parts = []
    if "predicate" in entry:
        parts.append(f"the predicate <i>{escape(entry['predicate'])}</i>")
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
    if "part" in entry:
        parts.append(f"for <i>{escape(entry['part'])}</i>")
    if "example" in entry:
        parts.append(f"on example {int(entry['example']) + 1}")
    known = {"predicate", "part", "vertex", "pair", "edge", "layers", "example"}
    parts += [
        f"{escape(name)} {escape(_chosen(v))}" for name, v in entry.items() if name not in known
    ]
    return " ".join(parts)


def _edge_html(edge: list[str]) -> str:
    return "→".join(map(name_html, edge))
