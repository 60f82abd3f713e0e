"""Balls: the exact value lies in them, and they are small."""

from fractions import Fraction
from random import Random

import mpmath
import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graphs.activations import LINEAR, PIECEWISE_LINEAR, SMOOTH
from graphs.arithmetic import as_fraction
from graphs.evaluation import Union, evaluate
from graphs.random_graphs import random_dag
from graphs.rationals import RATIONALS
from graphs.strategies import inputs_for, networks, rationals, weighted_networks
from numerics.balls import Ball
from numerics.enclosures import Balls
from numerics.losses import HINGE, LOSSES, Loss

DEVICES = [
    "cpu",
    pytest.param(
        "cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
    ),
]
BALLS = Balls()
UNIT = 2.0**-53
numbers = st.one_of(
    rationals(50, 30),
    st.builds(lambda f, k: f * Fraction(2) ** k, rationals(10**9, 10**9), st.integers(-60, 60)),
    st.floats(-1e6, 1e6).map(Fraction),
)


# expressions ---------------------------------------------------------------------------------
@st.composite
def expressions(draw, depth: int = 4):
    """A tree of + - * over rationals, as a function of the arithmetic's `array`."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        number = draw(numbers)
        return lambda array: array([number])
    first = draw(expressions(depth=depth - 1))
    kind = draw(st.sampled_from(["+", "-", "*", "neg", "scale", "rsub", "twice"]))
    if kind == "neg":
        return lambda array: -first(array)
    if kind == "scale":
        factor = draw(rationals(7, 7))
        return lambda array: first(array) * factor
    if kind == "rsub":
        shift = draw(st.integers(-3, 3))
        return lambda array: shift - first(array)
    if kind == "twice":  # the same number twice: its balls know nothing of each other
        return lambda array: first(array) * 3 - first(array)
    second = draw(expressions(depth=depth - 1))
    if kind == "+":
        return lambda array: first(array) + second(array)
    if kind == "-":
        return lambda array: first(array) - second(array)
    return lambda array: first(array) * second(array)


def fractions(items):
    return np.array([Fraction(item) for item in items], dtype=object)


@pytest.mark.parametrize("device", DEVICES)
@given(expression=expressions())
def test_exact_values_of_expressions_lie_in_their_balls(device, expression):
    ball, exact = expression(Balls(device).array), expression(fractions)
    assert ball.contains(exact).all()
    middle, radius = ball.to_numpy()
    assert ball.lower().item() <= exact[0] <= ball.upper().item()
    negative, positive = BALLS.is_negative(ball), BALLS.is_negative(-ball)
    unknown = BALLS.may_be_zero(ball)
    assert [negative.dtype, unknown.dtype] == [bool, bool]
    assert (negative.astype(int) + positive + unknown).tolist() == [1]  # one of the three
    if exact[0] == 0:
        assert unknown.all()
    if ball.excludes_zero().all():
        assert (exact[0] > 0) == (middle[0] > 0)
    assert np.isfinite(radius).all()


@given(parts=st.lists(numbers, min_size=1, max_size=30))
def test_sums_of_products_are_tight(parts):
    """One product and at most 30 additions: within 50 units of the sum of magnitudes."""
    ball = BALLS.array(parts)
    total = (ball * ball).sum()
    exact = sum((part * part for part in parts), Fraction(0))
    assert total.contains(exact).all()
    assert float(total.rad) <= 50 * 2 * UNIT * float(exact) + 1e-300
    signed = ball.sum()
    assert signed.contains(sum(parts, Fraction(0))).all()
    assert float(signed.rad) <= 50 * 2 * UNIT * float(sum(map(abs, parts))) + 1e-300


@given(
    terms=st.lists(st.tuples(st.integers(0, 3), numbers, numbers), max_size=12),
    start=st.tuples(numbers, numbers, numbers, numbers),
)
def test_scattered_sums_enclose_the_exact_ones(terms, start):
    index = np.array([i for i, _, _ in terms], dtype=np.int64)
    rows = [[first, second] for _, first, second in terms]
    target = BALLS.array([[number, 0] for number in start])
    values = BALLS.array(rows) if rows else BALLS.zeros((0, 2))
    exact = np.array([[number, Fraction(0)] for number in start], dtype=object)
    sums = np.full((4, 2), Fraction(0), dtype=object)
    for i, first, second in terms:
        exact[i] += [first, second]
        sums[i] += [first, second]
    untouched = [i for i in range(4) if i not in index]
    before = target.copy()
    BALLS.add_at(target, index, values)
    assert target.contains(exact).all()
    assert torch.equal(target.rad[untouched], before.rad[untouched])
    found = BALLS.sum_at(values, index, 4)
    assert found.contains(sums).all()
    assert not found.rad[untouched].any()


def test_scattered_sums_change_the_array_itself():
    base = BALLS.zeros((3, 2))
    BALLS.add_at(base[1:], np.array([0, 0, 1]), BALLS.array([[1, 2], [3, 4], [5, 6]]))
    assert base.mid.tolist() == [[0, 0], [4, 6], [5, 6]]
    BALLS.add_at(base, np.array([0]), BALLS.array([[7]]))  # one column for both
    assert base.mid[0].tolist() == [7, 7]


# networks ------------------------------------------------------------------------------------
def exact_and_balls(net, weights, examples, balls=BALLS):
    union = Union.of([net])
    rows = [[x[i] for x in examples] for i in range(len(net.free_inputs))]
    edge_weights = net.edge_weights(weights)
    return [
        evaluate(union, arithmetic, arithmetic.array(edge_weights), arithmetic.array(rows))
        for arithmetic in (RATIONALS, balls)
    ]


def as_fractions(array):
    return np.vectorize(as_fraction, otypes=[object])(array)


@pytest.mark.parametrize("device", DEVICES)
@given(data=st.data())
def test_exact_values_of_networks_lie_in_their_balls(device, data):
    """With kinks, zero weights, shared, fixed and constant ones."""
    nets = networks(max_hidden=5, sharing=True, fixed=True, constants=True)
    net, weights = data.draw(weighted_networks(nets))
    examples = data.draw(st.lists(inputs_for(net), min_size=1, max_size=3))
    exact, ball = exact_and_balls(net, weights, examples, Balls(device))
    # at a true kink the ball may hold either slope, so only what is common to both is compared
    smooth = not exact.kinks.any()
    assert ball.pre.contains(as_fractions(exact.pre)).all()
    assert ball.post.contains(as_fractions(exact.post)).all()
    assert ball.slopes.contains(as_fractions(exact.slopes)).all()
    assert ball.edge_gradients.contains(as_fractions(exact.edge_gradients)).all()
    assert (ball.kinks | ~exact.kinks).all()
    certain = ball.pre.excludes_zero().cpu().numpy()
    assert not (ball.kinks & certain).any()
    assert smooth or ball.kinks.any()


@given(data=st.data())
@settings(max_examples=30)
def test_balls_of_shallow_networks_are_tight(data):
    nets = networks(max_hidden=3)
    net, weights = data.draw(weighted_networks(nets, zero=False))
    x = data.draw(inputs_for(net))
    _, ball = exact_and_balls(net, weights, [x])
    assume(not ball.kinks.any())
    magnitudes = evaluate(  # no cancellation: what a rounding is relative to
        Union.of([net.with_activations(dict.fromkeys(net.names[len(net.inputs) :], LINEAR))]),
        RATIONALS,
        RATIONALS.array([abs(w) for w in net.edge_weights(weights)]),
        RATIONALS.array([[abs(number)] for number in x]),
    )
    scale = np.array([[float(as_fraction(v)) for v in row] for row in magnitudes.post])
    assert (ball.post.to_numpy()[1] <= 50 * 2 * UNIT * scale + 1e-300).all()


def test_a_larger_network_stays_tight():
    random = Random(0)
    net = random_dag(random, 4, 40, 0.2)
    weights = [Fraction(random.randint(-64, 64) or 1, 64) for _ in net.parameter_names]
    examples = [[Fraction(random.randint(-9, 9), 9) for _ in range(4)] for _ in range(5)]
    exact, ball = exact_and_balls(net, weights, examples)
    assert ball.post.contains(as_fractions(exact.post)).all()
    assert ball.edge_gradients.contains(as_fractions(exact.edge_gradients)).all()
    error = ball.edge_gradients.to_numpy()
    assert error[1].max() <= 1e-12 * np.abs(error[0]).max()


def test_zeros_stay_exact():
    """A vertex without weight is 0 with (nearly) radius 0, not merely small."""
    net = random_dag(Random(1), 2, 3, 1.0)
    _, ball = exact_and_balls(net, [Fraction(0)] * net.parameter_count, [[Fraction(1, 3)] * 2])
    assert float(ball.post[np.array(net.outputs)].rad.max()) < 1e-300
    assert ball.kinks[[net.index["h1"]]].all()


# slopes --------------------------------------------------------------------------------------
@given(
    z=numbers,
    spread=st.sampled_from([Fraction(0), Fraction(1, 10**12), Fraction(3)]),
    inside=st.fractions(-1, 1, max_denominator=8),
    sides=st.sampled_from([(0, 1), (-1, 1), (Fraction(1, 3), 1), (1, 1)]),
)
def test_slope_times_z_encloses_the_activation_on_either_side(z, spread, inside, sides):
    ball = BALLS.array([[z]])
    ball = Ball(ball.mid, ball.rad + float(spread))
    left, right = (BALLS.array([[side]]) for side in sides)
    slope, kinks = BALLS.slopes(np.array([0]), ball, left, right)
    true = z + inside * spread  # any number of the ball
    expected = (sides[0] if true < 0 else sides[1]) * true
    assert (slope * ball).contains(expected).all()
    assert slope.contains(Fraction(sides[0] if true < 0 else sides[1])).all()
    assert kinks.dtype == bool
    assert bool(kinks[0, 0]) == (sides[0] != sides[1] and bool(ball.contains_zero()[0, 0]))


# functions -----------------------------------------------------------------------------------
TRUTH = {
    "tanh": (mpmath.tanh, lambda z: mpmath.sech(z) ** 2),
    "softplus": (lambda z: mpmath.log1p(mpmath.exp(z)), lambda z: 1 / (1 + mpmath.exp(-z))),
    "sigmoid": (
        lambda z: 1 / (1 + mpmath.exp(-z)),
        lambda z: 1 / (2 + mpmath.exp(-z) + mpmath.exp(z)),
    ),
}
LOSS_SLOPES = {
    "logistic": lambda z: -1 / (1 + mpmath.exp(z)),
    "exponential": lambda z: -mpmath.exp(-z),
    "squared": lambda z: 2 * (z - 1),
    "hinge": lambda z: mpmath.mpf(-1 if z < 1 else 0),
}
points = st.one_of(st.floats(-30, 30), st.floats(-800, 800), st.floats(-1e-3, 1e-3))
radii = st.sampled_from([0.0, 1e-15, 1e-6, 0.5, 3.0])


def truth(function, z: Fraction) -> Fraction:
    """At 60 digits, whose own error is far below that of any ball here."""
    with mpmath.workdps(60):
        value = function(mpmath.mpf(z.numerator) / z.denominator)
        return Fraction(int(mpmath.floor(mpmath.ldexp(value, 1200)))) / 2**1200


@pytest.mark.parametrize("kind", SMOOTH)
@given(z=points, rad=radii, inside=st.fractions(-1, 1, max_denominator=4))
def test_smooth_activations_lie_in_their_balls(kind, z, rad, inside):
    ball = Ball(torch.tensor([z], dtype=torch.float64), torch.tensor([rad], dtype=torch.float64))
    true = Fraction(z) + inside * Fraction(rad)
    for found, function in zip(BALLS.smooth(kind, ball), TRUTH[kind], strict=True):
        exact = truth(function, true)
        slack = Fraction(1, 2**1190)
        assert abs(exact - Fraction(found.mid.item())) <= Fraction(found.rad.item()) + slack
        if rad == 0.0:  # relatively tight, also where the activation saturates
            assert float(found.rad) <= 80 * UNIT * abs(float(found.mid)) + 1e-300
        elif rad < 1e-5:
            assert float(found.rad) <= 4 * rad + 80 * UNIT * abs(float(found.mid))


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
@given(z=st.floats(-600, 600), rad=radii, inside=st.fractions(-1, 1, max_denominator=4))
def test_loss_derivatives_lie_in_their_balls(loss, z, rad, inside):
    ball = Ball(torch.tensor([z], dtype=torch.float64), torch.tensor([rad], dtype=torch.float64))
    found = BALLS.loss_derivative(loss, ball)
    exact = truth(LOSS_SLOPES[loss.name], Fraction(z) + inside * Fraction(rad))
    slack = Fraction(1, 2**1190)
    assert abs(exact - Fraction(found.mid.item())) <= Fraction(found.rad.item()) + slack
    if rad == 0.0 and loss is not HINGE:
        assert float(found.rad) <= 40 * UNIT * max(abs(float(found.mid)), abs(z)) + 1e-300


@pytest.mark.parametrize(("function", "low"), [("exp", -700.0), ("log1p", 0.0), ("tanh", -20.0)])
def test_the_library_is_as_good_as_it_is_trusted_to_be(function, low):
    """Four units in the last place, in vectors of every length (they take other code paths)."""
    sample = np.random.default_rng(0).uniform(low, -low or 1.0, size=403)
    for piece in (sample[:400], sample[400:]):
        found = getattr(torch, function)(torch.from_numpy(piece)).tolist()
        for z, value in zip(piece.tolist(), found, strict=True):
            exact = truth(getattr(mpmath, function), Fraction(z))
            assert abs(Fraction(value) - exact) <= 4 * Fraction(float(np.spacing(abs(value))))


def test_a_loss_without_enclosure_is_refused():
    class Other(Loss):
        name = "other"
        _value = _derivative = _log_value = staticmethod(torch.exp)

    with pytest.raises(ValueError, match="loss 'other' has no enclosure"):
        BALLS.loss_derivative(Other(), BALLS.array([1]))
    with pytest.raises(ValueError, match="unknown smooth activation 'relu'"):
        BALLS.smooth(PIECEWISE_LINEAR[1], BALLS.array([1]))


# arrays --------------------------------------------------------------------------------------
def test_indexing_as_numpy_does():
    exact = np.arange(12).reshape(3, 4)
    ball = BALLS.array(exact)
    keys = [
        1,
        np.int64(2),
        slice(1, None),
        (slice(None), 2),
        np.array([2, 0, 2]),
        [0, 1],
        np.array([True, False, True]),
        (np.array([0, 2]), np.array([1, 3])),
        (slice(None), None),
        (Ellipsis, np.array([1])),
        np.array([]),
    ]
    for key in keys:
        numpy_key = key.astype(int) if isinstance(key, np.ndarray) and not key.size else key
        assert ball[key].mid.tolist() == exact[numpy_key].tolist()
        assert ball[key].shape == exact[numpy_key].shape
    ball[np.array([0, 1])] = BALLS.array([[Fraction(1, 3)] * 4] * 2)
    assert ball[2].rad.max() == 0
    assert ball[0].rad.min() > 0
    ball[0, 1] = 5
    assert ball.mid[0, 1] == 5
    assert ball.rad[0, 1] == 0
    assert (len(ball), ball.ndim, ball.reshape(2, 6).shape) == (3, 2, (2, 6))


def test_numpy_arrays_and_rationals_on_either_side():
    ball = BALLS.array([1, 2])
    rows = np.array([[1.0], [0.5]])
    for result in (ball * rows, rows * ball):
        assert result.mid.tolist() == [[1.0, 2.0], [0.5, 1.0]]
    assert (Fraction(1, 2) - ball).mid.tolist() == [-0.5, -1.5]
    assert (ball / 4).mid.tolist() == [0.25, 0.5]
    assert (
        (np.array([Fraction(1, 3), 2], dtype=object) + ball)
        .contains([Fraction(4, 3), Fraction(4)])
        .all()
    )
    assert abs(BALLS.array([-3])).mid.tolist() == [3.0]
    assert BALLS.array(ball) is ball
    assert BALLS.square_roots([Fraction(1, 4), Fraction(2)]).shape == (2, 1)
    assert BALLS.square_roots([Fraction(1, 4)]).rad.item() == 0.0


def test_overflow_means_that_nothing_is_known():
    huge = BALLS.array([1e300]) * BALLS.array([1e300])
    for ball in (huge, huge - huge, -huge):
        assert ball.contains_zero().all()
        assert ball.contains([Fraction(7)]).all()
        assert ball.lower().item() == -np.inf
    tiny = BALLS.array([Fraction(1, 2**700)])
    assert (tiny * tiny * tiny).contains([Fraction(1, 2**2100)]).all()


def test_flushing_small_numbers_to_zero_is_noticed():
    if not torch.set_flush_denormal(True):
        pytest.skip("this processor cannot flush")
    try:
        with pytest.raises(RuntimeError, match="set_flush_denormal"):
            Balls()
    finally:
        torch.set_flush_denormal(False)
