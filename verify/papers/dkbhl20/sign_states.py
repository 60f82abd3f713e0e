"""The chain on rank one states H = u v^T, u of signs, and its invariant laws (Appendices A, C, D).

H + gamma W H = (u + gamma W u) v^T, so a layer takes u to sign(u + gamma W u) and keeps v: for each
v of squared norm N the states u v^T are a finite set that the chain does not leave. v and -v give
the same set, other ones disjoint sets. For N = 1 there is one such set, and it is the whole state
space {-1, 1}^d; for N >= 2 there are at least two, (1, ..., 1) and (1, ..., 1, -1), with an
invariant law on each.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from math import prod

from graphs.normalised.finite_chains import Chain, Signs, closed_classes, extreme_laws
from graphs.normalised.laws import FiniteLaw, Rows, finite_law, independent_entries
from verify.cases.tensors import Tensors
from verify.kinds.normalised.pool import Law, rows_of

ZERO = Fraction(0)
Masses = tuple[Fraction, ...]


@dataclass(frozen=True)
class SignChain:
    """The chain on the 2^d sign vectors u, with v held.

    laws: its extreme invariant laws, a probability for each state.
    """

    chain: Chain

    @property
    def states(self) -> tuple[Signs, ...]:
        """All of {-1, 1}^d."""
        return self.chain.states  # type: ignore[return-value]  # made of signs

    @property
    def is_defined(self) -> bool:
        """Whether no entry of u + gamma W u is 0, for any u and any W that can be drawn."""
        return self.chain.is_defined

    @cached_property
    def laws(self) -> tuple[Masses, ...]:
        """One for each closed class; none on states from which BN can be undefined."""
        return tuple(extreme_laws(self.chain))

    @cached_property
    def reached(self) -> tuple[tuple[int, ...], ...]:
        """(2^d,): for each state the laws into whose class the chain can come from there."""
        ways = [{k} for k in range(len(self.states))]
        for _ in self.states:
            for k, row in enumerate(self.chain.transition):
                ways[k] = ways[k].union(*(ways[n] for n, p in enumerate(row) if p))
        classes = closed_classes(self.chain)
        return tuple(tuple(n for n, c in enumerate(classes) if way & {*c}) for way in ways)

    def mean(self, law: Masses, *places: int) -> Fraction:
        """E of the product of the u_i of these places: E u_i, or E M_ij."""
        total = ZERO
        for state, mass in zip(self.states, law, strict=True):
            sign = 1
            for place in places:
                sign *= state[place]
            total += mass * sign
        return total

    def after(self, law: Masses) -> Masses:
        """The law after one step; the mass that meets a zero row is lost."""
        rows = self.chain.transition
        return tuple(
            sum((v * row[k] for v, row in zip(law, rows, strict=True)), ZERO)
            for k in range(len(rows))
        )


def as_law(law: Law) -> FiniteLaw | None:
    """Atoms of probability 0 left out, equal ones put together; None where it is no law."""
    masses = [(atom, prob) for atom, prob in zip(*law, strict=True) if prob]
    if any(prob < 0 for _, prob in masses) or sum(prob for _, prob in masses) != 1:
        return None
    return finite_law("P", masses)


@lru_cache(maxsize=2048)
def _chain(law: Law, gamma: Fraction, width: int, tied: bool) -> SignChain | None:
    finite = as_law(law)
    if finite is None:
        return None
    states = list(product((1, -1), repeat=width))
    transition = []
    for state in states:
        pulls = _pulls(finite, state, tied)
        laws = [_signs_after(sign, pulls, gamma) for sign in state]
        transition.append(
            tuple(
                prod((law[sign] for law, sign in zip(laws, after, strict=True)), start=Fraction(1))
                for after in states
            )
        )
    lost = tuple(1 - sum(row, ZERO) for row in transition)
    return SignChain(Chain(tuple(states), tuple(transition), lost))


def _pulls(law: FiniteLaw, state: Signs, tied: bool) -> dict[Fraction, Fraction]:
    """The law of a u, a with the law of a row of W: one summand after another, as the sums have far
    fewer values than there are rows."""
    sums = {ZERO: Fraction(1)}
    for factor in [sum(state)] if tied else state:
        longer: dict[Fraction, Fraction] = {}
        for total, chance in sums.items():
            for atom, mass in zip(law.atoms, law.probabilities, strict=True):
                key = total + factor * atom
                longer[key] = longer.get(key, ZERO) + chance * mass
        sums = longer
    return sums


def _signs_after(own: int, pulls: dict[Fraction, Fraction], gamma: Fraction) -> dict[int, Fraction]:
    """The law of sign(u_i + gamma a u)."""
    found = {1: ZERO, -1: ZERO, 0: ZERO}
    for pull, chance in pulls.items():
        total = own + gamma * pull
        found[(total > 0) - (total < 0)] += chance
    return found


def law_of(case: Tensors) -> Law:
    """Atoms and probabilities of an instance."""
    return case.arrays["atoms"].entries, case.arrays["probs"].entries


def sign_chain_of(case: Tensors) -> SignChain | None:
    """Of an instance with `atoms`, `probs`, `gamma` and an axis d; None where it has no law. Where
    it has an integer `tied` that is not 0, all entries of a row of W are one draw."""
    tied = "tied" in case.arrays and case.whole("tied") != 0
    return _chain(law_of(case), case.number("gamma"), case.lengths["d"], tied)


def law_count(case: Tensors) -> int:
    """How many extreme invariant laws there are on the rank one states u v^T with v of signs and
    v_1 = 1: all there are for N = 1. 0 where a step from them may not be defined."""
    chain = sign_chain_of(case)
    if chain is None or not chain.is_defined:
        return 0
    lines: int = 2 ** (case.lengths["N"] - 1)
    return len(chain.laws) * lines


def signs_of_rows(case: Tensors) -> Signs | None:
    """u of H = u v^T, u_1 = 1: the signs of the entries of M in its first row; None where H is of
    another rank or has a row 0."""
    rows = rows_of(case.arrays["H"])
    first = rows[0]
    square = sum(x * x for x in first)
    signs = []
    for row in rows:
        factor = sum(x * y for x, y in zip(first, row, strict=True))
        if factor == 0 or any(square * y != factor * x for x, y in zip(first, row, strict=True)):
            return None
        signs.append(1 if factor > 0 else -1)
    return tuple(signs)


# matrices -----------------------------------------------------------------------------------------
Hidden = tuple[tuple[Fraction, ...], ...]  # the rows of H


def step_of_matrices(case: Tensors, law: dict[Hidden, Fraction]) -> dict[Hidden, Fraction]:
    """The law of the next layer where H has a law on matrices of signs of rank one: row by row of
    W, whose rows are independent. What meets a row 0 is left out.

    Raises ValueError where a layer is no matrix of signs.
    """
    finite, gamma = as_law(law_of(case)), case.number("gamma")
    if finite is None:
        return {}
    rows = independent_entries(finite, case.lengths["d"])
    found: dict[Hidden, Fraction] = {}
    for hidden, mass in law.items():
        steps = [_row_steps(hidden, i, rows, gamma) for i in range(len(hidden))]
        for chosen in product(*(step.items() for step in steps)):
            key = tuple(row for row, _ in chosen)
            found[key] = found.get(key, ZERO) + mass * prod(chance for _, chance in chosen)
    return found


def _row_steps(
    hidden: Hidden, i: int, rows: Rows, gamma: Fraction
) -> dict[tuple[Fraction, ...], Fraction]:
    """The law of row i of BN(H + gamma W H)."""
    found: dict[tuple[Fraction, ...], Fraction] = {}
    for weights, mass in rows:
        pulled = [
            sum((w * h for w, h in zip(weights, x, strict=True)), ZERO)
            for x in zip(*hidden, strict=True)
        ]
        row = [x + gamma * y for x, y in zip(hidden[i], pulled, strict=True)]
        size = abs(row[0])
        if any(abs(x) != size for x in row):
            raise ValueError(f"the row {row} is no multiple of a row of signs")
        if size:
            key = tuple(x / size for x in row)
            found[key] = found.get(key, ZERO) + mass
    return found
