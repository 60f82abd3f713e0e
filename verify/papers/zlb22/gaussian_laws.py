"""What instances of Lemmas K.4 to K.8 share: the level t, a law of the weights, how often a bound
may fail.

An instance is a law for which the frequency of failure is known in closed form, and a level `t`.
The weights are standard normal, or all of them are multiplied by `scale` with probability `chance`
(heavy tails). Where `own` is 1, the matrix that is to be fixed is made of the weights themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from verify.cases.hypotheses import Change
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.language.building import Each, Max, Number, Vector, When, Whole, dim, upto
from verify.language.terms import Term, written
from verify.papers.zlb22.gaussian_tails import by_law, chance, chi_tail, paired_tail, scale
from verify.statements.quantities import with_entries, with_value
from verify.statements.stated import Given, pool_with

KNOWN_LAW = (
    "probabilities are exact on the families whose law is known "
    "(docs/mathematics/zlb22.md#exact-probabilities)"
)
LARGEST_SIZE = 404
t = Number("t", meaning="the level")
own = Whole("own", 0, 1)
size = Whole("size", 1, LARGEST_SIZE)
sizes = Vector("sizes", "k", meaning="the singular values of a matrix, each of them twice")


def made_of_weights(x: Term, otherwise: Term) -> Term:
    """P(|w| > x) in dimension `size` where the matrix is made of the weights; else what is known of
    a fixed matrix."""
    return When(own == 1, by_law(lambda y: chi_tail(size, y), x), otherwise)


def under_sizes(x: Term) -> Term:
    """P(|A w| > x) for A with these singular values, each twice."""
    return by_law(lambda y: paired_tail(sizes, y), x)


@written(r"s_{\max}({0:})")
def largest(numbers: Term) -> Term:
    """The largest of them, in absolute value."""
    return Max(upto(dim(numbers)), lambda i: abs(numbers[i]))


# hypotheses ---------------------------------------------------------------------------------------
def _proper(case: Tensors) -> Tensors:
    """A probability, and a factor above 0."""
    case = with_value(case, "chance", abs(case.number("chance")) % 1)
    return with_value(case, "scale", abs(case.number("scale")) or 1)


LAW = Given(
    "a law of the weights",
    (chance >= 0) & (chance <= 1) & (scale > 0),
    "with the probability `chance` all weights are multiplied by the number `scale` above 0",
    lambda case, random: _proper(case),
    built_in=True,
)


def _of_the_weights(dimension: int) -> Change:
    """Breaks FIXED in about that dimension."""

    def change(case: Tensors, random: Random) -> Tensors:
        case = with_value(with_value(case, "own", 1), "t", random.randint(2, 3))
        return with_value(case, "size", dimension + 2 * random.randint(0, 2))

    return change


def fixed(words: str, dimension: int) -> Given:
    """That the vector or the matrices do not depend on the weights."""
    return Given(
        "fixed beforehand",
        own == 0,
        words,
        lambda case, random: with_value(case, "own", 0),
        _of_the_weights(dimension),
    )


def _heavy(case: Tensors, random: Random) -> Tensors:
    """At a level at which the printed bound is well below 1."""
    if case.number("t") < 2:
        case = with_value(case, "t", 3)
    case = with_value(case, "chance", Fraction(random.randint(1, 3), 4))
    return with_value(case, "scale", random.choice((16, 64, 256)))


STANDARD = Given(
    "standard normal",
    (chance == 0) | (scale == 1),
    "the weights are standard normal",
    lambda case, random: with_value(case, "chance", 0),
    _heavy,
)


def _negative_level(case: Tensors, random: Random) -> Tensors:
    return with_value(case, "t", -random.randint(2, 4))


ABOVE_0 = Given(
    "level above 0",
    t > 0,
    "$t>0$",
    lambda case, random: with_value(case, "t", abs(case.number("t")) or Fraction(1, 2)),
    _negative_level,
)
AT_LEAST_0 = Given(
    "level at least 0",
    t >= 0,
    r"$t\ge0$",
    lambda case, random: with_value(case, "t", abs(case.number("t"))),
    _negative_level,
)


def different_sizes(case: Tensors, random: Random) -> Tensors:
    """Singular values above 0, no two of them the same."""
    made: list[Fraction] = []
    for entry in case.arrays["sizes"].entries:
        one = abs(entry) or Fraction(1)
        while one in made:
            one += 1
        made.append(one)
    return with_entries(case, "sizes", made)


SIZES_DIFFER = Given(
    "different sizes",
    Each(
        upto(dim(sizes)),
        lambda i: (sizes[i] > 0) & Each(upto(i - 1), lambda j: sizes[i] != sizes[j]),
    ),
    "the singular values of the matrix are different, above $0$, and each is there twice",
    different_sizes,
    built_in=True,
)


# the pool -----------------------------------------------------------------------------------------
LARGEST_LEVEL = 12
KEEN = 0.6  # the share of draws in which little is allowed
LARGE_LEVELS = (Fraction(3), Fraction(8), Fraction(11))
MANY_SIZES = 40


@dataclass(frozen=True)
class LawPool(TensorPool):
    """Laws and levels. Some draws are of standard normal weights where a bound that is a little
    smaller fails: at a large level, with a small radius; with singular values (axis "k") far apart,
    or many and nearly the same, at a level at which the printed probability is small."""

    def draw(self, random: Random, *, n: int = 1, loss: str = "", large: bool = True) -> Tensors:
        """One random instance."""
        case = super().draw(random, n=n, loss=loss, large=large)
        return _keen(case, random) if random.random() < KEEN else case

    def scope(self) -> tuple[str, ...]:
        """The range of axes and integers."""
        sized = any("k" in axes for _, axes in self.arrays)
        more = (f"{MANY_SIZES} singular values that are nearly the same",) if sized else ()
        return (*super().scope(), *more)


def _keen(case: Tensors, random: Random) -> Tensors:
    case = with_value(with_value(case, "t", random.choice(LARGE_LEVELS)), "chance", 0)
    if "R" in case.arrays:
        radius = random.choice((Fraction(0), Fraction(1, 2)))
        case = with_value(with_value(case, "R", radius), "D", radius)
    found = case.arrays.get("sizes")
    if found is None or found.axes != ("k",):
        return case
    many = tuple(2 + Fraction(k, 64) for k in range(MANY_SIZES)), Fraction(5, 2)
    apart = tuple(Fraction(8) ** -k for k in range(4)), Fraction(5)
    single = found.entries[:1], case.number("t")
    entries, level = random.choice((many, many, apart, apart, single))
    shaped = replace(found, shape=(len(entries),), entries=entries)
    return with_value(case.changing(sizes=shaped), "t", level)


def law_pool(*arrays: Term, adapt: Callable[[Tensors, Random], Tensors] | None = None) -> LawPool:
    """A level that is no larger than the tables, a law, arrays, and the dimension where the matrix
    is made of the weights."""

    def change(case: Tensors, random: Random) -> Tensors:
        case = _proper(case if adapt is None else adapt(case, random))
        level = case.number("t")
        return with_value(
            case, "t", level % LARGEST_LEVEL if level >= 0 else -(-level % LARGEST_LEVEL)
        )

    made = pool_with(t, chance, scale, own, Whole("size", 1, 8), *arrays)
    return LawPool(made.arrays, made.integers, made.largest, change)
