from math import exp, log

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.optimize import brentq

from graphs.activations import ABS, leaky_relu
from graphs.network import network
from numerics.flow import Options, Status
from numerics.losses import SQUARED
from tests.numerics.flow.problems import Drawn, affine, flow_of, planar

pytest.importorskip("numba", reason="the integrator of this backend is compiled")

H = 2
"""The vertex h of `affine` and `planar`."""

DENSE = Options(method="dop853", rtol=1e-11, atol=1e-13, dense=True)


def sides(flow, vertex: int = H) -> list[list[int]]:
    return [segment.sides[vertex].tolist() for segment in flow.segments]


def test_a_crossing_is_where_the_linear_flow_says():
    # z1 = w1 with label 1, z2 = w2 - w1 with label -1; while both are active
    # R = ((1 - w1)^2 + (1 + w2 - w1)^2) / 2 is quadratic; when z2 = 0, it dies and w2 stays
    found = flow_of(planar(), [0.2, 1.0], [[1.0, 0.0], [-1.0, 1.0]], [1.0, -1.0], 3.0)
    matrix, constant = np.array([[-2.0, 1.0], [1.0, -1.0]]), np.array([2.0, -1.0])
    rest = -np.linalg.solve(matrix, constant)

    def both(t: float) -> np.ndarray:
        return rest + expm(matrix * t) @ (np.array([0.2, 1.0]) - rest)

    moment = brentq(lambda t: both(t)[1] - both(t)[0], 0.0, 1.0, xtol=1e-15)
    assert found.status is Status.FINISHED
    assert sides(found) == [[1, 1], [1, -1]]
    assert found.segments[1].start == pytest.approx(moment, rel=1e-11)
    assert found.segments[0].stop == found.segments[1].start
    w1, w2 = both(moment)
    exact = [1.0 - (1.0 - w1) * exp(-(3.0 - moment)), w2]
    assert found.weights.tolist() == pytest.approx(exact, rel=1e-10)
    assert found.counts.events == 1
    assert found.counts.slides == 0


def test_a_slide_solved_by_hand():
    # z1 = b - w, label -1; z2 = 2 w + b, label 1. With both active
    # w' = 2 (1 - z2) + 1 + z1, b' = 1 - z2 - 1 - z1. On z1 = 0 the slope is (z2 - 1) / 2, z2 = 3 w,
    # and w' = (3 / 2) (1 - 3 w)
    found = flow_of(affine(), [0.3, 0.5], [[-1.0], [2.0]], [-1.0, 1.0], 2.0, options=DENSE)
    assert found.status is Status.SLIDING
    assert sides(found) == [[1, 1], [2, 1]]
    matrix, constant = np.array([[-5.0, -1.0], [-1.0, -2.0]]), np.array([3.0, 0.0])
    rest = -np.linalg.solve(matrix, constant)

    def free(t: float) -> np.ndarray:
        return rest + expm(matrix * t) @ (np.array([0.3, 0.5]) - rest)

    moment = brentq(lambda t: free(t)[1] - free(t)[0], 0.0, 0.5, xtol=1e-15)
    assert found.segments[1].start == pytest.approx(moment, rel=1e-10)
    touched = free(moment)[0]
    for t in (moment + 0.1, 1.0, 2.0):
        w = 1 / 3 + (touched - 1 / 3) * exp(-4.5 * (t - moment))
        assert found.at(t).tolist() == pytest.approx([w, w], rel=1e-8)
    (slide,) = found.segments[1].slides
    assert (slide.vertex, slide.example) == (H, 0)
    assert slide.largest == pytest.approx((3.0 * touched - 1.0) / 2.0, rel=1e-6)
    assert 0.0 <= slide.least < 1e-4
    assert found.counts.slides == 1


