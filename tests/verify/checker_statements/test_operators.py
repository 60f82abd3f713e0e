"""Every operator of docs/language.md on values worked by hand, and where it has none."""

import math
from fractions import Fraction

import pytest

from tests.verify.checker_statements.statements import (
    MALFORMED,
    UNDEFINED,
    array,
    f,
    mat,
    near,
    sort_of,
    v,
    value,
    vec,
)
from verify.checker.interpreter import RULES
from verify.checker.outcomes import Undecided
from verify.checker.sorts import SIGNATURES

F = Fraction
NONE = ["range", 1, 0]  # the empty list
THREE = ["range", 1, 3]
UNDEFINED_NUMBER = ["div", 1, 0]
NO_TRUTH = ["eq", UNDEFINED_NUMBER, 0]
A, SYMMETRIC = mat([1, 2], [3, 4]), mat([2, 1], [1, 2])
WIDE = mat([1, 0, 1], [0, 1, 1])
SINGULAR = mat([1, 2], [2, 4])
NUMBERS = ["list", 3, 1, 3, 2]

CASES = [
    # numbers
    (["add", 2, 3], 5),
    (["add", "1/2", 3], F(7, 2)),
    (["sub", 2, "1/2"], F(3, 2)),
    (["mul", "2/3", "3/4"], F(1, 2)),
    (["neg", "1/2"], F(-1, 2)),
    (["abs", -3], 3),
    (["div", 1, 2], F(1, 2)),
    (["div", 1, ["sub", 2, 2]], UNDEFINED),
    (["pow", 2, 10], 1024),
    (["pow", 2, -2], F(1, 4)),
    (["pow", "-1/2", 3], F(-1, 8)),
    (["pow", 0, 0], 1),
    (["pow", 0, "0"], 1),
    (["pow", 0, -1], UNDEFINED),
    (["pow", 0, "1/2"], 0),
    (["pow", 0, "-1/2"], UNDEFINED),
    (["pow", -8, "1/3"], UNDEFINED),
    (["pow", -8, ["sqrt", 2]], UNDEFINED),
    (["pow", 0, ["sqrt", 2]], 0),
    (["pow", 0, ["neg", ["sqrt", 2]]], UNDEFINED),
    (["pow", "4/9", "3/2"], F(8, 27)),
    (["pow", 8, "-2/3"], F(1, 4)),
    (["pow", -2, "4/2"], 4),
    (["sign", "-1/2"], -1),
    (["sign", 0], 0),
    (["sign", ["sqrt", 2]], 1),
    (["sqrt", "9/4"], F(3, 2)),
    (["sqrt", 0], 0),
    (["sqrt", -1], UNDEFINED),
    (["sqrt", ["neg", ["sqrt", 2]]], UNDEFINED),
    (["log", 1], 0),
    (["log", 0], UNDEFINED),
    (["log", -1], UNDEFINED),
    (["exp", 0], 1),
    (["tanh", 0], 0),
    (["sigmoid", 0], F(1, 2)),
    (["tanh", ["log", 0]], UNDEFINED),
    (["larger", 1, "3/2"], F(3, 2)),
    (["smaller", 1, "3/2"], 1),
    (["floor", "-3/2"], -2),
    (["ceil", "-3/2"], -1),
    (["floor", ["mul", 100, ["sqrt", 2]]], 141),
    (["ceil", ["neg", ["sqrt", 2]]], -1),
    (["erfc", 0], 1),
    (["erfc", ["div", 1, 0]], UNDEFINED),
    (["rising", "1/2", 2], F(3, 4)),
    (["rising", "5/2", -2], F(4, 3)),
    (["rising", 3, 0], 1),
    (["rising", 2, -2], UNDEFINED),
    (["rising", 0, "1/2"], UNDEFINED),
    (["rising", "1/2", "-1/2"], UNDEFINED),
    (["mod", 7, 3], 1),
    (["mod", -7, 3], 2),
    (["mod", 7, 0], UNDEFINED),
    (["mod", 7, -3], UNDEFINED),
    (["if", True, 1, UNDEFINED_NUMBER], 1),
    (["if", False, 1, UNDEFINED_NUMBER], UNDEFINED),
    (["if", NO_TRUTH, 1, 1], UNDEFINED),
    # truth
    (["eq", 2, "4/2"], True),
    (["ne", 2, "4/2"], False),
    (["eq", True, False], False),
    (["eq", THREE, ["list", 1, 2, 3]], True),
    (["eq", THREE, ["list", 1, 2]], False),
    (["eq", vec(1, 2), vec(1, 2)], True),
    (["eq", vec(1, 2), vec(1, 2, 3)], UNDEFINED),
    (["ne", mat([1, 2]), mat([1], [2])], UNDEFINED),
    (["eq", ["tuple", 1, 2], ["tuple", "1", "2"]], True),
    (["le", 1, 1], True),
    (["lt", 1, 1], False),
    (["ge", ["sqrt", 2], "7/5"], True),
    (["gt", ["sqrt", 2], "3/2"], False),
    (["and", False, NO_TRUTH], False),
    (["and", True, NO_TRUTH], UNDEFINED),
    (["and", NO_TRUTH, False], UNDEFINED),
    (["or", True, NO_TRUTH], True),
    (["or", False, NO_TRUTH], UNDEFINED),
    (["implies", False, NO_TRUTH], True),
    (["implies", True, False], False),
    (["implies", NO_TRUTH, True], UNDEFINED),
    (["not", False], True),
    (["in", 2, THREE], True),
    (["in", ["sqrt", 2], ["list", 1, ["sqrt", 3]]], False),
    (["in", vec(1), ["list", vec(2), vec(1, 1)]], UNDEFINED),
    (["in", 1, NONE], False),
    # lists
    (["range", 2, 4], [2, 3, 4]),
    (["range", 2, 1], []),
    (["list", 1, "1/2"], [1, F(1, 2)]),
    (["tuple", 1, True], [1, True]),
    (["item", ["tuple", 1, True, 5], 3], 5),
    (["item", ["tuple", 1, 2], 3], MALFORMED),
    (["item", ["tuple", 1, 2], 0], MALFORMED),
    (["item", THREE, 1], MALFORMED),
    (["at", NUMBERS, 4], 2),
    (["at", NUMBERS, 0], UNDEFINED),
    (["at", NUMBERS, 5], UNDEFINED),
    (["card", NUMBERS], 4),
    (["union", NUMBERS, ["list", 5, 1]], [3, 1, 2, 5]),
    (["intersection", NUMBERS, ["list", 2, 3]], [3, 2]),
    (["minus", NUMBERS, ["list", 1]], [3, 2]),
    (["distinct", NUMBERS], [3, 1, 2]),
    (["distinct", ["list", vec(1), vec(1), vec(2)]], [[1], [2]]),
    (["distinct", ["list", vec(1), vec(1, 2)]], UNDEFINED),
    (["concat", THREE, ["list", 3]], [1, 2, 3, 3]),
    (["sorted", ["list", "1/2", -1, "1/3"]], [-1, F(1, 3), F(1, 2)]),
    (["sorted", NUMBERS], [1, 2, 3, 3]),
    (["subsets", ["list", 7, 8]], [[], [7], [8], [7, 8]]),
    (["subsets", NONE], [[]]),
    (["subsets", ["range", 1, 17]], UNDEFINED),
    (
        ["orders", ["list", 7, 8, 9]],
        [[7, 8, 9], [7, 9, 8], [8, 7, 9], [8, 9, 7], [9, 7, 8], [9, 8, 7]],
    ),
    (["orders", ["list", 7, 7]], [[7, 7], [7, 7]]),
    (["orders", NONE], [[]]),
    (["orders", ["range", 1, 7]], UNDEFINED),
    # vectors and matrices
    (["add", vec(1, 2), vec(3, 4)], [4, 6]),
    (["add", vec(1, 2), vec(3)], UNDEFINED),
    (["sub", A, SYMMETRIC], [[-1, 1], [2, 2]]),
    (["sub", A, WIDE], UNDEFINED),
    (["neg", vec(1)], [-1]),
    (["mul", 2, vec(1, 2)], [2, 4]),
    (["mul", "1/2", A], [[F(1, 2), 1], [F(3, 2), 2]]),
    (["mul", A, 2], MALFORMED),
    (["div", A, 2], [[F(1, 2), 1], [F(3, 2), 2]]),
    (["div", A, 0], UNDEFINED),
    (["matmul", A, A], [[7, 10], [15, 22]]),
    (["matmul", A, vec(1, 1)], [3, 7]),
    (["matmul", WIDE, A], UNDEFINED),
    (["matmul", A, vec(1)], UNDEFINED),
    (["dot", vec(1, 2), vec(3, 4)], 11),
    (["dot", A, A], 30),
    (["dot", vec(1), vec(1, 2)], UNDEFINED),
    (["outer", vec(1, 2), vec(3, 4, 5)], [[3, 4, 5], [6, 8, 10]]),
    (["transpose", WIDE], [[1, 0], [0, 1], [1, 1]]),
    (["entry", A, 2, 1], 3),
    (["entry", A, 3, 1], UNDEFINED),
    (["entry", A, 0, 1], UNDEFINED),
    (["coord", vec(5, 6), 2], 6),
    (["coord", vec(5, 6), 3], UNDEFINED),
    (["row", A, 2], [3, 4]),
    (["row", A, 3], UNDEFINED),
    (["column", A, 2], [2, 4]),
    (["column", A, 3], UNDEFINED),
    (["rows", WIDE], 2),
    (["cols", WIDE], 3),
    (["dim", vec(1, 2, 3)], 3),
    (["beside", A, WIDE], [[1, 2, 1, 0, 1], [3, 4, 0, 1, 1]]),
    (["beside", A, ["eye", 3]], UNDEFINED),
    (["above", A, ["eye", 2]], [[1, 2], [3, 4], [1, 0], [0, 1]]),
    (["above", A, WIDE], UNDEFINED),
    (["kron", A, mat([1, 10])], [[1, 10, 2, 20], [3, 30, 4, 40]]),
    (["frob2", A], 30),
    (["frob2", vec(3, 4)], 25),
    (["trace", A], 5),
    (["trace", WIDE], UNDEFINED),
    (["diagonal", A], [1, 4]),
    (["diagonal", WIDE], UNDEFINED),
    (["diag", vec(1, 2)], [[1, 0], [0, 2]]),
    (["eye", 2], [[1, 0], [0, 1]]),
    (["eye", 0], UNDEFINED),
    (["zeros", 1, 2], [[0, 0]]),
    (["zeros", 1, 0], UNDEFINED),
    (["rank", A], 2),
    (["rank", SINGULAR], 1),
    (["rank", ["zeros", 2, 3]], 0),
    (["rank", WIDE], 2),
    (["rank", ["mul", ["sqrt", 2], A]], 2),
    (["det", A], -2),
    (["det", mat([0, 1], [1, 0])], -1),
    (["det", mat(["1/2", 1], [1, "1/3"])], F(-5, 6)),
    (["det", SINGULAR], 0),
    (["det", WIDE], UNDEFINED),
    (["inverse", A], [[-2, 1], [F(3, 2), F(-1, 2)]]),
    (["inverse", mat([0, 2], [1, 0])], [[0, 1], [F(1, 2), 0]]),
    (["inverse", SINGULAR], UNDEFINED),
    (["inverse", WIDE], UNDEFINED),
    (["pdet2", A], 4),
    (["pdet2", SINGULAR], 25),
    (["pdet2", ["zeros", 2, 3]], 1),
    (["pdet2", mat(["1/2", 0], [0, 3])], F(9, 4)),
    (["definite", SYMMETRIC], True),
    (["definite", mat([1, 2], [2, 1])], False),
    (["definite", SINGULAR], True),
    (["definite", mat([-1, 0], [0, 0])], False),
    (["definite", A], UNDEFINED),
    (["definite", WIDE], UNDEFINED),
    (["eigenvalues", SYMMETRIC], [3, 1]),
    (["eigenvalues", mat([0, 0, 0], [0, -2, 0], [0, 0, "1/2"])], [F(1, 2), 0, -2]),
    (["eigenvalues", ["eye", 3]], [1, 1, 1]),
    (["eigenvalues", A], UNDEFINED),
    (["singular", mat([3, 0, 0], [0, -4, 0])], [4, 3]),
    (["singular", mat([1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1])], [4, 0]),
    (["roots", vec(2, -3, 1), 1, 2], 2),
    (["roots", vec(2, -3, 1), "4/3", "5/3"], 0),
    (["roots", vec(1, -2, 1, 0), 0, 2], 1),
    (["roots", vec(1, -2, 1, 0), 1, 1], 1),
    (["roots", vec(0, 0, 1, 1), -1, 0], 2),
    (["roots", vec(0, 0, 1, 1), 0, -1], 0),
    (["roots", vec(0, 0, "-1/3", 0, "1/6"), -2, 2], 3),
    (["roots", vec(6, -5, -5, 5, -1), "-1/2", 3], 3),
    (["roots", vec(1, 0, 2, 0, 1), -9, 9], 0),
    (["roots", vec(3), 0, 1], 0),
    (["roots", vec(0, 0), 0, 1], UNDEFINED),
    (["norm", vec(3, 4)], 5),
    (["norm", mat([0, "1/2"], [-2, 0])], 2),
    (["nuclear", mat([0, "1/2"], [-2, 0])], F(5, 2)),
    (["schatten", A, 2], 30),
    (["schatten", A, 4], 892),
    (["schatten", mat([0, 4], [-9, 0]), "1/2"], 5),
    (["schatten", ["zeros", 2, 2], "1/2"], 0),
    (["schatten", A, 0], UNDEFINED),
    (["schatten", A, -1], UNDEFINED),
    # binders
    (["sum", THREE, ["mul", v(0), v(0)]], 14),
    (["sum", NONE, v(0)], 0),
    (["sum", ["list", vec(1, 2), vec(3, 4)], v(0)], [4, 6]),
    (["sum", ["list", vec(1, 2), vec(3)], v(0)], UNDEFINED),
    (["sum", THREE, ["mul", v(0), ["eye", 2]]], [[6, 0], [0, 6]]),
    (["sum", NONE, ["eye", 2]], UNDEFINED),
    (["sum", THREE, ["eye", v(0)]], UNDEFINED),
    (["sum", ["list", 1, 0], ["div", 1, v(0)]], UNDEFINED),
    (["prod", THREE, v(0)], 6),
    (["prod", NONE, v(0)], 1),
    (["maximum", THREE, ["neg", v(0)]], -1),
    (["minimum", THREE, ["neg", v(0)]], -3),
    (["maximum", NONE, v(0)], UNDEFINED),
    (["maximum", ["list", 1, 0], ["div", 1, v(0)]], UNDEFINED),
    (["count", THREE, ["gt", v(0), 1]], 2),
    (["each", THREE, ["gt", v(0), 0]], True),
    (["each", NONE, False], True),
    (["some", NONE, True], False),
    (["each", ["list", 1, 0], ["eq", ["div", 1, v(0)], 2]], False),
    (["each", ["list", 1, 0], ["eq", ["div", 1, v(0)], 1]], UNDEFINED),
    (["some", ["list", 1, 0], ["eq", ["div", 1, v(0)], 1]], True),
    (["some", ["list", 0, 1], ["eq", ["div", 1, v(0)], 1]], UNDEFINED),
    (["filter", THREE, ["ne", v(0), 2]], [1, 3]),
    (["map", THREE, ["div", 1, v(0)]], [1, F(1, 2), F(1, 3)]),
    (["the", THREE, ["eq", v(0), 2]], 2),
    (["the", THREE, ["ge", v(0), 2]], UNDEFINED),
    (["the", ["list", 2, 2], ["eq", v(0), 2]], UNDEFINED),
    (["argmax", ["list", 1, -2, 2], ["abs", v(0)]], -2),
    (["argmax", NONE, v(0)], UNDEFINED),
    (["vector", 3, ["mul", v(0), v(0)]], [1, 4, 9]),
    (["vector", 0, v(0)], UNDEFINED),
    (["matrix", 2, 3, ["sub", v(0), v(1)]], [[0, -1, -2], [1, 0, -1]]),
    (["matrix", 0, 1, 1], UNDEFINED),
    (["let", 3, ["add", v(0), v(0)]], 6),
    (["let", UNDEFINED_NUMBER, 1], UNDEFINED),
    (["fold", THREE, 10, ["sub", v(0), v(1)]], 4),
    (["fold", THREE, 1, ["div", v(0), v(1)]], F(1, 6)),
    (["fold", NONE, 1, ["div", v(0), v(1)]], 1),
    # a variable is counted from the outermost binder, and an operator with two binds two
    (["sum", THREE, ["sum", ["range", 1, v(0)], ["mul", v(0), v(1)]]], 1 + 6 + 18),
    (["matrix", 1, 1, ["sum", THREE, v(2)]], [[6]]),
]


