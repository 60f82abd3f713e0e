"""Lemmas K.4 to K.8 of zlb22: tails and shifts by hand, and what the engine says."""

from dataclasses import replace
from fractions import Fraction
from math import erfc, exp, isclose, pi, sqrt

import numpy as np
import pytest

from graphs.arithmetic import RATIONALS, rational
from verify import checker
from verify.deep import tensor_of
from verify.deep_scene import RealTensors
from verify.evidence import Outcome
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.zlb22 import gaussian_columns, gaussian_forms, gaussian_samples, shifts
from verify.papers.zlb22.gaussian_tails import (
    chi_tail,
    mixed,
    normal_tail,
    paired_tail,
    shifted_tail,
)
from verify.registry import find
from verify.runs.budgets import budget_named
from verify.tensors import Tensor

CI = Context(budget_named("ci"), 2, "cpu")
TWO = rational(2)


def number(value, integer=False):
    return Tensor((), (), (Fraction(value),), integer=integer)


def law(t, own=0, size=1, chance=0, scale=1, **more):
    """A case of Lemmas K.4 to K.8; arrays as lists, integers as given in `whole`."""
    arrays = {name: number(v) for name, v in {"t": t, "chance": chance, "scale": scale}.items()}
    for name, value in more.items():
        if isinstance(value, list):
            arrays[name] = tensor_of(("k" if name == "sizes" else "n",), value)
        else:
            arrays[name] = number(value, integer=name in ("row", "more", "copies"))
    return RealTensors(arrays | {"own": number(own, True), "size": number(size, True)})


def value(measure, case):
    found = measure(RealTensors.scene([case], RATIONALS)).values
    return [float(x) for x in found]


# tails --------------------------------------------------------------------------------------------
def test_tails_by_hand():
    assert isclose(float(normal_tail(TWO)), erfc(sqrt(2)))
    assert isclose(float(chi_tail(2, TWO)), exp(-2))
    assert isclose(float(chi_tail(4, TWO)), 3 * exp(-2))
    assert isclose(float(chi_tail(3, TWO)), erfc(sqrt(2)) + 2 * sqrt(2 / pi) * exp(-2))
    assert isclose(float(paired_tail([rational(1), TWO], TWO)), (4 * exp(-0.5) - exp(-2)) / 3)
    assert isclose(float(shifted_tail(TWO, TWO)), (1 + erfc(4 / sqrt(2))) / 2)


def test_tails_below_0_are_1():
    assert normal_tail(rational(-1)) == chi_tail(3, rational(-1)) == 1


def test_a_pair_of_sizes_is_a_vector_in_the_limit():
    near = [rational(1), rational(Fraction(1001, 1000))]
    assert abs(float(paired_tail(near, TWO)) - float(chi_tail(4, TWO))) < 2e-3


def test_a_mixture_weighs_two_scales():
    found = mixed(normal_tail, rational(Fraction(1, 4)), TWO, TWO)
    assert isclose(float(found), 0.75 * erfc(sqrt(2)) + 0.25 * erfc(1 / sqrt(2)))


@pytest.mark.parametrize("x", ["-3", "-1/2", "0", "1/7", "2", "5", "11", "30"])
def test_the_checker_encloses_the_error_function(x):
    found = checker.complementary(Fraction(x), 80)
    exact = erfc(float(Fraction(x)))
    assert float(found.low) <= exact * (1 + 1e-12)
    assert exact <= float(found.high) * (1 + 1e-12)
    assert found.high - found.low < Fraction(1, 2**70)


@pytest.mark.parametrize("dimension", [1, 2, 3, 6, 9])
def test_the_checker_knows_lengths_of_vectors(dimension):
    found = checker.length_tail(dimension, 80, checker.interval(Fraction(5, 2)))
    ours = float(chi_tail(dimension, rational(Fraction(5, 2))))
    assert isclose(float(found.low), ours)
    assert isclose(float(found.high), ours)


# the lemmas ---------------------------------------------------------------------------------------
def test_a_linear_form_by_hand():
    case = law(2, a=[3, 4])
    assert value(gaussian_forms.form_slack, case) == [pytest.approx(2 * exp(-2) - erfc(sqrt(2)))]
    assert value(gaussian_forms.form_slack, law(2, a=[0, 0])) == [pytest.approx(2 * exp(-2))]


def test_a_vector_made_of_the_weights_by_hand():
    # P(|w| > 2) = 3 exp(-2) in dimension 4: more than 2 exp(-2)
    assert value(gaussian_forms.form_slack, law(2, own=1, size=4, a=[1])) == [
        pytest.approx(-exp(-2))
    ]


def test_a_product_by_hand():
    # A = I_2: |w| > sqrt 2 + t
    case = law(1, sizes=[1])
    limit = (sqrt(2) + 1) ** 2 / 2
    assert value(gaussian_forms.product_slack, case) == [pytest.approx(2 * exp(-0.5) - exp(-limit))]


def test_a_series_by_hand():
    # the larger of |g| and |g'|/2 exceeds 2; nu = 1
    case = law(2, sizes=[1, Fraction(1, 2)], row=0, more=0)
    case = replace(case, arrays=case.arrays | {"sizes": tensor_of(("n",), (1, Fraction(1, 2)))})
    tail = 1 - (1 - erfc(sqrt(2))) * (1 - erfc(4 / sqrt(2)))
    assert value(gaussian_forms.series_slack, case) == [pytest.approx(4 * exp(-2) - tail)]


