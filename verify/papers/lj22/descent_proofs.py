"""Arguments for the statements of gradient descent: algebra, each step in normal form, and what
follows from the descent lemma."""

from fractions import Fraction
from typing import Any

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.papers.lj22.proofs import vertex_balance_by_induction

USES = ("gradient descent",)
SUMS = "a finite sum is built up term by term (induction)"


def one_step(number: str) -> Argument:
    """(73), (74) or (75): substitute w(t+1) = w - eta d."""
    ring = ring_of(3)
    w, rate, d = ring.generators
    two = ring.constant(Fraction(2))
    new = w - rate * d
    sides = {
        "73": (new * w - w * w, -(rate * w * d)),
        "74": (new * new + w * w - two * new * w, rate * rate * d * d),
        "75": (new * new - w * w - rate * rate * d * d, -(two * rate * w * d)),
    }
    left, right = sides[number]
    step = Step(f"({number}) with w(t+1) = w - eta d", ring.is_zero(left - right))
    return Argument(
        "one polynomial identity in w, eta and d",
        (step,),
        ("w and d stand for any coordinate, eta for the step size",),
        uses=USES,
        section="docs/mathematics/lj22.md#one-step",
    )


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
        uses=USES,
        section="docs/mathematics/lj22.md#one-step",
    )


def squares() -> Argument:
    """(81) and (85) with the factor 1: for two edges e, f the product w_e w_f changes in one step
    by -eta (w_e d_f + w_f d_e) + eta^2 d_e d_f; sum over the steps and over the common
    neighbours."""
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
        uses=(*USES, "equal neighbourhoods"),
        section="docs/mathematics/lj22.md#two-vertices-with-one-slope",
    )


def pairs_in_steps(*, telescoped: bool) -> Argument:
    """(82) = (84) for u and v with one slope s, and (81) = (85) with it: dnu/dw_au = p_a s D_u and
    dnu/dw_ub = s z_u d_b, so sum_a w_av dnu/dw_au + w_au dnu/dw_av is s (z_v D_u + z_u D_v), and so
    is sum_b w_vb dnu/dw_ub + w_ub dnu/dw_vb."""
    ring = ring_of(9)
    w, v, p, s, z_u, z_v, d_u, d_v, d = ring.generators

    def closed(z_of_u: Any, z_of_v: Any, d_of_u: Any, d_of_v: Any) -> Any:
        return s * (z_of_v * d_of_u + z_of_u * d_of_v)

    steps: tuple[Step, ...]
    before = closed(z_u, z_v, d_u, d_v)
    entering = closed(z_u + w * p, z_v + v * p, d_u, d_v) - before
    leaving = closed(z_u, z_v, d_u + w * d, d_v + v * d) - before
    steps = (
        Step("no common in-edge: both are 0", ring.is_zero(closed(d - d, d - d, d_u, d_v))),
        Step(
            "one more in-vertex adds v p s D_u + w p s D_v to both",
            ring.is_zero(entering - (v * p * s * d_u + w * p * s * d_v)),
        ),
        Step("no common out-edge: both are 0", ring.is_zero(closed(z_u, z_v, d - d, d - d))),
        Step(
            "one more out-vertex adds v s z_u d + w s z_v d to both",
            ring.is_zero(leaving - (v * s * z_u * d + w * s * z_v * d)),
        ),
    )
    if telescoped:
        steps = (*steps, *squares().steps)
    return Argument(
        "the balance of a pair, by induction over the common neighbours"
        + ", and induction over the steps" * telescoped,
        steps,
        (
            "the chain rule for a network on a DAG, at points of differentiability",
            "away from kinks, equal activation patterns are equal slopes",
            SUMS,
        ),
        uses=(
            *USES,
            "differentiable at every step",
            "equal activation patterns at every step",
            "equal neighbourhoods",
            "bias-free",
            "feedforward, one output",
        ),
        section="docs/mathematics/lj22.md#two-vertices-with-one-slope",
    )


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
        uses=(
            *USES,
            "differentiable at every step",
            "bias-free",
            "feedforward, one output",
            "positively homogeneous activations",
        ),
        section="docs/mathematics/lj22.md#one-step",
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
        uses=("step size",),
        section="docs/mathematics/lj22.md#the-descent-lemma",
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
        uses=("step size",),
        section="docs/mathematics/lj22.md#the-descent-lemma",
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
        uses=("own parameters",),
        section="docs/mathematics/lj22.md#the-descent-lemma",
    )


