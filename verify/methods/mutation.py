"""Mutation: whether the checks of a claim would notice if it said something else.

The term is changed in one place, and each hypothesis is dropped. A mutant is killed where a case
meets all hypotheses and an entry of the mutant is not as the claim says. A mutant that is never
seen to differ, and one that is never less true, is not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest
from math import floor, isfinite, log2
from random import Random

from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Mutant, Outcome
from verify.core.instance import Instance
from verify.core.power import CONCLUSION
from verify.language.edits import Edit, edits
from verify.language.latex import formula, names_in
from verify.language.statements import Statement
from verify.language.terms import TermError
from verify.methods.context import Context, Inquiry
from verify.search.circular import asked_twice
from verify.search.enclosing import needs_enclosing
from verify.search.mutants.draws import (
    batches,
    corners,
    larger,
    listed,
    neighbours,
    rounds,
    small,
    solutions,
)
from verify.search.mutants.trial import Suspect, Trial
from verify.search.weakened import broken_cases, judged
from verify.statements.stated import measure_of

ENOUGH = 90  # percent of the mutants; below it the summary names those that survived
PURSUITS = 3  # rounds of cases near those where mutants of an inequality have the least slack
NEAR = 4  # cases near each of them
NAMED = 3  # survivors that the summary names
CORNERS = 20
LARGER = 4
LISTED = 500  # small cases, in the units of verify.search.enumeration
ALWAYS = 3  # cases that do not meet a hypothesis, of which the claim fails in all
BROKEN = 5  # cases for each hypothesis that is dropped, at most


def mutation(claim: Claim, context: Context) -> Evidence | None:
    """Put mutants of a claim before its own cases."""
    if not claim.judged or claim.pool is None:
        return None
    inquiry = Inquiry("mutation", context)
    if claim.kind is Kind.EXISTENCE:
        why = "a statement of existence rests on its witness, which the checker has judged"
        return inquiry.finds(Outcome.SUPPORTS, f"not mutated: {why}.")
    random = context.random(claim, "mutation")
    drawn = _cases(claim, context, random)
    inquiry = Inquiry("mutation", context)  # its clock leaves out what making solutions took
    trial = Trial(claim, _suspects(claim, context.budget.mutants // 2))
    _draw(trial, inquiry, drawn, random)
    if not (trial.killed or trial.failed or inquiry.overdue):  # then none is too few to tell
        trial = Trial(claim, _suspects(claim, context.budget.mutants))
        _draw(trial, inquiry, _cases(claim, context, random), random)
    if trial.failed:
        why = "an exact case meets all hypotheses and violates the claim itself"
        return inquiry.finds(Outcome.VIOLATES, f"{why}: it waits to be admitted.")
    inquiry.instances = trial.met
    inquiry.scope = ("changed statements before random rational cases",)
    if not trial.met:
        inquiry.figures = {"cut short": 1} if inquiry.overdue else {}
        return inquiry.finds(Outcome.SUPPORTS, "not mutated: no case met all hypotheses exactly.")
    by_draws = claim.kind is not Kind.LIMIT  # solutions are not what is left of a broken one
    dropped = _without_hypotheses(claim, context, random) if by_draws else []
    return _told(inquiry, trial, dropped)


def _suspects(claim: Claim, most: int) -> list[Suspect]:
    """Statements that differ from that of the claim in one place, of the same kind, the rules in
    turn; two in what is said for one in its conditions."""
    statement, kind = claim.terms, claim.kind
    assert statement is not None
    inside, outside = (
        list(islice(_of_its_kind(statement, kind, keeps_leaves=kept), most))
        for kept in (False, True)
    )
    share = max(most - len(outside), min(len(inside), most - most // 3))
    names = names_in(statement.says)
    return [
        Suspect(
            edit.rule,
            rf"${formula(edit.old, names)} \to {formula(edit.new, names)}$",
            measure_of(changed, kind),
        )
        for edit, changed in [*inside[:share], *outside][:most]
    ]


def _of_its_kind(
    statement: Statement, kind: Kind, *, keeps_leaves: bool
) -> Iterator[tuple[Edit, Statement]]:
    """Edits, the rules in turn, and the changed statements, where these say something of a case and
    are of the same kind. keeps_leaves: whether those of conditions, or of what is said."""

    def in_turn(found: Iterable[Edit]) -> Iterator[Edit]:
        by_rule: dict[str, list[Edit]] = {}
        for edit in found:
            if edit.keeps_leaves == keeps_leaves:
                by_rule.setdefault(edit.rule, []).append(edit)
        return (edit for turn in zip_longest(*by_rule.values()) for edit in turn if edit)

    for edit in edits(statement.says, in_turn):
        try:
            changed = replace(statement, says=edit.says)
        except TermError:  # it says nothing of a case
            continue
        if kind is Kind.LIMIT or changed.ordered == (kind is Kind.INEQUALITY):
            yield edit, changed


def _cases(claim: Claim, context: Context, random: Random) -> Iterable[list[Sequence[Instance]]]:
    """Rounds of batches: exact solutions of a claim about the limit, else random small cases."""
    if claim.kind is Kind.LIMIT:
        return solutions(claim, context.seed, context.budget.draws)
    return rounds(claim, random, context.budget.mutant_draws)


def _draw(
    trial: Trial, inquiry: Inquiry, drawn: Iterable[list[Sequence[Instance]]], random: Random
) -> None:
    """Put all before random cases, round by round, until a round tells nothing new; then mutants of
    an inequality before corners, all small cases, and cases near those that come closest, other
    mutants before larger cases."""
    claim, budget = trial.claim, inquiry.context.budget
    for cases in drawn:
        before = trial.news
        for batch in cases:
            trial.look(batch)
            if inquiry.overdue:
                break
        if trial.failed or inquiry.overdue:
            return
        if trial.news == before and trial.met >= budget.mutant_draws // 4:
            break
    if claim.kind is Kind.LIMIT or not trial.met:
        return
    if claim.kind is Kind.INEQUALITY:
        for batch in (*corners(claim, random, CORNERS), *listed(claim, random, LISTED)):
            if inquiry.overdue:
                return
            trial.look(batch)
        _pursue(trial, random, inquiry)
    else:
        for batch in larger(claim, random, LARGER):
            if inquiry.overdue:
                return
            trial.look(batch)


def _pursue(trial: Trial, random: Random, inquiry: Inquiry) -> None:
    """Cases near those at which the mutants of an inequality have the least slack."""
    claim = trial.claim
    for number in range(PURSUITS):
        near = [
            case
            for suspect in trial.alive
            if suspect.smaller and suspect.at is not None
            for case in neighbours(claim, suspect.at, random, NEAR, zeros=number == 0)
        ]
        for batch in batches(near):
            if inquiry.overdue:
                return
            trial.look(batch)


def _without_hypotheses(claim: Claim, context: Context, random: Random) -> list[Mutant]:
    """The claim without each of its hypotheses, before cases that do not meet it."""
    assert claim.pool is not None
    found, n = [], claim.pool.examples
    asked = asked_twice(claim)
    count = min(BROKEN, context.budget.necessity_draws)
    cases = [small(claim, random, n[k % len(n)]) for k in range(count)]
    broken = {
        hypothesis: [
            case.exactly()
            for case in broken_cases(claim, hypothesis, cases, random)
            if not needs_enclosing(case)
        ]
        for hypothesis in claim.hypotheses
        if hypothesis.break_ is not None
    }
    unmet = [hypothesis for hypothesis, exact in broken.items() for _ in exact]
    judgements = iter(judged(claim, list(chain(*broken.values())), unmet))
    for hypothesis, exact in broken.items():
        change = f"without: {hypothesis.name}"
        told = islice(judgements, len(exact))
        fails = [judgement is not None and bool(judgement.violations) for judgement in told]
        killed = ""
        if any(fails):
            killed = f"{exact[fails.index(True)].described()}, which does not meet it"
        if hypothesis in asked and len(fails) >= ALWAYS and all(fails):
            killed = f"{CONCLUSION}: the claim fails in all {len(fails)} cases that do not meet it"
        fate = "killed" if killed else "not told apart"
        found.append(Mutant("hypothesis", change, fate, killed))
    return found


def _told(inquiry: Inquiry, trial: Trial, dropped: Sequence[Mutant]) -> Evidence:
    """The evidence: fates, the share that was killed, and the smallest violation noticed."""
    stated = [suspect for suspect in trial.suspects if suspect.stated]
    mutants = (*(suspect.fate for suspect in stated), *dropped)
    killed = sum(mutant.fate == "killed" for mutant in mutants)
    survivors = [mutant.change for mutant in mutants if mutant.fate == "survived"]
    share = 100 * killed // (killed + len(survivors)) if killed else 0
    inquiry.figures = {
        "mutants": len(mutants),
        "killed": killed,
        "survived": len(survivors),
        "not told apart": len(mutants) - killed - len(survivors),
        "share killed, percent": share,
        **({"cut short": 1} if inquiry.overdue else {}),
        "smallest violation noticed": _smallest(trial) if killed else "none seen",
    }
    return inquiry.finds(Outcome.SUPPORTS, _summary(killed, survivors, share), mutants=mutants)


def _summary(killed: int, survivors: Sequence[str], share: int) -> str:
    """The share in words; below ENOUGH with what survived."""
    if not killed and not survivors:
        return "no mutant could be told from the claim: its checks are not seen to be able to fail."
    told = f"{killed} of {killed + len(survivors)} mutants killed ({share} percent)"
    if share >= ENOUGH:
        return f"{told}."
    names = "; ".join(survivors[:NAMED]) + "; ..." * (len(survivors) > NAMED)
    why = "the checks are weak, or these are true as well"
    return f"{told}, below {ENOUGH} percent: {why}: {names}."


def _smallest(trial: Trial) -> str:
    """What of a violation the cases would have noticed."""
    if trial.claim.kind is not Kind.INEQUALITY:
        return "any, exactly"
    if trial.least <= 0:
        return "any factor above 1 on the right side"
    if not isfinite(trial.least):
        return "not a factor of the right side, which is nowhere above 0"
    return f"the right side larger by the factor 1 + 2^{floor(log2(trial.least)) + 1}"
