"""Markov chains on finitely many states, and their invariant laws over Q.

The invariant laws are the probability vectors in the left kernel of P - I; they are unique if and
only if there is one closed class of states.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

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


def left_kernel(matrix: Sequence[Sequence[Fraction]]) -> list[tuple[Fraction, ...]]:
    """A basis of the row vectors v with v A = 0, by elimination over Q.

    >>> left_kernel([[Fraction(1), Fraction(2)], [Fraction(2), Fraction(4)]])
    [(Fraction(-2, 1), Fraction(1, 1))]
    """
    size = len(matrix)
    columns = [[matrix[i][j] for i in range(size)] for j in range(len(matrix[0]))]
    pivots: list[int] = []
    done = 0
    for place in range(size):
        chosen = next((r for r in range(done, len(columns)) if columns[r][place]), None)
        if chosen is None:
            continue
        columns[done], columns[chosen] = columns[chosen], columns[done]
        scale = columns[done][place]
        columns[done] = [x / scale for x in columns[done]]
        for r, row in enumerate(columns):
            if r != done and row[place]:
                factor = row[place]
                columns[r] = [x - factor * y for x, y in zip(row, columns[done], strict=True)]
        pivots.append(place)
        done += 1
    basis = []
    for free in (k for k in range(size) if k not in pivots):
        vector = [Fraction(int(k == free)) for k in range(size)]
        for r, pivot in enumerate(pivots):
            vector[pivot] = -columns[r][free]
        basis.append(tuple(vector))
    return basis


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
        (vector,) = left_kernel(inner)
        total, law = sum(vector, Fraction(0)), [Fraction(0)] * len(chain.states)
        for place, mass in zip(members, vector, strict=True):
            law[place] = mass / total
        laws.append(tuple(law))
    return laws
