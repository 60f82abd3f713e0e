"""Certificates about small fully connected networks, by hand."""

from __future__ import annotations

from typing import Any

from verify.checker.restated import Deepnet, of_network, read_arrays

Certificate = dict[str, Any]


def case(weights: Any, points: Any, biases: Any = None, slope: Any = 0, **more: Any) -> Any:
    """A case from nested numbers; more: records of other arrays by name."""
    arrays = {}
    for layer, rows in enumerate(weights, start=1):
        shift = biases[layer - 1] if biases else [0] * len(rows)
        arrays[f"W{layer}"] = record([f"n{layer}", f"n{layer - 1}"], rows)
        arrays[f"b{layer}"] = record([f"n{layer}"], shift)
    arrays["a"] = record([], slope)
    arrays["X"] = record(["N", "n0"], points)
    return {"format": "tensors", "arrays": {**arrays, **more}, "choice": {}}


def record(axes: list[str], entries: Any, *, integer: bool = False) -> dict[str, Any]:
    """An array as a certificate writes it."""
    return {"axes": axes, "entries": written(entries)} | ({"integer": True} if integer else {})


def written(entries: Any) -> Any:
    """Numbers as text."""
    return [written(e) for e in entries] if isinstance(entries, list) else str(entries)


def certificate(claim: str, made: Any, entry: Any, value: Any, without: str = "") -> Certificate:
    """A counterexample, or what shows the need of a hypothesis."""
    found = {
        "format": "lemmata-certificate",
        "version": 1,
        "kind": "necessity" if without else "counterexample",
        "claim": claim,
        "case": made,
        "entry": entry,
        "value": written(value),
    }
    return found | ({"without": without} if without else {})


def net_of(made: Any, entry: Any = None, **declared: Any) -> Deepnet:
    """The network of a case, of a statement that declares what else there is."""
    net = read_arrays(made, of_network(lambda net: 0, **declared), entry or {})
    assert isinstance(net, Deepnet)
    return net
