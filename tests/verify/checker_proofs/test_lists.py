"""Lists in proofs: the rules `some` and `values`, sums over lists that are made of others, what
`at` and `filtered` say of values, and the definitions about lists; right uses and forged ones."""

from __future__ import annotations

from typing import Any

import pytest

from tests.verify.checker_proofs.records import algebra, equal, fails, field, item, lemma, proof
from tests.verify.checker_proofs.test_forged import TRUE, at, defined, step, within
from verify.checker import ACCEPTED, REJECTED, check
from verify.checker.lemmas import DEFINITIONS

Json = Any
x, y, z = map(field, ("x", "y", "z"))
v0, v1 = ["var", 0], ["var", 1]
ROWS = ["range", 1, ["rows", field("A")]]
LARGE = ["ge", ["entry", field("A"), v0, 1], x]
SOME = ["some", ROWS, LARGE]


def counted(many: Json, condition: Json, least: Json = 1, relation: str = "ge") -> Json:
    return [relation, ["sum", many, ["if", condition, 1, 0]], least]


def some(holds: Json, of: int = 0) -> Json:
    return step("some", holds, of=of)


def values(holds: Json, of: int | str = "leaf") -> Json:
    return step("values", holds, of=of)


def has_values(many: Json, term: Json) -> Json:
    return ["each", many, ["eq", term, term]]


PAIR = ["list", y, z]
IN_PAIR = ["in", x, PAIR]
HALVED, HALVED_NEXT = (["div", x, ["sub", v, 1]] for v in (v0, v1))
QUOTIENTS = ["eq", ["sum", ROWS, HALVED], y]
ONE_OF = ["div", x, ["sub", 1, 1]]
JOINED = ["concat", ["list", x, y], PAIR]
SQUARED = ["map", ROWS, ["mul", v0, v0]]
CHOSEN = ["filter", ["range", 1, 3], ["ge", ["div", v0, y], 0]]
IN_CHOSEN = ["and", ["in", v0, ["range", 1, 3]], ["ge", ["div", v0, y], 0]]
REPEATED = ["list", x, x]

