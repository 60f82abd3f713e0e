"""The layered layout: every edge to the right, nothing on top of anything, few crossings."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.layout import DrawingError, layered, spread


@st.composite
def graphs(draw):
    """A DAG: each vertex with its parents among those before it."""
    count = draw(st.integers(1, 9))
    names = [f"v{number}" for number in range(count)]
    edges = []
    for head in range(1, count):
        parents = draw(st.sets(st.integers(0, head - 1), max_size=3))
        edges += [(names[tail], names[head]) for tail in sorted(parents)]
    return names, edges


@given(graphs())
def test_edges_go_right_one_layer_at_a_time(graph):
    names, edges = graph
    layout = layered(names, edges, layer_gap=100)
    assert set(layout.positions) == set(names)
    assert set(layout.routes) == set(edges)
    for (tail, head), route in layout.routes.items():
        assert (route[0], route[-1]) == (layout.positions[tail], layout.positions[head])
        assert all(right[0] - left[0] == 100 for left, right in pairwise(route))


@given(graphs())
def test_a_vertex_stands_at_its_longest_distance_from_a_source(graph):
    names, edges = graph
    layout = layered(names, edges, layer_gap=1)
    distance = {}
    for name in names:  # in topological order
        distance[name] = max((distance[a] + 1 for a, b in edges if b == name), default=0)
    assert {name: x for name, (x, _) in layout.positions.items()} == distance


@given(graphs())
def test_vertices_and_passing_edges_keep_their_distance(graph):
    names, edges = graph
    layout = layered(names, edges, layer_gap=100, vertex_gap=70, passing_gap=40)
    layers: dict[float, list[tuple[float, bool]]] = {}
    for x, y in layout.positions.values():
        layers.setdefault(x, []).append((y, True))
    for route in layout.routes.values():
        for x, y in route[1:-1]:
            layers[x].append((y, False))
    for slots in layers.values():
        for (low, vertex), (high, other) in pairwise(sorted(slots)):
            assert high - low >= (70 if vertex and other else 40) - 1e-6


@given(graphs())
def test_the_drawing_fits_its_frame(graph):
    layout = layered(*graph)
    points = [*layout.positions.values(), *(p for route in layout.routes.values() for p in route)]
    assert min(y for _, y in points) == pytest.approx(0)
    assert max(y for _, y in points) == pytest.approx(layout.height)
    assert (min(x for x, _ in points), max(x for x, _ in points)) == (0, layout.width)


def test_crossings_are_undone():
    names = ["a", "b", "c", "d"]
    layout = layered(names, [("a", "d"), ("b", "c")])
    heights = {name: y for name, (_, y) in layout.positions.items()}
    assert (heights["a"] < heights["b"]) == (heights["d"] < heights["c"])


def test_what_cannot_be_drawn_is_named():
    with pytest.raises(DrawingError, match="a directed cycle"):
        layered(["a", "b"], [("a", "b"), ("b", "a")])
    with pytest.raises(DrawingError, match="names c, which is not a vertex"):
        layered(["a"], [("a", "c")])


numbers = st.floats(-100, 100)


@given(st.lists(numbers, min_size=1, max_size=6), st.data())
def test_spread_is_the_nearest_that_keeps_the_gaps(wanted, data):
    gaps = data.draw(st.lists(st.floats(0, 20), min_size=len(wanted) - 1, max_size=len(wanted) - 1))
    found = spread(wanted, gaps)
    for (low, high), gap in zip(pairwise(found), gaps, strict=True):
        assert high - low >= gap - 1e-9
    # moving towards any other solution brings it no nearer: it is the projection
    start = data.draw(numbers)
    extra = data.draw(st.lists(st.floats(0, 20), min_size=len(gaps), max_size=len(gaps)))
    other = [start]
    for gap, more in zip(gaps, extra, strict=True):
        other.append(other[-1] + gap + more)
    slope = sum((f - w) * (o - f) for f, w, o in zip(found, wanted, other, strict=True))
    assert slope >= -1e-6
