"""From an accepted certificate to Rocq source."""

from __future__ import annotations

from typing import Any

from verify.checker.restated import Declined, Rejected, Undecided
from verify.rocq.graph import NotExported, described, read_graph
from verify.rocq.identities import write_balances, write_polynomial
from verify.rocq.names import comment
from verify.rocq.points import write_point
from verify.rocq.source import Source
from verify.rocq.traced_arrays import write_arrays

__all__ = ["NotExported", "export"]

KINDS = {
    "balance": ("ZArith", "Z_scope", write_balances),
    "polynomial": ("ZArith", "Z_scope", write_polynomial),
    "counterexample": ("QArith", "Q_scope", write_point),
    "necessity": ("QArith", "Q_scope", write_point),
    "witness": ("QArith", "Q_scope", write_point),
}


def export(certificate: dict[str, Any]) -> str:
    """Rocq source whose theorems say what the certificate says.

    certificate: one that the checker accepts; of others the source is not meaningful. Raises
    NotExported where no Rocq form of it is known here.
    """
    if "claim" not in certificate:
        raise NotExported("no Rocq form of statements in the language is known here")
    kind, claim = certificate["kind"], certificate["claim"]
    library, scope, write = KINDS[kind]
    holder = certificate.get("case", certificate)
    of_arrays = "network" not in holder
    body = Source()
    try:
        theorems = (write_arrays if of_arrays else write)(body, certificate)
    except (Rejected, Declined, Undecided) as refusal:
        raise NotExported(f"its steps cannot be traced: {refusal}") from refusal
    without = f" of {certificate['without']}" if kind == "necessity" else ""
    source = Source()
    source.lines += [
        comment(f"{claim}: {kind}{without}, from a certificate of Lemmata"),
        *([] if of_arrays else described(read_graph(holder["network"]))),
        f"From Coq Require Import {library}.",
        f"Open Scope {scope}.",
        *body.lines,
        "",
    ]
    source.lines += [f"Print Assumptions {name}." for name in theorems]
    return source.text()
