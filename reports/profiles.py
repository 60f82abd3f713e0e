"""A family of networks that a certificate gives as groups of neurons, drawn as the graph of groups.

The arrays are A (1 at [g, h] where all neurons of group h are parents of those of group g), e (the
exponents of the sizes of the groups) and S (1 where group g takes skips from group h), axis "g".
"""

from __future__ import annotations

from fractions import Fraction

from reports.names import power_text
from reports.verdicts import Record

DRAWN = "[AeS]"  # names of the arrays that the drawing shows
SKIP = "skip"


def profile_of_arrays(case: Record) -> Record | None:
    """The groups as a record with vertices and edges; None for arrays that are none."""
    arrays = case.get("arrays", {})
    if not {"A", "e"} <= set(arrays) or arrays["A"]["axes"] != ["g", "g"]:
        return None
    sizes = [int(Fraction(entry)) for entry in arrays["e"]["entries"]]
    last = len(sizes) - 1
    names = ["x", *(f"g{number}" for number in range(1, last)), "f"]
    read, taken = _pairs(arrays, "A", names), _pairs(arrays, "S", names)
    edges: list[Record] = [
        {"tail": tail, "head": head, "parameter": f"{tail} to {head}"} for tail, head in read
    ]
    edges += [{"tail": t, "head": h, "fixed": SKIP} for t, h in taken if (t, h) not in read]
    return {
        "title": "groups of neurons; below each, how many there are",
        "vertices": [
            {"name": name, "activation": power_text("M", size)}
            for name, size in zip(names, sizes, strict=True)
        ],
        "inputs": [names[0]],
        "outputs": [names[-1]],
        "edges": edges,
        "weights": {f"{t} to {h}": f"and {SKIP}" for t, h in taken if (t, h) in read},
    }


def _pairs(arrays: Record, name: str, names: list[str]) -> list[tuple[str, str]]:
    """(tail, head) for each 1 of an array, left of the diagonal."""
    rows = arrays[name]["entries"] if name in arrays else ()
    return [
        (names[h], names[g])
        for g, row in enumerate(rows)
        for h, entry in enumerate(row[:g])
        if Fraction(entry) == 1
    ]
