"""Lemma 10, Theorem 14 and Corollary 15 as printed: with a unique invariant law and a small gamma.

A unique invariant law is one on {-1, 1}^d (N = 1, `sign_states`), and then some sign changes with
positive probability, so that gamma d B > 1; below that strength each of the 2^d states is a law of
its own. "Sufficiently small" is gamma <= 1/(8Bd) here: it asks for more than gamma d B < 1, and a
threshold below it leaves fewer cases. So nothing meets both: `hyp_unique.c.small` is cited for it.
On states u v^T: M = u u^T has rank one, r = 1, alpha = 1. Where uniqueness is left out, an entry
speaks of every invariant law on these states.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from graphs.arithmetic import Array
from verify.cases.hypotheses import Hypothesis
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.argument import Argument
from verify.core.claim import Claim, Kind
from verify.kinds.normalised.hypotheses import MEAN_ZERO, PROBABILITIES, VARIANCE_ONE
from verify.kinds.normalised.scene import ChainScene
from verify.papers.dkbhl20.conditions import SMALL
from verify.papers.dkbhl20.invariance import (
    DRAWN,
    NOT_FOR_SMALL_STRENGTHS,
    POSITIVE,
    SUPPORT,
    UNIQUE,
    law_pool,
)
from verify.papers.dkbhl20.rank_two import FULL_RANK, the_rank_is_kept
from verify.papers.dkbhl20.sign_states import sign_chain_of
from verify.papers.dkbhl20.sources import printed

LAWS, ONE_STEP = law_pool(), law_pool("W")
ONE = Fraction(1)


# measures -----------------------------------------------------------------------------------------
def traces_of_signs(case: Tensors) -> tuple[Fraction, Fraction] | None:
    """The largest regularity constant S/T over the invariant laws on the states u v^T, as S and T;
    None where there is no such law. M = u u^T: (M^2)_ii = u_i^2 |u|^2, Tr M^3 = |u|^6."""
    chain = sign_chain_of(case)
    if chain is None or not chain.laws:
        return None
    found = []
    for law in chain.laws:
        squares = cubes = Fraction(0)
        for state, mass in zip(chain.states, law, strict=True):
            norm = sum(u * u for u in state)
            squares += mass * sum((u * u * norm) ** 2 for u in state)
            cubes += mass * norm**3
        found.append((squares, cubes))
    return max(found, key=lambda pair: pair[0] / pair[1])


def _alphas(scene: ChainScene) -> list[Fraction | None]:
    terms = [traces_of_signs(case) for case in scene.cases]
    return [None if pair is None else pair[0] / pair[1] for pair in terms]


def alpha_below_one(scene: ChainScene) -> Entries:
    """0 where alpha < 1, else -1."""
    below = [0 if alpha is None or alpha < 1 else -1 for alpha in _alphas(scene)]
    return scene.compare(scene.numbers(below), scene.constant(0))


def _bound(scene: ChainScene) -> Array:
    """(C,): (1 - alpha) d."""
    rests = [ONE if alpha is None else 1 - alpha for alpha in _alphas(scene)]
    return scene.numbers([rest * scene.width for rest in rests])


def surrogate_above_bound(scene: ChainScene) -> Entries:
    """E r(H)^2 - (1 - alpha) d; r = 1 on the states u v^T. The limits of averages of r from them
    are the same number."""
    return scene.compare(scene.constant(1), _bound(scene))


def spread_of_limits(scene: ChainScene) -> Entries:
    """The largest difference of two limits of averages of r, and of rank, from a state u v^T."""
    spreads = []
    for case in scene.cases:
        chain = sign_chain_of(case)
        states = chain.states if chain is not None else ()
        values = [Fraction(sum(u * u for u in s) ** 2, _norm(s)) for s in states]
        spreads.append(max(values, default=ONE) - min(values, default=ONE))
    return scene.compare(scene.numbers(spreads), scene.constant(0))


def _norm(state: tuple[int, ...]) -> int:
    """|u u^T|_F^2."""
    return sum((a * b) ** 2 for a in state for b in state)


def rank_above_bound(scene: ChainScene) -> Entries:
    """rank(H + gamma W H)^2 - (1 - alpha) d."""
    before = scene.before_norm(scene["H"], scene["W"], scene["gamma"])
    ranks = scene.numbers(scene.rank_of(before))
    return scene.compare(ranks * ranks, _bound(scene))


def rank_above_root(scene: ChainScene) -> Entries:
    """rank(H + gamma W H)^2 - d."""
    before = scene.before_norm(scene["H"], scene["W"], scene["gamma"])
    ranks = scene.numbers(scene.rank_of(before))
    return scene.compare(ranks * ranks, scene.constant(scene.width))


def rank_is_kept() -> Argument:
    """The rank stays d."""
    found = the_rank_is_kept()
    uses = tuple(name for name in found.uses if name != "two rows or more")
    return replace(found, measure="rank_above_root", uses=uses)


# claims -------------------------------------------------------------------------------------------
WEIGHTS = (PROBABILITIES, MEAN_ZERO, VARIANCE_ONE, SUPPORT, POSITIVE)
GIVEN = (
    r"The elements of the weight matrices are drawn independently from $\mathcal P$, of mean zero "
    r"and variance one, with support in $[-B,B]$, $\gamma$ is sufficiently small"
)
UNIQUENESS = r", and the chain admits a unique invariant distribution $\nu_\gamma$"
FULL = r", $\mathrm{rank}(X)=d$"


def _claim(
    name: str,
    kind: Kind,
    where: str,
    title: str,
    conclusion: str,
    measure: Callable[[ChainScene], Entries],
    *,
    full: bool = True,
    unique: bool = True,
    pool: TensorPool = LAWS,
) -> Claim:
    input_: tuple[Hypothesis, ...] = (FULL_RANK,) if full else ()
    drawn: tuple[Hypothesis, ...] = (DRAWN,) if pool is ONE_STEP else ()
    law: tuple[Hypothesis, ...] = (UNIQUE,) if unique else ()
    return Claim(
        f"dkbhl20.{name}",
        kind,
        printed(where),
        title,
        f"{GIVEN}{FULL * full}{UNIQUENESS * unique}. Then {conclusion}.",
        (*WEIGHTS, SMALL, *law, *input_, *drawn),
        ("dkbhl20.hyp_unique.c", "dkbhl20.hyp_unique.c.small") if unique else (),
        measure,
        pool,
        exact_only=True,
        excluded=NOT_FOR_SMALL_STRENGTHS if unique else None,
    )


THEOREM = "Theorem 14, eq. (58)"
CLAIMS = (
    _claim(
        "lem10.a",
        Kind.INEQUALITY,
        "Lemma 10",
        "the regularity constant is below one",
        r"the regularity constant of $\nu_\gamma$ is less than one",
        alpha_below_one,
        full=False,
    ),
    _claim(
        "thm14.a",
        Kind.INEQUALITY,
        "Theorem 14",
        "the regularity constant is below one",
        r"the regularity constant $\alpha>0$ of $\nu_\gamma$ is less than one",
        alpha_below_one,
    ),
    _claim(
        "thm14.b",
        Kind.IDENTITY,
        THEOREM,
        "both limits exist",
        r"the averages of $\mathrm{rank}_\tau(H_\ell^{(\gamma)})$ and of $r(H_\ell^{(\gamma)})$ "
        r"have limits, almost surely",
        spread_of_limits,
    ),
    _claim(
        "thm14.d",
        Kind.INEQUALITY,
        THEOREM,
        "the average surrogate against the width",
        r"$\lim_{L\to\infty}\frac{(1-\tau)^2}L\sum_{\ell=1}^Lr(H_\ell^{(\gamma)})\ge(1-\tau)^2"
        r"(1-\alpha)^{1/2}\sqrt d$ almost surely",
        surrogate_above_bound,
    ),
    _claim(
        "thm14.i",
        Kind.INEQUALITY,
        "proof of Theorem 14, eqs. (61), (62), (39), (40)",
        "the average surrogate is its expectation",
        r"$\lim_{L\to\infty}\frac1L\sum_{\ell=1}^Lr(H_\ell^{(\gamma)})=\mathbb E_{H\sim\nu_\gamma}"
        r"[r(H)]\ge\sqrt{(1-\alpha)d}$ almost surely",
        surrogate_above_bound,
    ),
    _claim(
        "cor15.a",
        Kind.INEQUALITY,
        "Corollary 15",
        "the rank of every layer",
        r"$\mathrm{rank}(H_\ell)=\Omega(\sqrt d)$ almost surely for all finite $\ell$ (by the "
        r"proof: at least $\sqrt{(1-\alpha)d}$)",
        rank_above_bound,
        pool=ONE_STEP,
    ),
    replace(
        _claim(
            "cor15.a",
            Kind.INEQUALITY,
            "Corollary 15",
            "the rank of every layer, without uniqueness",
            r"$\mathrm{rank}(H_{\ell+1})=\mathrm{rank}(H_\ell)=d\ge\sqrt d$ for all finite $\ell$",
            rank_above_root,
            unique=False,
            pool=ONE_STEP,
        ),
        id="dkbhl20.cor15.a.fix",
        repairs="dkbhl20.cor15.a",
        proof=rank_is_kept,
    ),
)