RIGHT: dict[str, Json] = {
    "some, counted": proof(counted(ROWS, LARGE), some(counted(ROWS, LARGE)), given=(SOME,)),
    "counted, some": proof(SOME, some(SOME), given=(counted(ROWS, LARGE),)),
    "in, counted": proof(
        ["ge", ["add", ["if", ["eq", x, y], 1, 0], ["if", ["eq", x, z], 1, 0]], 1],
        some(counted(PAIR, ["eq", v0, x])),
        algebra(
            ["ge", ["add", ["if", ["eq", x, y], 1, 0], ["if", ["eq", x, z], 1, 0]], 1], item(1, 1)
        ),
        given=(IN_PAIR,),
    ),
    "counted, in": proof(IN_PAIR, some(IN_PAIR), given=(counted(PAIR, ["eq", x, v0]),)),
    "the sides of an equation": proof(
        ["eq", y, x], step("same", ["eq", y, x], by=[], of=0), given=(["eq", x, y],)
    ),
    "a sum over lists joined": proof(
        ["eq", ["sum", JOINED, v0], ["add", ["add", x, y], ["add", y, z]]],
        algebra(["eq", ["sum", JOINED, v0], ["add", ["add", x, y], ["add", y, z]]]),
    ),
    "how many are in lists joined": proof(
        ["eq", ["card", ["concat", PAIR, SQUARED]], ["add", 2, ["card", ROWS]]],
        algebra(["eq", ["card", ["concat", PAIR, SQUARED]], ["add", 2, ["card", ROWS]]]),
    ),
    "a sum over what is made of a list": proof(
        ["eq", ["sum", SQUARED, ["add", v0, 1]], ["sum", ROWS, ["add", ["pow", v0, 2], 1]]],
        algebra(
            ["eq", ["sum", SQUARED, ["add", v0, 1]], ["sum", ROWS, ["add", ["pow", v0, 2], 1]]]
        ),
    ),
    "values of summands": proof(
        ["implies", QUOTIENTS, ["each", ROWS, ["ne", v0, 1]]],
        values(has_values(ROWS, HALVED_NEXT), 0),
        at(["eq", HALVED, HALVED], 2, 1, v0),
        {"rule": "defined", "term": HALVED, "of": 3},
        lemma("divisor", (4,), a=x, b=["sub", v0, 1]),
        step(
            "cases",
            ["ne", v0, 1],
            split=["eq", v0, 1],
            yes=[
                algebra(["eq", ["sub", v0, 1], 0], equal(6)),
                step("absurd", ["ne", v0, 1], of=[7, 5]),
            ],
            no=[step("same", ["ne", v0, 1], by=[], of=6)],
        ),
    ),
    "what is chosen, supposed": proof(
        TRUE,
        within(
            "each",
            ["each", CHOSEN, IN_CHOSEN],
            step("filtered", IN_CHOSEN, of=0),
        ),
        algebra(TRUE),
    ),
}
WRONG: dict[str, Json] = {
    "some, of another list": proof(
        counted(["range", 1, 1], LARGE), some(counted(["range", 1, 1], LARGE)), given=(SOME,)
    ),
    "some, of another condition": proof(
        counted(ROWS, ["gt", ["entry", field("A"), v0, 1], x]),
        some(counted(ROWS, ["gt", ["entry", field("A"), v0, 1], x])),
        given=(SOME,),
    ),
    "more than one": proof(counted(ROWS, LARGE, 2), some(counted(ROWS, LARGE, 2)), given=(SOME,)),
    "some, of none": proof(SOME, some(SOME), given=(counted(ROWS, LARGE, 0),)),
    "some, of at most one": proof(SOME, some(SOME), given=(counted(ROWS, LARGE, 1, "le"),)),
    "each, of one": proof(
        ["each", ROWS, LARGE], some(["each", ROWS, LARGE]), given=(counted(ROWS, LARGE),)
    ),
    "in, of another": proof(
        ["in", z, ["list", x, y]],
        some(["in", z, ["list", x, y]]),
        given=(counted(["list", x, y], ["eq", v0, x]),),
    ),
    "some, of a fact that comes later": proof(SOME, some(SOME, 1)),
    "a sum over lists joined without what is in both": proof(
        ["eq", ["sum", JOINED, v0], ["add", ["add", x, y], z]],
        algebra(["eq", ["sum", JOINED, v0], ["add", ["add", x, y], z]]),
    ),
    "sides of an order": proof(
        ["le", y, x], step("same", ["le", y, x], by=[], of=0), given=(["le", x, y],)
    ),
    "values of what is not looked at": proof(
        ["each", ROWS, ["ne", v0, 1]],
        values(has_values(ROWS, HALVED_NEXT), 0),
        at(["eq", HALVED, HALVED], 2, 1, v0),
        {"rule": "defined", "term": HALVED, "of": 3},
        lemma("divisor", (4,), a=x, b=["sub", v0, 1]),
        step("same", ["ne", v0, 1], by=[], of=5),
        given=(["or", TRUE, QUOTIENTS],),
    ),
    "values where one stops early": proof(
        TRUE,
        values(has_values(ROWS, HALVED), 0),
        algebra(TRUE),
        given=(["some", ROWS, ["eq", HALVED, HALVED]],),
    ),
    "values of a branch": proof(
        TRUE,
        values(has_values(ROWS, HALVED), 0),
        algebra(TRUE),
        given=(["eq", ["sum", ROWS, ["if", ["gt", v0, 1], HALVED, 0]], y],),
    ),
    "values of another list": proof(
        TRUE,
        values(has_values(["range", 0, ["rows", field("A")]], HALVED), 0),
        algebra(TRUE),
        given=(QUOTIENTS,),
    ),
    "values of something else": proof(
        TRUE,
        values(["each", ROWS, ["eq", HALVED, ["div", x, v0]]], 0),
        algebra(TRUE),
        given=(QUOTIENTS,),
    ),
    "values of a sum that was derived": proof(
        ["implies", ["eq", y, 0], TRUE],
        algebra(["eq", ["sum", ROWS, HALVED], ["sum", ROWS, HALVED]]),
        values(has_values(ROWS, HALVED), 1),
        algebra(TRUE),
    ),
    "the value of what is chosen, supposed": proof(
        TRUE,
        within(
            "each",
            ["each", CHOSEN, TRUE],
            step("filtered", IN_CHOSEN, of=0),
            step("part", IN_CHOSEN[2], of=1),
            defined(["div", v0, y], 2),
            algebra(TRUE),
        ),
        algebra(TRUE),
    ),
    "once, of what is twice": proof(
        ["le", ["sum", REPEATED, ["if", ["eq", v0, x], 1, 0]], 1],
        lemma("once", (), some=REPEATED, x=x),
        algebra(["le", ["sum", REPEATED, ["if", ["eq", v0, x], 1, 0]], 1], item(1, 0)),
    ),
    "an element of a list of another sort": proof(
        IN_PAIR,
        lemma("included", (0, 1), some=["list", TRUE], others=PAIR, x=x),
        step("same", IN_PAIR, by=[], of=2),
        given=(["eq", ["card", ["minus", ["list", TRUE], ["list", TRUE]]], 0], ["in", x, PAIR]),
    ),
    "an element behind the last one": proof(
        ["in", ["at", PAIR, 3], PAIR],
        algebra(["ge", 3, 1], item(2)),
        lemma("element", (0,), some=PAIR, k=3),
        step("same", ["in", ["at", PAIR, 3], PAIR], by=[], of=1),
    ),
    "the place of what is nowhere": proof(
        ["le", 3, ["card", PAIR]],
        lemma("place", (), some=PAIR, k=3),
        step("same", ["le", 3, ["card", PAIR]], by=[], of=1),
    ),
}
FALSE = (
    "some, of another list",
    "some, of another condition",
    "more than one",
    "some, of none",
    "some, of at most one",
    "each, of one",
    "in, of another",
    "some, of a fact that comes later",
    "a sum over lists joined without what is in both",
    "sides of an order",
    "values of what is not looked at",
    "once, of what is twice",
    "the place of what is nowhere",
)


