"""Identities of polynomials on a network: shown ones, and what must not be accepted."""

import copy
import json
from pathlib import Path

import pytest

from tests.verify.checker_statements.statements import network, v
from verify.checker import ACCEPTED, DECLINED, REJECTED, check, check_content

EDGES, PATHS, EXAMPLES = ["edges"], ["paths"], ["examples"]
TWO_PATHS = network(["x>h", "h>o", "x>o"], [0, 0, 0], {"h": "relu"})["network"]
TWO_HIDDEN = network(
    ["x>h", "x>g", "h>g", "h>o", "g>o"],
    [0] * 5,
    {"h": "relu", "g": "leaky_relu 1/10", "o": "abs"},
)["network"]
SHARED = network(
    ["x>h=s", "b>h", "h>o=s", "x>o"],
    [0, 0],
    {"h": "relu"},
    held={"b": 2},
    fixed={"x>o": 7},
)["network"]
LINEAR = network(["x>h", "h>o"], [0, 0])["network"]


def w(e):
    return ["weight", e]


def certified(says, at, net=TWO_PATHS, examples=2, hypotheses=(), **more):
    net = {key: value for key, value in net.items() if key != "weights"}
    return {
        "format": "lemmata-statement",
        "version": 1,
        "kind": "polynomial",
        "statement": {
            "id": "mine.identity",
            "domain": {"network": True},
            "hypotheses": [{"name": str(k), "holds": term} for k, term in enumerate(hypotheses)],
            "says": says,
        },
        "network": net,
        "examples": examples,
        "at": at,
    } | more


def code(*arguments, **more):
    """The answer; the same from a file."""
    told = certified(*arguments, **more)
    outcome = check(told)
    assert check_content(json.dumps(told).encode()) == outcome
    return outcome.code


def over_paths(j, depth, without=None):
    """The sum over paths of the input times weights and slopes; without: an edge whose weight is
    left out, and which the paths contain."""
    p, e = v(depth), v(depth + 1)
    many = PATHS if without is None else ["filter", PATHS, ["in", without, ["edges_on", v(depth)]]]
    weight = w(e) if without is None else ["if", ["eq", e, without], 1, w(e)]
    along = ["prod", ["edges_on", p], ["mul", weight, ["slope", ["head", e], j]]]
    return ["sum", many, ["mul", ["input", ["start", p], j], along]]


def each_example(body):
    return ["each", EXAMPLES, body]


SUM = each_example(["eq", ["output", v(0)], over_paths(v(0), 1)])
GRADIENT = [
    "each",
    EDGES,
    each_example(["eq", ["gradient", v(0), v(1)], over_paths(v(1), 2, v(0))]),
]
CHAIN = [
    "each",
    EDGES,
    ["eq", ["rate", ["pow", w(v(0)), 2]], ["mul", 2, ["mul", w(v(0)), ["rate", w(v(0))]]]],
]


def total(many, depth):
    return ["sum", many, ["pow", w(v(depth)), 2]]


BALANCE = [
    "each",
    ["hidden"],
    ["eq", ["rate", total(["into", v(0)], 1)], ["rate", total(["out_of", v(0)], 1)]],
]


# by hand ------------------------------------------------------------------------------------------
def test_two_paths():
    """nu = s_o (w_xo x + w_ho s_h w_xh x), and s_o = 1 of a linear output."""
    outcome = check(certified(SUM, [1]))
    assert outcome.code == ACCEPTED
    assert "3 vertices, 3 edges, 2 examples" in outcome.message
    w_xh, w_ho, w_xo = (w(["at", EDGES, k]) for k in (1, 2, 3))
    x, h = ["at", ["inputs"], 1], ["at", ["hidden"], 1]
    through = ["mul", ["mul", w_xh, w_ho], ["slope", h, 1]]
    worked = ["eq", ["output", 1], ["mul", ["input", x, 1], ["add", w_xo, through]]]
    assert code(worked, []) == ACCEPTED
    forgot = ["eq", ["output", 1], ["mul", ["input", x, 1], ["add", w_xo, ["mul", w_xh, w_ho]]]]
    assert code(forgot, []) == REJECTED
    assert code(forgot, [], net=network(["x>h", "h>o", "x>o"], [0] * 3)["network"]) == ACCEPTED


