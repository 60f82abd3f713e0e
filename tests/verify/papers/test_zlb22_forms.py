"""zlb22, Definition 2.2, the examples of Appendix A and the convolution of Appendix E, by hand."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
import torch

from graphs.rationals import RATIONALS
from tests.verify.arrays import entries_of
from tests.verify.without import without
from verify.cases.tensors import Tensors, tensor
from verify.core.budgets import BUDGETS
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.exponents import exponents
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.registry import find
from verify.papers.zlb22 import (
    convolutions,
    dropped_edges,
    matrix_forms,
    neurons,
    scale_factor,
)
from verify.papers.zlb22.convolutions import convolved, shared
from verify.papers.zlb22.forward_passes import (
    Symbols,
    along_edges,
    layer_by_layer,
    symbols_for,
)
from verify.papers.zlb22.matrix_forms import (
    all_earlier_numbers,
    by_matrices,
    degrees,
    from_all_earlier,
    from_the_last,
    graph_by,
    last_numbers,
    size_before,
    size_of_all_before,
)
from verify.search.judging import judge_exactly
from verify.statements.stated import true_of

CONTEXT = Context(BUDGETS["smoke"])
PROVED = [
    claim
    for module in (neurons, matrix_forms, dropped_edges, convolutions)
    for claim in module.CLAIMS
    if claim.judged
]
HALF = Fraction(1, 2)
AXES = dict.fromkeys("rqpc", "") | dict.fromkeys("EWK", "nn") | dict.fromkeys("sof", "k")
AXES |= {"A": "nk", "X": "Nn", "B": "n", "G": "kk"}


def case(**nested):
    return Tensors({name: tensor([*AXES[name]], value) for name, value in nested.items()})


def broken(name, hypothesis, instance):
    claim = find(name)
    weakened = without(claim, next(h for h in claim.hypotheses if h.name == hypothesis))
    return {tuple(v.entry["at"]): v.value for v in judge_exactly(weakened, instance).violations}


def values(name, instance):
    return [value for _, value in entries_of(find(name), instance)]


# Definition 2.2 -----------------------------------------------------------------------------------
# x -> a, x -> b, a -> b, a -> o, b -> o with weights 2, 3, 1, 1, -1; squares at a and b, x = 1
PARENTS = ((), (0,), (0, 1), (1, 2))
WEIGHTS = {(1, 0): 2, (2, 0): 3, (2, 1): 1, (3, 1): 1, (3, 2): -1}


def square_inside(v, z):
    return z if v == 3 else z * z


def test_both_forms_by_hand():
    count = range(4)
    made = case(
        E=[[int((v, u) in WEIGHTS) for u in count] for v in count],
        W=[[WEIGHTS.get((v, u), 0) for u in count] for v in count],
        A=[[0, 0, 1]] * 3 + [[0, 1, 0]],
        X=[[1, 7, 7, 7]],
    )
    claim = find("zlb22.def2.2")
    found = claim.measure(type(made).scene([made], RATIONALS))
    assert list(found.left) == [1, 4, 49, -45]
    assert list(found.values) == [0] * 4


@pytest.mark.parametrize("route", [along_edges, layer_by_layer])
def test_values_by_hand(route):
    # a = 4, b = (3 + 4)^2 = 49, o = 4 - 49
    assert route(PARENTS, WEIGHTS, square_inside, [1, 0, 0, 0], 0) == [1, 4, 49, -45]


def test_a_symbol_stands_for_one_value_of_one_activation():
    symbols = Symbols(6)
    z, y = symbols.new(), symbols.new()
    assert symbols.activation(0, z * y) == symbols.activation(0, y * z)
    assert symbols.activation(0, z) != symbols.activation(1, z)
    assert symbols.activation(0, z) != symbols.activation(0, y)


def test_another_order_of_the_parents_is_the_same_polynomial_another_parent_is_not():
    symbols, weights, x = symbols_for(PARENTS)
    one = along_edges(PARENTS, weights, symbols.activation, x, symbols.zero)
    turned = ((), (0,), (1, 0), (2, 1))
    assert along_edges(turned, weights, symbols.activation, x, symbols.zero) == one
    fewer = ((), (0,), (0,), (1, 2))
    assert along_edges(fewer, weights, symbols.activation, x, symbols.zero)[2] != one[2]


def test_the_mean_square_by_hand():
    claim, identity = find("zlb22.def2.2.size"), [[1, 0], [0, 1]]
    assert [value for _, value in entries_of(claim, case(f=[1, 2], G=identity, q="1/2"))] == [0]
    for dropped, values_of, left in (
        ("scale factor", {"G": identity, "q": 1}, 5 - 5 * HALF),
        ("scale factor", {"G": identity, "q": "1/4"}, -5 * HALF / 2),
        ("independent standard weights", {"G": [[1, 1], [1, 1]], "q": "1/2"}, 2),  # 3^2/2 - 5/2
    ):
        made = case(f=[1, 2], **values_of)
        weaker = without(claim, next(h for h in claim.hypotheses if h.name == dropped))
        assert [value for _, value in entries_of(weaker, made)] == [left]
        assert not entries_of(claim, made)


def test_the_order_of_neurons():
    claim = find("zlb22.def2.2.order")
    assert exponents(claim, CONTEXT).outcome is Outcome.SUPPORTS
    found = scale_factor.sizes(8, 5, np.random.default_rng(0), np.tanh, dense=False)
    assert np.allclose(found[scale_factor.PLAIN], 8 * found[scale_factor.DIVIDED])
    assert all(value.shape == (5,) and (value > 0).all() for value in found.values())


# Appendix A: matrix forms -------------------------------------------------------------------------
LAYERS = [0, 0, 1, 2]  # two inputs, one hidden neuron, one output
MATRIX = [[0] * 4, [0] * 4, [2, 3, 0, 0], [1, 1, 5, 0]]


def layered(**changes):
    parts = {"B": LAYERS, "W": MATRIX, "X": [1, -1, 7, 7], "s": [0, 0, 1], "o": [0, 1, 0], "r": 1}
    inputs = tensor(["n"], parts.pop("X"))
    return case(**{**parts, **changes}).changing(X=inputs)


def test_matrix_forms_by_hand():
    weights = {(v, u): MATRIX[v][u] for v in range(4) for u in range(4)}
    given = (weights, lambda v, z: z * z, [1, -1, 7, 7])
    # hidden: (2 - 3)^2 = 1; output 5, and 1 - 1 + 5 with the inputs
    assert by_matrices(LAYERS, from_the_last, *given) == [1, -1, 1, 5]
    assert by_matrices(LAYERS, from_all_earlier, *given) == [1, -1, 1, 5]
    assert graph_by(LAYERS, from_the_last) == ((), (), (0, 1), (2,))
    assert graph_by(LAYERS, from_all_earlier) == ((), (), (0, 1), (0, 1, 2))


# the places of the hidden neuron and of the output: by layers, one layer behind the other
PLACES = {"fcn": [(1, 1), (2, 1)], "dense": [(3,), (4,)]}


@pytest.mark.parametrize("name", ["fcn", "dense"])
def test_hypotheses_of_the_matrix_forms_by_hand(name):
    claim, (hidden, output) = f"zlb22.appA.{name}", PLACES[name]
    assert values(claim, layered()) == [0] * 4
    # half of -1 is squared: 1/4 less 1; then 5/8 less 5
    assert broken(claim, "printed divisor", layered(r=2)) == {
        hidden: Fraction(-3, 4),
        output: Fraction(5, 8) - 5,
    }
    # the output 5 is not squared in the matrix form
    squared = layered(o=[0, 0, 1])
    assert broken(claim, "identity as output activation", squared) == {output: -20}
    assert broken(f"{claim}.layers", "positive sizes", case(B=[0, 0, 2, 3]))


def test_an_empty_layer_cuts_a_fully_connected_network():
    gap = case(B=[0, 0, 2, 3])
    cut = broken("zlb22.appA.fcn.layers", "positive sizes", gap)
    assert cut == {(3,): -2, (4,): -2}
    # the inputs have no edge out; what is behind the empty layer has in-degree 0, as that has
    cut = broken("zlb22.appA.fcn.degrees", "positive sizes", gap)
    assert cut == {(1, 1): 1, (1, 2): 1}
    assert values("zlb22.appA.fcn.degrees", gap) == []


def test_in_degrees_are_told_from_those_of_other_rules():
    instance = case(B=LAYERS)
    for feeds, right, wrong in (
        (last_numbers, size_before, size_of_all_before),
        (all_earlier_numbers, size_of_all_before, size_before),
    ):
        assert true_of(degrees(feeds, right))(instance)
        assert not true_of(degrees(feeds, wrong))(instance)


# dropped edges ------------------------------------------------------------------------------------
def network(**changes):
    """Two inputs 1 and 2, one neuron that squares 3 x + w y, w over the new in-degree."""
    parts = {
        "E": [[0, 0, 0], [0, 0, 0], [1, 1, 0]],
        "W": [[0, 0, 0], [0, 0, 0], [3, 5, 0]],
        "A": [[0, 1, 0], [0, 1, 0], [1, 0, 1]],
        "X": [[1, 2, 7]],
        "K": [[0, 0, 0], [0, 0, 0], [1, 0, 0]],
    }
    return case(**{**parts, **changes})


def test_dropped_edges_by_hand():
    assert values("zlb22.appA.drop@B", network()) == [0, 0, 0]
    kept = network(K=[[0, 0, 0], [0, 0, 0], [1, 1, 0]])
    assert values("zlb22.appA.drop@B", kept) == [0, 0, 0]
    # no edge left: the display says 1 + 0^2, on the new graph the neuron is an input, of value 7
    bare = network(K=[[0, 0, 0]] * 3)
    assert broken("zlb22.appA.drop@B", "an edge is kept at every neuron", bare) == {(1, 3): -6}


# convolution --------------------------------------------------------------------------------------
def test_both_forms_of_a_convolution_by_hand():
    # windows of two taps stand over t and t + 1: 1 + 4, 2 + 0, and squares
    made = Tensors(
        {
            "x": tensor(["a", "Q"], [[1, 2]]),
            "K": tensor(["c", "a", "q"], [[[1, 2]]]),
            "O": tensor(["c", "Q"], [[1, 3]]),
            "s": tensor(["k"], [0, 0, 1]),
        }
    )
    found = find("zlb22.thmE.1.conv").measure(Tensors.scene([made], RATIONALS))
    assert list(found.left) == [25, 4, 25 + 3 * 4]
    assert list(found.values) == [0] * 3


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("length", [1, 3, 6])
def test_both_forms_are_the_convolution_of_torch(size, length):
    random = Random(f"{size} {length}")
    taps = [[Fraction(random.randint(-5, 5)) for _ in range(size)] for _ in range(2)]
    signal = [[Fraction(random.randint(-5, 5)) for _ in range(length)] for _ in range(2)]
    filters, channels = (
        torch.tensor([[float(x) for x in row] for row in rows])[None] for rows in (taps, signal)
    )
    left = (size - 1) // 2
    padded = torch.nn.functional.pad(channels, (left, size - 1 - left))
    expected = torch.nn.functional.conv1d(padded, filters)[0, 0].tolist()
    assert [float(x) for x in convolved(taps, signal, Fraction(0))] == expected
    weights = [tap for row in taps for tap in row]
    assert [float(x) for x in shared(weights, signal, size, Fraction(0))] == expected


def test_a_filter_that_is_turned_round_is_another_one():
    taps, signal = [[1, 2, 3]], [[1, 0, 0, 0]]
    assert convolved(taps, signal, 0) == [2, 1, 0, 0]
    assert convolved([[3, 2, 1]], signal, 0) == [2, 3, 0, 0]


# all of them --------------------------------------------------------------------------------------
@pytest.mark.parametrize("claim", PROVED, ids=lambda claim: claim.id)
def test_no_case_violates_the_true_ones_and_all_are_proved(claim):
    assert pointwise(claim, CONTEXT).outcome is Outcome.SUPPORTS
    if claim.id == "zlb22.def2.2.size":
        assert schema(claim, CONTEXT).outcome is Outcome.PROVES
    else:
        assert schema(claim, CONTEXT).outcome is Outcome.ARGUES_ON_SCOPE


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("def2.2.size", {"scale factor", "independent standard weights"}),
        ("appA.fcn", {"printed divisor", "identity as output activation"}),
        ("appA.dense", {"printed divisor", "identity as output activation"}),
        ("appA.fcn.degrees", {"positive sizes"}),
        ("appA.fcn.layers", {"positive sizes"}),
        ("appA.dense.layers", {"positive sizes"}),
        ("appA.drop@B", {"an edge is kept at every neuron"}),
    ],
)
def test_what_is_needed_has_a_certificate(name, needed):
    found = necessity(find(f"zlb22.{name}"), CONTEXT)
    assert {need.hypothesis for need in found.needs if need.certificate is not None} == needed
