"""Random well-sorted terms, from the table of operators: small, and often without a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from inspect import Parameter, Signature
from random import Random
from typing import Any

from verify.language.domains import OF_NETWORKS
from verify.language.operators import OPERATORS
from verify.language.sorts import (
    BOOL,
    EDGE,
    INT,
    MAT,
    NUM,
    PATH,
    VEC,
    VERTEX,
    Sort,
    seq,
    tuple_of,
)
from verify.language.terms import Term, TermError, item, make, substituted, variable

LITERALS = tuple(map(Fraction, ("0", "1", "-1", "2", "1/2", "-2/3", "3", "4/9", "-5/2")))
PLAIN = (INT, INT, NUM, NUM, BOOL, VEC, MAT, seq(INT), seq(NUM), tuple_of((INT, NUM)))
GRAPH = (INT, NUM, BOOL, VERTEX, VERTEX, EDGE, EDGE, PATH, seq(EDGE), tuple_of((VERTEX, INT)))
FUNCTIONS = ("exp", "erfc", "tanh", "sigmoid", "softplus")
GROWING = frozenset([*FUNCTIONS, "pow", "kron", "subsets", "orders", "fold", "along"])
"""What makes large things; never within one another."""
MOST_BINDERS = 3
_AT_PLACE = {"at": 1, "coord": 1, "row": 1, "column": 1, "entry": 1}
_SIZED = {"eye": 1, "zeros": 2, "vector": 1, "matrix": 2}

LISTED = {
    INT: "examples",
    VERTEX: "vertices inputs hidden outputs",
    EDGE: "edges into out_of users",
}
"""The lists of a network."""

Place = tuple[str, tuple[Sort, ...]]  # an operator, and the sorts of its arguments


class Growth:
    """One random term. fields: by sort the arrays of a case; without any, and where network says
    so, the case holds a network."""

    def __init__(
        self,
        random: Random,
        fields: Mapping[Sort, Sequence[Term]],
        *,
        moves: bool,
        network: bool = False,
    ) -> None:
        self.random, self.fields, self.moves = random, fields, moves
        self.network = network or not fields
        self.sorts = GRAPH if self.network else PLAIN
        self.scope: list[Term] = []
        self.barred: frozenset[str] = frozenset()

    def term(self, sort: Sort, depth: int) -> Term:
        """A term of that sort (a number may be a whole one) of at most about that depth."""
        if sort == NUM and self.random.random() < 0.15:
            sort = INT
        for _ in range(4):
            if depth <= 0 or self.random.random() < 0.12:
                break
            if (found := self._applied(sort, depth)) is not None:
                return found
        return self.leaf(sort)

    # operators -----------------------------------------------------------------------------------
    def _applied(self, sort: Sort, depth: int) -> Term | None:
        forms = [form for form in self._forms(sort) if self._allowed(form[0])]
        if sort.name != "tuple" and self.random.random() < 0.06:
            return self._item(sort, depth)
        if not forms:
            return None
        name, sorts = self.random.choice(forms)
        before = self.barred
        if name in GROWING:
            self.barred |= GROWING
        try:
            return self._with(name, sorts, depth - 1)
        except TermError:  # a fold the value of which has another sort
            return None
        finally:
            self.barred = before

    def _allowed(self, name: str) -> bool:
        if name in self.barred or (name == "rate" and not self.moves):
            return False
        if name in OF_NETWORKS and not self.network:
            return False
        return not OPERATORS[name].binds or len(self.scope) < MOST_BINDERS

    def _forms(self, sort: Sort) -> list[Place]:
        """The operators that make a value of a sort, letters filled in at random."""
        found: list[Place] = []
        for name, operator in OPERATORS.items():
            for form in operator.signatures:
                bound: dict[str, Sort] = {}
                if _matches(form.value, sort, bound):
                    found.append(
                        (name, tuple(self._filled(part, bound) for part in form.arguments))
                    )
        if sort.name == "seq":
            found += [("list", sort.inner * self.random.randint(1, 3))] * 3
        if sort.name == "tuple":
            found += [("tuple", sort.inner)] * 3
        return found

    def _filled(self, sort: Sort, bound: dict[str, Sort]) -> Sort:
        if len(sort.name) == 1:
            if sort.name not in bound:
                bound[sort.name] = self.random.choice(self.sorts)
            return bound[sort.name]
        return Sort(sort.name, tuple(self._filled(part, bound) for part in sort.inner))

    def _with(self, name: str, sorts: tuple[Sort, ...], depth: int) -> Term:
        binds = OPERATORS[name].binds
        given = [
            self._argument(name, place, sort, depth)
            for place, sort in enumerate(sorts[: len(sorts) - bool(binds)])
        ]
        if binds:
            given.append(self.body(binds, lambda: self.term(sorts[-1], depth)))
        made = make(name, *given)
        if name == "fold" and (made.sort, given[1].sort) == (NUM, INT):
            body = made.args[-1]  # grown twice, for a whole number and for a number
            if substituted(body.term, body.variables[0], variable(INT)).sort == INT:
                raise TermError("fold: what was grown for a number is whole")
        return made

    def _argument(self, name: str, place: int, sort: Sort, depth: int) -> Term:
        if place >= _AT_PLACE.get(name, 9) and self.random.random() < 0.8:
            return self.small(0, 3)
        if place < _SIZED.get(name, 0):
            return self.small(0, 3)
        if name in ("after", "step_size") and place == 0 and self.random.random() < 0.8:
            return self.small(0, 2)
        if name == "range":
            return self.small(-1, 2) if place == 0 else self.small(-1, 4)
        if name in ("subsets", "orders"):
            return self.leaf(sort)
        if name == "pow" and place == 1 and self.random.random() < 0.8:
            return make("add", self.random.choice((0, 1, 2, 3, -1, -2, Fraction(1, 2))), 0).args[0]
        if name in ("pow", *FUNCTIONS):
            return self.term(sort, min(depth, 1))
        return self.term(sort, depth)

    def body(self, binds: int, grown: Callable[[], Term]) -> Callable[..., Term]:
        """The body of a binder, grown where its variables are in scope; the same each time."""
        seed = self.random.getrandbits(32)

        def body(*variables: Term) -> Term:
            self.random.seed(seed)
            before, self.scope = self.scope, [*self.scope, *variables]
            try:
                return grown()
            finally:
                self.scope = before

        names = [f"i{len(self.scope) + k}" for k in range(binds)]
        parameters = [Parameter(name, Parameter.POSITIONAL_ONLY) for name in names]
        body.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # of its names
        return body

    def _item(self, sort: Sort, depth: int) -> Term:
        sorts = [self._filled(Sort("S"), {}), sort][:: self.random.choice((1, -1))]
        whole = self.term(tuple_of(sorts), depth - 1)
        return item(whole, sorts.index(sort) + 1)

    # leaves --------------------------------------------------------------------------------------
    def small(self, least: int, largest: int) -> Term:
        """A small whole number: a literal, one of the case, or a variable."""
        variables = [part for part in self.scope if part.sort == INT]
        if self.random.random() < 0.6 or not (self.fields or variables):
            return make("list", self.random.randint(least, largest)).args[0]
        return self.random.choice([*self.fields.get(INT, ()), *variables])

    def leaf(self, sort: Sort) -> Term:
        """A variable, a literal, or a part of the case."""
        variables = [part for part in self.scope if part.sort == sort]
        if variables and self.random.random() < 0.7:
            return self.random.choice(variables)
        if sort in self.fields and self.random.random() < 0.7:
            return self.random.choice(list(self.fields[sort]))
        if sort.name == "seq":
            return self._few(sort.inner[0])
        if sort.name == "tuple":
            return make("tuple", *map(self.leaf, sort.inner))
        if sort.name in LEAVES:
            return LEAVES[sort.name](self)
        listed = {"vertex": "vertices", "edge": "edges", "path": "paths"}[sort.name]
        return make("at", make(listed), self.random.randint(1, 4))

    def _few(self, element: Sort) -> Term:
        if self.network and element in LISTED and self.random.random() < 0.3:
            name = self.random.choice(LISTED[element].split())
            arguments = OPERATORS[name].signatures[0].arguments
            return make(name, *map(self.leaf, arguments))
        if element == INT and self.random.random() < 0.5:
            return make("range", self.small(0, 2), self.small(0, 3))
        listed = make("list", *(self.leaf(element) for _ in range(self.random.randint(1, 3))))
        if self.random.random() < 0.15:
            return make("filter", listed, lambda none: False)
        return listed


LEAVES: dict[str, Callable[[Growth], Term]] = {
    "num": lambda by: make("list", by.random.choice(LITERALS)).args[0],
    "int": lambda by: by.small(-1, 3),
    "bool": lambda by: make("le", by.leaf(NUM), by.leaf(NUM)),
    "vec": lambda by: make("vector", by.random.randint(1, 3), lambda i: by.leaf(NUM)),
    "mat": lambda by: make(
        "matrix", by.random.randint(1, 2), by.random.randint(1, 3), lambda i, j: by.leaf(NUM)
    ),
}


def _matches(pattern: Sort, sort: Sort, bound: dict[str, Sort]) -> bool:
    """Whether a sort is of a pattern, the letters of which are bound on the way."""
    if len(pattern.name) == 1:
        return bound.setdefault(pattern.name, sort) == sort
    return (
        pattern.name == sort.name
        and len(pattern.inner) == len(sort.inner)
        and all(_matches(p, s, bound) for p, s in zip(pattern.inner, sort.inner, strict=True))
    )


def term_of(
    random: Random,
    sort: Any,
    fields: Mapping[Sort, Sequence[Term]],
    *,
    moves: bool = False,
    network: bool = False,
) -> Term:
    """A random closed term."""
    growth = Growth(random, fields, moves=moves, network=network)
    return growth.term(sort, random.randint(1, 4))
