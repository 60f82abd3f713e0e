"""An upper bound for the number of independent conserved functions of any kind, near a point.

A function that gradient flow conserves whatever the data and the loss is constant along every
field X = sum_o kappa_o grad nu_o(x; .), so along their brackets too. Near a point w0 the
independent ones number at most m - r, where r is the rank at w0 of any brackets one has collected.
Values of brackets are derivatives of gradients along gradients, computed with jets modulo a prime:
the rank found is at most r. No expected count enters; only that proved laws meet a bound ends the
search for a better one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphs.errors import NetworkError
from graphs.laws.law import ONE, Law
from graphs.laws.modular import rank
from graphs.laws.passes import Examples, Passes
from graphs.laws.patterns import GivenRegion, Patterns, distinct
from graphs.laws.plan import Plan

DEEPEST = 8  # fields in a bracket
WORK = 20_000_000  # products of residues for one batch of brackets; deeper ones need more
STEPS = 30_000  # levels that the passes for one batch of brackets go through
FIRST = 256  # fields tried at first
CANDIDATES = 4  # points to choose from
INPUTS = 96  # inputs tried at each point


@dataclass(frozen=True)
class Bound:
    """At most `count` independent conserved functions near `point`, by brackets of up to `depth`
    fields. point: by parameter of the network. lower: the rank there of the gradients of laws."""

    count: int
    lower: int
    depth: int
    point: tuple[Fraction, ...]


def bound(
    plan: Plan,
    patterns: Patterns | GivenRegion,
    laws: LawGradients,
    random: np.random.Generator,
    tries: int = 2,
) -> Bound:
    """The best bound of a few points, the first that the laws meet if there is one.

    Raises NetworkError where no point on the plan's region is found.
    """
    passes = Passes(plan)
    best: Bound | None = None
    for point in _points(plan, passes, patterns, random)[:tries]:
        found = _at(plan, passes, patterns, point, laws, random)
        if best is None or found.count - found.lower < best.count - best.lower:
            best = found
        if best.count == best.lower:
            break
    if best is None:
        raise NetworkError("no weights and input found on the region: give slopes that occur")
    return best


class LawGradients:
    """The gradients of laws: their rank at a point is the number of independent ones, at least.

    terms: arrays of the laws' monomials, one entry for each: law, first and second parameter (by
    place in the plan, m for the constant 1), coefficient modulo p.
    """

    def __init__(self, plan: Plan, laws: Sequence[Law]) -> None:
        self.count, self.size, self.p = len(laws), plan.size, plan.field.p
        place = {p: k for k, p in enumerate(plan.parameters)} | {ONE: plan.size}
        rows = [
            (number, place[e], place[f], plan.field.residue(c))
            for number, law in enumerate(laws)
            for e, f, c in law.terms
        ]
        self.terms = tuple(np.array(rows, dtype=np.int64).reshape(len(rows), 4).T)

    def rank(self, weights: np.ndarray) -> int:
        """The rank modulo p at residues (m,) of the weights."""
        law, first, second, coefficient = self.terms
        extended = np.append(weights, 1)
        matrix = np.zeros((self.count, self.size + 1), dtype=np.int64)
        np.add.at(matrix, (law, first), coefficient * extended[second] % self.p)
        np.add.at(matrix, (law, second), coefficient * extended[first] % self.p)
        return rank(matrix[:, : self.size] % self.p, self.p)


def _points(
    plan: Plan, passes: Passes, patterns: Patterns | GivenRegion, random: np.random.Generator
) -> list[tuple[Fraction, ...]]:
    """Points of the region, first those near which most parameters move, in most patterns."""
    free = any(slope is None and v in plan.in_edges for v, slope in enumerate(plan.slopes))
    scored = []
    for number in range(CANDIDATES if free else 1):
        point = patterns.point(random, INPUTS)
        if point is None:
            continue
        pool = _pool(passes, patterns, point, random, INPUTS)
        weights = plan.field.draw(random, 1, plan.size, pool.shape[1])
        gradients = passes.gradients(weights, passes.examples(random, pool))[0]
        moved = int(gradients.any(axis=1).sum())
        scored.append((-moved, -pool.shape[1], number, point))
    return [point for *_, point in sorted(scored)]


def _pool(
    passes: Passes,
    patterns: Patterns | GivenRegion,
    point: Sequence[Fraction],
    random: np.random.Generator,
    count: int,
) -> np.ndarray:
    """The patterns of `count` inputs at a point, each once."""
    return distinct(patterns.at(random, point, count) | ~passes.free[:, None])


def _at(
    plan: Plan,
    passes: Passes,
    patterns: Patterns | GivenRegion,
    point: Sequence[Fraction],
    laws: LawGradients,
    random: np.random.Generator,
) -> Bound:
    """The bound at one point, with more and more brackets until the laws meet it."""
    p = passes.p
    weights = np.array([plan.field.residue(point[k]) for k in plan.parameters], dtype=np.int64)
    lower = laws.rank(weights)
    collected = np.zeros((0, plan.size), dtype=np.int64)
    span = 0
    depth = 1
    pool = _pool(passes, patterns, point, random, 4 * INPUTS)
    reached = 1
    while depth <= DEEPEST and pool.shape[1] and span < plan.size - lower:
        count = min(plan.size - span + 4, WORK // (3 ** (depth - 1) * len(plan.edges)))
        if depth == 1 and not span:
            count = min(count, FIRST)  # enough where few functions of the data occur
        if count < 4 or 3 ** (depth - 1) * len(plan.forward) > STEPS:
            break
        reached = depth
        generators = [_drawn(passes, pool, count, random) for _ in range(depth)]
        here = np.repeat(weights[None, :, None], count, axis=2)
        collected = np.vstack([collected, bracket(passes, generators, here)[0].T])
        larger = rank(collected, p)
        depth += larger - span < count  # where all were new there may be more
        span = larger
    return Bound(plan.size - span, lower, reached, tuple(point))


def bracket(passes: Passes, generators: Sequence[Examples], weights: np.ndarray) -> np.ndarray:
    """(J, m, S): the values of [X_1, [X_2, ... X_k]] at jets of weights (J, m, S).

    generators: the examples of each X_i, the j-th of each making the j-th bracket.
    """
    first, rest = generators[0], generators[1:]
    if not rest:
        return passes.gradients(weights, first)
    size = len(weights)
    along = passes.gradients(weights, first)
    inner = bracket(passes, rest, np.concatenate([weights, along]))
    outer = passes.gradients(np.concatenate([weights, inner[:size]]), first)
    return np.asarray((inner[size:] - outer[size:]) % passes.p)


def _drawn(passes: Passes, pool: np.ndarray, count: int, random: np.random.Generator) -> Examples:
    """Examples with patterns of the pool."""
    chosen = random.integers(0, pool.shape[1], size=count)
    return passes.examples(random, pool[:, chosen])
