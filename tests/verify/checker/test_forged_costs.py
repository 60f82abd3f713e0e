"""Certificates about costs of functions that look right and show nothing are not accepted."""

from fractions import Fraction
from math import log, sqrt
from random import Random

import pytest

from tests.verify.checker.networks import certificate, record
from verify.checker.restated import (
    ACCEPT,
    DECLINE,
    REJECT,
    Arrays,
    Chains,
    Declined,
    OnHull,
    Rejected,
    check,
    correction_on_hull,
    cost_on_hull,
    decided_slack,
    explicit_chains,
    folds,
    interval,
    kernel_norm,
    order_on_hull,
)
from verify.kinds.deep.networks import deep, number

F = Fraction
AXES = {"X": ["N", "n"], "scales": ["n"], "x": ["n"], "C": ["f"], "R0": ["f"], "R1": ["f"]}
AXES |= {"Y": ["m", "n"]}
SHAPES = {
    "lb": {"F": ["q", "n"], "d": ["q"]},
    "composition": {"F": ["q", "m"], "d": ["q"], "G": ["m", "n"], "c": ["m"]},
    "sum": {"F": ["q", "n"], "d": ["q"], "G": ["q", "n"], "c": ["q"]},
}
WIDE = ["-1000", "-1/1000000"]


def case(shapes="lb", integers=(), **arrays):
    axes = AXES | SHAPES[shapes]
    made = {
        name: record(axes.get(name, []), value, integer=name in integers)
        for name, value in arrays.items()
    }
    return {"format": "tensors", "arrays": made, "choice": {}}


def code(claim, made, value=WIDE, without=""):
    return check(certificate(f"j23.{claim}", made, {}, value, without)).code


def hull(points, linear, shift, slope=0, free_end=False):
    return OnHull(*(fractions(v) for v in (points, linear, shift)), F(slope), free_end)


def fractions(value):
    return [fractions(v) for v in value] if isinstance(value, list) else F(value)


# a composition: 2 R(id; [-1, 1], 1) = 2 < 2 sqrt(2) <= R(id; [-1, 1], 2) --------------------------
def twice_the_identity(points=((-1,), (1,)), depths=(1, 1), slope=0, **more):
    one, zero = [[1]], [0]
    return case(
        "composition",
        ("L1", "L2"),
        X=[list(x) for x in points],
        a=slope,
        F=one,
        d=zero,
        G=one,
        c=zero,
        L1=depths[0],
        L2=depths[1],
        **more,
    )


def test_a_fold_makes_two_layers_dearer_than_one_and_one():
    assert code("thm3.1.ineq@B", twice_the_identity()) == ACCEPT
    close = [str(F(2 - 2 * sqrt(2)) + shift * F(1, 10**9)) for shift in (-1, 1)]
    assert code("thm3.1.ineq@B", twice_the_identity(), close) == ACCEPT


@pytest.mark.parametrize(
    "value", ["-1", ["-1000", "-1"], ["-1/2", "-1/4"], ["-1", "1"], ["-1/4", "-1/2"]]
)
def test_another_value_is_not_taken(value):
    assert code("thm3.1.ineq@B", twice_the_identity(), value) == REJECT


def test_without_a_fold_there_is_no_violation():
    assert code("thm3.1.ineq@B", twice_the_identity(points=((0,), (1,)))) == REJECT


def test_where_bounds_decide_nothing_nothing_is_claimed():
    # -1 and 2 are no opposite points: the bound that is known is that of the Jacobian, 2
    found = twice_the_identity(points=((-1,), (2,)))
    assert code("thm3.1.ineq@B", found) != ACCEPT
    assert code("thm3.1.ineq@B", twice_the_identity(depths=(2, 2)), WIDE) != ACCEPT


@pytest.mark.parametrize("slope", [1, -1, 2, F(-3, 2)])
def test_the_slope_lies_inside(slope):
    made = twice_the_identity(slope=slope)
    assert code("thm3.1.ineq@B", made) == REJECT
    assert code("thm3.1.ineq@B", made, without="slope inside (-1, 1)") == REJECT


