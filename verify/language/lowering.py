"""Terms as they are evaluated: rates worked out, and what has a quicker form in its place.

The largest and the least eigenvalue, the squared norm of a matrix and the norm of one that is
symmetric by its form are told by largest eigenvalues, which every arithmetic knows: then a
statement about them can be evaluated in floats, and exactly without a square root.

Terms that differ in names alone become one object, in one statement as in several: what is worth
the same is worked out once.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from verify.language.rates import Flow, without_rates
from verify.language.records import key
from verify.language.sorts import MAT, NUM
from verify.language.terms import Body, Term, make, rebuilt

LARGEST, SQUARED = "largest eigenvalue", "squared norm"


def lowered(term: Term, flow: Flow) -> Term:
    """The term as it is evaluated. Raises TermError where there is no rule for a rate."""
    moved = flow if "rate" in term.operators else {}
    kept = vars(term).setdefault("lowered", {})  # with the term, as what a cached property finds
    asked = tuple((name, id(moved[name])) for name in sorted(moved))
    if asked not in kept:
        kept[asked] = one_term(_lowered(without_rates(term, moved)), {}, {}), moved
    return kept[asked][0]  # type: ignore[no-any-return]  # what is put there is a term


TERMS: WeakValueDictionary[tuple[Any, ...], Term] = WeakValueDictionary()
"""The terms that are evaluated, by operator, sort and arguments: terms by their ids, which no other
object has while the term that they are arguments of is there."""


def one_term(term: Term, numbers: dict[int, int], made: dict[tuple[Any, ...], Term]) -> Term:
    """The one term that differs from this one in names alone. numbers: by the number of a variable
    that is free in it the new one. made: what was found for the terms of one statement.

    A binder numbers its variables by how many are bound within its body: so the number says nothing
    of what stands around, and no variable in the body has it.
    """
    asked = (term, *(numbers[one] for one in sorted(term.free)))
    if asked in made:
        return made[asked]
    parts: list[Any] = []
    for part in term.args:
        if isinstance(part, Term):
            parts.append(one_term(part, numbers, made))
        elif isinstance(part, Body):
            new = range(part.term.binds, part.binds)
            olds = [variable.args[0] for variable in part.variables]
            inside = numbers | dict(zip(olds, new, strict=True))
            variables = tuple(one_term(variable, inside, made) for variable in part.variables)
            parts.append(Body(variables, part.names, one_term(part.term, inside, made)))
        else:
            parts.append(numbers[part] if term.op == "var" else part)
    named = (term.op, term.sort, *map(_named, parts))
    found = TERMS.setdefault(named, Term(term.op, tuple(parts), term.sort))
    made[asked] = found
    return found


def _named(part: Any) -> Any:
    """An argument in the name of a term."""
    if isinstance(part, Body):
        return (*map(id, part.variables), id(part.term))
    return id(part) if isinstance(part, Term) else (type(part), part)


def _lowered(term: Term) -> Term:
    term = rebuilt(term, _lowered)
    if term.op == "at" and term.args[0].op == "eigenvalues" and _literal(term.args[1]) == 1:
        return Term(LARGEST, term.args[0].args, NUM)
    if term.op == "at" and term.args[0].op == "eigenvalues" and _is_last(term):
        return -Term(LARGEST, (-term.args[0].args[0],), NUM)
    if term.op == "pow" and term.args[0].op == "norm" and term.args[0].args[0].sort == MAT:
        half, odd = divmod(_literal(term.args[1]), 2)
        if half > 0 and not odd:
            squared = Term(SQUARED, term.args[0].args, NUM)
            return squared if half == 1 else make("pow", squared, half)
    if term.op == "norm" and term.args[0].sort == MAT and symmetric(term.args[0]):
        one = term.args[0]
        return make("larger", *(Term(LARGEST, (part,), NUM) for part in (one, -one)))
    return term


def _literal(term: Term) -> int:
    """A whole literal, 0 of anything else."""
    literal = term.args[0] if term.op == "real" else term
    whole = literal.op == "number" and literal.args[0].denominator == 1
    return int(literal.args[0]) if whole else 0


def _is_last(term: Term) -> bool:
    """Whether an eigenvalue is the last one: its index is the number of rows or columns."""
    matrix, index = term.args[0].args[0], term.args[1]
    sized = index.op in ("rows", "cols") and not term.free
    return sized and key(index.args[0]) == key(matrix)


def symmetric(term: Term) -> bool:
    """Whether a matrix is symmetric by its form: sums and multiples of such and of M^T M."""
    if term.op == "matmul":
        one, other = term.args
        turned = one.args[0] if one.op == "transpose" else make("transpose", one)
        return not term.free and key(turned) == key(other)
    if term.op in ("add", "sub", "neg", "transpose"):
        return all(map(symmetric, term.args))
    if term.op in ("mul", "div"):
        return all(symmetric(part) for part in term.args if part.sort == MAT)
    return term.op in ("eye", "diag")
