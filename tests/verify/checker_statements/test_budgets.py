"""What is too large is declined before the work, whatever asks for it; and nothing fails."""

import json
import tracemalloc

import pytest

from tests.verify.checker_statements.statements import array, certificate, f, network, v
from tests.verify.effort import counted
from verify.checker import ACCEPTED, DECLINED, REJECTED, budget, check, check_content
from verify.checker.budget import MOST_ITEMS, Budget
from verify.checker.outcomes import Declined

BILLION = 10**9
LONG = ["pow", 3, 60_000]  # of about 95,000 bits


def total(*numbers):
    """A sum of four variables: no part of a loop in which it stands is the same in the next one."""
    first, second, third, fourth = map(v, numbers)
    return ["add", ["add", first, second], ["add", third, fourth]]


def about(term, **more):
    """A statement in which some number is evaluated."""
    return certificate(["lt", term, term], [], ["0", "0"], **more)


def nested(depth, start, step):
    term = start
    for _ in range(depth):
        term = step(term)
    return term


def squared(times):
    return ["fold", ["range", 1, times], 3, ["mul", v(0), v(0)]]


def full(size):
    return ["matrix", size, size, ["div", ["add", v(0), 1], ["add", ["mul", v(1), v(0)], 7]]]


def irrational(size):
    return ["matrix", size, size, ["sqrt", ["add", ["mul", v(0), v(0)], v(1)]]]


def doubled(times):
    """Whether two lists are equal: few objects, and 2^times numbers in each."""
    term = ["eq", v(2 * times - 1), v(2 * times - 2)]
    for k in reversed(range(2, 2 * times)):
        term = ["let", ["list", v(k - 2), v(k - 2)], term]
    return ["let", ["list", 1], ["let", ["list", 1], term]]


