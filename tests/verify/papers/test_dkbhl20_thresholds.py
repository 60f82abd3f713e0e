"""Thresholds of numerical ranks: read off by bisection, against formulas by hand."""

from fractions import Fraction

import numpy as np
import pytest

from verify.checker import ACCEPT, check
from verify.evidence import Outcome
from verify.experiment import Setting
from verify.judging import judge_exactly
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.normalised_scene import Chained
from verify.papers.dkbhl20 import thresholds
from verify.papers.dkbhl20.thresholds import documented, footnote, threshold, thresholds_agree
from verify.registry import find
from verify.runs.budgets import budget_named
from verify.tensors import Tensor

SETTING = Setting(seed=5, scale=0, device="cpu")


@pytest.mark.parametrize(("precision", "eps"), [("float32", 2.0**-23), ("float64", 2.0**-52)])
def test_the_threshold_of_numpy_is_the_documented_one(precision, eps):
    shape = (3, 8)
    found = threshold(lambda matrix: int(np.linalg.matrix_rank(matrix)), shape, precision)
    assert found == pytest.approx(8 * eps, rel=1e-5)
    assert documented(*shape, precision) == 8 * eps


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_that_of_the_footnote_knows_rows_alone(precision):
    assert threshold(footnote, (3, 8), precision) == pytest.approx(3e-7, rel=1e-5)


def test_ratios_of_both_precisions_are_told():
    measured = thresholds_agree(SETTING, ((4, 4),))
    assert not measured.agrees  # in float64 a factor of 4.5e8 lies between
    assert f"float32: {2.0**-23 / 1e-7:.4g} to {2.0**-23 / 1e-7:.4g}" in measured.summary
    assert f"float64: {2.0**-52 / 1e-7:.4g}" in measured.summary
    assert measured.instances == len(measured.figures) == 6


def test_equal_thresholds_would_agree(monkeypatch):
    monkeypatch.setattr(thresholds, "threshold", lambda *_: 1e-6)
    monkeypatch.setattr(thresholds, "documented", lambda *_: 1.9e-6)
    assert thresholds_agree(SETTING).agrees
    monkeypatch.setattr(thresholds, "documented", lambda *_: 2.1e-6)
    assert not thresholds_agree(SETTING).agrees


# exactly ------------------------------------------------------------------------------------------
def counted(reading: str, d: int, n: int, s: str) -> list[Fraction]:
    arrays = {"s": Tensor((), (), (Fraction(s),))}
    for name, size in (("d", d), ("N", n)):
        arrays[name] = Tensor((), (), (Fraction(size),), integer=True)
    found = judge_exactly(find(f"dkbhl20.fig1.e.counts@{reading}"), Chained(arrays))
    return [violation.value for violation in found.violations]


def test_a_small_singular_value_counts_in_one_and_not_in_the_other():
    # between 1.0000e-7 and 1.1921e-7 of d, footnote 2 counts what single precision leaves out
    assert counted("A", 4, 4, "44/100000000") == [1]
    assert counted("A", 4, 4, "50/100000000") == []
    assert counted("A", 4, 4, "40/100000000") == []
    # double precision counts all from 4 2^-52 on
    assert counted("B", 4, 4, "40/100000000") == [-1]
    assert counted("B", 4, 4, "1/100000000000000000") == []
    # many samples raise the default alone
    assert counted("A", 1, 64, "1/1000000") == [1]


@pytest.mark.parametrize("reading", ["A", "B"])
def test_the_engine_finds_a_value_between_the_thresholds(reading):
    found = pointwise(
        find(f"dkbhl20.fig1.e.counts@{reading}"), Context(budget_named("smoke"), 0, "cpu")
    )
    assert found.outcome is Outcome.REFUTES
    assert check(found.certificate).code == ACCEPT
