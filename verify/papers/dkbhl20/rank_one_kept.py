"""Lemma 6: rank one is kept, and M stays the same (Appendix D).

Printed is gamma <= 1/(8d), as in Lemma 5; the proof asks for gamma <= 1/(8Bd), as the repair does.
The statement about all later layers is one about a single step from any H_k, since the next layer
is one of the same kind. Square roots are squared away: x|x| grows with x, and is rational.
"""

from __future__ import annotations

from fractions import Fraction

from graphs.arithmetic import Array
from graphs.rings import ring_of
from verify.cases.hypotheses import Hypothesis
from verify.cases.scenes import Entries
from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.kinds.normalised.hypotheses import MEAN_ZERO, NORMALISED, PROBABILITIES, VARIANCE_ONE
from verify.kinds.normalised.scene import ChainScene
from verify.papers.dkbhl20.conditions import DEFINED, SMALL
from verify.papers.dkbhl20.invariance import (
    DRAWN,
    POSITIVE,
    RANK_ONE,
    SMALL_FOR_WIDTH,
    SUPPORT,
    UNIQUE,
    law_pool,
)
from verify.papers.dkbhl20.sign_states import sign_chain_of, signs_of_rows
from verify.papers.dkbhl20.sources import printed
from verify.statements.derivations.matrix_words import IDENTITY, matrix, number
from verify.statements.derivations.pair_sums import TERM_BY_TERM, different_indices, lagrange

ONE_STEP = law_pool("W")
LAWS = law_pool()


# measures -----------------------------------------------------------------------------------------
def signed_square(scene: ChainScene, values: Array) -> Array:
    """x|x| of each number."""
    return values * scene.arithmetic.maximum(values, -values)


def moments_around_the_step(scene: ChainScene) -> tuple[Array, Array]:
    """(C, d, d) each: M(H) and M(H + gamma W H)."""
    before = scene.before_norm(scene["H"], scene["W"], scene["gamma"])
    return scene.second_moment(scene["H"]), scene.second_moment(before)


def moved_moments(scene: ChainScene) -> Entries:
    """[M_(k+1)]_ij - [M_k]_ij as a|a| - m|m| a_ii a_jj, for i < j; a = M(H + gamma W H), m = M(H),
    and [M_(k+1)]_ij = a_ij / sqrt(a_ii a_jj)."""
    moments, after = moments_around_the_step(scene)
    parts = []
    for i, j in different_indices(scene.width):
        scale = after[:, i, i] * after[:, j, j]
        sides = [signed_square(scene, m[:, i, j]) for m in (after, moments)]
        parts.append(({"entry": [i, j]}, sides[0], sides[1] * scale))
    return scene.parts(parts)


def sizes_of_entries(scene: ChainScene) -> Entries:
    """[M_k]_ij^2 - 1, and [M_(k+1)]_ij^2 - 1 as a_ij^2 - a_ii a_jj, for i < j."""
    moments, after = moments_around_the_step(scene)
    one, parts = scene.constant(1), []
    for i, j in different_indices(scene.width):
        here, there = moments[:, i, j], after[:, i, j]
        parts.append(({"part": "before", "entry": [i, j]}, here * here, one))
        scale = after[:, i, i] * after[:, j, j]
        parts.append(({"part": "after", "entry": [i, j]}, there * there, scale))
    return scene.parts(parts)


def limits_of_averages(scene: ChainScene) -> Entries:
    """m^2 - 1 for the limit m of the averages of [M_l]_ij that is nearest to 0 of those that the
    chain has with positive probability, i < j. From H = u v^T the averages tend to E M_ij under the
    invariant law of the closed class that the chain comes to. From an H of another rank, or where
    no invariant law is reached, nothing is said: 0."""
    parts = []
    for i, j in different_indices(scene.width):
        squares = [min(_limits(case, i, j), default=Fraction(1)) for case in scene.cases]
        parts.append(({"entry": [i, j]}, scene.numbers(squares), scene.constant(1)))
    return scene.parts(parts)


def _limits(case: Tensors, i: int, j: int) -> list[Fraction]:
    chain, signs = sign_chain_of(case), signs_of_rows(case)
    if chain is None or signs is None:
        return []
    reached = chain.reached[chain.states.index(signs)]
    return [chain.mean(chain.laws[n], i, j) ** 2 for n in reached]


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
        "moved_moments",
        (*GIVEN, *THRESHOLDS),
        section="docs/mathematics/dkbhl20.md#rank-one-is-kept",
    )


def averages_are_constant() -> Argument:
    """... so that the averages are u_i u_j."""
    return Argument(
        "H_l = u v^T for all l >= k, as u_i + gamma (W u)_i has the sign of u_i; M_ij = u_i u_j",
        (states_in_words(), *signs_stay()),
        (ROW_SUMS, ON_LINES, LATER),
        "limits_of_averages",
        ("support in [-B, B]", "H of rank one", "normalised rows", *THRESHOLDS),
        section="docs/mathematics/dkbhl20.md#rank-one-is-kept",
    )


def minors_vanish() -> Argument:
    """M_ii M_jj - M_ij^2 is a sum of squares of minors of two rows, before and after the step."""
    return Argument(
        "N^2 (M_ii M_jj - M_ij^2) is a sum of squares of 2 x 2 minors, which vanish for rank one",
        (*lagrange(), states_in_words()),
        (TERM_BY_TERM, "2 x 2 minors of a matrix of rank one are 0", LATER),
        "sizes_of_entries",
        ("H of rank one", "normalised rows"),
        section="docs/mathematics/dkbhl20.md#rank-one-is-kept",
    )


# claims -------------------------------------------------------------------------------------------
WEIGHTS = (PROBABILITIES, MEAN_ZERO, VARIANCE_ONE, SUPPORT, POSITIVE)
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
MEASURES = {"a": moved_moments, "b": sizes_of_entries, "c": limits_of_averages}
PROOFS = {"a": signs_are_kept, "b": minors_vanish, "c": averages_are_constant}


def _supposed(part: str, *, mended: bool) -> tuple[Hypothesis, ...]:
    """The order is that of the repairs."""
    found = (*WEIGHTS, *((SMALL,) if mended else (SMALL_FOR_WIDTH, UNIQUE)), RANK_ONE, NORMALISED)
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
    return Claim(
        f"dkbhl20.lem6.{part}@B.fix" if mended else printed_one,
        Kind.IDENTITY,
        printed("Lemma 6, eq. (33), Appendix D"),
        TITLES[part] + (", without uniqueness" if mended else ""),
        r"The weights are independent draws from $\mathcal P$, of mean zero and variance one with "
        rf"support in $[-B,B]${given}. If $\mathrm{{rank}}(H_k^{{(\gamma)}})=1$ for an integer "
        rf"$k$, then almost surely {STATEMENTS[part]}.",
        _supposed(part, mended=mended),
        ("dkbhl20.def_chain.d", "dkbhl20.lem6a.d", *(() if mended else UNIQUENESS)),
        MEASURES[part],
        LAWS if part == "c" else ONE_STEP,
        "B" if mended else "A",
        r"for $\gamma\le1/(8Bd)$" if mended else r"for $\gamma\le1/(8d)$",
        repairs=printed_one if mended else None,
        exact_only=part == "c",
        proof=PROOFS[part] if mended or part == "b" else None,
        why="" if mended else WHY.get(part, ""),
    )


CLAIMS = (*map(_claim, "abc"), *(_claim(part, mended=True) for part in "ac"))
