"""The names in which statements are written. docs/language.md says where each is defined.

Arrays: `Tensor("T", "a", "b", "c")`, `Matrix("A", "m", "n")`, `Vector("x", "n")`, `Number("c")`,
`Whole("k", 1, 5)`: axes with one name have one length. Networks: `hidden()`, `into(v)`, `w(e)`,
`nu(j)`, ... Binders take functions: `Sum(into(v), lambda e: w(e) ** 2)`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from verify.language.domains import LARGEST, LEAST, Array
from verify.language.operators import OPERATORS, Operator
from verify.language.sorts import EDGE, INT, MAT, NUM, TENSOR, VEC, VERTEX, sort_of
from verify.language.terms import Term, TermError, make
from verify.language.terms import called as called
from verify.language.terms import item as item
from verify.language.terms import unfold as unfold
from verify.language.terms import written as written

Build = Callable[..., Term]
MOST_AXES = 6


# what a case holds ------------------------------------------------------------------------------
def Tensor(name: str, *axes: str, meaning: str = "") -> Term:  # noqa: N802 - as sorts are written
    """An array with three to six named axes: `Tensor("T", "a", "b", "c")`. What is said of it is
    said of its unfoldings: `unfold(T, 1)` has a row for each index of the first axis. meaning: for
    readers, in words, as of all that a case holds."""
    if not 3 <= len(axes) <= MOST_AXES:
        raise TermError(f"Tensor({name!r}): three to {MOST_AXES} axes, not {len(axes)}")
    return Array(name, TENSOR, axes, meaning=meaning).term


def Matrix(name: str, rows: str, columns: str, *, meaning: str = "") -> Term:  # noqa: N802 - as sorts are written
    """A matrix with named axes: `Matrix("A", "m", "n")`."""
    return Array(name, MAT, (rows, columns), meaning=meaning).term


def Vector(name: str, length: str, *, meaning: str = "") -> Term:  # noqa: N802 - as sorts are written
    """A vector with a named axis: `Vector("x", "n")`."""
    return Array(name, VEC, (length,), meaning=meaning).term


def Number(name: str, *, meaning: str = "") -> Term:  # noqa: N802 - as sorts are written
    """A real number: `Number("c")`."""
    return Array(name, NUM, meaning=meaning).term


def Whole(name: str, least: int = LEAST, largest: int = LARGEST) -> Term:  # noqa: N802 - as sorts are written
    """A whole number between two, both included: `Whole("k", 1, 5)`."""
    return Array(name, INT, (), least, largest).term


def Chosen(name: str, sort: str, meaning: str = "") -> Term:  # noqa: N802 - as sorts are written
    """A list that the case holds beside its network, of vertices, edges, whole numbers or numbers,
    or of such lists: `Chosen("F", "seq[edge]", "an edge cut")`. meaning: for readers."""
    found = sort_of(sort)
    element = found
    while element.name == "seq" and element.inner:
        element = element.inner[0]
    if found.name != "seq" or element not in (VERTEX, EDGE, INT, NUM):
        raise TermError(f"Chosen({name!r}, {sort!r}): lists of vertices, edges, or numbers")
    return Array(name, found, meaning=meaning).term


# operators ---------------------------------------------------------------------------------------
def upto(last: Any) -> Term:
    """The list 1, 2, ..., last; empty below 1: `Each(upto(rows(A)), lambda i: A[i, i] == 0)`."""
    return make("range", 1, last)


SAME = """
    sign sqrt log exp erfc tanh sigmoid softplus rising larger smaller floor ceil implies card union
    intersection minus distinct concat subsets orders dot outer transpose row column rows cols
    dim beside above kron frob2 trace diagonal diag eye zeros rank det inverse pdet2 definite
    eigenvalues singular norm nuclear schatten roots vertices inputs hidden outputs edges examples
    into out_of held tail head users learnable paths edges_on start loss_slope slope_left
    slope_right post slope vector matrix edge sensitivity steps step_size paths_to activation
