"""Theorem D.1: skip connections, on families of linear networks.

Where all M neurons of a layer take the same neuron v, the derivative of f in v
gains the sum of M independent terms of order 1/sqrt(M): its square stays of order 1, and so does
|H_f|, though every in-degree is M. Where each neuron is the source of a bounded number of skips no
derivative grows by more than a constant.
"""

from __future__ import annotations

from verify.papers.zlb22.group_ladders import (
    ALL_FROM_ONE,
    DROPPED_INDEX_TO_INDEX,
    HALF,
    INDEX_TO_INDEX,
    told,
)
from verify.papers.zlb22.group_notation import LATER, NORM_WITH_SKIPS, width
from verify.papers.zlb22.profile_hypotheses import (
    BOUNDED_SKIPS,
    EACH_SKIPS,
    GROWS,
    NO_SKIP_AT_OUTPUT,
    WITH_SKIPS,
)
from verify.papers.zlb22.profile_pool import profile_pool
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.widths import BALL, COUNTED, RATE_FAILS, THROUGH, TRUSTED
from verify.statements.stated import stated

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


RATE_WITH_SKIPS = width(LATER) <= -NORM_WITH_SKIPS  # (31)
SUPPOSED = (WITH_SKIPS, GROWS, NO_SKIP_AT_OUTPUT, EACH_SKIPS)
POOL = profile_pool(skips=True)

CLAIMS = (
    stated(
        "zlb22.thmD.1@A",
        printed("Theorem D.1, (30), (31)"),
        "skip connections from neurons",
        SKIPS + RATE,
        RATE_WITH_SKIPS,
        SUPPOSED,
        depends=("zlb22.thm3.6@A",),
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
    stated(
        "zlb22.thmD.1.fix",
        printed("Theorem D.1, (30), (31)"),
        "skip connections, each neuron the source of a bounded number",
        SKIPS
        + r"If moreover each neuron is the source of a bounded number of skip connections: "
        + RATE,
        RATE_WITH_SKIPS,
        (*SUPPOSED, BOUNDED_SKIPS),
        depends=("zlb22.thm3.6@A",),
        pool=POOL,
        repairs="zlb22.thmD.1@A",
        exact_only=True,
        trusted=TRUSTED,
        negated=RATE_FAILS,
        exponents=told((*INDEX_TO_INDEX, DROPPED_INDEX_TO_INDEX), HALF),
        through=THROUGH,
    ),
)
