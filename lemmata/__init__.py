"""Lemmata checks the statements of neural-network theory papers, and claims of one's own.

The public names are the language of statements (`Matrix`, `Each`, `rank`, `Rate`, ...), `paper` and
`claim`, with which a file states claims, `load`, which reads such a file, `run`, which checks
claims, and for networks: `laws`, the conserved quantities, `check`, the registered statements on
one, and `from_torch` and `from_networkx`, which make one. Each is loaded when it is first asked
for. docs/language.md says what every name of the language means.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

__version__ = "0.9.0"

_BESIDES = {
    "check": "check_network",
    "claim": "claim",
    "from_networkx": "from_networkx",
    "from_torch": "from_torch",
    "laws": "find_laws",
    "load": "load",
    "paper": "paper",
    "run": "run",
}
"""The public names that are none of the language, and what they are called where they stand."""


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return public_names()
    if name.startswith("_") or name not in public_names():
        raise AttributeError(f"module 'lemmata' has no attribute {name!r}: see docs/language.md")
    found = getattr(_place(name), _BESIDES.get(name, name))
    globals()[name] = found
    return found


def _place(name: str) -> ModuleType:
    """Where a public name stands."""
    if name == "check":
        from lemmata import checking

        return checking
    if name == "from_networkx":
        from graphs import from_networkx

        return from_networkx
    if name == "from_torch":
        from numerics.torch_modules import reading

        return reading
    if name == "laws":
        from graphs import laws

        return laws
    if name == "run":
        from verify.runs import engine

        return engine
    if name in _BESIDES:
        from verify.runs import own_claims

        return own_claims
    return _language()


def _language() -> ModuleType:
    from verify.language import building

    return building


def public_names() -> list[str]:
    """What `from lemmata import *` gives."""
    return sorted({*_BESIDES, *_language().NAMES_OF_THE_LANGUAGE})


def __dir__() -> list[str]:
    return sorted({*globals(), *public_names()})