@pytest.mark.parametrize("depths", [(0, 1), (1, 0), (-1, 3), (0, 0)])
def test_a_network_has_a_layer(depths):
    assert code("thm3.1.ineq@B", twice_the_identity(depths=depths)) == REJECT


def test_a_million_layers_are_declined():
    assert code("thm3.1.ineq@B", twice_the_identity(depths=(1, 10**6))) == DECLINE


@pytest.mark.parametrize("name", ["lower", "R", "b1", "theta"])
def test_a_bound_that_a_certificate_brings_is_not_read(name):
    assert code("thm3.1.ineq@B", twice_the_identity(**{name: 100})) == REJECT


def test_a_depth_is_an_integer():
    half = twice_the_identity(depths=(F(1, 2), F(3, 2)))
    assert code("thm3.1.ineq@B", half) == REJECT


# the explicit networks ----------------------------------------------------------------------------
IDENTITY = hull([[-1], [1]], [[1]], [0])


def test_a_network_of_another_function_is_no_upper_bound():
    right = Chains([[F(1)]], [F(1)], [[F(1)]], [F(-1)])
    assert right.products(IDENTITY) == [2]
    for wrong, why in (
        (Chains([[F(1)]], [F(1)], [[F(1)]], [F(0)]), "another function"),
        (Chains([[F(1)]], [F(1)], [[F(1, 2)]], [F(-1)]), "another function"),
        (Chains([[F(1)]], [F(1, 2)], [[F(1)]], [F(-1, 2)]), "kink"),
        (Chains([[F(1)]], [F(0)], [[F(1)]], [F(0)]), "kink"),
    ):
        with pytest.raises(Rejected, match=why):
            wrong.products(IDENTITY)


def test_a_network_that_is_right_at_the_points_but_bends_between_them_is_none():
    # |x| - like: relu(x) + relu(-x) is 1 at both points, as the constant 1 is
    bent = Chains([[F(1)], [F(-1)]], [F(0), F(0)], [[F(1), F(1)]], [F(0)])
    with pytest.raises(Rejected, match="kink"):
        bent.products(hull([[-1], [1]], [[0]], [1]))


@pytest.mark.parametrize("seed", range(30))
def test_lower_bounds_are_below_upper_ones(seed):
    random = Random(seed)
    n, q, count = (random.randint(1, 3) for _ in range(3))

    def drawn(*shape):
        if len(shape) == 1:
            return [F(random.randint(-4, 4), random.choice((1, 2, 3))) for _ in range(shape[0])]
        return [drawn(shape[1]) for _ in range(shape[0])]

    points = drawn(count, n)
    points += [[-v for v in x] for x in points if random.random() < 0.5]
    function = OnHull(points, drawn(q, n), drawn(q), F(random.randint(-9, 9), 10))
    arrays = Arrays({}, {}, {}, {}, bits=80)
    for depth in (1, 2, 3, 7):
        low, high = cost_on_hull(arrays, function, depth)
        assert low.low <= high.high


def test_costs_by_hand():
    arrays = Arrays({}, {}, {}, {}, bits=80)

    def bounds(function, depth):
        return tuple(float(end.low) for end in cost_on_hull(arrays, function, depth))

    assert bounds(hull([[0], [1]], [[1]], [0]), 5) == pytest.approx((5, 5))
    assert bounds(hull([[0], [1]], [[2]], [0]), 2) == pytest.approx((4, 4))
    assert bounds(IDENTITY, 2) == pytest.approx((2 * sqrt(2), 2 * sqrt(2) + 1))
    assert bounds(IDENTITY, 1) == (1, 1)
    leaky = bounds(hull([[-1], [1]], [[1]], [0], F(1, 2)), 3)
    assert leaky[0] == pytest.approx(3 * (4 / 3) ** (1 / 3))
    assert bounds(hull([[0]], [[1]], [F(1, 2)]), 9) == (0.25, 0.25)
    assert bounds(hull([[1]], [[1]], [1]), 9) == (0, 4)  # 0 is not in the domain
    assert bounds(hull([[0], [1]], [[1]], [1]), 2)[0] == pytest.approx(2)
    assert bounds(hull([[0]], [[1]], [3]), 5) == (3, 9)
    far = bounds(hull([[1], [2]], [[F(1, 9)]], [5]), 2)
    assert far[0] == pytest.approx(2 / 9)  # what is at 0 does not count
    # two orthogonal maps of size 2 and 1 on a quadrant: kernels, log det in the limit
    squares = kernel_norm(fractions([[2, 0], [0, 1]]), 400)
    assert float(squares) - 800 == pytest.approx(log(4), abs=0.01)


