"""The pool: every family, every corner, the same cases from the same seed."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.activations import LINEAR, RELU
from graphs.families import fully_connected
from graphs.paths import count_paths
from tests.verify.drawn_cases import bends, pres
from verify.cases.pool import (
    FAMILIES,
    Pool,
    activation_of,
    random_data,
    random_labels,
    random_point,
    random_weights,
)
from verify.cases.transformations import make_dormant
from verify.core.losses import PRESCRIBED

SEEDS = st.integers(0, 10**6)


@pytest.mark.parametrize("family", sorted(FAMILIES))
@settings(max_examples=15)
@given(SEEDS)
def test_draws_of_a_family_are_cases(family, seed):
    pool = Pool(families=(family,), activations=("linear", "relu"), kinks=True)
    for large in (False, True):
        case = pool.draw(Random(seed), n=3, loss=PRESCRIBED, large=large)
        assert case.family == family
        assert case.example_count == 3
        assert case.admissible
        assert len(case.network.outputs) == 1
        assert not case.network.has_bias
        assert {a.kind for a in case.network.activations} <= {"linear", "relu"}
        assert count_paths(case.network).total > 0
        assert case == pool.draw(Random(seed), n=3, loss=PRESCRIBED, large=large)


def test_no_family_is_forgotten():
    random = Random(1)
    drawn = Counter(
        Pool().draw(random, n=1, loss=PRESCRIBED, large=False).family for _ in range(300)
    )
    assert set(drawn) == set(FAMILIES)


def test_every_kind_of_activation_is_drawn():
    pool = Pool()
    random = Random(2)
    kinds = Counter(activation_of(pool, random).kind for _ in range(300))
    assert set(kinds) == set(pool.activations)
    slopes = {activation_of(pool, random).slope for _ in range(300)}
    assert len(slopes) == 4  # None and three


@pytest.mark.parametrize("reading", ["A", "B"])
@settings(max_examples=20)
@given(SEEDS)
def test_biases_by_reading(reading, seed):
    net = Pool(bias=reading).draw(Random(seed), n=1, loss=PRESCRIBED, large=False).network
    constant = [v for v, c in zip(net.inputs, net.constants, strict=True) if c is not None]
    assert all(c in (None, 1) for c in net.constants)
    if reading == "A":
        assert len(constant) == 1
    else:
        heads = [net.heads[e] for v in constant for e in net.out_edges[v]]
        assert len(heads) == len(constant) == len(set(heads)) > 0


def test_named_losses_have_no_slopes():
    case = Pool().draw(Random(3), n=2, loss="logistic")
    assert case.slopes == ()
    assert case.loss == "logistic"


# numbers ----------------------------------------------------------------------------------------
@given(SEEDS, st.integers(1, 5), st.integers(1, 6))
def test_data_has_norm_at_most_one(seed, width, n):
    rows = random_data(width, n, Random(seed))
    assert len(rows) == n
    for row in rows:
        assert len(row) == width
        assert sum(value * value for value in row) <= 1


@given(SEEDS, st.integers(1, 6))
def test_labels_are_signs(seed, n):
    labels = random_labels(n, Random(seed))
    assert len(labels) == n
    assert set(labels) <= {1, -1}


def test_corners_of_the_data_occur():
    random = Random(4)
    draws = [random_data(2, 3, random) for _ in range(300)]
    assert any(row == (0, 0) for rows in draws for row in rows)
    assert any(rows[0] == rows[1] != (0, 0) for rows in draws)
    assert any(all(value > 0 for row in rows for value in row) for rows in draws)
    labels = [random_labels(3, random) for _ in range(100)]
    assert any(len(set(some)) == 1 for some in labels)
    assert any(len(set(some)) == 2 for some in labels)
    squares = {sum(v * v for v in random_point(2, random)) for _ in range(200)}
    assert 1 in squares  # (3/5, 4/5) and the like


def test_corners_of_the_weights_occur():
    net = fully_connected([2, 3, 1])
    random = Random(5)
    draws = [random_weights(net, random) for _ in range(400)]
    assert all(len(weights) == net.parameter_count for weights in draws)
    assert any(0 in weights for weights in draws)
    assert any(all(w > 0 for w in weights) for weights in draws)
    assert any(len({abs(w) for w in weights}) == 1 for weights in draws)
    assert any(max(map(abs, ws)) > 10**4 * min(map(abs, ws)) > 0 for ws in draws)
    assert any(all(w.denominator == 1 for w in weights) for weights in draws)
    assert any(any(w.denominator > 1 for w in weights) for weights in draws)


# dormant vertices ---------------------------------------------------------------------------------
@given(SEEDS)
def test_a_dormant_vertex_is_relu_and_has_no_in_weight(seed):
    random = Random(seed)
    case = Pool(activations=("linear", "relu"), families=("random DAG", "fully connected")).draw(
        random, n=2, loss=PRESCRIBED, large=False
    )
    asleep = make_dormant(case, random)
    net = case.network
    if not any(a == RELU for v, a in enumerate(net.activations) if v in net.inner):
        assert asleep == case
        return
    [name] = asleep.choice["dormant"]
    vertex = net.index[name]
    assert vertex in net.inner
    assert net.activations[vertex] == RELU
    entering = {net.parameter_of[e] for e in net.in_edges[vertex]}
    for p, (before, after) in enumerate(zip(case.weights, asleep.weights, strict=True)):
        assert after == (0 if p in entering else before)
    assert set(asleep.choice["direction"]) == {net.parameter_names[p] for p in entering}
    assert all(Fraction(step) != 0 for step in asleep.choice["direction"].values())
    assert all(row[vertex] == 0 for row in pres(asleep))


def test_most_directions_switch_the_vertex_off():
    """On one example always, on two wherever they do not point against each other."""
    good = total = 0
    for seed in range(200):
        random = Random(seed)
        pool = Pool(activations=("relu",), families=("fully connected",))
        case = pool.draw(random, n=2, loss=PRESCRIBED, large=False)
        asleep = make_dormant(case, random)
        if "dormant" not in asleep.choice:
            continue
        net = case.network
        weights = list(asleep.weights)
        for name, step in asleep.choice["direction"].items():
            weights[net.parameter_names.index(name)] = Fraction(step)
        vertex = net.index[asleep.choice["dormant"][0]]
        moved = pres(asleep.with_weights(weights))
        total += 1
        good += all(row[vertex] < 0 for row in moved)
    assert total > 50
    assert good > total / 3


def test_kinks_are_drawn_only_where_asked_for():
    def with_kinks(pool):
        random = Random(6)
        draws = [pool.draw(random, n=1, loss=PRESCRIBED, large=False) for _ in range(120)]
        return sum("dormant" in case.choice for case in draws)

    assert with_kinks(Pool(activations=("relu",))) == 0
    assert with_kinks(Pool(activations=("relu",), kinks=True)) > 10


def test_networks_without_relu_have_no_dormant_vertex():
    case = Pool(activations=("linear",), kinks=True).draw(Random(7), n=1, loss=PRESCRIBED)
    assert make_dormant(case, Random(8)) == case
    assert not any(bends(case.network))


def test_adapt_has_the_last_word():
    pool = replace(
        Pool(families=("tree",)),
        adapt=lambda case, random: replace(
            case, network=case.network.with_activations({"o": LINEAR})
        ).choosing(seen="yes"),
    )
    assert pool.draw(Random(9), n=1, loss=PRESCRIBED).choice["seen"] == "yes"
