"""Certificates as source for Rocq (Coq 8.16 and newer): a second, independent leg.

`export` writes what an accepted certificate of a claim that is not in the language says as
definitions and theorems, proved by computation with rationals, without axioms. That the steps are
those of the claim, that the network meets the hypotheses about its graph, and that the entry is one
(two paths, a layer), is the checker's part.
"""

from __future__ import annotations

from verify.rocq.export import NotExported, export

__all__ = ["NotExported", "export"]
