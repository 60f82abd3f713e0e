"""The bound on the cost by the Jacobian (first line of the proof of Theorem 11).

The paper does not say what the derivative of the activation at 0 is. Throughout these files claims
leave such points out (SMOOTH, reading A); what happens with the value 1 there (reading B) is what
the necessity run without that hypothesis tells.
"""

from __future__ import annotations

from fractions import Fraction

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.deep_hypotheses import SLOPE, SMOOTH
from verify.deep_pool import pool
from verify.deep_scene import DeepScene
from verify.papers.j23.sources import printed
from verify.vocabulary import Entries

NETWORKS = pool()
WITH_TANGENTS = pool(extras=(("T", ("n0", "d")),))


def schatten_slack(scene: DeepScene) -> Entries:
    """|theta|^2 - L sum_i s_i(Jf(x))^(2/L), at each point."""
    return _slack(scene, scene.identity(0))


def tangent_slack(scene: DeepScene) -> Entries:
    """The same for the Jacobian restricted to the space that the columns of T span: it has the
    singular values of Jf(x) P, P the orthogonal projection to that space."""
    return _slack(scene, scene.projection(scene["T"]))


def _slack(scene: DeepScene, projection: Array) -> Entries:
    depth = scene.depth
    parts = []
    for at in range(scene.count):
        sizes = scene.schatten(scene.jacobian(at) @ projection, Fraction(2, depth))
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

SCHATTEN_TANGENT = Claim(
    "j23.schatten@B",
    Kind.INEQUALITY,
    printed("proof of Theorem 11, first line"),
    "the Jacobian along the domain bounds the cost",
    r"$R(f;\Omega,L)\ge L\,\lVert Jf(x)_{|T_x\Omega}\rVert_{2/L}^{2/L}$: every network of depth "
    r"$L$ has $\lVert\theta\rVert^2\ge L\sum_is_i(Jf_\theta(x)_{|T_x\Omega})^{2/L}$ at every "
    r"$x\in\Omega$; here the columns of $T$ span $T_x\Omega$.",
    (SLOPE, SMOOTH),
    measure=tangent_slack,
    pool=WITH_TANGENTS,
    reading="B",
    reading_text=r"$Jf(x)$ is restricted to the tangent space of $\Omega$ at $x$",
    exact_only=True,
    floats=True,
)

CLAIMS = (SCHATTEN, SCHATTEN_TANGENT)
