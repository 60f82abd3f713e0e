"""The chain of rank one states, row by row: H = u v^T stays so, u_+ = sign(u + gamma W u)
(Lemma 6), and M = u u^T.
"""

from fractions import Fraction
from itertools import product
from typing import Any

from graphs.arithmetic import as_fraction, rational
from graphs.normalised.finite_chains import Chain, Signs
from graphs.normalised.laws import Rows


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
