"""Nearly collinear inputs: angles and shares by hand, criteria that can fail."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from verify.core.claim import Kind
from verify.core.experiment import Setting
from verify.core.experiment_store import ExperimentStore
from verify.papers.dkbhl20.collinear_figure import (
    CLAIMS,
    Course,
    Sizes,
    angles,
    courses,
    layers_to,
    run,
    small_eigenvalues_grow,
    smaller_variations_grow,
)

SETTING = Setting(seed=5, scale=0, device="cpu")
SIZES = Sizes(3, (1e-3,), (1.0,), (4,), 1)


def made(first, last):
    """One seed; the spectra of the layers 1 and 4."""
    return Course(
        1e-3,
        1.0,
        np.array([0, 1, 4]),
        np.array([[first], [first], [last]], dtype=float),
        np.zeros(3),
    )


def test_every_claim_is_an_experiment_with_a_run():
    assert [claim.id for claim in CLAIMS] == ["dkbhl20.fig3b.a", "dkbhl20.fig3b.b"]
    assert all(claim.kind is Kind.EXPERIMENT and claim.experiment for claim in CLAIMS)


@pytest.mark.parametrize(
    ("first", "last", "ratio", "share"),
    [
        ((2.9, 0.01, 0.001), (1.5, 1.4, 0.1), True, True),
        ((2.9, 0.01, 0.001), (2.95, 1.4, 0.1), False, False),  # the first one grows
        ((2.9, 0.01, 0.001), (2.0, 0.1, 0.0001), False, True),  # sigma_2 / sigma_1: 3.8 times
        ((2.9, 0.01, 0.001), (0.01, 0.001, 0.0001), False, False),  # all fall together
    ],
)
def test_made_up_spectra(first, last, ratio, share):
    course = made(first, last)
    assert smaller_variations_grow([course], SIZES).agrees is ratio
    assert small_eigenvalues_grow([course], SIZES).agrees is share


def test_what_rounding_leaves_does_not_grow():
    course = made((3.0, 1e-18, 0.0), (2.9999999999, 1e-16, 1e-17))
    assert not course.falls
    assert course.grown == 0
    assert course.ratio[-1] == course.ratio[1]


def test_only_nearly_collinear_inputs_are_judged():
    good, bad = made((2.9, 0.01, 0.001), (1.5, 1.4, 0.1)), made((2.9, 0.1, 0.1), (2.9, 0.1, 0.1))
    assert smaller_variations_grow([good, replace(bad, spread=0.1)], SIZES).agrees
    assert not smaller_variations_grow([good, bad], SIZES).agrees
    assert not smaller_variations_grow([replace(bad, spread=inf)], SIZES).agrees


def test_other_laws_and_inputs_stand_beside(tmp_path):
    """From rank one nothing grows; noise alone has nothing to amplify."""
    sizes, others = Sizes(4, (1e-3,), (1.0,), (128,), 2), Sizes(6, (1e-3,), (1.0,), (64,), 2)
    setting = replace(SETTING, kept=ExperimentStore(tmp_path))
    found = run(smaller_variations_grow, setting, sizes, others)
    alone = smaller_variations_grow(courses(sizes, setting), sizes)
    assert found.agrees is alone.agrees is True
    assert found.plots == alone.plots
    told = found.summary.removeprefix(alone.summary)
    _, _, fails = told.partition("not met with")
    assert "inputs of rank one" in fails
    assert "noise alone" in fails
    assert "W-POS" in told
    assert len(found.scope) == 2


def test_a_course_by_hand():
    course = made((4.0, 1e-4, 1e-4), (1.0, 0.25, 1e-4))
    assert course.values[1] == pytest.approx([2, 0.01, 0.01])
    assert course.ratio == pytest.approx([0.005, 0.005, 0.5])
    assert course.grown == 0.5
    assert course.half_way == "layer 4"
    assert made((4.0, 1, 1), (4.0, 0.9, 1)).half_way == "layer 0"
    assert made((4.0, 0.9, 1), (4.0, 0.9, 1)).half_way == "not reached"


def test_angles_of_lines_by_hand():
    pairs = np.array([[[1, 0], [0, 2]], [[1, -3], [0, 0]], [[1, 1], [0, 1e-9]], [[1, -1], [0, 1]]])
    found = angles(pairs.astype(float))
    assert found == pytest.approx([90, 0, np.degrees(1e-9), 45], rel=1e-9)


def test_rank_one_inputs_stay_on_a_line_and_full_ones_are_shared(tmp_path):
    sizes = Sizes(4, (0.0, 1e-3), (inf, 1.0), (32, 64), 3)
    setting = replace(SETTING, kept=ExperimentStore(tmp_path))
    found = courses(sizes, setting)
    assert [(one.spread, one.gamma) for one in found] == [
        (0.0, inf),
        (0.0, 1.0),
        (1e-3, inf),
        (1e-3, 1.0),
    ]
    for one in found[:2]:
        assert one.ratio.max() <= 1e-7
        assert one.angle.max() < 1e-6
    for one in found[2:]:
        assert tuple(one.layers) == layers_to(int(one.layers[-1]))
        assert one.eigenvalues[1:].sum(axis=2) == pytest.approx(4)  # the trace is d
        assert one.ratio[1] < 0.1 < one.ratio[-1]
        assert one.angle[1] < 15 < one.angle[-1]
    again = courses(sizes, setting)
    assert all(
        np.array_equal(a.eigenvalues, b.eigenvalues) for a, b in zip(found, again, strict=True)
    )
