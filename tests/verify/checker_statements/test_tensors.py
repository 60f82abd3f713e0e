"""Tensors: their unfoldings by hand and by the page's words, their rates, and what is no tensor."""

from itertools import product
from math import prod

import pytest

from tests.verify.checker_statements.statements import (
    MALFORMED,
    UNDEFINED,
    array,
    certificate,
    f,
    sort_of,
    v,
    value,
)
from verify.checker import ACCEPTED, DECLINED, REJECTED, budget, check
from verify.checker.matrices import Tensor
from verify.checker.sorts import MAT, NUM, tensor

T = f("T")
ENTRIES = [[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]  # two by three by two
ARRAY = array("tensor", ENTRIES, "a", "b", "c")
UNFOLDED = {
    1: [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]],
    2: [[1, 2, 7, 8], [3, 4, 9, 10], [5, 6, 11, 12]],
    3: [[1, 3, 5, 7, 9, 11], [2, 4, 6, 8, 10, 12]],
}
OTHER = [[[1, 0], [0, 0], [0, 0]], [[0, 0], [0, 0], [0, -1]]]
SPEED = array("tensor", OTHER, "a", "b", "c")
SHAPES = [(2, 3, 2), (1, 1, 1), (4, 1, 3), (2, 3, 4, 2), (3, 2, 1, 2, 2), (2, 1, 3, 2, 1, 2)]


@pytest.mark.parametrize("k", UNFOLDED)
def test_an_unfolding_by_hand(k):
    assert value(["unfold", T, k], T=ARRAY) == UNFOLDED[k]
    assert sort_of(["unfold", T, k], T=tensor(3)) == "mat"


@pytest.mark.parametrize("lengths", SHAPES, ids=str)
def test_the_rows_of_an_unfolding_are_those_of_the_page(lengths):
    """The i-th row: the entries whose k-th index is i, the last of the other indices fastest."""
    places = list(product(*map(range, lengths)))
    entries = [3 * number + 1 for number in range(prod(lengths))]
    made = Tensor(lengths, tuple(entries))
    for k, height in enumerate(lengths, 1):
        rows = [
            [entry for place, entry in zip(places, entries, strict=True) if place[k - 1] == i]
            for i in range(height)
        ]
        assert [list(row) for row in made.unfolded(k)] == rows


def test_a_tensor_of_six_axes_in_a_case():
    entries = [[[[[[1, 2, 3]], [[4, 5, 6]]]]]]  # only the last but two and the last are longer
    pair = array("tensor", entries, "a", "a", "a", "b", "a", "c")
    assert value(["unfold", T, 4], T=pair) == [[1, 2, 3], [4, 5, 6]]
    assert value(["unfold", T, 6], T=pair) == [[1, 4], [2, 5], [3, 6]]
    assert value(["unfold", T, 5], T=pair) == [[1, 2, 3, 4, 5, 6]]
    assert value(["unfold", T, 7], T=pair) == MALFORMED


def test_numbers_of_unfoldings():
    for k, (m, n) in enumerate([(2, 6), (3, 4), (2, 6)], 1):
        assert value(["list", ["rows", ["unfold", T, k]], ["cols", ["unfold", T, k]]], T=ARRAY) == (
            [m, n]
        )
        assert value(["frob2", ["unfold", T, k]], T=ARRAY) == 650
        assert value(["rank", ["unfold", T, k]], T=ARRAY) == 2
    contracted = ["matmul", ["unfold", T, 3], ["vector", 6, 1]]
    assert value(contracted, T=ARRAY) == [36, 42]


# rates --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (["unfold", T, 1], [[1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, -1]]),
        (["unfold", T, 2], [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, -1]]),
        (["unfold", T, 3], [[1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, -1]]),
        (["unfold", f("U"), 2], [[0] * 4] * 3),
        (["frob2", ["unfold", T, 2]], -22),
        (["mul", ["rows", ["unfold", T, 2]], ["entry", ["unfold", T, 2], 3, 4]], -3),
        (["let", ["unfold", T, 3], ["dot", ["row", v(0), 1], ["row", v(0), 2]]], 2 - 11),
        (["if", ["gt", ["norm", ["unfold", T, 1]], 1], ["entry", ["unfold", T, 1], 1, 1], 0], 1),
        (["rank", ["unfold", T, 1]], MALFORMED),
        (["norm", ["unfold", T, 1]], MALFORMED),
        (["rank", ["unfold", f("U"), 1]], 0),
        (T, MALFORMED),
    ],
    ids=str,
)
def test_a_rate_by_hand(term, expected):
    assert value(["rate", term], flow={"T": f("U")}, T=ARRAY, U=SPEED) == expected


def test_a_tensor_that_is_its_own_velocity():
    assert value(["rate", ["unfold", T, 2]], flow={"T": T}, T=ARRAY) == UNFOLDED[2]
    assert value(["rate", ["frob2", ["unfold", T, 2]]], flow={"T": T}, T=ARRAY) == 1300


