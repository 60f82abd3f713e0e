"""Lemmas and definitions about networks, and the rule `other`: uses that are right, and forged
ones."""

from __future__ import annotations

from typing import Any

import pytest

from tests.verify.checker_proofs.records import algebra, fails, field, item, lemma, proof
from tests.verify.checker_proofs.test_forged import defined, step
from verify.checker import ACCEPTED, REJECTED, check
from verify.checker.lemmas import DEFINITIONS, LEMMAS
from verify.checker.sorts import EDGE, INT, NUM, PATH, VERTEX, seq

Json = Any
NETWORK = {"network": True}
ALL = {**LEMMAS, **DEFINITIONS}
NAMES = [
    *("paths", "edge", "output", "on a path", "end of a path", "into", "out of", "alone"),
    *("pre-activation", "activation", "slope below", "slope above", "slope without kink"),
    *("gradient", "sensitivity", "same in-neighbours", "same out-neighbours"),
    *("edge from a neighbour", "edge to a neighbour", "tails", "heads", "edge between"),
    *("at a vertex", "between two", "vertex", "with slopes", "users"),
    *("pre-activation of an output", "value of an input", "value of a vertex", "value"),
    *("with in-edges", "edge into", "no loop", "only edge out", "first edge out"),
    *("edge of its ends", "homogeneous", "edge of a path", "path through a vertex"),
    "sensitivity of the output",
]
LISTS = {
    VERTEX: ["vertices"],
    EDGE: ["edges"],
    PATH: ["paths"],
    INT: ["examples"],
    NUM: ["list", "-1", "1/2", "2"],
    seq(VERTEX): ["subsets", ["vertices"]],
}
TRUE, ONE_OUTPUT = ["eq", 1, 1], ["eq", ["card", ["outputs"]], 1]


def shown(says: Json, name: str, fact: Json, leaf: Json, **more: Any) -> Json:
    """A proof of a leaf, which a lemma gives as this fact.

    premises: all facts of the statement, unless said; put: into the lemma, by default the elements
    of the statement; values: the facts of which it is used that a term has a value.
    """
    given, count = tuple(more.get("given", ())), more["facts"]
    values = more.get("values", [])
    premises = more.get("premises", tuple(range(count + len(values))))
    put = more.get("put") or {key: ["var", k] for k, key in enumerate(ALL[name].takes)}
    steps = [defined(term, of) for term, of in values]
    first = count + len(values)
    last = step("same", leaf, by=[], of=first + fact)
    return proof(says, *steps, lemma(name, premises, **put), last, given=given, over=NETWORK)


def use(name: str, fact: int = 0, without: int | None = None, **put: Json) -> Json:
    """What a lemma gives, of all for which it holds: conditions are supposed. without: the number
    of the condition that is not among its premises. put: other terms, in place of what it takes."""
    one = ALL[name]
    needs, values = list(one.needs), list(one.defined)
    conditions = [*needs, *(["eq", term, term] for term in values)]
    says = one.gives[fact]
    for condition in reversed(conditions):
        says = ["implies", condition, says]
    for sort in reversed(one.takes.values()):
        says = ["each", LISTS[sort], says]
    begin = len(one.takes)
    count = begin + len(conditions)
    numbers = [begin + k for k in range(len(needs))] + [count + k for k in range(len(values))]
    premises = [number for k, number in enumerate(numbers) if k != without]
    return shown(
        says,
        name,
        fact,
        one.gives[fact],
        facts=count,
        values=[(term, begin + len(needs) + k) for k, term in enumerate(values)],
        premises=tuple(premises),
        put={key: put.get(key, ["var", k]) for k, key in enumerate(one.takes)},
    )


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        (name, fact)
        for name in NAMES
        for fact in range(len(ALL[name].gives))
        if ALL[name].gives[fact][0] != "each"  # of which the leaf is within
    ],
)
def test_what_follows(name: str, fact: int) -> None:
    code, message = check(use(name, fact))
    assert code == ACCEPTED, message
    assert ("trusted: nothing" in message) == (name in DEFINITIONS)


def test_all_of_them_are_here() -> None:
    words = {VERTEX, EDGE, PATH, seq(VERTEX)}
    found = {name for name, one in ALL.items() if words & {*one.takes.values()}}
    assert {*NAMES} == found | {"output", "value"}


@pytest.mark.parametrize(
    ("name", "k"),
    [(name, k) for name in NAMES for k in range(len(ALL[name].needs) + len(ALL[name].defined))],
)
def test_without_a_premise(name: str, k: int) -> None:
    code, message = check(use(name, without=k))
    assert code == REJECTED
    assert "is not among its premises" in message


@pytest.mark.parametrize("name", NAMES)
def test_of_something_else(name: str) -> None:
    """The premises speak of another vertex, edge, path or example, or have another sort."""
    for key, sort in ALL[name].takes.items():
        others = {
            VERTEX: ["at", ["outputs"], 1],
            EDGE: ["at", ["edges"], 1],
            PATH: ["at", ["paths"], 1],
            INT: 1,
            NUM: "1/3",
            seq(VERTEX): ["vertices"],
        }
        assert check(use(name, **{key: others.pop(sort)})).code == REJECTED
        for other in others.values():
            assert check(use(name, **{key: other})).code == REJECTED


