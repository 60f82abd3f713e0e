"""Planted claims, true and false ones: the false ones are found, with certificates that the checker
accepts, and no true one is called false."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from lemmata import load
from tests.verify.own_claims import as_before
from verify.checker import check
from verify.claim import Claim
from verify.evidence import Evidence, Outcome
from verify.methods.context import Context
from verify.methods.corners import corners
from verify.methods.enumeration import enumeration
from verify.methods.pointwise import pointwise
from verify.methods.search import search
from verify.runs.budgets import budget_named

FILES = Path(__file__).parent / "planted"
CONTEXT = Context(budget_named("ci"))
METHODS = (pointwise, corners, search, enumeration)  # the quickest first
NOT_FOUND = {
    "planted.f04": "no nilpotent 3 x 3 matrix whose square is not 0 is drawn",
}


def ids(letter: str, broken: Mapping[str, str]) -> list[Any]:
    """The ids of the thirty claims; what is known to go wrong is expected to."""
    return [
        pytest.param(name, marks=pytest.mark.xfail(reason=broken[name], strict=True))
        if name in broken
        else name
        for name in (f"planted.{letter}{number:02}" for number in range(1, 31))
    ]


@pytest.fixture(scope="module")
def claims() -> Iterator[dict[str, Claim]]:
    """Both files, and afterwards the registry as before."""
    with as_before():
        yield {
            claim.id: claim
            for name in ("true_claims.py", "false_claims.py")
            for claim in load(FILES / name)
        }


def refuting(claim: Claim) -> Evidence | None:
    """The first of the methods that says that the claim is false, checked or not."""
    for method in METHODS:
        piece = method(claim, CONTEXT)
        if piece is not None and piece.outcome in (Outcome.REFUTES, Outcome.VIOLATES):
            return piece
    return None


def test_there_are_thirty_of_each(claims: dict[str, Claim]) -> None:
    assert sorted(claims) == [f"planted.{kind}{n:02}" for kind in "ft" for n in range(1, 31)]


@pytest.mark.parametrize("name", ids("f", NOT_FOUND))
def test_a_false_claim_is_found(claims: dict[str, Claim], name: str) -> None:
    found = refuting(claims[name])
    assert found is not None
    assert found.certificate is not None
    assert check(found.certificate).code == 0


@pytest.mark.parametrize("name", ids("t", {}))
def test_a_true_claim_is_not_called_false(claims: dict[str, Claim], name: str) -> None:
    assert refuting(claims[name]) is None
