from fractions import Fraction
from math import inf, sqrt

import numpy as np
import pytest
import torch
from scipy import stats

from numerics.chains import laws
from numerics.chains.laws import menu

WIDTH = 9
LAWS = menu(WIDTH)
COUNT = 200_000


def drawn(law, count=COUNT, seed=5):
    """Independent entries, whatever the matrix is like."""
    generator = torch.Generator().manual_seed(seed)
    return law.draw(generator, count, 1, 1).flatten().numpy()


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_moments_are_those_of_the_draws(law):
    values = drawn(law)
    centred = values - float(law.mean)
    for power, wanted in ((1, 0.0), (2, float(law.variance)), (3, float(law.third))):
        sample = centred**power
        error = 5 * sample.std() / sqrt(COUNT) + 1e-12
        assert abs(sample.mean() - wanted) < error


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_the_support_is_kept_and_reached(law):
    values = drawn(law)
    assert values.min() >= law.low
    assert values.max() <= law.high
    if law.bound < inf and law.kind != laws.BETA:  # a beta law has next to nothing at its ends
        assert values.max() > law.high - 0.02 * law.bound
        assert values.min() < law.low + 0.02 * law.bound
    if law.bound == inf:
        assert np.abs(values).max() > 4 * sqrt(float(law.variance))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_symmetry_and_density_are_as_told(law):
    values = drawn(law)
    assert law.density == (len(np.unique(values)) > 3)
    distance = stats.ks_2samp(values, -drawn(law, seed=6)).pvalue
    assert (distance > 1e-4) == law.symmetric


CUMULATIVE = {
    "W-G": stats.norm.cdf,
    "W-U3": stats.uniform(-sqrt(3), 2 * sqrt(3)).cdf,
    "W-T(5)": lambda x: stats.t.cdf(x * sqrt(5 / 3), 5),
    "W-TRI": lambda x: 1 - (2 * sqrt(2) - x) ** 2 / 18,
    "W-BETA(6/5)": lambda x: stats.beta.cdf((x / 1.2 + 1) / 2, 0.22, 0.22),
    "W-BETA(2)": lambda x: stats.beta.cdf((x / 2 + 1) / 2, 1.5, 1.5),
    "W-BETA(4)": lambda x: stats.beta.cdf((x / 4 + 1) / 2, 7.5, 7.5),
}


@pytest.mark.parametrize("name", CUMULATIVE)
def test_draws_follow_the_distribution_function(name):
    law = next(law for law in LAWS if law.name == name)
    assert stats.kstest(drawn(law, 50_000), CUMULATIVE[name]).pvalue > 1e-4


def test_exact_moments_by_hand():
    law = laws.asymmetric()
    assert (law.mean, law.variance, law.third) == (0, 1, Fraction(3, 2))
    assert not law.symmetric
    wide = laws.three_points(2).scaled(Fraction(1, 3)).shifted(Fraction(1, 2))
    assert (wide.mean, wide.variance, wide.third) == (Fraction(1, 2), Fraction(1, 9), 0)
    assert wide.atoms == (
        (Fraction(-1, 6), Fraction(1, 8)),
        (Fraction(1, 2), Fraction(3, 4)),
        (Fraction(7, 6), Fraction(1, 8)),
    )
    assert laws.positive(4).mean == pytest.approx(0.5)
    assert laws.positive(4).variance == laws.torch_default(4).variance == Fraction(1, 12)
    assert laws.asymmetric().scaled(-1).third == pytest.approx(-1.5)


def test_which_laws_meet_the_definition():
    meets = {law.name for law in LAWS if law.standard}
    assert meets == {"W-G", "W-U3", "W-T(5)", "W-BETA(6/5)", "W-BETA(2)", "W-BETA(4)"}


def test_rows_and_symmetric_matrices():
    generator = torch.Generator().manual_seed(1)
    rows = laws.gaussian().with_equal_rows().draw(generator, 3, 4, 5)
    assert bool((rows == rows[..., :1]).all())
    assert len(rows[..., 0].unique()) == 12
    matrix = laws.uniform_up_to_one().with_symmetric_matrix().draw(generator, 3, 5, 5)
    assert bool((matrix == matrix.mT).all())
    assert len(matrix.unique()) == 3 * 15


@pytest.mark.parametrize(
    "make",
    [
        lambda: laws.three_points(Fraction(1, 2)),
        lambda: laws.beta(1),
        lambda: laws.student(3),
        lambda: laws.gaussian().scaled(0),
        lambda: laws.finite("x", [(1, Fraction(1, 2)), (2, Fraction(1, 3))]),
    ],
)
def test_laws_that_do_not_exist_are_refused(make):
    with pytest.raises(ValueError, match=r"give|need"):
        make()


def test_laws_by_their_names():
    assert laws.named("W-POS", 9) == laws.positive(9)
    assert {laws.named(law.name, 3).name for law in menu(3)} == {law.name for law in menu(3)}
    with pytest.raises(KeyError):
        laws.named("W-NONE", 3)
