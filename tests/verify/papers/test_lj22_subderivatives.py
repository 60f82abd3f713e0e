"""Lemma 8 and its symmetry step by hand."""

from fractions import Fraction

from hypothesis import assume, given, settings

from graphs.activations import RELU
from tests.verify.drawn_cases import case_of, drawn_cases, kinked, net_of, seen, value_of, values_of
from verify.papers.lj22.subderivatives import CLAIMS
from verify.registry import find

FORK = net_of("x>u x>v u>o v>o", {"u": RELU, "v": RELU})
TWO = net_of("x1>u x2>u x1>v u>o v>o", {"u": RELU, "v": RELU})
PATHS = {"paths": [["x", "u", "o"], ["x", "v", "o"]], "example": 0}
TREES = ("A1", "A2")


def lemma8(reading):
    return find(f"lj22.lemma8@{reading}")


def test_signs_matter_to_the_tree_of_lemma_5_alone():
    case = case_of(FORK, {"x>u": 1, "x>v": 1, "u>o": 1, "v>o": -1}, [([1], 1, 1)])
    # mu = relu(a) + relu(b) ... with signs: derivatives 1 and 1 by A1, 1 and -1 by A2
    assert value_of(lemma8("A1B1"), case, **PATHS) == 0
    assert value_of(lemma8("A2B1"), case, **PATHS) == 2
    assert values_of(lemma8("A2B1.fix"), case) == []
    assert value_of(lemma8("A1B1.fix"), case, **PATHS) == 0


def test_a_kink_counts_as_active_but_has_an_interval():
    # z_u = 1 - 1 = 0 and z_v = 1: both have activation 1, and [0, 1] against {1}
    weights = {"x1>u": 1, "x2>u": -1, "x1>v": 1, "u>o": 1, "v>o": 1}
    case = case_of(TWO, weights, [(["3/5", "3/5"], 1, 1)])
    entry = {"paths": [["x1", "u", "o"], ["x1", "v", "o"]], "example": 0}
    for reading in ("A1B1", "A2B1"):
        assert value_of(lemma8(reading), case, **entry) == 1
        assert values_of(lemma8(f"{reading}.fix"), case) == []
    # the two paths through u have the same interval; by A2 they differ in sign
    through_u = {"paths": [["x1", "u", "o"], ["x2", "u", "o"]], "example": 0}
    assert value_of(lemma8("A1B1"), case, **through_u) == 0


def test_two_kinks_at_once():
    # o = relu(relu(a) + relu(b)) at a = b = 0: both intervals are [0, 1]
    net = net_of("x1>u x2>v u>o v>o", {"u": RELU, "v": RELU, "o": RELU})
    weights = dict.fromkeys(("x1>u", "x2>v", "u>o", "v>o"), 1)
    case = case_of(net, weights, [([0, 0], 1, 1)])
    entry = {"paths": [["x1", "u", "o"], ["x2", "v", "o"]], "example": 0}
    assert value_of(lemma8("A1B1"), case, **entry) == 0


def test_patterns_must_agree_on_every_example():
    case = case_of(FORK, {"x>u": 1, "x>v": -1, "u>o": 1, "v>o": 1}, [([0], 1, 1), ([1], 1, 2)])
    assert values_of(lemma8("A1B1"), case) == []  # z = 0 twice, then 1 and -1


def test_the_symmetry_step_by_hand():
    # v has one more input: relu(a) + relu(b + c) with a = 1/5, b = 1/2, c = -2/5 frozen
    net = net_of("x1>u x2>v x3>v u>o v>o", {"u": RELU, "v": RELU})
    weights = {"x1>u": 1, "x2>v": 1, "x3>v": -1, "u>o": 1, "v>o": 1}
    case = case_of(net, weights, [(["1/5", "1/2", "2/5"], 1, 1)])
    entry = {"paths": [["x1", "u", "o"], ["x2", "v", "o"]], "example": 0}
    # swapped v = relu(1/5 - 2/5): the patterns differ there
    for name in ("BA2", "BA2.fix"):
        [admitted] = [
            admitted
            for label, _, admitted in seen(find(f"lj22.lemma8-sym@{name}"), case)
            if label == entry
        ]
        assert not admitted


def test_two_inputs_of_opposite_signs_and_no_symmetry():
    # mu'(a, b) = relu(a) - relu(b) with a = 1/2, b = 1/4
    case = case_of(
        net_of("x1>u x2>v u>o v>o", {"u": RELU, "v": RELU}),
        {"x1>u": 1, "x2>v": 1, "u>o": 1, "v>o": -1},
        [(["1/2", "1/4"], 1, 1)],
    )
    entry = {"paths": [["x1", "u", "o"], ["x2", "v", "o"]], "example": 0}
    assert value_of(find("lj22.lemma8-sym@BA2"), case, **entry) == Fraction(1, 2)
    assert values_of(find("lj22.lemma8-sym@BA2.fix"), case) == []
    positive = case.with_weights([abs(w) for w in case.weights])
    assert value_of(find("lj22.lemma8-sym@BA2.fix"), positive, **entry) == 0


@settings(max_examples=25)
@given(drawn_cases(zero=False))
def test_what_holds(case):
    for claim in CLAIMS:
        if claim.repairs and not (kinked(case) and "sym" not in claim.id):
            assert set(values_of(claim, case)) <= {0}, claim.id


@settings(max_examples=25)
@given(drawn_cases(zero=False))
def test_distances_of_trees_of_one_sign_agree(case):
    """With positive weights the two trees are the same."""
    positive = case.with_weights([abs(w) for w in case.weights])
    assume(all(positive.weights))
    one, two = (values_of(lemma8(f"{tree}B1"), positive) for tree in TREES)
    assert one == two


def test_zero_weights_are_outside():
    case = case_of(FORK, {"x>u": 0, "x>v": 1, "u>o": 1, "v>o": 1}, [([1], 1, 1)])
    for claim in CLAIMS:
        assert values_of(claim, case) == []
