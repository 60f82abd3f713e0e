"""The rank surrogate r(H) = Tr(M)^2/|M|_F^2 of (4), and Lemma 1, part 1: it is at most the rank.

Quotients are multiplied by |M|_F^2, or by its square, which is above 0 where H is not 0. r being a
rational function of the entries of H, its derivative along G is known from the coefficients of t in
Tr(M)^2 and |M|_F^2 of H + t G, polynomials of degree 4 of which five values give them exactly.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from graphs.arithmetic import Array
from verify.argument import Argument
from verify.claim import Claim, Kind
from verify.normalised_hypotheses import NORMALISED, SQUARE
from verify.normalised_pool import chain_pool
from verify.normalised_scene import ChainScene
from verify.papers.dkbhl20.conditions import NOT_ZERO, SOME_EIGENVALUE
from verify.papers.dkbhl20.layer_proofs import (
    averages_are_bounded,
    gradient_is_the_derivative,
    layers_have_trace_d,
)
from verify.papers.dkbhl20.pair_sums import TERM_BY_TERM, variance
from verify.papers.dkbhl20.sources import printed
from verify.vocabulary import Entries

EIGENVALUES = (
    "M has as many eigenvalues that are not 0 as the rank of H; all are real, they sum to Tr M, "
    "their squares to |M|_F^2"
)
HIDDEN = chain_pool("H")
SEGMENT = chain_pool("H", extras=(("G", ("d", "N")),))
DIFFERENCES = {1: Fraction(2, 3), -1: Fraction(-2, 3), 2: Fraction(-1, 12), -2: Fraction(1, 12)}
"""The weights of f(t) that give f'(0) for every polynomial f of degree at most 4."""


def numerator_and_denominator(scene: ChainScene, hidden: Array) -> tuple[Array, Array]:
    """(C,): Tr(M)^2 and |M|_F^2."""
    moments = scene.second_moment(hidden)
    trace = scene.trace(moments)
    return trace * trace, scene.frobenius_squared(moments)


def gradient_residual(scene: ChainScene) -> Entries:
    """q^2 times the derivative of r = p/q at H along G, p' q - p q' from values of p and q on the
    segment; less that of the analytic gradient (4/N) (Tr(M) q H - p M H)/q^2, times q^2."""
    hidden, way = scene["H"], scene["G"]
    p, q = numerator_and_denominator(scene, hidden)
    dp = dq = scene.constant(0)
    for step, weight in DIFFERENCES.items():
        there = numerator_and_denominator(scene, hidden + scene.share_all(way, step))
        dp, dq = dp + scene.share(there[0], weight), dq + scene.share(there[1], weight)
    moments = scene.second_moment(hidden)
    upper = scene.scaled(hidden, scene.trace(moments) * q)
    gradient = upper - scene.scaled(moments @ hidden, p)
    along = (gradient * way).reshape(len(scene.cases), -1).sum(1)
    return scene.compare(dp * q - p * dq, scene.share(along, Fraction(4, scene.samples)))


def rank_jump(scene: ChainScene) -> Entries:
    """The rank of H + t G for all but finitely many t, less that of H. The minors of H + t G are
    polynomials of degree at most min(d, N), so one of min(d, N) + 1 values of t has that rank."""
    hidden, way = scene["H"], scene["G"]
    ranks = [scene.rank_of(hidden)]
    for step in range(1, min(scene.width, scene.samples) + 2):
        ranks.append(scene.rank_of(hidden + scene.share_all(way, step)))
    generic = [max(column) for column in zip(*ranks, strict=True)]
    return scene.compare(scene.numbers(generic), scene.numbers(ranks[0]))


def trace_residual(scene: ChainScene) -> Entries:
    """(r(H) - d^2/|M|_F^2) |M|_F^2 = Tr(M)^2 - d^2."""
    p, _ = numerator_and_denominator(scene, scene["H"])
    return scene.compare(p, scene.constant(scene.width**2))


def rank_slack(scene: ChainScene) -> Entries:
    """(rank(H) - r(H)) |M|_F^2."""
    p, q = numerator_and_denominator(scene, scene["H"])
    return scene.compare(scene.numbers(scene.rank_of(scene["H"])) * q, p)


def rank_bounds_the_surrogate() -> Argument:
    """k sum lambda^2 - (sum lambda)^2 is a sum of squares over the k eigenvalues that are not 0."""
    return Argument(
        "Cauchy and Schwarz over the eigenvalues of M that are not 0",
        variance(),
        (
            TERM_BY_TERM,
            EIGENVALUES,
        ),
        "rank_slack",
        ("H is not 0",),
        section=31,
    )


def support(scene: ChainScene) -> Array:
    """(C,): |lambda|_0, how many of the numbers lambda are not 0."""
    zero = scene.arithmetic.may_be_zero(scene["lam"].reshape(-1)).reshape(len(scene.cases), -1)
    return scene.numbers((~zero).sum(1))


