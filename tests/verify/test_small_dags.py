"""All small DAGs are there; networks on them in symbols take the values of numbers."""

from fractions import Fraction
from random import Random

import pytest

from graphs.arithmetic import as_fraction
from graphs.errors import NotRationalError
from graphs.rationals import RATIONALS
from verify.cases.array_scenes import MatrixScene
from verify.kinds.dags.small_graphs import numbers_up_to, small_graphs
from verify.language.columns import plain
from verify.language.evaluation import Evaluation
from verify.papers.zlb22.block_proofs import SYMBOLS, in_symbols, plain_network
from verify.papers.zlb22.dag_notation import OUTPUTS, VERTICES
from verify.papers.zlb22.second_derivatives import BEND, SLOPE, influence, moved_by
from verify.statements.quantities import with_entries

EDGES = {(1, 0), (2, 0), (2, 1), (3, 1), (3, 2)}


def vector_of(scene, term):
    """The entries of a vector in the one case of a scene."""
    by = Evaluation(scene)
    return [by.column(term[k]).values[0] for k in range(1, 5)]


def test_polynomials_take_the_values_of_a_network():
    random, network = Random(3), plain_network(4, EDGES, {})
    formal, point = in_symbols([network]), []
    for name in SYMBOLS:
        size = len(network.arrays[name].entries)
        point += [Fraction(random.randint(-5, 5), 3) for _ in range(size)]
        entries = point[-size:]
        if name in "sb":  # the output has the identity
            entries[3] = Fraction(name == "s")
        network = with_entries(network, name, entries)
    numbers = MatrixScene([network], RATIONALS)
    first, third = VERTICES[1], VERTICES[2]
    for term in (moved_by((third, first)), influence(third)):
        found = [formal.arithmetic.ring.evaluate(one, point) for one in vector_of(formal, term)]
        assert found == [as_fraction(one) for one in vector_of(numbers, term)]
        assert any(found[2:])


def test_outputs_are_linear_and_other_neurons_are_not():
    scene = in_symbols([plain_network(4, EDGES, {})])
    ring = scene.arithmetic.ring
    found = Evaluation(scene).column(OUTPUTS)
    assert list(plain(found.values, OUTPUTS.sort, 0)) == [4]
    slopes, bends = (vector_of(scene, term) for term in (SLOPE, BEND))
    assert slopes[3] == ring.constant(Fraction(1))
    assert ring.is_zero(bends[3])
    assert not ring.is_zero(bends[2])
    with pytest.raises(NotRationalError):
        scene.arithmetic.is_negative(scene["f"])


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
