"""Lemma 8 and its symmetry step by hand."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graphs.activations import RELU
from tests.verify.drawn_cases import case_of, drawn_cases, net_of, seen, values_of
from verify.cases.tensors import Tensor
from verify.papers.lj22.subderivatives import CLAIMS
from verify.papers.registry import find

FORK = net_of("x>u x>v u>o v>o", {"u": RELU, "v": RELU})
TWO = net_of("x1>u x2>u x1>v u>o v>o", {"u": RELU, "v": RELU})
TREES = ("A1", "A2")


def lemma8(reading):
    return find(f"lj22.lemma8@{reading}")


def symmetry(name):
    return find(f"lj22.lemma8-sym@{name}")


def by_words(claim, case):
    """The value of each admitted entry on the first example, by its two paths: of Lemma 8, that two
    intervals are the same, 0 where it is so and else 1."""
    found = {}
    for label, value, admitted in seen(claim, case):
        one, other, j = label["at"]
        if admitted and j == 1:
            found[word(case.network, one), word(case.network, other)] = abs(value)
    return found


def word(net, path):
    """A path as it is written, "x>u>o"."""
    return ">".join([net.names[net.tails[path[0]]], *(net.names[net.heads[e]] for e in path)])


def with_numbers(case, a, b):
    numbers = {"a": a, "b": b}
    return replace(case, arrays={k: Tensor((), (), (Fraction(v),)) for k, v in numbers.items()})


def test_signs_matter_to_the_tree_of_lemma_5_alone():
    case = case_of(FORK, {"x>u": 1, "x>v": 1, "u>o": 1, "v>o": -1}, [([1], 1, 1)])
    pair = ("x>u>o", "x>v>o")
    # mu = relu(a) + relu(b) ... with signs: derivatives 1 and 1 by A1, 1 and -1 by A2
    assert by_words(lemma8("A1B1"), case)[pair] == 0
    assert by_words(lemma8("A2B1"), case)[pair] == 1
    assert values_of(lemma8("A2B1.fix"), case) == []
    assert by_words(lemma8("A1B1.fix"), case)[pair] == 0


def test_a_kink_counts_as_active_but_has_an_interval():
    # z_u = 1 - 1 = 0 and z_v = 1: both have activation 1, and [0, 1] against {1}
    weights = {"x1>u": 1, "x2>u": -1, "x1>v": 1, "u>o": 1, "v>o": 1}
    case = case_of(TWO, weights, [(["3/5", "3/5"], 1, 1)])
    for reading in ("A1B1", "A2B1"):
        assert by_words(lemma8(reading), case)["x1>u>o", "x1>v>o"] == 1
        assert values_of(lemma8(f"{reading}.fix"), case) == []
    # the two paths through u have the same interval; by A2 they differ in sign
    assert by_words(lemma8("A1B1"), case)["x1>u>o", "x2>u>o"] == 0
    assert by_words(lemma8("A2B1"), case)["x1>u>o", "x2>u>o"] == 1


def test_two_kinks_at_once():
    # o = relu(relu(a) + relu(b)) at a = b = 0: both intervals are [0, 1]
    net = net_of("x1>u x2>v u>o v>o", {"u": RELU, "v": RELU, "o": RELU})
    weights = dict.fromkeys(("x1>u", "x2>v", "u>o", "v>o"), 1)
    case = case_of(net, weights, [([0, 0], 1, 1)])
    assert by_words(lemma8("A1B1"), case)["x1>u>o", "x2>v>o"] == 0
    # o = relu(relu(a) - relu(b)): b moves o only while a holds it up
    case = case_of(net, weights | {"v>o": -1}, [([0, 0], 1, 1)])
    assert by_words(lemma8("A1B1"), case)["x1>u>o", "x2>v>o"] == 0
    # o = relu(-relu(a) + c): without c it would not move
    net = net_of("x1>u u>o x2>v v>o", {"u": RELU, "o": RELU})
    case = case_of(net, weights | {"u>o": -1}, [([0, 0], 1, 1)])
    assert by_words(lemma8("A1B1"), case)["x1>u>o", "x2>v>o"] == 0


def test_patterns_must_agree_on_every_example():
    case = case_of(FORK, {"x>u": 1, "x>v": -1, "u>o": 1, "v>o": 1}, [([0], 1, 1), ([1], 1, 2)])
    assert values_of(lemma8("A1B1"), case) == []  # z = 0 twice, then 1 and -1


def test_paths_of_different_lengths_are_not_compared():
    case = case_of(net_of("x>h h>o x>o"), {"x>h": 1, "h>o": 1, "x>o": 1}, [([1], 1, 1)])
    assert values_of(lemma8("A1B1"), case) == []


def test_the_symmetry_step_by_hand():
    # v has one more input: relu(a) + relu(b + c) with a = 1/5, b = 1/2, c = -2/5 frozen
    net = net_of("x1>u x2>v x3>v u>o v>o", {"u": RELU, "v": RELU})
    weights = {"x1>u": 1, "x2>v": 1, "x3>v": -1, "u>o": 1, "v>o": 1}
    case = case_of(net, weights, [(["1/5", "1/2", "2/5"], 1, 1)])
    # swapped v = relu(1/5 - 2/5): the patterns differ there
    for name in ("BA2", "BA2.fix"):
        pairs = by_words(symmetry(name), with_numbers(case, "1/5", "1/2"))
        assert ("x1>u>o", "x2>v>o") not in pairs
        # with a = 3/5 they do not, and c = -2/5 lets 1/2 and 3/5 through: f = a + b - 2/5
        pairs = by_words(symmetry(name), with_numbers(case, "3/5", "1/2"))
        assert pairs["x1>u>o", "x2>v>o"] == 0


def test_two_inputs_of_opposite_signs_and_no_symmetry():
    # mu'(a, b) = relu(a) - relu(b) with a = 1/2, b = 1/4
    case = case_of(
        net_of("x1>u x2>v u>o v>o", {"u": RELU, "v": RELU}),
        {"x1>u": 1, "x2>v": 1, "u>o": 1, "v>o": -1},
        [(["1/2", "1/4"], 1, 1)],
    )
    pair = ("x1>u>o", "x2>v>o")
    case = with_numbers(case, "1/2", "1/4")
    assert by_words(symmetry("BA2"), case)[pair] == Fraction(1, 2)
    assert values_of(symmetry("BA2.fix"), case) == []
    positive = case.with_weights([abs(w) for w in case.weights])
    assert by_words(symmetry("BA2.fix"), positive)[pair] == 0
    # of the other signs than h'(x; w), (a, b) is no pair of the stable regime
    for a, b in (("-1/2", "-1/4"), ("1/2", "-1/4"), ("0", "1/4")):
        assert values_of(symmetry("BA2"), with_numbers(case, a, b)) == []


def test_a_swap_that_turns_both_neurons_off():
    # u = relu(a - c), v = relu(c' - b) with c = c' = 1/2: at (1, 1/4) both are on, at (1/4, 1) off
    net = net_of("x1>u x2>v x3>u x3>v u>o v>o", {"u": RELU, "v": RELU})
    weights = {"x1>u": 1, "x2>v": -1, "x3>u": -1, "x3>v": 1, "u>o": 1, "v>o": -1}
    case = with_numbers(case_of(net, weights, [(["1/2"] * 3, 1, 1)]), 1, "1/4")
    pair = ("x1>u>o", "x2>v>o")
    # the products 1 and 1 have one sign; f(a, b) = 1/2 - 1/4
    assert by_words(symmetry("BA2"), case)[pair] == Fraction(1, 4)
    assert pair not in by_words(symmetry("BA2.fix"), case)


@settings(max_examples=10)
@given(drawn_cases(zero=False), st.sampled_from((1, -1)))
def test_what_holds(case, sign):
    case = with_numbers(case, Fraction(sign, 2), Fraction(sign, 3))
    for claim in CLAIMS:
        if claim.repairs:
            assert set(values_of(claim, case)) <= {0}, claim.id


@settings(max_examples=25)
@given(drawn_cases(zero=False))
def test_distances_of_trees_of_one_sign_agree(case):
    """With positive weights the two trees are the same."""
    positive = case.with_weights([abs(w) for w in case.weights])
    assume(all(positive.weights))
    one, two = (values_of(lemma8(f"{tree}B1"), positive) for tree in TREES)
    assert one == two


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_zero_weights_are_outside(claim):
    case = case_of(FORK, {"x>u": 0, "x>v": 1, "u>o": 1, "v>o": 1}, [([1], 1, 1)])
    assert values_of(claim, with_numbers(case, 1, 1)) == []
