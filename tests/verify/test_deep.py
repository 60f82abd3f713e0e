"""Fully connected networks as instances: by hand, against autograd, and shrinking."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
import torch

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from verify.cases.tensors import CaseError, tensors_from_json
from verify.kinds.deep.layered import as_network
from verify.kinds.deep.networks import Deep, deep, number
from verify.kinds.deep.pool import MANNERS, pool
from verify.language.evaluation import Evaluation
from verify.papers.j23.hessian_notation import KERNEL

HALF = Fraction(1, 2)
SMALL = deep([[[1, 2], [3, -1]], [[1, -2]]], [[0, -1], [1]], [[1, 1], [-2, 1]], HALF)


def exact(values):
    return [as_fraction(x) for x in np.asarray(values, dtype=object).reshape(-1)]


def test_values_slopes_and_jacobian_by_hand():
    passed = SMALL.exact
    # at (1, 1): z = (3, 1), f = 3 - 2 + 1; at (-2, 1): z = (0, -8), f = 0 - 2 * (-4) + 1
    assert exact(passed.pre(1)) == [3, 1, 0, -8]
    assert exact(passed.outputs) == [2, 9]
    assert exact(passed.post(1)) == [3, 1, 0, -4]
    assert exact(passed.jacobian(0)) == [1 - 6, 2 + 2]
    assert exact(passed.jacobian(1)) == [1 - 3, 2 + 1]
    assert passed.ranks == [1, 1]
    assert passed.kinked


def kernel_of(case):
    """The tangent kernel at all points."""
    made = as_network(case)
    terms = Evaluation(made.scene([made], RATIONALS)).column(KERNEL).values
    ((_, (kernel,)),) = terms.parts.values()
    return exact(kernel)


def test_the_tangent_kernel_by_hand():
    # f = 3 * 2 x: derivatives 3 x = 15 and 2 x = 10, by the biases 3 and 1
    one = deep([[[2]], [[3]]], [[0], [0]], [[5]])
    assert kernel_of(one) == [225 + 100 + 9 + 1]


def flat(case):
    tensors = []
    for layer in range(1, case.depth + 1):
        for kind in "Wb":
            array = case.arrays[f"{kind}{layer}"]
            values = [float(x) for x in array.entries]
            tensors.append(torch.tensor(values, dtype=torch.float64).reshape(array.shape))
    return tensors


def output(tensors, slope, x):
    last = len(tensors) // 2 - 1
    for layer in range(last + 1):
        x = tensors[2 * layer] @ x + tensors[2 * layer + 1]
        if layer < last:
            x = torch.where(x < 0, slope * x, x)
    return x


@pytest.mark.parametrize("seed", range(12))
def test_jacobians_and_kernels_agree_with_autograd(seed):
    case = pool(points=(2,)).draw(Random(seed))
    passed, tensors = case.exact, flat(case)
    if passed.kinked:
        return
    slope = float(case.number("a"))
    points = torch.tensor([[float(as_fraction(x)) for x in row] for row in case.matrix("X")])
    derivatives = []
    for at, x in enumerate(points.double()):
        expected = torch.autograd.functional.jacobian(lambda y: output(tensors, slope, y), x)
        found = np.array(exact(passed.jacobian(at)), dtype=float).reshape(expected.shape)
        np.testing.assert_allclose(found, expected.numpy(), atol=1e-9)
        parts = torch.autograd.functional.jacobian(
            lambda *theta, x=x: output(list(theta), slope, x), tuple(tensors)
        )
        derivatives.append(torch.cat([part.reshape(len(expected), -1) for part in parts], 1))
    gram = torch.cat(derivatives) @ torch.cat(derivatives).T
    found = np.array(kernel_of(case), dtype=float).reshape(gram.shape)
    np.testing.assert_allclose(found, gram.numpy(), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_the_layers_between_make_up_the_jacobian(seed):
    case = pool(points=(1,)).draw(Random(seed))
    passed = case.exact
    for layer in range(1, case.depth + 1):
        for whole in (
            passed.from_pre(layer, 0) @ passed.to_pre(layer, 0),
            passed.from_post(layer, 0) @ passed.to_post(layer, 0),
        ):
            assert exact(whole) == exact(passed.jacobian(0))


def test_records_come_back():
    again = tensors_from_json(SMALL.to_json())
    assert again.arrays == SMALL.arrays


def test_fewer_layers_and_neurons_are_networks_still():
    case = deep([[[1, 2], [3, 4]], [[1, 0], [0, 1]], [[1, 1]]], points=[[1, 1]])
    smaller = [other for other in case.changes() if isinstance(other, Deep)]
    assert {other.depth for other in smaller} >= {2, 3}
    for other in smaller[:40]:
        assert len(exact(other.exact.outputs)) == other.lengths["N"] * other.widths[-1]
    merged = next(other for other in smaller if other.depth == 2)
    assert exact(merged.exact.outputs) == exact(case.exact.outputs)  # all pre-activations positive


def test_matrices_that_do_not_fit_are_refused():
    with pytest.raises(CaseError, match="another length"):
        deep([[[1, 2]], [[1, 1]]], points=[[1, 1]])


def test_numbers_may_be_added():
    case = deep([[[1]]], points=[[1]], gap=number("1/10"), k=number(1, integer=True))
    assert case.number("gap") == Fraction(1, 10)
    assert case.whole("k") == 1
    assert "gap = 1/10" in case.described()


def test_the_pool_draws_every_manner_depth_and_rank():
    from verify.kinds.deep.changes import jacobian_ranks

    drawn = [pool().draw(Random(seed)) for seed in range(300)]
    assert {case.family for case in drawn} == set(MANNERS)
    assert {case.depth for case in drawn} == {1, 2, 3, 4, 5}
    assert {rank for case in drawn for rank in jacobian_ranks(case)} == {0, 1, 2, 3}
    assert all(-1 < case.number("a") < 1 for case in drawn)
    assert sum(case.number("a") == 0 for case in drawn) > 60
    assert any(case.number("a") < 0 for case in drawn)


def test_the_guided_search_draws_networks():
    from hypothesis import find

    found = find(pool(gaps=("gap",)).drawn(), lambda case: case.depth == 2)
    assert isinstance(found, Deep)
    assert set(found.widths) == {1}
    assert found.number("gap") >= 0
