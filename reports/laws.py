"""The conserved quantities of many networks: how many, named how, and whether that is all."""

from __future__ import annotations

from itertools import groupby

from reports.pieces import escape, seconds
from reports.verdicts import Record

NAMES = {
    "lj22.lemma2a": "vertex (Lemma 2)",
    "lj22.lemma2b": "pair (Lemma 2)",
    "lj22.lemma3@B": "layers (Lemma 3)",
    "lj22.thm1": "channels (Theorem 1)",
}
UNNAMED = "unnamed"
HEADS = (
    "Network",
    "Activations",
    "Parameters",
    "Laws",
    "Explained by",
    "Independent",
    "At most",
    "Seconds",
)
NUMBERS = {"Parameters", "Laws", "Independent", "At most", "Seconds"}


def laws(record: Record) -> str:
    """The section on laws, "" where the run made no table."""
    rows = record.get("laws") or []
    if not rows:
        return ""
    complete = sum(row["complete"] for row in rows)
    unnamed = sum(UNNAMED in row["named"] for row in rows)
    open_rows = sum(not row["all_quadratic"] for row in rows)
    listed = "all laws of degree 2 are listed, which is proved"
    if open_rows:
        listed = f"for all but {open_rows} it is proved that no other law of degree 2 exists"
    body = "".join(
        _family(family, list(members)) for family, members in groupby(rows, lambda r: r["family"])
    )
    heads = "".join(
        f'<th scope="col"{_number(head in NUMBERS)}>{escape(head)}</th>' for head in HEADS
    )
    return (
        '<section id="laws"><h2>What gradient flow conserves</h2>'
        f"<p>Quantities of degree 2 that gradient flow keeps whatever the data and the loss, in "
        f"{len(rows)} networks: {listed}. For {complete} of them there is no other conserved "
        "quantity of any kind near a rational point: as many independent ones were found as there "
        f"can be at most. {unnamed} have laws that no statement of LJ22 explains.</p>"
        f'<div class="wide"><table class="laws"><thead><tr>{heads}</tr></thead>'
        f"{body}</table></div></section>\n"
    )


def in_short(record: Record) -> list[str]:
    """One line for a terminal, none where the run made no table."""
    rows = record.get("laws") or []
    if not rows:
        return []
    complete = sum(row["complete"] for row in rows)
    unnamed = sum(UNNAMED in row["named"] for row in rows)
    line = (
        f"Laws: {len(rows)} networks, {complete} with a certified count of all conserved "
        f"quantities, {unnamed} with laws that no statement explains."
    )
    return [line]


def _family(family: str, rows: list[Record]) -> str:
    head = f'<tr><th scope="rowgroup" colspan="{len(HEADS)}">{escape(family)}</th></tr>'
    return f"<tbody>{head}{''.join(map(_row, rows))}</tbody>"


def _row(row: Record) -> str:
    count = f"{row['quadratic']}"
    if row["linear"]:
        count += f" and {row['linear']} linear"
    if not row["all_quadratic"]:
        count += " at least"
    gap = "" if row["complete"] else ' class="gap"'
    cells = [
        f"<td>{escape(row['network'])}</td>",
        f"<td>{escape(row['activations'])}</td>",
        f'<td class="number">{row["parameters"]}</td>',
        f'<td class="number">{count}</td>',
        f"<td>{_named(row['named'])}</td>",
        f'<td class="number">{row["independent"]}</td>',
        f'<td class="number">{row["bound"]}{"" if row["complete"] else " (gap)"}</td>',
        f'<td class="number">{seconds(row["seconds"])}</td>',
    ]
    return f"<tr{gap}>{''.join(cells)}</tr>"


def _named(named: Record) -> str:
    parts = [
        f'<span class="{"unnamed" if name == UNNAMED else "named"}">'
        f"{number} {escape(NAMES.get(name, name))}</span>"
        for name, number in named.items()
    ]
    return ", ".join(parts) or "–"


def _number(yes: bool) -> str:
    return ' class="number"' if yes else ""
