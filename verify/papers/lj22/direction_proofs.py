"""Arguments for Claims 1 and 2. An inequality is shown by a polynomial without negative
coefficients, in symbols for numbers that are not negative."""

from itertools import product
from typing import Any

from graphs.rings import Ring, ring_of
from verify.core.argument import Argument, Step

SMALLEST = "the least of finitely many positive numbers is positive"
SYMBOLS = (
    "a polynomial without negative coefficients is not negative at numbers that are not; one entry "
    "of the vectors stands for each of them"
)


def _not_negative(ring: Ring, polynomial: Any, positive: tuple[int, ...] = ()) -> bool:
    """Whether no coefficient is negative. positive: generators whose own coefficient is above 0, so
    that the polynomial is positive where one of them is."""
    terms = ring.terms(polynomial)
    size = len(ring.generators)
    alone = [terms.get(tuple(int(i == g) for i in range(size)), 0) for g in positive]
    return all(c > 0 for c in terms.values()) and all(c > 0 for c in alone)


def _orthant_steps() -> tuple[Step, ...]:
    """sgn(v_i) u_i > 0 where |v_i| >= m = min_j |v_j| > 0 and |u - v| <= m/2.

    Symbols that are not negative: r = |v_i| - m, d = |u_i - v_i|, g = m/2 - d. Then m = 2d + 2g,
    and d + g > 0, for m > 0.
    """
    ring = ring_of(3)
    r, d, g = ring.generators
    others = r  # here the sum of the other squares of u - v
    steps = [
        Step(
            "|u_i - v_i| <= |u - v|: the difference of their squares is a sum of squares",
            _not_negative(ring, (d * d + others) - d * d),
        )
    ]
    for sign, step in product((1, -1), repeat=2):
        v = (2 * d + 2 * g + r) * sign
        u = v + d * step
        text = f"sgn(v_i) = {sign:+d}, sgn(u_i - v_i) = {step:+d}: sgn(v_i) u_i > 0"
        steps.append(Step(text, _not_negative(ring, u * sign, positive=(1, 2))))
    return tuple(steps)


def ball_in_orthant() -> Argument:
    """The ball of radius min |v_i|/2 lies inside of the orthant of v."""
    return Argument(
        "in the ball sgn(v_i) u_i is, for all signs, a positive combination of |v_i| - m, "
        "|u_i - v_i| and m/2 - |u_i - v_i|, with m the least |v_j|",
        _orthant_steps(),
        (SMALLEST, SYMBOLS),
        uses=("no zero entry", "in the ball"),
        section="docs/mathematics/lj22.md#balls-in-orthants",
    )


def stable_signs() -> Argument:
    """The direction comes into the ball, where the signs are those of its limit; for any curve."""
    ring = ring_of(2)
    norm, entry = ring.generators
    scaled = Step("w_e is the norm of w times the entry of w/|w|", norm * entry == entry * norm)
    return Argument(
        "from some time on w/|w| lies in the ball of radius min |v_i|/2 around its limit v; "
        "there its entries have the signs of v, and w_e has the sign of the entry of w/|w|",
        (*_orthant_steps(), scaled),
        (SMALLEST, SYMBOLS, "the definition of a limit, with the radius min |v_i|/2 > 0"),
        uses=("direction converges", "limit without zeros"),
        section="docs/mathematics/lj22.md#balls-in-orthants",
    )


def recurrence_of_printed() -> Argument:
    """phi(t) = |t sin t| = t s for t >= 0 takes each c >= 0 between t = k pi and k pi + pi/2, for
    every k with k pi >= c; and v phi/|v phi| = v/|v| where phi is not 0.

    Symbols: c, t - c (not negative), and phi, v_i, |v|.
    """
    ring = ring_of(2)
    c, beyond = ring.generators
    t = c + beyond
    at_pi, half_way = t * 0, t * 1  # phi where |sin t| is 0 and 1
    products = ring_of(3)
    phi, v, norm = products.generators
    steps = (
        Step("phi <= c where |sin t| = 0", _not_negative(ring, c - at_pi)),
        Step("phi >= c where |sin t| = 1 and t >= c", _not_negative(ring, half_way - c)),
        Step(
            "(phi v_i) |v| = v_i (phi |v|): where phi > 0 the direction is v/|v|",
            products.is_zero((phi * v) * norm - v * (phi * norm)),
        ),
    )
    return Argument(
        "every value c v of v |t sin t| is taken once between k pi and k pi + pi/2 for every "
        "large k; where the function is not 0 its direction is v/|v|",
        steps,
        (
            "sin t is 0 at the multiples of pi, and of absolute value 1 half-way between them",
            "the intermediate value theorem",
            "sin is continuous, and |t sin t| is even: negative t give the same values",
        ),
        uses=("v is not 0",),
        section="docs/mathematics/lj22.md#crossings",
    )
