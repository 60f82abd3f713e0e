"""Lemma 7 of Daneshmand et al. (2020) at d = 3, exactly: the coefficient of gamma^2 in E|M_+|_F^2.

Ours, in two ways: polynomials in the entries of M and W by FLINT at d = 3 (moment_calculus), and
index sums, which prove it for every d at once (series). The plain way: each [M_+]_ij^2 as a SymPy
expression in the entries, `series` in gamma, `expand`, and the moments put in for the powers of
each weight. All must find delta_F(M), and none a delta_F with a coefficient changed. Nothing is
kept from one round to the next. Seconds are CPU time.

Run: python -m benchmarks.lemma7 [--quick] [--repeats N]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import median
from time import process_time
from typing import Any

import sympy
from sympy.core.cache import clear_cache

from benchmarks.moment_calculus import SymbolicStep
from graphs.normalised import increments, index_means, index_sums
from graphs.normalised.derivatives import unit_derivatives
from graphs.normalised.index_sums import over_distinct
from graphs.normalised.series import standard_coefficients

WIDTH = 3
TARGET = 100.0
STANDARD = {1: 0, 2: 1}  # m_1 and m_2 of one weight

Answer = Any  # a SymPy polynomial in the entries of M
Way = Callable[[int], tuple[Answer, bool, bool]]


@dataclass(frozen=True)
class Row:
    """One way at one width: median seconds, its answer, does it find delta_F, and a wrong one."""

    way: str
    width: int
    seconds: float
    answer: Answer
    right: bool
    wrong: bool


def entries(width: int) -> list[list[Any]]:
    """M with unit diagonal, in symbols m01, m02, ..."""
    return [
        [
            sympy.Integer(1) if i == j else sympy.Symbol(f"m{min(i, j)}{max(i, j)}")
            for j in range(width)
        ]
        for i in range(width)
    ]


def plain_change(width: int, cube: int = 8) -> Answer:
    """delta_F(M), expanded; cube is the factor of Tr M^3."""
    m = sympy.Matrix(entries(width))
    square = m * m
    spread = sum(square[i, i] ** 2 for i in range(width))
    norm, trace = square.trace(), (square * m).trace()
    return sympy.expand(2 * width**2 - 2 * norm - cube * trace + 8 * spread)


# the plain way -----------------------------------------------------------------------------------
def plain_mean(expression: Any, weights: Sequence[Any]) -> Any:
    """E over i.i.d. weights of mean 0 and variance 1: of each monomial by itself."""
    total = sympy.Integer(0)
    for term in sympy.Add.make_args(sympy.expand(expression)):
        powers = term.as_powers_dict()
        factor = term
        for weight in weights:
            order = powers.get(weight, 0)
            if order:
                moment = {1: 0, 2: 1}.get(order, sympy.Symbol(f"mu{order}"))
                factor = factor / weight**order * moment
        total += factor
    return sympy.expand(total)


def plain(width: int) -> tuple[Answer, bool, bool]:
    """By `series` and `expand` on the entries, each pair i < j counted twice."""
    gamma = sympy.Symbol("gamma", positive=True)
    m = sympy.Matrix(entries(width))
    w = sympy.Matrix(width, width, lambda i, j: sympy.Symbol(f"w{i}{j}"))
    after = m + gamma * (w * m + m * w.T) + gamma**2 * w * m * w.T
    found = sympy.Integer(0)
    for j in range(width):
        for i in range(j):
            g = after[i, j] ** 2 / (after[i, i] * after[j, j])
            expansion = sympy.expand(g.series(gamma, 0, 3).removeO())
            found += 2 * plain_mean(expansion.coeff(gamma, 2), list(w))
    found = sympy.expand(found)
    return found, found == plain_change(width), found == plain_change(width, cube=7)


# ours --------------------------------------------------------------------------------------------
def by_polynomials(width: int) -> tuple[Answer, bool, bool]:
    """Polynomials in the entries by FLINT."""
    step = SymbolicStep(width)
    series = step.mean_frobenius_series(2, STANDARD)
    change = step.frobenius_change()
    cube = step.number(0)
    m, span = step.moments, range(width)
    for i in span:
        for j in span:
            for k in span:
                cube = cube + m[i][j] * m[j][k] * m[k][i]
    ring = step.ring
    right, wrong = ring.is_zero(series[2] - change), ring.is_zero(series[2] - change - cube)
    names = [entries(width)[i][j] for i in span for j in range(i + 1, width)]
    return (series[2], ring, names), right, wrong


def by_index_sums(width: int) -> tuple[Answer, bool, bool]:
    """Index sums for every d: the width is not used but for the answer."""
    found = over_distinct(standard_coefficients(2)[2])
    change = increments.frobenius_change()
    cube = index_sums.summed_over(
        index_sums.m_entry("a", "b") * index_sums.m_entry("b", "c") * index_sums.m_entry("c", "a"),
        "a",
        "b",
        "c",
    )
    return found, found == change, found == change + cube


def written_out(answer: Answer, width: int) -> Answer:
    """An answer of ours as an expanded SymPy expression."""
    if isinstance(answer, index_sums.Sums):
        return _index_sum_written_out(answer, width)
    polynomial, ring, names = answer
    total = sympy.Integer(0)
    for exponents, number in ring.terms(polynomial).items():
        powers = [name**e for name, e in zip(names, exponents, strict=False)]
        total += sympy.Mul(sympy.Rational(number.numerator, number.denominator), *powers)
    return sympy.expand(total)


def _index_sum_written_out(sums: Any, width: int) -> Answer:
    ring, m, total = index_sums.coefficient_ring(), entries(width), sympy.Integer(0)
    for diagram, coefficient in sums.terms.items():
        point = [width if name == "d" else 0 for name in index_sums.SYMBOLS]
        number = ring.evaluate(coefficient, point)
        summed = sorted(index_sums.summed_indices(diagram))
        for chosen in product(range(width), repeat=len(summed)):
            at = dict(zip(summed, chosen, strict=True))
            factors = [m[at[a]][at[b]] for a, b in diagram.edges]
            total += sympy.Mul(sympy.Rational(number.numerator, number.denominator), *factors)
    return sympy.expand(total)


# comparison --------------------------------------------------------------------------------------
def forget() -> None:
    """Empty what SymPy and the index sums keep between calls."""
    clear_cache()
    for kept in (index_sums.normal_form, index_means.cumulants):
        kept.cache_clear()


def measured(name: str, way: Way, width: int, repeats: int) -> Row:
    """The median of the CPU seconds of fresh calls."""
    times = []
    for _ in range(repeats):
        forget()
        start = process_time()
        answer, right, wrong = way(width)
        times.append(process_time() - start)
    if not isinstance(answer, sympy.Basic):
        answer = written_out(answer, width)
    return Row(name, width, median(times), answer, right, wrong)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="d = 2, one repeat of the plain way")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args(arguments)
    width, repeats = (2, 1) if given.quick else (WIDTH, given.repeats)
    unit_derivatives()  # FLINT and the rings are loaded before anything is timed
    by_polynomials(2)
    by_index_sums(2)
    slow = measured("series and expand (SymPy)", plain, width, repeats)
    ours = [
        measured("polynomials (FLINT)", by_polynomials, width, 5 * repeats),
        measured("index sums, every d", by_index_sums, width, 5 * repeats),
    ]
    print(f"SymPy {sympy.__version__}; d = {width}; CPU seconds, medians\n")
    print(f"{'way':28s}{'seconds':>12s}{'ratio':>10s}  delta_F  wrong one refused")
    for row in (slow, *ours):
        ratio = slow.seconds / row.seconds
        print(f"{row.way:28s}{row.seconds:12.5f}{ratio:10,.0f}  {row.right!s:8} {not row.wrong}")
    agree = all(row.answer == slow.answer for row in ours)
    decided = all(row.right and not row.wrong for row in (slow, *ours))
    ratio = slow.seconds / ours[0].seconds
    print(f"\nanswers agree: {agree}; ratio of medians {ratio:,.0f} (target {TARGET:,.0f})")
    return 0 if agree and decided and (given.quick or ratio >= TARGET) else 1


if __name__ == "__main__":
    sys.exit(main())
