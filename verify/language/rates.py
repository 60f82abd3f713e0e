"""Differentiation of terms: the derivative of a term when some of its parts move.

`without_rates` turns every `rate` into the term of that derivative. In a network the weights move
along the gradient flow, in a case of arrays what the statement says; slopes of activations stand
still.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from verify.language.sorts import INT, MAT, NUM, VEC, Sort
from verify.language.terms import (
    Body,
    Function,
    Term,
    TermError,
    as_sort,
    make,
    number,
    substituted,
    unfold,
    variable,
    with_arguments,
)

Flow = Mapping[str, Term]  # by the name of an array its velocity
OF_NETWORKS = ("weight", "pre", "post", "output")  # what moves there, and has a rate
MOVING = (*OF_NETWORKS, "gradient", "sensitivity", "loss_slope")
STANDING = ("rows", "cols", "dim")  # whatever the entries do
DEFINED = ("number", "real", "var", "field", "add", "sub", "neg", "mul", "weight", "card", "range")
"""Operators that have a value wherever their arguments, if these are numbers, have one."""


class Motion:
    """What moves, and the derivative of terms by it. around: the numbers of the variables that are
    bound further outside to what moves."""

    def __init__(self, flow: Flow, around: frozenset[int] = frozenset()) -> None:
        self.flow, self.around = flow, around

    def moves(self, term: Term) -> bool:
        """Whether a term may move."""
        if term.op == "field":
            return term.args[0].name in self.flow
        if term.op == "var":
            return term.args[0] in self.around
        if term.op in STANDING:
            return False
        parts = term.children
        if term.op == "fold" and not _measures(term.args[0].sort):  # the list has no numbers
            parts = parts[1:]
        return term.op in MOVING or any(map(self.moves, parts))

    def under(self, term: Term) -> Motion:
        """What moves in the body of a binder: also what it binds, where that comes from what moves.
        Of any other term what moves in its arguments."""
        moves = any(self.moves(part) for part in term.args if isinstance(part, Term))
        moving = moves or (term.op in ("fold", "along") and self.moves(term.args[-1].term))
        bound = [v for part in term.args if isinstance(part, Body) for v in part.variables]
        found = {v.args[0] for v in bound if moving and _measures(v.sort)}
        return Motion(self.flow, self.around | found) if found else self

    def ruled(self, term: Term, outside: frozenset[int]) -> None:
        """Raises TermError where a term moves and there is no rule. The condition of an `if` may
        move: it tells the branch. outside: the variables for which there is none."""
        if not self.moves(term) or term.op == "field":
            return
        if term.op not in RULES and (term.op != "var" or term.args[0] in outside):
            raise TermError(f"{term.op}: there is no rate of it, see docs/language.md")
        for part in term.children[term.op == "if" :]:
            self.under(term).ruled(part, outside)

    def rate(self, term: Term) -> Term:
        """The derivative of a term. Raises TermError where it moves and there is no rule."""
        if not self.moves(term):
            return _zero(term)
        if term.op == "field":
            return self.flow[term.args[0].name]
        if term.op not in RULES:
            raise TermError(f"{term.op}: there is no rate of it, see docs/language.md")
        return RULES[term.op](self, *term.args)

    def inside(self, body: Body) -> Body:
        """The derivative of the body of a binder, the variables of which stand still."""
        return Body(body.variables, body.names, self.rate(body.term))


def _zero(term: Term) -> Term:
    """0, with a value where a term has one."""
    if term.sort.name == "seq":
        return make("map", term, Function(_zero, ("e",)))
    numbers = all(part.sort in (INT, NUM) and part.op in DEFINED for part in term.walk())
    return number(0) if numbers else make("mul", number(0), term)


def _by_index(many: Term, body: Body) -> tuple[Term, Body]:
    """The same elements by their places in a list: the list of these, and the body there."""
    place = variable(INT)
    element = substituted(body.term, body.variables[0], make("at", many, place))
    return make("range", 1, make("card", many)), Body((place,), body.names, element)


def _linear(name: str) -> Callable[..., Term]:
    """Of what is linear in all its arguments together."""

    def rule(by: Motion, *parts: Term) -> Term:
        return make(name, *map(by.rate, parts))

    return rule


def _product(name: str) -> Callable[..., Term]:
    """Of what is linear in each of two arguments."""

    def rule(by: Motion, one: Term, other: Term) -> Term:
        parts = [make(name, by.rate(one), other)] if by.moves(one) else []
        parts += [make(name, one, by.rate(other))] if by.moves(other) else []
        return parts[0] if len(parts) == 1 else make("add", *parts)

    return rule


def _of_first(name: str) -> Callable[..., Term]:
    """Of what is linear in its first argument, the others being indices."""

    def rule(by: Motion, first: Term, *indices: Any) -> Term:
        return make(name, by.rate(first), *indices)

    return rule


def _over(name: str) -> Callable[..., Term]:
    """Of what is linear in the body of a binder."""

    def rule(by: Motion, *parts: Any) -> Term:
        *given, body = parts
        if given[0].sort.name == "seq" and by.moves(given[0]):
            given[0], body = _by_index(given[0], body)
        return make(name, *given, by.inside(body))

    return rule


def _div(by: Motion, one: Term, other: Term) -> Term:
    if not by.moves(other):
        return make("div", by.rate(one), other)
    above = make("sub", make("mul", other, by.rate(one)), make("mul", by.rate(other), one))
    return make("div", above, make("pow", other, 2))


def _tanh(by: Motion, one: Term) -> Term:
    return make("mul", 1 - make("tanh", one) ** 2, by.rate(one))


def _log(by: Motion, one: Term) -> Term:
    """Where the logarithm has a value."""
    return make("add", make("div", by.rate(one), one), _zero(make("log", one)))


def _erfc(by: Motion, one: Term) -> Term:
    """-2 exp(-x^2) / sqrt(pi), the root being Gamma(1/2) / Gamma(1)."""
    below = make("exp", -(one**2)) / make("rising", 1, Fraction(-1, 2))
    return make("mul", -2 * below, by.rate(one))


def _sigmoid(by: Motion, one: Term) -> Term:
    value = make("sigmoid", one)
    return make("mul", value * (1 - value), by.rate(one))


def _pow(by: Motion, base: Term, exponent: Term) -> Term:
    literal = exponent.args[0] if exponent.op == "real" else exponent
    if literal.op != "number" or literal.sort != INT:
        raise TermError("pow: there is a rate of it for a whole literal exponent")
    power = int(literal.args[0])
    if power in (0, 1):
        return by.rate(base) if power else make("mul", number(0), base)
    below = base if power == 2 else make("pow", base, power - 1)
    return make("mul", make("mul", number(power), below), by.rate(base))


def _if(by: Motion, test: Term, one: Term, other: Term) -> Term:
    return make("if", test, by.rate(one), by.rate(other))


def _let(by: Motion, value: Term, body: Body) -> Term:
    if not by.moves(value):
        return make("let", value, by.inside(body))
    moved = by.rate(substituted(body.term, body.variables[0], value))
    return make("let", value, Body((variable(value.sort),), body.names, moved))


def _frob2(by: Motion, one: Term) -> Term:
    return make("mul", number(2), make("dot", one, by.rate(one)))


def _inverse(by: Motion, one: Term) -> Term:
    inverse = make("inverse", one)
    return -(inverse @ by.rate(one) @ inverse)


def _det(by: Motion, one: Term) -> Term:
    """The sum of those in which one row is replaced by its derivative."""
    speed = by.rate(one)

    def replaced(row: Term) -> Term:
        def entry(i: Term, j: Term) -> Term:
            return make("if", make("eq", i, row), speed[i, j], one[i, j])

        return make("det", make("matrix", make("rows", one), make("cols", one), entry))

    return make("sum", make("range", 1, make("rows", one)), replaced)


def _prod(by: Motion, many: Term, body: Body) -> Term:
    """The sum of those in which one factor is replaced by its derivative."""
    places, factor = _by_index(many, body)
    speed = by.inside(factor)

    def replaced(moving: Term) -> Term:
        def at(part: Body, place: Term) -> Term:
            return substituted(part.term, factor.variables[0], place)

        def one_of(place: Term) -> Term:
            return make("if", make("eq", place, moving), at(speed, place), at(factor, place))

        return make("prod", places, one_of)

    return make("sum", places, replaced)


def _of_network(name: str) -> Callable[..., Term]:
    """How fast it moves along the gradient flow, as `verify.language.networks` computes it."""

    def rule(by: Motion, *place: Term) -> Term:
        return Term(f"{name} rate", place, NUM)

    return rule


RULES: dict[str, Callable[..., Term]] = {
    **{name: _linear(name) for name in ("add", "sub", "neg", "beside", "above")},
    **{name: _product(name) for name in ("mul", "matmul", "dot", "outer", "kron")},
    **{
        name: _of_first(name)
        for name in ("transpose", "entry", "coord", "row", "column", "trace", "diagonal", "diag")
    },
    "at": _of_first("at"),
    **{name: _over(name) for name in ("sum", "map", "vector", "matrix")},
    **{name: _of_network(name) for name in OF_NETWORKS},
    "real": lambda by, one: by.rate(one),
    "exp": lambda by, one: make("mul", make("exp", one), by.rate(one)),
    "log": _log,
    "erfc": _erfc,
    "tanh": _tanh,
    "sigmoid": _sigmoid,
    "softplus": lambda by, one: make("mul", make("sigmoid", one), by.rate(one)),
    "prod": _prod,
    "det": _det,
    "div": _div,
    "pow": _pow,
    "if": _if,
    "let": _let,
    "frob2": _frob2,
    "inverse": _inverse,
    "unfold": lambda by, whole, mode: unfold(by.rate(whole), mode),
}


def without_rates(term: Term, flow: Flow) -> Term:
    """The term with every `rate` worked out. Raises TermError where there is no rule."""
    return _worked_out(term, Motion(flow)) if "rate" in term.operators else term


def _worked_out(term: Term, by: Motion) -> Term:
    if term.op == "after" and "rate" in term.operators:
        raise TermError("after: there is no rate within it")
    if term.op == "rate":
        by.ruled(term.args[0], by.around)  # a rate within it has none where it moves
    parts: list[Any] = []
    for part in term.args:
        if isinstance(part, Body):
            inner = _worked_out(part.term, by.under(term))
            parts.append(Body(part.variables, part.names, inner))
        else:
            parts.append(_worked_out(part, by) if isinstance(part, Term) else part)
    if term.op == "rate":
        return as_sort(by.rate(parts[0]), term.sort)  # type: ignore[no-any-return]  # a term stays one
    return with_arguments(term, parts)


def _measures(sort: Sort) -> bool:
    """Whether there are numbers in values of a sort."""
    return sort in (INT, NUM, VEC, MAT) or any(map(_measures, sort.inner))