@pytest.mark.parametrize(("term", "expected"), CASES, ids=lambda case: str(case)[:60])
def test_a_value_by_hand(term, expected):
    assert value(term) == expected


def test_every_operator_has_a_rule_and_a_case():
    assert set(RULES) == {*SIGNATURES, "literal", "var", "field", "list", "tuple", "item", "unfold"}


IRRATIONAL = [
    (["sqrt", 2], math.sqrt(2)),
    (["exp", "1/3"], math.exp(1 / 3)),
    (["exp", -40], math.exp(-40)),
    (["tanh", "1/3"], math.tanh(1 / 3)),
    (["tanh", "-7"], math.tanh(-7)),
    (["tanh", ["sqrt", 2]], math.tanh(math.sqrt(2))),
    (["sub", 1, ["tanh", 50]], 2 * math.exp(-100)),
    (["sigmoid", "-1/3"], 1 / (1 + math.exp(1 / 3))),
    (["softplus", 0], math.log(2)),
    (["softplus", "-5/2"], math.log1p(math.exp(-2.5))),
    (["log", 10], math.log(10)),
    (["erfc", "1/3"], math.erfc(1 / 3)),
    (["erfc", "-7/2"], math.erfc(-3.5)),
    (["erfc", ["sqrt", 2]], math.erfc(math.sqrt(2))),
    (["erfc", 25], math.erfc(25)),
    (["rising", "1/2", "1/2"], 1 / math.sqrt(math.pi)),
    (["rising", 1, "-2/3"], math.gamma(1 / 3)),
    (["rising", "3/2", "65/2"], math.gamma(34) / math.gamma(1.5)),
    (["rising", 40, "1/3"], math.exp(math.lgamma(40 + 1 / 3) - math.lgamma(40))),
    (["rising", ["mul", ["sqrt", 2], ["sqrt", 2]], "1/2"], math.gamma(2.5)),
    (["rising", ["sqrt", 2], "1/2"], math.gamma(math.sqrt(2) + 0.5) / math.gamma(math.sqrt(2))),
    (["log", "1001/1000"], math.log1p(0.001)),
    (["log", ["exp", "1/7"]], 1 / 7),
    (["pow", 2, "1/3"], 2 ** (1 / 3)),
    (["pow", ["sqrt", 2], 3], 2**1.5),
    (["pow", ["sqrt", 2], -3], 2**-1.5),
    (["pow", ["sub", 1, ["sqrt", 2]], 2], (1 - math.sqrt(2)) ** 2),
    (["pow", ["sub", 1, ["sqrt", 2]], 3], (1 - math.sqrt(2)) ** 3),
    (["pow", 3, ["sqrt", 2]], 3 ** math.sqrt(2)),
    (["div", ["sqrt", 2], ["neg", ["sqrt", 3]]], -math.sqrt(2 / 3)),
    (["div", 1, ["sqrt", 3]], 1 / math.sqrt(3)),
    (["sub", 1, ["mul", "1/2", ["sqrt", 3]]], 1 - math.sqrt(3) / 2),
    (["abs", ["sub", 1, ["sqrt", 2]]], math.sqrt(2) - 1),
    (["larger", ["sqrt", 2], ["sqrt", 3]], math.sqrt(3)),
    (["norm", vec(1, 1)], math.sqrt(2)),
    (["norm", A], 5.464985704219043),
    (["nuclear", A], math.sqrt(34)),
    (["schatten", A, 1], math.sqrt(34)),
    (["schatten", SINGULAR, "1/2"], math.sqrt(5)),
    (["at", ["singular", mat([1, 1], [1, 2])], 2], (3 - math.sqrt(5)) / 2),
    (["at", ["eigenvalues", mat([1, 1], [1, 0])], 2], (1 - math.sqrt(5)) / 2),
    (["norm", ["div", A, ["sqrt", 2]]], 5.464985704219043 / math.sqrt(2)),
    (["det", ["div", A, ["sqrt", 2]]], -1),
    (["pdet2", ["div", A, ["sqrt", 2]]], 1),
    (["coord", ["row", ["inverse", ["div", A, ["sqrt", 2]]], 1], 2], math.sqrt(2)),
    (["maximum", ["list", 2, 3], ["sqrt", v(0)]], math.sqrt(3)),
]


