"""Sign patterns of rank one, by hand."""

from fractions import Fraction

import pytest

from graphs.normalised.finite_chains import closed_classes, extreme_laws
from graphs.normalised.laws import asymmetric, rademacher, three_points
from tests.graphs.normalised.entries import independent_entries
from tests.graphs.normalised.sign_chains import sign_chain

F = Fraction
LAWS = [rademacher(), three_points(2), asymmetric()]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
@pytest.mark.parametrize("d", [2, 3])
def test_small_strengths_keep_every_rank_one_state(law, d):
    gamma = 1 / (law.bound * d + 1)
    rows = independent_entries(law, d)
    for of_moments, count in ((True, 2 ** (d - 1)), (False, 2**d)):
        chain = sign_chain(d, rows, gamma, of_moments=of_moments)
        assert chain.is_defined
        assert len(chain.states) == count
        assert all(row[k] == 1 for k, row in enumerate(chain.transition))
        assert len(closed_classes(chain)) == count


def test_the_moved_chain_by_hand():
    # d = 2, W-R, gamma = 3/2: u_i + (3/2)(a u) has a u in {2, 0, -2} with masses 1/4, 1/2, 1/4, so
    # u_i turns with probability 1/4, each by itself; M_12 turns with 2 (1/4)(3/4) = 3/8
    chain = sign_chain(2, independent_entries(rademacher(), 2), F(3, 2))
    assert chain.states == ((1, 1), (1, -1))
    assert chain.transition == ((F(5, 8), F(3, 8)), (F(3, 8), F(5, 8)))
    (law,) = extreme_laws(chain)
    assert law == (F(1, 2), F(1, 2))


def test_the_states_u_and_minus_u():
    chain = sign_chain(2, independent_entries(rademacher(), 2), F(3, 2), of_moments=False)
    assert len(chain.states) == 4
    assert chain.transition[0] == (F(9, 16), F(3, 16), F(3, 16), F(1, 16))
    assert extreme_laws(chain) == [(F(1, 4),) * 4]


def test_zero_rows_are_recorded():
    # gamma = 1/2: 1 + (1/2)(-2) = 0 with probability 1/4 in each row
    chain = sign_chain(2, independent_entries(rademacher(), 2), F(1, 2))
    assert not chain.is_defined
    assert chain.lost == (F(7, 16), F(7, 16))
    assert closed_classes(chain) == []
