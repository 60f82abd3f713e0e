"""Curves t -> w(t) in R^d whose behaviour for late t is decided exactly.

The class is small, and closed under what is asked of it:

    w(t) = ((1 - s) p(t) + s q(t)) / (1 + |t|)^k,   s = |sin t|,

with p and q vectors of d polynomials in |t| over the rationals and k >= 0. So w lies on the segment
from p to q (up to the positive factor), at p when t is a multiple of pi and at q half-way between.
Of s only this is used: it is continuous, its values fill [0, 1], and it takes 0 and 1 at
arbitrarily late times (docs/mathematics.md). p = q gives the rational curves; p = 0, q = v t gives
v |t sin t|.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from graphs.errors import NetworkError
from graphs.univariate import (
    Univariate,
    clearly_nonnegative,
    degree,
    late_sign,
    minus,
    text_of,
    times,
    value,
)

Vector = tuple[Fraction, ...]


class CurveError(NetworkError):
    """A curve is not well formed."""


@dataclass(frozen=True)
class Curve:
    """A curve in R^d, see the module.

    trough: the d polynomials p (where sin t = 0). crest: the d polynomials q (where |sin t| = 1).
    decay: k. Raises CurveError when p and q have different lengths or none, or k < 0.
    """

    trough: tuple[Univariate, ...]
    crest: tuple[Univariate, ...]
    decay: int = 0

    def __post_init__(self) -> None:
        if len(self.trough) != len(self.crest) or not self.trough:
            raise CurveError(f"{len(self.trough)} entries in p and {len(self.crest)} in q")
        if self.decay < 0:
            raise CurveError(f"the decay is {self.decay}: give a number that is not negative")

    @property
    def dimension(self) -> int:
        """d."""
        return len(self.trough)

    @property
    def formula(self) -> str:
        """w(t) in text, for t >= 0."""
        pairs = zip(self.trough, self.crest, strict=True)
        entries = [_swinging_text(p, minus(q, p)) for p, q in pairs]
        scale = {0: "", 1: "/(1 + t)"}.get(self.decay, f"/(1 + t)^{self.decay}")
        return f"w(t) = ({', '.join(entries)}){scale}"

    def at(self, t: float) -> tuple[float, ...]:
        """w(t) in floats: for pictures and tests, never for a decision."""
        from math import sin

        s, size, scale = abs(sin(t)), Fraction(abs(t)), (1 + abs(t)) ** self.decay
        pairs = zip(self.trough, self.crest, strict=True)
        return tuple(
            ((1 - s) * float(value(p, size)) + s * float(value(q, size))) / scale for p, q in pairs
        )


def _swinging_text(p: Univariate, swing: Univariate) -> str:
    """p + swing |sin t| in text."""
    if not swing:
        return text_of(p)
    several = sum(c != 0 for c in swing) > 1
    factor = f"({text_of(swing)}) " if several else {"1": "", "-1": "-"}.get(text_of(swing))
    term = f"{text_of(swing)} |sin t|" if factor is None else f"{factor}|sin t|"
    if not p:
        return term
    return f"{text_of(p)} - {term[1:]}" if term.startswith("-") else f"{text_of(p)} + {term}"


# directions -----------------------------------------------------------------------------------
def leading(vector: Sequence[Univariate]) -> tuple[int, Vector]:
    """The largest degree K among the entries, and the vector of their coefficients of t^K; K is -1
    and the vector 0 where all entries vanish."""
    top = max(degree(p) for p in vector)
    if top < 0:
        return top, (Fraction(0),) * len(vector)
    return top, tuple(p[top] if degree(p) == top else Fraction(0) for p in vector)


def same_direction(a: Vector, b: Vector) -> bool:
    """Whether two vectors that are not 0 are positive multiples of each other."""
    parallel = all(x * b[i] == a[i] * y for i, _ in enumerate(a) for x, y in zip(a, b, strict=True))
    return parallel and sum(x * y for x, y in zip(a, b, strict=True)) > 0


def limit_direction(curve: Curve, through_zeros: bool) -> Vector | None:
    """A positive multiple of lim w(t)/||w(t)||; None where there is no limit.

    through_zeros: whether the limit is over those t with w(t) != 0 alone; otherwise the quotient
    must be there for all late t.

    Near multiples of pi the curve is near p/||p||, half-way near q/||q||, and between them in the
    cone of the two: so the limit exists if and only if p and q have one leading direction.
    """
    ends = [vector for top, vector in map(leading, (curve.trough, curve.crest)) if top >= 0]
    if not ends or (len(ends) < 2 and not through_zeros):
        return None
    return ends[0] if same_direction(ends[0], ends[-1]) else None


# signs ------------------------------------------------------------------------------------------
def end_signs(curve: Curve, entry: int) -> tuple[int, int]:
    """The signs of p_e and of q_e for late t."""
    return late_sign(curve.trough[entry]), late_sign(curve.crest[entry])


def keeps_sign(curve: Curve, entry: int, at_zero: int) -> bool:
    """Whether sgn(w_e(t)) is the same for all late t. at_zero: sgn(0), 1 or -1.

    With p_e, q_e of one sign so is w_e. With opposite signs it takes both. Where one vanishes
    w_e is 0 at the multiples of pi (or half-way) and has the sign of the other elsewhere.
    """
    first, second = end_signs(curve, entry)
    return (first or at_zero) == (second or at_zero)


def changes_sign_forever(curve: Curve, entry: int) -> bool:
    """Whether w_e(t) is positive and negative at arbitrarily late times."""
    first, second = end_signs(curve, entry)
    return first * second < 0


def tends_to_zero(curve: Curve, entry: int) -> bool:
    """Whether w_e(t) -> 0."""
    return max(degree(curve.trough[entry]), degree(curve.crest[entry])) < curve.decay


# how often values are taken ---------------------------------------------------------------------
def takes_values_forever(curve: Curve) -> bool | None:
    """Whether every value w(t), t in R, is taken at infinitely many times; None where it is left
    undecided.

    Off a line through 0: no, if the direction converges (a value taken at arbitrarily late times
    lies on the ray of the limit, and on a bounded interval the pieces of the curve are analytic and
    not constant); left undecided if it does not. On a line w = phi v: see `_profile_recurs`.
    """
    _, axis = leading(curve.crest if any(curve.crest) else curve.trough)
    if not any(axis):
        return True  # w = 0
    if not all(_on_line(p, axis) for p in (curve.trough, curve.crest)):
        return False if limit_direction(curve, through_zeros=True) else None
    place = next(i for i, a in enumerate(axis) if a)
    return _profile_recurs(curve.trough[place], curve.crest[place], curve.decay)


def _on_line(vector: Sequence[Univariate], axis: Vector) -> bool:
    """Whether the vector of polynomials is a multiple of the axis for every t."""
    scaled = [
        [times((b,), p) for p in vector] == [times((a,), vector[i]) for a in axis]
        for i, b in enumerate(axis)
    ]
    return all(scaled)


def _profile_recurs(p: Univariate, q: Univariate, decay: int) -> bool | None:
    """Whether phi = ((1 - s) p + s q)/(1 + t)^k takes each of its values infinitely often.

    Let low < high be the limits of its two ends. Values strictly between them recur, by the
    intermediate value theorem; others are taken in bounded time, and so finitely often, but for a
    limit to which an end is constantly equal. With equal limits only a constant recurs.
    """
    scale = tuple(Fraction(comb(decay, i)) for i in range(decay + 1))
    if p == q == times(p[-1:], scale):
        return True
    low, high = sorted((p, q), key=lambda end: _limit(end, decay))
    if _limit(low, decay) == _limit(high, decay):
        return False
    answers = (
        _stays_above(low, high, p, scale),
        _stays_above(_negative(high), _negative(low), _negative(p), scale),
    )
    if False in answers:
        return False
    return None if None in answers else True


def _negative(p: Univariate) -> Univariate:
    return tuple(-c for c in p)


def _limit(p: Univariate, decay: int) -> tuple[int, Fraction]:
    """lim p/(1 + t)^k in the order of the extended line: (-1, 0), (0, limit) or (1, 0)."""
    if degree(p) > decay:
        return late_sign(p), Fraction(0)
    return 0, p[decay] if degree(p) == decay else Fraction(0)


def _stays_above(
    low: Univariate, high: Univariate, start: Univariate, scale: Univariate
) -> bool | None:
    """Whether phi takes no value at or below the limit of its lower end, the limit itself excepted
    where that end is constantly equal to it. start: the end at which phi is at time 0. None where
    it is left undecided."""
    infinite, limit = _limit(low, degree(scale))
    if infinite:
        return True  # the limit is minus infinity: it is below that of `high`
    floor = times((limit,), scale)
    gap, high_gap, start_gap = (minus(end, floor) for end in (low, high, start))
    at_start = value(start_gap, Fraction(0))
    if late_sign(gap) < 0 or at_start < 0 or (gap and at_start == 0):
        return False
    return True if clearly_nonnegative(gap) and clearly_nonnegative(high_gap) else None
