"""Networks drawn as inline SVG, for a page whose stylesheet colours the classes.

Small networks are written out: names, activations, weights. Larger ones are described in a line.
Edges that look alike are one path, so that a page of many drawings stays light.
"""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from reports.curves import Box, along, barbs, smooth, svg_path, trimmed
from reports.layout import Edge, Layout, Point, layered
from reports.marks import GROUPS, Marks
from reports.names import name_svg, name_width, number_text, square_root, text_width
from reports.verdicts import Record

MOST = (14, 30)  # vertices and edges
BROAD = 460.0  # a wider drawing is not scaled to a phone: its letters would be too small
RADIUS = 17.0
MARGIN_X, MARGIN_TOP, MARGIN_BOTTOM = 40.0, 26.0, 40.0
ACTIVATIONS = {"relu": "ReLU", "leaky_relu": "leaky", "abs": "|·|"}
# shares of an edge's length at which its weight may stand, the best first
PLACES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73, 0.2, 0.8)


def draw(network: Record, marks: Marks | None = None, most: tuple[int, int] = MOST) -> str:
    """The network as HTML: an SVG, or a paragraph where it has more than `most` vertices or edges.

    Raises DrawingError for a graph that has a cycle or lacks a vertex.
    """
    size = f"{len(network['vertices']):,} vertices and {len(network['edges']):,} edges"
    if not drawable(network, most):
        return f'<p class="note">A network of {size}, too large to be drawn.</p>'
    drawing = _Drawing.of(network, marks or Marks())
    width = drawing.layout.width + 2 * MARGIN_X
    height = drawing.layout.height + MARGIN_TOP + MARGIN_BOTTOM
    title = html.escape(network.get("title") or "network")
    return (
        f'<svg class="net{" broad" * (width > BROAD)}" role="img" aria-label="{title}, {size}" '
        f'viewBox="{-MARGIN_X:.0f} {-MARGIN_TOP:.0f} {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}">{drawing.svg()}</svg>'
    )


def legend(
    network: Record, marks: Marks | None = None, most: tuple[int, int] = MOST
) -> list[tuple[str, str]]:
    """(class, meaning) of what a drawing of the network needs explained."""
    if not drawable(network, most):
        return []
    marks = marks or Marks()
    strokes = _strokes(network).values()
    entries = [("vertex", "where it is measured", bool(marks.vertices))]
    entries += [("mark", "where it is measured", bool(marks.edges))]
    entries += [
        (f"g{k % GROUPS}", letter, bool(edges)) for k, (letter, edges) in enumerate(marks.groups)
    ]
    entries += [
        ("fixed", "fixed weight", any(stroke.fixed for stroke in strokes)),
        ("zero", "weight 0", any(stroke.zero for stroke in strokes)),
        ("", "weights with a name are shared", any(stroke.name for stroke in strokes)),
    ]
    return [(name, meaning) for name, meaning, there in entries if there]


def drawable(network: Record, most: tuple[int, int] = MOST) -> bool:
    """Whether the network has so few vertices and edges that it is written out."""
    return len(network["vertices"]) <= most[0] and len(network["edges"]) <= most[1]


@dataclass(frozen=True)
class _Stroke:
    """How one edge is drawn. name: of its parameter where other edges share it; weight: as text."""

    fixed: bool
    name: str
    weight: str

    @property
    def zero(self) -> bool:
        return self.weight == "0"

    @property
    def classes(self) -> str:
        return " fixed" * self.fixed + " zero" * self.zero

    @property
    def svg(self) -> str:
        named = f'<tspan class="it">{name_svg(self.name)}</tspan>' if self.name else ""
        return named + html.escape(self._value)

    @property
    def width(self) -> float:
        """The width of its label in ems."""
        return name_width(self.name) + text_width(self._value)

    @property
    def _value(self) -> str:
        """The weight as it stands after the name of a shared parameter, or alone."""
        if not self.name or not self.weight:
            return self.weight
        return f" {self.weight}" if self.weight.startswith("≈") else f" = {self.weight}"


def _strokes(network: Record) -> dict[Edge, _Stroke]:
    users = Counter(edge["parameter"] for edge in network["edges"] if "parameter" in edge)
    weights = network.get("weights") or {}
    strokes = {}
    for edge in network["edges"]:
        parameter = edge.get("parameter")
        weight = edge.get("fixed", weights.get(parameter))
        name = parameter if parameter is not None and users[parameter] > 1 else ""
        strokes[(edge["tail"], edge["head"])] = _Stroke(
            fixed="fixed" in edge,
            name=name if len(name) <= 9 else name[:8] + "…",
            weight="" if weight is None else number_text(weight),
        )
    return strokes


