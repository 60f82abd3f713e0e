"""Certificates about laws of zlb22 that show nothing are rejected."""

from tests.verify.checker.networks import certificate, record
from verify.checker.restated import ACCEPT, REJECT, check


def case(axes, integers=(), **arrays):
    made = {
        name: record(axes.get(name, []), value, integer=name in integers)
        for name, value in arrays.items()
    }
    return {"format": "tensors", "arrays": made, "choice": {}}


def code(claim, made, entry, value, without=""):
    return check(certificate(f"zlb22.{claim}", made, entry, value, without)).code


# laws ---------------------------------------------------------------------------------------------
def series(more, **changes):
    numbers = {"t": 1, "chance": 0, "scale": 1, "own": 0, "size": 1, "row": 0, "sizes": [1]}
    whole = ("own", "size", "row", "more")
    return case({"sizes": ["n"]}, whole, **{**numbers, "more": more, **changes})


def test_a_series_has_no_fewer_rows_than_its_matrices():
    # 2 exp(-1/2) = 1.213, P(|g| > 1) = 0.317
    for more in (-1, -2, -3):
        for value in (["-1", "-1/100"], ["-4/10", "-3/10"], ["-3", "-1/2"]):
            assert code("lemK.8", series(more), {}, value) == REJECT
    heavy = series(0, t=3, chance="1/2", scale=64)
    assert code("lemK.8", heavy, {}, ["-1", "-1/100"], "standard normal") == ACCEPT
    assert code("lemK.8", heavy, {}, ["-1", "-1/100"]) == REJECT
