"""Arguments from both sides: on families of linear networks the count from below is the order of
|H_f|, and the claim holds of that order, for all families of a list.

profile counts from below, group_orders from above. Where the two agree |H_f| is of
that order: at least, with a probability that does not fall, and at most, up to logarithms, with
probability 1 - exp(-c log^2 M) and on the whole ball. So what the count does not contradict is
true of these families, and where the count falls |H_f| tends to 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, product

from graphs.rationals import RATIONALS
from verify.cases.hypotheses import Hypothesis, asks_case
from verify.cases.scenes import Entries
from verify.core.argument import Argument, Step, name_of
from verify.kinds.profiles.group_orders import matrix_variance, squared_norm_from_above
from verify.kinds.profiles.group_shapes import Shape
from verify.kinds.profiles.profile import Profile, ProfileScene, profile

MOST_HIDDEN, LARGEST = 3, 2
SCOPE = f"linear networks of at most {MOST_HIDDEN} hidden groups, of 1, M or M^2 neurons each"
WIDTHS = (1, 2)  # w: bottleneck neurons are those of in-degree below M^w
FACTS = (
    "E |W A|^2 <= 3 (n |A|^2 + |A|_F^2) for a standard normal W of n rows (Chevet; Poincare)",
    "the norm of (V, U) -> u . U B V a is |u| |B| |a|, and no weight enters two of the three",
    "the lemmas of Bonami, and of Paley and Zygmund",
    "families of more or larger groups, and networks that are not linear, are not looked at",
)


@cache
def listed() -> tuple[Shape, ...]:
    """Every well formed shape of so many hidden groups, of every size up to M^LARGEST, no skips."""
    found: list[Shape] = []
    for count in range(3, MOST_HIDDEN + 3):
        rows = (
            [row for k in range(1, g + 1) for row in combinations(range(g), k)]
            for g in range(1, count)
        )
        for parents in product(*rows):
            shape = Shape(((), *parents), (0,) * count)
            if shape.well_formed:
                every = product(range(LARGEST + 1), repeat=count - 2)
                found += [Shape(shape.parents, (0, *sizes, 0)) for sizes in every]
    return tuple(found)


@cache
def orders_agree() -> bool:
    """Whether the exponents of |H_f|^2 from above and from below are the same for all of them."""
    return all(squared_norm_from_above(shape) == shape.squared_norm for shape in listed())


@cache
def variances_agree() -> bool:
    """The same of the matrix variance, where there is one."""
    pairs = ((shape, matrix_variance(shape)) for shape in listed())
    return all(
        squared_norm_from_above(shape, inner=True) == below
        for shape, below in pairs
        if below is not None
    )


@cache
def _families(widths: tuple[int, ...]) -> tuple[Profile, ...]:
    """Each shape as an instance, with every number w."""
    numbers = [{"w": width} for width in widths] or [{}]
    return tuple(profile(shape, "", **more) for shape in listed() for more in numbers)


def _meeting(hypotheses: Sequence[Hypothesis], widths: tuple[int, ...]) -> list[Profile]:
    tests = [test for h in hypotheses if (test := asks_case(h)) is not None]
    return [case for case in _families(widths) if all(test(case) for test in tests)]


def argument(
    measure: Callable[[ProfileScene], Entries],
    hypotheses: Sequence[Hypothesis],
    widths: tuple[int, ...] = (),
    *,
    equal: bool = False,
    variance: bool = False,
) -> Argument:
    """That the exponents of a measure are at least 0 (equal: are 0) for all families of the list
    that meet the hypotheses. widths: the exponents w of the instances. variance: of the matrix
    variance in place of |H_f|."""
    cases = _meeting(hypotheses, widths)
    values = measure(ProfileScene(cases, RATIONALS)).values if cases else []
    holds = [value == 0 if equal else value >= 0 for value in values]
    same = variances_agree() if variance else orders_agree()
    what = "the matrix variance" if variance else "|H_f|^2"
    return Argument(
        f"{what} has the same exponent from above and from below, and it is as claimed, for each "
        f"of {len(cases)} families that meet the hypotheses",
        (
            Step(f"{what}: from above as from below, {len(listed())} families", same),
            Step(f"as claimed, {len(cases)} families", bool(holds) and all(holds)),
        ),
        FACTS,
        name_of(measure),
        tuple(hypothesis.name for hypothesis in hypotheses),
        (SCOPE,),
        section="docs/mathematics/zlb22.md#the-two-counts-agree",
    )
