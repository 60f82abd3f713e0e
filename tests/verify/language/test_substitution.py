"""What symbols say of a term is true in every case: with the numbers of a case in place of the
symbols, the checker's polynomials are the values that the checker finds in the case itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from tests.verify.language.random_terms import term_of
from verify.cases.case import Case
from verify.cases.pool import Pool
from verify.cases.sliding import with_slopes
from verify.cases.step_choices import choose_few_steps
from verify.checker import cases
from verify.checker.budget import Budget
from verify.checker.cases import Domain, read_case
from verify.checker.expansion import Polynomial, Ring
from verify.checker.identities import _Run, _with_symbols
from verify.checker.interpreter import Run
from verify.checker.networks import Network, read_graph
from verify.checker.outcomes import Declined, Rejected, Undefined
from verify.checker.terms import Node, Reader
from verify.language.sorts import BOOL, INT, MAT, NUM, VEC, seq
from verify.language.terms import TermError, make, to_json

POOL = Pool(losses=("prescribed",), kinks=True)
SORTS = (NUM, NUM, NUM, INT, BOOL, VEC, MAT, seq(NUM))
NOTHING = "no value"


def drawn_case(random: Random) -> Case:
    """With vertices at kinks, some of them dormant, and weights that are 0."""
    case = POOL.draw(random, n=random.randint(1, 2), loss="prescribed", large=False)
    weights = tuple(Fraction(0) if random.random() < 0.2 else w for w in case.weights)
    inputs = case.inputs
    if random.random() < 0.3:
        inputs = tuple((Fraction(0),) * len(row) for row in inputs)
    net = case.network
    relus = [v for v, a in zip(net.names, net.activations, strict=True) if a.kind == "relu"]
    asleep = [v for v in relus if random.random() < 0.5]
    case = replace(case, weights=weights, inputs=inputs, choice={"dormant": asleep})
    return choose_few_steps(case, random) if random.random() < 0.3 else case


def numbers_in(case: Network, run: Run) -> Any:
    """By symbol the number for which it stands in a case."""

    def number(symbol: tuple[Any, ...]) -> Any:
        kind, *of = symbol
        if kind in ("weight", "sign", "size"):
            w = case.weights[list(case.users)[of[0]]]
            return {"weight": w, "sign": (w > 0) - (w < 0), "size": abs(w)}[kind]
        if kind == "input":
            return case.xs[of[1] - 1][case.vertices[of[0]]]
        if kind == "slope":
            with run.after(of[2] if len(of) > 2 else 0):
                return run.network.slope(case.vertices[of[0]], of[1])
        if kind == "step_size":
            return case.sizes[of[0]]
        if kind == "loss_slope" and len(of) > 1:
            return case.later_slopes[of[1] - 1][of[0] - 1]
        return {"label": case.labels, "loss_slope": case.loss_slopes}[kind][of[0] - 1]

    return number


def substituted(value: Any, number: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(substituted(part, number) for part in value)
    if not isinstance(value, Polynomial):
        return value
    total = Fraction(0)
    for monomial, coefficient in value.terms.items():
        for symbol, exponent in monomial:
            coefficient *= Fraction(number(symbol)) ** exponent
        total += coefficient
    return total


def value_of(run: Run, node: Node) -> Any:
    try:
        return run.value(node, ())
    except Undefined:
        return NOTHING


def compared(term: Any, record: Mapping[str, Any], *, signed: bool, nonzero: bool) -> str:
    """Both values of one term: declined in symbols, a polynomial, or anything else, where they
    agree."""
    try:
        node = Reader(Budget(), {}, True, {}).read(to_json(term), "a term")
    except Rejected:
        return "malformed"
    held_case = read_case(record, Domain({}, network=True), {})
    run = Run(held_case, Budget(), 40)
    assert held_case.network is not None
    net = {key: value for key, value in record["network"].items() if key != "weights"}
    graph, held = read_graph(net)
    budget = Budget()
    try:
        symbols = _with_symbols(
            graph,
            held,
            len(record["examples"]),
            Ring(budget, nonzero),
            signed=signed,
            steps=len(held_case.network.sizes),
        )
        found = value_of(_Run(cases.Case(symbols), budget), node)
    except Declined:
        return "declined"
    expected = value_of(run, node)
    assert substituted(found, numbers_in(held_case.network, run)) == expected, to_json(term)
    if isinstance(found, str) and found == NOTHING:
        return "nothing"
    return "polynomial" if _any_polynomial(found) else "plain"


def _any_polynomial(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(map(_any_polynomial, value))
    return isinstance(value, Polynomial)


@pytest.mark.parametrize("seed", range(2))
def test_symbols_stand_for_the_numbers_of_every_case(seed: int) -> None:
    random = Random(seed)
    counts: Counter[str] = Counter()
    for _ in range(400):
        case = drawn_case(random)
        signed = random.random() < 0.5
        nonzero = signed and all(case.weights) and random.random() < 0.5
        moves = random.random() < 0.4
        try:
            term = term_of(random, random.choice(SORTS), {}, moves=moves)
            if moves and term.sort in (NUM, VEC, MAT) and "rate" not in term.operators:
                term = make("rate", term)
        except TermError:
            continue
        counts[compared(term, with_slopes(case).to_json(), signed=signed, nonzero=nonzero)] += 1
    assert counts["polynomial"] >= 1
    assert counts["plain"] >= 20
    assert counts["declined"] >= 6


@pytest.mark.parametrize("seed", range(4))
def test_what_is_made_of_networks(seed: int) -> None:
    """Products and sums, absolute values and signs of what a network has, also moving."""
    random = Random(seed)
    counts: Counter[str] = Counter()
    for _ in range(40):
        case = drawn_case(random)
        parts = [grown(random, case) for _ in range(3)]
        term = parts[0] * parts[1] - parts[2]
        if random.random() < 0.5:
            term = make("rate", term)
        nonzero = all(case.weights)
        told = compared(term, with_slopes(case).to_json(), signed=True, nonzero=nonzero)
        counts[told] += 1
    assert counts["polynomial"] >= 10


def grown(random: Random, case: Case) -> Any:
    def one_of(name: str, many: int) -> Any:
        return make("at", make(name), random.randint(1, many))

    net = case.network
    e, f = (one_of("edges", net.edge_count) for _ in range(2))
    v = one_of("vertices", net.vertex_count)
    j = make("add", random.randint(1, case.example_count), 0)
    w, u = make("weight", e), make("weight", f)
    return random.choice(
        [
            w * u,
            w**2 * u,
            make("prod", make("edges"), lambda g: make("weight", g)),
            make("sum", make("into", v), lambda g: make("weight", g) ** 2),
            make("output", j),
            make("post", v, j),
            make("pre", make("head", e), j),
            make("rows", make("diag", make("vector", 2, lambda i: w * i))) * w,
            make("if", make("learnable", e), w, u),
        ]
    )


@pytest.mark.parametrize("seed", range(3))
def test_signs_and_absolute_values(seed: int) -> None:
    random = Random(seed)
    counts: Counter[str] = Counter()
    for _ in range(40):
        case = drawn_case(random)
        edges = [make("at", make("edges"), k + 1) for k in range(case.network.edge_count)]
        pool: list[Any] = [make("weight", random.choice(edges)) for _ in range(3)]
        for _ in range(5):
            one, other = random.choice(pool), random.choice(pool)
            pool.append(
                random.choice([one * other, make("abs", one), make("sign", one), -one, one**2 * 3])
            )
        term = pool[-1] + pool[-2]
        nonzero = all(case.weights) and random.random() < 0.5
        told = compared(term, with_slopes(case).to_json(), signed=True, nonzero=nonzero)
        counts[told] += 1
    assert counts["polynomial"] >= 10
