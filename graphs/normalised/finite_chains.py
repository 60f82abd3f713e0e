"""Markov chains on finitely many states, and their invariant laws over Q.

The invariant laws are the probability vectors in the left kernel of P - I; they are unique if and
only if there is one closed class of states.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphs.matrices import kernel

Signs = tuple[int, ...]


@dataclass(frozen=True)
class Chain:
    """A Markov chain on finitely many states.

    transition: row k holds the probabilities of going from states[k] to each state. lost: for each
    state the probability of a zero row, where the chain is not defined.
    """

    states: tuple[Hashable, ...]
    transition: tuple[tuple[Fraction, ...], ...]
    lost: tuple[Fraction, ...]

    @property
    def is_defined(self) -> bool:
        """Whether no step meets a zero row."""
        return not any(self.lost)


def closed_classes(chain: Chain) -> list[tuple[int, ...]]:
    """The sets of states (by number) that are left by no step and within which each reaches each:
    one for each extreme invariant law."""
    size = len(chain.states)
    reach = np.array([[bool(p) for p in row] for row in chain.transition]) | np.eye(
        size, dtype=bool
    )
    for k in range(size):
        reach |= reach[:, k : k + 1] & reach[k : k + 1, :]
    found = []
    for k in range(size):
        members = tuple(int(n) for n in np.flatnonzero(reach[k]))
        if members[0] == k and all(reach[n, k] for n in members):
            found.append(members)
    return [c for c in found if all(chain.lost[n] == 0 for n in c)]


def extreme_laws(chain: Chain) -> list[tuple[Fraction, ...]]:
    """The extreme invariant laws: one for each closed class, positive on it and 0 elsewhere."""
    laws = []
    for members in closed_classes(chain):
        inner = [[chain.transition[a][b] - int(a == b) for b in members] for a in members]
        (vector,) = kernel(list(zip(*inner, strict=True)))
        total, law = sum(vector, Fraction(0)), [Fraction(0)] * len(chain.states)
        for place, mass in zip(members, vector, strict=True):
            law[place] = mass / total
        laws.append(tuple(law))
    return laws
