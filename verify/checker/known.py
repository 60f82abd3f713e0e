"""What is known at a step of a proof, and how it speaks of that: elements and facts, by number."""

from __future__ import annotations

from itertools import count
from typing import Any, NamedTuple

from .budget import Budget
from .derivatives import Derivatives
from .nodes import node, opened, placed
from .normal import Normal
from .outcomes import require
from .reading import Statement
from .records import array, fields, integer
from .sorts import BOOL, Sort
from .terms import Node, Reader

WORDS = {"eq": "equation"}


class Fact(NamedTuple):
    """Something true. met: it has a value by the page too. That a term t has one is the fact t = t
    that is met."""

    term: Node
    met: bool = False


def ways(says: Node) -> list[tuple[list[Node], Node]]:
    """The leaves of what a statement says, in order, each with the `each` and `implies` above."""
    if says.operator == "and":
        return [way for part in says.arguments for way in ways(part)]
    if says.operator in ("each", "implies"):
        return [([says, *above], leaf) for above, leaf in ways(says.arguments[1])]
    return [([], says)]


class Known:
    """The facts and elements so far, in the proof of one leaf."""

    def __init__(self, budget: Budget, statement: Statement) -> None:
        self._normal = Normal(budget, statement.domain.fields)
        for term in (*statement.velocities.values(), *statement.hypotheses.values()):
            self._normal.walk(term)
        velocities = {k: placed(term, ()) for k, term in statement.velocities.items()}
        self._derivatives = Derivatives(velocities, self._normal.walk)
        domain = statement.domain
        self._reader = Reader(budget, domain.sorts, domain.network, velocities, descends=False)
        self._placed: dict[tuple[Any, ...], tuple[Node, Node]] = {}
        self._scope: tuple[Node, ...] = ()  # the elements; records number them from 0
        self._elements = count()  # no two have one number here, also where one of them is gone
        self._facts = [Fact(placed(h, ()), True) for h in statement.hypotheses.values()]
        self.leaf = node("literal", sort=BOOL)

    # the way -------------------------------------------------------------------------------------
    def take_apart(self, says: Node, place: int) -> None:
        """Go to the leaf of this number: what is on the way becomes facts."""
        self._normal.walk(says)
        term = placed(says, ())
        while term.operator in ("each", "implies", "and"):
            first, second = term.arguments
            if term.operator == "and":
                before = len(ways(first))
                term, place = (first, place) if place < before else (second, place - before)
            elif term.operator == "implies":
                self._facts.append(Fact(first, True))
                term = second
            else:
                term = self._element(first, second, met=True)
        self.leaf = term

    def _element(self, many: Node, body: Node, *, met: bool) -> Node:
        """A new element of a list, and what a body says of it."""
        self._normal.walk(body)
        sort = many.sort.parts[0]
        moves = sort.measures and self._derivatives.moves(many)
        variable = self._variable(sort, moves)
        self._facts.append(Fact(node("in", variable, many, sort=BOOL), met))
        return opened(body, variable)

    def _variable(self, sort: Sort, moves: bool) -> Node:
        element = Node("var", (), next(self._elements), sort, moves)
        self._scope = (*self._scope, element)
        return element

    # what a step says ----------------------------------------------------------------------------
    def _term(self, value: object, where: str, *sorts: Sort) -> Node:
        """A term of a step, which may speak of what is in scope."""
        scope = self._scope
        term = self._reader.read(value, where, *sorts, scope=scope)
        self._normal.walk(term)
        key = id(term), scope[-1].literal if scope else None  # no two scopes end with one element
        if key not in self._placed:
            self._placed[key] = term, placed(term, scope)
        return self._placed[key][1]

    def _read(
        self, step: object, where: str, *more: str, operator: str = ""
    ) -> tuple[Node, dict[str, Any]]:
        """What a step says holds, of this operator if one is given, and its keys."""
        record = fields(step, where, ("rule", "holds", *more))
        holds, word = self._term(record["holds"], where, BOOL), WORDS.get(operator, operator)
        require(operator in ("", holds.operator), f"{where}: what holds is no {word}")
        return holds, record

    def _fact(self, number: object, where: str) -> Fact:
        """A fact that is there already."""
        k = integer(number, f"a premise of {where}")
        require(0 <= k < len(self._facts), f"{where}: there is no fact {k} yet")
        return self._facts[k]

    def _premises(self, numbers: object, where: str, many: int | None = None) -> list[Fact]:
        return [self._fact(number, where) for number in array(numbers, where, many)]

    def _made(self, holds: Node, found: Node, where: str, met: bool = False) -> list[Fact]:
        """The fact, if it is what follows. One that is met is kept as it follows: what has its
        normal form alone may have parts without a value."""
        require(self._normal.same(holds, found), f"{where}: what is said to hold does not follow")
        return [Fact(found, True) if met else Fact(holds)]

    def _of(self, operator: str, number: object, where: str) -> Fact:
        fact = self._fact(number, where)
        require(fact.term.operator == operator, f"{where}: fact {number} is no {operator}")
        return fact
