"""Upper bounds for the number of laws in each block, from samples, modulo a prime.

A law Q satisfies dQ/dw . sum_o kappa_o dnu_o/dw = 0 for every w, x, kappa: one equation for each
sample, with inputs *and* loss derivatives drawn (several equations from one sample would be
dependent). Equations can only be too few, and a rank modulo p only too small: the nullity is at
least the number of laws, without any probability.
"""

from __future__ import annotations

import numpy as np

from graphs.errors import NetworkError
from graphs.laws.grading import Blocks
from graphs.laws.modular import nullspace, rank, ranks
from graphs.laws.passes import Passes
from graphs.laws.patterns import GivenRegion, Patterns, distinct
from graphs.laws.plan import Plan

TOGETHER = 48  # blocks up to this size are eliminated together
SPARE = 3  # samples beyond the number of unknowns
POINTS = 192  # points at which patterns are looked for at once
DRAWS = 40  # attempts to find points on the region


class Samples:
    """Residues of weights (m + 1, S) and gradients (m + 1, S); the last row is the constant 1.

    Patterns are drawn of actual points; for each sample one of them is taken, with fresh residues.
    """

    def __init__(
        self, plan: Plan, patterns: Patterns | GivenRegion, random: np.random.Generator
    ) -> None:
        self.plan = plan
        self.random = random
        self.passes = Passes(plan)
        self.patterns = patterns
        self.pool = np.zeros((plan.network.vertex_count, 0), dtype=bool)
        self.share = np.zeros(0)  # how often each pattern is taken
        self.size_widened = 0  # the number of samples for which patterns were last looked for
        self.weights = np.zeros((plan.size + 1, 0), dtype=np.int64)
        self.gradients = np.zeros((plan.size + 1, 0), dtype=np.int64)

    def ensure(self, count: int) -> None:
        """Have at least so many samples.

        Raises NetworkError where no point on the region of the plan is found.
        """
        missing = count - self.weights.shape[1]
        if missing <= 0:
            return
        if not self.share.size or count >= 2 * self.size_widened:
            self._widen()
            self.size_widened = count
        missing = max(missing, SPARE)
        weights = self.plan.field.draw(self.random, 1, self.plan.size, missing)
        # a pattern with many parameters that move says more than one with few
        chosen = self.random.choice(self.pool.shape[1], size=missing, p=self.share)
        gradients = self._gradients(weights, self.pool[:, chosen])
        ones, zeros = np.ones((1, missing), dtype=np.int64), np.zeros((1, missing), dtype=np.int64)
        self.weights = np.hstack([self.weights, np.vstack([weights[0], ones])])
        self.gradients = np.hstack([self.gradients, np.vstack([gradients, zeros])])

    def _widen(self) -> None:
        """Draw more points, and keep the patterns that are new."""
        for _ in range(DRAWS):
            drawn = self.patterns.draw(self.random, POINTS)
            free = self.passes.free[:, None]
            self.pool = distinct(np.hstack([self.pool, drawn | ~free]))
            if self.pool.shape[1]:
                break
        else:
            names = ", ".join(
                f"{self.plan.network.names[v]}={slope}" for v, slope in self.plan.region.items()
            )
            if not names:
                raise NetworkError(
                    f"no sample of {self.plan.network} has signs that are certain: change its "
                    "fixed weights"
                )
            raise NetworkError(
                f"no weights and input found with the slopes {names}: give slopes that occur "
                "together"
            )
        weights = self.plan.field.draw(self.random, 1, self.plan.size, self.pool.shape[1])
        moved = np.count_nonzero(self._gradients(weights, self.pool), axis=0) + 1e-9
        self.share = moved / moved.sum()

    def _gradients(self, weights: np.ndarray, right: np.ndarray) -> np.ndarray:
        examples = self.passes.examples(self.random, right)
        return np.asarray(self.passes.gradients(weights, examples)[0])

    def rows(self, first: np.ndarray, second: np.ndarray, neutral: bool, count: int) -> np.ndarray:
        """(..., R, k): equations for unknowns (..., k), from `count` samples.

        In a neutral block one for each sample, else two, one for each sign of the character.
        """
        p = self.passes.p
        part = slice(0, count)
        w, g = self.weights[:, part], self.gradients[:, part]
        there = w[first] * g[second] % p
        back = w[second] * g[first] % p
        both = (there + back) % p if neutral else np.concatenate([there, back], axis=-1)
        return np.asarray(np.swapaxes(both, -1, -2))


def nullities(samples: Samples, blocks: Blocks, proved: np.ndarray, limit: int) -> np.ndarray:
    """(B,): the nullity of each block, at least the number of laws in it; -1 where a block has more
    than `limit` unknowns and was not looked at.

    proved: (B,) the laws that are known; blocks that have more are looked at again with more
    samples.
    """
    sizes = blocks.sizes
    result = np.where(sizes > limit, -1, sizes)
    for size in np.unique(sizes[sizes <= limit]).tolist():
        for neutral in (False, True):
            chosen = np.flatnonzero((sizes == size) & (blocks.neutral == neutral))
            for times in (1, 2, 4):
                if not len(chosen):
                    break
                count = times * (size + SPARE if neutral else size // 2 + SPARE)
                samples.ensure(count)
                result[chosen] = size - _ranks(samples, blocks, chosen, neutral, size, count)
                chosen = chosen[result[chosen] > proved[chosen]]
    return result


def remainder(samples: Samples, blocks: Blocks, block: int, chosen: np.ndarray) -> np.ndarray:
    """A basis modulo p of what the samples leave of the chosen unknowns of one block, the others
    being 0."""
    neutral = bool(blocks.neutral[block])
    count = 4 * (len(chosen) + SPARE)
    samples.ensure(count)
    rows = samples.rows(blocks.first[chosen], blocks.second[chosen], neutral, count)
    return nullspace(rows, samples.passes.p)


def _ranks(
    samples: Samples, blocks: Blocks, chosen: np.ndarray, neutral: bool, size: int, count: int
) -> np.ndarray:
    places = blocks.starts[chosen][:, None] + np.arange(size)
    if size == 1 and not neutral:
        gradients = samples.gradients[:, :count] != 0
        moved = gradients.any(axis=1)
        places = places[:, 0]
        return np.asarray(moved[blocks.first[places]] | moved[blocks.second[places]], dtype=int)
    if size <= TOGETHER:
        parts = [
            ranks(
                samples.rows(blocks.first[some], blocks.second[some], neutral, count),
                samples.passes.p,
            )
            for some in np.array_split(places, 1 + places.size * count // 2_000_000)
        ]
        return np.concatenate(parts)
    return np.array(
        [
            rank(
                samples.rows(blocks.first[some], blocks.second[some], neutral, count),
                samples.passes.p,
            )
            for some in places
        ]
    )
