"""The pool of small DAG networks, and what hypotheses make of its instances."""

from collections import Counter
from random import Random

import pytest

from tests.verify.dag_cases import SQUARE, chain, dag
from verify.kinds.dags.changes import fed_by_inputs, layers_of, outputs_of, rows_of_activations
from verify.kinds.dags.pool import GRAPHS, dag_pool, edges_of, often_without_zeros, with_edges
from verify.papers.zlb22.dag_notation import DAG, IDENTITY_OUTPUTS, ONE_OUTPUT, OUTPUTS_LAST
from verify.statements.stated import true_of


def meets(given, case):
    """Whether a hypothesis is met."""
    return true_of(given.holds)(case)


def test_sizes_and_extras_are_those_asked_for():
    pool = dag_pool(least=4, most=5, points=1, integers=(("l1", 1, 3),), extras=(("d", ("n",)),))
    random = Random(0)
    for large in (True, False):
        for _ in range(20):
            case = pool.draw(random, large=large)
            assert case.lengths["n"] in ((4, 5) if large else (4,))
            assert case.lengths["N"] == 1
            assert 1 <= case.whole("l1") <= 3
            assert len(case.arrays["d"].entries) == case.lengths["n"]


def test_every_manner_of_graphs_comes_and_has_a_name():
    assert [case.family for case in dag_pool().named(Random(1))] == sorted(GRAPHS)


@pytest.mark.parametrize("manner", sorted(GRAPHS))
def test_edges_run_upwards(manner):
    for seed in range(30):
        for count in (2, 3, 6):
            edges = GRAPHS[manner](count, Random(seed))
            assert edges
            assert all(0 <= u < v < count for v, u in edges)


def test_a_layer_is_as_far_as_the_longest_path():
    case = dag_pool(least=4, most=4).draw(Random(0), large=False)
    assert layers_of(with_edges(case, {(1, 0), (3, 1), (3, 2)})) == [0, 1, 0, 2]


def test_most_instances_can_be_without_zeros():
    pool, random = dag_pool(last=often_without_zeros), Random(2)
    families: Counter[bool] = Counter()
    for _ in range(60):
        case = pool.draw(random)
        whole = case.family == "chain with skips, no zeros"
        families[whole] += 1
        if whole:
            assert all(entry != 0 for name in "WAX" for entry in case.arrays[name].entries)
            assert max(layers_of(case)) == case.lengths["n"] - 1
    assert families[True] > families[False] > 5


def test_outputs_and_layers_by_hand():
    case = dag({(1, 0): 1, (2, 0): 1, (3, 1): 1}, {3: SQUARE}, [1, 0, 0, 0, 5])
    assert outputs_of(case) == [2, 3]  # 4 is an input alone
    assert layers_of(case) == [0, 1, 1, 2, 0]
    assert fed_by_inputs(case) == [1, 2]
    assert not meets(ONE_OUTPUT, case)
    assert not meets(OUTPUTS_LAST, case)
    assert not meets(IDENTITY_OUTPUTS, case)
    mended = IDENTITY_OUTPUTS.repair(case, Random(0))
    assert rows_of_activations(mended)[3] == [0, 1, 0]
    assert meets(OUTPUTS_LAST, OUTPUTS_LAST.repair(case, Random(0)))


def test_numbers_that_are_no_edges_are_mended():
    case = chain([2, 3])
    entries = list(case.arrays["E"].entries)
    entries[1] = entries[6] = 7  # above the diagonal, and below it where no edge was
    array = case.arrays["E"]
    broken = case.changing(E=type(array)(array.axes, array.shape, tuple(entries)))
    assert not meets(DAG, broken)
    mended = DAG.repair(broken, Random(0))
    assert meets(DAG, mended)
    assert edges_of(mended) == {(1, 0), (2, 1), (2, 0)}


@pytest.mark.parametrize("given", [ONE_OUTPUT, IDENTITY_OUTPUTS])
def test_hypotheses_are_met_and_broken(given):
    random, broken = Random(4), 0
    for _ in range(20):
        case = DAG.repair(dag_pool(most=4).draw(random), random)
        mended = given.repair(case, random)
        assert meets(given, mended)
        broken += not meets(given, given.break_(mended, random))
    assert broken > 10


def test_an_instance_in_words():
    case = dag({(1, 0): 2, (2, 0): 1, (2, 1): 3}, {}, (1, 0, 0), l1=1)
    assert case.described() == "3 vertices with the edges 0→1 0→2 1→2, l1 = 1"
