"""Curves as inline SVG, drawn by matplotlib, with a legend in words.

The page's policy has no room for styles of single elements: what matplotlib says in them stands in
attributes here. Its colours become those of the page, so that a dark page gets dark-page colours.
"""

from __future__ import annotations

import io
import itertools
import math
import xml.etree.ElementTree as ElementTree
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, Locator, LogLocator, MaxNLocator

from reports.names import power_text
from reports.pieces import line, listed
from reports.verdicts import Record

ON_PAGE = {
    f"#c0ffe{k}": f"var(--{name})"
    for k, name in enumerate(("c0", "c1", "c2", "c3", "c4", "c5", "ink", "soft", "rule", "hair"))
}
"""Colours for matplotlib, which knows no variables, and what the page calls them."""
*COLOURS, INK, SOFT, RULE, HAIR = ON_PAGE
DASHES = ((1, 0), (7, 3), (2, 3), (9, 3, 2, 3), (14, 4))
LOOKS = [(colour, dashes) for dashes in DASHES for colour in COLOURS]
"""First the colours change, then the dashes."""
MOST_TICKS = 6
STEPS = (1, 2, 5, 10)
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.size": 8,
    "lines.linewidth": 1.3,
    "lines.scale_dashes": False,
    "path.simplify": False,  # every point is drawn
    "axes.labelcolor": INK,
    "axes.edgecolor": RULE,
    "axes.grid": True,
    "grid.color": HAIR,
    "xtick.labelcolor": SOFT,
    "ytick.labelcolor": SOFT,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
}


def plot(data: Record) -> str:
    """A plot of a run's record as HTML: a figure with its drawing and its legend."""
    keys = (
        f'<svg class="key" width="30" height="12" aria-hidden="true"><path d="M1,6L29,6" '
        f'fill="none" stroke="{ON_PAGE[colour]}" stroke-width="1.8" '
        f'stroke-dasharray="{" ".join(map(str, dashes))}"/></svg>{line(curve["name"])}'
        for curve, (colour, dashes) in zip(data["curves"], itertools.cycle(LOOKS), strict=False)
    )
    caption = f"<figcaption>{line(data['title'])}{listed('keys', keys)}</figcaption>"
    return f'<figure class="plot">{_as_html(_drawn(data), data)}{caption}</figure>'


def _drawn(data: Record) -> bytes:
    """The SVG of matplotlib."""
    with rc_context(STYLE):
        figure = Figure(figsize=(5.0, 2.8), layout="constrained")
        axes = figure.subplots()
        axes.set(xlabel=data["x"], ylabel=data["y"])
        for axis, logarithmic in ((axes.xaxis, data["x_log"]), (axes.yaxis, data["y_log"])):
            axes.set(**{f"{axis.axis_name}scale": "log" if logarithmic else "linear"})
            values = [value for curve in data["curves"] for value in curve[axis.axis_name]]
            axis.set_major_locator(
                _places(values) if logarithmic else MaxNLocator(MOST_TICKS, steps=STEPS)
            )
            axis.set_major_formatter(FuncFormatter(_number))
            axis.minorticks_off()
        axes.grid(clip_on=False)
        for curve, (colour, dashes) in zip(data["curves"], itertools.cycle(LOOKS), strict=False):
            dot = len(curve["x"]) == 1  # no mark, which would be a definition with a name
            drawn = Line2D(curve["x"] * (1 + dot), curve["y"] * (1 + dot), color=colour)
            if dot:
                drawn.set(linewidth=5, solid_capstyle="round")
            else:
                drawn.set_linestyle((0, dashes))
            axes.add_line(drawn).set_clip_on(False)
        axes.autoscale_view()
        file = io.BytesIO()
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(file, format="svg", metadata=nothing, transparent=True)
    return file.getvalue()


def _places(values: list[float]) -> Locator:
    """Ticks of a logarithmic axis: decades, and 2 and 5 times a decade where there are few."""
    few = math.log10(max(values)) - math.log10(min(values)) < 2.5
    return LogLocator(subs=(1, 2, 5) if few else (1,), numticks=MOST_TICKS + 2)


def _as_html(drawing: bytes, data: Record) -> str:
    """An SVG as it can stand in a page, and what it says to those who do not see it."""
    root = ElementTree.fromstring(drawing)
    root.remove(root[0])  # the style for all elements, which would be one for the whole page
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        for declaration in element.attrib.pop("style", "").split("; "):
            name, _, value = declaration.partition(": ")
            if name not in ("", "font-family"):
                element.set(name, ON_PAGE.get(value, value))
        element.attrib.pop("id", None)
    for name in ("width", "height", "version"):
        del root.attrib[name]
    root.attrib |= {"class": "plot", "role": "img"}
    root.set("aria-label", f"{data['title']}: {data['y']} against {data['x']}")
    return ElementTree.tostring(root, encoding="unicode")


def _number(value: float, position: Any = None) -> str:
    """A tick's number: plain where that is short, a power of ten (or a multiple) elsewhere."""
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(abs(value)) + 1e-12)
    if -3 <= exponent <= 4:
        return f"{value:.6g}".replace("-", "−")
    factor = value / 10.0**exponent
    power = power_text("10", exponent)
    return power if abs(factor - 1) < 1e-9 else f"{factor:.3g}·{power}".replace("-", "−")
