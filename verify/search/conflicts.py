"""Pairs of hypotheses of one paper that no case was found to meet together.

Two hypotheses are compared on instances of a kind that claims with either of them speak of (the
same sort of data, the same things left to choose): to compare gradient flow with gradient descent
would say nothing. Random cases are drawn for each hypothesis, repaired for it, and asked for all
the others; then for each pair that is left cases repaired for both, in either order. That a pair
was not met together in so many cases, though each of them was met, shows no contradiction: it says
where to look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Any

import numpy as np

from graphs.rationals import RATIONALS
from verify.cases.hypotheses import Hypothesis, asks_cases
from verify.cases.structured_pool import StructuredPool
from verify.cases.tensors import Tensors
from verify.core.claim import Claim
from verify.core.entries import constant_entries
from verify.core.evidence import JointCase
from verify.core.losses import PRESCRIBED
from verify.kinds.solutions.solution_pool import SolutionPool
from verify.search.judging import View, scenes, view

Key = tuple[str, str]  # name and statement
# a hypothesis that cannot be asked of such a case
CANNOT = (ValueError, KeyError, IndexError, ZeroDivisionError)
SOLUTIONS = 12
SURE = 3  # times as many cases for a pair that is about to be told
OF_ANY_CASE = {"selection", "dormant", "direction", "slopes_at_0"}


@dataclass
class _Kind:
    """What was seen on instances of one kind.

    users: for each hypothesis the claims of this kind that have it. settings: what architectures
    these speak of. whats: what the entries of
    these speak of. asked: how many cases that met the first of a pair were asked for the second.
    together: the pairs that were met.
    """

    users: dict[Key, list[Claim]] = field(default_factory=dict)
    hypotheses: dict[Key, Hypothesis] = field(default_factory=dict)
    settings: dict[Key, set[str]] = field(default_factory=dict)
    whats: dict[Key, set[str]] = field(default_factory=dict)
    asked: Counter[tuple[Key, Key]] = field(default_factory=Counter)
    together: set[frozenset[Key]] = field(default_factory=set)

    def add(self, claim: Claim) -> None:
        """One more claim of this kind."""
        for hypothesis in claim.hypotheses:
            self.users.setdefault(_key(hypothesis), []).append(claim)
            self.hypotheses.setdefault(_key(hypothesis), hypothesis)
            self.settings.setdefault(_key(hypothesis), set()).update(_settings(claim))

    def left(self) -> list[tuple[Key, Key]]:
        """The pairs that were not met together, and may be compared: those of one setting that
        are not variants of one hypothesis."""
        return [
            (a, b)
            for a, b in combinations(self.hypotheses, 2)
            if a[0] != b[0]
            and self.settings[a] & self.settings[b]
            and frozenset((a, b)) not in self.together
        ]

    def look(self, first: Key, others: Sequence[Key], random: Random, draws: int) -> None:
        """Draw cases of a claim that has the first hypothesis, repaired for it (in every other
        case for all that the claim has), two of three for a single other too; ask all others."""
        claim = min(self.users[first], key=lambda c: len(c.hypotheses))
        besides = others if len(others) == 1 else ()
        cases: list[Any] = []
        for number in range(draws):
            keys = list(map(_key, claim.hypotheses)) if number % 2 == 0 else [first]
            keys = ([*keys, *besides], keys, [*besides, *keys])[number % 3]
            cases += _drawn(claim, [self.hypotheses[k] for k in keys], random, number)
        for seen in _views(claim, cases):
            own = self._met(claim, seen, first)
            if own is None or not own.any():
                continue
            count = len(np.unique(seen.entries.owner[own]))
            for other in others:
                found = self._met(claim, seen, other)
                if found is None:
                    continue
                self.asked[first, other] += count
                if (own & found).any():
                    self.together.add(frozenset((first, other)))

    def comparable(self, first: Key, second: Key) -> bool:
        """Whether entries of claims with either can be asked for the other: it asks cases as a
        whole, or entries that speak of the same."""
        wholes = [asks_cases(self.hypotheses[key]) for key in (first, second)]
        shared = self.whats.get(first, set()) & self.whats.get(second, set())
        return all(wholes) or bool(shared)

    def often_asked(self, first: Key, second: Key, least: int) -> bool:
        """Whether enough cases that met either hypothesis were asked for the other."""
        return min(self.asked[first, second], self.asked[second, first]) >= least

    def told(self, first: Key, second: Key) -> JointCase:
        """What is said of a pair that was not met together."""
        parts = []
        for name, statement in (first, second):
            users = self.users[name, statement]
            words = statement.replace("\n", " ")
            parts.append(f"{name} ({words}; {_many(users)})")
        cases = self.asked[first, second] + self.asked[second, first]
        text = f"in none of {cases} cases that meet one of them: {' and '.join(parts)}"
        return JointCase((first[0], second[0]), text)

    def _met(self, claim: Claim, seen: View, key: Key) -> np.ndarray | None:
        """The entries that meet a hypothesis; None where it cannot be asked of them."""
        hypothesis = self.hypotheses[key]
        mine = any(claim is user for user in self.users[key])
        what = self.whats.setdefault(key, set())
        if mine:
            what.add(seen.entries.what)
        if not asks_cases(hypothesis) and seen.entries.what not in what:
            return None
        try:
            return np.asarray(hypothesis.test(seen.scene, seen.entries), dtype=bool)
        except CANNOT:
            return None


def conflicts(claims: Sequence[Claim], seed: int, draws: int) -> tuple[JointCase, ...]:
    """The pairs of hypotheses of these claims that were each met, but never together.

    draws: cases for each hypothesis, and for each pair that is left. The answer depends on the
    claims and the seed alone.
    """
    kinds = _by_kind(claims)
    for place, kind in enumerate(kinds.values()):
        random = Random(f"{seed}:conflicts:{place}")
        order = list(kind.hypotheses)
        for first in order:  # the special ones, which come late, ask the general ones
            earlier = order[: order.index(first)]
            left = set(kind.left())
            kind.look(first, [k for k in earlier if (k, first) in left], random, draws)
        for times in (1, SURE):
            for first, second in kind.left():
                if not kind.comparable(first, second):
                    continue
                if times > 1 and not kind.often_asked(first, second, draws // 2):
                    continue
                for one, other in ((second, first), (first, second)):
                    if frozenset((one, other)) not in kind.together:
                        kind.look(one, [other], random, times * draws)
    met = {pair for kind in kinds.values() for pair in kind.together}
    found = {
        frozenset(pair): kind.told(*pair)
        for kind in kinds.values()
        for pair in kind.left()
        if frozenset(pair) not in met and kind.often_asked(*pair, draws)
    }
    return tuple(found.values())


def _many(users: Sequence[Claim]) -> str:
    """Which claims use a hypothesis, in words."""
    return users[0].id if len(users) == 1 else f"{len(users)} claims, such as {users[0].id}"


def _key(hypothesis: Hypothesis) -> Key:
    return hypothesis.name, hypothesis.statement


def _by_kind(claims: Sequence[Claim]) -> dict[tuple[str, ...], _Kind]:
    """The claims by the kind of instance that their pools draw."""
    kinds: dict[tuple[str, ...], _Kind] = {}
    known: dict[str, tuple[str, ...]] = {}
    for claim in claims:
        if claim.judged and claim.pool is not None and claim.hypotheses:
            pool = repr(claim.pool)
            if pool not in known:
                known[pool] = _kind_of(claim)
            kinds.setdefault(known[pool], _Kind()).add(claim)
    return kinds


def _kind_of(claim: Claim) -> tuple[str, ...]:
    """Names of the arrays, or of what cases of networks leave to choose."""
    pool = claim.pool
    assert pool is not None
    if isinstance(pool, SolutionPool):  # a solution takes long to find
        return ("solutions",)
    case = pool.draw(Random(0), n=pool.examples[0], loss=PRESCRIBED, large=False)
    if isinstance(case, Tensors):
        return ("arrays", *sorted(case.arrays), *sorted(case.choice))
    return ("network", *sorted(case.choice.keys() - OF_ANY_CASE))


def _settings(claim: Claim) -> tuple[str, ...]:
    """Names of the architectures that a claim's pool builds, where it is about special ones."""
    if isinstance(claim.pool, StructuredPool):
        return tuple(name for name, _ in claim.pool.planners)
    planner = getattr(claim.pool, "planner", None)
    return ("" if planner is None else planner.__name__,)


