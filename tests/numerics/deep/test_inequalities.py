import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.deep import PlainNetwork, plain_slacks, resolved
from numerics.deep.balance import balanced
from numerics.deep.inequalities import INEQUALITIES, all_slacks, look, schatten
from numerics.deep.networks import DeepNetworks
from numerics.deep.representations import linear_representation
from tests.numerics.deep.drawn import drawn_networks

PROVED = [  # those that a proof covers; thm6.total and the factor 2 of Proposition 9 are not
    "schatten",
    "prop13.schatten.right",
    "prop13.schatten.left",
    "prop13.four.costs",
    "prop13.four.masks",
    "thm6.lower",
    "thm10.lip.quotient",
    "thm10.lip.lower",
    "thm10.lip.upper",
]
LONGER = st.lists(st.integers(1, 5), min_size=3, max_size=12)


@settings(max_examples=60)
@given(drawn_networks(widths=LONGER))
def test_what_is_proved_holds(case):
    networks, points = case
    slacks = all_slacks(networks, points)
    size = 1 + networks.squared_norms().sum(dim=1)[:, None]
    for name in PROVED:
        known = slacks[name].nan_to_num(nan=0.0)
        assert bool((known >= -1e-9 * size).all()), name


@settings(max_examples=40)
@given(drawn_networks(widths=LONGER), st.booleans())
def test_slacks_are_those_of_the_plain_way(case, even):
    networks, points = case
    networks = balanced(networks).networks if even else networks
    found = all_slacks(networks, points, balanced=even)
    for c in range(networks.count):
        wanted, clear, jacobians = plain_slacks(PlainNetwork(networks, c), points[c], even)
        if not (clear and resolved(jacobians)):
            continue
        for name, slack in wanted.items():
            mine, theirs = found[name][c].numpy(), np.atleast_1d(slack.numpy())
            both = np.isfinite(mine) & np.isfinite(theirs)
            assert mine[both] == pytest.approx(theirs[both], rel=1e-6, abs=1e-6), name


@given(drawn_networks(widths=LONGER))
def test_a_batch_is_its_networks(case):
    networks, points = case
    whole = all_slacks(networks, points)
    for c in range(networks.count):
        alone = all_slacks(networks.at([c]), points[c : c + 1])
        for name in INEQUALITIES:
            torch.testing.assert_close(
                alone[name], whole[name][c : c + 1], equal_nan=True, rtol=1e-7, atol=1e-7
            )


def test_the_cost_of_a_linear_map_is_attained():
    matrix = torch.diag(torch.tensor([8.0, 1.0, 0.125])).double()[None]
    networks = linear_representation(matrix, [3, 4])
    found = schatten(look(networks, torch.randn(2, 3).double()))
    assert found.item() == pytest.approx(0, abs=1e-12)


def test_the_factor_2_of_the_mixed_derivative_fails_for_one_layer():
    # L = 1: Theta(x, y) = <x, y> + 1, so the derivative is 1 while 2 L |W|^0 = 2
    one = torch.ones(1, 1, 1).double()
    networks = DeepNetworks((one,), (one[:, :, 0],), torch.zeros(1).double())
    slacks = all_slacks(networks, torch.ones(2, 1))
    assert slacks["prop9.1"].item() == pytest.approx(-1)
    assert slacks["prop9.1 with factor 1"].item() == pytest.approx(0)


def test_statements_about_relu_do_not_speak_of_other_slopes():
    ones = torch.ones(2, 1, 1).double()
    slopes = torch.tensor([0.0, 0.5]).double()
    networks = DeepNetworks((ones, ones), (ones[:, :, 0],) * 2, slopes)
    slacks = all_slacks(networks, torch.ones(2, 1))
    for name in PROVED[1:5]:
        assert torch.isnan(slacks[name][:, 0]).tolist() == [False, True], name