@pytest.mark.parametrize(("term", "expected"), IRRATIONAL, ids=lambda case: str(case)[:60])
def test_an_enclosure_by_floating_point(term, expected):
    assert near(value(term), expected)


def test_equal_numbers_that_are_not_rational_are_not_decided():
    with pytest.raises(Undecided):
        value(["eq", ["mul", ["sqrt", 2], ["sqrt", 3]], ["sqrt", 6]], bits=320)
    with pytest.raises(Undecided):
        value(["div", 1, ["sub", ["mul", ["sqrt", 2], ["sqrt", 3]], ["sqrt", 6]]])
    with pytest.raises(Undecided):
        value(["pow", -1, ["mul", ["sqrt", 2], ["sqrt", 2]]])
    assert value(["let", ["sqrt", 2], ["eq", v(0), v(0)]]) is True
    assert value(["eq", ["list", ["sqrt", 2], 1], ["list", ["sqrt", 2], 2]]) is False


def test_fields_have_their_values():
    arrays = {
        "A": array("mat", [[1, "1/2"]], "m", "n"),
        "x": array("vec", [2, 3], "n"),
        "c": array("num", "3/4"),
        "k": array("int", 5),
    }
    term = ["add", ["coord", ["matmul", f("A"), f("x")], 1], ["mul", f("c"), f("k")]]
    assert value(term, **arrays) == F(7, 2) + F(15, 4)
    assert value(f("B"), **arrays) == MALFORMED
    assert value(["vertices"], **arrays) == MALFORMED


