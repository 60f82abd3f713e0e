"""The rules by which a statement is changed into another one, a node of its source at a time.

Each rule says what may stand in the place of a node. That the new statement differs is not known
from its text; it is shown on a case (verify.search.mutants.trial).
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import takewhile
from types import CodeType, FunctionType
from typing import Any

from verify.search.mutants.literals import FRACTION, NAMES, number_node, numbers
from verify.search.mutants.sources import (
    Definition,
    NoSourceError,
    compiled,
    definition_of,
    with_node,
)

FIRST = "_only_the_first"  # what compiled code calls to take the first of several
TURNED: dict[type[ast.cmpop], tuple[str, type[ast.cmpop]]] = {
    ast.Lt: ("strictness", ast.LtE),
    ast.LtE: ("strictness", ast.Lt),
    ast.Gt: ("strictness", ast.GtE),
    ast.GtE: ("strictness", ast.Gt),
    ast.Eq: ("sign", ast.NotEq),
    ast.NotEq: ("sign", ast.Eq),
    ast.In: ("sign", ast.NotIn),
    ast.NotIn: ("sign", ast.In),
}
QUANTIFIERS = {"all": "any", "any": "all", "min": "max", "max": "min"}
TWINS = {
    "into": "out_of",
    "tails": "heads",
    "rows": "columns",
    "beside": "above",
    "pre": "post",
    "in_edges": "out_edges",
}
TWINS |= {other: one for one, other in TWINS.items()}
UNSWAPPED = frozenset(
    ("isinstance", "getattr", "zip", "enumerate", "range", "Fraction", "map", "filter", "replace")
)
SPOKEN_OF = ("scene", "case", "network", "net", "self", "point")
WORDS = 48  # characters of source that a change quotes


@dataclass(frozen=True)
class Site:
    """One change of one node of one function: what reads `old` reads `new`."""

    rule: str
    function: Any  # a FunctionType
    old: ast.expr
    new: ast.expr

    @property
    def change(self) -> str:
        """The change in words."""
        where = f"{self.function.__qualname__.split('.')[-1]}, line {self.old.lineno}"
        return f"{quoted(self.old, self.new)} in {where}"

    @property
    def code(self) -> CodeType:
        """The code of the changed function. Raises NoSourceError when it does not compile."""
        return _code(self.function, self.old, self.new)


@cache
def _code(function: FunctionType, old: ast.expr, new: ast.expr) -> CodeType:
    return compiled(with_node(definition_of(function), old, new), function)


def quoted(old: ast.expr, new: ast.expr) -> str:
    """What reads how, and how it reads then: where that is long, from where the two differ."""
    texts = [_text(node) for node in (old, new)]
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*texts, strict=False)))
    start = max(0, same - WORDS // 4) if max(map(len, texts)) > WORDS else 0
    return " -> ".join(_short(text, start) for text in texts)


def _text(node: ast.expr) -> str:
    text = ast.unparse(node).replace(FIRST, "first of ").replace("\n", " ")
    return re.sub(rf"{FRACTION}\((-?\d+), (\d+)\)", r"\1/\2", text)


def _short(text: str, start: int) -> str:
    rest = text[start:]
    tail = rest if len(rest) <= WORDS else f"{rest[: WORDS - 3]}..."
    return f"...{tail}" if start else tail


def only_the_first(values: Any) -> list[Any]:
    """The first of several values, in a list; none of none."""
    return list(values)[:1]


RULE_NAMES: dict[str, Any] = {**NAMES, FIRST: only_the_first}
"""What the code of mutants may call besides."""


@cache
def sites(function: FunctionType) -> tuple[Site, ...]:
    """Every change of one function, in the order of its source."""
    try:
        definition = definition_of(function)
    except NoSourceError:
        return ()
    if any(isinstance(node, ast.While) for node in ast.walk(definition)):
        return ()  # a changed condition might never fail
    found = [
        Site(rule, function, node, new)
        for node, value, role in numbers(definition, function)
        if not _is_limit(node, value)
        for rule, new in _of_number(value, role)
    ]
    nodes = list(expressions(definition))
    for node in nodes:
        found += [Site(rule, function, node, new) for rule, new in _changes(node)]
    found += [Site("operands", function, old, new) for old, new in _renamed(nodes)]
    different = {(id(site.old), ast.unparse(site.new)): site for site in reversed(found)}
    place = operator.attrgetter("old.lineno", "old.col_offset")
    ordered = list(different.values())[::-1]
    return tuple(sorted(ordered, key=place))


def expressions(definition: Definition) -> Iterator[ast.expr]:
    """The expressions in the body of a definition; not annotations, nor defaults of functions."""
    for statement in definition.body if isinstance(definition.body, list) else [definition.body]:
        yield from _inside(statement)


def _inside(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.expr):
        yield node
    for name, child in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "defaults"):
            continue
        for inner in child if isinstance(child, list) else [child]:
            if isinstance(inner, ast.AST):
                yield from _inside(inner)


def _is_limit(node: ast.expr, value: Fraction) -> bool:
    """Whether a number is a whole one with a name: how much is looked at, no part of a formula."""
    return isinstance(node, ast.Name) and value.denominator == 1


def _of_number(value: Fraction, role: str) -> Iterator[tuple[str, ast.expr]]:
    """Other numbers in the place of one. A 0 or 1 that stands alone is an entry or a verdict, not a
    part of the statement: a check that looks at nothing would notice its change, too."""
    if role == "alone" and value in (0, 1, -1):
        return
    nearby = [value + 1, value - 1]
    if role in ("operand", "alone"):
        nearby.append(2 * value)
    for other in dict.fromkeys(nearby):
        if other != value:
            yield ("range" if role in ("index", "range") else "constant"), number_node(other)
    if role == "operand" and value not in (0, 1, -1):
        yield "sign", number_node(-value)


def _changes(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """What may stand in the place of an expression, and by which rule."""
    if isinstance(node, ast.BinOp):
        yield from _of_operation(node)
    elif isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.USub | ast.Not) and not isinstance(node.operand, ast.Constant):
            yield "sign", node.operand
    elif isinstance(node, ast.Compare):
        if len(node.ops) == 1 and type(node.ops[0]) in TURNED:
            rule, turned = TURNED[type(node.ops[0])]
            yield rule, ast.Compare(node.left, [turned()], node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield from _of_conjunction(node)
    elif isinstance(node, ast.Call):
        yield from _of_call(node)
    elif isinstance(node, ast.Name | ast.Attribute):
        yield from _of_name(node)
    elif isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp):
        for k, part in enumerate(node.generators):
            if any(getattr(inner, "attr", "") == "cases" for inner in ast.walk(part.iter)):
                continue  # fewer cases make no other statement
            first = ast.Call(ast.Name(FIRST, ast.Load()), [part.iter], [])
            new = ast.comprehension(part.target, first, part.ifs, part.is_async)
            parts = [*node.generators[:k], new, *node.generators[k + 1 :]]
            yield "quantifier", type(node)(node.elt, parts)


def _of_operation(node: ast.BinOp) -> Iterator[tuple[str, ast.expr]]:
    left, right, kind = node.left, node.right, node.op
    if isinstance(kind, ast.Add | ast.Sub):
        yield "sign", ast.BinOp(left, ast.Sub() if isinstance(kind, ast.Add) else ast.Add(), right)
    if isinstance(kind, ast.Sub | ast.MatMult | ast.Div | ast.FloorDiv):
        yield "operands", ast.BinOp(right, kind, left)
    if isinstance(kind, ast.Add | ast.Sub | ast.Mult):
        yield "term", left
        yield "term", right


def _of_conjunction(node: ast.BoolOp) -> Iterator[tuple[str, ast.expr]]:
    yield (
        "quantifier",
        ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values),
    )
    for k in range(len(node.values)):
        rest = [*node.values[:k], *node.values[k + 1 :]]
        yield "term", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _of_call(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    two = node.args[:2]
    if len(two) == 2 and name not in UNSWAPPED and all(map(_is_operand, two)):
        yield "operands", ast.Call(node.func, [*two[::-1], *node.args[2:]], node.keywords)
    for k, keyword in enumerate(node.keywords if name != "zip" else ()):
        if isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, bool):
            turned = ast.keyword(keyword.arg, ast.Constant(not keyword.value.value))
            rest = [*node.keywords[:k], turned, *node.keywords[k + 1 :]]
            yield "operands", ast.Call(node.func, node.args, rest)


def _is_operand(node: ast.expr) -> bool:
    """Whether an argument may be of the same type as another: it is no number by its name, and not
    the scene, the case or the graph of which the other one speaks."""
    if isinstance(node, ast.Name):
        return not node.id.isupper() and node.id not in SPOKEN_OF
    if isinstance(node, ast.Attribute):
        return node.attr not in SPOKEN_OF
    return isinstance(node, ast.Call | ast.BinOp | ast.Subscript)


def _of_name(node: ast.Name | ast.Attribute) -> Iterator[tuple[str, ast.expr]]:
    if not isinstance(node.ctx, ast.Load):
        return
    name = node.id if isinstance(node, ast.Name) else node.attr
    for rule, table in (("quantifier", QUANTIFIERS), ("operands", TWINS)):
        if name in table:
            if isinstance(node, ast.Name) and rule == "quantifier":
                yield rule, ast.Name(table[name], ast.Load())
            elif isinstance(node, ast.Attribute):
                yield rule, ast.Attribute(node.value, table[name], ast.Load())


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value.isidentifier()


def _renamed(nodes: list[ast.expr]) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The name of an array (or of something else that calls and subscripts are given as text),
    and the next other name that the function uses."""
    found = []
    for node in nodes:
        inner = [node.slice] if isinstance(node, ast.Subscript) else getattr(node, "args", [])
        if isinstance(node, ast.Subscript | ast.Call):
            found += [x for x in inner if isinstance(x, ast.Constant) and _is_name(x.value)]
    names = list(dict.fromkeys(part.value for part in found))
    for part in found:
        if len(names) > 1:
            other = names[(names.index(part.value) + 1) % len(names)]
            yield part, ast.Constant(other)
