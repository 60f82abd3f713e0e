"""The proof of Lemma 7 for every d: (64), (68) to (71), (73), (74) and their sum over i != j.

Every quantity is computed from its definition by index sums with symbolic moments (mean ...), and
stands beside what is printed (printed ...). `facts` compares their normal forms.
"""

from __future__ import annotations

from fractions import Fraction

from graphs.normalised.derivatives import ENTRIES, printed_first, printed_second, unit_derivatives
from graphs.normalised.index_means import mean
from graphs.normalised.index_sums import (
    Sums,
    assuming,
    m_entry,
    occurring,
    over_distinct,
    summed_over,
    w_entry,
    zero,
)

Entry = tuple[str, str]  # letters of an entry of M or Delta M
Fact = tuple[str, bool]  # what is said, and whether the normal forms agree
PLACES: dict[str, Entry] = {"ii": ("i", "i"), "ij": ("i", "j"), "jj": ("j", "j")}


def linear_part(p: str, q: str, unit: bool = True) -> Sums:
    """[W M + M W^T]_pq, p and q letters."""
    one = summed_over(w_entry(p, "k", unit) * m_entry("k", q, unit), "k")
    return one + summed_over(w_entry(q, "k", unit) * m_entry("k", p, unit), "k")


def quadratic_part(p: str, q: str, unit: bool = True) -> Sums:
    """[W M W^T]_pq."""
    product = w_entry(p, "k", unit) * m_entry("k", "n", unit) * w_entry(q, "n", unit)
    return summed_over(product, "k", "n")


def increment(p: str, q: str, unit: bool = True) -> Sums:
    """(64): Delta M_pq, with the symbol gamma."""
    linear, quadratic = linear_part(p, q, unit), quadratic_part(p, q, unit)
    return linear.times_symbol("gamma") + quadratic.times_symbol("gamma", 2)


def mean_increment(p: str, q: str, unit: bool = True) -> Sums:
    """E Delta M_pq, all moments symbols."""
    return mean(increment(p, q, unit))


def mean_product(one: Entry, other: Entry, unit: bool = True) -> Sums:
    """(70): E Delta M_pq Delta M_km."""
    return mean(increment(*one, unit) * increment(*other, unit))


def second_moment(one: Entry, other: Entry, unit: bool = True) -> Sums:
    """K_pq,km: E of the product of two linear parts."""
    return mean(linear_part(*one, unit) * linear_part(*other, unit))


def _polynomial(coefficients: dict[int, Fraction]) -> Sums:
    total = zero()
    for exponent, coefficient in coefficients.items():
        term = _number(coefficient)
        for _ in range(exponent):
            term = term * m_entry("i", "j")
        total = total + term
    return total


def _number(value: Fraction | int) -> Sums:
    return zero() + Fraction(value)


def first_term() -> Sums:
    """T_1 of (66), over gamma^2 where m_1 = 0; with the symbol gamma."""
    table, total = unit_derivatives(), zero()
    for name in ENTRIES:
        total = total + _polynomial(table[name,]) * mean_increment(*PLACES[name])
    return total


def second_term() -> Sums:
    """The part of T_2 of (66) in gamma^2, over gamma^2: half the second derivatives times K."""
    table, total = unit_derivatives(), zero()
    for one in ENTRIES:
        for other in ENTRIES:
            weight = _polynomial(table[one, other])
            total = total + weight * second_moment(PLACES[one], PLACES[other])
    return total * Fraction(1, 2)


# as printed --------------------------------------------------------------------------------------
def _row_sum(*letters: str) -> Sums:
    """sum over k of the product of M_k. for these letters."""
    term = _number(1)
    for letter in letters:
        term = term * m_entry("k", letter)
    return summed_over(term, "k")


def printed_mean(entry: str, unit: bool = True) -> Sums:
    """(68): 0 for ij, gamma^2 sum_k M_kk for ii and jj."""
    if entry == "ij":
        return zero(unit)
    return summed_over(m_entry("k", "k", unit), "k").times_symbol("gamma", 2)


