"""Exact arguments for Proposition 14: polynomials in logarithms of singular values, in ratios."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from graphs.rings import Ring, ring_of
from verify.core.argument import Argument, Step
from verify.statements.derivations.symbol_matrices import EVERY_SHAPE, SymbolScene
from verify.statements.quantities import nonnegative

RANKS, LOGS = "equal ranks of the matrices", "first corrections of the factors add"
RATIO = "proportion"
ONTO = (
    "of matrices A, B with Rank A = Rank B = Rank A B = r, |A B|_+ = |A|_+ |B|_+ |V^T U| with V, U "
    "orthonormal bases of Im A^T and Im B, and |V^T U| = 1 only where the two spaces are one"
)
HORN = (
    "Horn: for invertible r x r matrices the numbers log s_i(A B) are majorised by log s_i(A) + "
    "log s_i(B), the largest first"
)
CONVEX = "majorised numbers have no larger sum of squares (Hardy, Littlewood and Polya)"
FISCHER = (
    "|[U U']|_+ <= |U|_+ |U'|_+ for U, U' of full rank, with equality only where U^T U' = 0 "
    "(Fischer); with bases of the images and of the rows |A + B|_+ = |A|_+ |B|_+ leaves A^T B = 0 "
    "and A B^T = 0 where ranks add"
)
APART = "the eigenvalues of G + H, G H = 0, that are not 0 are those of G and those of H"
SQUARES = "squares of real numbers are at least 0; roots of numbers at least 0 keep their order"
ANY_RANK = "both sides are sums over the singular values"
LINEAR_MAPS = ("linear maps in deep linear networks",)


def _same(ring: Ring, text: str, one: Any, other: Any) -> Step:
    return Step(text, ring.is_zero(one - other))


def _weighted() -> Step:
    """p (1 - p) (y^2 / p + x^2 / (1 - p) - (x + y)^2) is a square."""
    ring = ring_of(3)
    x, y, p = ring.generators
    left = p * x * x + (1 - p) * y * y - p * (1 - p) * (x + y) * (x + y)
    square = (p * x - (1 - p) * y) * (p * x - (1 - p) * y)
    text = "p (1 - p) (x^2 / (1 - p) + y^2 / p - (x + y)^2) = (p x - (1 - p) y)^2"
    return _same(ring, text, left, square)


def _reached() -> Step:
    """At p = t / (s + t) the value is (s + t)^2."""
    ring = ring_of(2)
    s, t = ring.generators
    text = "s^2 / (1 - p) + t^2 / p = s (s + t) + t (s + t) = (s + t)^2 at p = t / (s + t)"
    return _same(ring, text, s * (s + t) + t * (s + t), (s + t) * (s + t))


def shares_of_compositions() -> Argument:
    """x_i, y_i: the logarithms of the singular values of A and B."""
    return Argument(
        "sum log^2 s_i(A B) <= sum (x_i + y_i)^2 <= sum x_i^2 / (1 - p) + sum y_i^2 / p",
        (_weighted(),),
        (ONTO, HORN, CONVEX, SQUARES, ANY_RANK),
        (RANKS, LOGS, RATIO),
        scope=LINEAR_MAPS,
        section="docs/mathematics/j23.md#linear-maps",
        cites=("j23.linexp.b",),
    )


def roots_of_compositions() -> Argument:
    """The same, at the best ratio."""
    return Argument(
        "sum log^2 s_i(A B) <= sum (x_i + y_i)^2 <= |x|^2 / (1 - p) + |y|^2 / p, at the best "
        "ratio, or as p tends to 0 or 1 where x or y is 0",
        (_weighted(), _reached()),
        (ONTO, HORN, CONVEX, SQUARES, ANY_RANK),
        (RANKS, LOGS),
        scope=LINEAR_MAPS,
        section="docs/mathematics/j23.md#linear-maps",
        cites=("j23.linexp.b",),
    )


def sums() -> Argument:
    """Under the hypotheses the spectrum of the sum is the union of the two."""
    axes = {"A": ("m", "n"), "B": ("m", "n")}
    steps = []
    for m, n in ((1, 2), (2, 1), (2, 2), (2, 3)):
        scene = SymbolScene(axes, {"m": m, "n": n})
        one, other = scene["A"], scene["B"]
        mixed = scene.transpose(one) @ other
        sides = (
            scene.gram(one + other),
            scene.gram(one) + scene.gram(other) + mixed + scene.transpose(mixed),
        )
        words = f", {m} x {n}"
        text = "(A + B)^T (A + B) = A^T A + B^T B + A^T B + (A^T B)^T" + words
        steps.append(Step(text, scene.equal(*sides)))
        inside = scene.transpose(one) @ (one @ scene.transpose(other)) @ other
        text = "(A^T A) (B^T B) = A^T (A B^T) B" + words
        steps.append(Step(text, scene.equal(scene.gram(one) @ scene.gram(other), inside)))
    return Argument(
        "where A^T B = 0 and A B^T = 0 the non-zero singular values of A + B are those of A and "
        "those of B, and both sides are equal",
        tuple(steps),
        (FISCHER, APART, EVERY_SHAPE),
        ("ranks of the summands add", "first corrections of the summands add"),
        scope=LINEAR_MAPS,
        section="docs/mathematics/j23.md#linear-maps",
        cites=("j23.linexp.b",),
    )


def largest_is_among_them() -> Argument:
    """t / 2 >= sum x_i^2 >= x_1^2."""
    steps = []
    for count in range(1, 5):
        ring = ring_of(count)
        logs = ring.generators
        squares = [x * x for x in logs]
        rest = sum(squares[1:], start=ring.constant(Fraction(0)))
        total = sum(((2 * x) * (2 * x) for x in logs), start=ring.constant(Fraction(0)))
        text = f"sum (2 x_i)^2 = 4 x_1^2 + 4 sum of the other squares, of {count}"
        steps.append(_same(ring, text, total, 4 * squares[0] + 4 * rest))
    return Argument(
        "t >= R^(2)(A) = sum (2 x_i)^2 / 2 >= 2 x_1^2 with x_i = log s_i, so x_1 <= sqrt(t / 2)",
        tuple(steps),
        (SQUARES, ANY_RANK),
        ("second correction at most t",),
        section="docs/mathematics/j23.md#the-network-of-powers",
    )


# ratios -------------------------------------------------------------------------------------------
def best_ratio() -> Argument:
    """Below by a square, reached up to any e."""
    ring = ring_of(3)
    s, t, d = ring.generators
    # (s + t) (s + t + 2 d) - value at the ratio, times (s + d) (t + d) / (s + t + 2 d)
    room = (s + t) * (s + d) * (t + d) - s * s * (t + d) - t * t * (s + d)
    steps = (
        _weighted(),
        nonnegative(
            ring,
            "at p = (t + d) / (s + t + 2 d) the value is at most (s + t) (s + t + 2 d): no "
            "negative coefficient",
            room,
        ),
    )
    return Argument(
        "p (1 - p) times the difference is a square; (s + t)^2 + 2 d (s + t) is reached, and d = "
        "e / (2 (s + t) + 1) makes the second summand at most e",
        steps,
        (SQUARES,),
        ("s, t at least 0", "e above 0", RATIO),
        section="docs/mathematics/j23.md#the-best-ratio",
    )


def attained() -> Argument:
    """At sqrt u / (sqrt u + sqrt v)."""
    return Argument(
        "with u = t^2, v = s^2 and p = t / (s + t), inside (0, 1) for s, t > 0, the value "
        "(s + t)^2 is the least; for u = v = 0 every value is 0",
        (_weighted(), _reached()),
        (SQUARES,),
        ("both at least 0", "both above 0 or both 0"),
        section="docs/mathematics/j23.md#the-best-ratio",
    )


def below_every_bound() -> Argument:
    """For u = -w < 0 and p = n at most 1/2 and w / (M + 2 |v| + 1)."""
    ring = ring_of(4)
    size, other, half, p = ring.generators  # M, |v|, and 1/2 - p as numbers of at least 0
    one = ring.constant(Fraction(1))
    bound = size + 2 * other + one
    steps = (
        nonnegative(
            ring, "w / p >= M + 2 |v| + 1, so -M - (-w / p + 2 |v|) >= 1", bound - size - 2 * other
        ),
        _same(
            ring,
            "2 (1 - p) - 1 = 1 - 2 p, so |v| / (1 - p) <= 2 |v| for p <= 1/2",
            2 * (one - p) - one,
            one - 2 * p,
        ),
        nonnegative(ring, "1 - 2 p = 2 (1/2 - p) >= 0", 2 * half),
    )
    return Argument(
        "-w / p + v / (1 - p) <= -(M + 2 |v| + 1) + 2 |v|; for v < 0 with p and 1 - p exchanged",
        steps,
        ("p = min(1/2, w / (M + 2 |v| + 1)) lies inside (0, 1), or 1 - p does",),
        ("one or both negative",),
        section="docs/mathematics/j23.md#the-best-ratio",
    )
