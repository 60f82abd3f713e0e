"""Theorem 10: the steps of its proof (Theorem 19) that count intervals, indices and layers.

`M` is a matrix of zeros and ones, a row for each of the pL layers and a column for each index; `J`
tells the steep intervals, of which the last entry is none: N indices have N - 1 intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.language.building import (
    Each,
    Matrix,
    Number,
    Sum,
    Vector,
    When,
    cols,
    dim,
    outer,
    rows,
    upto,
)
from verify.language.proofs import Coefficient, Fact, Proof, Use
from verify.language.terms import Term
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem10_notation import (
    GAPS,
    PROOF,
    PROPORTION,
    counted,
    how_many,
    inverse,
    length,
    p,
)
from verify.statements.quantities import (
    lengthened,
    listed,
    rows_of,
    with_entries,
    with_rows,
    with_value,
)
from verify.statements.stated import Given, pool_with, stated, unless

QUARTER = Fraction(1, 4)

# intervals of a segment ---------------------------------------------------------------------------
d, D = Vector("d", "I"), Number("D")
WITHIN = Each(upto(dim(d)), lambda i: d[i] >= 0) & (Sum(upto(dim(d)), lambda i: d[i]) <= D)
BOUND = D / ((1 - p) * dim(d))
SHORT = how_many(upto(dim(d)), lambda i: d[i] <= BOUND)


def _wide_enough(case: Tensors, random: Random) -> Tensors:
    lengths = [abs(length) for length in listed(case, "d")]
    total = sum(lengths, Fraction(0)) + random.choice(GAPS)
    return with_value(with_entries(case, "d", lengths), "D", total)


LENGTHS = Given(
    "lengths",
    WITHIN,
    r"the lengths are at least 0 and their sum, $\lVert x_N-x_1\rVert$, is at most "
    r"$D=\mathrm{diag}\,\Omega$",
    unless(WITHIN, _wide_enough),
    lambda case, random: with_value(
        case, "D", sum(listed(case, "d"), Fraction(0)) / random.choice((2, 8, 100))
    ),
)


def intervals_counted(proof: Proof) -> None:
    """A long interval is longer than B = D / ((1 - p) I): the sum is at least B times how many. At
    D = 0 all are short."""
    many, size, asked = upto(dim(d)), (1 - p) * dim(d), p * dim(d)
    at_least_0, within = (proof.part(proof.given["lengths"], k) for k in (0, 1))
    below_1 = proof.part(proof.given["proportion"], 1)
    first = proof.lemma("shape", M=outer(d, d))[0]
    some, number = proof.algebra(dim(d) > 0, {first: 1, (): 1}), length(proof, dim(d), first)
    of_size, _ = inverse(proof, size, proof.algebra(size > 0, {(below_1, some): 1}))
    total = proof.summed(many, lambda i, member: _long(proof, i, member, at_least_0))
    left = SHORT - asked
    rest = proof.algebra(
        BOUND * asked <= BOUND * SHORT, {total: 1, within: 1, number: BOUND, of_size: D}
    )

    def with_room(room: Fact) -> Fact:
        of_wide, share = inverse(proof, D, room)
        uses: dict[Use, Coefficient] = {
            (rest, share, below_1, some): 1,
            of_size: -left * (D * (1 / D)),
            of_wide: -left,
        }
        return proof.algebra(proof.goal, uses)

    def without_room(none: Fact) -> Fact:
        def is_short(i: Term, member: Fact) -> Fact:
            mine = proof.at(at_least_0, member)
            at_most = _at_most_sum(proof, i, member, at_least_0)
            upper = proof.algebra(d[i] <= D, {at_most: 1, within: 1})
            zero = proof.both(
                proof.algebra(D <= 0, {none: 1}), proof.algebra(D >= 0, {upper: 1, mine: 1})
            )
            fits = proof.algebra(d[i] <= BOUND, {upper: 1, zero: 1 / size - 1})
            count = When(d[i] <= BOUND, 1, 0)
            return proof.algebra(count >= 1, {proof.branch(count, fits): 1})

        all_short = proof.summed(many, is_short)
        return proof.algebra(proof.goal, {all_short: 1, number: 1, (below_1, some): 1})

    proof.cases(D > 0, with_room, without_room)


def _long(proof: Proof, i: Term, member: Fact, at_least_0: Fact) -> Fact:
    """B, where an interval is long, is at most its length."""
    short, positive = d[i] <= BOUND, proof.at(at_least_0, member)
    own = BOUND * (1 - When(short, 1, 0)) <= d[i]
    return counted(
        proof,
        short,
        lambda _, one: proof.algebra(own, {positive: 1, one: BOUND}),
        lambda longer, none: proof.algebra(own, {longer: 1, none: BOUND}),
    )


def _at_most_sum(proof: Proof, i: Term, member: Fact, at_least_0: Fact) -> Fact:
    """One of them is at most the sum."""
    many, mine = upto(dim(d)), proof.at(at_least_0, member)

    def part(j: Term, other: Fact) -> Fact:
        positive, own = proof.at(at_least_0, other), d[i] * When(j == i, 1, 0) <= d[j]
        return counted(
            proof,
            j == i,
            lambda same, one: proof.algebra(own, {proof.same(d[j] == d[i], [same]): 1, one: -d[i]}),
            lambda _, none: proof.algebra(own, {positive: 1, none: -d[i]}),
        )

    parts = proof.summed(many, part)
    itself = proof.some(Sum(many, lambda j: When(j == i, 1, 0)) >= 1, member)
    return proof.algebra(d[i] <= Sum(many, lambda j: d[j]), {parts: 1, (itself, mine): 1})


# a fourth of the indices --------------------------------------------------------------------------
M, J = Matrix("M", "R", "N"), Vector("J", "N")
INDICES, INTERVALS = cols(M), upto(dim(J) - 1)


def is_good(i: Term) -> Term:
    """Whether an index satisfies the bound on at least a fourth of the layers."""
    return 4 * Sum(upto(rows(M)), lambda r: M[r, i]) >= rows(M)


FILLED = Each(upto(rows(M)), lambda r: 2 * Sum(upto(INDICES), lambda i: M[r, i]) >= INDICES)
FIVE_SIXTHS = 6 * Sum(INTERVALS, lambda i: J[i]) >= 5 * (dim(J) - 1)
OF_LAYERS = Each(
    upto(rows(M)),
    lambda r: Each(upto(INDICES), lambda i: (M[r, i] == 0) | (M[r, i] == 1)),
)


def _as_binary(case: Tensors, random: Random) -> Tensors:
    for name in ("M", "J"):
        if name in case.arrays:
            signs = [Fraction(entry > 0) for entry in case.arrays[name].entries]
            case = with_entries(case, name, signs)
    return case


def _with_entry(case: Tensors, name: str, random: Random, entry: Fraction) -> Tensors:
    """The same with this number at a random place."""
    entries = listed(case, name)
    entries[random.randrange(len(entries))] = entry
    return with_entries(case, name, entries)


def _filled(row: Sequence[Fraction], least: Fraction, random: Random) -> list[Fraction]:
    """Ones at random places until there are enough."""
    row = list(row)
    places = [i for i, entry in enumerate(row) if not entry]
    random.shuffle(places)
    while sum(row) < least and places:
        row[places.pop()] = Fraction(1)
    return row


def _half_rows(case: Tensors, random: Random) -> Tensors:
    rows = rows_of(case, "M")
    half = Fraction(len(rows[0]), 2)
    return with_rows(case, "M", [_filled(row, half, random) for row in rows])


def _emptied(name: str, case: Tensors) -> Tensors:
    return with_entries(case, name, [Fraction(0)] * len(case.arrays[name].entries))


def _steep(case: Tensors, random: Random) -> Tensors:
    flags = listed(case, "J")
    least = Fraction(5 * (len(flags) - 1), 6)
    return with_entries(case, "J", [*_filled(flags[:-1], least, random), flags[-1]])


def _binary(holds: Term) -> Given:
    text = "an entry is 1 where the index satisfies the bound on the layer, else 0"
    return Given(
        "zeros and ones",
        holds,
        text,
        unless(holds, _as_binary),
        lambda case, random: _with_entry(case, "M", random, Fraction(random.choice((-1, 1, 3)), 2)),
    )


BINARY = _binary(OF_LAYERS)
ALL_BINARY = _binary(OF_LAYERS & Each(upto(dim(J)), lambda i: (J[i] == 0) | (J[i] == 1)))
HALF_ROWS = Given(
    "half of each row",
    FILLED,
    "on each of the $pL$ layers at least half of the indices satisfy the bound",
    unless(FILLED, _half_rows),
    lambda case, random: _emptied("M", case),
)
STEEP = Given(
    "steep intervals",
    FIVE_SIXTHS,
    r"at least $\frac56(N-1)$ intervals contain a point with a large Jacobian",
    unless(FIVE_SIXTHS, _steep),
    lambda case, random: _emptied("J", case),
)
THREE = Given(
    "N at least 3",
    dim(J) >= 3,
    r"$N\ge3$: there are a closest and a second closest point",
    lambda case, random: lengthened(case, "N", 3),
)


def quarter_counted(proof: Proof) -> None:
    """A column of R entries has a sum of at most R, and below R/4 where it is not good; rows have
    sums of at least N/2. So R N/2 is at most R N/4 + 3/4 R times how many are good."""
    half, good = proof.given["half of each row"], how_many(upto(INDICES), is_good)
    first, second = proof.lemma("shape", M=M)
    layers, indices = length(proof, rows(M), first), length(proof, INDICES, second)
    columns = proof.summed(upto(INDICES), lambda i, member: _column(proof, i, member, layers))
    unit, share = inverse(proof, rows(M), proof.algebra(rows(M) > 0, {first: 1, (): 1}))
    weighed = proof.algebra(
        3 * QUARTER * rows(M) * good >= QUARTER * rows(M) * INDICES,
        {
            columns: 1,
            proof.sum(half): Fraction(1, 2),
            layers: INDICES / 2,
            indices: -QUARTER * rows(M),
        },
    )
    twelfth = Fraction(1, 12)
    uses: dict[Use, Coefficient] = {
        (weighed, share): 16 * twelfth,
        unit: INDICES / 3 - good,
        second: twelfth,
        (): twelfth,
    }
    proof.algebra(proof.goal, uses)


def _column(proof: Proof, i: Term, member: Fact, layers: Fact) -> Fact:
    """The sum of a column is at most R/4, or R where it is good."""
    binary, most = proof.given["zeros and ones"], 3 * QUARTER * rows(M)
    total = Sum(upto(rows(M)), lambda r: M[r, i])
    own = total <= QUARTER * rows(M) + most * When(is_good(i), 1, 0)

    def entry(layer: Term, at: Fact) -> Fact:
        either, value = proof.at(proof.at(binary, at), member), M[layer, i]
        return proof.cases(
            value == 0,
            lambda zero: proof.algebra(value <= 1, {zero: -1, (): 1}),
            lambda other: proof.algebra(value <= 1, {proof.other(value == 1, either, other): -1}),
        )

    all_of_them = proof.summed(upto(rows(M)), entry)
    return counted(
        proof,
        is_good(i),
        lambda _, one: proof.algebra(own, {all_of_them: 1, layers: -1, one: most}),
        lambda less, none: proof.algebra(own, {less: QUARTER, none: most}),
    )


# the statements -----------------------------------------------------------------------------------
AFTER_THRESHOLD = printed(PROOF + "after the depth threshold")
CLAIMS = (
    stated(
        "j23.thm10.jac.b",
        printed(PROOF + "third paragraph"),
        "most intervals are short",
        r"Since $\sum\lVert\tilde x_{i+1}-\tilde x_i\rVert=\lVert x_N-x_1\rVert\le\mathrm{diag}\,"
        r"\Omega$ there must be at least $p(N-1)$ intervals $i$ with $\lVert\tilde x_{i+1}-\tilde "
        r"x_i\rVert\le\frac{\mathrm{diag}\,\Omega}{(1-p)(N-1)}$.",
        p * dim(d) <= SHORT,
        [LENGTHS, PROPORTION],
        pool=pool_with(d, D, p, largest=6),
        proofs=[intervals_counted],
    ),
    stated(
        "j23.thm10.quarter.a",
        AFTER_THRESHOLD,
        "a fourth of the indices",
        r"At least one fourth of the indices $i$ satisfy for at least one fourth of the $pL$ "
        r"layers $\ell$ the bound that at least half of the indices satisfy on each of these "
        r"layers.",
        how_many(upto(INDICES), is_good) >= INDICES / 4,
        [BINARY, HALF_ROWS],
        depends=("j23.thm10.depth.b",),
        pool=pool_with(M, largest=6, adapt=_as_binary),
        proofs=[quarter_counted],
    ),
    stated(
        "j23.thm10.quarter.b",
        AFTER_THRESHOLD,
        "some with a steep interval",
        r"Amongst these indices there are at least some such that there is a point $x$ in "
        r"$[\tilde x_i,\tilde x_{i+1}]$ with $\lVert Jf_\theta(x)\rVert_{op}\ge cN^{1-1/k^*}$, "
        r"where at least $\frac56(N-1)$ of the $N-1$ intervals are so.",
        how_many(INTERVALS, lambda i: is_good(i) & (J[i] == 1)) >= 1,
        [THREE, ALL_BINARY, HALF_ROWS, STEEP],
        depends=("j23.thm10.quarter.a", "j23.thm10.jac.c"),
        pool=pool_with(M, J, largest=6, adapt=_as_binary),
    ),
)
