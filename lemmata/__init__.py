"""Lemmata checks the statements of neural-network theory papers, and claims of one's own.

The public names are the language of statements (`Matrix`, `Each`, `rank`, `Rate`, ...), `paper` and
`claim`, with which a file states claims, `load`, which reads such a file, `run`, which checks
claims, and for networks: `laws`, the conserved quantities, `check`, the registered statements on
one, and `from_torch` and `from_networkx`, which make one. Each is loaded when it is first asked
for. docs/language.md says what every name of the language means.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.9.0"

_PLACES = {
    "check": "lemmata.checking",
    "claim": "verify.runs.own_claims",
    "from_networkx": "graphs.from_networkx",
    "from_torch": "numerics.torch_modules.reading",
    "laws": "graphs.laws",
    "load": "verify.runs.own_claims",
    "paper": "verify.runs.own_claims",
    "run": "verify.runs.engine",
}
_CALLED = {"check": "check_network", "laws": "find_laws"}  # where they are
_LANGUAGE = "verify.language.building"


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return public_names()
    if name in _PLACES:
        found = getattr(import_module(_PLACES[name]), _CALLED.get(name, name))
    elif name.startswith("_") or name not in import_module(_LANGUAGE).NAMES_OF_THE_LANGUAGE:
        raise AttributeError(f"module 'lemmata' has no attribute {name!r}: see docs/language.md")
    else:
        found = getattr(import_module(_LANGUAGE), name)
    globals()[name] = found
    return found


def public_names() -> list[str]:
    """What `from lemmata import *` gives."""
    return sorted({*_PLACES, *import_module(_LANGUAGE).NAMES_OF_THE_LANGUAGE})


def __dir__() -> list[str]:
    return sorted({*globals(), *public_names()})
