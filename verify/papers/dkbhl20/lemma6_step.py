"""One step on the second moment matrix, (36) and (37), and bounds on it from M = u u^T with u of
signs, in the proof of Lemma 6 (Appendix D).

Reading A asks the first bound for gamma <= 1/(8Bd) only.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.core.claim import Claim
from verify.language.building import Each, Number, Vector, outer, rows, sign, upto
from verify.language.terms import Term
from verify.papers.dkbhl20.conditions import NAME_OF_SMALL, TEXT_OF_SMALL, to_larger, to_small
from verify.papers.dkbhl20.drawing import STRENGTHS, in_roles, rows_of
from verify.papers.dkbhl20.notation import (
    GAMMA,
    H,
    W,
    batch_normalised,
    entries,
    increment,
    inverse_root,
    second_moment,
)
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.step_cases import BEFORE, DEFINED, step_pool
from verify.statements.derivations.matrix_words import EVERY_SIZE, IDENTITY, Words, matrix, number
from verify.statements.quantities import with_entries, with_rows
from verify.statements.stated import Given, pool_with, stated, unless

U, B = Vector("u", "d"), Number("B")
BOUNDS = (Fraction(1), Fraction(2), Fraction(4), Fraction(16), Fraction(7, 4))
ROWS = "|sum_k W_ik u_k| <= d B for signs u_k and |W_ik| <= B, by the triangle inequality"


def normalised(moments: Term) -> Term:
    """diag(M)^(-1/2) M diag(M)^(-1/2), (36)."""
    return inverse_root(moments) @ moments @ inverse_root(moments)


M, D = second_moment(H), rows(W)
STEP = second_moment(batch_normalised(BEFORE)) == normalised(M + increment(M, W, GAMMA))
OF_SIGNS = outer(U, U)
MOVED = increment(OF_SIGNS, W, GAMMA)  # Delta M from M = u u^T
BETWEEN = OF_SIGNS + MOVED  # M_(l + 1/2)


def everywhere(says: Callable[[Term, Term], Term]) -> Term:
    """What is said of each place of a matrix."""
    return Each(upto(D), lambda i: Each(upto(D), lambda j: says(i, j)))


def at_most(bound: Any) -> Term:
    """|Delta M_ij| is at most that."""
    return everywhere(lambda i, j: abs(MOVED[i, j]) <= bound)


def same_signs(one: Term, other: Term) -> Term:
    """The signs of all entries agree."""
    return everywhere(lambda i, j: sign(one[i, j]) == sign(other[i, j]))


PRINTED, MENDED, HALF = (
    at_most(4 * GAMMA * B),
    at_most(Fraction(17, 8) * D * GAMMA * B),
    at_most(Fraction(1, 2)),
)
NORMALISED_SIGNS = same_signs(normalised(BETWEEN), BETWEEN)
KEPT_SIGNS = same_signs(BETWEEN, OF_SIGNS)


# cases --------------------------------------------------------------------------------------------
def at_corners(case: Any, random: Random) -> Any:
    """Half of the weights at corners of the cube, as signs times B, as multiples of u, or with one
    row against the sign of its neuron and no others."""
    bound = random.choice(BOUNDS)
    case = with_entries(case, "B", [bound])
    if random.random() < 0.5:
        return case
    signs = [Fraction(random.choice((1, -1))) for _ in case.arrays["W"].entries]
    row = [Fraction(-1 if x < 0 else 1) for x in case.arrays["u"].entries]
    manner = random.choice(("corner", "multiples", "against one"))
    if manner == "multiples":
        signs = [one * other for one in row for other in row]
    if manner == "against one":
        signs = [-row[0] * x for x in row] + [Fraction(0)] * (len(signs) - len(row))
    return with_entries(case, "W", [bound * sign for sign in signs])


def _drawn(case: Any, random: Random) -> Any:
    return at_corners(in_roles("u", "W", "gamma")(case, random), random)


ONE_STEP = pool_with(U, W, GAMMA, B, adapt=_drawn)
WITHOUT_BOUND = pool_with(U, W, GAMMA, adapt=in_roles("u", "W", "gamma"))


# hypotheses ---------------------------------------------------------------------------------------
def _to_signs(case: Any, random: Random) -> Any:
    return with_entries(case, "u", [Fraction(-1 if x < 0 else 1) for x in case.arrays["u"].entries])


def _other_sizes(case: Any, random: Random) -> Any:
    found = case.arrays["u"].entries
    sizes = [x * random.choice((8, 1, Fraction(1, 16))) for x in found[:-1]]
    return with_entries(case, "u", [*sizes, found[-1] * 8])


def _to_bounded(case: Any, random: Random) -> Any:
    """Weights beyond the bound go onto it."""
    bound = abs(case.number("B"))
    found = [max(-bound, min(bound, x)) for x in case.arrays["W"].entries]
    return with_entries(with_entries(case, "B", [bound]), "W", found)


def _beyond(case: Any, random: Random) -> Any:
    """The weights of one row beyond the bound, against the sign of their neuron or not."""
    weights, u = rows_of(case.arrays["W"]), case.arrays["u"].entries
    i = random.randrange(len(weights))
    size = random.choice((2, 4, 16, -4, -16)) * (abs(case.number("B")) + 1)
    weights[i] = [size * u[i] * x for x in u]
    return with_rows(case, "W", weights)


def _kept_diagonal(case: Any, random: Random) -> Any:
    """u of signs, and gamma halved while an entry is 0."""
    case = _to_signs(case, random)
    u, gamma = case.arrays["u"].entries, case.number("gamma")
    moved = [sum(a * b for a, b in zip(row, u, strict=True)) for row in rows_of(case.arrays["W"])]
    while any(x + gamma * y == 0 for x, y in zip(u, moved, strict=True)):
        gamma /= 2
    return with_entries(case, "gamma", [gamma])


def _lost_diagonal(case: Any, random: Random) -> Any:
    """gamma = 1 and a row of weights that takes u_i away."""
    weights = rows_of(case.arrays["W"])
    i = random.randrange(len(weights))
    weights[i] = [Fraction(-(i == j)) for j in range(len(weights))]
    return with_rows(with_entries(case, "gamma", [Fraction(1)]), "W", weights)


def _to_positive(case: Any, random: Random) -> Any:
    return with_entries(case, "gamma", [abs(case.number("gamma")) or random.choice(STRENGTHS)])


def _to_other(case: Any, random: Random) -> Any:
    return with_entries(case, "gamma", [random.choice((Fraction(0), -abs(case.number("gamma"))))])


SIGNS = Given(
    "u of signs",
    Each(entries(U), lambda i: (U[i] == 1) | (U[i] == -1)),
    r"$M=uu^\top$ with $u\in\{-1,1\}^d$, so that $M_{ij}\in\{-1,1\}$",
    _to_signs,
    _other_sizes,
    thin=True,
)
BOUNDED = Given(
    "weights at most B",
    everywhere(lambda i, j: abs(W[i, j]) <= B),
    r"$|W_{ij}|\le B$",
    _to_bounded,
    _beyond,
)
POSITIVE = Given(
    "gamma above 0", GAMMA > 0, r"$\gamma>0$", unless(GAMMA > 0, _to_positive), _to_other
)
SMALL = Given(NAME_OF_SMALL, 1 / (8 * B * D) >= GAMMA, TEXT_OF_SMALL, to_small, to_larger)
DEFINED_SIGNS = Given(
    "no diagonal entry is 0 before BN",
    Each(upto(D), lambda i: (U + GAMMA * W @ U)[i] != 0),
    r"no entry of $u+\gamma Wu$ is $0$, so that $\mathrm{diag}(M)^{-1/2}$ is defined",
    _kept_diagonal,
    _lost_diagonal,
)
SUPPOSED = (BOUNDED, SIGNS, POSITIVE, SMALL)


# arguments ----------------------------------------------------------------------------------------
def step_in_words() -> tuple[Words, Words]:
    """M(H + gamma W H) with M in place of H H^T / N, and M + Delta M of (37)."""
    hidden, weights, gamma = matrix("H"), matrix("W"), number("gamma")
    before = (IDENTITY + gamma @ weights) @ hidden
    moment = (before @ before.transposed).replaced(("H", "H'"), ("M",), ("N",))
    m = matrix("M", symmetric=True)
    once = gamma @ weights @ m
    more = once + once.transposed + gamma @ gamma @ weights @ m @ weights.transposed
    return moment, number("N") @ (m + more)


def the_step_expands() -> Argument:
    """(I + gamma W) H H^T (I + gamma W)^T / N = M + Delta M."""
    one, other = step_in_words()
    return Argument(
        "M(H + gamma W H), expanded in words, is M + Delta M; both sides normalise that matrix",
        (
            Step("N M(H + gamma W H) = N (M + Delta M), where N M = H H^T", (one - other).is_zero),
            Step("it is no sum of 0 terms", not one.is_zero),
        ),
        (EVERY_SIZE, "M(D H) = D M(H) D for a diagonal D"),
        (),
        section="docs/mathematics/dkbhl20.md#identities-for-every-size",
    )


def increment_in_words() -> Step:
    """Delta M = p u^T + u p^T + p p^T with p = gamma W u."""
    u, weights, gamma = matrix("u"), matrix("W"), number("gamma")
    p, moment = gamma @ weights @ u, u @ u.transposed
    once = gamma @ weights @ moment
    moved = once + once.transposed + gamma @ once @ weights.transposed
    made = p @ u.transposed + u @ p.transposed + p @ p.transposed
    holds = (made - moved).is_zero and not made.is_zero
    return Step("Delta M = p u^T + u p^T + p p^T with p = gamma W u", holds)


def numbers_of_the_bound() -> tuple[Step, ...]:
    """2 s + s^2 <= 17 s/8 <= 17/64 < 1/2 for 0 <= s = d gamma B <= 1/8; and (u + p)(v + q), which
    is u v + p v + u q + p q."""
    ring = ring_of(4)
    u, v, p, q = ring.generators
    s, eighth = u, ring.constant(Fraction(1, 8))
    slack = s * ring.constant(Fraction(17, 8)) - 2 * s - s * s
    return (
        Step(
            "u_i u_j + p_i u_j + u_i p_j + p_i p_j = (u_i + p_i)(u_j + p_j)",
            ring.is_zero(u * v + p * v + u * q + p * q - (u + p) * (v + q)),
        ),
        Step("17 s/8 - (2 s + s^2) = s (1/8 - s)", ring.is_zero(slack - s * (eighth - s))),
        Step("17/8 times 1/8 is below 1/2", Fraction(17, 8) * Fraction(1, 8) < Fraction(1, 2)),
        Step("1/8 is below 1", Fraction(1, 8) < 1),
    )


def normalisation_keeps_signs() -> Argument:
    """M_gamma = v v^T with v = u + p, so [M_(l+1)]_ij = v_i v_j/|v_i v_j|."""
    ring = ring_of(2)
    v, w = ring.generators
    return Argument(
        "[M_(l+1/2)]_ij = v_i v_j is divided by the root of v_i^2 v_j^2, which is above 0",
        (
            increment_in_words(),
            *numbers_of_the_bound()[:1],
            Step("v_i^2 v_j^2 = (v_i v_j)^2", ring.is_zero(v**2 * w**2 - (v * w) ** 2)),
        ),
        (EVERY_SIZE, "a number over a root that is above 0 keeps its sign"),
        (SIGNS.name, DEFINED_SIGNS.name),
        section="docs/mathematics/dkbhl20.md#one-step-from-signs",
    )


def _argued(summary: str) -> Argument:
    return Argument(
        summary,
        (increment_in_words(), *numbers_of_the_bound()),
        (EVERY_SIZE, ROWS),
        tuple(given.name for given in SUPPOSED),
        section="docs/mathematics/dkbhl20.md#one-step-from-signs",
    )


def bounded_below_the_threshold() -> Argument:
    """... <= 17 s/8."""
    summary = "|p_i| <= s = d gamma B <= 1/8, so |Delta M_ij| <= 2 s + s^2 <= 17 s/8"
    return _argued(summary)


def at_most_a_half() -> Argument:
    """... <= 17/64."""
    summary = "|p_i| <= s = d gamma B <= 1/8, so |Delta M_ij| <= 2 s + s^2 <= 17/64 < 1/2"
    return _argued(summary)


def signs_are_kept() -> Argument:
    """u_i + p_i has the sign of u_i."""
    summary = "[M_(l+1/2)]_ij = (u_i + p_i)(u_j + p_j) with |p_i| <= d gamma B <= 1/8 < 1 = |u_i|"
    return _argued(summary)


# claims -------------------------------------------------------------------------------------------
PLACE = "proof of Lemma 6, after eq. (37), Appendix D"


def _bound(*, mended: bool) -> Claim:
    bound = r"\tfrac{17}8d\gamma B" if mended else r"4\gamma B"
    return stated(
        "dkbhl20.lem6a.a@A" + (".fix" if mended else ""),
        printed(PLACE),
        "one step moves M by at most" + (" that, repaired" if mended else " 4 gamma B"),
        rf"$|[\Delta M_\ell]_{{ij}}|\le{bound}$ where $[M_\ell]_{{ij}}\in\{{-1,1\}}$.",
        MENDED if mended else PRINTED,
        SUPPOSED,
        depends=("dkbhl20.def_chain.d",),
        pool=ONE_STEP,
        reading="A",
        reading_text=r"for $\gamma\le1/(8Bd)$",
        repairs="dkbhl20.lem6a.a@A" if mended else None,
        proof=bounded_below_the_threshold if mended else None,
    )


CLAIMS = (
    stated(
        "dkbhl20.def_chain.d",
        printed("eqs. (36), (37), (42), (63), (64)"),
        "the step on the second moment matrix",
        r"$M_{\ell+1}=\mathrm{diag}(M_{\ell+\frac12})^{-1/2}M_{\ell+\frac12}\,\mathrm{diag}"
        r"(M_{\ell+\frac12})^{-1/2}$ with $M_{\ell+\frac12}=M_\ell+\Delta M_\ell$ and $\Delta M_"
        r"\ell=\gamma W_\ell M_\ell+\gamma M_\ell W_\ell^\top+\gamma^2W_\ell M_\ell W_\ell^\top$.",
        STEP,
        [DEFINED],
        depends=("dkbhl20.def_chain.a",),
        pool=step_pool(),
        proof=the_step_expands,
    ),
    _bound(mended=False),
    _bound(mended=True),
    stated(
        "dkbhl20.lem6a.b",
        printed(PLACE),
        "one step moves M by at most one half",
        r"For $\gamma\le1/(8Bd)$, $|[\Delta M_\ell]_{ij}|\le\frac12$ where "
        r"$[M_\ell]_{ij}\in\{-1,1\}$.",
        HALF,
        SUPPOSED,
        depends=("dkbhl20.lem6a.a@A",),
        pool=ONE_STEP,
        proof=at_most_a_half,
    ),
    stated(
        "dkbhl20.lem6a.c",
        printed(PLACE),
        "normalisation keeps signs",
        r"The sign of $[M_{\ell+1}]_{ij}$ equates that of $[M_{\ell+\frac12}]_{ij}$.",
        NORMALISED_SIGNS,
        [SIGNS, DEFINED_SIGNS],
        depends=("dkbhl20.def_chain.d",),
        pool=WITHOUT_BOUND,
        proof=normalisation_keeps_signs,
    ),
    stated(
        "dkbhl20.lem6a.d",
        printed(PLACE),
        "one step keeps signs",
        r"For $\gamma\le1/(8Bd)$ the sign of $[M_{\ell+\frac12}]_{ij}$ equals that of "
        r"$[M_\ell]_{ij}\in\{-1,1\}$.",
        KEPT_SIGNS,
        SUPPOSED,
        depends=("dkbhl20.lem6a.b",),
        pool=ONE_STEP,
        proof=signs_are_kept,
    ),
)
