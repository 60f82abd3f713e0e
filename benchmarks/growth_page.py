"""The page that `benchmarks.growth` writes, and its plots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from benchmarks.growth_works import Curve
from benchmarks.machine import machine

LEAST_MEMORY = 4.0  # MiB; less is not told from what the allocator keeps
GREY = "#808080"  # readable on white and on black
COLOURS = ("#1b9e77", "#d95f02", "#7570b3", "#e7298a", "#66a61e")
STYLE = {"svg.hashsalt": "growth", "svg.fonttype": "none", "font.size": 9}
COMMAND = "python -m benchmarks.growth --output docs/performance.md"
UNSAID = dict.fromkeys(("Date", "Creator", "Format", "Type"))  # no metadata, no addresses
HEAD = """# Cost as work grows

What work costs in CPU seconds on one thread while its size n doubles. The exponent is the slope of
least squares of log(CPU seconds) in log(n) over the larger half of the sizes, with its standard
error. Beside it stand the order that theory gives, and the exponent of that formula over the same
sizes. *agrees*: within two standard errors and 0.15; *less*: it grows slower, since what is fixed
or of a lower order is still most of the cost; *MORE*: it grows faster. Memory is what the first run
took at the largest size, where the allocator does not hide it.
"""
TABLE = (
    "| work | n | sizes | order | exponent of it | measured | | CPU seconds | MiB (exponent) |\n"
    "|---|---|---|---|---|---|---|---|---|\n"
)
TEAMS = """## Workers

`lemmata run` on {claims} claims and the controls, fresh, with one and with two local processes.
There were two cores, so more are not measured. Theory: the CPU seconds stay the same but for the
start of each process, some two seconds, and the seconds fall to those of the busiest process. They
depend on what else the machine does: the last column is what other processes used meanwhile.

| workers | CPU seconds | seconds | CPU seconds of others |
|---|---|---|---|
"""


@dataclass(frozen=True)
class Point:
    """One size: CPU seconds, and MiB or not a number."""

    size: float
    seconds: float
    memory: float


@dataclass(frozen=True)
class Row:
    """A curve with its fits. theory, fitted, error: exponents; grows: that of the memory, where it
    is told."""

    name: str
    curve: Curve
    points: tuple[Point, ...]
    theory: float
    fitted: float
    error: float
    grows: float | None
    verdict: str

    def line(self) -> str:
        """As a row of the table."""
        first, last = self.points[0], self.points[-1]
        memory = f"{last.memory:,.0f}" if last.memory > LEAST_MEMORY else "–"
        memory += "" if self.grows is None else f" ({self.grows:.2f})"
        unit, order = self.curve.unit, self.curve.order.formula
        return (
            f"| {self.name} | {unit} | {first.size:,.0f} to {last.size:,.0f} | {order} | "
            f"{self.theory:.2f} | {self.fitted:.2f} ± {self.error:.2f} | {self.verdict} | "
            f"{last.seconds:.2g} | {memory} |"
        )


@dataclass(frozen=True)
class Team:
    """A run by so many processes: CPU seconds of all of them, seconds, CPU seconds of others."""

    processes: int
    claims: int
    cpu: float
    seconds: float
    others: float


def picture_of(group: str) -> str:
    """The file name of the plot of a group."""
    return f"growth-{group.lower().replace(' ', '-')}.svg"


def write_plots(rows: Sequence[Row], folder: Path) -> None:
    """One for each group: CPU seconds against the size, each with the order of its theory."""
    folder.mkdir(parents=True, exist_ok=True)
    for group in dict.fromkeys(one.curve.group for one in rows):
        with mpl.rc_context(STYLE):
            figure = Figure(figsize=(6, 3.4), layout="constrained")
            axes = figure.add_subplot(xscale="log", yscale="log")
            members = [one for one in rows if one.curve.group == group]
            for one, colour in zip(members, COLOURS, strict=False):
                sizes = [point.size for point in one.points]
                seconds = [point.seconds for point in one.points]
                law = [
                    seconds[-1] * one.curve.order.cost(size) / one.curve.order.cost(sizes[-1])
                    for size in sizes
                ]
                axes.plot(sizes, seconds, "o-", color=colour, markersize=3, label=one.name)
                axes.plot(sizes, law, ":", color=colour, linewidth=1)
            units = dict.fromkeys(one.curve.unit for one in members)
            axes.set_xlabel(" or ".join(units), color=GREY)
            axes.set_ylabel("CPU seconds", color=GREY)
            axes.tick_params(which="both", colors=GREY)
            for spine in axes.spines.values():
                spine.set_color(GREY)
            axes.legend(frameon=False, labelcolor=GREY, fontsize=8)
            drawn = StringIO()
            figure.savefig(drawn, format="svg", transparent=True, metadata=UNSAID)
        text = drawn.getvalue()
        bare = text[text.index("<svg") :]  # without the address of a document type
        (folder / picture_of(group)).write_text(bare, encoding="utf-8")


def _reason(one: Row) -> str:
    return f"- *{one.name}*, {one.curve.order.formula}: {one.curve.why}.\n"


def page(rows: Sequence[Row], teams: Sequence[Team]) -> str:
    """The page, in Markdown."""
    today = datetime.now(UTC).date().isoformat()
    parts = [f"{HEAD}\n`{COMMAND}`, {today}: {machine()}.\n"]
    for group in dict.fromkeys(one.curve.group for one in rows):
        members = [one for one in rows if one.curve.group == group]
        table = TABLE + "".join(f"{one.line()}\n" for one in members)
        reasons = "".join(_reason(one) for one in members)
        picture = f"![CPU seconds against the size; dotted: the theory](images/{picture_of(group)})"
        parts.append(f"## {group}\n\n{table}\n{picture}\n\n{reasons}")
    if teams:
        lines = [
            f"| {one.processes} | {one.cpu:.1f} | {one.seconds:.1f} | {one.others:.1f} |\n"
            for one in teams
        ]
        parts.append(TEAMS.format(claims=teams[0].claims) + "".join(lines))
    return "\n".join(parts)
