"""The weight laws: their moments, bounds and symmetry."""

from fractions import Fraction

import pytest
import sympy

from graphs.normalised import laws
from graphs.normalised.laws import FiniteLaw, finite_law

STANDARD = [
    laws.rademacher(),
    laws.three_points(1),
    laws.three_points("3/2"),
    laws.asymmetric(),
    laws.gaussian(),
    laws.uniform_unit_variance(),
    laws.student(),
    laws.beta(2),
]


@pytest.mark.parametrize("law", STANDARD, ids=lambda law: law.name)
def test_mean_zero_and_variance_one(law):
    assert law.moments[:2] == (0, 1)
    assert not law.symmetric or law.moments[2] == 0


def test_moments_by_hand():
    assert laws.asymmetric().moments == (0, 1, Fraction(3, 2), Fraction(13, 4))
    assert laws.three_points(2).moments == (0, 1, 0, 4)
    assert laws.three_points(1) == FiniteLaw("W-3(1)", (-1, 1), (Fraction(1, 2), Fraction(1, 2)))
    assert laws.uniform_unit_interval().moments == (0, Fraction(1, 3), 0, Fraction(1, 5))


x = sympy.Symbol("x", real=True)
ROOT3 = sympy.sqrt(3)
DENSITIES = [
    (laws.uniform_unit_variance(), 1 / (2 * ROOT3), (-ROOT3, ROOT3)),
    (laws.uniform_unit_interval(), sympy.Rational(1, 2), (-1, 1)),
    (laws.beta(3), sympy.Rational(35, 96) * (1 - x**2 / 9) ** 3, (-3, 3)),
    (laws.gaussian(), sympy.exp(-(x**2) / 2) / sympy.sqrt(2 * sympy.pi), (-sympy.oo, sympy.oo)),
]


@pytest.mark.parametrize(
    ("law", "density", "span"), DENSITIES, ids=lambda v: getattr(v, "name", "")
)
def test_moments_are_those_of_the_density(law, density, span):
    for order, moment in enumerate(law.moments, 1):
        computed = sympy.integrate(density * x**order, (x, *span))
        assert sympy.nsimplify(computed) == sympy.Rational(str(moment))
    if law.squared_bound is not None:
        assert max(end**2 for end in span) == sympy.Rational(str(law.squared_bound))


def test_shifts_and_scales_agree_with_finite_laws():
    finite = laws.asymmetric()
    other = laws.MomentLaw("other", finite.moments, finite.squared_bound, symmetric=False)
    assert finite.shifted("1/3").moments == other.shifted("1/3").moments
    assert finite.scaled(3).moments == other.scaled(3).moments
    assert finite.scaled(3).squared_bound == other.scaled(3).squared_bound == 36
    assert finite.scaled(-1).atoms == (-2, Fraction(1, 2))
    assert not laws.rademacher().shifted(1).symmetric


@pytest.mark.parametrize(
    "masses", [[(1, "1/2")], [(1, "3/2"), (0, "-1/2")], [(1, 0), (2, 1)]], ids=str
)
def test_what_is_no_law_is_refused(masses):
    with pytest.raises(ValueError, match="masses"):
        finite_law("none", masses)


def test_equal_values_are_merged():
    assert finite_law("one", [(1, "1/2"), (1, "1/2")]).atoms == (1,)
    with pytest.raises(ValueError, match="distinct"):
        FiniteLaw("two", (Fraction(1), Fraction(1)), (Fraction(1, 2), Fraction(1, 2)))


def test_parameters_out_of_range_are_refused():
    for call in (lambda: laws.three_points("1/2"), lambda: laws.beta(1)):
        with pytest.raises(ValueError, match="give"):
            call()
