"""Ragged matrices in one flat array, and the data packed in them."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from graphs.network import network
from numerics.blocks import LANES, Blocks
from numerics.examples import Examples

matrices = st.lists(
    st.tuples(st.integers(0, 4), st.integers(1, 19)).flatmap(
        lambda shape: arrays(np.float64, shape, elements=st.integers(-9, 9).map(float))
    ),
    min_size=1,
    max_size=4,
)
NET = network([("x", "o"), ("y", "o")], inputs=["x", "y"], outputs=["o"], title="pair")
BIASED = network([("x", "o"), ("1", "o")], inputs=["x", "1"], outputs=["o"], constants={"1": 1})


@given(given_matrices=matrices, repeat=st.booleans())
def test_blocks_are_the_matrices_they_were_made_of(given_matrices, repeat):
    blocks = Blocks.of(given_matrices, repeat=repeat)
    assert len(blocks) == len(given_matrices)
    for block, matrix in zip(blocks, given_matrices, strict=True):
        assert block.tolist() == matrix.tolist()
    assert (blocks.strides % LANES == 0).all()
    assert len(blocks.flat) == blocks.offsets[-1]
    wide, valid = blocks.wide(), blocks.valid()
    assert wide.shape == valid.shape == (sum(map(len, given_matrices)), blocks.strides.max())
    rows = [row for matrix in given_matrices for row in matrix.tolist()]
    assert [w[v].tolist() for w, v in zip(wide, valid, strict=True)] == rows
    again = Blocks.from_wide(wide, blocks.rows, blocks.counts)
    assert torch.equal(again.flat, blocks.flat)
    if repeat:
        assert all(
            float(entry) == row[-1]
            for w, v, row in zip(wide, valid, rows, strict=True)
            for entry in w[~v]
        )


def test_blocks_are_views_and_count_from_the_end():
    blocks = Blocks.of([[[1.0, 2.0]], [[3.0]]])
    blocks[-1][0, 0] = 5.0
    assert blocks[1].tolist() == [[5.0]]
    with pytest.raises(IndexError):
        blocks[2]


def test_examples_hold_the_coordinates_of_free_inputs():
    examples = Examples.of([NET, BIASED], [[[1, 2], [3, 4]], [[5]]], [[1, -1], [1]])
    assert [block.tolist() for block in examples.inputs] == [[[1, 3], [2, 4]], [[5]]]
    assert [block.tolist() for block in examples.labels] == [[[1, -1]], [[1]]]
    assert examples.counts.tolist() == [2, 1]
    assert Examples.of([NET], [[[1, 2]]]).labels[0].tolist() == [[1]]


@pytest.mark.parametrize(
    ("inputs", "labels", "message"),
    [
        ([[[1, 2]]], [[1]], "inputs for 1 networks, but the program has 2"),
        ([[[1, 2]], [[1]]], [[1]], "labels for 1 networks"),
        ([[[1, 2]], [[1, 1]]], None, r"inputs of network 1, .* have shape \(1, 2\).* 1\)"),
        ([np.zeros((0, 2)), [[1]]], None, r"network 0, pair .* have shape \(0, 2\)"),
        ([[[1, 2]], [[1]]], [[1], [1, 1]], r"labels of network 1, .* have shape \(2,\)"),
        (
            [[[1, 2], [1, np.nan]], [[1]]],
            None,
            "network 0, pair .*: example 1, coordinate 1 is nan",
        ),
        ([[[1, 2]], [[np.inf]]], None, "network 1, .*: example 0, coordinate 0 is inf"),
        ([[[1, 2]], [[1]]], [[1], [-np.inf]], "labels of network 1, .*: example 0 is -inf"),
    ],
)
def test_wrong_data_is_named(inputs, labels, message):
    with pytest.raises(ValueError, match=message):
        Examples.of([NET, BIASED], inputs, labels)