def steps_slack(scene: ChainScene) -> Entries:
    """(12) to (14), squared and multiplied by powers of k = |lambda|_0: with w = 1/k where lambda
    is not 0, |lambda|_2^2 |w|_2^2 - <lambda, w>^2 = (k |lambda|_2^2 - (sum lambda)^2)/k^2;
    (|lambda|_2^2/k - (|lambda|_1/k)^2) k^2; k |lambda|_2^2 - |lambda|_1^2."""
    spectrum, count = scene["lam"], support(scene)
    total, square = spectrum.sum(1), (spectrum * spectrum).sum(1)
    absolute = scene.arithmetic.maximum(spectrum, -spectrum).sum(1)
    return scene.parts(
        [
            ({"part": "12"}, square * count, total * total),
            ({"part": "13"}, square * count, absolute * absolute),
            ({"part": "14"}, count * square, absolute * absolute),
        ]
    )


DEFINITION = Claim(
    "dkbhl20.def_r.a",
    Kind.DEFINITION,
    printed("eq. (4)"),
    "the rank surrogate",
    r"$r(H)=\mathrm{Tr}(M(H))^2/\lVert M(H)\rVert_F^2$, $M(H)=HH^\top/N$.",
)

DIFFERENTIABLE = Claim(
    "dkbhl20.def_r.b",
    Kind.IDENTITY,
    printed("Section 2, after eq. (4)"),
    "r is differentiable",
    r"$r$ is differentiable with respect to $H$: its derivative along every $G$ is $\langle\nabla "
    r"r(H),G\rangle$ with $\nabla r=\frac4N\big(\mathrm{Tr}(M)\lVert M\rVert_F^2H-\mathrm{Tr}(M)^2"
    r"MH\big)/\lVert M\rVert_F^4$.",
    (NOT_ZERO,),
    ("dkbhl20.def_r.a",),
    gradient_residual,
    SEGMENT,
    proof=partial(gradient_is_the_derivative, DIFFERENCES),
)

JUMPS = Claim(
    "dkbhl20.def_r.b.rank",
    Kind.EXISTENCE,
    printed("Section 2, after eq. (4)"),
    "the algebraic rank is not differentiable",
    r"There are $H$ and $G$ with $\mathrm{rank}(H+tG)\ne\mathrm{rank}(H)$ for all but finitely "
    r"many $t$.",
    (NOT_ZERO,),
    measure=rank_jump,
    pool=SEGMENT,
    exact_only=True,
    negated="on every segment all ranks but finitely many are that at its start",
)

ON_LAYERS = Claim(
    "dkbhl20.def_r.c@A",
    Kind.IDENTITY,
    printed("eq. (41), Appendix E"),
    "r on the chain is d^2 over the squared Frobenius norm",
    r"$r(H_\ell)=d^2/\lVert M_\ell\rVert_F^2$ for all $H_\ell$ of the chain.",
    (NORMALISED,),
    ("dkbhl20.def_r.a", "dkbhl20.def_chain.a"),
    trace_residual,
    HIDDEN,
    "A",
    r"$H_\ell$ is a layer with $\ell\ge1$",
    proof=layers_have_trace_d,
)

LEMMA = Claim(
    "dkbhl20.lem1a",
    Kind.INEQUALITY,
    printed("Lemma 1, first part; Appendix B"),
    "the rank is at least r",
    r"$\mathrm{rank}(H)\ge r(H)$ for an arbitrary matrix $H\in\mathbb R^{d\times d}$.",
    (SQUARE, NOT_ZERO),
    ("dkbhl20.def_r.a",),
    rank_slack,
    HIDDEN,
    exact_only=True,
    floats=True,
    proof=rank_bounds_the_surrogate,
)

STEPS = Claim(
    "dkbhl20.lem1a.steps",
    Kind.INEQUALITY,
    printed("eqs. (11)-(14), Appendix B"),
    "steps of the bound on r",
    r"With $w_i=1/\lVert\lambda\rVert_0$ where $\lambda_i\ne0$, else $0$: $|\langle\lambda,w\rangle"
    r"|\le\lVert\lambda\rVert_2\lVert w\rVert_2$, $\lVert\lambda\rVert_1/\lVert\lambda\rVert_0\le"
    r"\lVert\lambda\rVert_2/\lVert\lambda\rVert_0^{1/2}$, $\lVert\lambda\rVert_1/\lVert\lambda"
    r"\rVert_2\le\lVert\lambda\rVert_0^{1/2}$.",
    (SOME_EIGENVALUE,),
    ("dkbhl20.def_r.a",),
    steps_slack,
    chain_pool("lam"),
    exact_only=True,
    proof=averages_are_bounded,
)

CLAIMS = (DEFINITION, DIFFERENTIABLE, JUMPS, ON_LAYERS, LEMMA, STEPS)
