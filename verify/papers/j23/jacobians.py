"""The bound on the cost by the Jacobian (first line of the proof of Theorem 11).

The paper does not say what the derivative of the activation at 0 is. Throughout these files claims
leave such points out (SMOOTH, reading A); what happens with the value 1 there (reading B) is what
the necessity run without that hypothesis tells.
"""

from __future__ import annotations

from fractions import Fraction

from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.deep.hypotheses import SLOPE, SMOOTH
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.sources import printed

NETWORKS = pool()


def schatten_slack(scene: DeepScene) -> Entries:
    """|theta|^2 - L sum_i s_i(Jf(x))^(2/L), at each point."""
    depth = scene.depth
    parts = []
    for at in range(scene.count):
        sizes = scene.schatten(scene.jacobian(at), Fraction(2, depth))
        parts.append(({"point": at}, scene.parameter_square, scene.share(sizes, depth)))
    return scene.parts(parts)


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

CLAIMS = (SCHATTEN,)
