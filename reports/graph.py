"""What the main results of a paper rest on, as a graph of its printed statements, left to right.

A node is a statement, by the sign of its headline and its place, and a link to it. What a statement
uses through others is not drawn a second time.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

import networkx as nx

from reports.curves import Box, barbs, smooth, svg_path, trimmed
from reports.layout import layered
from reports.names import text_width
from reports.pieces import target
from reports.plain import cut, plain
from reports.verdicts import EARLIER, HEADLINES, Record

LONGEST_PLACE = 28  # letters
NAMED_TOO = re.compile(r" \([^()]*[A-Za-z]{3}[^()]*\)")  # "(Theorem 11)", but not "(4)"
SIZE, HALF_HEIGHT = 12.0, 12.0  # of the letters, and of a node
MARGIN = 8.0


def statement_graph(statements: Sequence[Record]) -> str:
    """The main results of a paper and what they rest on, as an SVG; nothing where no main result
    rests on another statement."""
    graph = _resting(statements)
    if not graph.edges:
        return ""
    shown = {one["id"]: one for one in statements if one["id"] in graph}
    texts = {name: _text(one) for name, one in shown.items()}
    halves = {name: text_width(text) * SIZE * 0.58 + 9 for name, text in texts.items()}
    layout = layered(
        list(shown),
        sorted(graph.edges),
        layer_gap=2 * max(halves.values()) + 46,
        vertex_gap=2 * HALF_HEIGHT + 10,
        passing_gap=HALF_HEIGHT + 10,
    )
    boxes = {n: Box(x, y, halves[n], HALF_HEIGHT) for n, (x, y) in layout.positions.items()}
    curves = [
        trimmed(smooth(route), boxes[tail], boxes[head])
        for (tail, head), route in layout.routes.items()
    ]
    lines = "".join(svg_path(curve) + svg_path(barbs(curve)) for curve in curves)
    nodes = "".join(_node(shown[name], texts[name], boxes[name]) for name in shown)
    left = -max(box.half_width for box in boxes.values()) - MARGIN
    top = -HALF_HEIGHT - MARGIN
    width, height = layout.width - 2 * left, layout.height - 2 * top
    return (
        f'<div class="wide"><svg class="uses" role="img" aria-label="{len(shown)} statements: what '
        f'rests on what" viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}">'
        f'<path class="e" d="{lines}"/>{nodes}</svg></div>'
    )


def _resting(statements: Sequence[Record]) -> nx.DiGraph:
    """From what is used to what uses it: the main results and all that they rest on. Of statements
    that use each other the later one uses the earlier one."""
    place = {one["id"]: number for number, one in enumerate(statements)}
    uses = nx.DiGraph()
    uses.add_nodes_from(place)
    uses.add_edges_from(
        (used, one["id"]) for one in statements for used in one["uses"] if used in place
    )
    mains = [one["id"] for one in statements if one["rank"] == "main"]
    kept = set(mains).union(*(nx.ancestors(uses, name) for name in mains))
    for group in nx.strongly_connected_components(uses):
        inner = [edge for edge in uses.edges(group) if edge[1] in group]
        uses.remove_edges_from([(a, b) for a, b in inner if place[a] >= place[b]])
    return nx.transitive_reduction(uses.subgraph(kept))


def _text(statement: Record) -> str:
    """The sign and the place, without what it is called elsewhere; of a statement of the earlier
    version alone that it is one."""
    sign = HEADLINES[statement["headline"]["word"]].sign
    place = NAMED_TOO.sub("", plain(statement["place"]))
    earlier = "earlier: " if statement.get("version") == EARLIER else ""
    return f"{sign} {cut(earlier + place, LONGEST_PLACE)}"


def _node(statement: Record, text: str, box: Box) -> str:
    word = statement["headline"]["word"]
    bad = " bad" if HEADLINES[word].sign in "×!" else ""
    kind = f"s{' main' if statement['rank'] == 'main' else ''}{bad}"
    told = html.escape(f"{plain(statement['place'])}: {plain(statement['title'])}: {word}")
    return (
        f'<a class="{kind}" href="{target(statement["id"])}"><title>{told}</title>'
        f'<rect x="{box.x - box.half_width:.1f}" y="{box.y - box.half_height:.1f}" '
        f'width="{2 * box.half_width:.1f}" height="{2 * box.half_height:.1f}" rx="3"/>'
        f'<text x="{box.x:.1f}" y="{box.y + 4:.1f}">{html.escape(text)}</text></a>'
    )
