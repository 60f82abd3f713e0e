"""Fingerprints of code, so that what did not change is not run again and the baseline can tell."""

from __future__ import annotations

import hashlib
import inspect
import platform
from collections.abc import Callable
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from verify.claim import Claim

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("numpy", "torch", "sympy", "networkx", "hypothesis", "python-flint", "scikit-learn")


@cache
def engine_fingerprint() -> str:
    """SHA-256 of all code below the papers: graphs, numerics, and verify without its papers."""
    digest = hashlib.sha256()
    for floor in ("graphs", "numerics", "verify"):
        for path in sorted((ROOT / floor).rglob("*.py")):
            if "papers" not in path.parts:
                digest.update(path.relative_to(ROOT).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def claim_fingerprint(claim: Claim) -> str:
    """SHA-256 of a claim's text and of the modules in which its functions stand."""
    digest = hashlib.sha256()
    words = [claim.id, claim.kind.value, claim.statement, repr(claim.pool), *claim.depends]
    words += [f"{h.name}: {h.statement}" for h in claim.hypotheses]
    digest.update("\n".join(_without_addresses(word) for word in words).encode())
    for path in sorted({_module_file(function) for function in _functions(claim)}):
        digest.update(Path(path).read_bytes())
    return digest.hexdigest()


def _functions(claim: Claim) -> list[Callable[..., Any]]:
    functions: list[Callable[..., Any] | None] = [claim.measure, claim.identities, claim.proof]
    for hypothesis in claim.hypotheses:
        functions += [hypothesis.test, hypothesis.repair, hypothesis.break_]
    return [function for function in functions if function is not None]


def _module_file(function: Callable[..., Any]) -> str:
    if isinstance(function, partial):
        function = function.func
    path = inspect.getsourcefile(function)
    assert path is not None, f"{function} has no source file"
    return path


def _without_addresses(text: str) -> str:
    """A repr without the memory addresses of functions, which differ from run to run."""
    import re

    return re.sub(r" at 0x[0-9a-f]+", "", text)


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that results may depend on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "absent"
    return found
