"""Laws of a weight of finite support: the values `atoms` with the probabilities `probs`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.language.building import Each, Sum, When
from verify.language.terms import Term
from verify.papers.dkbhl20.drawing import Law, held, standard_law, two_points, with_law
from verify.papers.dkbhl20.sign_chain import ATOMS, PROBS, VALUES
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, true_of, unless


def law_of(case: Tensors) -> Law:
    """Atoms and probabilities of a case."""
    return case.arrays["atoms"].entries, case.arrays["probs"].entries


def mean(function: Callable[[Term], Term]) -> Term:
    """E f(w)."""
    return Sum(VALUES, lambda k: PROBS[k] * function(ATOMS[k]))


def _share(atom: Term, sign: int) -> Term:
    """The probability of this number times the sign."""
    return Sum(VALUES, lambda k: When(ATOMS[k] == sign * atom, PROBS[k], 0))


SYMMETRIC = Each(VALUES, lambda k: _share(ATOMS[k], 1) == _share(ATOMS[k], -1))


# cases --------------------------------------------------------------------------------------------
def to_probabilities(case: Tensors, random: Random) -> Tensors:
    """Probabilities in the proportions of the numbers that are there; another law for zeros."""
    shares = [abs(x) for x in case.arrays["probs"].entries]
    total = sum(shares)
    if total == 0:
        return with_law(case, standard_law(random))
    return held(with_entries(case, "probs", [share / total for share in shares]), "probs")


def _to_centred(case: Tensors, random: Random) -> Tensors:
    """The atoms moved by their mean; numbers that sum to 0 are no law, and another one is drawn."""
    atoms, probs = law_of(case)
    total = sum(probs)
    if total == 0:
        return with_law(case, standard_law(random))
    middle = sum((p * a for a, p in zip(atoms, probs, strict=True)), Fraction(0)) / total
    return with_law(case, (tuple(atom - middle for atom in atoms), probs))


def _to_variance_one(case: Tensors, random: Random) -> Tensors:
    return with_law(case, standard_law(random, true_of(SYMMETRIC)(case) or None))


def to_symmetric(case: Tensors, random: Random) -> Tensors:
    """The atoms and their negatives, each half as likely."""
    if true_of(SYMMETRIC)(case):
        return case
    atoms, probs = law_of(case)
    both = (*atoms, *(-atom for atom in atoms))
    return with_law(case, (both, tuple(p / 2 for p in (*probs, *probs))))


def _with_atoms(case: Tensors, moved: Callable[[Fraction], Fraction]) -> Tensors:
    atoms, probs = law_of(case)
    return with_law(case, (tuple(map(moved, atoms)), probs))


def _shifted(case: Tensors, random: Random) -> Tensors:
    shift = Fraction(random.choice((-2, -1, 1, 2)), 2)
    return _with_atoms(case, lambda atom: atom + shift)


def _scaled(case: Tensors, random: Random) -> Tensors:
    scale = Fraction(random.choice((1, 3, 4)), 2)
    return _with_atoms(case, lambda atom: atom * scale)


def _skew(case: Tensors, random: Random) -> Tensors:
    return with_law(case, two_points(Fraction(random.choice((2, 3, 4)), random.choice((1, 5)))))


# hypotheses ---------------------------------------------------------------------------------------
MEAN, SECOND = mean(lambda w: w**1), mean(lambda w: w**2)
CENTRED, STANDARDISED = MEAN == 0, SECOND - MEAN**2 == 1
PROBABILITIES = Given(
    "a law",
    Each(VALUES, lambda k: PROBS[k] >= 0) & (Sum(VALUES, lambda k: PROBS[k]) == 1),
    r"the atoms have probabilities that are at least $0$ and sum to $1$",
    to_probabilities,
    thin=True,
    built_in=True,  # nothing is said of what is no law
)
MEAN_ZERO = Given(
    "mean zero",
    CENTRED,
    r"$\mathcal P$ has mean zero",
    unless(CENTRED, _to_centred),
    _shifted,
    thin=True,
)
VARIANCE_ONE = Given(
    "variance one",
    STANDARDISED,
    r"$\mathcal P$ has variance one",
    unless(STANDARDISED, _to_variance_one),
    _scaled,
    thin=True,
)
SYMMETRIC_LAW = Given(
    "symmetric law",
    SYMMETRIC,
    r"$\mathcal P$ is symmetric around zero",
    to_symmetric,
    _skew,
    thin=True,
)
