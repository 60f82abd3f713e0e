"""The derivatives of g(M) = M_ij^2 / (M_ii M_jj) in M_ii, M_ij, M_jj, (67) and (72).

Derivatives are those of quotients of polynomials, in normal form; entries are multiplied by their
denominators. In (67) one formula stands for ii and jj: it is compared with both derivatives.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np

from graphs.arithmetic import Array
from graphs.rings import Ring, ring_of
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_scene
from verify.normalised_hypotheses import above_zero, vanishing
from verify.normalised_pool import with_entries
from verify.normalised_scene import Chained, ChainScene, as_chain
from verify.papers.dkbhl20.sources import printed
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries

NAMES = ("ii", "ij", "jj")
Quotient = tuple[Any, Any]


@cache
def quotient_ring() -> Ring:
    """Polynomials in M_ii, M_ij, M_jj."""
    return ring_of(3)


@cache
def derivative(*names: str) -> Quotient:
    """Numerator and denominator of the derivative of g in these variables, one after the other."""
    ring = quotient_ring()
    ii, ij, jj = ring.generators
    above, below = ij * ij, ii * jj
    for name in names:
        at = NAMES.index(name)
        above = ring.derivative(above, at) * below - above * ring.derivative(below, at)
        below = below * below
    return above, below


def _value(scene: ChainScene, polynomial: Any) -> Array:
    """(C,): a polynomial at the numbers of the instances."""
    total = scene.constant(0)
    for exponents, coefficient in quotient_ring().terms(polynomial).items():
        term = scene.constant(coefficient)
        for name, exponent in zip(NAMES, exponents, strict=True):
            for _ in range(exponent):
                term = term * scene[name]
        total = total + term
    return total


def printed_first() -> dict[str, tuple[tuple[str, ...], Quotient]]:
    """What (67) prints, by part: the variables, and the two polynomials of a quotient."""
    ii, ij, jj = quotient_ring().generators
    one, g = (-ij * ij, ii * ii * jj), (-ij * ij, ii * jj)
    return {
        "ii": (("ii",), one),
        "ii as g": (("ii",), g),
        "jj": (("jj",), one),
        "jj as g": (("jj",), g),
        "ij": (("ij",), (2 * ij, ii * jj)),
    }


def printed_second() -> dict[str, tuple[tuple[str, ...], Quotient]]:
    """What (72) prints, with what follows by exchanging i and j."""
    ring = quotient_ring()
    ij, one = ring.generators[1], ring.constant(Fraction(1))
    table = {
        "ij ij": (2 * one, one),
        "ij ii": (-2 * ij, one),
        "ij jj": (-2 * ij, one),
        "ii ii": (2 * ij * ij, one),
        "jj jj": (2 * ij * ij, one),
        "jj ii": (ij * ij, one),
    }
    return {part: (tuple(part.split()), said) for part, said in table.items()}


def _compared(scene: ChainScene, table: dict[str, tuple[tuple[str, ...], Quotient]]) -> Entries:
    parts = []
    for part, (names, (above, below)) in table.items():
        top, bottom = derivative(*names)
        parts.append(({"part": part}, _value(scene, top * below), _value(scene, above * bottom)))
    return scene.parts(parts)


def first_derivatives(scene: ChainScene) -> Entries:
    """The three first derivatives against (67)."""
    return _compared(scene, printed_first())


def second_derivatives(scene: ChainScene) -> Entries:
    """The six second derivatives against (72)."""
    return _compared(scene, printed_second())


# hypotheses ---------------------------------------------------------------------------------------
def _positive_diagonal(scene: ChainScene) -> np.ndarray:
    return np.asarray(above_zero(scene, scene["ii"]) & above_zero(scene, scene["jj"]))


def _to_positive(case: Chained, random: Random) -> Chained:
    for name in ("ii", "jj"):
        if case.number(name) <= 0:
            case = with_entries(case, name, [abs(case.number(name)) or Fraction(1)])
    return case


def _ones(scene: ChainScene) -> np.ndarray:
    one = scene.constant(1)
    return np.asarray(vanishing(scene, scene["ii"] - one) & vanishing(scene, scene["jj"] - one))


def _to_ones(case: Chained, random: Random) -> Chained:
    for name in ("ii", "jj"):
        case = with_entries(case, name, [Fraction(1)])
    return case


DEFINED = Hypothesis(
    "positive diagonal entries",
    r"$M_{ii},M_{jj}>0$, so that $g$ is defined",
    by_scene(_positive_diagonal),
    _to_positive,
)
ONES = Hypothesis(
    "ones at ii and jj",
    r"$M_{ii}=M_{jj}=1$",
    by_scene(_ones),
    _to_ones,
    lambda case, random: with_entries(
        case, random.choice(("ii", "jj")), [random.choice((Fraction(2), Fraction(1, 2)))]
    ),
    thin=True,
)


def _menu(case: Tensors, random: Random) -> Chained:
    made = as_chain(case, random)
    return _to_ones(made, random) if random.random() < 0.5 else made


ENTRIES = TensorPool(tuple((name, ()) for name in NAMES), (), 1, _menu)


# arguments ----------------------------------------------------------------------------------------
def _argument(table: dict[str, tuple[tuple[str, ...], Quotient]], measure: str) -> Argument:
    steps = []
    for part, (names, (above, below)) in table.items():
        top, bottom = derivative(*names)
        left = _on_the_diagonal(top * below - above * bottom)
        text = f"the derivative in {' and '.join(names)} is as printed ({part}) at M_ii = M_jj = 1"
        steps.append(Step(text, not left))
    return Argument(
        "the derivatives of a quotient of polynomials, at M_ii = M_jj = 1 and any M_ij",
        tuple(steps),
        ("the quotient rule",),
        measure,
        ("ones at ii and jj",),
        section=32,
    )


def _on_the_diagonal(polynomial: Any) -> dict[int, Fraction]:
    """The polynomial in M_ij that is left for M_ii = M_jj = 1."""
    left: dict[int, Fraction] = {}
    for (_, power, _), coefficient in quotient_ring().terms(polynomial).items():
        left[power] = left.get(power, Fraction(0)) + coefficient
    return {power: coefficient for power, coefficient in left.items() if coefficient}


def first_argument() -> Argument:
    """(67)."""
    return _argument(printed_first(), "first_derivatives")


def second_argument() -> Argument:
    """(72)."""
    return _argument(printed_second(), "second_derivatives")


CLAIMS = (
    Claim(
        "dkbhl20.lem7_derivs.a",
        Kind.IDENTITY,
        printed("proof of Lemma 7, eq. (67)"),
        "first derivatives",
        r"$\dfrac{\partial g(M)}{\partial M_{pq}}=-M_{ij}^2/(M_{ii}^2M_{jj})=-g(M)$ for "
        r"$pq=\{ii,jj\}$ and $=2M_{ij}/(M_{ii}M_{jj})$ for $pq=\{ij\}$, at unit diagonal.",
        (DEFINED, ONES),
        measure=first_derivatives,
        pool=ENTRIES,
        proof=first_argument,
    ),
    Claim(
        "dkbhl20.lem7_derivs.b",
        Kind.IDENTITY,
        printed("proof of Lemma 7, eq. (72)"),
        "second derivatives",
        r"$\dfrac{\partial^2g(M)}{\partial M_\alpha\partial M_\beta}=2$ for $\alpha=\beta=\{ij\}$; "
        r"$-2M_{ij}$ for $\alpha=\{ij\},\beta=\{ii\}$; $+2M_{ij}^2$ for $\alpha=\beta=\{ii\}$; "
        r"$M_{ij}^2$ for $\alpha=\{jj\},\beta=\{ii\}$ (and with $i$ and $j$ exchanged).",
        (DEFINED, ONES),
        measure=second_derivatives,
        pool=ENTRIES,
        proof=second_argument,
    ),
)
