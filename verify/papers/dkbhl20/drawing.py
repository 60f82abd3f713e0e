"""How cases about batch-normalised chains are drawn: each array in the manner of its role.

Half of the numbers stay as the pool of arrays drew them (random, sparse, integers, extremes, what
a search chose), the other half become what the paper's setting speaks of: rows of norm sqrt(N),
unit-diagonal second moment matrices, weights of a law, small strengths, spectra of mean one.
Hypotheses repair what they ask for either way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from verify.cases.hypotheses import Change
from verify.cases.tensors import Tensor
from verify.statements.quantities import T, dot, with_entries, with_rows

Rows = list[list[Fraction]]
Law = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]  # atoms, probabilities

STRENGTHS = tuple(
    map(Fraction, ("1/100", "1/50", "1/20", "1/10", "1/2", "9/10", "1", "2", "10", "1/4", "1/16"))
)
LEVELS = tuple(map(Fraction, ("1/10", "1/4", "1/2", "3/4", "9/10", "1")))


def in_roles(*names: str) -> Change:
    """The change of a case that draws each of these arrays, half of the time, in the manner of its
    role."""

    def drawn(case: Any, random: Random) -> Any:
        for name in names:
            if random.random() < 0.5:
                case = ROLES[name](case, random)
        return case

    return drawn


# writing into a case ------------------------------------------------------------------------------
def whole(value: int) -> Tensor:
    """A whole number of a case."""
    return Tensor((), (), (Fraction(value),), integer=True)


def held(case: T, *names: str) -> T:
    """The case with arrays marked whose numbers equations tie."""
    return case.changing(**{name: replace(case.arrays[name], held=True) for name in names})


def rows_of(array: Tensor) -> Rows:
    """The rows of a matrix."""
    width = array.shape[1]
    return [list(array.entries[k : k + width]) for k in range(0, len(array.entries), width)]


# rows of norm sqrt(N) ---------------------------------------------------------------------------
def onto_sphere(row: Sequence[Fraction], signs: Sequence[int] | None = None) -> list[Fraction]:
    """A row of squared norm N: the row itself where it has it, else the reflection of a vector of
    signs (all ones) in the hyperplane orthogonal to it. Every rational direction is one."""
    square, count = dot(row, row), len(row)
    if square == count:
        return list(row)
    base = [Fraction(1)] * count if signs is None else [Fraction(sign) for sign in signs]
    if square == 0:
        return base
    factor = 2 * dot(row, base) / square
    return [b - factor * entry for b, entry in zip(base, row, strict=True)]


def _signs(count: int, random: Random) -> list[int]:
    return [random.choice((1, -1)) for _ in range(count)]


def _round(value: float) -> Fraction:
    return Fraction(round(value * 16), 16)


def gaussian_row(count: int, random: Random) -> list[Fraction]:
    """Independent rounded Gaussian numbers."""
    return [_round(random.gauss(0, 1)) for _ in range(count)]


def unit_rows(height: int, count: int, random: Random) -> Rows:
    """Rows of squared norm N: signs, reflections, few directions with signs, nearly collinear."""
    manner = random.choice(("signs", "sphere", "sphere", "low rank", "collinear", "one"))
    if manner == "signs":
        return [[Fraction(s) for s in _signs(count, random)] for _ in range(height)]
    if manner == "sphere":
        return [onto_sphere(gaussian_row(count, random)) for _ in range(height)]
    first = onto_sphere(gaussian_row(count, random))
    if manner == "collinear":
        small = Fraction(1, random.choice((10, 100, 1000)))
        rows = [
            [entry + small * g for entry, g in zip(first, gaussian_row(count, random), strict=True)]
            for _ in range(height)
        ]
        return [onto_sphere(row) for row in rows]
    basis = [first]
    if manner == "low rank":
        basis += [
            onto_sphere(gaussian_row(count, random)) for _ in range(random.randint(0, height - 1))
        ]
    rows = []
    for _ in range(height):
        sign = random.choice((1, -1))
        rows.append([sign * entry for entry in random.choice(basis)])
    return rows


def _hidden(case: Any, random: Random, name: str = "H") -> Any:
    height, count = case.arrays[name].shape
    rows = unit_rows(height, count, random)
    if random.random() < 0.2:  # inputs need no normalised rows
        rows = [[entry * random.choice((1, 2, 3)) for entry in row] for row in rows]
    return with_rows(case, name, rows)


# unit-diagonal second moments ---------------------------------------------------------------------
def second_moment_rows(size: int, random: Random) -> Rows:
    """A unit-diagonal positive semidefinite matrix of the menu: Gram matrices of rational unit
    vectors, equicorrelated, circulant, blocks, sign matrices of rank one, Hadamard conjugates."""
    manner = random.choice(("gram", "gram", "equal", "circulant", "blocks", "one", "hadamard"))
    made = MOMENTS[manner](size, random)
    signs = _signs(size, random) if random.random() < 0.5 else [1] * size
    return [[signs[i] * signs[j] * made[i][j] for j in range(size)] for i in range(size)]


def _gram(size: int, random: Random) -> Rows:
    count = random.randint(1, size + 1)
    rows = unit_rows(size, count, random)
    return [[dot(one, other) / count for other in rows] for one in rows]


def _equal(size: int, random: Random) -> Rows:
    low = Fraction(-1, size - 1) if size > 1 else Fraction(0)
    share = Fraction(random.choice((0, 1, 1, 2, 3, 4, 7, 8)), 8)
    c = random.choice((low * share, share))
    return [[Fraction(1) if i == j else c for j in range(size)] for i in range(size)]


def _circulant(size: int, random: Random) -> Rows:
    """Half the autocorrelation of a row: positive semidefinite; its diagonal made one."""
    row = [Fraction(random.randint(-2, 2)) for _ in range(size)]
    if not any(row):
        row[0] = Fraction(1)
    square = dot(row, row)
    lags = [
        sum((row[k] * row[(k + lag) % size] for k in range(size)), Fraction(0)) / square
        for lag in range(size)
    ]
    return [[lags[(j - i) % size] for j in range(size)] for i in range(size)]


def _blocks(size: int, random: Random) -> Rows:
    block = [random.randrange(size) for _ in range(size)]
    return [[Fraction(block[i] == block[j]) for j in range(size)] for i in range(size)]


def _one(size: int, random: Random) -> Rows:
    return [[Fraction(1)] * size for _ in range(size)]


def _hadamard(size: int, random: Random) -> Rows:
    """Q diag(lambda) Q^T / d with Sylvester's Q where d is a power of two, else equicorrelated."""
    if size & (size - 1):
        return _equal(size, random)
    levels = spectrum(size, random)
    walsh = [[(-1) ** bin(i & j).count("1") for j in range(size)] for i in range(size)]
    return [
        [
            sum((level * walsh[i][k] * walsh[j][k] for k, level in enumerate(levels)), Fraction(0))
            / size
            for j in range(size)
        ]
        for i in range(size)
    ]


