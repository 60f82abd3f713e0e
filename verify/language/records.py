"""Terms as JSON, and back: docs/language.md, "Records"."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from verify.language.domains import Array
from verify.language.operators import OPERATORS
from verify.language.terms import (
    Function,
    Term,
    TermError,
    item,
    make,
    number,
    to_json,
    truth,
    unfold,
)

Json = Any


def key(term: Term) -> str:
    """The same text for two terms exactly where they differ in names alone."""
    return json.dumps(to_json(term), separators=(",", ":"))


def digest(data: Json) -> str:
    """SHA-256 of JSON in one form."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def from_json(data: Json, fields: Mapping[str, Array], bound: tuple[Term, ...] = ()) -> Term:
    """The term that `to_json` wrote. Raises TermError."""
    if isinstance(data, bool):
        return truth(data)
    if isinstance(data, int):
        return number(data)
    if isinstance(data, str):
        try:
            return number(Fraction(data))
        except (ValueError, ZeroDivisionError) as error:
            raise TermError(f"{data!r} is no number") from error
    if not isinstance(data, list) or not data or not isinstance(data[0], str):
        raise TermError(f"not a term: {data!r}")
    op, parts = data[0], data[1:]
    if op == "var":
        if len(parts) != 1 or parts[0] not in range(len(bound)):
            raise TermError(f"no variable {parts}: {len(bound)} are bound here")
        return bound[parts[0]]
    if op == "field":
        if len(parts) != 1 or parts[0] not in fields:
            raise TermError(f"no array {parts} in the domain")
        return fields[parts[0]].term
    if op == "item":
        return item(from_json(parts[0], fields, bound), parts[1])
    if op == "unfold":
        return unfold(from_json(parts[0], fields, bound), parts[1])
    if op not in OPERATORS:
        raise TermError(f"no operator {op!r}")
    binds = OPERATORS[op].binds
    given: list[Any] = [
        from_json(part, fields, bound) for part in parts[: len(parts) - bool(binds)]
    ]
    if binds:
        letters = tuple(f"i_{len(bound) + k + 1}" for k in range(binds))

        def body(*variables: Term) -> Term:
            return from_json(parts[-1], fields, (*bound, *variables))

        given.append(Function(body, letters))
    return make(op, *given)