SORTS = [
    (["add", 1, 2], "int"),
    (["add", 1, "2"], "num"),
    (["div", 2, 1], "num"),
    (["pow", 2, 3], "int"),
    (["pow", 2, -3], "num"),
    (["pow", "2", 3], "num"),
    (["pow", 2, ["add", 1, 1]], "num"),
    (["larger", 1, 2], "num"),
    (["if", True, 1, "1/2"], "num"),
    (["list", 1, "1/2"], "seq[num]"),
    (["union", ["list", 1], ["list", "1/2"]], "seq[num]"),
    (["sorted", ["list", 1]], "seq[int]"),
    (["tuple", 1, True], "tuple[int, bool]"),
    (["fold", THREE, 1, ["div", v(0), v(1)]], "num"),
    (["fold", THREE, ["tuple", 1, 1], ["tuple", ["item", v(0), 2], "1/2"]], "tuple[num, num]"),
    (["subsets", THREE], "seq[seq[int]]"),
    (["orders", THREE], "seq[seq[int]]"),
    (["map", THREE, ["eye", v(0)]], "seq[mat]"),
    (["sum", THREE, v(0)], "num"),
    (["let", NO_TRUTH, v(0)], "bool"),
]


@pytest.mark.parametrize(("term", "sort"), SORTS, ids=str)
def test_sorts(term, sort):
    assert sort_of(term) == sort


