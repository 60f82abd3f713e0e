"""The steps of the proof of Theorem 16 (Theorem 7): Jacobians restricted to an image, and means.

J_l is J alpha~_l(x) and B_l is J(alpha~_l -> f_theta)(x); the proof also writes alpha_L for the
output, which with D_L = I is the same. P_l projects to the image of J_l. The printed steps compare
a pseudo-determinant of J_l, which has as many factors as its rank, with powers in k.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from verify.core.claim import Claim
from verify.kinds.deep.layered import LayeredPool, layered_pool
from verify.kinds.deep.pool import pool
from verify.language.building import Each, Matrix, examples, frob2, pdet2, rank
from verify.language.terms import Term
from verify.papers.j23.network_notation import (
    ALL,
    BALANCED,
    FULLY_CONNECTED,
    K_AT_LEAST_1,
    RANK,
    SLOPE,
    SMOOTH,
    K,
    from_pre,
    jacobian,
)
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem7_notation import restricted, root
from verify.statements.stated import Given, stated

PROOF = "proof of Theorem 16, "
PLAIN = layered_pool(pool(points=(1,)))
WITH_K = layered_pool(pool(points=(1,), whole=(("k", 0, 3),)))
WITH_C1 = layered_pool(pool(points=(1,), gaps=("gap",), whole=(("k", 0, 3),)))
POINT = (FULLY_CONNECTED, SLOPE, SMOOTH)
OF_RANK = (*POINT, K_AT_LEAST_1, RANK)
CHAIN = (FULLY_CONNECTED, BALANCED, *OF_RANK[1:])


def by_layer(says: Callable[[Term, Term], Term]) -> Term:
    """What is said of each layer from 1 to L, at each point."""
    return Each(examples(), lambda p: Each(ALL, lambda m: says(m, p)))


def step_claim(
    name: str,
    where: str,
    title: str,
    text: str,
    says: Term,
    given: Sequence[Given],
    cases: LayeredPool,
    **others: Any,
) -> Claim:
    """A claim of a step."""
    return stated(
        f"j23.thm7.steps.{name}",
        printed(PROOF + where),
        title,
        text,
        says,
        given,
        pool=cases,
        **others,
    )


# restricting to an image --------------------------------------------------------------------------
IMAGE = "after the first display"
RANKS = (
    step_claim(
        "rank.a",
        IMAGE,
        "the norm of a Jacobian restricted to an image",
        r"$\lVert J(\tilde\alpha_\ell\to f_\theta)(x)\rVert_F^2\ge"
        r"\lVert J(\tilde\alpha_\ell\to f_\theta)(x)P_\ell\rVert_F^2$, with $P_\ell$ the "
        r"orthogonal projection to $\mathrm{Im}\,J\tilde\alpha_\ell(x)$.",
        by_layer(lambda m, x: frob2(from_pre(m, x)) >= frob2(restricted(m, x))),
        POINT,
        PLAIN,
    ),
    step_claim(
        "rank.b",
        IMAGE,
        "the rank of a Jacobian restricted to an image",
        r"$J(\tilde\alpha_\ell\to f_\theta)(x)P_\ell$ and $Jf_\theta(x)$ have the same rank.",
        by_layer(lambda m, x: rank(restricted(m, x)) == rank(jacobian(x))),
        POINT,
        PLAIN,
    ),
)


# arithmetic and geometric mean --------------------------------------------------------------------
A = Matrix("A", "m", "n")
A_IS_NOT_0 = Given("A is not 0", frob2(A) > 0, r"$A\ne0$")


def _restricted_mean(m: Term, x: Term) -> Term:
    return frob2(restricted(m, x)) >= K * root(pdet2(restricted(m, x)))


MEANS = "second display"
AMGMS = (
    stated(
        "j23.thm7.steps.amgm@A",
        printed(PROOF + MEANS),
        "arithmetic and geometric mean of singular values",
        r"$\lVert A\rVert_F^2\ge\mathrm{Rank}A\,|A|_+^{2/k}$ for every matrix $A\ne0$.",
        frob2(A) >= rank(A) * pdet2(A) ** (1 / rank(A)),
        [A_IS_NOT_0],
        reading="A",
        reading_text=r"$k=\mathrm{Rank}A$",
    ),
    step_claim(
        "amgm.b",
        MEANS,
        "the means of the restricted Jacobian",
        r"$\lVert J(\tilde\alpha_\ell\to\alpha_L)(x)P_\ell\rVert_F^2\ge "
        r"k\,|J(\tilde\alpha_\ell\to\alpha_L)(x)P_\ell|_+^{2/k}$ where "
        r"$\mathrm{Rank}\,Jf_\theta(x)=k$.",
        by_layer(_restricted_mean),
        OF_RANK,
        WITH_K,
    ),
)


CLAIMS = (*RANKS, *AMGMS)
