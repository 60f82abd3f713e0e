"""Statements: a domain, hypotheses, and what is said; as records, and as what methods measure.

What a statement says is taken apart from the outside in: over the elements of every `each`, under
the condition of every `implies`, into both parts of every `and`, down to the leaves. A leaf in a
row is an entry: of an equation the left side less the right one, of `a <= b` the slack b - a, of
anything else 0 where it is true and 1 where it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Any

import numpy as np

from graphs import reals
from graphs.activations import SMOOTH
from graphs.algebraic import Enclosure, exact_value, value_to_json
from graphs.arithmetic import Array
from graphs.rationals import RATIONALS
from verify.cases.sliding import with_slopes
from verify.core.entries import Entries
from verify.language.columns import Column, Lists, plain
from verify.language.domains import Domain, domain_of
from verify.language.evaluation import Evaluation
from verify.language.frames import Frame
from verify.language.lowering import LARGEST as LARGEST_EIGENVALUE
from verify.language.lowering import SQUARED, lowered
from verify.language.operations import LARGEST_LITERAL
from verify.language.rates import Flow
from verify.language.records import digest
from verify.language.sizes import of_graph, of_sizes
from verify.language.sorts import BOOL, INT, MAT, NUM, VEC, Sort
from verify.language.terms import Term, TermError, make, to_json

CHOSEN = ("slopes_at_0", "eta", "slopes")  # by a case, beside the lists of its domain
FORMAT, VERSION = "lemmata-statement", 1
SCALE = 10**18  # of the decimal ends of an enclosure about a rational
TINY = Fraction(1, 10**1000)  # enclosures within it are written by it
ORDERS = {"le": (1, 0), "lt": (1, 0), "ge": (0, 1), "gt": (0, 1)}  # which side is to be the larger
STRICT = ("lt", "gt")
DESCENDING = frozenset(["steps", "step_size", "after"])


@dataclass(frozen=True, eq=False)
class Statement:
    """A statement. given: hypotheses by name. flow: velocities, by the name of an array.
    activations: see Domain."""

    id: str
    says: Term
    given: Mapping[str, Term] = field(default_factory=dict)
    flow: Flow = field(default_factory=dict)
    activations: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, term in {"what it says": self.says, **self.given}.items():
            if term.sort != BOOL:
                article = "an" if term.sort == INT else "a"
                raise TermError(
                    f"{self.id}, {name}: {article} {term.sort}, not a relation like a <= b"
                )
            if term.free:
                raise TermError(f"{self.id}, {name}: it has a variable that nothing binds")
        self.domain.to_json()  # raises where there is none
        if "rate" in self.says.operators:
            self.worked_out  # noqa: B018 - raises where it has no rate
        for term in self.given.values():
            if "rate" in term.operators:
                lowered(term, self.flow)  # likewise

    @cached_property
    def domain(self) -> Domain:
        """What a case holds."""
        terms = [self.says, *self.given.values(), *self.flow.values()]
        return domain_of(terms, self.activations)

    @cached_property
    def worked_out(self) -> Term:
        """What it says, as it is evaluated."""
        return lowered(self.says, self.flow)

    @cached_property
    def ordered(self) -> bool:
        """Whether all it says are inequalities."""
        return all(leaf.op in ORDERS for leaf in leaves(self.says))

    @cached_property
    def compares(self) -> bool:
        """Whether all it says are inequalities, or equations between numbers: with two sides."""
        equations = (
            leaf.op == "eq" and leaf.args[0].sort in (NUM, INT) for leaf in leaves(self.says)
        )
        return self.ordered or all(equations)

    @cached_property
    def makes_steps(self) -> bool:
        """Whether it speaks of gradient descent."""
        return any(t.operators & DESCENDING for t in (self.says, *self.given.values()))

    @property
    def in_floats(self) -> bool:
        """Whether it can be evaluated where nothing is decided: in floats and polynomials."""
        plain = all(leaf.op in ("eq", "le", "ge") for leaf in leaves(self.worked_out))
        sides = all(leaf.args[0].sort in (NUM, VEC, MAT) for leaf in leaves(self.worked_out))
        return plain and sides and _in_floats(self.worked_out)

    def to_json(self) -> dict[str, Any]:
        """As in a certificate."""
        return {
            "id": self.id,
            "domain": self.domain.to_json(),
            "flow": {name: to_json(term) for name, term in self.flow.items()},
            "hypotheses": [
                {"name": name, "holds": to_json(term)} for name, term in self.given.items()
            ],
            "says": to_json(self.says),
        }

    @cached_property
    def digest(self) -> str:
        """The same for two statements that differ in names alone."""
        data = self.to_json()
        holds = [row["holds"] for row in data["hypotheses"]]
        parts = {name: data[name] for name in ("domain", "flow", "says")}
        return digest({**parts, "hypotheses": holds})

    # what methods measure ------------------------------------------------------------------------
    def measure(self, scene: Any) -> Entries:
        """One entry for each leaf and each element on the way to it."""
        return self._entries(scene, self.places(Evaluation.of(scene)), compared=self.compares)

    def truths(self, scene: Any) -> Entries:
        """The same, 0 where it is true and anything else where it is not, of an inequality too."""
        by = Evaluation.of(scene)
        found: list[Place] = []
        _take_apart(by, self.worked_out, by.root, lambda row: [], found, ordered=False)
        return self._entries(scene, found, compared=False)

    def _entries(self, scene: Any, places: Sequence[Place], *, compared: bool) -> Entries:
        arithmetic = scene.arithmetic
        values = arithmetic.join([place.values for place in places], 0)
        left = arithmetic.join([place.left for place in places], 0) if compared else None
        owner = np.concatenate([place.owner for place in places])
        starts = np.cumsum([0, *(len(place.owner) for place in places)])

        def label(k: int) -> dict[str, Any]:
            place = int(np.searchsorted(starts, k, side="right")) - 1
            return {"at": places[place].way(k - int(starts[place]))}

        nothing = np.zeros(len(owner), dtype=np.int64)
        return Entries(values, left, owner, "case", nothing, nothing - 1, label)

    def witnesses(self, scene: Any) -> Entries:
        """Of a statement of existence: an entry for each case in which it has a value, 1 where it
        is true and 0 where it is not."""
        truth = Evaluation.of(scene).column(self.worked_out)
        owner = np.flatnonzero(truth.defined)
        values = scene.arithmetic.array([int(truth.values[row]) for row in owner])
        nothing = np.zeros(len(owner), dtype=np.int64)
        return Entries(values, None, owner, "case", nothing, nothing - 1, lambda k: {"at": []})

    def places(self, by: Evaluation) -> Sequence[Place]:
        """The leaves, each with the rows in which it is asked."""
        found: list[Place] = []
        _take_apart(by, self.worked_out, by.root, lambda row: [], found, ordered=self.ordered)
        return found

    def hypothesis(self, name: str) -> Callable[[Any], np.ndarray]:
        """(C,): the cases of a scene in which a hypothesis is met."""
        holds = self.given[name]

        def met(scene: Any) -> np.ndarray:
            column = Evaluation.of(scene).column(lowered(holds, self.flow))
            return np.asarray(column.defined & column.values)

        return met

    # certificates --------------------------------------------------------------------------------
    def certificate(
        self, kind: str, case: Any, at: Sequence[Any], without: str = ""
    ) -> dict[str, Any]:
        """The record of a case at which it fails (or of a witness)."""
        case = self.named_in(case)
        by = Evaluation.of(type(case).scene([case], RATIONALS))
        places = self.places(by)
        if kind == "witness":
            places = [_place(by, self.worked_out, by.root, lambda row: [], ordered=False)]
        sides = next(
            place.sides(k)
            for place in places
            for k in range(len(place.owner))
            if place.way(k) == list(at)
        )
        told: dict[str, Any] = {"format": FORMAT, "version": VERSION, "kind": kind}
        told["statement"] = self.to_json()
        if without:
            told["without"] = without
        return told | {"case": case.to_json(), "at": list(at), "value": sides}

    def named_in(self, case: Any) -> Any:
        """The case of a network with what the statement names in it, the slopes at kinks and the
        steps, and nothing else to choose."""
        if not self.domain.network:
            return case
        lists = {name: case.list_of(name) for name in self.domain.lists}
        arrays = {name: case.arrays[name] for name in self.domain.measured}
        case = with_slopes(case)
        others = {name: case.choice[name] for name in CHOSEN if name in case.choice}
        return replace(case, choice=lists | others, arrays=arrays)


@dataclass(frozen=True, eq=False)
class Place:
    """A leaf, and the rows in which it is asked. values: (K,) its entries; left: the side that is
    to be the larger, or the first; owner: the cases. way: by row the elements on the way. sides:
    by row both sides as in a certificate."""

    leaf: Term
    values: Array
    left: Array
    owner: np.ndarray
    way: Callable[[int], list[Any]]
    sides: Callable[[int], Any]


Way = Callable[[int], list[Any]]


def leaves(term: Term) -> list[Term]:
    """The leaves of what a statement says."""
    if term.op == "each":
        return leaves(term.args[1].term)
    if term.op == "implies":
        return leaves(term.args[1])
    if term.op == "and":
        return [*leaves(term.args[0]), *leaves(term.args[1])]
    return [term]


def _take_apart(
    by: Evaluation, term: Term, frame: Frame, way: Way, found: list[Place], *, ordered: bool
) -> None:
    """Walk down to the leaves, in the rows in which they are asked."""
    if term.op == "each":
        lists = by.column(term.args[0], frame)
        inner, values = by.elements(frame, lists, term)
        element = term.args[0].sort.inner[0]
        up = values.owner

        def longer(row: int) -> list[Any]:
            case = by.scene.cases[inner.owner[row]]
            return [*way(int(up[row])), _told(by, case, values, element, row)]

        _take_apart(by, term.args[1].term, inner, longer, found, ordered=ordered)
    elif term.op == "implies":
        rows, inner = by.where(frame, term.args[0], answer=True)
        _take_apart(
            by, term.args[1], inner, lambda row: way(int(rows[row])), found, ordered=ordered
        )
    elif term.op == "and":
        for number, part in enumerate(term.args):

            def numbered(row: int, number: int = number) -> list[Any]:
                return [*way(row), number]

            _take_apart(by, part, frame, numbered, found, ordered=ordered)
    else:
        found.append(_place(by, term, frame, way, ordered=ordered))


def _told(by: Evaluation, case: Any, lists: Lists, sort: Sort, row: int) -> Any:
    """An element as in a certificate."""
    return _named(by, case, plain(lists.items, sort, row), sort)


def _named(by: Evaluation, case: Any, value: Any, sort: Sort) -> Any:
    """A Python value as in a certificate: vertices by name, edges by their number."""
    if sort.name == "tuple":
        return [_named(by, case, part, s) for part, s in zip(value, sort.inner, strict=True)]
    if sort.name == "seq":
        return [_named(by, case, part, sort.inner[0]) for part in value]
    if sort == NUM:
        return str(value)
    if sort in (VEC, MAT):
        shape, *entries = value
        return np.array([str(entry) for entry in entries], dtype=object).reshape(shape).tolist()
    if sort.name in ("vertex", "edge", "path"):
        return _in_network(by, case, int(value), sort.name)
    return value


def _in_network(by: Evaluation, case: Any, number: int, sort: str) -> Any:
    union = by.scene.union
    if sort == "vertex":
        owner = int(union.vertex_owner[number])
        return case.network.names[number - int(union.vertex_offset[owner])]
    if sort == "edge":
        return number - int(union.edge_offset[int(union.edge_owner[number])])
    edges = by.scene.paths.edges[number]
    return [_in_network(by, case, int(edge), "edge") for edge in edges if edge >= 0]


def _place(by: Evaluation, leaf: Term, frame: Frame, way: Way, *, ordered: bool) -> Place:
    """The entries of a leaf, in the rows in which it has a value."""
    sort = leaf.args[0].sort if leaf.op in (*ORDERS, "eq", "ne") else BOOL
    numbers = sort in (NUM, INT)
    sides = [by.column(part, frame) for part in leaf.args] if numbers else []
    if numbers and (leaf.op == "eq" or (leaf.op in ORDERS and ordered)):
        rows, left, values = _difference(by, leaf, sides)
    elif leaf.op == "eq" and sort in (VEC, MAT):
        rows, values = _distance(by, leaf, frame)
        left = values
    else:
        truth = by.column(leaf, frame)
        rows = np.flatnonzero(truth.defined)
        left = values = by.arithmetic.array([int(not truth.values[row]) for row in rows])

    def shown(k: int) -> Any:
        if not numbers:
            return None
        pair = [
            _shown(part, exact_value(side.values[rows[k]]))
            for part, side in zip(leaf.args, sides, strict=True)
        ]
        return dict(zip(("left", "right"), map(value_to_json, pair), strict=True))

    return Place(leaf, values, left, frame.owner[rows], lambda k: way(int(rows[k])), shown)


def _shown(side: Term, value: Fraction | Enclosure) -> Fraction | Enclosure:
    """The value of a side as in a certificate: an enclosure wherever it is made of numbers that
    are enclosed, by whoever evaluates the statement as it is written."""
    if isinstance(value, Enclosure):
        return _written(value)
    if not side.operators & {LARGEST_EIGENVALUE, SQUARED}:
        return value
    return Enclosure(*(Fraction(floor(value * SCALE) + end, SCALE) for end in (-1, 2)))


def _written(value: Enclosure) -> Enclosure:
    """Of what is next to 0 one with ends of few digits."""
    if max(map(abs, value)) > TINY:
        return value
    return Enclosure(-TINY if value.low < 0 else Fraction(0), TINY)


def _difference(
    by: Evaluation, leaf: Term, sides: Sequence[Column]
) -> tuple[np.ndarray, Array, Array]:
    """The rows in which two numbers are compared; the side that is to be the larger (of an
    equation the left one), and what it is more than the other."""
    rows = np.flatnonzero(sides[0].defined & sides[1].defined)
    first, second = ORDERS.get(leaf.op, (0, 1))
    whole = leaf.args[0].sort == INT
    both = [
        by.arithmetic.array(list(side.values[rows])) if whole else side.values[rows]
        for side in sides
    ]
    values = both[first] - both[second]
    if leaf.op not in STRICT:
        return rows, both[first], values
    kept = np.array([reals.told(value) for value in values], dtype=bool)
    values = values[kept]
    values[[bool(value == 0) for value in values]] = by.arithmetic.array([-1])[0]
    return rows[kept], both[first][kept], values  # equality fails as well, where that is known


def _distance(by: Evaluation, leaf: Term, frame: Frame) -> tuple[np.ndarray, Array]:
    """The rows in which two vectors or matrices of one shape are compared, and the sum of the
    squares of what they differ by: 0 exactly where they are equal."""
    apart = by.column(make("frob2", make("sub", *leaf.args)), frame)
    rows = np.flatnonzero(apart.defined)
    return rows, apart.values[rows]


def _in_floats(term: Term) -> bool:
    """Whether a term, with the literals it has, decides nothing about numbers but sizes."""
    if of_sizes(term) or of_graph(term):
        return True
    if term.op == "div":
        whole = of_sizes(term.args[1]) or of_graph(term.args[1])
        return whole and _in_floats(term.args[0])
    if term.op == "pow":
        return _is_product(term) and _in_floats(term.args[0])
    if term.op == "at":
        return of_graph(term.args[1]) and _in_floats(term.args[0])
    if term.op in ("implies", "if", "filter"):  # the condition is decided by the graph alone
        condition, others = term.children[0], term.children[1:]
        if term.op == "filter":
            condition, others = term.children[1], term.children[:1]
        return of_graph(condition) and all(map(_in_floats, others))
    return term.op in IN_FLOATS and all(map(_in_floats, term.children))


def _is_product(power: Term) -> bool:
    """Whether a power is a product in every arithmetic."""
    literal = power.args[1].args[0] if power.args[1].op == "real" else power.args[1]
    return literal.op == "number" and literal.args[0] in range(1, LARGEST_LITERAL + 1)


def decided(term: Term) -> bool:
    """Whether every arithmetic in which numbers are exact decides a term."""
    if term.op == "pow":
        return _is_product(term) and decided(term.args[0])
    return term.op in DECIDED and all(map(decided, term.children))


_IN_FLOATS = """
    above abs add after and beside card cols column coord diag diagonal dim dot each edge edges
    edges_on entry eq examples eye field frob2 ge gradient head hidden input inputs into kron label
    larger le let loss_slope matmul matrix mul neg number out_of outer output outputs paths post pre
    prod range real row rows sensitivity slope slope_left slope_right smaller start step_size steps
    sub sum tail trace transpose unfold users var vector vertices weight zeros activation along
    paths_to tanh sigmoid softplus
"""
IN_FLOATS = frozenset(
    [
        *_IN_FLOATS.split(),
        "output rate",
        "post rate",
        "pre rate",
        "weight rate",
        LARGEST_EIGENVALUE,
        SQUARED,
    ]
)
"""The operators that decide nothing about numbers."""

DECIDED = (IN_FLOATS - frozenset(SMOOTH)) | {
    *("ne", "lt", "gt", "or", "not", "implies", "if", "some", "filter", "count"),
    *("learnable", "held", "truth", "in"),
}
"""The operators that every arithmetic has in which numbers are exact."""
