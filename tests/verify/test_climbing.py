"""Gradient ascent on violations: what is climbed, by what derivatives, and where it leads."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest
import torch

from graphs.rationals import RATIONALS
from numerics.floats import FloatArray, Floats
from tests.verify.measured import compare, constant, measured
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors, tensor
from verify.core.claim import Kind, Source
from verify.language.building import Each, examples, nu
from verify.papers.registry import find
from verify.search.climbing import climb
from verify.search.drawing import draw
from verify.search.float_violations import largest_violations, normalised
from verify.search.judging import judge_exactly, look_at, view
from verify.statements.network_hypotheses import DATA
from verify.statements.stated import stated

RATES = (0.2, 0.003)
DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
SCENES = [
    "lj22.lemma2a",
    "lj22.lemma3@B",
    "lj22.eq3",
    "lj22v1.thm1-3",
    "lj22.bias@BB",
    "lj22.weyl.a",
    "lj22.lemma11-79.fix",
    "lj22.thm2-84.fix",
]


def cases_of(claim, count, seed=1):
    random = Random(seed)
    n = claim.pool.examples[0]
    cases = [draw(claim, random, n=n, loss="prescribed", large=False) for _ in range(count)]
    return list(max(map(list, type(cases[0]).batches(cases)), key=len))


# other numbers ------------------------------------------------------------------------------
@pytest.mark.parametrize("name", SCENES)
def test_a_moved_scene_is_the_scene_of_the_moved_cases(name):
    claim = find(name)
    cases = cases_of(claim, 12)
    random = Random(2)
    moved = [
        case.with_numbers([x + Fraction(random.randint(-3, 3), 8) for x in case.numbers])
        for case in cases
    ]
    if name == "lj22.weyl.a":  # of symmetric matrices, which the cases must be
        moved = [claim.hypotheses[0].repair(case, random) for case in moved]
    numbers = RATIONALS.array([x for case in moved for x in case.numbers])
    scene = type(cases[0]).scene(cases, RATIONALS).moved(numbers)
    ours, theirs = look_at(claim, scene).entries, view(claim, moved, RATIONALS).entries
    assert list(ours.values) == list(theirs.values)
    assert list(ours.left) == list(theirs.left)
    assert any(ours.values != view(claim, cases, RATIONALS).entries.values) or not any(
        theirs.values
    )
    assert [case.with_numbers(case.numbers) for case in cases] == cases


def test_integers_stay():
    case = Tensors({"k": tensor((), 3, integer=True), "x": tensor(("n",), [1, 2])})
    assert case.numbers == (1, 2)
    assert case.with_numbers((5, 6)).to_json()["arrays"] == {
        "k": {"axes": [], "entries": "3", "integer": True},
        "x": {"axes": ["n"], "entries": ["5", "6"]},
    }


# what is climbed --------------------------------------------------------------------------------
def bowl(scene):
    """x^2 + y^2 >= 1/4: false within a circle."""
    x, y = scene["x"], scene["y"]
    return compare(scene, x * x + y * y, constant(scene, Fraction(1, 4)))


BOWL = measured(bowl, TensorPool((("x", ()), ("y", ()))))
PLACES = [Tensors({"x": tensor((), x), "y": tensor((), y)}) for x, y in ((3, 4), (0, 2), (-1, 1))]


def scores_of(claim, cases):
    place = torch.tensor(
        [float(x) for case in cases for x in case.numbers], dtype=torch.float64, requires_grad=True
    )
    scene = type(cases[0]).scene(cases, Floats()).moved(FloatArray(place))
    scores, met = largest_violations(claim, look_at(claim, scene))
    return scores, met, place


def test_scores_and_their_derivatives_by_hand():
    """The score is (1/4 - s) / s with s = x^2 + y^2, so its derivative in x is -x / (2 s^2)."""
    scores, met, place = scores_of(BOWL, PLACES)
    assert met.all()
    sums = np.array([25, 4, 2])
    assert scores.detach().numpy() == pytest.approx((0.25 - sums) / sums)
    (slopes,) = torch.autograd.grad(scores.sum(), place)
    expected = [
        -float(x) / (2 * s * s) for case, s in zip(PLACES, sums, strict=True) for x in case.numbers
    ]
    assert slopes.numpy() == pytest.approx(expected)


@pytest.mark.parametrize("name", ["lj22.lemma11-79.fix", "lj22.thm2-84.fix", "lj22.eq3"])
def test_derivatives_of_scores_are_difference_quotients(name):
    claim, step, random = find(name), 1e-6, Random(4)
    pool = cases_of(claim, 40)
    case = max(pool, key=lambda case: len(case.numbers))
    other = [Fraction(random.randint(-99, 99), 64) for _ in case.numbers]
    cases = [case.with_numbers(other), case.with_numbers(other[::-1])]  # in general position
    scores, _, place = scores_of(claim, cases)
    (slopes,) = torch.autograd.grad(scores.sum(), place)
    scene = type(case).scene(cases, Floats())
    for k in range(len(place)):
        ends = []
        for sign in (1, -1):
            moved = place.detach().clone()
            moved[k] += sign * step
            seen = look_at(claim, scene.moved(FloatArray(moved)))
            ends.append(float(largest_violations(claim, seen)[0].sum()))
        quotient = (ends[0] - ends[1]) / (2 * step)
        assert float(slopes[k]) == pytest.approx(quotient, rel=1e-4, abs=1e-6)
    assert slopes.any()


def test_where_both_sides_are_0_there_is_no_violation():
    zero = [Tensors({"x": tensor((), 0), "y": tensor((), 0)})]
    same = replace(BOWL, measure=lambda scene: compare(scene, scene["x"], scene["y"]))
    entries = view(same, zero, Floats()).entries
    assert normalised(entries, Kind.INEQUALITY).tolist() == [0.0]
    assert normalised(entries, Kind.IDENTITY).tolist() == [0.0]


# where it leads -----------------------------------------------------------------------------------
@pytest.mark.parametrize("device", DEVICES)
def test_it_leads_to_the_violation(device):
    reached = climb(BOWL, PLACES, Random(0), 80, RATES, device)
    assert (reached.violations > 0).all()
    for case, numbers, violation in zip(PLACES, reached.numbers, reached.violations, strict=True):
        exact = judge_exactly(BOWL, case.with_numbers(list(map(Fraction, numbers))))
        assert exact.violations
        assert -exact.slack == pytest.approx(violation)


def test_only_points_that_meet_the_hypotheses_count():
    """Of x > 2, y > 2 nobody can come down into the bowl: a test of each entry sees it."""

    def right(scene, entries):
        return ~scene.arithmetic.is_negative(scene["x"] - constant(scene, 2))

    claim = replace(BOWL, hypotheses=(Hypothesis("right", "", right),))
    reached = climb(claim, PLACES, Random(0), 80, RATES)
    assert np.isfinite(reached.violations).tolist() == [True, False, False]
    assert reached.numbers[0][0] >= 2
    assert reached.numbers[1].tolist() == [0, 2]  # where it started
    never = replace(BOWL, hypotheses=(Hypothesis("never", "", by_case(lambda case: False)),))
    assert not np.isfinite(climb(never, PLACES, Random(0), 5, RATES).violations).any()


def test_a_case_that_leaves_the_hypotheses_is_repaired():
    """x >= 1/4, asked of the case: the violations with it are a piece of the circle."""
    least = Fraction(1, 4)

    def enough(case, random):
        return case.changing(x=tensor((), max(case.number("x"), least)))

    right = Hypothesis("right", "", by_case(lambda case: case.number("x") >= least), enough)
    claim = replace(BOWL, hypotheses=(right,))
    reached = climb(claim, PLACES[:2], Random(0), 80, RATES)
    assert (reached.violations > 0).all()
    for case, numbers in zip(PLACES, reached.numbers, strict=False):
        exact = judge_exactly(claim, case.with_numbers(list(map(Fraction, numbers))))
        assert exact.violations  # so the hypothesis is met exactly, too


def test_steps_grow_with_the_numbers():
    """x^2 + y^2 <= 400: false far away alone."""

    def near(scene):
        x, y = scene["x"], scene["y"]
        return compare(scene, constant(scene, 400), x * x + y * y)

    reached = climb(replace(BOWL, measure=near), PLACES, Random(0), 80, RATES)
    assert (reached.violations > 0).all()


def test_inputs_stay_in_the_ball():
    says = Each(examples(), lambda j: nu(j) <= Fraction(1, 2))
    claim = stated("planted", Source("planted", "-", "-"), "-", "-", says, (DATA,))
    cases = cases_of(claim, 6)
    reached = climb(claim, cases, Random(0), 40, RATES)
    for case, numbers in zip(cases, reached.numbers, strict=True):
        assert case.with_numbers(list(map(Fraction, numbers))).admissible
    assert (reached.violations > 0).any()


def test_what_holds_is_flat_and_nothing_moves():
    claim = find("lj22.lemma2a")
    cases = cases_of(claim, 6)
    reached = climb(claim, cases, Random(0), 10, RATES)
    assert reached.steps == 0
    assert [numbers.tolist() for numbers in reached.numbers] == [
        [float(x) for x in case.numbers] for case in cases
    ]


def test_the_same_batch_climbs_the_same_way_and_each_case_by_itself():
    together = climb(BOWL, PLACES, Random(0), 20, RATES)
    again = climb(BOWL, PLACES, Random(0), 20, RATES)
    assert np.array_equal(together.violations, again.violations)
    for k, case in enumerate(PLACES):
        alone = climb(BOWL, [case], Random(0), 20, RATES)
        assert alone.numbers[0] == pytest.approx(together.numbers[k], rel=1e-12)
