"""Arguments for the repaired inequalities of gradient descent, from the descent lemma."""

from fractions import Fraction

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.language.terms import Term
from verify.papers.lj22.descent_proofs import RATES, SIGNS, SUMS

LEMMA = (
    "the descent lemma (Nesterov, Introductory lectures on convex optimization, Lemma 1.2.3): "
    "where the gradient is beta-Lipschitz on a convex set, f(y) <= f(x) + <grad f(x), y - x> + "
    "beta/2 ||y - x||^2 for x, y in it"
)
CONVEX = "the weights whose layers all have Frobenius norm at most r are a convex set"
ON_STEP = "smooth on a ball that holds the step"


def step_by_lemma(goal: Term) -> Argument:
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
        goal=goal,
        uses=(ON_STEP,),
        section="docs/mathematics/lj22.md#the-descent-lemma",
    )


def sum_by_lemma(goal: Term) -> Argument:
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
        goal=goal,
        uses=(ON_STEP, "step size"),
        section="docs/mathematics/lj22.md#the-descent-lemma",
    )


def risk_by_sign(goal: Term) -> Argument:
    """(88), left: R(w(t+1)) - R(w(0)) + R(w(0)) is a mean of values of the loss."""
    ring = ring_of(2)
    first, last = ring.generators
    step = Step("the slack is R(w(t+1))", ring.is_zero((last - first) + first - last))
    return Argument(
        "the slack is a mean of values of a loss that is at least 0",
        (step,),
        (SIGNS,),
        goal=goal,
        uses=("loss at least 0",),
        section="docs/mathematics/lj22.md#the-descent-lemma",
    )


def products_by_risk(goal: Term) -> Argument:
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
        goal=goal,
        uses=("loss at least 0", ON_STEP, "step size", "own parameters"),
        section="docs/mathematics/lj22.md#the-descent-lemma",
        cites=(
            "lj22v1.gd-88.a.fix",
            "lj22v1.gd-88.b.fix",
            "lj22v1.gd-89",
            "lj22v1.gd-90.a.fix",
        ),
    )
