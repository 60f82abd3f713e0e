"""Drawings of networks: everything is there, what is special looks special."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.curves import Box, along, arrow_head, smooth, trimmed
from reports.figures import draw, legend
from reports.layout import DrawingError
from reports.marks import marks_of
from reports.places import looked_at
from tests.reports.markup import Page
from tests.reports.sample_parts import chain, fork, residual_block, skipping


def dense(count: int) -> dict:
    """Every vertex joined to all later ones."""
    names = [f"v{number}" for number in range(count)]
    edges = [(a, b) for place, b in enumerate(names) for a in names[:place]]
    return {
        "vertices": [{"name": name, "activation": "relu"} for name in names],
        "inputs": names[:1],
        "outputs": names[-1:],
        "edges": [{"tail": a, "head": b, "parameter": f"{a}{b}"} for a, b in edges],
        "weights": {f"{a}{b}": "1" for a, b in edges},
    }


def classes(svg: str) -> list[str]:
    return Page(svg).values("class")


def lines(svg: str, looks: str) -> list[list[tuple[float, ...]]]:
    """The lines of the path with these classes."""
    path = re.search(rf'<path class="{looks}" d="([^"]*)"', svg)
    return [
        [tuple(map(float, point.split(","))) for point in re.split("[ L]", line)]
        for line in (path[1].split("M")[1:] if path else ())
    ]


def test_a_small_network_is_written_out():
    page = Page(draw(fork(["1", "-1/2", "2/3", "4"], "relu", "leaky_relu 1/10")))
    for text in ("x", "u", "v", "o", "−1/2", "2/3", "ReLU", "leaky 1/10", "linear"):
        assert text in page.words


def test_edges_that_look_alike_are_one_path():
    svg = draw(fork(["1"] * 4, "relu", "relu"))
    assert Page(svg).tags.count("path") == 1
    assert len(lines(svg, "e")) == 2 * 4  # each edge and the head of its arrow


@pytest.mark.parametrize("net", [fork(["1"] * 4, "relu", "relu"), skipping()])
def test_edges_begin_and_end_at_the_rims_of_their_vertices(net):
    svg = draw(net)
    shapes = re.findall(r'<rect class="v"[^>]* x="([-\d.]+)" y="([-\d.]+)" width="34.0"', svg)
    centres = [(float(x) + 17, float(y) + 17) for x, y in shapes]
    assert len(centres) == len(net["vertices"])
    edges = lines(svg, "e")[::2]
    assert len(edges) == len(net["edges"])
    for points in edges:
        for end, room in ((points[0], 17), (points[-1], 19)):
            assert min(math.dist(end, centre) for centre in centres) == pytest.approx(room, abs=0.2)


def test_special_edges_look_special():
    block = residual_block()
    svg = draw(block)
    assert len(lines(svg, "e fixed")) == 2
    assert len(lines(svg, "e zero")) == 2
    assert {name for name, _ in legend(block)} == {"fixed", "zero", ""}
    assert Page(svg).text.count("= 1") == 2  # k1 = 1 on both its edges
    assert Page(svg).text.count("= −1/2") == 2
    assert legend(chain("1", "2")) == []


def looking(says, *at):
    """A place in a statement about a network with a skip edge."""
    case = {"network": skipping()}
    return looked_at({"statement": {"says": says}, "case": case, "at": list(at)})


def each(some, inner=True):
    return ["each", some, inner]


@pytest.mark.parametrize(
    ("looked", "marked", "told"),
    [
        (looking(each(["hidden"]), "h"), {"v mark": 1}, " at the vertex h"),
        (
            looking(each(["filter", ["vertices"], True], each(["hidden"])), "x1", "h"),
            {"v mark": 2},
            " at the vertex x1, the vertex h",
        ),
        (
            looking(["and", True, each(["edges"], each(["examples"]))], 1, 3, 1),
            {"e mark": 1, "w mark": 1},
            " at the edge h→o, example 1",
        ),
        (looking(["implies", True, each(["examples"])], 2), {}, " at example 2"),
        (looking(each(["range", 1, 3]), 3), {}, " at 3"),
        (looking(True), {}, ""),
    ],
)
def test_where_a_statement_fails_is_marked_and_told(looked, marked, told):
    plain, drawn = classes(draw(skipping())), classes(draw(skipping(), marks_of(looked)))
    assert not [name for name in plain if "mark" in name.split()]
    assert {n: drawn.count(n) for n in drawn if "mark" in n.split()} == marked
    assert bool(legend(skipping(), marks_of(looked))) == bool(marked)
    assert Page(looked.html()).text == told.strip()


def test_the_layers_that_a_case_names_are_drawn():
    layers = [[["x2", "h"]], [["x1", "h"], ["x1", "o"]]]
    edges = [[edge["tail"], edge["head"]] for edge in skipping()["edges"]]
    for written in (layers, [[edges.index(edge) for edge in layer] for layer in layers]):
        drawn = classes(draw(skipping(), marks_of(looking(True), {"layers": written})))
        counted = {n: drawn.count(n) for n in drawn if set(n.split()) & {"g0", "g1"}}
        assert counted == {"e g0": 1, "e g1": 1, "w g0": 1, "w g1": 2, "l g0": 1, "l g1": 1}


def test_bias_inputs_and_scales_are_written():
    net = chain("1", "2")
    net["vertices"][1]["scale_square"] = "1/4"
    net["vertices"][2]["scale_square"] = "1/3"
    net["constants"] = {"x": "1"}
    words = Page(draw(net)).words
    assert "= 1" in words
    assert "ReLU × 1/2" in words
    assert "linear × √(1/3)" in words


def test_larger_networks_lose_their_drawing():
    assert "text" in Page(draw(dense(7))).tags
    page = Page(draw(dense(15)))
    assert "svg" not in page.tags
    assert page.text == "A network of 15 vertices and 105 edges, too large to be drawn."
    assert legend(dense(15)) == []


def test_names_are_escaped():
    net = chain("1", "2")
    net["vertices"][1]["name"] = net["edges"][0]["head"] = net["edges"][1]["tail"] = "<script>"
    net["title"] = '"><script>'
    assert "<script>" not in draw(net)
    assert "<script>" in Page(draw(net)).words


def test_a_cycle_is_refused():
    net = chain("1", "2")
    net["edges"].append({"tail": "o", "head": "h", "parameter": "back"})
    with pytest.raises(DrawingError, match="cycle"):
        draw(net)


@given(st.integers(2, 8))
def test_labels_of_a_dense_network_stay_on_the_canvas(count):
    svg = draw(dense(count))
    left, top, width, height = map(float, re.search(r'viewBox="([^"]*)"', svg)[1].split())
    for x, y in re.findall(r'<text[^>]* x="([-\d.]+)" y="([-\d.]+)"', svg):
        assert left <= float(x) <= left + width
        assert top <= float(y) <= top + height


points = st.tuples(st.floats(-200, 200), st.floats(-200, 200))


@given(st.lists(points, min_size=2, max_size=5, unique=True))
def test_a_curve_passes_its_route(route):
    curve = smooth(route)
    for point in route:
        assert min(abs(x - point[0]) + abs(y - point[1]) for x, y in curve) < 1e-6
    assert along(curve, 0) == pytest.approx(route[0])
    assert along(curve, 1) == pytest.approx(route[-1])


@given(st.floats(60, 200), st.floats(-200, 200))
def test_a_trimmed_edge_starts_and_ends_at_the_shapes(x, y):
    tail, head = Box(0, 0, 17, 17), Box(x, y, 25, 17)
    curve = trimmed([(0, 0), (x, y)], tail, head)
    assert tail.rounded_holds(curve[0], room=1e-3)
    assert not tail.rounded_holds(curve[0], room=-1e-3)
    assert head.rounded_holds(curve[-1], room=2.001)
    assert not head.rounded_holds(curve[-1])
    assert arrow_head(curve)[0] == curve[-1]


def test_boxes_overlap_where_they_share_an_area():
    box = Box(0, 0, 2, 1)
    assert box.overlap(Box(3, 0, 2, 1)) == 2
    assert box.overlap(Box(4, 0, 2, 1)) == 0
    assert box.holds((2, 1))
    assert not box.holds((2, 1.1))
    assert not box.rounded_holds((2, 1))
