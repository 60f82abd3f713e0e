"""Hashes of code: of a file without comments and docstrings, with all that it imports."""

from __future__ import annotations

import ast
import hashlib
import linecache
import platform
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import FunctionType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ("graphs", "numerics", "verify")
REGISTRY = "verify/papers/registry.py"
PACKAGES = (
    "numpy",
    "torch",
    "sympy",
    "networkx",
    "hypothesis",
    "python-flint",
    "numba",
    "scikit-learn",
)


@dataclass(frozen=True)
class Source:
    """What of a source file decides what it does.

    line: its place in the house, and SHA-256 of its code without comments, docstrings and blank
    lines. imports: the files of the house that it imports, at its top or in functions; those for
    types alone are left out.
    """

    line: bytes
    imports: tuple[str, ...]


@cache
def source(name: str) -> Source:
    """The source of a file."""
    path = Path(name)
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    code = hashlib.sha256(_code(text, tree).encode()).hexdigest()
    place = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
    return Source(f"{place} {code}\n".encode(), tuple(dict.fromkeys(map(str, _imported(tree)))))


def _code(text: str, tree: ast.Module) -> str:
    """The code alone. A comment between strings that are joined stays; it only shows more."""
    lines = text.splitlines()
    strings: list[tuple[tuple[int, int], tuple[int, int]]] = []
    docstrings = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
        ):
            end = (node.end_lineno or node.lineno, node.end_col_offset or 0)
            strings.append(((node.lineno, node.col_offset), end))
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                docstrings.append((first.lineno, first.end_lineno or first.lineno))
    for number, line in enumerate(lines, 1):
        if "#" in line:
            lines[number - 1] = _without_comment(number, line, strings)
    for low, high in docstrings:
        lines[low - 1 : high] = [""] * (high - low + 1)
    return "\n".join(line.rstrip() for line in lines if line.strip())


def _without_comment(
    number: int, line: str, strings: Iterable[tuple[tuple[int, int], tuple[int, int]]]
) -> str:
    for place, letter in enumerate(line):
        if letter == "#":
            at = (number, len(line[:place].encode()))
            if not any(low <= at < high for low, high in strings):
                return line[:place]
    return line


def _imported(tree: ast.AST) -> Iterator[Path]:
    """The files of the house that are imported."""
    for node in ast.iter_child_nodes(tree):
        names = []
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            if name.partition(".")[0] in FLOORS:
                place = ROOT / name.replace(".", "/")
                found = (place.with_suffix(".py"), place / "__init__.py")
                yield from (path for path in found if path.is_file())
        yield from _imported(node)


@cache
def with_imports(files: frozenset[str]) -> tuple[str, ...]:
    """The files, and those that they import, directly or not, in order. What the list of all claims
    lists is not followed: a claim depends on its own files."""
    found: set[str] = set()
    waiting, registry = list(files), str(ROOT / REGISTRY)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += source(path).imports if path != registry else ()
    return tuple(sorted(found))


@cache
def digest_of(files: frozenset[str]) -> str:
    """SHA-256 of the code of files and of all that they import."""
    digest = hashlib.sha256()
    for path in with_imports(files):
        digest.update(source(path).line)
    return digest.hexdigest()


@cache
def in_papers(name: str) -> bool:
    """Whether a file belongs to a paper, or to claims of one's own."""
    path = Path(name)
    return not path.is_relative_to(ROOT) or "papers" in path.relative_to(ROOT).parts


def module_file(name: str) -> str:
    """The file of a module of the house."""
    return str(ROOT / f"{name.replace('.', '/')}.py")


def code_of(function: Callable[..., Any]) -> str:
    """SHA-256 of the code of the modules in which a function and those in it stand, with all that
    these import."""
    return digest_of(frozenset(map(file_of, functions_inside(function))))


def parts_of(function: Callable[..., Any]) -> Iterator[Any]:
    """A function, the functions that it was made from (`by_case(predicate)`), and their data."""
    if isinstance(function, partial):
        yield from parts_of(function.func)
        inner: list[Any] = [*function.args, *sorted(function.keywords.items())]
    else:
        assert isinstance(function, FunctionType), f"{function} is no function"
        yield function
        inner = [cell.cell_contents for cell in function.__closure__ or ()]
    for value in inner:
        if isinstance(value, FunctionType | partial):
            yield from parts_of(value)
        else:
            yield value


def functions_inside(function: Callable[..., Any]) -> list[FunctionType]:
    """A function and the functions that it was made from."""
    return [part for part in parts_of(function) if isinstance(part, FunctionType)]


def name_of(function: FunctionType) -> str:
    """Which function it is; a lambda has nothing to tell it by but its line of code."""
    line = linecache.getline(function.__code__.co_filename, function.__code__.co_firstlineno)
    return f"{function.__module__}.{function.__qualname__}: {line.partition('  #')[0].strip()}"


def file_of(function: FunctionType) -> str:
    """Where it stands."""
    return _resolved(function.__code__.co_filename)


@cache
def _resolved(name: str) -> str:
    path = Path(name).resolve()
    assert path.is_file(), f"{name} is no source file"
    return str(path)


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that results may depend on."""
    found = {package: _installed(package) for package in PACKAGES}
    return {"python": platform.python_version(), **found}


@cache
def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
