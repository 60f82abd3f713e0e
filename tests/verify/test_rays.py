"""Exact solutions: hand-solved rays and points of rest, and near misses of them."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.activations import LINEAR, RELU
from graphs.exact import evaluation_at, parameter_gradients
from graphs.families import fully_connected
from graphs.rationals import RATIONALS
from graphs.residual import residual_block
from graphs.strategies import inputs_for, networks, weights_for
from verify.cases.case import Case
from verify.kinds.solutions.late_directions import opposed_rows
from verify.kinds.solutions.rays import float_gradient, is_graded, is_solution, with_kind
from verify.kinds.solutions.solution_pool import SolutionPool
from verify.language.evaluation import Evaluation
from verify.language.lowering import lowered
from verify.papers.lj22.solutions import GRADED, IS_AT_REST, IS_RAY
from verify.papers.registry import all_claims

ONE = Fraction(1)
A, B = (Fraction(3, 5), Fraction(4, 5)), (Fraction(3, 5), Fraction(-4, 5))


def solved(net, weights, inputs, labels, kind="ray"):
    numbers = tuple(map(Fraction, weights))
    slopes = (ONE,) * len(inputs)
    case = Case(net, numbers, tuple(inputs), tuple(map(Fraction, labels)), slopes=slopes)
    return with_kind(case, kind)


def by_names(net, values):
    return [values[name] for name in net.parameter_names]


def two_neurons():
    """Each of two ReLU neurons sees one example: x_1 with label 1, x_2 with label -1."""
    return solved(fully_connected([2, 2, 1]), [*A, *B, 1, -1], [A, B], [1, -1])


def says(term, case):
    """Whether a term is true in a case; without a value it is not."""
    column = Evaluation(type(case).scene([case], RATIONALS)).column(lowered(term, {}))
    return bool(column.defined[0] and column.values[0])


def is_one(case):
    """Whether a case is a solution of its kind, which the terms say too."""
    found = is_solution(case)
    term = {"ray": IS_RAY, "rest": IS_AT_REST}[case.choice["solution"]]
    assert says(term, case) is found
    return found


def test_two_relu_neurons_are_on_a_ray():
    assert is_one(two_neurons())


def test_a_ray_may_be_scaled_but_its_layers_not():
    case = two_neurons()
    assert is_one(case.with_weights([3 * w for w in case.weights]))
    half = [w / 2 if k < 4 else w for k, w in enumerate(case.weights)]
    assert not is_one(case.with_weights(half))


@pytest.mark.parametrize(
    "change",
    [
        {"labels": (ONE, ONE)},  # a margin is negative
        {"slopes": (-ONE, -2 * ONE)},  # not one slope
        {"inputs": (A, (Fraction(3, 10), Fraction(-2, 5)))},  # unequal margins
        {"choice": {"solution": "rest"}},
        {"choice": {}},
    ],
)
def test_near_misses_of_a_ray(change):
    assert not is_solution(replace(two_neurons(), **change))


def test_a_kink_is_no_ray():
    """The second neuron has weights 0, so that its pre-activation is 0."""
    linear = solved(fully_connected([2, 2, 1], LINEAR), [*A, 0, 0, 1, 0], [A], [1])
    assert is_one(linear)
    assert not is_one(replace(linear, network=fully_connected([2, 2, 1])))


def test_a_block_is_graded_where_its_skip_is_not_used():
    net = residual_block("free", 1, 1, 1, LINEAR, LINEAR)
    y, u, z = "w[x1->h1]", "w[h1->o]", "w[x1->o]"
    case = solved(net, by_names(net, {y: 1, u: 1, z: 0}), [(ONE,)], [1])
    assert is_graded(case)
    assert says(GRADED, case)
    assert not is_one(case)  # the skip weight has a gradient
    assert not is_graded(case.with_weights([ONE] * 3))
    assert not says(GRADED, case.with_weights([ONE] * 3))
    both = solved(net, by_names(net, {y: 0, u: 0, z: 1}), [(ONE,)], [1])
    assert is_one(both)


def at_rest():
    """Layer 1 does not see the third coordinate, by which alone the labels differ.

    Two pairs of examples with equal post-activations (1, 2) and (2, 1) and opposite labels.
    Layer 2 has z = (1, 1, 1), (3, -1, 3) and so on in the coordinates of the pairs; nu = 2 > 0.
    """
    net = fully_connected([3, 2, 3, 1], RELU)
    hidden = {"w[x1->h1.1]": 1, "w[x2->h1.2]": 1}
    # in the basis of the pairs p = (1, 2), q = (2, 1): rows r with r.p, r.q = (1,1), (3,-1), (-1,3)
    rows = []
    for at_p, at_q in ((1, 1), (3, -1), (-1, 3)):
        # r_1 + 2 r_2 = at_p, 2 r_1 + r_2 = at_q
        r_1 = Fraction(2 * at_q - at_p, 3)
        rows.append((r_1, at_q - 2 * r_1))
    for k, row in enumerate(rows, start=1):
        hidden |= {f"w[h1.{j}->h2.{k}]": value for j, value in enumerate(row, start=1)}
    out = {"w[h2.1->o]": -1, "w[h2.2->o]": 1, "w[h2.3->o]": 1}
    values = dict.fromkeys(net.parameter_names, 0) | hidden | out
    third = Fraction(1, 2)
    data = [(ONE, 2 * ONE, third), (ONE, 2 * ONE, -third)]
    data += [(2 * ONE, ONE, third), (2 * ONE, ONE, -third)]
    return solved(net, by_names(net, values), data, [1, -1, 1, -1], "rest")


def test_a_point_of_rest_on_separable_data():
    case = at_rest()
    assert all(y * row[2] > 0 for row, y in zip(case.inputs, case.labels, strict=True))
    assert is_one(case)


@pytest.mark.parametrize("p", range(6, 15))
def test_a_point_of_rest_is_lost_when_a_weight_changes(p):
    case = at_rest()
    weights = list(case.weights)
    weights[p] += Fraction(1, 7)
    assert not is_one(case.with_weights(weights))


def test_margins_that_are_all_0_are_no_rest():
    case = at_rest()
    out = [w if k < 12 else Fraction(0) for k, w in enumerate(case.weights)]
    assert not is_one(case.with_weights(out))


@given(st.data())
def test_the_terms_ask_for_no_more_of_paths_than_the_pool_does(data):
    """Of vertices that no path with at most one weight 0 passes they ask nothing."""
    net = data.draw(networks(max_inputs=2, max_hidden=4))
    weights = data.draw(weights_for(net))
    case = Case(net, weights, (data.draw(inputs_for(net)),), (ONE,), slopes=(-ONE,))
    if -1 not in net.parameter_of and len(net.outputs) == 1 and is_graded(case):
        assert says(GRADED, case)


@given(st.data())
def test_float_gradients_are_the_exact_ones(data):
    net = data.draw(networks(max_inputs=2, max_hidden=4))
    if -1 in net.parameter_of:
        return
    weights = data.draw(weights_for(net))
    rows = [data.draw(inputs_for(net)) for _ in range(2)]
    evaluation = evaluation_at(net, weights, rows)
    values, gradient = float_gradient(
        net, np.array(weights, dtype=float), np.array(rows, dtype=float).T
    )
    if not evaluation.kinks.any():
        assert np.allclose(values, evaluation.outputs[0].astype(float))
        assert np.allclose(gradient, parameter_gradients(evaluation).astype(float))


def test_gordan_certificates_put_random_weights_at_rest():
    from verify.papers.lj22.corollary import DEEP

    found = [case for case in DEEP.solutions_of(0, 60) if is_solution(case)]
    assert found
    for case in found:
        assert case.choice["solution"] == "rest"
        assert all(case.weights)


def inactive_somewhere(case):
    """Whether a neuron with two slopes has a pre-activation below 0 on some example."""
    evaluation = evaluation_at(case.network, case.weights, case.inputs)
    gated = [len(set(activation.slopes)) > 1 for activation in case.network.activations]
    return bool((evaluation.pre[np.array(gated)] < 0).any())


@pytest.mark.parametrize("seed", [0, 1])
def test_a_fair_share_of_the_rays_has_a_nonlinear_network_before_the_linear_layers(seed):
    from verify.papers.lj22.low_rank import MIXED

    drawn = SolutionPool.solutions_of(MIXED, seed, 90)  # beside the rays of convolutions
    found = [case for case in drawn if is_solution(case)]
    assert len(found) >= 12
    assert 3 * sum(map(inactive_somewhere, found)) >= len(found)


@given(st.integers(2, 3), st.integers(2, 3), st.integers(0, 2**32))
def test_opposed_rows_are_unit_vectors_at_obtuse_angles(width, count, seed):
    rows = opposed_rows(width, count, Random(seed))
    assert len(rows) == count
    assert all(sum(x * x for x in row) == 1 for row in rows)
    if count == 2:
        assert sum(a * b for a, b in zip(*rows, strict=True)) < 0


def test_four_relu_neurons_before_two_linear_layers_are_on_a_ray():
    """Two neurons for each of two examples at an obtuse angle. The matrix behind them has rank one
    and squared norm 4, as the last weight has: four times that of a neuron."""
    net = fully_connected([2, 4, 1, 1], [RELU, LINEAR])
    weights = [*A, *A, *B, *B, 1, 1, -1, -1, 2]
    case = solved(net, weights, [A, B], [1, -1])
    assert is_one(case)
    assert inactive_somewhere(case)
    assert not is_one(solved(net, [*weights[:-1], 1], [A, B], [1, -1]))


def test_draws_are_the_same_for_the_same_seed():
    from verify.papers.lj22.low_rank import FINAL

    pool = FINAL.pool
    one, two = (pool.draw(Random(3), n=1, loss="prescribed", large=False) for _ in "12")
    assert one == two


def test_what_a_pool_of_solutions_leaves_out_is_a_hypothesis():
    """A pool without zero weights belongs to a claim that excludes them, or limits with them."""
    without = [claim for claim in all_claims() if getattr(claim.pool, "nonzero", False)]
    assert len(without) > 8
    for claim in without:
        names = {hypothesis.name for hypothesis in claim.hypotheses}
        assert names & {"no zero weight", "limit direction without zeros"}, claim.id
