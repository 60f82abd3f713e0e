"""For every rule uses that are right, and forged or careless ones that would show what is false."""

from __future__ import annotations

from typing import Any

import pytest

from tests.verify.checker_proofs.records import (
    algebra,
    domain,
    equal,
    fails,
    field,
    item,
    lemma,
    proof,
)
from tests.verify.effort import counted
from verify.checker import ACCEPTED, DECLINED, REJECTED, budget, check

Json = Any
NETWORK = {"network": True}
x, y, z, S, A, B, u, v, w = map(field, ("x", "y", "z", "S", "A", "B", "u", "v", "w"))
v0, v1, v2 = ["var", 0], ["var", 1], ["var", 2]


def mul(*factors: Json) -> Json:
    return factors[0] if len(factors) == 1 else ["mul", factors[0], mul(*factors[1:])]


def step(rule: str, holds: Json, **more: Any) -> Json:
    return {"rule": rule, "holds": holds, **more}


def within(rule: str, holds: Json, *steps: Json) -> Json:
    return step(rule, holds, steps=list(steps))


def at(holds: Json, of: int, member: int, element: Json) -> Json:
    return step("at", holds, of=of, member=member, element=element)


def cases(holds: Json, split: Json, yes: list[Json], no: list[Json]) -> Json:
    return step("cases", holds, split=split, yes=yes, no=no)


def rate(moved: Json, derivative: Json) -> Json:
    return step("rate", ["eq", ["rate", moved], derivative])


def defined(term: Json, of: int | str = "leaf") -> Json:
    return {"rule": "defined", "term": term, "of": of}


def turned(matrix: Json) -> Json:
    return ["transpose", matrix]


def grown(factor: int, axis: Json = A) -> Json:
    """That A A^T and its rate, where A grows at the rate A, are a multiple of A A^T; axis: what
    the multiple is of, in place of that A."""
    square, other = ["matmul", A, turned(A)], ["matmul", axis, turned(axis)]
    says = ["eq", ["add", ["rate", square], square], mul(factor, other)]
    steps = rate(square, ["add", square, square]), algebra(says, equal(0))
    return proof(says, *steps, flow={"A": A})


def alone(says: Json, *items: Json, **more: Any) -> Json:
    """A proof by one step of algebra."""
    return proof(says, algebra(says, *items), **more)


TRUE, NEVER = ["eq", 1, 1], ["lt", 0, 0]
EITHER = ["list", True, False]
ONE_STANDS = ["eq", ["sum", ["list", 1], ["rate", v0]], ["rate", x]]
ORDER, BACK, PRODUCT = ["le", x, y], ["le", y, x], ["ge", mul(x, y), 0]
X_FROM_0, Y_FROM_0, X_ABOVE_0 = ["ge", x, 0], ["ge", y, 0], ["gt", x, 0]
SQUARE = ["ge", ["add", mul(x, x), mul(y, y)], mul(2, x, y)]
SYMMETRIC = ["eq", S, turned(S)]
LARGEST = ["at", ["eigenvalues", S], 1]
FORM = ["dot", u, ["matmul", S, u]]
RAYLEIGH = ["le", FORM, mul(LARGEST, ["dot", u, u])]
MOVED = ["eq", ["dot", u, ["matmul", S, v]], ["dot", ["matmul", S, u], v]]
EVERY = ["each", ["range", 1, 3], ["ge", ["mul", x, v0], 0]]
ONE = ["ge", ["mul", x, v0], 0]
ROWS = ["range", 1, ["rows", A]]
ENTRY = ["entry", A, v0, 1]
DIVIDED = ["eq", mul(y, ["div", x, y]), x]
RATIO = ["if", X_ABOVE_0, ["div", y, x], 0]
LARGER = ["ge", ["larger", x, y], x]
LARGER_PROOF = cases(
    LARGER,
    ["ge", x, y],
    [lemma("larger", (0,), x=x, y=y), algebra(LARGER, equal(1))],
    [
        algebra(["ge", y, x], item(1, 0)),
        lemma("larger second", (1,), x=x, y=y),
        algebra(LARGER, equal(2), item(1, 0)),
    ],
)
X_MOVES = {"x": y}
IMPLIES = ["implies", X_FROM_0, ["ge", mul(2, x), 0]]
HOMOGENEOUS = ["each", ["hidden"], ["eq", ["slope_left", v0], ["slope_left", v0]]]
SLOPE = ["slope_left", v0]


def velocity(users: Json, sign: int = -1) -> Json:
    """The claim that the weights of all edges move so."""
    inner = ["sum", users, mul(["loss_slope", v1], ["label", v1], ["gradient", v2, v1])]
    total = ["div", ["sum", ["examples"], inner], ["card", ["examples"]]]
    says = ["eq", ["rate", ["weight", v0]], mul(sign, total)]
    return proof(["each", ["edges"], says], step("rate", says), over=NETWORK)


