"""The rules `along`, `places`, `prod`, `branch`, `filtered`, sums over filtered lists, and what has
a value in each element: uses that are right, worked by hand, and forged ones that would show what
is false."""

from __future__ import annotations

from typing import Any

import pytest

from tests.verify.checker_proofs.records import algebra, equal, fails, field, item, lemma, proof
from tests.verify.checker_proofs.test_forged import alone, cases, defined, mul, step, within
from verify.checker import ACCEPTED, REJECTED, check

Json = Any
NETWORK = {"network": True}
x, y, z = map(field, ("x", "y", "z"))
v0, v1, v2, v3 = (["var", k] for k in range(4))
OUTPUT = ["at", ["outputs"], 1]
EDGES = ["edges"]
WEIGHT = ["weight", v0]


def along(value: Json) -> Json:
    """A recursion from the output: u is v0, the path v1, the values before v2."""
    return ["along", OUTPUT, value]


# a recursion whose inputs are 0: 0 at every vertex -----------------------------------------------
EMPTY = ["eq", ["card", ["into", v0]], 0]


def added(before: Json, k: Json) -> Json:
    return ["sum", ["range", 1, ["card", ["into", v0]]], ["at", before, k]]


def sums(at_inputs: Json) -> Json:
    """At the inputs this, and elsewhere the sum of the values before."""
    return along(["if", EMPTY, at_inputs, added(v2, v3)])


ADDING = sums(0)


def adding(says: Json, form: Json, value: Json, at_inputs: Json = 0) -> Json:
    """That the recursion is what the form says; value: of an edge before, within a `map`."""
    total = added(["map", ["into", v0], value], v2)
    found = ["if", EMPTY, at_inputs, total]
    goal = ["eq", found, form]
    over_edges = ["sum", ["into", v0], value]
    no = [
        step("branch", ["eq", found, total], of=1),
        step("places", ["eq", total, over_edges]),
        algebra(goal, equal(2), equal(3)),
    ]
    inside = cases(goal, EMPTY, [step("branch", goal, of=1)], no)
    return proof(says, step("along", says, form=along(form), steps=[inside]), over=NETWORK)


def at_once(says: Json, form: Json, *steps: Json) -> Json:
    return proof(says, step("along", says, form=along(form), steps=list(steps)), over=NETWORK)


LENGTH = along(["card", v1])
LENGTH_IS_0 = ["eq", LENGTH, 0]
MOVED = along(["rate", ["weight", ["at", EDGES, 1]]])

# 1, as the path from the output alone has no edges -----------------------------------------------
NO_EDGES, AT_OUTPUT = ["eq", ["card", v1], 0], ["if", ["eq", v0, OUTPUT], 1, 2]
BEGINS = ["if", NO_EDGES, OUTPUT, ["tail", ["at", v1, 1]]]
WITHOUT_EDGES = ["if", NO_EDGES, AT_OUTPUT, 1]
AT_END = [  # after the facts that the path begins at the vertex, and that it has no edges
    step("branch", ["eq", BEGINS, OUTPUT], of=1),
    step("same", ["eq", v0, OUTPUT], by=[0], of=2),
    step("branch", ["eq", AT_OUTPUT, 1], of=3),
    step("branch", ["eq", WITHOUT_EDGES, AT_OUTPUT], of=1),
    algebra(["eq", WITHOUT_EDGES, 1], equal(4), equal(5)),
]
LONGER = [step("branch", ["eq", WITHOUT_EDGES, 1], of=1)]

# lists -------------------------------------------------------------------------------------------
PLACES = ["range", 1, ["card", EDGES]]
WEIGHTS = ["map", EDGES, ["weight", v1]]
TOTAL = ["sum", EDGES, WEIGHT]


def in_places(says: Json) -> Json:
    return proof(says, step("places", says), over=NETWORK)


PAIR, AT_PLACE = ["list", 1, 2], ["at", EDGES, v1]
FROM_IT, UP_TO_IT = (["filter", ["range", 1, 3], [order, v1, v0]] for order in ("ge", "le"))
FROM_1 = ["sum", ["range", 1, 3], ["sub", v1, v0]]  # 6 - 3 v0, below 0 at 3
SIGN, SIZE = ["sign", WEIGHT], ["abs", WEIGHT]


def of_all(says: Json, fact: Json, place: int) -> Json:
    """By the rule `prod`, from a fact about a weight that the lemma `sign` gives at some place."""
    every = within("each", ["each", EDGES, fact], lemma("sign", (), x=WEIGHT), kept(fact, place))
    return proof(says, every, step("prod", says, of=0), over=NETWORK)


