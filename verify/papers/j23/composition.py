"""Theorem 3, part 1: the cost of a composition, and its R^(1).

As printed the layers of g are followed by those of f, but the last layer of g has no activation,
and g(x) need not be positive: R(id; [-1, 1], 2) >= 2 sqrt(2 / (1 + |a|)) > 2 = 2 R(id; [-1, 1], 1).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.cases.hypotheses import unchanged
from verify.cases.tensors import Tensors
from verify.kinds.deep.changes import with_number
from verify.kinds.deep.layered import layered_pool, lifted
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.pool import pool
from verify.language.building import (
    Each,
    Fold,
    Matrix,
    Vector,
    Whole,
    activation,
    between,
    examples,
    post,
    upto,
    vector,
    z,
)
from verify.language.terms import Term
from verify.papers.j23.affine_cases import HULL, affine_pool, layers
from verify.papers.j23.affine_costs import Affine
from verify.papers.j23.first_correction import THROUGH
from verify.papers.j23.matrix_notation import KEPT_SLOPE
from verify.papers.j23.network_notation import (
    DEPTH,
    FULLY_CONNECTED,
    SLOPE,
    Index,
    bias,
    neurons,
    weight,
    width,
)
from verify.papers.j23.sources import printed
from verify.statements.stated import Given, stated, true_of

F, d = Matrix("F", "q", "m"), Vector("d", "q")
G, c = Matrix("G", "m", "n"), Vector("c", "m")
L1, L2 = Whole("L1", 1, 3), Whole("L2", 1, 3)
READING = r"the domain of $f$ is $g(\Omega)$"
g = Affine(G, c)
f = Affine(F, d, g.values)
f_after_g = f.after(g)


FINITE = stated(
    "j23.thm3.1.ineq@B",
    printed("proof of Proposition 14"),
    "finite-depth cost of a composition",
    r"$R(f\circ g;\Omega,L_1+L_2)\le R(f;g(\Omega),L_1)+R(g;\Omega,L_2)$.",
    f_after_g.cost_at_least(L1 + L2) <= f.cost_at_most(L1) + g.cost_at_most(L2),
    (KEPT_SLOPE, layers(L1, L2)),
    depends=("j23.repcost",),
    pool=affine_pool(F, d, G, c, L1, L2),
    reading="B",
    reading_text=rf"{READING}; affine $f(z)=Fz+d$, $g(x)=Gx+c$, {HULL}",
    exact_only=True,
    through=THROUGH,
    why=r"The last layer of $g$ has no activation, so the layers of $f$ cannot follow it where "
    r"$g$ is negative: $R(id;[-1,1],2)\ge2\sqrt{2/(1+|a|)}>2=2R(id;[-1,1],1)$.",
)


# repaired -----------------------------------------------------------------------------------------
CUT = Whole("cut", 1, 3)
"""The layer that is the last one of g."""


def _image(p: Index) -> Term:
    """g(x)."""
    return vector(width(CUT), lambda i: z(neurons(CUT)[i], p))


def _f(start: Term) -> Term:
    """What the layers behind the cut make of a vector."""

    def layer(h: Term, m: Term) -> Term:
        pre = weight(m) @ h + bias(m)
        return vector(width(m), lambda i: activation(neurons(m)[i], pre[i]))

    return Fold(between(CUT + 1, DEPTH), start, layer)


def _is_composed(p: Term) -> Term:
    return Each(upto(width(DEPTH)), lambda i: post(neurons(DEPTH)[i], p) == _f(_image(p))[i])


COMPOSES = Each(examples(), _is_composed)


def _raised(case: Deep, random: Random) -> Deep:
    """The biases of layer `cut` become such that g is at least 0 at the points."""
    cut = min(max(case.whole("cut"), 1), case.depth - 1)
    if cut < 1:
        return case
    case = with_number(case, "cut", cut)
    z = case.exact.pre(cut)
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
    z = Fraction(str(case.exact.pre(cut)[0, 0]))
    array = case.arrays[f"b{cut}"]
    entries = (array.entries[0] - z - 1, *array.entries[1:])
    return case.changing(**{f"b{cut}": replace(array, entries=entries)})


def _is_positive(p: Term) -> Term:
    return Each(neurons(CUT), lambda v: z(v, p) >= 0)


POSITIVE_BETWEEN = Given(
    "g is positive",
    (CUT >= 1) & (CUT < DEPTH) & Each(examples(), _is_positive),
    r"$g(\Omega)\subset\mathbb R_+^m$",
    lifted(_raised),
    lifted(_lowered),
)

FINITE_REPAIRED = stated(
    "j23.thm3.1.ineq@B.fix",
    printed("proof of Proposition 14"),
    "finite-depth cost of a composition, repaired",
    r"$R(f\circ g;\Omega,L_1+L_2)\le R(f;g(\Omega),L_1)+R(g;\Omega,L_2)$ if "
    r"$g(\Omega)\subset\mathbb R_+^m$: the layers of any network of $g$ (here up to layer cut) "
    r"followed by those of any network of $f$ compute $f\circ g$.",
    COMPOSES,
    (FULLY_CONNECTED, SLOPE, POSITIVE_BETWEEN),
    depends=("j23.repcost",),
    pool=layered_pool(pool(depths=(2, 2, 3, 3, 4), whole=(("cut", 1, 3),))),
    reading="B",
    reading_text=READING,
    repairs="j23.thm3.1.ineq@B",
    exact_only=True,
    through="the layers of two networks one behind the other bound the cost of the composition "
    "(docs/mathematics/j23.md#compositions)",
)


# R^(1) --------------------------------------------------------------------------------------------
EQUAL_RANKS = (f_after_g.order == f.order) & (f.order == g.order)
_are_equal = true_of(EQUAL_RANKS)


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
    if not _are_equal(changed):
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


EQUAL = Given(
    "equal ranks",
    EQUAL_RANKS,
    r"$R^{(0)}(f\circ g)=R^{(0)}(f)=R^{(0)}(g)$",
    unchanged,
    _forgotten,
)
CORRECTION = stated(
    "j23.thm3.1@B",
    printed("Theorem 3 (Theorem 11), part 1"),
    "first correction of a composition",
    r"If $R^{(0)}(f\circ g)=R^{(0)}(f)=R^{(0)}(g)$, then $R^{(1)}(f\circ g)\le R^{(1)}(f)+"
    r"R^{(1)}(g)$.",
    f_after_g.correction_at_least() <= f.correction_at_most() + g.correction_at_most(),
    (KEPT_SLOPE, EQUAL),
    depends=("j23.thm3.1.ineq@B", "j23.expansion"),
    pool=affine_pool(F, d, G, c),
    reading="B",
    reading_text=rf"{READING}; affine $f(z)=Fz+d$, $g(x)=Gx+c$, {HULL}",
    exact_only=True,
    through=THROUGH,
)


CLAIMS = (FINITE, FINITE_REPAIRED, CORRECTION)
