"""Remark 3.3: networks whose activations have kinks, along a segment of weights.

Beside the arrays of a DAG network and the displacement `V` (verify.papers.zlb22.segments) an
instance has `K` (n, b): the activation of v is its polynomial plus the sum of K_vj z^j |z|. With
z |z| it is differentiable once, with z^2 |z| twice. Along the segment the network is a polynomial
in t between cuts, where a pre-activation vanishes. Where a cut is no rational number that a linear
or quadratic equation gives, nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import isqrt
from random import Random

import numpy as np

from graphs.univariate import (
    ZERO,
    Univariate,
    degree,
    derivative,
    has_root,
    minus,
    plus,
    times,
    univariate,
    value,
)
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.scenes import Entries
from verify.cases.tensors import Tensor, Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.kinds.dags.hypotheses import DAG, outputs_of, rows_of_activations
from verify.kinds.dags.pool import dag_pool, edges_of, often_without_zeros
from verify.kinds.dags.scene import DagScene
from verify.papers.zlb22.segments import END, START, composed
from verify.papers.zlb22.sources import printed

TERMS = 3  # |z|, z |z|, z^2 |z|
SMOOTH = 2  # the first of them that is twice differentiable
Pieces = list[tuple[Fraction, Univariate]]  # where each begins, and its polynomial


# along the segment --------------------------------------------------------------------------------
def roots_inside(p: Univariate, low: Fraction, high: Fraction) -> list[Fraction] | None:
    """The roots of p in the open interval, where the sign may change; none of the polynomial 0.
    None where p is of degree 3 or more, or its roots are irrational, and there are some."""
    if not p or degree(p) == 0 or not has_root(p, low, high):
        return []
    if degree(p) == 1:
        found = [-p[0] / p[1]]
    else:
        root = _square_root(p[1] ** 2 - 4 * p[2] * p[0]) if degree(p) == 2 else None
        if root is None:
            return None
        found = [(-p[1] - root) / (2 * p[2]), (-p[1] + root) / (2 * p[2])]
    return sorted({t for t in found if low < t < high})


def _square_root(x: Fraction) -> Fraction | None:
    """Of a rational square; None of another number."""
    if x < 0:
        return None
    root = Fraction(isqrt(x.numerator), isqrt(x.denominator))
    return root if root * root == x else None


def kinks_of(case: Tensors) -> list[list[Fraction]]:
    """K, of each vertex; an instance without it has none."""
    if "K" not in case.arrays:
        return [[] for _ in range(case.lengths["n"])]
    entries, width = list(case.arrays["K"].entries), case.lengths["b"]
    return [entries[start : start + width] for start in range(0, len(entries), width)]


def pieces_along(case: Tensors) -> list[Pieces] | None:
    """The value of each vertex at the first point, piece by piece; None where a cut is not known,
    or no gradient at t = 0 because a pre-activation vanishes there at a kink."""
    count, edges, rows = case.lengths["n"], edges_of(case), rows_of_activations(case)
    weights, moves = case.arrays["W"].entries, case.arrays["V"].entries
    found: list[Pieces] = []
    for v, kinks in enumerate(kinks_of(case)):
        parents = [u for u in range(v) if (v, u) in edges]
        if not parents:
            found.append([(START, univariate([case.arrays["X"].entries[v]]))])
            continue
        lines = {u: univariate([weights[v * count + u], moves[v * count + u]]) for u in parents}
        cuts = sorted({t for u in parents for t, _ in found[u]})
        sums = [_weighted(lines, found, t) for t in cuts]
        bent = activated(list(zip(cuts, sums, strict=True)), rows[v], kinks)
        if bent is None:
            return None
        found.append(bent)
    return found


def _weighted(lines: dict[int, Univariate], found: list[Pieces], t: Fraction) -> Univariate:
    """The pre-activation on the piece that begins at t."""
    z = ZERO
    for u, line in lines.items():
        z = plus(z, times(line, piece_at(found[u], t)))
    return z


def piece_at(pieces: Pieces, t: Fraction) -> Univariate:
    """The polynomial from t on."""
    return [p for start, p in pieces if start <= t][-1]


def activated(sums: Pieces, row: list[Fraction], kinks: Sequence[Fraction]) -> Pieces | None:
    """The value of a vertex from its pre-activation; None as for `pieces_along`."""
    if not any(kinks):
        return [(start, composed(row, z)) for start, z in sums]
    if any(kinks[:SMOOTH]) and not value(sums[0][1], START):
        return None
    found: Pieces = []
    ends = [start for start, _ in sums[1:]] + [END]
    for (start, z), end in zip(sums, ends, strict=True):
        cuts = roots_inside(z, start, end)
        if cuts is None:
            return None
        for low, high in zip([start, *cuts], [*cuts, end], strict=True):
            size = z if value(z, (low + high) / 2) > 0 else times(univariate([-1]), z)
            bend = times(size, composed(list(kinks), z))
            found.append((low, plus(composed(row, z), bend)))
    return found


def only(entries: Entries, kept: np.ndarray) -> Entries:
    """Some of the entries, by their numbers."""
    left = None if entries.left is None else entries.left[kept]
    return Entries(
        entries.values[kept],
        left,
        entries.owner[kept],
        entries.what,
        entries.subjects[kept],
        entries.examples[kept],
        lambda k: entries.label(int(kept[k])),
    )


def outputs_in_pieces(case: Tensors) -> dict[int, Pieces] | None:
    """phi(t) of each output, by its number."""
    found = pieces_along(case)
    return None if found is None else {k: found[k] for k in outputs_of(case)}


# measure ------------------------------------------------------------------------------------------
def jumps(pieces: Pieces) -> Fraction:
    """The sum of the squares of what phi' and phi'' jump by at the cuts."""
    total = Fraction(0)
    for (_, before), (t, after) in pairwise(pieces):
        gap = derivative(minus(after, before))
        total += value(gap, t) ** 2 + value(derivative(gap), t) ** 2
    return total