def test_folds_by_hand():
    # kappa = max(3/2 / 16, 1/2) = 1/2, 2 |H x|^2 = 1/8
    small = hull([[F(-1, 4)], [F(1, 4)]], [[1]], [0], F(1, 2))
    assert folds(small) == [F(1, 4)] * 2
    assert folds(hull([[0], [2]], [[1]], [0])) == []


def test_a_fold_counts_for_rank_1_alone():
    arrays = Arrays({}, {}, {}, {}, bits=80)
    square = hull([[1, 1], [-1, -1], [1, -1], [-1, 1]], [[1, 0], [0, 1]], [0, 0])
    low, high = correction_on_hull(arrays, square)
    assert (low.low, low.high) == (0, 0)
    assert float(high.low) == pytest.approx(log(4) + 2)
    low, high = correction_on_hull(arrays, IDENTITY)
    assert float(low.low) == pytest.approx(log(2))
    assert float(high.low) == pytest.approx(log(2) + 1)


def test_a_last_bias_that_is_not_counted_needs_a_layer_before():
    with pytest.raises(Rejected, match="depth 1"):
        cost_on_hull(Arrays({}, {}, {}, {}), hull([[0]], [[1]], [1], free_end=True), 1)


def test_an_order_that_no_network_shows_is_not_known():
    # rank 1, but every network at hand has two neurons a layer
    function = hull([[-1, -1], [1, 1]], [[1, 1], [-1, -1]], [0, 0])
    with pytest.raises(Declined):
        order_on_hull(function)


def test_bounds_that_overlap_decide_nothing():
    wide, point = (interval(0), interval(2)), (interval(1), interval(1))
    with pytest.raises(Declined):
        decided_slack(wide, point)
    assert decided_slack((interval(0), interval(0)), point).low == -1
    assert decided_slack((interval(3), interval(5)), point).low == 2


def test_explicit_chains_are_the_function():
    for chains in explicit_chains(hull([[1, -2], [0, 3]], [[1, 2], [0, -1]], [1, -5])):
        assert chains.products(hull([[1, -2], [0, 3]], [[1, 2], [0, -1]], [1, -5]))


# the first correction against the Jacobian --------------------------------------------------------
def segment(points=((0, 0), (1, 1)), linear=(1, 0), slope=0):
    return case(X=[list(x) for x in points], a=slope, F=[list(linear)], d=[0])


def test_the_jacobian_beside_the_domain_counts_in_print():
    claim = "thm3.lb@B"
    assert code(claim, segment()) == ACCEPT
    exact = [str(F(-log(2)) - F(1, 10**9)), str(F(-log(2)) + F(1, 10**9))]
    assert code(claim, segment(), exact) == ACCEPT
    same_function = segment(linear=(F(1, 2), F(1, 2)))
    assert code(claim, same_function) != ACCEPT  # a slack of 0, which is irrational in its parts
    assert code(claim, segment(slope=1)) == REJECT


def test_a_point_has_no_rank():
    alone = segment(points=((0, 0),), linear=(2, 0))
    assert code("thm3.lb@B", alone) == REJECT
    assert code("thm3.lb@B", alone, without="rank equality") == ACCEPT
    assert code("thm3.lb@B", segment(), without="rank equality") == REJECT


# sums and compositions ----------------------------------------------------------------------------
def pair(f, g, points=((0,),), shapes="sum", **integers):
    (one, d), (two, c) = f, g
    arrays = {"X": [list(x) for x in points], "a": 0, "F": one, "d": d, "G": two, "c": c}
    return case(shapes, tuple(integers), **arrays, **integers)


