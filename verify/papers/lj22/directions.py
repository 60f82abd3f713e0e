"""Section 4.1 and Claims 1 and 2: curves that converge in direction, and their signs."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from random import Random

from graphs.curves import (
    Curve,
    Vector,
    changes_sign_forever,
    keeps_sign,
    limit_direction,
    takes_values_forever,
    tends_to_zero,
)
from graphs.univariate import Univariate, univariate
from verify.claim import Claim, Kind
from verify.curves import (
    CURVES,
    DIRECTION_WORDS,
    NEURONS,
    NO_ZERO_IN_LIMIT,
    NOT_CONSTANT,
    RAYS,
    SETTLING,
    CurveCase,
    Label,
    converges_in_direction,
    of_curves,
)
from verify.hypotheses import Hypothesis, by_case
from verify.matrices import MatrixScene
from verify.papers.lj22.direction_proofs import ball_in_orthant, recurrence_of_printed, stable_signs
from verify.papers.lj22.sources import both
from verify.tensor_pool import TensorPool
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


def in_orthant(scene: MatrixScene) -> Entries:
    """For each entry: u_i has the sign of v_i, and is not 0."""
    rows = []
    for number, case in enumerate(scene.cases):
        pairs = zip(case.arrays["v"].entries, case.arrays["u"].entries, strict=True)
        rows += [(number, {"entry": i}, Fraction(v * u <= 0)) for i, (v, u) in enumerate(pairs)]
    return constant_entries(scene, rows)


def does_not_cross(case: CurveCase) -> Iterator[tuple[Label, bool]]:
    """The pre-activation <x, w(t)> of a ReLU neuron does not change sign forever."""
    x, curve = case.arrays["x"].entries, case.curve
    ends = [_preactivation(x, end) for end in _ends(curve)]
    neuron = Curve((ends[0],), (ends[1],), curve.decay)
    yield {"predicate": "boundary crossed forever"}, not changes_sign_forever(neuron, 0)


def _preactivation(x: Vector, end: tuple[Univariate, ...]) -> Univariate:
    powers = max((len(p) for p in end), default=0)
    return univariate(
        sum((a * p[k] for a, p in zip(x, end, strict=True) if k < len(p)), Fraction(0))
        for k in range(powers)
    )


# hypotheses -------------------------------------------------------------------------------------
def _nonzero_vector(case: Tensors, random: Random) -> Tensors:
    if any(case.arrays["v"].entries):
        return case
    return _with_vector(case, "v", tuple(random_rational(random) for _ in _v(case)))


def _v(case: Tensors) -> Vector:
    return case.arrays["v"].entries


def _with_vector(case: Tensors, name: str, entries: Vector) -> Tensors:
    return case.changing(**{name: Tensor(("entry",), (len(entries),), entries)})


NOT_THE_ZERO_VECTOR = Hypothesis(
    "v is not 0",
    r"$v\ne0$",
    by_case(lambda case: any(_v(case))),
    _nonzero_vector,
    lambda case, random: _with_vector(case, "v", tuple(Fraction(0) for _ in _v(case))),
)

NO_ZERO_ENTRY = Hypothesis(
    "no zero entry",
    r"$v_i\ne0$ for every $i$",
    by_case(lambda case: all(_v(case))),
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


IN_BALL = Hypothesis(
    "in the ball",
    r"$\lVert u-v\rVert_2\le\min_i|v_i|/2$",
    by_case(_in_ball),
    _into_ball,
    lambda case, random: _with_vector(case, "u", tuple(-a for a in _v(case))),
)

VECTOR = TensorPool(arrays=(("v", ("entry",)),), largest=9)
VECTORS = TensorPool(arrays=(("v", ("entry",)), ("u", ("entry",))), largest=6)


# claims -----------------------------------------------------------------------------------------
BALL = r"with $v$ the limit direction and $\mathcal B$ the ball of radius $\min_i|v_i|/2$ around it"
PRINTED = (
    r"There exists a function $w:\mathbb R\to\mathbb R^d$ such that $w(t)$ converges in direction "
    r"to some vector $v$ but for all $u\in w(\mathbb R)$, $w^{-1}(u)$ has infinitely many "
    r"elements. Witness: $t\mapsto v\,|t\sin(t)|$ for a fixed vector $v\in\mathbb R^d$."
)


def _claim1(reading: str) -> Claim:
    return Claim(
        f"lj22.claim1@{reading}",
        Kind.IDENTITY,
        both("Claim 1"),
        "directional convergence to a limit without zeros implies stable signs",
        r"Assumption 2 implies Assumption 1: if $w(t)/\lVert w(t)\rVert_2\to\bar w$ with "
        r"$\bar w_e\ne0$ for every $e$, then from some $t_0$ on $\mathrm{sgn}(w(t))="
        r"\mathrm{sgn}(w(t_0))$.",
        (converges_in_direction(reading), NO_ZERO_IN_LIMIT),
        ("lj22.ass1", "lj22.ass2"),
        measure=of_curves(signs_stay),
        pool=CURVES,
        reading=reading,
        reading_text=DIRECTION_WORDS[reading],
        exact_only=True,
        proof=partial(stable_signs, "signs_stay") if reading == "A" else None,
    )


def _claim2(reading: str) -> Claim:
    return Claim(
        f"lj22.claim2.a@{reading}",
        Kind.IDENTITY,
        both("Claim 2, first sentence, and its proof"),
        "a curve that converges in direction and returns to each of its points forever",
        PRINTED,
        (NOT_THE_ZERO_VECTOR,),
        ("lj22.ass2",),
        measure=printed_everywhere if reading == "A" else printed_off_zeros,
        pool=VECTOR,
        reading=reading,
        reading_text=DIRECTION_WORDS[reading],
        exact_only=True,
        proof=None if reading == "A" else recurrence_of_printed,
    )


CLAIMS = (
    Claim(
        "lj22.ass2",
        Kind.ASSUMPTION,
        both("Assumption 2"),
        "directional convergence to a limit without zeros",
        r"$\frac{w(t)}{\lVert w(t)\rVert_2}\xrightarrow{t\to\infty}\bar w$ exists, is finite in "
        r"each entry and furthermore, for all $e\in E$, $\bar w_e\ne0$.",
    ),
    Claim(
        "lj22.rem-sign",
        Kind.EXISTENCE,
        both("Section 4.1, motivation and justification"),
        "directional convergence alone does not imply stable signs",
        r"There are curves $w(t)$ whose direction $w(t)/\lVert w(t)\rVert_2$ converges while a "
        r"weight that converges to $0$ changes sign an infinite number of times.",
        (converges_in_direction("A"),),
        ("lj22.ass1", "lj22.ass2"),
        measure=of_curves(settles_to_zero_with_signs),
        pool=SETTLING,
        exact_only=True,
    ),
    *(_claim1(reading) for reading in "AB"),
    Claim(
        "lj22.claim1.ball",
        Kind.IDENTITY,
        both("Claim 1, first step of the proof"),
        "a ball inside of an orthant",
        r"The ball of radius $\min_i|v_i|/2$ around $v$ is a subset of the interior of the orthant "
        r"of $v$.",
        (NO_ZERO_ENTRY, IN_BALL),
        measure=in_orthant,
        pool=VECTORS,
        exact_only=True,
        proof=ball_in_orthant,
    ),
    Claim(
        "lj22.claim1.last",
        Kind.IDENTITY,
        both("Claim 1, last sentence of the proof"),
        "the weights come to lie in the ball",
        BALL[0].upper() + BALL[1:] + r": eventually, $w(s)\in\mathcal B$, where its signs stay "
        r"constant.",
        (converges_in_direction("A"), NO_ZERO_IN_LIMIT),
        ("lj22.claim1.ball",),
        measure=of_curves(late_in_ball),
        pool=CURVES,
        exact_only=True,
    ),
    Claim(
        "lj22.claim1.last.fix",
        Kind.IDENTITY,
        both("Claim 1, last sentence of the proof"),
        "the direction of the weights comes to lie in the ball",
        BALL[0].upper() + BALL[1:] + r": eventually, $w(s)/\lVert w(s)\rVert_2\in\mathcal B$, and "
        r"the signs of $w(s)$ stay constant.",
        (converges_in_direction("A"), NO_ZERO_IN_LIMIT),
        ("lj22.claim1.ball",),
        measure=of_curves(direction_late_in_ball),
        pool=CURVES,
        exact_only=True,
        proof=partial(stable_signs, "direction_late_in_ball"),
        repairs="lj22.claim1.last",
    ),
    *(_claim2(reading) for reading in "AB"),
    Claim(
        "lj22.claim2.a@A.fix",
        Kind.EXISTENCE,
        both("Claim 2, first sentence"),
        "a curve with a direction at every late time that returns to each of its points forever",
        r"There exists a function $w:\mathbb R\to\mathbb R^d$ that is not constant, such that "
        r"$w(t)/\lVert w(t)\rVert_2$ converges (and is there for every late $t$) but for all "
        r"$u\in w(\mathbb R)$, $w^{-1}(u)$ has infinitely many elements.",
        (converges_in_direction("A"), NOT_CONSTANT),
        ("lj22.ass2",),
        measure=of_curves(does_not_recur),
        pool=RAYS,
        reading="A",
        reading_text=DIRECTION_WORDS["A"],
        exact_only=True,
        repairs="lj22.claim2.a@A",
    ),
    Claim(
        "lj22.claim2.b@B.fix",
        Kind.EXISTENCE,
        both("Claim 2"),
        "directional convergence does not imply stable activation",
        r"There are a curve $w(t)$ whose direction converges and an input $x$ such that "
        r"$\langle w(t),x\rangle$ is positive and negative at arbitrarily late times: the ReLU "
        r"neuron $\sigma(\langle w,x\rangle)$ crosses the boundary between its two activation "
        r"patterns infinitely often.",
        (converges_in_direction("A"),),
        ("lj22.ass2",),
        measure=of_curves(does_not_cross),
        pool=NEURONS,
        reading="B",
        reading_text="for a fully-connected network: one ReLU neuron, on another curve",
        exact_only=True,
        repairs="lj22.claim2.b@B",
    ),
)