@dataclass(frozen=True)
class _Drawing:
    network: Record
    marks: Marks
    layout: Layout
    shapes: Mapping[str, Box]
    curves: Mapping[Edge, list[Point]]
    strokes: Mapping[Edge, _Stroke]
    taken: list[Box] = field(default_factory=list)  # by shapes and texts placed so far

    @classmethod
    def of(cls, network: Record, marks: Marks) -> _Drawing:
        names = [vertex["name"] for vertex in network["vertices"]]
        edges = [(edge["tail"], edge["head"]) for edge in network["edges"]]
        strokes = _strokes(network)
        # room for two labels beside each other where edges cross
        widest = max((stroke.width for stroke in strokes.values()), default=0.0) * 13
        layout = layered(names, edges, layer_gap=min(max(120.0, 80 + 2 * widest), 210.0))
        shapes = {
            name: Box(x, y, max(RADIUS, name_width(name) * 15 / 2 + 7), RADIUS)
            for name, (x, y) in layout.positions.items()
        }
        curves = {
            (tail, head): trimmed(smooth(route), shapes[tail], shapes[head])
            for (tail, head), route in layout.routes.items()
        }
        return cls(network, marks, layout, shapes, curves, strokes)

    def svg(self) -> str:
        """The inside of the SVG."""
        drawn: dict[str, str] = {}
        for edge, stroke in self.strokes.items():
            kind = f"e {self.marks.kind(edge)}".strip()
            looks = kind + stroke.classes
            drawn[looks] = drawn.get(looks, "") + svg_path(self.curves[edge])
            drawn[kind] = drawn.get(kind, "") + svg_path(barbs(self.curves[edge]))
        parts = [f'<path class="{name}" d="{path}"/>' for name, path in drawn.items()]
        self.taken.extend(self.shapes.values())
        self.taken.extend(Box(b.x, b.y + RADIUS + 9, 22, 7) for b in self.shapes.values())
        parts += self._labels()
        parts += [self._vertex(vertex) for vertex in self.network["vertices"]]
        return "".join(parts)

    def _labels(self) -> Iterable[str]:
        """The weights, and the letter of each group beside one of its edges."""
        samples = {e: [along(c, k / 24) for k in range(25)] for e, c in self.curves.items()}
        for edge, stroke in self.strokes.items():
            if stroke.name or stroke.weight:
                yield self._label(edge, stroke.svg, stroke.width, "w", samples)
        for letter, edges in self.marks.groups:
            there = [edge for edge in self.curves if edge in edges]
            if there:  # at the highest of its edges
                edge = min(there, key=lambda e: along(self.curves[e], 0.5)[1])
                yield self._label(
                    edge, name_svg(letter), 1.5 * name_width(letter) + 0.7, "l", samples
                )

    def _label(
        self, edge: Edge, text: str, width: float, name: str, samples: Mapping[Edge, list[Point]]
    ) -> str:
        """A text at the place along the edge where it hides least; the place is then taken."""
        half_width = width * 13 / 2 + 2
        best, least = Box(0, 0, 0, 0), math.inf
        for share in PLACES:
            box = Box(*along(self.curves[edge], share), half_width, 8)
            roomy = Box(box.x, box.y, box.half_width + 3, box.half_height + 3)
            cost = abs(share - 0.5) * 30 + sum(roomy.overlap(other) for other in self.taken)
            for other, points in samples.items():
                cost += 4 * sum(map(box.holds, points)) if other != edge else 0
            if cost < least:
                best, least = box, cost
        self.taken.append(best)
        kind = f"{name} {self.marks.kind(edge)}".strip()
        return f'<text class="{kind}" x="{best.x:.1f}" y="{best.y + 4.5:.1f}">{text}</text>'

    def _vertex(self, vertex: Record) -> str:
        name = vertex["name"]
        box = self.shapes[name]
        corner = 3.0 if name in self.network["inputs"] else RADIUS
        mark = " mark" if name in self.marks.vertices else ""
        below = html.escape(self._under(vertex))
        under = f'<text class="u" x="{box.x:.1f}" y="{box.y + RADIUS + 13:.1f}">{below}</text>'
        return (
            f'<rect class="v{mark}" x="{box.x - box.half_width:.1f}" '
            f'y="{box.y - box.half_height:.1f}" width="{2 * box.half_width:.1f}" '
            f'height="{2 * box.half_height:.1f}" rx="{corner:.0f}"/>'
            f'<text class="n" x="{box.x:.1f}" y="{box.y + 5:.1f}">{name_svg(name)}</text>'
            f"{under if below else ''}"
        )

    def _under(self, vertex: Record) -> str:
        """What is written under a vertex: its activation and scale, or the value it is held at."""
        if vertex["name"] in self.network["inputs"]:
            held = (self.network.get("constants") or {}).get(vertex["name"])
            return "" if held is None else f"= {number_text(held)}"
        kind = str(vertex["activation"])
        text = ACTIVATIONS.get(kind, kind)
        if "slope" in vertex:
            text += f" {number_text(vertex['slope'])}"
        square = vertex.get("scale_square", "1")
        return text if str(square) == "1" else f"{text} × {square_root(square)}"
