"""Normal forms, derivatives and lemmas against the values that the rest of the checker computes."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from tests.verify.checker_proofs.records import domain, fails, field
from tests.verify.checker_statements.statements import UNDEFINED, array, value
from verify.checker.budget import Budget
from verify.checker.cases import read_domain
from verify.checker.derivatives import Derivatives
from verify.checker.lemmas import DEFINITIONS, LEMMAS
from verify.checker.nodes import placed, spelled
from verify.checker.normal import Normal
from verify.checker.outcomes import Rejected
from verify.checker.sorts import EDGE, INT, MAT, NUM, PATH, VEC, VERTEX, Sort, seq
from verify.checker.terms import Node, Reader
from verify.language.proof_facts import FACTS, MAKING

Json = Any
OVER = domain(x=[], y=[], S=["n", "n"], A=["m", "n"], B=["n", "m"], u=["n"], v=["n"], w=["m"])


# random terms -------------------------------------------------------------------------------------
def number(random: Random, depth: int, bound: int = 0) -> Json:
    leaves = [field("x"), field("y"), 1, 2, "1/2", *(["var", k] for k in range(bound))]
    if depth == 0:
        return random.choice(leaves)
    kind = random.randrange(9)
    if kind < 4:
        return [
            random.choice(("add", "sub", "mul", "mul", "div")),
            number(random, depth - 1, bound),
            number(random, depth - 1, bound),
        ]
    if kind == 4:
        many = random.choice(
            (
                ["range", 1, ["rows", field("S")]],
                ["list", 1, 3],
                ["range", 1, ["card", ["list", 2]]],
            )
            + ((["range", 1, ["var", bound - 1]],) if bound else ())
        )
        return ["sum", many, number(random, depth - 1, bound + 1)]
    if kind == 5:
        return ["pow", number(random, depth - 1, bound), random.choice((-1, 0, 2))]
    if kind == 6:
        return random.choice(
            (["trace", square(random, depth - 1)], ["frob2", wide(random, depth - 1)])
        )
    one, other = vector(random, depth - 1), vector(random, depth - 1)
    return ["dot", one, other]


def square(random: Random, depth: int) -> Json:
    if depth == 0:
        return random.choice((field("S"), ["eye", ["rows", field("S")]]))
    kind = random.randrange(6)
    if kind == 0:
        return ["transpose", square(random, depth - 1)]
    if kind == 1:
        return [random.choice(("add", "sub")), square(random, depth - 1), square(random, depth - 1)]
    if kind == 2:
        return ["matmul", square(random, depth - 1), square(random, depth - 1)]
    if kind == 3:
        return ["outer", vector(random, depth - 1), vector(random, depth - 1)]
    if kind == 4:
        return ["matmul", ["transpose", wide(random, depth - 1)], wide(random, depth - 1)]
    return ["mul", number(random, 0), square(random, depth - 1)]


def wide(random: Random, depth: int) -> Json:
    """A matrix of m + n rows and n columns, in blocks."""
    upper = random.choice((field("A"), ["transpose", field("B")]))
    if depth and random.random() < 0.4:
        upper = ["matmul", upper, square(random, depth - 1)]
    lower = square(random, depth - 1) if depth else field("S")
    if random.random() < 0.5:
        return ["above", upper, lower]
    return ["transpose", ["beside", ["transpose", upper], ["transpose", lower]]]


def vector(random: Random, depth: int) -> Json:
    if depth <= 0:
        return random.choice((field("u"), field("v")))
    return ["matmul", square(random, depth - 1), vector(random, depth - 1)]


def case(random: Random) -> dict[str, Any]:
    m, n = random.randint(1, 3), random.randint(1, 3)
    lengths = {"m": m, "n": n}

    def entries(axes: list[str]) -> Any:
        if not axes:
            return Fraction(random.randint(-3, 3), random.randint(1, 2))
        return [entries(axes[1:]) for _ in range(lengths[axes[0]])]

    return {
        name: array(record["sort"], entries(record["axes"]), *record["axes"])
        for name, record in OVER["arrays"].items()
    }


def normal() -> tuple[Normal, Reader]:
    declared = read_domain(OVER)
    return Normal(Budget(), declared.fields), Reader(Budget(), declared.sorts, False, {})


@pytest.mark.parametrize("seed", range(6))
def test_equal_normal_forms_have_equal_values(seed: int) -> None:
    random = Random(seed)
    groups = defaultdict[str, list[Json]](list)
    for _ in range(500):
        form, reader = normal()
        term = number(random, random.randint(1, 3))
        node = placed(reader.read(term, "a term"), ())
        groups[spelled(form.canonical(node))].append(term)
    compared = 0
    for terms in groups.values():
        for other in terms[1:4]:
            for _ in range(3):
                arrays = case(random)
                one, two = value(terms[0], **arrays), value(other, **arrays)
                if UNDEFINED not in (one, two):
                    assert one == two, (terms[0], other)
                    compared += terms[0] != other
    assert compared > 60


# derivatives --------------------------------------------------------------------------------------
def written(node: Node, depth: int = 0) -> Json:
    """A term as in a record."""
    if node.operator == "literal":
        return str(node.literal) if node.sort == NUM else node.literal
    if node.operator == "#bound":
        return ["var", depth - 1 - int(node.literal)]
    if node.operator == "field":
        return ["field", node.literal]
    last = len(node.arguments) - 1
    binds = node.operator == "sum"
    return [
        node.operator,
        *(written(part, depth + (binds and k == last)) for k, part in enumerate(node.arguments)),
    ]


FLOW = {"x": field("y"), "S": ["matmul", field("S"), field("S")], "u": field("v")}


@pytest.mark.parametrize("seed", range(4))
def test_the_derivative_is_the_rate(seed: int) -> None:
    random, compared = Random(seed), 0
    sorts = read_domain(OVER).sorts
    reader = Reader(Budget(), sorts, False, FLOW)
    still = Reader(Budget(), sorts, False, None)
    velocities = {name: placed(still.read(term, name), ()) for name, term in FLOW.items()}
    for _ in range(60):
        term = number(random, random.randint(1, 3))
        try:
            node = placed(reader.read(["rate", term], "a rate"), ())
            derivative = written(Derivatives(velocities).rate(node.arguments[0]))
        except Rejected:
            continue
        arrays = case(random)
        one = value(["rate", term], flow=FLOW, **arrays)
        two = value(derivative, flow=FLOW, **arrays)
        if one != UNDEFINED:
            assert two in (one, UNDEFINED), term  # of x^0 also x^-1 is asked
            compared += two == one
    assert compared > 30


# lemmas -------------------------------------------------------------------------------------------
ALL = {**LEMMAS, **DEFINITIONS}
THERE = {
    VERTEX: ["vertices"],
    EDGE: ["edges"],
    PATH: ["paths"],
    INT: ["range", 0, 3],  # also what is no example
    NUM: ["list", "-1", "1/2", "2"],
}
"""What a lemma about networks may be put to, by sort."""
ANY = Sort("S")
LISTS = ["list", ["list", 1, 2, 2], ["range", 1, 3], ["range", 1, 0], ["list", 2]]
THERE |= {ANY: ["range", 0, 3], seq(ANY): LISTS}
SORTS = {VERTEX, EDGE, PATH, seq(VERTEX), seq(ANY)}
OF_NETWORKS = {name for name, one in ALL.items() if SORTS & {*one.takes.values()}}
OF_NETWORKS |= {"output", "value"}


def _there(sort: Sort, depth: int) -> Json:
    """What a lemma about networks may be put to; depth: how many variables are bound around it."""
    if sort != seq(VERTEX):
        return THERE[sort]
    v, e = ["var", depth], ["var", depth + 1]
    tails = ["map", ["vertices"], ["map", ["into", v], ["tail", e]]]
    heads = ["map", ["vertices"], ["map", ["out_of", v], ["head", e]]]
    return ["concat", ["list", ["hidden"], ["outputs"]], ["concat", tails, heads]]


def _conditions(name: str, without: int | None = None) -> list[Json]:
    """What a lemma needs, and that there is a value where it asks for one."""
    needs = [*ALL[name].needs, *(["eq", term, term] for term in ALL[name].defined)]
    return [need for k, need in enumerate(needs) if k != without]


def _supposed(says: Json, conditions: list[Json]) -> Json:
    for condition in reversed(conditions):
        says = ["implies", condition, says]
    return says


def _of_networks(name: str, without: int | None = None) -> Json:
    """What a lemma says of all vertices, edges, paths and examples, as a statement."""
    gives = list(ALL[name].gives)
    says = gives.pop()
    while gives:
        says = ["and", gives.pop(), says]
    says = _supposed(says, _conditions(name, without))
    sorts = [*ALL[name].takes.values()]
    for depth in reversed(range(len(sorts))):
        says = ["each", _there(sorts[depth], depth), says]
    return {"id": name, "domain": {"network": True}, "hypotheses": [], "says": says}


def _statement(name: str) -> Json:
    """What a lemma says of fields, as a statement."""
    lemma = ALL[name]
    names = list(lemma.takes)

    def put(term: Json, depth: int = 0) -> Json:
        if not isinstance(term, list):
            return term
        if term[0] == "var":
            k = term[1]
            if k >= len(names):
                return ["var", k - len(names) + depth]
            return ["var", k] if depth else ["field", names[k]]
        return [term[0], *(put(part, depth) for part in term[1:])]

    parts = [put(term) for term in lemma.gives]
    says = parts[0]
    for part in parts[1:]:
        says = ["and", says, part]
    says = _supposed(says, [put(need) for need in _conditions(name)])
    arrays = {}
    sorts = {NUM: ("num", []), VEC: ("vec", ["n"]), INT: ("int", []), MAT: ("mat", ["m", "n"])}
    for key, wanted in lemma.takes.items():
        sort = sorts.get(wanted) if wanted in sorts else None
        if sort is None:
            sort = ("mat" if len(wanted) == 2 else "vec", list(wanted))
        arrays[key] = {"sort": sort[0], "axes": sort[1]}
    over = {"arrays": arrays}
    return {"id": name, "domain": over, "hypotheses": [], "says": says}


@pytest.mark.parametrize("name", sorted(ALL.keys() - {"eigenvector"} - OF_NETWORKS))
def test_a_lemma_never_fails(name: str) -> None:
    statement = _statement(name)
    if name == "symmetric":  # a square matrix: of others nothing is asked
        statement["domain"]["arrays"]["S"]["axes"] = ["n", "n"]
    assert fails(statement, seed=3, tries=60) is False


@pytest.mark.parametrize("name", sorted(OF_NETWORKS))
def test_a_lemma_about_networks_never_fails(name: str) -> None:
    """Several outputs, shared and fixed weights, slopes that are chosen at kinks, and smooth
    activations are among them."""
    assert fails(_of_networks(name), seed=3, tries=200, smooth=True) is False


NEEDED = {
    "paths": [],  # without any of these there is no value
    "end of a path": [0, 2],
    "into": [0],
    "out of": [0],
    "alone": [0],
    "activation": [1],
    "slope below": [1],
    "slope above": [1],
    "slope without kink": [1],
    "sensitivity": [0],
    "sensitivity of the output": [0],
    "included": [0, 1],
    "once": [0],
    "users": [0],
    "with slopes": [0],
    "tails": [3],
    "heads": [0, 4],
    "same in-neighbours": [3],
    "same out-neighbours": [0, 4],
    "with in-edges": [0],
    "homogeneous": [0, 1],
    "edge of a path": [0],
    "path through a vertex": [0],
    "only edge out": [0, 1],
}
"""Which of the conditions of a lemma, if it is dropped, leaves something that is false."""


@pytest.mark.parametrize(("name", "k"), [(name, k) for name, ks in NEEDED.items() for k in ks])
def test_without_what_it_needs_a_lemma_fails(name: str, k: int) -> None:
    assert fails(_of_networks(name, without=k), seed=3, tries=400, smooth=True) is True


def test_the_builder_has_the_same_lemmas() -> None:
    assert FACTS.keys() == LEMMAS.keys() | DEFINITIONS.keys()
    assert {name for name, lemma in LEMMAS.items() if lemma.makes} == MAKING
