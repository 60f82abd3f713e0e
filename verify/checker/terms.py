"""Reading a term: its size, its operators, its variables, its sorts, and what of it moves."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

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
    "field pre post output exp log erfc tanh sigmoid softplus"
)
RATED = frozenset(_WITH_RATES.split())
"""The operators that have a rate where they move."""
STRICT = SIGNATURES.keys() - BINDERS.keys() - {"rate", "after"}
"""Those that bind nothing, and stand anywhere."""


def bound_by(operator: str) -> int:
    """How many variables an operator binds in its last argument."""
    if operator == "along":
        return 3
    if operator in ("matrix", "fold"):
        return 2
    return 1 if operator in BINDERS else 0


def _found(before: Any) -> Any:
    """What is found about a node when it is asked for the first time."""
    return field(default=before, init=False, compare=False, repr=False)


@dataclass(slots=True)
class Node:
    """A term that is well-formed, and never changed.

    operator: "literal", "var", or one of the page's. literal: the value of a literal, the number
    of a variable, the name of a field, the number of an item or of an axis; of `along` whether its
    body speaks of the path. moves: whether it may change along the flow.
    """

    operator: str
    arguments: tuple[Node, ...]
    literal: Fraction | int | str
    sort: Sort
    moves: bool
    _size: int = _found(0)
    _free: frozenset[int] | None = _found(None)
    _loose: int = _found(-1)
    text: str = _found("")  # of `nodes.spelled`, if it is short

    @property
    def size(self) -> int:
        """How many nodes it has, each counted where it stands."""
        if not self._size:
            self._size = 1 + sum([part.size for part in self.arguments])
        return self._size

    @property
    def free(self) -> frozenset[int]:
        """The numbers of the variables in it."""
        if self._free is None:
            own = (int(self.literal),) if self.operator == "var" else ()
            self._free = frozenset(own).union(*[part.free for part in self.arguments])
        return self._free

    @property
    def loose(self) -> int:
        """Of how many binders around it nameless variables may be: see `nodes`."""
        if self._loose < 0:
            if self.operator == "#bound":
                self._loose = int(self.literal) + 1
            elif self.arguments:
                *parts, last = [part.loose for part in self.arguments]
                self._loose = max(*parts, last - bound_by(self.operator), 0)
            else:
                self._loose = 0
        return self._loose


Scope = tuple[Node, ...]  # the variables, from that of the outermost binder to the innermost
Bound = tuple[Sort, bool]  # of a variable, and whether its values move


class Reader:
    """Reads the terms about one domain; what is alike in them is one node.

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
        self._strict = STRICT if network else STRICT - NETWORK.keys()
        self._nodes: dict[tuple[Any, ...], Node] = {}  # by what they are, of parts the identity

    def read(self, value: object, where: str, *sorts: Sort, scope: Scope = ()) -> Node:
        """A term of one of the sorts, of any if none is given; scope: the variables that are free
        in it."""
        self._budget.steps(_nodes_of(value, where), 0, READING)
        if sorts and sorts[0].axes > 0:
            node = self._tensor(value, where)
        else:
            node = self._term(value, self._within((), *((one.sort, one.moves) for one in scope)))
        if sorts and node.sort not in sorts:
            reject(f"{where} has the sort {node.sort}, not {' or '.join(map(str, sorts))}")
        return node

    def _term(self, value: object, scope: Scope) -> Node:
        if not isinstance(value, list) or not value or not isinstance(value[0], str):
            return self._literal(value)
        operator = value[0]
        if operator in self._strict:
            nodes = [self._term(part, scope) for part in value[1:]]
            made = self._nodes.get((operator, 0, *map(id, nodes)))
            return made or self._applied(operator, nodes)
        if operator == "var":
            return _variable(value, scope)
        return self._compound(operator, value[1:], scope)

    def _literal(self, value: object) -> Node:
        if not isinstance(value, (bool, int, str)):
            reject(f"{_shown(value)} is no term")
        if made := self._nodes.get((type(value), value)):
            return made
        if isinstance(value, str):
            made = Node("literal", (), fraction(value, "a number"), NUM, False)
        else:
            truth = isinstance(value, bool)
            number = value if truth else integer(value, "a number")
            made = Node("literal", (), number, BOOL if truth else INT, False)
        return self._nodes.setdefault((type(value), value), made)

    def _applied(self, operator: str, nodes: list[Node], literal: int = 0) -> Node:
        """An operator of the table with its arguments."""
        key = operator, literal, *map(id, nodes)
        sort = value_sort(operator, *[node.sort for node in nodes])
        if sort is None:
            takes = ", ".join(str(node.sort) for node in nodes)
            reject(f"{operator} does not take ({takes})")
        if operator == "pow" and nodes[0].sort == INT and _whole_literal(nodes[1], least=0):
            sort = INT
        moves = operator in MOVING or True in [node.moves for node in nodes]
        made = Node(operator, tuple(nodes), literal, sort, moves and operator not in STANDING)
        return self._nodes.setdefault(key, made)

    def _one(self, node: Node) -> Node:
        """The node, or the one that is the same: its parts tell its sort, and whether it moves."""
        key = node.operator, node.literal, *map(id, node.arguments)
        return self._nodes.setdefault(key, node)

    def _compound(self, operator: str, parts: list[object], scope: Scope) -> Node:
        if operator == "field":
            require(len(parts) == 1, f"field has one argument, not {len(parts)}")
            return self._entry(parts[0])
        if operator in ("list", "tuple", "item"):
            return self._collection(operator, parts, scope)
        if operator == "unfold":
            return self._unfolding(parts)
        if operator not in SIGNATURES:
            reject(f"the operator {_shown(operator)} is not known")
        if not self._network and (operator in NETWORK or operator == "along"):
            reject(f"{operator} is about a network, and the domain has none")
        if operator in BINDERS:
            return self._binder(operator, parts, scope)
        require(operator != "rate" or self._flowing is not None, "a velocity has a rate in it")
        require(operator != "rate" or not self._after, "after has a rate in it")
        if operator == "after" and not self._descends:
            raise Declined("proofs know nothing of steps of gradient descent")
        outside, self._after = self._after, self._after or operator == "after"
        node = self._applied(operator, [self._term(part, scope) for part in parts])
        self._after = outside
        if operator == "rate":
            _rated(node.arguments[0], len(scope))
        return node

    def _entry(self, name: object) -> Node:
        """A field that is no tensor."""
        node = self._field(name)
        if node.sort.axes:
            reject(f"the field {_shown(name)} is a tensor: only unfold takes one")
        return node

    def _field(self, name: object) -> Node:
        if not isinstance(name, str) or name not in self._sorts:
            reject(f"the domain has no field {_shown(name)}")
        if made := self._nodes.get(("field", name)):
            return made
        made = Node("field", (), name, self._sorts[name], name in (self._flowing or ()))
        return self._nodes.setdefault(("field", name), made)

    def _tensor(self, value: object, where: str) -> Node:
        """A field where a tensor is asked for: no other term is one."""
        if not isinstance(value, list) or value[:1] != ["field"]:
            reject(f"{where} is {_shown(value)}: only a field is a tensor")
        require(len(value) == 2, f"field has one argument, not {len(value) - 1}")
        return self._field(value[1])

    def _unfolding(self, parts: list[object]) -> Node:
        require(len(parts) == 2, f"unfold has two arguments, not {len(parts)}")
        node = self._tensor(parts[0], "what is unfolded")
        k = integer(parts[1], "the axis of unfold")
        require(node.sort.axes > 0, f"unfold of a value of sort {node.sort}")
        require(1 <= k <= node.sort.axes, f"unfold of a {node.sort} has no axis {k}")
        return self._one(Node("unfold", (node,), k, MAT, node.moves))

    def _collection(self, operator: str, parts: list[object], scope: Scope) -> Node:
        """A list, a tuple, or an item of one."""
        if operator == "item":
            require(len(parts) == 2, f"item has two arguments, not {len(parts)}")
            node, k = self._term(parts[0], scope), integer(parts[1], "the item's number")
            require(node.sort.name == "tuple", f"item of a value of sort {node.sort}")
            require(1 <= k <= len(node.sort.parts), f"{node.sort} has no item {k}")
            return self._one(Node("item", (node,), k, node.sort.parts[k - 1], node.moves))
        nodes = [self._term(part, scope) for part in parts]
        least = 1 if operator == "list" else 2
        require(len(nodes) >= least, f"{operator} has at least {least} arguments")
        moves = any(node.moves for node in nodes)
        if operator == "tuple":
            sort = Sort("tuple", tuple(node.sort for node in nodes))
            require(
                sort.within(MOST_PARTS), f"the sort of a tuple has more than {MOST_PARTS} parts"
            )
            return self._one(Node(operator, tuple(nodes), 0, sort, moves))
        element: Sort | None = nodes[0].sort
        for node in nodes:
            element = join(element, node.sort) if element else None
        if element is None:
            reject("a list of values of different sorts")
        return self._one(Node(operator, tuple(nodes), 0, seq(element), moves))

    def _binder(self, operator: str, parts: list[object], scope: Scope) -> Node:
        least = len(SIGNATURES[operator][0][0])
        require(len(parts) == least, f"{operator} has {least} arguments, not {len(parts)}")
        nodes, last = [self._term(part, scope) for part in parts[:-1]], parts[-1]
        if operator == "along":
            return self._along(nodes[0], last, scope)
        moves = any(node.moves for node in nodes)
        if operator in ("vector", "matrix"):
            bound = [(INT, moves)] * len(nodes)
        elif operator == "let":
            bound = [_bound(nodes[0].sort, moves)]
        else:
            over = nodes[0].sort
            if over.name != "seq":
                reject(f"{operator} over a value of sort {over}")
            bound = [_bound(over.parts[0], moves)]
        if operator == "fold":
            return self._fold(nodes, last, scope, bound[0])
        return self._applied(operator, [*nodes, self._term(last, self._within(scope, *bound))])

    def _within(self, scope: Scope, *bound: Bound) -> Scope:
        """With more variables."""
        more = []
        for key in enumerate(bound, len(scope)):
            if key not in self._nodes:
                self._nodes[key] = Node("var", (), key[0], *key[1])
            more.append(self._nodes[key])
        return *scope, *more

    def _again(self, last: object) -> None:
        """What a binder says is read once more, as another sort or something that moves."""
        self._budget.steps(_nodes_of(last, "what a binder says"), 0, READING)

    def _along(self, vertex: Node, last: object, scope: Scope) -> Node:
        """The values further back move if the one that is made of them does."""
        moves = False
        while True:
            bound = (VERTEX, False), (seq(EDGE), False), (seq(NUM), moves)
            body = self._term(last, self._within(scope, *bound))
            if body.moves == moves:
                path = int(len(scope) + 1 in body.free)
                return self._applied("along", [vertex, body], path)
            moves = True
            self._again(last)

    def _fold(self, nodes: list[Node], last: object, scope: Scope, element: Bound) -> Node:
        """What there is so far has the least sort that the first value and every next one have."""
        sort, moves = nodes[1].sort, element[1] or nodes[1].moves
        while True:
            body = self._term(last, self._within(scope, _bound(sort, moves), element))
            joined = join(sort, body.sort)
            if joined is None:
                reject(f"fold makes a {body.sort} of a {sort}")
            if joined == sort and (moves or not body.moves):
                return self._one(Node("fold", (*nodes, body), 0, sort, moves))
            sort, moves = joined, moves or body.moves
            self._again(last)


