"""What a statement is about: reading its domain, and a case of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .matrices import Tensor, Vector, matrix
from .networks import KINDS, Network, read_network
from .outcomes import Declined, reject, require
from .records import array, fields, integer, known, named, rational, text
from .sorts import EDGE, INT, MAT, NUM, VEC, VERTEX, Sort, seq, tensor
from .terms import Node

SORTS = {
    **{("tensor", axes): tensor(axes) for axes in (3, 4, 5, 6)},
    ("mat", 2): MAT,
    ("vec", 1): VEC,
    ("num", 0): NUM,
    ("int", 0): INT,
}
"""The sort of a field by its name and the number of its axes."""


MOST_LISTS = 6  # within one another, in a domain
LISTED = {"seq[vertex]": VERTEX, "seq[edge]": EDGE, "seq[int]": INT, "seq[num]": NUM}
"""What the lists of a case with a network are of."""


@dataclass(frozen=True)
class Field:
    """An array, a number or a list of the domain; least and largest: of an `int`."""

    sort: Sort
    axes: tuple[str, ...]
    least: int | None = None
    largest: int | None = None


@dataclass(frozen=True)
class Domain:
    """What a case holds: fields by name; network: and a network, of which some may be lists; of
    these activations, if there are any."""

    fields: dict[str, Field]
    network: bool = False
    activations: tuple[str, ...] = ()

    def of_kind(self, network: Network) -> None:
        """Rejects a network that has other activations."""
        fits = not self.activations or network.has(self.activations)
        require(fits, "the network has an activation that is not of the domain")

    @property
    def sorts(self) -> dict[str, Sort]:
        """Those of the fields."""
        return {name: one.sort for name, one in self.fields.items()}


@dataclass(frozen=True)
class Case:
    """A case: arrays by name, with the velocities of those that move; or a network with lists and
    arrays by name."""

    network: Network | None = None
    arrays: dict[str, Any] = field(default_factory=dict)
    flow: dict[str, Node] = field(default_factory=dict)


def read_domain(value: object) -> Domain:
    """The domain of a statement."""
    if isinstance(value, dict) and "network" in value:
        domain = fields(value, "the domain", ("network",), ("lists", "arrays", "activations"))
        require(domain["network"] is True, "network is not true")
        lists = named(domain.get("lists", {}), "the domain's lists")
        arrays = named(domain.get("arrays", {}), "the domain's arrays")
        require(not lists.keys() & arrays.keys(), "a list and an array have one name")
        found = {name: Field(_read_list(name, sort), ()) for name, sort in lists.items()}
        found |= {n: _read_field(n, record) for n, record in arrays.items()}
        return Domain(found, True, _read_activations(domain))
    arrays = named(fields(value, "the domain", ("arrays",))["arrays"], "the domain's arrays")
    return Domain({name: _read_field(name, record) for name, record in arrays.items()})


def _read_activations(domain: dict[str, Any]) -> tuple[str, ...]:
    if "activations" not in domain:
        return ()
    kinds = array(domain["activations"], "the activations")
    require(bool(kinds), "there are activations, but none")
    return tuple(known(kind, KINDS, "an activation") for kind in kinds)


def _read_list(name: str, value: object) -> Sort:
    """The sort of a list, which is written as it is read."""
    found = value if isinstance(value, str) else ""
    for _ in range(MOST_LISTS):
        if found in LISTED:
            break
        if not (found.startswith("seq[") and found.endswith("]")):
            reject(f"the list {name!r} is no list of vertices, edges or numbers")
        found = found[4:-1]
    require(found in LISTED, f"the list {name!r} is of lists too deep")
    sort = seq(LISTED[found])
    for _ in range((len(str(value)) - len(found)) // 5):
        sort = seq(sort)
    return sort


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


def read_case(value: object, domain: Domain, flow: dict[str, Node]) -> Case:
    """A case of the domain."""
    if domain.network:
        record = named(value, "the case")
        arrays = record.get("arrays", {})
        network, choice = read_network({n: v for n, v in record.items() if n != "arrays"})
        domain.of_kind(network)
        lists = read_lists(choice, domain, network)
        return Case(network, lists | _read_arrays(arrays, domain, network.lengths))
    top = fields(value, "the case", ("format", "arrays"), ("choice",))
    require(top["format"] == "tensors", "the case is not made of arrays")
    if named(top.get("choice", {}), "the choice"):
        raise Declined("the case chooses something that is not known here")
    return Case(None, _read_arrays(top["arrays"], domain, {}), flow)


def _read_arrays(value: object, domain: Domain, lengths: dict[str, int]) -> dict[str, Any]:
    """The arrays that a case has, which are those of the domain. lengths: of axes that have one."""
    declared = {name: one for name, one in domain.fields.items() if one.sort.name != "seq"}
    records = fields(value, "the arrays of the case", declared)
    return {name: _read_array(name, records[name], one, lengths) for name, one in declared.items()}


def read_lists(choice: dict[str, Any], domain: Domain, network: Network) -> dict[str, Any]:
    """The lists that a case has, which are those of the domain."""
    declared = {name: one for name, one in domain.fields.items() if one.sort.name == "seq"}
    if choice.keys() - declared.keys():
        raise Declined("the case chooses something that is not known here")
    edges = {(edge.tail, edge.head): e for e, edge in enumerate(network.edges)}

    def read(value: object, sort: Sort, where: str) -> Any:
        if sort.parts:
            return tuple(read(one, sort.parts[0], where) for one in array(value, where))
        if sort == VERTEX:
            return known(value, network.kinds, where)
        if sort == EDGE:
            tail, head = (known(end, network.kinds, where) for end in array(value, where, 2))
            require((tail, head) in edges, f"{where}: there is no edge {tail!r} to {head!r}")
            return edges[tail, head]
        return integer(value, where) if sort == INT else rational(value, where)

    records = fields(choice, "the lists of the case", declared)
    return {
        name: read(records[name], one.sort, f"an element of the list {name!r}")
        for name, one in declared.items()
    }


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
