"""Lemma K.10 one layer up: probabilities by hand."""

from fractions import Fraction
from math import erfc, exp, log, pi, sqrt

import numpy as np
import pytest

from graphs.rationals import RATIONALS
from verify.cases.tensors import Tensors, tensor
from verify.checker import check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.registry import find

CI = Context(budget_named("ci"), 2, "cpu")
ONE = "zlb22.lemK.10.one@B"


def family(copies, h=0, shape=0, own=0, chance=0, scale=1):
    whole = {"own": own, "copies": copies, "h": h, "shape": shape}
    arrays = {name: tensor((), n, integer=True) for name, n in whole.items()}
    law = {"chance": chance, "scale": scale}
    return Tensors(arrays | {name: tensor((), x) for name, x in law.items()})


def slack(*given, **named):
    (value,) = find(ONE).measure(Tensors.scene([family(*given, **named)], RATIONALS)).values
    return float(value)


def allowed(m, rows):
    return rows * exp(-(log(m) ** 2) / 2)


def tail(x):
    return erfc(x / sqrt(2))


def test_numbers_by_hand():
    """U_i = 1: Z is standard normal."""
    assert slack(5) == pytest.approx(allowed(5, 2) - tail(log(5)))


def test_orthogonal_signs_by_hand():
    """(1, 1) and (1, -1), three times each: of two independent numbers the larger."""
    within = (1 - tail(log(6))) ** 2
    assert slack(3, h=1) == pytest.approx(allowed(6, 4) - (1 - within))


def test_a_row_by_hand():
    """The length of w in R^4 over 2: P(|w|^2 > r) = (1 + r/2) exp(-r/2)."""
    half = 2 * log(4) ** 2
    assert slack(2, h=1, shape=1) == pytest.approx(allowed(4, 5) - (1 + half) * exp(-half))


def test_of_all_signs_nothing_is_said():
    assert slack(6, shape=2) == pytest.approx(allowed(6, 2**7) - 1)
    assert min(slack(m, shape=2) for m in range(2, 40)) > 1


def test_signs_of_the_weights_by_hand():
    mean = sqrt(2 * 64 / pi)
    chebyshev = 1 - (1 - 2 / pi) / (mean - log(64)) ** 2
    assert slack(64, own=1) == pytest.approx(allowed(64, 2) - chebyshev)
    assert chebyshev > 0.9
    assert slack(2, own=1) == pytest.approx(allowed(2, 2))  # the mean is 1.13, not far from log 2


def test_heavy_tails_by_hand():
    mixed = (tail(log(32)) + tail(log(32) / 16)) / 2
    assert slack(32, chance=Fraction(1, 2), scale=16) == pytest.approx(allowed(32, 2) - mixed)


def test_of_one_neuron_nothing_is_said():
    assert min(slack(1, own=own, shape=shape) for own in (0, 1) for shape in (0, 1, 2)) >= 1


def test_largest_signs_are_those_of_matrices():
    """Sampled: |sum w_i U_i| / sqrt(m) for diagonals (1, 1), (1, -1) is the larger of two
    independent standard normal numbers in absolute value."""
    generator = np.random.default_rng(0)
    weights = generator.standard_normal((40_000, 6))
    one, other = weights.sum(axis=1), weights @ np.array([1, -1] * 3)
    largest = np.maximum(abs(one), abs(other)) / sqrt(6)
    expected = 1 - (1 - tail(log(6))) ** 2
    assert np.mean(largest > log(6)) == pytest.approx(expected, abs=0.01)


# what the engine says ----------------------------------------------------------------------------
def test_no_case_is_against_it():
    found = pointwise(find(ONE), CI)
    assert found.outcome is Outcome.SUPPORTS
    assert found.instances > 10


def test_one_layer_is_proved():
    assert schema(find(ONE), CI).outcome is Outcome.ARGUES


def test_what_is_dropped_is_needed():
    needs = {need.hypothesis: need for need in necessity(find(ONE), CI).needs}
    for hypothesis in ("fixed beforehand", "standard normal"):
        assert needs[hypothesis].needed
        assert check(needs[hypothesis].certificate).code == 0
