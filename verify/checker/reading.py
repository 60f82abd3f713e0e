"""Reading what a certificate is about: the statement, without a case."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from .budget import Budget
from .cases import Domain, read_domain
from .outcomes import reject, require
from .records import array, fields, named, text
from .sorts import BOOL, INT, NUM
from .terms import Node, Reader

FORMAT, VERSION = "lemmata-statement", 1
Registered = Mapping[str, str]  # by the name of a statement its hash


@dataclass(frozen=True)
class Statement:
    """What a certificate is about. velocities: of the fields that move."""

    name: str
    domain: Domain
    velocities: dict[str, Node]
    hypotheses: dict[str, Node]
    says: Node


def read(budget: Budget, value: object, descends: bool = True) -> Statement:
    """The statement of a record. descends: as of a `Reader`."""
    record = fields(
        value, "the statement", ("id", "domain", "hypotheses", "says"), optional=("flow",)
    )
    domain = read_domain(record["domain"])
    flow = named(record.get("flow", {}), "the flow")
    require(not (domain.network and flow), "a network has its own flow")
    velocities = {}
    for name, term in flow.items():
        sort = domain.sorts.get(name)
        if sort is None or sort == INT:
            reject(f"the flow moves {name!r}, which is no array and no number of the domain")
        wanted = (INT, NUM) if sort == NUM else (sort,)
        velocities[name] = Reader(budget, domain.sorts, domain.network, None).read(
            term, f"the velocity of {name!r}", *wanted
        )
    reader = Reader(budget, domain.sorts, domain.network, flow, descends)
    hypotheses: dict[str, Node] = {}
    for item in array(record["hypotheses"], "the hypotheses"):
        hypothesis = fields(item, "a hypothesis", ("name", "holds"))
        name = text(hypothesis["name"], "the name of a hypothesis")
        require(name not in hypotheses, f"two hypotheses are called {name!r}")
        hypotheses[name] = reader.read(hypothesis["holds"], f"the hypothesis {name!r}", BOOL)
    says = reader.read(record["says"], "what the statement says", BOOL)
    name = text(record["id"], "the id of the statement")
    return Statement(name, domain, velocities, hypotheses, says)


def called(name: str, statement: dict[str, Any], registered: Registered) -> str:
    """A statement by its name and the beginning of its hash. registered: hashes by name, by which
    one that is registered is told from another one of its name."""
    known = statement_hash(statement)
    whose = "the registered" if registered.get(name) == known else "your"
    return f"{whose} statement {name} (hash {known[:12]})"


def statement_hash(statement: dict[str, Any]) -> str:
    """What a statement is, whatever it and its hypotheses are called: SHA-256 of canonical JSON."""
    kept = {
        "domain": statement["domain"],
        "flow": statement.get("flow", {}),
        "hypotheses": [hypothesis["holds"] for hypothesis in statement["hypotheses"]],
        "says": statement["says"],
    }
    encoded = json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return sha256(encoded.encode("ascii")).hexdigest()
