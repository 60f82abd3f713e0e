"""Networks made of arrays in the checker: by hand, by differences, and beside the library."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from graphs.arithmetic import as_fraction
from tests.verify.checker.networks import case, net_of, record
from verify.checker import restated as checker
from verify.checker.restated import Layered, Rejected
from verify.kinds.deep.pool import pool

F = Fraction
HALF = F(1, 2)


def changed(net, **arrays):
    """The same network with other entries of some arrays, of the same shapes."""
    return replace(net, arrays={**net.arrays, **arrays}, memory={})


def rows(*lists):
    return [[F(entry) for entry in row] for row in lists]


SMALL = case([[[1, 2], [3, -1]], [[1, -2]]], [[1, 1], [-2, 1]], [[0, -1], [1]], HALF)


def test_values_slopes_and_jacobians_by_hand():
    net = net_of(SMALL)
    assert (net.depth, net.widths, net.count, net.slope) == (2, (2, 2, 1), 2, HALF)
    # at (1, 1): z = (3, 1), f = 3 - 2 + 1; at (-2, 1): z = (0, -8), f = 0 - 2 * (-4) + 1
    assert [net.pre(1, at) for at in net.points] == rows([3, 1], [0, -8])
    assert [net.post(1, at) for at in net.points] == rows([3, 1], [0, -4])
    assert [net.output(at) for at in net.points] == rows([2], [9])
    assert [net.slopes(1, at) for at in net.points] == [[1, 1], [1, HALF]]
    assert net.slopes(0, 0) == [1, 1]
    assert net.slopes(2, 0) == [1]
    assert [net.kinked(at) for at in net.points] == [False, True]
    assert net.jacobian(0) == rows([1 - 6, 2 + 2])
    assert net.jacobian(1) == rows([1 - 3, 2 + 1])
    assert net.to_post(1, 1) == [[1, 2], [F(3, 2), -HALF]]
    assert net.from_pre(1, 1) == rows([1, -1])
    assert net.from_post(1, 1) == rows([1, -2])
    assert net.from_pre(2, 1) == net.from_post(2, 0) == rows([1])
    assert net.to_post(0, 0) == checker.identity(2)
    assert net.parameter_square == 1 + 4 + 9 + 1 + 1 + 4 + 1 + 1
    assert [net.weight_square(layer) for layer in net.layers] == [15, 5]
    assert net.layer_square(2) == 6


def test_the_output_has_no_activation():
    net = net_of(case([[[1]]], [[-3]], slope=0))
    assert net.output(0) == net.post(1, 0) == [-3]
    assert net.jacobian(0) == [[1]]
    assert not net.kinked(0)


def test_another_point_and_other_numbers():
    net = net_of(SMALL)
    assert net.output([F(-2), F(1)]) == net.output(1)
    assert net.jacobian([F(1), F(1)]) == net.jacobian(0)
    other = changed(net, W2=rows([1, 0]))
    assert other.output(0) == [4]
    assert other.jacobian(0) == rows([1, 2])
    assert net.output(0) == [2]


def drawn(seed):
    found = pool(points=(2,)).draw(Random(seed))
    return found, net_of(found.to_json())


@pytest.mark.parametrize("seed", range(12))
def test_it_is_the_network_of_the_library(seed):
    found, net = drawn(seed)
    scene = found.exact

    def same(ours, theirs):
        flat = [as_fraction(x) for x in np.asarray(theirs, dtype=object).reshape(-1)]
        assert [x for row in ours for x in row] == flat

    assert net.depth == scene.depth
    for layer in net.layers:
        same([net.pre(layer, at) for at in net.points], scene.pre(layer))
        for at in net.points:
            same(net.to_pre(layer, at), scene.to_pre(layer, at))
            same(net.to_post(layer, at), scene.to_post(layer, at))
            same(net.from_pre(layer, at), scene.from_pre(layer, at))
            same(net.from_post(layer, at), scene.from_post(layer, at))
    assert [net.kinked(at) for at in net.points] == scene.kinked[0].tolist()
    same([[net.parameter_square]], scene.parameter_square)


def pattern(net, at):
    return [net.slopes(layer, at) for layer in net.layers]


@pytest.mark.parametrize("seed", range(12))
def test_derivatives_are_differences_within_a_region(seed):
    """f is affine in x."""
    _, net = drawn(seed)
    if net.kinked(0):
        return
    small, x = F(1, 10**12), net.coordinates(0)
    moved = [[c + small * (i == k) for i, c in enumerate(x)] for k in range(len(x))]
    assert all(pattern(net, y) == pattern(net, x) for y in moved)

    def change(one, other):
        return [(a - b) / small for a, b in zip(one, other, strict=True)]

    columns = [change(net.output(y), net.output(x)) for y in moved]
    assert checker.transposed(columns) == net.jacobian(0)


# what a statement declares -----------------------------------------------------------------------
def test_extras_integers_and_arrays_by_layer():
    more = {
        "u": record(["n0"], [1, 2]),
        "v": record(["n2"], [3]),
        "gap": record([], "1/10"),
        "k": record([], 1, integer=True),
        "c": record(["N"], [1, 2], integer=True),
        "V0": record(["n0", "k"], [[1], [2]]),
        "V1": record(["n1", "k"], [[1], [2]]),
    }
    net = net_of(
        case([[[1, 2], [3, -1]], [[1, -2]]], [[1, 1], [-2, 1]], **more),
        extras={"u": ("n0",), "v": ("nL",), "gap": (), "c": ("N",)},
        integers=("k", "c"),
        layered=(Layered("V", ("n{l}", "k"), first=0, last=-1),),
    )
    assert net.vector("u") == [1, 2]
    assert net.vector("v") == [3]
    assert net.number("gap") == F(1, 10)
    assert net.whole("k") == 1
    assert net.vector("c") == [1, 2]
    assert net.matrix("V1") == rows([1], [2])
    assert net.lengths["k"] == 1


@pytest.mark.parametrize(
    ("declared", "more", "reason"),
    [
        ({"extras": {"u": ("n0",)}}, {}, "lacks 'u'"),
        ({}, {"u": record(["n0"], [1, 2])}, "unknown key 'u'"),
        ({"extras": {"u": ("n0",)}}, {"u": record(["n1"], [1, 2])}, "axes of 'u'"),
        ({"extras": {"u": ("n0",)}}, {"u": record(["n0"], [1])}, "length 2"),
        ({"extras": {"u": ("nL",)}}, {"u": record(["nL"], [1])}, "axes of 'u'"),
        ({"integers": ("k",)}, {"k": record([], 1)}, "lacks 'integer'"),
        ({"integers": ("k",)}, {"k": record([], "1/2", integer=True)}, "no integer"),
        ({"extras": {"g": ()}}, {"g": record([], 1, integer=True)}, "unknown key 'integer'"),
        (
            {"extras": {"c": ("N",)}, "integers": ("c",)},
            {"c": record(["N"], [1, "3/2"], integer=True)},
            "no integer",
        ),
        (
            {"layered": (Layered("V", ("n{l}",)),)},
            {"V1": record(["n1"], [1, 1])},
            "lacks 'V2'",
        ),
        (
            {"layered": (Layered("V", ("n{l-1}",), last=-1),)},
            {"V1": record(["n1"], [1, 1])},
            "axes of 'V1'",
        ),
    ],
)
def test_what_is_not_declared_so_is_rejected(declared, more, reason):
    made = case([[[1, 2], [3, -1]], [[1, -2]]], [[1, 1], [-2, 1]], **more)
    with pytest.raises(Rejected, match=reason):
        net_of(made, **declared)


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({}, "lacks 'layer'"),
        ({"point": 0, "layer": 1, "x": 1}, "unknown key"),
        ({"point": 2, "layer": 1}, "the point of the entry is 2"),
        ({"point": -1, "layer": 1}, "the point of the entry is -1"),
        ({"point": "0", "layer": 1}, "no integer"),
        ({"point": True, "layer": 1}, "no integer"),
        ({"point": 0, "layer": 0}, "the layer of the entry is 0"),
        ({"point": 0, "layer": 3}, "the layer of the entry is 3"),
    ],
)
def test_labels_of_an_entry(entry, reason):
    net = net_of(SMALL, {"point": 1, "layer": 2})
    assert net.labels(point=net.points, layer=net.layers) == (1, 2)
    wrong = net_of(SMALL, entry)
    with pytest.raises(Rejected, match=reason):
        wrong.labels(point=wrong.points, layer=wrong.layers)


# hypotheses --------------------------------------------------------------------------------------
ONE = [[[1]], [[1]]]
HYPOTHESES = [
    (checker.slope_inside, case(ONE, [[1]], slope="9/10"), case(ONE, [[1]], slope=1), {}),
    (checker.slope_inside, case(ONE, [[1]], slope="-9/10"), case(ONE, [[1]], slope=-1), {}),
    (checker.smooth_at_points, case(ONE, [[1], [2]]), case(ONE, [[1], [0]]), {}),
    (checker.smooth_at_points, case([[[0]]], [[0]]), case([[[0]], [[1]]], [[1]]), {}),
]


@pytest.mark.parametrize(("hypothesis", "kept", "broken", "declared"), HYPOTHESES)
def test_hypotheses_hold_and_fail(hypothesis, kept, broken, declared):
    hypothesis(net_of(kept, **declared))
    with pytest.raises(Rejected):
        hypothesis(net_of(broken, **declared))


def test_each_hypothesis_has_its_name():
    named = {name: keys for name, keys in checker.WITHOUT.items() if hasattr(checker, keys[0])}
    functions = {hypothesis.__name__ for hypothesis, *_ in HYPOTHESES}
    assert functions <= {key for keys in named.values() for key in keys}


def test_a_hypothesis_in_enclosures_is_settled_at_growing_precision():
    net = net_of(case(ONE, [[1]]))
    seen = []

    def close(net):
        seen.append(net.bits)
        root = checker.root_of(2, net.bits)
        checker.require(root > F(14142135623730950488, 10**19), "it is not larger")

    checker.settle(close, net)
    assert seen[-1] > seen[0] >= checker.PRECISIONS[0]

    def equal(net):
        root = checker.root_of(2, net.bits)
        checker.require(root * root == 2, "it is another")

    with pytest.raises(checker.Declined, match="not decided"):
        checker.settle(equal, net)
