"""Certificates about costs of linear networks that look right and show nothing are not accepted."""

from tests.verify.checker.networks import certificate
from verify.checker.restated import ACCEPT, REJECT, check
from verify.kinds.deep.networks import deep

WIDE = ["-1000", "-1/1000000"]


def net_code(claim, made, entry, value, without=""):
    return check(certificate(f"j23.{claim}", made.to_json(), entry, value, without)).code


def test_layers_that_are_not_balanced():
    uneven = deep([[[2]], [[1]]], points=[[1]])
    assert net_code("linear.b", uneven, {}, "1", "balanced layers") == ACCEPT  # 5 - 2 sqrt 4
    assert net_code("linear.b", uneven, {}, "1") == REJECT
    even = deep([[[2]], [[2]]], points=[[1]])
    assert net_code("linear.b", even, {}, "1", "balanced layers") == REJECT
    assert net_code("linear.a", uneven, {}, WIDE) == REJECT
