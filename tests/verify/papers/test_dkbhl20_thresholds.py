"""Thresholds of numerical ranks: read off by bisection, against formulas by hand."""

import numpy as np
import pytest

from verify.core.experiment import Setting
from verify.papers.dkbhl20 import thresholds
from verify.papers.dkbhl20.thresholds import documented, footnote, threshold, thresholds_agree

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
