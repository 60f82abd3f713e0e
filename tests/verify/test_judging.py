"""Looking at claims on cases: batches, exact judgements, and agreement with the checker."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from graphs.activations import RELU, TANH
from graphs.algebraic import Enclosure, exact_value
from graphs.errors import NotRationalError
from graphs.families import fully_connected
from graphs.paths import count_paths
from graphs.rationals import RATIONALS
from tests.verify.drawn_cases import case_of, net_of
from tests.verify.without import without
from verify.cases.case import Case
from verify.cases.pool import Pool
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.claim import Kind
from verify.papers.registry import all_claims, find
from verify.runs.controls import CONTROLS
from verify.search.certificates import answer, certificate_of
from verify.search.drawing import draw
from verify.search.judging import NOTHING, Violation, judge_all, judge_exactly, view, violates

ALL_JUDGED = [claim for claim in all_claims() if claim.judged]
ALL_JUDGED += [claim for claim, _ in CONTROLS.values()]
# one of every kind of cases and of relation
JUDGED = list({(type(c.pool), c.kind, c.terms is None): c for c in ALL_JUDGED}.values())
RISK = find("lj22.risk")
[LABELS] = [h for h in RISK.hypotheses if h.name == "labels"]
CHAIN = case_of(net_of("x>h h>o", {"h": RELU}), {"x>h": 1, "h>o": 2}, [(["1/2"], -1, 1)])


def cases_for(claim, count, seed, n=2):
    """Cases that make one scene: of those made of arrays, some of the same shapes."""
    random = Random(f"{seed} {claim.id}")
    drawn = 8 * count if isinstance(claim.pool, TensorPool) else count
    cases = [draw(claim, random, n=n, loss="prescribed", large=False) for _ in range(drawn)]
    if isinstance(claim.pool, TensorPool):
        cases = max(type(cases[0]).batches(cases), key=len)[:count]
    if isinstance(cases[0], Case):  # some repairs and solutions choose the examples
        cases = [case for case in cases if case.example_count == cases[0].example_count]
    return cases


def rows(looked, owner=None):
    """Label, value and admission of the entries (of one case)."""
    entries = looked.entries
    return [
        (str(entries.label(k)), exact_value(entries.values[k]), bool(looked.admitted[k]))
        for k in range(len(entries))
        if owner is None or entries.owner[k] == owner
    ]


@pytest.mark.parametrize("claim", JUDGED, ids=lambda claim: claim.id)
def test_a_batch_is_judged_as_its_cases_alone(claim):
    """Exactly, entry by entry, though networks, layers and dormant vertices differ."""
    cases = cases_for(claim, 5, seed=1, n=claim.pool.examples[0])
    together = view(claim, cases, RATIONALS)
    for number, case in enumerate(cases):
        assert rows(together, number) == rows(view(claim, [case], RATIONALS))


@pytest.mark.parametrize("claim", JUDGED, ids=lambda claim: claim.id)
def test_the_sides_of_an_entry_differ_by_its_value(claim):
    entries = view(claim, cases_for(claim, 2, seed=2, n=claim.pool.examples[0]), RATIONALS).entries
    assert len(entries.owner) == len(entries.values) == len(entries.subjects)
    assert len(entries.examples) == len(entries)
    labels = [entries.label(k) for k in range(len(entries))]
    per_case = [(int(c), str(label)) for c, label in zip(entries.owner, labels, strict=True)]
    assert len(set(per_case)) == len(per_case)  # each entry is said once
    assert [label.get("example", -1) for label in labels] == list(entries.examples)


def test_a_case_without_an_exact_form_does_not_hide_the_others():
    odd = CHAIN.with_weights([Fraction(1), Fraction(3)])

    def measure(scene):
        if odd in scene.cases:
            raise NotRationalError("no exact form")
        return RISK.measure(scene)

    found = judge_all(replace(RISK, measure=measure), [CHAIN, odd, CHAIN])
    assert found == [judge_exactly(RISK, CHAIN), NOTHING, judge_exactly(RISK, CHAIN)]
    assert found[0].violations


def test_a_violation_by_hand():
    # y nu(x) = -1, nu(-x) = 0
    judgement = judge_exactly(RISK, CHAIN)
    assert judgement.admitted == 1
    assert judgement.violations == (Violation(CHAIN, {"at": [1]}, Fraction(-1)),)


def test_what_meets_no_hypothesis_is_no_violation():
    judgement = judge_exactly(RISK, replace(CHAIN, labels=(Fraction(-2),)))
    left = len(RISK.hypotheses) - RISK.hypotheses.index(LABELS)
    assert judgement == replace(NOTHING, unmet=left)


def test_other_hypotheses_may_be_asked_for():
    half = replace(CHAIN, labels=(Fraction(-1, 2),))
    assert not view(RISK, [half], RATIONALS).admitted.any()
    without = [h for h in RISK.hypotheses if h is not LABELS]
    assert view(RISK, [half], RATIONALS, without).admitted.all()


def test_a_smooth_activation_is_judged():
    claim = find("lj22.lemma2a")
    (homogeneous,) = (h for h in claim.hypotheses if h.name == "positively homogeneous activations")
    smooth = replace(CHAIN, network=CHAIN.network.with_activations({"h": TANH}))
    left = len(claim.hypotheses) - claim.hypotheses.index(homogeneous)
    assert judge_exactly(claim, smooth) == replace(NOTHING, unmet=left)
    (violation,) = judge_exactly(without(claim, homogeneous), smooth).violations
    assert violation.value.low > 0 or violation.value.high < 0


def test_what_has_no_exact_form_judges_nothing():
    claim = find("lj22.lemma2a")
    with pytest.raises(NotRationalError, match="prescribe its slopes"):
        judge_exactly(claim, replace(CHAIN, loss="logistic", slopes=()))
    wide = fully_connected([3, 10, 10, 10, 1])
    case = Pool().fill(wide, Random(1), n=1, loss="prescribed", family="wide")
    assert judge_exactly(find("lj22.eq1.b"), case) == NOTHING


def test_the_squared_loss_is_exact():
    # margin -1, l' = -4, kappa = 4: 2 w wdot on both sides
    squared = replace(CHAIN, loss="squared", slopes=())
    assert judge_exactly(find("lj22.lemma2a"), squared).admitted == 1


SHARE = 16  # every sixteenth claim


# the checker is a second opinion -----------------------------------------------------------------
def opinions(claim, seed):
    """For some entries: admitted and its value here, exit code and message there."""
    for case in cases_for(claim, 4, seed, n=min(2, max(claim.pool.examples))):
        case = case.exactly()
        met = judge_exactly(claim, case).admitted or isinstance(case, Tensors)
        if not met and sum(count_paths(case.network).out_of) > 400:
            continue  # too many paths for some claims
        looked = view(claim, [case], RATIONALS)
        numbers = list(range(len(looked.entries)))
        for k in Random(seed).sample(numbers, min(3, len(numbers))):
            value = exact_value(looked.entries.values[k])
            found = Violation(case, looked.entries.label(k), value)
            yield bool(looked.admitted[k]), value, answer(certificate_of(claim, found))


def real(value) -> bool:
    """Whether the value is known by an enclosure alone."""
    return isinstance(value, Enclosure)


def not_so(claim, value) -> bool:
    """Whether an entry is certainly not as the claim says: of an enclosure, all of it."""
    if not real(value):
        return violates(claim.kind, value)
    return value.high < 0 or (value.low > 0 and claim.kind is not Kind.INEQUALITY)


def test_engine_and_checker_agree_on_entries():
    """The checker shares no code with the measures. It accepts what is admitted and not 0; of what
    is admitted and as it should be it says that nothing is violated."""
    accepted = nothing = refused = 0
    for claim in ALL_JUDGED[::SHARE]:
        for admitted, value, reply in opinions(claim, seed=3):
            if reply["exit"] == 2:  # a definition, or a claim that stands and needs no certificate
                assert claim.kind is Kind.DEFINITION or not not_so(claim, value), reply
            elif admitted and not_so(claim, value):
                assert reply["exit"] == 0, (claim.id, reply)
                accepted += 1
            elif admitted:
                assert reply["exit"] == 1, (claim.id, reply)
                words = reply["message"]
                told = "nothing is violated" in words or "what the statement says is" in words
                told = told or words[-3:] == "..."
                assert told or claim.kind is Kind.LIMIT, (claim.id, reply)
                nothing += 1
            elif value != 0:
                assert reply["exit"] == 1, (claim.id, reply)
                refused += 1
    assert min(accepted, nothing) > 100 // SHARE
    assert refused > 20 // SHARE