@pytest.mark.parametrize("net", [TWO_PATHS, TWO_HIDDEN, LINEAR, SHARED])
def test_identities(net):
    for e in range(len(net["edges"])):
        assert code(CHAIN, [e], net) == ACCEPTED
        for j in (1, 2, 3):
            assert code(SUM, [j], net, 3) == ACCEPTED
            assert code(GRADIENT, [e, j], net, 3) == ACCEPTED


def test_balance():
    assert code(BALANCE, ["h"]) == ACCEPTED
    assert code(BALANCE, ["g"], TWO_HIDDEN) == ACCEPTED
    assert code(BALANCE, ["h"], SHARED) == REJECTED  # shared weights, and one that is fixed
    tied = network(["x>h", "h>g=s", "g>o=s"], [0, 0], {"h": "relu", "g": "relu"})["network"]
    assert code(BALANCE, ["h"], tied) == REJECTED
    frozen = network(["x>h", "h>o"], [0], {"h": "relu"}, fixed={"h>o": 1})["network"]
    assert code(BALANCE, ["h"], frozen) == REJECTED


def test_the_activations_of_a_domain():
    for kind, expected in (("relu", ACCEPTED), ("abs", REJECTED)):
        told = certified(SUM, [1])
        told["statement"]["domain"]["activations"] = [kind]
        assert check(told).code == expected


def test_the_flow():
    """It has 1/n, the labels, and the gradients of all edges with one parameter."""
    risk = ["mul", ["loss_slope", v(1)], ["label", v(1)]]
    one = ["mul", risk, ["gradient", v(0), v(1)]]
    velocity = ["div", ["neg", ["sum", EXAMPLES, one]], ["card", EXAMPLES]]
    own = ["each", EDGES, ["eq", ["rate", w(v(0))], velocity]]
    assert all(code(own, [e], n_net, 3) == ACCEPTED for n_net in (TWO_HIDDEN,) for e in range(5))
    assert code(own, [0], SHARED) == REJECTED
    assert code(own, [3], SHARED) == REJECTED  # a fixed weight stands still
    assert code(["each", EDGES, ["eq", ["rate", w(v(0))], 0]], [3], SHARED) == ACCEPTED
    all_users = ["sum", ["users", v(0)], ["mul", risk_at(2), ["gradient", v(1), v(2)]]]
    shared = ["neg", ["div", ["sum", EXAMPLES, renamed(all_users)], ["card", EXAMPLES]]]
    says = ["each", EDGES, ["eq", ["rate", w(v(0))], shared]]
    assert all(code(says, [e], SHARED) == ACCEPTED for e in range(4))
    assert code(["each", EDGES, ["eq", ["rate", w(v(0))], ["mul", 2, shared]]], [0]) == REJECTED


def risk_at(k):
    return ["mul", ["loss_slope", v(k)], ["label", v(k)]]


def renamed(term):
    """The variables 1 and 2 exchanged."""
    if isinstance(term, list) and term[:1] == ["var"]:
        return v({1: 2, 2: 1}.get(term[1], term[1]))
    return [renamed(part) for part in term] if isinstance(term, list) else term