def double_sum(one: Json, other: Json, body: Json) -> Json:
    return ["sum", one, ["sum", other, body]]


NOTHING, MOVING = ["sum", ["range", 1, 0], ["div", 1, x]], ["rate", ["div", x, y]]
SIZES = ["range", 1, ["rows", S]]
SMALLER = ["eye", ["sub", ["rows", S], 1]]
COLUMNS = ["range", 1, ["cols", A]]
SWAPPED = [
    "eq",
    double_sum(ROWS, COLUMNS, ["entry", A, v0, v1]),
    double_sum(COLUMNS, ROWS, ["entry", A, v1, v0]),
]
TRIANGLE = [
    "eq",
    double_sum(ROWS, ["range", 1, v0], ["entry", A, v0, v1]),
    double_sum(ROWS, ["range", 1, v0], ["entry", A, v1, v0]),
]
PADDED = ["ge", ["add", x, mul(0, ["div", 1, y])], 0]
OTHER = ["add", v0, mul(0, ["div", 1, y])]
ROUNDED = ["floor", ["div", x, y]]
ROOT = ["eq", ["pow", ["sqrt", x], 2], x]

RIGHT: dict[str, Json] = {
    "a square": alone(SQUARE, item(squares=(["sub", x, y],))),
    "a product of facts": alone(PRODUCT, item(1, 0, 1), given=(X_FROM_0, Y_FROM_0)),
    "a strict one": alone(["gt", mul(x, x), 0], item(1, 0, 0), given=(X_ABOVE_0,)),
    "a multiple of an equation": alone(
        ["eq", mul(x, y), mul(y, y)], equal(0, y), given=(["eq", x, y],)
    ),
    "a symmetric matrix moves": alone(MOVED, equal(0, ["outer", u, v]), given=(SYMMETRIC,)),
    "a square of a vector": alone(
        ["ge", ["dot", u, ["matmul", turned(A), ["matmul", A, u]]], 0],
        item(squares=(["matmul", A, u],)),
    ),
    "an equation of matrices": alone(
        ["eq", ["matmul", S, S], turned(["matmul", turned(S), turned(S)])]
    ),
    "an element": proof(EVERY, at(ONE, 0, 1, v0), given=(EVERY,)),
    "for all": proof(
        EVERY,
        within(
            "each",
            ["each", ["range", 1, 3], ["ge", ["mul", x, v1], 0]],
            at(["ge", ["mul", x, v1], 0], 0, 2, v1),
        ),
        at(ONE, 2, 1, v0),
        given=(EVERY,),
    ),
    "sums": proof(
        ["eq", ["sum", ROWS, mul(2, ENTRY)], mul(2, ["sum", ROWS, ENTRY])],
        within(
            "each",
            ["each", ROWS, ["ge", mul(2, ENTRY), mul(ENTRY, 2)]],
            algebra(["ge", mul(2, ENTRY), mul(ENTRY, 2)]),
        ),
        step("sum", ["ge", ["sum", ROWS, mul(2, ENTRY)], mul(2, ["sum", ROWS, ENTRY])], of=0),
        algebra(["eq", ["sum", ROWS, mul(2, ENTRY)], mul(2, ["sum", ROWS, ENTRY])]),
    ),
    "sums in another order": alone(SWAPPED),
    "a list that depends on a variable": alone(
        [
            "eq",
            double_sum(ROWS, ["range", 1, v0], ["entry", A, v0, v1]),
            double_sum(ROWS, ["range", 1, v0], mul("1/2", ["entry", A, v0, v1], 2)),
        ]
    ),
    "a maximum within a sum": alone(
        [
            "eq",
            ["sum", SIZES, mul(x, ["maximum", SIZES, ["entry", S, v0, v1]])],
            mul(["sum", SIZES, ["maximum", SIZES, ["entry", S, v0, v1]]], x),
        ]
    ),
    "a sum over one": alone(["eq", ["sum", ["list", x], mul(v0, y)], mul(x, y)]),
    "equals for equals": proof(
        ["eq", ["sqrt", x], ["sqrt", y]],
        step("same", ["eq", ["sqrt", x], ["sqrt", y]], by=[0]),
        given=(["eq", x, y],),
    ),
    "a quotient": proof(
        DIVIDED,
        defined(["div", x, y]),
        lemma("divisor", (0,), a=x, b=y),
        lemma("reciprocal", (1,), b=y),
        algebra(DIVIDED, equal(2, x)),
    ),
    "a root": proof(
        ROOT,
        defined(["sqrt", x]),
        lemma("radicand", (0,), x=x),
        lemma("root", (1,), x=x),
        algebra(ROOT, equal(3)),
    ),
    "a rate": proof(
        ["eq", ["rate", mul(x, x)], mul(2, x, y)], rate(mul(x, x), mul(2, x, y)), flow=X_MOVES
    ),
    "the rate of a matrix": grown(3),
    "a velocity": velocity(["users", v0]),
    "two cases": proof(LARGER, LARGER_PROOF),
    "both ways": proof(["eq", x, y], step("both", ["eq", x, y], of=[0, 1]), given=(ORDER, BACK)),
    "an impossible case": proof(
        NEVER, step("absurd", NEVER, of=[0]), given=(["le", ["add", x, 1], x],)
    ),
    "opposite facts": proof(NEVER, step("absurd", NEVER, of=[0, 1]), given=(ORDER, ["gt", x, y])),
    "a condition": proof(IMPLIES, algebra(["ge", mul(2, x), 0], item(2, 0))),
    "from a rule": proof(
        ["ge", mul(2, x), 0],
        within("suppose", IMPLIES, algebra(["ge", mul(2, x), 0], item(2, 1))),
        step("then", ["ge", mul(2, x), 0], of=1, **{"if": 0}),
        given=(X_FROM_0,),
    ),
    "a part": proof(ORDER, step("part", ORDER, of=0), given=(["and", X_FROM_0, ORDER],)),
    "a name": proof(
        ["ge", ["frob2", A], 0],
        {"rule": "name", "term": A},
        algebra(["ge", ["frob2", v0], 0], item(squares=(v0,))),
        step("same", ["ge", ["frob2", A], 0], by=[0], of=1),
    ),
    "Rayleigh": proof(
        RAYLEIGH,
        lemma("rayleigh", (0,), S=S, x=u),
        algebra(RAYLEIGH, item(1, 1)),
        given=(SYMMETRIC,),
    ),
    "the value at an element of a list": proof(
        TRUE,
        within(
            "each",
            ["each", ["range", 1, 3], TRUE],
            at(["eq", ["div", x, v0], ["div", x, v0]], 0, 1, v0),
            defined(["div", x, v0], 2),
            algebra(TRUE),
        ),
        algebra(TRUE),
        given=(["each", ["range", 1, 3], ["eq", ["div", x, v0], ["div", x, v0]]],),
    ),
    "the value at an element of a network": proof(
        ["ge", 1, 0],
        within(
            "each",
            ["each", ["hidden"], ["eq", 1, 1]],
            at(["eq", SLOPE, SLOPE], 0, 1, v0),
            defined(SLOPE, 2),
            algebra(TRUE),
        ),
        algebra(["ge", 1, 0], item(1)),
        given=(HOMOGENEOUS,),
        over=NETWORK,
    ),
}


