"""The layers of Theorem 2: their matrices and constants, against values by hand."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from graphs.activations import LINEAR, RELU
from graphs.errors import NetworkError
from graphs.rationals import RATIONALS
from verify.cases.case import Case
from verify.cases.layer_pieces import Mismatch
from verify.cases.layer_plans import gated_tail, last_matrices, mixed_tail, plain_tail
from verify.cases.networks_of_pieces import Plan, Spec, build
from verify.cases.structured_pool import structured
from verify.kinds.solutions.tails import tail_of
from verify.language.building import Map
from verify.language.columns import plain
from verify.language.evaluation import Evaluation
from verify.papers.lj22 import low_rank_terms as terms
from verify.papers.lj22.low_rank import tail


def tailed(inputs, *specs, before=0):
    plan = Plan(inputs, specs, tuple(range(before, len(specs))))
    net, choice = build(plan)
    weights = tuple(Fraction(k + 1) for k in range(net.parameter_count))
    width = len(net.free_inputs)
    case = Case(
        net,
        weights,
        ((Fraction(0),) * width,),
        (Fraction(1),),
        slopes=(Fraction(-1),),
        choice=choice,
    )
    return structured(case, plan)


def worth(case, term):
    """What a term is worth in a case."""
    column = Evaluation(type(case).scene([case], RATIONALS)).column(term)
    assert column.defined[0]
    return plain(column.values, term.sort, 0)


def is_tail(case, *, linear):
    return worth(case, tail(linear=linear).holds)


def dense(width, activation=LINEAR):
    return Spec("dense", width, activation=activation)


def conv(channels, kernel, size=()):
    return Spec("convolution", channels, size=size, kernel=(kernel,))


def block(width, inner):
    return Spec("block", width, inner)


def test_one_convolution():
    """2 channels in, 3 places, filter of 2, 1 channel out; Fin is 1 x 2."""
    found = tail_of(tailed(6, conv(1, 2, (3,)), dense(1)))
    assert (found.K, found.M) == (1, 0)
    assert list(found.layers) == [1]
    assert found.shape(1) == (2, 2)
    assert found.V_c(1) == 1  # j = 1 > M = 0
    assert found.V_c_repaired(1) == 2 * 2  # max dim Fin, min(a, b)


def test_the_matrix_of_a_convolution_has_a_row_for_each_channel_in():
    case = tailed(4, conv(2, 2, (2,)), dense(1))
    found = tail_of(case)
    weights = case.weight_map()
    edges = case.network.edge_weights(case.weights)

    def entry(out, channel, place):
        names = [n for n in weights if n.endswith(f"k[{out},{channel},{place}]")]
        assert len(names) == 1
        return weights[names[0]]

    for channel, row in enumerate(found.matrix(1), start=1):
        assert sorted(edges[e] for e in row) == sorted(
            entry(c, channel, b) for c in (1, 2) for b in (1, 2)
        )


def test_blocks_and_dense_layers():
    found = tail_of(tailed(2, dense(3), block(2, 4), dense(2), dense(1)))
    assert (found.K, found.M) == (0, 3)
    assert [found.blocks_behind(j) for j in found.layers] == [1, 0, 0]
    assert found.shape(2) == (2, 4 + 3)  # [U Z]
    assert [found.V_c(j) for j in found.layers] == [2, 2, 2]  # max dim Fin
    assert [found.V_c_repaired(j) for j in found.layers] == [1, 1, 1]
    assert found.aligned_layers() == []


def test_last_layers_before_one_neuron():
    found = tail_of(tailed(3, dense(2), dense(1), dense(1)))
    assert found.aligned_layers() == [1, 2]
    after = tail_of(tailed(4, conv(2, 1, (2,)), dense(2), dense(1)))
    assert after.aligned_layers() == [2]  # j = 2 > M = 1


@pytest.mark.parametrize(
    "specs",
    [
        (dense(2), conv(1, 1, (2,)), dense(1)),  # a convolution behind a dense layer
        (dense(2), Spec("block", 2, 2, "identity"), dense(1)),
        (dense(2), block(1, 2)),  # no Fin
    ],
)
def test_other_orders_are_no_tail(specs):
    assert not is_tail(tailed(2, *specs), linear=False)
    with pytest.raises(Mismatch):
        tail_of(tailed(2, *specs))


def test_relu_behind_eta():
    case = tailed(2, dense(2, RELU), dense(2, RELU), dense(1), before=1)
    assert is_tail(case, linear=False)
    assert not is_tail(case, linear=True)
    with pytest.raises(Mismatch):
        tail_of(case)
    linear = tailed(2, dense(2, RELU), dense(2), dense(1), before=1)
    assert is_tail(linear, linear=True)
    assert tail_of(linear).layers == range(1, 2)


def drawn(planner, seed):
    random = Random(seed)
    while True:
        try:
            plan = planner(random, seed % 2 == 1)
            return tailed(plan.inputs, *plan.pieces, before=plan.at[0])
        except NetworkError:
            continue


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("planner", [plain_tail, last_matrices, mixed_tail])
def test_terms_say_of_layers_what_their_records_do(planner, seed):
    """Theorem 2 is read off the graph twice: of lists of neurons, and of the pieces."""
    case = drawn(planner, seed)
    found, edges = tail_of(case), case.network.edge_weights(case.weights)
    assert is_tail(case, linear=True)
    assert (worth(case, terms.K), worth(case, terms.M)) == (found.K, found.M)
    for name in ("blocks_behind", "V_c", "V_c_repaired"):
        said = worth(case, Map(terms.BEFORE_FIN, getattr(terms, name)))
        assert list(said) == [getattr(found, name)(j) for j in found.layers]
    last = worth(case, Map(terms.BEFORE_FIN, terms.among_the_last))
    assert [j for j in found.layers if last[j - 1]] == found.aligned_layers()
    for j in found.layers:
        shape, *entries = worth(case, terms.representation(j))
        rows = found.matrix(j)
        weights = [[Fraction(0) if e is None else edges[e] for e in row] for row in rows]
        assert tuple(shape) == found.shape(j)
        assert max(shape) == worth(case, terms.widest(j))
        columns = np.array(entries, dtype=object).reshape(shape).T.tolist()
        assert sorted(columns) == sorted(map(list, zip(*weights, strict=True)))


@pytest.mark.parametrize("seed", range(6))
def test_the_earlier_version_asks_for_less(seed):
    assert is_tail(drawn(gated_tail, seed), linear=False)