@pytest.mark.parametrize("name", RIGHT)
def test_it_is_right(name: str) -> None:
    code, message = check(RIGHT[name])
    assert code == ACCEPTED, message
    assert fails(RIGHT[name]["statement"], seed=5) is not True


@pytest.mark.parametrize("name", WRONG)
def test_it_is_rejected(name: str) -> None:
    code, message = check(WRONG[name])
    assert code == REJECTED, message


@pytest.mark.parametrize("name", FALSE)
def test_it_is_false(name: str) -> None:
    assert fails(WRONG[name]["statement"], seed=7, tries=400) is True


LISTS = ("included", "once", "element", "place", "in a range", "into a range")


def use(name: str, without: int | None = None) -> Json:
    """What a definition about lists gives, of whole numbers; its conditions are supposed. without:
    the number of the one that is not among its premises."""
    one = DEFINITIONS[name]
    conditions = [*one.needs, *(["eq", term, term] for term in one.defined)]
    says = one.gives[0]
    for condition in reversed(conditions):
        says = ["implies", condition, says]
    for key in reversed(one.takes):
        many = ["range", 0, 3] if key in ("x", "k", "a", "b") else ["list", ["range", 1, 2]]
        says = ["each", many, says]
    begin = len(one.takes)
    premises = [begin + k for k in range(len(conditions)) if k != without]
    put = {key: ["var", k] for k, key in enumerate(one.takes)}
    first = begin + len(conditions)
    return proof(
        says, lemma(name, tuple(premises), **put), step("same", one.gives[0], by=[], of=first)
    )


@pytest.mark.parametrize("name", LISTS)
def test_a_definition_of_lists(name: str) -> None:
    one = DEFINITIONS[name]
    code, message = check(use(name))
    assert code == ACCEPTED, message
    for k in range(len(one.needs) + len(one.defined)):
        code, message = check(use(name, without=k))
        assert code == REJECTED
        assert "is not among its premises" in message


def of_examples(element: int) -> Json:
    """0 to 3, and for each the sum of the inverses of the numbers of the examples, is 5."""
    inner = ["sum", ["examples"], ["div", 1, ["var", element + 1]]]
    return ["eq", ["sum", ["range", 0, 3], inner], 5]


def test_what_is_said_of_examples_is_not_said_of_what_is_around() -> None:
    """Else 1/k would have a value for k from 0 to 3, and anything would follow."""
    forged = proof(
        of_examples(0),
        values(has_values(["range", 0, 3], ["div", 1, v0])),
        {"rule": "name", "term": 0},
        algebra(["ge", v0, 0], equal(1)),
        algebra(["le", v0, 3], equal(1, -1), item(3)),
        lemma("into a range", (2, 3), a=0, b=3, k=v0),
        at(["eq", ["div", 1, v0], ["div", 1, v0]], 0, 4, v0),
        lemma("divisor", (5,), a=1, b=v0),
        step("absurd", of_examples(1), of=[1, 6]),
        over={"network": True},
    )
    code, message = check(forged)
    assert code == REJECTED
    assert "no part that needs a value" in message
    assert fails(forged["statement"], seed=3) is True


def around_examples(inner: Json) -> Json:
    """A sum over the examples of one over the numbers 0 to 3, in which 1 is the variable there."""
    return ["eq", ["sum", ["examples"], ["sum", ["range", 0, 3], inner]], 5]


@pytest.mark.parametrize(
    ("element", "outcome"), [(0, REJECTED), (1, ACCEPTED)], ids=["of the examples", "of the list"]
)
def test_what_is_said_within_examples_is_said_of_its_own_list(element: int, outcome: int) -> None:
    """1/j for an example j has a value, 1/k for k from 0 to 3 has none."""
    says = ["implies", around_examples(["div", 1, ["var", element]]), TRUE]
    step_of_values = values(has_values(["range", 0, 3], ["div", 1, v0]), 0)
    record = proof(says, step_of_values, algebra(TRUE), over={"network": True})
    assert check(record).code == outcome
