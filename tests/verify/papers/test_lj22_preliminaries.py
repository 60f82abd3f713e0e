"""Section 2 by hand: the two arguments of the loss, the matrices, trees."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings

from graphs.activations import LINEAR, RELU, leaky_relu
from graphs.families import fully_connected
from tests.verify.drawn_cases import case_of, drawn_cases, net_of, nu, seen, value_of, values_of
from tests.verify.language.values import worth
from verify.cases.case import Case
from verify.papers.lj22.preliminaries import (
    FULLY_CONNECTED,
    LINEAR_EVERYWHERE,
    is_tree_network,
)
from verify.papers.registry import find

RISK, LINEAR_RISK, MATRICES = map(find, ("lj22.risk", "lj22.risk.fix", "lj22.def2"))


def chain(activation, y):
    net = net_of("x>h h>o", {"h": activation})
    return case_of(net, {"x>h": 1, "h>o": 1}, [(["1/2"], y, 1)])


@pytest.mark.parametrize(
    ("activation", "y", "expected"),
    [
        (RELU, 1, 0),
        # nu(1/2) = 1/2, times y = -1: -1/2; nu(-1/2) = 0
        (RELU, -1, Fraction(-1, 2)),
        # nu(-1/2) = -1/8: -1/2 + 1/8
        (leaky_relu("1/4"), -1, Fraction(-3, 8)),
        (LINEAR, -1, 0),
    ],
)
def test_the_arguments_of_the_loss(activation, y, expected):
    assert value_of(RISK, chain(activation, y), example=0) == expected


@settings(max_examples=30)
@given(drawn_cases())
def test_the_residual_is_y_nu_of_x_minus_nu_of_y_x(case):
    flipped = tuple(
        tuple(y * value for value in row) for row, y in zip(case.inputs, case.labels, strict=True)
    )
    other = replace(case, inputs=flipped)
    expected = [case.labels[j] * nu(case, j) - nu(other, j) for j in range(case.example_count)]
    assert values_of(RISK, case) == expected


def test_labels_and_linearity_are_asked_for():
    half = replace(chain(RELU, 1), labels=(Fraction(1, 2),))
    assert values_of(RISK, half) == []
    assert values_of(LINEAR_RISK, chain(RELU, -1)) == []
    assert values_of(LINEAR_RISK, chain(LINEAR, -1)) == [0]


# matrices -----------------------------------------------------------------------------------
def test_the_matrices_give_the_preactivations():
    net = fully_connected([2, 2, 1], RELU)
    weights = tuple(Fraction(k) for k in (1, -2, 3, 4, 5, 6))
    case = Case(net, weights, ((Fraction(3, 5), Fraction(4, 5)),), (Fraction(1),), slopes=(1,))
    rows = seen(MATRICES, case)
    assert [label["at"] for label, _, _ in rows] == [[1, 1], [2, 1]]  # the layer, the example
    assert all(admitted and value == 0 for _, value, admitted in rows)


def test_what_is_not_fully_connected_is_outside():
    skip = net_of("x>h h>o x>o", {"h": RELU})
    case = case_of(skip, {"x>h": 1, "h>o": 2, "x>o": 3}, [(["1/2"], 1, 1)])
    assert values_of(MATRICES, case) == []
    # and there the matrices do not give them: o has 2 * 1/2 from h, and 3 * 1/2 by the skip edge
    assert {label["at"][0]: value for label, value, _ in seen(MATRICES, case)} == {
        1: 0,
        2: Fraction(9, 4),
    }
    missing = net_of("x1>u x1>v x2>v u>o v>o")
    weights = dict.fromkeys(("x1>u", "x1>v", "x2>v", "u>o", "v>o"), 1)
    assert values_of(MATRICES, case_of(missing, weights, [([0, 1], 1, 1)])) == []


@pytest.mark.parametrize(
    ("edges", "full"), [("x>h h>o", True), ("x>u x>v u>o v>o", True), ("x>h h>o x>o", False)]
)
def test_fully_connected_and_linear_in_terms(edges, full):
    for activation in (LINEAR, RELU):
        case = case_of(
            net_of(edges, {"o": activation}), dict.fromkeys(edges.split(), 1), [([1], 1, 1)]
        )
        assert worth(FULLY_CONNECTED.holds, case) is full
        assert worth(LINEAR_EVERYWHERE.holds, case) is (activation == LINEAR)


# trees --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ("x>o", True),
        ("x>h h>o", True),
        ("x1>h x2>h h>o x3>o", True),
        ("x>u x>v u>o v>o", False),
        ("x>h h>o x>o", False),
    ],
)
def test_tree_networks(edges, expected):
    assert is_tree_network(net_of(edges)) is expected