def kept(fact: Json, place: int) -> Json:
    """The fact again, as the last one: the element comes with one fact, the lemma with three."""
    if fact[0] == "eq":
        return algebra(fact, equal(1 + place))
    return algebra(fact, item(1, 1 + place))


CHOICE = ["if", ["ge", x, 0], y, z]
AMONG = ["filter", ["range", 1, 3], ["ge", mul(x, v0), 0]]
PART = ["ge", mul(x, v0), 0]


def among(says: Json, *steps: Json, many: Json = AMONG) -> Json:
    return proof(["each", many, says], *steps)


def in_and(many: Json, condition: Json) -> Json:
    return ["and", ["in", v0, many], condition]


TIMES = ["if", PART, 1, 0]

# what has a value --------------------------------------------------------------------------------
FIRST = ["weight", ["at", EDGES, 1]]
INVERSE = ["div", 1, FIRST]
MEAN_IS_1 = ["eq", mul(FIRST, ["sum", ["examples"], INVERSE]), ["card", ["examples"]]]
OF_NONE = ["ne", ["add", FIRST, ["sum", ["range", 1, 0], INVERSE]], 0]
EARLIER = ["filter", ["examples"], ["lt", v0, 1]]
OF_SOME = ["ne", ["add", FIRST, ["sum", EARLIER, INVERSE]], 0]
VALUES = ["eigenvalues", field("S")]
SYMMETRIC = ["eq", field("S"), ["transpose", field("S")]]
BOTH = ["and", ["ge", x, 0], ["ge", y, 0]]


def each_with_value(many: Json, *steps: Json) -> Json:
    """That S is symmetric, from what is said of each element of a list: that x >= 0."""
    return proof(
        SYMMETRIC,
        within("each", ["each", many, ["ge", x, 0]], *steps),
        defined(VALUES, 1),
        lemma("symmetric", (2,), S=field("S")),
        given=(BOTH,),
    )


