"""Certificates as source for Rocq (Coq 8.16 and newer): a second, independent leg.

`export_statement` writes what an accepted certificate says as definitions and theorems, without
axioms. Of a counterexample that is the statement itself, and that a case refutes it (`statements`,
`terms`, `prelude.v`). Of a proof about numbers and matrices it is the statement for all sizes over
an ordered field, proved step by step, with the trusted lemmas as conditions (`proofs`, `steps`,
`ordered_fields.v`).
"""

from __future__ import annotations

from verify.rocq.source import NotExported
from verify.rocq.statements import export_statement

__all__ = ["NotExported", "export_statement"]