def test_opposite_pushes_at_once_hold_a_start_on_the_kink():
    # start on z1 = 0: the same slide, from t = 0 on
    found = flow_of(affine(), [0.5, 0.5], [[-1.0], [2.0]], [-1.0, 1.0], 1.0)
    assert sides(found) == [[2, 1]]
    w = 1 / 3 + (0.5 - 1 / 3) * exp(-4.5)
    assert found.weights.tolist() == pytest.approx([w, w], rel=1e-9)
    assert found.segments[0].slides[0].largest == pytest.approx(0.25, rel=1e-9)


def test_a_slide_ends_where_the_slope_leaves_its_interval():
    # z1 = b - w, label -1; z2 = 2 w + b, label 1; z3 = w / 2 + b, label -1. On z1 = 0, w = b = u,
    # the slope is (9 u - 6) / 8 and u' = (1.5 - 11.25 u) / 3: it slides until u = 2 / 3
    inputs, labels = [[-1.0], [2.0], [0.5]], [-1.0, 1.0, -1.0]
    found = flow_of(affine(), [0.9, 0.9], inputs, labels, 1.0, options=DENSE)
    assert sides(found)[:2] == [[2, 1, 1], [-1, 1, 1]]
    moment = log((0.9 - 2 / 15) / (2 / 3 - 2 / 15)) / 3.75
    assert found.segments[1].start == pytest.approx(moment, rel=1e-6)
    (slide,) = found.segments[0].slides
    assert slide.largest == pytest.approx((9 * 0.9 - 6) / 8, rel=1e-9)
    assert slide.least == pytest.approx(0.0, abs=1e-7)
    # brute force: small explicit steps of the discontinuous field
    w, b, h = 0.9, 0.9, 1e-4
    for _ in range(10_000):
        dw = db = 0.0
        for (x,), y in zip(inputs, labels, strict=True):
            z = w * x + b
            if z > 0.0:
                push = 2.0 * (1.0 - y * z) * y / 3.0
                dw, db = dw + push * x, db + push
        w, b = w + h * dw, b + h * db
    assert found.weights.tolist() == pytest.approx([w, b], abs=1e-3)


@pytest.mark.parametrize("factor", [1.0, 3.0, -2.0])
def test_proportional_examples_slide_together(factor):
    net = planar()
    # z1 = w1 with label -1 pushes down, the other examples push w1 up through z2 = w1 + w2
    first = [1.0, 0.0]
    inputs = [first, [factor * x for x in first], [-1.0, 1.0]]
    labels = [-1.0, -1.0, 1.0]
    found = flow_of(net, [0.3, 2.0], inputs, labels, 6.0, options=DENSE)
    assert found.status in (Status.SLIDING, Status.FINISHED)
    sliding = next(s for s in found.segments if s.slides)
    assert {(s.vertex, s.example) for s in sliding.slides} == {(H, 0), (H, 1)}
    (one, other) = sliding.slides
    if factor > 0.0:
        assert (one.least, one.largest) == (other.least, other.largest)
    else:
        assert one.least == pytest.approx(1.0 - other.largest, abs=1e-12)
    held = found.at(np.linspace(sliding.start, sliding.stop, 50))
    assert np.abs(held[:, 0]).max() < 1e-9


def smallest(points: np.ndarray) -> np.ndarray:
    """The point of least norm of the convex hull of points (k, P) (Frank and Wolfe, away steps by
    pairs; plain, for few points)."""
    best = points[0]
    for _ in range(20_000):
        towards = points[np.argmin(points @ best)]
        line = towards - best
        size = line @ line
        if size == 0.0:
            break
        best = best + min(max(-(best @ line) / size, 0.0), 1.0) * line
    return best


def test_on_slides_the_velocity_is_the_shortest_clarke_subgradient():
    # Davis, Drusvyatskiy, Kakade, Lee 2020: so it is along every flow for almost every t
    drawn = Drawn(30, seed=3)
    found = drawn.flows(3.0, options=DENSE)
    generator, checked = np.random.default_rng(0), 0
    for c, flow in enumerate(found):
        velocity = drawn.some([c]).velocity()
        for segment in flow.segments:
            if not segment.slides or segment.stop - segment.start < 0.05 or checked >= 8:
                continue
            t, h = 0.5 * (segment.start + segment.stop), 1e-4
            w = flow.at(t)
            near = w + 1e-6 * generator.standard_normal((200, len(w)))
            hull = np.array([velocity(point) for point in near])
            ours = (flow.at(t + h) - flow.at(t - h)) / (2.0 * h)
            shortest = smallest(hull)
            assert np.linalg.norm(ours - shortest) < 2e-2 * np.linalg.norm(shortest) + 1e-4
            spread = np.linalg.norm(hull - hull[0], axis=1).max()
            checked += spread > 0.1 * np.linalg.norm(shortest)
    assert checked >= 3


