"""Arguments for the statements of gradient descent that are algebra: each step in normal form."""

from collections.abc import Callable
from fractions import Fraction

from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.papers.lj22.proofs import vertex_balance_by_induction

USES = ("gradient descent",)
SUMS = "a finite sum is built up term by term (induction)"


def one_step(number: str) -> Callable[[], Argument]:
    """(73), (74) or (75): substitute w(t+1) = w - eta d."""

    def argument() -> Argument:
        ring = ring_of(3)
        w, rate, d = ring.generators
        two = ring.constant(Fraction(2))
        new = w - rate * d
        sides = {
            "73": (new * w - w * w, -(rate * w * d), "first_product"),
            "74": (new * new + w * w - two * new * w, rate * rate * d * d, "second_product"),
            "75": (
                new * new - w * w - rate * rate * d * d,
                -(two * rate * w * d),
                "one_step_square",
            ),
        }
        left, right, measure = sides[number]
        step = Step(f"({number}) with w(t+1) = w - eta d", ring.is_zero(left - right))
        return Argument(
            "one polynomial identity in w, eta and d",
            (step,),
            ("w and d stand for any coordinate, eta for the step size",),
            measure=measure,
            uses=USES,
            section=10,
        )

    return argument


def telescoping() -> Argument:
    """(76): both sides are 0 before the first step, and each step adds the same to both."""
    ring = ring_of(5)
    w, rate, d, before, added = ring.generators
    two = ring.constant(Fraction(2))
    new = w - rate * d
    left = (new * new - before - (added + rate * rate * d * d)) - (w * w - before - added)
    steps = (
        Step("no step: w(0)^2 - w(0)^2 is 0", ring.is_zero(before - before)),
        Step(
            "one more step adds -2 eta w d to both sides", ring.is_zero(left + two * rate * w * d)
        ),
    )
    return Argument(
        "induction over the steps: a polynomial identity in w, eta, d and the sums so far",
        steps,
        (SUMS,),
        measure="telescoped",
        uses=USES,
        section=10,
    )


def squares(measure: str) -> Callable[[], Argument]:
    """(81) and (85) with the factor 1: for two edges e, f the product w_e w_f changes in one step
    by -eta (w_e d_f + w_f d_e) + eta^2 d_e d_f; sum over the steps and over the common
    neighbours."""

    def argument() -> Argument:
        ring = ring_of(7)
        w, v, rate, d, e, before, added = ring.generators
        product = (w - rate * d) * (v - rate * e)
        grown = (product - before - (added + rate * rate * d * e)) - (w * v - before - added)
        steps = (
            Step("no step: both sides are 0", ring.is_zero(before - before)),
            Step(
                "one more step adds -eta (w_e d_f + w_f d_e) to both sides",
                ring.is_zero(grown + rate * (w * e + v * d)),
            ),
        )
        return Argument(
            "induction over the steps for the two edges at each common neighbour",
            steps,
            (SUMS, "w, v and d, e are the weights and derivatives of any two edges of a step"),
            measure=measure,
            uses=(*USES, "equal neighbourhoods"),
            section=10,
        )

    return argument


def balances_in_steps() -> Argument:
    """(78) = (80) over out-edges: by (76) both are -2 sum eta sum w_e d_e, over the in-edges and
    over the out-edges, and these sums are equal at every w(tau)."""
    balance = vertex_balance_by_induction()
    steps = (*balance.steps, *telescoping().steps)
    return Argument(
        "the balance at the vertex, by induction over its edges, and (76), by induction over the "
        "steps",
        steps,
        (
            "the chain rule for a network on a DAG, at points of differentiability",
            SUMS,
            "in-edges and out-edges are added one by one (induction)",
        ),
        measure="vertex_both",
        uses=(
            *USES,
            "differentiable at every step",
            "incident edges learnable",
            "bias-free",
            "feedforward, one output",
            "positively homogeneous activations",
        ),
        section=10,
    )


RATES = "eta = min(1, 1/beta) lies in [0, 1], and beta eta <= 1"
SIGNS = "squares, and products and sums of numbers that are at least 0, are at least 0"


def half_of_the_squares() -> Argument:
    """-eta/2 s minus (-eta s + beta eta^2/2 s), for s = ||d||^2, is eta/2 (1 - beta eta) s."""
    ring = ring_of(3)
    rate, beta, square = ring.generators
    half = ring.constant(Fraction(1, 2))
    right = half * beta * rate * rate * square - rate * square
    slack = -(half * rate * square) - right
    one = ring.constant(Fraction(1))
    step = Step(
        "the slack is eta/2 (1 - beta eta) ||d||^2",
        ring.is_zero(slack - half * rate * (one - beta * rate) * square),
    )
    return Argument(
        "the slack is a product of numbers that are at least 0",
        (step,),
        (RATES, SIGNS),
        measure="bound_of_right_side",
        uses=("step size",),
        section=10,
    )


def squared_rates() -> Argument:
    """(89): each term of the slack is 1/2 eta (1 - eta) ||d||^2."""
    ring = ring_of(2)
    rate, square = ring.generators
    half, one = ring.constant(Fraction(1, 2)), ring.constant(Fraction(1))
    slack = half * rate * square - half * rate * rate * square
    step = Step(
        "each term of the slack is 1/2 eta (1 - eta) ||d||^2",
        ring.is_zero(slack - half * rate * (one - rate) * square),
    )
    return Argument(
        "the slack is a sum of products of numbers that are at least 0",
        (step,),
        (RATES, SIGNS, SUMS),
        measure="squared_sizes",
        uses=("step size",),
        section=10,
    )


def below_by_squares() -> Argument:
    """(90) for e != f: with the sum r of the other squares, ||d||^2 = d_e^2 + d_f^2 + r, and
    1/2 eta^2 ||d||^2 -+ eta^2 d_e d_f is 1/2 eta^2 ((d_e -+ d_f)^2 + r)."""
    ring = ring_of(4)
    rate, d, e, rest = ring.generators
    half = ring.constant(Fraction(1, 2))
    square = d * d + e * e + rest
    steps = tuple(
        Step(
            f"each term, with {word}, is 1/2 eta^2 ((d_e {word} d_f)^2 + r)",
            ring.is_zero(
                half * rate * rate * square
                + sign * rate * rate * d * e
                - half * rate * rate * ((d + sign * e) * (d + sign * e) + rest)
            ),
        )
        for word, sign in (
            ("-", ring.constant(Fraction(-1))),
            ("+", ring.constant(Fraction(1))),
        )
    )
    return Argument(
        "the slack is a sum of squares, with either sign of the sum",
        steps,
        (
            SIGNS,
            SUMS,
            "|d|^2 is the sum of the squares of all coordinates, two of which are d_e, d_f",
        ),
        measure="slack_terms",
        uses=("distinct edges", "own parameters"),
        section=10,
    )
