"""Networks with smooth activations: a case by hand, what is drawn of a domain, what is not told."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import tanh
from random import Random
from typing import Any

import pytest

from graphs.activations import LINEAR, TANH, Activation
from graphs.network import network
from tests.verify.language.values import worth
from tests.verify.own_claims import as_before
from verify.cases.case import Case
from verify.checker import check
from verify.core.budgets import budget_named
from verify.language.building import (
    Each,
    Number,
    Rate,
    Sum,
    examples,
    grad,
    hidden,
    into,
    nu,
    out_of,
    post,
    slope,
    slope_left,
    w,
    z,
)
from verify.language.domains import domain_from_json
from verify.language.expanding import expansion
from verify.language.statements import Statement
from verify.language.terms import Term, TermError
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.runs.own_claims import claim
from verify.search.corners.corpus import corpus
from verify.search.drawing import draw
from verify.search.enumeration.ladders import ladder_of
from verify.search.judging import judge_exactly

ONE = Fraction(1)
CASE = Case(
    network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"], activations={"h": TANH}),
    (ONE, ONE),
    ((ONE,),),
    (ONE,),
    slopes=(-ONE,),
)
H = hidden()[1]
UP, DOWN = (Sum(some, lambda e: w(e) ** 2) for some in (into(H), out_of(H)))
BALANCE = Each(
    hidden(),
    lambda v: Rate(Sum(into(v), lambda e: w(e) ** 2)) == Rate(Sum(out_of(v), lambda e: w(e) ** 2)),
)
T = tanh(1)


@pytest.mark.parametrize(
    ("term", "value"),
    [
        (post(H, 1), T),
        (slope(H, 1), 1 - T**2),
        (nu(1), T),
        (grad(into(H)[1], 1), 1 - T**2),
        (grad(out_of(H)[1], 1), T),
        (Rate(UP), 2 * (1 - T**2)),
        (Rate(DOWN), 2 * T),
        (Rate(nu(1)), T**2 + (1 - T**2) ** 2),
        (Rate(z(H, 1)), 1 - T**2),
    ],
)
def test_a_network_by_hand(term: Term, value: float) -> None:
    """x to h to o, weights, input and label 1, the slope of the loss -1: w moves by dnu/dw."""
    assert worth(term, CASE) == pytest.approx(value, rel=1e-14)


def test_smooth_activations_have_no_slopes_beside_0() -> None:
    assert worth(slope_left(H), CASE) is None


def test_the_domain_names_the_activations() -> None:
    plain = Statement("s", BALANCE)
    one, other = (Statement("s", BALANCE, activations=a) for a in (("tanh", "relu"), ("tanh",)))
    again = Statement("s", BALANCE, activations=("relu", "tanh"))
    assert plain.domain.to_json() == {"network": True}
    assert one.domain.to_json() == {"network": True, "activations": ["relu", "tanh"]}
    assert domain_from_json(one.domain.to_json()) == one.domain
    assert one.digest == again.digest
    assert len({plain.digest, one.digest, other.digest}) == 3
    with pytest.raises(TermError, match="no activation 'cosine'"):
        Statement("s", BALANCE, activations=("cosine",))
    with pytest.raises(TermError, match="speaks of no network"):
        Statement("s", Number("c") > 0, activations=("tanh",))


def test_what_is_not_a_polynomial_is_not_expanded() -> None:
    euler = Each(examples(), lambda j: nu(j) == nu(j) + 0)
    kinds = {(): True, ("relu",): True, ("linear",): False, ("tanh", "relu"): False}
    for activations, expandable in kinds.items():
        found = expansion(Statement("s", euler, activations=activations))
        assert (found is not None) == expandable


@pytest.fixture
def tanh_claim() -> Any:
    """The balance of networks of tanh."""
    with as_before():
        yield claim("mine.balance", BALANCE, activations="tanh")


def test_every_case_is_of_the_domain(tanh_claim: Any) -> None:
    random = Random(0)
    (kinds,) = tanh_claim.hypotheses
    drawn = [draw(tanh_claim, random, n=1, loss="prescribed", large=k % 2 == 0) for k in range(60)]
    cornered = [case for _, case in corpus(tanh_claim, random, 40)]
    scopes = (scope for rung in ladder_of(tanh_claim, random, 20_000) for scope in rung)
    listed = [case for scope in scopes for block in scope.blocks for case in block.bases]
    for cases in (drawn, cornered, listed):
        inner = [c.network.activations[v] for c in cases for v in c.network.inner]
        assert set(inner) == {TANH}
    meets = kinds.test.__dict__["asks_network"]
    assert all(map(meets, drawn))
    ends = {c.network.activations[v] for c in drawn for v in c.network.outputs}
    assert ends == {TANH, LINEAR}
    relu = replace(CASE, network=CASE.network.with_activations({"h": Activation("relu")}))
    assert not meets(relu)
    assert meets(kinds.repair(relu, random))


def test_a_false_claim_has_a_certificate_of_its_domain(tanh_claim: Any) -> None:
    found = pointwise(tanh_claim, Context(budget_named("smoke")))
    assert found.checker["exit"] == 0
    certificate = found.certificate
    assert certificate["statement"]["domain"] == {"network": True, "activations": ["tanh"]}
    vertices = certificate["case"]["network"]["vertices"]
    assert {v["activation"] for v in vertices} == {"linear", "tanh"}
    inner = next(v for v in vertices if v["activation"] == "tanh")
    inner["activation"] = "sigmoid"
    assert check(certificate).code == 1


def test_numbers_that_are_not_told_apart_say_nothing() -> None:
    """tanh 2000 is no float64 other than 1, and with 2048 bits it is not told from 1."""
    far = replace(CASE, weights=(Fraction(2000), ONE))
    with as_before():
        below = claim("mine.below", Each(hidden(), lambda v: post(v, 1) < 1), activations="tanh")
        beside = claim("mine.beside", Each(hidden(), lambda v: post(v, 1) != 1), activations="tanh")
    for one in (below, beside):
        assert judge_exactly(one, CASE).admitted == 1
        assert judge_exactly(one, far).admitted == 0
