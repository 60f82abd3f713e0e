"""The argument for the norms of layers in a chain: balances at the vertices between two of them."""

from verify.core.argument import Argument
from verify.papers.lj22.proofs import vertex_balance_by_induction

FACTS = (
    (
        "a shared parameter times the derivative in it is the sum over its edges of their weight "
        "times their derivative"
    ),
    (
        "the in-edges of the heads of a piece carry W, T or $[U\\ Z]$, their out-edges W, T or Y "
        "over Z of the next one; between Y over Z and $[U\\ Z]$ lie the inner neurons of a block: "
        "passing over one vertex takes its in-edges from a cut and adds its out-edges"
    ),
)


def norms_by_balances() -> Argument:
    """From one representation to another one passes over the vertices between them, and at each of
    these sum_in w dnu/dw = sum_out w dnu/dw, edge by edge, constant edges included."""
    balance = vertex_balance_by_induction()
    return Argument(
        "two representations are cuts of one chain, and differ by the vertices between them; at "
        f"each of these {balance.summary}",
        balance.steps,
        (*FACTS, *balance.trusted),
        uses=(
            "chain",
            "layers learnable",
            "own parameters outside of convolutions",
            "bias-free",
            "feedforward, one output",
            "positively homogeneous activations",
            "differentiable loss (Assumption 3)",
            "gradient flow",
        ),
        section="docs/mathematics/lj22.md#cuts",
    )
