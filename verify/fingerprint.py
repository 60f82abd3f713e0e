"""Fingerprints of code, so that what did not change is not run again and the baseline can tell."""

from __future__ import annotations

import ast
import hashlib
import platform
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import FunctionType
from typing import Any

from verify.claim import Claim

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


def claim_fingerprint(claim: Claim) -> str:
    """SHA-256 of a claim's text, of its functions, and of the modules in which they stand, with
    all that these use of the papers (the engine's fingerprint leaves the papers out)."""
    digest = hashlib.sha256()
    words = [claim.id, claim.kind.value, claim.statement, repr(claim.pool), *claim.depends]
    words += [claim.through]
    if claim.terms is not None:
        words.append(claim.terms.digest)
    if claim.watch is not None:
        words += [claim.watch.what, *claim.watch.options]
    if claim.rate is not None:
        rate = claim.rate
        words += [
            rate.size,
            f"{rate.ladders} {rate.seeds} {rate.logarithms}",
            *map(repr, rate.claimed),
        ]
    if claim.sampled is not None:
        sampled = claim.sampled
        words += [
            sampled.quantity,
            f"{sampled.relation} {sampled.resolution} {sampled.most} {sampled.bounds}",
            sampled.stands_for,
            *sampled.scope,
        ]
    if claim.exponents is not None:
        exponents = claim.exponents
        words += [*map(repr, exponents.predicted), str(exponents.most), *exponents.scope]
    if claim.excluded is not None:
        excluded = claim.excluded
        words += [excluded.hypothesis, excluded.because, *excluded.cites]
        words += [claim_fingerprint(cited) for cited in _registered(excluded.cites)]
    flags = (claim.exact_only, claim.floats)
    words += [f"exact only, floats: {flags}", *claim.trusted]
    words += [f"{h.name}: {h.statement}" for h in claim.hypotheses]
    functions = _functions(claim)
    parts = [part for function in functions.values() for part in _inside(function)]
    words += functions
    words += [part if isinstance(part, str) else _name(part) for part in parts]
    digest.update("\n".join(_without_addresses(word) for word in words).encode())
    files = {_module_file(part) for part in parts if not isinstance(part, str)}
    for path in sorted(_with_imports(files)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def code_of(function: Callable[..., Any]) -> str:
    """SHA-256 of the modules in which a function of the papers and those in it stand, with all
    that these use of the papers."""
    parts = [part for part in _inside(function) if not isinstance(part, str)]
    digest = hashlib.sha256()
    for path in sorted(_with_imports(map(_module_file, parts))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _registered(names: Iterable[str]) -> list[Claim]:
    """The claims of these ids."""
    from verify.registry import find

    return [find(name) for name in names]


def _functions(claim: Claim) -> dict[str, Callable[..., Any]]:
    """The claim's functions by what they are for."""
    in_code = claim.terms is None  # else a digest stands for the measure and the hypotheses
    functions: dict[str, Callable[..., Any] | None] = {
        "measure": claim.measure if in_code else None,
        "proof": claim.proof,
        "derivation": claim.derivation,
        "experiment": claim.experiment,
        "rate": None if claim.rate is None else claim.rate.samples,
        "sampled": None if claim.sampled is None else claim.sampled.arms,
        "exponents": None if claim.exponents is None else claim.exponents.families,
        "contrasts": None if claim.exponents is None else claim.exponents.contrasts,
        "examples": claim.examples,
        "watch": None if claim.watch is None else claim.watch.planner,
    }
    functions |= {} if claim.pool is None else claim.pool.functions()
    for hypothesis in claim.hypotheses if in_code else ():
        for use in ("test", "repair", "break_"):
            functions[f"{use} {hypothesis.name}"] = getattr(hypothesis, use)
    return {use: function for use, function in functions.items() if function is not None}


def _inside(function: Callable[..., Any]) -> Iterator[FunctionType | str]:
    """A function, the functions that it was made from (`by_case(predicate)`), and their data."""
    if isinstance(function, partial):
        yield from _inside(function.func)
        inner: list[Any] = [*function.args, *sorted(function.keywords.items())]
    else:
        assert isinstance(function, FunctionType), f"{function} is no function"
        yield function
        inner = [cell.cell_contents for cell in function.__closure__ or ()]
    for value in inner:
        if isinstance(value, FunctionType | partial):
            yield from _inside(value)
        else:
            yield repr(value)


def functions_inside(function: Callable[..., Any]) -> list[FunctionType]:
    """A function and the functions that it was made from."""
    return [part for part in _inside(function) if isinstance(part, FunctionType)]


def _name(function: FunctionType) -> str:
    """Which function it is; a lambda has nothing to tell it by but its line."""
    return f"{function.__module__}.{function.__qualname__}:{function.__code__.co_firstlineno}"


def _module_file(function: FunctionType) -> Path:
    return _resolved(function.__code__.co_filename)


@cache
def _resolved(name: str) -> Path:
    path = Path(name).resolve()
    assert path.is_file(), f"{name} is no source file"
    return path


def _with_imports(files: Iterable[Path]) -> set[Path]:
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


def _without_addresses(text: str) -> str:
    """A repr without the memory addresses of functions, which differ from run to run."""
    return re.sub(r" at 0x[0-9a-f]+", "", text)


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
