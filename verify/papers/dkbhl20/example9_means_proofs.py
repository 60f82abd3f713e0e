"""Arguments for Example 9, for every width: first terms of series in gamma, and eigenvalues."""

from __future__ import annotations

from fractions import Fraction

from graphs.normalised.equal_correlations import near_one_facts
from graphs.normalised.series import remainder_facts
from graphs.rings import Polynomial
from verify.core.argument import Argument, Step
from verify.papers.dkbhl20.example9_expansion import InWidth, coefficient
from verify.papers.dkbhl20.increment_moments import EVERY_WIDTH
from verify.papers.dkbhl20.taylor_terms import BOUNDS
from verify.statements.derivations.symbols import same, symbols

LEADING, SQUARES, LEAST = 3, 5, 6
"""Constants c: of gamma^4 d in (b) and (h), of gamma^4 d^2 in (81) and (80)."""
USED = (
    "d at least 2",
    "small eigenvalues gamma^2",
    "centred weights",
    "weights of variance one",
    "bounded weights",
)


def _at_least(text: str, fourth: InWidth, added: InWidth, *, strict: bool = False) -> Step:
    """That minus c_4 plus a polynomial is at least 0 for d >= 2: its coefficients in d - 2 are."""
    shifted: dict[int, Fraction] = {}
    for part, sign in ((fourth, -1), (added, 1)):
        for exponent, number in part.items():
            for k in range(exponent + 1):
                shifted[k] = shifted.get(k, Fraction(0)) + sign * number * _choose(exponent, k)
    low = min(shifted.values(), default=Fraction(0))
    return Step(text, low >= 0 and (not strict or shifted.get(0, Fraction(0)) > 0))


def _choose(exponent: int, k: int) -> int:
    """The coefficient of x^k in (x + 2)^exponent."""
    found = [1]
    for _ in range(exponent):
        found = [2 * a + b for a, b in zip([*found, 0], [0, *found], strict=True)]
    return found[k]


def expansion_steps() -> tuple[InWidth, tuple[Step, ...]]:
    """c_3 = 0 and c_4 = -4 d (d - 1)(2d - 1) for every d, and the remainder."""
    third, fourth = (coefficient(n, Fraction(1), Fraction(0), Fraction(1)) for n in (3, 4))
    known = {3: Fraction(-8), 2: Fraction(12), 1: Fraction(-4)}
    return fourth, (
        Step("c_3 = 0", not third),
        Step("c_4 = -4 d (d - 1)(2 d - 1)", dict(fourth) == known),
        *(Step(*fact) for fact in (*remainder_facts(), *near_one_facts())),
    )


def eigenvalue_steps() -> tuple[Step, ...]:
    """With m = d - [lambda_+]_1, the sum of the small eigenvalues, |M_+|^2 >= f(m) = (d - m)^2 +
    m^2/(d - 1), with equality for M; f is convex with slope -2d or more, so E m - m_0 is at least
    the mean fall of |M|^2 over 2d, and E[lambda_+^2]_1 falls as much as |M|^2 does."""
    ring, (d, m, start, e) = symbols(4)
    one = ring.constant(Fraction(1))

    def f(x: Polynomial) -> Polynomial:  # times d - 1
        return (d - one) * (d - x) * (d - x) + x * x

    tangent = 2 * start - 2 * (d - one) * (d - start)  # f' times d - 1
    square = (m - start) * (m - start)
    small = (d - one) * e
    norm = d + d * (d - one) * (one - e) * (one - e)
    return (
        same(
            ring,
            "(d - 1)(f(m) - f(n) - f'(n)(m - n)) = d (m - n)^2",
            f(m) - f(start) - tangent * (m - start),
            d * square,
        ),
        same(
            ring,
            "f at (d - 1) e is |M|_F^2 = d + d (d - 1)(1 - e)^2",
            f(small),
            (d - one) * norm,
        ),
        same(
            ring,
            "(d - 1)(f'(n) + 2d) = 2 d n",
            tangent + 2 * d * (d - one),
            2 * d * start,
        ),
    )


FACTS = (
    EVERY_WIDTH,
    *BOUNDS,
    "the eigenvalues of a matrix sum to its trace, their squares to its squared Frobenius norm",
    "the mean of squares is at least the square of the mean",
)
NEEDED = {
    "a": ("4 d (d - 1)(2 d - 1) > d^2", {2: Fraction(-1)}),
    "b": ("4 d (d - 1)(2 d - 1) >= 6 d^2", {2: Fraction(-2 * LEADING)}),
    "c": ("4 d (d - 1)(2 d - 1) > 0", {}),
    "f": ("4 d (d - 1)(2 d - 1) >= 6 d^2", {2: Fraction(-LEAST)}),
    "g": ("4 d (d - 1)(2 d - 1) >= 5 d^2 + d", {2: Fraction(-SQUARES), 1: Fraction(-1)}),
    "h": ("4 d (d - 1)(2 d - 1) >= 6 d^2", {2: Fraction(-2 * LEADING)}),
}
"""What each part of the example asks of c_4."""


def for_every_width(part: str) -> Argument:
    """What the first terms say, for every d >= 2."""
    fourth, steps = expansion_steps()
    text, added = NEEDED[part]
    last = _at_least(f"{text} for d >= 2", fourth, added, strict=part in "ac")
    more = () if part in "af" else eigenvalue_steps()
    return Argument(
        "E|M_+|_F^2 - |M|_F^2 = -4 d (d - 1)(2 d - 1) gamma^4 + O(gamma^5)"
        + ("; what the leading eigenvalue loses the small ones gain" if more else ""),
        (*steps, *more, last),
        FACTS,
        USED,
        section="docs/mathematics/dkbhl20.md#example-9-as-a-mean",
    )
