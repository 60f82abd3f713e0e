"""Instances with a law on {-1, 1}^d, and where the chain on rank one states is defined.

A law on {-1, 1}^d has support points `states`, (m, d), and probabilities `mass`, (m,).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensor, Tensors
from verify.language.building import cols
from verify.language.terms import Term
from verify.papers.dkbhl20.drawing import held, in_roles, rows_of, unit_rows
from verify.papers.dkbhl20.finite_laws import to_probabilities
from verify.papers.dkbhl20.invariance import (
    around_the_flips,
    in_the_setting,
    largest_atom,
    with_law_on_signs,
)
from verify.papers.dkbhl20.lemma6_step import B
from verify.papers.dkbhl20.notation import GAMMA, H
from verify.papers.dkbhl20.sign_chain import (
    ATOMS,
    MASS,
    PROBS,
    STATES,
    STEP,
    D,
    defined,
    invariant,
    step_of,
)
from verify.papers.dkbhl20.sign_chain import ON_SIGNS as LIE_ON_SIGNS
from verify.papers.dkbhl20.sign_states import Masses, sign_chain_of
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, pool_with

ZERO, ONE = Fraction(0), Fraction(1)


# laws on signs ------------------------------------------------------------------------------------
def law_on_signs(case: Tensors) -> Masses | None:
    """The probability of each state of the chain; None where these are no signs or no law."""
    chain = sign_chain_of(case)
    masses = case.arrays["mass"].entries
    if chain is None or min(masses) < 0 or sum(masses) != 1:
        return None
    found = dict.fromkeys(chain.states, ZERO)
    for row, mass in zip(rows_of(case.arrays["states"]), masses, strict=True):
        key = tuple(int(x) for x in row)
        if any(abs(x) != 1 for x in row):
            return None
        found[key] += mass
    return tuple(found.values())


def _around(case: Tensors, random: Random) -> Tensors:
    """Half of the laws sit on u and -u with the same probability."""
    case = in_the_setting(case, random)
    if random.random() < 0.5:
        return case
    signs = tuple(random.choice((1, -1)) for _ in range(case.lengths["d"]))
    half = Fraction(1, 2)
    return with_law_on_signs(case, [signs, tuple(-x for x in signs)], (half, half))


def _drawn(case: Tensors, random: Random) -> Tensors:
    return _around(in_roles("gamma", "atoms")(case, random), random)


LAWS_ON_SIGNS = pool_with(GAMMA, ATOMS, PROBS, STATES, MASS, largest=3, adapt=_drawn)


def _to_signs(case: Tensors, random: Random) -> Tensors:
    if law_on_signs(case) is not None:
        return case
    case = to_probabilities(case, random)
    states = [
        tuple(-1 if x < 0 or random.random() < 0.25 else 1 for x in row)
        for row in rows_of(case.arrays["states"])
    ]
    shares = [abs(x) or ONE for x in case.arrays["mass"].entries]
    return with_law_on_signs(case, states, tuple(share / sum(shares) for share in shares))


ON_SIGNS = Given(
    "law on signs",
    LIE_ON_SIGNS,
    r"$\nu$ is a law on $\{-1,1\}^d$, the state space for $N=1$",
    _to_signs,
    thin=True,
    built_in=True,
)


def _is_invariant(case: Tensors) -> bool:
    chain, law = sign_chain_of(case), law_on_signs(case)
    return chain is not None and law is not None and chain.after(law) == law


def _to_invariant(case: Tensors, random: Random) -> Tensors:
    """A mixture of extreme invariant laws, if there are any."""
    case = _to_defined(to_probabilities(case, random), random)
    chain = sign_chain_of(case)
    if chain is None or not chain.laws or _is_invariant(case):
        return case
    shares = [Fraction(random.randint(0, 2)) for _ in chain.laws]
    shares[random.randrange(len(shares))] += 1
    pairs = list(zip(shares, chain.laws, strict=True))
    mixed = [
        sum((s * law[k] for s, law in pairs), ZERO) / sum(shares) for k in range(len(chain.states))
    ]
    kept = [k for k, mass in enumerate(mixed) if mass]
    return with_law_on_signs(case, [chain.states[k] for k in kept], tuple(mixed[k] for k in kept))


WIDTH = cols(STATES)
STEP_ON_SIGNS = step_of(WIDTH)
INVARIANT = Given(
    "invariant law (38)",
    invariant(STEP_ON_SIGNS, WIDTH),
    r"$\nu$ meets (38)",
    _to_invariant,
    lambda case, random: with_law_on_signs(
        case, [tuple(random.choice((1, -1)) for _ in range(case.lengths["d"]))], (ONE,)
    ),
    thin=True,
)


INVARIANT_BESIDE_H = replace(INVARIANT, holds=invariant(STEP, D))
"""The same, of cases that hold a hidden matrix."""


# where the chain is defined, and what holds of it -------------------------------------------------
def _is_defined(case: Tensors) -> bool:
    chain = sign_chain_of(case)
    return chain is not None and chain.is_defined


def _to_defined(case: Tensors, random: Random) -> Tensors:
    """A law of the weights, and a strength at which no step cancels an entry."""
    case = to_probabilities(case, random)
    for _ in range(12):
        if _is_defined(case):
            break
        case = with_entries(case, "gamma", [around_the_flips(case, random)])
    return case


def _defined_by(step: Term) -> Given:
    return Given(
        "BN defined on signs",
        defined(step),
        r"no entry of $u+\gamma Wu$ is $0$, for any $u\in\{-1,1\}^d$ and any $W$ that can be drawn",
        _to_defined,
        lambda case, random: with_entries(
            case, "gamma", [1 / (random.randint(1, case.lengths["d"]) * largest_atom(case))]
        ),
        thin=True,
    )


DEFINED, DEFINED_ON_SIGNS = _defined_by(STEP), _defined_by(STEP_ON_SIGNS)
SEVERAL = Given(
    "two samples or more",
    cols(H) >= 2,
    r"$N\ge2$",
    lambda case, random: (
        case if case.lengths["N"] >= 2 else _with_samples(case, random.randint(2, 3), random)
    ),
    lambda case, random: _with_samples(case, 1, random),
)


def _with_samples(case: Tensors, count: int, random: Random) -> Tensors:
    height = case.lengths["d"]
    rows = unit_rows(height, count, random)
    entries = tuple(x for row in rows for x in row)
    return held(case.changing(H=Tensor(("d", "N"), (height, count), entries)), "H")


def _below_flips(case: Tensors, random: Random) -> Tensors:
    """With another B where it is not above 0."""
    width, bound = case.lengths["d"], case.number("B")
    if bound <= 0:
        bound = largest_atom(case) or Fraction(1)
        case = with_entries(case, "B", [bound])
    if case.number("gamma") * width * bound < 1:
        return case
    return with_entries(case, "gamma", [Fraction(random.randint(1, 15), 16 * width) / bound])


SMALL = Given(
    "gamma below 1/(dB)",
    GAMMA < 1 / (D * B),
    r"$\gamma<1/(dB)$",
    _below_flips,
    lambda case, random: with_entries(
        case,
        "gamma",
        [random.choice((2, 3, Fraction(9, 8))) / (case.lengths["d"] * largest_atom(case))],
    ),
)
