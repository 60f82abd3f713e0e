"""The in-edges of the output as a layer, and as the second of two."""

from random import Random

import pytest
from hypothesis import given, settings

from graphs.layers import is_layer
from tests.verify.drawn_cases import case_of, drawn_cases, exact_scene, net_of
from verify.core.entries import constant_entries
from verify.papers.lj22.earlier import last_layer
from verify.papers.registry import find

SKIP = case_of(net_of("x>h h>o x>o"), {"x>h": 1, "h>o": 1, "x>o": 1}, [([1], 1, 1)])
TWO, LAST = "two layers", "last layer"


def hypothesis(name, reading="A"):
    """Of equation (8) of the earlier version."""
    [found] = [h for h in find(f"lj22v1.eq8.b@{reading}").hypotheses if h.name == name]
    return found


def holds(hypothesis, case):
    scene = exact_scene(case)
    return bool(hypothesis.test(scene, constant_entries(scene, [(0, {}, 0)])).all())


def test_the_last_layer_by_hand():
    assert sorted(last_layer(SKIP)) == [["h", "o"], ["x", "o"]]


@pytest.mark.parametrize("reading", ["A", "B"])
@settings(max_examples=30)
@given(drawn_cases(max_hidden=4))
def test_it_is_a_layer_where_the_output_is_a_sink(reading, case):
    edges = [case.network.edge_between(*pair) for pair in last_layer(case)]
    assert is_layer(case.network, edges, reading)


@pytest.mark.parametrize("reading", ["A", "B"])
def test_the_second_layer_becomes_the_last_one(reading):
    two, last = (hypothesis(name, reading) for name in (TWO, LAST))
    for seed in range(40):
        chosen = two.repair(SKIP, Random(seed))
        assert holds(two, chosen)
        repaired = last.repair(chosen, Random(seed))
        assert repaired.choice["layers"][0] == chosen.choice["layers"][0]
        assert holds(two, repaired)
        assert holds(last, repaired)


@pytest.mark.parametrize("reading", ["A", "B"])
def test_each_is_broken_alone(reading):
    two, last = (hypothesis(name, reading) for name in (TWO, LAST))
    alone = [0, 0]
    for seed in range(40):
        case = last.repair(two.repair(SKIP, Random(seed)), Random(seed))
        edges = two.break_(case, Random(seed))
        assert holds(last, edges)
        alone[0] += not holds(two, edges)
        layers = last.break_(case, Random(seed))
        assert holds(two, layers)
        alone[1] += not holds(last, layers)
    assert min(alone) > 15


def test_the_order_of_its_edges_does_not_matter():
    first = [["x", "h"], ["x", "o"]]
    for second, expected in (
        ([["x", "o"], ["h", "o"]], True),
        ([["h", "o"], ["x", "o"]], True),
        ([["h", "o"]], False),
        (first, False),
    ):
        assert holds(hypothesis(LAST), SKIP.choosing(layers=[first, second])) is expected
    assert not holds(hypothesis(LAST), SKIP)
