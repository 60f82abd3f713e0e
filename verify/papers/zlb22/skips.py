"""Theorem D.1: skip connections, on families of linear networks.

Where all M neurons of a layer take the same neuron v, the derivative of f in v
gains the sum of M independent terms of order 1/sqrt(M): its square stays of order 1, and so does
|H_f|, though every in-degree is M. Where each neuron is the source of a bounded number of skips no
derivative grows by more than a constant.
"""

from __future__ import annotations

from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.profiles.profile import ProfileScene
from verify.kinds.profiles.profile_hypotheses import (
    BOUNDED_SKIPS,
    EACH_SKIPS,
    GROWS,
    NO_SKIP_AT_OUTPUT,
    PROFILE,
    width,
)
from verify.kinds.profiles.profile_pool import profile_pool
from verify.papers.zlb22.group_ladders import (
    ALL_FROM_ONE,
    DROPPED_INDEX_TO_INDEX,
    HALF,
    INDEX_TO_INDEX,
    told,
)
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.widths import BALL, COUNTED, RATE_FAILS, THROUGH, TRUSTED

SKIPS = (
    r"A skip connection is added to each neuron of the hidden layers, "
    r"$\tilde f_k^{(\ell)}=(m_k^{(\ell)})^{-1/2}(\mathbf w_k^{(\ell)})^Tf_{S_k^{(\ell)}}+"
    r"f^{(A(\ell,k))}_{B(\ell,k)}$, $A(\ell,k)<\ell$; the output layer has none, and it is not "
    r"trainable. "
)
RATE = (
    r"Under Assumptions 3.1, 3.2, 3.5: given a fixed $R>0$"
    + BALL.removeprefix("Given a fixed $R>0$")
    + r"every output satisfies $\|H_{f_k}(\mathbf w)\|=\tilde O(1/\sqrt m)$."
)


def rate_with_skips(scene: ProfileScene) -> Entries:
    """(31): the exponent by which |H_f|^2 falls is that of m at least."""
    falls = [-shape.squared_norm for shape in scene.shapes]
    widths = [width(shape) or 0 for shape in scene.shapes]
    return scene.compare(scene.numbers(falls), scene.numbers(widths))


POOL = profile_pool(skips=True)

CLAIMS = (
    Claim(
        "zlb22.thmD.1@A",
        Kind.INEQUALITY,
        printed("Theorem D.1, (30), (31)"),
        "skip connections from neurons",
        SKIPS + RATE,
        (PROFILE, GROWS, NO_SKIP_AT_OUTPUT, EACH_SKIPS),
        ("zlb22.thm3.6@A",),
        measure=rate_with_skips,
        pool=POOL,
        reading="A",
        reading_text=rf"the skip term is the neuron $f^{{(A)}}_B$; judged {COUNTED}",
        exact_only=True,
        trusted=TRUSTED,
        negated=RATE_FAILS,
        exponents=told(ALL_FROM_ONE, HALF),
        through=THROUGH,
        why=r"The maps $A$ and $B$ are free: where all neurons of a layer take the same neuron, "
        r"the derivative of $f$ in it adds up over them and stays of order 1, and so does "
        r"$\|H_f\|$.",
    ),
    Claim(
        "zlb22.thmD.1.fix",
        Kind.INEQUALITY,
        printed("Theorem D.1, (30), (31)"),
        "skip connections, each neuron the source of a bounded number",
        SKIPS
        + r"If moreover each neuron is the source of a bounded number of skip connections: "
        + RATE,
        (PROFILE, GROWS, NO_SKIP_AT_OUTPUT, EACH_SKIPS, BOUNDED_SKIPS),
        ("zlb22.thm3.6@A",),
        measure=rate_with_skips,
        pool=POOL,
        repairs="zlb22.thmD.1@A",
        exact_only=True,
        trusted=TRUSTED,
        negated=RATE_FAILS,
        exponents=told((*INDEX_TO_INDEX, DROPPED_INDEX_TO_INDEX), HALF),
        through=THROUGH,
    ),
)