RIGHT = {
    "zeros add up to 0": adding(["eq", ADDING, 0], 0, 0),
    "a closed form that depends on the path": at_once(
        LENGTH_IS_0, ["card", v1], algebra(["eq", ["card", v1], ["card", v1]])
    ),
    "the path begins at the vertex": at_once(
        ["eq", along(WITHOUT_EDGES), 1],
        1,
        cases(["eq", WITHOUT_EDGES, 1], NO_EDGES, AT_END, LONGER),
    ),
    "the places of a list": in_places(["eq", ["sum", PLACES, ["at", WEIGHTS, v0]], TOTAL]),
    "an element by its place": in_places(
        [
            "eq",
            ["sum", PLACES, mul(["at", WEIGHTS, v0], ["weight", ["at", EDGES, v0]])],
            ["sum", EDGES, ["pow", WEIGHT, 2]],
        ]
    ),
    "a product of signs and sizes": of_all(
        ["eq", mul(["prod", EDGES, SIGN], ["prod", EDGES, SIZE]), ["prod", EDGES, WEIGHT]],
        ["eq", mul(SIGN, SIZE), WEIGHT],
        0,
    ),
    "a product of what is not below 0": of_all(
        ["ge", ["prod", EDGES, SIZE], 0], ["ge", SIZE, 0], 2
    ),
    "a product over a list that is written out": proof(
        ["eq", ["prod", ["list", x, y, 2], v0], mul(2, y, x)],
        algebra(["eq", ["prod", ["list", x, y, 2], v0], mul(2, y, x)]),
    ),
    "a sum over those for which it is true": alone(
        ["eq", ["sum", AMONG, v0], ["sum", ["range", 1, 3], mul(TIMES, v0)]]
    ),
    "their number": alone(["eq", ["card", AMONG], ["sum", ["range", 1, 3], TIMES]]),
    "a product over those for which it is true": alone(
        ["eq", ["prod", AMONG, v0], ["prod", ["range", 1, 3], ["if", PART, v0, 1]]]
    ),
    "what has a value on each example": proof(
        MEAN_IS_1,
        defined(INVERSE),
        lemma("divisor", (0,), a=1, b=FIRST),
        lemma("reciprocal", (1,), b=FIRST),
        algebra(MEAN_IS_1, equal(2, ["card", ["examples"]])),
        over=NETWORK,
    ),
    "what has a value at each vertex": proof(
        ["eq", 1, 1],
        within(
            "each",
            ["each", ["hidden"], ["eq", ["slope_left", v0], ["slope_left", v0]]],
            step(
                "at",
                ["le", ["slope_left", v0], ["slope_right", v0]],
                of=0,
                member=1,
                element=v0,
            ),
            defined(["slope_left", v0], 2),
        ),
        defined(["each", ["hidden"], ["eq", ["slope_left", v0], ["slope_left", v0]]], 1),
        algebra(["eq", 1, 1]),
        given=(["each", ["hidden"], ["le", ["slope_left", v0], ["slope_right", v0]]],),
        over=NETWORK,
    ),
    "the branch that a condition tells": proof(
        ["eq", CHOICE, y], step("branch", ["eq", CHOICE, y], of=0), given=(["ge", x, 0],)
    ),
    "the branch that its opposite tells": proof(
        ["eq", CHOICE, z], step("branch", ["eq", CHOICE, z], of=0), given=(["lt", x, 0],)
    ),
    "what is true of those for which it is": among(
        PART,
        step("filtered", in_and(["range", 1, 3], PART), of=0),
        step("part", PART, of=1),
    ),
}
QUOTIENT = ["ge", ["div", x, y], 0]
FALSE = {
    "ones do not add up to 1": adding(["eq", sums(1), 1], 1, 1, 1),
    "a form that has another value at the end": adding(["eq", ADDING, 1], 0, 0),
    "a form of the values before": at_once(
        ["eq", ADDING, ["card", ["into", OUTPUT]]], ["card", v2], algebra(["eq", 0, 0])
    ),
    "one more than the length of the path": at_once(
        ["eq", LENGTH, 1], ["add", 1, ["card", v1]], algebra(["eq", ["card", v1], ["card", v1]])
    ),
    "the values before are those of the form": at_once(
        ["eq", ADDING, 1], 1, algebra(["eq", ["if", EMPTY, 0, 1], 1])
    ),
    "a recursion with a rate": at_once(
        ["eq", MOVED, 0], 0, algebra(["eq", ["rate", ["weight", ["at", EDGES, 1]]], 0])
    ),
    "the path is not empty everywhere": at_once(
        ["eq", along(["if", ["eq", v0, OUTPUT], 0, 1]), 1], 1, algebra(["eq", 1, 1])
    ),
    "all places but the last": in_places(
        [
            "eq",
            ["sum", ["range", 1, ["sub", ["card", EDGES], 1]], ["at", WEIGHTS, v0]],
            TOTAL,
        ]
    ),
    "the place itself": in_places(["eq", ["sum", PLACES, v0], ["sum", EDGES, 1]]),
    "the place of another sum": in_places(
        [
            "eq",
            ["sum", PLACES, ["sum", PAIR, ["at", ["map", EDGES, ["weight", AT_PLACE]], v0]]],
            ["sum", EDGES, ["sum", PAIR, WEIGHT]],
        ]
    ),
    "one place for all": in_places(["eq", ["sum", PLACES, ["at", WEIGHTS, 1]], TOTAL]),
    "the places of another list": in_places(
        ["eq", ["sum", ["range", 1, ["card", ["inputs"]]], ["at", WEIGHTS, v0]], TOTAL]
    ),
    "another value at a place": in_places(
        ["eq", ["sum", PLACES, ["at", WEIGHTS, v0]], ["sum", EDGES, ["abs", WEIGHT]]]
    ),
    "a product from below 1": of_all(["ge", ["prod", EDGES, SIZE], 1], ["ge", SIZE, 0], 2),
    "a bound of the element, as if what is bound within it were the element": proof(
        ["ge", ["prod", ["range", 3, 3], FROM_1], 0],
        within(
            "each",
            ["each", ["range", 3, 3], ["ge", FROM_1, FROM_1]],
            algebra(["ge", FROM_1, FROM_1]),
        ),
        step("prod", ["ge", ["prod", ["range", 3, 3], FROM_1], 0], of=0),
    ),
    "a bound that is a fact, as if what is bound within it were the element": proof(
        ["ge", ["prod", ["range", 3, 3], -1], 0],
        step("prod", ["ge", ["prod", ["range", 3, 3], -1], 0], of=0),
        given=(["each", ["range", 3, 3], ["ge", -1, FROM_1]],),
    ),
    "a product over another list": proof(
        ["eq", ["prod", ["list", x, y], v0], ["prod", ["list", x], 1]],
        step("prod", ["eq", ["prod", ["list", x, y], v0], ["prod", ["list", x], 1]], of=0),
        given=(["each", ["list", x], ["eq", v0, 1]],),
    ),
    "a product of what is bound outside": alone(
        ["eq", *(["sum", ["range", 1, 3], ["prod", FROM_IT, k]] for k in (v0, v1))]
    ),
    "a sum with the condition turned around": alone(
        ["eq", *(["sum", ["range", 1, 3], ["sum", many, v1]] for many in (FROM_IT, UP_TO_IT))]
    ),
    "a product of what is at least -1": proof(
        ["ge", ["prod", ["list", x, y, 1], v0], -1],
        within(
            "each",
            ["each", ["list", x, y, 1], ["ge", v0, -1]],
            step("at", ["ge", v0, -1], of=0, member=1, element=v0),
        ),
        step("prod", ["ge", ["prod", ["list", x, y, 1], v0], -1], of=1),
        given=(["each", ["list", x, y, 1], ["ge", v0, -1]],),
    ),
    "a product of upper bounds": proof(
        ["le", ["prod", ["list", x, y], v0], ["prod", ["list", x, y], 1]],
        step("prod", ["le", ["prod", ["list", x, y], v0], ["prod", ["list", x, y], 1]], of=0),
        given=(["each", ["list", x, y], ["le", v0, 1]],),
    ),
    "a product of sums": proof(
        ["eq", ["prod", ["list", x, y], ["add", v0, 1]], ["add", mul(x, y), 1]],
        algebra(["eq", ["prod", ["list", x, y], ["add", v0, 1]], ["add", mul(x, y), 1]]),
    ),
    "a sum over all for one over those for which it is true": alone(
        ["eq", ["sum", AMONG, v0], ["sum", ["range", 1, 3], v0]]
    ),
    "a product with 0 for those for which it is not": alone(
        ["eq", ["prod", AMONG, v0], ["prod", ["range", 1, 3], mul(TIMES, v0)]]
    ),
    "a value on each of none": proof(
        OF_NONE,
        defined(INVERSE),
        lemma("divisor", (0,), a=1, b=FIRST),
        step("same", OF_NONE, by=[], of=1),
        over=NETWORK,
    ),
    "a value on each example of those that there may not be": proof(
        OF_SOME,
        defined(INVERSE),
        lemma("divisor", (0,), a=1, b=FIRST),
        step("same", OF_SOME, by=[], of=1),
        over=NETWORK,
    ),
    "the value of what is supposed of each": proof(
        ["ne", FIRST, 0],
        cases(
            ["ne", FIRST, 0],
            ["each", ["hidden"], ["eq", INVERSE, INVERSE]],
            [
                defined(["each", ["hidden"], ["eq", INVERSE, INVERSE]], 0),
                lemma("divisor", (1,), a=1, b=FIRST),
            ],
            [algebra(["ne", FIRST, 0])],
        ),
        over=NETWORK,
    ),
    "what is true of each need not have a value": proof(
        ["ne", FIRST, 0],
        within(
            "each",
            ["each", ["hidden"], ["eq", INVERSE, INVERSE]],
            algebra(["eq", INVERSE, INVERSE]),
        ),
        defined(INVERSE, 0),
        lemma("divisor", (1,), a=1, b=FIRST),
        over=NETWORK,
    ),
    "of each of a list that need not have a value": each_with_value(
        VALUES, step("part", ["ge", x, 0], of=0)
    ),
    "the branch of the opposite": proof(
        ["eq", CHOICE, z], step("branch", ["eq", CHOICE, z], of=0), given=(["ge", x, 0],)
    ),
    "the branch of another condition": proof(
        ["eq", CHOICE, z], step("branch", ["eq", CHOICE, z], of=0), given=(["le", x, 0],)
    ),
    "another condition of those for which it is true": among(
        ["gt", mul(x, v0), 0],
        step("filtered", in_and(["range", 1, 3], ["gt", mul(x, v0), 0]), of=0),
        step("part", ["gt", mul(x, v0), 0], of=1),
    ),
    "of those among all": among(
        PART,
        step("filtered", in_and(["range", 1, 3], PART), of=0),
        step("part", PART, of=1),
        many=["range", 1, 3],
    ),
    "of a list that need not have a value": proof(
        ["ne", y, 0],
        cases(
            ["ne", y, 0],
            ["in", 1, ["filter", ["range", 1, 3], QUOTIENT]],
            [
                step("filtered", ["and", ["in", 1, ["range", 1, 3]], QUOTIENT], of=0),
                step("part", QUOTIENT, of=1),
                {"rule": "defined", "term": ["div", x, y], "of": 2},
                lemma("divisor", (3,), a=x, b=y),
            ],
            [algebra(["ne", y, 0])],
        ),
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_it_is_right(name: str) -> None:
    code, message = check(RIGHT[name])
    assert code == ACCEPTED, message
    assert fails(RIGHT[name]["statement"], seed=5) is not True


@pytest.mark.parametrize("name", FALSE)
def test_it_is_rejected(name: str) -> None:
    code, message = check(FALSE[name])
    assert code == REJECTED, message


@pytest.mark.parametrize("name", FALSE)
def test_it_is_false(name: str) -> None:
    assert fails(FALSE[name]["statement"], seed=7, tries=300) is True
