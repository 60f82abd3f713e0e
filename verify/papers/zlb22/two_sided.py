"""Arguments from both sides: on families of linear networks the count from below is the order of
|H_f|, and the claim holds of that order, for all families of a list.

group_notation counts from below, group_orders from above. Where the two agree |H_f| is of
that order: at least, with a probability that does not fall, and at most, up to logarithms, with
probability 1 - exp(-c log^2 M) and on the whole ball. So what the count does not contradict is
true of these families, and where the count falls |H_f| tends to 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, product

import numpy as np

from graphs.rationals import RATIONALS
from verify.cases.array_scenes import MatrixScene
from verify.core.argument import Argument, Step
from verify.language.building import card, implies
from verify.language.statements import Statement
from verify.language.terms import Term
from verify.papers.zlb22.group_notation import NORM
from verify.papers.zlb22.group_orders import (
    DEEP,
    NORM_FROM_ABOVE,
    VARIANCE,
    VARIANCE_FROM_ABOVE,
)
from verify.papers.zlb22.group_shapes import Shape
from verify.papers.zlb22.profile import Profile, profile
from verify.statements.stated import Given

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
            if shape.mended() == shape:
                every = product(range(LARGEST + 1), repeat=count - 2)
                found += [Shape(shape.parents, (0, *sizes, 0)) for sizes in every]
    return tuple(found)


@cache
def _scenes(widths: tuple[int, ...]) -> tuple[MatrixScene, ...]:
    """Each shape as a case, with every number w."""
    numbers = [{"w": width} for width in widths] or [{}]
    cases = [profile(shape, "", **more) for shape in listed() for more in numbers]
    return tuple(Profile.scene(batch, RATIONALS) for batch in Profile.batches(cases))


def holds_on_list(says: Term, given: Sequence[Given], widths: tuple[int, ...]) -> tuple[int, bool]:
    """How many families of the list meet the hypotheses, and whether what is said is true of all
    these."""
    statement = Statement("families", says, {one.name: one.holds for one in given})
    count, asked, true = 0, 0, True
    for scene in _scenes(widths):
        met = np.ones(len(scene.cases), dtype=bool)
        for name in statement.given:
            met &= statement.hypothesis(name)(scene)
        found = statement.truths(scene)
        values = found.values[met[found.owner]]
        count, asked = count + int(met.sum()), asked + len(values)
        true = true and not any(value != 0 for value in values)
    return count, bool(asked) and true


@cache
def orders_agree() -> bool:
    """Whether the exponents of |H_f|^2 from above and from below are the same for all of them."""
    return holds_on_list(NORM_FROM_ABOVE == NORM, (), ())[1]


@cache
def variances_agree() -> bool:
    """The same of the matrix variance, where there is one."""
    return holds_on_list(implies(card(DEEP) > 0, VARIANCE_FROM_ABOVE == VARIANCE), (), ())[1]


def argument(
    says: Term, given: Sequence[Given], widths: tuple[int, ...] = (), *, variance: bool = False
) -> Argument:
    """That what is said of exponents is true of all families of the list that meet the hypotheses.
    widths: the exponents w of the cases. variance: of the matrix variance in place of |H_f|."""
    count, true = holds_on_list(says, given, widths)
    same = variances_agree() if variance else orders_agree()
    what = "the matrix variance" if variance else "|H_f|^2"
    return Argument(
        f"{what} has the same exponent from above and from below, and it is as claimed, for each "
        f"of {count} families that meet the hypotheses",
        (
            Step(f"{what}: from above as from below, {len(listed())} families", same),
            Step(f"as claimed, {count} families", true),
        ),
        FACTS,
        uses=tuple(one.name for one in given),
        scope=(SCOPE,),
        section="docs/mathematics/zlb22.md#the-two-counts-agree",
    )
