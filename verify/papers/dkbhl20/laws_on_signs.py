"""Instances with a law on {-1, 1}^d, and where the chain on rank one states is defined.

A law on {-1, 1}^d has support points `states`, (m, d), and probabilities `mass`, (m,).
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.tensors import Tensor, Tensors
from verify.kinds.normalised.hypotheses import PROBABILITIES, held
from verify.kinds.normalised.pool import chain_pool, rows_of, unit_rows
from verify.kinds.normalised.scene import Chained
from verify.papers.dkbhl20.invariance import around_the_flips, in_the_setting, largest_atom
from verify.papers.dkbhl20.sign_states import Masses, sign_chain_of
from verify.statements.quantities import with_entries

ZERO, ONE = Fraction(0), Fraction(1)


# laws on signs ------------------------------------------------------------------------------------
def with_law_on_signs(case: Chained, states: list[tuple[int, ...]], masses: Masses) -> Chained:
    """The instance with another law of H."""
    entries = tuple(Fraction(x) for u in states for x in u)
    shape = (len(states), len(states[0]))
    return case.changing(
        states=Tensor(("m", "d"), shape, entries, held=True),
        mass=Tensor(("m",), (len(states),), tuple(masses), held=True),
    )


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


def _around(case: Chained, random: Random) -> Chained:
    """Half of the laws sit on u and -u with the same probability."""
    case = in_the_setting(case, random)
    if random.random() < 0.5:
        return case
    signs = tuple(random.choice((1, -1)) for _ in range(case.lengths["d"]))
    half = Fraction(1, 2)
    return with_law_on_signs(case, [signs, tuple(-x for x in signs)], (half, half))


LAWS_ON_SIGNS = chain_pool(
    "gamma",
    "atoms",
    "probs",
    extras=(("states", ("m", "d")), ("mass", ("m",))),
    largest=3,
    last=_around,
)


def _to_signs(case: Chained, random: Random) -> Chained:
    if law_on_signs(case) is not None:
        return case
    case = PROBABILITIES.repair(case, random)
    states = [
        tuple(-1 if x < 0 or random.random() < 0.25 else 1 for x in row)
        for row in rows_of(case.arrays["states"])
    ]
    shares = [abs(x) or ONE for x in case.arrays["mass"].entries]
    return with_law_on_signs(case, states, tuple(share / sum(shares) for share in shares))


ON_SIGNS = Hypothesis(
    "law on signs",
    r"$\nu$ is a law on $\{-1,1\}^d$, the state space for $N=1$",
    by_case(lambda case: law_on_signs(case) is not None),
    _to_signs,
    thin=True,
)


def _is_invariant(case: Tensors) -> bool:
    chain, law = sign_chain_of(case), law_on_signs(case)
    return chain is not None and law is not None and chain.after(law) == law


def _to_invariant(case: Chained, random: Random) -> Chained:
    """A mixture of extreme invariant laws, if there are any."""
    case = _to_defined(PROBABILITIES.repair(case, random), random)
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


INVARIANT = Hypothesis(
    "invariant law (38)",
    r"$\nu$ meets (38)",
    by_case(_is_invariant),
    _to_invariant,
    lambda case, random: with_law_on_signs(
        case, [tuple(random.choice((1, -1)) for _ in range(case.lengths["d"]))], (ONE,)
    ),
    thin=True,
)


# where the chain is defined, and what holds of it -------------------------------------------------
def _is_defined(case: Tensors) -> bool:
    chain = sign_chain_of(case)
    return chain is not None and chain.is_defined


def _to_defined(case: Chained, random: Random) -> Chained:
    """A law of the weights, and a strength at which no step cancels an entry."""
    case = PROBABILITIES.repair(case, random)
    for _ in range(12):
        if _is_defined(case):
            break
        case = with_entries(case, "gamma", [around_the_flips(case, random)])
    return case


DEFINED = Hypothesis(
    "BN defined on signs",
    r"no entry of $u+\gamma Wu$ is $0$, for any $u\in\{-1,1\}^d$ and any $W$ that can be drawn",
    by_case(_is_defined),
    _to_defined,
    lambda case, random: with_entries(
        case, "gamma", [1 / (random.randint(1, case.lengths["d"]) * largest_atom(case))]
    ),
    thin=True,
)
SEVERAL = Hypothesis(
    "two samples or more",
    r"$N\ge2$",
    by_case(lambda case: case.lengths["N"] >= 2),
    lambda case, random: (
        case if case.lengths["N"] >= 2 else _with_samples(case, random.randint(2, 3), random)
    ),
    lambda case, random: _with_samples(case, 1, random),
)


def _with_samples(case: Chained, count: int, random: Random) -> Chained:
    height = case.lengths["d"]
    rows = unit_rows(height, count, random)
    entries = tuple(x for row in rows for x in row)
    return held(case.changing(H=Tensor(("d", "N"), (height, count), entries)), "H")


SMALL = Hypothesis(
    "gamma below 1/(dB)",
    r"$\gamma<1/(dB)$",
    by_case(lambda case: case.number("gamma") * case.lengths["d"] * case.number("B") < 1),
    lambda case, random: (
        case
        if case.number("gamma") * case.lengths["d"] * case.number("B") < 1
        else with_entries(
            case,
            "gamma",
            [Fraction(random.randint(1, 15), 16 * case.lengths["d"]) / case.number("B")],
        )
    ),
    lambda case, random: with_entries(
        case,
        "gamma",
        [random.choice((2, 3, Fraction(9, 8))) / (case.lengths["d"] * largest_atom(case))],
    ),
)
