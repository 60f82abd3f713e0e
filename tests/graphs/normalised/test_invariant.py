"""Finite chains: sign patterns of rank one by hand, rational states, kernels and classes."""

from fractions import Fraction

import pytest

from graphs.normalised.expectations import independent_entries, weight_matrices
from graphs.normalised.finite_chains import (
    closed_classes,
    defect,
    extreme_laws,
    mean_moments,
    stationary_space,
)
from graphs.normalised.invariant import (
    IrrationalStateError,
    TooManyStatesError,
    correlation_steps,
    law_after,
    next_layers,
    reachable_chain,
    sign_chain,
)
from graphs.normalised.laws import asymmetric, rademacher, three_points

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
        assert len(stationary_space(chain)) == len(closed_classes(chain)) == count


def test_the_moved_chain_by_hand():
    # d = 2, W-R, gamma = 3/2: u_i + (3/2)(a u) has a u in {2, 0, -2} with masses 1/4, 1/2, 1/4, so
    # u_i turns with probability 1/4, each by itself; M_12 turns with 2 (1/4)(3/4) = 3/8
    chain = sign_chain(2, independent_entries(rademacher(), 2), F(3, 2))
    assert chain.states == ((1, 1), (1, -1))
    assert chain.transition == ((F(5, 8), F(3, 8)), (F(3, 8), F(5, 8)))
    (law,) = extreme_laws(chain)
    assert law == (F(1, 2), F(1, 2))
    assert mean_moments(chain, law) == [[1, 0], [0, 1]]
    assert defect(chain, law) == 0
    assert defect(chain, (F(1), F(0))) == F(3, 8)


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
    assert stationary_space(chain) == []


def test_an_asymmetric_law_need_not_have_mean_zero_entries():
    law = extreme_laws(sign_chain(2, independent_entries(asymmetric(), 2), F(3, 2)))[0]
    chain = sign_chain(2, independent_entries(asymmetric(), 2), F(3, 2))
    assert defect(chain, law) == 0
    assert mean_moments(chain, law)[0][1] != 0


@pytest.mark.parametrize("gamma", [F(1, 9), F(3, 2), F(1, 2)])
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_sign_patterns_are_the_steps_on_moments(law, gamma):
    rows = independent_entries(law, 2)
    chain = sign_chain(2, rows, gamma)
    starts = [[[1, u[1]], [u[1], 1]] for u in chain.states]
    whole = reachable_chain(starts, list(weight_matrices(rows, 2)), gamma)
    assert len(whole.states) == 2
    assert (whole.transition, whole.lost) == (chain.transition, chain.lost)


def test_a_state_of_full_rank_goes_to_rank_one_or_stays_at_infinite_strength():
    # rows of W are (+-1, +-1): equal up to sign, M_12 = +-1, or orthogonal, x^T M y = 1 - 1 = 0
    matrices = list(weight_matrices(independent_entries(rademacher(), 2), 2))
    chain = reachable_chain([[[1, F(1, 2)], [F(1, 2), 1]]], matrices, None)
    assert len(chain.states) == 4
    by_state = {state[0][1]: k for k, state in enumerate(chain.states)}
    line = chain.transition[by_state[F(1, 2)]]
    assert [line[by_state[F(m)]] for m in (0, 1, -1)] == [F(1, 2), F(1, 4), F(1, 4)]
    assert chain.lost[by_state[F(1)]] == F(3, 4)


def test_other_states_leave_the_rationals():
    matrices = list(weight_matrices(independent_entries(rademacher(), 2), 2))
    with pytest.raises(IrrationalStateError, match="W ="):
        reachable_chain([[[1, 0], [0, 1]]], matrices, 1)


def test_squares_of_the_correlation_by_hand():
    # M = I, gamma = 1: cosines 4/5, -4/5, 0 of (2, s)(t, 2), 2t/sqrt 5 of (2, s)(t, 0), and so on
    every = list(weight_matrices(independent_entries(rademacher(), 2), 2))
    found = correlation_steps(0, every, 1)
    side, middle = F(1, 16), F(3, 8)
    assert found == {
        F(16, 25): side,
        F(-16, 25): side,
        F(0): middle,
        F(4, 5): F(1, 4),
        F(-4, 5): F(1, 4),
    }
    assert sum(correlation_steps(1, every, F(1, 2)).values()) == F(9, 16)


def test_a_permutation_keeps_a_finite_set():
    swap = [([[0, 1], [-1, 0]], F(1))]
    chain = reachable_chain([[[1, F(1, 3)], [F(1, 3), 1]]], swap, None)
    assert [state[0][1] for state in chain.states] == [F(1, 3), F(-1, 3)]
    assert extreme_laws(chain) == [(F(1, 2), F(1, 2))]


@pytest.mark.parametrize("direction", [(1, 1), (1, -1), (F(7, 5), F(-1, 5))])
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_each_direction_carries_its_own_rank_one_states(law, direction):
    gamma, rows = F(3, 2), independent_entries(law, 2)
    matrices = list(weight_matrices(rows, 2))
    start = [list(direction), list(direction)]
    chain = reachable_chain([start], matrices, gamma, follow=next_layers)
    signs = sign_chain(2, rows, gamma, of_moments=False)
    place = {
        tuple(tuple(F(u * x) for x in direction) for u in s): k for k, s in enumerate(signs.states)
    }
    assert set(chain.states) == set(place)
    order = [place[state] for state in chain.states]
    assert all(
        chain.transition[a][b] == signs.transition[order[a]][order[b]]
        for a in range(4)
        for b in range(4)
    )
    (stationary,) = extreme_laws(chain)
    invariant = dict(zip(chain.states, stationary, strict=True))
    assert law_after(invariant, matrices, gamma, next_layers) == (invariant, 0)
    one = {chain.states[0]: F(1)}
    assert law_after(one, matrices, gamma, next_layers) != (one, 0)


def test_layers_that_leave_the_rationals_and_zero_rows():
    matrices = list(weight_matrices(independent_entries(rademacher(), 2), 2))
    with pytest.raises(IrrationalStateError, match="no square"):
        reachable_chain([[[1, 1], [1, -1]]], matrices, F(1, 3), follow=next_layers)
    chain = reachable_chain([[[1], [1]]], matrices, F(1, 2), follow=next_layers)
    assert set(chain.lost) == {F(7, 16)}


def test_more_states_than_the_limit_are_told():
    swap = [([[0, 1], [-1, 0]], F(1))]
    with pytest.raises(TooManyStatesError, match="more than 1"):
        reachable_chain([[[1, F(1, 3)], [F(1, 3), 1]]], swap, None, limit=1)
