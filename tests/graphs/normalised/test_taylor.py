"""The Taylor remainder of (66) in the entries of Delta M, and its bound over the cube."""

from fractions import Fraction
from itertools import product

import pytest

from graphs.normalised.taylor import taylor_constant, taylor_polynomial, taylor_remainder

F = Fraction


def test_two_rows_by_hand():
    # W = [[0, 1], [0, 0]], m = 1/2, gamma = 1/4: dM_ii = 2 gamma m + gamma^2 = 5/16, dM_ij = 1/4
    m, a, b = F(1, 2), F(5, 16), F(1, 4)
    expected = m**2 - m**2 * a + 2 * m * b + (m**2 * a**2 + b**2 - 2 * m * a * b)
    moments, weights = [[1, m], [m, 1]], [[0, 1], [0, 0]]
    assert taylor_polynomial(moments, weights, F(1, 4), 0, 1) == expected
    exact = (m + b) ** 2 / (1 + a)
    assert taylor_remainder(moments, weights, F(1, 4), 0, 1) == exact - expected


@pytest.mark.parametrize("m", [F(-1, 2), F(0), F(3, 5), F(1)])
@pytest.mark.parametrize("bound", [F(1), F(2)])
def test_the_remainder_at_all_corners_is_below_the_bound(m, bound):
    moments = [[1, m], [m, 1]]
    for reach in (F(1, 4), F(1, 3)):
        gamma = reach / (2 * bound)
        for w in product((-bound, bound), repeat=4):
            rest = taylor_remainder(moments, [w[:2], w[2:]], gamma, 0, 1)
            assert abs(rest) <= taylor_constant(reach) * reach**3
    assert taylor_remainder(moments, [[bound] * 2, [-bound] * 2], gamma, 0, 1) != 0


def test_the_order_is_the_third():
    moments, weights = [[1, F(1, 3)], [F(1, 3), 1]], [[1, -1], [1, 1]]
    rest = [taylor_remainder(moments, weights, F(1, 2**k), 0, 1) for k in (10, 11)]
    assert 7 < rest[0] / rest[1] < 9


def test_no_weights_no_remainder():
    moments = [[1, F(1, 3)], [F(1, 3), 1]]
    assert taylor_remainder(moments, [[0, 0], [0, 0]], 1, 0, 1) == 0
    assert taylor_polynomial(moments, [[0, 0], [0, 0]], 1, 0, 1) == F(1, 9)


@pytest.mark.parametrize("reach", [F(0), F(1, 2)])
def test_a_reach_that_is_too_large_is_refused(reach):
    with pytest.raises(ValueError, match="reach"):
        taylor_constant(reach)
