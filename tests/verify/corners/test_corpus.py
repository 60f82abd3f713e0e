"""The order of corners: every kind, and of each kind every corner, comes before any comes again."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.cases.case import Case
from verify.papers.registry import find
from verify.search.corners.arrays import shapes
from verify.search.corners.corpus import corpus, diagonally, in_turn
from verify.search.corners.networks import dressed
from verify.search.corners.numbers import KINDS

TABLES = st.lists(st.lists(st.integers(), min_size=1, max_size=4), min_size=1, max_size=4)


@given(TABLES)
def test_a_table_is_walked_once_and_its_columns_first(rows):
    named = [[(b, a) for a, _ in enumerate(row)] for b, row in enumerate(rows)]
    walked = list(diagonally(named))
    assert Counter(walked) == Counter(entry for row in named for entry in row)
    if len({len(row) for row in rows}) == 1:
        assert [a for _, a in walked[: len(rows[0])]] == list(range(len(rows[0])))


@given(st.lists(st.sampled_from(KINDS)))
def test_kinds_come_in_turn(kinds):
    corners = [(kind, number) for number, kind in enumerate(kinds)]
    found = list(in_turn(corners))
    assert sorted(found) == sorted(corners)
    seen: Counter[str] = Counter()
    for kind, _ in found:
        seen[kind] += 1
        assert all(
            seen[other] >= seen[kind] - 1 for other in kinds if kinds.count(other) > seen[other]
        )


@pytest.mark.parametrize("name", ["lj22.lemma2a", "lj22.def2", "lj22.bias@BB", "lj22.remark1.r2@A"])
def test_the_networks_are_of_the_pool(name):
    pool = find(name).pool
    nets = dressed(pool)
    assert len({(net.tails, net.activations) for net in nets}) > 5
    for net in nets:
        assert {net.activations[v].kind for v in net.inner} <= set(pool.activations)
        assert net.has_bias is (pool.bias is not None)


def test_shapes_hold_length_one_and_differ():
    for name in ("lj22.lemma11@B", "lj22.thm2-84@AA", "lj22.weyl.a"):
        found = shapes(find(name).pool)
        assert dict.fromkeys(found[0], 1) in found
        assert all(found.count(shape) == 1 for shape in found)
        assert all(max(shape.values()) <= 3 for shape in found)


def test_cases_come_as_they_are_and_mended():
    """Of (82), that needs a pair: the raw single edge has none, the mended chain has one."""
    found = [case for _, case in corpus(find("lj22v1.gd-82"), Random(0), 60)]
    sizes = [len(case.network.inner) for case in found if isinstance(case, Case)]
    assert 0 in sizes
    assert any(
        len(other.network.inner) == len(case.network.inner) + 1 for case, other in pairwise(found)
    )
