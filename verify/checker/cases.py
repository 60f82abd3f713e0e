"""What a statement is about: reading its domain, and a case of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .matrices import Tensor, Vector, matrix
from .networks import Network, read_network
from .outcomes import Declined, require
from .records import array, fields, integer, known, named, rational, text
from .sorts import INT, MAT, NUM, VEC, Sort, tensor
from .terms import Node

SORTS = {
    **{("tensor", axes): tensor(axes) for axes in (3, 4, 5, 6)},
    ("mat", 2): MAT,
    ("vec", 1): VEC,
    ("num", 0): NUM,
    ("int", 0): INT,
}
"""The sort of a field by its name and the number of its axes."""


@dataclass(frozen=True)
class Field:
    """An array or a number of the domain; least and largest: of an `int`."""

    sort: Sort
    axes: tuple[str, ...]
    least: int | None = None
    largest: int | None = None


@dataclass(frozen=True)
class Case:
    """A case: a network, or arrays by name, with the velocities of those that move."""

    network: Network | None = None
    arrays: dict[str, Any] = field(default_factory=dict)
    flow: dict[str, Node] = field(default_factory=dict)


def read_domain(value: object) -> dict[str, Field] | None:
    """The fields of a domain of arrays; None for a domain of networks."""
    if isinstance(value, dict) and "network" in value:
        require(fields(value, "the domain", ("network",))["network"] is True, "network is not true")
        return None
    arrays = named(fields(value, "the domain", ("arrays",))["arrays"], "the domain's arrays")
    return {name: _read_field(name, record) for name, record in arrays.items()}


def _read_field(name: str, value: object) -> Field:
    where = f"the field {name!r}"
    record = fields(value, where, ("sort", "axes"), ("least", "largest"))
    sort = known(record["sort"], {name for name, _ in SORTS}, f"the sort of {where}")
    axes = tuple(text(axis, f"an axis of {where}") for axis in array(record["axes"], where))
    require((sort, len(axes)) in SORTS, f"{where}, a {sort}, has {len(axes)} axes")
    bounds = [
        integer(record[key], f"{key} of {where}") if key in record else None
        for key in ("least", "largest")
    ]
    require(sort == "int" or bounds == [None, None], f"{where} is no int and has bounds")
    return Field(SORTS[sort, len(axes)], axes, *bounds)


def read_case(value: object, domain: dict[str, Field] | None, flow: dict[str, Node]) -> Case:
    """A case of the domain."""
    if domain is None:
        return Case(read_network(value))
    top = fields(value, "the case", ("format", "arrays"), ("choice",))
    require(top["format"] == "tensors", "the case is not made of arrays")
    if named(top.get("choice", {}), "the choice"):
        raise Declined("the case chooses something that is not known here")
    records = fields(top["arrays"], "the arrays of the case", domain)
    lengths: dict[str, int] = {}
    arrays = {name: _read_array(name, records[name], domain[name], lengths) for name in domain}
    return Case(None, arrays, flow)


def _read_array(name: str, value: object, declared: Field, lengths: dict[str, int]) -> Any:
    where = f"the array {name!r}"
    whole = declared.sort == INT
    record = fields(value, where, ("axes", "entries", *(("integer",) if whole else ())))
    require(record["axes"] == list(declared.axes), f"the axes of {where} are not those declared")

    def numbers(entries: object, axes: tuple[str, ...]) -> Any:
        if not axes:
            return rational(entries, f"an entry of {where}")
        found = array(entries, where)
        length = lengths.setdefault(axes[0], len(found))
        require(0 < len(found) == length, f"{where} has the length {len(found)} along {axes[0]!r}")
        return [numbers(entry, axes[1:]) for entry in found]

    entries = numbers(record["entries"], declared.axes)
    if declared.sort.axes:
        for _ in declared.axes[1:]:
            entries = [entry for part in entries for entry in part]
        return Tensor(tuple(lengths[axis] for axis in declared.axes), tuple(entries))
    if declared.axes:
        return matrix(entries) if declared.sort == MAT else Vector(entries)
    if not whole:
        return entries
    require(record["integer"] is True and entries.denominator == 1, f"{where} is no integer")
    above = declared.least is None or entries >= declared.least
    below = declared.largest is None or entries <= declared.largest
    require(above and below, f"{where} is outside the domain")
    return int(entries)