def test_a_velocity_of_another_shape():
    """Of as many axes: then the tensor has no rate, as a matrix has none."""
    wide = array("tensor", [[[1, 2, 3]]], "d", "d", "e")
    assert value(["rate", ["unfold", T, 1]], flow={"T": f("U")}, T=ARRAY, U=wide) == UNDEFINED
    assert value(["unfold", T, 1], flow={"T": f("U")}, T=ARRAY, U=wide) == UNFOLDED[1]


FIVE = array("tensor", [[[[[1]]]]], "d", "d", "d", "d", "d")
VELOCITIES = {
    "a sum": (["add", T, T], "only a field is a tensor"),
    "a multiple": (["mul", 2, T], "only a field is a tensor"),
    "an unfolding": (["unfold", T, 1], "only a field is a tensor"),
    "a choice": (["if", True, T, T], "only a field is a tensor"),
    "a matrix": (f("A"), "the velocity of 'T' has the sort mat, not tensor of 3 axes"),
    "a number": (0, "only a field is a tensor"),
    "more axes": (f("V"), "has the sort tensor of 5 axes, not tensor of 3 axes"),
    "no field": (f("B"), "the domain has no field 'B'"),
    "no name": (["field"], "field has one argument"),
    "two names": (["field", "T", "T"], "field has one argument"),
    "a list": (f(["T"]), "the domain has no field"),
}


@pytest.mark.parametrize("name", VELOCITIES)
def test_what_is_no_velocity_of_a_tensor(name):
    velocity, message = VELOCITIES[name]
    arrays = {"T": ARRAY, "V": FIVE, "A": array("mat", [[1]], "d", "d")}
    says = ["eq", ["entry", ["unfold", T, 1], 1, 1], 0]
    found = check(certificate(says, [], ["1", "0"], flow={"T": velocity}, **arrays))
    assert found.code == REJECTED
    assert message in found.message
    assert check(certificate(says, [], ["1", "0"], flow={"T": T}, **arrays)).code == ACCEPTED


def test_a_tensor_is_no_velocity_of_a_matrix():
    matrix = array("mat", [[1]], "d", "d")
    says = ["eq", ["frob2", f("A")], 0]
    found = check(certificate(says, [], ["1", "0"], flow={"A": T}, T=ARRAY, A=matrix))
    assert (found.code, "only unfold takes one" in found.message) == (REJECTED, True)


