"""Curves of evidence: they survive a record and its schema; what cannot be drawn is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from reports.json_report import schema
from verify.core.evidence import Evidence, Need, Outcome, evidence_from_json
from verify.core.plots import MOST_POINTS, Curve, Plot, plot_from_json, thinned

numbers = st.floats(allow_nan=False, allow_infinity=False)
curves = st.lists(st.tuples(numbers, numbers), min_size=1, max_size=5).map(
    lambda points: Curve("one", tuple(p[0] for p in points), tuple(p[1] for p in points))
)
plots = curves.map(lambda curve: Plot("title", "x", "y", (curve,)))
VALIDATOR = Draft202012Validator({"$ref": "#/$defs/evidence", "$defs": schema()["$defs"]})


@given(plots)
def test_a_plot_comes_back_from_its_record(plot):
    assert plot_from_json(json.loads(json.dumps(plot.to_json()))) == plot


@given(st.lists(plots, max_size=2))
def test_evidence_with_curves_and_needs_meets_the_schema_and_comes_back(found):
    needs = (Need("linear", True, "a case", {"value": "1"}), Need("data", False, "none"))
    piece = Evidence("flow", Outcome.SUPPORTS, "s", plots=tuple(found), needs=needs)
    data = piece.to_json()
    VALIDATOR.validate(data)
    assert evidence_from_json(json.loads(json.dumps(data))) == piece


def test_a_long_curve_is_thinned_to_its_ends_and_what_lies_between():
    x = [float(k) for k in range(10_000)]
    curve = thinned("long", x, [v * v for v in x])
    assert len(curve.x) == MOST_POINTS
    assert (curve.x[0], curve.x[-1]) == (0.0, 9999.0)
    assert all(b == a * a for a, b in zip(curve.x, curve.y, strict=True))


def test_points_that_are_not_finite_are_left_out_or_refused():
    assert thinned("gap", [1.0, 2.0, 3.0], [1.0, float("nan"), 9.0]).x == (1.0, 3.0)
    with pytest.raises(ValueError, match="not finite"):
        Curve("bad", (1.0,), (float("inf"),))


def test_a_logarithmic_axis_needs_positive_values():
    with pytest.raises(ValueError, match="logarithmic"):
        Plot("t", "x", "y", (Curve("c", (1.0,), (0.0,)),), y_log=True)