# from the descent lemma --------------------------------------------------------------------------
LEMMA = (
    "the descent lemma (Nesterov, Introductory lectures on convex optimization, Lemma 1.2.3): "
    "where the gradient is beta-Lipschitz on a convex set, f(y) <= f(x) + <grad f(x), y - x> + "
    "beta/2 ||y - x||^2 for x, y in it"
)
CONVEX = "the weights whose layers all have Frobenius norm at most r are a convex set"
ON_STEP = "smooth on a ball that holds the step"


def step_by_lemma() -> Argument:
    """(86) on a ball that holds w(tau) and w(tau+1): the lemma with y - x = -eta d."""
    ring = ring_of(3)
    rate, beta, d = ring.generators
    half = ring.constant(Fraction(1, 2))
    move = -(rate * d)
    from_lemma = d * move + half * beta * move * move
    printed = -(rate * d * d) + half * beta * rate * rate * d * d
    step = Step(
        "each coordinate adds -eta d^2 + beta eta^2/2 d^2 to the right side",
        ring.is_zero(from_lemma - printed),
    )
    return Argument(
        "the descent lemma on the ball, which holds both ends of the step",
        (step,),
        (LEMMA, CONVEX, SUMS),
        uses=(ON_STEP,),
        section="docs/mathematics/lj22.md#the-descent-lemma",
    )


def sum_by_lemma() -> Argument:
    """(88), right: (86) and -eta s + beta eta^2/2 s <= -eta/2 s, added up over the steps."""
    ring = ring_of(5)
    rate, beta, square, before, after = ring.generators
    half, one = ring.constant(Fraction(1, 2)), ring.constant(Fraction(1))
    bound = half * beta * rate * rate * square - rate * square
    steps = (
        Step(
            "-eta/2 ||d||^2 less the right side of (86) is eta/2 (1 - beta eta) ||d||^2",
            ring.is_zero(
                -(half * rate * square) - bound - half * rate * (one - beta * rate) * square
            ),
        ),
        Step("the differences of the risk add up", ring.is_zero(before + (after - before) - after)),
    )
    return Argument(
        "the descent lemma at each step, added up",
        steps,
        (LEMMA, CONVEX, RATES, SIGNS, SUMS),
        uses=(ON_STEP, "step size"),
        section="docs/mathematics/lj22.md#the-descent-lemma",
    )


def risk_by_sign() -> Argument:
    """(88), left: R(w(t+1)) - R(w(0)) + R(w(0)) is a mean of values of the loss."""
    ring = ring_of(2)
    first, last = ring.generators
    step = Step("the slack is R(w(t+1))", ring.is_zero((last - first) + first - last))
    return Argument(
        "the slack is a mean of values of a loss that is at least 0",
        (step,),
        (SIGNS,),
        uses=("loss at least 0",),
        section="docs/mathematics/lj22.md#the-descent-lemma",
    )


def products_by_risk() -> Argument:
    """The bound by the risk: its slack is R(w(t+1)) and the slacks of (88), (89) and (90)."""
    ring = ring_of(5)
    first, last, sizes, squares, product = ring.generators
    parts = last + ((first - last) - sizes) + (sizes - squares) + (squares - product)
    step = Step(
        "the slack is R(w(t+1)) and the slacks of (88), (89) and (90), added up",
        ring.is_zero(first - product - parts),
    )
    return Argument(
        "the slack is a sum of four slacks",
        (step,),
        (
            "each of the four slacks is at least 0: (88) and (90) as repaired, and (89)",
            LEMMA,
            CONVEX,
            SIGNS,
        ),
        uses=("loss at least 0", ON_STEP, "step size", "own parameters"),
        section="docs/mathematics/lj22.md#the-descent-lemma",
        cites=(
            "lj22v1.gd-88.a.fix",
            "lj22v1.gd-88.b.fix",
            "lj22v1.gd-89",
            "lj22v1.gd-90.a.fix",
        ),
    )
