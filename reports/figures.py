"""Networks drawn as inline SVG, for a page whose stylesheet colours the classes.

Small networks are written out: names, activations, weights. Larger ones are drawn without texts,
very large ones are described in a line.
"""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reports.curves import Box, along, arrow_head, smooth, trimmed
from reports.layout import Edge, Layout, Point, layered
from reports.names import name_svg, name_width, number_text, square_root, text_width
from reports.verdicts import Record

LABELLED_VERTICES, LABELLED_EDGES = 14, 30
DRAWN_VERTICES, DRAWN_EDGES = 60, 400
SHRINK = 0.6  # no smaller than this on a narrow page, where the drawing is then scrolled
RADIUS, DOT = 17.0, 4.0
MARGIN_X, MARGIN_TOP, MARGIN_BOTTOM = 40.0, 26.0, 40.0
ACTIVATIONS = {"relu": "ReLU", "leaky_relu": "leaky", "abs": "|·|"}
# shares of an edge's length at which its weight may stand, the best first
PLACES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73, 0.2, 0.8)


@dataclass(frozen=True)
class Marks:
    """What a drawing emphasises: where a statement fails, or two sets of edges to be compared."""

    vertices: frozenset[str] = frozenset()
    edges: frozenset[Edge] = frozenset()
    first: frozenset[Edge] = frozenset()
    second: frozenset[Edge] = frozenset()

    def kind(self, edge: Edge) -> str:
        """The class of an edge: `mark`, `first`, `second` or nothing."""
        for name, edges in (("mark", self.edges), ("first", self.first), ("second", self.second)):
            if edge in edges:
                return name
        return ""


def marks_of(entry: Record) -> Marks:
    """What the entry of a certificate points at."""
    vertices = [*entry.get("pair", ()), *([entry["vertex"]] if "vertex" in entry else [])]
    edges = [entry["edge"]] if "edge" in entry else []
    layers = [*entry.get("layers", ()), (), ()]
    return Marks(frozenset(vertices), _edges(edges), _edges(layers[0]), _edges(layers[1]))


def draw(network: Record, marks: Marks | None = None) -> str:
    """The network as HTML: an SVG, or a paragraph where it is too large.

    Raises DrawingError for a graph that has a cycle or lacks a vertex.
    """
    vertices, edges = len(network["vertices"]), len(network["edges"])
    size = f"{vertices:,} vertices and {edges:,} edges"
    if not drawable(network):
        return f'<p class="toolarge">A network of {size}, too large to be drawn.</p>'
    drawing = _Drawing.of(network, marks or Marks(), small=vertices <= LABELLED_VERTICES)
    body = drawing.labelled() if vertices <= LABELLED_VERTICES else drawing.bare()
    width = drawing.layout.width + 2 * MARGIN_X
    height = drawing.layout.height + MARGIN_TOP + MARGIN_BOTTOM
    title = html.escape(network.get("title") or "network")
    return (
        f'<svg class="network" role="img" aria-label="{title}, {size}" '
        f'viewBox="{-MARGIN_X:.0f} {-MARGIN_TOP:.0f} {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" '
        f'style="min-width:{SHRINK * width:.0f}px">{body}</svg>'
    )


def drawable(network: Record) -> bool:
    """Whether the network is small enough to be drawn."""
    return len(network["vertices"]) <= DRAWN_VERTICES and len(network["edges"]) <= DRAWN_EDGES


def legend(network: Record, marks: Marks | None = None) -> list[tuple[str, str]]:
    """(class, meaning) of what a drawing of the network needs explained."""
    if not drawable(network):
        return []
    marks = marks or Marks()
    strokes = _strokes(network).values()
    entries = [
        ("vertex", "where it is measured", bool(marks.vertices)),
        ("mark", "where it is measured", bool(marks.edges)),
        ("first", "layer F", bool(marks.first)),
        ("second", "layer F′", bool(marks.second)),
        ("fixed", "fixed weight", any(stroke.fixed for stroke in strokes)),
        ("zero", "weight 0", any(stroke.zero for stroke in strokes)),
        ("shared", "weights with a name are shared", any(stroke.name for stroke in strokes)),
    ]
    if not written_out(network):
        entries.append(("none", "weights are in the certificate", bool(network.get("weights"))))
    return [(name, meaning) for name, meaning, there in entries if there]


def written_out(network: Record) -> bool:
    """Whether the drawing has room for the weights."""
    vertices, edges = len(network["vertices"]), len(network["edges"])
    return vertices <= LABELLED_VERTICES and edges <= LABELLED_EDGES