# forged ones that would show what is false -----------------------------------------------------
V, J = ["var", 0], ["var", 1]


def of_vertices(name: str, many: Json, *conditions: Json, **more: Any) -> Json:
    """What a lemma of a vertex and an example says of a list of vertices."""
    (leaf,) = ALL[name].gives
    says = leaf
    for condition in reversed(conditions):
        says = ["implies", condition, says]
    says = ["each", many, ["each", ["examples"], says]]
    given = more.get("given", ())
    return shown(says, name, 0, leaf, facts=len(given) + 2 + len(conditions), **more)


def of_pairs(name: str, *conditions: Json) -> Json:
    """What a lemma says of a vertex, an example and a hidden vertex, there is one output."""
    leaf = ALL[name].gives[0]
    says = leaf
    for condition in reversed(conditions):
        says = ["implies", condition, says]
    says = ["each", ["vertices"], ["each", ["examples"], ["each", ["hidden"], says]]]
    return shown(says, name, 0, leaf, facts=4 + len(conditions), given=[ONE_OUTPUT])


def all_slopes(k: int) -> Json:
    """That all hidden vertices have slopes where they are."""
    return ["each", ["hidden"], ["eq", *[["slope", ["var", k], 1]] * 2]]


PRE, SLOPE = ["pre", V, J], ["slope", V, J]
LEFT = ["eq", ["slope_left", V], ["slope_left", V]]
SLOPES = [(["slope_left", V], 2)]
ARRIVING, LEAVING = ALL["same in-neighbours"].needs[2:], ALL["same out-neighbours"].needs[3:]
FALSE: dict[str, Json] = {
    "the activation of a smooth vertex": of_vertices(
        "activation", ["hidden"], ["eq", SLOPE, SLOPE], values=[(SLOPE, 2)]
    ),
    "the slope below 0, at 0": of_vertices(
        "slope below", ["hidden"], LEFT, ["le", PRE, 0], values=SLOPES
    ),
    "the slope above 0, at 0": of_vertices(
        "slope above", ["hidden"], LEFT, ["ge", PRE, 0], values=SLOPES
    ),
    "the slope above 0, below it": of_vertices(
        "slope above", ["hidden"], LEFT, ["lt", PRE, 0], values=SLOPES
    ),
    "the slope of a kink": of_vertices(
        "slope without kink", ["hidden"], LEFT, ["eq", PRE, 0], values=SLOPES
    ),
    "no kink, of another vertex": of_vertices(
        "slope without kink",
        ["hidden"],
        LEFT,
        ["some", ["hidden"], ["eq", ["slope_left", ["var", 2]], ["slope_right", ["var", 2]]]],
        values=SLOPES,
    ),
    "the sensitivity of the output": of_vertices("sensitivity", ["outputs"], given=[ONE_OUTPUT]),
    "the sensitivity where no input is": of_vertices(
        "sensitivity", ["minus", ["vertices"], ["inputs"]], given=[ONE_OUTPUT]
    ),
    "in-neighbours of one among those of the other": of_pairs("same in-neighbours", ARRIVING[0]),
    "out-neighbours of one among those of the other": of_pairs("same out-neighbours", LEAVING[0]),
    "out-neighbours for in-neighbours": of_pairs("same in-neighbours", *LEAVING),
    "the head of an edge at a vertex": shown(
        ["each", ["vertices"], ["each", ["out_of", V], ["eq", ["head", J], V]]],
        "into",
        0,
        ["eq", ["head", J], V],
        facts=2,
        put={"e": J, "v": V},
    ),
    "the tail of an edge at a vertex": shown(
        ["each", ["vertices"], ["each", ["into", V], ["eq", ["tail", J], V]]],
        "out of",
        0,
        ["eq", ["tail", J], V],
        facts=2,
        put={"e": J, "v": V},
    ),
    "the head of any edge": shown(
        ["each", ["edges"], ["each", ["outputs"], ["eq", ["head", V], J]]],
        "into",
        0,
        ["eq", ["head", V], J],
        facts=2,
    ),
    "the only user of a parameter that is shared": shown(
        ["each", ["edges"], ["implies", ["learnable", V], ALL["alone"].gives[0]]],
        "alone",
        0,
        ALL["alone"].gives[0],
        facts=2,
    ),
    "the end of a path at any vertex": shown(
        ["each", ["vertices"], ["each", ["paths"], ALL["end of a path"].gives[0]]],
        "end of a path",
        0,
        ALL["end of a path"].gives[0],
        facts=3,
        given=[ONE_OUTPUT],
    ),
    "the end of a path at one of several outputs": shown(
        ["each", ["outputs"], ["each", ["paths"], ALL["end of a path"].gives[0]]],
        "end of a path",
        0,
        ALL["end of a path"].gives[0],
        facts=3,
        given=[["ge", ["card", ["outputs"]], 1]],
    ),
    "paths, where hidden vertices are smooth": shown(
        ["each", ["edges"], ["each", ["examples"], ALL["paths"].gives[0]]],
        "paths",
        0,
        ALL["paths"].gives[0],
        facts=4,
        given=[ONE_OUTPUT, all_slopes(0)],
        values=[(all_slopes(2), 1), (["paths"], "leaf")],
    ),
    "other, with the part that is true": proof(
        ["ge", field("y"), 0],
        step("other", ["ge", field("y"), 0], of=[0, 1]),
        given=(["or", ["ge", field("x"), 0], ["ge", field("y"), 0]], ["ge", field("x"), 0]),
    ),
    "other, with a fact that is less than the opposite": proof(
        ["ge", field("y"), 0],
        step("other", ["ge", field("y"), 0], of=[0, 1]),
        given=(["or", ["ge", field("x"), 0], ["ge", field("y"), 0]], ["le", field("x"), 0]),
    ),
    "other, of the opposite of something else": proof(
        ["ge", field("y"), 0],
        step("other", ["ge", field("y"), 0], of=[0, 1]),
        given=(["or", ["ge", field("x"), 0], ["ge", field("y"), 0]], ["lt", field("z"), 0]),
    ),
    "other, the part that is false": proof(
        ["ge", field("x"), 0],
        step("other", ["ge", field("x"), 0], of=[0, 1]),
        given=(["or", ["ge", field("x"), 0], ["ge", field("y"), 0]], ["lt", field("x"), 0]),
    ),
    "other, of not and, with a part that is false": proof(
        ["lt", field("y"), 0],
        step("other", ["lt", field("y"), 0], of=[0, 1]),
        given=(
            ["not", ["and", ["ge", field("x"), 0], ["ge", field("y"), 0]]],
            ["lt", field("x"), 0],
        ),
    ),
    "other, of and": proof(
        ["ge", field("y"), 1],
        step("other", ["ge", field("y"), 1], of=[0, 1]),
        given=(
            ["implies", ["ge", field("x"), 0], ["ge", field("y"), 1]],
            ["lt", field("x"), 0],
        ),
    ),
    "other, of not or": proof(
        ["ge", field("y"), 0],
        step("other", ["ge", field("y"), 0], of=[0, 1]),
        given=(
            ["not", ["or", ["ge", field("x"), 0], ["ge", field("y"), 0]]],
            ["lt", field("x"), 0],
        ),
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_it_is_rejected(name: str) -> None:
    code, message = check(FALSE[name])
    assert code == REJECTED, message
    reasons = ("is not among its premises", "one part is false", "no or", "does not follow")
    assert any(reason in message for reason in reasons), message


@pytest.mark.parametrize("name", FALSE)
def test_it_is_false(name: str) -> None:
    assert fails(FALSE[name]["statement"], seed=7, tries=600, smooth=True) is True


# the rule `other` --------------------------------------------------------------------------------
X, Y = ["ge", field("x"), 0], ["eq", field("y"), 1]
OTHER = {
    "the second part": proof(
        Y, step("other", Y, of=[0, 1]), given=(["or", X, Y], ["lt", field("x"), 0])
    ),
    "the first part": proof(
        X, step("other", X, of=[0, 1]), given=(["or", X, Y], ["ne", field("y"), 1])
    ),
    "not both": proof(
        ["ne", field("y"), 1],
        step("other", ["ne", field("y"), 1], of=[0, 1]),
        given=(["not", ["and", X, Y]], X),
    ),
    "not both, the first": proof(
        ["lt", field("x"), 0],
        step("other", ["lt", field("x"), 0], of=[0, 1]),
        given=(["not", ["and", X, Y]], Y),
    ),
    "in another form": proof(
        Y,
        algebra(["lt", ["mul", 2, field("x")], 0], item(2, 1)),
        step("other", Y, of=[0, 2]),
        given=(["or", ["ge", ["add", field("x"), field("x")], 0], Y], ["lt", field("x"), 0]),
    ),
}


@pytest.mark.parametrize("name", OTHER)
def test_the_other_part(name: str) -> None:
    code, message = check(OTHER[name])
    assert code == ACCEPTED, message
    assert fails(OTHER[name]["statement"], seed=5) is not True


def test_what_is_left_need_not_have_a_value() -> None:
    """A part of `or` behind a true one need not have one; so nothing follows of what is in it."""
    quotient = ["ge", ["div", field("x"), field("y")], 0]
    forged = proof(
        ["ne", field("y"), 0],
        step("other", quotient, of=[0, 1]),
        defined(["div", field("x"), field("y")], 2),
        lemma("divisor", (3,), a=field("x"), b=field("y")),
        given=(["or", X, quotient], ["lt", field("x"), 0]),
    )
    code, message = check(forged)
    assert code == REJECTED
    assert "need not have a value" in message
