"""Layers, blocks and convolutions in graphs whose pieces are known."""

from graphs.activations import LINEAR
from graphs.composition import compose
from graphs.convolutions import convolution
from graphs.families import fully_connected
from graphs.network import network
from verify.cases.pieces_found import arrangements, edge_layers, layered, pieces


def dense(tails, heads):
    return [(tail, head) for head in heads for tail in tails]


def test_two_layers_in_sequence():
    net = network(
        dense(["x1", "x2"], ["h1", "h2"]) + dense(["h1", "h2"], ["o"]),
        inputs=["x1", "x2"],
        outputs=["o"],
    )
    (found,) = arrangements(net)
    assert (found["A"], found["B"], found["C"]) == (["x1", "x2"], ["h1", "h2"], ["o"])
    assert (found["G"], found["H"], found["V"], found["L"][2]) == ([], [], [], ["o"])
    assert layered(net) == [["x1", "x2"], ["h1", "h2"], ["o"]]
    assert [[len(cut) for cut in pair] for pair in edge_layers(net)] == [[4, 2]]


def test_held_inputs_count_for_nothing():
    net = network(
        [*dense(["x"], ["h1", "h2"]), ("1", "h1"), *dense(["h1", "h2"], ["o"])],
        inputs=["x", "1"],
        outputs=["o"],
        constants={"1": 1},
    )
    assert [one["B"] for one in arrangements(net)] == [["h1", "h2"]]
    assert layered(net)[0] == ["x"]


def test_a_block_with_an_identity_and_what_reads_it():
    net = network(
        [
            *dense(["x1", "x2"], ["g"]),
            *dense(["g"], ["c1", "c2"]),
            ("x1", "c1"),
            ("x2", "c2"),
            *dense(["c1", "c2"], ["o"]),
        ],
        inputs=["x1", "x2"],
        outputs=["o"],
        fixed={("x1", "c1"): 1, ("x2", "c2"): 1},
    )
    (block,) = (one for one in pieces(net) if one.kind == "block")
    assert block.plainly
    assert [net.names[v] for v in block.inner] == ["g"]
    before, alone = arrangements(net)
    assert (before["G"], before["B"], before["C"]) == (["g"], ["c1", "c2"], ["o"])
    assert (alone["A"], alone["B"], alone["C"]) == (["x1", "x2"], ["g"], ["c1", "c2"])


def test_a_convolution_and_where_its_filter_lies():
    """Three places two apart on five, with padding one: 0 1 2, 2 3 4, 4 5 0."""
    layer = convolution(5, (2, 2), 3, stride=2, padding=1, activation=LINEAR)
    net = compose(layer, fully_connected([6, 1]))
    (found,) = arrangements(net)
    assert found["kinds"] == "convolution and dense"
    assert sorted(sorted(row) for row in found["S"]) == [[0, 1, 2], [0, 4, 5], [2, 3, 4]]
    assert [len(row) for row in found["X"]] == [5, 5]
    assert [len(row) for row in found["V"]] == [3, 3]
    assert (len(found["C"]), found["A"]) == (1, [])


def test_shared_parameters_that_are_no_filter():
    """Both vertices read both inputs by the same two parameters, the other way round."""
    net = network(
        [*dense(["x1", "x2"], ["h1", "h2"]), *dense(["h1", "h2"], ["o"])],
        inputs=["x1", "x2"],
        outputs=["o"],
        parameters={
            ("x1", "h1"): "a",
            ("x2", "h2"): "a",
            ("x2", "h1"): "b",
            ("x1", "h2"): "b",
        },
        fixed={("h1", "o"): 1, ("h2", "o"): 1},
    )
    (conv,) = (one for one in pieces(net) if one.kind == "convolution")
    assert conv.met == ((1, 2), (2, 1))  # a circular one, of two places on two
