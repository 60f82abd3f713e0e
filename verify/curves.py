"""Claims about curves w(t) in weight space: instances, hypotheses, and how they are drawn.

An instance is made of arrays (verify.tensors): `trough` and `crest`, one row of coefficients for
each entry of w (the polynomials p and q of graphs.curves), and the integer `decay`, k.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

from graphs.curves import Curve, Vector, leading, limit_direction
from graphs.univariate import univariate
from verify.hypotheses import Hypothesis, by_case
from verify.tensor_pool import TensorPool
from verify.tensors import Tensor, Tensors
from verify.transformations import random_rational
from verify.vocabulary import Entries, Row, constant_entries

Label = dict[str, Any]
AXES = ("entry", "power")
DIRECTION_WORDS = {
    "A": r"the limit of $w(t)/\lVert w(t)\rVert_2$ asks for the quotient at every late $t$",
    "B": r"the limit of $w(t)/\lVert w(t)\rVert_2$ is over those $t$ with $w(t)\ne0$",
}


class VectorCase(Tensors):
    """Named vectors."""

    def described(self) -> str:
        """Their entries."""
        return ", ".join(_vector_text(name, array) for name, array in self.arrays.items())


def as_vectors(case: Tensors, random: Random) -> VectorCase:
    """The same arrays, told by their entries."""
    return VectorCase(case.arrays, case.choice, case.family)


def _vector_text(name: str, array: Tensor) -> str:
    return f"{name} = ({', '.join(map(str, array.entries))})"


class CurveCase(Tensors):
    """Arrays that describe a curve, and perhaps others."""

    @property
    def curve(self) -> Curve:
        """The curve."""
        ends = []
        for name in ("trough", "crest"):
            rows = _rows(self.arrays[name])
            ends.append(tuple(univariate(row) for row in rows))
        return Curve(ends[0], ends[1], self.whole("decay"))

    def changes(self) -> Iterator[Tensors]:
        """Neighbours that are curves."""
        return (other for other in super().changes() if other.whole("decay") >= 0)

    def described(self) -> str:
        """The curve as a formula, and the other arrays."""
        rest = [n for n in self.arrays if n not in ("trough", "crest", "decay")]
        return ", ".join([self.curve.formula, *(_vector_text(n, self.arrays[n]) for n in rest)])


class CurvePool(TensorPool):
    """The pool of curves."""

    def scope(self) -> tuple[str, ...]:
        """What curves are drawn."""
        top, decay = self.largest, self.integers[0][2]
        return (
            f"curves ((1 - s) p(t) + s q(t))/(1 + t)^k, s = |sin t|, k at most {decay}",
            f"in up to {top} dimensions, p and q vectors of polynomials of degree below {top}",
        )


def of_curves(
    look: Callable[[CurveCase], Iterator[tuple[Label, bool | None]]],
) -> Callable[[Any], Entries]:
    """A measure that walks curve by curve. look: labels and whether what they name is so; None
    where that is left undecided, and then there is no entry. The entry is 1 where it is not so."""

    def measure(scene: Any) -> Entries:
        rows: list[Row] = [
            (number, label, Fraction(not holds))
            for number, case in enumerate(scene.cases)
            for label, holds in look(case)
            if holds is not None
        ]
        return constant_entries(scene, rows)

    measure.__name__ = look.__name__
    return measure


# hypotheses -----------------------------------------------------------------------------------
def _converges(case: CurveCase) -> bool:
    return limit_direction(case.curve, through_zeros=False) is not None


def _made_to_converge(case: CurveCase, random: Random) -> CurveCase:
    return case if _converges(case) else with_one_direction(case, random)


def turned(case: CurveCase, random: Random) -> CurveCase:
    """The same curve, the crest pointing the other way."""
    top, vector = _leading(case)
    return _with_leading(case, top, tuple(-v for v in vector), ("crest",))


CONVERGES_IN_DIRECTION = Hypothesis(
    "direction converges",
    rf"$w(t)/\lVert w(t)\rVert_2$ converges as $t\to\infty$ ({DIRECTION_WORDS['A']})",
    by_case(_converges),
    _made_to_converge,
    turned,
)


def _limit_without_zeros(case: CurveCase) -> bool:
    limit = limit_direction(case.curve, through_zeros=True)
    return limit is None or all(limit)


def _no_zero_entry(case: CurveCase, random: Random) -> CurveCase:
    """Give every entry of the leading coefficients a number other than 0."""
    if _limit_without_zeros(case):
        return case
    top, vector = _leading(case)
    filled = tuple(v or random_rational(random) for v in vector)
    return _with_leading(case, top, filled, ("trough", "crest"))


def _zero_entry(case: CurveCase, random: Random) -> CurveCase:
    """One entry of the limit becomes 0, and small against the others changes sign forever."""
    place = random.randrange(case.lengths["entry"])
    higher = _raised(case)
    for name, sign in (("trough", 1), ("crest", -1)):
        rows = _rows(higher.arrays[name])
        rows[place] = [Fraction(sign), *[Fraction(0)] * (len(rows[place]) - 1)]
        higher = _with_rows(higher, name, rows)
    return higher


NO_ZERO_IN_LIMIT = Hypothesis(
    "limit without zeros",
    r"the limit direction $\bar w$ has $\bar w_e\ne0$ for every $e$",
    by_case(_limit_without_zeros),
    _no_zero_entry,
    _zero_entry,
)


def _not_constant(case: CurveCase) -> bool:
    curve = case.curve
    moving = any(len(p) > 1 for p in (*curve.trough, *curve.crest))
    return moving or curve.trough != curve.crest or (curve.decay > 0 and any(curve.trough))


NOT_CONSTANT = Hypothesis("not constant", r"$w$ is not constant", by_case(_not_constant))


# shapes of curves -------------------------------------------------------------------------------
def _rows(array: Tensor) -> list[list[Fraction]]:
    powers = array.shape[1]
    return [list(array.entries[k : k + powers]) for k in range(0, len(array.entries), powers)]


def _tensor_of(rows: list[list[Fraction]]) -> Tensor:
    return Tensor(AXES, (len(rows), len(rows[0])), tuple(v for row in rows for v in row))


def _with_rows(case: CurveCase, name: str, rows: list[list[Fraction]]) -> CurveCase:
    return case.changing(**{name: _tensor_of(rows)})


def _leading(case: CurveCase) -> tuple[int, Vector]:
    """Degree and leading coefficients of the trough, or of the crest where the trough is 0."""
    curve = case.curve
    top, vector = leading(curve.trough)
    return leading(curve.crest) if top < 0 else (top, vector)


def _with_leading(case: CurveCase, top: int, vector: Vector, names: tuple[str, ...]) -> CurveCase:
    """Cut the rows behind the power `top`, and put the vector there."""
    for name in names:
        rows = _rows(case.arrays[name])
        for row, value in zip(rows, vector, strict=True):
            row[max(top, 0) :] = [value, *[Fraction(0)] * (len(row) - max(top, 0) - 1)]
        case = _with_rows(case, name, rows)
    return case


def _raised(case: CurveCase) -> CurveCase:
    """Both ends times t."""
    raised = {
        name: _tensor_of([[Fraction(0), *row] for row in _rows(case.arrays[name])])
        for name in ("trough", "crest")
    }
    return case.changing(**raised)


def with_one_direction(case: CurveCase, random: Random) -> CurveCase:
    """The same curve, the crest with the trough's leading direction."""
    top, vector = _leading(case)
    vector = vector if any(vector) else tuple(random_rational(random) for _ in vector)
    factor = Fraction(random.randint(1, 3))
    along = _with_leading(case, top, tuple(factor * v for v in vector), ("crest",))
    return _with_leading(along, top, vector, ("trough",))


