"""Networks along the segment between two points: where they turn, by hand and between drawn ones;
what is said of their pieces."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from graphs.activations import RELU
from tests.verify.arrays import value_at, violated, worth_in
from verify.kinds.deep.layered import as_network, layered_pool
from verify.kinds.deep.networks import deep, tensor_of
from verify.kinds.deep.pool import pool
from verify.language.building import Map, Max, norm
from verify.language.terms import number
from verify.papers.j23.network_notation import jacobian, point
from verify.papers.j23.pieces import CURVED, OUTSIDE_FPLF, TO_FUNCTION, output
from verify.papers.j23.pieces_notation import (
    jacobian_at,
    middle,
    on_the_way,
    pieces,
    turning_places,
)
from verify.statements.stated import true_of

F = Fraction
HAT = deep([[[1], [1]], [[1, -2]]], [[0, -1], [0]], points=[[-1], [3]])  # x to 1, then 2 - x
KINKS = (0, F(1, 4), F(1, 2), 1)


def drawn(count, **options):
    random, networks = Random(3), layered_pool(pool(points=(2,), **options))
    return [networks.draw(random) for _ in range(count)]


# where it turns -----------------------------------------------------------------------------------
def test_a_hat_turns_at_its_kinks():
    hat = as_network(HAT)
    assert worth_in(turning_places(1, 2), hat) == KINKS
    assert worth_in(turning_places(2, 1), hat) == (0, F(1, 2), F(3, 4), 1)
    assert worth_in(turning_places(1, 1), hat) == (0, 1)
    assert worth_in(Map(pieces(1, 2), middle), hat) == (F(1, 8), F(3, 8), F(3, 4))
    slopes = Map(pieces(1, 2), lambda piece: jacobian_at(on_the_way(1, 2, middle(piece)))[1, 1])
    assert worth_in(slopes, hat) == (0, 1, -1)


def test_a_layer_turns_where_one_before_has_bent_it():
    # |x| - 1 from -2 to 2: the first layer turns at 0, the second one at -1 and 1
    tent = deep([[[1], [-1]], [[1, 1]], [[1]]], [[0, 0], [-1], [0]], points=[[-2], [2]])
    assert worth_in(turning_places(1, 2), as_network(tent)) == (0, F(1, 4), F(1, 2), F(3, 4), 1)


def test_between_the_places_networks_are_linear():
    for case in drawn(8, depths=(2, 3, 4)):
        places = worth_in(turning_places(1, 2), case)
        assert list(places) == sorted(set(places))
        for low, high in pairwise(places):
            inside = [low + (high - low) * F(k, 3) for k in range(4)]
            values = [np.array(worth_in(output(t), case)) for t in map(number, inside)]
            first, second, third = (after - before for before, after in pairwise(values))
            assert (first == second).all()
            assert (second == third).all()


def test_no_point_of_the_segment_is_steeper():
    steepness = Max(pieces(1, 2), lambda piece: norm(jacobian_at(on_the_way(1, 2, middle(piece)))))
    for case in drawn(4, depths=(2, 3)):
        steepest = float(worth_in(steepness, case))
        for k in range(1, 6):
            here = jacobian_at(on_the_way(1, 2, number(F(k, 6))))
            assert float(worth_in(norm(here), case)) <= steepest + 1e-9


def test_a_jacobian_at_any_point_is_that_of_an_example_there():
    for case in drawn(8, depths=(1, 2, 3)):
        assert worth_in(jacobian_at(point(2)), case) == worth_in(jacobian(2), case)


# what is said -------------------------------------------------------------------------------------
def test_pieces_are_straight_unless_the_output_bends():
    hat = as_network(HAT)
    pieces_of_hat = [["0", "1/4"], ["1/4", "1/2"], ["1/2", "1"]]
    assert [value_at(TO_FUNCTION, hat, piece) for piece in pieces_of_hat] == [0, 0, 0]
    bent = replace(hat, network=hat.network.with_activations({"o1": RELU}))  # at 2, in the last one
    assert not true_of(TO_FUNCTION.terms.says)(bent)
    assert not violated(TO_FUNCTION, bent)  # it is not fully connected


def curve(weight, w, points=((0,), (1,))):
    """x to weight x, against t^2 w."""
    return as_network(deep([[[weight]]], points=points, w=tensor_of(("n1",), [w])))


@pytest.mark.parametrize(("weight", "w", "agrees"), [(1, 1, False), (0, 0, True), (0, 1, False)])
def test_a_line_leaves_a_parabola(weight, w, agrees):
    case = curve(weight, w)
    assert true_of(OUTSIDE_FPLF.terms.says)(case) is not agrees
    assert true_of(CURVED.holds)(case) is not agrees


def test_a_line_that_meets_a_parabola_at_its_ends_leaves_it_between():
    on_the_curve = [worth_in(output(number(t)), curve(1, 1)) == [t * t] for t in (0, F(1, 2), 1)]
    assert on_the_curve == [True, False, True]
