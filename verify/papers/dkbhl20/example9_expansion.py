"""The mean of |M_+|_F^2 in Example 9, as a power series in gamma.

Unit diagonal, rows of one norm and d - 1 equal eigenvalues e say M = D (e I + (1 - e) 1 1^T) D with
signs D, so the spectrum decides; e = s gamma^2, printed is s = 1. The entries of W are i.i.d. For
weights in [-B, B] all means here are power series in gamma, and their first terms decide for small
gamma. With E|M_+|_F^2 - |M|_F^2 = c_3 gamma^3 + c_4 gamma^4 + ... and h_ij = 1 - [M_+]_ij^2:

h = gamma^2 (2 s + gamma h' + gamma^2 h'' + ...), as M without weights has 2 s gamma^2 - s^2
gamma^4. The leading eigenvalue is an analytic function of h at 0, d - sum h/(2d) + a quadratic form
+ ..., and that form is 4 s^2 gamma^4 of one value before and after the step; so E[lambda_+]_1 -
lambda_1 = (c_3 gamma^3 + c_4 gamma^4)/(2d) + ..., and E[lambda_+^2]_1 - lambda_1^2 = c_3 gamma^3 +
c_4 gamma^4 + .... The upper bounds hold without expansions, see `eigenvalue_steps`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from graphs.normalised.equal_correlations import (
    GENERATORS,
    at_equal_correlations,
    correlation_ring,
)
from graphs.normalised.index_sums import over_distinct
from graphs.normalised.series import mean_coefficients
from graphs.rings import Polynomial

InWidth = Mapping[int, Fraction]  # a polynomial in d: coefficient by exponent


@cache
def slope(order: int) -> Polynomial:
    """The derivative at c = 1, still with c, of the coefficient of gamma^order of E|M_+|_F^2."""
    sums = over_distinct(mean_coefficients(2)[order])
    ring = correlation_ring()
    return ring.derivative(at_equal_correlations(sums), GENERATORS.index("c"))


def coefficient(order: int, s: Fraction, first: Fraction, second: Fraction) -> InWidth:
    """c_3 or c_4 (order 3 or 4) for weights of these moments: 1 - c = s gamma^2 times the slope of
    the coefficient two orders below; those at c = 1 are 0, as rank one is kept."""
    found: dict[int, Fraction] = {}
    known = {"m1": first, "m2": second}
    for exponents, number in correlation_ring().terms(slope(order - 2)).items():
        term, at = -s * number, dict(zip(GENERATORS, exponents, strict=True))
        for name, value in known.items():
            term *= value ** at[name]
        found[at["d"]] = found.get(at["d"], Fraction(0)) + term
    return {exponent: number for exponent, number in found.items() if number}
