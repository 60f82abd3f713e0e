"""The source of a function as a syntax tree, and functions compiled from a changed tree."""

from __future__ import annotations

import ast
import copy
import operator
import sys
from functools import cache
from types import CodeType, FunctionType

Definition = ast.FunctionDef | ast.Lambda


class NoSourceError(ValueError):
    """The source of a function is not there, so it cannot be changed."""


@cache
def tree_of(path: str) -> ast.Module:
    """The syntax tree of a file. Raises NoSourceError when it cannot be read as Python."""
    try:
        with open(path, encoding="utf-8") as file:
            return ast.parse(file.read(), path)
    except (OSError, SyntaxError, ValueError) as error:
        raise NoSourceError(f"no source in {path}: {error}") from error


@cache
def _definitions(path: str) -> dict[tuple[str, int], list[Definition]]:
    """The functions of a file by name and first line."""
    found: dict[tuple[str, int], list[Definition]] = {}
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef):
            lines = [node.lineno, *(one.lineno for one in node.decorator_list)]
            found.setdefault((node.name, min(lines)), []).append(node)
        elif isinstance(node, ast.Lambda):
            found.setdefault(("<lambda>", node.lineno), []).append(node)
    return found


@cache
def definition_of(function: FunctionType) -> Definition:
    """The node of a function in the tree of its file. Raises NoSourceError.

    Of several lambdas on a line it is the one that compiles to the same code.
    """
    code = function.__code__
    near = _definitions(code.co_filename).get((code.co_name, code.co_firstlineno), [])
    for node in near:
        if len(near) == 1 or _alike(compiled(node, function), code):
            return node
    raise NoSourceError(f"{function.__qualname__} does not stand in {code.co_filename}")


def _alike(one: CodeType, other: CodeType) -> bool:
    parts = [(c.co_code, c.co_names, c.co_varnames, _plain(c)) for c in (one, other)]
    return parts[0] == parts[1]


def _plain(code: CodeType) -> list[str]:
    """The constants of a code object, for comparison; of code inside it, its bytes."""
    return [repr(c.co_code if isinstance(c, CodeType) else c) for c in code.co_consts]


def compiled(node: Definition, function: FunctionType) -> CodeType:
    """The code of a function whose definition reads `node`, with the same free variables.

    node is left as it is. Raises NoSourceError when it does not compile.
    """
    inner: ast.stmt
    if isinstance(node, ast.Lambda):
        inner = ast.copy_location(ast.Expr(node), node)
    else:
        inner = ast.copy_location(
            ast.FunctionDef(node.name, node.args, node.body, [], node.returns), node
        )
        if sys.version_info >= (3, 12):
            inner.type_params = []
    free = [ast.arg(name) for name in function.__code__.co_freevars]
    body: list[ast.stmt] = [inner]
    if isinstance(node, ast.FunctionDef) and node.name not in function.__code__.co_freevars:
        body.insert(0, ast.Global([node.name]))  # it may call itself, by its global name
    outer = ast.FunctionDef("outer", ast.arguments([], free, None, [], [], None, []), body, [])
    if sys.version_info >= (3, 12):
        outer.type_params = []
    module = ast.fix_missing_locations(ast.Module([outer], []))
    try:
        code = compile(module, function.__code__.co_filename, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        raise NoSourceError(f"{function.__qualname__} does not compile: {error}") from error
    (around,) = (c for c in code.co_consts if isinstance(c, CodeType))
    found = [c for c in around.co_consts if isinstance(c, CodeType) and _of(c, function)]
    return found[-1].replace(co_qualname=function.__qualname__)


def _of(code: CodeType, function: FunctionType) -> bool:
    return code.co_name == function.__code__.co_name


def with_node(definition: Definition, target: ast.AST, new: ast.AST) -> Definition:
    """A definition in which `new` stands where the node `target` of it stood; the old one is left
    as it is, and what did not change is shared."""
    changed = _with(definition, target, ast.copy_location(new, target))
    assert isinstance(changed, ast.FunctionDef | ast.Lambda)
    return changed


def _with(node: ast.AST, target: ast.AST, new: ast.AST) -> ast.AST:
    """The node itself where it does not contain the target."""
    if node is target:
        return new
    for name, child in ast.iter_fields(node):
        if isinstance(child, ast.AST):
            changed: object = _with(child, target, new)
        elif isinstance(child, list) and child and isinstance(child[0], ast.AST):
            inner = [_with(one, target, new) for one in child]
            changed = child if all(map(operator.is_, child, inner)) else inner
        else:
            continue
        if changed is not child:
            made = copy.copy(node)
            setattr(made, name, changed)
            return made
    return node
