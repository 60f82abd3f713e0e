"""The layers of Theorem 2: their matrices and constants, against values by hand."""

from fractions import Fraction

import pytest

from graphs.activations import LINEAR, RELU
from verify.case import Case
from verify.layer_pieces import Mismatch
from verify.structured import Plan, Spec, build
from verify.tails import has_tail, tail_of


def tailed(inputs, *specs, before=0):
    plan = Plan(inputs, specs, tuple(range(before, len(specs))))
    net, choice = build(plan)
    weights = tuple(Fraction(k + 1) for k in range(net.parameter_count))
    width = len(net.free_inputs)
    return Case(
        net,
        weights,
        ((Fraction(0),) * width,),
        (Fraction(1),),
        slopes=(Fraction(-1),),
        choice=choice,
    )


def dense(width, activation=LINEAR):
    return Spec("dense", width, activation=activation)


def conv(channels, kernel, size=()):
    return Spec("convolution", channels, size=size, kernel=(kernel,))


def block(width, inner):
    return Spec("block", width, inner)


def test_one_convolution():
    """2 channels in, 3 places, filter of 2, 1 channel out; Fin is 1 x 2."""
    found = tail_of(tailed(6, conv(1, 2, (3,)), dense(1)), linear=True)
    assert (found.K, found.M) == (1, 0)
    assert list(found.layers) == [1]
    assert found.shape(1) == (2, 2)
    assert found.V_c(1) == 1  # j = 1 > M = 0
    assert found.V_c_repaired(1) == 2 * 2  # max dim Fin, min(a, b)


def test_the_matrix_of_a_convolution_has_a_row_for_each_channel_in():
    case = tailed(4, conv(2, 2, (2,)), dense(1))
    found = tail_of(case, linear=True)
    weights = case.weight_map()

    def entry(out, channel, place):
        names = [n for n in weights if n.endswith(f"k[{out},{channel},{place}]")]
        assert len(names) == 1
        return weights[names[0]]

    for channel, row in enumerate(found.matrix(1), start=1):
        assert sorted(row) == sorted(entry(c, channel, b) for c in (1, 2) for b in (1, 2))


def test_blocks_and_dense_layers():
    found = tail_of(tailed(2, dense(3), block(2, 4), dense(2), dense(1)), linear=True)
    assert (found.K, found.M) == (0, 3)
    assert [found.blocks_behind(j) for j in found.layers] == [1, 0, 0]
    assert found.shape(2) == (2, 4 + 3)  # [U Z]
    assert [found.V_c(j) for j in found.layers] == [2, 2, 2]  # max dim Fin
    assert [found.V_c_repaired(j) for j in found.layers] == [1, 1, 1]
    assert found.aligned_layers() == []


def test_last_layers_before_one_neuron():
    found = tail_of(tailed(3, dense(2), dense(1), dense(1)), linear=True)
    assert found.aligned_layers() == [1, 2]
    after = tail_of(tailed(4, conv(2, 1, (2,)), dense(2), dense(1)), linear=True)
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
    assert not has_tail(tailed(2, *specs), linear=False)
    with pytest.raises(Mismatch):
        tail_of(tailed(2, *specs), linear=False)


def test_relu_behind_eta():
    case = tailed(2, dense(2, RELU), dense(2, RELU), dense(1), before=1)
    assert has_tail(case, linear=False)
    assert not has_tail(case, linear=True)
    linear = tailed(2, dense(2, RELU), dense(2), dense(1), before=1)
    assert has_tail(linear, linear=True)
