"""Unrolled convolutions against torch's, whose float64 is exact on small integers."""

from itertools import product
from random import Random

import pytest
import torch
from torch.nn import functional

from graphs.activations import RELU
from graphs.convolutions import convolution, output_shape
from graphs.errors import NetworkError
from tests.graphs.evaluated import in_order, outputs_at


def by_torch(x, kernel, stride, padding, dilation, mode):
    """The convolution as torch computes it, flattened to integers."""
    if mode == "circular":
        ends = [amount for p in reversed(padding) for amount in (p, p)]
        x, padding = functional.pad(x, ends, mode="circular"), [0] * len(padding)
    function = functional.conv1d if len(padding) == 1 else functional.conv2d
    y = function(x, kernel, stride=stride, padding=padding, dilation=dilation)
    return [int(value) for value in y.flatten()]


def is_a_network(size, kernel, stride, padding, dilation, mode):
    """Whether torch's convolution is a network: it fits, no output sees padding alone, no two edges
    are parallel."""
    axes = list(zip(size, kernel, stride, padding, dilation, strict=True))
    counts = [(n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in axes]
    if min(counts) < 1:
        return False
    if mode == "circular":
        distinct = all(len({a * d % n for a in range(k)}) == k for n, k, _, _, d in axes)
        return distinct and all(p <= n for n, _, _, p, _ in axes)
    return all(
        any(0 <= i * s - p + a * d < n for a in range(k))
        for count, (n, k, s, p, d) in zip(counts, axes, strict=True)
        for i in range(count)
    )


def check(size, channels, kernel, stride, padding, dilation, mode):
    """Compare the graph with torch on random integers; returns whether the network exists."""
    options = {"stride": stride, "padding": padding, "dilation": dilation, "mode": mode}
    if not is_a_network(size, kernel, **options):
        with pytest.raises(NetworkError, match=r"padding alone|two edges|spans|at most"):
            convolution(size, channels, kernel, **options)
        return False
    net = convolution(size, channels, kernel, **options)
    random = Random(0)
    taps = list(product(range(channels[1]), range(channels[0]), *map(range, kernel)))
    values = {place: random.randint(-3, 3) for place in taps}
    names = {f"k[{','.join(str(k + 1) for k in place)}]": values[place] for place in taps}
    x = torch.tensor([random.randint(-3, 3) for _ in net.inputs], dtype=torch.float64)
    filters = torch.tensor([values[place] for place in taps], dtype=torch.float64)
    expected = by_torch(
        x.reshape(1, channels[0], *size),
        filters.reshape(channels[1], channels[0], *kernel),
        stride,
        padding,
        dilation,
        mode,
    )
    assert outputs_at(net, in_order(net, names), [int(v) for v in x]) == expected
    return True


@pytest.mark.parametrize("mode", ["zero", "circular"])
def test_one_dimension_agrees_with_torch(mode):
    grid = product((3, 6), ((1, 1), (2, 3)), (1, 2, 3), (1, 2), (0, 1, 2), (1, 2))
    made = [check((n,), c, (k,), (s,), (p,), (d,), mode) for n, c, k, s, p, d in grid]
    assert sum(made) > len(made) / 2


@pytest.mark.parametrize("mode", ["zero", "circular"])
def test_two_dimensions_agree_with_torch(mode):
    grid = product(
        [(3, 4), (5, 3)],
        [(1, 2), (2, 1)],
        [(2, 2), (3, 1)],
        [(1, 1), (2, 1)],
        [(0, 0), (1, 0), (1, 1)],
        [(1, 1), (1, 2)],
    )
    made = [check(*options, mode) for options in grid]
    assert sum(made) > len(made) / 2


def test_one_number_serves_every_dimension():
    wide = convolution((4, 4), (1, 1), 2, stride=2, padding=1, dilation=2)
    assert wide == convolution((4, 4), (1, 1), (2, 2), (2, 2), (1, 1), (2, 2))


@pytest.mark.parametrize(("stride", "padding"), list(product((1, 2, 3), (0, 1))))
def test_stride_and_padding_change_the_vertices_but_not_the_parameters(stride, padding):
    net = convolution((6, 5), (2, 3), (2, 2), stride, padding)
    assert net.parameter_count == 2 * 3 * 4
    rows, columns = output_shape((6, 5), (2, 2), [stride] * 2, [padding] * 2, [1, 1])
    assert len(net.outputs) == 3 * rows * columns
    assert all(len(edges) >= 1 for edges in net.edges_of_parameter)


def test_names_run_channel_by_channel_and_row_by_row():
    net = convolution((2, 2), (1, 2), 1, activation=RELU)
    assert [net.names[v] for v in net.outputs] == [
        f"y[{c},{i},{j}]" for c, i, j in product((1, 2), repeat=3)
    ]
    assert net.parameter_names == ("k[1,1,1,1]", "k[2,1,1,1]")
    assert {str(net.activations[v]) for v in net.outputs} == {"relu"}


def test_a_zero_padded_edge_is_absent():
    net = convolution(3, (1, 1), 3, padding=1)
    assert [len(net.in_edges[v]) for v in net.outputs] == [2, 3, 2]


def test_a_parameter_that_only_meets_padding_is_left_out():
    assert convolution(1, (1, 1), 3, padding=1).parameter_names == ("k[1,1,2]",)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"size": 2, "kernel": 3},
            "a filter of 3 places 1 apart spans 3, the input with padding 2",
        ),
        ({"size": 3, "kernel": 1, "padding": 1}, r"output y\[1,1\] sees the padding alone"),
        (
            {"size": 2, "kernel": 3, "padding": 1, "mode": "circular"},
            "circular padding makes two edges",
        ),
        ({"size": 2, "kernel": 2, "padding": 3, "mode": "circular"}, "at most 2"),
        ({"size": 3, "kernel": 2, "mode": "reflect"}, "mode 'reflect': use one of zero, circular"),
        ({"size": (3, 3), "kernel": (2,)}, "give one for each dimension"),
        ({"size": 3, "kernel": 2, "stride": 0}, r"stride \(0,\): at least 1"),
        ({"size": 0, "kernel": 1}, "must be positive"),
        ({"size": 3, "kernel": 2, "channels": (1, 0)}, "must be positive"),
    ],
)
def test_impossible_convolutions_are_refused(arguments, message):
    with pytest.raises(NetworkError, match=message):
        convolution(**{"channels": (1, 1), **arguments})
