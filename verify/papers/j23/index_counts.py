"""Theorem 10: counting indices and layers in its proof (Theorem 19), after the depth threshold.

`M` is a matrix of zeros and ones, a row for each of the pL layers and a column for each index; `J`
tells the steep intervals, of which the last entry is none: N indices have N - 1 intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.papers.j23.sources import printed
from verify.quantities import (
    each_case,
    lengthened,
    listed,
    nonnegative,
    pool,
    relation,
    rows_of,
    with_entries,
    with_rows,
)
from verify.tensors import Tensors
from verify.vocabulary import Entries

GAPS = tuple(map(Fraction, ("0", "1/10", "1", "10")))
Labelled = list[tuple[dict[str, object], Fraction]]


# a fourth of the indices --------------------------------------------------------------------------
def _good_columns(case: Tensors) -> list[int]:
    """The indices that satisfy the bound on at least a fourth of the layers."""
    rows = rows_of(case, "M")
    return [i for i in range(len(rows[0])) if 4 * sum(row[i] for row in rows) >= len(rows)]


def quarter_of_indices(scene: object) -> Entries:
    """The number of columns with a mean of at least 1/4, minus a fourth of all."""

    def of_case(case: Tensors) -> Labelled:
        count = len(rows_of(case, "M")[0])
        return [({}, len(_good_columns(case)) - Fraction(count, 4))]

    return each_case(of_case, scene)


def some_with_interval(scene: object) -> Entries:
    """The number of those among the columns whose interval, one of N - 1, is steep, minus 1."""

    def of_case(case: Tensors) -> Labelled:
        steep = listed(case, "J")[:-1]
        found = [i for i in _good_columns(case) if i < len(steep) and steep[i]]
        return [({}, Fraction(len(found) - 1))]

    return each_case(of_case, scene)


def quarter_counted() -> Argument:
    """Were a part f = 1/4 - s of the columns good, the mean of all entries would be less than
    f + (1 - f)/4, that is 7/16 - 3s/4, below 1/2."""
    ring = ring_of(1)
    (s,) = ring.generators
    quarter, half, one = (ring.constant(Fraction(1, k)) for k in (4, 2, 1))
    f = quarter - s
    rest = half - f - (one - f) * quarter
    steps = (
        nonnegative(ring, "1/2 - f - (1 - f)/4 has no negative coefficient for f = 1/4 - s", rest),
        Step("at s = 0 it is above 0", ring.evaluate(rest, [Fraction(0)]) > 0),
    )
    return Argument(
        "were fewer than a fourth of the columns good, the mean of all entries would be below 1/2",
        steps,
        (
            "the mean of a matrix is that of its row means and of its column means",
            "for every number of rows and columns: the part of the columns is a symbol",
        ),
        "quarter_of_indices",
        ("zeros and ones", "half of each row"),
        section=26,
    )


def _binary(case: Tensors) -> bool:
    return all(
        entry in (0, 1)
        for name in ("M", "J")
        if name in case.arrays
        for entry in case.arrays[name].entries
    )


def _as_binary(case: Tensors, random: Random) -> Tensors:
    for name in ("M", "J"):
        if name in case.arrays:
            signs = [Fraction(entry > 0) for entry in case.arrays[name].entries]
            case = with_entries(case, name, signs)
    return case


def _filled(row: Sequence[Fraction], least: Fraction, random: Random) -> list[Fraction]:
    """Ones at random places until there are enough."""
    row = list(row)
    places = [k for k, entry in enumerate(row) if not entry]
    random.shuffle(places)
    while sum(row) < least and places:
        row[places.pop()] = Fraction(1)
    return row


def _half_rows(case: Tensors, random: Random) -> Tensors:
    rows = rows_of(case, "M")
    half = Fraction(len(rows[0]), 2)
    return with_rows(case, "M", [_filled(row, half, random) for row in rows])


def _emptied(case: Tensors, random: Random) -> Tensors:
    rows = rows_of(case, "M")
    return with_rows(case, "M", [[Fraction(0)] * len(row) for row in rows])


def _steep(case: Tensors, random: Random) -> Tensors:
    flags = listed(case, "J")
    least = Fraction(5 * (len(flags) - 1), 6)
    return with_entries(case, "J", [*_filled(flags[:-1], least, random), flags[-1]])


BINARY = relation(
    "zeros and ones",
    "an entry is 1 where the index satisfies the bound on the layer, else 0",
    _binary,
    _as_binary,
)
HALF_ROWS = relation(
    "half of each row",
    "on each of the $pL$ layers at least half of the indices satisfy the bound",
    lambda case: all(2 * sum(row) >= len(row) for row in rows_of(case, "M")),
    _half_rows,
    _emptied,
)
STEEP = relation(
    "steep intervals",
    r"at least $\frac56(N-1)$ intervals contain a point with a large Jacobian",
    lambda case: 6 * sum(listed(case, "J")[:-1]) >= 5 * (len(listed(case, "J")) - 1),
    _steep,
    lambda case, random: with_entries(case, "J", [Fraction(0)] * len(listed(case, "J"))),
)
THREE = relation(
    "N at least 3",
    r"$N\ge3$: there are a closest and a second closest point",
    lambda case: case.lengths["N"] >= 3,
    lambda case, random: lengthened(case, "N", 3),
)
QUARTER = Claim(
    "j23.thm10.quarter.a",
    Kind.INEQUALITY,
    printed("proof of Theorem 19, after the depth threshold"),
    "a fourth of the indices",
    r"At least one fourth of the indices $i$ satisfy for at least one fourth of the $pL$ layers "
    r"$\ell$ the bound that at least half of the indices satisfy on each of these layers.",
    (BINARY, HALF_ROWS),
    ("j23.thm10.depth.b",),
    quarter_of_indices,
    pool(("M", ("R", "N")), largest=6, adapt=_as_binary),
    exact_only=True,
    proof=quarter_counted,
)
INTERSECT = pool(("M", ("R", "N")), ("J", ("N",)), largest=6, adapt=_as_binary)
SOME = (
    r"Amongst these indices there are at least some such that there is a point $x$ in "
    r"$[\tilde x_i,\tilde x_{i+1}]$ with $\lVert Jf_\theta(x)\rVert_{op}\ge cN^{1-1/k^*}$"
)
SOME_STEEP = Claim(
    "j23.thm10.quarter.b",
    Kind.INEQUALITY,
    printed("proof of Theorem 19, after the depth threshold"),
    "some with a steep interval",
    rf"{SOME}, where at least $\frac56(N-1)$ of the $N-1$ intervals are so.",
    (THREE, BINARY, HALF_ROWS, STEEP),
    ("j23.thm10.quarter.a", "j23.thm10.jac.c"),
    some_with_interval,
    INTERSECT,
    exact_only=True,
)
CLAIMS = (QUARTER, SOME_STEEP)
