"""Networks: every operator on one by hand, what is read strictly, and rates along the flow."""

import math
from fractions import Fraction

import pytest

from tests.verify.checker_statements.statements import (
    MALFORMED,
    UNDEFINED,
    array,
    certificate,
    f,
    mat,
    near,
    network,
    v,
    value,
)
from verify.checker import ACCEPTED, DECLINED, REJECTED
from verify.checker.cases import read_case, read_domain
from verify.checker.outcomes import Declined, Rejected
from verify.checker.statements import check

F = Fraction

# x1, x2 and a bias b = 1 into h (ReLU) and g (leaky, 1/2), both into o; the edge b > g is fixed
EDGES = ["x1>h", "x2>h", "x1>g", "b>g", "h>o", "g>o"]
NET = network(
    EDGES,
    [2, -1, 1, 3, 4],
    {"h": "relu", "g": "leaky_relu 1/2"},
    [([1, 1], 1, -2), ([1, 2], -1, 3), ([-3, 0], 2, 5)],
    held={"b": 1},
    fixed={"b>g": "-1/2"},
)
# example 1: h = 2 - 1 = 1, g = 1 - 1/2 = 1/2: o = 3 + 2 = 5
# example 2: h = 0, at the kink, g = 1/2: o = 2; example 3: h = -6 to 0, g = -7/2 to -7/4: o = -7
X1, X2, H, G, B, O = (["at", ["vertices"], k] for k in (1, 3, 2, 4, 5, 6))  # noqa: E741 - the vertex is called o


def edge(k):
    return ["at", ["edges"], k]


LAST = ["at", v(2), 2]  # of what is made of the edges into a vertex
CASES = [
    (["vertices"], ["x1", "h", "x2", "g", "b", "o"]),
    (["inputs"], ["x1", "x2", "b"]),
    (["hidden"], ["h", "g"]),
    (["outputs"], ["o"]),
    (["edges"], [0, 1, 2, 3, 4, 5]),
    (["examples"], [1, 2, 3]),
    (["into", H], [0, 1]),
    (["into", X1], []),
    (["out_of", X1], [0, 2]),
    (["map", ["vertices"], ["held", v(0)]], [False] * 4 + [True, False]),
    (["held", B], True),
    (["tail", edge(4)], "b"),
    (["head", edge(4)], "g"),
    (["users", edge(1)], [0]),
    (["users", edge(4)], []),
    (["learnable", edge(1)], True),
    (["learnable", edge(4)], False),
    (["paths"], [[0, 4], [2, 5], [1, 4], [3, 5]]),
    (["edges_on", ["at", ["paths"], 2]], [2, 5]),
    (["start", ["at", ["paths"], 3]], "x2"),
    (["paths_to", O], [[], [4], [5], [0, 4], [1, 4], [2, 5], [3, 5]]),
    (["paths_to", X1], [[]]),
    (["along", O, ["if", ["eq", ["card", v(2)], 0], 1, ["sum", v(2), v(3)]]], 4),
    (["along", O, ["add", ["card", v(1)], ["sum", v(2), v(3)]]], 1 + 1 + 4 * 2),
    (["along", O, ["if", ["eq", ["card", v(2)], 0], ["if", ["held", v(0)], 7, 0], LAST]], 7),
    (["along", O, ["div", 1, ["sub", ["card", v(2)], 2]]], UNDEFINED),
    (["along", X1, ["card", v(2)]], 0),
    (["activation", H, -3], 0),
    (["activation", G, -3], F(-3, 2)),
    (["activation", G, 3], 3),
    (["activation", O, -3], -3),
    (["activation", X1, 3], UNDEFINED),
    (["weight", edge(2)], -1),
    (["weight", edge(4)], F(-1, 2)),
    (["input", X2, 2], 2),
    (["input", B, 2], 1),
    (["input", H, 1], UNDEFINED),
    (["input", X1, 4], UNDEFINED),
    (["label", 3], 2),
    (["label", 0], UNDEFINED),
    (["loss_slope", 2], 3),
    (["loss_slope", 4], UNDEFINED),
    (["slope_left", G], F(1, 2)),
    (["slope_right", H], 1),
    (["slope_left", H], 0),
    (["slope_left", X1], UNDEFINED),
    (["pre", H, 3], -6),
    (["pre", X1, 1], UNDEFINED),
    (["pre", H, 4], UNDEFINED),
    (["post", G, 3], F(-7, 4)),
    (["post", X1, 3], -3),
    (["post", X1, 4], UNDEFINED),
    (["slope", H, 2], 1),
    (["slope", H, 3], 0),
    (["slope", G, 3], F(1, 2)),
    (["slope", X1, 1], UNDEFINED),
    (["map", ["examples"], ["output", v(0)]], [5, 2, -7]),
    (["output", 0], UNDEFINED),
    (["gradient", edge(5), 1], 1),
    (["gradient", edge(1), 1], 3),
    (["gradient", edge(1), 2], 3),
    (["gradient", edge(1), 3], 0),
    (["gradient", edge(3), 3], 4 * F(1, 2) * -3),
    (["gradient", edge(4), 1], 4),
    (["gradient", edge(1), 4], UNDEFINED),
    (["map", ["examples"], ["sensitivity", H, v(0)]], [3, 3, 0]),
    (["map", ["examples"], ["sensitivity", G, v(0)]], [4, 4, 2]),
    (["sensitivity", O, 2], 1),
    (["sensitivity", X1, 2], UNDEFINED),
    (["sensitivity", H, 4], UNDEFINED),
    (["eq", ["edge", X1, G], edge(3)], True),
    (["edge", G, X1], UNDEFINED),
    (["edge", X1, O], UNDEFINED),
    (["field", "A"], MALFORMED),
    (["along", 1, 1], MALFORMED),
    (["along", O], MALFORMED),
    (["along", O, True], MALFORMED),
    (["along", O, v(1)], MALFORMED),
    (["along", O, ["at", v(2), v(3)]], MALFORMED),
    (["rate", ["along", O, ["weight", edge(1)]]], MALFORMED),
    (["rate", ["along", O, ["card", v(2)]]], 0),
    (["eq", ["in", H, ["hidden"]], ["in", O, ["hidden"]]], False),
    (["minus", ["edges"], ["into", H]], [2, 3, 4, 5]),
]


