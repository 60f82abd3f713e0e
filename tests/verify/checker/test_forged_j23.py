"""Certificates of j23 that look right and show nothing are not accepted."""

from fractions import Fraction

import pytest

from tests.verify.checker.networks import certificate
from verify.cases.real_arrays import RealTensors
from verify.checker.restated import ACCEPT, DECLINE, REJECT, STATEMENTS, check, slope_inside
from verify.kinds.deep.networks import deep, number


def without(name, claim, case, entry, value):
    """A certificate that the claim needs a hypothesis."""
    made = certificate(claim, case.to_json(), entry, value)
    return {**made, "kind": "necessity", "without": name}


@pytest.mark.parametrize(
    "claim", ["cor8@A", "cor8@A.fix", "cor8.steps.layers.a", "cor8.steps.layers.a.fix"]
)
def test_of_a_negative_number_there_is_no_root(claim):
    more = {"k": number(1, integer=True), "gap": number(-1), "gap2": number(0)}
    case = deep([[[1]]], points=[[0]], **more)
    made = without("norm bound", f"j23.{claim}", case, {"largest": 1}, ["-1000", "-1/1000000"])
    found = check(made)
    assert found.code == REJECT
    assert "under a root" in found.message


def test_there_are_no_more_orthonormal_columns_than_rows():
    more = {"k": number(2, integer=True), "gap": number(0), "gap2": number(0)}
    case = deep([[[1]], [[1]]], points=[[1]], **more)
    made = without("rank k", "j23.cor8.steps.sum.c.fix", case, {}, ["-1000", "-1/1000000"])
    assert check(made).code == REJECT


def test_a_power_with_a_large_exponent_is_declined():
    values = {"k": 1, "l": 10**8, "L": 10**8}
    numbers = {name: number(value, integer=True) for name, value in values.items()}
    case = RealTensors({"c": number(1), **numbers}, {}, "")
    value = ["-1", "-1/1000000"]
    made = certificate("j23.thm7.steps.power.b.real.fix", case.to_json(), {}, value)
    assert check(made).code == DECLINE


SHIFTED = {"biases": [[0, Fraction(1, 2)]], "points": [[Fraction(1, 2)], [Fraction(-1, 2)]]}
SPREAD = {"k": number(1, integer=True), **SHIFTED}


@pytest.mark.parametrize(
    ("claim", "weights", "more", "entry", "value"),
    [
        ("hessian.imp", [[[1], [1]]], {"points": [[1]]}, {}, "-6"),
        ("cor8.steps.sv.a", [[[1], [0]]], SPREAD, {"layer": 1}, "1/2"),
        ("cor8.steps.sv.b", [[[1], [0]]], SPREAD, {"layer": 1}, "-1/4"),
    ],
)
def test_networks_of_other_slopes_are_not_spoken_of(claim, weights, more, entry, value):
    def code(slope):
        case = deep(weights, slope=slope, **more)
        return check(certificate(f"j23.{claim}", case.to_json(), entry, value)).code

    assert [code(slope) for slope in (0, Fraction(1, 2))] == [ACCEPT, ACCEPT]
    assert [code(slope) for slope in (5, 1, -1, -2)] == [REJECT] * 4


@pytest.mark.parametrize("part", ["hessian.imp.fix", "cor8.steps.sv.a.fix", "cor8.steps.sv.b.fix"])
def test_repairs_speak_of_the_same_slopes(part):
    hypotheses = STATEMENTS[f"j23.{part}"].hypotheses
    assert slope_inside in hypotheses
