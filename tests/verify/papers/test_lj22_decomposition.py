"""Section 3 by hand: paths, the tree network, equations (1) to (3), the pull-back of a factor."""

from fractions import Fraction
from itertools import product as pairs

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graphs.activations import LINEAR, RELU, leaky_relu
from graphs.rationals import RATIONALS
from tests.graphs.gradients import gradient
from tests.verify.drawn_cases import (
    case_of,
    drawn_cases,
    edge_weights,
    kinked,
    naive_paths,
    net_of,
    nu,
    posts,
    pres,
    product,
    seen,
    value_of,
    values_of,
)
from verify.cases.tensors import Tensors, tensor
from verify.language.evaluation import Evaluation
from verify.papers.registry import find

(PATHS, TREE, SHAPE, EQ1A, EQ1B, EQ2, EQ3, EQ3_FIX, PULLBACK) = map(
    find,
    (
        "lj22.def4",
        "lj22.lemma1",
        "lj22.lemma1.shape",
        "lj22.eq1.a",
        "lj22.eq1.b",
        "lj22.eq2",
        "lj22.eq3",
        "lj22.eq3.fix",
        "lj22.pullback",
    ),
)
# x = -1/2, weights -2 and 3: z = 1, nu = 3.
CHAIN = case_of(net_of("x>h h>o", {"h": RELU}), {"x>h": -2, "h>o": 3}, [(["-1/2"], 1, 1)])
RELUS = {"activations": st.sampled_from([RELU, LINEAR])}


# the tree -----------------------------------------------------------------------------------
@settings(max_examples=20)
@given(drawn_cases())
def test_the_tree_has_the_value_of_the_network(case):
    assert values_of(TREE, case) == [0] * (2 * case.example_count)
    assert set(values_of(SHAPE, case)) == {0}


def test_biased_networks_are_outside():
    net = net_of("x>o b>o", constants={"b": 1})
    case = case_of(net, {"x>o": 1, "b>o": 1}, [([1], 1, 1)])
    for claim in (TREE, SHAPE, EQ1A, EQ1B, EQ3, EQ3_FIX):
        assert values_of(claim, case) == []


# equation (1) ---------------------------------------------------------------------------------
def test_equation_1_by_hand():
    # nu = 2 x: without x_p the sum is 2
    net = net_of("x>o")
    for x, expected in ((1, 0), ("1/2", -1), (0, -2)):
        case = case_of(net, {"x>o": 2}, [([x], 1, 1)])
        assert value_of(EQ1A, case, example=0) == expected
        assert value_of(EQ1B, case, example=0) == 0


def test_an_inactive_relu_closes_its_paths():
    # u inactive, v active: only x -> v -> o counts, nu = 5 * 2 * 1/2; printed without x: 10
    net = net_of("x>u x>v u>o v>o", {"u": RELU, "v": RELU})
    case = case_of(net, {"x>u": -1, "x>v": 2, "u>o": 3, "v>o": 5}, [(["1/2"], 1, 1)])
    assert value_of(EQ1A, case, example=0) == 5 - 10
    assert value_of(EQ1B, case, example=0) == 0


@settings(max_examples=20)
@given(drawn_cases(**RELUS))
def test_equation_1_against_its_definition(case):
    net = case.network
    weights = edge_weights(case)

    def total(j, with_input):
        row, z = posts(case)[j], pres(case)[j]
        return sum(
            (
                product([weights[e] for e in path]) * (row[start] if with_input else 1)
                for start, path in naive_paths(net)
                if all(
                    net.activations[net.heads[e]] == LINEAR or z[net.heads[e]] >= 0 for e in path
                )
            ),
            Fraction(0),
        )

    examples = range(case.example_count)
    assert values_of(EQ1A, case) == [nu(case, j) - total(j, with_input=False) for j in examples]
    assert values_of(EQ1B, case) == [nu(case, j) - total(j, with_input=True) for j in examples]
    assert set(values_of(EQ1B, case)) == {0}


