"""Lemmata checks the statements of neural-network theory papers.

The public names: `network` and `Network` (what a network is), `Claim` and `Hypothesis` (what a
statement is), `Case` (an instance), `find_claim` and `all_claims` (what is coded). Each is loaded
when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphs.network import Network, network
    from verify.case import Case
    from verify.claim import Claim, Kind, Source
    from verify.hypotheses import Hypothesis
    from verify.pool import Pool
    from verify.registry import all_claims
    from verify.registry import find as find_claim

__version__ = "0.8.0"

__all__ = [
    "Case",
    "Claim",
    "Hypothesis",
    "Kind",
    "Network",
    "Pool",
    "Source",
    "all_claims",
    "find_claim",
    "network",
]

_PLACES = {
    "Case": "verify.case",
    "Claim": "verify.claim",
    "Hypothesis": "verify.hypotheses",
    "Kind": "verify.claim",
    "Network": "graphs.network",
    "Pool": "verify.pool",
    "Source": "verify.claim",
    "all_claims": "verify.registry",
    "find_claim": "verify.registry",
    "network": "graphs.network",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'lemmata' has no attribute {name!r}")
    found = getattr(import_module(_PLACES[name]), "find" if name == "find_claim" else name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
