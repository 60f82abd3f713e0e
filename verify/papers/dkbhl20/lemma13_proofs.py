"""Sums of powers of eigenvalues as sums over pairs of these."""

from __future__ import annotations

from itertools import combinations

from verify.argument import Step
from verify.papers.dkbhl20.symbols import added, same, symbols


def lagrange() -> tuple[Step, ...]:
    """sum l sum l^3 - (sum l^2)^2 is a sum over pairs."""
    steps = []
    for size in range(1, 5):
        ring, lam = symbols(size)
        first, second, third = (added(ring, [x**k for x in lam]) for k in (1, 2, 3))
        pairs = [x * y * (x - y) * (x - y) for x, y in combinations(lam, 2)]
        text = (
            "sum l sum l^3 - (sum l^2)^2 is the sum of l_i l_j (l_i - l_j)^2 over i < j, "
            f"d = {size}"
        )
        steps.append(same(ring, text, first * third - second * second, added(ring, pairs)))
    return tuple(steps)


def square_of_the_trace() -> tuple[Step, ...]:
    """(sum l)^2 - sum l^2 is a sum over pairs."""
    steps = []
    for size in range(1, 5):
        ring, lam = symbols(size)
        first, second = (added(ring, [x**k for x in lam]) for k in (1, 2))
        pairs = [2 * x * y for x, y in combinations(lam, 2)]
        text = f"(sum l)^2 - sum l^2 is the sum of 2 l_i l_j over i < j, d = {size}"
        steps.append(same(ring, text, first * first - second, added(ring, pairs)))
    return tuple(steps)
