"""Section 4.4: layers of ReLU neurons do not conserve the difference of their Gram matrices."""

from verify.breaks import opposite_in_weights
from verify.claim import Claim, Kind
from verify.network_hypotheses import BIAS_FREE, FULLY_CONNECTED, OWN_PARAMETERS
from verify.pair_hypotheses import ACTIVE_AND_INACTIVE, RELU_PAIR
from verify.papers.lj22.sources import final
from verify.point_hypotheses import DATA, DIFFERENTIABLE, DIFFERENTIABLE_LOSS
from verify.pool import RELU_MIX, Pool
from verify.vocabulary import Entries, Scene


def gram_difference(scene: Scene) -> Entries:
    """The (u, v) entry of d/dt (W_2^T W_2) - d/dt (W_1 W_1^T)."""
    w, v = scene.weights, scene.velocity
    outgoing = scene.paired_out(w, v) + scene.paired_out(v, w)
    incoming = scene.paired_in(w, v) + scene.paired_in(v, w)
    return scene.per_pair(outgoing, incoming)


CLAIMS = (
    Claim(
        "lj22.lemma4",
        Kind.EXISTENCE,
        final("Lemma 4, (12)"),
        "noninvariance in ReLU layers",
        r"For consecutive fully-connected layers $W_1$, $W_2$ with ReLU neurons between them, the "
        r"derivative of the Gram matrix $W_1W_1^\top$ is not equal to that of its counterpart "
        r"$W_2^\top W_2$ in general: there are networks and times with "
        r"$\frac{d}{dt}(W_1W_1^\top)\ne\frac{d}{dt}(W_2^\top W_2)$ (when $u$ is active and $v$ "
        r"inactive).",
        (
            RELU_PAIR,
            ACTIVE_AND_INACTIVE,
            FULLY_CONNECTED,
            DIFFERENTIABLE,
            DIFFERENTIABLE_LOSS,
            OWN_PARAMETERS,
            DATA,
            BIAS_FREE,
        ),
        ("lj22.lemma2a",),
        measure=gram_difference,
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
