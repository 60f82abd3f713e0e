"""Small DAG networks: values, gradients and Hessians, by hand and against SymPy."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
import sympy

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from tests.verify.dag_cases import IDENTITY, SQUARE, at_weights, chain, dag, sympy_values
from verify.kinds.dags.hypotheses import DAG
from verify.kinds.dags.pool import dag_pool, often_without_zeros
from verify.kinds.dags.scene import DagScene

F = Fraction
# x0, x1 -> 2 -> 4 -> 5, x1 -> 3 -> 5, and 3 an output no more: vertex 6 is left over
GRAPH = {(2, 0): 1, (2, 1): 2, (3, 1): 3, (4, 2): F(1, 2), (5, 3): -1, (5, 4): 2, (5, 0): 5}


def scene_of(*cases):
    return DagScene(cases, RATIONALS)


def plain(values):
    return [as_fraction(value) for value in np.asarray(values).reshape(-1)]


# by hand ------------------------------------------------------------------------------------------
def test_the_graph_by_hand():
    scene = scene_of(dag(GRAPH, {}, [1, 2, 0, 0, 0, 0, 7]))
    assert scene.in_degree.tolist() == [[0, 0, 2, 1, 1, 3, 0]]
    assert scene.out_degree.tolist() == [[2, 2, 1, 1, 1, 0, 0]]
    assert scene.layer.tolist() == [[0, 0, 1, 1, 2, 3, 0]]
    assert scene.depth.tolist() == [3]


def test_the_layer_is_that_of_the_longest_path():
    """Whatever the order of the parents: 0 -> 1 -> 3 and 2 -> 3."""
    scene = scene_of(dag({(1, 0): 1, (3, 1): 1, (3, 2): 1}, {}, [1, 0, 1, 0]))
    assert scene.layer.tolist() == [[0, 1, 0, 2]]
    assert plain(scene.inverse_degree(2)) == [0]
    assert plain(scene.inverse_degree(3)) == [F(1, 2)]


def test_marks_on_and_above_the_diagonal_are_no_edges():
    scene = scene_of(dag({(1, 0): 1, (1, 1): 1, (0, 2): 1}, {}, [1, 0, 0]))
    assert scene.adjacency.sum() == 1
    assert scene.in_degree.tolist() == [[0, 1, 0]]
    assert scene.out_degree.tolist() == [[1, 0, 0]]


def test_values_and_derivatives_by_hand():
    # z1 = 3 * 2, f1 = 36, f2 = 5 f1: by w1 and w2 the second derivatives are 2 * 5 * 4, 2 * 3 * 4
    scene = scene_of(chain([3, 5], {1: SQUARE}, x=2))
    run = scene.passed(0)
    assert plain(run.post) == [2, 36, 180]
    assert plain(run.slope) == [0, 12, 1]
    assert plain(run.bend) == [0, 2, 0]
    assert scene.slots == [(1, 0), (2, 0), (2, 1)]
    assert plain(run.post_gradient[2]) == [5 * 12 * 2, 0, 36]
    assert plain(run.post_hessian[2]) == [40, 0, 24, 0, 0, 0, 24, 0, 0]


def test_a_weight_without_an_edge_does_not_count():
    with_number = chain([3, 5], {1: SQUARE}, x=2)
    weights = with_number.arrays["W"]
    filled = tuple(entry or F(9) for entry in weights.entries)
    other = with_number.changing(W=type(weights)(weights.axes, weights.shape, filled))
    assert plain(scene_of(other).passed(0).post) == [2, 36, 180]
    assert plain(scene_of(other).passed(0).post_gradient[2])[1] == 0


def test_inverse_degrees():
    scene = scene_of(dag(GRAPH, {}, [1, 2, 0, 0, 0, 0, 7]))
    found = dict(zip(scene.slots, plain(scene.inverse_degrees), strict=True))
    assert found[2, 1] == F(1, 2)
    assert found[5, 4] == F(1, 3)
    assert found[5, 1] == 0


def test_a_single_vertex_has_no_weights():
    scene = scene_of(dag({}, {}, [4]))
    assert plain(scene.passed(0).post) == [4]


# against SymPy ------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(6))
def test_derivatives_are_those_of_sympy(seed):
    random = Random(seed)
    pool = dag_pool(most=4, last=often_without_zeros, degree=2)
    case = DAG.repair(pool.draw(random), random)
    scene, at = scene_of(case), case.lengths["N"] - 1
    run = scene.passed(at)
    pre, post, symbols = sympy_values(case, at)
    for found, formulas in (
        ((run.pre, run.pre_gradient, run.pre_hessian), pre),
        ((run.post, run.post_gradient, run.post_hessian), post),
    ):
        for v, formula in enumerate(formulas):
            assert as_fraction(found[0][v][0]) == at_weights(case, formula, symbols)
            for i, a in enumerate(scene.slots):
                first = sympy.diff(formula, symbols[a]) if a in symbols else 0
                assert as_fraction(found[1][v][0, i]) == at_weights(case, first, symbols)
                for j, b in enumerate(scene.slots):
                    second = sympy.diff(first, symbols[b]) if b in symbols else 0
                    assert as_fraction(found[2][v][0, i, j]) == at_weights(case, second, symbols)


# batches ------------------------------------------------------------------------------------------
def test_a_batch_of_different_graphs_is_each_by_itself():
    one = dag({(1, 0): 2, (2, 1): 3}, {1: SQUARE, 2: IDENTITY}, [1, 0, 0])
    other = dag({(2, 0): 5, (2, 1): 7}, {2: SQUARE}, [2, 3, 0])
    both, alone = scene_of(one, other), (scene_of(one), scene_of(other))
    for k, single in enumerate(alone):
        for v in range(3):
            together = both.passed(0).post_hessian[v][k]
            assert (together == single.passed(0).post_hessian[v][0]).all()


def test_an_instance_in_words():
    case = dag({(1, 0): 2, (2, 0): 1, (2, 1): 3}, {}, (1, 0, 0), l1=1)
    assert case.described() == "3 vertices with the edges 0→1 0→2 1→2, l1 = 1"
