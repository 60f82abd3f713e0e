"""Blocks: every combination once, and scenes that are those of their cases."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.arithmetic import as_fraction
from graphs.dyadic import DYADICS, Dyadic
from graphs.rationals import RATIONALS
from verify.cases.case import Case
from verify.cases.pool import HOMOGENEOUS_MIX
from verify.cases.tensors import Tensors, tensor
from verify.search.enumeration.blocks import ArrayBlock, NetworkBlock
from verify.search.enumeration.digraphs import digraphs
from verify.search.enumeration.networks import KINDS, SIGNS, SMALL, dressed, grid_points, starting

GRAPHS = [net for size in ((1, 0), (1, 1), (2, 1), (1, 2)) for net in digraphs(*size)]


def block_on(graph, n=1, weights=SMALL, choices=({},)):
    kinds = tuple(KINDS[kind] for kind in HOMOGENEOUS_MIX)
    bases = [starting(net, n) for net in dressed(graph, kinds, kinds[:1])]
    return NetworkBlock(
        tuple(replace(base, choice=choice) for base in bases for choice in choices),
        (weights,) * graph.parameter_count,
        grid_points(len(graph.free_inputs), SMALL),
        SIGNS,
        (-Fraction(1), Fraction(-2)),
    )


def test_a_block_holds_every_combination_once():
    block = block_on(digraphs(1, 1)[1])
    cases = block.slab(0, block.count).cases
    grids = [(base.network for base in block.bases), *[SMALL] * 3]
    data = [[(x,) for x in SMALL], SIGNS, (Fraction(-1), Fraction(-2))]
    expected = {
        (str(net.activations), tuple(w), ((x[0],),), (y,), (s,))
        for net, *w in product(*grids)
        for x, y, s in product(*data)
    }
    found = {(str(c.network.activations), c.weights, c.inputs, c.labels, c.slopes) for c in cases}
    assert len(cases) == block.count == len(expected) == 4 * 3**3 * 3 * 2 * 2
    assert found == expected


def test_slabs_put_together_are_the_block():
    block = block_on(digraphs(1, 1)[0])
    parts = [c for k in range(0, block.count, 100) for c in block.slab(k, k + 100).cases]
    assert parts[: block.count] == block.slab(0, block.count).cases
    assert all(isinstance(case, Case) for case in parts)


@settings(max_examples=25)
@given(st.sampled_from(GRAPHS), st.sampled_from((1, 2)), st.data())
def test_the_scene_of_a_slab_is_that_of_its_cases(graph, n, data):
    block = block_on(graph, n, choices=({}, {"sign_at_zero": "1"}))
    start = data.draw(st.integers(0, block.count - 6))
    slab = block.slab(start, start + 6)
    right = Case.scene(slab.cases, RATIONALS)
    for arithmetic in (RATIONALS, DYADICS):
        scene = slab.scene(arithmetic)
        for name in ("value", "velocity"):
            one, other = getattr(scene, name), getattr(right, name)
            assert numbers(one) == numbers(other), name
        assert np.array_equal(scene.paths.edges, right.paths.edges)
        assert np.array_equal(scene.paths.owner, right.paths.owner)


def numbers(array):
    if isinstance(array, Dyadic):
        return [Fraction(value) for value in array.values.reshape(-1).tolist()]
    return [as_fraction(value) for value in np.asarray(array, dtype=object).reshape(-1)]


def test_points_are_shortened_until_their_norm_is_at_most_one():
    for width in (1, 2, 3, 5):
        points = grid_points(width, SMALL)
        assert len(points) == 3**width
        assert all(sum(x * x for x in point) <= 1 for point in points)
        assert sum(point.count(0) == width - 1 for point in points) == 2 * width
    assert (Fraction(1, 2), Fraction(-1, 2)) in grid_points(2, SMALL)


@pytest.mark.parametrize("shape", [(1, 1), (2, 1)])
def test_a_block_of_arrays_holds_every_combination_once(shape):
    rows = [[1] * shape[1]] * shape[0]
    base = Tensors(
        {"M": tensor(("rows", "columns"), rows), "k": tensor((), 1, integer=True)}, family="f"
    )
    block = ArrayBlock(base, {"M": SMALL, "k": (Fraction(1), Fraction(2))})
    cases = block.slab(0, block.count).cases
    assert block.count == 2 * 3 ** (shape[0] * shape[1])
    assert len({(case.arrays["M"].entries, case.whole("k")) for case in cases}) == block.count
    assert {case.arrays["M"].shape for case in cases} == {shape}
    assert len(block.slab(0, 2).scene(RATIONALS).cases) == 2
