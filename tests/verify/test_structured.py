"""Plans build what they say, and smaller plans keep what is left."""

from dataclasses import replace
from fractions import Fraction
from itertools import islice

import pytest

from graphs.activations import LINEAR, RELU
from graphs.errors import NetworkError
from graphs.exact import output
from tests.verify.structured_cases import block, case_of_plan, conv, dense, drawn
from verify.cases.layer_pieces import pieces_of
from verify.cases.networks_of_pieces import Contents, Plan, Spec, build, fill
from verify.cases.smaller_plans import smaller, swapped
from verify.cases.structured_pool import between
from verify.papers.lj22.stacked import ANY_CHAIN
from verify.papers.lj22.theorem1 import ALL_ITEMS, pool_of

ALL = pool_of(ALL_ITEMS, dormant=0.3)


# plans ------------------------------------------------------------------------------------------
def test_a_plan_from_the_inputs_to_one_output():
    net, choice = build(Plan(4, (conv(2, 2, 2), dense(3, RELU), block(2, 1)), (1, 2), True, 1))
    # two channels in and out on two places: one position
    assert [record["kind"] for record in choice["pieces"]] == ["convolution", "dense", "block"]
    assert choice["at"] == [1, 2]
    assert len(net.outputs) == 1
    assert net.edge_between("x1", "o") >= 0
    assert net.activations[net.index["h2.1"]] == RELU


def test_what_does_not_fit_is_refused():
    for pieces in (
        (conv(1, 3),),
        (conv(1, 2, 3),),
        (dense(2), block(3, 1, "diagonal"), conv(1, 4)),
    ):
        with pytest.raises(NetworkError):
            build(Plan(2, pieces, (0,)))
    with pytest.raises(NetworkError, match="leads nowhere"):
        build(Plan(2, (conv(1, 2, stride=2),), (0,)))


def test_a_graph_is_the_same_for_the_same_seed():
    plans = [Plan(2, (Spec("graph", 2, 3, seed=seed), dense(1)), (1,)) for seed in (5, 5, 6)]
    first, again, other = (build(plan)[0] for plan in plans)
    assert first == again != other


@pytest.mark.parametrize("seed", range(20))
def test_drawn_cases_are_what_their_pieces_say(seed):
    case = drawn(ALL if seed % 2 else ANY_CHAIN, seed, large=seed % 3 == 0)
    assert pieces_of(case)
    assert build(case.plan)[1]["pieces"] == case.choice["pieces"]
    sinks = [v for v in range(case.network.vertex_count) if not case.network.out_edges[v]]
    assert sinks == list(case.network.outputs)


def test_sleeping_neurons_lie_between_the_pieces():
    names = set()
    for seed in range(40):
        case = drawn(ALL, seed, n=1)
        for name in case.choice.get("dormant", ()):
            assert case.network.index[name] in between(case)
            names.add(name)
    assert names


# smaller plans ------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(12))
def test_smaller_cases_are_well_formed(seed):
    case = drawn(ALL, seed, large=seed % 2 == 0)
    found = list(islice(smaller(case), 150))
    assert found or case.plan.inputs == 1
    for other in found:
        assert pieces_of(other)
        assert len(other.inputs[0]) == len(other.network.free_inputs)
        assert other.choice["item"] == case.choice["item"]
        assert set(other.choice.get("dormant", ())) <= set(other.network.names)
    assert any(other.size() < case.size() for other in found) or not found


def test_a_piece_goes_and_its_successors_keep_their_weights():
    weights = {"x1>h1.1": 2, "h1.1>h2.1": 3, "h1.1>h2.2": 5, "h2.1>h3.1": 7, "h2.2>h3.1": 11}
    case = case_of_plan(1, [dense(1), dense(2), dense(1)], weights, [1], "1", at=[1, 2])
    without = next(iter(smaller(case)))
    assert without.choice["at"] == [0, 1]
    net = without.network
    names = [net.edge_name(e) for e in range(net.edge_count)]
    values = net.edge_weights(without.weights)
    assert dict(zip(names, values, strict=True)) == {
        "x1->h1.1": 3,
        "x1->h1.2": 5,
        "h1.1->h2.1": 7,
        "h1.2->h2.1": 11,
    }


def test_any_neuron_of_a_layer_may_go():
    weights = {"x1>h1.1": 2, "x1>h1.2": 3, "x1>h1.3": 5}
    last = {"h1.1>h2.1": 7, "h1.2>h2.1": 11, "h1.3>h2.1": 13}
    case = case_of_plan(1, [dense(3), dense(1)], {**weights, **last}, [1], "1")
    kept = {
        frozenset(map(int, other.weights))
        for other in smaller(case)
        if other.plan.pieces[0].width == 2 and other.plan.inputs == 1
    }
    assert {frozenset(w) for w in ((2, 3, 7, 11), (2, 5, 7, 13), (3, 5, 11, 13))} <= kept


def test_swapped_neurons_change_nothing():
    case = case_of_plan(1, [dense(3, RELU), dense(1)], [1, -2, 3, 5, 7, 11], [1], "1")
    kinds = {"h1.1": LINEAR}
    case = replace(case, network=case.network.with_activations(kinds))
    other = fill(case.plan, case, swapped(Contents.of(case), "h1.1", "h1.3"))
    assert other.weights != case.weights
    assert other.network.activations[other.network.index["h1.3"]] == LINEAR
    for x in (1, -1, Fraction(2, 3)):
        assert output(other.network, other.weights, (Fraction(x),)) == output(
            case.network, case.weights, (Fraction(x),)
        )


def test_fewer_inputs_keep_the_coordinates_that_count():
    case = case_of_plan(3, [dense(1), dense(1)], [1, 2, 3, 4], [0, 0, 1], "1")
    rows = {other.inputs[0] for other in smaller(case) if other.plan.inputs == 1}
    assert (1,) in rows


@pytest.mark.parametrize("seed", range(6))
def test_plain_names_go_into_the_pieces(seed):
    case = drawn(ALL, seed)
    plain = case.plain()
    assert len(pieces_of(plain)) == len(pieces_of(case))
    assert [p.kind for p in pieces_of(plain)] == [p.kind for p in pieces_of(case)]
    assert plain.network.names != case.network.names
