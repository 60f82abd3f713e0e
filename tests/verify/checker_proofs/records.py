"""Records of proofs, by hand, and whether a statement fails in random cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

from tests.verify.checker_statements.statements import network
from verify.checker.budget import Budget
from verify.checker.cases import read_case
from verify.checker.interpreter import Run
from verify.checker.outcomes import Declined, Rejected, Undecided, Undefined
from verify.checker.reading import Statement, read
from verify.checker.terms import Node

Json = Any
NUMBERS = {"x": [], "y": [], "z": []}
ARRAYS = {"S": ["n", "n"], "A": ["m", "n"], "B": ["n", "k"], "u": ["n"], "v": ["n"], "w": ["m"]}


def field(name: str) -> Json:
    return ["field", name]


def domain(**arrays: list[str]) -> Json:
    """Fields by name with their axes."""
    sorts = ("num", "vec", "mat")
    return {"arrays": {k: {"sort": sorts[len(v)], "axes": v} for k, v in arrays.items()}}


def proof(
    says: Json, *steps: Json, given: tuple[Json, ...] = (), over: Json = None, flow: Json = None
) -> Json:
    """The record of a proof of one leaf. over: the domain, by default numbers and arrays."""
    hypotheses = [{"name": f"h{k}", "holds": term} for k, term in enumerate(given)]
    statement = {
        "id": "s",
        "domain": over or domain(**NUMBERS, **ARRAYS),
        "flow": flow or {},
        "hypotheses": hypotheses,
        "says": says,
    }
    return {
        "format": "lemmata-statement",
        "version": 1,
        "kind": "proof",
        "statement": statement,
        "proof": [list(steps)],
    }


def algebra(holds: Json, *items: Json) -> Json:
    return {"rule": "algebra", "holds": holds, "sum": list(items)}


def item(times: Json = 1, *of: int, squares: tuple[Json, ...] = ()) -> Json:
    return {"times": times, "of": list(of), "squares": list(squares)}


def equal(fact: int, times: Json = 1) -> Json:
    return {"times": times, "equal": fact}


def lemma(name: str, premises: tuple[int, ...] = (), **values: Json) -> Json:
    return {"rule": "lemma", "lemma": name, "with": values, "premises": list(premises)}


# cases --------------------------------------------------------------------------------------------
def _array(random: Random, axes: list[str], lengths: dict[str, int], *, whole: bool) -> Json:
    if not axes:
        number = random.randint(-2, 2)
        return str(number) if whole else f"{number}/{random.randint(1, 2)}"
    return [_array(random, axes[1:], lengths, whole=whole) for _ in range(lengths[axes[0]])]


def _tensors(random: Random, over: Json) -> Json:
    lengths = dict[str, int]()
    arrays = {}
    for name, record in over["arrays"].items():
        for axis in record["axes"]:
            lengths.setdefault(axis, random.randint(1, 3))
        entries = _array(random, record["axes"], lengths, whole=record["sort"] == "int")
        arrays[name] = {"axes": record["axes"], "entries": entries}
        if record["sort"] == "int":
            arrays[name]["integer"] = True
        square = record["axes"][:1] == record["axes"][1:] and len(record["axes"]) == 2
        if square and random.random() < 0.8:
            rows = [
                [entries[max(i, j)][min(i, j)] for j in range(len(entries))]
                for i in range(len(entries))
            ]
            arrays[name]["entries"] = rows
    return {"format": "tensors", "arrays": arrays, "choice": {}}


EDGES = (
    ["x>h", "h>o"],
    ["x>h", "xx>h", "h>g", "x>g", "g>o", "h>o"],
    ["x>h", "x>g", "xx>g", "h>o", "g>o"],
    ["x>h", "x>g", "xx>h", "xx>g", "h>o", "g>o"],
    ["x>h", "x>g", "h>k", "g>k", "k>o"],
    ["x>h", "h>g", "g>o", "x>o", "xx>k", "h>k"],
    ["x>h=p", "xx>h=p", "h>o"],
    ["x>h=p", "x>g=p", "h>o", "g>o=p"],
    ["x>h", "x>g", "h>o", "g>o"],
    ["x>h", "h>o", "h>oo"],
    ["x>h", "h>o", "h>oo", "o>k"],
    ["x>h", "b>h", "h>o", "bb>o"],
)
"""Of each vertex that is no input the edges into it come before those out of it. b, bb: inputs that
are held at 1."""
KINDS = ("relu", "relu", "linear", "abs", "leaky_relu 1/2")
SMOOTH = ("tanh", "sigmoid")
HELD = {"b", "bb"}


def _network(random: Random, lists: dict[str, str], *, smooth: bool) -> Json:
    edges = random.choice(EDGES)
    weights = [random.choice((-2, -1, 0, 1, 2)) for _ in {e.split("=")[-1] for e in edges}]
    inner = {edge.split("=")[0].split(">")[1] for edge in edges}
    inputs = {edge.split(">")[0] for edge in edges} - inner
    kinds = {v: random.choice(KINDS + SMOOTH * smooth) for v in sorted(inner)}
    examples = [
        (
            [Fraction(random.randint(-2, 2), random.choice((1, 4))) for _ in inputs - HELD],
            random.choice((-1, 1)),
            random.randint(1, 9) * 7,
        )
        for _ in range(random.randint(1, 2))
    ]
    fixed = {edges[-1]: 2} if random.random() < 0.3 and "=" not in edges[-1] else {}
    more = {"fixed": fixed, "held": dict.fromkeys(sorted(inputs & HELD), 1)}
    record = network(edges, weights[: len(weights) - len(fixed)], kinds, examples, **more)
    pairs = [edge.split("=")[0].split(">") for edge in edges]
    choice: Json = {name: _list(random, sort, pairs) for name, sort in lists.items()}
    at_zero = [
        [v, j, str(slope)]
        for v, kind in kinds.items()
        for j in range(1, len(examples) + 1)
        if kind == "relu" and (slope := random.choice((0, "1/2", None))) is not None
    ]
    return record | {"choice": choice | {"slopes_at_0": at_zero}}


def _list(random: Random, sort: str, pairs: list[list[str]]) -> Json:
    """A list: of edges often those between the first vertices and the others."""
    if sort.startswith("seq[seq["):
        return [_list(random, sort[4:-1], pairs) for _ in range(random.randint(2, 3))]
    order = list(dict.fromkeys(head for _, head in pairs))
    if sort == "seq[edge]":
        later = order[random.randrange(len(order)) :]
        cut = [pair for pair in pairs if pair[0] not in later and pair[1] in later]
        return cut if random.random() < 0.8 else random.sample(pairs, random.randint(1, len(pairs)))
    if sort == "seq[vertex]":
        return random.sample(order, random.randint(1, len(order)))
    return [random.randint(-1, 2) for _ in range(random.randint(1, 3))]


def fails(statement: Json, seed: int, tries: int = 40, *, smooth: bool = False) -> bool | None:
    """Whether a statement is false at a place in some random case; None if it is never asked.
    smooth: with activations that are not positively homogeneous."""
    random, over = Random(seed), statement["domain"]
    return fails_in(
        statement,
        (
            _network(random, over.get("lists", {}), smooth=smooth)
            if over.get("network")
            else _tensors(random, over)
            for _ in range(tries)
        ),
    )


def fails_in(statement: Json, cases: Iterable[Json]) -> bool | None:
    """Whether a statement is false at a place in one of the cases; None if it is never asked."""
    asked, stated = False, read(Budget(), statement)
    for record in cases:
        try:
            case = read_case(record, stated.domain, stated.velocities)
            run = Run(case, Budget(), 160)
            found = list(_leaves(run, stated))
        except (Declined, Rejected, Undecided):
            continue
        asked = asked or bool(found)
        if False in found:
            return True
    return False if asked else None


def _leaves(run: Run, stated: Statement) -> Iterator[bool]:
    """The values of the leaves that have one, where all hypotheses are met."""
    for hypothesis in stated.hypotheses.values():
        try:
            if not run.value(hypothesis, ()):
                return
        except Undefined:
            return
    yield from _at_leaves(run, stated.says, ())


def _at_leaves(run: Run, term: Node, environment: tuple[Any, ...]) -> Iterator[bool]:
    first_second = term.arguments
    try:
        if term.operator == "and":
            for part in first_second:
                yield from _at_leaves(run, part, environment)
        elif term.operator == "implies":
            if run.value(first_second[0], environment):
                yield from _at_leaves(run, first_second[1], environment)
        elif term.operator == "each":
            for element in run.value(first_second[0], environment):
                yield from _at_leaves(run, first_second[1], (*environment, element))
        else:
            try:
                yield bool(run.value(term, environment))
            except Undecided:  # equal as far as one can see
                yield True
    except Undefined:
        return


__all__ = ["algebra", "domain", "equal", "fails", "fails_in", "field", "item", "lemma", "proof"]