MOMENTS = {
    "gram": _gram,
    "equal": _equal,
    "circulant": _circulant,
    "blocks": _blocks,
    "one": _one,
    "hadamard": _hadamard,
}


# spectra ------------------------------------------------------------------------------------------
def spectrum(size: int, random: Random) -> list[Fraction]:
    """Numbers at least 0 with sum d: flat, one apart, levels, random, falling."""
    manner = random.choice(("flat", "two", "levels", "random", "powers"))
    if manner == "flat":
        rank = random.randint(1, size)
        raw = [Fraction(k < rank) for k in range(size)]
    elif manner == "two":
        raw = [Fraction(random.choice((1, 2, 5, 50, 1000)))] + [Fraction(1)] * (size - 1)
    elif manner == "levels":
        raw = [Fraction(random.choice((0, 1, 1, 2, 4))) for _ in range(size)]
    elif manner == "random":
        raw = [abs(_round(random.gauss(0, 1))) for _ in range(size)]
    else:
        power = random.randint(1, 3)
        raw = [Fraction(1, (k + 1) ** power) for k in range(size)]
    total = sum(raw)
    if total == 0:
        return [Fraction(1)] * size
    return [value * size / total for value in raw]


# weights ------------------------------------------------------------------------------------------
def weight_rows(size: int, random: Random) -> Rows:
    """Weights of a law of the menu, rounded; corners of a cube, one row repeated, symmetric."""
    manner = random.choice(
        (
            "gaussian",
            "uniform",
            "rademacher",
            "sparse",
            "asymmetric",
            "shifted",
            "rows",
            "symmetric",
        )
    )
    if manner == "rows":
        entries = gaussian_row(size, random)
        return [[entry] * size for entry in entries]
    draw: dict[str, Callable[[], Fraction]] = {
        "gaussian": lambda: _round(random.gauss(0, 1)),
        "uniform": lambda: Fraction(random.randint(-27, 27), 16),
        "rademacher": lambda: Fraction(random.choice((1, -1))),
        "sparse": lambda: Fraction(random.choice((-4, 4, *[0] * 14))),
        "asymmetric": lambda: random.choice((Fraction(2), *[Fraction(-1, 2)] * 4)),
        "shifted": lambda: Fraction(random.randint(0, 55), 16),
        "symmetric": lambda: _round(random.gauss(0, 1)),
    }
    rows = [[draw[manner]() for _ in range(size)] for _ in range(size)]
    if manner == "symmetric":
        rows = [[rows[min(i, j)][max(i, j)] for j in range(size)] for i in range(size)]
    return rows


