"""The steps of the proof of Theorem 16 (Theorem 7): Jacobians restricted to an image, and means.

J_l is J alpha~_l(x) and B_l is J(alpha~_l -> f_theta)(x); the proof also writes alpha_L for the
output, which with D_L = I is the same. P_l projects to the image of J_l. The printed steps compare
a pseudo-determinant of J_l, which has as many factors as its rank, with powers in k.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from graphs.arithmetic import Array
from verify.cases.hypotheses import Hypothesis
from verify.cases.real_arrays import RealScene
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.core.claim import Claim, Kind
from verify.kinds.deep.balanced import CLIMBED_NOWHERE
from verify.kinds.deep.hypotheses import K_AT_LEAST_1, RANK, SLOPE, SMOOTH
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.language.building import Matrix, frob2, pdet2, rank
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem7_measures import jacobian_power, said, whole_k
from verify.statements.stated import Given, stated

if TYPE_CHECKING:
    from verify.core.claim import Measure

PROOF = "proof of Theorem 16, "
POINT = pool(points=(1,), gaps=("gap",), whole=(("k", 0, 3),))
PLAIN = pool(points=(1,))
OF_RANK = (SLOPE, SMOOTH, K_AT_LEAST_1, RANK)
CHAIN = (CLIMBED_NOWHERE, *OF_RANK)


def step_claim(
    name: str,
    kind: Kind,
    where: str,
    title: str,
    statement: str,
    hypotheses: Sequence[Hypothesis],
    measure: Measure,
    cases: TensorPool,
    why: str = "",
) -> Claim:
    """A claim of a step, judged exactly."""
    return Claim(
        f"j23.thm7.steps.{name}",
        kind,
        printed(PROOF + where),
        title,
        statement,
        tuple(hypotheses),
        measure=measure,
        pool=cases,
        why=why,
        exact_only=True,
        floats=kind is Kind.INEQUALITY,
    )


def by_layer(scene: DeepScene, sides: Callable[[int], tuple[Array, Array]]) -> Entries:
    """The entries of the layers 1 to L; where the case has a k, if that is at least 1."""
    entries = scene.parts([({"layer": at}, *sides(at)) for at in range(1, scene.depth + 1)])
    return said(scene, entries) if "k" in scene.cases[0].arrays else entries


# restricting to an image --------------------------------------------------------------------------
def restricted(scene: DeepScene, layer: int) -> Array:
    """B_l P_l."""
    return scene.from_pre(layer) @ scene.projection(scene.to_pre(layer))


def restriction_slack(scene: DeepScene) -> Entries:
    """|B_l|_F^2 - |B_l P_l|_F^2."""
    return by_layer(
        scene,
        lambda layer: (
            scene.frobenius_squared(scene.from_pre(layer)),
            scene.frobenius_squared(restricted(scene, layer)),
        ),
    )


def restricted_rank(scene: DeepScene) -> Entries:
    """Rank(B_l P_l) - Rank Jf."""
    rank = scene.numbers(scene.rank_of(scene.jacobian()))
    return by_layer(
        scene,
        lambda layer: (scene.numbers(scene.rank_of(restricted(scene, layer))), rank),
    )


IMAGE = "after the first display"
RANKS = (
    step_claim(
        "rank.a",
        Kind.INEQUALITY,
        IMAGE,
        "the norm of a Jacobian restricted to an image",
        r"$\lVert J(\tilde\alpha_\ell\to f_\theta)(x)\rVert_F^2\ge"
        r"\lVert J(\tilde\alpha_\ell\to f_\theta)(x)P_\ell\rVert_F^2$, with $P_\ell$ the "
        r"orthogonal projection to $\mathrm{Im}\,J\tilde\alpha_\ell(x)$.",
        (SLOPE, SMOOTH),
        restriction_slack,
        PLAIN,
    ),
    step_claim(
        "rank.b",
        Kind.IDENTITY,
        IMAGE,
        "the rank of a Jacobian restricted to an image",
        r"$J(\tilde\alpha_\ell\to f_\theta)(x)P_\ell$ and $Jf_\theta(x)$ have the same rank.",
        (SLOPE, SMOOTH),
        restricted_rank,
        PLAIN,
    ),
)


# arithmetic and geometric mean --------------------------------------------------------------------
A = Matrix("A", "m", "n")
A_IS_NOT_0 = Given("A is not 0", frob2(A) > 0, r"$A\ne0$")


def k_number(scene: RealScene) -> Array:
    """(C,): k."""
    return scene.numbers(whole_k(scene))


def restricted_mean_slack(scene: DeepScene) -> Entries:
    """|B_l P_l|_F^2 - k |B_l P_l|_+^(2/k)."""

    def sides(layer: int) -> tuple[Array, Array]:
        matrices = restricted(scene, layer)
        square = scene.pseudo_determinant_squared(matrices)
        mean = jacobian_power(scene, square) * k_number(scene)
        return scene.frobenius_squared(matrices), mean

    return by_layer(scene, sides)


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
        Kind.INEQUALITY,
        MEANS,
        "the means of the restricted Jacobian",
        r"$\lVert J(\tilde\alpha_\ell\to\alpha_L)(x)P_\ell\rVert_F^2\ge "
        r"k\,|J(\tilde\alpha_\ell\to\alpha_L)(x)P_\ell|_+^{2/k}$ where "
        r"$\mathrm{Rank}\,Jf_\theta(x)=k$.",
        OF_RANK,
        restricted_mean_slack,
        POINT,
    ),
)


CLAIMS = (*RANKS, *AMGMS)
