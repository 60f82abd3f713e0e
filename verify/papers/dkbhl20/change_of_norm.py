"""Steps (51) and (52) of Lemma 13: under an invariant law the mean of |M|_F^2 stays.

(51) has the readings of Definition 2. A: the law meets (10), which speaks of the means of H alone.
The law that gives H and -H the same probability does so whatever the weights: both sides of (10)
are 0, as a step takes -H to minus what it takes H to. Instances are such laws, and means over the
weights are exact. B: the law meets (38), of which (51) is the case g(H) = |M(H)|_F^2; instances are
chains of signs. (52) is sampled: the mean of delta_F along long runs is of order gamma.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from graphs.arithmetic import RATIONALS, as_fraction
from graphs.normalised.expectations import independent_entries, mean_frobenius
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.normalised_hypotheses import (
    MEAN_ZERO,
    NORMALISED,
    PROBABILITIES,
    VARIANCE_ONE,
    law_of,
)
from verify.normalised_pool import onto_sphere, rows_of, with_entries, with_rows
from verify.normalised_scene import Chained, ChainScene
from verify.papers.dkbhl20.invariance import POSITIVE, law_pool
from verify.papers.dkbhl20.laws_on_signs import INVARIANT, LAWS_ON_SIGNS, ON_SIGNS, law_on_signs
from verify.papers.dkbhl20.long_runs import SCOPE, Setting, arms_of
from verify.papers.dkbhl20.sign_states import as_law, sign_chain_of
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.words import EVERY_SIZE, matrix
from verify.sampling import Arm, Sampled
from verify.tensors import Tensors
from verify.vocabulary import Entries

if TYPE_CHECKING:
    from numerics.chains.normalised import Seen

ZERO = Fraction(0)
PAIRS = law_pool(bounded=False)


# H and -H -----------------------------------------------------------------------------------------
def _may_vanish(case: Chained) -> bool:
    """Whether some row of H + gamma W H is 0 for weights that can be drawn."""
    atoms = {atom for atom, mass in zip(*law_of(case), strict=True) if mass}
    rows, gamma = rows_of(case.arrays["H"]), case.number("gamma")
    for weights in product(atoms, repeat=len(rows)):
        step = [
            gamma * sum((w * x for w, x in zip(weights, column, strict=True)), ZERO)
            for column in zip(*rows, strict=True)
        ]
        if any(all(x + s == 0 for x, s in zip(row, step, strict=True)) for row in rows):
            return True
    return False


def _not_vanishing(case: Chained, random: Random) -> Chained:
    """Rows that are not 0, and a strength prime to the weights."""
    if not _may_vanish(case):
        return case
    rows = [row if any(row) else onto_sphere(row) for row in rows_of(case.arrays["H"])]
    case = with_rows(case, "H", rows)
    return with_entries(case, "gamma", [Fraction(random.choice((1, 2, 3, 5)), 97)])


STEPS_DEFINED = Hypothesis(
    "BN defined for every draw",
    r"no row of $H+\gamma WH$ is $0$, for any $W$ that can be drawn",
    by_case(lambda case: not _may_vanish(case)),
    _not_vanishing,
)


def _mean_change(case: Chained) -> Fraction:
    """E |M(H_+)|_F^2 - |M(H)|_F^2, the same for H and -H; 0 where it is not defined."""
    law = as_law(law_of(case))
    if law is None or _may_vanish(case):
        return ZERO
    hidden = RATIONALS.array(case.arrays["H"].entries).reshape(case.arrays["H"].shape)
    moments = hidden @ hidden.T * RATIONALS.array([Fraction(1, hidden.shape[1])])[0]
    rows = independent_entries(law, len(hidden))
    after = mean_frobenius(moments, rows, case.number("gamma"))
    before = sum((as_fraction(x) ** 2 for x in moments.reshape(-1)), ZERO)
    return as_fraction(after) - before


def mean_change(scene: ChainScene) -> Entries:
    """E_W |M(H_+)|_F^2 - |M(H)|_F^2."""
    found = [_mean_change(case) for case in scene.cases if isinstance(case, Chained)]
    return scene.compare(scene.numbers(found), scene.constant(0))


# chains of signs ----------------------------------------------------------------------------------
def _change_on_signs(case: Tensors) -> Fraction:
    chain, law = sign_chain_of(case), law_on_signs(case)
    if chain is None or law is None:
        return ZERO
    norms = [Fraction(sum(u * u for u in state) ** 2) for state in chain.states]
    changes = zip(chain.after(law), law, norms, strict=True)
    return sum(((after - before) * norm for after, before, norm in changes), ZERO)


def change_on_signs(scene: ChainScene) -> Entries:
    """E |M(H_+)|_F^2 - E |M(H)|_F^2 for M = u u^T, whose norm is |u|^2."""
    found = [_change_on_signs(case) for case in scene.cases]
    return scene.compare(scene.numbers(found), scene.constant(0))


def norms_follow() -> Argument:
    """nu P f - nu f = (nu P - nu) f."""
    law, steps, values = matrix("nu"), matrix("P"), matrix("f")
    gap = law @ steps @ values - law @ values
    return Argument(
        "(51) is (38) for g(H) = |M(H)|_F^2, which is between 0 and d^2",
        (
            Step("nu P f - nu f = (nu P - nu) f", (gap - (law @ steps - law) @ values).is_zero),
            Step("it is 0 where nu P = nu", gap.replaced(("nu", "P"), ("nu",)).is_zero),
            Step("and no sum of 0 terms", not gap.is_zero),
        ),
        (EVERY_SIZE, "entries of M are at most 1 in size where the diagonal is 1"),
        "change_on_signs",
        ("law on signs", "invariant law (38)"),
    )


# (52) ---------------------------------------------------------------------------------------------
WIDTHS = ((2, 4), (2, 4, 8), (2, 4, 8, 16))
GAMMAS = ((0.5, 0.25), (0.5, 0.25, 0.125), (0.5, 0.25, 0.125, 0.0625))


def mean_of_change(seen: Seen, setting: Setting) -> np.ndarray:
    """(C,): the average of delta_F(M)."""
    rest = seen.mean("cube") - seen.mean("squares")
    return np.asarray(2 * setting.width**2 - 2 * seen.mean("frobenius") - 8 * rest)


def balance_arms(scale: int) -> list[Arm]:
    """gamma d^2 minus, and plus, the average of delta_F."""
    settings = [Setting(width=d, gamma=gamma) for d in WIDTHS[scale] for gamma in GAMMAS[scale]]

    def room(sign: int) -> list[Arm]:
        return arms_of(
            settings,
            lambda seen, s: s.gamma * s.width**2 - sign * mean_of_change(seen, s),
            scale,
            word={1: "above: ", -1: "below: "}[sign],
        )

    return [*room(1), *room(-1)]


# claims -------------------------------------------------------------------------------------------
FIRST = (
    r"$\mathbb E_{W,H\sim\nu_\gamma}[\lVert M(H_+)\rVert_F^2-\lVert M(H)\rVert_F^2]=0$ for an "
    r"invariant $\nu_\gamma$."
)
CLAIMS = (
    Claim(
        "dkbhl20.lem13_53.a@A",
        Kind.IDENTITY,
        printed("proof of Lemma 13, eq. (51)"),
        "the mean Frobenius norm stays",
        FIRST,
        (PROBABILITIES, MEAN_ZERO, VARIANCE_ONE, POSITIVE, NORMALISED, STEPS_DEFINED),
        ("dkbhl20.def2@A",),
        mean_change,
        PAIRS,
        "A",
        r"$\nu_\gamma$ meets (10) (here: gives $H$ and $-H$ the same probability)",
        exact_only=True,
    ),
    Claim(
        "dkbhl20.lem13_53.a@B",
        Kind.IDENTITY,
        printed("proof of Lemma 13, eq. (51)"),
        "the mean Frobenius norm stays",
        FIRST,
        (PROBABILITIES, MEAN_ZERO, VARIANCE_ONE, POSITIVE, ON_SIGNS, INVARIANT),
        ("dkbhl20.def2@B",),
        change_on_signs,
        LAWS_ON_SIGNS,
        "B",
        r"$\nu_\gamma$ meets (38)",
        exact_only=True,
        proof=norms_follow,
    ),
    Claim(
        "dkbhl20.lem13_53.b",
        Kind.EXPECTATION,
        printed("proof of Lemma 13, eq. (52)"),
        "the mean of the change of the norm is of order gamma",
        r"$\mathbb E_{H\sim\nu_\gamma}[2d^2-2\lVert M(H)\rVert_F^2-8\mathrm{Tr}(M(H)^3)+8"
        r"\mathrm{Tr}(\mathrm{diag}(M(H)^2)^2)]+O(\gamma)=0$ (seen is that its size is at "
        r"most $d^2\gamma$ along chains, uniqueness not supposed).",
        depends=("dkbhl20.lem13_53.a@B", "dkbhl20.lem7"),
        sampled=Sampled(
            "gamma d^2 less the size of the mean of delta_F", balance_arms, scope=SCOPE
        ),
    ),
)
