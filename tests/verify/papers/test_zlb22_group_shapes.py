"""Changes of groups by hand: what is inserted or left out moves all numbers after it."""

from dataclasses import replace
from fractions import Fraction

import pytest

from verify.papers.zlb22.group_shapes import Shape
from verify.papers.zlb22.profile import profile
from verify.papers.zlb22.profile_hypotheses import WITH_SKIPS
from verify.papers.zlb22.profile_networks import wiring_of_profile
from verify.statements.stated import true_of

CHAIN = Shape(((), (0,), (1,)), (0, 1, 0))
TAKING = Shape(  # group 3 takes from group 2, group 4 from group 1
    ((), (0,), (1,), (2,), (3,), (4,)), (0, 1, 1, 1, 1, 0), (None, None, None, 2, 1, None)
)


@pytest.mark.parametrize(
    ("place", "parents", "expected"),
    [
        (1, (0,), ((), (0,), (0,), (2,))),
        (2, (0, 1), ((), (0,), (0, 1), (1,))),
    ],
)
def test_a_group_that_is_inserted_moves_those_after_it(place, parents, expected):
    found = CHAIN.inserted(place, 2, parents)
    assert found.parents == expected
    assert found.sizes == (*CHAIN.sizes[:place], 2, *CHAIN.sizes[place:])


def test_an_inserted_group_moves_skips_too():
    found = TAKING.inserted(2, 0, (1,))
    assert found.skips == (None, None, None, None, 3, 1, None)


@pytest.mark.parametrize(
    ("left_out", "parents", "skips"),
    [
        (1, ((), (0,), (1,), (2,), (3,)), (None, None, 1, None, None)),  # 4 took from it
        (2, ((), (0,), (1,), (2,), (3,)), (None, None, None, 1, None)),  # 3 took from it
        (3, ((), (0,), (1,), (2,), (3,)), (None, None, None, 1, None)),
    ],
)
def test_a_group_that_is_left_out_moves_parents_and_skips(left_out, parents, skips):
    found = TAKING.contracted(left_out)
    assert found.parents == parents
    assert found.skips == skips


def test_skips_come_from_one_group_alone():
    case = profile(TAKING)
    met = true_of(WITH_SKIPS.holds)
    assert met(case)
    taken = case.arrays["S"]
    entries = list(taken.entries)
    entries[3 * TAKING.count + 1] = Fraction(1)  # group 3 takes from 1 and from 2
    assert not met(case.changing(S=replace(taken, entries=tuple(entries))))


def test_sizes_that_are_no_whole_powers_are_rounded_up():
    """10^(1/2) is 3.16, 10^(3/2) is 31.6, and 9^(1/2) is 3."""
    half = Fraction(1, 2)
    sizes = Shape(((), (0,), (1,), (2,)), (0, 1, 3, 0))
    assert wiring_of_profile(sizes, 10, unit=half).architecture.widths == (1, 4, 32, 1)
    assert wiring_of_profile(sizes, 9, unit=half).architecture.widths == (1, 3, 27, 1)
