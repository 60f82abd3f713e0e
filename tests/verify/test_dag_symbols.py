"""DAG networks in symbols: their polynomials take its numbers, and all graphs are there."""

from fractions import Fraction
from random import Random

import pytest

from graphs.arithmetic import as_fraction
from graphs.errors import NotRationalError
from graphs.rationals import RATIONALS
from tests.verify.dag_cases import dag
from verify.kinds.dags.hypotheses import outputs_of
from verify.kinds.dags.scene import DagScene
from verify.kinds.dags.symbols import ORDERS, SymbolDag, graph_case, numbers_up_to, small_graphs

EDGES = {(1, 0), (2, 0), (2, 1), (3, 1), (3, 2)}


def at_numbers(symbols, scene, polynomial):
    """The value of a polynomial where its symbols are the numbers of a scene of rationals."""
    run, count = scene.passed(0), scene.vertices
    point = [as_fraction(scene["W"][0, v, u]) for v, u in scene.slots]
    point += [as_fraction(x) for x in scene["X"][0, 0]]
    for v in range(count):
        point += [as_fraction(part[v][0]) for part in (run.post, run.slope, run.bend)]
    assert len(point) == len(symbols.ring.generators) == len(scene.slots) + count * (1 + ORDERS)
    return symbols.ring.evaluate(polynomial, point)


def test_polynomials_take_the_values_of_a_network():
    random = Random(3)
    weights = {edge: Fraction(random.randint(-5, 5), 3) for edge in EDGES}
    activations = {1: (1, 2, 3), 2: (0, -1, Fraction(1, 2), 1)}
    case = dag(weights, activations, [2, 0, 0, 0])
    scene, symbols = DagScene([case], RATIONALS), SymbolDag(graph_case(4, EDGES))
    numbers, formal = scene.passed(0), symbols.passed(0)
    for v in range(1, 4):
        for found, wanted in zip(
            formal.pre_hessian[v].flat, numbers.pre_hessian[v].flat, strict=True
        ):
            assert at_numbers(symbols, scene, found) == as_fraction(wanted)
    through = zip(symbols.influence(0, 3), scene.influence(0, 3), strict=True)
    assert all(
        at_numbers(symbols, scene, one[0]) == as_fraction(other[0]) for one, other in through
    )


def test_outputs_are_linear_and_other_neurons_are_not():
    symbols = SymbolDag(graph_case(4, EDGES))
    run = symbols.passed(0)
    assert outputs_of(symbols.cases[0]) == [3]
    assert symbols.vanish(run.bend[3])
    assert not symbols.vanish(run.bend[2])
    assert symbols.vanish(run.pre_hessian[1])
    assert not symbols.vanish(run.pre_hessian[2])
    with pytest.raises(NotRationalError):
        symbols.arithmetic.is_negative(run.post[2])
    with pytest.raises(KeyError):
        symbols["W"]


def test_numbers_change_without_the_network():
    symbols = SymbolDag(graph_case(4, EDGES, {"l1": 1}))
    before = symbols.passed(0)
    other = symbols.with_numbers({"l1": 2})
    assert (symbols.whole("l1"), other.whole("l1")) == ([1], [2])
    assert other.passed(0) is before


def test_all_small_graphs():
    # less the one without edges there are 2, 6, 31 DAGs up to names (OEIS A003087)
    assert [len(small_graphs(count)) for count in (1, 2, 3, 4)] == [0, 1, 5, 30]


def test_numbers_up_to():
    assert list(numbers_up_to(2, ("a", "b"))) == [
        {"a": 1, "b": 1},
        {"a": 1, "b": 2},
        {"a": 2, "b": 1},
        {"a": 2, "b": 2},
    ]
