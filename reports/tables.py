"""The tables of a whole run: controls, conserved quantities, versions, conflicts of hypotheses."""

from __future__ import annotations

from reports.pieces import (
    escape,
    handle,
    headline,
    line,
    of,
    seconds,
    section,
    sentence,
    table,
    target,
)
from reports.verdicts import Record, worst_first

UNNAMED = "unnamed"
VERSIONS = "versions"  # the anchor of the versions side by side
FALSE = "false as printed"


def controls(record: Record) -> str:
    """Claims whose verdict is known beforehand."""
    columns = {
        "": lambda c: "as expected" if c["ok"] else '<b class="bad">! void</b>',
        "Control": of("id", handle),
        "What it is": of("title", line),
        "Expected": of("expected"),
        "Observed": of("observed"),
    }
    inner = table("Controls", columns, record["controls"])
    return section("Controls", "If one of them misbehaves, the run is void.", inner)


def laws(record: Record) -> str:
    """The conserved quantities of many networks: how many, named how, and whether that is all."""
    rows = record.get("laws") or []
    if not rows:
        return ""
    complete = sum(row["complete"] for row in rows)
    unnamed = sum(UNNAMED in row["named"] for row in rows)
    open_rows = sum(not row["all_quadratic"] for row in rows)
    listed = "all laws of degree 2 are listed, which is proved"
    if open_rows:
        listed = f"for all but {open_rows} it is proved that no other law of degree 2 exists"
    told = (
        f"Quantities of degree 2 that gradient flow keeps whatever the data and the loss, in "
        f"{len(rows)} networks: {listed}. For {complete} of them there is no other conserved "
        "quantity of any kind near a rational point: as many independent ones were found as there "
        f"can be at most. {unnamed} have laws that no statement explains."
    )
    columns = {
        "Family": of("family"),
        "Network": of("network"),
        "Activations": of("activations"),
        "Parameters": of("parameters"),
        "Laws": _count,
        "Explained by": lambda row: ", ".join(f"{n} {escape(k)}" for k, n in row["named"].items()),
        "Independent": of("independent"),
        "At most": lambda row: f"{row['bound']}{'' if row['complete'] else ' (gap)'}",
        "Seconds": lambda row: seconds(row["seconds"]),
    }
    return section("What gradient flow conserves", told, table("Laws", columns, rows))


def _count(row: Record) -> str:
    linear = f" and {row['linear']} linear" if row["linear"] else ""
    return f"{row['quadratic']}{linear}{'' if row['all_quadratic'] else ' at least'}"


def versions(record: Record, paper: str) -> str:
    """Two versions of a paper beside each other, by their printed statements, on the page where
    these stand."""
    of_claim = {name: one for one in record["statements"] for name in one["claims"]}
    rows = [row for row in record.get("versions") or [] if row["paper"] == paper]
    if not rows:
        return ""

    def side(row: Record, version: str) -> list[Record]:
        found = (of_claim[name] for name in row[version] if name in of_claim)
        return worst_first({one["id"]: one for one in found}.values())

    def shown(row: Record, version: str) -> str:
        if not row[version]:
            return "no such statement"
        lines = [
            f"{headline(one['headline']['word'])} "
            f'<a href="{target(one["id"])}">{line(one["place"])}</a>'
            for one in side(row, version)
        ]
        return "<br>".join(lines) or "not selected"

    def bad(row: Record, version: str) -> bool:
        return any(one["headline"]["word"] == FALSE for one in side(row, version))

    both = [row for row in rows if side(row, "earlier") and side(row, "final")]
    mended = sum(bad(row, "earlier") and not bad(row, "final") for row in both)
    spoiled = sum(bad(row, "final") and not bad(row, "earlier") for row in both)
    told = (
        f"{len(both)} statements or groups of them stand in both versions: {mended} with something "
        f"false in the earlier one and nothing in the final one, {spoiled} the other way."
    )
    columns = {
        "Statement": lambda row: (
            f"<b>{line(row['subject'])}</b><br><small>{sentence(row['change'])}</small>"
        ),
        "Earlier version": lambda row: shown(row, "earlier"),
        "Final version": lambda row: shown(row, "final"),
    }
    title = "Two versions, statement by statement"
    return section(title, told, table("Versions", columns, rows), VERSIONS)


def conflicts(record: Record) -> str:
    """Hypotheses of one paper, each of which some case meets, that no case met together."""
    rows = record.get("conflicts") or []
    columns = {
        "Hypotheses": lambda row: " <b>and</b> ".join(map(line, row["hypotheses"])),
        "Looked at": of("text", sentence),
    }
    told = "Hypotheses of one paper, each of which some case meets."
    title = "Hypotheses that were never met together"
    return section(title, told, table("Conflicts", columns, rows)) if rows else ""