BOMBS = {
    "range": ["card", ["range", 1, BILLION]],
    "range to a long number": ["card", ["range", 1, ["pow", 10, 1000]]],
    "a list over a long range": ["sum", ["range", 1, BILLION], v(0)],
    "pow": ["pow", 2, BILLION],
    "pow below 0": ["pow", "2/3", -BILLION],
    "pow of pow": ["pow", 2, ["pow", 2, ["pow", 2, 100]]],
    "pow of an irrational number": ["pow", ["sqrt", 2], ["pow", 10, 100]],
    "exp": ["exp", ["exp", ["exp", 5]]],
    "exp of a long number": ["exp", ["pow", 10, 1000]],
    "floor of a large number": ["floor", ["exp", BILLION]],
    "squares": squared(60),
    "squares of an irrational number": [
        "floor",
        ["fold", ["range", 1, 99], ["sqrt", 2], ["mul", v(0), v(0)]],
    ],
    "zeros": ["rows", ["zeros", BILLION, 1]],
    "zeros in two ways": ["rows", ["zeros", 40_000, 40_000]],
    "eye": ["rows", ["eye", BILLION]],
    "vector": ["dim", ["vector", BILLION, 1]],
    "matrix": ["rows", ["matrix", 40_000, 40_000, 1]],
    "kron": ["rows", ["kron", ["eye", 300], ["eye", 300]]],
    "outer": ["rows", ["let", ["vector", 30_000, 1], ["outer", v(0), v(0)]]],
    "diag": ["rows", ["diag", ["vector", 30_000, 1]]],
    "fold of kron": ["rows", ["fold", ["range", 1, 40], ["eye", 2], ["kron", v(0), ["eye", 2]]]],
    "fold of concat": ["card", ["fold", ["range", 1, 99], ["list", 1], ["concat", v(0), v(0)]]],
    "subsets": ["card", ["map", ["range", 1, 99], ["subsets", ["range", 1, 16]]]],
    "orders": ["card", ["map", ["range", 1, 999], ["orders", ["range", 1, 6]]]],
    "subsets of subsets": ["card", ["subsets", ["subsets", ["range", 1, 4]]]],
    "loops": nested(4, total(0, 1, 2, 3), lambda term: ["sum", ["range", 1, 100], term]),
    "loops that make little": [
        "let",
        ["range", 1, 100],
        nested(4, total(1, 2, 3, 4), lambda term: ["sum", v(0), term]),
    ],
    "squares of large numbers": [
        "fold",
        ["range", 1, 900_000],
        ["exp", 1000],
        ["mul", v(0), v(0)],
    ],
    "long numbers": ["sum", ["range", 1, 100_000], ["mul", LONG, LONG]],
    "a long list of long numbers": [
        "card",
        ["map", ["range", 1, 100_000], ["pow", 7, ["add", 60_000, 1]]],
    ],
    "fractions": ["sum", ["range", 1, 100_000], ["div", 1, v(0)]],
    "det": ["det", full(90)],
    "inverse": ["entry", ["inverse", full(60)], 1, 1],
    "rank of many": ["rank", ["matmul", full(200), full(200)]],
    "det of long numbers": ["det", ["matrix", 40, 40, ["pow", ["add", v(0), v(1)], 1000]]],
    "eigenvalues": ["norm", full(40)],
    "singular values of long numbers": [
        "nuclear",
        ["matrix", 9, 9, ["pow", ["add", v(0), v(1)], 900]],
    ],
    "singular values that are irrational": ["nuclear", irrational(30)],
    "inverse of an irrational matrix": ["entry", ["inverse", irrational(40)], 1, 1],
    "pdet2": ["pdet2", full(60)],
    "matmul": ["trace", ["fold", ["range", 1, 99], ["eye", 90], ["matmul", v(0), v(0)]]],
    "schatten": ["schatten", full(30), 64],
    "roots of a polynomial": [
        "roots",
        ["vector", 400, ["sub", ["mod", ["pow", v(0), 3], 101], 50]],
        0,
        1,
    ],
    "roots": ["sum", ["range", 1, 200_000], ["sqrt", v(0)]],
    "logarithms": ["sum", ["range", 1, 100_000], ["log", v(0)]],
    "powers": ["sum", ["range", 1, 50_000], ["pow", v(0), "1/3"]],
    "sorted": [
        "card",
        ["sorted", ["map", ["range", 1, 300_000], ["mod", ["mul", v(0), v(0)], 7919]]],
    ],
    "union": [
        "let",
        ["range", 1, 400_000],
        ["sum", ["range", 1, 1000], ["card", ["union", v(0), v(0)]]],
    ],
    "in": ["let", ["range", 1, 400_000], ["count", ["range", 1, 1000], ["in", 0, v(0)]]],
    "equal lists that are shared": ["if", doubled(45), 1, 2],
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_declined(name, monkeypatch):
    """With a fiftieth of the work that a check may cost."""
    monkeypatch.setattr(budget, "MOST_WORK", budget.MOST_WORK // 50)
    (code, message), calls = counted(lambda: check(about(BOMBS[name])))
    assert code == DECLINED, message
    assert calls < 2 * 10**6, "about a sixth of a second"


def test_many_long_numbers_take_little_memory(monkeypatch):
    monkeypatch.setattr(budget, "MOST_WORK", budget.MOST_WORK // 4)
    tracemalloc.start()
    assert check(about(BOMBS["a long list of long numbers"])).code == DECLINED
    assert tracemalloc.get_traced_memory()[1] < 2**27
    tracemalloc.stop()


def test_a_bomb_in_a_condition_of_a_rate(monkeypatch):
    """In a condition variables are looked at without their derivatives: that may not cost much."""
    monkeypatch.setattr(budget, "MOST_WORK", budget.MOST_WORK // 50)
    says = ["eq", ["rate", ["if", doubled(45), f("c"), 1]], 0]
    made = certificate(says, [], ["0", "0"], flow={"c": f("c")}, c=array("num", 1))
    assert check(made).code == DECLINED
    many = ["sum", ["range", 1, 1000], ["if", ["gt", ["entry", v(0), 1, 1], 0], f("c"), 1]]
    term = ["rate", ["let", ["mul", f("c"), ["eye", 300]], many]]
    made = certificate(["eq", term, 0], [], ["0", "0"], flow={"c": f("c")}, c=array("num", 1))
    assert check(made).code == DECLINED


def test_deep_and_long_terms():
    deepest = nested(99, 1, lambda term: ["neg", term])
    assert check(about(deepest)).code == REJECTED  # -1 is not 0
    assert "deep" in check(about(["neg", deepest])).message
    for depth in (150, 10_000):
        assert check(about(nested(depth, 1, lambda term: ["neg", term]))).code == REJECTED
    most = ["list", *[1] * 19_995]
    assert check(certificate(["lt", ["card", most], 0], [], ["19995", "0"])).code == ACCEPTED
    more = check(certificate(["lt", ["card", [*most, 1, 1]], 0], [], ["19997", "0"]))
    assert (more.code, "nodes" in more.message) == (REJECTED, True)


@pytest.mark.parametrize("binder", ["sum", "each", "let", "fold", "matrix", "map"])
def test_the_deepest_binders_fit_on_the_stack(binder):
    steps = {
        "sum": lambda term: ["sum", ["list", 1], term],
        "each": lambda term: ["each", ["list", 1], term],
        "let": lambda term: ["let", 1, term],
        "fold": lambda term: ["fold", ["list", 1], "0", term],
        "matrix": lambda term: ["entry", ["matrix", 1, 1, term], 1, 1],
        "map": lambda term: ["at", ["map", ["list", 1], term], 1],
    }
    depth = 48 if binder in ("matrix", "map") else 97
    term = nested(depth, ["gt", 0, 1] if binder == "each" else "7", steps[binder])
    if binder == "each":
        assert (
            check(certificate(["and", term, True], [0, *[1] * depth], ["0", "1"])).code == ACCEPTED
        )
    else:
        assert check(certificate(["lt", term, 0], [], ["7", "0"])).code == ACCEPTED


def test_folds_in_folds_are_not_read_for_ever(monkeypatch):
    monkeypatch.setattr(budget, "MOST_WORK", budget.MOST_WORK // 50)
    term = nested(40, "1/2", lambda term: ["fold", ["list", 1], 0, ["add", v(0), term]])
    assert check(about(term)).code == DECLINED


def test_recursions_in_recursions_are_not_read_for_ever(monkeypatch):
    """What moves in one is seen at the end, and then all of it is read again."""
    monkeypatch.setattr(budget, "MOST_WORK", budget.MOST_WORK // 50)
    end, weight = ["at", ["outputs"], 1], ["weight", ["at", ["edges"], 1]]
    term = nested(25, weight, lambda term: ["along", end, ["add", weight, term]])
    case = network(["x>o"], ["1"])
    assert check(about(term, domain={"network": True}, case=case)).code == DECLINED


def test_deep_json():
    content = json.dumps(about(1)).encode()
    for depth in (150, 5_000, 200_000):
        deep = b"[" * depth + b"]" * depth
        assert check_content(content.replace(b'"at": []', b'"at": ' + deep)).code == REJECTED


def test_large_numbers_in_a_case():
    long = "9" * 3000
    assert check(about(f("c"), c=array("num", long))).code == DECLINED
    rows = [["9" * 1900 + f"{i}{j}" for j in range(10, 40)] for i in range(10, 40)]
    made = about(["det", f("A")], A=array("mat", rows, "n", "n"))
    assert check(made).code == DECLINED


def test_a_deep_network_with_long_weights():
    edges = ["x>h0", *[f"h{k}>h{k + 1}" for k in range(300)], "h300>o"]
    case = network(edges, ["9" * 1900] * len(edges))
    assert check(about(["output", 1], domain={"network": True}, case=case)).code == DECLINED


def test_a_wide_network():
    hidden = range(200)
    edges = [f"x>{a}" for a in hidden] + [f"{a}>b{b}" for a in hidden for b in hidden]
    edges += [f"b{b}>o" for b in hidden]
    examples = [([k], 1, 1) for k in range(1, 30)]
    case = network(edges, [f"{k}/{k + 1}" for k in range(len(edges))], None, examples)
    term = ["rate", ["output", 1]]
    made = about(term, domain={"network": True}, case=case)
    (code, message), calls = counted(lambda: check(made))
    assert code == DECLINED, message
    assert calls < 5 * 10**6, message


def test_a_budget_counts(monkeypatch):
    monkeypatch.setattr(budget, "NODE", budget.MOST_WORK // 2)
    left = Budget()
    left.items(MOST_ITEMS)
    left.node()
    with pytest.raises(Declined):
        left.items(1)
    with pytest.raises(Declined):
        left.steps(10**10, 0)
    with pytest.raises(Declined):
        left.node()


def test_the_outcome_does_not_depend_on_time(monkeypatch):
    monkeypatch.setattr(budget, "MOST_WORK", budget.MOST_WORK // 50)
    found = {check(about(BOMBS["loops that make little"])) for _ in range(2)}
    assert len(found) == 1