def test_small_explicit_steps_of_the_discontinuous_field_come_to_the_same_place():
    drawn = Drawn(8, seed=11)
    found = drawn.flows(1.0)
    velocity = drawn.velocity()
    w, steps = np.concatenate(drawn.weights), 4000
    for _ in range(steps):
        w = w + velocity(w) / steps
    ends = np.split(w, np.cumsum([len(x) for x in drawn.weights])[:-1])
    assert sum(flow.counts.events for flow in found) > 5
    for flow, end in zip(found, ends, strict=True):
        assert flow.status.complete
        assert flow.weights == pytest.approx(end, abs=5e-3)


def test_between_kinks_it_is_what_scipy_finds():
    drawn = Drawn(10, seed=5)
    options = Options(method="dop853", rtol=1e-11, atol=1e-13, dense=True)
    found = drawn.flows(2.0, options=options)
    compared = 0
    for c, flow in enumerate(found):
        velocity = drawn.some([c]).velocity()
        for segment in flow.segments:
            length = segment.stop - segment.start
            if segment.slides or length < 0.02:
                continue
            begin, end = segment.start + 1e-6 * length, segment.stop - 1e-6 * length
            theirs = solve_ivp(
                lambda _, w, v=velocity: v(w),
                (begin, end),
                flow.at(begin),
                method="DOP853",
                rtol=1e-11,
                atol=1e-13,
            )
            assert flow.at(end) == pytest.approx(theirs.y[:, -1], abs=1e-8)
            compared += 1
    assert compared > 8


@pytest.mark.parametrize("activation", [leaky_relu("1/5"), ABS], ids=str)
def test_other_kinks_cross_too(activation):
    drawn = Drawn(6, seed=2, activations=activation)
    found = drawn.flows(1.0)
    velocity = drawn.velocity()
    w, steps = np.concatenate(drawn.weights), 4000
    for _ in range(steps):
        w = w + velocity(w) / steps
    ends = np.split(w, np.cumsum([len(x) for x in drawn.weights])[:-1])
    done = [flow.status.complete for flow in found]
    assert sum(done) >= 5
    for flow, end, complete in zip(found, ends, done, strict=True):
        if complete:
            assert flow.weights == pytest.approx(end, abs=5e-3)


def test_two_crossings_inside_of_one_step_are_not_missed():
    # z1 = w1 dips below 0 and returns while a large step is allowed
    inputs, labels = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [1.0, 1.0, -1.0]
    loose = Options(method="dop853", rtol=0.5, atol=10.0, first_step=0.8, largest_step=0.8)
    tight = flow_of(planar(), [0.02, 1.2], inputs, labels, 4.0)
    coarse = flow_of(planar(), [0.02, 1.2], inputs, labels, 4.0, options=loose)
    assert len(tight.segments) > 1
    assert sides(coarse) == sides(tight)
    assert coarse.segments[1].start == pytest.approx(tight.segments[1].start, rel=1e-3)


def test_dead_and_empty_vertices_are_no_events():
    # h2 is behind a dead vertex, h3 sees only an input that is 0
    net = network(
        [("x", "h1"), ("h1", "h2"), ("z", "h3"), ("h2", "o"), ("h3", "o"), ("x", "o")],
        inputs=["x", "z"],
        outputs=["o"],
    )
    of = dict(zip(net.parameter_names, [-1.0, 0.5, 0.7, 0.3, 0.2, 0.1], strict=True))
    of["w[x->h1]"], of["w[x->o]"] = -1.0, 0.1
    found = flow_of(net, list(of.values()), [[1.0, 0.0]], [1.0], 5.0)
    assert found.status is Status.FINISHED
    assert found.counts.events == 0
    assert found.segments[0].sides[[net.index["h2"], net.index["h3"]], 0].tolist() == [0, 0]
    assert found.segments[0].sides[net.index["h1"], 0] == -1


