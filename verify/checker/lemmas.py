"""What a proof may use without proving it: the page's definitions, and a few textbook lemmas.

`LEMMAS` are trusted, and named whenever a proof that uses them is accepted; `DEFINITIONS` are rows
of docs/language.md in other words. Both are written in the language, with variables for what they
take and then for what they make.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .sorts import INT, NUM, VEC, VERTEX, Sort

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
FLOWING: Json = ["mul", ["weight", ["var", 2]], ["gradient", ["var", 2], B]]
SYMMETRIC: Json = ["eq", A, TURNED]

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
    "balance": Lemma(
        "at a hidden vertex with a positively homogeneous activation, sum of w dnu/dw over the "
        "edges in = over the edges out",
        {"v": VERTEX, "j": INT},
        (["eq", ["sum", ["into", A], FLOWING], ["sum", ["out_of", A], FLOWING]],),
        needs=(["in", A, ["hidden"]],),
        defined=(["slope_left", A],),
    ),
}
"""The trusted ones."""

DEFINITIONS: dict[str, Lemma] = {
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
