"""The arguments for Lemma 9 and for what is drawn from Theorem 1: neurons of slope 1."""

from fractions import Fraction
from typing import Any

from graphs.rings import ring_of
from verify.core.argument import Argument, Step

MATRICES = ("architecture", "matrices learnable")
ALWAYS = (
    "own parameters outside of convolutions",
    "bias-free",
    "feedforward, one output",
    "positively homogeneous activations",
    "differentiable loss (Assumption 3)",
)
FACTS = (
    (
        "the chain rule for a network on a DAG; the derivative in a shared parameter is the sum of "
        "the derivatives in its edges"
    ),
    (
        "the two edges from one neuron to one position of channels k and k' carry the entries of "
        "one column of $W_1$, the two edges from there to one neuron those of one row of $W_2$"
    ),
    (
        "the velocity is a combination of the gradients of the examples: the identity, one for "
        "each example and position, is added over these"
    ),
)
AT_KINKS = (
    (
        "a Clarke subgradient of the risk is a convex combination of limits of gradients, and the "
        "identity is linear in the gradient"
    ),
)


def _steps(ones: str) -> tuple[Step, ...]:
    """For channels k and k' at one position: weights w and v of two edges with a common other end,
    in-value p, slopes s and t, pre-activation z' of channel k', sum D of the out-weights of channel
    k times the sensitivities d of their heads. dnu/dw = p s D on the way in, t z' d on the way out.
    """
    ring = ring_of(9)
    w, v, p, s, t, z, total, d, so_far = ring.generators
    none = ring.constant(Fraction(0))

    def closed(slope: Any, z_so_far: Any, total_so_far: Any) -> Any:
        return slope * z_so_far * total_so_far

    def same(one: Any, other: Any) -> bool:
        return ring.is_zero(one - other)

    return (
        Step(
            "no in-edge: the sum on the way in and s z' D are 0", same(closed(s, none, total), none)
        ),
        Step(
            "one more in-edge adds v (p s D) to the sum on the way in and s (v p) D to s z' D",
            same(
                so_far + v * (p * s * total) - closed(s, z + v * p, total),
                so_far - closed(s, z, total),
            ),
        ),
        Step(
            "no out-edge: the sum on the way out and t z' D are 0", same(closed(t, z, none), none)
        ),
        Step(
            "one more out-edge adds w (t z' d) to the sum on the way out and t z' (w d) to t z' D",
            same(
                so_far + w * (t * z * d) - closed(t, z, total + w * d),
                so_far - closed(t, z, total),
            ),
        ),
        Step(
            f"at each position the two sums differ by (s - t) z' D, which is 0 since {ones}",
            same(closed(s, z, total) - closed(t, z, total), (s - t) * z * total),
        ),
    )


def linear_channels(of_matrices: tuple[str, ...]) -> Argument:
    """(54) with pairs at some position, which are the entries of one column of the two rows.
    of_matrices: what says that the matrices are there."""
    return Argument(
        "induction over the edges at a position, on every example: for two linear channels the "
        "sum on the way in and the sum on the way out are one number; velocities are linear in "
        "these gradients",
        _steps("linear neurons have slope 1"),
        (*FACTS, *AT_KINKS),
        uses=(*of_matrices, *ALWAYS, "linear between the two", "gradient flow"),
        section="docs/mathematics/lj22.md#channels",
    )


def active_channels(active: str = "active") -> Argument:
    """(6) for active neurons, at times without a kink. active: the hypothesis that says so."""
    return Argument(
        "induction over the edges at a neuron, on every example: for two neurons of slope 1 the "
        "sum on the way in and the sum on the way out are one number; velocities are linear in "
        "these gradients",
        _steps("an active neuron that is not at its kink has slope 1"),
        (*FACTS,),
        uses=(*MATRICES, *ALWAYS, active, "differentiable"),
        section="docs/mathematics/lj22.md#channels",
    )
