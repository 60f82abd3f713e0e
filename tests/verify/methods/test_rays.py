"""The search for exact solutions: what it refutes by itself, and that it sees mutants."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest

from verify.breaches import of_cases, outgrown
from verify.checker.restated import ACCEPT, REJECT, check
from verify.evidence import Outcome
from verify.hypotheses import Hypothesis, by_case
from verify.methods.context import Context
from verify.methods.rays import rays
from verify.papers.lj22.corollary import limits as corollary_limits
from verify.papers.lj22.low_rank_measures import bound, ratio
from verify.registry import find
from verify.runs.budgets import BUDGETS

CONTEXT = Context(replace(BUDGETS["ci"], draws=60))
REFUTED = (
    "lj22.thm2-13@A",
    "lj22.thm2-14@AB",
    "lj22.cor1-div",
    "lj22.cor1-sum.domination",
    "lj22.cor1-sum.bounded",
    "lj22v1.cor1",
    "lj22v1.lemma10.flow",
)


@pytest.mark.parametrize("claim_id", REFUTED)
def test_the_search_refutes_by_itself(claim_id):
    evidence = rays(find(claim_id), CONTEXT)
    assert evidence.outcome is Outcome.REFUTES, evidence.summary
    assert evidence.checker["exit"] == 0


@pytest.mark.parametrize("claim_id", ["lj22.cor1-div", "lj22v1.lemma10.flow", "lj22v1.cor1"])
def test_what_it_finds_is_rejected_when_it_is_changed(claim_id):
    found = rays(find(claim_id), CONTEXT).certificate
    assert check(found).code == ACCEPT
    case = found["case"]
    weights = case["network"]["weights"]
    rejected = 0
    for name, value in weights.items():
        weights[name] = str(Fraction(value) + Fraction(1, 11))
        rejected += check(found).code == REJECT
        weights[name] = value
    assert rejected > 3 / 4 * len(weights)  # a weight may join neurons that no example shares
    for example in case["examples"]:
        kept = example["x"]
        example["x"] = [str(Fraction(value) / 2) for value in kept]
        assert check(found).code == REJECT
        example["x"] = kept
        example["y"] = str(-Fraction(example["y"]))
        assert check(found).code == REJECT
        example["y"] = str(-Fraction(example["y"]))
    assert check(found).code == ACCEPT


def whole_blocks(case):
    """||A||^2 <= ||B||^2 + D' in place of ||A||^2 / 8."""
    from verify.layer_pieces import chosen_pieces, flat, leaving
    from verify.tails import Tail

    pieces = tuple(chosen_pieces(case))
    reader = Tail(pieces, case.network.edge_weights(case.weights))
    sides = [
        (reader.numbers(flat(p)), reader.numbers(leaving(p))) for p in pieces if p.kind == "block"
    ]
    return [outgrown(a, b, 2, {"block": k}) for k, (a, b) in enumerate(sides)]


MUTANTS = {
    "lj22.thm2-13.fix": bound(),  # the printed constant
    "lj22.thm2-14.fix": ratio(),
    "lj22.cor1.fix": corollary_limits(every=True),  # ReLU layers too
    "lj22.cor1-sum.bounded.fix": find("lj22.cor1-sum.bounded").measure,  # ReLU layers too
    "lj22v1.lemma10.flow.fix": of_cases(whole_blocks),
}


@pytest.mark.parametrize("claim_id", MUTANTS)
def test_mutants_of_true_statements_are_seen(claim_id):
    claim = find(claim_id)
    assert rays(claim, CONTEXT).outcome is Outcome.SUPPORTS
    mutant = replace(claim, measure=MUTANTS[claim_id])
    assert rays(mutant, CONTEXT).outcome is not Outcome.SUPPORTS


def test_other_kinds_of_claims_have_no_rays():
    assert rays(find("lj22.lemma2a"), CONTEXT) is None


def test_nothing_is_said_where_no_solution_meets_the_hypotheses():
    never = Hypothesis("never", "$0=1$", by_case(partial(lambda case: False)))
    claim = find("lj22.thm2-13.fix")
    evidence = rays(replace(claim, hypotheses=(never,)), CONTEXT)
    assert evidence.outcome is Outcome.INCONCLUSIVE
    assert evidence.instances == 0
