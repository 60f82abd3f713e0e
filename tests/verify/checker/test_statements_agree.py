"""Statements of three papers in the checker measure what the claims do, on cases of pools."""

from dataclasses import replace
from random import Random

import pytest

from graphs.algebraic import Enclosure, value_to_json
from tests.verify.arrays import entries_of
from tests.verify.checker.networks import certificate
from tests.verify.corruptions import entries as no_entries
from verify.checker import restated as checker
from verify.checker.restated import (
    ACCEPT,
    STATEMENTS,
    MatrixStatement,
    Undecided,
    check,
    interval,
    read_arrays,
)
from verify.core.claim import Kind
from verify.papers.registry import all_claims
from verify.search.drawing import repair

CLAIMS = {claim.id: claim for claim in all_claims()}
PAPERS = ("j23.", "dkbhl20.", "zlb22.")
NAMES = sorted(name for name in STATEMENTS if name.startswith(PAPERS))
DRAWS, ENOUGH = 24, 2
UNMET = {f"dkbhl20.{name}" for name in ("lem10.a", "cor15.a")}  # no single invariant law
UNMET |= {f"dkbhl20.thm14.{part}" for part in "abdi"}  # likewise


def statement_of(name: str) -> MatrixStatement:
    statement = STATEMENTS[name]
    assert isinstance(statement, MatrixStatement)
    return statement


def residual(name, case, entry):
    """What the checker computes of a case that meets the hypotheses; None where it cannot tell."""
    statement = statement_of(name)
    read = read_arrays(case.to_json(), statement, entry)
    for hypothesis in statement.hypotheses:
        checker.settle(hypothesis, read)
    for bits in checker.PRECISIONS[1:]:
        try:
            return interval(statement.residual(replace(read, bits=bits)))
        except Undecided:
            continue
    return None


def ends(value):
    return (value.low, value.high) if isinstance(value, Enclosure) else (value, value)


@pytest.mark.parametrize("name", NAMES)
def test_it_measures_what_the_claim_measures(name):
    claim, random, looked = CLAIMS[name], Random(name), 0
    for k in range(DRAWS):
        case = claim.pool.draw(random, n=1 + k % 2, loss="", large=False)
        case = repair(claim, case, random).exactly()
        for entry, value in entries_of(claim, case)[:3]:
            found = residual(name, case, entry)
            if found is None:
                continue
            low, high = ends(value)
            size = max(1, abs(low))
            assert found.low <= high, (entry, case.to_json())
            assert low <= found.high, (entry, case.to_json())
            assert (found.high - found.low) * 2**20 <= size
            assert (high - low) * 2**20 <= size
            bad = high < 0 or (low > 0 and claim.kind is not Kind.INEQUALITY)
            made = certificate(name, case.to_json(), entry, value_to_json(value))
            made["kind"] = "witness" if claim.kind is Kind.EXISTENCE else "counterexample"
            code, message = check(made)
            assert code == ACCEPT if bad else code != ACCEPT, message
            beside = [str(low - 2), str(low - 1)]
            assert check({**made, "value": beside}).code != ACCEPT
            for what, wrong in no_entries(entry):
                assert check({**made, "entry": wrong}).code != ACCEPT, what
            looked += 1
        if looked >= ENOUGH:
            break
    assert bool(looked) is (name not in UNMET)


@pytest.mark.parametrize("name", NAMES)
def test_it_says_the_same_of_its_kind_and_hypotheses(name):
    claim, statement = CLAIMS[name], statement_of(name)
    assert statement.inequality is (claim.kind is Kind.INEQUALITY)
    assert statement.existence is (claim.kind is Kind.EXISTENCE)
    supposed = {getattr(h, "func", h).__name__ for h in statement.hypotheses}
    for hypothesis in claim.hypotheses:
        if hypothesis.name in checker.WITHOUT:
            assert supposed & {*checker.WITHOUT[hypothesis.name]}, hypothesis.name