def _vector_and_matrix() -> Json:
    """A vector that is gone, and a matrix with its number, as if it were a column."""
    gram = ["matmul", A, turned(A)]
    says = ["eq", ["trace", ["matmul", gram, gram]], ["pow", ["trace", gram], 2]]
    named = ["matmul", v0, turned(v0)]
    short = ["eq", ["trace", ["matmul", named, named]], ["pow", ["trace", named], 2]]
    inner = [
        algebra(["eq", ["matmul", gram, gram], ["matmul", gram, gram]]),
        lemma("eigenvector", (), S=gram),
        algebra(["ge", ["dot", v0, v0], 0], item(squares=(v0,))),
        algebra(TRUE),
    ]
    return proof(
        says,
        cases(TRUE, TRUE, inner, inner),
        {"rule": "name", "term": A},
        algebra(short),
        step("same", says, by=[1], of=2),
    )


WRONG: dict[str, Json] = {
    # the goal
    "1 == 1": proof(ORDER, algebra(TRUE)),
    "no step": proof(ORDER),
    "the goal alone": alone(ORDER),
    "another relation": proof(ORDER, algebra(["le", x, ["add", x, 1]], item(1))),
    "the other way around": proof(ORDER, algebra(BACK, item(1, 0)), given=(BACK,)),
    "one leaf of two": alone(["and", TRUE, ORDER]),
    "the same leaf twice": alone(["and", TRUE, ORDER]) | {"proof": [[algebra(TRUE)]] * 2},
    # facts
    "itself": alone(ORDER, item(1, 0)),
    "a fact that comes later": proof(ORDER, algebra(ORDER, item(1, 1)), algebra(ORDER, item(1, 0))),
    "a number below 0": alone(ORDER, item(1, -1), given=(ORDER,)),
    "no number": alone(ORDER, item(1, True), given=(ORDER, ORDER)),
    "a fact of one case behind it": proof(
        ORDER,
        cases(TRUE, ORDER, [algebra(ORDER, item(1, 0)), algebra(TRUE)], [algebra(TRUE)]),
        algebra(ORDER, item(1, 1)),
    ),
    "a fact of one case in the other": proof(
        ORDER,
        cases(
            ORDER,
            ORDER,
            [algebra(ORDER, item(1, 0))],
            [algebra(ORDER, item(1, 1))],
        ),
    ),
    "the condition of a case as it is not": proof(
        ORDER, cases(ORDER, ORDER, [algebra(ORDER, item(1, 0))], [algebra(ORDER, item(1, 0))])
    ),
    "a condition behind it": proof(
        X_FROM_0,
        within("suppose", ["implies", X_FROM_0, X_FROM_0], algebra(X_FROM_0, item(1, 0))),
        algebra(X_FROM_0, item(1, 0)),
    ),
    "an element behind it": proof(
        ["ge", x, 0],
        within("each", ["each", ["list", x], TRUE], algebra(TRUE)),
        algebra(["ge", v0, 0]),
    ),
    "a vector that is gone": _vector_and_matrix(),
    # algebra
    "a factor below 0": alone(ORDER, item(-1, 0), given=(BACK,)),
    "a rational below 0": alone(ORDER, item("-1/2", 0), given=(["le", mul(2, y), mul(2, x)],)),
    "a factor of any sign": alone(PRODUCT, item(y, 0), given=(X_FROM_0,)),
    "a square below 0": alone(["le", mul(x, x), 0], item(-1, squares=(x,))),
    "a square that is none": alone(X_FROM_0, item(1, squares=(["sqrt", x],))),
    "a product of different vectors": alone(["ge", ["dot", u, v], 0], item(squares=(u,))),
    "a square of a truth": alone(X_FROM_0, item(1, squares=(TRUE,))),
    "a matrix of unknown shape": alone(
        ["ge", ["frob2", ["add", A, B]], 0], item(squares=(["add", A, B],))
    ),
    "an equation from an inequality": alone(["eq", x, y], item(1, 0), given=(["ge", x, y],)),
    "an inequality as an equation": alone(["eq", x, y], equal(0), given=(["ge", x, y],)),
    "an equation as an inequality": alone(ORDER, item(1, 0), given=(["eq", x, y],)),
    "other than as an inequality": alone(ORDER, item(1, 0), given=(["ne", x, y],)),
    "strict from not": alone(["lt", x, y], item(1, 0), given=(ORDER,)),
    "a strict square": alone(["lt", 0, mul(x, x)], item(squares=(x,))),
    "a strict product with one that is not": alone(
        ["gt", mul(x, y), 0], item(1, 0, 1), given=(X_ABOVE_0, Y_FROM_0)
    ),
    "0 times a strict one": alone(["lt", x, x], item(0, 0), given=(["lt", x, y],)),
    "x/x": alone(["eq", ["div", x, x], 1]),
    "x to the power -1": alone(["eq", mul(x, ["pow", x, -1]), 1]),
    "a root of its own": alone(ROOT),
    "the square of a root of a square": alone(["eq", ["sqrt", mul(x, x)], x]),
    "S is not its transpose": alone(["eq", S, turned(S)]),
    "products commute": alone(["eq", ["matmul", S, turned(S)], ["matmul", turned(S), S]]),
    "a product is turned without its order": alone(
        ["eq", turned(["matmul", S, ["matmul", S, turned(S)]]), ["matmul", S, ["matmul", S, S]]]
    ),
    "S moves without being symmetric": alone(MOVED, equal(0, ["outer", u, v]), given=(ORDER,)),
    "blocks that do not fit": alone(
        ["eq", ["matmul", ["beside", A, A], ["above", B, B]], ["matmul", A, B]]
    ),
    "a trace that is none": alone(["eq", ["trace", ["eye", ["rows", S]]], 1]),
    "eye of a size that may be 0": alone(["ge", ["frob2", SMALLER], 0], item(squares=(SMALLER,))),
    "a product that does not fit": alone(
        ["ge", ["frob2", ["matmul", A, A]], 0], item(squares=(["matmul", A, A],))
    ),
    "a trace of what is not square": alone(["eq", ["trace", A], ["trace", turned(A)]]),
    "vectors of different lengths": alone(["eq", ["dot", u, w], ["dot", w, u]]),
    "eye of 0": alone(["ge", ["frob2", ["eye", ["sub", 1, 1]]], 0], item(squares=(["eye", 0],))),
    # sums
    "a sum of products as a product of sums": alone(
        ["eq", ["pow", ["sum", ROWS, ENTRY], 2], ["sum", ROWS, mul(ENTRY, ENTRY)]]
    ),
    "a sum of one over many": alone(["eq", ["sum", ROWS, x], x]),
    "lists that depend on each other": alone(TRIANGLE),
    "names of variables within one another": alone(
        [
            "eq",
            ["sum", SIZES, ["maximum", SIZES, ["entry", S, v0, v1]]],
            ["sum", SIZES, ["maximum", SIZES, ["entry", S, v1, v0]]],
        ]
    ),
    "an outer variable as an inner one": alone(
        [
            "eq",
            ["sum", SIZES, ["maximum", SIZES, ["entry", S, v0, v1]]],
            ["sum", SIZES, ["maximum", SIZES, ["entry", S, v1, v1]]],
        ]
    ),
    "sums over another list": proof(
        ["ge", ["sum", COLUMNS, ENTRY], 0],
        step("sum", ["ge", ["sum", COLUMNS, ENTRY], ["sum", COLUMNS, 0]], of=0),
        algebra(["ge", ["sum", COLUMNS, ENTRY], 0], item(1, 1)),
        given=(["each", ROWS, ["ge", ENTRY, 0]],),
    ),
    "a sum that is strict": proof(
        ["gt", ["sum", ROWS, ENTRY], 0],
        step("sum", ["gt", ["sum", ROWS, ENTRY], ["sum", ROWS, 0]], of=0),
        given=(["each", ROWS, ["gt", ENTRY, 0]],),
    ),
    "a sum of what differs": proof(
        ["ne", ["sum", ROWS, ENTRY], 0],
        step("sum", ["ne", ["sum", ROWS, ENTRY], ["sum", ROWS, 0]], of=0),
        given=(["each", ROWS, ["ne", ENTRY, 0]],),
    ),
    # elements
    "an element of no list": proof(
        ["ge", mul(x, 5), 0], at(["ge", mul(x, 5), 0], 0, 0, 5), given=(EVERY,)
    ),
    "an element of another list": proof(
        ["each", ["range", 1, 5], ONE], at(ONE, 0, 1, v0), given=(EVERY,)
    ),
    "an element for another": proof(
        ["each", ["range", 1, 3], ["ge", mul(x, 7), 0]],
        at(["ge", mul(x, 7), 0], 0, 1, 7),
        given=(EVERY,),
    ),
    "all from one": proof(EVERY, within("each", EVERY, algebra(ONE, item(1, 0))), given=(X_FROM_0,))
    | {"proof": [[algebra(ONE, item(1, 0))]]},
    "an empty list has an element": proof(
        ["ge", x, 0], at(["ge", x, 0], 0, 0, 1), given=(["each", ["range", 1, 0], ["ge", x, 0]],)
    ),
    "an element that moves, in a rate": proof(
        ["eq", ["rate", mul(x, x)], mul(x, y)],
        at(["eq", ["rate", mul(x, x)], mul(x, y)], 0, 1, x),
        given=(
            ["each", ["list", 1, 2], ["eq", ["rate", mul(v0, x)], mul(v0, y)]],
            ["in", x, ["list", 1, 2]],
        ),
        flow=X_MOVES,
    ),
    # equals
    "equals within a rate": proof(
        ["eq", ["rate", x], ["rate", y]],
        step("same", ["eq", ["rate", x], ["rate", y]], by=[0]),
        given=(["eq", x, y],),
        flow=X_MOVES,
    ),
    "0 stands still": proof(
        ["eq", ["rate", x], 0],
        rate(mul(0, x), 0),
        step("same", ["eq", ["rate", x], 0], by=[0], of=1),
        given=(["eq", x, mul(0, x)],),
        flow=X_MOVES,
    ),
    "unequals": proof(
        ["eq", ["sqrt", x], ["sqrt", y]],
        step("same", ["eq", ["sqrt", x], ["sqrt", y]], by=[0]),
        given=(ORDER,),
    ),
    "equals of something else": proof(
        ["eq", x, z], step("same", ["eq", x, z], by=[0]), given=(["eq", x, y],)
    ),
    "an element that moves for one that stands still": proof(
        ONE_STANDS,
        step("same", ONE_STANDS, by=[0]),
        given=(["eq", 1, x],),
        flow=X_MOVES,
    ),
    "one of two truths for the other": proof(
        ["each", EITHER, ["each", EITHER, ["each", EITHER, ["eq", v1, v2]]]],
        step("same", ["eq", v1, v2], by=[]),
    ),
    "one of two truths for the other, bound": proof(
        ["eq", *[["count", EITHER, ["each", EITHER, ["each", EITHER, v]]] for v in (v0, v1)]],
        step(
            "same",
            ["eq", *[["count", EITHER, ["each", EITHER, ["each", EITHER, v]]] for v in (v0, v1)]],
            by=[],
        ),
    ),
    # rates
    "the rate of a matrix, twice": grown(4),
    "the rate of a matrix, and one of another shape": grown(3, S),
    "a rate with another sign": proof(
        ["eq", ["rate", mul(x, x)], mul(-2, x, y)], rate(mul(x, x), mul(-2, x, y)), flow=X_MOVES
    ),
    "a rate of what stands still": proof(["eq", ["rate", x], y], rate(x, y)),
    "a rate of a quotient": proof(
        ["eq", ["rate", ["div", 1, x]], mul(-1, ["div", y, x])],
        rate(["div", 1, x], mul(-1, ["div", y, x])),
        flow=X_MOVES,
    ),
    "a rate of what is chosen": proof(
        ["eq", ["rate", ["if", X_ABOVE_0, x, 0]], y],
        rate(["if", X_ABOVE_0, x, 0], y),
        flow=X_MOVES,
    ),
    "a velocity without those who share": velocity(["list", v0]),
    "a velocity with another sign": velocity(["users", v0], 1),
    "a name that moves": proof(
        TRUE, {"rule": "name", "term": x}, rate(v0, 0), algebra(TRUE), flow=X_MOVES
    ),
    # cases and the rest
    "both the same way": proof(["eq", x, y], step("both", ["eq", x, y], of=[0, 0]), given=(ORDER,)),
    "both in the wrong order": proof(
        ["eq", x, y], step("both", ["eq", x, y], of=[1, 0]), given=(ORDER, BACK)
    ),
    "absurd, of what is true": proof(NEVER, algebra(TRUE), step("absurd", NEVER, of=[0])),
    "absurd, of 0 >= 0": proof(NEVER, algebra(["ge", x, x]), step("absurd", NEVER, of=[0])),
    "absurd, of what may be": proof(NEVER, step("absurd", NEVER, of=[0]), given=(ORDER,)),
    "absurd, of two that agree": proof(
        NEVER, step("absurd", NEVER, of=[0, 1]), given=(ORDER, BACK)
    ),
    "another condition": proof(
        ["ge", mul(2, x), 0],
        within("suppose", IMPLIES, algebra(["ge", mul(2, x), 0], item(2, 1))),
        step("then", ["ge", mul(2, x), 0], of=1, **{"if": 0}),
        given=(Y_FROM_0,),
    ),
    "no part": proof(BACK, step("part", BACK, of=0), given=(["and", X_FROM_0, ORDER],)),
    "a part of or": proof(ORDER, step("part", ORDER, of=0), given=(["or", X_FROM_0, ORDER],)),
    # values
    "the value of a branch": proof(
        ["ge", mul(RATIO, RATIO), mul(x, 0)],
        defined(["div", y, x]),
        algebra(["ge", mul(RATIO, RATIO), 0], item(squares=(RATIO,))),
    ),
    "the value of what a sum says": proof(
        ["eq", NOTHING, NOTHING], defined(["div", 1, x]), algebra(["eq", NOTHING, NOTHING])
    ),
    "the value of what moves": proof(
        ["eq", MOVING, MOVING],
        defined(["div", x, y]),
        algebra(["eq", MOVING, MOVING]),
        flow=X_MOVES,
    ),
    "the value of what is not looked at": proof(
        TRUE, defined(["div", x, y], 0), algebra(TRUE), given=(["or", TRUE, DIVIDED],)
    ),
    "the value at a term that is supposed to be an element": proof(
        TRUE,
        within(
            "suppose",
            ["implies", ["in", ROUNDED, ["range", 1, 3]], TRUE],
            at(["eq", ["div", x, ROUNDED], ["div", x, ROUNDED]], 0, 1, ROUNDED),
            defined(["div", x, ROUNDED], 2),
            algebra(TRUE),
        ),
        algebra(TRUE),
        given=(["each", ["range", 1, 3], ["eq", ["div", x, v0], ["div", x, v0]]],),
    ),
    "the value of a fact that was derived": proof(
        ["ne", y, 0],
        algebra(["eq", ["div", x, y], ["div", x, y]]),
        defined(["div", x, y], 0),
        lemma("divisor", (1,), a=x, b=y),
    ),
    "the value of another term": proof(
        DIVIDED, defined(["div", x, z]), lemma("divisor", (0,), a=x, b=y), algebra(DIVIDED)
    ),
    "the value of a term of the same normal form": proof(
        ["ne", y, 0],
        defined(0),
        lemma("divisor", (0,), a=0, b=y),
    ),
    "a part of what has the same normal form": proof(
        ["ne", y, 0],
        step("part", PADDED, of=0),
        defined(["div", 1, y], 1),
        lemma("divisor", (2,), a=1, b=y),
        given=(["and", ["ge", x, 0], TRUE],),
    ),
    "what is said of an element in other words": proof(
        ["each", ["list", "1/2"], ["ne", y, 0]],
        at(PADDED, 0, 1, v0),
        defined(["div", 1, y], 2),
        lemma("divisor", (3,), a=1, b=y),
        given=(["each", ["list", "1/2"], ["ge", x, 0]],),
    ),
    "an element in other words": proof(
        ["each", ["list", "1/2"], ["ne", y, 0]],
        at(["ge", OTHER, 0], 0, 1, OTHER),
        defined(["div", 1, y], 2),
        lemma("divisor", (3,), a=1, b=y),
        given=(["each", ["list", "1/2"], ["ge", v0, 0]],),
    ),
    "a consequence in other words": proof(
        ["ne", y, 0],
        step("then", PADDED, of=0, **{"if": 1}),
        defined(["div", 1, y], 2),
        lemma("divisor", (3,), a=1, b=y),
        given=(["implies", TRUE, ["ge", x, 0]], TRUE),
    ),
    # lemmas
    "no such lemma": proof(RAYLEIGH, lemma("fermat")),
    "Rayleigh without symmetry": proof(
        RAYLEIGH, lemma("rayleigh", (), S=S, x=u), algebra(RAYLEIGH, item(1, 0))
    ),
    "Rayleigh with another matrix": proof(
        RAYLEIGH,
        lemma("rayleigh", (0,), S=S, x=u),
        algebra(RAYLEIGH, item(1, 1)),
        given=(["eq", ["matmul", S, S], turned(["matmul", S, S])],),
    ),
    "Rayleigh with a vector that does not fit": proof(
        TRUE, lemma("rayleigh", (0,), S=S, x=w), algebra(TRUE), given=(SYMMETRIC,)
    ),
    "an eigenvector of any matrix": proof(TRUE, lemma("eigenvector", (), S=S), algebra(TRUE)),
    "an eigenvector of what is not square": proof(
        TRUE, lemma("eigenvector", (), S=A), algebra(TRUE)
    ),
    "the norm of a vector as of a matrix": proof(TRUE, lemma("norm", (), M=u), algebra(TRUE)),
    "a lemma without what it takes": proof(TRUE, lemma("norm", ()), algebra(TRUE)),
    "1/y without y other than 0": proof(
        DIVIDED, lemma("reciprocal", (), b=y), algebra(DIVIDED, equal(0, x))
    ),
    "a divisor without a quotient": proof(["ne", y, 0], lemma("divisor", (), a=x, b=y)),
    "the larger without a case": proof(
        ["eq", ["larger", x, y], x],
        lemma("larger", (), x=x, y=y),
    ),
    "the length of an empty range": proof(
        ["eq", ["card", ["range", 1, -3]], -3],
        lemma("length", (), a=1, b=-3),
    ),
    # records
    "another rule": proof(TRUE, {"rule": "magic", "holds": TRUE}),
    "no rule": proof(TRUE, {"holds": TRUE}),
    "no step at all": proof(TRUE, "algebra"),
    "one key too many": proof(TRUE, algebra(TRUE) | {"because": "it is"}),
    "one key too few": proof(TRUE, {"rule": "algebra", "holds": TRUE}),
    "a number as goal": proof(TRUE, algebra(1)),
    "a variable that is not there": proof(["ge", x, 0], algebra(["ge", v0, v0])),
    "an operator of normal forms": proof(TRUE, algebra(["eq", ["#axis"], ["#axis"]])),
    "a proof as an object": proof(TRUE) | {"proof": {}},
    "a case beside it": alone(TRUE) | {"case": {}},
}


