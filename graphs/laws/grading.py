"""The grading of the system for quadratic laws by the rescaling torus.

Multiplying what enters a vertex v by t_v > 0 and dividing what leaves it by t_v changes neither
signs of pre-activations nor, up to the arbitrary inputs and loss derivatives, the function. So
`w_e dnu/dw_f` is multiplied by t^(chi_e - chi_f), where chi_e = eps_head - eps_tail. Functions of
different characters are linearly independent, so the equations for the unknowns of one character
(up to sign) can be solved by themselves: a *block*.

Fixed edges, shared parameters and inputs held constant restrict t. A random point of what is left
tells characters apart. Two characters that happen to fall together only make a block larger.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from graphs.laws.modular import nullspace
from graphs.laws.plan import Plan


@dataclass(frozen=True)
class Blocks:
    """The unknowns: the coefficients of the monomials w_e w_f (e <= f) and w_e of a law.

    first, second: (N,) the factors of each monomial, parameters by their place in the plan, m
    standing for the constant 1; ordered so that chi_first - chi_second is the character of the
    block (or of either order, where the block is `neutral`). starts: (B + 1,) where the unknowns of
    each block begin. neutral: (B,) whether the character is 0.
    """

    size: int
    first: np.ndarray
    second: np.ndarray
    starts: np.ndarray
    neutral: np.ndarray

    @property
    def sizes(self) -> np.ndarray:
        """(B,): the number of unknowns of each block."""
        return np.diff(self.starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def members(self, block: int) -> slice:
        """Where the unknowns of a block are."""
        return slice(int(self.starts[block]), int(self.starts[block + 1]))

    def places(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Where the unknowns of these monomials are, whichever factor comes first."""
        codes, order = self._sorted
        return np.asarray(order[np.searchsorted(codes, self._codes(first, second))])

    @cached_property
    def _sorted(self) -> tuple[np.ndarray, np.ndarray]:
        codes = self._codes(self.first, self.second)
        order = np.argsort(codes)
        return codes[order], order

    def _codes(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        low, high = np.minimum(first, second), np.maximum(first, second)
        return np.asarray(low * (self.size + 1) + high)


def blocks(plan: Plan, random: np.random.Generator) -> Blocks:
    """The blocks of a network. random: to tell characters apart."""
    m, p = plan.size, plan.field.p
    characters = np.zeros((2, m + 1), dtype=np.int64)
    for row in characters:
        row[:m] = _characters(plan, random)
    first, second = np.triu_indices(m)
    first = np.concatenate([first, np.arange(m)])
    second = np.concatenate([second, np.full(m, m)])
    difference = (characters[:, first] - characters[:, second]) % p
    opposite = -difference % p
    key, mirrored = (d[0] << np.int64(31) | d[1] for d in (difference, opposite))
    turned = mirrored < key
    key = np.where(turned, mirrored, key)
    first, second = np.where(turned, second, first), np.where(turned, first, second)
    order = np.argsort(key, kind="stable")
    key = key[order]
    starts = np.concatenate([[0], np.flatnonzero(np.diff(key)) + 1, [len(key)]]).astype(np.int64)
    return Blocks(m, first[order], second[order], starts, key[starts[:-1]] == 0)


def _characters(plan: Plan, random: np.random.Generator) -> np.ndarray:
    """(m,) chi of each parameter at a random point of the torus, modulo p."""
    p = plan.field.p
    group = _joined(plan)
    names = {root: k for k, root in enumerate(sorted(set(group)))}
    place = np.array([names[root] for root in group])
    epsilon = plan.field.draw(random, len(names))
    held = [*plan.constants, *plan.smooth]
    epsilon[[place[v] for v in held]] = 0
    learnable = np.flatnonzero(plan.owner >= 0)
    representative = np.zeros(plan.size, dtype=np.int64)
    representative[plan.owner[learnable]] = learnable
    relations = _relations(plan, place, learnable, representative, len(names))
    if len(relations):
        basis = nullspace(relations, p)
        factors = plan.field.draw(random, len(basis))
        epsilon = np.zeros(len(names), dtype=np.int64)
        for factor, vector in zip(factors, basis, strict=True):
            epsilon = (epsilon + factor * vector) % p
    heads, tails = plan.heads[representative], plan.tails[representative]
    return np.asarray((epsilon[place[heads]] - epsilon[place[tails]]) % p)


def _joined(plan: Plan) -> list[int]:
    """For each vertex a representative of those that fixed edges tie to it."""
    parent = list(range(plan.network.vertex_count))

    def find(v: int) -> int:
        while parent[v] != v:
            parent[v] = parent[parent[v]]
            v = parent[v]
        return v

    for k in np.flatnonzero(plan.owner < 0):
        parent[find(int(plan.heads[k]))] = find(int(plan.tails[k]))
    return [find(v) for v in range(len(parent))]


def _relations(
    plan: Plan,
    place: np.ndarray,
    learnable: np.ndarray,
    representative: np.ndarray,
    count: int,
) -> np.ndarray:
    """Rows that vanish on the exponents: edges of one parameter agree, constants are 0.

    Empty where no parameter is shared (the constants are then set to 0 directly).
    """
    others = representative[plan.owner[learnable]]
    shared = learnable[others != learnable]
    if not len(shared):
        return np.zeros((0, count), dtype=np.int64)
    model = representative[plan.owner[shared]]
    held = [*plan.constants, *plan.smooth]
    rows = np.zeros((len(shared) + len(held), count), dtype=np.int64)
    number = np.arange(len(shared))
    for edges, sign in ((shared, 1), (model, -1)):
        np.add.at(rows, (number, place[plan.heads[edges]]), sign)
        np.add.at(rows, (number, place[plan.tails[edges]]), -sign)
    for k, v in enumerate(held):
        rows[len(shared) + k, place[v]] = 1
    rows = rows[np.any(rows != 0, axis=1)]
    return np.unique(rows % plan.field.p, axis=0)
