"""The normal form of a number, read as a term again, has the value of the number, where both have
one: random sums, products and lengths of lists that are made of others."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.verify.checker_proofs.records import field
from tests.verify.checker_proofs.test_semantics import case, normal
from tests.verify.checker_statements.statements import UNDEFINED, value
from verify.checker.nodes import placed
from verify.checker.outcomes import Declined
from verify.checker.terms import Node, bound_by

Json = Any


def many(random: Random, depth: int, bound: int) -> Json:
    """A list of numbers; bound: how many variables there are, all of them numbers."""
    kind = random.randrange(6) if depth > 0 else 5
    if kind == 0:
        return ["concat", many(random, depth - 1, bound), many(random, depth - 1, bound)]
    if kind == 1:
        body = condition(random, depth - 1, bound + 1)
        return ["filter", many(random, depth - 1, bound), body]
    if kind == 2:
        return ["map", many(random, depth - 1, bound), number(random, depth - 1, bound + 1)]
    last = [["list", ["var", bound - 1], 1]] if bound else []
    return random.choice(
        [["range", 1, ["rows", field("S")]], ["list", field("x"), 2, 1], ["range", 2, 3], *last]
    )


def condition(random: Random, depth: int, bound: int) -> Json:
    one, other = number(random, 0, bound), number(random, depth - 1, bound)
    if depth > 0 and random.random() < 0.3:
        return ["in", one, many(random, depth - 1, bound)]
    return [random.choice(("eq", "ne", "le", "gt")), one, other]


def number(random: Random, depth: int, bound: int = 0) -> Json:
    if depth <= 0:
        return random.choice([field("x"), 1, 0, *(["var", k] for k in range(bound))])
    kind = random.randrange(10)
    if kind < 4:
        operator = ("add", "sub", "mul", "div")[kind]
        return [operator, number(random, depth - 1, bound), number(random, depth - 1, bound)]
    if kind == 4:
        return ["card", many(random, depth - 1, bound)]
    if kind == 5:
        parts = (number(random, depth - 1, bound) for _ in range(2))
        return ["if", condition(random, depth - 1, bound), *parts]
    operator = random.choice(("sum", "sum", "sum", "prod", "maximum"))
    return [operator, many(random, depth - 1, bound), number(random, depth - 1, bound + 1)]


def meant(form: Node, depth: int = 0) -> Json:
    """A normal form as a term, with 0 for 1/0."""
    operator, last = form.operator, len(form.arguments) - 1
    if operator == "literal":
        whole = form.literal.denominator == 1  # type: ignore[union-attr]  # a number
        return int(form.literal) if whole else str(form.literal)
    if operator == "#bound":
        return ["var", depth - 1 - int(form.literal)]
    if operator == "field":
        return ["field", form.literal]
    if operator == "#axis":
        return ["rows", field("S" if form.literal == "n" else "A")]
    parts = [
        meant(part, depth + (bound_by(operator) if k == last else 0))
        for k, part in enumerate(form.arguments)
    ]
    if operator == "#reciprocal":
        return ["if", ["eq", parts[0], 0], 0, ["div", 1, parts[0]]]
    if operator not in ("#polynomial", "#term"):
        return [operator, *parts]
    found: Json = 0
    if operator == "#term":
        above, _, below = str(form.literal).partition("/")
        found = ["div", int(above, 16), int(below or "1", 16)]
    for part in parts:
        found = ["mul" if operator == "#term" else "add", found, part]
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_normal_form_has_the_value(seed: int) -> None:
    random, compared = Random(seed), 0
    for _ in range(600):
        form, reader = normal()
        term = number(random, random.randint(2, 4))
        try:
            found = meant(form.canonical(placed(reader.read(term, "a term"), ())))
        except Declined:
            continue
        arrays = case(random)
        one, two = value(term, **arrays), value(found, **arrays)
        if UNDEFINED not in (one, two) and not isinstance(two, str):  # a size is a quotient
            assert one == two, (term, found)
            compared += 1
    assert compared > 300
