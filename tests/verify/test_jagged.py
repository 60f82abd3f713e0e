"""Jagged paths against loops over all paths."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.arithmetic import RATIONALS
from tests.verify.drawn_cases import (
    case_of,
    drawn_cases,
    edge_weights,
    exact_scene,
    fractions,
    naive_paths,
    net_of,
    posts,
    pres,
    product,
)
from verify.jagged import active_into, active_onward, jagged_sum, mirrored

FORK = net_of("x>u x>v u>o v>o")
CASE = case_of(FORK, {"x>u": 2, "x>v": 3, "u>o": 5, "v>o": 7}, [(["1/2"], 1, 1)])


def loops(case, at_paths, takes):
    """The sum for each pair, by exchanging edges of every path."""
    net, weights = case.network, edge_weights(case)
    paths = [path for _, path in naive_paths(net)]
    found = []
    for u, v in exact_scene(case).pairs.vertices:
        total = Fraction(0)
        for one, other in ((u, v), (v, u)):
            for number, path in enumerate(paths):
                for place, e in enumerate(path[:-1]):
                    if net.heads[e] != one:
                        continue
                    # "end": the path keeps its second half, so its in-edge is the other's
                    entering = (net.tails[e], other if takes == "end" else one)
                    leaving = (one if takes == "end" else other, net.heads[path[place + 1]])
                    ends = list(zip(net.tails, net.heads, strict=True))
                    jagged = [
                        *path[:place],
                        ends.index(entering),
                        ends.index(leaving),
                        *path[place + 2 :],
                    ]
                    total += at_paths[number] * product([weights[f] for f in jagged])
        found.append(total)
    return found


def test_the_fork_by_hand():
    scene = exact_scene(CASE)
    at = mirrored(scene)
    assert len(at) == 1
    numbers = RATIONALS.array([Fraction(10), Fraction(100)])  # at the paths through u and v
    # end: w_xv w_uo 10 + w_xu w_vo 100; start: w_xu w_vo 10 + w_xv w_uo 100
    assert fractions(jagged_sum(scene, numbers, scene.weights, takes="end")) == [150 + 1400]
    assert fractions(jagged_sum(scene, numbers, scene.weights, takes="start")) == [140 + 1500]


@settings(max_examples=40)
@given(drawn_cases(), st.data())
def test_sums_over_jagged_paths(case, data):
    scene = exact_scene(case)
    numbers = [Fraction(data.draw(st.integers(-3, 3))) for _ in range(len(scene.paths))]
    for takes in ("end", "start"):
        summed = jagged_sum(scene, RATIONALS.array(numbers), scene.weights, takes=takes)
        assert fractions(summed) == loops(case, numbers, takes)


@settings(max_examples=40)
@given(drawn_cases())
def test_active_paths_to_and_from_each_vertex(case):
    scene, net, weights = exact_scene(case), case.network, edge_weights(case)
    into, onward = fractions(active_into(scene)), fractions(active_onward(scene))
    for j, (z, inputs) in enumerate(zip(pres(case), posts(case), strict=True)):
        off = [a.kind == "relu" and z[v] < 0 for v, a in enumerate(net.activations)]
        for v in range(net.vertex_count):
            to_vertex = {
                (start, path[: [net.heads[e] for e in path].index(v) + 1])
                for start, path in naive_paths(net)
                if v in [net.heads[e] for e in path]
            }
            if v not in net.inputs:
                total = sum(
                    (
                        inputs[start] * product([weights[e] for e in path])
                        for start, path in to_vertex
                        if not any(off[net.heads[e]] for e in path)
                    ),
                    Fraction(0),
                )
                assert into[v][j] == total
            from_vertex = {
                path[[net.tails[e] for e in path].index(v) :]
                for _, path in naive_paths(net)
                if v in [net.tails[e] for e in path]
            }
            here = v not in net.inputs and off[v]
            total = sum(
                (
                    product([weights[e] for e in path])
                    for path in from_vertex
                    if not here and not any(off[net.heads[e]] for e in path)
                ),
                Fraction(0),
            )
            if v not in net.outputs:
                assert onward[v][j] == total
