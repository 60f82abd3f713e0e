"""The nearest statements that stand: what a false statement in the language may have meant.

Statements that differ from it in one place (verify.language.edits), and the statement under one
more hypothesis, are put before the same cases: random ones, corners and all small ones. Those stand
that say something of enough cases, fail in none, and of which an edit in turn does fail, so that
the cases could have told. They are candidates, and no more: each is a claim to be stated and
checked by itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from random import Random
from typing import Any

import numpy as np

from graphs.errors import NotRationalError, TooManyPathsError
from graphs.rationals import RATIONALS
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import CaseError, Tensors
from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Mutant, Outcome
from verify.language.domains import Array, Domain
from verify.language.edits import edits
from verify.language.frames import TooManyRowsError
from verify.language.latex import formula, names_in
from verify.language.operators import RELATIONS
from verify.language.sorts import INT, MAT, NUM, VEC
from verify.language.statements import Statement, leaves
from verify.language.terms import Term, TermError, make, text_of
from verify.methods.context import Context, Inquiry
from verify.methods.corners import corners as corners_of
from verify.methods.enumeration import enumeration
from verify.methods.pointwise import pointwise
from verify.methods.search import search
from verify.search.certificates import case_of
from verify.search.judging import violates
from verify.search.mutants.draws import batches, corners, listed, neighbours, rounds
from verify.statements.stated import symmetrised

FEWEST = 12  # cases of which a statement that stands says something
FEWEST_LARGER = 6  # of these, with nothing of size one
OWN = 60  # cases drawn for a hypothesis that few others meet
MOST = 80  # statements that are tried
SHOWN = 6
LONGEST = 8.0  # CPU seconds: what is left then is not tried
DRAWS = 96
NEIGHBOURS = 12  # cases near a counterexample
LISTED = 300  # small cases, in the units of verify.search.enumeration
CORNERS = 24
STANDS = "stands"
BY_RULE = (
    *("strictness", "relation", "sign", "exponent", "constant", "index"),
    *("transpose", "order", "bound", "operator", "factor", "dropped"),
)
"""The likeliest slips first."""


class TimeIsUpError(Exception):
    """What is left is not tried."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A statement near another one, how it differs, and cases of its own."""

    rule: str
    change: str
    statement: Statement
    cases: tuple[Any, ...] = ()


def nearest(claim: Claim, context: Context) -> Evidence | None:
    """Look for statements near a false one that stand. None for one that is not in the language, or
    about a limit: its cases are exact solutions."""
    if claim.terms is None or claim.pool is None or claim.kind is Kind.LIMIT:
        return None
    inquiry = Inquiry("nearest", context)
    random = context.random(claim, "nearest")
    found = chain(
        *rounds(claim, random, DRAWS),
        corners(claim, random, CORNERS),
        listed(claim, random, LISTED),
        batches(counterexamples(claim, context, random)),
    )
    shared = [batch for batch in found if batch]
    standing: list[Candidate] = []
    tried, until = 0, time.process_time() + LONGEST
    for one in islice(candidates(claim, random), MOST):
        looked_at = [*batches(one.cases), *shared] if one.cases else shared
        try:
            met = _met_by(one.statement, looked_at, until)
            if met and _could_fail(one.statement, met, until):
                standing.append(one)
        except TimeIsUpError:
            break
        tried += 1
    inquiry.instances = sum(map(len, shared))
    inquiry.figures = {"tried": tried, STANDS: len(standing)}
    inquiry.scope = ("statements that differ in one place, before the same cases",)
    shown = list({one.change: one for one in standing}.values())[:SHOWN]
    told = tuple(Mutant(one.rule, one.change, STANDS) for one in shown)
    words = "; ".join(one.change for one in shown) or "none of them"
    return inquiry.finds(
        Outcome.SUPPORTS,
        f"of {tried} statements that differ in one place these stand: {words}.",
        mutants=told,
    )


def counterexamples(claim: Claim, context: Context, random: Random) -> list[Any]:
    """A case at which the claim fails, as the methods find it, and cases near it."""
    for method in (pointwise, corners_of, enumeration, search):
        evidence = method(claim, context)
        if evidence is not None and evidence.outcome is Outcome.REFUTES and evidence.certificate:
            case = case_of(claim, evidence.certificate["case"])
            return [case, *neighbours(claim, case, random, NEIGHBOURS, zeros=True)]
    return []


def candidates(claim: Claim, random: Random) -> Iterator[Candidate]:
    """Statements with one more hypothesis, or one change, the likeliest slips first."""
    statement = claim.terms
    assert statement is not None
    for name, (term, adapted) in hypotheses_of(statement.domain).items():
        cases = () if adapted is None else tuple(adapted(claim.pool, random) for _ in range(OWN))
        given = {**statement.given, name: term}
        yield Candidate("hypothesis", f"if {name}", _made(statement, statement.says, given), cases)
    names = names_in(statement.says)
    likeliest = partial(sorted, key=lambda one: BY_RULE.index(one.rule))
    for edit in edits(statement.says, likeliest):
        try:
            changed = _made(statement, edit.says, statement.given)
        except TermError:  # it says nothing of a case
            continue
        if changed.domain == statement.domain and not any(map(_empty, leaves(edit.says))):
            words = rf"${formula(edit.old, names)}$ should be ${formula(edit.new, names)}$"
            yield Candidate(edit.rule, words, changed)


