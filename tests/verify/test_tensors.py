"""Instances made of arrays: their shape, their form as JSON, their neighbours."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.cases.tensor_pool import MANNERS, TensorPool
from verify.cases.tensors import CaseError, Tensors, tensor, tensors_from_json

POOL = TensorPool((("U", ("c", "b")), ("Y", ("b", "a"))), (("m", 1, 9),))
draws = st.builds(lambda seed: POOL.draw(Random(seed)), st.integers(0, 10**6))


@given(draws)
def test_json_goes_round(case):
    assert tensors_from_json(case.to_json()) == case


@given(draws)
def test_neighbours_are_well_formed_and_some_drop_an_index_everywhere(case):
    before = case.lengths
    for other in case.changes():
        after = other.lengths
        assert other.arrays.keys() == case.arrays.keys()
        assert other.whole("m") == other.number("m")
        changed = [axis for axis in before if before[axis] != after[axis]]
        assert len(changed) <= 1
        assert all(after[axis] == before[axis] - 1 for axis in changed)
    shorter = sum(other.lengths != before for other in case.changes())
    assert shorter == sum(length for length in before.values() if length > 1)


def test_an_index_goes_from_every_array_that_has_the_axis():
    case = Tensors({"U": tensor("cb", [[1, 2]]), "Y": tensor("ba", [[3, 4], [5, 6]])})
    second_row_gone = Tensors({"U": tensor("cb", [[1]]), "Y": tensor("ba", [[3, 4]])})
    assert second_row_gone in list(case.changes())


def test_a_repeated_axis_keeps_a_matrix_square():
    case = Tensors({"C": tensor("nn", [[1, 2], [3, 4]])})
    assert Tensors({"C": tensor("nn", [[4]])}) in list(case.changes())
    with pytest.raises(CaseError):
        Tensors({"C": tensor("nn", [[1, 2]])})


def test_larger_numbers_and_more_of_them_are_larger():
    ladder = [[["0"]], [["1"]], [["-1"]], [["3"]], [["1/2"]], [["0", "0"]]]
    sizes = [Tensors({"M": tensor("ab", rows)}).size() for rows in ladder]
    assert all(one < other for one, other in pairwise(sizes))


@pytest.mark.parametrize(
    ("axes", "entries", "integer"),
    [("ab", [[1], [1, 2]], False), ("ab", [1], False), ("a", [], False), ("", "1/2", True)],
)
def test_what_is_no_array_is_refused(axes, entries, integer):
    with pytest.raises(CaseError):
        tensor(axes, entries, integer=integer)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"format": "other", "arrays": {}},
        {"format": "tensors", "arrays": {}, "more": 1},
        {"format": "tensors", "arrays": {"M": {"axes": ["a"]}}},
    ],
)
def test_what_is_no_instance_is_refused(data):
    with pytest.raises(CaseError):
        tensors_from_json(data)


# the pool ------------------------------------------------------------------------------------
@given(st.sampled_from(sorted(MANNERS)), st.lists(st.integers(1, 4), max_size=3), st.integers())
def test_every_manner_fills_every_shape(manner, shape, seed):
    entries = MANNERS[manner](tuple(shape), Random(seed))
    count = 1
    for length in shape:
        count *= length
    assert len(entries) == count
    assert all(isinstance(entry, Fraction) for entry in entries)


def test_corners_are_drawn_too():
    random = Random(3)
    drawn = [POOL.draw(random) for _ in range(300)]
    assert {case.lengths["a"] for case in drawn} == {1, 2, 3, 4}
    assert {1, 9} <= {case.whole("m") for case in drawn}
    assert any(not any(case.arrays["U"].entries) for case in drawn)
    assert len({tuple(sorted(case.lengths.items())) for case in drawn}) > 50


def test_batches_share_their_shapes():
    random = Random(1)
    cases = [POOL.draw(random) for _ in range(80)]
    batches = list(Tensors.batches(cases))
    assert sorted(map(id, (c for batch in batches for c in batch))) == sorted(map(id, cases))
    assert all(len({str(c.lengths) for c in batch}) == 1 for batch in batches)


def test_unwieldy_numbers_are_tried_in_plain_ratios():
    """About 7 : 11, as a search may leave it."""
    case = Tensors({"a": tensor("n", [57799, 90112])})
    assert Tensors({"a": tensor("n", [7, 11])}) in list(case.changes())
    near = Tensors({"a": tensor("n", [Fraction(5984869, 4194304)])})
    assert Tensors({"a": tensor("n", [Fraction(10, 7)])}) in list(near.changes())


def test_small_arrays_are_told_by_their_entries():
    case = Tensors(
        {
            "v": tensor(("n",), [1, "-1/2"]),
            "A": tensor(("m", "n"), [[1, 2], [3, 4]]),
            "B": tensor(("m", "k"), [[0] * 4, [0] * 4]),
            "k": tensor((), 3, integer=True),
        }
    )
    assert case.described() == "v = (1, -1/2), A = ((1, 2), (3, 4)), B 2 x 4, k = 3"
