"""A bound on the remainder of the Taylor polynomial of g in the entries of Delta M, (66).

For unit diagonal M positive semidefinite, |W_kn| <= B and t = gamma d B, every entry of Delta M is
at most e = 2t + t^2 (see graphs.normalised.series: 2 gamma <h_i, w> + gamma^2 |w|^2 and the like).
The power series of g = (M_ij + b)^2/((1 + a)(1 + c)) in a, b, c has no coefficient larger than
that of (1 + b)^2/((1 - a)(1 - c)); so its part of order three and higher is at most

    G(e) - 1 - 4e - 8e^2,   G(e) = ((1 + e)/(1 - e))^2,

and, over t^3, that grows with t. So for 0 <= t <= t_0 with 2 t_0 + t_0^2 < 1 the remainder is at
most C(t_0) t^3 for each W in the cube, which is what step (b) of Lemma 7 says of its own B.
"""

from __future__ import annotations

from fractions import Fraction


def taylor_constant(reach: Fraction) -> Fraction:
    """C(t_0) with |remainder| <= C (gamma d B)^3 wherever gamma d B <= t_0 = reach.

    >>> taylor_constant(Fraction(1, 3))
    Fraction(4459, 3)

    Raises ValueError where 2 reach + reach^2 is not below 1.
    """
    size = 2 * reach + reach**2
    if reach <= 0 or size >= 1:
        raise ValueError(f"reach {reach}: give 0 < reach with 2 reach + reach^2 < 1")
    total = ((1 + size) / (1 - size)) ** 2
    return (total - 1 - 4 * size - 8 * size**2) / reach**3
