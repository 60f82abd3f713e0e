"""What leading coefficients tell of curves, against the curves themselves at late times."""

from fractions import Fraction
from math import hypot
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphs.rationals import RATIONALS
from verify.cases.tensors import Tensor, Tensors, tensor
from verify.language.evaluation import Evaluation
from verify.language.terms import Term
from verify.papers.lj22.curves import (
    CONVERGES_IN_DIRECTION,
    CURVES,
    CURVES_WITH_K,
    NO_ZERO_IN_LIMIT,
    NOT_CONSTANT,
    SETTLES_WITH_SIGNS,
    SETTLING,
    SHAPES,
    SIGNS_STAY,
    W_IN_BALL,
    P,
    Q,
    converges,
    swings,
)
from verify.papers.registry import find


def curve(p, q=None, k=0) -> Tensors:
    """The curve with these rows of coefficients; without q one that does not swing."""
    ends = (p, p if q is None else q)
    width = max(len(line) for end in ends for line in end)
    arrays = {
        name: tensor(("entry", "power"), [[*line, *[0] * (width - len(line))] for line in end])
        for name, end in zip(("p", "q"), ends, strict=True)
    }
    return Tensors({**arrays, "k": Tensor((), (), (Fraction(k),), integer=True)})


def printed(*v) -> Tensors:
    """v |t sin t|."""
    return curve([[0, 0] for _ in v], [[0, a] for a in v])


def holds(term: Term, case: Tensors) -> bool:
    """Whether a term has the value true."""
    found = Evaluation(Tensors.scene([case], RATIONALS)).column(term)
    return bool(found.defined[0]) and bool(found.values[0])


def at(case: Tensors, t: float, s: float) -> list[float]:
    """w(t) where |sin t| is s, but for the factor 1/(1 + |t|)^k."""
    powers = case.lengths["power"]
    ends = [
        [
            sum(float(c) * t**m for m, c in enumerate(array.entries[i : i + powers]))
            for i in range(0, len(array.entries), powers)
        ]
        for array in (case.arrays["p"], case.arrays["q"])
    ]
    return [(1 - s) * a + s * b for a, b in zip(*ends, strict=True)]


def late(case: Tensors) -> list[list[float]]:
    """w/|w| from a multiple of pi on to half-way."""
    points = [at(case, 1e8, s / 16) for s in range(17)]
    return [[x / (hypot(*w) or 1) for x in w] for w in points]


SEEDS = st.integers(0, 10**6)
DRAWN = SEEDS.map(lambda seed: CURVES.draw(Random(seed)))


@given(DRAWN)
def test_a_direction_that_is_told_to_converge_is_the_same_at_late_times(case):
    directions = late(case)
    first = directions[0]
    gap = max(abs(a - b) for w in directions for a, b in zip(w, first, strict=True))
    assert holds(converges(P, Q), case) == (gap < 1e-5 and all(map(any, directions)))


@given(DRAWN)
def test_signs_that_are_told_to_stay_do(case):
    assume(holds(converges(P, Q), case) and holds(NO_ZERO_IN_LIMIT.holds, case))
    assert holds(SIGNS_STAY, case)
    signs = {tuple(x > 0 for x in w) for w in late(case)}
    assert len(signs) == 1


def test_the_printed_function_has_a_direction_only_where_it_is_not_0():
    case = printed(2, -1)
    assert not holds(converges(P, Q), case)
    assert holds(converges(P, Q, "B"), case)
    assert not holds(converges(P, Q, "B"), printed(0))
    assert not holds(converges(P, Q, "B"), curve([[1], [0]], [[0], [1]]))


def test_late_signs():
    swinging = curve([[0, 1], [1]], [[0, 1], [-1]], k=1)  # (t, 1 - 2 |sin t|)/(1 + t)
    assert not holds(SIGNS_STAY, swinging)
    assert holds(SETTLES_WITH_SIGNS, swinging)
    assert not holds(SETTLES_WITH_SIGNS, curve([[0, 1], [1]], [[0, 1], [-1]]))  # not to 0
    assert not holds(SETTLES_WITH_SIGNS, curve([[0, 1], [1]], [[0, 1], [2]], k=1))
    assert holds(SIGNS_STAY, curve([[-5, 1], [9, -2]], [[7, 3], [0, -6]]))
    assert holds(SIGNS_STAY, curve([[0], [1]], [[1], [1]]))  # with sgn(0) = 1
    assert not holds(SIGNS_STAY, printed(1, -1))