def _rational(case: CurveCase, random: Random) -> CurveCase:
    return case.changing(crest=case.arrays["trough"])


def _on_a_ray(case: CurveCase, random: Random) -> CurveCase:
    """Multiples of one vector, with coefficients that are not negative."""
    entries, powers = case.arrays["trough"].shape
    vector = [random_rational(random) for _ in range(entries)]
    for name in ("trough", "crest"):
        profile = [Fraction(random.randint(0, 2)) for _ in range(powers)]
        case = _with_rows(case, name, [[v * c for c in profile] for v in vector])
    return case


def _swinging(case: CurveCase, random: Random) -> CurveCase:
    """v |t sin t|, if there is room for a power of 1."""
    entries, powers = case.arrays["trough"].shape
    place = min(1, powers - 1)
    row = [Fraction(0)] * powers
    crest = []
    for _ in range(entries):
        crest.append([*row[:place], random_rational(random), *row[place + 1 :]])
    return _with_rows(_with_rows(case, "crest", crest), "trough", [row] * entries)


def _settling(case: CurveCase, random: Random) -> CurveCase:
    """A curve that converges, to a limit with an entry 0; in half of the cases that entry swings to
    and fro about 0."""
    top, vector = _leading(case)
    gone = random.randrange(len(vector))
    flat = tuple(v * (i != gone) for i, v in enumerate(vector))
    if not any(flat):
        return case
    factor = Fraction(random.randint(1, 3))
    case = _with_leading(case, top, tuple(factor * v for v in flat), ("crest",))
    case = _with_leading(case, top, flat, ("trough",))
    if random.random() < 0.5:
        rows = _rows(case.arrays["crest"])
        rows[gone] = [-c for c in _rows(case.arrays["trough"])[gone]]
        case = _with_rows(case, "crest", rows)
    return case.changing(decay=Tensor((), (), (Fraction(top),), integer=True))


SHAPES: dict[str, Callable[[CurveCase, Random], CurveCase]] = {
    "as drawn": lambda case, random: case,
    "rational": _rational,
    "one direction": with_one_direction,
    "a limit with a zero": _settling,
    "on a ray": _on_a_ray,
    "v |t sin t|": _swinging,
}


def shaped(case: Tensors, random: Random) -> CurveCase:
    """The curve as drawn, or one of a special shape."""
    name = random.choice(sorted(SHAPES))
    return SHAPES[name](CurveCase(case.arrays, case.choice, name), random)


def along_a_ray(case: Tensors, random: Random) -> CurveCase:
    """A curve on the ray of one vector."""
    return _on_a_ray(CurveCase(case.arrays, case.choice, "on a ray"), random)


def settling(case: Tensors, random: Random) -> CurveCase:
    """A curve that converges, to a limit with an entry 0."""
    return _settling(CurveCase(case.arrays, case.choice, "a limit with a zero"), random)


ENDS = (("trough", AXES), ("crest", AXES))
DECAY = (("decay", 0, 2),)
CURVES = CurvePool(arrays=ENDS, integers=DECAY, adapt=shaped)
SETTLING = CurvePool(arrays=ENDS, integers=DECAY, adapt=settling)
RAYS = CurvePool(arrays=ENDS, integers=(("decay", 0, 0),), adapt=along_a_ray)
