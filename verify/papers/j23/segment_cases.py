"""Segments between the two points of a network: what is constant along them.

x and y are the first two points.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import as_fraction
from verify.kinds.deep.changes import with_number
from verify.kinds.deep.layered import as_network, layered_pool, lifted
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.pool import pool
from verify.language.building import Each, frob2, hidden, slope
from verify.papers.j23.network_notation import jacobian, point
from verify.statements.stated import Given, true_of

X, Y = 1, 2
STEP = point(Y) - point(X)
"""d = y - x."""
MOVED_BY = jacobian(X) @ STEP
"""w = Jf(x) d."""
SAME_SLOPES = Each(hidden(), lambda v: slope(v, X) == slope(v, Y))
"""Whether the D_l are the same at both points, and so on the segment between them."""


def left_of_kinks(case: Deep, random: Random) -> Deep:
    """Of some networks y becomes -x, far out, and all hidden neurons are left of their kinks at
    both points, where a small slope counts."""
    array, width = case.arrays["X"], case.widths[0]
    if random.random() < 0.6 or array.shape[0] != 2:
        return case
    x = [value * 8 for value in array.entries[:width]]
    case = case.changing(X=replace(array, entries=(*x, *(-value for value in x))))
    slope = random.choice((Fraction(1, 8), Fraction(1, 4), Fraction(-1, 8)))
    case = with_number(case, "a", slope)
    for layer in range(1, case.depth):
        values = case.exact.pre(layer)
        bias = case.arrays[f"b{layer}"]
        most = [max(as_fraction(value) for value in column) for column in values.T]
        lower = tuple(b - m - 1 for b, m in zip(bias.entries, most, strict=True))
        case = case.changing(**{f"b{layer}": replace(bias, entries=lower)})
    return case


SEGMENTS = layered_pool(pool(points=(2,), depths=(1, 2, 2, 3), widest=2, last=left_of_kinks))


# hypotheses ---------------------------------------------------------------------------------------
def _with_end(case: Deep, end: list[Fraction]) -> Deep:
    array, width = case.arrays["X"], case.widths[0]
    if array.shape[0] == 1:
        return case
    entries = (*array.entries[:width], *end, *array.entries[2 * width :])
    return case.changing(X=replace(array, entries=entries))


def _ends(case: Deep) -> tuple[list[Fraction], list[Fraction]]:
    (*_, width), entries = case.arrays["X"].shape, case.arrays["X"].entries
    return list(entries[:width]), list(entries[width : 2 * width] or entries[:width])


def _closer(case: Deep, random: Random) -> Deep:
    """y moves towards x until no neuron has crossed its kink."""
    for _ in range(12):
        if true_of(SAME_SLOPES)(as_network(case)):
            break
        x, y = _ends(case)
        case = _with_end(case, [(a + b) / 2 for a, b in zip(x, y, strict=True)])
    return case


def _across(case: Deep, random: Random) -> Deep:
    """y moves to the other side of the kink of a neuron of the first layer, and as far beyond."""
    x, _y = _ends(case)
    if case.depth == 1:
        return case
    neuron = random.randrange(case.widths[1])
    row = [as_fraction(entry) for entry in case.matrix("W1")[neuron]]
    value = as_fraction(case.exact.pre(1)[0, neuron])
    size = sum(entry * entry for entry in row)
    if not size:
        return case

    far = [a - 2 * value / size * entry for a, entry in zip(x, row, strict=True)]
    return _with_end(case, far)


CONSTANT = Given(
    "constant slopes",
    SAME_SLOPES,
    r"$D_\ell$ is constant on the segment $[x,y]$ for $1\le\ell<L$",
    lifted(_closer),
    lifted(_across),
)


def _apart(case: Deep, random: Random) -> Deep:
    x, y = _ends(case)
    return case if x != y else _with_end(case, [x[0] + 1, *x[1:]])


def _moving(case: Deep, random: Random) -> Deep:
    """y is another point; where f does not move towards it, y lies on the axis along which f moves
    from x, if there is one, and on the same piece."""
    case = _apart(case, random)
    if true_of(MOVES)(as_network(case)):
        return case
    columns = np.flatnonzero((case.exact.jacobian(0) != 0).any(axis=0))
    if not len(columns):
        return case
    x, _ = _ends(case)
    return _closer(_with_end(case, [a + int(k == columns[0]) for k, a in enumerate(x)]), random)


def _together(case: Deep, random: Random) -> Deep:
    return _with_end(case, _ends(case)[0])


APART = Given("x is not y", point(X) != point(Y), r"$x\ne y$", lifted(_apart), lifted(_together))
MOVES = frob2(MOVED_BY) != 0
MOVED = Given(
    "f moves along the segment",
    MOVES,
    r"$Jf_\theta(x)u\ne0$",
    lifted(_moving),
    lifted(_together),
)