@pytest.mark.parametrize(
    ("p", "k", "inside"),
    [
        ([[1]], 0, True),
        ([["149/100"]], 0, True),
        ([["3/2"]], 0, True),  # on the sphere around 1 of radius 1/2: not decided, so not against
        ([["151/100"]], 0, False),
        ([["51/100"]], 0, True),
        ([["49/100"]], 0, False),
        ([[0, 1]], 0, False),
        ([[0, 1]], 2, False),
        ([[5, 1]], 1, True),
        ([["3/5"], ["4/5"]], 0, True),
        ([["39/50"], ["52/50"]], 0, True),  # 13/10 times (3/5, 4/5), the radius is 3/10
        ([["39/50"], ["53/50"]], 0, False),
        ([["38/50"], ["51/50"]], 0, True),
        ([[1], [1]], 0, False),  # root 2 - 1 is above (root 2)/4
    ],
)
def test_the_ball_around_the_limit(p, k, inside):
    assert holds(W_IN_BALL, curve(p, k=k)) is inside


def test_a_curve_is_in_the_ball_only_if_both_its_ends_are():
    assert holds(W_IN_BALL, curve([[1]], [["5/4"]]))
    assert not holds(W_IN_BALL, curve([[1]], [[2]]))
    assert not holds(W_IN_BALL, curve([[1]], [[0, 1]]))


@pytest.mark.parametrize(
    ("case", "answer"),
    [
        (printed(1), True),
        (printed(-2, 3), True),
        (curve([[1]], [[1, 1]]), True),  # 1 + t |sin t|
        (curve([[1, -1]], [[1]]), True),  # 1 - t (1 - |sin t|)
        (curve([[2]], [[3]]), True),  # 2 + |sin t|
        (curve([[1]]), True),  # constant
        (curve([[0], [0]]), True),
        (curve([[0, 1]]), False),  # t
        (curve([[0, 1]], [[0, 2]]), False),
        (curve([[1]], [[0, 1]]), False),  # 1 - |sin t| at first, and never again below 1
        (curve([[0, 1], [1]]), False),  # off its line
        (curve([[1], [0]], [[1], [1]]), False),
    ],
)
def test_curves_that_return_to_each_of_their_points(case, answer):
    assert holds(swings(P, Q), case) is answer


@pytest.mark.parametrize(
    ("case", "answer"),
    [
        (curve([[2], [0]]), False),
        (curve([[2, 1]]), True),
        (curve([[1]], [[2]]), True),
    ],
)
def test_what_is_constant(case, answer):
    assert holds(NOT_CONSTANT.holds, case) is answer


# how they are drawn -----------------------------------------------------------------------------
@given(DRAWN, SEEDS)
def test_repaired_curves_converge_without_zeros(case, seed):
    for given_ in (CONVERGES_IN_DIRECTION, NO_ZERO_IN_LIMIT):
        case = given_.repair(case, Random(seed))
    assert holds(CONVERGES_IN_DIRECTION.holds & NO_ZERO_IN_LIMIT.holds, case)


@given(DRAWN, SEEDS)
def test_broken_curves_turn_or_have_a_zero_in_their_limit(case, seed):
    converging = CONVERGES_IN_DIRECTION.repair(case, Random(seed))
    assert not holds(
        CONVERGES_IN_DIRECTION.holds, CONVERGES_IN_DIRECTION.break_(converging, Random(seed))
    )
    flat = NO_ZERO_IN_LIMIT.break_(converging, Random(seed))
    assert not holds(CONVERGES_IN_DIRECTION.holds & NO_ZERO_IN_LIMIT.holds, flat)


def test_every_shape_is_drawn_and_some_curves_have_a_limit():
    draws = [CURVES_WITH_K.draw(Random(seed)) for seed in range(300)]
    assert {case.family for case in draws} == set(SHAPES)
    assert 60 < sum(holds(CONVERGES_IN_DIRECTION.holds, case) for case in draws) < 280


def test_settling_curves_have_a_zero_in_their_limit():
    draws = [SETTLING.draw(Random(seed)) for seed in range(100)]
    flat = [case for case in draws if holds(CONVERGES_IN_DIRECTION.holds, case)]
    assert sum(not holds(NO_ZERO_IN_LIMIT.holds, case) for case in flat) > 30


# Claims 1 and 2 ---------------------------------------------------------------------------------
def test_the_remark_is_a_counterexample_of_claim_1_without_its_second_hypothesis():
    claim, case = find("lj22.claim1@A"), curve([[0, 1], [1]], [[0, 1], [-1]])
    given_ = claim.terms.given
    assert holds(given_["direction converges"], case)
    assert not holds(given_["limit without zeros"], case)
    assert not holds(claim.terms.says, case)


def test_of_the_printed_function_a_direction_is_asked_at_every_time_by_one_reading_alone():
    case = Tensors({"v": tensor(("entry",), [2, 0, -1])})
    one, other = (find(f"lj22.claim2.a@{reading}").terms.says for reading in "AB")
    assert not holds(one, case)
    assert holds(other, case)
    assert not holds(other, Tensors({"v": tensor(("entry",), [0])}))


def test_the_direction_is_in_the_ball_only_if_both_its_limits_are():
    says = find("lj22.claim1.last.fix").terms.says
    assert holds(says, curve([[1, 2], [0, -1]], [[5, 4], [1, -2]]))
    assert not holds(says, curve([[1], [1]], [[1], [-1]]))
