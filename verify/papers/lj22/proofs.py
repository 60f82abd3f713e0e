"""Arguments for whole claims of Le and Jegelka (2022), each step a polynomial in normal form."""

from fractions import Fraction
from typing import Any

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.language.building import Number, sign
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term


def pulled_through(proof: Proof) -> None:
    """`a sigma(x) = sgn(a) sigma(x|a|)`: x and x|a| have one sign, unless a is 0."""
    a, x = Number("a"), Number("x")
    size, _, positive = proof.lemma("sign", x=a)
    before, after = proof.goal.args[0].args[1], proof.goal.args[1].args[1]
    left, right = (branch.args[0] for branch in before.args[1:])

    def told(one: Fact, other: Fact, slope: Term) -> Fact:
        """Both sides have one slope."""
        branches = proof.branch(before, one), proof.branch(after, other)
        return proof.algebra(proof.goal, {branches[0]: a, branches[1]: -sign(a), size: -slope * x})

    def below(one: Fact) -> Fact:
        def grows(more: Fact) -> Fact:
            return told(one, proof.algebra(x * abs(a) < 0, {(one, more): 1}), left)

        def none(most: Fact) -> Fact:
            nothing = proof.both(most, positive)
            least = proof.algebra(x * abs(a) >= 0, {nothing: x})
            branches = proof.branch(before, one), proof.branch(after, least)
            rest = left * x - right * x
            return proof.algebra(
                proof.goal,
                {
                    branches[0]: a,
                    branches[1]: -sign(a),
                    size: -right * x - rest,
                    nothing: sign(a) * rest,
                },
            )

        return proof.cases(abs(a) > 0, grows, none)

    def above(one: Fact) -> Fact:
        return told(one, proof.algebra(x * abs(a) >= 0, {(one, positive): 1}), right)

    proof.cases(x < 0, below, above)


def vertex_balance_by_induction() -> Argument:
    """At a vertex with in-weights w_u, in-values p_u, slope s and out-weights w_b, output
    sensitivities d_b (the derivatives of nu in the pre-activations of the out-neighbours), the
    chain rule gives dnu/dw_uv = p_u s D and dnu/dw_vb = (s z) d_b, with z = sum w_u p_u and
    D = sum w_b d_b. By induction on the edges: sum_u w_u p_u s D = s z D = sum_b w_b (s z) d_b.
    The symbols of a sum so far are z, D and the two sums; one more edge must add the same to both
    sides.
    """
    ring = ring_of(8)
    w, p, s, z, total, d, sum_in, sum_out = ring.generators
    zero = ring.constant(Fraction(0))

    def closed(z_so_far: Any, total_so_far: Any) -> Any:
        return s * z_so_far * total_so_far

    steps = (
        Step("no in-edge: both sides are 0", ring.is_zero(closed(zero, total))),
        Step(
            "one more in-edge adds w p s D to the sum and s (w p) D to s z D",
            ring.is_zero(
                (sum_in + w * p * s * total - closed(z + w * p, total))
                - (sum_in - closed(z, total))
            ),
        ),
        Step("no out-edge: both sides are 0", ring.is_zero(closed(z, zero))),
        Step(
            "one more out-edge adds w (s z) d to the sum and s z (w d) to s z D",
            ring.is_zero(
                (sum_out + w * (s * z) * d - closed(z, total + w * d))
                - (sum_out - closed(z, total))
            ),
        ),
    )
    return Argument(
        "induction over the edges at the vertex, on every example and for every slope: the sums "
        "over in-edges and out-edges both equal s z D; velocities are linear in these gradients",
        steps,
        (
            "the chain rule for a network on a DAG, at points of differentiability",
            (
                "a Clarke subgradient of the risk is a convex combination of limits of gradients, "
                "and the identity is linear in the gradient"
            ),
            (
                "outside a null set of weights every pre-activation is non-zero or vanishes "
                "nearby, and a null set may be left out of Clarke's formula"
            ),
            "an absolutely continuous function whose derivative is 0 almost everywhere is constant",
            "in-edges and out-edges are added one by one (induction)",
        ),
        uses=(
            "incident edges learnable",
            "bias-free",
            "feedforward, one output",
            "positively homogeneous activations",
            "differentiable loss (Assumption 3)",
            "gradient flow",
        ),
        section="docs/mathematics/engine.md#the-balance-theorem",
    )
