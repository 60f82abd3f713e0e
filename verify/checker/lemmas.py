"""What a proof may use without proving it: the page's definitions, and a few textbook lemmas.

`LEMMAS` are trusted, and named whenever a proof that uses them is accepted; `DEFINITIONS` are rows
of docs/language.md in other words. Both are written in the language, with variables for what they
take and then for what they make.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .sorts import EDGE, INT, NUM, PATH, VEC, VERTEX, Sort, seq

Json = Any
Axes = tuple[str, ...]  # a matrix or vector whose shape must be known; one name, one length


class Lemma(NamedTuple):
    """takes: by name a sort, or axes. needs: facts. defined: terms that have a value. makes: fresh
    vectors, by name with their axes. gives: the facts that follow."""

    words: str
    takes: dict[str, Sort | Axes]
    gives: tuple[Json, ...]
    needs: tuple[Json, ...] = ()
    defined: tuple[Json, ...] = ()
    makes: dict[str, Axes] = {}  # noqa: RUF012  # nothing changes it


A: Json = ["var", 0]
B: Json = ["var", 1]
TURNED: Json = ["transpose", A]
LARGEST: Json = ["at", ["eigenvalues", A], 1]
LEAST: Json = ["at", ["eigenvalues", A], ["rows", A]]
SQUARE: Json = ["dot", B, B]
FORM: Json = ["dot", B, ["matmul", A, B]]
RANKS: Json = ["range", 1, ["rank", A]]
VALUE: Json = ["at", ["singular", A], ["var", 1]]
SYMMETRIC: Json = ["eq", A, TURNED]

HIDDEN: Json = ["in", A, ["hidden"]]
ON_EXAMPLE: Json = ["in", B, ["examples"]]
ONE_OUTPUT: Json = ["eq", ["card", ["outputs"]], 1]
EDGE_AT: Json = ["var", 2]  # bound, of a lemma that takes two
INNERMOST: Json = ["var", 3]


def _total(many: Json, edge: Json, value: Json) -> Json:
    """The sum of the weight of an edge times something, over edges."""
    return ["sum", many, ["mul", ["weight", edge], value]]


def _among(many: Json, others: Json, end: str) -> Json:
    """Each edge of one list ends where one of another list does."""
    same = ["eq", [end, ["var", 4]], [end, INNERMOST]]
    return ["each", many, ["some", others, same]]


def _neighbours(many: str, end: str) -> tuple[Json, ...]:
    """Of vertices u and v, the variables 0 and 2, the in- or the out-neighbours are the same."""
    u, v = [many, A], [many, ["var", 2]]
    return _among(u, v, end), _among(v, u, end)


def _read(v: Json, tails: Json) -> tuple[Json, ...]:
    """A vertex has in-edges exactly from the vertices of a list, in which none is twice."""
    entering = ["map", ["into", v], ["tail", INNERMOST]]
    return (
        ["eq", ["distinct", tails], tails],
        ["eq", ["card", ["minus", entering, tails]], 0],
        ["eq", ["card", ["minus", tails, entering]], 0],
    )


def _entering(v: Json, bound: int) -> Json:
    """The tails of the edges into a vertex; so many variables are bound."""
    return ["map", ["into", v], ["tail", ["var", bound]]]


VERTICES = seq(VERTEX)
ANY = Sort("S")
LIST = seq(ANY)
RANGE: Json = ["range", A, B]
CROSSED: Json = ["if", ["in", A, ["edges_on", EDGE_AT]], 1, 0]
ADDED: Json = [
    "mul",
    [
        "mul",
        ["prod", ["edges_on", EDGE_AT], ["slope", ["head", INNERMOST], B]],
        ["input", ["start", EDGE_AT], B],
    ],
    ["prod", ["edges_on", EDGE_AT], ["weight", INNERMOST]],
]
"""Of an edge e, an example j, and a path: whether it goes along e; and what it adds to the output,
the product of its slopes, its input and its weights."""
FLOWING: Json = ["mul", ["weight", A], ["gradient", A, B]]
SLOPED: Json = ["each", ["hidden"], ["eq", ["slope_left", EDGE_AT], ["slope_left", EDGE_AT]]]

LEMMAS: dict[str, Lemma] = {
    "rayleigh": Lemma(
        "Rayleigh: for symmetric S, least eigenvalue |x|^2 <= x.Sx <= largest eigenvalue |x|^2",
        {"S": ("n", "n"), "x": ("n",)},
        (["le", FORM, ["mul", LARGEST, SQUARE]], ["le", ["mul", LEAST, SQUARE], FORM]),
        needs=(SYMMETRIC,),
    ),
    "eigenvector": Lemma(
        "a symmetric S has a unit vector x with Sx = largest eigenvalue x",
        {"S": ("n", "n")},
        (["eq", SQUARE, 1], ["eq", ["matmul", A, B], ["mul", LARGEST, B]]),
        needs=(SYMMETRIC,),
        makes={"x": ("n",)},
    ),
    "norm": Lemma(
        "norm(M)^2 is the largest eigenvalue of M^T M, and norm(M) >= 0",
        {"M": ("m", "n")},
        (
            ["eq", ["pow", ["norm", A], 2], ["at", ["eigenvalues", ["matmul", TURNED, A]], 1]],
            ["ge", ["norm", A], 0],
        ),
    ),
    "singular": Lemma(
        "frob2(M) is the sum of the squares of the first rank(M) singular values, which are from "
        "0 to norm(M)",
        {"M": ("m", "n")},
        (
            ["ge", ["rank", A], 0],
            ["eq", ["frob2", A], ["sum", RANKS, ["pow", VALUE, 2]]],
            ["each", RANKS, ["ge", VALUE, 0]],
            ["each", RANKS, ["le", VALUE, ["norm", A]]],
        ),
    ),
    "paths": Lemma(
        "where hidden activations are positively homogeneous, w dnu/dw of an edge is the sum over "
        "the paths along it of the products of weights, slopes and the input",
        {"e": EDGE, "j": INT},
        (["eq", FLOWING, ["sum", ["paths"], ["mul", CROSSED, ADDED]]],),
        needs=(ON_EXAMPLE, ONE_OUTPUT),
        defined=(SLOPED, ["paths"]),
    ),
}
"""The trusted ones."""

DEFINITIONS: dict[str, Lemma] = {
    "edge": Lemma("an edge is one of the network", {"e": EDGE}, (["in", A, ["edges"]],)),
    "output": Lemma(
        "the output is one", {}, (["in", ["at", ["outputs"], 1], ["outputs"]],), (ONE_OUTPUT,)
    ),
    "on a path": Lemma(
        "a path goes along its edges, each once",
        {"p": PATH},
        (
            [
                "eq",
                ["sum", ["edges"], ["if", ["in", ["var", 1], ["edges_on", A]], 1, 0]],
                ["card", ["edges_on", A]],
            ],
        ),
    ),
    "end of a path": Lemma(
        "a path reaches the output along one edge",
        {"o": VERTEX, "p": PATH},
        (
            [
                "eq",
                ["sum", ["into", A], ["if", ["in", EDGE_AT, ["edges_on", B]], 1, 0]],
                1,
            ],
        ),
        needs=(["in", A, ["outputs"]], ["in", B, ["paths"]], ONE_OUTPUT),
    ),
    "edge of a path": Lemma(
        "a path goes along each of its edges once",
        {"e": EDGE, "p": PATH, "c": NUM},
        (
            [
                "eq",
                ["prod", ["edges_on", B], ["if", ["eq", INNERMOST, A], EDGE_AT, 1]],
                EDGE_AT,
            ],
        ),
        needs=(["in", A, ["edges_on", B]],),
    ),
    "path through a vertex": Lemma(
        "a path that reaches a hidden vertex goes along one edge into it, and along one out of it",
        {"v": VERTEX, "p": PATH},
        tuple(
            [
                "eq",
                ["sum", [many, A], ["if", ["in", EDGE_AT, ["edges_on", B]], 1, 0]],
                ["if", ["some", ["edges_on", B], ["eq", ["head", EDGE_AT], A]], 1, 0],
            ]
            for many in ("into", "out_of")
        ),
        needs=(HIDDEN, ["in", B, ["paths"]]),
    ),
    "into": Lemma(
        "an edge into a vertex",
        {"e": EDGE, "v": VERTEX},
        (["eq", ["head", A], B],),
        needs=(["in", A, ["into", B]],),
    ),
    "out of": Lemma(
        "an edge out of a vertex",
        {"e": EDGE, "v": VERTEX},
        (["eq", ["tail", A], B],),
        needs=(["in", A, ["out_of", B]],),
    ),
    "at a vertex": Lemma(
        "the edges into and out of a vertex are those that end and begin there, each once",
        {"v": VERTEX},
        (
            ["eq", ["into", A], ["filter", ["edges"], ["eq", ["head", B], A]]],
            ["eq", ["out_of", A], ["filter", ["edges"], ["eq", ["tail", B], A]]],
            ["eq", ["distinct", ["into", A]], ["into", A]],
            ["eq", ["distinct", ["out_of", A]], ["out_of", A]],
        ),
    ),
    "between two": Lemma(
        "the edge from one vertex to another",
        {"u": VERTEX, "v": VERTEX},
        (
            ["in", ["edge", A, B], ["into", B]],
            ["in", ["edge", A, B], ["out_of", A]],
            ["eq", ["tail", ["edge", A, B]], A],
            ["eq", ["head", ["edge", A, B]], B],
        ),
        defined=(["edge", A, B],),
    ),
    "vertex": Lemma(
        "a vertex is one of the network, in which each is once",
        {"v": VERTEX},
        (["in", A, ["vertices"]], ["eq", ["distinct", ["vertices"]], ["vertices"]]),
    ),
    "with slopes": Lemma(
        "a vertex that has slopes is hidden or an output",
        {"v": VERTEX},
        (["or", HIDDEN, ["in", A, ["outputs"]]],),
        defined=(["slope_right", A],),
    ),
    "users": Lemma(
        "the users of a learnable edge: itself, and what has its weight; each once",
        {"e": EDGE},
        (
            ["in", A, ["users", A]],
            ["each", ["users", A], ["eq", ["weight", B], ["weight", A]]],
            ["eq", ["distinct", ["users", A]], ["users", A]],
        ),
        needs=(["learnable", A],),
    ),
    "alone": Lemma(
        "the only user of a parameter",
        {"e": EDGE},
        (["eq", ["users", A], ["list", A]],),
        needs=(["eq", ["card", ["users", A]], 1],),
    ),
    "pre-activation": Lemma(
        "the pre-activation of a vertex",
        {"v": VERTEX, "j": INT},
        (
            [
                "eq",
                ["pre", A, B],
                _total(["into", A], EDGE_AT, ["post", ["tail", EDGE_AT], B]),
            ],
        ),
        needs=(HIDDEN, ON_EXAMPLE),
    ),
    "pre-activation of an output": Lemma(
        "the pre-activation of an output",
        {"v": VERTEX, "j": INT},
        (
            [
                "eq",
                ["pre", A, B],
                _total(["into", A], EDGE_AT, ["post", ["tail", EDGE_AT], B]),
            ],
        ),
        needs=(["in", A, ["outputs"]], ON_EXAMPLE),
    ),
    "activation": Lemma(
        "a positively homogeneous activation",
        {"v": VERTEX, "j": INT},
        (["eq", ["post", A, B], ["mul", ["slope", A, B], ["pre", A, B]]],),
        needs=(ON_EXAMPLE,),
        defined=(["slope_left", A],),
    ),
    "slope below": Lemma(
        "the slope of an activation below 0",
        {"v": VERTEX, "j": INT},
        (["eq", ["slope", A, B], ["slope_left", A]],),
        needs=(ON_EXAMPLE, ["lt", ["pre", A, B], 0]),
        defined=(["slope_left", A],),
    ),
    "slope above": Lemma(
        "the slope of an activation above 0",
        {"v": VERTEX, "j": INT},
        (["eq", ["slope", A, B], ["slope_right", A]],),
        needs=(ON_EXAMPLE, ["gt", ["pre", A, B], 0]),
        defined=(["slope_left", A],),
    ),
    "slope without kink": Lemma(
        "the slope of an activation that has one",
        {"v": VERTEX, "j": INT},
        (["eq", ["slope", A, B], ["slope_left", A]],),
        needs=(ON_EXAMPLE, ["eq", ["slope_left", A], ["slope_right", A]]),
        defined=(["slope_left", A],),
    ),
    "gradient": Lemma(
        "the derivative of the output by a weight",
        {"e": EDGE, "j": INT},
        (
            [
                "eq",
                ["gradient", A, B],
                ["mul", ["post", ["tail", A], B], ["sensitivity", ["head", A], B]],
            ],
        ),
        needs=(ON_EXAMPLE, ONE_OUTPUT),
    ),
    "sensitivity of the output": Lemma(
        "the derivative of the output by its pre-activation",
        {"v": VERTEX, "j": INT},
        (["eq", ["sensitivity", A, B], ["slope", A, B]],),
        needs=(["in", A, ["outputs"]], ON_EXAMPLE, ONE_OUTPUT),
    ),
    "sensitivity": Lemma(
        "the derivative of the output by a pre-activation",
        {"v": VERTEX, "j": INT},
        (
            [
                "eq",
                ["sensitivity", A, B],
                [
                    "mul",
                    ["slope", A, B],
                    _total(["out_of", A], EDGE_AT, ["sensitivity", ["head", EDGE_AT], B]),
                ],
            ],
        ),
        needs=(HIDDEN, ON_EXAMPLE, ONE_OUTPUT),
    ),
    "same in-neighbours": Lemma(
        "the pre-activation of v over the in-neighbours of u, which are those of v",
        {"u": VERTEX, "j": INT, "v": VERTEX},
        (
            [
                "eq",
                ["pre", ["var", 2], B],
                _total(
                    ["into", A],
                    ["edge", ["tail", INNERMOST], ["var", 2]],
                    ["post", ["tail", INNERMOST], B],
                ),
            ],
        ),
        needs=(["in", ["var", 2], ["hidden"]], ON_EXAMPLE, *_neighbours("into", "tail")),
    ),
    "same out-neighbours": Lemma(
        "the sensitivity of v over the out-neighbours of u, which are those of v",
        {"u": VERTEX, "j": INT, "v": VERTEX},
        (
            [
                "eq",
                ["sensitivity", ["var", 2], B],
                [
                    "mul",
                    ["slope", ["var", 2], B],
                    _total(
                        ["out_of", A],
                        ["edge", ["var", 2], ["head", INNERMOST]],
                        ["sensitivity", ["head", INNERMOST], B],
                    ),
                ],
            ],
        ),
        needs=(
            ["in", ["var", 2], ["hidden"]],
            ON_EXAMPLE,
            ONE_OUTPUT,
            *_neighbours("out_of", "head"),
        ),
    ),
    "included": Lemma(
        "what is in a list is in one that leaves nothing of it over",
        {"some": LIST, "others": LIST, "x": ANY},
        (["in", EDGE_AT, B],),
        needs=(["eq", ["card", ["minus", A, B]], 0], ["in", EDGE_AT, A]),
    ),
    "once": Lemma(
        "in a list without repetition nothing is twice",
        {"some": LIST, "x": ANY},
        (["le", ["sum", A, ["if", ["eq", EDGE_AT, B], 1, 0]], 1],),
        needs=(["eq", ["distinct", A], A],),
    ),
    "element": Lemma(
        "what stands at a place of a list is in it",
        {"some": LIST, "k": INT},
        (["in", ["at", A, B], A],),
        needs=(["ge", B, 1], ["lt", B, ["add", ["card", A], 1]]),
    ),
    "place": Lemma(
        "where something stands in a list",
        {"some": LIST, "k": INT},
        (["ge", B, 1], ["le", B, ["card", A]]),
        defined=(["at", A, B],),
    ),
    "in a range": Lemma(
        "the numbers of a range lie between its ends, each is there once",
        {"a": INT, "b": INT, "k": INT},
        (["ge", EDGE_AT, A], ["le", EDGE_AT, B], ["eq", ["distinct", ["range", A, B]], RANGE]),
        needs=(["in", EDGE_AT, RANGE],),
    ),
    "into a range": Lemma(
        "a number between two others is in their range",
        {"a": INT, "b": INT, "k": INT},
        (["in", EDGE_AT, RANGE],),
        needs=(["ge", EDGE_AT, A], ["le", EDGE_AT, B]),
    ),
    "tails": Lemma(
        "the pre-activation over the tails of the edges into a vertex",
        {"v": VERTEX, "j": INT, "some": VERTICES},
        (
            [
                "eq",
                ["pre", A, B],
                _total(EDGE_AT, ["edge", INNERMOST, A], ["post", INNERMOST, B]),
            ],
        ),
        needs=(HIDDEN, ON_EXAMPLE, *_read(A, EDGE_AT)),
    ),
    "heads": Lemma(
        "the sensitivity over the heads of the edges out of a vertex",
        {"v": VERTEX, "j": INT, "some": VERTICES},
        (
            [
                "eq",
                ["sensitivity", A, B],
                [
                    "mul",
                    ["slope", A, B],
                    _total(EDGE_AT, ["edge", A, INNERMOST], ["sensitivity", INNERMOST, B]),
                ],
            ],
        ),
        needs=(
            HIDDEN,
            ON_EXAMPLE,
            ONE_OUTPUT,
            ["eq", ["distinct", EDGE_AT], EDGE_AT],
            ["each", ["out_of", A], ["in", ["head", INNERMOST], EDGE_AT]],
            ["each", EDGE_AT, ["in", A, _entering(INNERMOST, 4)]],
        ),
    ),
    "edge between": Lemma(
        "the edge from one of the tails of the edges into a vertex",
        {"u": VERTEX, "v": VERTEX},
        (
            ["in", ["edge", A, B], ["into", B]],
            ["in", ["edge", A, B], ["out_of", A]],
            ["eq", ["tail", ["edge", A, B]], A],
            ["eq", ["head", ["edge", A, B]], B],
        ),
        needs=(["in", A, _entering(B, 2)],),
    ),
    "edge from a neighbour": Lemma(
        "the edge from an in-neighbour of u, which is one of v, to v",
        {"u": VERTEX, "e": EDGE, "v": VERTEX},
        (
            ["in", ["edge", ["tail", B], ["var", 2]], ["into", ["var", 2]]],
            ["eq", ["tail", ["edge", ["tail", B], ["var", 2]]], ["tail", B]],
        ),
        needs=(["in", B, ["into", A]], _neighbours("into", "tail")[0]),
    ),
    "edge to a neighbour": Lemma(
        "the edge from v to an out-neighbour of u, which is one of v",
        {"u": VERTEX, "e": EDGE, "v": VERTEX},
        (
            ["in", ["edge", ["var", 2], ["head", B]], ["out_of", ["var", 2]]],
            ["eq", ["head", ["edge", ["var", 2], ["head", B]]], ["head", B]],
        ),
        needs=(["in", B, ["out_of", A]], _neighbours("out_of", "head")[0]),
    ),
    "with in-edges": Lemma(
        "a vertex with edges into it is hidden or an output",
        {"v": VERTEX},
        (["or", HIDDEN, ["in", A, ["outputs"]]],),
        needs=(["ne", ["card", ["into", A]], 0],),
    ),
    "edge into": Lemma(
        "there are edges into the head of an edge",
        {"e": EDGE},
        (["ne", ["card", ["into", ["head", A]]], 0],),
    ),
    "value of an input": Lemma(
        "a vertex without edges into it is an input, with its value on an example",
        {"v": VERTEX, "j": INT},
        (["eq", ["post", A, B], ["input", A, B]],),
        needs=(["eq", ["card", ["into", A]], 0], ON_EXAMPLE),
    ),
    "value of a vertex": Lemma(
        "a vertex with edges into it: its activation at the weighted sum",
        {"v": VERTEX, "j": INT},
        (
            [
                "eq",
                ["post", A, B],
                ["activation", A, _total(["into", A], EDGE_AT, ["post", ["tail", EDGE_AT], B])],
            ],
        ),
        needs=(["ne", ["card", ["into", A]], 0], ON_EXAMPLE),
    ),
    "homogeneous": Lemma(
        "an activation with slopes left and right of 0 is positively homogeneous",
        {"v": VERTEX, "c": NUM, "x": NUM},
        (["eq", ["activation", A, ["mul", B, EDGE_AT]], ["mul", B, ["activation", A, EDGE_AT]]],),
        needs=(["ge", B, 0],),
        defined=(["slope_left", A],),
    ),
    "no loop": Lemma(
        "an edge has two different ends", {"e": EDGE}, (["ne", ["head", A], ["tail", A]],)
    ),
    "only edge out": Lemma(
        "the edge out of a vertex that has one",
        {"e": EDGE, "v": VERTEX},
        (["eq", A, ["at", ["out_of", B], 1]],),
        needs=(["eq", ["tail", A], B], ["eq", ["card", ["out_of", B]], 1]),
    ),
    "first edge out": Lemma(
        "the first edge out of a vertex is one",
        {"v": VERTEX},
        (["in", ["at", ["out_of", A], 1], ["out_of", A]],),
        needs=(["eq", ["card", ["out_of", A]], 1],),
    ),
    "edge of its ends": Lemma(
        "an edge is the one between its ends",
        {"e": EDGE},
        (["eq", ["edge", ["tail", A], ["head", A]], A],),
    ),
    "value": Lemma(
        "the network's value is that of its output",
        {"j": INT},
        (["eq", ["output", A], ["post", ["at", ["outputs"], 1], A]],),
        needs=(["in", A, ["examples"]], ONE_OUTPUT),
    ),
    "sign": Lemma(
        "a number is its sign times its absolute value, and so often 1",
        {"x": NUM},
        (
            ["eq", ["mul", ["sign", A], ["abs", A]], A],
            ["eq", ["mul", ["pow", ["sign", A], 2], ["abs", A]], ["abs", A]],
            ["ge", ["abs", A], 0],
        ),
    ),
    "divisor": Lemma(
        "a divisor is not 0", {"a": NUM, "b": NUM}, (["ne", B, 0],), defined=(["div", A, B],)
    ),
    "reciprocal": Lemma(
        "b (1/b) = 1 unless b is 0",
        {"b": NUM},
        (["eq", ["mul", A, ["div", 1, A]], 1],),
        needs=(["ne", A, 0],),
    ),
    "symmetric": Lemma(
        "what has eigenvalues is symmetric",
        {"S": ("m", "n")},
        (SYMMETRIC,),
        defined=(["eigenvalues", A],),
    ),
    "shape": Lemma(
        "a matrix has a row and a column",
        {"M": ("m", "n")},
        (["ge", ["rows", A], 1], ["ge", ["cols", A], 1]),
    ),
    "length": Lemma(
        "how many numbers a range has",
        {"a": INT, "b": INT},
        (["eq", ["card", ["range", A, B]], ["add", ["sub", B, A], 1]],),
        needs=(["ge", ["add", B, 1], A],),
    ),
    "norm of a vector": Lemma(
        "the 2-norm of a vector",
        {"x": VEC},
        (["eq", ["pow", ["norm", A], 2], ["dot", A, A]], ["ge", ["norm", A], 0]),
    ),
    "root": Lemma(
        "the square root",
        {"x": NUM},
        (["ge", ["sqrt", A], 0], ["eq", ["pow", ["sqrt", A], 2], A]),
        needs=(["ge", A, 0],),
    ),
    "radicand": Lemma(
        "what has a root is not below 0", {"x": NUM}, (["ge", A, 0],), defined=(["sqrt", A],)
    ),
    "absolute": Lemma(
        "of a number from 0 on", {"x": NUM}, (["eq", ["abs", A], A],), needs=(["ge", A, 0],)
    ),
    "absolute of a negative": Lemma(
        "of a number up to 0", {"x": NUM}, (["eq", ["abs", A], ["neg", A]],), needs=(["le", A, 0],)
    ),
    "larger": Lemma(
        "the first is the larger",
        {"x": NUM, "y": NUM},
        (["eq", ["larger", A, B], A],),
        needs=(["ge", A, B],),
    ),
    "larger second": Lemma(
        "the second is the larger",
        {"x": NUM, "y": NUM},
        (["eq", ["larger", A, B], B],),
        needs=(["ge", B, A],),
    ),
    "smaller": Lemma(
        "the first is the smaller",
        {"x": NUM, "y": NUM},
        (["eq", ["smaller", A, B], A],),
        needs=(["le", A, B],),
    ),
    "smaller second": Lemma(
        "the second is the smaller",
        {"x": NUM, "y": NUM},
        (["eq", ["smaller", A, B], B],),
        needs=(["le", B, A],),
    ),
}
"""What the page says of its operators."""
