"""The rate of a term, by the rules of differentiation: a term of its own.

Where `rate` has a value, the derivative that is made here has the same one. A weight moves with the
velocity of docs/language.md; a fixed one has no users, so the sum is empty and its rate is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .nodes import moves, node, shifted, whole
from .outcomes import reject, require
from .sorts import EDGE, INT, NUM, Sort, seq
from .terms import Node

LINEAR = ("add", "sub", "neg", "transpose", "trace", "diagonal", "diag", "beside", "above")
PRODUCTS = ("mul", "matmul", "dot", "outer", "kron")
FIRST = ("entry", "coord", "row", "column")


class Derivatives:
    """Makes them; velocities: of the fields that move; walk: pays for going through a term."""

    def __init__(
        self, velocities: Mapping[str, Node], walk: Callable[[Node], None] = lambda term: None
    ) -> None:
        self._velocities, self._walk = velocities, walk

    def moves(self, term: Node) -> bool:
        """Whether a term may change along the flow."""
        return moves(term, self._velocities)

    def rate(self, term: Node) -> Node:
        """The derivative of a term by time."""
        operator, arguments = term.operator, term.arguments
        self._walk(term)  # of each part again
        if not self.moves(term):
            return _zero(term)
        if operator == "field":
            return self._velocities[str(term.literal)]
        if operator == "weight":
            return _velocity(arguments[0])
        if operator in LINEAR:
            return _same(term, *map(self.rate, arguments))
        if operator in PRODUCTS:
            one, other = arguments
            first, second = (
                _same(term, self.rate(one), other),
                _same(term, one, self.rate(other)),
            )
            return node("add", first, second, sort=term.sort)
        if operator in FIRST:
            first_of, *indices = arguments
            require(not any(map(self.moves, indices)), f"an index of {operator} moves")
            return _same(term, self.rate(first_of), *indices)
        if operator == "div":
            return self._quotient(term)
        if operator == "pow":
            return self._power(term)
        if operator == "frob2":
            return node("mul", whole(2), node("dot", arguments[0], self.rate(arguments[0])))
        if operator == "if":
            test, one, other = arguments
            return _same(term, test, self.rate(one), self.rate(other))
        if operator == "sum":
            many, body = arguments
            require(not self.moves(many), "a sum runs over a list that moves")
            return _same(term, many, self.rate(body))
        return reject(f"proofs have no rule for the rate of {operator}")

    def _quotient(self, term: Node) -> Node:
        one, other = term.arguments
        over = _same(term, self.rate(one), other)
        if not self.moves(other):
            return over
        square = node("pow", other, whole(2))
        less = node("div", self.rate(other), square)
        return node("sub", over, node("mul", less, one, sort=term.sort), sort=term.sort)

    def _power(self, term: Node) -> Node:
        base, exponent = term.arguments
        n = exponent.literal
        literal = exponent.operator == "literal" and exponent.sort == INT and isinstance(n, int)
        if not literal or not isinstance(n, int):
            reject("a power that moves has a rate for a whole literal exponent")
        if n == 0:
            return whole(0)
        factor = node("mul", whole(n), node("pow", base, whole(n - 1)))
        return node("mul", factor, self.rate(base))


def _same(term: Node, *arguments: Node) -> Node:
    """The same operator with other arguments."""
    sort = NUM if term.sort == INT else term.sort
    return Node(term.operator, arguments, term.literal, sort, False)


def _zero(term: Node) -> Node:
    """0 of its sort; of a matrix, whose shape need not be known, 0 times it."""
    if term.sort in (INT, NUM):
        return whole(0)
    return node("mul", whole(0), term, sort=term.sort)


def _velocity(edge: Node) -> Node:
    """-(1/n) sum over examples j, over f in users(e), of l'_j y_j dnu(x_j)/dw_f."""
    examples = node("examples", sort=seq(INT))
    j, f = _bound(1, INT), _bound(0, EDGE)
    users = node("users", shifted(edge, 1), sort=seq(EDGE))
    part = node("mul", node("loss_slope", j), node("label", j))
    inner = node("sum", users, node("mul", part, node("gradient", f, j)))
    total = node("sum", examples, inner)
    return node("neg", node("div", total, node("card", examples, sort=INT)))


def _bound(place: int, sort: Sort) -> Node:
    return Node("#bound", (), place, sort, False)
