"""zlb22, the terms for layers and for first and second derivatives, by hand and against SymPy."""

from fractions import Fraction
from random import Random

import pytest
import sympy

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from tests.verify.dag_cases import (
    SQUARE,
    at_point,
    at_weights,
    chain_at_point,
    point_of,
    sympy_values,
)
from verify.kinds.dags.pool import dag_pool, edges_of, often_without_zeros
from verify.language.building import Map, card
from verify.language.columns import plain
from verify.language.evaluation import Evaluation
from verify.papers.zlb22.dag_notation import DAG, DEPTH, OUTPUTS, VERTICES, P, parents
from verify.papers.zlb22.second_derivatives import (
    arriving,
    influence,
    moved_by,
    pre_moved,
    with_pair,
)

# x0, x1 -> 2 -> 4 -> 5, x1 -> 3 -> 5; vertex 6 is left over
GRAPH = {(2, 0): 1, (2, 1): 2, (3, 1): 3, (4, 2): 1, (5, 3): -1, (5, 4): 2, (5, 0): 5}


def found(case, term):
    """The value of a term."""
    column = Evaluation(type(case).scene([case], RATIONALS)).column(term)
    return plain(column.values, term.sort, 0)


def entries(case, vector):
    """Those of a vector."""
    count = case.lengths["n"]
    by = Evaluation(type(case).scene([case], RATIONALS))
    return [as_fraction(by.column(vector[k]).values[0]) for k in range(1, count + 1)]


def test_the_graph_by_hand():
    case = at_point(GRAPH, {}, [1, 2, 0, 0, 0, 0, 7])
    assert entries(case, P) == [0, 0, 1, 1, 2, 3, 0]
    assert found(case, DEPTH) == 3
    assert list(found(case, Map(VERTICES, lambda v: card(parents(v))))) == [0, 0, 2, 1, 1, 3, 0]
    assert list(found(case, OUTPUTS)) == [6]


def test_the_layer_is_that_of_the_longest_path():
    """Whatever the order of the parents: 0 -> 1 -> 3 and 2 -> 3."""
    case = at_point({(1, 0): 1, (3, 1): 1, (3, 2): 1}, {}, [1, 0, 1, 0])
    assert entries(case, P) == [0, 1, 0, 2]


def test_derivatives_by_hand():
    # z1 = 3 * 2, f1 = 36, f2 = 5 f1: by w1 and w2 the second derivatives are 2 * 5 * 4, 2 * 3 * 4
    case = chain_at_point([3, 5], {1: SQUARE}, 2)
    first, second = (2, 1), (3, 2)  # the edges, in numbers from 1
    assert entries(case, moved_by(first)) == [0, 12 * 2, 5 * 12 * 2]
    assert entries(case, moved_by(second)) == [0, 0, 36]
    for a, b, wanted in ((first, first, 40), (first, second, 24), (second, second, 0)):
        assert entries(case, with_pair(a, b, lambda pair: pair.hessian))[2] == wanted
    assert entries(case, influence(VERTICES[1])) == [1, 12 * 3, 5 * 12 * 3]


def test_the_influence_on_a_pre_activation_stops_before_its_slope():
    case, (one, last) = (
        chain_at_point([3, 5], {1: SQUARE, 2: SQUARE}, 2),
        (VERTICES[1], VERTICES[3]),
    )
    assert found(case, arriving(last, influence(one))) == 5 * 12 * 3
    assert found(case, influence(one)[3]) == 180 * 360


@pytest.mark.parametrize("seed", range(4))
def test_derivatives_are_those_of_sympy(seed):
    random = Random(seed)
    pool = dag_pool(most=4, points=1, last=often_without_zeros, degree=2)
    case = DAG.repair(pool.draw(random), random)
    at = point_of(case)
    pre, post, symbols = sympy_values(case, 0)
    v = VERTICES[case.lengths["n"]]
    for a in sorted(edges_of(case)):
        one = (VERTICES[a[0] + 1], VERTICES[a[1] + 1])
        first = sympy.diff(pre[-1], symbols[a])
        assert found(at, pre_moved(moved_by(one), one, v)) == at_weights(case, first, symbols)
        for b in sorted(edges_of(case)):
            other = (VERTICES[b[0] + 1], VERTICES[b[1] + 1])
            second = with_pair(one, other, lambda pair: pair.hessian[v])
            formula = sympy.diff(post[-1], symbols[a], symbols[b])
            assert Fraction(found(at, second)) == at_weights(case, formula, symbols)
