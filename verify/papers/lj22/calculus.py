"""Calculus along arcs of weights: (30) in the proof of Lemma 2, the earlier version's Lemma 1."""

from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.activations import RELU
from graphs.rings import ring_of
from verify.cases.case import Case
from verify.cases.pool import Pool
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor as Entries
from verify.cases.transformations import on_boundary, random_rational, with_edge_weight
from verify.core.argument import Argument, Step
from verify.language.building import (
    Each,
    Matrix,
    Sum,
    Tensor,
    Vector,
    card,
    dim,
    examples,
    frob2,
    rows,
    unfold,
    upto,
)
from verify.language.terms import Term
from verify.papers.lj22.sources import both, earlier
from verify.papers.lj22.subdifferential_terms import limit_gradient, one_sided
from verify.statements.network_hypotheses import FEEDFORWARD, HOMOGENEOUS
from verify.statements.stated import Given, stated

# (30): in-weights that are piecewise polynomials ------------------------------------------------
DURATIONS, START = Vector("durations", "piece"), Vector("start", "weight")
SLOPES, JUMPS = Tensor("slopes", "weight", "piece", "power"), Matrix("jumps", "weight", "piece")
WEIGHTS, PIECES, POWERS = upto(dim(START)), upto(dim(DURATIONS)), upto(rows(unfold(SLOPES, 3)))


def slope(weight: Term, piece: Term, power: Term) -> Term:
    """The coefficient of a power, at least 1, of the time since the piece began."""
    return unfold(SLOPES, 1)[weight, (piece - 1) * card(POWERS) + power]


def gained(weight: Term, piece: Term) -> Term:
    """What a weight gains along a piece."""
    return Sum(POWERS, lambda p: slope(weight, piece, p) * DURATIONS[piece] ** p)


def begun(weight: Term, piece: Term) -> Term:
    """A weight where a piece begins: where the last one ended, plus a jump (0 where the weight is
    continuous)."""
    jumped = Sum(upto(piece), lambda i: JUMPS[weight, i])
    return START[weight] + jumped + Sum(upto(piece - 1), lambda i: gained(weight, i))


def integral(weight: Term, piece: Term) -> Term:
    """Of w dw/ds over a piece: that of a_p s^p q a_q s^(q - 1) is q a_p a_q d^(p + q)/(p + q)."""

    def part(p: Term, q: Term) -> Term:
        both_slopes = slope(weight, piece, p) * slope(weight, piece, q)
        return q * both_slopes * DURATIONS[piece] ** (p + q) / (p + q)

    moving = Sum(POWERS, lambda p: Sum(POWERS, lambda q: part(p, q)))
    return begun(weight, piece) * gained(weight, piece) + moving


def square_at_the_end(weight: Term) -> Term:
    """w(t)^2, at the end of the last piece."""
    last = dim(DURATIONS)
    return (begun(weight, last) + gained(weight, last)) ** 2


SQUARE_CHANGE = Sum(WEIGHTS, lambda e: square_at_the_end(e)) - Sum(WEIGHTS, lambda e: START[e] ** 2)
INTEGRALS = Sum(WEIGHTS, lambda e: Sum(PIECES, lambda i: integral(e, i)))


CONTINUOUS = Given(
    "absolutely continuous",
    frob2(JUMPS) == 0,
    r"$w_{uv}$ is absolutely continuous on $[0,t]$",
    lambda case, random: case.with_entries(
        jumps=[Fraction(0) for _ in case.arrays["jumps"].entries]
    ),
    lambda case, random: case.with_entries(
        jumps=[random_rational(random) for _ in case.arrays["jumps"].entries]
    ),
)

TIME_PASSES = Given(
    "time passes",
    Each(PIECES, lambda i: DURATIONS[i] > 0),
    r"every piece of $[0,t]$ has a positive length",
    lambda case, random: case.with_entries(
        durations=[abs(d) or Fraction(1) for d in case.arrays["durations"].entries]
    ),
)

PIECEWISE = TensorPool(
    arrays=(
        ("durations", ("piece",)),
        ("start", ("weight",)),
        ("slopes", ("weight", "piece", "power")),
        ("jumps", ("weight", "piece")),
    ),
    largest=3,
)


def square_change() -> Argument:
    """w^2 is absolutely continuous with w, and its derivative is 2 w dw/dt."""
    ring = ring_of(3)
    w, rate, h = ring.generators
    later = w + h * rate  # rate: the difference quotient over the time h
    steps = (
        Step(
            "b^2 - a^2 = (b - a)(b + a): with w, bounded on [0, t], w^2 is absolutely continuous",
            ring.is_zero(rate * rate - w * w - (rate - w) * (rate + w)),
        ),
        Step(
            "(w(s + h)^2 - w(s)^2)/h = 2 w q + h q^2, q the difference quotient of w at s",
            ring.is_zero(later * later - w * w - h * (2 * w * rate + h * rate * rate)),
        ),
    )
    return Argument(
        "w^2 is absolutely continuous and has the derivative 2 w dw/dt wherever w has one",
        steps,
        (
            (
                "an absolutely continuous function has a derivative almost everywhere, and is the "
                "integral of it (Lebesgue)"
            ),
            "a continuous function on [0, t] is bounded, and so is a quotient that converges",
            "a sum over finitely many edges is taken term by term",
        ),
        uses=("absolutely continuous",),
        section="docs/mathematics/lj22.md#squares-and-entries-of-h",
    )