@pytest.mark.parametrize(("term", "expected"), CASES, ids=str)
def test_a_value_by_hand(term, expected):
    assert value(term, NET) == expected


def test_the_slope_at_0_is_what_the_case_chooses():
    asleep = NET | {"choice": {"slopes_at_0": [["h", 2, "0"], ["h", 1, "1/2"]]}}
    half = NET | {"choice": {"slopes_at_0": [["h", 2, "1/2"]]}}
    assert value(["slope", H, 2], NET) == 1
    assert value(["slope", H, 2], half) == Fraction(1, 2)
    assert value(["slope", H, 2], asleep) == 0
    assert value(["slope", H, 1], asleep) == 1
    assert value(["gradient", edge(1), 2], asleep) == 0


def test_several_outputs():
    two = network(["x>o1", "x>h", "h>o2", "o1>o2"], [2, 3, 5, 7])
    assert value(["output", 1], two) == UNDEFINED
    assert value(["gradient", edge(1), 1], two) == UNDEFINED
    assert value(["rate", ["weight", edge(1)]], two) == UNDEFINED
    assert value(["post", ["at", ["outputs"], 2], 1], two) == 15 + 14
    assert value(["paths"], two) == [[0], [0, 3], [1, 2]]


def test_an_output_within_the_network_has_its_own_gradient():
    inner = network(["x>o", "o>h"], [2, 3], examples=[([5], 1, 1)])
    assert value(["map", ["edges"], ["gradient", v(0), 1]], inner) == [5, 0]
    assert value(["paths"], inner) == [[0]]


def test_too_many_paths_are_undefined():
    layers = range(14)
    edges = [f"{a}{k}>{b}{k + 1}" for k in layers for a in "gh" for b in "gh"]
    wide = ["x>g0", "x>h0", *edges, "g14>o", "h14>o"]
    end = ["at", ["outputs"], 1]
    for term in (["paths"], ["paths_to", end], ["list", ["along", end, 1]]):
        assert value(["card", term], network(wide, [1] * len(wide))) == UNDEFINED


