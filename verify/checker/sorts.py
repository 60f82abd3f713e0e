"""Sorts, and the table of which sorts each operator takes and what sort its value has."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple


class Sort(NamedTuple):
    """A sort by name; of `seq` and `tuple` the sorts of what is in it, of `tensor` how many axes
    there are. S and T stand for any but `tensor`."""

    name: str
    parts: tuple[Sort, ...] = ()
    axes: int = 0

    def __str__(self) -> str:
        if self.axes:
            return f"{self.name} of {self.axes} axes"
        return self.name + (f"[{', '.join(map(str, self.parts))}]" if self.parts else "")

    def within(self, most: int) -> bool:
        """Whether it is made of at most so many sorts."""
        waiting = [self]
        while waiting and most > 0:
            waiting += waiting.pop().parts
            most -= 1
        return not waiting

    @property
    def measures(self) -> bool:
        """Whether there are numbers in it, which may move."""
        numbers = self in (INT, NUM, VEC, MAT) or self.axes > 0
        return numbers or any(part.measures for part in self.parts)


INT, NUM, BOOL, VEC, MAT = map(Sort, ("int", "num", "bool", "vec", "mat"))
VERTEX, EDGE, PATH = map(Sort, ("vertex", "edge", "path"))


def tensor(axes: int) -> Sort:
    """The arrays with so many axes; only a field is one, and only `unfold` takes one."""
    return Sort("tensor", axes=axes)


def seq(element: Sort) -> Sort:
    """The lists of such elements."""
    return Sort("seq", (element,))


def join(one: Sort, other: Sort) -> Sort | None:
    """The least sort that both belong to: every `int` is a `num`, also within lists and tuples."""
    if one == other:
        return one
    if {one, other} == {INT, NUM}:
        return NUM
    if one.name != other.name or len(one.parts) != len(other.parts) or not one.parts:
        return None
    parts = [join(a, b) for a, b in zip(one.parts, other.parts, strict=True)]
    found = [part for part in parts if part is not None]
    return Sort(one.name, tuple(found)) if len(found) == len(parts) else None


def sort_named(text: str) -> Sort:
    """The sort that is written so."""
    return seq(sort_named(text[4:-1])) if text.startswith("seq[") else Sort(text)


def fits(pattern: Sort, sort: Sort, bound: dict[str, Sort]) -> bool:
    """Whether a sort fits a pattern; what S and T stand for is noted."""
    if pattern.name in ("S", "T"):
        joined = join(bound.get(pattern.name, sort), sort)
        if joined is None:
            return False
        bound[pattern.name] = joined
        return True
    if pattern == NUM:
        return sort in (INT, NUM)
    return (
        pattern.name == sort.name
        and len(pattern.parts) == len(sort.parts)
        and all(fits(p, s, bound) for p, s in zip(pattern.parts, sort.parts, strict=True))
    )


def filled(pattern: Sort, bound: dict[str, Sort]) -> Sort:
    """The pattern with what S and T stand for."""
    parts = tuple(filled(part, bound) for part in pattern.parts)
    return bound.get(pattern.name, Sort(pattern.name, parts))


@lru_cache(maxsize=4096)
def value_sort(operator: str, *arguments: Sort) -> Sort | None:
    """The sort of the value of an operator of the table, None if it takes no such arguments."""
    for patterns, result in SIGNATURES[operator]:
        bound: dict[str, Sort] = {}
        if len(patterns) == len(arguments) and all(
            fits(p, s, bound) for p, s in zip(patterns, arguments, strict=True)
        ):
            return filled(result, bound)
    return None


_WHOLE = "int int -> int | num num -> num"
_ALIKE = f"{_WHOLE} | vec vec -> vec | mat mat -> mat"
_ORDER = "num num -> bool"
_TRUTH = "bool bool -> bool"
_LISTS = "seq[S] seq[S] -> seq[S]"
_EITHER = "vec -> num | mat -> num"

BINDERS = {
    "sum": "seq[S] num -> num | seq[S] vec -> vec | seq[S] mat -> mat",
    **dict.fromkeys(("prod", "maximum", "minimum"), "seq[S] num -> num"),
    "count": "seq[S] bool -> int",
    **dict.fromkeys(("each", "some"), "seq[S] bool -> bool"),
    "filter": "seq[S] bool -> seq[S]",
    "map": "seq[S] T -> seq[T]",
    "the": "seq[S] bool -> S",
    "argmax": "seq[S] num -> S",
    "vector": "int num -> vec",
    "matrix": "int int num -> mat",
    "let": "S T -> T",
    "fold": "seq[S] T T -> T",
    "along": "vertex num -> num",
}
"""Operators that bind variables in their last argument."""

NETWORK = {
    **dict.fromkeys(("vertices", "inputs", "hidden", "outputs"), "-> seq[vertex]"),
    "edges": "-> seq[edge]",
    "examples": "-> seq[int]",
    **dict.fromkeys(("into", "out_of"), "vertex -> seq[edge]"),
    "held": "vertex -> bool",
    **dict.fromkeys(("tail", "head"), "edge -> vertex"),
    "edge": "vertex vertex -> edge",
    "users": "edge -> seq[edge]",
    "learnable": "edge -> bool",
    "paths": "-> seq[path]",
    "edges_on": "path -> seq[edge]",
    "start": "path -> vertex",
    "paths_to": "vertex -> seq[seq[edge]]",
    "weight": "edge -> num",
    **dict.fromkeys(("input", "pre", "post", "slope", "sensitivity"), "vertex int -> num"),
    **dict.fromkeys(("label", "loss_slope", "output"), "int -> num"),
    **dict.fromkeys(("slope_left", "slope_right"), "vertex -> num"),
    "activation": "vertex num -> num",
    "gradient": "edge int -> num",
    "steps": "-> seq[int]",
    "step_size": "int -> num",
    "after": "int S -> S",
}
"""Operators for a case that holds a network."""

_TABLE = {
    **dict.fromkeys(("add", "sub"), _ALIKE),
    "mul": f"{_WHOLE} | num vec -> vec | num mat -> mat",
    "div": "num num -> num | vec num -> vec | mat num -> mat",
    "neg": "int -> int | num -> num | vec -> vec | mat -> mat",
    "abs": "int -> int | num -> num",
    **dict.fromkeys(("sqrt", "log", "exp", "erfc", "tanh", "sigmoid", "softplus"), "num -> num"),
    **dict.fromkeys(("pow", "rising", "larger", "smaller"), "num num -> num"),
    **dict.fromkeys(("sign", "floor", "ceil"), "num -> int"),
    "mod": "int int -> int",
    "if": "bool S S -> S",
    **dict.fromkeys(("eq", "ne"), "S S -> bool"),
    **dict.fromkeys(("le", "lt", "ge", "gt"), _ORDER),
    **dict.fromkeys(("and", "or", "implies"), _TRUTH),
    "not": "bool -> bool",
    "in": "S seq[S] -> bool",
    "range": "int int -> seq[int]",
    "at": "seq[S] int -> S",
    "card": "seq[S] -> int",
    **dict.fromkeys(("union", "intersection", "minus", "concat"), _LISTS),
    "distinct": "seq[S] -> seq[S]",
    "sorted": "seq[int] -> seq[int] | seq[num] -> seq[num]",
    "subsets": "seq[S] -> seq[seq[S]]",
    "orders": "seq[S] -> seq[seq[S]]",
    "matmul": "mat mat -> mat | mat vec -> vec",
    "dot": "vec vec -> num | mat mat -> num",
    "outer": "vec vec -> mat",
    **dict.fromkeys(("transpose", "inverse"), "mat -> mat"),
    "entry": "mat int int -> num",
    "coord": "vec int -> num",
    **dict.fromkeys(("row", "column"), "mat int -> vec"),
    **dict.fromkeys(("rows", "cols", "rank"), "mat -> int"),
    "dim": "vec -> int",
    **dict.fromkeys(("beside", "above", "kron"), "mat mat -> mat"),
    **dict.fromkeys(("frob2", "norm"), _EITHER),
    **dict.fromkeys(("trace", "det", "pdet2", "nuclear"), "mat -> num"),
    "diagonal": "mat -> vec",
    "diag": "vec -> mat",
    "eye": "int -> mat",
    "zeros": "int int -> mat",
    "definite": "mat -> bool",
    **dict.fromkeys(("eigenvalues", "singular"), "mat -> seq[num]"),
    "schatten": "mat num -> num",
    "roots": "vec num num -> int",
    "rate": "num -> num | vec -> vec | mat -> mat",
    **NETWORK,
    **BINDERS,
}

SIGNATURES = {
    operator: [
        (tuple(map(sort_named, left.split())), sort_named(right))
        for left, right in (case.split("->") for case in cases.replace("-> ", "->").split(" | "))
    ]
    for operator, cases in _TABLE.items()
}
"""By operator the sorts of its arguments with that of its value, in the order they are tried."""
