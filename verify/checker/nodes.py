"""Terms as a proof uses them: names of bound variables do not matter.

A variable that is bound within the term is a node `#bound` whose literal counts the binders between
it and its own, from 0 on (of a binder of two variables the second is the inner one). So two terms
that differ in names alone are equal. A `var` is an element that the proof speaks of, by its number.
Operators that begin with `#` are those of normal forms, and no record can have them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from .outcomes import reject, require
from .sorts import BOOL, EDGE, INT, NUM, VERTEX, Sort, seq
from .terms import MOVING, STANDING, Node, bound_by

LONGEST_TEXT = 1_000  # of a term that is kept with it

Concerned = Callable[[Node, int], bool]  # a term, with how many variables are bound around it
Change = Callable[[Node, int], Node]  # of a variable, with the same


def node(operator: str, *arguments: Node, sort: Sort = NUM, literal: int | str = 0) -> Node:
    """A term that is made here."""
    return Node(operator, arguments, literal, sort, False)


def whole(number: int) -> Node:
    """A whole number."""
    return node("literal", literal=number, sort=INT)


def _changed(
    term: Node,
    concerned: Concerned,
    change: Change,
    depth: int = 0,
    made: dict[tuple[int, int], Node] | None = None,
) -> Node:
    """The term with every variable changed in the parts that are concerned. made: what is changed
    already; one node at two places within as many binders is one in the new term too."""
    if not concerned(term, depth):
        return term
    if term.operator in ("var", "#bound"):
        return change(term, depth)
    made = {} if made is None else made
    key = id(term), depth
    if key not in made:
        *parts, last = term.arguments
        changed = [_changed(part, concerned, change, depth, made) for part in parts]
        inner = depth + bound_by(term.operator)
        changed.append(_changed(last, concerned, change, inner, made))
        made[key] = Node(term.operator, tuple(changed), term.literal, term.sort, term.moves)
    return made[key]


def placed(term: Node, scope: Sequence[Node]) -> Node:
    """A term as it is read, with these in place of the variables around it; those that it binds are
    nameless."""

    def change(variable: Node, depth: int) -> Node:
        k = int(variable.literal)
        if k < len(scope):
            return scope[k]
        return Node("#bound", (), depth - 1 - (k - len(scope)), variable.sort, variable.moves)

    return _changed(term, lambda part, _: bool(part.free), change)


def opened(body: Node, *elements: Node) -> Node:
    """The last argument of a binder with elements in place of the variables that it binds; only
    what has nothing around it that binds is opened, and put into it."""
    count = len(elements)

    def change(variable: Node, depth: int) -> Node:
        k = int(variable.literal) - depth
        require(k < count, "a term is opened of which a variable is bound further outside")
        return elements[count - 1 - k]

    return _changed(body, _outside, change)


def closed(term: Node, *numbers: int) -> Node:
    """The last argument of a binder, or of some within one another, of these variables."""
    count = len(numbers)

    def concerned(part: Node, _: int) -> bool:
        return not part.free.isdisjoint(numbers)

    def change(variable: Node, depth: int) -> Node:
        place = depth + count - 1 - numbers.index(int(variable.literal))
        return Node("#bound", (), place, variable.sort, variable.moves)

    return _changed(term, concerned, change)


def shifted(term: Node, by: int) -> Node:
    """The term with so many more binders around it."""

    def change(variable: Node, _: int) -> Node:
        return Node("#bound", (), int(variable.literal) + by, variable.sort, variable.moves)

    return _changed(term, _outside, change) if by else term


def _outside(term: Node, depth: int) -> bool:
    """Whether there is a variable in it that is bound further outside than so many binders."""
    return term.loose > depth


def replaced(term: Node, old: Node, new: Node) -> Node:
    """The term with another one in place of each occurrence of one. What stands within a `rate` is
    left alone: two numbers that are equal now need not move alike."""
    if term == old:
        return new
    if term.operator == "rate" or not term.arguments:
        return term
    parts = tuple(replaced(part, old, new) for part in term.arguments)
    return Node(term.operator, parts, term.literal, term.sort, term.moves)


def below(term: Node) -> Iterator[Node]:
    """The term and all that is in it."""
    waiting = [term]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += reversed(part.arguments)


def moves(term: Node, flowing: Mapping[str, Node]) -> bool:
    """Whether a term may change along the flow; flowing: the fields that do."""
    if term.operator in ("var", "#bound"):
        return term.moves
    if term.operator == "field":
        return term.literal in flowing
    if term.operator in STANDING:
        return False
    return term.operator in MOVING or any(moves(part, flowing) for part in term.arguments)


def evaluated(term: Node, examples: bool = True) -> Iterator[Node]:
    """The term and what in it has a value wherever it has one: not the branches of `if`, what
    `and`, `or`, `implies` may not come to, what a binder says of its elements (but for a sum over
    the examples, of which there is one at least), what is moved. examples: whether what is said of
    examples is told too; a variable bound there is not to be taken for one bound around the term.
    """
    yield term
    if term.operator == "rate":
        return
    parts: Sequence[Node] = term.arguments
    if term.operator in ("if", "and", "or", "implies"):
        parts = parts[:1]
    elif bound_by(term.operator) and not (examples and _over_examples(term)):
        parts = parts[:-1]
    for part in parts:
        yield from evaluated(part, examples)


def _over_examples(term: Node) -> bool:
    return term.operator == "sum" and term.arguments[0].operator == "examples"


def always(many: Node) -> bool:
    """Whether a list has a value in every case: one of a network, or of one of its elements."""
    if many.operator in ("vertices", "inputs", "hidden", "outputs", "edges", "examples"):
        return True
    at_element = many.operator in ("into", "out_of", "users")
    return at_element and many.arguments[0].operator == "var"


def spelled(term: Node) -> str:
    """A text, the same for two terms exactly where they are equal but for `int` as `num`."""
    if term.text:
        return term.text
    literal = ""
    if term.operator in ("literal", "var") or term.operator.startswith("#"):
        literal = _literal(term)
    elif term.literal:  # the name of a field, the number of an item or of an axis
        literal = repr(term.literal)
    text = f"{term.operator}{literal}({','.join(map(spelled, term.arguments))})"
    if len(text) <= LONGEST_TEXT:
        term.text = text
    return text


def _literal(term: Node) -> str:
    value = term.literal
    if isinstance(value, str):
        return repr(value)
    if term.operator == "literal" and term.sort == BOOL:  # of a variable it is the number
        return str(bool(value))
    return f"{value.numerator:x}/{value.denominator:x}"  # a decimal may be too long


def negation(relation: Node) -> Node:
    """What is true where a relation is not."""
    opposite = {"le": "gt", "gt": "le", "lt": "ge", "ge": "lt", "eq": "ne", "ne": "eq"}
    if relation.operator == "not":
        return relation.arguments[0]
    if relation.operator not in opposite:
        return Node("not", (relation,), 0, BOOL, relation.moves)
    return Node(opposite[relation.operator], relation.arguments, 0, BOOL, relation.moves)


def element_sort(binder: Node) -> list[Sort]:
    """The sorts of what a binder binds."""
    if binder.operator in ("vector", "matrix"):
        return [INT] * bound_by(binder.operator)
    if binder.operator == "along":
        return [VERTEX, seq(EDGE), seq(NUM)]
    first = binder.arguments[0].sort
    if binder.operator == "let":
        return [first]
    if first.name != "seq":
        reject(f"{binder.operator} over a value of sort {first}")
    return [binder.sort, *first.parts] if binder.operator == "fold" else list(first.parts)
