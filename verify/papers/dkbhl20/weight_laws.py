"""Laws of the weight matrix known by their moments, and what Definition 1 asks of them.

An instance names a law of the menu (integer `law`, a row of LAWS), and how weights come from its
draws x: each is scale x + shift, and draws belong to one entry each (integer `ties` 0), to a row
(1, W-ROW) or to a pair of entries ij and ji (2, W-SYM). The shift is an integer. Means of
polynomials of degree at most four in the weights follow exactly. Laws with a density are among
them; finite ones as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from random import Random

from graphs.normalised.laws import (
    Law,
    MomentLaw,
    asymmetric,
    beta,
    gaussian,
    rademacher,
    student,
    three_points,
    uniform_unit_interval,
    uniform_unit_variance,
)
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.kinds.normalised.pool import chain_pool
from verify.kinds.normalised.scene import Chained
from verify.statements.quantities import with_entries

Place = tuple[int, int]  # row and column of a weight
Monomial = tuple[Place, ...]  # sorted; the empty one is the number 1
Polynomial = dict[Monomial, Fraction]  # in the weights
INDEPENDENT, ROWS, SYMMETRIC = range(3)


def _blurred() -> MomentLaw:
    """x/2 + u with x of W-ASYM and u uniform on [-3/2, 3/2]: a density, not symmetric, and unlike
    W-TRI with rational moments; mean 0, variance 1/4 + 3/4, m_3 = 3/16, m_4 = 749/320."""
    half, square, fourth = asymmetric().scaled("1/2"), Fraction(3, 4), Fraction(81, 80)
    even = (Fraction(1), Fraction(0), square, Fraction(0), fourth)
    moments = tuple(
        sum(
            (comb(n, k) * (half.moment(k) if k else 1) * even[n - k] for k in range(n + 1)),
            Fraction(0),
        )
        for n in (1, 2, 3, 4)
    )
    return MomentLaw("W-ASYM blurred", moments, Fraction(5, 2) ** 2, symmetric=False)


LAWS: tuple[Law, ...] = (
    uniform_unit_variance(),
    gaussian(),
    uniform_unit_interval(),
    beta(2),
    _blurred(),
    student(),
    rademacher(),
    three_points(2),
    asymmetric(),
)
"""The rows of the table that `law` numbers."""
FOOTNOTE = (1, 2)  # the laws that footnote 4 names
SCALES = tuple(map(Fraction, ("1/16", "1/8", "1/4", "1/2", "2", "3")))
SHIFTS = (1, -1, 2)


@dataclass(frozen=True)
class Weights:
    """The joint law of the entries of W.

    law: of one draw. scale, shift: a weight is scale x + shift. ties: which entries share a draw.
    """

    law: Law
    scale: Fraction
    shift: Fraction
    ties: int

    @property
    def moments(self) -> tuple[Fraction, ...]:
        """1 and the moments of orders 1 to 4 of a weight."""
        drawn = [Fraction(1)]
        for m in self.law.moments:
            if m is None:
                raise ValueError(f"law {self.law.name} has an irrational moment")
            drawn.append(m)
        return tuple(
            sum(
                (
                    comb(n, k) * self.scale**k * drawn[k] * self.shift ** (n - k)
                    for k in range(n + 1)
                ),
                Fraction(0),
            )
            for n in range(5)
        )

    @property
    def variance(self) -> Fraction:
        """m_2 - m_1^2."""
        _, first, second, *_ = self.moments
        return second - first * first

    def draw(self, place: Place) -> tuple[int, ...]:
        """Which draw a weight comes from."""
        i, k = place
        if self.ties == ROWS:
            return (i,)
        return (min(place), max(place)) if self.ties == SYMMETRIC else (i, k)

    def mean(self, polynomial: Mapping[Monomial, Fraction]) -> Fraction:
        """E of a polynomial in the weights of degree at most four."""
        moments, total = self.moments, Fraction(0)
        for monomial, coefficient in polynomial.items():
            term = coefficient
            for count in Counter(map(self.draw, monomial)).values():
                term *= moments[count]
            total += term
        return total


def weights_of(case: Tensors) -> Weights:
    """The law of an instance; where it has no `ties`, its weights are independent."""
    law = LAWS[case.whole("law") % len(LAWS)]
    shift = Fraction(case.whole("shift"))
    ties = case.whole("ties") if "ties" in case.arrays else INDEPENDENT
    return Weights(law, case.number("scale"), shift, ties)


# instances ----------------------------------------------------------------------------------------
def whole(value: int) -> Tensor:
    """An integer of an instance."""
    return Tensor((), (), (Fraction(value),), integer=True)


def _menu(case: Chained, random: Random) -> Chained:
    """Mostly standard weights: neither shifted nor scaled, and independent."""
    if random.random() < 0.7:
        case = case.changing(shift=whole(0))
    if random.random() < 0.7:
        case = with_entries(case, "scale", [Fraction(1)])
    return case.changing(ties=whole(INDEPENDENT)) if random.random() < 0.7 else case


def weighted_pool(*names: str, integers: Sequence[tuple[str, int, int]] = ()) -> TensorPool:
    """Instances with these arrays (see verify.kinds.normalised.pool) and a law of the weights."""
    return chain_pool(
        *names,
        extras=(("scale", ()),),
        integers=(
            ("law", 0, len(LAWS) - 1),
            ("ties", INDEPENDENT, SYMMETRIC),
            ("shift", min(SHIFTS), max(SHIFTS)),
            *integers,
        ),
        largest=3,
        last=_menu,
    )


# hypotheses ---------------------------------------------------------------------------------------
def _of_weights(
    name: str,
    statement: str,
    holds: Callable[[Weights], bool],
    repair: Callable[[Chained, Random], Chained],
    break_: Callable[[Chained, Random], Chained],
    *,
    thin: bool = False,
) -> Hypothesis:
    def test(case: Chained) -> bool:
        return holds(weights_of(case))

    def repaired(case: Chained, random: Random) -> Chained:
        return case if test(case) else repair(case, random)

    return Hypothesis(name, statement, by_case(test), repaired, break_, thin)


def _symmetric_draws(law: Law) -> bool:
    return law.symmetric


def _dense_draws(law: Law) -> bool:
    return law.has_density


def _bounded_draws(law: Law) -> bool:
    return law.squared_bound is not None


def _unit_draws(law: Law) -> bool:
    return law.moments[0] == 0 and law.moments[1] == 1


KEPT = (_symmetric_draws, _dense_draws, _bounded_draws, _unit_draws)


def _other_law(
    case: Chained, random: Random, asked: Callable[[Law], bool], *, has: bool = True
) -> Chained:
    """A law of the table that has a property, or lacks it, and else what the law before has."""
    before = weights_of(case).law
    fits = [k for k, law in enumerate(LAWS) if asked(law) == has]
    kept = [p for p in KEPT if p is not asked and p(before)]
    near = [k for k in fits if all(p(LAWS[k]) for p in kept)]
    return case.changing(law=whole(random.choice(near or fits)))


def _table_hypothesis(name: str, statement: str, asked: Callable[[Law], bool]) -> Hypothesis:
    """What a law of the table has or lacks, however it is shifted and scaled."""
    return _of_weights(
        name,
        statement,
        lambda weights: asked(weights.law),
        lambda case, random: _other_law(case, random, asked),
        lambda case, random: _other_law(case, random, asked, has=False),
    )


def _to_variance_one(case: Chained, random: Random) -> Chained:
    if weights_of(case).law.moments[1] == 1:
        return with_entries(case, "scale", [Fraction(random.choice((1, 1, -1)))])
    standard = _other_law(case, random, _unit_draws)
    return with_entries(standard, "scale", [Fraction(1)])


def _other_variance(case: Chained, random: Random) -> Chained:
    return with_entries(case, "scale", [random.choice(SCALES)])


IID = _of_weights(
    "independent weights",
    r"the entries of $W$ are i.i.d.",
    lambda weights: weights.ties == INDEPENDENT,
    lambda case, random: case.changing(ties=whole(INDEPENDENT)),
    lambda case, random: case.changing(ties=whole(random.choice((ROWS, SYMMETRIC)))),
)
CENTRED = _of_weights(
    "centred weights",
    r"$\mathcal P$ has mean zero",
    lambda weights: weights.moments[1] == 0,
    lambda case, random: case.changing(shift=whole(0)),
    lambda case, random: case.changing(shift=whole(random.choice(SHIFTS))),
    thin=True,
)
UNIT_VARIANCE = _of_weights(
    "weights of variance one",
    r"$\mathcal P$ has variance one",
    lambda weights: weights.variance == 1,
    _to_variance_one,
    _other_variance,
    thin=True,
)
# symmetric around its mean: with mean zero the same as around zero, and each can be broken alone
SYMMETRIC_WEIGHTS = _table_hypothesis(
    "symmetric weights",
    r"$\mathcal P$ is symmetric around its mean, which is zero",
    _symmetric_draws,
)
DENSITY = _of_weights(
    "weights with a density",
    r"$\mathcal P$ has a density",
    lambda weights: weights.law.has_density and weights.scale != 0,
    lambda case, random: with_entries(
        _other_law(case, random, _dense_draws), "scale", [case.number("scale") or Fraction(1)]
    ),
    lambda case, random: _other_law(case, random, _dense_draws, has=False),
)
BOUNDED = _table_hypothesis(
    "bounded weights",
    r"the support of $\mathcal P$ lies in $[-B,B]$ for some $B$",
    _bounded_draws,
)
STANDARD = (IID, CENTRED, UNIT_VARIANCE, SYMMETRIC_WEIGHTS, DENSITY)
"""Definition 1."""
