"""Certificates as source for Rocq (Coq 8.16 and newer): a second, independent leg.

`export` writes what an accepted certificate says as definitions and theorems, proved by `ring` over
the integers or by computation with rationals, without axioms. The checker accepts a certificate in
its own way; Rocq's kernel knows nothing of it. That the network meets the hypotheses of the claim
that are about its graph, and that the entry is one (a pair, a layer), is the checker's part.
"""

from __future__ import annotations

from verify.rocq.export import NotExported, export

__all__ = ["NotExported", "export"]
