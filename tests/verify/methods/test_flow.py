"""Laws along flows: true ones are supported, false ones refuted, and what was judged is told."""

from dataclasses import replace
from fractions import Fraction

import pytest

from graphs.network import network
from verify.cases.case import Case
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.building import Each, Rate, Sum, hidden, implies, into, out_of, w
from verify.methods.context import Context
from verify.methods.flow import LEAST_WAY, TOLERANCES, _put_through, flow
from verify.papers.lj22.graph_terms import squares
from verify.papers.lj22.invariances import FLOW
from verify.papers.registry import find
from verify.search.admission import Admitted
from verify.search.certificates import answer
from verify.statements.network_hypotheses import BIAS_FREE, incident_learnable
from verify.statements.stated import stated

SMOKE = Context(budget_named("smoke"))
LAW = find("lj22.lemma2a")


@pytest.fixture(scope="module")
def supported():
    return flow(LAW, SMOKE)


def test_a_true_law_is_supported_by_flows_that_moved(supported):
    assert supported.outcome is Outcome.SUPPORTS
    figures = supported.figures
    assert figures["trajectories"] == supported.instances >= 3
    assert float(figures["least way, in norms of the start"]) >= LEAST_WAY
    assert 0 < float(figures["worst step residual over its rounding"]) <= 1


def test_its_drift_falls_with_the_tolerance_along_with_the_floor(supported):
    (plot,) = supported.plots
    law, floor = plot.curves
    assert law.x == floor.x == tuple(sorted(TOLERANCES))
    for curve in (law, floor):
        assert curve.y[0] < 1e-2 * curve.y[-1]


def weighted(share):
    """The law at vertices with the out-edges counted a little too much: false by that little."""

    def balance(v):
        return Rate(squares(into(v))) == share * Rate(squares(out_of(v)))

    says = Each(hidden(), lambda v: implies(incident_learnable(v), balance(v)))
    return stated(
        "planted", LAW.source, "", "", says, (BIAS_FREE, *FLOW), kind=LAW.kind, pool=LAW.pool
    )


def test_a_law_with_wrong_coefficients_is_seen_on_a_step():
    found = flow(weighted(2), SMOKE)
    assert found.outcome is Outcome.REFUTES
    assert answer(dict(found.certificate))["exit"] == 0


def test_a_false_law_is_refuted_with_a_certificate():
    found = flow(find("lj22v1.lemma3b"), SMOKE)
    assert found.outcome is Outcome.REFUTES
    assert answer(dict(found.certificate))["exit"] == 0


def test_what_is_no_law_or_no_quadratic_one_is_not_followed():
    assert flow(find("lj22.eq1.a"), SMOKE) is None

    def cubes(some):
        return Sum(some, lambda e: w(e) ** 3)

    says = Each(hidden(), lambda v: Rate(cubes(into(v))) == Rate(cubes(out_of(v))))
    cubic = stated(
        "planted", LAW.source, "", "", says, (BIAS_FREE, *FLOW), kind=LAW.kind, pool=LAW.pool
    )
    assert flow(cubic, SMOKE) is None


def test_a_step_is_no_enclosure_so_a_point_that_obeys_is_left_open_and_no_error():
    """weights (1, 1), which keep the law at h; and a law that they break."""
    case = Case(
        network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"]),
        (Fraction(1), Fraction(1)),
        ((Fraction(1),),),
        (Fraction(1),),
        "squared",
    )
    refused = _put_through(LAW, case, SMOKE)
    assert refused.outcome is Outcome.INCONCLUSIVE
    assert "obeys the law" in refused.reason
    two = replace(case, weights=(Fraction(1, 2), Fraction(1)))
    assert isinstance(_put_through(weighted(2), two, SMOKE), Admitted)
