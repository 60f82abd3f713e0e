"""The engine and the checker, which was written from docs/language.md alone, read and evaluate the
same terms alike; and the checker accepts the engine's certificates, and not what is made of them.

A failure names the smallest closed part of the term on which they differ.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from graphs.errors import NotRationalError
from graphs.rationals import RATIONALS
from tests.verify.language.both import OPEN, agree, of_checker, of_engine, sort_of_checker
from tests.verify.language.random_terms import LITERALS, Growth, term_of
from verify.cases.pool import Pool
from verify.cases.step_choices import choose_steps
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors, tensor
from verify.checker import ACCEPTED, DECLINED, REJECTED, check_content, statement_hash
from verify.language.building import (
    Matrix,
    Number,
    Tensor,
    Vector,
    Whole,
    eigenvalues,
    norm,
    unfold,
)
from verify.language.edits import edits
from verify.language.frames import TooManyRowsError
from verify.language.latex import formula
from verify.language.operators import OPERATORS
from verify.language.records import from_json, key
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
from verify.language.statements import Statement
from verify.language.terms import Term, TermError, make, to_json

SEEDS = range(28)  # of values, where most has gone wrong
FEW = range(12)
TERMS, STATEMENTS = 60, 8  # of each seed
SMALL = 20  # the size of terms the edits of which are looked at

A, B, S = Matrix("A", "m", "n"), Matrix("B", "n", "m"), Matrix("S", "s", "s")
x, c, k, l = Vector("x", "n"), Number("c"), Whole("k", -1, 3), Whole("l", 0, 2)  # noqa: E741 - l as in print
T = Tensor("T", "m", "n", "s")
SIZES = (eigenvalues(S)[1], eigenvalues(A @ A.T)[1], norm(A) ** 2, norm(S @ S.T - A @ A.T))
FIELDS: Mapping[Sort, Sequence[Term]] = {
    MAT: (A, B, S, *(unfold(T, mode) for mode in (1, 2, 3))),
    VEC: (x,),
    NUM: (c,) * 9 + SIZES,
    INT: (k, l),
}
BESIDE: Mapping[Sort, Sequence[Term]] = {
    MAT: (Matrix("R", "vertices", "d"), Matrix("Q", "examples", "inputs")),
    VEC: (Vector("p", "examples"), Vector("q", "edges")),
    NUM: (c,),
    INT: (k,),
}
"""The arrays of a case beside its network."""
FLOW = {"A": S @ A, "S": S @ S, "T": T, "c": c * k}
ON_ARRAYS = (NUM, NUM, INT, BOOL, VEC, MAT, seq(INT), seq(NUM), seq(MAT), tuple_of((INT, NUM)))
ON_NETWORKS = (NUM, NUM, INT, BOOL, VERTEX, EDGE, PATH, seq(EDGE), seq(VERTEX), seq(INT), VEC, MAT)
POOL = Pool(losses=("prescribed",))
SMOOTH_POOL = replace(POOL, activations=("tanh", "softplus", "sigmoid", "relu"))

Drawn = tuple[Term, list[Any], Mapping[str, Term]]  # a term, cases, what moves


# drawing -----------------------------------------------------------------------------------------
def _arrays(random: Random) -> Tensors:
    """A case: A (2, 3), B (3, 2), S (2, 2) symmetric, T (2, 3, 2), x (3,), c, k and l."""

    def draw(*shape: int) -> Any:
        return [draw(*shape[1:]) for _ in range(shape[0])] if shape else random.choice(LITERALS)

    corner = draw()
    return Tensors(
        {
            "A": tensor(("m", "n"), draw(2, 3)),
            "B": tensor(("n", "m"), draw(3, 2)),
            "S": tensor(("s", "s"), [[draw(), corner], [corner, draw()]]),
            "T": tensor(("m", "n", "s"), draw(2, 3, 2)),
            "x": tensor(("n",), draw(3)),
            "c": tensor((), draw()),
            "k": tensor((), random.randint(-1, 3), integer=True),
            "l": tensor((), random.randint(0, 2), integer=True),
        }
    )


def _networks(random: Random, count: int) -> list[Any]:
    n = random.randint(1, 2)
    pool = random.choice((POOL, POOL, SMOOTH_POOL))
    drawn = [pool.draw(random, n=n, loss="prescribed", large=False) for _ in range(count)]
    if random.random() < 0.5:
        drawn = [choose_steps(case, random) for case in drawn]
    drawn = [replace(case, arrays=_beside(case, random)) for case in drawn]
    return [case.exactly() for case in drawn]  # with the slopes of one loss


def _beside(case: Any, random: Random) -> dict[str, Any]:
    """R, Q, p, q, c and k."""
    pool = TensorPool(
        (
            *(
                (f.args[0].name, f.args[0].axes)
                for fs in BESIDE.values()
                for f in fs
                if f.sort != INT
            ),
        ),
        (("k", -1, 3),),
    )
    return dict(pool.draw_with(case.lengths, random, large=False).arrays)


def _fields(random: Random, *, network: bool) -> Mapping[Sort, Sequence[Term]]:
    """The arrays of a case; of one with a network in half of the draws none."""
    return random.choice(({}, BESIDE)) if network else FIELDS


def _drawn(random: Random) -> Drawn:
    """A term of either domain, in a third of the cases one with rates."""
    term, network, flow = _term(random)
    return term, _networks(random, 2) if network else [_arrays(random) for _ in range(3)], flow


def _term(random: Random) -> tuple[Term, bool, Mapping[str, Term]]:
    """The term, whether it is of networks, and what moves."""
    network, moves = random.random() < 0.4, random.random() < 0.33
    sort = random.choice((NUM, VEC, MAT) if moves else ON_NETWORKS if network else ON_ARRAYS)
    fields = _fields(random, network=network)
    term = term_of(random, sort, fields, moves=moves, network=network)
    if moves and "rate" not in term.operators and term.sort in (NUM, VEC, MAT):
        term = make("rate", term)
    return term, network, FLOW if moves and not network else {}


def _has_arrays(sort: Sort) -> bool:
    return sort in (VEC, MAT) or any(map(_has_arrays, sort.inner))


def _is_unclear(term: Term) -> bool:
    """Whether it asks if vectors or matrices within lists are equal, which may be of different
    shapes: docs/language.md does not say what that is."""
    alike = {"in", "union", "intersection", "minus", "distinct", "eq", "ne"}
    return any(
        part.op in alike
        and any(_has_arrays(s) and s not in (VEC, MAT) for s in (arg.sort for arg in part.args))
        for part in term.walk()
    )


def _terms(seed: int, count: int) -> Iterator[Drawn]:
    random = Random(seed)
    for _ in range(count):
        drawn = _drawn(random)
        if not _is_unclear(drawn[0]):
            yield drawn


def _smallest(drawn: Drawn, differs: Callable[[Drawn], str]) -> str:
    """What differs, of the smallest closed part in which something does; "" where nothing does."""
    if not differs(drawn):
        return ""
    term, *rest = drawn
    closed = (part for part in term.walk() if not part.free and part.op != "real")
    parts = sorted(closed, key=lambda part: part.size)
    return next(told for part in parts if (told := differs((part, *rest))))


# values ------------------------------------------------------------------------------------------
def _values_differ(drawn: Drawn) -> str:
    engine, checker = of_engine(*drawn), of_checker(*drawn)
    for place, (one, other) in enumerate(zip(engine, checker, strict=True)):
        if not agree(one, other):
            return f"{drawn[0]!r}: {one} and {other} in case {place}: {drawn[1][place].to_json()}"
    return ""


@pytest.mark.parametrize("seed", range(8))
def test_recursions_agree(seed: int) -> None:
    random, told = Random(seed), []
    for _ in range(TERMS):
        growth = Growth(random, {}, moves=False)
        vertex, body = growth.leaf(VERTEX), growth.body(3, lambda: growth.term(NUM, 3))  # noqa: B023 - called at once
        drawn: Drawn = make("along", vertex, body), _networks(random, 2), {}
        if not _is_unclear(drawn[0]) and (found := _smallest(drawn, _values_differ)):
            told.append(found)
    assert not told, min(told, key=len)


def test_values_are_seldom_left_open() -> None:
    drawn = [drawn for seed in range(2) for drawn in _terms(seed, TERMS)]
    found = [value for one in drawn for value in (*of_engine(*one), *of_checker(*one))]
    assert sum(value is OPEN for value in found) < len(found) / 50


def test_every_operator_is_drawn() -> None:
    missing = set(OPERATORS)
    for seed in SEEDS:
        random = Random(seed)
        for _ in range(4 * TERMS):
            missing -= _term(random)[0].operators
        if not missing:
            break
    assert not missing


# reading -----------------------------------------------------------------------------------------
def _sorts_differ(drawn: Drawn) -> str:
    """Of terms without rates, which may be malformed: their values are compared."""
    term, cases, flow = drawn
    if "rate" in term.operators:
        return ""
    found = sort_of_checker(term, cases[0], flow)
    return "" if found == str(term.sort) else f"{term!r}: {term.sort} and {found}"


def _record_differs(drawn: Drawn) -> str:
    term = drawn[0]
    fields = {part.args[0].name: part.args[0] for part in term.walk() if part.op == "field"}
    record = json.loads(json.dumps(to_json(term)))
    back = from_json(record, fields)
    if key(back) != key(term) or back.sort != term.sort:
        return f"{term!r} reads back as {back!r}: {back.sort}, not {term.sort}"
    return f"{formula(term)!r} of {term!r}" if "?" in formula(term) else ""


def _edit_differs(drawn: Drawn) -> str:
    term, cases, _ = drawn
    if term.size > SMALL or "rate" in term.operators:
        return ""
    for edit in edits(make("eq", term, term)):
        said = sort_of_checker(edit.says, cases[0], {})
        told = _record_differs((edit.says, cases, {})) if said == "bool" else said
        if told:
            return f"{edit.rule}: {term!r} becomes {edit.says!r}: {told}"
    return ""


@pytest.mark.parametrize("seed", SEEDS)
def test_terms_are_one_to_both(seed: int) -> None:
    """Their values; of some also their sorts, that records read back and formulas have names, and
    that edits are well-formed."""
    more = (_sorts_differ, _record_differs, _edit_differs) if seed in FEW else ()
    told = [
        _smallest(drawn, differs)
        for drawn in _terms(seed, TERMS)
        for differs in (_values_differ, *more)
    ]
    assert not any(told), min(filter(None, told), key=len)


# certificates ------------------------------------------------------------------------------------
def _said(growth: Growth, depth: int) -> Term:
    """What a statement says: over lists, under conditions, down to leaves most of which compare."""
    kind = growth.random.choice(("each", "each", "and", "implies", "leaf")) if depth else "leaf"
    if kind == "each":
        elements = growth.term(seq(growth.random.choice(growth.sorts)), 1)
        return make("each", elements, growth.body(1, lambda: _said(growth, depth - 1)))
    if kind in ("and", "implies"):
        first = _said(growth, depth - 1) if kind == "and" else growth.term(BOOL, 1)
        return make(kind, first, _said(growth, depth - 1))
    if growth.random.random() < 0.2:
        return growth.term(BOOL, 2)
    sides = [growth.term(NUM, growth.random.randint(0, 2)) for _ in range(2)]
    return make(growth.random.choice(("eq", "ne", "le", "le", "lt", "ge", "gt")), *sides)


def _statement(random: Random) -> tuple[Statement, Any] | None:
    """A statement with one hypothesis, and a case of it; None of a domain of nothing."""
    network, moves = random.random() < 0.4, random.random() < 0.2
    fields = _fields(random, network=network)
    growth = Growth(random, fields, moves=moves, network=network)
    says, met = _said(growth, random.randint(1, 3)), growth.term(BOOL, 1)
    try:
        moving = FLOW if moves and not network and "rate" in says.operators else {}
        statement = Statement("a.b", says, {"h": met}, moving)
        statement.hypothesis("h")
    except TermError:
        return None
    over = [part.args[0].sort for part in says.walk() if part.op == "each"]
    if _is_unclear(says) or _is_unclear(met) or any(map(_has_arrays, over)):
        return None
    case = _networks(random, 1)[0] if network else _arrays(random)
    if network and not statement.domain.network:
        return None
    arrays = {name: array for name, array in case.arrays.items() if name in statement.domain.arrays}
    return statement, replace(case, arrays=arrays)


def _fails(statement: Statement, entry: Any) -> bool:
    return bool(entry < 0 if statement.ordered else entry != 0)


def _outcome(certificate: Any) -> int:
    return check_content(json.dumps(certificate).encode()).code


def _verdicts(statement: Statement, case: Any) -> Iterator[tuple[list[Any], bool]]:
    """By place whether the engine says that the statement fails there."""
    scene = type(case).scene([case], RATIONALS)
    try:
        entries = statement.measure(scene)
    except (TooManyRowsError, NotRationalError):
        return
    for number, entry in enumerate(entries.values):
        at = entries.label(number)["at"]
        if "Real" not in json.dumps(at):  # an element that no rational names
            yield at, _fails(statement, entry)


def _changed(value: Any) -> Any:
    """Other sides than those of a certificate."""
    if value is None:
        return {"left": "0", "right": "0"}
    left = value["left"]
    if isinstance(left, list):
        return value | {"left": [str(Fraction(end) + 1) for end in left]}
    return value | {"left": str(Fraction(left) + 1)}


def _moved(case: Any, random: Random) -> Any:
    """The case with one number changed."""
    numbers = list(case.numbers)
    if not numbers:
        return case
    numbers[random.randrange(len(numbers))] += random.choice((1, -1, Fraction(1, 3)))
    moved = case.with_numbers(numbers)
    return moved.exactly()  # of a network: with the slopes of one loss


@pytest.mark.parametrize("seed", FEW)
def test_certificates_are_accepted_where_the_statement_fails(seed: int) -> None:
    random = Random(seed)
    for _ in range(STATEMENTS):
        drawn = _statement(random)
        if drawn is None:
            continue
        statement, case = drawn
        for held in (case, _moved(case, random)):
            assert statement_hash(statement.to_json()) == statement.digest
            _check_places(statement, held, random)


def _check_places(statement: Statement, case: Any, random: Random) -> None:
    """At some places: accepted exactly where it fails, and not with another value or way."""
    scene = type(case).scene([case], RATIONALS)
    try:
        met = bool(statement.hypothesis("h")(scene)[0])
    except NotRationalError:  # of a matrix: the engine does not know
        return
    kind, without = ("counterexample", "") if met else ("necessity", "h")
    places = list(_verdicts(statement, case))
    for at, fails in random.sample(places, min(4, len(places))):
        certificate = statement.certificate(kind, case, at, without)
        code = _outcome(certificate)
        told = (code, check_content(json.dumps(certificate).encode()).message, certificate)
        assert code in (ACCEPTED if fails else REJECTED, DECLINED), told
        assert code != DECLINED or "not told apart" in told[1], told
        for change in (
            {"value": _changed(certificate["value"])},
            {"at": [*at, 0]},
            {"at": at[:-1]} if at else {"at": [1]},
            {"kind": "counterexample"} if not met else {"kind": "necessity", "without": "h"},
        ):
            other = {key: certificate[key] for key in certificate if key != "without"} | change
            if without and "kind" not in change:
                other["without"] = without
            assert _outcome(other) in (REJECTED, DECLINED), (change, other)


def test_an_irrational_side_is_an_enclosure() -> None:
    statement = Statement("a.b", make("le", make("sqrt", make("frob2", x)), make("norm", A)))
    case = _arrays(Random(0))
    kept = replace(case, arrays={name: case.arrays[name] for name in ("A", "x")})
    at, fails = next(_verdicts(statement, kept))
    certificate = statement.certificate("counterexample", kept, at)
    assert isinstance(certificate["value"]["right"], list)
    assert (_outcome(certificate) == ACCEPTED) is fails


def test_vectors_and_matrices_on_the_way_are_written_out() -> None:
    rows = make("map", make("range", 1, make("rows", A)), lambda i: make("row", A, i))
    says = make("each", rows, lambda r: make("each", make("list", S), lambda m: r[1] > r[1]))
    statement, case = Statement("a.b", says), _arrays(Random(0))
    kept = replace(case, arrays={name: case.arrays[name] for name in ("A", "S")})
    for at, fails in _verdicts(statement, kept):
        assert fails
        assert _outcome(statement.certificate("counterexample", kept, at)) == ACCEPTED
        assert at[1] == kept.arrays["S"].nested()