# what is malformed --------------------------------------------------------------------------------
BROKEN = {
    "no axis 0": (["unfold", T, 0], "has no axis 0"),
    "no axis 4": (["unfold", T, 4], "unfold of a tensor of 3 axes has no axis 4"),
    "an axis below 0": (["unfold", T, -1], "has no axis -1"),
    "a long axis": (["unfold", T, 10**1000], "has no axis 1000"),
    "an axis as text": (["unfold", T, "1"], "the axis of unfold is no integer"),
    "an axis that is true": (["unfold", T, True], "the axis of unfold is no integer"),
    "an axis that is a term": (["unfold", T, ["add", 1, 1]], "the axis of unfold is no integer"),
    "a variable": (["sum", ["list", 1], ["frob2", ["unfold", T, v(0)]]], "is no integer"),
    "no axis": (["unfold", T], "unfold has two arguments, not 1"),
    "nothing": (["unfold"], "unfold has two arguments, not 0"),
    "two axes": (["unfold", T, 1, 2], "unfold has two arguments, not 3"),
    "a matrix": (["unfold", f("A"), 1], "unfold of a value of sort mat"),
    "a number": (["unfold", 5, 1], "only a field is a tensor"),
    "an unfolding": (["unfold", ["unfold", T, 1], 1], "only a field is a tensor"),
    "a name alone": (["unfold", "T", 1], "what is unfolded is 'T'"),
    "a choice": (["unfold", ["if", True, T, T], 1], "only a field is a tensor"),
    "an element": (["unfold", ["at", ["list", T], 1], 1], "only a field is a tensor"),
    "what is bound": (["let", T, ["unfold", v(0), 1]], "the field 'T' is a tensor"),
    "equality": (["eq", T, T], "the field 'T' is a tensor: only unfold takes one"),
    "difference": (["ne", T, T], "the field 'T' is a tensor"),
    "a comparison": (["le", T, 1], "the field 'T' is a tensor"),
    "a list": (["list", T], "the field 'T' is a tensor"),
    "a tuple": (["tuple", T, 1], "the field 'T' is a tensor"),
    "an element of a list": (["in", T, ["list", 1]], "the field 'T' is a tensor"),
    "a body": (["map", ["list", 1], T], "the field 'T' is a tensor"),
    "a fold": (["fold", ["list", 1], T, v(0)], "the field 'T' is a tensor"),
    "a norm": (["norm", T], "the field 'T' is a tensor"),
    "alone": (T, "the field 'T' is a tensor"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_malformed(name):
    term, message = BROKEN[name]
    made = certificate(term, [], None, T=ARRAY, A=array("mat", [[1]], "d", "d"))
    found = check(made)
    assert found.code == REJECTED
    assert message in found.message
    assert sort_of(term, T=tensor(3), A=MAT, c=NUM) == MALFORMED


def with_record(entries, axes=("a", "b", "c"), declared=None):
    """A certificate of the first entry of an unfolding, which is not 0, with this record of T."""
    record = {"axes": list(axes), "entries": entries}
    field = {"sort": "tensor", "axes": list(declared or axes)}
    says = ["eq", ["entry", ["unfold", T, 1], 1, 1], 0]
    return certificate(says, [], ["1", "0"], T=(field, record))


WRITTEN = ARRAY[1]["entries"]
RECORDS = {
    "two axes": (with_record([["1"]], "ab"), "the field 'T', a tensor, has 2 axes"),
    "seven axes": (with_record([[[[[[["1"]]]]]]], "abcdefg"), "a tensor, has 7 axes"),
    "no axes": (with_record("1", ""), "a tensor, has 0 axes"),
    "other axes": (with_record(WRITTEN, "abc", "abd"), "are not those declared"),
    "a level too few": (with_record([["1", "2"]]), "the array 'T' is no JSON array"),
    "a level too many": (with_record([[[["1"]]]]), "an entry of the array 'T' is no integer"),
    "a number": (with_record("1"), "the array 'T' is no JSON array"),
    "ragged slices": (with_record([[["1"]], [["1"], ["2"]]]), "has the length 2 along 'b'"),
    "ragged rows": (with_record([[["1"], ["1", "2"]]]), "has the length 2 along 'c'"),
    "empty": (with_record([]), "has the length 0 along 'a'"),
    "empty rows": (with_record([[[]]]), "has the length 0 along 'c'"),
    "axes of one name": (with_record([[["1"]], [["1"]]], "aac"), "has the length 1 along 'a'"),
    "an object": (with_record([[[{"1": "1"}]]]), "an entry of the array 'T' is no integer"),
    "a float": (with_record([[[1.5]]]), "an entry of the array 'T' is no integer"),
}


@pytest.mark.parametrize("name", RECORDS)
def test_a_bad_record_is_rejected(name):
    made, message = RECORDS[name]
    found = check(made)
    assert found.code == REJECTED
    assert message in found.message


def test_records_like_these_that_are_good():
    for made in (
        with_record(WRITTEN),
        with_record([[[1]]], "aaa"),
        with_record([[[["1"]]]], "abcd"),
    ):
        assert check(made).code == ACCEPTED


# budgets ------------------------------------------------------------------------------------------
def test_an_unfolding_asks_for_its_entries_first(monkeypatch):
    twelve = ["frob2", ["unfold", T, 1]]
    again = ["eq", ["add", twelve, twelve], 0]
    others = ["eq", ["add", twelve, ["frob2", ["unfold", T, 2]]], 0]
    for most, code in ((24, ACCEPTED), (23, DECLINED), (12, DECLINED), (11, DECLINED)):
        monkeypatch.setattr(budget, "MOST_ITEMS", most)
        assert check(certificate(others, [], ["1300", "0"], T=ARRAY)).code == code
    for most, code in ((12, ACCEPTED), (11, DECLINED)):  # one that is there is not made again
        monkeypatch.setattr(budget, "MOST_ITEMS", most)
        assert check(certificate(again, [], ["1300", "0"], T=ARRAY)).code == code


def test_large_tensors_are_declined(monkeypatch):
    monkeypatch.setattr(budget, "MOST_ITEMS", 40_000)
    large = array("tensor", [[[1] * 30] * 30] * 30, "a", "b", "c")
    says = ["eq", ["dot", ["unfold", T, 1], ["unfold", T, 2]], 0]
    assert check(certificate(says, [], ["27000", "0"], T=large)).code == DECLINED
    kron = ["eq", ["rows", ["kron", ["unfold", T, 1], ["unfold", T, 1]]], 0]
    assert check(certificate(kron, [], ["900", "0"], T=large)).code == DECLINED


def test_a_deep_or_long_literal_is_no_axis():
    axis = 1
    for _ in range(150):
        axis = [axis]
    says = ["eq", ["frob2", ["unfold", T, axis]], 0]
    assert check(certificate(says, [], ["650", "0"], T=ARRAY)).code == REJECTED
    digits = ["eq", ["frob2", ["unfold", T, 10**9000]], 0]
    assert check(certificate(digits, [], ["650", "0"], T=ARRAY)).code == DECLINED
