"""Certificates about orders and laws of zlb22 that show nothing are rejected."""

from tests.verify.checker.networks import certificate, record
from verify.checker.restated import ACCEPT, DECLINE, REJECT, check

PROFILE = {"A": ["g", "g"], "S": ["g", "g"], "e": ["g"]}
CHAIN = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


def case(axes, integers=(), **arrays):
    made = {
        name: record(axes.get(name, []), value, integer=name in integers)
        for name, value in arrays.items()
    }
    return {"format": "tensors", "arrays": made, "choice": {}}


def groups(rows, sizes, **more):
    return case(PROFILE, ("A", "S", "e", "w"), A=rows, e=sizes, **more)


def code(claim, made, entry, value, without=""):
    return check(certificate(f"zlb22.{claim}", made, entry, value, without)).code


# groups of neurons --------------------------------------------------------------------------------
def layers(sizes):
    """Each group reads the one before it."""
    count = len(sizes)
    return groups([[int(h == g - 1) for h in range(count)] for g in range(count)], sizes)


def test_a_skip_alone_bends_nothing():
    # the output takes the one neuron of group 1, or of group 2, without a weight
    name = "no skip term at the output"
    straight = groups(CHAIN, [0, 1, 0], S=[[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    assert code("thmD.1.fix", straight, {}, -1, name) == REJECT


def test_what_is_no_family_shows_nothing():
    name = "a family of linear networks"
    loop = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    for rows in (CHAIN, loop, [[0] * 3] * 3, [[0] * 3, [2, 0, 0], [0, 1, 0]]):
        for sizes in ([0, 1, 0], [1, 1, 1], [0, -1, 0], [0, 1, 2]):
            for value in (-3, -2, -1):
                assert code("thm3.6.width@A", groups(rows, sizes), {}, value, name) != ACCEPT
                assert code("thm3.6.width@B", groups(rows, sizes), {}, value, name) != ACCEPT


def test_without_a_narrow_layer_there_is_nothing_behind_it():
    wide = layers([0, 1, 2, 0])
    for value in (-2, -1):
        assert code("appF.d.share", wide, {}, value, "one narrow hidden layer") == REJECT
    narrow = layers([0, 1, 2, 0, 1, 0])
    assert code("appF.d.share", narrow, {}, -1) == ACCEPT
    assert code("appF.d.share", narrow, {}, -2) == REJECT


def test_many_groups_are_declined():
    full = [[int(h < g) for h in range(40)] for g in range(40)]
    many = groups(full, [0] + [1] * 38 + [0])
    for name in ("", "a family of linear networks", "the width of inner layers grows"):
        assert code("thm3.6.width@B", many, {}, -1, name) == DECLINE


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
