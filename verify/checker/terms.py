"""Reading a term: its size, its operators, its variables, its sorts, and what of it moves."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from .budget import Budget
from .outcomes import Declined, reject, require
from .records import fraction, integer
from .sorts import (
    BINDERS,
    BOOL,
    EDGE,
    INT,
    MAT,
    NETWORK,
    NUM,
    SIGNATURES,
    VERTEX,
    Sort,
    join,
    seq,
    value_sort,
)

MOST_NODES = 20_000  # of a term
DEEPEST = 100
MOST_PARTS = 200  # of the sort of a tuple
READING = 8_000  # work of reading a node; a fold within a fold may be read again and again

MOVING = ("weight", "pre", "post", "output", "gradient", "sensitivity", "loss_slope")
STANDING = ("rows", "cols", "dim")  # shapes stand still, whatever the entries do
_WITH_RATES = (
    "add sub neg mul div pow if sum prod let map at vector matrix matmul dot outer transpose entry "
    "coord row column unfold beside above kron frob2 trace diagonal diag det inverse weight "
    "field pre post output exp log tanh sigmoid softplus"
)
RATED = frozenset(_WITH_RATES.split())
"""The operators that have a rate where they move."""


@dataclass(frozen=True, slots=True)
class Node:
    """A term that is well-formed.

    operator: "literal", "var", or one of the page's. literal: the value of a literal, the number
    of a variable, the name of a field, the number of an item or of an axis; of `along` whether its
    body speaks of the path. moves: whether it may
    change along the flow.
    """

    operator: str
    arguments: tuple[Node, ...]
    literal: Fraction | int | str
    sort: Sort
    moves: bool


@dataclass(frozen=True, slots=True)
class Variable:
    """What a binder binds: its sort, and whether its value moves."""

    sort: Sort
    moves: bool

    @staticmethod
    def of(sort: Sort, source: bool) -> Variable:
        """A variable whose values come from something that moves, or does not."""
        return Variable(sort, source and sort.measures)


Scope = tuple[Variable, ...]  # from the outermost binder to the innermost


class Reader:
    """Reads the terms about one domain.

    sorts: those of the fields. network: whether the case has one. flowing: the fields that have a
    velocity; None where such a velocity is read, in which there is no rate. descends: whether steps
    of gradient descent are known there.
    """

    def __init__(
        self,
        budget: Budget,
        sorts: Mapping[str, Sort],
        network: bool,
        flowing: Collection[str] | None,
        descends: bool = True,
    ) -> None:
        self._budget, self._sorts, self._network, self._flowing = budget, sorts, network, flowing
        self._descends, self._after = descends, False

    def read(self, value: object, where: str, *sorts: Sort, scope: Scope = ()) -> Node:
        """A term of one of the sorts, of any if none is given; scope: the variables that are free
        in it."""
        _measure(value, where)
        tensor = bool(sorts) and sorts[0].axes > 0
        node = self._tensor(value, where) if tensor else self._term(value, scope)
        wanted = " or ".join(map(str, sorts))
        fits = not sorts or node.sort in sorts
        require(fits, f"{where} has the sort {node.sort}, not {wanted}")
        return node

    def _term(self, value: object, scope: Scope) -> Node:
        self._budget.steps(1, 0, READING)
        if isinstance(value, list) and value and isinstance(value[0], str):
            return self._compound(value[0], value[1:], scope)
        if isinstance(value, bool):
            return Node("literal", (), value, BOOL, False)
        if isinstance(value, int):
            return Node("literal", (), integer(value, "a number"), INT, False)
        if not isinstance(value, str):
            reject(f"{_shown(value)} is no term")
        return Node("literal", (), fraction(value, "a number"), NUM, False)

    def _compound(self, operator: str, arguments: list[object], scope: Scope) -> Node:
        if operator in ("var", "field"):
            require(len(arguments) == 1, f"{operator} has one argument, not {len(arguments)}")
            return self._name(operator, arguments[0], scope)
        if operator in ("list", "tuple", "item"):
            return self._collection(operator, arguments, scope)
        if operator == "unfold":
            return self._unfolding(arguments)
        if operator not in SIGNATURES:
            reject(f"the operator {_shown(operator)} is not known")
        if not self._network and (operator in NETWORK or operator == "along"):
            reject(f"{operator} is about a network, and the domain has none")
        if operator in BINDERS:
            return self._binder(operator, arguments, scope)
        require(operator != "rate" or self._flowing is not None, "a velocity has a rate in it")
        require(operator != "rate" or not self._after, "after has a rate in it")
        if operator == "after" and not self._descends:
            raise Declined("proofs know nothing of steps of gradient descent")
        outside, self._after = self._after, self._after or operator == "after"
        nodes = [self._term(argument, scope) for argument in arguments]
        self._after = outside
        return _applied(operator, nodes, len(scope))

    def _name(self, operator: str, name: object, scope: Scope) -> Node:
        """A variable, or a field that is no tensor."""
        if operator == "var":
            k = integer(name, "the number of a variable")
            require(0 <= k < len(scope), f"the variable {k} is not bound")
            return Node("var", (), k, scope[k].sort, scope[k].moves)
        node = self._field(name)
        require(not node.sort.axes, f"the field {_shown(name)} is a tensor: only unfold takes one")
        return node

    def _field(self, name: object) -> Node:
        if not isinstance(name, str) or name not in self._sorts:
            reject(f"the domain has no field {_shown(name)}")
        return Node("field", (), name, self._sorts[name], name in (self._flowing or ()))

    def _tensor(self, value: object, where: str) -> Node:
        """A field where a tensor is asked for: no other term is one."""
        self._budget.steps(1, 0, READING)
        if not isinstance(value, list) or value[:1] != ["field"]:
            reject(f"{where} is {_shown(value)}: only a field is a tensor")
        require(len(value) == 2, f"field has one argument, not {len(value) - 1}")
        return self._field(value[1])

    def _unfolding(self, arguments: list[object]) -> Node:
        require(len(arguments) == 2, f"unfold has two arguments, not {len(arguments)}")
        node = self._tensor(arguments[0], "what is unfolded")
        k = integer(arguments[1], "the axis of unfold")
        require(node.sort.axes > 0, f"unfold of a value of sort {node.sort}")
        require(1 <= k <= node.sort.axes, f"unfold of a {node.sort} has no axis {k}")
        return Node("unfold", (node,), k, MAT, node.moves)

    def _collection(self, operator: str, arguments: list[object], scope: Scope) -> Node:
        """A list, a tuple, or an item of one."""
        if operator == "item":
            require(len(arguments) == 2, f"item has two arguments, not {len(arguments)}")
            node, k = self._term(arguments[0], scope), integer(arguments[1], "the item's number")
            require(node.sort.name == "tuple", f"item of a value of sort {node.sort}")
            require(1 <= k <= len(node.sort.parts), f"{node.sort} has no item {k}")
            return Node("item", (node,), k, node.sort.parts[k - 1], node.moves)
        nodes = [self._term(argument, scope) for argument in arguments]
        least = 1 if operator == "list" else 2
        require(len(nodes) >= least, f"{operator} has at least {least} arguments")
        moves = any(node.moves for node in nodes)
        if operator == "tuple":
            sort = Sort("tuple", tuple(node.sort for node in nodes))
            require(
                sort.within(MOST_PARTS), f"the sort of a tuple has more than {MOST_PARTS} parts"
            )
            return Node(operator, tuple(nodes), 0, sort, moves)
        element: Sort | None = nodes[0].sort
        for node in nodes:
            element = join(element, node.sort) if element else None
        if element is None:
            reject("a list of values of different sorts")
        return Node(operator, tuple(nodes), 0, seq(element), moves)

    def _binder(self, operator: str, arguments: list[object], scope: Scope) -> Node:
        least = len(SIGNATURES[operator][0][0])
        require(len(arguments) == least, f"{operator} has {least} arguments, not {len(arguments)}")
        nodes = [self._term(argument, scope) for argument in arguments[:-1]]
        if operator == "along":
            return self._along(nodes[0], arguments[-1], scope)
        moves = any(node.moves for node in nodes)
        if operator in ("vector", "matrix"):
            bound: Scope = (Variable.of(INT, moves),) * len(nodes)
        elif operator == "let":
            bound = (Variable.of(nodes[0].sort, moves),)
        else:
            over = nodes[0].sort
            require(over.name == "seq", f"{operator} over a value of sort {over}")
            bound = (Variable.of(over.parts[0], moves),)
        if operator == "fold":
            return self._fold(nodes, arguments[-1], scope, bound[0])
        body = self._term(arguments[-1], (*scope, *bound))
        return _applied(operator, [*nodes, body], len(scope))

    def _along(self, vertex: Node, last: object, scope: Scope) -> Node:
        """The values further back move if the one that is made of them does."""
        path, moves = Variable(seq(EDGE), False), False
        while True:
            before = Variable(seq(NUM), moves)
            body = self._term(last, (*scope, Variable(VERTEX, False), path, before))
            if body.moves == moves:
                made = _applied("along", [vertex, body], len(scope))
                return replace(made, literal=int(_speaks_of(body, len(scope) + 1)))
            moves = True

    def _fold(self, nodes: list[Node], last: object, scope: Scope, element: Variable) -> Node:
        """What there is so far has the least sort that the first value and every next one have."""
        sort, moves = nodes[1].sort, element.moves or nodes[1].moves
        while True:
            so_far = Variable.of(sort, moves)
            body = self._term(last, (*scope, so_far, element))
            joined = join(sort, body.sort)
            if joined is None:
                reject(f"fold makes a {body.sort} of a {sort}")
            if joined == sort and (moves or not body.moves):
                return Node("fold", (*nodes, body), 0, sort, moves)
            sort, moves = joined, moves or body.moves


def _speaks_of(node: Node, k: int) -> bool:
    """Whether the variable with that number is in a term."""
    if node.operator == "var":
        return node.literal == k
    return any(_speaks_of(argument, k) for argument in node.arguments)


def _applied(operator: str, nodes: list[Node], bound: int) -> Node:
    """An operator of the table with its arguments; so many variables are bound around it."""
    sort = value_sort(operator, *(node.sort for node in nodes))
    if sort is None:
        takes = ", ".join(str(node.sort) for node in nodes)
        reject(f"{operator} does not take ({takes})")
    if operator == "pow" and nodes[0].sort == INT and _whole_literal(nodes[1], least=0):
        sort = INT
    if operator == "rate":
        _rated(nodes[0], bound)
    moves = operator in MOVING or any(node.moves for node in nodes)
    return Node(operator, tuple(nodes), 0, sort, moves and operator not in STANDING)


def _whole_literal(node: Node, least: int | None = None) -> bool:
    if node.operator != "literal" or node.sort != INT:
        return False
    return least is None or (isinstance(node.literal, int) and node.literal >= least)


def _rated(node: Node, outside: int) -> None:
    """Reject a term that moves and has no rate; outside: how many variables are bound around it.

    A condition of `if` may do what it likes: it only chooses the branch.
    """
    if not node.moves:
        return
    if node.operator == "var":
        inner = isinstance(node.literal, int) and node.literal >= outside
        require(inner, "rate of a variable that is bound outside and moves")
        return
    require(node.operator in RATED, f"{node.operator} moves here and has no rate")
    if node.operator == "pow":
        whole = _whole_literal(node.arguments[1])
        require(whole, "a power that moves has a rate only for a whole literal exponent")
    for argument in node.arguments[1 if node.operator == "if" else 0 :]:
        _rated(argument, outside)


def _measure(value: object, where: str) -> None:
    """Reject a term with too many nodes, or nested too deeply."""
    level, nodes = [value], 0
    for _ in range(DEEPEST):
        nodes += len(level)
        require(nodes <= MOST_NODES, f"{where} has more than {MOST_NODES} nodes")
        level = [argument for term in level for argument in _arguments(term)]
        if not level:
            return
    reject(f"{where} is more than {DEEPEST} deep")


def _arguments(term: object) -> list[object]:
    if not isinstance(term, list) or not term or term[0] in ("var", "field"):
        return []
    return term[1:2] if term[0] in ("item", "unfold") else term[1:]


def _shown(value: object) -> str:
    """The beginning of a value."""
    if isinstance(value, list):
        return f"[{_shown(value[0])}, ...]" if value else "[]"
    text = repr(value) if isinstance(value, str) else f"a value of type {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."
