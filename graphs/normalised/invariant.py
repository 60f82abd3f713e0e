"""The finite chains within the chain of H, and of M, for finitely many weight matrices.

Rank one states are finite in number: H = u v^T with signs u stays so, u_+ = sign(u + gamma W u)
(Lemma 6), and M = u u^T. Other states are followed as long as they stay rational. What is
invariant under such a chain: graphs.normalised.finite_chains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from graphs.arithmetic import as_fraction, rational
from graphs.normalised.expectations import Matrices, Rows
from graphs.normalised.finite_chains import Chain
from graphs.normalised.steps import ZeroRowError, layer, rational_root, step

Signs = tuple[int, ...]
State = tuple[tuple[Fraction, ...], ...]  # the rows of a rational M or H
Follow = Callable[[State, Matrices, Any], tuple[dict[State, Fraction], Any]]


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
    """The rows of a matrix as a state."""
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


def next_layers(state: State, matrices: Matrices, gamma: Any) -> tuple[dict[State, Fraction], Any]:
    """As `next_states` for the hidden matrices H (d, N) themselves: each row of H + gamma W H
    divided by its root mean square.

    Raises IrrationalStateError where a root mean square is not rational.
    """
    found: dict[State, Fraction] = {}
    lost = Fraction(0)
    for weights, mass in matrices:
        rows = [_normalised_row(row) for row in layer(state, weights, gamma)]
        if any(row is None for row in rows):
            lost += Fraction(mass)
            continue
        key = as_state(rows)
        found[key] = found.get(key, Fraction(0)) + Fraction(mass)
    return found, lost


def _normalised_row(row: np.ndarray) -> np.ndarray | None:
    """The row divided by its root mean square, None for a zero row."""
    size = row @ row / len(row)
    if size == 0:
        return None
    root = rational_root(size)
    if root is None:
        raise IrrationalStateError(f"the mean square {size} of a row is no square of a rational")
    return np.array([x / root for x in row], dtype=object)


def reachable_chain(
    starts: Iterable[Any],
    matrices: Sequence[tuple[Any, Any]],
    gamma: Any,
    limit: int = 64,
    follow: Follow = next_states,
) -> Chain:
    """The chain on all states that are reached from these, a finite set that maps to itself.

    follow: `next_states` for states M, `next_layers` for states H. Raises IrrationalStateError
    where a state leaves the rationals, TooManyStatesError past the limit: then no finite rational
    set was found from here.
    """
    states = list(dict.fromkeys(as_state(m) for m in starts))
    steps = []
    for state in states:  # grows while it is read
        reached, lost = follow(state, matrices, gamma)
        states += [s for s in reached if s not in states]
        if len(states) > limit:
            raise TooManyStatesError(f"more than {limit} states are reached")
        steps.append((reached, lost))
    transition = tuple(tuple(reached.get(s, Fraction(0)) for s in states) for reached, _ in steps)
    return Chain(tuple(states), transition, tuple(lost for _, lost in steps))


def law_after(
    law: Mapping[State, Fraction], matrices: Sequence[tuple[Any, Any]], gamma: Any, follow: Follow
) -> tuple[dict[State, Fraction], Fraction]:
    """The law of the next state under a finitely supported law of the state, and the probability
    of a zero row: (38) holds for every function if and only if this is the law itself."""
    found: dict[State, Fraction] = {}
    gone = Fraction(0)
    for state, weight in law.items():
        reached, lost = follow(as_state(state), matrices, gamma)
        gone += weight * lost
        for key, mass in reached.items():
            found[key] = found.get(key, Fraction(0)) + weight * mass
    return found, gone
