"""Definition 1, the standard weight initialisation, and footnote 4.

Reading B of the footnote, up to a positive factor that gamma takes up: its square is one over the
variance, and mean zero, symmetry and a density stay.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from graphs.normalised.laws import Law
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.core.examples import Example, Part
from verify.language.building import Each, Whole, dim, element, list_, upto
from verify.language.terms import Term
from verify.papers.dkbhl20.drawing import in_roles, whole
from verify.papers.dkbhl20.finite_laws import PROBABILITIES, SYMMETRIC_LAW, mean, to_symmetric
from verify.papers.dkbhl20.sign_chain import ATOMS, PROBS
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.weight_laws import (
    FOOTNOTE,
    IID,
    LAW,
    LAWS,
    UNIT_VARIANCE,
    VARIANCE,
    VARIANCE_OF_DRAW,
    has_density,
    is_symmetric,
    moment_of_draw,
    one_of,
    weighted_pool,
)
from verify.statements.stated import Given, pool_with, stated

WIDTH = Whole("n", 1, 64)  # d


# what is said -------------------------------------------------------------------------------------
def meets(*, scaled: bool) -> Term:
    """What Definition 1 asks of a law. scaled: times one over its standard deviation."""
    squared_factor = 1 / VARIANCE_OF_DRAW if scaled else 1
    standard = (moment_of_draw(1) == 0) & (squared_factor * VARIANCE_OF_DRAW == 1)
    return standard & one_of(is_symmetric) & one_of(has_density)


AS_THEY_STAND, UP_TO_A_FACTOR = meets(scaled=False), meets(scaled=True)
GAINS = (2 / WIDTH * VARIANCE == 2 / WIDTH) & (1 / WIDTH * VARIANCE == 2 / (WIDTH + WIDTH))
"""Var(gamma W_ij) = gamma^2 Var W_ij at gamma^2 = 2/d and 1/d: He et al., Glorot and Bengio."""
REFLECTED = Each(upto(2 * dim(ATOMS)), lambda n: mean(lambda w: w**n) == mean(lambda w: (-w) ** n))
"""For k atoms the laws of w and -w have 2k atoms at most, and as many moments tell them apart."""


def named_laws() -> tuple[Example, ...]:
    """The laws of the table, by what Definition 1 asks for."""
    return tuple(
        Example(law.name, tuple(Part(f"{name} 0", f"${x}$", x == 0) for name, x in missed(law)))
        for law in LAWS
    )


def missed(law: Law) -> tuple[tuple[str, Fraction], ...]:
    """What a law has to have 0 of."""
    mean, second = (Fraction(m or 0) for m in law.moments[:2])
    return (
        ("mean", mean),
        ("variance", second - mean * mean - 1),
        ("asymmetry", Fraction(not law.symmetric)),
        ("no density", Fraction(not law.has_density)),
    )


# cases --------------------------------------------------------------------------------------------
NAMED_LAWS = [LAWS[k] for k in FOOTNOTE]
OTHERS = [k for k in range(len(LAWS)) if k not in FOOTNOTE]
NAMED = Given(
    "named in footnote 4",
    element(LAW, list_(*FOOTNOTE)),
    r"$\mathcal P$ is $\mathcal N(0,1)$ or $\mathcal U([-1,1])$",
    lambda case, random: case.changing(law=whole(random.choice(FOOTNOTE))),
    lambda case, random: case.changing(law=whole(random.choice(OTHERS))),
)


def _finite(case: Any, random: Random) -> Any:
    """Half of the laws are made symmetric."""
    drawn = in_roles("atoms")(case, random)
    return to_symmetric(drawn, random) if random.random() < 0.5 else drawn


# arguments ----------------------------------------------------------------------------------------
def both_laws_are_standard() -> Argument:
    """Reading B."""
    steps = [
        Step(f"{law.name}: {name} is 0", value == 0)
        for law in NAMED_LAWS
        for name, value in missed(law)
        if name != "variance"
    ]
    steps += [
        Step(f"{law.name}: the variance is above 0", law.moments[1] > 0) for law in NAMED_LAWS
    ]
    return Argument(
        "the footnote names two laws, and both are looked at",
        tuple(steps),
        ("the densities of the two laws are even functions",),
        (NAMED.name,),
        section="docs/mathematics/dkbhl20.md#laws",
    )


# claims -------------------------------------------------------------------------------------------
def _footnote(*, scaled: bool) -> Claim:
    reading = "B" if scaled else "A"
    return stated(
        f"dkbhl20.def1.b@{reading}",
        printed("footnote 4"),
        "two popular choices",
        r"Two popular choices for $\mathcal P$ are $\mathcal N(0,1)$ and $\mathcal U([-1,1])$: "
        r"they have mean zero, variance one and a density symmetric around zero.",
        UP_TO_A_FACTOR if scaled else AS_THEY_STAND,
        (NAMED,),
        depends=("dkbhl20.def1.a",),
        pool=pool_with(LAW, largest=1),
        reading=reading,
        reading_text="up to a positive factor that $\\gamma$ takes up"
        if scaled
        else "as they stand",
        proof=both_laws_are_standard if scaled else None,
    )


CLAIMS = (
    Claim(
        "dkbhl20.def1.a",
        Kind.DEFINITION,
        printed("Definition 1"),
        "standard weight initialisation",
        r"The entries of $W_\ell$ are i.i.d. samples from $\mathcal P$, which has zero mean and "
        r"unit variance, and whose density is symmetric around zero; $\mu$ is the law of $W_\ell$.",
        examples=named_laws,
    ),
    _footnote(scaled=False),
    _footnote(scaled=True),
    stated(
        "dkbhl20.def1.c",
        printed("after Definition 1"),
        "prominent variances",
        r"The variance can be scaled with the choice of $\gamma$ to match the initialisations of "
        r"He et al. and of Glorot and Bengio: $\gamma W_{ij}$ has variance $2/d$ for "
        r"$\gamma^2=2/d$, and $2/(d+d)$ for $\gamma^2=1/d$.",
        GAINS,
        (IID, UNIT_VARIANCE),
        depends=("dkbhl20.def1.a",),
        pool=weighted_pool(WIDTH),
    ),
    stated(
        "dkbhl20.def1.d",
        printed("after Definition 1"),
        "the law of the negative",
        r"The symmetry implies that the law of $[W_\ell]_{ij}$ equates the law of $-[W_\ell]_{ij}$ "
        r"(here: their moments up to twice the number of atoms).",
        REFLECTED,
        (PROBABILITIES, SYMMETRIC_LAW),
        depends=("dkbhl20.def1.a",),
        pool=pool_with(ATOMS, PROBS, adapt=_finite),
    ),
)
