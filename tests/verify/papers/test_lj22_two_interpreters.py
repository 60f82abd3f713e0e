"""Statements about matrices: the checker has the values of the engine, where they fail and where
they hold."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from graphs.rationals import RATIONALS
from verify.checker import check
from verify.core.claim import Claim
from verify.language.statements import Statement
from verify.language.terms import Term, make
from verify.papers.lj22 import (
    block_shuffling,
    consecutive,
    flattenings,
    singular_values,
)
from verify.search.drawing import repair
from verify.search.judging import violates

MODULES = (flattenings, block_shuffling, consecutive, singular_values)
CLAIMS = {claim.id: claim for module in MODULES for claim in module.CLAIMS}
OPPOSITE = {"le": "gt", "ge": "lt", "eq": "ne"}
UNDECIDED = 2  # two irrational numbers that are equal


def denied(term: Term) -> Term:
    """The same with the opposite of every leaf: it fails where the statement holds."""
    if term.op == "and":
        return make("and", *map(denied, term.args))
    return make(OPPOSITE[term.op], *term.args)


def drawn(claim: Claim) -> Iterator[Any]:
    """Cases that meet its hypotheses."""
    random = Random(claim.id)
    assert claim.pool is not None
    for large in (False, True, False, False, False):
        yield repair(claim, claim.pool.draw(random, n=1, loss="", large=large), random)


@pytest.mark.parametrize("name", CLAIMS)
def test_both_have_the_same_values(name: str) -> None:
    claim = CLAIMS[name]
    statement = claim.terms
    assert statement is not None
    opposite = Statement(name, denied(statement.says), statement.given)
    looked = 0
    for case in drawn(claim):
        scene = type(case).scene([case], RATIONALS)
        if not all(statement.hypothesis(given)(scene)[0] for given in statement.given):
            continue
        entries = statement.measure(scene)
        for k, value in enumerate(entries.values):
            at = entries.label(k)["at"]
            told = statement.certificate("counterexample", case, at)
            against = opposite.certificate("counterexample", case, at)
            fails = violates(claim.kind, value)
            wanted = (0, 1) if fails else (1, 0)
            assert check(told).code in ((wanted[0],) if fails or value != 0 else (1, UNDECIDED))
            assert check(against).code in ((wanted[1],) if value != 0 else (0, UNDECIDED))
            other = told if fails else against
            if other["value"] is not None:
                wrong = {"left": "-1000001/7", "right": other["value"]["right"]}
                assert check({**other, "value": wrong}).code in (1, UNDECIDED)
            looked += 1
    assert looked