def _edges(pairs: Sequence[Sequence[str]]) -> frozenset[Edge]:
    return frozenset((tail, head) for tail, head in pairs)


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
        return ("fixed " if self.fixed else "") + ("zero" if self.zero else "")

    @property
    def svg(self) -> str:
        return (name_svg(self.name) if self.name else "") + html.escape(self._value)

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
    def of(cls, network: Record, marks: Marks, *, small: bool) -> _Drawing:
        names = [vertex["name"] for vertex in network["vertices"]]
        edges = [(edge["tail"], edge["head"]) for edge in network["edges"]]
        strokes = _strokes(network)
        if small:  # room for two labels beside each other where edges cross
            widest = max((stroke.width for stroke in strokes.values()), default=0.0) * 13
            layout = layered(names, edges, layer_gap=min(max(120.0, 80 + 2 * widest), 210.0))
        else:
            layout = layered(names, edges, layer_gap=72, vertex_gap=22, passing_gap=10)
        shapes = {}
        for name, (x, y) in layout.positions.items():
            half_width = name_width(name) * 15 / 2 + 7
            size = (max(RADIUS, half_width), RADIUS) if small else (DOT, DOT)
            shapes[name] = Box(x, y, *size)
        curves = {
            (tail, head): trimmed(smooth(route), shapes[tail], shapes[head])
            for (tail, head), route in layout.routes.items()
        }
        return cls(network, marks, layout, shapes, curves, strokes)

    def bare(self) -> str:
        """The SVG of a larger network: dots and lines."""
        parts = [
            _poly("polyline", curve, f"edge thin {self.marks.kind(edge)}")
            for edge, curve in self.curves.items()
        ]
        for name, box in self.shapes.items():
            mark = " mark" if name in self.marks.vertices else ""
            parts.append(
                f'<circle class="vertex{mark}" cx="{box.x:.1f}" cy="{box.y:.1f}" r="{DOT:.0f}"/>'
            )
        return "".join(parts)

    def labelled(self) -> str:
        """The SVG of a small network, with texts."""
        strokes = self.strokes
        parts = [self._edge(edge, stroke) for edge, stroke in strokes.items()]
        self.taken.extend(self.shapes.values())
        self.taken.extend(Box(b.x, b.y + RADIUS + 9, 22, 7) for b in self.shapes.values())
        if written_out(self.network):
            samples = {e: [along(c, k / 24) for k in range(25)] for e, c in self.curves.items()}
            written = {edge: s for edge, s in strokes.items() if s.name or s.weight}
            parts += [self._label(edge, stroke, samples) for edge, stroke in written.items()]
        parts += [self._vertex(vertex) for vertex in self.network["vertices"]]
        return "".join(parts)

    def _vertex(self, vertex: Record) -> str:
        name = vertex["name"]
        box = self.shapes[name]
        corner = 3.0 if name in self.network["inputs"] else RADIUS
        mark = " mark" if name in self.marks.vertices else ""
        below = html.escape(self._under(vertex))
        return (
            f'<rect class="vertex{mark}" x="{box.x - box.half_width:.1f}" '
            f'y="{box.y - box.half_height:.1f}" width="{2 * box.half_width:.1f}" '
            f'height="{2 * box.half_height:.1f}" rx="{corner:.0f}"/>'
            f'<text class="name" x="{box.x:.1f}" y="{box.y + 5:.1f}">{name_svg(name)}</text>'
            f'<text class="under" x="{box.x:.1f}" y="{box.y + RADIUS + 13:.1f}">{below}</text>'
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

    def _edge(self, edge: Edge, stroke: _Stroke) -> str:
        kind = self.marks.kind(edge)
        line = _poly("polyline", self.curves[edge], f"edge {kind} {stroke.classes}")
        if kind == "second":  # a double line, so that it is told apart without colour
            line += _poly("polyline", self.curves[edge], "hollow")
        return line + _poly("polygon", arrow_head(self.curves[edge]), f"arrow {kind}")

    def _label(self, edge: Edge, stroke: _Stroke, samples: Mapping[Edge, Sequence[Point]]) -> str:
        """The weight, at the place along the edge where it hides least; the place is then taken.

        samples: points along each edge.
        """
        half_width = stroke.width * 13 / 2 + 2
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
        patch = (  # hides the line behind the spaces of the text
            f'<rect class="patch" x="{best.x - half_width:.1f}" y="{best.y - 6:.1f}" '
            f'width="{2 * half_width:.1f}" height="12"/>'
        )
        place = f'x="{best.x:.1f}" y="{best.y + 4.5:.1f}"'
        return f'{patch}<text class="weight {self.marks.kind(edge)}" {place}>{stroke.svg}</text>'


def _poly(tag: str, points: Sequence[Point], classes: str) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<{tag} class="{" ".join(classes.split())}" points="{path}"/>'
