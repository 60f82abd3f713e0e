"""Terms as they are evaluated: rates worked out, and what has a quicker form in its place.

The largest and the least eigenvalue, the squared norm of a matrix and the norm of one that is
symmetric by its form are told by largest eigenvalues, which every arithmetic knows: then a
statement about them can be evaluated in floats, and exactly without a square root.
"""

from __future__ import annotations

from verify.language.rates import Flow, without_rates
from verify.language.records import key
from verify.language.sorts import MAT, NUM
from verify.language.terms import Term, make, rebuilt

LARGEST, SQUARED = "largest eigenvalue", "squared norm"


def lowered(term: Term, flow: Flow) -> Term:
    """The term as it is evaluated. Raises TermError where there is no rule for a rate."""
    return _lowered(without_rates(term, flow))


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
