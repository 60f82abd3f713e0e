"""Curves drawn as inline SVG: a frame with ticks, lines told apart by colour and by dashes, and a
legend in words. Classes carry the colours, so that a dark page gets dark-page colours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from reports.names import power_text
from reports.pieces import escape, line, listed
from reports.verdicts import Record

WIDTH, HEIGHT = 480.0, 270.0
LEFT, RIGHT, TOP, BOTTOM = 62.0, 12.0, 10.0, 44.0
COLOURS, DASHES = 6, 5  # each colour with each kind of dashes: so many curves look different
MOST_TICKS = 6


@dataclass(frozen=True)
class Axis:
    """One axis: the values at its ends, the places of those on the page, and its ticks."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool

    def place(self, value: float) -> float:
        """Where a value stands on the page."""
        share = (self._scaled(value) - self._scaled(self.low)) / (
            self._scaled(self.high) - self._scaled(self.low)
        )
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Round values, at most MOST_TICKS or so: decades on a logarithmic axis, and 2 and 5 times
        a decade where there are few of them."""
        if not self.logarithmic:
            return _round_values(self.low, self.high)
        first, last = math.ceil(_log(self.low) - 1e-9), math.floor(_log(self.high) + 1e-9)
        step = max(1, math.ceil((last - first) / MOST_TICKS))
        decades = [10.0**k for k in range(first, last + 1) if k % step == 0]
        if len(decades) > 2:
            return decades
        finer = [m * 10.0**k for k in range(first - 1, last + 1) for m in (1, 2, 5)]
        return [value for value in finer if self.low <= value <= self.high] or decades

    def _scaled(self, value: float) -> float:
        return _log(value) if self.logarithmic else value


def plot(data: Record) -> str:
    """A plot of a run's record as HTML: a figure with its drawing and its legend."""
    curves = data["curves"]
    across = _axis([v for c in curves for v in c["x"]], LEFT, WIDTH - RIGHT, data["x_log"])
    upward = _axis([v for c in curves for v in c["y"]], HEIGHT - BOTTOM, TOP, data["y_log"])
    lines = "".join(_curve(c, across, upward, _look(k)) for k, c in enumerate(curves))
    label = f"{data['title']}: {data['y']} against {data['x']}"
    drawing = (
        f'<svg class="plot" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" '
        f'aria-label="{escape(label)}">{_frame(across, upward)}{lines}'
        f'<text class="axis" x="{(LEFT + WIDTH - RIGHT) / 2:.1f}" y="{HEIGHT - 6:g}">'
        f"{escape(data['x'])}</text>"
        f'<text class="axis" transform="translate(12 {(TOP + HEIGHT - BOTTOM) / 2:.1f}) '
        f'rotate(-90)">{escape(data["y"])}</text></svg>'
    )
    caption = f"<figcaption>{line(data['title'])}{_legend(curves)}</figcaption>"
    return f'<figure class="plot">{drawing}{caption}</figure>'


def _axis(values: Sequence[float], start: float, end: float, logarithmic: bool) -> Axis:
    low, high = min(values), max(values)
    if logarithmic:
        return Axis(low / 1.2, high * 1.2, start, end, True)
    room = 0.04 * (high - low) or max(abs(high), 1.0) * 0.1
    return Axis(low - room, high + room, start, end, False)


def _frame(across: Axis, upward: Axis) -> str:
    size = f'width="{WIDTH - LEFT - RIGHT:g}" height="{HEIGHT - TOP - BOTTOM:g}"'
    parts = [f'<rect class="frame" x="{LEFT:g}" y="{TOP:g}" {size}/>']
    for value in across.ticks():
        x = across.place(value)
        parts.append(
            f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP:g}" y2="{HEIGHT - BOTTOM:g}"/>'
            f'<text class="tick" x="{x:.1f}" y="{HEIGHT - BOTTOM + 15:g}">{_number(value)}</text>'
        )
    for value in upward.ticks():
        y = upward.place(value)
        parts.append(
            f'<line class="grid" x1="{LEFT:g}" x2="{WIDTH - RIGHT:g}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="tick left" x="{LEFT - 6:g}" y="{y + 4:.1f}">{_number(value)}</text>'
        )
    return "".join(parts)


def _curve(data: Record, across: Axis, upward: Axis, look: str) -> str:
    places = zip(data["x"], data["y"], strict=True)
    points = [f"{across.place(x):.1f},{upward.place(y):.1f}" for x, y in places]
    if len(points) == 1:
        x, y = points[0].split(",")
        return f'<circle class="{look}" cx="{x}" cy="{y}" r="3"/>'
    return f'<polyline class="{look}" points="{" ".join(points)}"/>'


def _look(number: int) -> str:
    """The classes of a curve: first the colours change, then the dashes."""
    return f"curve c{number % COLOURS} d{number // COLOURS % DASHES}"


def _legend(curves: Sequence[Record]) -> str:
    return listed(
        "keys",
        (
            f'<svg class="key" width="30" height="12" aria-hidden="true"><path class="{_look(k)}" '
            f'd="M1,6L29,6"/></svg>{line(curve["name"])}'
            for k, curve in enumerate(curves)
        ),
    )


def _round_values(low: float, high: float) -> list[float]:
    raw = (high - low) / MOST_TICKS
    power = 10.0 ** math.floor(_log(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw)
    first = math.ceil(low / step)
    return [k * step for k in range(first, math.floor(high / step) + 1)]


def _number(value: float) -> str:
    """A tick's number: plain where that is short, a power of ten (or a multiple) elsewhere."""
    if value == 0:
        return "0"
    exponent = math.floor(_log(abs(value)) + 1e-12)
    if -3 <= exponent <= 4:
        return f"{value:.6g}".replace("-", "−")
    factor = value / 10.0**exponent
    power = power_text("10", exponent)
    return power if abs(factor - 1) < 1e-9 else f"{factor:.3g}·{power}".replace("-", "−")


def _log(value: float) -> float:
    return math.log10(value)
