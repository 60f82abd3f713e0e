"""Lemma 6: rank one is kept, and M stays the same (Appendix D).

Printed is gamma <= 1/(8d), as in Lemma 5; the proof asks for gamma <= 1/(8Bd), as the repair does.
The statement about all later layers is one about a single step from any H_k, since the next layer
is one of the same kind. From H = u v^T the averages of M_ij tend to E M_ij under the invariant law
of the closed class that the chain comes to.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.core.claim import Claim
from verify.language.building import Each, Let, Sum, implies, upto
from verify.language.terms import Term
from verify.papers.dkbhl20.invariance import (
    DEFINED,
    DRAWN,
    NORMALISED,
    POSITIVE,
    RANK_ONE,
    SMALL,
    SMALL_FOR_WIDTH,
    SUPPORT,
    UNIQUE,
    WEIGHTS,
    law_pool,
)
from verify.papers.dkbhl20.notation import H, W, batch_normalised, second_moment
from verify.papers.dkbhl20.sign_chain import EVERY, SIGNS, STEP, D, limits, state_of
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.step_cases import BEFORE
from verify.statements.derivations.matrix_words import IDENTITY, matrix, number
from verify.statements.derivations.pair_sums import TERM_BY_TERM, lagrange
from verify.statements.stated import Given, stated

ONE_STEP, LAWS = law_pool(W), law_pool()


# what is said -------------------------------------------------------------------------------------
def off_diagonal(says: Callable[[Term, Term], Term]) -> Term:
    """What is said of each i < j."""
    return Each(upto(D), lambda i: Each(upto(D), lambda j: implies(i < j, says(i, j))))


def mean_of_product(law: Term, i: Term, j: Term) -> Term:
    """E M_ij under a law on the states."""
    return Sum(EVERY, lambda s: law[s] * SIGNS[s, i] * SIGNS[s, j])


BEFORE_IT, AFTER_IT = second_moment(H), second_moment(batch_normalised(BEFORE))
KEPT = AFTER_IT == BEFORE_IT
OF_SIZE_ONE = Each(
    upto(D),
    lambda i: Each(upto(D), lambda j: (abs(BEFORE_IT[i, j]) == 1) & (abs(AFTER_IT[i, j]) == 1)),
)
LIMITS = Let(
    state_of(H),
    lambda start: limits(
        STEP,
        D,
        lambda s: s == start,
        lambda law: off_diagonal(lambda i, j: abs(mean_of_product(law, i, j)) == 1),
    ),
)


# arguments ----------------------------------------------------------------------------------------
ROW_SUMS = "|sum_k W_ik u_k| <= d B for signs u_k and |W_ik| <= B, by the triangle inequality"
ON_LINES = "a matrix of rank one is u v^T; with rows of norm sqrt(N) it is so with u of signs"
LATER = "what one step keeps, whatever H of rank one it starts from, all later steps keep"
GIVEN = ("support in [-B, B]", "weights of the law", "H of rank one", "normalised rows")
THRESHOLDS = ("gamma above 0", "gamma at most 1/(8Bd)")


def states_in_words() -> Step:
    """H + gamma W H = (u + gamma W u) v^T where H = u v^T."""
    u, v, weights, gamma = matrix("u"), matrix("v"), matrix("W"), number("gamma")
    hidden = u @ v.transposed
    one = (IDENTITY + gamma @ weights) @ hidden
    other = (u + gamma @ weights @ u) @ v.transposed
    return Step("H + gamma W H = (u + gamma W u) v^T", (one - other).is_zero and not one.is_zero)


def signs_stay() -> tuple[Step, ...]:
    """With p = gamma W u, |p_i| <= s = gamma d B <= 1/8, a_ij = (u_i + p_i)(u_j + p_j) and
    u_i (u_i + p_i) = 1 + u_i p_i >= 7/8."""
    ring = ring_of(4)
    u, v, p, q = ring.generators
    product = (u + p) * (v + q)
    pair = (u * u + u * p) * (v * v + v * q)
    return (
        Step(
            "u_i u_j (u_i + p_i)(u_j + p_j) = (u_i^2 + u_i p_i)(u_j^2 + u_j p_j)",
            ring.is_zero(u * v * product - pair),
        ),
        Step(
            "((u_i + p_i)(u_j + p_j))^2 = (u_i + p_i)^2 (u_j + p_j)^2",
            ring.is_zero(product * product - (u + p) * (u + p) * (v + q) * (v + q)),
        ),
        Step("1 - 1/8 is above 0", 1 - Fraction(1, 8) > 0),
    )


def signs_are_kept() -> Argument:
    """sign(u + gamma W u) = u, so every state u v^T is fixed."""
    return Argument(
        "H = u v^T, and u_i + gamma (W u)_i has the sign of u_i: |gamma (W u)_i| <= 1/8 < 1",
        (states_in_words(), *signs_stay()),
        (ROW_SUMS, ON_LINES, LATER),
        (*GIVEN, *THRESHOLDS),
        section="docs/mathematics/dkbhl20.md#rank-one-is-kept",
    )


def averages_are_constant() -> Argument:
    """... so that the averages are u_i u_j."""
    return Argument(
        "H_l = u v^T for all l >= k, as u_i + gamma (W u)_i has the sign of u_i; M_ij = u_i u_j",
        (states_in_words(), *signs_stay()),
        (ROW_SUMS, ON_LINES, LATER),
        ("support in [-B, B]", "H of rank one", "normalised rows", *THRESHOLDS),
        section="docs/mathematics/dkbhl20.md#rank-one-is-kept",
    )


def minors_vanish() -> Argument:
    """M_ii M_jj - M_ij^2 is a sum of squares of minors of two rows, before and after the step."""
    return Argument(
        "N^2 (M_ii M_jj - M_ij^2) is a sum of squares of 2 x 2 minors, which vanish for rank one",
        (*lagrange(), states_in_words()),
        (TERM_BY_TERM, "2 x 2 minors of a matrix of rank one are 0", LATER),
        ("H of rank one", "normalised rows"),
        section="docs/mathematics/dkbhl20.md#rank-one-is-kept",
    )


# claims -------------------------------------------------------------------------------------------
STATEMENTS = {
    "a": r"$M(H_\ell^{(\gamma)})=M(H_k^{(\gamma)})$ for all $\ell>k$",
    "b": r"all elements of all matrices $\{M(H_\ell^{(\gamma)})\}_{\ell\ge k}$ have absolute value "
    r"one",
    "c": r"$\lim_{L\to\infty}\frac1L\sum_{\ell=1}^L[M(H_\ell^{(\gamma)})]_{ij}\in\{1,-1\}$",
}
TITLES = {
    "a": "M stays the same from rank one on",
    "b": "M has entries of absolute value one from rank one on",
    "c": "averages from rank one on tend to 1 or -1",
}
SAID = {"a": KEPT, "b": OF_SIZE_ONE, "c": LIMITS}
PROOFS = {"a": signs_are_kept, "b": minors_vanish, "c": averages_are_constant}


def _supposed(part: str, *, mended: bool) -> tuple[Given, ...]:
    """The order is that of the repairs."""
    found = (
        *WEIGHTS,
        SUPPORT,
        POSITIVE,
        *((SMALL,) if mended else (SMALL_FOR_WIDTH, UNIQUE)),
        RANK_ONE,
        NORMALISED,
    )
    return found if part == "c" else (*found, DEFINED, DRAWN)


UNIQUENESS = ("dkbhl20.hyp_unique.c", "dkbhl20.hyp_unique.c.samples")
WHY = {
    "a": r"$\gamma\le1/(8d)$ without $B$ lets a weight of size $B>8$ turn the sign of one row of "
    r"$H_k$, and with it that of $[M]_{ij}$.",
    "c": r"$\gamma\le1/(8d)$ without $B$ lets weights of size $B>8$ turn signs of rows again and "
    r"again, so that $[M]_{ij}$ is $1$ and $-1$ in turn and its average lies between.",
}


def _claim(part: str, *, mended: bool = False) -> Claim:
    """Printed, in the reading A; mended with the threshold of the proof (B), without uniqueness."""
    given = "" if mended else ", and the chain admits a unique invariant distribution"
    printed_one = f"dkbhl20.lem6.{part}@A"
    return stated(
        f"dkbhl20.lem6.{part}@B.fix" if mended else printed_one,
        printed("Lemma 6, eq. (33), Appendix D"),
        TITLES[part] + (", without uniqueness" if mended else ""),
        r"The weights are independent draws from $\mathcal P$, of mean zero and variance one with "
        rf"support in $[-B,B]${given}. If $\mathrm{{rank}}(H_k^{{(\gamma)}})=1$ for an integer "
        rf"$k$, then almost surely {STATEMENTS[part]}.",
        SAID[part],
        _supposed(part, mended=mended),
        depends=("dkbhl20.def_chain.d", "dkbhl20.lem6a.d", *(() if mended else UNIQUENESS)),
        pool=LAWS if part == "c" else ONE_STEP,
        reading="B" if mended else "A",
        reading_text=r"for $\gamma\le1/(8Bd)$" if mended else r"for $\gamma\le1/(8d)$",
        repairs=printed_one if mended else None,
        proof=PROOFS[part] if mended or part == "b" else None,
        why="" if mended else WHY.get(part, ""),
    )


CLAIMS = (*map(_claim, "abc"), *(_claim(part, mended=True) for part in "ac"))