@pytest.mark.parametrize("name", RIGHT)
def test_it_is_right(name: str) -> None:
    code, message = check(RIGHT[name])
    assert code == ACCEPTED, message


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_never_fails(name: str) -> None:
    assert fails(RIGHT[name]["statement"], seed=5) is not True


@pytest.mark.parametrize("name", WRONG)
def test_it_is_rejected(name: str) -> None:
    code, message = check(WRONG[name])
    assert code == REJECTED, message


LEAVES = TRUE
for _ in range(8):
    LEAVES = ["and", LEAVES, LEAVES]
WIDE = x
for _ in range(12):
    WIDE = ["add", WIDE, WIDE]


def many(leaf: Json, count: int, operator: str = "add") -> Json:
    """A term of so many leaves."""
    if count == 1:
        return leaf
    half = count // 2
    return [operator, many(leaf, half, operator), many(leaf, count - half, operator)]


def nested(operator: str, count: int, leaf: Json, *more: Json) -> Json:
    """An operator so often around a leaf."""
    for _ in range(count):
        leaf = [operator, leaf, *more]
    return leaf


def paired(times: int, within: Json) -> Json:
    """A tuple of two, each a tuple of two, and so on, is bound."""
    for k in reversed(range(1, times)):
        within = ["let", ["tuple", ["var", k - 1], ["var", k - 1]], within]
    return ["let", ["tuple", True, True], within]


