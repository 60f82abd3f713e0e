"""Gradients modulo a prime for many examples at once, also of perturbed weights.

Weights may be *jets*: residues a_S for each subset S of k infinitesimals e_1, ..., e_k with
e_i^2 = 0, laid out along a first axis of length 2^k (bit i of the place says whether e_i is in S).
The coefficient of e_1 in f(w + e_1 d) is the derivative of f at w along d, exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from graphs.laws.plan import Plan


@dataclass(frozen=True)
class Examples:
    """S examples: residues of inputs and of the derivatives of a loss, and the slopes at vertices.

    inputs: (V, S), used at the inputs. slopes: (V, S). kappa: (V, S), used at the outputs.
    """

    inputs: np.ndarray
    slopes: np.ndarray
    kappa: np.ndarray

    def __len__(self) -> int:
        return int(self.inputs.shape[1])


class Passes:
    """Forward and backward passes through the part of a network that a plan holds."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.p = plan.field.p
        network = plan.network
        self.roots = np.array([plan.field.root(s) for s in network.scale_squares], dtype=np.int64)
        self.known = np.array(
            [0 if s is None else plan.field.residue(s) for s in plan.slopes], dtype=np.int64
        )
        # as in graphs.laws.patterns: smooth vertices do not count here
        nothing = (Fraction(0), Fraction(0))
        slopes = [a.slopes if a.homogeneous else nothing for a in network.activations]
        self.sides = np.array(
            [[plan.field.residue(s) for s in pair] for pair in slopes], dtype=np.int64
        )
        self.free = np.array([s is None for s in plan.slopes], dtype=bool)

    def examples(self, random: np.random.Generator, right: np.ndarray) -> Examples:
        """Examples with random inputs and loss derivatives. right: (V, S) the side of each kink."""
        count = right.shape[1]
        field, network = self.plan.field, self.plan.network
        chosen = np.where(right, self.sides[:, 1:], self.sides[:, :1])
        slopes = np.where(self.free[:, None], chosen, self.known[:, None])
        inputs = np.zeros(right.shape, dtype=np.int64)
        inputs[list(network.inputs)] = field.draw(random, len(network.inputs), count)
        for v, value in self.plan.constants.items():
            inputs[v] = field.residue(value)
        kappa = np.zeros(right.shape, dtype=np.int64)
        kappa[list(network.outputs)] = field.draw(random, len(network.outputs), count)
        return Examples(inputs, slopes, kappa)

    def gradients(self, weights: np.ndarray, examples: Examples) -> np.ndarray:
        """(J, m, S): sum_o kappa_o dnu_o/dw, of jets (J, m, S) of the parameters that move."""
        plan, p = self.plan, self.p
        by_edge = self._by_edge(weights)
        gains = (examples.slopes * self.roots[:, None]) % p
        shape = (len(weights), plan.network.vertex_count, len(examples))
        post, back = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        post[0] = examples.inputs
        for step in plan.forward:
            flow = product(by_edge[:, step.edges], post[:, plan.tails[step.edges]], p)
            z = np.add.reduceat(flow, step.starts, axis=1) % p
            post[:, step.vertices] = z * gains[step.vertices] % p
        back[0] = examples.kappa * gains % p
        for step in plan.backward:
            flow = product(by_edge[:, step.edges], back[:, plan.heads[step.edges]], p)
            total = np.add.reduceat(flow, step.starts, axis=1) % p
            here = step.vertices
            back[:, here] = (back[:, here] + total * gains[here]) % p
        edges, starts = self._learnable
        each = product(post[:, plan.tails[edges]], back[:, plan.heads[edges]], p)
        return np.asarray(np.add.reduceat(each, starts, axis=1) % p)

    def _by_edge(self, weights: np.ndarray) -> np.ndarray:
        values = weights[:, self.plan.owner]
        for place, residue in self._fixed:
            values[:, place] = 0
            values[0, place] = residue
        return values

    @cached_property
    def _fixed(self) -> list[tuple[int, int]]:
        field = self.plan.field
        return [(k, field.residue(f)) for k, f in enumerate(self.plan.fixed) if f is not None]

    @cached_property
    def _learnable(self) -> tuple[np.ndarray, np.ndarray]:
        """The learnable edges grouped by parameter, and where each group begins."""
        owner = self.plan.owner
        order = np.argsort(owner, kind="stable")
        order = order[owner[order] >= 0]
        return order, np.searchsorted(owner[order], np.arange(self.plan.size))


def product(first: np.ndarray, second: np.ndarray, p: int) -> np.ndarray:
    """The product of two arrays of jets modulo p."""
    if len(first) == 1:
        return np.asarray(first * second % p)
    result = np.zeros(np.broadcast_shapes(first.shape, second.shape), dtype=np.int64)
    for part in range(len(first)):
        for whole in range(len(first)):
            if part & whole == part:
                result[whole] += first[part] * second[whole ^ part] % p
    return np.asarray(result % p)
