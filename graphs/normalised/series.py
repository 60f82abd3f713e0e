"""E_W g_ij(M_gamma) as a power series in gamma for every d, and a bound on its remainder.

The series: M_gamma,ii = 1 + 2 gamma p + gamma^2 q with p = [W M]_ii, q = [W M W^T]_ii, the same
for jj, and M_gamma,ij = M_ij + gamma u + gamma^2 v. The coefficients of g are index sums
(graphs.normalised.index_sums), so M, d and the moments of a weight are symbols.

The remainder, for unit diagonal M positive semidefinite and all |W_ij| <= B. Write D = d B. Let
h_1, ..., h_d be unit vectors with M_kn = <h_k, h_n>, w = sum_k W_ik h_k and z = sum_k W_jk h_k, so
that |w|, |z| <= D. Then p = <h_i, w> and q = |w|^2 <= D^2, and p^2 <= q (Cauchy, Schwarz). So
1 + 2 gamma p + gamma^2 q = (1 - gamma c)(1 - gamma c') with c, c' complex conjugates of modulus
sqrt q <= D, and the n-th coefficient of its inverse, the sum over k of c^k c'^(n-k), is at most
(n + 1) D^n. The coefficients of M_gamma,ij = <h_i + gamma w, h_j + gamma z> are at most 1, 2D, D^2.
So the n-th coefficient of g is at most D^n f_n, where

    F(t) = ((1 + t)/(1 - t))^4 = sum_n f_n t^n = 1 + 8t + 32t^2 + ...

(the square of (1 + t)^2 by the square of 1/(1 - t)^2), the series converges for gamma D < 1, and
for 0 <= gamma D <= t_0 < 1 the remainder after gamma^(n-1) is at most C_n(t_0) (gamma D)^n with
C_n(t_0) = (F(t_0) - sum_(k<n) f_k t_0^k) / t_0^n, as all f_k are positive. This holds for each W,
hence for the mean over any law on [-B, B].
"""

from __future__ import annotations

from fractions import Fraction

from graphs.normalised.increments import Fact, linear_part, printed_change, quadratic_part
from graphs.normalised.index_means import mean
from graphs.normalised.index_sums import Sums, assuming, m_entry, zero
from graphs.rings import ring_of


# the series --------------------------------------------------------------------------------------
def _product(one: list[Sums], other: list[Sums], order: int) -> list[Sums]:
    found = [zero() for _ in range(order + 1)]
    for i, left in enumerate(one):
        for j, right in enumerate(other[: order + 1 - i]):
            found[i + j] = found[i + j] + left * right
    return found


def _inverse(letter: str, order: int) -> list[Sums]:
    """1/(1 + 2 gamma p + gamma^2 q) of a row: e_n = -2 p e_(n-1) - q e_(n-2)."""
    twice, square = linear_part(letter, letter), quadratic_part(letter, letter)
    found = [zero() + 1]
    for n in range(1, order + 1):
        term = -(twice * found[n - 1])
        found.append(term - square * found[n - 2] if n > 1 else term)
    return found


def coefficients(order: int) -> list[Sums]:
    """g_ij(M_gamma) as a polynomial in the entries of W and M by power of gamma, to an order."""
    entry = [m_entry("i", "j"), linear_part("i", "j"), quadratic_part("i", "j")][: order + 1]
    upper = _product(entry, entry, order)
    return _product(upper, _product(_inverse("i", order), _inverse("j", order), order), order)


def mean_coefficients(order: int) -> list[Sums]:
    """E_W g_ij(M_gamma) by power of gamma to an order of at most 4; m_1 to m_4 are symbols."""
    return [mean(part) for part in coefficients(order)]


def standard_coefficients(order: int) -> list[Sums]:
    """`mean_coefficients` for mean zero and variance one."""
    return [assuming(part, m1=0, m2=1) for part in mean_coefficients(order)]


def series_facts() -> list[Fact]:
    """What the series to gamma^3 says, for every d."""
    constant, first, second, third = standard_coefficients(3)
    m = m_entry("i", "j")
    return [
        ("the coefficient of gamma^0 is g_ij(M)", constant == m * m),
        ("the coefficient of gamma vanishes where m_1 = 0", first == zero()),
        ("the coefficient of gamma^2 is (74) where m_1 = 0, m_2 = 1", second == printed_change()),
        ("that of gamma^3 is a multiple of m_3", assuming(third, m3=0) == zero()),
        ("and not zero for every M and d where m_3 is not 0", third != zero()),
    ]


# the remainder -----------------------------------------------------------------------------------
def majorant(order: int) -> list[int]:
    """f_0 to f_order of F(t) = ((1 + t)/(1 - t))^4.

    >>> majorant(3)
    [1, 8, 32, 88]
    """
    found = [1] + [0] * order
    for _ in range(4):
        for n in range(order, 0, -1):  # times 1 + t
            found[n] += found[n - 1]
        for n in range(1, order + 1):  # over 1 - t
            found[n] += found[n - 1]
    return found


def remainder_facts(order: int = 8) -> list[Fact]:
    """The identities under the bound, and the first coefficients of the majorant."""
    ring = ring_of(5)
    x, y, left, right, gamma = ring.generators
    one = ring.constant(Fraction(1))
    # (1 - gamma c)(1 - gamma c') with c = x + iy is |1 - gamma c|^2
    modulus = (one - gamma * x) * (one - gamma * x) + gamma * gamma * y * y
    quadratic = one - 2 * x * gamma + (x * x + y * y) * gamma * gamma
    # h = (left, right) and w = (x, y) in the plane that they span
    inner, determinant = left * x + right * y, left * y - right * x
    lengths = (left * left + right * right) * (x * x + y * y)
    geometric = [n + 1 for n in range(order + 1)]  # 1/(1 - t)^2
    upper = [1, 2, 1] + [0] * (order - 2)  # (1 + t)^2
    whole = upper
    for factor in (upper, geometric, geometric):
        whole = [sum(whole[k] * factor[n - k] for k in range(n + 1)) for n in range(order + 1)]
    return [
        (
            "1 - 2 gamma Re c + gamma^2 |c|^2 = |1 - gamma c|^2",
            ring.is_zero(modulus - quadratic),
        ),
        (
            "|h|^2 |w|^2 - <h, w>^2 = det(h, w)^2 in the plane of h and w, so p^2 <= q",
            ring.is_zero(lengths - inner * inner - determinant * determinant),
        ),
        (
            "the majorant (1 + t)^4/(1 - t)^4 is the product of those of its factors",
            whole == majorant(order),
        ),
        ("all its coefficients are positive", all(f > 0 for f in majorant(order))),
    ]
