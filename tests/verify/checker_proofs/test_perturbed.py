"""Random changes to proofs and to what they prove: what is accepted is still true.

About one change in thirty is accepted, all of these kinds: the terms of a sum or a product change
places (also of `and`), or the items of `algebra`; a sign under an even power, in a square or in a
squared norm; `rows` for `cols` of a square matrix, or those of another matrix of that size; a
premise for one that is not needed, as normal forms tell; another equation 0 = 0; a relation that is
as false as the one it replaces; in (84) the hypothesis that is not needed.
"""

from __future__ import annotations

import copy
import json
from functools import cache
from random import Random
from typing import Any

import pytest

from tests.verify.checker_proofs.proved import STATEMENTS, record_of
from tests.verify.checker_proofs.records import fails
from verify.checker import ACCEPTED, check

Json = Any
Place = tuple[Any, ...]
ALIKE = (
    ("add", "sub", "mul"),
    ("le", "lt", "ge", "gt", "eq", "ne"),
    ("into", "out_of"),
    ("rows", "cols"),
    ("beside", "above"),
    ("norm", "frob2", "rank"),
    ("loss_slope", "label"),
)
NUMBERS = ("-1/8", "1/3", "0", "2")


@cache
def places(name: str, part: str) -> list[Place]:
    """The ways to all that is in a part of the record of a proof."""
    found: list[Place] = []
    waiting: list[tuple[Place, Json]] = [((), record_of(name)[part])]
    while waiting:
        place, value = waiting.pop()
        found.append(place)
        inner: Any = value.items() if isinstance(value, dict) else ()
        pairs = list(enumerate(value) if isinstance(value, list) else inner)
        waiting += [((*place, key), below) for key, below in reversed(pairs)]
    return found[1:]


@cache
def text_of(name: str, part: str) -> str:
    return json.dumps(record_of(name)[part])


def changed(name: str, part: str, random: Random) -> Json:
    """The record with one number, operator, field, sign, order or step of a part changed."""
    record = record_of(name) | {part: json.loads(text_of(name, part))}
    for _ in range(200):
        place = random.choice(places(name, part))
        above = record[part]
        for key in place[:-1]:
            above = above[key]
        if _change(record, above, place[-1], random):
            return record
    return record


def _change(record: Json, above: Json, key: Any, random: Random) -> bool:
    old, before = above[key], copy.deepcopy(above)
    fields = list(record["statement"]["domain"].get("arrays", {}))
    if isinstance(old, int) and not isinstance(old, bool):
        above[key] = old + random.choice((-1, 1, 2))
    elif isinstance(old, str) and old in fields:
        above[key] = random.choice(fields)
    elif isinstance(old, str):
        others = [name for group in ALIKE if old in group for name in group]
        if others or old[0] in "-0123456789":
            above[key] = random.choice(others or NUMBERS)
    elif isinstance(old, list | dict) and isinstance(above, list):
        change = random.randrange(3)
        if change == 0:
            del above[key]
        elif change == 1 and key + 1 < len(above):
            above[key], above[key + 1] = above[key + 1], above[key]
        elif isinstance(old, list) and old and isinstance(old[0], str):
            above[key] = ["neg", old]
    return bool(above != before)


def times(name: str) -> int:
    """How many changes: fewer of long proofs, which need nearly all that they have."""
    steps = text_of(name, "proof").count('"rule":')
    return 24 if steps < 40 else 8 if steps < 120 else 1


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_changed_proof(name: str) -> None:
    """Never an error; of the changes that make a difference nearly all are rejected."""
    random = Random(name)
    codes = [check(changed(name, "proof", random)).code for _ in range(times(name))]
    assert codes.count(ACCEPTED) <= len(codes) // 3  # what a short proof does not need


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_changed_statement(name: str) -> None:
    """If the proof is still accepted, the statement does not fail."""
    random = Random(name)
    for k in range(times(name)):
        record = changed(name, "statement", random)
        if check(record).code == ACCEPTED:
            assert fails(record["statement"], seed=k, tries=15) is not True