HALF = ([[0]], [F(1, 2)])


def test_constants_add_with_their_squares():
    # R(1/2) = 1/4 twice against R(1) = 1
    assert code("thm3.2", pair(HALF, HALF), "-1/2") == ACCEPT
    assert code("thm3.2", pair(HALF, HALF), "-1/4") == REJECT
    assert code("thm3.2.ineq@A", pair(HALF, HALF, L=5), "-1/2") == ACCEPT
    assert code("thm3.2.fix", pair(HALF, HALF)) == REJECT
    assert code("thm3.2.ineq@A", pair(HALF, HALF, points=((1,),), L=5)) != ACCEPT
    assert code("thm3.2.ineq@A", pair(HALF, HALF, L=0)) == REJECT


def test_ranks_that_do_not_add_are_another_case():
    same = pair(([[1]], [0]), ([[1]], [0]), points=((0,), (1,)))
    assert code("thm3.2", same) == REJECT
    assert code("thm3.2", same, without="ranks add") == ACCEPT  # 0 + 0 against log 4
    assert code("thm3.2", pair(HALF, HALF), "-1/2", without="ranks add") == REJECT
    assert code("thm3.2", same, without="equal ranks") == REJECT


def test_an_order_that_is_not_known_shows_no_need():
    points = ((-1, -1), (1, 1))
    unknown = ([[1, 1], [-1, -1]], [0, 0])
    made = pair(unknown, ([[1, 0], [0, 1]], [0, 0]), points=points)
    assert code("thm3.2", made, without="ranks add") == DECLINE


def test_compositions_of_constants():
    # f = 2 x is 1 at g = 1/2: nothing below 0 follows from R(f; g(Omega)) between 0 and 1
    made = pair(([[2]], [0]), ([[0]], [F(1, 2)]), shapes="composition")
    assert code("thm3.1@B", made, "-3/4") != ACCEPT


def test_orders_of_a_composition_are_equal():
    # g = x / 4 on [0, 1] is forgotten: 0 + log(1/16) against 0
    lost = pair(([[0]], [0]), ([[F(1, 4)]], [0]), points=((0,), (1,)), shapes="composition")
    assert code("thm3.1@B", lost) == REJECT
    assert code("thm3.1@B", lost, without="equal ranks") == ACCEPT


# networks, minima by rank -------------------------------------------------------------------------
def net_code(claim, made, entry, value, without=""):
    return check(certificate(f"j23.{claim}", made.to_json(), entry, value, without)).code


def test_layers_that_follow_one_another():
    cut = {"cut": number(1, integer=True)}
    made = deep([[[1]], [[1]]], points=[[-1], [1]], **cut)
    entry = {"point": 0, "entry": 0}
    claim = "thm3.1.ineq@B.fix"
    assert net_code(claim, made, entry, "1", "g is positive") == ACCEPT
    assert net_code(claim, made, entry, "1") == REJECT
    assert net_code(claim, made, {"point": 1, "entry": 0}, "1", "g is positive") == REJECT
    raised = deep([[[1]], [[1]]], [[1], [-1]], points=[[-1], [1]], **cut)
    assert net_code(claim, raised, entry, "1", "g is positive") == REJECT
    for outside in (-1, 0, 2):
        other = {"cut": number(outside, integer=True)}
        end = deep([[[1]], [[1]]], [[1], [1]], points=[[-1], [1]], **other)
        for value in ("1", "-2", "-1"):
            assert net_code(claim, end, entry, value) == REJECT
            assert net_code(claim, end, entry, value, "g is positive") == REJECT


def test_networks_side_by_side():
    inside = [[1, 1], [0, 1]]
    made = deep([[[1], [1]], inside, [[1, 1]]], points=[[1]])
    entry, claim = {"point": 0, "entry": 0}, "thm3.2.ineq@A.fix"
    assert net_code(claim, made, entry, "1", "side by side") == ACCEPT
    assert net_code(claim, made, entry, "2", "side by side") == REJECT
    assert net_code(claim, made, entry, "1") == REJECT
    apart = deep([[[1], [1]], [[1, 0], [0, 1]], [[1, 1]]], points=[[1]])
    assert net_code(claim, apart, entry, "1", "side by side") == REJECT
    narrow = deep([[[1]], [[1]], [[1]]], points=[[1]])
    assert net_code(claim, narrow, entry, "1", "side by side") == REJECT


