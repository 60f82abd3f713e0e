"""What Claims 1 and 2 say of a curve or a vector, and what they suppose of vectors."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from graphs.curves import (
    Curve,
    changes_sign_forever,
    keeps_sign,
    limit_direction,
    takes_values_forever,
    tends_to_zero,
)
from graphs.univariate import Univariate, univariate
from verify.curves import CurveCase, Label
from verify.hypotheses import Hypothesis, by_case
from verify.language.building import Each, Min, Vector, dim, norm, upto
from verify.matrices import MatrixScene
from verify.stated import Given
from verify.tensors import Tensor, Tensors
from verify.transformations import random_rational
from verify.vocabulary import Entries, constant_entries


# measures ---------------------------------------------------------------------------------------
def signs_stay(case: CurveCase) -> Iterator[tuple[Label, bool]]:
    """sgn(w(t)) is the same for all late t, for one of the two values of sgn(0) at least."""
    yield {"predicate": "signs stay"}, _stable(case.curve)


def _stable(curve: Curve) -> bool:
    entries = range(curve.dimension)
    return any(all(keeps_sign(curve, e, at_zero) for e in entries) for at_zero in (1, -1))


def settles_to_zero_with_signs(case: CurveCase) -> Iterator[tuple[Label, bool]]:
    """For each entry: it does not tend to 0, or not with sign changes forever."""
    curve = case.curve
    for e in range(curve.dimension):
        yield {"entry": e}, not (tends_to_zero(curve, e) and changes_sign_forever(curve, e))


def late_in_ball(case: CurveCase) -> Iterator[tuple[Label, bool | None]]:
    """w(s) lies in the ball B of radius min_i |v_i|/2 around the limit direction v, late."""
    yield {"predicate": "w in B"}, in_ball_late(case.curve)


def direction_late_in_ball(case: CurveCase) -> Iterator[tuple[Label, bool | None]]:
    """w(s)/||w(s)|| lies in B for all late s (its limit is the centre), and the signs stay."""
    limit = limit_direction(case.curve, through_zeros=False)
    yield {"predicate": "w/|w| in B"}, limit is not None and all(limit)
    yield {"predicate": "signs stay"}, _stable(case.curve)


def in_ball_late(curve: Curve) -> bool | None:
    """Whether |w(t) - v| <= min |v_i|/2 for all late t, v the limit of w/|w|; None where a limit
    point lies on the sphere, or there is no v.

    Limit points are c v with c from the limit of the norm at one end of the curve to that at the
    other, so that the distance is |c - 1|.
    """
    limit = limit_direction(curve, through_zeros=True)
    if limit is None:
        return None
    square = sum(a * a for a in limit)
    radius = min(a * a for a in limit) / square / 4  # squared
    inside = [_norm_near_one(_norm_limit(end, curve.decay), radius) for end in _ends(curve)]
    return False if False in inside else (None if None in inside else True)


def _ends(curve: Curve) -> tuple[tuple[Univariate, ...], tuple[Univariate, ...]]:
    return curve.trough, curve.crest


def _norm_limit(end: tuple[Univariate, ...], decay: int) -> Fraction | None:
    """The limit of |end/(1 + t)^k|^2, None for infinity."""
    if any(len(p) - 1 > decay for p in end):
        return None
    return sum((p[decay] ** 2 for p in end if len(p) - 1 == decay), Fraction(0))


def _norm_near_one(square: Fraction | None, radius: Fraction) -> bool | None:
    """Whether |c - 1| < r for c^2 = square and r^2 = radius <= 1/4; None where it is r.

    (1 - r)^2 < c^2 < (1 + r)^2 says that c^2 - 1 - r^2 lies between -2r and 2r.
    """
    if square is None:
        return False
    excess = (square - 1 - radius) ** 2 - 4 * radius
    return None if excess == 0 else excess < 0


def printed_function(scene: MatrixScene, through_zeros: bool) -> Entries:
    """The two things said of t -> v |t sin t|."""
    rows = []
    for number, case in enumerate(scene.cases):
        v = case.arrays["v"].entries
        curve = Curve(tuple(() for _ in v), tuple(univariate([0, a]) for a in v))
        there = limit_direction(curve, through_zeros) is not None
        rows.append((number, {"predicate": "direction converges"}, Fraction(not there)))
        recurs = bool(takes_values_forever(curve))
        rows.append((number, {"predicate": "preimages infinite"}, Fraction(not recurs)))
    return constant_entries(scene, rows)


def printed_everywhere(scene: MatrixScene) -> Entries:
    """The printed function, its direction asked for at every late time."""
    return printed_function(scene, through_zeros=False)


def printed_off_zeros(scene: MatrixScene) -> Entries:
    """The printed function, its direction asked for where it is not 0."""
    return printed_function(scene, through_zeros=True)


def does_not_recur(case: CurveCase) -> Iterator[tuple[Label, bool]]:
    """Not every value is taken at infinitely many times, as far as that is decided."""
    yield {"predicate": "preimages infinite"}, takes_values_forever(case.curve) is not True


# hypotheses -------------------------------------------------------------------------------------
def _nonzero_vector(case: Tensors, random: Random) -> Tensors:
    if any(case.arrays["v"].entries):
        return case
    return _with_vector(case, "v", tuple(random_rational(random) for _ in _v(case)))


def _v(case: Tensors) -> tuple[Fraction, ...]:
    return case.arrays["v"].entries


def _with_vector(case: Tensors, name: str, entries: tuple[Fraction, ...]) -> Tensors:
    return case.changing(**{name: Tensor(("entry",), (len(entries),), entries)})


NOT_THE_ZERO_VECTOR = Hypothesis(
    "v is not 0",
    r"$v\ne0$",
    by_case(lambda case: any(_v(case))),
    _nonzero_vector,
    lambda case, random: _with_vector(case, "v", tuple(Fraction(0) for _ in _v(case))),
)

# a ball inside of an orthant --------------------------------------------------------------------
V, U = Vector("v", "entry"), Vector("u", "entry")
IN_ORTHANT = Each(upto(dim(V)), lambda i: V[i] * U[i] > 0)  # the interior of that of v

NO_ZERO_ENTRY = Given(
    "no zero entry",
    Each(upto(dim(V)), lambda i: V[i] != 0),
    r"$v_i\ne0$ for every $i$",
    lambda case, random: _with_vector(
        case, "v", tuple(a or random_rational(random) for a in _v(case))
    ),
    lambda case, random: _with_vector(case, "v", (Fraction(0), *_v(case)[1:])),
)


def _in_ball(case: Tensors) -> bool:
    pairs = zip(_v(case), case.arrays["u"].entries, strict=True)
    return 4 * sum((u - v) ** 2 for v, u in pairs) <= min(v * v for v in _v(case))


def _into_ball(case: Tensors, random: Random) -> Tensors:
    """Halve the distance until u lies in the ball (u = v, where its radius is 0)."""
    v, factor = _v(case), Fraction(1)
    steps = [u - a for a, u in zip(v, case.arrays["u"].entries, strict=True)]
    for _ in range(12):
        moved = _with_vector(
            case, "u", tuple(a + factor * s for a, s in zip(v, steps, strict=True))
        )
        if _in_ball(moved):
            return moved
        factor /= 2
    return _with_vector(case, "u", v)


IN_BALL = Given(
    "in the ball",
    norm(U - V) <= Min(upto(dim(V)), lambda i: abs(V[i])) / 2,
    r"$\lVert u-v\rVert_2\le\min_i|v_i|/2$",
    _into_ball,
    lambda case, random: _with_vector(case, "u", tuple(-a for a in _v(case))),
)
