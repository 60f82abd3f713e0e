"""Rows that are taken out of columns: each keeps its value, or has none."""

from itertools import product

import numpy as np
import pytest

from verify.language.columns import Groups, taken
from verify.language.sorts import VEC


def value_of(groups, row):
    """The vector of a row, None where it has none."""
    found = [
        array[list(rows).index(row)].tolist()
        for rows, array in groups.parts.values()
        if row in rows
    ]
    assert len(found) <= 1
    return found[0] if found else None


@pytest.mark.parametrize(
    "shapes",
    [
        (1, 1, 1),  # all of one length
        (2, 2, None),  # the last one without a value
        (None, 2, 2),
        (1, 2, 1),
        (2, 2, 1),
        (2, None, 1),
    ],
)
def test_rows_in_any_order_and_as_often_as_asked(shapes):
    groups = Groups({})
    for length in {one for one in shapes if one is not None}:
        rows = np.array([k for k, one in enumerate(shapes) if one == length])
        groups.put(rows, 10.0 * rows[:, None] + np.arange(length))
    for count in range(4):
        for rows in product(range(len(shapes)), repeat=count):
            found = taken(groups, VEC, np.array(rows, dtype=int))
            assert [value_of(found, k) for k in range(count)] == [value_of(groups, k) for k in rows]