LONG = "p" * 300_000
BIG = ["eq", x, many(1, 9_900)]
OF_BIG = ["each", ["list", many(1, 4_000)], ["eq", ["rate", many(v0, 4_000)], 0]]
TRUTHS = ["sum", ["list", many(True, 3_000, "or")], ["if", many(v0, 3_000, "or"), 1, 2]]
RATES = ["sum", ["list", 1], nested("rate", 75, many(1, 4_000))]
AT_PLACE = ["at", ["map", ["range", 1, 1], many(1, 95)], v0]
LARGE_END = ["if", many(TRUE, 2_500, "and"), ["at", ["outputs"], 1], ["at", ["inputs"], 1]]
MANY = ["pow", ["add", ["add", x, y], ["add", z, 1]], 40]
BEYOND = {
    "too many terms": alone(["eq", mul(MANY, MANY, MANY), 0]),
    "numbers that are too long": alone(["eq", ["pow", ["pow", "7" * 900, 60], 60], 0]),
    "too many leaves": alone(["each", ["range", 1, 2], LEAVES])
    | {"proof": [[algebra(TRUE)]] * 256},
    "one fact again and again": proof(
        ["eq", WIDE, 0],
        step("same", ["eq", WIDE, 0], by=[0] * 100_000),
        given=(["eq", x, mul(1, x)],),
    ),
    "a large term for a small one": proof(
        ["eq", many(x, 9_000), 0],
        step("same", ["eq", many(x, 9_000), 0], by=[0, 0]),
        given=(BIG,),
    ),
    "a large element in a rate": proof(
        TRUE,
        at(["eq", ["rate", 1], 0], 0, 1, many(1, 4_000)),
        given=(OF_BIG, ["in", many(1, 4_000), ["list", many(1, 4_000)]]),
    ),
    "a large element of a sum": alone(["eq", TRUTHS, 0]),
    "a list within a sum over a list": alone(
        ["eq", ["sum", ["list", *[1] * 9_000], ["card", ["list", *[1] * 9_000]]], 0]
    ),
    "velocities for each leaf": lambda: (
        alone(
            many(TRUE, 200, "and"),
            over=domain(**{f"x{k}": [] for k in range(20)}),
            flow={f"x{k}": many(1, 9_900) for k in range(20)},
        )
        | {"proof": [[algebra(TRUE)]] * 200}
    ),
    "one premise again and again": proof(
        ["ne", y, 0],
        lemma("divisor", (0,) * 300_000, a=x, b=y),
        given=(["eq", many(1, 9_000), 1],),
    ),
    "large splits": proof(
        TRUE, *[cases(TRUE, ["ge", many(x, 9_900), 0], [algebra(TRUE)], [algebra(TRUE)])] * 40
    ),
    "items of nothing": lambda: alone(TRUE, *[{"times": 0}] * 750_000),
    "a sort within a sort": alone(paired(60, ["eq", ["var", 59], ["var", 59]])),
    "a sort within a sort, of what moves": alone(
        paired(60, ["each", ["list", ["tuple", ["var", 59], x]], TRUE]), flow=X_MOVES
    ),
    "names that are alike for long": alone(
        [
            "eq",
            mul(
                *[
                    [
                        "pow",
                        [
                            "add",
                            *[["add", field(LONG + a), field(LONG + b)] for a, b in ("xy", "zt")],
                        ],
                        9,
                    ]
                ]
                * 2
            ),
            0,
        ],
        over=domain(**{LONG + a: [] for a in "xyzt"}),
    ),
    "too many steps": proof(TRUE, *[algebra(TRUE)] * 2_001),
    "a large map within a large sum": alone(
        ["eq", ["sum", ["map", ["range", 1, 2], many(v0, 1_500)], many(v0, 1_500)], 0]
    ),
    "rates within rates": proof(TRUE, *[algebra(["eq", RATES, RATES])] * 20),
    "lists within lists": proof(
        ["eq", ["sum", nested("filter", 90, ["list", *[1] * 18_000], True), 1], 9_000],
        *[step("values", ["each", ["list", 1], ["eq", 1, 1]], of="leaf")] * 20,
    ),
    "what stands at many places": proof(
        TRUE,
        step(
            "places",
            [
                "eq",
                ["sum", ["range", 1, ["card", ["range", 1, 1]]], many(AT_PLACE, 95)],
                ["sum", ["range", 1, 1], 0],
            ],
        ),
    ),
    "a large end of a recursion": proof(
        TRUE,
        {
            "rule": "along",
            "holds": ["eq", ["along", LARGE_END, 0], 0],
            "form": ["along", LARGE_END, many(["card", ["into", v0]], 2_200)],
            "steps": [algebra(TRUE)],
        },
        over=NETWORK,
    ),
    "what stands still beside what moves": proof(
        TRUE,
        *[rate(nested("neg", 80, ["add", many(1, 4_000), x]), nested("neg", 80, y))] * 10,
        flow=X_MOVES,
    ),
    "terms within terms": alone(
        ["eq", ["sqrt", ["pow", ["sqrt", ["pow", ["sqrt", ["pow", ["sqrt", x], 60]], 60]], 60]], 0]
    ),
}


@pytest.mark.parametrize("name", BEYOND)
def test_it_is_beyond(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a fiftieth of the work that a check may cost."""
    monkeypatch.setattr(budget, "MOST_WORK", budget.MOST_WORK // 50)
    record = BEYOND[name]
    content = record() if callable(record) else record
    (code, message), calls = counted(lambda: check(content))
    assert code in (REJECTED, DECLINED), message
    assert calls < 7 * 10**6, "about half a second"
