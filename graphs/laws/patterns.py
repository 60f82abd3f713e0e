"""Activation patterns that occur: of random rational weights and inputs, with certain signs.

Values are computed in float64 beside a bound on their error; only samples on which every sign is
certain are kept. The points have neighbourhoods with the same pattern, on which the gradients are
polynomials: what holds there for all weights and inputs holds for these polynomials everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from graphs.errors import NetworkError
from graphs.laws.plan import Plan
from graphs.network import FIXED

DENOMINATOR = 2**20
SHORT = 2**10  # of the weights at which conserved functions are counted: they are shown
UNIT = 2.0**-53
SMALLEST = 1e-280  # below it, underflow could hide a sign
REDRAWS = 8


class Patterns:
    """A source of patterns on the region of a plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        net = self.network = plan.network
        # smooth vertices do not count here: whatever they are, nothing that counts reads them
        slopes = [a.slopes if a.homogeneous else (0, 0) for a in net.activations]
        self.slopes = np.array([[as_float(s, "a slope") for s in pair] for pair in slopes])
        self.kinked = self.slopes[:, 0] != self.slopes[:, 1]
        self.kinked[list(plan.silent)] = False
        self.roots = np.sqrt([as_float(s, "a scale") for s in net.scale_squares])
        self.owner = np.array(net.parameter_of, dtype=np.int64)
        self.tails = np.array(net.tails, dtype=np.int64)
        self.fixed = np.array([as_float(f or 0, "a fixed weight") for f in net.fixed])
        self.asked = np.zeros(net.vertex_count, dtype=np.int64)  # 1, -1: the side of the region
        for v, slope in plan.region.items():
            if self.kinked[v]:
                self.asked[v] = 1 if slope == net.activations[v].slopes[1] else -1
        self.turnable = np.array(
            [bool(edges) and all(map(net.own_parameter, edges)) for edges in net.in_edges]
        )

    def draw(self, random: np.random.Generator, count: int) -> np.ndarray:
        """(V, S): for each vertex the side of its kink, True for the right one, at about
        `count` random points, weights and inputs both drawn; fewer where few points lie on the
        region, perhaps none.

        The in-weights of a vertex that share nothing are turned round where the vertex is not on
        the side that was drawn for it.
        """
        return self._drawn(random, count)[0]

    def _drawn(self, random: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
        active = random.choice([0.6, 0.8, 0.95], size=count)
        sides = np.where(random.random((self.network.vertex_count, count)) < active, 1, -1)
        sides = np.where(self.asked[:, None] != 0, self.asked[:, None], sides)
        return self._run(self._weights(random, count), self._inputs(random, count), sides)

    def at(self, random: np.random.Generator, point: Sequence[Fraction], count: int) -> np.ndarray:
        """(V, S), as `draw`, of about `count` random inputs at a point that `point` has given."""
        numerators = np.array(
            [w.numerator * (DENOMINATOR // w.denominator) for w in point], dtype=np.int64
        )
        return self._run(numerators[:, None], self._inputs(random, count), None)[0]

    def point(self, random: np.random.Generator, count: int) -> tuple[Fraction, ...] | None:
        """P weights on the region; without a region such that every vertex changes sides as x
        moves. None where none was found. count: the inputs to try."""
        if self.asked.any():
            right, drawn = self._drawn(random, count)
            if not right.shape[1]:
                return None
            numerators = drawn[:, 0]
        else:
            numerators = self._lively(random, count)
        return tuple(Fraction(n, DENOMINATOR) for n in numerators.tolist())

    def _lively(self, random: np.random.Generator, count: int) -> np.ndarray:
        """(P,) numerators of random weights with which every vertex changes sides as x moves.

        From the inputs on, the in-weights of a vertex that share nothing are drawn a few times, and
        those are kept with which it is on either side for the most equal shares of `count` inputs.
        """
        net = self.network
        unit = DENOMINATOR // SHORT
        numerators = (self._weights(random, 1)[:, 0] // unit | 1) * unit  # none is 0
        post = self._inputs(random, count)
        for v, edges in enumerate(net.in_edges):
            if not len(edges):
                continue
            part = slice(edges[0], edges[-1] + 1)
            weights = self._edge_weights(part, numerators[:, None])[:, 0]
            if self.kinked[v] and self.turnable[v]:
                tried = random.integers(1, SHORT, size=(REDRAWS, len(edges)), endpoint=True)
                tried *= DENOMINATOR // SHORT
                tried *= np.where(random.random(tried.shape) < 0.5, 1, -1)
                share = (tried @ post[self.tails[part]] > 0).mean(axis=1)
                numerators[self.owner[part]] = tried[np.minimum(share, 1 - share).argmax()]
                weights = numerators[self.owner[part]] / DENOMINATOR
            z = weights @ post[self.tails[part]] * self.roots[v]
            post[v] = np.where(z >= 0, self.slopes[v][1], self.slopes[v][0]) * z
        return numerators

    def _weights(self, random: np.random.Generator, count: int) -> np.ndarray:
        size = (self.network.parameter_count, count)
        positive = random.choice([0.5, 0.5, 0.75, 1.0], size=count)
        signs = np.where(random.random(size) < positive, 1, -1)
        large = random.choice([1, 2, 8, 64], size=count)  # else large fixed weights would rule
        return np.asarray(random.integers(1, DENOMINATOR, size=size, endpoint=True) * signs * large)

    def _inputs(self, random: np.random.Generator, count: int) -> np.ndarray:
        """(V, S) values at the inputs, multiples of 1/DENOMINATOR where they are free."""
        net = self.network
        values = np.zeros((net.vertex_count, count))
        positive = random.choice([0.5, 0.5, 0.5, 1.0], size=count)
        large = random.choice([1, 1, 8, 64], size=count)  # else constants would rule
        for v, constant in zip(net.inputs, net.constants, strict=True):
            signs = np.where(random.random(count) < positive, 1, -1)
            drawn = random.integers(1, DENOMINATOR, size=count, endpoint=True) * signs * large
            values[v] = (
                drawn / DENOMINATOR if constant is None else as_float(constant, "a constant")
            )
        return values

    def _run(
        self, numerators: np.ndarray, post: np.ndarray, sides: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The sides and the weights of the samples on the region whose signs are all certain."""
        net = self.network
        numerators = numerators.copy()
        size = np.abs(post)  # a bound on what |z| could be without cancellation
        terms = np.full(net.vertex_count, 2.0)  # how many roundings lie behind a value
        right = np.ones(post.shape, dtype=bool)
        valid = np.ones(post.shape[1], dtype=bool)
        for v, edges in enumerate(net.in_edges):
            if not len(edges):
                continue
            part, tails = slice(edges[0], edges[-1] + 1), self.tails[edges[0] : edges[-1] + 1]
            weights = self._edge_weights(part, numerators)
            z = (weights * post[tails]).sum(axis=0) * self.roots[v]
            size[v] = (np.abs(weights) * size[tails]).sum(axis=0) * self.roots[v]
            reached = ((weights != 0) & (size[tails] > 0)).any(axis=0)
            terms[v] = terms[tails].max() + len(tails) + 8
            if self.kinked[v]:
                if sides is not None and self.turnable[v]:
                    turn = np.where(z * sides[v] < 0, -1, 1)
                    z = z * turn
                    numerators[self.owner[part]] *= turn
                right[v] = z >= 0
                certain = (np.abs(z) > 2 * UNIT * terms[v] * size[v]) & (size[v] > SMALLEST)
                nothing = ~reached & (self.asked[v] == 0)  # identically 0: no kink
                on_side = (self.asked[v] == 0) | (right[v] == (self.asked[v] > 0))
                valid &= (certain & on_side) | nothing
            slope = self.slopes[v][right[v].astype(int)]
            post[v] = slope * z
            size[v] *= np.abs(slope)
        chosen = numerators if numerators.shape[1] == 1 else numerators[:, valid]
        return right[:, valid], chosen

    def _edge_weights(self, part: slice, numerators: np.ndarray) -> np.ndarray:
        owner = self.owner[part]
        learnable = (owner != FIXED)[:, None]
        return np.asarray(
            np.where(learnable, numerators[owner] / DENOMINATOR, self.fixed[part][:, None])
        )


def as_float(number: Fraction | int, what: str) -> float:
    """Raises NetworkError where it is too large."""
    try:
        return float(number)
    except OverflowError as error:
        raise NetworkError(
            f"{what} is beyond float64, in which signs are looked for: give a smaller number"
        ) from error


def distinct(right: np.ndarray) -> np.ndarray:
    """The columns of a boolean array, each once."""
    packed = np.ascontiguousarray(np.packbits(right, axis=0).T)
    rows = packed.view(np.dtype((np.void, packed.shape[1])))[:, 0] if packed.size else packed
    first = np.unique(rows, return_index=True)[1] if packed.size else np.zeros(0, dtype=int)
    return np.asarray(right[:, np.sort(first)])


class GivenRegion:
    """The one pattern of a region that is known to occur at given weights."""

    def __init__(self, plan: Plan, weights: Sequence[Fraction]) -> None:
        self.plan = plan
        self.weights = tuple(weights)
        if any(slope is None and v in plan.in_edges for v, slope in enumerate(plan.slopes)):
            raise ValueError("a vertex has no slope: a point needs a region with all of them")

    def draw(self, random: np.random.Generator, count: int) -> np.ndarray:
        """(V, S): nothing is left to choose."""
        return np.ones((self.plan.network.vertex_count, count), dtype=bool)

    def at(self, random: np.random.Generator, point: Sequence[Fraction], count: int) -> np.ndarray:
        """(V, S): nothing is left to choose."""
        return self.draw(random, count)

    def point(self, random: np.random.Generator, count: int) -> tuple[Fraction, ...]:
        """The weights given."""
        return self.weights