"""
NAMES: dict[str, str] = {
    "Sum": "sum",
    "Prod": "prod",
    "Count": "count",
    "Each": "each",
    "Some": "some",
    "Filter": "filter",
    "Map": "map",
    "The": "the",
    "Let": "let",
    "Fold": "fold",
    "Along": "along",
    "Max": "maximum",
    "Min": "minimum",
    "ArgMax": "argmax",
    "Rate": "rate",
    "After": "after",
    "When": "if",
    "Sorted": "sorted",
    "w": "weight",
    "x": "input",
    "y": "label",
    "z": "pre",
    "nu": "output",
    "grad": "gradient",
    "between": "range",
    "element": "in",
    **{name: name for name in SAME.split()},
}
"""The name of each operator in Python, where it is a function."""


SHOWN = {
    "num": "c",
    "int": "k",
    "bool": "c > 0",
    "vec": "x",
    "mat": "A",
    "vertex": "v",
    "edge": "e",
}
SHOWN |= {"path": "p", "S": "s", "T": "t", "seq": "some"}
"""How an argument of each sort is called in examples."""
LETTERS = {
    "num": "abc",
    "int": "kmn",
    "bool": "PQR",
    "vertex": "vu",
    "edge": "ef",
    "path": "pq",
    "vec": "xyz",
    "mat": "ABC",
    "seq": "SRQ",
    "S": "stu",
    "T": "tuv",
}
"""How arguments of each sort are called in formulas."""


@cache
def words() -> dict[str, str]:
    """What each operator is."""
    text = files(__package__).joinpath("operators.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _example(python: str, operator: Operator) -> str:
    """A call with arguments of the first form."""
    parts = [SHOWN[sort.name] for sort in operator.signatures[0].arguments]
    if operator.binds:
        names = ", ".join("ijk"[: operator.binds])
        parts[-1] = f"lambda {names}: ..."
    return f"{python}({', '.join(parts)})"


def pattern(operator: Operator) -> str:
    """Its formula, of arguments named by their sorts and variables i, j, k."""
    pools = {sort: iter(names) for sort, names in LETTERS.items()}
    sorts = [form.name for form in operator.signatures[0].arguments] if operator.signatures else []
    letters = {"x": "i", "y": "j", "z": "k", "*": r"a, \dots"}
    letters |= {str(place): next(pools[sort]) for place, sort in enumerate(sorts)}
    return re.sub(r"\{([012xyz*])[:!]?\}", lambda slot: letters[slot[1]], operator.latex)


def _function(python: str, name: str) -> Build:
    """The function that makes terms of an operator."""

    def build(*arguments: Any) -> Term:
        return make(name, *arguments)

    operator = OPERATORS[name]
    forms = "; ".join(
        f"({', '.join(map(str, form.arguments))}) gives {form.value}"
        for form in operator.signatures
    )
    told = words()[name]
    build.__name__ = build.__qualname__ = python
    build.__doc__ = (
        f"{told[0].upper()}{told[1:]}.\n\nSorts: {forms}.\nFormula: {pattern(operator)}\n"
        f"Example: {_example(python, operator)}"
    )
    return build


FUNCTIONS: dict[str, Build] = {python: _function(python, name) for python, name in NAMES.items()}


def tuple_(*parts: Any) -> Term:
    """A tuple of at least two values: `tuple_(i, j)`."""
    return make("tuple", *parts)


def list_(*parts: Any) -> Term:
    """A list of at least one value: `list_(1, 2)`."""
    return make("list", *parts)


NAMES_OF_THE_LANGUAGE = frozenset(
    [
        *FUNCTIONS,
        "Chosen",
        "Matrix",
        "Number",
        "Tensor",
        "Vector",
        "Whole",
        "called",
        "item",
        "list_",
        "tuple_",
        "unfold",
        "written",
        "upto",
    ]
)


def __getattr__(name: str) -> Build:
    if name not in FUNCTIONS:
        raise AttributeError(f"the language has no {name!r}")
    return FUNCTIONS[name]