def test_smooth_activations():
    smooth = network(["x>h", "h>o"], [1, 1], {"h": "tanh", "o": "softplus"})
    h, o = (["at", ["vertices"], k] for k in (2, 3))
    t = math.tanh(1)
    inner, outer = 1 - t * t, 1 / (1 + math.exp(-t))
    assert near(value(["post", h, 1], smooth), t)
    assert near(value(["slope", h, 1], smooth), inner)
    assert near(value(["output", 1], smooth), math.log(1 + math.exp(t)))
    assert near(value(["gradient", edge(1), 1], smooth), inner * outer)
    assert near(value(["rate", ["pre", o, 1]], smooth), outer * (t * t + inner * inner))
    assert value(["slope_left", h], smooth) == UNDEFINED
    still = network(["x>o"], [0], {"o": "sigmoid"})
    assert value(["output", 1], still) == F(1, 2)


# gradient descent ---------------------------------------------------------------------------------
NETWORKS = {"network": True}


def descending(sizes, later, net=NET):
    return net | {"choice": {"eta": sizes, "slopes": later}}


def test_steps_by_hand():
    """The rates at the start are 2/3, ... for h > o; see test_the_velocity_by_hand."""
    net = descending(["3", "1/2"], [[0, 1, "1/3"]])
    assert value(["steps"], net) == [0, 1]
    assert value(["step_size", 1], net) == F(1, 2)
    assert value(["step_size", 2], net) == value(["step_size", -1], net) == UNDEFINED
    for e in range(6):
        moved = value(
            ["add", ["weight", edge(e + 1)], ["mul", 3, ["rate", ["weight", edge(e + 1)]]]], NET
        )
        assert value(["after", 1, ["weight", edge(e + 1)]], net) == moved
    assert value(["after", 0, ["output", 1]], net) == value(["output", 1], net) == 5
    assert value(["map", ["steps"], ["after", v(0), ["loss_slope", 3]]], net) == [5, F(1, 3)]
    assert value(["after", 2, ["loss_slope", 3]], net) == UNDEFINED
    assert value(["after", 3, 1], net) == value(["after", -1, 1], net) == UNDEFINED
    assert value(["after", 2, ["after", 0, ["weight", edge(1)]]], net) == 2


def test_a_step_asks_for_the_weights_that_it_starts_from():
    """x > o twice: nu = w x, so w(2) = w - a x - b x."""
    net = network(["x>o"], [1], {}, [([2], 1, 1)])
    assert (
        value(["after", 2, ["weight", edge(1)]], descending(["1", "1/2"], [[-3]], net)) == 1 - 2 + 3
    )


@pytest.mark.parametrize(
    "term",
    [
        ["after", 1, ["rate", ["weight", edge(1)]]],
        ["rate", ["after", 1, ["weight", edge(1)]]],
        ["after", "1/2", 1],
    ],
)
def test_what_is_no_term_about_steps(term):
    assert value(term, NET) == MALFORMED


@pytest.mark.parametrize(
    ("choice", "error"),
    [
        ({"eta": []}, Rejected),
        ({"eta": ["1/2", "1"]}, Rejected),
        ({"eta": ["1/2"], "slopes": [["1", "1", "1"]]}, Rejected),
        ({"eta": ["1/2", "1"], "slopes": [["1", "1"]]}, Rejected),
        ({"slopes": []}, Rejected),
        ({"eta": [0.5]}, Rejected),
        ({"eta": ["1"] * 65, "slopes": [["1", "1", "1"]] * 64}, Declined),
        ({"eta": ["1"], "beta": ["1"]}, Declined),
    ],
)
def test_a_descent_is_read_strictly(choice, error):
    with pytest.raises(error):
        read_case(NET | {"choice": choice}, read_domain({"network": True}), {})