# false neighbours ---------------------------------------------------------------------------------
H, X = ["at", ["hidden"], 1], ["at", ["inputs"], 1]
FALSE = {
    "a path sum without inputs": each_example(
        ["eq", ["output", v(0)], ["sum", PATHS, ["prod", ["edges_on", v(1)], w(v(2))]]]
    ),
    "one slope on all examples": each_example(["eq", ["slope", H, v(0)], ["slope", H, 1]]),
    "slopes are 0 or 1": each_example(["eq", ["pow", ["slope", H, v(0)], 2], ["slope", H, v(0)]]),
    "an active vertex": each_example(["eq", ["post", H, v(0)], ["pre", H, v(0)]]),
    "the right slope": each_example(["eq", ["slope", H, v(0)], ["slope_right", H]]),
    "labels are signs": each_example(["eq", ["pow", ["label", v(0)], 2], 1]),
    "one label": each_example(["eq", ["label", v(0)], ["label", 1]]),
    "one slope of the loss": each_example(["eq", ["loss_slope", v(0)], ["loss_slope", 1]]),
    "one input": each_example(["eq", ["input", X, v(0)], ["input", X, 1]]),
    "the gradient with its weight": each_example(
        ["eq", ["gradient", ["at", EDGES, 1], v(0)], over_paths(v(0), 1)]
    ),
    "a weight is 1": each_example(["eq", w(["at", EDGES, 1]), v(0)]),
    "an absolute value": each_example(
        ["eq", ["mul", ["pre", H, v(0)], ["slope", H, v(0)]], ["pre", H, v(0)]]
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_rejected(name):
    assert code(FALSE[name], [2]) == REJECTED
    assert code(FALSE[name], [2], signed=True) == REJECTED


def test_positive_homogeneity():
    for kind, expected in (("abs", ACCEPTED), ("tanh", DECLINED), ("softplus", DECLINED)):
        net = network(["x>h", "h>o"], [0, 0], {"h": kind})["network"]
        assert code(SUM, [1], net) == expected
    of_output = network(["x>h", "h>o"], [0, 0], {"o": "sigmoid"})["network"]
    assert code(SUM, [1], of_output) == DECLINED


def test_slopes_of_the_record_are_numbers():
    sides = ["add", ["slope_left", H], ["slope_right", H]]
    assert code(["eq", sides, 1], []) == ACCEPTED
    assert code(["eq", sides, "11/10"], [], TWO_HIDDEN) == REJECTED
    assert code(["eq", ["slope_left", ["at", ["hidden"], 2]], "1/10"], [], TWO_HIDDEN) == ACCEPTED


# what decides about numbers -----------------------------------------------------------------------
W = w(["at", EDGES, 1])
DECIDES = {
    "an if": ["eq", ["if", ["ge", W, 0], W, ["neg", W]], W],
    "an if with one value": ["eq", ["if", ["ge", W, 0], 1, 1], 1],
    "equality": ["eq", ["if", ["eq", W, 0], 0, W], W],
    "a quotient": ["eq", ["div", W, W], 1],
    "a negative power": ["eq", ["mul", ["pow", W, -1], W], 1],
    "a root": ["eq", ["pow", ["pow", W, 2], "1/2"], W],
    "an exponent": ["eq", ["pow", 2, W], 1],
    "a maximum": ["eq", ["maximum", EDGES, w(v(0))], W],
    "the larger": ["eq", ["larger", W, ["neg", W]], W],
    "an absolute value": ["eq", ["abs", ["output", 1]], ["output", 1]],
    "a sign": ["eq", ["pow", ["sign", ["output", 1]], 2], 1],
    "sqrt": ["eq", ["sqrt", W], W],
    "log": ["eq", ["log", W], W],
    "exp": ["eq", ["exp", W], W],
    "floor": ["eq", ["floor", W], W],
    "a filter": ["eq", ["sum", ["filter", EDGES, ["gt", w(v(0)), 0]], 0], 0],
    "some": ["eq", ["if", ["some", EDGES, ["eq", w(v(0)), 0]], 0, 0], 0],
    "in": ["eq", ["if", ["in", W, ["list", W, 0]], 0, 0], 0],
    "not in": ["eq", ["if", ["in", 0, ["list", W, W]], 0, 0], 0],
    "count": ["eq", ["count", EDGES, ["lt", w(v(0)), 0]], 0],
    "argmax": ["eq", w(["argmax", EDGES, w(v(0))]), W],
    "sorted": ["eq", ["at", ["sorted", ["list", W, 0]], 1], W],
    "distinct": ["eq", ["card", ["distinct", ["map", EDGES, w(v(0))]]], 3],
    "rank": ["eq", ["rank", ["diag", ["vector", 1, W]]], 1],
    "det": ["eq", ["det", ["diag", ["vector", 1, W]]], W],
    "norm": ["eq", ["norm", ["vector", 1, W]], W],
    "eigenvalues": ["eq", ["card", ["eigenvalues", ["diag", ["vector", 1, W]]]], 1],
    "a rate of a quotient": ["eq", ["rate", ["div", 1, W]], 0],
    "a product of many": ["eq", ["pow", W, 100_000], W],
    "a sum of many": ["eq", ["pow", ["output", 1], 900], W],
    "the sign as an index": ["eq", ["at", ["list", 1, 1], ["sign", W]], 1],
    "the sign as a length": ["eq", ["card", ["range", 1, ["sign", W]]], 1],
    "mod": ["eq", ["mod", ["sign", W], 2], 1],
    "an example": ["eq", ["label", ["sign", W]], ["label", 1]],
    "an exponent that is a sign": ["eq", ["pow", 1, ["sign", W]], 1],
    "a vector as long as a sign": ["eq", ["frob2", ["vector", ["sign", W], 0]], 0],
}


@pytest.mark.parametrize("name", DECIDES)
@pytest.mark.parametrize("signed", [False, True])
def test_what_decides_about_numbers_is_declined(name, signed):
    assert code(DECIDES[name], [], signed=signed) == DECLINED


def test_what_does_not_depend_on_numbers_is_decided():
    same = ["sub", W, W]
    assert code(["eq", ["if", ["eq", same, 0], W, 0], W], []) == ACCEPTED
    assert code(["eq", ["if", ["lt", W, ["add", W, 1]], W, 0], W], []) == ACCEPTED
    assert code(["eq", ["div", W, same], W], []) == REJECTED  # it has no value
    assert code(["eq", ["pow", W, 0], 1], []) == ACCEPTED
    assert code(["eq", ["maximum", EDGES, ["card", ["users", v(0)]]], 1], []) == ACCEPTED
    matrix = ["diag", ["vector", 2, ["mul", W, v(0)]]]
    assert code(["eq", ["frob2", matrix], ["mul", 5, ["pow", W, 2]]], []) == ACCEPTED
    assert code(["eq", ["trace", ["matmul", matrix, matrix]], ["frob2", matrix]], []) == ACCEPTED


# places -------------------------------------------------------------------------------------------
def test_conditions_on_the_way_are_not_asked():
    """So what holds by a condition alone is not shown, and what holds without it is."""
    for condition in (
        ["learnable", v(0)],
        ["not", ["learnable", v(0)]],
        ["gt", w(v(0)), 0],
        ["gt", ["norm", ["vector", 1, w(v(0))]], 0],
        ["gt", ["div", 1, 0], 0],
        ["eq", w(v(0)), 1],
    ):
        assert code(["each", EDGES, ["implies", condition, CHAIN[2]]], [0]) == ACCEPTED
        assert code(["each", EDGES, ["implies", condition, ["eq", w(v(0)), 1]]], [0]) == REJECTED
        malformed = ["implies", ["add", condition, 1], CHAIN[2]]
        assert code(["each", EDGES, malformed], [0]) == REJECTED


def test_lists_that_depend_on_numbers():
    positive = ["filter", EDGES, ["gt", w(v(0)), 0]]
    assert code(["each", positive, ["eq", 0, 0]], [0]) == DECLINED
    assert code(["each", ["map", EDGES, w(v(0))], ["eq", v(0), 0]], ["0"]) == DECLINED
    both = ["and", ["gt", W, 0], ["eq", W, W]]
    assert code(both, [1]) == ACCEPTED  # of the one argument alone
    assert code(both, [0]) == REJECTED  # no equation


def test_other_leaves():
    for leaf in (["le", 0, 0], ["eq", EDGES, EDGES], ["not", ["eq", 0, 1]], ["ne", W, 0]):
        assert code(leaf, []) == REJECTED
    assert code(["eq", ["vector", 1, W], ["vector", 1, W]], []) == REJECTED
    assert code(["some", EDGES, ["eq", 0, 0]], []) == REJECTED


def test_a_place_is_told_exactly():
    for at in ([], [0], [3], ["1"], [1, 1], ["h"], [True]):
        assert code(SUM, at) == REJECTED
    assert code(["eq", ["output", 3], ["output", 3]], []) == REJECTED  # no such example
    two = network(["x>h", "h>o", "x>oo"], [0] * 3)["network"]
    assert code(["eq", ["output", 1], ["output", 1]], [], two) == REJECTED  # two outputs
    assert code(BALANCE, ["h"], two) == REJECTED


# signs --------------------------------------------------------------------------------------------
V = w(["at", EDGES, 2])
NONZERO = ["each", EDGES, ["ne", w(v(0)), 0]]


def test_signs():
    size, sign = ["abs", W], ["sign", W]
    for leaf in (
        ["eq", ["mul", sign, size], W],
        ["eq", ["pow", size, 2], ["pow", W, 2]],
        ["eq", ["mul", W, sign], size],
        ["eq", ["abs", ["mul", W, V]], ["mul", size, ["abs", V]]],
        ["eq", ["sign", ["mul", -2, ["mul", W, V]]], ["neg", ["mul", sign, ["sign", V]]]],
        ["eq", ["pow", sign, 3], sign],
        ["eq", ["mul", ["pow", sign, 2], W], W],
        ["eq", ["abs", sign], ["pow", sign, 2]],
        ["eq", ["sign", size], ["pow", sign, 2]],
        ["eq", ["abs", ["prod", EDGES, w(v(0))]], ["prod", EDGES, ["abs", w(v(0))]]],
    ):
        assert code(leaf, [], signed=True) == ACCEPTED
        assert code(leaf, []) == DECLINED
    for leaf in (
        ["eq", size, W],
        ["eq", sign, 1],
        ["eq", ["mul", sign, ["abs", V]], V],
        ["eq", sign, ["sign", V]],
        ["eq", ["abs", ["mul", -2, W]], ["mul", -2, size]],
    ):
        assert code(leaf, [], signed=True) == REJECTED
        assert code(leaf, [], signed=True, hypotheses=[NONZERO]) == REJECTED
    assert code(SUM, [1], signed=True) == ACCEPTED
    assert code(["eq", ["abs", ["add", W, V]], ["add", size, V]], [], signed=True) == DECLINED
    assert code(["eq", ["abs", ["mul", W, ["label", 1]]], size], [], signed=True) == DECLINED
    assert code(["eq", ["if", ["ge", size, 0], 1, 0], 1], [], signed=True) == DECLINED


def test_activations_of_other_numbers():
    """Of c m pre it is c m post, for a rational c above 0 and a product m of absolute values."""
    h, size = ["at", ["hidden"], 1], ["abs", V]
    pre, post = (["at", ["map", EXAMPLES, [kind, h, v(0)]], 2] for kind in ("pre", "post"))

    def is_worth(argument, expected):
        return ["eq", ["activation", h, argument], expected]

    for leaf in (
        is_worth(pre, post),
        is_worth(["mul", "3/2", pre], ["mul", "3/2", post]),
        is_worth(-3, 0),
        is_worth(["sub", pre, pre], 0),
    ):
        assert code(leaf, []) == code(leaf, [], signed=True) == ACCEPTED
    larger = is_worth(["mul", ["pow", size, 2], pre], ["mul", ["pow", size, 2], post])
    assert code(larger, [], signed=True) == ACCEPTED
    assert code(is_worth(pre, pre), []) == REJECTED
    assert code(is_worth(["mul", 2, pre], post), []) == REJECTED
    for argument in (["neg", pre], ["mul", V, pre], ["add", pre, 1], ["label", 1]):
        for signed in (False, True):
            assert code(is_worth(argument, post), [], signed=signed) == DECLINED
    for argument in (["mul", ["sign", V], pre], ["mul", ["neg", size], pre]):
        assert code(is_worth(argument, post), [], signed=True) == DECLINED
    line = ["eq", ["activation", h, ["label", 1]], ["label", 1]]
    assert code(line, [], LINEAR) == ACCEPTED
    assert code(["eq", ["activation", ["at", ["inputs"], 1], 1], 1], []) == REJECTED  # no value


def test_the_sign_of_0_is_0():
    """So the square of a sign is 1 only where a hypothesis says that no weight is 0."""
    squares = (
        ["eq", ["pow", ["sign", W], 2], 1],
        ["eq", ["mul", ["pow", ["sign", W], 2], V], V],
        ["eq", ["sign", ["abs", W]], 1],
    )
    for leaf in squares:
        assert code(leaf, [], signed=True) == REJECTED
        assert code(leaf, [], signed=True, hypotheses=[NONZERO]) == ACCEPTED
        for other in (
            ["each", EDGES, ["ne", w(v(0)), 1]],
            ["some", EDGES, ["ne", w(v(0)), 0]],
            ["each", ["into", H], ["ne", w(v(0)), 0]],
        ):
            assert code(leaf, [], signed=True, hypotheses=[other]) == REJECTED


def test_shared_and_fixed_weights_with_signs():
    s, again, seven = (w(["at", EDGES, k]) for k in (1, 3, 4))
    assert (
        code(["eq", ["mul", ["sign", s], again], ["abs", s]], [], SHARED, signed=True) == ACCEPTED
    )
    assert code(["eq", ["abs", seven], 7], [], SHARED, signed=True) == ACCEPTED
    assert code(["eq", ["input", ["at", ["inputs"], 2], 1], 2], [], SHARED) == ACCEPTED


# records ------------------------------------------------------------------------------------------
def changed(**changes):
    told = copy.deepcopy(certified(SUM, [1]))
    for path, value in changes.items():
        *way, last = path.split("__")
        inner = told
        for key in way:
            inner = inner[key]
        if value is None:
            del inner[last]
        else:
            inner[last] = value
    return check(told)


def test_forged_records():
    for outcome in (
        changed(network=None),
        changed(examples=None),
        changed(examples=0),
        changed(examples=-1),
        changed(examples="2"),
        changed(examples=True),
        changed(at=None),
        changed(at="1"),
        changed(signed=1),
        changed(value="0"),
        changed(case={}),
        changed(network__weights={}),
        changed(network__edges=[]),
        changed(network__inputs=["o"]),
        changed(network__format="another"),
        changed(statement__domain={"arrays": {"c": {"sort": "num", "axes": []}}}),
        changed(statement__says=["eq", ["weight", 0], 0]),
        changed(statement__says=["output", 1]),
        changed(statement__hypotheses=[{"name": "h", "holds": ["output", 1]}]),
        changed(statement__hypotheses=[{"name": "h"}]),
        changed(statement__flow={"A": 1}),
    ):
        assert outcome.code == REJECTED
    assert changed(version=2).code == DECLINED
    assert changed(network__version=2).code == DECLINED
    assert changed(examples=10**30).code == DECLINED
    assert changed(examples=400_000).code == DECLINED


def test_what_costs_too_much_is_declined():
    wide = [f"x{k}>h{m}" for k in range(6) for m in range(6)] + [f"h{m}>o" for m in range(6)]
    net = network(wide, [0] * 42, {f"h{m}": "relu" for m in range(6)})["network"]
    assert code(SUM, [1], net) == ACCEPTED
    assert code(["eq", ["pow", ["output", 1], 8], 0], [], net) == DECLINED
    squares = ["fold", ["range", 1, 4000], W, ["mul", v(0), v(0)]]
    assert code(["eq", squares, 0], []) == DECLINED


def test_the_page_has_one():
    page = Path(__file__).parents[3] / "docs" / "language.md"
    [told] = [part for part in page.read_text().split("```") if '"kind": "polynomial"' in part]
    assert check(json.loads(told.removeprefix("json"))).code == ACCEPTED


SIGN = ["sign", w(["at", EDGES, 1])]
ONE = ["add", ["sub", SIGN, SIGN], 1]


@pytest.mark.parametrize(
    "number",
    [
        ["card", ["range", ONE, 3]],
        ["at", ["list", 4, 5], ONE],
        ["entry", ["eye", ONE], ONE, ONE],
        ["dim", ["vector", ONE, 1]],
        ["label", ONE],
    ],
)
def test_a_whole_number_of_signs_is_an_index(number):
    assert code(["eq", number, number], [], signed=True) == ACCEPTED


def test_long_names_are_declined():
    long = network(["x>h=" + "p" * 201, "h>o"], [0, 0])["network"]
    assert code(["eq", ["output", 1], ["output", 1]], [], net=long) == DECLINED


ROOT = ["rising", "1/2", "1/2"]
TAIL = ["erfc", w(["at", EDGES, 1])]


@pytest.mark.parametrize(
    "says",
    [
        ["eq", ROOT, ROOT],
        ["eq", ["mul", 0, ROOT], 0],
        ["eq", TAIL, TAIL],
        ["eq", ["if", ["gt", ROOT, ["mul", 1, ROOT]], 1, 2], 1],
    ],
)
def test_a_function_that_is_no_polynomial_is_declined(says):
    assert code(says, []) == DECLINED


def test_a_factorial_of_a_whole_number_is_a_polynomial():
    e = ["at", EDGES, 1]
    assert code(["eq", ["rising", ["add", 1, 2], 3], 60], []) == ACCEPTED
    assert code(["eq", ["rising", "3/2", 2], ["mul", "3/2", "5/2"]], []) == ACCEPTED
    assert code(["eq", ["rising", w(e), 2], ["mul", w(e), ["add", w(e), 1]]], []) == DECLINED