BROKEN = [
    ["add", 1],
    ["add", 1, 2, 3],
    ["add", 1, True],
    ["add", ["eye", 2], 1],
    ["eq", 1, True],
    ["and", 1, True],
    ["if", 1, 2, 3],
    ["if", True, 1, True],
    ["list"],
    ["list", 1, True],
    ["tuple", 1],
    ["item", ["tuple", 1, 2], "1"],
    ["item", ["tuple", 1, 2]],
    ["at", ["list", 1], "1"],
    ["range", 1, "2"],
    ["mod", "7", 2],
    ["var", 0],
    ["var", -1],
    ["var", "0"],
    ["var"],
    ["sum", THREE, v(1)],
    ["sum", v(0), 1],
    ["sum", 3, 1],
    ["sum", THREE, True],
    ["each", THREE, 1],
    ["fold", THREE, 1, True],
    ["fold", THREE, 1],
    ["let", 1],
    ["vector", "2", 1],
    ["eye", "2"],
    ["sorted", ["list", True]],
    ["unknown", 1],
    ["literal", 1],
    ["rate", True],
    ["field", 1],
    ["field"],
    [],
    [[]],
    [1, 2],
    {"add": 1},
    None,
    1.5,
    "1.5",
    "",
    "1/0",
    "a",
    "+1",
    " 1",
]


@pytest.mark.parametrize("term", BROKEN, ids=str)
def test_what_is_malformed(term):
    assert sort_of(term) == MALFORMED


@pytest.mark.parametrize("operator", sorted(SIGNATURES))
@pytest.mark.parametrize("wrong", [[], [["tuple", 1, 2]], [["tuple", 1, 2]] * 2, [True] * 4])
def test_no_operator_takes_what_it_should_not(operator, wrong):
    without_arguments = not wrong and SIGNATURES[operator][0][0] == ()
    pairs = operator in ("eq", "ne", "let") and len(wrong) == 2
    found = sort_of([operator, *wrong], network=without_arguments)
    assert (found == MALFORMED) is not (without_arguments or pairs)