def test_numbers_that_grow_too_long_are_declined():
    """Of a chain of six edges the number of digits grows fivefold with each step."""
    chain = network(["x>a", "a>b", "b>c", "c>d", "d>e", "e>o"], [2, 3, 4, 5, 6, 7], {})
    long = descending(["1"] * 64, [["-1"]] * 63, chain)
    told = check(certificate(["eq", 1, 2], [], ("1", "2"), domain={"network": True}, case=long))
    assert told.code == DECLINED
    assert "bits" in told.message


def test_there_is_no_proof_about_steps():
    told = certificate(["eq", ["after", 0, ["steps"]], ["steps"]], [], None, domain=NETWORKS)
    proof = {key: value for key, value in told.items() if key not in ("case", "at", "value")}
    outcome = check(proof | {"kind": "proof", "proof": [[]]})
    assert outcome.code == DECLINED
    assert "steps of gradient descent" in outcome.message


def test_one_loss_at_all_steps():
    """A step of size 0 leaves the margins, and the slopes have to be the same."""
    says = ["eq", ["after", 1, ["output", 1]], 4]
    for slope, code in ((["-2", "3", "5"], ACCEPTED), (["-2", "3", "4"], REJECTED)):
        net = descending(["0", "1"], [slope])
        told = certificate(says, [], ("5", "4"), domain={"network": True}, case=net)
        assert check(told).code == code, check(told).message


# rates --------------------------------------------------------------------------------------------
def squares(edges):
    return ["rate", ["sum", edges, ["pow", ["weight", v(1)], 2]]]


def test_balance_at_a_hidden_vertex():
    """Of a ReLU network: the weights into v and out of v gain squares at the same rate."""
    net = network(
        ["x1>h", "x2>h", "x1>g", "x2>g", "h>k", "g>k", "h>o", "k>o"],
        [2, -1, 1, 3, "1/2", -2, 5, "2/3"],
        {"h": "relu", "g": "relu", "k": "relu"},
        [([1, 1], 1, -2), ([1, "1/3"], -1, 3), ([-3, 1], 2, 5), ([2, -2], 1, "-1/7")],
    )
    both = ["list", squares(["into", v(0)]), squares(["out_of", v(0)])]
    found = value(["map", ["hidden"], both], net)
    assert len(found) == 3
    assert all(entering == leaving for entering, leaving in found)
    assert all(entering != 0 for entering, _ in found[:1])


def test_the_velocity_by_hand():
    # - (1/3) sum of slope, label, gradient of h > o: 1, 0, 0
    assert value(["rate", ["weight", edge(5)]], NET) == F(2, 3)
    # of x1 > g: gradients 4, 4, -6
    assert value(["rate", ["weight", edge(3)]], NET) == -F(-2 * 4 - 3 * 4 + 10 * -6, 3)
    assert value(["rate", ["weight", edge(4)]], NET) == 0
    # o = w h + u g: at example 3 only g moves, and u
    w3, u, rate_g = value(["rate", ["weight", edge(3)]], NET), F(4), F(-7, 4)
    rate_u = value(["rate", ["weight", edge(6)]], NET)
    expected = rate_u * rate_g + u * F(1, 2) * w3 * -3
    assert value(["rate", ["output", 3]], NET) == expected
    assert value(["rate", ["post", O, 3]], NET) == expected
    assert value(["rate", ["post", X1, 3]], NET) == 0
    assert value(["rate", ["pre", X1, 3]], NET) == UNDEFINED


def test_shared_parameters_move_together():
    shared = network(["x>h=w", "h>o=w"], [3], examples=[([2], 1, 1)])
    assert value(["users", edge(1)], shared) == [0, 1]
    assert value(["gradient", edge(1), 1], shared) == 6
    assert value(["rate", ["weight", edge(2)]], shared) == -12
    assert value(["rate", ["output", 1]], shared) == 2 * 3 * -12 * 2


ARRAYS = {"A": array("mat", [[1, 2], [3, 4]], "n", "n"), "x": array("vec", [1, -1], "n")}
SCALARS = {"c": array("num", 2), "d": array("num", 3)}
BY_TRANSPOSE = {"A": ["transpose", f("A")]}  # the velocity is [[1, 3], [2, 4]]
ONE = ["entry", f("A"), 1, 2]  # 2, of velocity 3

