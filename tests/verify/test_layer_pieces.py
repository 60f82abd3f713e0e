"""Pieces are found in the graph where they are, and nowhere else."""

from dataclasses import replace

import pytest

from graphs.activations import RELU
from graphs.network import FIXED
from tests.verify.structured_cases import block, case_of_plan, conv, dense
from verify.cases.layer_pieces import Mismatch, chosen_pieces, flat, leaving, pieces_of


def numbers(case, matrix):
    """A matrix in weights."""
    values = case.network.edge_weights(case.weights)
    return [[0 if e is None else int(values[e]) for e in row] for row in matrix]


DENSE = case_of_plan(2, [dense(1), dense(2)], [1, 2, 3, 4, 5, 6], [1, 0], "1")
FREE = case_of_plan(1, [block(2, 1)], [1, 2, 3, 4, 5, 6, 7], [1], "3")


def test_a_dense_layer_has_a_row_for_each_head():
    case = case_of_plan(
        2,
        [dense(2)],
        {"x1>h1.1": 1, "x2>h1.1": 2, "x1>h1.2": 3, "x2>h1.2": 4, "h1.1>o": 5, "h1.2>o": 6},
        [1, 0],
    )
    [piece] = pieces_of(case)
    assert numbers(case, flat(piece)) == numbers(case, leaving(piece)) == [[1, 2], [3, 4]]


def test_a_block_is_stacked_in_two_ways():
    weights = {"x1>g1.1": 1, "x1>h1.1": 2, "g1.1>h1.1": 3, "x1>h1.2": 4, "g1.1>h1.2": 5}
    case = case_of_plan(1, [block(2, 1)], {**weights, "h1.1>o": 6, "h1.2>o": 7}, [1])
    [piece] = pieces_of(case)
    assert numbers(case, flat(piece)) == [[3, 2], [5, 4]]
    assert numbers(case, leaving(piece)) == [[1], [2], [4]]


def test_the_skip_of_a_diagonal_block_has_zeros():
    case = case_of_plan(2, [block(2, 1, "diagonal")], range(1, 9), [1, 0])
    [piece] = pieces_of(case)
    assert [e is None for row in piece.matrices["Z"] for e in row] == [False, True, True, False]
    case = case_of_plan(2, [block(2, 1, "identity")], range(1, 7), [1, 0])
    [piece] = pieces_of(case)
    fixed = [case.network.parameter_of[e] for row in piece.matrices["Z"] for e in row if e]
    assert set(fixed) == {FIXED}


def test_the_tensor_of_a_convolution_by_channels_out_channels_in_and_places():
    # two channels in, two out, two places: 8 parameters on inputs of size 3 (2 positions)
    case = case_of_plan(6, [conv(2, 3, 2)], range(1, 13), [1] * 6)
    [piece] = pieces_of(case)
    net = case.network
    rows = flat(piece)
    assert [len(row) for row in rows] == [4, 4]
    assert len({net.parameter_of[e] for row in rows for e in row}) == 8
    # channel out 1, channel in 2, first place: the edge from x4 to the first position
    assert net.parameter_of[rows[0][2]] == net.parameter_of[net.edge_between("x4", "h1.1")]
    assert net.parameter_of[rows[0][2]] == net.parameter_of[net.edge_between("x5", "h1.2")]
    assert net.parameter_of[rows[1][0]] == net.parameter_of[net.edge_between("x1", "h1.3")]
    # on the way out: a row for each channel out and place, a column for each channel in
    assert leaving(piece)[1] == [rows[0][1], rows[0][3]]


def test_places_that_lie_in_the_padding_throughout_are_no_entries():
    case = case_of_plan(1, [conv(1, 1, 3, padding=1)], [2], [1])
    assert numbers(case, flat(pieces_of(case)[0])) == [[0, 2, 0]]


def record(case, k, **changes):
    """The case with another record of a piece."""
    records = [dict(piece) for piece in case.choice["pieces"]]
    records[k] |= changes
    return case.choosing(pieces=records)


CONVOLVED = case_of_plan(3, [conv(1, 3, 2), dense(1, RELU)], range(1, 5), [1, 1, 1], "5")
WRONG = {
    "a head is missing": record(DENSE, 0, tails=["x1"]),
    "no such edge": record(DENSE, 0, tails=["x1", "x2"], heads=["h2.1"]),
    "twice": record(DENSE, 0, tails=["x1", "x1"]),
    "an unknown vertex": record(DENSE, 0, tails=["x1", "y"]),
    "an unknown kind": record(DENSE, 0, kind="sparse"),
    "another variant": record(FREE, 0, variant="diagonal"),
    "an unknown variant": record(FREE, 0, variant="wide"),
    "a block without its inner neuron": record(FREE, 0, inner=["x1"]),
    "another stride": record(CONVOLVED, 0, stride=[2]),
    "another kernel": record(CONVOLVED, 0, kernel=[1]),
    "another mode": record(CONVOLVED, 0, padding=[1]),
    "neurons in another order": record(CONVOLVED, 0, heads=["h1.2", "h1.1"]),
    "a convolution called dense": record(
        CONVOLVED, 0, kind="dense", tails=["x1", "x2"], heads=["h1.1"]
    ),
    "sharing without a convolution": CONVOLVED.choosing(pieces=CONVOLVED.choice["pieces"][1:]),
    "no such piece": DENSE.choosing(at=[0, 2]),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_there_is_not_found(name):
    with pytest.raises(Mismatch):
        chosen_pieces(WRONG[name])


def test_a_convolution_must_share_its_parameters():
    net = CONVOLVED.network
    loose = replace(
        net,
        parameter_of=(4, *net.parameter_of[1:]),
        parameter_names=(*net.parameter_names, "other"),
    )
    with pytest.raises(Mismatch, match="share"):
        pieces_of(
            replace(CONVOLVED, network=loose, weights=(*CONVOLVED.weights, CONVOLVED.weights[0]))
        )


def test_what_was_found_is_not_kept_for_another_case():
    assert pieces_of(CONVOLVED) is pieces_of(CONVOLVED)
    assert pieces_of(replace(CONVOLVED)) is not pieces_of(CONVOLVED)


def test_a_convolution_shares_its_parameters_with_no_other_edge():
    net = CONVOLVED.network
    gone = max(p for p in net.parameter_of if len(net.edges_of_parameter[p]) == 1)
    kernel = next(p for p in net.parameter_of if len(net.edges_of_parameter[p]) > 1)
    keep = [p for p in range(net.parameter_count) if p != gone]
    tied = replace(
        net,
        parameter_of=tuple(keep.index(kernel if p == gone else p) for p in net.parameter_of),
        parameter_names=tuple(net.parameter_names[p] for p in keep),
    )
    weights = tuple(CONVOLVED.weights[p] for p in keep)
    with pytest.raises(Mismatch, match="shared outside"):
        pieces_of(replace(CONVOLVED, network=tied, weights=weights))
