"""Bounds on one step from a matrix of signs, in the proof of Lemma 6 (Appendix D).

M = u u^T with u of signs. Readings: A asks (a) for gamma <= 1/(8Bd) only, B for every gamma > 0.
An absolute value at most c is measured as c + x and c - x, both at least 0.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random

import numpy as np

from graphs.arithmetic import Array
from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.normalised_hypotheses import positive_number
from verify.normalised_pool import STRENGTHS, chain_pool, with_entries
from verify.normalised_scene import Chained, ChainScene
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.step_conditions import BOUNDED, DEFINED_SIGNS, SIGNS, SMALL
from verify.papers.dkbhl20.words import EVERY_SIZE, matrix, number
from verify.vocabulary import Entries

POSITIVE = positive_number("gamma", r"$\gamma>0$", STRENGTHS)
BOUNDS = (Fraction(1), Fraction(2), Fraction(4), Fraction(16), Fraction(7, 4))
ROWS = "|sum_k W_ik u_k| <= d B for signs u_k and |W_ik| <= B, by the triangle inequality"


def at_corners(case: Chained, random: Random) -> Chained:
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


ONE_STEP = chain_pool("u", "W", "gamma", extras=(("B", ()),), last=at_corners)


def signs_and_step(scene: ChainScene) -> tuple[Array, Array]:
    """(C, d, d) each: M = u u^T and Delta M."""
    column = scene["u"].reshape(len(scene.cases), scene.width, 1)
    moments = column @ scene.transpose(column)
    return moments, scene.increment(moments, scene["W"], scene["gamma"])


def bound_slack(scene: ChainScene, *, bound: str) -> Entries:
    """The bound on |Delta M_ij| less Delta M_ij, and plus it, for i <= j."""
    _, step = signs_and_step(scene)
    product = scene["gamma"] * scene["B"]
    wide = scene.share(product, scene.width)
    limit = {
        "4 gamma B": scene.share(product, 4),
        "17/8 d gamma B": scene.share(wide, Fraction(17, 8)),
        "1/2": scene.constant(Fraction(1, 2)),
    }[bound]
    parts = []
    for i in range(scene.width):
        for j in range(i, scene.width):
            x = step[:, i, j]
            parts.append(({"part": "above", "entry": [i, j]}, limit, x))
            parts.append(({"part": "below", "entry": [i, j]}, limit, -x))
    return scene.parts(parts)


def signs_of(scene: ChainScene, values: Array) -> Array:
    """(C,): -1, 0 or 1."""
    flat = values.reshape(-1)
    negative = np.asarray(scene.arithmetic.is_negative(flat), dtype=bool)
    zero = np.asarray(scene.arithmetic.may_be_zero(flat), dtype=bool)
    return scene.numbers(np.where(zero, 0, np.where(negative, -1, 1)))


def normalised_signs(scene: ChainScene) -> Entries:
    """sign of [M_(l+1)]_ij = [M_gamma]_ij/sqrt([M_gamma]_ii [M_gamma]_jj), less that of
    [M_gamma]_ij = [M_(l+1/2)]_ij, for i <= j."""
    moments, step = signs_and_step(scene)
    before, one = moments + step, scene.constant(1)
    parts = []
    for i in range(scene.width):
        for j in range(i, scene.width):
            square = before[:, i, i] * before[:, j, j]
            zero = np.asarray(scene.arithmetic.may_be_zero(square), dtype=bool)
            after = before[:, i, j] / scene.sqrt(np.where(zero, one, square))
            sides = signs_of(scene, after), signs_of(scene, before[:, i, j])
            parts.append(({"entry": [i, j]}, *sides))
    return scene.parts(parts)


def kept_signs(scene: ChainScene) -> Entries:
    """sign of [M_(l+1/2)]_ij less that of [M_l]_ij, for i <= j."""
    moments, step = signs_and_step(scene)
    parts = []
    for i in range(scene.width):
        for j in range(i, scene.width):
            before = moments[:, i, j]
            sides = signs_of(scene, before + step[:, i, j]), signs_of(scene, before)
            parts.append(({"entry": [i, j]}, *sides))
    return scene.parts(parts)


# arguments ----------------------------------------------------------------------------------------
def increment_in_words() -> Step:
    """Delta M = p u^T + u p^T + p p^T with p = gamma W u."""
    u, weights, gamma = matrix("u"), matrix("W"), number("gamma")
    p, moment = gamma @ weights @ u, u @ u.transposed
    once = gamma @ weights @ moment
    increment = once + once.transposed + gamma @ once @ weights.transposed
    made = p @ u.transposed + u @ p.transposed + p @ p.transposed
    holds = (made - increment).is_zero and not made.is_zero
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
        "normalised_signs",
        ("u of signs", "no diagonal entry is 0 before BN"),
        section=31,
    )


def _argued(summary: str, measure: str, *uses: str) -> Argument:
    return Argument(
        summary,
        (increment_in_words(), *numbers_of_the_bound()),
        (EVERY_SIZE, ROWS),
        measure,
        uses,
        section=31,
    )


GIVEN = ("weights at most B", "u of signs", "gamma above 0")
THRESHOLD = "gamma at most 1/(8Bd)"


def bounded_below_the_threshold() -> Argument:
    """... <= 17 s/8."""
    summary = "|p_i| <= s = d gamma B <= 1/8, so |Delta M_ij| <= 2 s + s^2 <= 17 s/8"
    return _argued(summary, "bound_slack(bound='17/8 d gamma B')", *GIVEN, THRESHOLD)


def at_most_a_half() -> Argument:
    """... <= 17/64."""
    summary = "|p_i| <= s = d gamma B <= 1/8, so |Delta M_ij| <= 2 s + s^2 <= 17/64 < 1/2"
    return _argued(summary, "bound_slack(bound='1/2')", *GIVEN, THRESHOLD)


def signs_are_kept() -> Argument:
    """u_i + p_i has the sign of u_i."""
    summary = "[M_(l+1/2)]_ij = (u_i + p_i)(u_j + p_j) with |p_i| <= d gamma B <= 1/8 < 1 = |u_i|"
    return _argued(summary, "kept_signs", *GIVEN, THRESHOLD)


# claims -------------------------------------------------------------------------------------------
PLACE = "proof of Lemma 6, after eq. (37), Appendix D"
SUPPOSED = (BOUNDED, SIGNS, POSITIVE)
TEXTS = {"4 gamma B": r"4\gamma B", "17/8 d gamma B": r"\tfrac{17}8d\gamma B"}


def _bound(*, mended: bool) -> Claim:
    bound = "17/8 d gamma B" if mended else "4 gamma B"
    return Claim(
        "dkbhl20.lem6a.a@A" + (".fix" if mended else ""),
        Kind.INEQUALITY,
        printed(PLACE),
        "one step moves M by at most" + (" that, repaired" if mended else " 4 gamma B"),
        rf"$|[\Delta M_\ell]_{{ij}}|\le{TEXTS[bound]}$ where $[M_\ell]_{{ij}}\in\{{-1,1\}}$.",
        (*SUPPOSED, SMALL),
        ("dkbhl20.def_chain.d",),
        partial(bound_slack, bound=bound),
        ONE_STEP,
        "A",
        r"for $\gamma\le1/(8Bd)$",
        repairs="dkbhl20.lem6a.a@A" if mended else None,
        proof=bounded_below_the_threshold if mended else None,
    )


HALF = Claim(
    "dkbhl20.lem6a.b",
    Kind.INEQUALITY,
    printed(PLACE),
    "one step moves M by at most one half",
    r"For $\gamma\le1/(8Bd)$, $|[\Delta M_\ell]_{ij}|\le\frac12$ where "
    r"$[M_\ell]_{ij}\in\{-1,1\}$.",
    (*SUPPOSED, SMALL),
    ("dkbhl20.lem6a.a@A",),
    partial(bound_slack, bound="1/2"),
    ONE_STEP,
    proof=at_most_a_half,
)

NORMALISED_SIGNS = Claim(
    "dkbhl20.lem6a.c",
    Kind.IDENTITY,
    printed(PLACE),
    "normalisation keeps signs",
    r"The sign of $[M_{\ell+1}]_{ij}$ equates that of $[M_{\ell+\frac12}]_{ij}$.",
    (SIGNS, DEFINED_SIGNS),
    ("dkbhl20.def_chain.d",),
    normalised_signs,
    chain_pool("u", "W", "gamma"),
    exact_only=True,
    proof=normalisation_keeps_signs,
)

KEPT = Claim(
    "dkbhl20.lem6a.d",
    Kind.IDENTITY,
    printed(PLACE),
    "one step keeps signs",
    r"For $\gamma\le1/(8Bd)$ the sign of $[M_{\ell+\frac12}]_{ij}$ equals that of $[M_\ell]_{ij}"
    r"\in\{-1,1\}$.",
    (*SUPPOSED, SMALL),
    ("dkbhl20.lem6a.b",),
    kept_signs,
    ONE_STEP,
    exact_only=True,
    proof=signs_are_kept,
)

CLAIMS = (
    _bound(mended=False),
    _bound(mended=True),
    HALF,
    NORMALISED_SIGNS,
    KEPT,
)