RATES = [
    (ONE, 3),
    (["neg", ONE], -3),
    (["add", ONE, 5], 3),
    (["sub", 5, ONE], -3),
    (["mul", ONE, ONE], 12),
    (["div", 1, ONE], F(-3, 4)),
    (["div", ONE, ONE], 0),
    (["div", ONE, 0], UNDEFINED),
    (["pow", ONE, 3], 36),
    (["pow", ONE, -1], F(-3, 4)),
    (["pow", ["sub", ONE, 2], 0], 0),
    (["pow", ["sub", ONE, 2], 1], 3),
    (["pow", ["sub", ONE, 2], -1], UNDEFINED),
    (["pow", ONE, "3"], MALFORMED),
    (["pow", ONE, "1/2"], MALFORMED),
    (["pow", 2, ONE], MALFORMED),
    (["if", ["gt", ONE, 0], ONE, ["abs", ONE]], MALFORMED),
    (["if", ["gt", ["abs", ONE], 0], ONE, 5], 3),
    (["if", ["lt", ["abs", ONE], 0], ONE, 5], 0),
    (["let", ONE, ["if", ["gt", ["sqrt", v(0)], 0], v(0), 5]], 3),
    (["abs", ONE], MALFORMED),
    (["larger", ONE, 0], MALFORMED),
    (["sqrt", ONE], MALFORMED),
    (["norm", f("A")], MALFORMED),
    (["rank", f("A")], MALFORMED),
    (["rate", ONE], MALFORMED),
    (["list", ONE, 1], MALFORMED),
    (["mul", ["sqrt", "1/4"], ONE], F(3, 2)),
    (["mul", ["rate", 5], ONE], 0),
    (["sum", ["range", 1, ["rows", f("A")]], ["entry", f("A"), v(0), 1]], 1 + 2),
    (["prod", ["range", 1, 2], ["entry", f("A"), 1, v(0)]], 2 + 3),
    (["let", ONE, ["mul", v(0), v(0)]], 12),
    (["at", ["map", ["range", 1, 2], ["entry", f("A"), v(0), 2]], 2], 4),
    (["map", ["range", 1, 2], ONE], MALFORMED),
    (f("A"), [[1, 3], [2, 4]]),
    (f("x"), [0, 0]),
    (5, 0),
    (["range", 1, 2], MALFORMED),
    (["vector", 2, ["entry", f("A"), v(0), 2]], [3, 4]),
    (["matrix", 1, 2, ["entry", f("A"), v(1), v(0)]], [[1, 2]]),
    (["matmul", f("A"), f("A")], [[15, 25], [25, 45]]),
    (["matmul", f("A"), f("x")], [-2, -2]),
    (["dot", f("A"), ["eye", 2]], 5),
    (["outer", f("x"), ["row", f("A"), 1]], [[1, 3], [-1, -3]]),
    (["transpose", f("A")], [[1, 2], [3, 4]]),
    (["column", f("A"), 2], [3, 4]),
    (["coord", ["row", f("A"), 2], 1], 2),
    (["beside", f("A"), ["eye", 2]], [[1, 3, 0, 0], [2, 4, 0, 0]]),
    (["above", ["eye", 2], f("A")], [[0, 0], [0, 0], [1, 3], [2, 4]]),
    (["kron", ["eye", 1], f("A")], [[1, 3], [2, 4]]),
    (["frob2", f("A")], 58),
    (["trace", f("A")], 5),
    (["diagonal", f("A")], [1, 4]),
    (["diag", ["row", f("A"), 1]], [[1, 0], [0, 3]]),
    (["det", f("A")], -5),
    (["inverse", f("A")], [[3, -1], [F(-11, 4), F(3, 4)]]),
    (["mul", 2, f("A")], [[2, 6], [4, 8]]),
    (["div", f("A"), ONE], [[F(1, 2) - F(3, 4), 0], [1 - F(9, 4), -1]]),
    (["entry", f("A"), 3, 1], UNDEFINED),
    (["at", ["list", 1, 2], ["rank", f("A")]], MALFORMED),
    (["mul", ["rows", f("A")], ONE], 6),
    (["mul", ["rows", ["mul", ["sqrt", ["pdet2", f("A")]], f("A")]], ONE], 6),
    (["let", ONE, ["mul", ["dim", ["vector", 2, ["sqrt", v(0)]]], v(0)]], 6),
]


