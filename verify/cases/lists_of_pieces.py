"""The lists by which statements name the neurons of a network that is built of pieces.

They are of the pieces that a claim is about, or of any number of pieces, one behind the other;
MEANINGS says which. At a convolution the neurons come by channel and position.
What is not there is empty. Nothing follows from these lists: hypotheses ask the graph for what they
say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from graphs.convolutions import output_shape
from graphs.errors import NotRationalError
from graphs.exact import values

if TYPE_CHECKING:
    from verify.cases.case import Case

MEANINGS = {
    "A": "what the first layer or block reads",
    "B": "the neurons that the two share; inside of the block, if there is one alone",
    "C": "the heads of the last layer or block",
    "G": "the neurons inside of the first block",
    "H": "the neurons inside of the last block",
    "X": "what the first convolution reads, by channel and position",
    "V": "the neurons that the two share, by channel and position",
    "N": "the heads of the second convolution, by channel and position",
    "S": "where the filter of the first convolution lies: by its positions, the place of the input "
    "that each of its entries meets, or 0 on padding",
    "T": "where the filter of the second convolution lies, as $S$",
    "I": "the shared neurons that are active",
    "K": "the shared channels that are active",
    "L": "what the first layer reads, then the heads of each layer",
    "M": "by layer, the neurons inside, if it is a block",
    "W": "the numbers of the layers that are no ResNetIdentity",
    "P": "by layer, what a convolution reads, by channel and position",
    "Q": "by layer, the heads of a convolution, by channel and position",
    "F": "by layer, where the filter of a convolution lies",
}
"""The lists by name, in words; what is not there is empty."""
Record = Mapping[str, Any]
Names = list[str]


def list_of(case: Case, name: str) -> Any:
    """The list of this name of a case that chooses pieces; None where it has none."""
    if name not in ROLES:
        return None
    pieces, at = case.choice.get("pieces", ()), case.choice.get("at", ())
    if not at or not all(k < len(pieces) for k in at):
        return None
    return ROLES[name](case, pieces[at[0]], pieces[at[1]] if len(at) > 1 else {})


def _shared(one: Record, two: Record) -> Names:
    if one["kind"] == "convolution":
        return []
    return list(one["heads"] if two else one.get("inner", ()))


def _read(one: Record) -> Names:
    return [] if one["kind"] == "convolution" else list(one["tails"])


def _last(one: Record, two: Record) -> Names:
    last = two or one
    return [] if last["kind"] == "convolution" else list(last["heads"])


def _inside(one: Record) -> Names:
    return list(one.get("inner", ()))


def _chain(case: Case) -> list[Record]:
    """All pieces that a claim is about."""
    return [case.choice["pieces"][k] for k in case.choice["at"]]


def _ends(case: Case) -> list[Names]:
    found = _chain(case)
    return [list(found[0]["tails"]), *(list(piece["heads"]) for piece in found)]


def _written(case: Case) -> list[int]:
    found = enumerate(_chain(case), 1)
    return [k for k, piece in found if piece.get("variant") != "identity"]


# convolutions -------------------------------------------------------------------------------------
def by_channel(record: Record, ends: str) -> list[Names]:
    """The neurons at an end of a convolution, channel by channel; none of another piece."""
    if record.get("kind") != "convolution":
        return []
    names, count = record[ends], record["channels"][ends == "heads"]
    length = len(names) // count
    return [list(names[k * length : (k + 1) * length]) for k in range(count)]


def filter_of(record: Record) -> list[list[int]]:
    """For each position of a filter the position of the input that each of its places meets, 0
    where that is padding."""
    if record.get("kind") != "convolution":
        return []
    size, kernel, stride, padding, dilation = (
        record[key] for key in ("size", "kernel", "stride", "padding", "dilation")
    )
    wrapped = record["mode"] == "circular"

    def met(position: Sequence[int], place: Sequence[int]) -> int:
        number = 0
        for i, k, n, s, p, d in zip(position, place, size, stride, padding, dilation, strict=True):
            seen = i * s - p + k * d
            if not wrapped and not 0 <= seen < n:
                return 0
            number = number * n + seen % n
        return number + 1

    positions = output_shape(size, kernel, stride, padding, dilation)
    places = [list(product(*map(range, shape))) for shape in (positions, kernel)]
    return [[met(position, place) for place in places[1]] for position in places[0]]


# activity -----------------------------------------------------------------------------------------
def active(case: Case, names: Iterable[str]) -> Names:
    """Those that are linear, or ReLU with no negative pre-activation; all of them where the
    network has no exact values."""
    net, chosen = case.network, list(names)
    try:
        rows = [values(net, case.weights, x) for x in case.inputs]
    except NotRationalError:
        return chosen
    weights = net.edge_weights(case.weights)

    def is_active(v: int) -> bool:
        kind = net.activations[v].kind
        sums = (sum(weights[e] * row[net.tails[e]] for e in net.in_edges[v]) for row in rows)
        return kind == "linear" or (kind == "relu" and all(z >= 0 for z in sums))

    return [name for name in chosen if is_active(net.index[name])]


def _active_channels(case: Case, one: Record, two: Record) -> list[Names]:
    array = by_channel(one, "heads")
    awake = set(active(case, (name for row in array for name in row)))
    return [row for row in array if awake.issuperset(row)]


ROLES: dict[str, Callable[[Case, Record, Record], Any]] = {
    "A": lambda case, one, two: _read(one),
    "B": lambda case, one, two: _shared(one, two),
    "C": lambda case, one, two: _last(one, two),
    "G": lambda case, one, two: _inside(one) if two else [],
    "H": lambda case, one, two: _inside(two),
    "X": lambda case, one, two: by_channel(one, "tails"),
    "V": lambda case, one, two: by_channel(one, "heads"),
    "N": lambda case, one, two: by_channel(two, "heads"),
    "S": lambda case, one, two: filter_of(one),
    "T": lambda case, one, two: filter_of(two),
    "I": lambda case, one, two: active(case, _shared(one, two)),
    "K": _active_channels,
    "L": lambda case, one, two: _ends(case),
    "M": lambda case, one, two: [_inside(piece) for piece in _chain(case)],
    "W": lambda case, one, two: _written(case),
    "P": lambda case, one, two: [by_channel(piece, "tails") for piece in _chain(case)],
    "Q": lambda case, one, two: [by_channel(piece, "heads") for piece in _chain(case)],
    "F": lambda case, one, two: [filter_of(piece) for piece in _chain(case)],
}
