"""The numbers of a measure: where they stand, and the measure with another number there."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import CodeType, FunctionType
from typing import Any

from verify.search.mutants.clones import Slot, parts
from verify.search.mutants.sources import (
    Definition,
    NoSourceError,
    compiled,
    definition_of,
    tree_of,
    with_node,
)

Number = int | Fraction
FRACTION = "_exact_fraction"  # what compiled numbers call, whatever the module calls Fraction


@dataclass(frozen=True)
class Literal:
    """A number of a measure.

    module, function, line, column: where it stands; of a parameter the function that it is given
    to. text: as it stands there (`2`, `-1`, `Fraction(1, 8)`, the name of a number of the module,
    or `bound=2`). value: the number. role: "operand" (of arithmetic, of a comparison, of a call),
    "exponent", "index" (of a subscript or a slice), "range" (an argument of range), "alone" (it is
    an entry or a choice by itself) or "parameter" (bound by a partial or a closure).
    """

    module: str
    function: str
    line: int
    column: int
    text: str
    value: Fraction
    role: str

    @property
    def place(self) -> str:
        """Where it stands, in words."""
        return f"{self.text} in {self.function}, {self.module} line {self.line}"


@dataclass(frozen=True)
class _Found:
    """A literal, and what holds it: a function and a node of its tree, or a slot."""

    literal: Literal
    function: Any = None  # a FunctionType
    node: ast.expr | None = None
    slot: Slot | None = None


def literals(measure: Callable[..., Any]) -> tuple[Literal, ...]:
    """The numbers of a measure and of the functions of its paper that it calls, in the order of
    the calls. Functions without source have none."""
    return tuple(found.literal for found in _found(measure))


def with_literal(measure: Callable[..., Any], place: Literal, value: Number) -> Callable[..., Any]:
    """The measure with another number in one place. Raises ValueError when it has no such place."""
    for found in _found(measure):
        if found.literal == place:
            return _with(measure, found, Fraction(value))
    raise ValueError(f"no number at {place.place}: use one of literals(measure)")


def _with(measure: Callable[..., Any], found: _Found, value: Fraction) -> Callable[..., Any]:
    built: Callable[..., Any]
    if found.slot is not None:
        whole = value.denominator == 1
        built = parts(measure).rebuilt({}, {found.slot: int(value) if whole else value})
        return built
    code = _code(found.function, found.node, value)
    built = parts(measure).rebuilt({found.function: code}, names=NAMES)
    return built


@cache
def _code(function: FunctionType, node: ast.expr, value: Fraction) -> CodeType:
    return compiled(with_node(definition_of(function), node, number_node(value)), function)


NAMES: dict[str, Any] = {FRACTION: Fraction}


def number_node(value: Number) -> ast.expr:
    """A number as an expression: an integer as such, another by FRACTION."""
    value = Fraction(value)
    if value.denominator == 1:
        return ast.Constant(int(value))
    both: list[ast.expr] = [ast.Constant(value.numerator), ast.Constant(value.denominator)]
    return ast.Call(ast.Name(FRACTION, ast.Load()), both, [])


@cache
def _found(measure: Callable[..., Any]) -> tuple[_Found, ...]:
    found: dict[Literal, _Found] = {}
    for function in parts(measure).functions:
        for one in _in_function(function):
            found.setdefault(one.literal, one)
    for one in _parameters(measure):
        found.setdefault(one.literal, one)
    return tuple(found.values())


@cache
def _in_function(function: FunctionType) -> tuple[_Found, ...]:
    try:
        definition = definition_of(function)
    except NoSourceError:
        return ()
    found = []
    for node, value, role in numbers(definition, function):
        where = (function.__module__, function.__qualname__, node.lineno, node.col_offset)
        literal = Literal(*where, ast.unparse(node), value, role)
        found.append(_Found(literal, function, node))
    return tuple(found)


def numbers(
    definition: Definition, function: FunctionType
) -> Iterator[tuple[ast.expr, Fraction, str]]:
    """The numbers in the body of a definition: node, value and role (see Literal)."""
    body = definition.body if isinstance(definition.body, list) else [definition.body]
    for statement in body:
        yield from _numbers(statement, function, "alone")


def _numbers(
    node: ast.AST, function: FunctionType, role: str
) -> Iterator[tuple[ast.expr, Fraction, str]]:
    value = _value(node, function)
    if value is not None:
        assert isinstance(node, ast.expr)
        yield node, value, role
        return
    for name, child in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "defaults", "keywords"):
            continue
        for inner in child if isinstance(child, list) else [child]:
            if isinstance(inner, ast.AST):
                yield from _numbers(inner, function, _role(node, name, role))
    for keyword in getattr(node, "keywords", ()):
        yield from _numbers(keyword.value, function, "operand")


def _role(parent: ast.AST, name: str, role: str) -> str:
    """The role of a number that is the child `name` of a node which has a role itself."""
    if isinstance(parent, ast.BinOp):
        exponent = isinstance(parent.op, ast.Pow) and name == "right"
        return "exponent" if exponent else ("index" if role == "index" else "operand")
    if isinstance(parent, ast.Compare):
        return "operand"
    if isinstance(parent, ast.Subscript):
        return "index" if name == "slice" else "alone"
    if isinstance(parent, ast.Slice) or (isinstance(parent, ast.Tuple) and role == "index"):
        return "index"
    if isinstance(parent, ast.Call) and name == "args":
        called = parent.func
        if isinstance(called, ast.Name) and called.id in ("Fraction", "int", "float"):
            return role
        return "range" if isinstance(called, ast.Name) and called.id == "range" else "operand"
    if isinstance(parent, ast.UnaryOp):
        return role
    return "alone"


def _value(node: ast.AST, function: FunctionType) -> Fraction | None:
    """The number that a node is, or None."""
    if isinstance(node, ast.Constant):
        number = node.value
        return Fraction(number) if type(number) is int else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _value(node.operand, function)
        return None if inner is None or isinstance(node.operand, ast.UnaryOp) else -inner
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 2:
        top, bottom = _value(node.args[0], function), _value(node.args[1], function)
        if node.func.id == "Fraction" and top is not None and bottom:
            return top / bottom
        return None
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        code = function.__code__
        held = function.__globals__.get(node.id)
        local = node.id in (*code.co_varnames, *code.co_freevars, *code.co_cellvars)
        if local or isinstance(held, bool) or not isinstance(held, int | Fraction):
            return None
        of_engine = isinstance(held, int) and node.id not in _assigned(code.co_filename)
        return None if of_engine else Fraction(held)
    return None


@cache
def _assigned(path: str) -> frozenset[str]:
    """The names that a module gives values itself, or takes from another module of its paper."""
    found: set[str] = set()
    for node in tree_of(path).body:
        if isinstance(node, ast.Assign):
            names = (name for target in node.targets for name in ast.walk(target))
            found |= {name.id for name in names if isinstance(name, ast.Name)}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("verify.papers."):
            found |= {alias.asname or alias.name for alias in node.names}
    return frozenset(found)


def _parameters(measure: Callable[..., Any]) -> Iterator[_Found]:
    """The numbers that partial arguments and closures hold."""
    made = parts(measure)
    for holder, held in made.held.items():
        for way, name, value in held:
            if way in ("argument", "keyword", "cell") and type(value) in (int, Fraction):
                function = _function_of(made.values[holder])
                code = function.__code__
                told = code.co_varnames[int(name)] if way == "argument" else name
                where = (function.__module__, function.__qualname__, code.co_firstlineno, 0)
                literal = Literal(*where, f"{told}={value}", Fraction(value), "parameter")
                yield _Found(literal, slot=(holder, way, name))


def _function_of(value: Any) -> FunctionType:
    """The function that a partial ends in, or that has a closure."""
    while not isinstance(value, FunctionType):
        value = value.func if hasattr(value, "func") else value.__wrapped__
    return value
