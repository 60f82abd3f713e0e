"""Arguments for whole claims of Le and Jegelka (2022), each step a polynomial in normal form."""

from fractions import Fraction
from itertools import product
from typing import Any

from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.language.terms import Term


def pullback_by_signs(goal: Term) -> Argument:
    """`a sigma(x) = sgn(a) sigma(x|a|)`, by cases on the signs of a and x and on sgn(0).

    A positively 1-homogeneous function on the line is `sigma(z) = l z` for z < 0 and `r z` for
    z > 0 (and 0 at 0): take lambda = |z|. With |a|, |x|, l, r as symbols every case is a
    polynomial identity. goal: what the claim says.
    """
    ring = ring_of(4)
    size_a, size_x, left, right = ring.generators
    zero = ring.constant(Fraction(0))

    def sigma(sign: int, size: Any) -> Any:
        return zero if sign == 0 else (right * size if sign > 0 else -(left * size))

    steps = []
    for a, x, at_zero in product((-1, 0, 1), (-1, 0, 1), (-1, 1)):
        outer = sigma(x, size_x) * a * size_a
        pulled = sigma(a * a * x, size_x * size_a) * (a or at_zero)
        text = f"sign of a {a:+d}, sign of x {x:+d}, sgn(0) = {at_zero:+d}"
        steps.append(Step(text, ring.is_zero(outer - pulled)))
    return Argument(
        "case distinction on the signs of a and x: 18 polynomial identities in |a|, |x| and the "
        "two slopes of the activation",
        tuple(steps),
        (
            "a positively 1-homogeneous function on the line has one slope on each side of 0",
            "a number is its sign times its size",
        ),
        measure="",
        uses=("positively homogeneous activation",),
        section=1,
        goal=goal,
    )


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
        measure="vertex_defect",
        uses=(
            "incident edges learnable",
            "bias-free",
            "feedforward, one output",
            "positively homogeneous activations",
            "differentiable loss (Assumption 3)",
            "gradient flow",
        ),
        section=2,
    )
