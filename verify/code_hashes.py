"""Hashes of code: of the engine, and of functions with all that they use of the papers."""

from __future__ import annotations

import ast
import hashlib
import platform
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import FunctionType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
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


@cache
def engine_fingerprint() -> str:
    """SHA-256 of all code below the papers: graphs, numerics, and verify without its papers."""
    digest = hashlib.sha256()
    for floor in ("graphs", "numerics", "verify"):
        for path in sorted((ROOT / floor).rglob("*.py")):
            if "papers" not in path.relative_to(ROOT).parts:
                digest.update(path.relative_to(ROOT).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def code_of(function: Callable[..., Any]) -> str:
    """SHA-256 of the modules in which a function of the papers and those in it stand, with all
    that these use of the papers."""
    parts = [part for part in parts_of(function) if not isinstance(part, str)]
    digest = hashlib.sha256()
    for path in sorted(with_imports(map(file_of, parts))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def parts_of(function: Callable[..., Any]) -> Iterator[FunctionType | str]:
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
            yield repr(value)


def functions_inside(function: Callable[..., Any]) -> list[FunctionType]:
    """A function and the functions that it was made from."""
    return [part for part in parts_of(function) if isinstance(part, FunctionType)]


def name_of(function: FunctionType) -> str:
    """Which function it is; a lambda has nothing to tell it by but its line."""
    return f"{function.__module__}.{function.__qualname__}:{function.__code__.co_firstlineno}"


def file_of(function: FunctionType) -> Path:
    return _resolved(function.__code__.co_filename)


@cache
def _resolved(name: str) -> Path:
    path = Path(name).resolve()
    assert path.is_file(), f"{name} is no source file"
    return path


def with_imports(files: Iterable[Path]) -> set[Path]:
    """The files, and the modules of the papers that they import, directly or not."""
    found: set[Path] = set()
    waiting = list(files)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported_papers(path)
    return found


@cache
def _imported_papers(path: Path) -> tuple[Path, ...]:
    """The modules of the papers that a file imports."""
    names = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    inside = [name.replace(".", "/") for name in names if name.startswith("verify.papers.")]
    files = (ROOT / f"{name}.py" for name in inside)
    return tuple(file for file in files if file.is_file())


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
