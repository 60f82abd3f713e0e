"""Terms of the language as Rocq terms over the prelude."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from verify.checker.derivatives import Derivatives
from verify.checker.nodes import element_sort
from verify.checker.outcomes import Rejected
from verify.checker.sorts import BOOL, EDGE, INT, NUM, PATH, VERTEX, Sort
from verify.checker.terms import Node, bound_by
from verify.rocq.names import identifier
from verify.rocq.source import NotExported, rational

NUMBERS = {
    **{name: f"q{name}" for name in ("add", "sub", "neg", "mul", "div", "abs", "sign", "mod")},
    **{name: f"q{name}" for name in ("le", "lt", "ge", "gt", "floor", "ceil")},
    "smaller": "qmin",
    "larger": "qmax",
}
"""Of numbers alone; but for `add, sub, neg, mul, div` nothing else has these operators."""
PLAIN = {
    "and": "andb",
    "or": "orb",
    "implies": "implb",
    "not": "negb",
    "range": "range",
    "card": "card",
    "concat": "app",
    "edges_on": "edges_on",
    "rank": "rank",
    "orders": "orders",
    "subsets": "subsets",
}
OF_NETWORK = (
    *("vertices", "inputs", "hidden", "outputs", "edges", "examples", "into", "out_of", "held"),
    *("tail", "head", "edge", "users", "learnable", "paths", "start", "weight", "input", "label"),
    *("loss_slope", "slope_left", "slope_right", "pre", "post", "slope", "activation", "output"),
    *("gradient", "sensitivity", "paths_to"),
)
BY_EQUALITY = {
    "in": "among",
    "union": "union",
    "intersection": "intersection",
    "minus": "minus",
    "distinct": "distinct",
}
BINDING = {
    "sum": "total",
    "prod": "product",
    "count": "how_many",
    "each": "for_each",
    "some": "for_some",
    "filter": "kept",
    "map": "mapped",
    "maximum": "extreme qmax",
    "minimum": "extreme qmin",
}
DEFAULTS = {"int": "0", "num": "0", "bool": "false", "vertex": "0%nat", "edge": "0%nat"}
TYPES = {
    "int": "Q",
    "num": "Q",
    "bool": "bool",
    "vertex": "nat",
    "edge": "nat",
    "path": "(list nat)",
    "mat": "(list (list Q))",
}


def type_of(sort: Sort) -> str:
    """The Rocq type of the values of a sort. Raises NotExported."""
    if sort.name in TYPES:
        return TYPES[sort.name]
    if sort.name == "seq":
        return f"(list {type_of(sort.parts[0])})"
    if sort.name == "tuple":
        return f"({' * '.join(map(type_of, sort.parts))})%type"
    raise NotExported(f"no Rocq form of a {sort} is known here")


def equality(sort: Sort) -> str:
    """The function that tells whether two values of a sort are equal. Raises NotExported."""
    if sort in (INT, NUM):
        return "Qeq_bool"
    if sort == BOOL:
        return "Bool.eqb"
    if sort in (VERTEX, EDGE):
        return "same"
    if sort == PATH:
        return "(same_lists same)"
    if sort.name == "seq":
        return f"(same_lists {equality(sort.parts[0])})"
    if sort.name == "tuple":
        first, *others = sort.parts
        found = equality(first)
        for part in others:  # pairs are nested to the left
            found = f"(same_pairs {found} {equality(part)})"
        return found
    raise NotExported(f"no Rocq form of a {sort} is known here")


def belonging(sort: Sort) -> str:
    """The function that tells whether a value of the type is one of the sort: a whole number, a
    vertex or an edge of the network G, a list of such. Raises NotExported."""
    if sort == INT:
        return "is_whole"
    if sort == NUM:
        return "(fun _ : Q => true)"
    if sort in (VERTEX, EDGE):
        return f"(fun a => among same a ({'vertices' if sort == VERTEX else 'edges'} G))"
    if sort.name == "seq":
        return f"(forallb {belonging(sort.parts[0])})"
    raise NotExported(f"no Rocq form of a {sort} of a case is known here")


def default(sort: Sort) -> str:
    """Some value of a sort."""
    if sort.name == "tuple":
        return f"({', '.join(map(default, sort.parts))})"
    return DEFAULTS.get(sort.name, "[]")


def field_name(name: str) -> str:
    """How a list or a number of the case is called."""
    return identifier("field", name)


class Written:
    """Writes terms; G is the network, `G_after` it after steps of gradient descent, and what is
    bound is called by its number."""

    def __init__(self) -> None:
        self._derivatives = Derivatives({})
        self._network = "G"

    def term(self, node: Node, bound: Sequence[str] = ()) -> str:
        """A term without names of variables. bound: what its bound variables are called, from the
        outermost on. Raises NotExported."""
        operator, arguments = node.operator, node.arguments
        if operator == "literal":
            return _literal(node)
        if operator == "#bound":
            return bound[-1 - int(node.literal)]
        if operator == "field":
            type_of(node.sort)
            return field_name(str(node.literal))
        if operator == "rate":
            return self._rate(node, bound)
        if bound_by(operator):
            return self._binder(node, bound)
        if operator == "pow":
            return self._power(node, bound)
        if operator == "after":
            return self._after(node, bound)
        found = [self.term(part, bound) for part in arguments]
        if operator == "if":
            condition, one, other = found
            return f"(if {condition} then {one} else {other})"
        if operator == "ne":
            return f"(negb ({equality(arguments[0].sort)} {' '.join(found)}))"
        if operator in ("list", "tuple"):
            joined = (", " if operator == "tuple" else "; ").join(found)
            return f"({joined})" if operator == "tuple" else f"[{joined}]"
        if operator == "item":
            return _projection(found[0], int(node.literal), len(arguments[0].sort.parts))
        head = self._head(node)
        return f"({' '.join([head, *found])})" if found or " " in head else head

    def _head(self, node: Node) -> str:
        """What is applied to the arguments, of an operator that binds nothing."""
        operator, arguments = node.operator, node.arguments
        if operator in NUMBERS and all(part.sort in (INT, NUM) for part in arguments):
            return NUMBERS[operator]
        if operator in PLAIN:
            return PLAIN[operator]
        if operator in OF_NETWORK:
            return f"{operator} {self._network}"
        if operator in ("steps", "step_size"):
            return f"{operator} G"
        if operator == "eq":
            return equality(arguments[0].sort)
        if operator in BY_EQUALITY:
            return f"{BY_EQUALITY[operator]} {equality(arguments[-1].sort.parts[0])}"
        if operator == "at":
            return f"item_at {default(node.sort)}"
        raise NotExported(f"no Rocq form of the operator {operator} is known here")

    def _power(self, node: Node, bound: Sequence[str]) -> str:
        base, exponent = node.arguments
        if exponent.sort != INT:
            raise NotExported("a power has an exponent that need not be whole")
        return f"(qpow {self.term(base, bound)} {self.term(exponent, bound)})"

    def _after(self, node: Node, bound: Sequence[str]) -> str:
        count, meant = node.arguments
        steps, outer = self.term(count, bound), self._network
        self._network = "G_after"
        inner = self.term(meant, bound)
        self._network = outer
        return f"(let G_after := after G {steps} in {inner})"

    def _rate(self, node: Node, bound: Sequence[str]) -> str:
        moved = node.arguments[0]
        if moved.operator in ("pre", "post", "output"):
            found = " ".join(self.term(part, bound) for part in moved.arguments)
            return f"(rate_{moved.operator} {self._network} {found})"
        try:
            derivative = self._derivatives.rate(moved)
        except Rejected as refusal:
            raise NotExported(str(refusal)) from refusal
        return self.term(derivative, bound)

    def _binder(self, node: Node, bound: Sequence[str]) -> str:
        operator, (*before, body) = node.operator, node.arguments
        first = [self.term(part, bound) for part in before]
        names = [f"v{len(bound) + k}" for k in range(bound_by(operator))]
        inner = self.term(body, [*bound, *names])
        if operator == "let":
            return f"(let {names[0]} := {first[0]} in {inner})"
        if operator == "along":
            return f"(along {self._network} {first[0]} (fun {' '.join(names)} => {inner}))"
        if operator == "fold":
            many, start = first
            return f"(fold_left (fun {' '.join(names)} => {inner}) {many} {start})"
        if operator == "matrix":
            return f"(matrix {' '.join(first)} (fun {' '.join(names)} => {inner}))"
        function = f"(fun {names[0]} : {type_of(element_sort(node)[0])} => {inner})"
        if operator == "the":
            return f"(the_one {default(node.sort)} {first[0]} {function})"
        if operator not in BINDING or (operator == "sum" and node.sort not in (INT, NUM)):
            raise NotExported(f"no Rocq form of the operator {operator} is known here")
        return f"({BINDING[operator]} {first[0]} {function})"


def _literal(node: Node) -> str:
    if node.sort == BOOL:
        return "true" if node.literal else "false"
    value = Fraction(node.literal)
    if value.denominator != 1:
        return rational(value)
    return f"({value})" if value < 0 else str(value)


def _projection(whole: str, k: int, count: int) -> str:
    """The k-th of a tuple of so many, which is nested to the left."""
    for _ in range(count - max(k, 2)):
        whole = f"(fst {whole})"
    return f"(fst {whole})" if k == 1 else f"(snd {whole})"
