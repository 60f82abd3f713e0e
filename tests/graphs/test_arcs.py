"""Networks along arcs of weights: the chain rule just after the start, also inside of kinks."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphs.activations import RELU
from graphs.arcs import ArcJets, along_arc
from graphs.errors import ParameterError
from graphs.exact import gradient, is_differentiable, output
from graphs.kinks import KinkError
from graphs.network import network
from graphs.univariate import univariate, value
from tests.graphs.drawn_points import points

one, zero = Fraction(1), Fraction(0)
NEURON = network([("x", "o")], inputs=["x"], outputs=["o"], activations={"o": RELU})
PAIR = network([("x", "o"), ("y", "o")], inputs=["x", "y"], outputs=["o"], activations={"o": RELU})
coarse = st.sampled_from([zero, one, -one, Fraction(2)])


def arcs(net):
    """Arcs of degree at most 2, some entries at rest."""
    entries = st.lists(st.integers(-2, 2).map(Fraction), max_size=3).map(univariate)
    return st.tuples(*[entries] * net.parameter_count)


def sides(net):
    return st.tuples(*[st.integers(-3, 3).map(Fraction)] * net.parameter_count)


@given(points(numbers=coarse, sharing=True, fixed=True), st.data())
def test_the_chain_rule_holds_for_every_side(point, data):
    arc, side = data.draw(arcs(point.network)), data.draw(sides(point.network))
    try:
        moved = along_arc(point.network, arc, point.xs, side)
    except KinkError:
        assume(False)
    assert all(moved.chain_rule_defect(j) == () for j in range(len(point.xs)))
    assert moved.risk_defect([one, -one]) == ()


@given(points(numbers=coarse), st.data())
def test_values_and_gradients_are_those_a_little_later(point, data):
    arc, side = data.draw(arcs(point.network)), data.draw(sides(point.network))
    try:
        moved = along_arc(point.network, arc, point.xs, side)
    except KinkError:
        assume(False)
    step = Fraction(1, 10**9)  # the numbers are small integers: no root is as near to 0 as this
    later = [value(w, step) for w in arc]
    for j, x in enumerate(point.xs):
        assert value(moved.values[j], step) == output(point.network, later, x)
        if is_differentiable(point.network, later, [x]):
            found = [value(g, step) for g in moved.gradients[j]]
            assert found == list(gradient(point.network, later, x))


def test_inside_of_a_kink_the_sides_select_both_ends_of_the_subdifferential():
    arc = [univariate([0, 1]), univariate([0, -1])]  # w = (t, -t), at x = (1, 1): always at 0
    on, off = (along_arc(PAIR, arc, [(one, one)], side) for side in ((one, zero), (-one, zero)))
    assert on.gradients == (((one,), (one,)),)
    assert off.gradients == (((), ()),)
    assert on.chain_rule_defect(0) == off.chain_rule_defect(0) == ()
    with pytest.raises(KinkError, match="stays 0 on this side"):
        along_arc(PAIR, arc, [(one, one)], (one, -one))


def test_where_the_arc_only_passes_a_kink_the_side_does_not_matter():
    arc = [univariate([0, 1])]
    assert along_arc(NEURON, arc, [(one,)], (-one,)).gradients == (((one,),),)
    assert along_arc(NEURON, [univariate([0, -1])], [(one,)], (one,)).gradients == (((),),)


def test_defects_of_a_wrong_gradient_are_seen():
    moved = along_arc(NEURON, [univariate([1, 1])], [(one,)], (one,))
    wrong = type(moved)(moved.values, (((),),), moved.velocity)
    assert wrong.chain_rule_defect(0) == (one,)
    assert wrong.risk_defect([one]) == (zero, Fraction(2))  # R = (1 - (1 + eps))^2 = eps^2


def test_delta_is_below_every_power_of_epsilon():
    jets = ArcJets()
    assert jets.sign(jets.epsilon**5 - jets.delta) == 1
    assert jets.sign(jets.delta - jets.delta * jets.epsilon) == 1
    assert jets.on_arc(jets.polynomial(univariate([1, 0, 2])) + jets.delta) == (1, 0, 2)


def test_an_arc_has_a_polynomial_for_each_parameter():
    with pytest.raises(ParameterError):
        along_arc(NEURON, [(one,), (one,)], [(one,)], (one,))
