"""The laws of a weight: the two popular ones, and others that miss a condition of Definition 1.

Daneshmand, Kohler, Bach, Hofmann, Lucchi (2020), Definition 1: entries i.i.d., mean zero, variance
one, with a density that is symmetric around zero. A law here says which of these it meets, by its
moments and its support, exact where they are rational.

An entry is a function of uniform numbers (numerics.chains.recipes), so that every backend draws the
same entry from the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, sqrt

import torch
from torch import Tensor

from numerics.chains.recipes import (
    ATOMS,
    BETA,
    NORMAL,
    STUDENT,
    TRIANGULAR,
    UNIFORM,
    base_entries,
    words_for,
)

Number = Fraction | float
"""A rational where the value is one, else a float."""

INDEPENDENT, EQUAL_IN_ROWS, SYMMETRIC_MATRIX = range(3)
"""How the entries of a matrix belong together."""

SMALLEST = 2.0**-54  # half the distance of the uniform numbers of torch: none is 0


@dataclass(frozen=True)
class Law:
    """The law of the entries of a weight matrix: `scale` times a base law plus `shift`.

    mean, variance, third: of an entry, the third moment taken around the mean. low, high: the
    least and the largest value, infinite where there is none. symmetric: whether an entry and its
    negative have one law (around zero). density: whether it has a density. atoms: values and their
    probabilities where there are finitely many. structure: INDEPENDENT, EQUAL_IN_ROWS or
    SYMMETRIC_MATRIX. kind and numbers: the recipe of the base law.
    """

    name: str
    kind: int
    numbers: tuple[float, ...]
    mean: Number
    variance: Number
    third: Number
    low: float
    high: float
    symmetric: bool
    density: bool
    atoms: tuple[tuple[Fraction, Fraction], ...] | None = None
    scale: Number = Fraction(1)
    shift: Number = Fraction(0)
    structure: int = INDEPENDENT

    @property
    def independent(self) -> bool:
        """Whether all entries of a matrix are independent."""
        return self.structure == INDEPENDENT

    @property
    def bound(self) -> float:
        """The least B whose interval [-B, B] holds the support."""
        return max(abs(self.low), abs(self.high))

    @property
    def standard(self) -> bool:
        """Whether Definition 1 is met, all of it."""
        centred = self.mean == 0 and self.variance == 1
        return centred and self.symmetric and self.density and self.independent

    def shifted(self, by: Number) -> Law:
        """This law plus a constant (`W-SHIFT`)."""
        atoms = self.atoms
        if atoms is not None:
            exact = Fraction(by)
            atoms = tuple((value + exact, mass) for value, mass in atoms)
        return replace(
            self,
            name=f"{self.name} + {by}",
            mean=_sum(self.mean, by),
            low=self.low + float(by),
            high=self.high + float(by),
            symmetric=self.symmetric and by == 0,
            atoms=atoms,
            shift=_sum(self.shift, by),
        )

    def scaled(self, by: Number) -> Law:
        """This law times a constant other than 0 (`W-SCALE`).

        Raises ValueError for the constant 0.
        """
        if by == 0:
            raise ValueError("scale 0 leaves no randomness: give another number")
        atoms = self.atoms
        if atoms is not None:
            exact = Fraction(by)
            atoms = tuple((value * exact, mass) for value, mass in atoms)
        ends = sorted((self.low * float(by), self.high * float(by)))
        return replace(
            self,
            name=f"{by} {self.name}",
            mean=_product(self.mean, by),
            variance=_product(self.variance, _product(by, by)),
            third=_product(self.third, _product(by, _product(by, by))),
            low=ends[0],
            high=ends[1],
            atoms=atoms,
            scale=_product(self.scale, by),
            shift=_product(self.shift, by),
        )

    def with_equal_rows(self) -> Law:
        """All entries of a row are one draw (`W-ROW`)."""
        return replace(self, name=f"{self.name}, rows", structure=EQUAL_IN_ROWS)

    def with_symmetric_matrix(self) -> Law:
        """Entries (i, j) and (j, i) are one draw (`W-SYM`)."""
        return replace(self, name=f"{self.name}, symmetric", structure=SYMMETRIC_MATRIX)

    def draw(self, generator: torch.Generator, *shape: int) -> Tensor:
        """Float64 entries of this shape; its last two axes are the rows and columns of a matrix
        where the entries are not independent.

        >>> law = asymmetric()
        >>> sorted(set(law.draw(torch.Generator().manual_seed(0), 3, 40).flatten().tolist()))
        [-0.5, 2.0]
        """
        count = torch.Size(shape).numel()
        words = words_for(self.kind, count)
        uniforms = torch.rand(words, generator=generator, dtype=torch.float64) + SMALLEST
        return structured(self, entries(self, uniforms)[:count].reshape(shape))


def entries(law: Law, uniforms: Tensor) -> Tensor:
    """Entries from uniform numbers in (0, 1), along the last axis (..., words) -> (..., count)."""
    return base_entries(law.kind, law.numbers, uniforms) * float(law.scale) + float(law.shift)


def structured(law: Law, matrices: Tensor) -> Tensor:
    """Matrices (..., rows, columns) of independent entries, tied as the law says."""
    if law.structure == EQUAL_IN_ROWS:
        return matrices[..., :1].expand(matrices.shape)
    if law.structure == SYMMETRIC_MATRIX:
        upper = matrices.triu()
        return upper + matrices.triu(1).mT
    return matrices


# the menu ----------------------------------------------------------------------------------------
def gaussian() -> Law:
    """`W-G`: the standard normal law."""
    return Law("W-G", NORMAL, (), *_moments(0, 1, 0), -inf, inf, True, True)


def uniform(half_width: float, variance: Number, name: str) -> Law:
    """Uniform on [-half_width, half_width]; the variance is half_width^2 / 3, exact if given so."""
    ends = (-half_width, half_width)
    zero = Fraction(0)
    return Law(name, UNIFORM, (), zero, variance, zero, *ends, True, True, scale=half_width)


def uniform_of_variance_one() -> Law:
    """`W-U3`: uniform on [-sqrt(3), sqrt(3)]."""
    return uniform(sqrt(3), Fraction(1), "W-U3")


def uniform_up_to_one() -> Law:
    """`W-U1`: uniform on [-1, 1], of variance 1/3 (footnote 4)."""
    return uniform(1.0, Fraction(1, 3), "W-U1")


def torch_default(width: int) -> Law:
    """`W-STD`: uniform on [-1/sqrt(d), 1/sqrt(d)], PyTorch's initialisation of a layer of d
    inputs."""
    return uniform(1 / sqrt(width), Fraction(1, 3 * width), "W-STD")


def positive(width: int) -> Law:
    """`W-POS`: uniform on [0, 2/sqrt(d)], of the same variance as `W-STD`."""
    law = torch_default(width)
    half = 1 / sqrt(width)
    return replace(
        law, name="W-POS", mean=half, shift=half, low=0.0, high=2 * half, symmetric=False
    )


def finite(name: str, atoms: Sequence[tuple[Number, Number]]) -> Law:
    """Two or three values with their probabilities, all of them rational.

    Raises ValueError for another number of values, or probabilities that do not sum to one.
    """
    pairs = tuple((Fraction(value), Fraction(mass)) for value, mass in atoms)
    if len(pairs) not in (2, 3) or sum(mass for _, mass in pairs) != 1:
        raise ValueError(f"{name}: give two or three values whose probabilities sum to 1")
    mean = sum((value * mass for value, mass in pairs), Fraction(0))
    variance, third = (sum(((v - mean) ** k * p for v, p in pairs), Fraction(0)) for k in (2, 3))
    masses: dict[Fraction, Fraction] = {}
    for value, mass in pairs:
        masses[value] = masses.get(value, Fraction(0)) + mass
    values = [float(value) for value, _ in pairs]
    values += values[-1:] * (3 - len(values))
    below = float(pairs[0][1])
    also = 2.0 if len(pairs) == 2 else float(pairs[0][1] + pairs[1][1])
    charged = [float(value) for value, mass in masses.items() if mass]
    symmetric = all(masses.get(-value, Fraction(0)) == mass for value, mass in masses.items())
    recipe = (*values, below, also)
    low, high = min(charged), max(charged)
    return Law(name, ATOMS, recipe, mean, variance, third, low, high, symmetric, False, atoms=pairs)


def rademacher() -> Law:
    """`W-R`: -1 and 1 with equal probability."""
    return finite("W-R", [(-1, Fraction(1, 2)), (1, Fraction(1, 2))])


def three_points(b: Number) -> Law:
    """`W-3(b)`: -b and b with probability 1/(2 b^2) each, else 0. Raises ValueError for b < 1."""
    exact = Fraction(b)
    if exact < 1:
        raise ValueError(f"b = {b}: the probabilities 1/(2 b^2) need b of at least 1")
    side = 1 / (2 * exact**2)
    return finite(f"W-3({b})", [(-exact, side), (Fraction(0), 1 - 2 * side), (exact, side)])


def beta(bound: Number) -> Law:
    """`W-BETA(B)`: B (2 Z - 1), Z of the law Beta(a, a), a = (B^2 - 1)/2. Raises ValueError for
    B <= 1."""
    if bound <= 1:
        raise ValueError(f"B = {bound}: a law of variance one needs B > 1")
    a = (float(bound) ** 2 - 1) / 2
    numbers = (float(bound), 2 / (2 * a + 1), 1 / a, a / (a + 0.5))
    ends = (-float(bound), float(bound))
    return Law(f"W-BETA({bound})", BETA, numbers, *_moments(0, 1, 0), *ends, True, True)


def asymmetric() -> Law:
    """`W-ASYM`: 2 with probability 1/5, -1/2 with probability 4/5."""
    return finite("W-ASYM", [(2, Fraction(1, 5)), (Fraction(-1, 2), Fraction(4, 5))])


def triangular() -> Law:
    """`W-TRI`: density 2 (2 a - x) / (9 a^2) on [-a, 2 a], a = sqrt(2)."""
    a = sqrt(2)
    moments = (Fraction(0), Fraction(1), a**3 / 5)
    return Law("W-TRI", TRIANGULAR, (a,), *moments, -a, 2 * a, False, True)


def student(freedom: int = 5) -> Law:
    """`W-T`: Student's t with 5 degrees of freedom (more than three), scaled to variance one."""
    if freedom <= 3:
        raise ValueError(f"{freedom} degrees of freedom: the third moment needs more than 3")
    numbers = (freedom - 2.0, 2 / freedom)
    return Law(f"W-T({freedom})", STUDENT, numbers, *_moments(0, 1, 0), -inf, inf, True, True)


