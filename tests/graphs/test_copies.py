"""Copies of one graph: the same union as one made network by network."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.activations import LINEAR, RELU
from graphs.copies import copies
from graphs.errors import NetworkError
from graphs.evaluation import Union
from graphs.families import fully_connected
from graphs.strategies import activations, networks

ANY = networks(max_outputs=2, sharing=True, fixed=True, constants=True, scaling=True)
ARRAYS = (
    "tails",
    "heads",
    "parameter_of",
    "vertex_owner",
    "edge_owner",
    "parameter_owner",
    "vertex_offset",
    "edge_offset",
    "parameter_offset",
    "outputs",
)


@given(ANY, st.data())
def test_copies_are_the_union_of_the_networks(net, data):
    kinds = activations(("linear", "relu", "abs"))
    last = net.names[net.outputs[0]]
    nets = [net, *(net.with_activations({last: data.draw(kinds)}) for _ in range(2)), net]
    found, right = copies(nets), Union.of(nets)
    assert found.networks == right.networks
    for name in ARRAYS:
        assert np.array_equal(getattr(found, name), getattr(right, name)), name
    assert len(found.levels) == len(right.levels)
    for one, other in zip(found.levels, right.levels, strict=True):
        for name in ("vertices", "edges", "slot"):
            assert np.array_equal(getattr(one, name), getattr(other, name)), name
    for one, other in zip(found.input_places, right.input_places, strict=True):
        assert list(one) == list(other)
    assert found.scale_squares == right.scale_squares
    assert [found.activations[0][k] for k in found.activations[1]] == [
        kind for each in nets for kind in each.activations
    ]


def test_graphs_that_differ_in_more_than_activations_are_refused():
    one, other = fully_connected([1, 1], LINEAR, RELU), fully_connected([2, 1], LINEAR, RELU)
    with pytest.raises(NetworkError, match="more than its activations"):
        copies([one, other])