def jumps_of_derivatives(scene: DagScene) -> Entries:
    """For each output what its first two derivatives along the segment jump by."""
    looked_at = [outputs_in_pieces(case) or {} for case in scene.cases]
    parts, kept = [], []
    for k in range(scene.vertices):
        sizes = [jumps(found[k]) if k in found else Fraction(0) for found in looked_at]
        parts.append(({"neuron": k}, scene.numbers(sizes), scene.constant(0)))
        kept += [k in found for found in looked_at]
    return only(scene.parts(parts), np.flatnonzero(np.array(kept)))


# hypotheses ---------------------------------------------------------------------------------------
def _first_kinks(case: Tensors) -> list[Fraction]:
    """The coefficients of |z| and z |z| where there are activations."""
    inner = {v for v, _ in edges_of(case)}
    return [c for v, row in enumerate(kinks_of(case)) if v in inner for c in row[:SMOOTH]]


def _with_kinks(case: Tensors, rows: list[list[Fraction]]) -> Tensors:
    entries = tuple(c for row in rows for c in row)
    return case.changing(K=Tensor(("n", "b"), (len(rows), len(rows[0])), entries))


def _smoothed(case: Tensors, random: Random) -> Tensors:
    if "K" not in case.arrays:
        return case
    rows = [[c if j >= SMOOTH else Fraction(0) for j, c in enumerate(r)] for r in kinks_of(case)]
    return _with_kinks(case, rows)


