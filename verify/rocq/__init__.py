"""Certificates as source for Rocq (Coq 8.16 and newer): a second, independent leg.

`export` writes what an accepted certificate says as definitions and theorems, proved by computation
with rationals, without axioms. Of a statement about networks that is the statement itself, and that
a case refutes it (`statements`, `terms`, `prelude.v`). Of a proof about numbers and matrices it is
the statement for all sizes over an ordered field, proved step by step, with the trusted lemmas as
conditions (`proofs`, `steps`, `ordered_fields.v`). Of a claim that is not in the language it is
the arithmetic: that the steps are those of the claim is the checker's part there.
"""

from __future__ import annotations

from verify.rocq.export import export
from verify.rocq.source import NotExported

__all__ = ["NotExported", "export"]
