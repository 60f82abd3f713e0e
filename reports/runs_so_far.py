"""The runs before this one: how many statements had which headline, and what changed last."""

from __future__ import annotations

from collections.abc import Sequence

from reports.pieces import escape, handle, headline, listed, section, table
from reports.verdicts import HEADLINES, Record

WIDTH, HEIGHT = 120.0, 24.0  # of a line of one figure over the runs
ROOM = 3.0  # above and below it


def runs_so_far(record: Record) -> str:
    """A section with a line for each headline over the runs of one command, as others look at other
    statements; empty where this is the first one."""
    command = record["run"]["command"]
    runs = [entry for entry in record.get("history", ()) if entry["command"] == command]
    if len(runs) < 2:
        return ""
    counts = {word: [run["headlines"].get(word, 0) for run in runs] for word in HEADLINES}
    columns = {
        "Headline": lambda row: headline(row[0]),
        "Statements, run by run": lambda row: _drawn(row[1]),
        "In words": lambda row: _told(row[1]),
    }
    rows = [(word, found) for word, found in counts.items() if any(found)]
    first, last = (escape(run["started"][:10]) for run in (runs[0], runs[-1]))
    told = f"{len(runs)} runs of this command, from {first} to {last}."
    inner = table("Statements by headline", columns, rows, "runs") + _last_change(runs)
    return section("Runs so far", told, inner, "runs")


def _drawn(counts: Sequence[int]) -> str:
    """A small line, of which the words beside it say what matters."""
    low, high = min(counts), max(counts)
    step, scale = WIDTH / (len(counts) - 1), (HEIGHT - 2 * ROOM) / (high - low or 1)
    heights = (HEIGHT / 2 if low == high else HEIGHT - ROOM - (n - low) * scale for n in counts)
    points = " ".join(f"{k * step:.1f},{y:.1f}" for k, y in enumerate(heights))
    return (
        f'<svg class="spark" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" aria-hidden="true">'
        f'<polyline points="{points}"/></svg>'
    )


def _told(counts: Sequence[int]) -> str:
    """The last number, and the last one before it that was another.

    >>> _told([3, 3, 4, 4])
    '4, since 2 runs; before 3'
    """
    last = counts[-1]
    since = next((k for k, n in enumerate(reversed(counts)) if n != last), len(counts))
    if since == len(counts):
        return f"{last} in each run"
    runs = "since this run" if since == 1 else f"since {since} runs"
    return f"{last}, {runs}; before {counts[-1 - since]}"


def _last_change(runs: Sequence[Record]) -> str:
    """The statements that had another headline in the last run in which some did."""
    if all(run["changed"] is None for run in runs):
        return "<p>None of them was compared with a baseline.</p>"
    changed = (run for run in reversed(runs) if run["changed"] and run["changed"]["headlines"])
    run = next(changed, None)
    if run is None:
        return "<p>In none of them a headline differed from the baseline.</p>"
    at = f", at {escape(run['commit'][:12])}" if run["commit"] else ""
    items = (
        f"{handle(row['id'])} {escape(row['before'] or 'not there')} → "
        f"{escape(row['after'] or 'not there')}"
        for row in run["changed"]["headlines"]
    )
    day = escape(run["started"][:10])
    return f"<p>Headlines last differed from the baseline on {day}{at}:</p>{listed('', items)}"
