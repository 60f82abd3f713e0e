"""The search for exact solutions: what it refutes by itself, and that it sees mutants."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest

from verify.cases.hypotheses import Hypothesis, by_case
from verify.checker import check
from verify.core.budgets import BUDGETS
from verify.core.claim import Kind
from verify.core.evidence import Outcome
from verify.language.building import Each, implies, norm
from verify.language.statements import Statement
from verify.methods.context import Context
from verify.methods.rays import ENOUGH, rays
from verify.papers.lj22.chains import ALL, residual
from verify.papers.lj22.corollary_terms import OTHERS_BOUNDED, limits
from verify.papers.lj22.low_rank_terms import bound, flattened, ratio, stacked
from verify.papers.registry import find
from verify.search.admission import admit
from verify.search.judging import judge_all
from verify.statements.stated import measure_of

ACCEPT, REJECT = 0, 1
CONTEXT = Context(replace(BUDGETS["ci"], draws=15, shrink_steps=100))


@pytest.mark.parametrize("claim_id", ["lj22.cor1-div", "lj22v1.lemma10.flow"])
def test_the_search_refutes_by_itself_and_no_changed_case_is_accepted(claim_id):
    """Of the others that fail the exhibits are replayed, and mutants of what holds are below."""
    evidence = rays(find(claim_id), CONTEXT)
    assert evidence.outcome is Outcome.REFUTES, evidence.summary
    found = evidence.certificate
    assert check(found).code == ACCEPT
    case = found["case"]
    weights = case["network"]["weights"]
    rejected, some = 0, list(weights.items())[:8]
    for name, value in some:
        weights[name] = str(Fraction(value) + Fraction(1, 11))
        rejected += check(found).code == REJECT
        weights[name] = value
    assert rejected > 3 / 4 * len(some)  # a weight may join neurons that no example shares
    for example in case["examples"]:
        kept = example["x"]
        example["x"] = [str(Fraction(value) / 2) for value in kept]
        assert check(found).code == REJECT
        example["x"] = kept
        example["y"] = str(-Fraction(example["y"]))
        assert check(found).code == REJECT
        example["y"] = str(-Fraction(example["y"]))
    assert check(found).code == ACCEPT


TWICE = Each(
    ALL, lambda k: implies(residual(k), 2 * norm(flattened(k)) ** 2 <= norm(stacked(k)) ** 2)
)
MUTANTS = {
    "lj22.thm2-13.fix": bound(),  # the printed constant
    "lj22.thm2-14.fix": ratio(),
    "lj22.cor1.fix": limits(),  # ReLU layers too
    "lj22.cor1-sum.bounded.fix": OTHERS_BOUNDED,  # ReLU layers too
    "lj22v1.lemma10.flow.fix": TWICE,  # 2 ||A||^2 in place of ||A||^2 / 8
}


@pytest.mark.parametrize("claim_id", MUTANTS)
def test_mutants_of_true_statements_are_seen(claim_id):
    claim = find(claim_id)
    assert rays(claim, CONTEXT).outcome is Outcome.SUPPORTS
    statement = Statement(claim_id, MUTANTS[claim_id], claim.terms.given)
    mutant = replace(claim, measure=measure_of(statement, Kind.LIMIT), terms=statement)
    assert rays(mutant, CONTEXT).outcome is Outcome.REFUTES


def test_of_what_is_violated_the_smallest_case_is_admitted(monkeypatch):
    found, admitted = [], []

    def judged(claim, cases):
        judgements = list(judge_all(claim, cases))
        broken = [c for c, one in zip(cases, judgements, strict=True) if one.violations]
        found.extend(case.size() for case in broken[:ENOUGH])
        return judgements

    def seen(claim, case, steps):
        admitted.append(case.size())
        return admit(claim, case, steps)

    monkeypatch.setattr("verify.methods.rays.judge_all", judged)
    monkeypatch.setattr("verify.methods.rays.admit", seen)
    rays(find("lj22.cor1-div"), CONTEXT)
    assert len(set(found)) > 1
    assert found[0] > min(found)  # the first one is another
    assert admitted == [min(found)]


def test_other_kinds_of_claims_have_no_rays():
    assert rays(find("lj22.lemma2a"), CONTEXT) is None


def test_nothing_is_said_where_no_solution_meets_the_hypotheses():
    never = Hypothesis("never", "$0=1$", by_case(partial(lambda case: False)))
    claim = find("lj22.thm2-13.fix")
    evidence = rays(replace(claim, hypotheses=(never,)), CONTEXT)
    assert evidence.outcome is Outcome.INCONCLUSIVE
    assert evidence.instances == 0
