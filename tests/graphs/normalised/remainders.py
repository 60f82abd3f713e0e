"""The remainder of the series of E g_ij(M_gamma), as graphs.normalised.series derives its bound."""

from fractions import Fraction

from graphs.normalised.series import majorant


def remainder_constant(order: int, reach: Fraction) -> Fraction:
    """C_n(t_0) for n = order and t_0 = reach in (0, 1).

    >>> remainder_constant(3, Fraction(1, 2))
    Fraction(544, 1)

    Raises ValueError for a reach outside (0, 1).
    """
    if not 0 < reach < 1:
        raise ValueError(f"reach {reach}: give gamma d B <= reach with 0 < reach < 1")
    total = ((1 + reach) / (1 - reach)) ** 4
    known = sum((f * reach**k for k, f in enumerate(majorant(order)[:order])), Fraction(0))
    return (total - known) / reach**order


def largest_strength(width: int, bound: Fraction, reach: Fraction) -> Fraction:
    """The largest gamma for which a remainder bound with this reach holds: reach/(d B)."""
    return reach / (width * bound)


def remainder_bound(
    gamma: Fraction, width: int, bound: Fraction, order: int, reach: Fraction = Fraction(1, 2)
) -> Fraction:
    """What |g_ij(M_gamma) - its series up to gamma^(order-1)| can be at most, for each W with
    |W_kn| <= bound, hence for the mean. Raises ValueError where gamma d B > reach."""
    product = gamma * width * bound
    if product > reach:
        raise ValueError(f"gamma d B = {product} is above the reach {reach}")
    return remainder_constant(order, reach) * product**order


def lemma7_constant(
    width: int, bound: Fraction, reach: Fraction = Fraction(1, 2), *, symmetric: bool = False
) -> Fraction:
    """C with |(E|M_+|_F^2 - |M|_F^2)/gamma^2 - delta_F(M)| <= C gamma, for 0 < gamma d B <= reach;
    for a law with m_3 = 0 (symmetric) the bound is C gamma^2."""
    order = 4 if symmetric else 3
    pairs = width * (width - 1)
    return pairs * remainder_constant(order, reach) * (width * bound) ** order


def near_one_constant(order: int, reach: Fraction) -> Fraction:
    """K with |g_ij(M_gamma) - its series below gamma^order| <= K (1 - c) (gamma d B)^order for
    0 <= c <= 1 and gamma d B <= reach: four times that of any M."""
    return 4 * remainder_constant(order, reach)
