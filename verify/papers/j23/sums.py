"""Theorem 3, part 2: the cost of a sum, and its R^(1).

Two networks side by side have one last bias, b_f + b_g, whose square is no sum of squares: of
constants c with 2 |c| <= 1 on a domain with 0, R(2 c) = 4 |c|^2 at every depth, above 2 R(c). At
depth 1 the weights are not side by side either.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import numpy as np

from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene
from verify.cases.scenes import Entries
from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.costs.affine import Affine, Bounds, cost
from verify.kinds.deep.hypotheses import SLOPE as BREAKABLE_SLOPE
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.affine_cases import HULL, SLOPE, added, affine, affine_pool, on_simplex
from verify.papers.j23.composition import known, summed
from verify.papers.j23.first_correction import THROUGH
from verify.papers.j23.rows import certain_slack, entries_of
from verify.papers.j23.sources import printed

DEPTH = (("L", 1, 3),)
PLAIN = (("F", ("q", "n")), ("d", ("q",)), ("G", ("q", "n")), ("c", ("q",)))
READING = r"the domain of $f$ is $\Omega$ on both sides"
AFFINE = rf"affine $f(x)=Fx+d$, $g(x)=Gx+c$, {HULL}"


def functions(case: Tensors, *, free_end: bool = False) -> tuple[Affine, Affine, Affine]:
    """f, g and f + g on Omega."""
    f, g = (
        replace(affine(case, linear, shift), free_end=free_end)
        for linear, shift in (("F", "d"), ("G", "c"))
    )
    return f, g, added(f, g)


def sum_slack(scene: RealScene) -> Entries:
    """R(f; Omega, L) + R(g; Omega, L) - R(f + g; Omega, L), where bounds decide."""
    rows: list[Any] = []
    for place, case in enumerate(scene.cases):
        depth = case.whole("L")
        if depth < 1:
            continue
        f, g, whole = functions(case)
        right = summed(cost(f, depth), cost(g, depth))
        rows += [(place, {}, v) for v in certain_slack(right, cost(whole, depth))]
    return entries_of(rows)


WHY = (
    r"Networks of $f$ and $g$ side by side share one last bias: of constants $c$ with "
    r"$2\lVert c\rVert\le1$ the sum costs $4\lVert c\rVert^2$, and both alone $2\lVert c"
    r"\rVert^2$."
)
FINITE = Claim(
    "j23.thm3.2.ineq@A",
    Kind.INEQUALITY,
    printed("proof of Theorem 11 (2)"),
    "finite-depth cost of a sum",
    r"$R(f+g;\Omega,L)\le R(f;\Omega,L)+R(g;\Omega,L)$.",
    (SLOPE,),
    ("j23.repcost",),
    measure=sum_slack,
    pool=affine_pool(PLAIN, integers=DEPTH),
    reading="A",
    reading_text=f"{READING}; {AFFINE}",
    exact_only=True,
    through=THROUGH,
    why=WHY,
)


# repaired -----------------------------------------------------------------------------------------
def halves(case: Deep, layer: int) -> list[list[int]]:
    """The neurons of f and of g in a layer: all of them at the two ends, else one half each."""
    width = case.widths[layer]
    if layer in (0, case.depth):
        return [list(range(width))] * 2
    return [list(range(width // 2)), list(range(width // 2, width))]


def _half(case: Deep, side: int) -> Any:
    """(N, n_L): the outputs of f (0) or of g (1), without the last bias."""
    here = case.matrix("X")
    slope = case.matrix("a").reshape(-1)[0]
    for layer in range(1, case.depth + 1):
        rows, columns = halves(case, layer)[side], halves(case, layer - 1)[side]
        weight = case.matrix(f"W{layer}")[np.ix_(rows, columns)]
        here = here @ weight.T
        if layer < case.depth:
            here = here + case.matrix(f"b{layer}")[rows]
            here = np.where(here < 0, here * slope, here)
    return here


def side_by_side_residual(scene: DeepScene) -> Entries:
    """f_theta - (f + g) at the points, g with the last bias and f with none."""
    rows: list[Any] = []
    for place, case in enumerate(scene.cases):
        if case.depth < 2 or min(case.widths[1:-1]) < 2:
            continue
        both = _half(case, 0) + _half(case, 1) + case.matrix(f"b{case.depth}")
        difference = case.exact.outputs[0] - both
        rows += [
            (place, {"point": at, "entry": output}, difference[at, output])
            for at in range(difference.shape[0])
            for output in range(difference.shape[1])
        ]
    return entries_of(rows)


def _crossing(case: Deep) -> list[tuple[int, int, int]]:
    """The weights between the halves, by layer, row and column."""
    found = []
    for layer in range(2, case.depth):
        for side in (0, 1):
            rows, columns = halves(case, layer)[side], halves(case, layer - 1)[1 - side]
            found += [(layer, row, column) for row in rows for column in columns]
    return found


def _are_apart(case: Deep) -> bool:
    return not any(case.matrix(f"W{layer}")[row, column] for layer, row, column in _crossing(case))


def _set(case: Deep, layer: int, row: int, column: int, value: Fraction) -> Deep:
    array = case.arrays[f"W{layer}"]
    place = row * array.shape[1] + column
    entries = (*array.entries[:place], value, *array.entries[place + 1 :])
    return case.changing(**{f"W{layer}": replace(array, entries=entries)})


def _taken_apart(case: Deep, random: Random) -> Deep:
    for layer, row, column in _crossing(case):
        case = _set(case, layer, row, column, Fraction(0))
    return case


def _joined(case: Deep, random: Random) -> Deep:
    crossing = _crossing(case)
    return _set(case, *random.choice(crossing), Fraction(1)) if crossing else case


APART = Hypothesis(
    "side by side",
    r"the hidden neurons of each layer are two halves, those of $f$ and those of $g$, with no "
    r"weight between them",
    by_case(_are_apart),
    _taken_apart,
    _joined,
)

FINITE_REPAIRED = Claim(
    "j23.thm3.2.ineq@A.fix",
    Kind.IDENTITY,
    printed("proof of Theorem 11 (2)"),
    "finite-depth cost of a sum, repaired",
    r"$R(f+g;\Omega,L)\le R(f;\Omega,L)+R(g;\Omega,L)$ for $L\ge2$, where the bias of the last "
    r"layer is not counted in $R$: networks of $f$ and $g$ side by side compute $f+g$, and all "
    r"else of their norms adds.",
    (BREAKABLE_SLOPE, APART),
    ("j23.repcost",),
    measure=side_by_side_residual,
    pool=pool(depths=(2, 3, 3, 4)),
    reading="A",
    reading_text=READING,
    repairs="j23.thm3.2.ineq@A",
    exact_only=True,
    through="two networks side by side bound the cost of the sum (docs/mathematics/j23.md#sums)",
)


# R^(1) --------------------------------------------------------------------------------------------
def first_correction_slack(scene: RealScene, *, free_end: bool) -> Entries:
    """R^(1)(f) + R^(1)(g) - R^(1)(f + g), where bounds decide."""
    rows: list[Any] = []
    for place, case in enumerate(scene.cases):
        found = known(*functions(case, free_end=free_end))
        if found is not None:
            f, g, whole = (Bounds(one.lower, one.upper) for one in found)
            rows += [(place, {}, v) for v in certain_slack(summed(f, g), whole)]
    return entries_of(rows)


def _ranks_add(case: Tensors) -> bool:
    found = known(*functions(case))
    if found is None:
        return False
    f, g, whole = (one.rank for one in found)
    return whole == f + g


def _doubled(case: Tensors, random: Random) -> Tensors:
    """g is f."""
    return case.changing(G=case.arrays["F"])


def _in_turn(case: Tensors) -> Tensors:
    """f acts on even coordinates and g on odd ones, in their own outputs."""
    arrays = {}
    for name, parity in (("F", 0), ("G", 1)):
        array = case.arrays[name]
        entries = tuple(
            value if (place // array.shape[1]) % 2 == place % array.shape[1] % 2 == parity else 0
            for place, value in enumerate(array.entries)
        )
        arrays[name] = replace(array, entries=tuple(map(Fraction, entries)))
    return case.changing(**arrays)


def _products(case: Tensors) -> Tensors:
    """On a simplex, f and g are products of a column and a row."""
    case = on_simplex(case)
    arrays = {}
    for name in "FG":
        array = case.arrays[name]
        rows, columns = array.shape
        left, right = (array.entries[i * columns] for i in range(rows)), array.entries[:columns]
        entries = tuple(one * other for one in left for other in right)
        arrays[name] = replace(array, entries=entries)
    return case.changing(**arrays)


def _adding(case: Tensors, random: Random) -> Tensors:
    if _ranks_add(case) and random.random() < 0.5:
        return case
    return random.choice((_in_turn, _products))(case)


RANKS_ADD = Hypothesis(
    "ranks add",
    r"$R^{(0)}(f+g)=R^{(0)}(f)+R^{(0)}(g)$",
    by_case(_ranks_add),
    _adding,
    _doubled,
)


def _correction(*, free_end: bool) -> Claim:
    words = r"If $R^{(0)}(f+g)=R^{(0)}(f)+R^{(0)}(g)$, then $R^{(1)}(f+g)\le R^{(1)}(f)+R^{(1)}(g)$"
    end = r", where the bias of the last layer is not counted in $R$" if free_end else ""
    return Claim(
        "j23.thm3.2.fix" if free_end else "j23.thm3.2",
        Kind.INEQUALITY,
        printed("Theorem 3 (Theorem 11), part 2"),
        "first correction of a sum" + (", repaired" if free_end else ""),
        words + end + f". ({AFFINE[0].upper()}{AFFINE[1:]}.)",
        (SLOPE, RANKS_ADD),
        ("j23.thm3.2.ineq@A.fix" if free_end else "j23.thm3.2.ineq@A", "j23.expansion"),
        measure=partial(first_correction_slack, free_end=free_end),
        pool=affine_pool(PLAIN),
        repairs="j23.thm3.2" if free_end else None,
        exact_only=True,
        through=THROUGH,
        why="" if free_end else WHY,
    )


CLAIMS = (FINITE, FINITE_REPAIRED, _correction(free_end=False), _correction(free_end=True))
