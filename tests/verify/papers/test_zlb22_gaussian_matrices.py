"""Lemmas K.4 to K.8 of zlb22: tails by hand, and what the engine says."""

from fractions import Fraction
from math import erfc, exp, pi, sqrt
from random import Random

import numpy as np
import pytest

from graphs.rationals import RATIONALS
from tests.verify.arrays import worth_in
from tests.verify.papers.looking import looking
from verify.cases.tensors import Tensors, tensor
from verify.checker import check
from verify.core.evidence import Outcome
from verify.language.building import Number
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.registry import find
from verify.papers.zlb22 import gaussian_samples
from verify.papers.zlb22.gaussian_laws import size, sizes
from verify.papers.zlb22.gaussian_tails import (
    by_law,
    chi_tail,
    normal_tail,
    paired_tail,
    shifted_tail,
)
from verify.search.judging import judge_exactly

CI = looking("ci", 2)
X = Number("x")
HEAVY = {"chance": Fraction(1, 2), "scale": 16}


def law(t, own=0, size=1, chance=0, scale=1, axis="k", **more):
    """A case of Lemmas K.4 to K.8; arrays as lists."""
    arrays = {name: tensor((), v) for name, v in {"t": t, "chance": chance, "scale": scale}.items()}
    for name, value in {"own": own, "size": size, **more}.items():
        whole = name in ("own", "size", "row", "more", "copies")
        axes = (axis,) if isinstance(value, list) else ()
        arrays[name] = tensor(axes, value, integer=whole)
    return Tensors(arrays)


def slack(name, case):
    """The printed bound less the probability, as the statement has them."""
    (value,) = find(f"zlb22.lemK.{name}").measure(Tensors.scene([case], RATIONALS)).values
    return float(value)


def worth(term, x, **more):
    """The value of a tail at x."""
    return float(worth_in(term, Tensors({"x": tensor((), x), **law(1, **more).arrays})))


# tails --------------------------------------------------------------------------------------------
def test_tails_by_hand():
    assert worth(normal_tail(X), 2) == pytest.approx(erfc(sqrt(2)))
    assert worth(paired_tail(sizes, X), 2, sizes=[1, 2]) == pytest.approx(
        (4 * exp(-0.5) - exp(-2)) / 3
    )
    assert worth(shifted_tail(X, X), 2) == pytest.approx((1 + erfc(4 / sqrt(2))) / 2)


@pytest.mark.parametrize(
    ("dimension", "expected"),
    [
        (1, erfc(sqrt(2))),
        (2, exp(-2)),
        (3, erfc(sqrt(2)) + 2 * sqrt(2 / pi) * exp(-2)),
        (4, 3 * exp(-2)),
        (5, erfc(sqrt(2)) + (2 + 8 / 3) * sqrt(2 / pi) * exp(-2)),
    ],
)
def test_lengths_of_vectors_by_hand(dimension, expected):
    assert worth(chi_tail(size, X), 2, size=dimension) == pytest.approx(expected)
    assert worth(chi_tail(size, X), 0, size=dimension) == 1


@pytest.mark.parametrize("dimension", [1, 2, 5, 8])
def test_lengths_of_drawn_vectors(dimension):
    lengths = np.linalg.norm(np.random.default_rng(3).standard_normal((40_000, dimension)), axis=1)
    for x in (1, 2, 3):
        expected = worth(chi_tail(size, X), x, size=dimension)
        assert np.mean(lengths > x) == pytest.approx(expected, abs=0.01)


def test_tails_below_0_are_1():
    assert worth(normal_tail(X), -1) == worth(chi_tail(size, X), -1, size=3) == 1
    assert worth(shifted_tail(X, X), -1) == worth(paired_tail(sizes, X), -1, sizes=[1, 2]) == 1


def test_a_pair_of_sizes_is_a_vector_in_the_limit():
    near = worth(paired_tail(sizes, X), 2, sizes=[1, Fraction(1001, 1000)])
    assert abs(near - worth(chi_tail(size, X), 2, size=4)) < 2e-3


def test_equal_sizes_have_no_such_tail():
    case = Tensors({"x": tensor((), 2), **law(1, sizes=[1, 1]).arrays})
    assert worth_in(paired_tail(sizes, X), case) is None


def test_a_mixture_weighs_two_scales():
    found = worth(by_law(normal_tail, X), 2, chance=Fraction(1, 4), scale=2)
    assert found == pytest.approx(0.75 * erfc(sqrt(2)) + 0.25 * erfc(1 / sqrt(2)))


# the lemmas ---------------------------------------------------------------------------------------
def test_a_linear_form_by_hand():
    assert slack("4", law(2, a=[3, 4], axis="n")) == pytest.approx(2 * exp(-2) - erfc(sqrt(2)))
    assert slack("4", law(2, a=[0, 0], axis="n")) == pytest.approx(2 * exp(-2))


