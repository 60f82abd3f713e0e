"""Files of claims, and the registry as it was before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from verify.core import ledger
from verify.papers import registry


@contextmanager
def as_before() -> Iterator[None]:
    """What is added to the registry and the ledger is gone afterwards."""
    kept = dict(registry._added), dict(ledger._added)
    try:
        yield
    finally:
        for added, old in zip((registry._added, ledger._added), kept, strict=True):
            added.clear()
            added.update(old)
        registry.all_claims.cache_clear()
        for known in (ledger.papers, ledger.statements, ledger.statement_id):
            known.cache_clear()
