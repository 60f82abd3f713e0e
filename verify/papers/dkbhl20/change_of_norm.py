"""Steps (51) and (52) of Lemma 13: under an invariant law the mean of |M|_F^2 stays.

The law meets (38), of which (51) is the case g(H) = |M(H)|_F^2; instances are chains of signs. (52)
is sampled: the mean of delta_F along long runs is of order gamma.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.kinds.statistics.sampling import Arm, Sampled
from verify.language.building import Let, Sum, frob2, outer, row, rows, upto
from verify.language.terms import Term
from verify.papers.dkbhl20.invariance import POSITIVE, WEIGHTS
from verify.papers.dkbhl20.laws_on_signs import (
    INVARIANT,
    LAWS_ON_SIGNS,
    ON_SIGNS,
    STEP_ON_SIGNS,
    WIDTH,
)
from verify.papers.dkbhl20.long_runs import SCOPE, Setting, arms_of
from verify.papers.dkbhl20.sign_chain import law_vector, signs_of
from verify.papers.dkbhl20.sources import printed
from verify.statements.derivations.matrix_words import EVERY_SIZE, matrix
from verify.statements.stated import stated

if TYPE_CHECKING:
    from numerics.chains.normalised import Seen


# chains of signs ----------------------------------------------------------------------------------
def _norm(after: Term, signs: Term) -> Term:
    """E |M|_F^2 under a law on the states: M = u u^T."""
    return Sum(upto(rows(signs)), lambda s: after[s] * frob2(outer(row(signs, s), row(signs, s))))


KEPT = Let(
    signs_of(WIDTH),
    lambda signs: Let(
        law_vector(WIDTH),
        lambda law: _norm(STEP_ON_SIGNS.T @ law, signs) - _norm(law, signs) == 0,
    ),
)


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
        (
            EVERY_SIZE,
            "entries of M are at most 1 in size where the diagonal is 1",
            "laws on finitely many states stand for all laws",
        ),
        ("law on signs", "invariant law (38)"),
        section="docs/mathematics/dkbhl20.md#lemma-13-at-small-gamma",
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
    stated(
        "dkbhl20.lem13_53.a@B",
        printed("proof of Lemma 13, eq. (51)"),
        "the mean Frobenius norm stays",
        FIRST,
        KEPT,
        (*WEIGHTS, POSITIVE, ON_SIGNS, INVARIANT),
        depends=("dkbhl20.def2@B",),
        pool=LAWS_ON_SIGNS,
        reading="B",
        reading_text=r"$\nu_\gamma$ meets (38)",
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
            "gamma d^2 less the size of the mean of delta_F",
            balance_arms,
            scope=SCOPE,
            stands_for="an order, with some constant in place of d^2",
        ),
    ),
)