def _kinked(case: Tensors, random: Random) -> Tensors:
    """|z| or z |z| at a vertex of the first layer, whose pre-activation changes its sign on the
    way: with w + t v, v = -c w, it vanishes at 1/c."""
    edges, count = edges_of(case), case.lengths["n"]
    heads = {v for v, _ in edges}
    first = [v for v in sorted(heads) if all(u not in heads for w, u in edges if w == v)]
    if "K" not in case.arrays or not first:
        return case
    v, rate = random.choice(first), random.choice((Fraction(2), Fraction(3), Fraction(3, 2)))
    rows = kinks_of(_smoothed(case, random))
    rows[v][random.choice((0, 0, 1)) % len(rows[v])] += random.choice((1, -1))
    weights, moves = case.arrays["W"], list(case.arrays["V"].entries)
    for u in range(v):
        moves[v * count + u] = -rate * weights.entries[v * count + u]
    moved = case.changing(V=replace(case.arrays["V"], entries=tuple(moves)))
    return _with_kinks(moved, rows)


TWICE = Hypothesis(
    "twice differentiable activations",
    r"all activations are twice differentiable: of $\sum_jA_{vj}z^j+\sum_jK_{vj}z^j|z|$ the "
    r"coefficients of $|z|$ and $z|z|$ are $0$",
    by_case(lambda case: not any(_first_kinks(case))),
    _smoothed,
    _kinked,
    thin=True,
)


# pool ---------------------------------------------------------------------------------------------
def _kinks_below(case: Tensors, random: Random) -> Tensors:
    """Terms with |z| in the first layer, where pre-activations are linear in t, and rarely above;
    none in two thirds of the instances."""
    case = often_without_zeros(case, random)
    heads = {v for v, _ in edges_of(case)}
    first = {v for v in heads if all(u not in heads for w, u in edges_of(case) if w == v)}
    none = random.random() < 2 / 3
    rows = []
    for v, row in enumerate(kinks_of(case)):
        kept = not none and (v in first or random.random() < 0.1)
        rows.append([c if kept else Fraction(0) for c in row])
    return _with_kinks(case, rows)


KINKED = partial(
    dag_pool,
    extras=(("V", ("n", "n")), ("K", ("n", "b"))),
    most=4,
    points=1,
    lengths={"b": TERMS},
    last=_kinks_below,
)


# argument -----------------------------------------------------------------------------------------
COMPOSED = (
    "sums, products and compositions of twice differentiable functions are twice differentiable"
)
HIGHEST = 6  # power of z before |z| that is looked at


def smooth_where_both_sides_agree() -> Argument:
    """z^(j+1) and -z^(j+1) agree at 0 with their first two derivatives, for j >= 2 alone."""
    steps = []
    for j in range(HIGHEST + 1):
        gap = univariate([0] * (j + 1) + [2])  # right of 0 minus left of it
        twice = [value(p, START) for p in (gap, derivative(gap), derivative(derivative(gap)))]
        words = "agree" if j >= SMOOTH else "do not all agree"
        text = f"z^{j} |z|: values, slopes and second derivatives on both sides of 0 {words}"
        steps.append(Step(text, (not any(twice)) == (j >= SMOOTH)))
    return Argument(
        "the network is made of sums and products of weights, inputs and activations",
        tuple(steps),
        (COMPOSED,),
        "jumps_of_derivatives",
        (DAG.name, TWICE.name),
        section="docs/mathematics/zlb22.md#kinks-along-a-segment",
    )


# claims -------------------------------------------------------------------------------------------
CLAIMS = (
    Claim(
        "zlb22.eq9.smooth",
        Kind.IDENTITY,
        printed("Remark 3.3"),
        "the network is as often differentiable as its activations",
        "If all activations are twice differentiable then so is the network. (Looked at along "
        r"segments of weights, for activations $\sum_jA_{vj}z^j+\sum_jK_{vj}z^j|z|$: what the "
        "first two derivatives jump by where a pre-activation passes 0.)",
        (DAG, TWICE),
        ("zlb22.def2.2",),
        measure=jumps_of_derivatives,
        pool=KINKED(degree=2),
        exact_only=True,
        proof=smooth_where_both_sides_agree,
        negated="the first or second derivative jumps somewhere on the segment",
    ),
)