def test_leaky_relu_is_outside_equation_1():
    net = net_of("x>h h>o", {"h": leaky_relu("1/2")})
    case = case_of(net, {"x>h": 1, "h>o": 1}, [(["-1/2"], 1, 1)])
    assert values_of(EQ1B, case) == []
    # by the printed rule Z_p is about ReLUs only: nu = -1/4, the open path has -1/2
    assert [value for _, value, _ in seen(EQ1B, case)] == [Fraction(1, 4)]


# equations (2) and (3) --------------------------------------------------------------------------
def test_equations_2_and_3_by_hand():
    # dnu/dw1 = 3 * x = -3/2, dnu/dw2 = post_h = 1; without x: 3 and -2
    for edge, derivative, printed in ((["x", "h"], Fraction(-3, 2), 3), (["h", "o"], 1, -2)):
        label = {"edge": edge, "example": 0}
        assert value_of(EQ2, CHAIN, **label) == 0
        assert value_of(EQ3, CHAIN, **label) == derivative - printed
        assert value_of(EQ3_FIX, CHAIN, **label) == 0


@settings(max_examples=20)
@given(drawn_cases(zero=False))
def test_equation_2_holds_where_the_network_is_differentiable(case):
    values = values_of(EQ2, case)
    assert set(values) <= {0}
    assert bool(values) is not kinked(case)


@settings(max_examples=20)
@given(drawn_cases(zero=False, **RELUS))
def test_equation_3_is_off_by_the_coordinate(case):
    """Its residual is the gradient minus the gradient of the same paths with all x_p = 1."""
    assume(not kinked(case))
    net, weights = case.network, edge_weights(case)
    for label, value, admitted in seen(EQ3, case):
        assert admitted
        e, j = label["at"][0], label["at"][1] - 1
        z = pres(case)[j]
        expected = sum(
            (
                product([weights[f] for f in path if f != e])
                for _, path in naive_paths(net)
                if e in path
                and all(
                    net.activations[net.heads[f]] == LINEAR or z[net.heads[f]] > 0 for f in path
                )
            ),
            Fraction(0),
        )
        exact = gradient(net, case.weights, case.inputs[j], at_kink="right")
        assert value == exact[net.parameter_of[e]] - expected
    assert set(values_of(EQ3_FIX, case)) == {0}


def test_kinks_and_zero_weights_are_outside():
    at_kink = CHAIN.with_weights([Fraction(0), Fraction(3)])
    zero = case_of(
        net_of("x>h h>o x>o", {"h": RELU}),
        {"x>h": 1, "h>o": 0, "x>o": 1},
        [(["1/2"], 1, 1)],
    )
    for claim in (EQ2, EQ3, EQ3_FIX):
        assert values_of(claim, at_kink) == []
        assert values_of(claim, zero) == []


# a factor through an activation -------------------------------------------------------------------
@pytest.mark.parametrize(("left", "right"), [(1, 1), (0, 1), (-1, 1), ("1/4", 1)])
def test_pulling_a_factor_through(left, right):
    numbers = ("-3", "-1/2", "0", "1/2", "2")
    for a, x in pairs(numbers, numbers):
        case = of_numbers(a=a, x=x, left=left, right=right)
        assert values_of(PULLBACK, case) == [0]
        [place] = PULLBACK.terms.places(Evaluation(type(case).scene([case], RATIONALS)))
        value = Fraction(a) * Fraction(x) * Fraction(left if Fraction(x) < 0 else right)
        assert place.sides(0) == {"left": str(value), "right": str(value)}


def of_numbers(**numbers):
    return Tensors({name: tensor((), Fraction(value)) for name, value in numbers.items()})


def test_paths_are_counted():
    net = net_of("x>u x>v u>o v>o x>o")
    case = case_of(net, dict.fromkeys(("x>u", "x>v", "u>o", "v>o", "x>o"), 1), [([1], 1, 1)])
    assert values_of(PATHS, case) == [0]
