"""Section 2 and what the proofs take from it: the Jacobian as a product, the bound on the cost by
the Jacobian, the trace of the tangent kernel, and Proposition 9, part 1.

The paper does not say what the derivative of the activation at 0 is. Throughout these files claims
leave such points out (SMOOTH, reading A); what happens with the value 1 there (reading B) is what
the necessity run without that hypothesis tells.
"""

from __future__ import annotations

from fractions import Fraction

from verify.claim import Claim, Kind
from verify.deep_hypotheses import SLOPE, SMOOTH
from verify.deep_pool import pool
from verify.deep_scene import DeepScene
from verify.papers.j23.sources import printed
from verify.vocabulary import Entries

NETWORKS = pool()


# the bound by the Jacobian ------------------------------------------------------------------------
def schatten_slack(scene: DeepScene) -> Entries:
    """|theta|^2 - L sum_i s_i(Jf(x))^(2/L), at each point."""
    depth = scene.depth
    return scene.parts(
        [
            (
                {"point": at},
                scene.parameter_square,
                scene.share(scene.schatten(scene.jacobian(at), Fraction(2, depth)), depth),
            )
            for at in range(scene.count)
        ]
    )


SCHATTEN = Claim(
    "j23.schatten@A",
    Kind.INEQUALITY,
    printed("proof of Theorem 11, first line"),
    "the Jacobian bounds the cost",
    r"$R(f;\Omega,L)\ge L\,\lVert Jf(x)\rVert_{2/L}^{2/L}$: every network of depth $L$ has "
    r"$\lVert\theta\rVert^2\ge L\sum_is_i(Jf_\theta(x))^{2/L}$ at every $x$.",
    (SLOPE, SMOOTH),
    measure=schatten_slack,
    pool=NETWORKS,
    reading="A",
    reading_text=r"$Jf$ is the full Jacobian at every $x\in\Omega$",
    exact_only=True,
    floats=True,
)


# Proposition 9, part 1 ----------------------------------------------------------------------------
def mixed_derivative_square(scene: DeepScene, at: int) -> object:
    """(C, n_0 n_L, n_0 n_L): the matrix of the second derivatives of Theta(x, y) in x and y at
    y = x, the sum over the layers of (J alpha_(l-1)^T J alpha_(l-1)) x (J_l J_l^T), where J_l is
    J(alpha~_l -> f) and x the Kronecker product."""
    total = None
    for layer in range(1, scene.depth + 1):
        inner = scene.gram(scene.to_post(layer - 1, at))
        behind = scene.from_pre(layer, at)
        outer = behind @ scene.transpose(behind)
        term = scene.kronecker(inner, outer)
        total = term if total is None else total + term
    return total


def mixed_derivative_slack(scene: DeepScene) -> Entries:
    """|d_x d_y Theta(x, x)|_op - 2 L |Jf(x)|_op^(2 - 2/L), at each point."""
    return _mixed(scene, 2)


def mixed_derivative_slack_once(scene: DeepScene) -> Entries:
    """The same with L in place of 2 L."""
    return _mixed(scene, 1)


def _mixed(scene: DeepScene, factor: int) -> Entries:
    depth = scene.depth
    parts = []
    for at in range(scene.count):
        left = scene.operator_norm(mixed_derivative_square(scene, at))
        norm = scene.operator_norm(scene.jacobian(at))
        right = scene.power(norm, Fraction(2 * depth - 2, depth))
        parts.append(({"point": at}, left, scene.share(right, factor * depth)))
    return scene.parts(parts)


PROP9 = Claim(
    "j23.prop9.1",
    Kind.INEQUALITY,
    printed("Propositions 9 and 18, part 1"),
    "mixed derivative of the tangent kernel",
    r"For any point $x$, $\lVert\partial_{xy}^2\Theta(x,x)\rVert_{op}\ge2L\,"
    r"\lVert Jf_\theta(x)\rVert_{op}^{2-2/L}$, where $\partial_{xy}^2\Theta(x,x)$ is understood as "
    r"a $d_{in}d_{out}\times d_{in}d_{out}$ matrix.",
    (SLOPE, SMOOTH),
    ("j23.setup",),
    mixed_derivative_slack,
    NETWORKS,
    exact_only=True,
    floats=True,
)

PROP9_REPAIRED = Claim(
    "j23.prop9.1.fix",
    Kind.INEQUALITY,
    printed("Propositions 9 and 18, part 1"),
    "mixed derivative of the tangent kernel, repaired",
    r"For any point $x$, $\lVert\partial_{xy}^2\Theta(x,x)\rVert_{op}\ge L\,"
    r"\lVert Jf_\theta(x)\rVert_{op}^{2-2/L}$.",
    (SLOPE, SMOOTH),
    ("j23.setup",),
    mixed_derivative_slack_once,
    NETWORKS,
    repairs="j23.prop9.1",
    exact_only=True,
    floats=True,
)

CLAIMS = (SCHATTEN, PROP9, PROP9_REPAIRED)
