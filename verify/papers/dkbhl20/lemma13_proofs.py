"""Arguments for steps (54) to (56): sums over pairs of eigenvalues."""

from __future__ import annotations

from itertools import combinations

from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.papers.dkbhl20.symbols import SQUARES, TWO_INDICES, added, same, symbols

NOT_NEGATIVE, TRACE = "eigenvalues at least 0 on the support", "trace d on the support"
LAW, BELOW = "law of finite support", "alpha below 1"
LINEAR = "expectations of numbers at least 0 are at least 0"


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


def always_positive() -> Argument:
    """(54) as printed says that two numbers at least 0 have a sum at least 0."""
    ring = ring_of(4)
    d, second, third, alpha = ring.generators
    printed = 2 * d * d - (2 * second - 8 * (1 - alpha) * third)
    parts = 2 * (d * d - second) + 8 * (1 - alpha) * third
    step = same(ring, "(54) is 2 (d^2 - |l|_2^2) + 8 (1 - alpha) |l|_3^3", printed, parts)
    return Argument(
        "|l|_2^2 is at most d^2 and the cubes count with a factor above 0: (54) holds of every law",
        (step, *square_of_the_trace()),
        (LINEAR, TWO_INDICES),
        "slack_54",
        (LAW, NOT_NEGATIVE, TRACE, BELOW),
        section=32,
    )


def cubes_from_mended() -> Argument:
    """2 (1 - alpha)(d^2 - 4 (1 - alpha) E |l|_3^3) is at least (1 - alpha) times the mended
    display."""
    ring = ring_of(4)
    d, second, third, alpha = ring.generators
    rest = 1 - alpha
    slack = rest * d * d - 4 * rest * rest * third
    display = 2 * d * d - 2 * second - 8 * rest * third
    step = same(
        ring,
        "twice the slack is (1 - alpha) times the mended display and 2 (1 - alpha) E |l|_2^2",
        2 * slack,
        rest * display + 2 * rest * second,
    )
    return Argument(
        "the mended display leaves 8 (1 - alpha) E |l|_3^3 at most 2 d^2",
        (step,),
        (LINEAR, SQUARES),
        "slack_55(factor=4)",
        (LAW, BELOW, "(54) with the sign mended"),
        section=32,
    )


def products_of_sums() -> Argument:
    """(56), reading B."""
    ring = ring_of(2)
    d, third = ring.generators
    last = same(ring, "with sum l = d the middle is d sum l^3", d * third, third * d)
    return Argument(
        "the first inequality is that of Cauchy and Schwarz, the second an equality",
        (*lagrange(), last),
        (SQUARES, TWO_INDICES, "numbers at least 0 compare as their squares"),
        "slack_56",
        ("eigenvalues at least 0", "trace d"),
        section=32,
    )