def test_one_row_by_hand():
    # a row (g, g'): its length exceeds 2 sqrt 2 with probability exp(-4); d1 + d2 = 3
    case = law(2, sizes=[1, 1], row=1, more=0)
    case = replace(case, arrays=case.arrays | {"sizes": tensor_of(("n",), (1, 1))})
    assert value(gaussian_forms.series_slack, case) == [pytest.approx(3 * exp(-2) - exp(-4))]


def test_equal_columns_by_hand():
    # sqrt(n) |w| > 4 (sqrt(n) + t + 1), n = 10^6, t = 4
    case = law(4, sizes=[1], row=0, copies=10**6)
    tail = erfc(4 * (1 + 5 / 1000) / sqrt(2))
    assert value(gaussian_columns.column_slack, case) == [pytest.approx(2 * exp(-16) - tail)]


def test_a_shifted_column_by_hand():
    case = law(1, R=2, D=2, copies=1)
    limit = 4 * (1 + 2 + 1 + 1)
    tail = (erfc((limit - 2) / sqrt(2)) + erfc((limit + 2) / sqrt(2))) / 2
    assert value(gaussian_columns.shifted_slack, case) == [pytest.approx(2 * exp(-1) - tail)]


PROVED = ("4", "5", "6", "7", "8", "4.sup", "6.shift", "7.shift", "8.shift")


@pytest.mark.parametrize("name", PROVED)
def test_arguments_hold(name):
    assert schema(find(f"zlb22.lemK.{name}"), CI).outcome is Outcome.PROVES


@pytest.mark.parametrize("name", PROVED)
def test_no_case_is_against_them(name):
    found = pointwise(find(f"zlb22.lemK.{name}"), CI)
    assert found.outcome is Outcome.SUPPORTS
    assert found.instances > 10


@pytest.mark.parametrize("name", ["4", "5", "6", "7", "8"])
def test_what_is_dropped_is_needed(name):
    found = {need.hypothesis: need for need in necessity(find(f"zlb22.lemK.{name}"), CI).needs}
    for hypothesis in ("fixed beforehand", "standard normal"):
        assert found[hypothesis].needed
        assert found[hypothesis].certificate is not None


@pytest.mark.parametrize("name", ["5", "6"])
def test_columns_must_be_independent(name):
    found = {need.hypothesis: need for need in necessity(find(f"zlb22.lemK.{name}"), CI).needs}
    assert found["independent columns"].certificate is not None


# shifts -------------------------------------------------------------------------------------------
def test_the_largest_form_by_hand():
    arrays = {name: tensor_of(("n",), v) for name, v in {"a": (3, 4), "w": (-1, 0)}.items()}
    case = RealTensors(arrays | {"D": tensor_of(("n",), (0, -1)), "R": number(2)})
    # 3 + 2 * 5 against |-3 - 4|; at D = -2 a/5 it is 3 + 10, times |a| = 5
    assert value(shifts.supremum, case) == [6, 0]


def test_shifts_by_hand():
    two = tensor_of(("n", "q", "N"), [[[2, 0], [0, 1]], [[0, 0], [1, 0]]])
    case = RealTensors({"A": two, "D": tensor_of(("n", "N"), [[1, 0], [0, 1]]), "R": number(2)})
    assert value(shifts.columns_shift, case) == [2 * 2 - 2]  # the columns (2, 0) and (0, 0)
    series = tensor_of(("n", "p", "q"), [[[1, 0]], [[0, 1]]])
    case = RealTensors({"A": series, "D": tensor_of(("n",), (3, 4)), "R": number(5)})
    assert value(shifts.series_shift, case) == [pytest.approx(5 * sqrt(2) - 5)]
    plain = RealTensors(
        {"A": tensor_of(("m", "n"), [[2, 0]]), "D": tensor_of(("n",), (0, 3)), "R": number(3)}
    )
    assert value(shifts.product_shift, plain) == [6]


# samples ------------------------------------------------------------------------------------------
def test_a_frequency_is_counted_a_little_too_high():
    assert gaussian_samples.slack_of(np.array([True, False, False]), 1.0) == 0.5


def test_samples_notice_a_bound_that_fails(monkeypatch):
    generator = np.random.default_rng(0)
    kept = gaussian_samples.columns_of("equal", 8, 1.0, 0, 100, generator)
    monkeypatch.setattr(gaussian_samples, "SMALL_CONSTANT", 0.5)
    lost = gaussian_samples.columns_of("equal", 8, 1.0, 0, 100, generator)
    assert kept > 0 > lost


@pytest.mark.parametrize("shape", sorted(gaussian_samples.SHAPES))
def test_products_stay_below_their_bound(shape):
    found = gaussian_samples.product_of(shape, 8, 2.0, 3, 1000, np.random.default_rng(1))
    assert found > 0


@pytest.mark.parametrize("shape", sorted(gaussian_samples.SERIES))
def test_series_stay_below_their_bound(shape):
    found = gaussian_samples.series_of(shape, 4, 3.0, 3, 300, np.random.default_rng(1))
    assert found > 0
