"""Relations of numbers and matrices as combinations of others: the rule `algebra`.

The slack of `a <= b` is the number b - a, of `a == b` the number a - b. An inequality follows if
its slack is the sum of what its items give, and each of these is at least 0:

- `{"times": c, "of": [facts], "squares": [terms]}` gives c times the slacks of these inequalities
  times the squares; c is a literal of at least 0, the square of a vector or matrix the sum of the
  squares of its entries. For a strict inequality one item must be above 0: c is, all its facts are
  strict, and it has no squares.
- `{"times": t, "equal": fact}` gives t times the slack of an equation; of vectors or matrices the
  sum of the products of the entries of t and of the slack.

An equation of numbers follows from items of the second kind; one of vectors or matrices too, t
being a number and the facts equations of the same shape.
"""

from __future__ import annotations

from fractions import Fraction

from .blocks import Grid
from .budget import Budget
from .nodes import node
from .normal import Normal
from .outcomes import reject, require
from .polynomials import Polynomial, constant, plus, times
from .sorts import INT, MAT, NUM, VEC
from .terms import Node

STRICT, ORDERS = ("lt", "gt"), ("le", "lt", "ge", "gt")

Item = tuple[Node, list[Node], list[Node], Node | None]  # times, of, squares, equal


def slack_sides(relation: Node, where: str) -> tuple[Node, Node]:
    """The sides of a relation of numbers."""
    require(relation.operator in (*ORDERS, "eq"), f"{where}: {relation.operator} is no relation")
    one, other = relation.arguments
    require({one.sort, other.sort} <= {INT, NUM}, f"{where}: a relation of other things")
    return one, other


class Relations:
    """Checks such combinations."""

    def __init__(self, budget: Budget, normal: Normal) -> None:
        self._budget, self._normal = budget, normal

    def slack(self, relation: Node, where: str) -> Polynomial:
        """What a relation of numbers says is at least 0, above 0, or 0."""
        one, other = slack_sides(relation, where)
        if relation.operator in ("le", "lt"):
            one, other = other, one
        return self._less(self._normal.number(one), self._normal.number(other))

    def at_least(self, fact: Node, larger: Node, smaller: Node, where: str) -> None:
        """The fact says that one number is at least another one."""
        require(fact.operator in ORDERS, f"{where}: {fact.operator} is no inequality")
        wanted = self.slack(node("ge", larger, smaller), where)
        require(self.slack(fact, where) == wanted, f"{where}: the fact is about other numbers")

    def check(self, holds: Node, items: list[Item], where: str) -> None:
        """Reject a relation that is not the combination of the items."""
        require(bool(holds.arguments), f"{where}: what holds is no relation")
        if holds.operator == "eq" and holds.arguments[0].sort in (VEC, MAT):
            self._check_matrices(holds, items, where)
            return
        rest, positive = self.slack(holds, where), False
        for item in items:
            part, strict = self._given(item, where)
            equation = item[3] is not None
            require(equation or holds.operator != "eq", f"{where}: an equation from an inequality")
            rest, positive = self._less(rest, part), positive or strict
        require(not rest, f"{where}: what is said to hold is not the sum of its items")
        require(holds.operator not in STRICT or positive, f"{where}: nothing makes it strict")

    def _less(self, one: Polynomial, other: Polynomial) -> Polynomial:
        return plus(self._budget, one, other, -1)

    def _given(self, item: Item, where: str) -> tuple[Polynomial, bool]:
        """What an item gives, and whether it is above 0."""
        factor, of, squares, equal = item
        if equal is not None:
            require(not of and not squares, f"{where}: an item of two kinds")
            return self._equation(factor, equal, where), False
        literal = factor.operator == "literal" and factor.sort in (INT, NUM)
        require(literal, f"{where}: a multiplier of inequalities is no literal")
        value = Fraction(factor.literal)
        require(value >= 0, f"{where}: a multiplier of inequalities is below 0")
        product = constant(value)
        for fact in of:
            require(fact.operator in ORDERS, f"{where}: {fact.operator} is no inequality")
            product = times(self._budget, product, self.slack(fact, where))
        for square in squares:
            product = times(self._budget, product, self._square(square, where))
        strict = all(fact.operator in STRICT for fact in of)
        return product, strict and value > 0 and not squares

    def _square(self, term: Node, where: str) -> Polynomial:
        if term.sort in (INT, NUM):
            value = self._normal.number(term)
            return times(self._budget, value, value)
        grid = self._grid(term, where)
        return self._normal.matrices.inner(grid, grid)

    def _equation(self, factor: Node, fact: Node, where: str) -> Polynomial:
        """A multiple of the slack of an equation, as a number."""
        require(fact.operator == "eq", f"{where}: {fact.operator} is no equation")
        if fact.arguments[0].sort not in (VEC, MAT):
            require(factor.sort in (INT, NUM), f"{where}: the multiplier is no number")
            return times(self._budget, self._normal.number(factor), self.slack(fact, where))
        difference, grid = self._difference(fact, where), self._grid(factor, where)
        matrices = self._normal.matrices
        fits = matrices.shape(difference) == matrices.shape(grid)
        require(fits, f"{where}: the multiplier of an equation has another shape")
        return matrices.inner(grid, difference)

    # matrices ------------------------------------------------------------------------------------
    def _check_matrices(self, holds: Node, items: list[Item], where: str) -> None:
        rest, matrices = self._difference(holds, where), self._normal.matrices
        for factor, of, squares, equal in items:
            if of or squares or equal is None or equal.operator != "eq":
                reject(f"{where}: an equation of matrices from anything but equations")
            require(factor.sort in (INT, NUM), f"{where}: the multiplier is no number")
            part = matrices.scaled(self._difference(equal, where), self._normal.number(factor))
            less = matrices.sum(rest, part, -1)
            if less is None:
                reject(f"{where}: the equations have different shapes")
            rest = less
        zero = not any(block for row in rest.blocks for block in row)
        require(zero, f"{where}: what is said to hold is not the sum of its items")

    def _difference(self, equation: Node, where: str) -> Grid:
        one, other = (self._grid(side, where) for side in equation.arguments)
        found = self._normal.matrices.sum(one, other, -1)
        if found is None:
            reject(f"{where}: the sides of an equation have different shapes")
        return found

    def _grid(self, term: Node, where: str) -> Grid:
        grid = self._normal.matrices.grid(term)
        if grid is None:
            reject(f"{where}: a {term.sort} whose shape is not known")
        return grid