@pytest.mark.parametrize(("term", "expected"), RATES, ids=lambda case: str(case)[:60])
def test_a_rate_by_hand(term, expected):
    assert value(["rate", term], flow=BY_TRANSPOSE, **ARRAYS) == expected


def test_the_determinant_of_a_singular_matrix_has_a_rate():
    zero = {"A": array("mat", [[1, 2], [2, 4]], "n", "n")}
    flow = {"A": mat([1, 0], [0, 0])}
    assert value(["rate", ["det", f("A")]], flow=flow, **zero) == 4
    assert value(["rate", ["inverse", f("A")]], flow=flow, **zero) == UNDEFINED


def test_fields_that_move_and_fields_that_stand():
    flow = {"c": ["mul", f("c"), f("d")]}  # 6
    assert value(["rate", ["mul", f("c"), f("d")]], flow=flow, **SCALARS) == 18
    assert value(["rate", f("d")], flow=flow, **SCALARS) == 0
    assert value(["rate", ["abs", f("d")]], flow=flow, **SCALARS) == 0
    assert value(["rate", f("c")], flow={"c": ["div", 1, 0]}, **SCALARS) == UNDEFINED
    assert value(["rate", f("x")], flow={"x": ["row", ["eye", 3], 1]}, **ARRAYS) == UNDEFINED
    outside = ["let", f("c"), ["rate", v(0)]]
    assert value(outside, flow=flow, **SCALARS) == MALFORMED
    assert value(["let", f("d"), ["rate", v(0)]], flow=flow, **SCALARS) == 0
    in_list = ["sum", ["list", f("c"), 1], ["rate", ["mul", v(0), f("c")]]]
    assert value(in_list, flow=flow, **SCALARS) == MALFORMED
    assert value(
        ["fold", ["list", 1], 1, ["add", ["rate", v(0)], f("c")]], flow=flow, **SCALARS
    ) == (MALFORMED)


@pytest.mark.parametrize("term", [["gradient", edge(1), 1], ["loss_slope", 1]])
def test_what_moves_in_a_network_without_a_rate(term):
    assert value(["rate", term], NET) == MALFORMED
    assert value(["rate", ["mul", ["slope", H, 1], ["label", 1]]], NET) == 0


def test_an_edge_chosen_by_what_moves_may_be_named_outside():
    positive = ["filter", ["edges"], ["gt", ["weight", v(0)], 0]]
    term = ["sum", positive, ["rate", ["weight", v(0)]]]
    assert value(term, NET) != MALFORMED
    assert value(["rate", ["sum", positive, ["weight", v(0)]]], NET) == MALFORMED


# reading ------------------------------------------------------------------------------------------
def broken(**changes):
    case = network(["x>h", "h>o"], [1, 2], {"h": "relu"})
    return case | {"network": case["network"] | changes}


PLAIN = broken()["network"]
LEAKY = {"name": "h", "activation": "leaky_relu", "slope": "1/2"}


def with_vertex(**changes):
    return [{"name": "x", "activation": "linear"}, LEAKY | changes, PLAIN["vertices"][2]]


def read(case):
    return read_case(case, read_domain({"network": True}), {})


NO_SLOPES = [
    [["x", 1, "1"]],
    [["h", 0, "1"]],
    [["h", 2, "1"]],
    [["h", 1, "-1/9"]],
    [["h", 1, "10/9"]],
    [["h", 1, "1"], ["h", 1, "1"]],
    [["h", 1]],
    [["o", 1, "0"]],
    {"h": "1"},
]


