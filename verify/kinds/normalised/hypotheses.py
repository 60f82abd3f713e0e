"""Hypotheses about batch-normalised chains, as objects (see verify.cases.hypotheses).

Laws of the weights are hypotheses about `atoms` and `probs`, or about what a claim's own instances
hold instead. Numbers that equations tie (rows of norm sqrt(N), unit diagonals) are marked as held.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import Array
from graphs.definiteness import at_most
from verify.cases.hypotheses import Hypothesis, by_case, by_scene
from verify.cases.tensors import Tensor, Tensors
from verify.kinds.normalised.pool import (
    Law,
    onto_sphere,
    rows_of,
    spectrum,
    standard_law,
    two_points,
    with_law,
)
from verify.kinds.normalised.scene import Chained, ChainScene
from verify.statements.quantities import T, with_entries, with_rows


def held(case: T, *names: str) -> T:
    """The instance with arrays marked whose numbers equations tie."""
    return case.changing(**{name: replace(case.arrays[name], held=True) for name in names})


def vanishing(scene: ChainScene, values: Array) -> np.ndarray:
    """(C,) boolean: whether all numbers of an instance are 0."""
    flat = values.reshape(len(scene.cases), -1)
    return np.asarray(np.asarray(scene.arithmetic.may_be_zero(flat)).all(1))


def at_least_zero(scene: ChainScene, values: Array) -> np.ndarray:
    """(C,) boolean: whether no number of an instance is below 0."""
    flat = values.reshape(len(scene.cases), -1)
    return np.asarray(~np.asarray(scene.arithmetic.is_negative(flat)).any(1))


def above_zero(scene: ChainScene, values: Array) -> np.ndarray:
    """(C,) boolean: whether all numbers of an instance are above 0."""
    flat = values.reshape(len(scene.cases), -1)
    return np.asarray(
        at_least_zero(scene, values) & ~np.asarray(scene.arithmetic.may_be_zero(flat)).any(1)
    )


# hidden matrices ----------------------------------------------------------------------------------
def normalised_rows(name: str = "H") -> Hypothesis:
    """Every row of a matrix has norm sqrt(N): a layer after batch normalisation."""

    def test(scene: ChainScene) -> np.ndarray:
        rows = scene[name]
        squares = (rows * rows).sum(2)
        return vanishing(scene, squares - scene.arithmetic.array([scene.samples]))

    def repair(case: Chained, random: Random) -> Chained:
        rows = [onto_sphere(row) for row in rows_of(case.arrays[name])]
        return held(with_rows(case, name, rows), name)

    def break_(case: Chained, random: Random) -> Chained:
        rows = rows_of(case.arrays[name])
        places = random.choice((range(len(rows)), [random.randrange(len(rows))]))  # all, or one
        factor = random.choice((Fraction(2), Fraction(1, 2), Fraction(1, 4)))
        for place in places:
            rows[place] = [entry * factor for entry in rows[place]]
        return with_rows(case, name, rows)

    return Hypothesis(
        "normalised rows",
        rf"every row of ${name}$ has norm $\sqrt N$, as after batch normalisation",
        by_scene(test),
        repair,
        break_,
        thin=True,
    )


NORMALISED = normalised_rows()


def _square(case: Chained) -> bool:
    return case.lengths["d"] == case.lengths["N"]


def _to_square(case: Chained, random: Random) -> Chained:
    """Rows are cut, or filled with zeros and then repaired by what else is asked of them."""
    size, name = case.lengths["d"], "H" if "H" in case.arrays else "X"
    rows = [[*row, *[Fraction(0)] * size][:size] for row in rows_of(case.arrays[name])]
    entries = tuple(entry for row in rows for entry in row)
    return case.changing(**{name: Tensor(("d", "N"), (size, size), entries)})


def _not_square(case: Chained, random: Random) -> Chained:
    name = "H" if "H" in case.arrays else "X"
    rows = [[*row, Fraction(random.randint(-2, 2))] for row in rows_of(case.arrays[name])]
    entries = tuple(entry for row in rows for entry in row)
    shape = (len(rows), len(rows[0]))
    return case.changing(**{name: Tensor(("d", "N"), shape, entries)})


SQUARE = Hypothesis(
    "square",
    r"the matrix is square: $N=d$",
    by_case(_square),
    _to_square,
    _not_square,
)


# second moment matrices ---------------------------------------------------------------------------
def _symmetric(scene: ChainScene) -> np.ndarray:
    return vanishing(scene, scene["M"] - scene.transpose(scene["M"]))


def semidefinite(rows: Sequence[Sequence[Fraction]]) -> bool:
    """Whether a matrix is symmetric with eigenvalues at least 0."""
    size = len(rows)
    if any(rows[i][j] != rows[j][i] for i in range(size) for j in range(i)):
        return False
    return at_most([[-entry for entry in row] for row in rows], Fraction(0))


def _semidefinite(case: Chained) -> bool:
    return semidefinite(rows_of(case.arrays["M"]))


def _to_semidefinite(case: Chained, random: Random) -> Chained:
    """Symmetrised; the entries off the diagonal halved until it is positive semidefinite."""
    rows = rows_of(case.arrays["M"])
    size = len(rows)
    rows = [[(rows[i][j] + rows[j][i]) / 2 for j in range(size)] for i in range(size)]
    for i in range(size):
        rows[i][i] = abs(rows[i][i])
    for _ in range(12):
        found = with_rows(case, "M", rows)
        if _semidefinite(found):
            return held(found, "M")
        rows = [[x if i == j else x / 2 for j, x in enumerate(row)] for i, row in enumerate(rows)]
    return held(
        with_rows(
            case,
            "M",
            [
                [x if i == j else Fraction(0) for j, x in enumerate(row)]
                for i, row in enumerate(rows)
            ],
        ),
        "M",
    )


def _indefinite(case: Chained, random: Random) -> Chained:
    rows = rows_of(case.arrays["M"])
    if len(rows) == 1:
        return with_rows(case, "M", [[-abs(rows[0][0]) - 1]])
    i, j = random.sample(range(len(rows)), 2)
    rows[i][j] = rows[j][i] = Fraction(random.choice((2, -2, 3)))
    return with_rows(case, "M", rows)


SEMIDEFINITE = Hypothesis(
    "positive semidefinite",
    r"$M$ is symmetric and positive semidefinite, as $M(H)$ is",
    by_case(_semidefinite),
    _to_semidefinite,
    _indefinite,
    thin=True,
)


def _unit_diagonal(scene: ChainScene) -> np.ndarray:
    return vanishing(scene, scene.diagonal(scene["M"]) - scene.arithmetic.array([1]))


def _to_unit_diagonal(case: Chained, random: Random) -> Chained:
    """The diagonal made one; the entries off it halved until what was semidefinite still is."""
    rows = rows_of(case.arrays["M"])
    for i, row in enumerate(rows):
        row[i] = Fraction(1)
    before, found = _semidefinite(case), held(with_rows(case, "M", rows), "M")
    for _ in range(8):
        if not before or _semidefinite(found):
            break
        rows = [[x if i == j else x / 2 for j, x in enumerate(row)] for i, row in enumerate(rows)]
        found = held(with_rows(case, "M", rows), "M")
    return found


def _scaled_moment(case: Chained, random: Random) -> Chained:
    factor = random.choice((Fraction(1, 2), Fraction(2), Fraction(3)))
    entries = [entry * factor for entry in case.arrays["M"].entries]
    return with_entries(case, "M", entries)


UNIT_DIAGONAL = Hypothesis(
    "unit diagonal",
    r"$M_{ii}=1$ for every $i$, as for $H\in\mathcal H$",
    by_scene(_unit_diagonal),
    _to_unit_diagonal,
    _scaled_moment,
    thin=True,
)


# numbers ------------------------------------------------------------------------------------------
def positive_number(name: str, statement: str, ladder: Sequence[Fraction]) -> Hypothesis:
    """A number above 0."""
    return Hypothesis(
        f"{name} above 0",
        statement,
        by_scene(lambda scene: above_zero(scene, scene[name])),
        lambda case, random: (
            case
            if case.number(name) > 0
            else with_entries(case, name, [abs(case.number(name)) or random.choice(ladder)])
        ),
        lambda case, random: with_entries(
            case, name, [random.choice((Fraction(0), -abs(case.number(name))))]
        ),
    )


def number_between(
    name: str, low: Fraction | int, high: Fraction | int, statement: str
) -> Hypothesis:
    """A number in a closed interval."""
    low, high = Fraction(low), Fraction(high)

    def inside(value: Fraction) -> bool:
        return low <= value <= high

    def repair(case: Chained, random: Random) -> Chained:
        if inside(case.number(name)):
            return case
        return with_entries(case, name, [low + (high - low) * Fraction(random.randint(0, 8), 8)])

    def break_(case: Chained, random: Random) -> Chained:
        step = Fraction(random.choice((1, 2, 8)), 8)
        return with_entries(case, name, [random.choice((low - step, high + step))])

    return Hypothesis(
        f"{name} between {low} and {high}",
        statement,
        by_scene(
            lambda scene: (
                at_least_zero(scene, scene[name] - scene.constant(low))
                & at_least_zero(scene, scene.constant(high) - scene[name])
            )
        ),
        repair,
        break_,
    )


# spectra ------------------------------------------------------------------------------------------
NON_NEGATIVE = Hypothesis(
    "eigenvalues at least 0",
    r"$\lambda_i\ge0$: they are eigenvalues of a positive semidefinite matrix",
    by_scene(lambda scene: at_least_zero(scene, scene["lam"])),
    lambda case, random: with_entries(case, "lam", [abs(x) for x in case.arrays["lam"].entries]),
    lambda case, random: with_entries(
        case,
        "lam",
        [-abs(x) - 1 if k == 0 else x for k, x in enumerate(case.arrays["lam"].entries)],
    ),
)


def _mean_one(scene: ChainScene) -> np.ndarray:
    return vanishing(scene, scene["lam"].sum(1) - scene.constant(scene.width))


def _to_mean_one(case: Chained, random: Random) -> Chained:
    entries = case.arrays["lam"].entries
    total = sum(entries)
    if total == 0 or total < 0:
        return held(with_entries(case, "lam", spectrum(len(entries), random)), "lam")
    return held(with_entries(case, "lam", [x * len(entries) / total for x in entries]), "lam")


def _other_trace(case: Chained, random: Random) -> Chained:
    """All of them times a number (where their sum is 0, it is not d already)."""
    entries = case.arrays["lam"].entries
    factor = random.choice((Fraction(2), Fraction(3), Fraction(1, 2), Fraction(1, 3)))
    return with_entries(case, "lam", [x * factor for x in entries])


TRACE_D = Hypothesis(
    "trace d",
    r"$\sum_i\lambda_i=d$",
    by_scene(_mean_one),
    _to_mean_one,
    _other_trace,
    thin=True,
)


# finite weight laws -------------------------------------------------------------------------------
def _is_law(scene: ChainScene) -> np.ndarray:
    total = scene["probs"].sum(1) - scene.constant(1)
    return np.asarray(at_least_zero(scene, scene["probs"]) & vanishing(scene, total))


def _to_law(case: Chained, random: Random) -> Chained:
    shares = [abs(x) for x in case.arrays["probs"].entries]
    total = sum(shares)
    if total == 0:
        return with_law(case, standard_law(random))
    return held(with_entries(case, "probs", [share / total for share in shares]), "probs")


PROBABILITIES = Hypothesis(
    "a law",
    r"the atoms have probabilities that are at least $0$ and sum to $1$",
    by_scene(_is_law),
    _to_law,
    None,
    thin=True,
)


def law_of(case: Tensors) -> Law:
    """Atoms and probabilities of an instance."""
    return case.arrays["atoms"].entries, case.arrays["probs"].entries


def moment_of(law: Law, order: int) -> Fraction:
    """The moment of that order."""
    return sum((p * a**order for a, p in zip(*law, strict=True)), Fraction(0))


def is_symmetric(law: Law) -> bool:
    """Whether x and -x have the same probability, for every x."""
    masses: dict[Fraction, Fraction] = {}
    for atom, prob in zip(*law, strict=True):
        masses[atom] = masses.get(atom, Fraction(0)) + prob
    return all(masses.get(-atom, Fraction(0)) == mass for atom, mass in masses.items())


def _law_hypothesis(
    name: str,
    statement: str,
    predicate: Callable[[Law], bool],
    repair: Callable[[Law, Random], Law],
    break_: Callable[[Law, Random], Law],
) -> Hypothesis:
    def repaired(case: Chained, random: Random) -> Chained:
        law = law_of(case)
        return case if predicate(law) else with_law(case, repair(law, random))

    return Hypothesis(
        name,
        statement,
        by_case(lambda case: predicate(law_of(case))),
        repaired,
        lambda case, random: with_law(case, break_(law_of(case), random)),
        thin=True,
    )


def _centred(law: Law, random: Random) -> Law:
    """The atoms moved by their mean; numbers that sum to 0 are no law, and another one is drawn."""
    total = sum(law[1])
    if total == 0:
        return standard_law(random)
    mean = moment_of(law, 1) / total
    return tuple(atom - mean for atom in law[0]), law[1]


def _shifted(law: Law, random: Random) -> Law:
    shift = Fraction(random.choice((-2, -1, 1, 2)), 2)
    return tuple(atom + shift for atom in law[0]), law[1]


def _scaled(law: Law, random: Random) -> Law:
    scale = Fraction(random.choice((1, 3, 4)), 2)
    return tuple(atom * scale for atom in law[0]), law[1]


def _with_negatives(law: Law, random: Random) -> Law:
    return (*law[0], *(-atom for atom in law[0])), tuple(p / 2 for p in (*law[1], *law[1]))


MEAN_ZERO = _law_hypothesis(
    "mean zero",
    r"$\mathcal P$ has mean zero",
    lambda law: moment_of(law, 1) == 0,
    _centred,
    _shifted,
)

VARIANCE_ONE = _law_hypothesis(
    "variance one",
    r"$\mathcal P$ has variance one",
    lambda law: moment_of(law, 2) - moment_of(law, 1) ** 2 == 1,
    lambda law, random: standard_law(random, is_symmetric(law) or None),
    _scaled,
)

SYMMETRIC_LAW = _law_hypothesis(
    "symmetric law",
    r"$\mathcal P$ is symmetric around zero",
    is_symmetric,
    _with_negatives,
    lambda law, random: two_points(Fraction(random.choice((2, 3, 4)), random.choice((1, 5)))),
)