def test_a_vector_made_of_the_weights_by_hand():
    # P(|w| > 2) = 3 exp(-2) in dimension 4: more than 2 exp(-2)
    case = law(2, own=1, size=4, a=[1], axis="n")
    assert slack("4", case) == pytest.approx(-exp(-2))
    assert not judge_exactly(find("zlb22.lemK.4"), case).admitted


def test_a_product_by_hand():
    # A = I_2: |w| > sqrt 2 + t
    limit = (sqrt(2) + 1) ** 2 / 2
    assert slack("7", law(1, sizes=[1])) == pytest.approx(2 * exp(-0.5) - exp(-limit))


def test_a_series_by_hand():
    # the larger of |g| and |g'|/2 exceeds 2; nu = 1; a third matrix is 0
    case = law(2, sizes=[1, 0, Fraction(-1, 2)], row=0, more=1, axis="n")
    tail = 1 - (1 - erfc(sqrt(2))) * (1 - erfc(4 / sqrt(2)))
    assert slack("8", case) == pytest.approx(7 * exp(-2) - tail)


def test_one_factor_is_common_to_a_series():
    # both numbers are 16 times as large in one of two draws
    case = law(2, sizes=[1, 1], row=0, more=0, axis="n", **HEAVY)
    tails = [1 - (1 - erfc(x / sqrt(2))) ** 2 for x in (2, 2 / 16)]
    assert slack("8", case) == pytest.approx(4 * exp(-2) - sum(tails) / 2)


def test_one_row_by_hand():
    # a row (g, g'): its length exceeds 2 sqrt 2 with probability exp(-4); d1 + d2 = 3
    case = law(2, sizes=[1, 1], row=1, more=0, axis="n")
    assert slack("8", case) == pytest.approx(3 * exp(-2) - exp(-4))


def test_equal_columns_by_hand():
    # sqrt(n) |w| > 4 (sqrt(n) + t + 1), n = 10^6, t = 4
    case = law(4, sizes=[1], row=0, copies=10**6)
    tail = erfc(4 * (1 + 5 / 1000) / sqrt(2))
    assert slack("5", case) == pytest.approx(2 * exp(-16) - tail)


def test_a_shifted_column_by_hand():
    case = law(1, R=2, D=2, copies=1)
    limit = 4 * (1 + 2 + 1 + 1)
    tail = (erfc((limit - 2) / sqrt(2)) + erfc((limit + 2) / sqrt(2))) / 2
    assert slack("6", case) == pytest.approx(2 * exp(-1) - tail)


# tails that are seen: half of the draws are larger by the factor 16 ------------------------------


def paired(x):
    """P((g_1^2 + g_2^2) + 4 (g_3^2 + g_4^2) > x^2)."""
    return (4 * exp(-(x**2) / 8) - exp(-(x**2) / 2)) / 3


@pytest.mark.parametrize(
    ("row", "limit"), [(1, 4 * 2 * (sqrt(4) + 1 + 1)), (0, 4 * (2 * (1 + 1) + sqrt(10)))]
)
def test_columns_of_two_sizes_by_hand(row, limit):
    """max |A_i| (sqrt n + t) + max |A_i|_F: one row of four columns, or one column."""
    case = law(1, sizes=[1, 2], row=row, copies=1, **HEAVY)
    tail = (paired(limit) + paired(limit / 16)) / 2
    assert tail > 0.1
    assert slack("5", case) == pytest.approx(2 * exp(-1) - tail)


def test_a_shifted_column_with_heavy_tails_by_hand():
    def shifted(shift, x):
        return (erfc((x - shift) / sqrt(2)) + erfc((x + shift) / sqrt(2))) / 2

    limit = 4 * (1 + 2 + 1 + 1)
    tail = (shifted(2, limit) + shifted(2 / 16, limit / 16)) / 2
    case = law(1, R=2, D=2, copies=1, **HEAVY)
    assert slack("6", case) == pytest.approx(2 * exp(-1) - tail)


@pytest.mark.parametrize(
    ("chance", "scale", "standard"),
    [(0, 9, True), (Fraction(1, 2), 1, True), (Fraction(1, 2), 2, False)],
)
def test_a_factor_of_1_leaves_the_weights_standard(chance, scale, standard):
    judged = judge_exactly(
        find("zlb22.lemK.4"), law(1, a=[1], axis="n", chance=chance, scale=scale)
    )
    assert bool(judged.admitted) is standard


PROVED = ("4", "5", "6", "7", "8")


@pytest.mark.parametrize("name", PROVED)
def test_arguments_hold(name):
    assert schema(find(f"zlb22.lemK.{name}"), CI).outcome is Outcome.ARGUES