@pytest.mark.parametrize(
    ("case", "error"),
    [
        (broken(format="other"), Rejected),
        (broken(version=2), Declined),
        (broken(more=1), Rejected),
        (broken(title=1), Rejected),
        (broken(inputs=[]), Rejected),
        (broken(inputs=["x", "x"]), Rejected),
        (broken(inputs=["h"]), Rejected),
        (broken(outputs=["y"]), Rejected),
        (broken(outputs=["x"]), Rejected),
        (broken(constants={"x": 1}), Rejected),
        (broken(constants={"x": "1"}), Rejected),  # the only input
        (broken(constants={"h": 1}), Rejected),
        (broken(weights={"x>h": 1}), Rejected),
        (broken(weights={"x>h": 1, "h>o": 1.5}), Rejected),
        (broken(edges=[*PLAIN["edges"], PLAIN["edges"][0]]), Rejected),
        (broken(edges=[*PLAIN["edges"], {"tail": "o", "head": "h", "fixed": 1}]), Rejected),
        (broken(edges=[*PLAIN["edges"], {"tail": "x", "head": "o"}]), Rejected),
        (broken(vertices=with_vertex(activation="relu")), Rejected),
        (broken(vertices=with_vertex(activation="gelu")), Rejected),
        (broken(vertices=with_vertex(scale_square="2")), Declined),
        (broken(vertices=with_vertex(name="x")), Rejected),
        (broken() | {"loss": "squared"}, Declined),
        (broken() | {"choice": {"direction": {}}}, Declined),
        *((broken() | {"choice": {"slopes_at_0": some}}, Rejected) for some in NO_SLOPES),
        (broken() | {"examples": []}, Rejected),
        (broken() | {"examples": [{"x": [1, 2], "y": 1, "slope": 1}]}, Rejected),
        (broken() | {"examples": [{"x": [1], "y": 1}]}, Rejected),
    ],
    ids=str,
)
def test_a_network_is_read_strictly(case, error):
    with pytest.raises(error):
        read(case)


def test_what_a_network_may_have():
    read(broken(title="a", constants={}, vertices=with_vertex(scale_square="1")))


# activations --------------------------------------------------------------------------------------
TANH = network(["x>h", "h>o"], [1, 1], {"h": "tanh"}, [([1], 1, -1), ([-1], -1, -2)])


@pytest.mark.parametrize(
    ("activations", "code"),
    [
        (["tanh"], ACCEPTED),
        (["relu", "tanh"], ACCEPTED),
        (["sigmoid"], REJECTED),
        (["linear"], REJECTED),
        ([], REJECTED),
        (["cosine"], REJECTED),
        ("tanh", REJECTED),
        ([["tanh"]], REJECTED),
        (None, REJECTED),
    ],
)
def test_the_activations_of_a_domain(activations, code):
    """Those of hidden vertices; outputs may be linear too."""
    domain = {"network": True, "activations": activations}
    told = certificate(["lt", ["output", 1], 0], [], (["7/10", "8/10"], "0"), domain=domain)
    one = network(["x>h", "h>o"], [1, 1], {"h": "tanh"})
    assert check(told | {"case": one}).code == code
    curved = network(["x>h", "h>o"], [1, 1], {"h": "tanh", "o": "softplus"})
    assert check(told | {"case": curved}).code == REJECTED


def test_activations_are_of_networks():
    told = certificate(["lt", f("c"), 0], [], ("1", "0"), c=array("num", 1))
    assert check(told).code == ACCEPTED
    told["statement"]["domain"]["activations"] = ["tanh"]
    assert check(told).code == REJECTED


def test_one_loss_where_margins_are_not_rational():
    """tanh is odd: the margins of both examples are equal, which no precision tells."""
    says, sides = ["lt", ["output", 1], 0], (["7/10", "8/10"], "0")
    told = certificate(says, [], sides, domain=NETWORKS, case=TANH)
    assert check(told).code == DECLINED
    assert "the slopes of the loss" in check(told).message
    same, other = (
        network(["x>h", "h>o"], [1, 1], {"h": "tanh"}, [([1], 1, -1), second])
        for second in (([-1], -1, -1), ([-1], -2, -2))
    )
    assert check(told | {"case": same}).code == ACCEPTED
    assert check(told | {"case": other}).code == ACCEPTED