def printed_second_moments() -> dict[tuple[str, str], Sums]:
    """(71)."""
    return {
        ("ij", "ij"): _row_sum("j", "j") + _row_sum("i", "i"),
        ("ij", "ii"): 2 * _row_sum("j", "i"),
        ("ii", "ii"): 4 * _row_sum("i", "i"),
        ("ii", "jj"): zero(),
    }


def printed_first_term() -> Sums:
    """(69): -2 gamma^2 d g(M)."""
    g = m_entry("i", "j") * m_entry("i", "j")
    return (-2 * g).times_symbol("gamma", 2).times_symbol("d")


def printed_second_term() -> Sums:
    """(73) without gamma^2, as printed."""
    m = m_entry("i", "j")
    rows = _row_sum("j", "j") + _row_sum("i", "i")
    squares = 4 * m * m * _row_sum("i", "i") + 4 * m * m * _row_sum("j", "j")
    return rows - 8 * m * _row_sum("j", "i") + squares


def printed_change() -> Sums:
    """The right side of (74) without O(gamma)."""
    m = m_entry("i", "j")
    return printed_second_term() - (2 * m * m).times_symbol("d")


def frobenius_change() -> Sums:
    """delta_F(M) = 2d^2 - 2|M|_F^2 - 8 Tr M^3 + 8 Tr diag(M^2)^2."""
    norm = summed_over(m_entry("a", "b") * m_entry("a", "b"), "a", "b")
    cube = summed_over(m_entry("a", "b") * m_entry("b", "c") * m_entry("c", "a"), "a", "b", "c")
    row = summed_over(m_entry("a", "b") * m_entry("a", "b"), "b")
    spread = summed_over(row * row, "a")
    size = _number(2).times_symbol("d", 2)
    return size - 2 * norm - 8 * cube + 8 * spread


# what is proved ----------------------------------------------------------------------------------
def _standard(sums: Sums) -> Sums:
    return assuming(sums, m1=0, m2=1)


def derivative_facts() -> list[Fact]:
    """(67), (72) and those that follow by exchanging i and j."""
    table = unit_derivatives()
    found = [(f"(67) for {k}", table[k,] == v) for k, v in printed_first().items()]
    turn = {"ii": "jj", "ij": "ij", "jj": "ii"}
    for (one, other), printed in printed_second().items():
        found.append((f"(72) for {one}, {other}", table[one, other] == printed))
        other_way = (turn[one], turn[other])
        if other_way != (one, other):
            text = f"(72) with i and j exchanged for {one}, {other}"
            found.append((text, table[other_way] == printed))
    return found


def moment_facts() -> list[Fact]:
    """(68) and (71) where m_1 = 0 and m_2 = 1, for every d, with m_3 and m_4 left free; (68) also
    without unit diagonal in its first form."""
    found: list[Fact] = []
    for name, place in PLACES.items():
        loose = _standard(mean_increment(*place, unit=False))
        found.append((f"(68), first form, for {name}", loose == printed_mean(name, unit=False)))
        found.append((f"(68) for {name}", _standard(mean_increment(*place)) == printed_mean(name)))
    for (one, other), printed in printed_second_moments().items():
        computed = _standard(second_moment(PLACES[one], PLACES[other]))
        found.append((f"(71) for {one}, {other}", computed == printed))
    return found


def term_facts() -> list[Fact]:
    """(69), (73), (74) and the sum over i != j where m_1 = 0 and m_2 = 1, for every d."""
    first, second = _standard(first_term()), _standard(second_term())
    change = printed_change().times_symbol("gamma", 2)
    both = first + second.times_symbol("gamma", 2)
    return [
        ("(69): T_1 = -2 gamma^2 d g(M)", first == printed_first_term()),
        ("(73): T_2 without O(gamma^3)", second == printed_second_term()),
        ("(74): (T_1 + T_2)/gamma^2 without O(gamma)", both == change),
        ("the sum of (74) over i != j is delta_F(M)", total_change() == frobenius_change()),
    ]


def total_change() -> Sums:
    """The sum over i != j of the right side of (74)."""
    return over_distinct(printed_change())


def moments_needed(sums: Sums) -> set[str]:
    """The moments that occur in a normal form: what a law must say for its value."""
    return occurring(sums) & {"m1", "m2", "m3", "m4"}
