"""Definition 1, the standard weight initialisation, and footnote 4.

Reading B of the footnote, up to a positive factor s that gamma takes up: for the law of s x, s^2 is
one over the variance, so that its even moments are rational, and the odd ones are those of x times
s^n: zero together.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.core.examples import Example, Part
from verify.kinds.normalised.hypotheses import PROBABILITIES, SYMMETRIC_LAW
from verify.kinds.normalised.pool import chain_pool
from verify.kinds.normalised.scene import Chained, ChainScene, as_chain
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.weight_laws import (
    FOOTNOTE,
    IID,
    LAWS,
    STANDARD,
    UNIT_VARIANCE,
    weighted_pool,
    weights_of,
    whole,
)
from verify.statements.quantities import each_case

Pairs = list[tuple[dict[str, Any], Any]]
GAINS = {"He": Fraction(2), "Glorot": Fraction(1)}  # over d: 2/fan_in, and 2/(fan_in + fan_out)


# measures -----------------------------------------------------------------------------------------
def conditions(number: int, *, scaled: bool) -> dict[str, Fraction]:
    """What a law of the table has to have 0 of: mean, variance - 1, third moment, asymmetry,
    and lack of a density. scaled: of the law times one over its standard deviation."""
    law = LAWS[number]
    mean, second, third = (Fraction(m or 0) for m in law.moments[:3])
    variance = second - mean * mean
    factor = 1 / variance if scaled else Fraction(1)  # of the variance
    return {
        "mean": mean,
        "variance": variance * factor - 1,
        "third moment": third,
        "asymmetry": Fraction(not law.symmetric),
        "no density": Fraction(not law.has_density),
    }


def named_laws() -> tuple[Example, ...]:
    """The laws of the table, by what Definition 1 asks for; the third moment is 0 of itself."""
    found = []
    for number, law in enumerate(LAWS):
        missed = conditions(number, scaled=False)
        missed.pop("third moment")
        parts = (Part(f"{name} 0", f"${value}$", value == 0) for name, value in missed.items())
        found.append(Example(law.name, tuple(parts)))
    return tuple(found)


def footnote_laws(scene: ChainScene, *, scaled: bool) -> Entries:
    """What the laws named in footnote 4 miss of Definition 1."""

    def pairs(case: Tensors) -> Pairs:
        found = conditions(case.whole("law") % len(LAWS), scaled=scaled)
        return [({"part": part}, value) for part, value in found.items()]

    return each_case(pairs, scene)


def scaled_variances(scene: ChainScene) -> Entries:
    """Var(gamma W_ij) at gamma^2 = 2/d and 1/d, minus these: He et al., Glorot and Bengio."""

    def pairs(case: Tensors) -> Pairs:
        variance, width = weights_of(case).variance, case.whole("n")
        return [
            ({"part": name}, gain / width * variance - gain / width) for name, gain in GAINS.items()
        ]

    return each_case(pairs, scene)


def reflected_moments(scene: ChainScene) -> Entries:
    """E w^n - E (-w)^n to n = 2k - 1 for k atoms: the laws of w and -w have 2k atoms at most, and
    as many moments tell two such laws apart."""
    atoms = scene["atoms"].shape[1]
    parts = []
    for order in range(1, 2 * atoms, 2):
        moment = scene.moment(order)
        parts.append(({"part": f"moment {order}"}, moment, -moment))
    return scene.parts(parts)


# hypotheses ---------------------------------------------------------------------------------------
NAMED = Hypothesis(
    "named in footnote 4",
    r"$\mathcal P$ is $\mathcal N(0,1)$ or $\mathcal U([-1,1])$",
    by_case(lambda case: case.whole("law") % len(LAWS) in FOOTNOTE),
    lambda case, random: case.changing(law=whole(random.choice(FOOTNOTE))),
    lambda case, random: case.changing(
        law=whole(random.choice([k for k in range(len(LAWS)) if k not in FOOTNOTE]))
    ),
)


def _two_signs(case: Chained, random: Random) -> Chained:
    """Half of the laws are made symmetric."""
    return SYMMETRIC_LAW.repair(case, random) if random.random() < 0.5 else case


TABLE = TensorPool((), (("law", 0, len(LAWS) - 1),), 1, as_chain)
FINITE = chain_pool("atoms", "probs", last=_two_signs)


# arguments ----------------------------------------------------------------------------------------
def normalised_footnote() -> Argument:
    """Reading B: both laws."""
    steps = [
        Step(f"{LAWS[k].name}: {part} is 0", value == 0)
        for k in FOOTNOTE
        for part, value in conditions(k, scaled=True).items()
    ]
    return Argument(
        "the footnote names two laws, and both are looked at",
        tuple(steps),
        ("the densities of the two laws are even functions",),
        "footnote_laws(scaled=True)",
        ("named in footnote 4",),
        section="docs/mathematics/dkbhl20.md#laws",
    )


def _footnote(*, scaled: bool) -> Claim:
    reading = "B" if scaled else "A"
    return Claim(
        f"dkbhl20.def1.b@{reading}",
        Kind.IDENTITY,
        printed("footnote 4"),
        "two popular choices",
        r"Two popular choices for $\mathcal P$ are $\mathcal N(0,1)$ and $\mathcal U([-1,1])$: "
        r"they have mean zero, variance one and a density symmetric around zero.",
        (NAMED,),
        ("dkbhl20.def1.a",),
        partial(footnote_laws, scaled=scaled),
        TABLE,
        reading,
        "up to a positive factor that $\\gamma$ takes up" if scaled else "as they stand",
        exact_only=True,
        proof=normalised_footnote if scaled else None,
    )


CLAIMS = (
    Claim(
        "dkbhl20.def1.a",
        Kind.DEFINITION,
        printed("Definition 1"),
        "standard weight initialisation",
        r"The entries of $W_\ell$ are i.i.d. samples from $\mathcal P$, which has zero mean and "
        r"unit variance, and whose density is symmetric around zero; $\mu$ is the law of $W_\ell$.",
        STANDARD,
        examples=named_laws,
    ),
    _footnote(scaled=False),
    _footnote(scaled=True),
    Claim(
        "dkbhl20.def1.c",
        Kind.IDENTITY,
        printed("after Definition 1"),
        "prominent variances",
        r"The variance can be scaled with the choice of $\gamma$ to match the initialisations of "
        r"He et al. and of Glorot and Bengio: $\gamma W_{ij}$ has variance $2/d$ for "
        r"$\gamma^2=2/d$, and $2/(d+d)$ for $\gamma^2=1/d$.",
        (IID, UNIT_VARIANCE),
        ("dkbhl20.def1.a",),
        scaled_variances,
        weighted_pool(integers=(("n", 1, 64),)),
        exact_only=True,
    ),
    Claim(
        "dkbhl20.def1.d",
        Kind.IDENTITY,
        printed("after Definition 1"),
        "the law of the negative",
        r"The symmetry implies that the law of $[W_\ell]_{ij}$ equates the law of $-[W_\ell]_{ij}$ "
        r"(here: their moments up to twice the number of atoms).",
        (PROBABILITIES, SYMMETRIC_LAW),
        ("dkbhl20.def1.a",),
        reflected_moments,
        FINITE,
    ),
)
