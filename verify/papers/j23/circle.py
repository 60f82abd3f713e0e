"""Section 3.3.1: the ranks of the identity on the circle."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.arithmetic import rational
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene, as_real
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.claim import Claim, Kind
from verify.papers.j23.rows import Row, entries_of
from verify.papers.j23.sources import printed


def tangent_rank_residual(scene: RealScene) -> Entries:
    """The rank of the identity along T_x, of P_T, minus the dimension of T_x."""
    rank, dimension = (
        scene.numbers(scene.rank_of(matrices))
        for matrices in (scene.projection(scene["T"]), scene["T"])
    )
    return scene.compare(rank, dimension)


def collides(values: list[Fraction], closed: bool) -> bool:
    """Whether a map on a polygon that is linear on the edges, with these values at the vertices in
    order, has the same value at two different points."""
    count = len(values)
    edges = [(i, (i + 1) % count) for i in range(count if closed else count - 1)]
    if len(set(values)) < count:
        return True
    for k, (a, b) in enumerate(edges):
        for c, d in edges[k + 1 :]:
            shared = {a, b} & {c, d}
            if len(shared) == 1:
                (s,) = shared
                p, q = ({a, b} | {c, d}) - shared
                if (values[p] - values[s]) * (values[q] - values[s]) > 0:
                    return True
            elif not shared:
                low = max(min(values[a], values[b]), min(values[c], values[d]))
                high = min(max(values[a], values[b]), max(values[c], values[d]))
                if low <= high:
                    return True
    return False


def piecewise_linear_residual(scene: RealScene) -> Entries:
    """The inner dimension that g leaves possible minus 2: 1 where g is one to one."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        order = sorted(zip(case.arrays["t"].entries, case.arrays["g"].entries, strict=True))
        found = collides([value for _, value in order], case.whole("closed") == 1)
        rows.append((place, {}, rational(2 if found else 1) - 2))
    return entries_of(rows)


def _apart(case: Tensors) -> bool:
    entries = case.arrays["t"].entries
    return len(set(entries)) == len(entries) >= 3


def _moved_apart(case: Tensors, random: Random) -> Tensors:
    """At least three vertices, all different."""
    if _apart(case):
        return case
    count = max(3, len(case.arrays["t"].entries))
    arrays = {"t": Tensor(("v",), (count,), tuple(Fraction(k - 1, 2) for k in range(count)))}
    if "g" in case.arrays:
        values = tuple(Fraction(random.randint(-4, 4), 2) for _ in range(count))
        arrays["g"] = Tensor(("v",), (count,), values)
    return case.changing(**arrays)


def _opened(case: Tensors, random: Random) -> Tensors:
    """An arc, g increasing along it."""
    order = sorted(case.arrays["t"].entries)
    g = tuple(Fraction(order.index(t)) for t in case.arrays["t"].entries)
    opened = Tensor((), (), (Fraction(0),), integer=True)
    return case.changing(g=replace(case.arrays["g"], entries=g), closed=opened)


VERTICES = Hypothesis(
    "three vertices",
    "the polygon has at least three vertices, all different",
    by_case(_apart),
    _moved_apart,
)
CLOSED = Hypothesis(
    "whole circle",
    r"$\Omega$ is the whole circle: closed is $1$",
    by_case(lambda case: case.whole("closed") == 1),
    lambda case, random: case.changing(closed=Tensor((), (), (Fraction(1),), integer=True)),
    _opened,
)
CLAIMS = (
    Claim(
        "j23.id.circle.tangent",
        Kind.IDENTITY,
        printed("Section 3.3.1"),
        "Jacobian rank of the identity",
        r"$\mathrm{Rank}_J(id;\Omega)=\max_{x\in\Omega}\dim T_x\Omega$: the rank of the identity "
        r"along $T_x\Omega$, the span of the columns of $T$, is its dimension (1 on the circle).",
        measure=tangent_rank_residual,
        pool=TensorPool((("T", ("n", "k")),), adapt=as_real),
        exact_only=True,
    ),
    Claim(
        "j23.id.circle@B",
        Kind.IDENTITY,
        printed("Section 3.3.1"),
        "Bottleneck rank of the circle",
        r"The circle $\Omega=\mathbb S^{2-1}$ has $\mathrm{Rank}_J(id;\Omega)=1$ and "
        r"$\mathrm{Rank}_{BN}(id;\Omega)=2$.",
        (VERTICES, CLOSED),
        ("j23.bnrank@B",),
        measure=piecewise_linear_residual,
        pool=TensorPool((("t", ("v",)), ("g", ("v",))), (("closed", 0, 1),), adapt=as_real),
        reading="B",
        reading_text="Section 3.1: the factors are piecewise linear; maps to $\\mathbb R$ that are "
        "linear on the edges of an inscribed polygon, with the values g at its vertices",
        exact_only=True,
        through="polygons inscribed in the circle stand for it, and a map of the line that takes a "
        "value twice is no embedding (docs/mathematics/j23.md#the-bottleneck-rank)",
    ),
)