# the chain rule ---------------------------------------------------------------------------------
VELOCITY, SIDE = Vector("v", "edges"), Vector("d", "edges")
"""The velocity of an arc, and the side from which elements of the subdifferential are taken."""


def chain_rule(j: Term) -> Term:
    """Just after the start of an arc with this velocity, for the Clarke element of nu(x_j; .) that
    the side selects."""
    return one_sided(j, VELOCITY) == limit_gradient(j, (VELOCITY, SIDE), VELOCITY)


def with_arc(case: Case, random: Random) -> Case:
    """Choose the velocity of an arc through the weights, and a side.

    In half of the cases the arc starts on a kink of a vertex behind the inputs, and then mostly
    stays on it.
    """
    velocity, side = (
        [random_rational(random, zero=zero) for _ in case.weights] for zero in (True, False)
    )
    if random.random() < 0.5 and (first := _first_vertices(case)):
        vertex = random.choice(first)
        case = _at_kink(case, vertex, random)
        if random.random() < 0.7:  # a multiple of the in-weights keeps the pre-activation at 0
            factor = random_rational(random)
            for e in case.network.in_edges[vertex]:
                p = case.network.parameter_of[e]
                velocity[p] = factor * case.weights[p]
    arrays = {
        name: Entries(("edges",), (case.network.edge_count,), case.network.edge_weights(numbers))
        for name, numbers in (("v", velocity), ("d", side))
    }
    return replace(case, arrays=arrays)


def _first_vertices(case: Case) -> list[int]:
    """The vertices all of whose in-edges come from inputs, with parameters of their own."""
    net = case.network
    return [
        v
        for v in (*net.inner, *net.outputs)
        if all(net.tails[e] in net.inputs and net.own_parameter(e) for e in net.in_edges[v])
    ]


def _at_kink(case: Case, vertex: int, random: Random) -> Case:
    """The vertex becomes ReLU, with pre-activation 0 on one example, or with all in-weights 0."""
    net = case.network
    case = case.with_activations({vertex: RELU})
    if random.random() < 0.7:
        return on_boundary(case, random, [vertex])
    for e in net.in_edges[vertex]:
        case = with_edge_weight(case, e, Fraction(0))
    return case


DEFINABLE = replace(
    HOMOGENEOUS,
    name="locally Lipschitz and definable",
    text=r"$f$ is locally Lipschitz, and definable in an o-minimal structure: here piecewise "
    "linear in each weight, with activations that have a slope on either side of $0$",
    built_in=True,
)
AFTER_THE_START = (
    r"on a line $w+tv$ both sides have limits as $t$ falls to $0$, and where the identity holds at "
    r"almost every $t$ the limits are equal, whichever side $d$ tells elements of $\partial f$ at "
    "the kinks on which the line stays (docs/mathematics/lj22.md#arcs)"
)


CLAIMS = (
    stated(
        "lj22.eq30",
        both("proof of Lemma 2, (30)"),
        "fundamental theorem of calculus for the squared weights",
        r"$$\sum_{u\in\mathrm{IN}_v}w_{uv}^2(t)-\sum_{u\in\mathrm{IN}_v}w_{uv}^2(0)="
        r"2\sum_{u\in\mathrm{IN}_v}\int_{[0,t]}w_{uv}(s)\frac{dw_{uv}}{dt}(s)\,ds$$ "
        r"for absolutely continuous $w$.",
        SQUARE_CHANGE == 2 * INTEGRALS,
        (CONTINUOUS, TIME_PASSES),
        pool=PIECEWISE,
        proof=square_change,
    ),
    stated(
        "lj22v1.lemma1",
        earlier("Lemma 1 (Lemma B.9 in Ji and Telgarsky, 2020)"),
        "chain rule along arcs",
        r"If $f:D\text{ open}\to\mathbb R$ is locally Lipschitz and definable, then for any "
        r"interval $I$, arc $z:I\to D$, a.e. $t\in I$: $$\frac{df(z(t))}{dt}=\Big\langle y,"
        r"\frac{dz_t}{dt}\Big\rangle\quad\text{for all }y\in\partial f(z(t))$$ "
        r"Judged for $f=\nu(x_j;\cdot)$, just after the start of lines, and for limits of "
        r"gradients, of which $\partial f$ is the hull.",
        Each(examples(), chain_rule),
        (DEFINABLE, FEEDFORWARD),
        pool=Pool(
            families=("fully connected", "random DAG", "tree", "dense", "residual"),
            examples=(1, 2, 3),
            losses=("prescribed",),
            largest=4,
            adapt=with_arc,
        ),
        exact_only=True,
        through=AFTER_THE_START,
    ),
)