@pytest.mark.parametrize("name", PROVED)
def test_no_case_is_against_them(name):
    found = pointwise(find(f"zlb22.lemK.{name}"), CI)
    assert found.outcome is Outcome.SUPPORTS
    assert found.instances > 10


@pytest.mark.parametrize("name", PROVED)
def test_what_is_dropped_is_needed(name):
    claim = find(f"zlb22.lemK.{name}")
    found = {need.hypothesis: need for need in necessity(claim, CI).needs}
    shown = {key: need.certificate for key, need in found.items() if need.certificate is not None}
    assert {"fixed beforehand", "standard normal"} <= shown.keys()
    assert (name in ("5", "6")) == ("independent columns" in shown)
    assert (name == "6") == ("shift in the ball" in shown)
    for certificate in shown.values():
        assert check(certificate).code == 0


def test_a_bound_next_to_0_is_written_in_few_digits():
    # 2 exp(-65536), of which 28,462 digits are 0
    statement = find("zlb22.lemK.5").terms
    case = law(-256, sizes=[1], row=0, copies=1)
    made = statement.certificate("necessity", case, [], "level at least 0")
    assert len(str(made["value"])) < 3000
    assert check(made).code == 0


def test_levels_and_sizes_at_which_a_smaller_bound_fails():
    """With |A|_F or |A| too small, or without t, the probability is above the printed one on some
    of the cases that are drawn."""
    random, seen = Random(0), set()
    for _ in range(200):
        case = find("zlb22.lemK.7").pool.draw(random)
        t, found = float(case.number("t")), [float(s) for s in case.arrays["sizes"].entries]
        if case.number("own") or case.number("chance") or t < 2:
            continue
        frobenius, largest = sqrt(2 * sum(s * s for s in found)), max(found)
        bounds = {
            "|A|_F without the factor 2": frobenius / sqrt(2) + t * largest,
            "the least singular value": frobenius + t * min(found),
            "no level": frobenius,
            "as printed": frobenius + t * largest,
        }
        exact = list(case.arrays["sizes"].entries)
        for name, bound in bounds.items():
            tail = worth(paired_tail(sizes, X), Fraction(bound), sizes=exact)
            seen |= {name} if tail > 2 * exp(-(t**2) / 2) else set()
    assert seen == {"|A|_F without the factor 2", "the least singular value", "no level"}


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


class Drawn:
    """A generator whose draws are known."""

    def __init__(self, *vector):
        self.vector = np.array(vector, dtype=float)

    def standard_normal(self, shape):
        return np.broadcast_to(self.vector, shape)


def failing(slack, bound, draws):
    """The share of draws that fail, as a slack tells it."""
    return (bound - slack) * (draws + 1) - 1


def test_a_sampled_product_is_moved_along_the_leading_direction(monkeypatch):
    """A = diag(2, 1) at R = 3, without noise: |A Delta| = 6, above |A|_F + (t + R) 2 at t = -2."""
    monkeypatch.setitem(gaussian_samples.SHAPES, "known", lambda n, g: np.diag([2.0, 1.0]))
    found = gaussian_samples.product_of("known", 2, -2.0, 3, 5, Drawn(0, 0))
    assert failing(found, 2 * exp(-2), 5) == pytest.approx(5)


@pytest.mark.parametrize(("level", "failures"), [(1.1, 0), (0.9, 5)])
def test_the_variance_of_a_sampled_series(monkeypatch, level, failures):
    """Units of the first row of 3 x 2 matrices: |sum A A^T| = 2, |Z| = sqrt 2 at (1, 1)."""
    units = np.zeros((2, 3, 2))
    units[0, 0, 0] = units[1, 0, 1] = 1
    monkeypatch.setitem(gaussian_samples.SERIES, "known", lambda n, g: units)
    found = gaussian_samples.series_of("known", 3, level, 0, 5, Drawn(1, 1))
    assert failing(found, 5 * exp(-(level**2) / 2), 5) == pytest.approx(failures)


@pytest.mark.parametrize(
    ("draws", "level", "radius", "failures"),
    [
        ((0, 0), -3.43, 3, 0),  # one column of length 3, below 3.6
        ((0, 0), -3.9, 3, 5),  # above 2.9
        ((0, 4), 0.0, 0, 5),  # both columns are (4, 0) in the case below
    ],
)
def test_sampled_columns(monkeypatch, draws, level, radius, failures):
    """M = [A w_1, A w_2] and a displacement of length R in all."""
    known = np.eye(2) if radius else np.array([[0.0, 1.0], [0.0, 0.0]])
    monkeypatch.setitem(gaussian_samples.COLUMNS, "known", lambda n, g: np.stack([known] * 2))
    found = gaussian_samples.columns_of("known", 2, level, radius, 5, Drawn(*draws))
    assert failing(found, 2 * exp(-(level**2)), 5) == pytest.approx(failures)