# finite weight laws -------------------------------------------------------------------------------
def two_points(a: Fraction) -> Law:
    """a with probability 1/(1 + a^2) and -1/a else: mean zero, variance one."""
    first = 1 / (1 + a * a)
    return (a, -1 / a), (first, 1 - first)


def three_points(b: Fraction) -> Law:
    """-b, 0, b with probabilities 1/(2 b^2), 1 - 1/b^2, 1/(2 b^2): W-3(b)."""
    outer = 1 / (2 * b * b)
    return (-b, Fraction(0), b), (outer, 1 - 2 * outer, outer)


def standard_law(random: Random, symmetric: bool | None = None) -> Law:
    """A finite law of mean zero and variance one."""
    even = random.random() < 0.6 if symmetric is None else symmetric
    if even:
        if random.random() < 0.5:
            return two_points(Fraction(1))
        return three_points(Fraction(random.choice((1, 2, 4, 16))))
    return two_points(Fraction(random.choice((2, 3, 4)), random.choice((1, 1, 5))))


def any_law(random: Random) -> Law:
    """A finite law: standard, shifted, scaled, or of random atoms and probabilities."""
    atoms, probs = standard_law(random)
    manner = random.choice(("standard", "standard", "shifted", "scaled", "random"))
    if manner == "shifted":
        shift = Fraction(random.choice((-2, -1, 1, 2)), 2)
        return tuple(atom + shift for atom in atoms), probs
    if manner == "scaled":
        scale = Fraction(random.choice((1, 3, 4)), 2)
        return tuple(atom * scale for atom in atoms), probs
    if manner == "random":
        shares = [random.randint(1, 4) for _ in atoms]
        return (
            tuple(gaussian_row(len(atoms), random)),
            tuple(Fraction(share, sum(shares)) for share in shares),
        )
    return atoms, probs


def with_law(case: T, law: Law) -> T:
    """The case with another weight law; its axis k takes the law's length."""
    atoms, probs = law
    axes, shape = ("k",), (len(atoms),)
    return case.changing(atoms=Tensor(axes, shape, atoms), probs=Tensor(axes, shape, probs))


def _number(name: str, ladder: Sequence[Fraction]) -> Change:
    return lambda case, random: with_entries(case, name, [random.choice(ladder)])


ROLES: dict[str, Change] = {
    "H": _hidden,
    "X": lambda case, random: _hidden(case, random, "X"),
    "M": lambda case, random: with_rows(case, "M", second_moment_rows(case.lengths["d"], random)),
    "W": lambda case, random: with_rows(case, "W", weight_rows(case.lengths["d"], random)),
    "gamma": _number("gamma", STRENGTHS),
    "tau": _number("tau", LEVELS),
    "lam": lambda case, random: with_entries(case, "lam", spectrum(case.lengths["d"], random)),
    "u": lambda case, random: with_entries(
        case, "u", [Fraction(sign) for sign in _signs(case.lengths["d"], random)]
    ),
    "atoms": lambda case, random: with_law(case, any_law(random)),
    "probs": lambda case, random: case,  # comes with the atoms
}
"""How each array is drawn where it is drawn as the paper speaks of it."""