def _drawn(
    claim: Claim, hypotheses: Sequence[Hypothesis], random: Random, number: int
) -> Iterator[Any]:
    """A small case of a claim, repaired for these hypotheses; none where that cannot be."""
    pool = claim.pool
    assert pool is not None
    n = pool.examples[number % len(pool.examples)]
    try:
        if isinstance(pool, SolutionPool):
            solutions = pool.solutions_of(0, SOLUTIONS)
            case = solutions[number % len(solutions)]
        else:
            case = pool.draw(random, n=n, loss=PRESCRIBED, large=False)
        for hypothesis in hypotheses:
            case = hypothesis.repair(case, random)
        yield case.exactly()
    except CANNOT:
        return


def _views(claim: Claim, cases: Sequence[Any]) -> Iterator[View]:
    """The cases in scenes, with the entries of the claim; of a statement one for each case, since
    each case meets its hypotheses as a whole."""
    for numbers in scenes(cases):
        batch = [cases[k] for k in numbers]
        try:
            seen = _statement_view(batch) if claim.terms else view(claim, batch, RATIONALS, ())
        except CANNOT:  # one of them
            if len(batch) > 1:
                for case in batch:
                    yield from _views(claim, [case])
            continue
        if len(seen.entries):
            yield seen


def _statement_view(cases: Sequence[Any]) -> View:
    scene = type(cases[0]).scene(cases, RATIONALS)
    entries = constant_entries(scene, [(c, {}, 0) for c in range(len(cases))])
    return View(scene, entries, np.ones(len(cases), dtype=bool), np.zeros(len(cases)))
