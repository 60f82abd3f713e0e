"""The chain on rank one states and its invariant laws, for drawing cases: see `sign_chain`."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from math import prod

from graphs.normalised.finite_chains import Chain, Signs, extreme_laws
from graphs.normalised.laws import FiniteLaw, finite_law
from verify.cases.tensors import Tensors
from verify.papers.dkbhl20.drawing import Law

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
