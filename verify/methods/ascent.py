"""Gradient ascent on the violation of a claim: from many cases uphill, in floats, with derivatives.

Batches of different cases climb at once (verify.search.climbing), first in long steps, then in
short ones; in between the numbers become rationals and the hypotheses repair them. The highest
points become small exact instances (verify.search.rationalising), and one that violates the claim
exactly goes through the admission gate. What was a violation in floats alone is counted as an
artefact.

Inequalities get several shapes. An identity is flat where it holds: of identities and laws only
those cases climb that have an entry which is not 0, be it one that does not meet the hypotheses
yet. Nothing climbs where a hypothesis is thin: there every step would end in a repair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Outcome
from verify.core.losses import PRESCRIBED
from verify.methods.context import Context, Inquiry
from verify.methods.pointwise import refutation
from verify.search.admission import Admitted, admit
from verify.search.drawing import draw
from verify.search.judging import view
from verify.search.rationalising import Exactness, instances_near, settled, violating

if TYPE_CHECKING:
    from verify.search.climbing import Climbed

CLIMBED = (Kind.INEQUALITY, Kind.IDENTITY, Kind.LAW)
ROUNDS = ((0.75, (0.2, 0.003)), (0.25, (0.01, 0.00001)))  # shares of the steps, and step sizes
EQUATIONS = 3  # they climb so many times fewer steps
HIGHEST = 2  # points of a batch that are made exact in a round
NEAR = 1e-2  # a point further below 0 is made exact in the last round alone
GRID = 2**40  # the numbers between rounds are multiples of 1/GRID


@dataclass
class Ascent:
    """What the ascent has seen so far. met: starts at which, or on the way from which, an entry met
    the hypotheses; steps: of all batches; largest: the largest normalised violation in floats;
    artefacts: points that violate the claim in floats and not exactly; flat: starts all of whose
    entries are 0; sizes: how many numbers each start has."""

    starts: int = 0
    met: int = 0
    steps: int = 0
    largest: float = -np.inf
    artefacts: int = 0
    exactness: Exactness = field(default_factory=Exactness)
    flat: int = 0
    sizes: list[int] = field(default_factory=list)

    def figures(self, claim: Claim) -> dict[str, int | float | str]:
        """For the evidence."""
        named: dict[str, int | float | str] = {"starts": self.starts, "steps": self.steps}
        if self.sizes:
            named["numbers of a start"] = f"{min(self.sizes)} to {max(self.sizes)}"
        if np.isfinite(self.largest):
            named["largest violation in floats"] = f"{self.largest + 0.0:.1e}"
        if claim.kind is not Kind.INEQUALITY:
            named["flat"] = self.flat
        named["vanished when made exact"] = self.artefacts
        named["judged exactly"] = self.exactness.judged
        if claim.kind is Kind.INEQUALITY:
            named["slack 0"] = self.exactness.touches
            if np.isfinite(self.exactness.largest):
                named["largest violation exactly"] = f"{self.exactness.largest + 0.0:.1e}"
        return named


def ascent(claim: Claim, context: Context) -> Evidence | None:
    """Climb from random cases towards a violation; the first exact one goes through the gate."""
    if claim.kind not in CLIMBED or claim.exact_only or claim.pool is None or not claim.judged:
        return None
    if any(hypothesis.thin for hypothesis in claim.hypotheses):
        return None
    inquiry = Inquiry("ascent", context)
    random = context.random(claim, "ascent")
    seen = Ascent()
    found = None
    for batch in _batches(claim, context, random):
        found = _climb(claim, context, batch, random, seen)
        if found is not None:
            break
    inquiry.figures = seen.figures(claim)
    inquiry.instances = seen.met
    inquiry.scope = ("gradient ascent from random cases",)
    if found is not None:
        admitted = admit(claim, found, context.budget.shrink_steps)
        if isinstance(admitted, Admitted):
            return refutation(inquiry, claim, admitted, seen.starts)
        why = f"a suspected violation was not admitted: {admitted.reason}"
        return inquiry.finds(admitted.outcome, why)
    return inquiry.finds(Outcome.SUPPORTS, f"no violation uphill from {seen.met} cases.")


def _climb(
    claim: Claim, context: Context, batch: list[Any], random: Random, seen: Ascent
) -> Any | None:
    """Climb from one batch, in rounds. Returns an exact case that violates the claim, or None."""
    from verify.search.climbing import climb

    seen.starts += len(batch)
    seen.sizes += [len(case.numbers) for case in batch]
    if claim.kind is not Kind.INEQUALITY:
        decided, steep = _not_flat(claim, batch, context.device)
        seen.met += int((decided & ~steep).sum())
        seen.flat += int((~steep).sum())
        batch = [batch[k] for k in np.flatnonzero(steep)]
    if not batch:
        return None
    met, divisor = 0, 1 if claim.kind is Kind.INEQUALITY else EQUATIONS
    for number, (share, rates) in enumerate(ROUNDS, start=1):
        steps = round(share * context.budget.ascent_steps / divisor)
        reached = climb(claim, batch, random, steps, rates, context.device)
        seen.steps += reached.steps
        met = max(met, int(np.isfinite(reached.violations).sum()))
        seen.largest = max([seen.largest, *reached.violations.tolist()])
        found = _made_exact(claim, batch, reached, random, seen, last=number == len(ROUNDS))
        if found is not None or not reached.steps:
            break
        batch = _next(claim, batch, reached, random)
    seen.met += met
    return found


def _not_flat(claim: Claim, batch: list[Any], device: str) -> tuple[np.ndarray, np.ndarray]:
    """(C,) each: whether a case has an entry that meets the hypotheses, and whether it has one
    that is not 0, by enclosures."""
    from numerics.enclosures import Balls

    seen = view(claim, batch, Balls(device))
    middle, radius = seen.entries.values.to_numpy()
    met, steep = np.zeros(len(batch), dtype=bool), np.zeros(len(batch), dtype=bool)
    met[seen.entries.owner[seen.admitted]] = True
    steep[seen.entries.owner[np.abs(middle) > radius]] = True
    return met, steep


def _made_exact(
    claim: Claim, batch: list[Any], reached: Climbed, random: Random, seen: Ascent, *, last: bool
) -> Any | None:
    """An exact case near one of the highest points that violates the claim, or None."""
    from verify.search.climbing import NOISE

    for place, k in enumerate(np.argsort(-reached.violations, kind="stable")[:HIGHEST]):
        violation = reached.violations[k]
        near = violation > (-NEAR if claim.kind is Kind.INEQUALITY else NOISE)
        highest = last and place == 0 and claim.kind is Kind.INEQUALITY
        if not np.isfinite(violation) or not (near or highest):
            break
        instances = instances_near(claim, batch[k], reached.numbers[k], random)
        found = violating(claim, [*instances, batch[k]], seen.exactness)
        if found is not None:
            return found
        seen.artefacts += bool(violation > 0)
    return None


def _next(claim: Claim, batch: list[Any], reached: Climbed, random: Random) -> list[Any]:
    """The batch where it got to, made rational and repaired; a case that got nowhere stays."""
    cases = []
    for case, numbers in zip(batch, reached.numbers, strict=True):
        if np.isfinite(numbers).all():
            rationals = [Fraction(round(x * GRID), GRID) for x in numbers.tolist()]
            case = settled(claim, case.with_numbers(rationals), random)
        cases.append(case)
    return _largest(cases)


def _largest(cases: list[Any]) -> list[Any]:
    """The largest batch that some cases make: all of them, where they have one shape."""
    batches = [list(batch) for batch in type(cases[0]).batches(cases)]
    return max(batches, key=len)


def _batches(claim: Claim, context: Context, random: Random) -> Iterator[list[Any]]:
    """Batches to start from: small and middle-sized cases of the pool, corners among them; where
    instances of one shape are few, more of that shape with other numbers."""
    assert claim.pool is not None
    count, groups = context.budget.ascent_starts, context.budget.ascent_groups
    drawn: list[list[Any]] = []
    for number in range(groups if claim.kind is Kind.INEQUALITY else 1):
        n = claim.pool.examples[(number + 1) % len(claim.pool.examples)]
        cases = [draw(claim, random, n=n, loss=PRESCRIBED, large=k % 2 == 1) for k in range(count)]
        drawn += [list(batch) for batch in type(cases[0]).batches(cases) if batch]
    drawn.sort(key=lambda batch: max(len(case.numbers) for case in batch))
    shares = [round(k * (len(drawn) - 1) / max(1, groups - 1)) for k in range(groups)]
    for place in dict.fromkeys(shares if drawn else ()):
        batch = drawn[place]
        own = len(batch)
        while len(batch) < count:
            batch.append(_other_numbers(claim, batch[len(batch) % own], random))
        yield _meeting(claim, _largest(batch), context.device)


def _meeting(claim: Claim, batch: list[Any], device: str) -> list[Any]:
    """The cases that have an entry that meets the hypotheses; all of them where none has."""
    from numerics.floats import Floats

    seen = view(claim, batch, Floats(device))
    met = sorted(set(seen.entries.owner[seen.admitted].tolist()))
    return [batch[k] for k in met] if met and claim.kind is Kind.INEQUALITY else batch


def _other_numbers(claim: Claim, case: Any, random: Random) -> Any:
    """The case with numbers like rounded Gaussians in place of its own."""
    numbers = [Fraction(round(random.gauss(0, 1) * 16), 16) for _ in case.numbers]
    return settled(claim, case.with_numbers(numbers), random)
