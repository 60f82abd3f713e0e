"""Certificates of j23 that look right and show nothing are not accepted."""

from tests.verify.checker.networks import certificate
from verify.cases.real_arrays import RealTensors
from verify.checker.restated import DECLINE, REJECT, check
from verify.kinds.deep.networks import deep, number


def without(name, claim, case, entry, value):
    """A certificate that the claim needs a hypothesis."""
    made = certificate(claim, case.to_json(), entry, value)
    return {**made, "kind": "necessity", "without": name}


def test_differences_across_a_kink_are_no_derivatives():
    case = deep([[[1]], [[1]]], points=[[1], [-3]])
    for part, entry in (("a", {"part": "0"}), ("b.zero", {"part": "xx 0"}), ("b.sum", {})):
        made = without("constant slopes", f"j23.prop9.2.steps.{part}@B", case, entry, "1")
        found = check(made)
        assert found.code == REJECT
        assert "slopes of layer" in found.message


def test_a_sequence_needs_a_layer_to_grow_from():
    more = {"k": number(2, integer=True), "gap": number(0)}
    case = deep([[[1]], [[1]]], points=[[1], [2]], **more)
    for claim in ("j23.prop13@B", "j23.prop13@B.fix"):
        made = without("a layer of k neurons", claim, case, {}, ["-2", "-2"])
        assert check(made).code == REJECT


def test_a_power_with_a_large_exponent_is_declined():
    values = {"k": 1, "l": 10**8, "L": 10**8}
    numbers = {name: number(value, integer=True) for name, value in values.items()}
    case = RealTensors({"c": number(1), **numbers}, {}, "")
    value = ["-1", "-1/1000000"]
    made = certificate("j23.thm7.steps.power.b.real.fix", case.to_json(), {}, value)
    assert check(made).code == DECLINE
