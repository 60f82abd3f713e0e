"""Section 3.1, after the properties: functions phi A psi that are linear up to bijections."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import rational
from graphs.matrices import rank
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene
from verify.cases.scenes import Entries
from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.costs.affine import Bounds
from verify.kinds.deep.networks import Matrix
from verify.papers.j23.domains import (
    BOUNDED,
    ON_DOMAINS,
    SHAPE,
    SLOPE,
    SOLID,
    Domain,
    domain,
    domain_pool,
)
from verify.papers.j23.rows import Row, certain_difference, entries_of, exact
from verify.papers.j23.sources import printed


def bent(vectors: Matrix, factors: Matrix) -> Matrix:
    """(N, n): each coordinate times its factor where it is negative."""
    return np.where(vectors < 0, vectors * factors, vectors)


def bijection_bounds(case: Tensors) -> tuple[Bounds, Bounds]:
    """R^(0) and Rank_BN of f = phi A psi on the domain.

    Below: the rank of the Jacobian along the domain at some of its points off the kinks, and 2
    where the ends of a line are not mapped to one direction (a <= 0). Above: the rank of A on
    psi(Omega), where psi is linear there; the rank of A; the dimension of the domain.
    """
    on, matrix = domain(case), exact(case, "A")
    p, s = exact(case, "p"), exact(case, "s")
    below = 0
    for x in _points_within(on):
        z = matrix @ bent(x, p)
        if (x != 0).all() and (z != 0).all():
            slopes = np.where(x < 0, p, p * 0 + 1)
            ends = np.where(z < 0, s, s * 0 + 1)
            jacobian = (matrix * slopes) * ends.reshape(-1, 1)
            below = max(below, rank(jacobian @ on.directions))
    above = min(rank(matrix), on.dimension)
    signs = (on.points >= 0).all(axis=0) | (on.points <= 0).all(axis=0)
    if signs.all() and on.bounded:
        slopes = np.where((on.points < 0).any(axis=0), p, p * 0 + 1)
        above = min(above, rank((matrix * slopes) @ on.directions))
    ends_apart = on.slope <= 0 and any(_apart(matrix, p, s, y) for y in on.lines)
    least = max(below, 2) if ends_apart else below
    most = above if on.bounded else 2 * above
    cost, bottleneck = ((rational(a), rational(b)) for a, b in ((least, most), (below, above)))
    return Bounds(*cost), Bounds(*bottleneck)


def _points_within(on: Domain) -> list[Matrix]:
    """Some points inside the hull."""
    count = len(on.points)
    found = []
    for turn in range(min(count, 3)):
        weights = [rational(Fraction(1 + (k + turn) % count + k * k)) for k in range(count)]
        total = sum(weights, rational(0))
        found.append(sum((w * x for w, x in zip(weights, on.points, strict=True))) / total)
    return found


def _apart(matrix: Matrix, p: Matrix, s: Matrix, y: Matrix) -> bool:
    """Whether f has slopes along y and -y that are not of one direction."""
    u, v = (bent(matrix @ bent(end, p), s) for end in (y, -y))
    inner = (u * v).sum()
    return bool(inner < 0 or inner * inner < (u * u).sum() * (v * v).sum())


def bijection_residual(scene: RealScene) -> Entries:
    """R^(0) and Rank_BN, each minus Rank A, where bounds decide."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        target = rational(rank(exact(case, "A")))
        for part, bounds in zip(("cost", "bottleneck"), bijection_bounds(case), strict=True):
            found = certain_difference(bounds, target)
            rows += [(place, {"part": part}, value) for value in found]
    return entries_of(rows)


def _positive(case: Tensors, random: Random) -> Tensors:
    arrays = {
        name: replace(
            case.arrays[name],
            entries=tuple(abs(v) or Fraction(1, 2) for v in case.arrays[name].entries),
        )
        for name in "ps"
    }
    return case.changing(**arrays)


def _folded(case: Tensors, random: Random) -> Tensors:
    """phi or psi is constant where a coordinate is negative, and the domain is there."""
    name = random.choice("ps")
    flat = replace(case.arrays[name], entries=(Fraction(0),) * len(case.arrays[name].entries))
    points = case.arrays["X"]
    negative = replace(points, entries=tuple(-abs(v) for v in points.entries))
    return case.changing(**{name: flat, "X": negative})


BIJECTIONS = Hypothesis(
    "bijections",
    r"$\phi,\psi$ are bijections: $p_i>0$, $s_i>0$",
    by_case(lambda case: all(v > 0 for name in "ps" for v in case.arrays[name].entries)),
    _positive,
    _folded,
)


def _bijections(*more: Hypothesis, repaired: bool = False) -> Claim:
    name = "j23.rankprops.bij"
    return Claim(
        f"{name}.fix" if repaired else name,
        Kind.IDENTITY,
        printed("Section 3.1, after the properties"),
        "linear up to bijections" + (", repaired" if repaired else ""),
        r"For any function $f=\phi\circ A\circ\psi$ that is linear up to bijections $\phi,\psi$ "
        r"the conjecture is true: $R^{(0)}(f;\Omega)=\mathrm{Rank}_{BN}(f;\Omega)=\mathrm{Rank}A$"
        + (r", if $\Omega$ is bounded and has interior points. " if repaired else ". ")
        + r"($\psi$ multiplies negative coordinates by $p_i$, $\phi$ by $s_i$; "
        + f"{SHAPE}.)",
        (SLOPE, BIJECTIONS, *more),
        ("j23.rankprops.1@B", "j23.rankprops.3@A", "j23.bnrank@B"),
        measure=bijection_residual,
        pool=domain_pool((("A", ("q", "n")), ("p", ("n",)), ("s", ("q",)))),
        repairs=name if repaired else None,
        exact_only=True,
        through=ON_DOMAINS,
        why=""
        if repaired
        else r"The cost knows $f$ on $\Omega$ alone: at a point, or along a domain of lower "
        r"dimension, "
        r"both ranks are that of $A$ along $\Omega$, which can be less than $\mathrm{Rank}A$.",
    )


CLAIMS = (_bijections(), _bijections(BOUNDED, SOLID, repaired=True))
