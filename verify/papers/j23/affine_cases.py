"""Cases of Theorem 3: one or two affine functions on the convex hull of points, and a slope.

f(x) = F x + d, g(x) = G x + c; Omega is the convex hull of the rows of X. Bounds on the cost decide
only where something helps: points on both sides of 0, positive numbers, constants.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from operator import and_
from random import Random

from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.language.terms import Term
from verify.papers.j23.affine_costs import X
from verify.papers.j23.matrix_notation import a, inside
from verify.statements.stated import Given, pool_with

ARRANGEMENTS = ("as it comes", "opposite", "positive", "constant", "line", "ray", "simplex")
HULL = r"$\Omega$ is the convex hull of the points $X$"


def layers(*depths: Term) -> Given:
    """Networks have a layer at least: of others nothing is said."""
    one_or_more = reduce(and_, [depth >= 1 for depth in depths])
    return Given("a layer", one_or_more, r"$L\ge1$", built_in=True)


# making cases -------------------------------------------------------------------------------------
Entry = Callable[[Fraction], Fraction]


def _mapped(case: Tensors, names: tuple[str, ...], change: Entry) -> Tensors:
    present = {name: case.arrays[name] for name in names if name in case.arrays}
    return case.changing(
        **{
            name: replace(array, entries=tuple(map(change, array.entries)))
            for name, array in present.items()
        }
    )


def _opposite(case: Tensors) -> Tensors:
    """The second point is the first one's opposite."""
    array = case.arrays["X"]
    count, width = array.shape
    if count < 2:
        return case
    first = array.entries[:width]
    entries = (*first, *(-value for value in first), *array.entries[2 * width :])
    return case.changing(X=replace(array, entries=entries))


def _from_origin(case: Tensors) -> Tensors:
    """The first point is 0."""
    array = case.arrays["X"]
    width = array.shape[1]
    entries = ((Fraction(0),) * width) + array.entries[width:]
    return case.changing(X=replace(array, entries=entries))


def _on_a_ray(case: Tensors) -> Tensors:
    """0, the first point, twice it, ..."""
    array = case.arrays["X"]
    count, width = array.shape
    entries = tuple(k * value for k in range(count) for value in array.entries[:width])
    return case.changing(X=replace(array, entries=entries))


def on_simplex(case: Tensors) -> Tensors:
    """The points 0 and the unit vectors; the linear parts at least 0, the shifts 0."""
    width = case.arrays["X"].shape[1]
    entries = tuple(Fraction(int(i == j)) for i in range(-1, width) for j in range(width))
    points = Tensor(("N", "n"), (width + 1, width), entries)
    case = _mapped(case.changing(X=points), ("c", "d"), lambda value: Fraction(0))
    return _mapped(case, ("F", "G", "A"), abs)


def _in_one_dimension(case: Tensors) -> Tensors:
    """Every axis but that of the points has length 1."""
    for axis in case.lengths:
        while axis != "N" and case.lengths[axis] > 1:
            arrays = {name: array.without(axis, 1) for name, array in case.arrays.items()}
            case = replace(case, arrays=arrays)
    return case


def arranged(case: Tensors, random: Random, shifts: bool) -> Tensors:
    """A case as it comes or in one of six arrangements. shifts: whether c and d stay."""
    case = inside(case, random)
    how = random.choice(ARRANGEMENTS)
    if not shifts or how in ("opposite", "positive", "line", "ray"):
        case = _mapped(case, ("c", "d"), lambda value: Fraction(0))
    if how == "positive":
        case = _mapped(case, ("X", "F", "G", "A"), abs)
        case = _from_origin(case) if random.random() < 0.5 else case
    if how == "constant":
        case = _from_origin(_mapped(case, ("F", "G"), lambda value: Fraction(0)))
        case = _mapped(case, ("c", "d"), lambda value: value / 4)
    if how == "line":
        case = _in_one_dimension(case)
    if how in ("opposite", "line"):
        case = _opposite(case)
    if how == "simplex":
        case = on_simplex(case)
    if how == "ray":
        case = _on_a_ray(case)
    return case


def affine_pool(*arrays: Term, shifts: bool = True) -> TensorPool:
    """A pool of such cases; X and a are there by themselves."""
    return pool_with(X, a, *arrays, largest=3, adapt=partial(arranged, shifts=shifts))
