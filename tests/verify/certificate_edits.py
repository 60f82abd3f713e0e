"""Certificates with one thing changed: the weights, the examples, the network, the claim."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.verify import certificates as c
from tests.verify.corruptions import changed


def fixed(certificate: c.Certificate, parameter: str) -> c.Certificate:
    """The same with an edge frozen at its weight."""
    copy = deepcopy(certificate)
    net = copy["case"]["network"]
    weight = net["weights"].pop(parameter)
    for edge in net["edges"]:
        if edge.get("parameter") == parameter:
            del edge["parameter"]
            edge["fixed"] = weight
    return copy


def tied(certificate: c.Certificate, parameter: str, other: str) -> c.Certificate:
    """The same with the first parameter used for the other's edges too."""
    copy = deepcopy(certificate)
    net = copy["case"]["network"]
    del net["weights"][other]
    for edge in net["edges"]:
        if edge.get("parameter") == other:
            edge["parameter"] = parameter
    return copy


def weighing(certificate: c.Certificate, *weights: int | str) -> c.Certificate:
    """The same with other weights."""
    names = certificate["case"]["network"]["weights"]
    new = {name: str(w) for name, w in zip(names, weights, strict=True)}
    return changed(certificate, "case", "network", "weights", to=new)


def at(certificate: c.Certificate, *examples: dict[str, Any]) -> c.Certificate:
    """The same on other examples."""
    return changed(certificate, "case", "examples", to=list(examples))


def valued(certificate: c.Certificate, value: int | str) -> c.Certificate:
    """The same with another value."""
    return changed(certificate, "value", to=str(value))


def claiming(certificate: c.Certificate, claim: str) -> c.Certificate:
    """The same of another claim."""
    return changed(certificate, "claim", to=claim)


def on(certificate: c.Certificate, net: dict[str, Any]) -> c.Certificate:
    """The same on another network."""
    return changed(certificate, "case", "network", to=net)


def choosing(certificate: c.Certificate, **choice: Any) -> c.Certificate:
    """The same with more choices."""
    old = certificate["case"].get("choice", {})
    return changed(certificate, "case", "choice", to={**old, **choice})