def test_what_lay_behind_a_dead_vertex_takes_the_side_of_its_weight():
    # h1 comes to life through its other example; h2 and h3 follow it, one to each side
    net = network(
        [("x", "h1"), ("c", "h1"), ("h1", "h2"), ("h1", "h3"), ("h2", "o"), ("h3", "o")],
        inputs=["x", "c"],
        outputs=["o"],
        constants={"c": 1},
        fixed={("h1", "h2"): 1, ("h1", "h3"): -1, ("h2", "o"): 1, ("h3", "o"): 1},
    )
    found = flow_of(net, [1.0, -0.2], [[0.1], [0.5]], [1.0, 1.0], 4.0)
    names = [net.index[name] for name in ("h1", "h2", "h3")]
    first, last = found.segments[0].sides[names], found.segments[-1].sides[names]
    assert first.tolist() == [[-1, 1], [0, 1], [0, -1]]
    assert last.tolist() == [[1, 1], [1, 1], [-1, -1]]
    assert found.counts.events == 1


def test_the_time_of_a_sign_change_of_a_weight():
    # w' = 2 (1 - w) for a linear vertex: 1 - w = (1 - w0) e^{-2t}
    net = network([("x", "o")], inputs=["x"], outputs=["o"])
    options = Options(rtol=1e-10, atol=1e-12)
    found = flow_of(net, [-0.5], [[1.0]], [1.0], 2.0, SQUARED, options)
    before, after = found.sign_intervals
    assert (before.signs.tolist(), after.signs.tolist()) == ([-1], [1])
    assert before.stop == after.start == pytest.approx(log(1.5) / 2.0, rel=1e-8)


def test_a_kink_that_pushes_away_to_both_sides_is_not_unique():
    # |z| with z = w, label 1: R = (1 - |w|)^2 has a maximum at w = 0
    net = network(
        [("x", "h"), ("h", "o")],
        inputs=["x"],
        outputs=["o"],
        activations={"h": ABS},
        fixed={("h", "o"): 1},
    )
    found = flow_of(net, [0.0], [[1.0]], [1.0], 1.0)
    assert found.status is Status.NOT_UNIQUE
    assert found.time == 0.0
    turned = flow_of(net, [0.0], [[1.0]], [-1.0], 1.0)
    assert turned.status is Status.SLIDING
    assert turned.weights.tolist() == [0.0]


def test_a_start_on_a_kink_that_may_rest_or_leave_is_not_unique():
    # relu(w), label 1: from w = 0 it grows with slope 1, and rests with slope 0
    found = flow_of(planar(), [0.0, 1.0], [[1.0, 0.0]], [1.0], 1.0)
    assert found.status is Status.NOT_UNIQUE
    pushed = flow_of(planar(), [0.0, 1.0], [[1.0, 0.0]], [-1.0], 1.0)  # both sides rest or fall
    assert pushed.status.complete


def test_where_two_ways_of_integrating_part_a_choice_was_made():
    drawn = Drawn(300, seed=21)
    other = Options(method="dopri5", rtol=1e-8, atol=1e-10)
    both = zip(drawn.flows(8.0, SQUARED), drawn.flows(8.0, SQUARED, other), strict=True)
    pairs = [(one, two) for one, two in both if one.status.complete and two.status.complete]
    parted = [
        (one.counts.choices, two.counts.choices)
        for one, two in pairs
        if np.abs(one.weights - two.weights).max() > 1e-6
    ]
    assert parted
    assert all(max(choices) > 0 for choices in parted)
    assert sum(one.counts.choices > 0 for one, _ in pairs) < len(pairs) / 5
