"""One term for both interpreters, the engine's and the checker's, and whether they agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from graphs.errors import NotRationalError
from graphs.rationals import RATIONALS
from graphs.reals import Real
from verify.cases.case import Case
from verify.checker.budget import Budget
from verify.checker.cases import read_case, read_domain
from verify.checker.enclosures import Enclosure
from verify.checker.interpreter import Run
from verify.checker.matrices import Matrix, Vector
from verify.checker.outcomes import Declined, Rejected, Undecided, Undefined
from verify.checker.sorts import INT
from verify.checker.terms import Node, Reader
from verify.language.columns import plain
from verify.language.evaluation import Evaluation
from verify.language.frames import TooManyRowsError
from verify.language.lowering import lowered
from verify.language.sorts import MAT, Sort
from verify.language.terms import Term, TermError, to_json

NOTHING, MALFORMED, OPEN = "no value", "malformed", "not decided"
BITS = 256


# the engine --------------------------------------------------------------------------------------
def of_engine(term: Term, cases: Sequence[Any], flow: Mapping[str, Term]) -> list[Any]:
    """By case the value of a term, all cases evaluated together."""
    try:
        worked_out = lowered(term, dict(flow))
    except TermError:
        return [MALFORMED] * len(cases)
    by = Evaluation(type(cases[0]).scene(cases, RATIONALS))
    try:
        column = by.column(worked_out)
    except (TooManyRowsError, NotRationalError):
        return [OPEN] * len(cases)
    return [
        _named(by, plain(column.values, worked_out.sort, row), worked_out.sort, cases[row])
        if known
        else NOTHING
        for row, known in enumerate(column.defined)
    ]


def _named(by: Evaluation, value: Any, sort: Sort, case: Any) -> Any:
    """A value as the checker has it: vertices by name, edges from 0, paths as their edges."""
    if sort.name == "tuple":
        return tuple(_named(by, v, s, case) for v, s in zip(value, sort.inner, strict=True))
    if sort.name == "seq":
        return tuple(_named(by, v, sort.inner[0], case) for v in value)
    if sort.name in ("vec", "mat"):
        entries = np.array(value[1:], dtype=object).reshape(value[0])
        return tuple(map(tuple, entries)) if sort == MAT else tuple(entries)
    if sort.name not in ("vertex", "edge", "path"):
        return value
    union = by.scene.union
    if sort.name == "vertex":
        owner = int(union.vertex_owner[value])
        return case.network.names[value - int(union.vertex_offset[owner])]
    if sort.name == "edge":
        return value - int(union.edge_offset[int(union.edge_owner[value])])
    return tuple(
        _named(by, int(e), Sort("edge"), case) for e in by.scene.paths.edges[value] if e >= 0
    )


# the checker -------------------------------------------------------------------------------------
def of_checker(term: Term, cases: Sequence[Any], flow: Mapping[str, Term]) -> list[Any]:
    """By case the value of a term."""
    return [_of_checker(to_json(term), case, *_about(case, flow)) for case in cases]


def _about(case: Any, flow: Mapping[str, Term]) -> tuple[Any, Any]:
    """The domain as a record (with all arrays of the case), and the velocities."""
    arrays = {
        name: {"sort": _sort(array), "axes": list(array.axes)}
        for name, array in case.arrays.items()
    }
    if isinstance(case, Case):
        return {"network": True, "arrays": arrays}, {}
    return {"arrays": arrays}, {name: to_json(velocity) for name, velocity in flow.items()}


def _sort(array: Any) -> str:
    if array.axes:
        return ("vec", "mat", "tensor")[min(len(array.axes), 3) - 1]
    return "int" if array.integer else "num"


def _of_checker(record: Any, case: Any, domain: Any, flow: Any) -> Any:
    declared, budget = read_domain(domain), Budget()
    try:
        velocities, node = _read(budget, record, declared, flow)
    except Rejected:
        return MALFORMED
    read = read_case(case.to_json(), declared, velocities)
    for bits in (40, 320):
        try:
            return Run(read, budget, bits).value(node, ())
        except Undefined:
            return NOTHING
        except Undecided:
            continue
        except Declined:
            return OPEN
    return OPEN


def _read(budget: Budget, record: Any, declared: Any, flow: Any) -> tuple[dict[str, Node], Node]:
    """The velocities and a term, as the checker reads them."""
    sorts = declared.sorts
    reader = Reader(budget, sorts, declared.network, None)
    velocities = {n: reader.read(t, n, sorts[n], INT) for n, t in flow.items()}
    return velocities, Reader(budget, sorts, declared.network, velocities)._term(record, ())


def sort_of_checker(term: Term, case: Any, flow: Mapping[str, Term]) -> str:
    """The sort that the checker gives a term, or why it is malformed."""
    domain, moving = _about(case, flow)
    try:
        return str(_read(Budget(), to_json(term), read_domain(domain), moving)[1].sort)
    except Rejected as refusal:
        return f"{MALFORMED}: {refusal}"


# both --------------------------------------------------------------------------------------------
def agree(one: Any, other: Any) -> bool:
    """Whether the engine's value and the checker's are one; where either leaves it open they may
    be."""
    if (isinstance(one, str) and one == OPEN) or (isinstance(other, str) and other == OPEN):
        return True
    if isinstance(one, Real) or isinstance(other, Enclosure):
        return _near(one, other)
    if isinstance(one, tuple) and isinstance(other, tuple | Vector | Matrix):
        return len(one) == len(other) and all(map(agree, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _near(one: Any, other: Any) -> bool:
    """Whether two enclosures meet and are narrow."""
    low, high = _ends(one)
    least, largest = _ends(other)
    wide = Fraction(1, 10**12) * max(1, abs(low), abs(least))
    return low <= largest and least <= high and high - low <= wide and largest - least <= wide


def _ends(value: Any) -> tuple[Fraction, Fraction]:
    if isinstance(value, Enclosure):
        unit = Fraction(2) ** value.exponent
        return value.low * unit, value.high * unit
    if isinstance(value, Real):
        ball = value.ball(BITS)
        return _fraction(ball.lower()), _fraction(ball.upper())
    return Fraction(value), Fraction(value)


def _fraction(exact: Any) -> Fraction:
    mantissa, exponent = exact.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