def test_layers_that_are_not_balanced():
    uneven = deep([[[2]], [[1]]], points=[[1]])
    assert net_code("linear.b", uneven, {}, "1", "balanced layers") == ACCEPT  # 5 - 2 sqrt 4
    assert net_code("linear.b", uneven, {}, "1") == REJECT
    even = deep([[[2]], [[2]]], points=[[1]])
    assert net_code("linear.b", even, {}, "1", "balanced layers") == REJECT
    assert net_code("linear.a", uneven, {}, WIDE) == REJECT


def test_minima_rank_by_rank():
    def family(ranks, weight=1, depth=1):
        arrays = {"C": [0, 0], "R0": ranks, "R1": [0, 0], "lambda": weight}
        return case(integers=("L",), **arrays, L=depth)

    claim, without = "rankmin.a", "integer ranks"
    assert code(claim, family([F(1, 2), 1]), "-1/2", without) == ACCEPT
    assert code(claim, family([F(1, 2), 1]), "-1/2") == REJECT
    assert code(claim, family([0, 1]), "-1/2", without) == REJECT
    assert code(claim, family([F(1, 2), F(3, 2)]), "-1/2", without) == REJECT
    assert code(claim, family([F(1, 2), 1], weight=-1), "1/2", without) == REJECT
    assert code(claim, family([F(1, 2), 1], depth=0), "-1/2", without) == REJECT


def test_near_0_a_small_entry_is_cheaper():
    def target(entry=0, weight=1, depth=1):
        return case(integers=("L",), Y=[[entry]], **{"lambda": weight}, L=depth)

    gain = F(1, 4) + 1 - 2 * F(log(2))
    close = [str(gain - F(1, 10**9)), str(gain + F(1, 10**9))]
    assert code("rankmin.b", target(), close) == ACCEPT
    assert code("rankmin.b", target(entry=1), close) == REJECT
    assert code("rankmin.b", target(depth=3), WIDE) == ACCEPT
    assert code("rankmin.b", target(depth=10**6), WIDE) == DECLINE
    for weight, depth in ((0, 1), (-1, 1), (1, 0), (1, -5)):
        assert code("rankmin.b", target(weight=weight, depth=depth), WIDE) == REJECT


@pytest.mark.parametrize("depth", [1, 2, 50, 10**9])
@pytest.mark.parametrize("size", [F(1, 3), 1, 7])
def test_what_is_proved_is_not_refuted(size, depth):
    numbers = case(integers=("L",), s=size, L=depth)
    assert code("thm3.lb.a", numbers) != ACCEPT
    assert code("thm3.lb.a", case(integers=("L",), s=-size, L=depth)) == REJECT
    assert code("thm3.lb.a", case(integers=("L",), s=size, L=0)) == REJECT
    made = case(integers=("L",), L=depth)
    made["arrays"]["J"] = {"axes": ["m", "n"], "entries": [[str(size), "0"], ["1", "0"]]}
    assert code("thm3.lb.b", made) != ACCEPT


def test_a_series_is_known_where_the_cost_is():
    def told(points, linear, shift, part="above"):
        made = case(integers=("L",), X=points, a=0, F=linear, d=shift, L=3)
        return check(certificate("j23.expansion", made, {"part": part}, WIDE)).message

    assert "not known at every depth" in told([[-1], [1]], [[1]], [0])
    assert "not known at every depth" in told([[0], [1]], [[1]], [1])
    assert "not known at every depth" in told([[1], [2]], [[0]], [1])
    assert "not known at every depth" in told([[0], [1]], [[0]], [2])
    assert "the residual is" in told([[0], [1]], [[0]], [1])
    assert "the residual is" in told([[0], [1]], [[5]], [0], "below")
    assert "the part" in told([[0], [1]], [[5]], [0], "beside")
