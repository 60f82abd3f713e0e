"""Elements of lists of vertices are told apart in all rows at once: as sets are, row by row."""

import numpy as np
import pytest

from verify.language.operations import _told_apart

ONE, OTHER = [[3, 1, 3], [], [2], [0, 0]], [[1, 1, 5], [4], [2, 7], [0]]
KNOWN = [True, True, True, False]
TAKEN = {
    "distinct": [[3, 1], [], [2], []],
    "union": [[3, 1, 5], [4], [2, 7], []],
    "intersection": [[1], [], [2], []],
    "minus": [[3], [], [], []],
}


@pytest.mark.parametrize("op", TAKEN)
def test_what_is_taken_stands_in_its_row_once_in_the_order_of_the_lists(op):
    lists = [ONE] if op == "distinct" else [ONE, OTHER]
    items = np.array([item for rows in lists for row in rows for item in row])
    owners = [np.repeat(np.arange(len(rows)), list(map(len, rows))) for rows in lists]
    places, counts = _told_apart(items, np.array(KNOWN), owners, op)
    found = np.split(items[places], np.cumsum(counts)[:-1])
    assert [row.tolist() for row in found] == TAKEN[op]
