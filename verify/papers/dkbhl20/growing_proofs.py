"""Arguments for Example 12 where the squares of the other eigenvalues are O(lambda_1^2).

They speak of any spectra with a largest eigenvalue lambda_1 of order d^beta, for every d.
"""

from __future__ import annotations

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.statements.derivations.symbols import TWO_INDICES, added, same, symbols

FAMILY, OTHERS = "a family of spectra", "smaller others"
BELOW, SQUARES = "beta below 1", "squares of the others"
LARGEST = (
    "lambda_1 is the largest eigenvalue for large d, the others being o(lambda_1) and at least 0"
)
ORDERS = (
    "lambda_1^2 <= |l|_2^2 = O(lambda_1^2) and lambda_1^3 <= |l|_3^3 <= lambda_1 |l|_2^2, with "
    "lambda_1 = Theta(d^beta)"
)


SPECTRAL = "rows of M have one norm, so that both traces are functions of the spectrum"


def between_powers() -> tuple[Step, ...]:
    """What lies between the powers of lambda_1 and the power sums."""
    steps = []
    for size in range(1, 5):
        ring, (first, *others) = symbols(size)
        sums = {k: added(ring, [x**k for x in (first, *others)]) for k in (2, 3)}
        for k, total in sums.items():
            text = f"sum l^{k} - l_1^{k} is the sum of the other l_i^{k}, d = {size}"
            rest = added(ring, [x**k for x in others])
            steps.append(same(ring, text, total - first**k, rest))
        text = f"l_1 sum l^2 - sum l^3 is the sum of the l_i^2 (l_1 - l_i), d = {size}"
        left = first * sums[2] - sums[3]
        steps.append(same(ring, text, left, added(ring, [x * x * (first - x) for x in others])))
    return tuple(steps)


def quotient_bound() -> Step:
    """alpha <= C^2 l_1 / d where |l|_2^2 <= C l_1^2 and |l|_3^3 >= l_1^3."""
    ring = ring_of(4)
    first, square, cube, factor = ring.generators
    left = factor * factor * first * cube - square * square
    room = factor * first * first - square
    parts = factor * factor * first * (cube - first * first * first) + room * (
        factor * first * first + square
    )
    return same(
        ring,
        "C^2 l_1 |l|_3^3 - |l|_2^4 is C^2 l_1 (|l|_3^3 - l_1^3) and (C l_1^2 - |l|_2^2) "
        "(C l_1^2 + |l|_2^2)",
        left,
        parts,
    )


def orders() -> Argument:
    """(87) and (88)."""
    return Argument(
        "both power sums lie between multiples of powers of lambda_1",
        between_powers(),
        (LARGEST, ORDERS, TWO_INDICES, SPECTRAL),
        (FAMILY, OTHERS, SQUARES),
        cites=("dkbhl20.prop8.a@BA",),
        section="docs/mathematics/dkbhl20.md#families-of-spectra",
    )


def small_constant() -> Argument:
    """(89), and with it the example."""
    return Argument(
        "alpha = |l|_2^4 / (d |l|_3^3) is at most C^2 lambda_1 / d = O(d^(beta - 1)), which tends "
        "to 0",
        (*between_powers(), quotient_bound()),
        (LARGEST, ORDERS, TWO_INDICES, SPECTRAL),
        (FAMILY, OTHERS, BELOW, SQUARES),
        cites=("dkbhl20.prop8.a@BA",),
        section="docs/mathematics/dkbhl20.md#families-of-spectra",
    )
