"""Section 4.4: layers of ReLU neurons do not conserve the difference of their Gram matrices."""

from verify.cases.breaks import opposite_in_weights
from verify.cases.pool import RELU_MIX, Pool
from verify.core.claim import Kind
from verify.language.building import Rate
from verify.papers.lj22.graph_terms import (
    active_and_inactive,
    at_some_pair,
    in_products,
    out_products,
)
from verify.papers.lj22.sources import final
from verify.statements.network_hypotheses import (
    BIAS_FREE,
    DATA,
    DIFFERENTIABLE,
    DIFFERENTIABLE_LOSS,
    FULLY_CONNECTED,
    OWN_PARAMETERS,
)
from verify.statements.stated import stated

CLAIMS = (
    stated(
        "lj22.lemma4",
        final("Lemma 4, (12)"),
        "noninvariance in ReLU layers",
        r"For consecutive fully-connected layers $W_1$, $W_2$ with ReLU neurons between them, the "
        r"derivative of the Gram matrix $W_1W_1^\top$ is not equal to that of its counterpart "
        r"$W_2^\top W_2$ in general: there are networks and times with "
        r"$\frac{d}{dt}(W_1W_1^\top)\ne\frac{d}{dt}(W_2^\top W_2)$ (when $u$ is active and $v$ "
        r"inactive).",
        at_some_pair(
            lambda u, v: (
                active_and_inactive(u, v) & (Rate(in_products(u, v)) != Rate(out_products(u, v)))
            )
        ),
        (
            FULLY_CONNECTED,
            DIFFERENTIABLE,
            DIFFERENTIABLE_LOSS,
            OWN_PARAMETERS,
            DATA,
            BIAS_FREE,
        ),
        kind=Kind.EXISTENCE,
        depends=("lj22.lemma2a",),
        negated=r"$\frac{d}{dt}(W_1W_1^\top)=\frac{d}{dt}(W_2^\top W_2)$ in all such networks, at "
        "all such points",
        pool=Pool(
            families=("fully connected",),
            activations=RELU_MIX,
            examples=(1, 2, 3),
            adapt=opposite_in_weights,
        ),
    ),
)