def _bound(sort: Sort, moves: bool) -> Bound:
    """Of a variable whose values come from something that moves, or does not."""
    return sort, moves and sort.measures


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


def _variable(value: list[object], scope: Scope) -> Node:
    if len(value) != 2:
        reject(f"var has one argument, not {len(value) - 1}")
    k = value[1]
    if type(k) is not int or not 0 <= k < len(scope):
        k = integer(k, "the number of a variable")
        reject(f"the variable {k} is not bound")
    return scope[k]


def _nodes_of(value: object, where: str) -> int:
    """How many there are in a term; rejects one with too many, or nested too deeply."""
    level, nodes, depth = [value], 0, 0
    while level:
        nodes, depth = nodes + len(level), depth + 1
        if nodes > MOST_NODES:
            reject(f"{where} has more than {MOST_NODES} nodes")
        if depth > DEEPEST:
            reject(f"{where} is more than {DEEPEST} deep")
        level = [
            part
            for term in level
            if isinstance(term, list) and term and term[0] not in ("var", "field")
            for part in (term[1:2] if term[0] in ("item", "unfold") else term[1:])
        ]
    return nodes


def _shown(value: object) -> str:
    """The beginning of a value."""
    if isinstance(value, list):
        first = "" if not value else "[...]" if isinstance(value[0], list) else _shown(value[0])
        return f"[{first}, ...]" if value else "[]"
    text = repr(value) if isinstance(value, str) else f"a value of type {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."
