"""Invariant laws with finite support of the chain with finitely many weight matrices.

A chain on finitely many states has invariant laws, the probability vectors in the left kernel of
P - I over Q; they are unique if and only if that kernel is a line. Rank one states are finite in
number: H = u v^T with signs u stays so, with u_+ = sign(u + gamma W u) (Lemma 6), and M = u u^T.
Other states are followed as long as M_+ stays rational.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from graphs.arithmetic import as_fraction, rational
from graphs.normalised.expectations import Matrices, Rows
from graphs.normalised.steps import ZeroRowError, step

Signs = tuple[int, ...]
State = tuple[tuple[Fraction, ...], ...]  # the rows of a rational M


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


# rank one ----------------------------------------------------------------------------------------
def sign_rows(signs: Signs, rows: Rows, gamma: Any) -> list[dict[int, Fraction]]:
    """For each i the law of sign(u_i + gamma a u), a with the law of a row of W; 0 is a zero row.
    gamma None: infinity, the sign of a u."""
    found = []
    factor = Fraction(1) if gamma is None else as_fraction(rational(gamma))
    for own in signs:
        masses: dict[int, Fraction] = {}
        for row, mass in rows:
            pull = factor * sum((w * u for w, u in zip(row, signs, strict=True)), Fraction(0))
            total = pull if gamma is None else own + pull
            sign = int(total > 0) - int(total < 0)
            masses[sign] = masses.get(sign, Fraction(0)) + Fraction(mass)
        found.append(masses)
    return found


def sign_chain(width: int, rows: Rows, gamma: Any, *, of_moments: bool = True) -> Chain:
    """The chain on rank one states, rows of W independent with this law.

    of_moments: states are M = u u^T, told by u with u_1 = 1 (2^(d-1) of them); else u itself, for
    H = u v^T (2^d).
    """
    every = list(product((1, -1), repeat=width))
    states = [u for u in every if u[0] == 1] if of_moments else every
    place = {u: k for k, u in enumerate(states)}
    transition: list[tuple[Fraction, ...]] = []
    lost: list[Fraction] = []
    for u in states:
        laws = sign_rows(u, rows, gamma)
        line = [Fraction(0)] * len(states)
        for reached in every:
            mass = Fraction(1)
            for law, sign in zip(laws, reached, strict=True):
                mass *= law.get(sign, Fraction(0))
            line[place[_kept(reached, of_moments)]] += mass
        transition.append(tuple(line))
        lost.append(1 - sum(line, Fraction(0)))
    return Chain(tuple(states), tuple(transition), tuple(lost))


def _kept(signs: Signs, of_moments: bool) -> Signs:
    return tuple(-s for s in signs) if of_moments and signs[0] < 0 else signs


# any rank ----------------------------------------------------------------------------------------
class IrrationalStateError(ValueError):
    """A state has an entry whose square alone is rational, so it is not followed."""


class TooManyStatesError(ValueError):
    """More states were reached than the limit that was set."""


def as_state(moments: Any) -> State:
    """The rows of M as a state."""
    return tuple(tuple(as_fraction(rational(x)) for x in row) for row in moments)


def next_states(state: State, matrices: Matrices, gamma: Any) -> tuple[dict[State, Fraction], Any]:
    """The states after one step with their probabilities, and the probability of a zero row.

    Raises IrrationalStateError where a reached M_+ is not rational.
    """
    found: dict[State, Fraction] = {}
    lost = Fraction(0)
    for weights, mass in matrices:
        try:
            moments = step(state, weights, gamma).moments()
        except ZeroRowError:
            lost += Fraction(mass)
            continue
        if moments is None:
            raise IrrationalStateError(f"W = {[[str(w) for w in row] for row in weights]}")
        key = as_state(moments)
        found[key] = found.get(key, Fraction(0)) + Fraction(mass)
    return found, lost


def correlation_steps(m: Any, matrices: Matrices, gamma: Any) -> dict[Fraction, Fraction]:
    """d = 2, M_12 = m: the law of sign(m_+) m_+^2, the probability of each rational value; what is
    missing from 1 is the probability of a zero row."""
    own = as_fraction(rational(m))
    found: dict[Fraction, Fraction] = {}
    for weights, mass in matrices:
        try:
            done = step([[1, own], [own, 1]], weights, gamma)
        except ZeroRowError:
            continue
        value = as_fraction(done.squares[0, 1]) * int(done.signs[0, 1])
        found[value] = found.get(value, Fraction(0)) + Fraction(mass)
    return found


def reachable_chain(
    starts: Iterable[Any], matrices: Sequence[tuple[Any, Any]], gamma: Any, limit: int = 64
) -> Chain:
    """The chain on all states M that are reached from these, a finite set that maps to itself.

    Raises IrrationalStateError where a state leaves the rationals, TooManyStatesError past the
    limit: then no finite rational set was found from here.
    """
    states = list(dict.fromkeys(as_state(m) for m in starts))
    steps = []
    for state in states:  # grows while it is read
        reached, lost = next_states(state, matrices, gamma)
        states += [s for s in reached if s not in states]
        if len(states) > limit:
            raise TooManyStatesError(f"more than {limit} states are reached")
        steps.append((reached, lost))
    transition = tuple(tuple(reached.get(s, Fraction(0)) for s in states) for reached, _ in steps)
    return Chain(tuple(states), transition, tuple(lost for _, lost in steps))


# invariant laws ----------------------------------------------------------------------------------
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


def stationary_space(chain: Chain) -> list[tuple[Fraction, ...]]:
    """A basis over Q of the signed measures with v P = v; its length is the number of invariant
    laws that are extreme. They vanish on the states from which a zero row can be met."""
    return left_kernel(
        [[p - int(k == n) for n, p in enumerate(row)] for k, row in enumerate(chain.transition)]
    )


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


def defect(chain: Chain, law: Sequence[Fraction]) -> Fraction:
    """The largest |(v P - v)_k|: 0 if and only if the law is invariant."""
    after = [
        sum((v * row[k] for v, row in zip(law, chain.transition, strict=True)), Fraction(0))
        for k in range(len(law))
    ]
    return max(abs(a - v) for a, v in zip(after, law, strict=True))


def mean_moments(chain: Chain, law: Sequence[Fraction]) -> list[list[Fraction]]:
    """E M (d, d) under a law on the states, signs u (as M = u u^T) or rational M."""
    total: list[list[Fraction]] = []
    for state, mass in zip(chain.states, law, strict=True):
        matrix = _matrix(state)
        total = total or [[Fraction(0)] * len(matrix) for _ in matrix]
        for i, row in enumerate(matrix):
            for j, entry in enumerate(row):
                total[i][j] += mass * entry
    return total


def _matrix(state: Any) -> list[list[Fraction]]:
    if isinstance(state[0], int):
        return [[Fraction(a * b) for b in state] for a in state]
    return [list(row) for row in state]
