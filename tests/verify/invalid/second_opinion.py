"""Whether a certificate is genuine, by the engine's own code instead of the checker's."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

from graphs.algebraic import Enclosure
from graphs.balance import Balanced, decide
from graphs.files import from_json
from verify.case import PRESCRIBED, Case, case_from_json
from verify.claim import Claim
from verify.controls import CONTROLS
from verify.curves import CurveCase
from verify.deep import Deep
from verify.instance import Instance
from verify.judging import judge_exactly
from verify.registry import all_claims, find
from verify.tensors import tensors_from_json

SMOOTH = ("tanh", "softplus", "sigmoid")


def beyond(certificate: dict[str, Any]) -> bool:
    """Whether the engine does not know the claim, or has no exact arithmetic for the case: a
    smooth activation in it."""
    if certificate["claim"] not in {*CONTROLS, *(claim.id for claim in all_claims())}:
        return True
    vertices = certificate.get("case", {}).get("network", {}).get("vertices", [])
    return any(vertex["activation"] in SMOOTH for vertex in vertices)


def genuine(certificate: dict[str, Any]) -> bool:
    """Whether what the certificate says is so; it must be one that the checker accepts."""
    if certificate["kind"] == "balance":
        return all(_balances(certificate, identity) for identity in certificate["identities"])
    if certificate["kind"] == "polynomial":
        return _vanishes(certificate)
    return _violates(certificate)


def _claim(name: str) -> Claim:
    return CONTROLS[name][0] if name in CONTROLS else find(name)


def _unordered(entry: dict[str, Any]) -> str:
    """An entry whatever the order of a pair, or of the edges of a layer."""
    copy = json.loads(json.dumps(entry))
    for key in ("pair", "paths", "entry", "edges"):
        if isinstance(copy.get(key), list):
            copy[key].sort()
    if "layers" in copy:
        copy["layers"] = [sorted(layer) for layer in copy["layers"]]
    return json.dumps(copy, sort_keys=True)


def _same(claim: Claim, found: dict[str, Any], entry: dict[str, Any]) -> bool:
    """Whether a violation is of the entry of a certificate; of a claim that is a statement by now
    it is at vertices, and layers are of the case."""
    if claim.terms is None:
        return _unordered(found) == _unordered(entry)
    return sorted(found["at"]) == sorted(entry.get("pair", []))


def _case(certificate: dict[str, Any]) -> Instance:
    record = json.loads(json.dumps(certificate["case"]))
    if "arrays" in record:
        case = tensors_from_json(record)
        if "trough" in record["arrays"]:
            return CurveCase(case.arrays, case.choice)
        return Deep(case.arrays, case.choice) if "X" in record["arrays"] else case
    if "layers" in certificate["entry"]:
        record.setdefault("choice", {})["layers"] = certificate["entry"]["layers"]
    return case_from_json(record)


def _violates(certificate: dict[str, Any]) -> bool:
    """The engine finds a violation at that entry, with that value. It names the vertices of a pair
    in the order of the file, so both orders are looked at."""
    other = json.loads(json.dumps(certificate))
    if "network" in other["case"]:
        other["case"]["network"]["vertices"].reverse()
    return _found(certificate) or _found(other)


def _found(certificate: dict[str, Any]) -> bool:
    claim = _claim(certificate["claim"])
    found = judge_exactly(claim, _case(certificate)).violations
    value = certificate["value"]
    low, high = map(Fraction, value if isinstance(value, list) else (value, value))
    for violation in found:
        if not _same(claim, violation.entry, certificate["entry"]):
            continue
        if isinstance(violation.value, Enclosure):
            return low <= violation.value.high and violation.value.low <= high
        return low <= violation.value <= high
    return False


def _balances(certificate: dict[str, Any], identity: dict[str, Any]) -> bool:
    """The coefficients of the entry have a potential, by the decision of the engine."""
    network, _ = from_json(certificate["network"])
    number = {
        (network.names[a], network.names[b]): e
        for e, (a, b) in enumerate(zip(network.tails, network.heads, strict=True))
    }
    coefficients = dict.fromkeys(number.values(), 0)
    entry = identity["entry"]
    if "vertex" in entry:
        for (tail, head), e in number.items():
            coefficients[e] += (head == entry["vertex"]) - (tail == entry["vertex"])
    else:
        for sign, layer in zip((1, -1), entry["layers"], strict=True):
            for tail, head in layer:
                coefficients[number[tail, head]] += sign
    return isinstance(decide(network, coefficients), Balanced)


def _vanishes(certificate: dict[str, Any]) -> bool:
    """No violation at that entry at some random points of the network."""
    network, _ = from_json(certificate["network"])
    claim, random = _claim(certificate["claim"]), Random(7)
    examples = min(certificate["examples"], 3)
    for _ in range(3):
        weights = tuple(_random(random) for _ in network.parameter_names)
        inputs = tuple(
            tuple(_random(random) / 10 for _ in network.free_inputs) for _ in range(examples)
        )
        choice = {"layers": certificate["entry"].get("layers")}
        case = Case(
            network,
            weights,
            inputs,
            (Fraction(1),) * examples,
            PRESCRIBED,
            tuple(_random(random) for _ in range(examples)),
            choice if choice["layers"] else {},
        )
        found = judge_exactly(claim, case).violations
        if any(_same(claim, violation.entry, certificate["entry"]) for violation in found):
            return False
    return True


def _random(random: Random) -> Fraction:
    return Fraction(random.choice((-1, 1)) * random.randint(1, 9), random.randint(1, 9))
