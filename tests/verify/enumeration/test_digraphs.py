"""All small graphs: counted by hand and by another way of listing them."""

from itertools import combinations, permutations

import pytest

from graphs.families import fully_connected
from verify.cases.small_networks import small_networks
from verify.search.enumeration.digraphs import digraphs, shape


def counted(inputs: int, hidden: int) -> int:
    """Edge sets along one order in which each vertex is used, up to renaming the hidden ones."""
    tails = range(inputs + hidden)
    heads = range(inputs, inputs + hidden + 1)
    ends = [(t, h) for h in heads for t in tails if t < h]
    seen = set()
    for size in range(len(ends) + 1):
        for edges in combinations(ends, size):
            if {t for t, _ in edges} != set(tails) or {h for _, h in edges} != set(heads):
                continue
            renamed = []
            for order in permutations(range(inputs, inputs + hidden)):
                place = dict(zip(range(inputs, inputs + hidden), order, strict=True))
                moved = frozenset((place.get(t, t), place.get(h, h)) for t, h in edges)
                renamed.append(moved)
            if not any(moved in seen for moved in renamed):
                seen.add(frozenset(edges))
    return len(seen)


@pytest.mark.parametrize("size", [(1, 0), (2, 0), (1, 1), (2, 1), (1, 2), (2, 2), (1, 3)])
def test_every_graph_is_listed_once(size):
    found = digraphs(*size)
    assert len(found) == counted(*size)
    assert len({shape(net) for net in found}) == len(found)
    assert {shape(net) for net in small_networks(*size)} == {shape(net) for net in found}


def test_one_input_and_one_hidden_vertex():
    """x -> h -> o, and the same with a skip x -> o."""
    assert [net.edge_count for net in digraphs(1, 1)] == [2, 3]


def test_renaming_hidden_vertices_keeps_the_shape_and_other_edges_change_it():
    one, other = fully_connected([1, 2, 1]), fully_connected([1, 1, 1, 1])
    assert shape(one) != shape(other)
    nets = list(small_networks(1, 3))
    assert len({shape(net) for net in nets}) < len(nets)
