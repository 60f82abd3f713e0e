"""From an accepted certificate to Rocq source."""

from __future__ import annotations

from typing import Any

from verify.checker.restated import Declined, Rejected, Undecided
from verify.rocq.names import comment
from verify.rocq.source import NotExported, Source
from verify.rocq.statements import export_statement
from verify.rocq.traced_arrays import write_arrays

__all__ = ["NotExported", "export"]


def export(certificate: dict[str, Any]) -> str:
    """Rocq source whose theorems say what the certificate says.

    certificate: one that the checker accepts; of others the source is not meaningful. Raises
    NotExported where no Rocq form of it is known here.
    """
    if "claim" not in certificate:
        return export_statement(certificate)
    kind, claim = certificate["kind"], certificate["claim"]
    body = Source()
    try:
        theorems = write_arrays(body, certificate)
    except (Rejected, Declined, Undecided) as refusal:
        raise NotExported(f"its steps cannot be traced: {refusal}") from refusal
    without = f" of {certificate['without']}" if kind == "necessity" else ""
    source = Source()
    source.lines += [
        comment(f"{claim}: {kind}{without}, from a certificate of Lemmata"),
        "From Coq Require Import QArith.",
        "Open Scope Q_scope.",
        *body.lines,
        "",
    ]
    source.lines += [f"Print Assumptions {name}." for name in theorems]
    return source.text()
