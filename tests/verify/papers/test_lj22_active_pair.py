"""The proof of Lemma 4 by hand: one neuron active and one inactive."""

from fractions import Fraction
from random import Random

from hypothesis import assume, given, settings

from graphs.activations import LINEAR, RELU
from tests.verify.drawn_cases import case_of, drawn_cases, kinked, net_of, value_of, values_of
from verify.papers.lj22.active_pair import CLAIMS, one_active
from verify.papers.registry import find
from verify.search.drawing import repair

FORK = net_of("x>u x>v u>o v>o", {"u": RELU, "v": RELU})
PAIR = {"pair": ["u", "v"]}
# u on, v off, kappa = 1, x = 1: velocities xu -5, uo -2, the others 0
CASE = case_of(FORK, {"x>u": 2, "x>v": -3, "u>o": 5, "v>o": 7}, [([1], 1, 1)])
# the in-weight of v is -10 times that of u, the out-weight of u 10 times that of v
APART = case_of(FORK, {"x>u": 1, "x>v": -10, "u>o": 10, "v>o": 1}, [(["1/2"], 1, 1)])


def test_the_products_by_hand():
    # (65): d/dt w_xu w_xv = 15, w_xv w_uo = -15; (67): d/dt w_uo w_vo = -14, w_xu w_vo = 14
    assert value_of(find("lj22.lemma4-65@B"), CASE, **PAIR) == 0
    assert value_of(find("lj22.lemma4-67.67@B"), CASE, **PAIR) == 0
    assert value_of(find("lj22.lemma4-67.unequal"), CASE, at=[]) == 1


def test_the_comparison_by_hand():
    # (65) = 1/2 (-10)(10) and (67) = 1/2: 50 - 10 / 2
    assert value_of(find("lj22.lemma4-67.compare@A"), APART, at=["u", "v", 10]) == 45
    other = APART.with_weights([Fraction(w) for w in (10, -1, 1, 10)])
    assert values_of(find("lj22.lemma4-67.compare@A"), other) == []


def test_the_rule_for_paths():
    rule = find("lj22.lemma4-65.rule")
    for name in "uv":
        assert value_of(rule, CASE, path=["x", name, "o"], example=0) == 0


@settings(max_examples=20)
@given(drawn_cases(zero=False))
def test_what_holds(case):
    case = one_active(case, Random(0))
    assume(not kinked(case))
    for name in ("65@B", "67.67@B", "65.rule"):
        assert set(values_of(find(f"lj22.lemma4-{name}"), case)) <= {0}
    random = Random(0)
    claim = find("lj22.lemma4-67.compare@A")
    assert all(value >= 0 for value in values_of(claim, repair(claim, case, random)))


def test_what_is_outside():
    both_on = CASE.with_weights([Fraction(w) for w in (2, 3, 5, 7)])
    linear = case_of(
        net_of("x>u x>v u>o v>o", {"u": RELU, "v": LINEAR}),
        {"x>u": 2, "x>v": -3, "u>o": 5, "v>o": 7},
        [([1], 1, 1)],
    )
    for claim in CLAIMS:
        if "rule" not in claim.id:
            for case in (both_on, linear):
                assert not any(values_of(claim, case)), claim.id


def test_the_names_are_those_for_which_the_first_is_active():
    turned = CASE.with_weights([Fraction(w) for w in (-2, 3, 5, 7)])
    assert value_of(find("lj22.lemma4-65@B"), turned, pair=["v", "u"]) == 0
    assert len(values_of(find("lj22.lemma4-65@B"), turned)) == 1
