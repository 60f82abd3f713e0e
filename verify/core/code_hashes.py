"""Hashes of code: of a file without comments and docstrings, with all that it imports."""

from __future__ import annotations

import ast
import hashlib
import linecache
import platform
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import FunctionType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ("graphs", "numerics", "verify")
WITHIN = __name__.removesuffix("verify.core.code_hashes")
"""What stands before the names of modules where Lemmata is installed: nothing in the repository,
"lemmata." in the wheel. Hashes are those of the repository."""
REGISTRY = "verify/papers/registry.py"
HOLDS_IMPORTS = (ast.stmt, ast.ExceptHandler, ast.match_case)
"""Nodes in which there may be imports: no expressions."""
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
    types alone are left out. Of a file beside the house also those of its own package, or folder.
    """

    line: bytes
    imports: tuple[str, ...]


@cache
def source(name: str) -> Source:
    """The source of a file."""
    path = Path(name)
    data = as_in_the_repository(path.read_text(encoding="utf-8")).encode()
    tree = ast.parse(data)
    inside = of_the_house(path)
    place = path.relative_to(ROOT).as_posix() if inside else path.name
    top = ROOT if inside else _top(path)
    package = list(path.parent.relative_to(top).parts)
    code = hashlib.sha256(_code(data, tree)).hexdigest()
    found = dict.fromkeys(map(str, _imported(tree, package, top)))
    return Source(f"{place} {code}\n".encode(), tuple(found))


def as_in_the_repository(text: str) -> str:
    """A text with the names that the modules of the house have in the repository."""
    if not WITHIN:
        return text
    return re.sub(rf"\b{re.escape(WITHIN)}(?=(?:graphs|numerics|verify|reports)\b)", "", text)


def _code(data: bytes, tree: ast.Module) -> bytes:
    """The code alone: without comments, without strings that are statements (docstrings, which do
    nothing), without blank lines. Strings stay as they are, with what stands between two that are
    joined. Positions and no tokens, as these differ between versions of Python."""
    starts = [0, *(end.end() for end in re.finditer(b"\n", data))]
    made: list[bytes] = []
    code, place = b"", 0
    for node, said in sorted(_strings(tree), key=lambda pair: _begin(pair[0])):
        low = starts[node.lineno - 1] + node.col_offset
        high = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        code += data[place:low]
        place = high
        if not said:
            made += (_plain(code), data[low:high])
            code = b""
    return b"".join([*made, _plain(code + data[place:])]).strip(b"\n")


def _begin(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _strings(tree: ast.Module) -> list[tuple[ast.expr, bool]]:
    """The strings of a source, and whether each is a statement."""
    found: list[tuple[ast.expr, bool]] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        for inner in _children(node):
            if isinstance(inner, ast.JoinedStr) or (
                isinstance(inner, ast.Constant) and isinstance(inner.value, str | bytes)
            ):
                found.append((inner, isinstance(node, ast.Expr)))
            else:
                waiting.append(inner)
    return found


def _children(node: ast.AST) -> list[ast.AST]:
    """What ast.iter_child_nodes gives, in half of the time."""
    found: list[ast.AST] = []
    for name in node._fields:
        part = getattr(node, name, None)
        if isinstance(part, ast.AST):
            found.append(part)
        elif isinstance(part, list):
            found += [one for one in part if isinstance(one, ast.AST)]
    return found


def _plain(code: bytes) -> bytes:
    """Code between strings without comments and blank lines."""
    return re.sub(rb"[ \t]*\n(?:[ \t]*\n)*", b"\n", re.sub(rb"#[^\n]*", b"", code))


def _names(test: ast.expr, name: str) -> bool:
    return isinstance(test, ast.Name) and test.id == name


def _top(path: Path) -> Path:
    """The folder that holds the outermost package of a file, or the file."""
    folder = path.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


def _imported(tree: ast.AST, package: list[str], top: Path) -> Iterator[Path]:
    """The files that are imported, of the house or found from the folder `top`. package: the names
    from there to the folder of the file."""
    for node in _children(tree):
        if not isinstance(node, HOLDS_IMPORTS):
            continue
        names = []
        if isinstance(node, ast.If) and _names(node.test, "TYPE_CHECKING"):
            yield from _imported(ast.Module(node.orelse, []), package, top)
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            names = [module, *(f"{module}.{alias.name}" for alias in node.names)]
        for name in names:
            of_ours = name.partition(".")[0] in FLOORS
            if of_ours or top != ROOT:
                place = (ROOT if of_ours else top) / name.replace(".", "/")
                found = (place.with_suffix(".py"), place / "__init__.py")
                yield from (path for path in found if path.is_file())
        yield from _imported(node, package, top)


@cache
def with_imports(files: frozenset[str]) -> tuple[str, ...]:
    """The files, and those that they import, directly or not, in order. What the list of all claims
    lists is not followed: a claim depends on its own files."""
    return tuple(sorted(frozenset[str]().union(*map(_from, files))))


@cache
def _from(file: str) -> frozenset[str]:
    """The same of one file."""
    found: set[str] = set()
    waiting, registry = [file], str(ROOT / REGISTRY)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += source(path).imports if path != registry else ()
    return frozenset(found)


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
    return not of_the_house(path) or "papers" in path.relative_to(ROOT).parts


def of_the_house(path: Path) -> bool:
    """Whether a file belongs to one of the floors. One beside them, an example say, is told by its
    name alone, as it would be in any other folder."""
    return any(path.is_relative_to(ROOT / floor) for floor in FLOORS)


def module_file(name: str) -> str:
    """The file of a module of the house."""
    return str(ROOT / f"{name.replace('.', '/')}.py")


def code_of(function: Callable[..., Any]) -> str:
    """SHA-256 of the code of the modules in which a function and those in it stand, with all that
    these import."""
    return digest_of(frozenset(map(file_of, functions_inside(function))))


def parts_of(
    function: Callable[..., Any], around: tuple[Callable[..., Any], ...] = ()
) -> Iterator[Any]:
    """A function, the functions that it was made from (`by_case(predicate)`), and their data.
    around: those that it stands in, which one that calls itself is among."""
    if isinstance(function, partial):
        yield from parts_of(function.func, around)
        inner: list[Any] = [*function.args, *sorted(function.keywords.items())]
    else:
        assert isinstance(function, FunctionType), f"{function} is no function"
        yield function
        inner = [cell.cell_contents for cell in function.__closure__ or ()]
    around = (*around, function)
    for value in inner:
        if not isinstance(value, FunctionType | partial):
            yield value
        elif not any(value is one for one in around):
            yield from parts_of(value, around)


def functions_inside(function: Callable[..., Any]) -> list[FunctionType]:
    """A function and the functions that it was made from."""
    return [part for part in parts_of(function) if isinstance(part, FunctionType)]


def name_of(function: FunctionType) -> str:
    """Which function it is; a lambda has nothing to tell it by but its line of code."""
    line = linecache.getline(function.__code__.co_filename, function.__code__.co_firstlineno)
    module, code = function.__module__, line.partition("  #")[0].strip()
    return as_in_the_repository(f"{module}.{function.__qualname__}: {code}")


def file_of(function: FunctionType) -> str:
    """Where it stands."""
    return resolved(function.__code__.co_filename)


@cache
def resolved(name: str) -> str:
    """A file that is there, by its whole path."""
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