def menu(width: int) -> tuple[Law, ...]:
    """Every law named in the claims, for matrices of this width."""
    third = Fraction(1, 3)
    return (
        gaussian(),
        uniform_of_variance_one(),
        uniform_up_to_one(),
        positive(width),
        torch_default(width),
        rademacher(),
        three_points(1),
        three_points(2),
        three_points(4),
        beta(Fraction(6, 5)),
        beta(2),
        beta(4),
        asymmetric(),
        triangular(),
        uniform_of_variance_one().shifted(sqrt(3)),
        gaussian().shifted(third),
        gaussian().scaled(2),
        rademacher().scaled(third),
        student(),
        gaussian().with_equal_rows(),
        gaussian().with_symmetric_matrix(),
    )


def named(name: str, width: int) -> Law:
    """A law of the menu. Raises KeyError for another name."""
    return {law.name: law for law in menu(width)}[name]


def _moments(*numbers: int) -> tuple[Fraction, Fraction, Fraction]:
    mean, variance, third = numbers
    return Fraction(mean), Fraction(variance), Fraction(third)


def _sum(one: Number, other: Number) -> Number:
    exact = isinstance(one, Fraction | int) and isinstance(other, Fraction | int)
    return Fraction(one) + Fraction(other) if exact else float(one) + float(other)


def _product(one: Number, other: Number) -> Number:
    if one == 0 or other == 0:
        return Fraction(0)
    exact = isinstance(one, Fraction | int) and isinstance(other, Fraction | int)
    return Fraction(one) * Fraction(other) if exact else float(one) * float(other)
