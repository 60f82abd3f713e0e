"""The width that suffices at depth 2: by hand, and the engine."""

from fractions import Fraction
from random import Random

import pytest

from tests.verify.costs.cases import stands
from tests.verify.language.values import worth
from tests.verify.papers.looking import looking
from verify.kinds.deep.layered import as_network
from verify.kinds.deep.networks import deep
from verify.language.building import frob2, inverse, list_
from verify.methods.pointwise import pointwise
from verify.papers.j23 import sufficient_width as widths
from verify.papers.j23.sufficient_width import WIDTH

F = Fraction
CI = looking("ci", 2)


def network(*arguments, **others):
    return as_network(deep(*arguments, **others))


def factors(case, *neurons):
    """Those of some neurons."""
    S = list_(*neurons)
    found = worth(inverse(widths.products(S)) @ widths.with_whole(S), case)
    return list(found[1:]) if found else None


def enough(case, *neurons):
    return worth(widths.suffices(list_(*neurons)), case)


def test_equal_neurons_become_one():
    case = network([[[1], [1], [1]], [[1, 1, 1]]], points=[[1]])
    assert factors(case, 1) == [3]
    assert worth(widths.least_cost(1), case) == 2
    assert worth(widths.PARAMETER_SQUARE, case) == 3 * 2
    assert enough(case, 1)
    # two equal neurons are no basis
    assert factors(case, 1, 2) is None
    assert enough(case, 1, 2) is False


def test_the_cheaper_neuron_stays():
    # at x = 1 both give 1: the one by 1 and 1, the other by a bias 9 and 1/9
    case = network([[[1], [0]], [[1, F(1, 9)]]], [[0, 9], [0]], points=[[1]])
    assert [factors(case, k) for k in (1, 2)] == [[2], [2]]
    assert [worth(widths.least_cost(k), case) for k in (1, 2)] == [2, 2]
    assert enough(case, 1)
    # a weight 9 of a coordinate that is 0 at the point, and a bias 1
    dear = network([[[1, 0], [0, 9]], [[1, 1]]], [[0, 1], [0]], points=[[1, 0]])
    assert factors(dear, 2) == [2]
    assert worth(widths.least_cost(2), dear) ** 2 == pytest.approx(4 * 82)
    assert worth(widths.PARAMETER_SQUARE, dear) == 2 + 82 + 1
    assert enough(dear, 1)
    assert enough(dear, 2)  # 2 2 sqrt(82) is below 85


def test_a_network_that_costs_more_is_not_enough():
    # 1 and 1/10 at the point, the second with a weight of a coordinate that is 0 there
    case = network([[[1, 0], [F(1, 10), 1]], [[1, 1]]], points=[[1, 0]])
    assert factors(case, 2) == [11]
    assert enough(case, 1)
    assert not enough(case, 2)  # 22 sqrt(1.01) above 2 + 1.01 + 1


def test_factors_are_not_negative():
    case = network([[[1], [1]], [[1, -2]]], points=[[1]])
    assert [factors(case, k) for k in (1, 2)] == [[-1], [F(1, 2)]]
    assert not enough(case, 1)
    assert enough(case, 2)


def test_one_neuron_has_one_direction_of_outputs():
    case = network([[[1], [1], [1]], [[1, 0, 1], [0, 1, 1]]], points=[[1]])
    assert not any(enough(case, k) for k in (1, 2))
    assert enough(case, 3)  # the outputs are (2, 2)
    assert not enough(case, 1, 2)  # twice each, 4 + 4 above 2 + 2 + 3
    aside = network([[[1], [1], [1]], [[1, 0, 1], [0, 1, 2]]], points=[[1]])
    assert not any(enough(aside, k) for k in (1, 2, 3))
    assert enough(aside, 1, 3)
    assert worth(widths.SUFFICIENT, aside)


def test_opposite_neurons_go():
    case = network([[[1], [1], [1]], [[1, -2, 1]]], points=[[1]])
    assert worth(frob2(widths.WHOLE), case) == 0
    assert worth(widths.SUFFICIENT, case)


@pytest.mark.parametrize("seed", [0, 6])
def test_there_are_as_many_neurons_as_outputs_at_the_points(seed):
    """Some neurons suffice, and none that do are more than the numbers that stay."""
    random = Random(seed)
    case = WIDTH.pool.draw(random)
    sets = worth(widths.SMALLER, case)
    good = [S for S in sets if enough(case, *S)]
    numbers = case.deep.lengths["N"] * case.deep.widths[-1]
    assert worth(widths.SUFFICIENT, case)
    assert all(len(S) <= numbers for S in good)


def test_what_is_right_stands():
    assert stands(pointwise(WIDTH, CI), 16)
