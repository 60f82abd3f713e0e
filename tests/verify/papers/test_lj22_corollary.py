"""Corollary 1 at a time: where every example is classified correctly the norm grows."""

from fractions import Fraction

import pytest

from graphs.activations import RELU
from tests.verify.drawn_cases import case_of, net_of, value_of, values_of
from verify.checker import check
from verify.papers.registry import find

GROWS = find("lj22.cor1-div.fix")
NET = net_of("x>h h>o", {"h": RELU})


def with_weights(first, second, label=1, slope=-1):
    return case_of(NET, {"x>h": first, "h>o": second}, [([1], label, slope)])


@pytest.mark.parametrize(("slope", "rate"), [(-1, 24), (Fraction(-1, 2), 12)])
def test_the_norm_grows(slope, rate):
    # nu = 2 * 3 x at x = 1: d/dt (a^2 + b^2) is 2 (2 * 3 + 3 * 2) times -l'
    case = with_weights(2, 3, slope=slope)
    assert value_of(GROWS, case, at=[]) == rate
    assert "is true there" in check(GROWS.terms.certificate("counterexample", case, [])).message


@pytest.mark.parametrize(
    "case", [with_weights(2, 3, label=-1), with_weights(2, 3, slope=1), with_weights(-2, 3)]
)
def test_nothing_is_said_where_a_margin_or_minus_the_slope_is_not_positive(case):
    assert values_of(GROWS, case) == []
    outcome = check(GROWS.terms.certificate("counterexample", case, []))
    assert outcome.code == 1
    assert "'margins positive' is not met" in outcome.message
