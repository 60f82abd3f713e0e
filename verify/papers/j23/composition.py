"""Theorem 3, part 1: the cost of a composition, and its R^(1).

As printed the layers of g are followed by those of f, but the last layer of g has no activation,
and g(x) need not be positive: R(id; [-1, 1], 2) >= 2 sqrt(2 / (1 + |a|)) > 2 = 2 R(id; [-1, 1], 1).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene
from verify.cases.scenes import Entries
from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.costs.affine import Affine, Bounds, cost
from verify.kinds.costs.corrections import Corrections, corrections
from verify.kinds.deep.hypotheses import SLOPE as BREAKABLE_SLOPE
from verify.kinds.deep.hypotheses import with_number
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.affine_cases import HULL, SLOPE, affine, affine_pool, composed
from verify.papers.j23.first_correction import THROUGH
from verify.papers.j23.rows import certain_slack, entries_of
from verify.papers.j23.sources import printed

DEPTHS = (("L1", 1, 3), ("L2", 1, 3))
FUNCTIONS = (("F", ("q", "m")), ("d", ("q",)), ("G", ("m", "n")), ("c", ("m",)))
READING = r"the domain of $f$ is $g(\Omega)$"


def functions(case: Tensors) -> tuple[Affine, Affine, Affine]:
    """f on g(Omega), g, and f after g."""
    inner = affine(case, "G", "c")
    outer = affine(case, "F", "d")
    return replace(outer, points=inner.values), inner, composed(outer, inner)


def summed(one: Bounds, other: Bounds) -> Bounds:
    """The bounds of a sum."""
    known = one.upper is not None and other.upper is not None
    return Bounds(one.lower + other.lower, one.upper + other.upper if known else None)


def composition_slack(scene: RealScene) -> Entries:
    """R(f; g(Omega), L1) + R(g; Omega, L2) - R(f after g; Omega, L1 + L2), where bounds decide."""
    rows: list[Any] = []
    for place, case in enumerate(scene.cases):
        one, two = case.whole("L1"), case.whole("L2")
        if min(one, two) < 1:
            continue
        f, g, whole = functions(case)
        right = summed(cost(f, one), cost(g, two))
        rows += [(place, {}, v) for v in certain_slack(right, cost(whole, one + two))]
    return entries_of(rows)


FINITE = Claim(
    "j23.thm3.1.ineq@B",
    Kind.INEQUALITY,
    printed("proof of Proposition 14"),
    "finite-depth cost of a composition",
    r"$R(f\circ g;\Omega,L_1+L_2)\le R(f;g(\Omega),L_1)+R(g;\Omega,L_2)$.",
    (SLOPE,),
    ("j23.repcost",),
    measure=composition_slack,
    pool=affine_pool(FUNCTIONS, integers=DEPTHS),
    reading="B",
    reading_text=rf"{READING}; affine $f(z)=Fz+d$, $g(x)=Gx+c$, {HULL}",
    exact_only=True,
    through=THROUGH,
    why=r"The last layer of $g$ has no activation, so the layers of $f$ cannot follow it where "
    r"$g$ is negative: $R(id;[-1,1],2)\ge2\sqrt{2/(1+|a|)}>2=2R(id;[-1,1],1)$.",
)


# repaired -----------------------------------------------------------------------------------------
def _without_activation(scene: DeepScene, cut: int) -> object:
    """(1, N, n_L): f(g(x)), where the layers up to `cut` are g, whose last one is linear."""
    here = scene.pre(cut)
    for layer in range(cut + 1, scene.depth + 1):
        here = here @ scene.transpose(scene.weight(layer))
        here = here + scene.bias(layer).reshape(1, 1, scene.width(layer))
        if layer < scene.depth:
            here = here * scene.slopes_at(here)[0]
    return here


def concatenation_residual(scene: DeepScene) -> Entries:
    """The outputs of the layers of g followed by those of f, minus f(g(x)), at the points."""
    rows: list[Any] = []
    for place, case in enumerate(scene.cases):
        alone = case.exact
        if not 1 <= case.whole("cut") < case.depth:
            continue
        difference = alone.outputs - _without_activation(alone, case.whole("cut"))
        for at in range(alone.count):
            for output in range(alone.width(alone.depth)):
                rows.append((place, {"point": at, "entry": output}, difference[0, at, output]))
    return entries_of(rows)


def _positive_at_cut(case: Deep) -> bool:
    cut = case.whole("cut")
    return 1 <= cut < case.depth and bool((case.exact.pre(cut) >= 0).all())


def _raised(case: Deep, random: Random) -> Deep:
    """The biases of layer `cut` become such that g is at least 0 at the points."""
    cut = min(max(case.whole("cut"), 1), case.depth - 1)
    if cut < 1:
        return case
    case = with_number(case, "cut", cut)
    z = case.exact.pre(cut)[0]
    array = case.arrays[f"b{cut}"]
    low = [min(Fraction(0), *(Fraction(str(v)) for v in z[:, i])) for i in range(z.shape[1])]
    entries = tuple(b - v for b, v in zip(array.entries, low, strict=True))
    return case.changing(**{f"b{cut}": replace(array, entries=entries)})


def _lowered(case: Deep, random: Random) -> Deep:
    """A neuron of layer `cut` becomes negative at the first point."""
    case = _raised(case, random)
    cut = case.whole("cut")
    if not 1 <= cut < case.depth:
        return case
    z = Fraction(str(case.exact.pre(cut)[0, 0, 0]))
    array = case.arrays[f"b{cut}"]
    entries = (array.entries[0] - z - 1, *array.entries[1:])
    return case.changing(**{f"b{cut}": replace(array, entries=entries)})


POSITIVE_BETWEEN = Hypothesis(
    "g is positive",
    r"$g(\Omega)\subset\mathbb R_+^m$",
    by_case(_positive_at_cut),
    _raised,
    _lowered,
)

FINITE_REPAIRED = Claim(
    "j23.thm3.1.ineq@B.fix",
    Kind.IDENTITY,
    printed("proof of Proposition 14"),
    "finite-depth cost of a composition, repaired",
    r"$R(f\circ g;\Omega,L_1+L_2)\le R(f;g(\Omega),L_1)+R(g;\Omega,L_2)$ if "
    r"$g(\Omega)\subset\mathbb R_+^m$: the layers of any network of $g$ (here up to layer cut) "
    r"followed by those of any network of $f$ compute $f\circ g$.",
    (BREAKABLE_SLOPE, POSITIVE_BETWEEN),
    ("j23.repcost",),
    measure=concatenation_residual,
    pool=pool(depths=(2, 2, 3, 3, 4), whole=(("cut", 1, 3),)),
    reading="B",
    reading_text=READING,
    repairs="j23.thm3.1.ineq@B",
    exact_only=True,
    through="the layers of two networks one behind the other bound the cost of the composition "
    "(docs/mathematics/j23.md#compositions)",
)


# R^(1) --------------------------------------------------------------------------------------------
def known(*functions: Affine) -> list[Corrections] | None:
    """R^(0) and R^(1) of each, if all are known."""
    found = [corrections(function) for function in functions]
    return None if None in found else [one for one in found if one is not None]


def first_correction_slack(scene: RealScene) -> Entries:
    """R^(1)(f) + R^(1)(g) - R^(1)(f after g), where bounds decide."""
    rows: list[Any] = []
    for place, case in enumerate(scene.cases):
        found = known(*functions(case))
        if found is not None:
            f, g, whole = (Bounds(one.lower, one.upper) for one in found)
            rows += [(place, {}, v) for v in certain_slack(summed(f, g), whole)]
    return entries_of(rows)


def _equal_ranks(case: Tensors) -> bool:
    found = known(*functions(case))
    return found is not None and len({one.rank for one in found}) == 1


def _forgotten(case: Tensors, random: Random) -> Tensors:
    """f does not see the first coordinate of g(x), which is small; or, where that changes no rank,
    nothing of it, and there is a point more along an axis that g sees."""
    outer, inner = case.arrays["F"], case.arrays["G"]
    if not any(inner.entries):
        inner = replace(inner, entries=(Fraction(1), *inner.entries[1:]))
    width = inner.shape[1]
    first = tuple(value / 16 for value in inner.entries[:width])
    unseen = (
        Fraction(0) if place % outer.shape[1] == 0 else value
        for place, value in enumerate(outer.entries)
    )
    changed = case.changing(
        F=replace(outer, entries=tuple(unseen)),
        G=replace(inner, entries=(*first, *inner.entries[width:])),
    )
    if not _equal_ranks(changed):
        return changed
    points = case.arrays["X"]
    count, size = points.shape
    axis = next((k % size for k, value in enumerate(inner.entries) if value), 0)
    more = (value + int(k == axis) for k, value in enumerate(points.entries[:size]))
    return case.changing(
        F=replace(outer, entries=(Fraction(0),) * len(outer.entries)),
        G=inner,
        X=replace(points, shape=(count + 1, size), entries=(*points.entries, *more)),
    )


EQUAL = Hypothesis(
    "equal ranks",
    r"$R^{(0)}(f\circ g)=R^{(0)}(f)=R^{(0)}(g)$",
    by_case(_equal_ranks),
    break_=_forgotten,
)
CORRECTION = Claim(
    "j23.thm3.1@B",
    Kind.INEQUALITY,
    printed("Theorem 3 (Theorem 11), part 1"),
    "first correction of a composition",
    r"If $R^{(0)}(f\circ g)=R^{(0)}(f)=R^{(0)}(g)$, then $R^{(1)}(f\circ g)\le R^{(1)}(f)+"
    r"R^{(1)}(g)$.",
    (SLOPE, EQUAL),
    ("j23.thm3.1.ineq@B", "j23.expansion"),
    measure=first_correction_slack,
    pool=affine_pool(FUNCTIONS),
    reading="B",
    reading_text=rf"{READING}; affine $f(z)=Fz+d$, $g(x)=Gx+c$, {HULL}",
    exact_only=True,
    through=THROUGH,
)


CLAIMS = (FINITE, FINITE_REPAIRED, CORRECTION)