def _empty(leaf: Term) -> bool:
    """Whether a relation has the same on both sides."""
    if leaf.op not in RELATIONS:
        return False
    one, other = leaf.args
    return bool(one.free == other.free and text_of(one) == text_of(other))


def _made(statement: Statement, says: Term, given: Any) -> Statement:
    return replace(statement, says=says, given=given)


Draw = Callable[[Any, Random], Any]


def hypotheses_of(domain: Domain) -> dict[str, tuple[Term, Draw | None]]:
    """What is often forgotten about the arrays of a domain, or about networks; and what draws cases
    of it, where they are rare."""
    found: dict[str, tuple[Term, Draw | None]] = {}
    for array in domain.arrays.values():
        term, letter = array.term, f"${formula(array.term)}$"
        if array.sort == MAT:
            square = make("eq", make("rows", term), make("cols", term))
            symmetric = make("and", square, make("eq", term, make("transpose", term)))
            invertible = make("and", square, make("ne", make("det", term), 0))
            as_square = partial(_square, array)
            found[f"{letter} is square"] = square, as_square
            found[f"{letter} is symmetric"] = symmetric, partial(_symmetric, array)
            found[f"{letter} is invertible"] = invertible, as_square
        if array.sort in (MAT, VEC):
            found[f"{letter} is not 0"] = make("gt", make("frob2", term), 0), None
        if array.sort in (NUM, INT):
            found[f"{letter} is not 0"] = make("ne", term, 0), None
            found[f"{letter} is positive"] = make("gt", term, 0), None
            found[f"{letter} is at least 0"] = make("ge", term, 0), None
    if domain.network:
        found |= {name: (term, None) for name, term in _of_networks().items()}
    return found


def _of_networks() -> dict[str, Term]:
    edges, inner = make("edges"), make("minus", make("vertices"), make("inputs"))
    return {
        "every edge has a weight of its own": make(
            "each", edges, lambda e: make("eq", make("card", make("users", e)), 1)
        ),
        "no weight is 0": make("each", edges, lambda e: make("ne", make("weight", e), 0)),
        "there is one example": make("eq", make("card", make("examples")), 1),
        "all activations are linear": make(
            "each", inner, lambda v: make("eq", make("slope_left", v), make("slope_right", v))
        ),
    }


def _square(array: Array, pool: TensorPool, random: Random) -> Tensors:
    """A case in which a matrix is square: its two axes are one."""
    rows, columns = array.axes
    arrays = tuple(
        (name, tuple(rows if axis == columns else axis for axis in axes))
        for name, axes in pool.arrays
    )
    case = replace(pool, arrays=arrays, adapt=None).draw(random, large=False)
    try:
        return case if pool.adapt is None else pool.adapt(case, random)
    except CaseError:  # it changes one of the axes that are one now
        return case


def _symmetric(array: Array, pool: TensorPool, random: Random) -> Tensors:
    """A case in which a matrix is symmetric."""
    case: Tensors = symmetrised(array, _square(array, pool, random))
    return case


def _met_by(statement: Statement, looked_at: Sequence[Any], until: float) -> list[Any]:
    """The cases of which it says something; none where it fails in one of them, or where they are
    few or nearly all of size one."""
    met: list[Any] = []
    for batch in looked_at:
        cases, failed = _look(statement, batch, until)
        if failed:
            return []
        met += cases
    enough = len(met) >= FEWEST and sum(map(_larger, met)) >= FEWEST_LARGER
    return met if enough else []


def _larger(case: Any) -> bool:
    """Whether nothing about a case has size one."""
    if isinstance(case, Tensors):
        return min(case.lengths.values(), default=2) > 1
    return len(case.network.inner) > 2


def _could_fail(statement: Statement, cases: Sequence[Any], until: float) -> bool:
    """Whether a statement near it fails in some of the cases."""
    looked_at = list(batches(cases))
    for edit in edits(statement.says, partial(sorted, key=lambda one: one.keeps_leaves)):
        try:
            changed = _made(statement, edit.says, statement.given)
        except TermError:
            continue
        if any(_look(changed, batch, until)[1] for batch in looked_at):
            return True
    return False


def _look(statement: Statement, batch: Sequence[Any], until: float) -> tuple[list[Any], bool]:
    """The cases of a batch of which a statement says something, and whether it fails in one. What
    cannot be evaluated fails. until: by the CPU clock. Raises TimeIsUpError."""
    if time.process_time() > until:
        raise TimeIsUpError
    scene = type(batch[0]).scene(batch, RATIONALS)
    kind = Kind.INEQUALITY if statement.ordered else Kind.IDENTITY
    try:
        entries = statement.measure(scene)
        admitted = np.ones(len(batch), dtype=bool)
        for name in statement.given:
            admitted &= statement.hypothesis(name)(scene)
    except (NotRationalError, TooManyPathsError, TooManyRowsError, TermError):
        return [], True
    chosen = np.flatnonzero(admitted[entries.owner])
    failed = any(violates(kind, entries.values[k]) for k in chosen)
    return [batch[c] for c in sorted(set(entries.owner[chosen].tolist()))], failed
