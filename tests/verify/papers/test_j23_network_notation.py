"""Fully connected networks in the letters of J23, solved by hand."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from verify.cases.breaks import skip_a_layer
from verify.cases.tensors import Tensors, tensor
from verify.kinds.deep.layered import LayeredPool, arrays_of, as_network, layered_pool
from verify.kinds.deep.networks import deep, number
from verify.kinds.deep.pool import DEEP, pool
from verify.language.building import Matrix
from verify.language.evaluation import Evaluation
from verify.papers.j23 import network_notation as notation
from verify.papers.registry import find
from verify.search.enumeration.ladders import ladder_of
from verify.statements.stated import true_of

F = Fraction
# x = (1, 1): pre-activations (3, -2) with slopes 1 and -1/2, activations (3, 1)
# x = (0, -3): pre-activations (-6, 2)
NET = as_network(
    deep(
        [[[1, 2], [0, -1]], [[2, 1], [3, -1]]],
        [[0, -1], [5, 0]],
        [[1, 1], [0, -3]],
        F(-1, 2),
        k=number(2, integer=True),
        gap=number(1),
    )
)


def worth(term, case=NET):
    """Its value, of a matrix or a vector the entries."""
    values = Evaluation(case.scene([case], RATIONALS)).column(term).values
    if term.sort.name not in ("mat", "vec"):
        return values[0]
    ((_, array),) = values.parts.values()
    return np.vectorize(as_fraction, otypes=[object])(array[0]).tolist()


@pytest.mark.parametrize(
    ("term", "value"),
    [
        (notation.weight(1), [[1, 2], [0, -1]]),
        (notation.bias(1), [0, -1]),
        (notation.bias(2), [5, 0]),
        (notation.slopes(1, 1), [[1, 0], [0, F(-1, 2)]]),
        (notation.slopes(2, 1), [[1, 0], [0, 1]]),
        (notation.to_pre(1, 1), [[1, 2], [0, -1]]),
        (notation.to_post(0, 1), [[1, 0], [0, 1]]),
        (notation.to_post(1, 1), [[1, 2], [0, F(1, 2)]]),
        (notation.from_post(1, 1), [[2, 1], [3, -1]]),
        (notation.from_post(2, 1), [[1, 0], [0, 1]]),
        (notation.from_pre(1, 1), [[2, F(-1, 2)], [3, F(1, 2)]]),
        (notation.jacobian(1), [[2, F(9, 2)], [3, F(11, 2)]]),
        (notation.jacobian(2), [[-1, -3], [F(-3, 2), -2]]),  # slopes -1/2 and 1
        (notation.jacobian_square(1), F(25, 4)),  # the determinant is 11 - 27/2
        (notation.WEIGHTS_SQUARE, 6 + 15),
        (notation.PARAMETER_SQUARE, 6 + 15 + 26),
        (notation.C1, 47 - 4 + 1),
        (notation.DEPTH, 2),
    ],
)
def test_it_is_what_it_is_by_hand(term, value):
    found = worth(term)
    assert (found if isinstance(found, list) else as_fraction(found)) == value


def test_pre_activations_and_the_jacobian_belong_together():
    found = NET.scene([NET], RATIONALS)
    hidden = [NET.network.index[f"h1.{i}"] for i in (1, 2)]
    assert found.pre[hidden].tolist() == [[3, -6], [-2, 2]]


def test_projections_by_hand():
    A = Matrix("A", "m", "n")
    for rows, onto in (
        ([[1, 2], [1, 2]], [[F(1, 2), F(1, 2)], [F(1, 2), F(1, 2)]]),
        ([[0, 0]], [[0]]),
        ([[3, 0], [4, 0]], [[F(9, 25), F(12, 25)], [F(12, 25), F(16, 25)]]),
        ([[1, 1], [0, 5]], [[1, 0], [0, 1]]),
    ):
        case = Tensors({"A": tensor(("m", "n"), rows)})
        assert worth(notation.image(A), case) == onto
    case = Tensors({"A": tensor(("m", "n"), [[3, 4]])})
    assert worth(notation.coimage(A), case) == [[F(9, 25), F(12, 25)], [F(12, 25), F(16, 25)]]


GIVEN = ("FULLY_CONNECTED", "SLOPE", "RELU", "SMOOTH", "NORM_BOUND", "RANK", "K_AT_LEAST_1")


def test_hypotheses_of_the_network_by_hand():
    met = {name for name in GIVEN if true_of(getattr(notation, name).holds)(NET)}
    assert met == set(GIVEN) - {"RELU"}
    bent = as_network(deep([[[1]], [[1]]], None, [[0]], 0, k=number(0, integer=True)))
    assert not true_of(notation.SMOOTH.holds)(bent)


@pytest.mark.parametrize("name", [*GIVEN[1:], "BALANCED", "NO_BIASES", "DISTINCT"])
def test_repairs_and_breaks(name):
    random, given = Random(5), getattr(notation, name)
    networks = layered_pool(pool(gaps=("gap",), whole=(("k", 0, 3),), points=(1, 2, 3)))
    met, repaired, broken = true_of(given.holds), 0, 0
    for _ in range(30):
        case = networks.draw(random)
        repaired += met(given.repair(case, random))
        broken += given.break_ is not None and not met(given.break_(case, random))
    assert repaired >= 25  # a neuron with no weights and no bias is at its kink everywhere
    assert broken >= 15 or given.break_ is None


def test_a_neuron_stands_once_in_its_layer():
    # the second neuron of layer 1 is left out, and the first one written twice
    first, second, last = NET.choice["layer"]
    doubled = replace(NET, choice={**NET.choice, "layer": [first, [second[0]] * 2, last]})
    assert len(second) == 2
    assert not true_of(notation.FULLY_CONNECTED.holds)(doubled)


def test_outputs_that_bend_are_not_what_the_paper_has():
    random = Random(1)
    broken = [notation.FULLY_CONNECTED.break_(NET, random) for _ in range(12)]
    assert not any(map(true_of(notation.FULLY_CONNECTED.holds), broken))
    assert {len(one.network.tails) == len(NET.network.tails) for one in broken} == {True, False}


def test_small_networks_are_listed():
    claim = find("j23.thm6.insert")
    (rung, *_) = ladder_of(claim, Random(0), 1.0)
    blocks = [block for scope in rung for block in scope.blocks]
    few = min(blocks[0].count, 8)
    slab = blocks[0].slab(2, few)
    assert blocks[0].slab(0, few).cases[2:] == slab.cases
    assert len(set(map(str, slab.cases))) == few - 2
    assert sum(block.count for block in blocks) > 8
    scene = slab.scene(RATIONALS)
    assert list(scene.cases) == slab.cases
    assert all(map(true_of(notation.FULLY_CONNECTED.holds), slab.cases))


def test_a_skip_is_no_layer():
    broken = [skip_a_layer(NET, Random(seed)) for seed in range(8)]
    edges = {len(one.network.tails) - len(NET.network.tails) for one in broken}
    assert edges == {-1, 1}
    for one in broken:
        assert not true_of(notation.FULLY_CONNECTED.holds)(one)
        assert arrays_of(one) is None
        assert one.plain() is one


def test_arrays_and_networks_are_the_same_cases():
    random = Random(7)
    found = layered_pool(pool(depths=(1, 2, 3)))
    assert isinstance(found, LayeredPool)
    for _ in range(20):
        case = found.draw(random)
        assert true_of(notation.FULLY_CONNECTED.holds)(case)
        again = as_network(arrays_of(case))
        assert again == case
        smaller = [one for one in case.changes() if one.size() < case.size()]
        assert all(arrays_of(one) is not None for one in smaller)
        assert arrays_of(case.varied(random)) is not None


def test_some_networks_are_much_deeper_than_the_others():
    random, of = Random(2), pool(depths=(1, 2, 3), widest=2)
    found = layered_pool(of, deep=F(1, 2))
    depths = {arrays_of(found.draw(random)).depth for _ in range(40)}
    assert {1, 2, 3, *DEEP} <= depths
    assert all(arrays_of(found.draw(random, large=False)).depth <= 3 for _ in range(10))
    assert "depth 20" in found.scope()[0]
    assert "depth 20" not in layered_pool(of).scope()[0]
